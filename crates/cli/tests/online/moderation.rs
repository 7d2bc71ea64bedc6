//! Operators: reports, hiding, deleting, banning, by the page and by `towers admin`.

use std::process::Output;

use sqlx::{Connection, Row, SqliteConnection};
use towers_table::{Command, Taken};

use super::client::{Client, Closed, sit};
use super::operators::free_port;
use super::player::gather;
use super::process::{Answer, Data, Process, create, http, towers, verified_record};

struct Operator<'a> {
    data: &'a Data,
    port: u16,
}

impl Operator<'_> {
    fn run(&self, args: &[&str]) -> Output {
        let listen = format!("127.0.0.1:{}", self.port);
        let mut program = towers();
        program.arg("admin").args(args).args(["--listen", &listen]);
        program
            .arg("--data")
            .arg(self.data.path())
            .output()
            .unwrap()
    }

    fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn secret(&self) -> String {
        let file = self.data.path().join("admin-secret");
        std::fs::read_to_string(file).unwrap().trim().to_string()
    }

    async fn page(&self) -> Answer {
        http(
            self.port,
            "GET",
            &format!("/admin/{}", self.secret()),
            &[],
            "",
        )
        .await
    }
}

/// Whether the files of the database contain a word anywhere, also where nothing is stored any more.
fn has_trace(data: &Data, word: &str) -> bool {
    ["towers.db", "towers.db-wal"].iter().any(|file| {
        let bytes = std::fs::read(data.path().join(file)).unwrap_or_default();
        bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    })
}

async fn report(port: u16, table: &str, reason: &str) -> u16 {
    let body = serde_json::json!({ "reason": reason }).to_string();
    http(
        port,
        "POST",
        &format!("/api/tables/{table}/report"),
        &[],
        &body,
    )
    .await
    .status
}

/// Everything in the database as text.
async fn dump(data: &Data) -> String {
    let file = format!("sqlite://{}", data.path().join("towers.db").display());
    let mut db = SqliteConnection::connect(&file).await.unwrap();
    let mut text = String::new();
    for query in [
        "SELECT header || summary FROM tables",
        "SELECT line FROM entries",
        "SELECT reason FROM reports",
        "SELECT network FROM bans",
    ] {
        for row in sqlx::query(query).fetch_all(&mut db).await.unwrap() {
            text += row.get::<&str, _>(0);
        }
    }
    text
}

#[tokio::test]
async fn anybody_can_report_a_table_and_the_operator_reads_it() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let operator = Operator {
        data: &data,
        port: process.port,
    };
    let settings = r#"{"seats":2,"public":true,"title":"<b>rude</b>"}"#;
    let (table, _clients) = gather(process.port, settings, 1).await;
    let reason = "they call me <script>names</script>";
    assert_eq!(report(process.port, &table, reason).await, 204);
    assert_eq!(report(process.port, &table, "").await, 422);
    assert_eq!(report(process.port, &table, &"x".repeat(501)).await, 422);
    assert_eq!(report(process.port, "00000000000000000000", "x").await, 404);
    let list = operator.ok(&["list"]);
    assert!(
        list.contains(&table) && list.contains("names") && list.contains("Ann"),
        "{list}"
    );
    let page = operator.page().await;
    assert_eq!(page.status, 200);
    assert!(
        page.body.contains("they call me &lt;script&gt;names"),
        "{}",
        page.body
    );
    assert!(
        !page.body.contains("<script") && !page.body.contains("<b>"),
        "{}",
        page.body
    );
    assert!(!page.head.contains("unsafe-inline"), "{}", page.head);
    operator.ok(&["dismiss", &table]);
    assert!(!operator.ok(&["list"]).contains("names"));
    let mut made = 0;
    while report(process.port, &table, "again").await == 204 {
        made += 1;
        assert!(made < 30, "there is no limit");
    }
}

