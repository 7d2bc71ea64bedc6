//! Every address that the browser client uses exists.

use serde_json::Value;
use tokio::runtime::Runtime;
use towers_client::address;

use super::OnlineServer;
use super::client::TestPerson;

#[test]
fn every_address_of_the_client_is_answered() {
    let runtime = Runtime::new().unwrap();
    let data = tempfile::tempdir().unwrap();
    let server = OnlineServer::start(&runtime, data.path(), None);
    let ann = TestPerson::new(server.port, "Ann");
    let id = "3k9x7m2qh5v8w0abcdef";
    let exists = |path: &str| {
        let path = path.split('#').next().unwrap_or_default();
        let (status, body) = ann.ask("GET", path, &Value::Null);
        // A table that does not exist has another code.
        (status != 404 || body["code"] == "no_table", status)
    };
    for page in [
        address::ME,
        address::ME_JOINED,
        address::GAMES,
        address::CIRCLES,
        address::DATA_TAKEN,
        address::DATA_NOT_TAKEN,
        address::MEET,
        address::SCORES,
        &address::circles_for(id),
        &address::calls(id),
        &address::in_language(address::ME, "de"),
        address::TABLES,
        address::DAILY,
        address::DAILY_RESULTS,
        address::INVITATIONS,
        &address::table(id),
        &address::record(id),
        &address::report(id),
        &address::socket(id, true),
        &address::socket(id, false),
    ] {
        let (exists, status) = exists(page);
        assert!(exists, "{page}: {status}");
    }
    // The client answers unknown pages, so this holds for the interface only.
    for nothing in ["/api/table", "/api/daily/result"] {
        assert!(!exists(nothing).0, "{nothing}");
    }
    server.stop(&runtime);
}