#[tokio::test]
async fn without_the_secret_there_is_nothing_to_be_seen_or_done() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let (table, _) = create(process.port, "Ann", "{}").await;
    for secret in ["x", "", &"0".repeat(64)] {
        for path in [format!("/admin/{secret}"), format!("/admin/{secret}/state")] {
            let answer = http(process.port, "GET", &path, &[], "").await;
            assert!(!answer.body.contains(&table), "{path}");
        }
        let body = format!("action=delete&table={table}");
        let form = "Content-Type: application/x-www-form-urlencoded";
        let path = format!("/admin/{secret}");
        let answer = http(process.port, "POST", &path, &[form], &body).await;
        assert!(
            (400..500).contains(&answer.status),
            "{path}: {}",
            answer.status
        );
    }
    let path = format!("/api/tables/{table}");
    assert_eq!(http(process.port, "GET", &path, &[], "").await.status, 200);
    // With a separate listener, the page is served only there.
    let data = Data::new();
    let ops = free_port();
    let listen = format!("127.0.0.1:{ops}");
    let process = Process::start_quick_with(&data.path(), &["--ops-listen", &listen]);
    let operator = Operator {
        data: &data,
        port: ops,
    };
    assert_eq!(operator.page().await.status, 200);
    let path = format!("/admin/{}", operator.secret());
    assert_eq!(http(process.port, "GET", &path, &[], "").await.status, 404);
}

#[tokio::test]
async fn a_hidden_table_leaves_the_lobby_and_comes_back() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let operator = Operator {
        data: &data,
        port: process.port,
    };
    let (table, mut clients) = gather(process.port, r#"{"seats":2,"public":true}"#, 1).await;
    let listed = async || {
        let list = http(process.port, "GET", "/api/tables", &[], "").await;
        list.body.contains(&table)
    };
    assert!(listed().await);
    operator.ok(&["hide", &table]);
    assert!(!listed().await);
    clients[0].ok(Command::Ready { ready: true }).await;
    assert!(!listed().await, "it stays hidden");
    operator.ok(&["show", &table]);
    assert!(listed().await);
    assert!(
        !operator
            .run(&["hide", "00000000000000000000"])
            .status
            .success()
    );
}

#[tokio::test]
async fn a_deleted_table_is_gone_completely() {
    let data = Data::new();
    let log = data.path().with_extension("log");
    let process = Process::start_logged(&data.path(), &[], &log);
    let operator = Operator {
        data: &data,
        port: process.port,
    };
    let settings = r#"{"seats":2,"title":"Geheimtreff"}"#;
    let (table, mut clients) = gather(process.port, settings, 2).await;
    clients[1]
        .ok(Command::Chat {
            text: "Kennwort".into(),
        })
        .await;
    report(process.port, &table, "Beschwerde").await;
    let (other, _) = create(process.port, "Zoe", "{}").await;
    let secrets = [table.as_str(), "Geheimtreff", "Kennwort", "Beschwerde"];
    assert!(secrets.iter().all(|word| has_trace(&data, word)));
    operator.ok(&["delete", &table]);
    for word in secrets {
        assert!(!has_trace(&data, word), "the files still contain {word}");
    }
    let end = loop {
        match clients[0].next().await {
            Ok(_) => {}
            Err(end) => break end,
        }
    };
    assert!(matches!(end, Closed::With(4004, _)), "{end:?}");
    for path in [
        format!("/api/tables/{table}"),
        format!("/api/tables/{table}/record"),
    ] {
        assert_eq!(http(process.port, "GET", &path, &[], "").await.status, 404);
    }
    let mut again = Client::try_connect(process.port, &table, None, None)
        .await
        .unwrap();
    assert!(matches!(again.next().await, Err(Closed::With(4004, _))));
    let text = dump(&data).await;
    for word in [
        table.as_str(),
        "Geheimtreff",
        "Kennwort",
        "Beschwerde",
        "Ann",
        "Ben",
    ] {
        assert!(!text.contains(word), "{word} is still there");
    }
    assert!(text.contains(&other), "other tables stay");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("the operator deleted a table"), "{log}");
    for word in [table.as_str(), "Geheimtreff", "Ann", "127.0.0.1"] {
        assert!(!log.contains(word), "{word} is in the log");
    }
}

#[tokio::test]
async fn a_deleted_name_is_gone_from_the_record_which_stays_valid() {
    let data = Data::new();
    let process = Process::start(&data.path());
    let operator = Operator {
        data: &data,
        port: process.port,
    };
    let (table, token) = create(process.port, "Mallory", r#"{"seats":2}"#).await;
    let mut host = Client::connect(process.port, &table, Some(&token)).await;
    host.ok(sit("Mallory")).await;
    let mut ben = Client::connect(process.port, &table, None).await;
    ben.ok(sit("Ben")).await;
    host.ok(Command::Chat {
        text: "Schimpfwort".into(),
    })
    .await;
    ben.ok(Command::Chat {
        text: "Oh nein".into(),
    })
    .await;
    host.ok(Command::Start).await;
    for client in [&mut host, &mut ben] {
        client.ok(Command::End { agree: true }).await;
    }
    assert!(
        verified_record(process.port, &table)
            .await
            .to_text()
            .contains("Mallory")
    );
    assert!(
        !operator
            .run(&["delete-name", &table, "Nobody"])
            .status
            .success()
    );
    assert!(has_trace(&data, "Mallory") && has_trace(&data, "Schimpfwort"));
    operator.ok(&["delete-name", &table, "Mallory"]);
    for word in ["Mallory", "Schimpfwort"] {
        assert!(!has_trace(&data, word), "the files still contain {word}");
    }
    let record = verified_record(process.port, &table).await.to_text();
    assert!(
        !record.contains("Mallory") && record.contains("Ben"),
        "{record}"
    );
    let text = dump(&data).await;
    assert!(
        !text.contains("Mallory") && !text.contains("Schimpfwort"),
        "{text}"
    );
    assert!(text.contains("Oh nein"), "{text}");
    // Everybody keeps their seat.
    let mut host = Client::connect(process.port, &table, Some(&token)).await;
    let view = host.view().await;
    assert!(view.you.host);
    let is_person = |taken: &Taken| matches!(taken, Taken::Person { .. });
    assert!(view.seats.iter().all(|seat| is_person(&seat.taken)));
}

#[tokio::test]
async fn a_banned_address_is_disconnected_and_refused_until_the_ban_is_over() {
    let data = Data::new();
    let mut process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    let operator = Operator {
        data: &data,
        port: process.port,
    };
    let (table, _) = create(process.port, "Ann", "{}").await;
    let connect = async |port: u16, address: &str| {
        let mut client = Client::connect_from(port, &table, None, Some(address)).await;
        client.view().await;
        client
    };
    let mut eve = connect(process.port, "2001:db8::1").await;
    let mut ann = connect(process.port, "10.0.0.1").await;
    operator.ok(&["ban", "2001:db8::7", "--minutes", "60"]);
    let end = loop {
        match eve.next().await {
            Ok(_) => {}
            Err(end) => break end,
        }
    };
    assert!(matches!(end, Closed::With(4010, _)), "{end:?}");
    ann.view().await;
    let list = async |port: u16, address: &str| {
        let header = format!("X-Forwarded-For: {address}");
        http(port, "GET", "/api/tables", &[&header], "")
            .await
            .status
    };
    assert_eq!(list(process.port, "2001:db8::2").await, 403);
    assert_eq!(list(process.port, "10.0.0.1").await, 200);
    // Not only of the API.
    for path in ["/privacy", "/scores", "/t/x", "/no-such-file.js"] {
        let get = async |address: &str| {
            let header = format!("X-Forwarded-For: {address}");
            http(process.port, "GET", path, &[&header], "").await.status
        };
        assert_eq!(get("2001:db8::2").await, 403, "{path}");
        assert_ne!(get("10.0.0.1").await, 403, "{path}");
    }
    // Also after a restart.
    assert!(process.stop());
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    assert_eq!(list(process.port, "2001:db8::2").await, 403);
    let operator = Operator {
        data: &data,
        port: process.port,
    };
    assert!(operator.ok(&["list"]).contains("2001:db8::"));
    operator.ok(&["unban", "2001:db8::2"]);
    assert_eq!(list(process.port, "2001:db8::2").await, 200);
    operator.ok(&["ban", "10.0.0.1", "--minutes", "0"]);
    assert_eq!(list(process.port, "10.0.0.1").await, 200, "the ban is over");
    assert!(!dump(&data).await.contains("10.0.0.1"), "and forgotten");
}
