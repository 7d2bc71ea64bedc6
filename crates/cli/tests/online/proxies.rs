//! nginx and Caddy with the shipped configurations in front of two servers, on another port than the default.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use towers_table::{ClientMessage, Command as TableCommand, PROTOCOL};

use super::client::{Client, TableSocket, sit};
use super::hosting::blocks;
use super::nodes::metric;
use super::process::{Data, Process, create, http};

const NGINX: &str = include_str!("../../../../deploy/nginx.conf");
const CADDY: &str = include_str!("../../../../deploy/Caddyfile");

/// A running proxy, stopped when dropped.
struct ReverseProxy {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

fn free_port() -> u16 {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    free.local_addr().unwrap().port()
}

impl ReverseProxy {
    /// Starts nginx with the shipped configuration, except for addresses and TLS.
    fn nginx(servers: &[&Process; 2]) -> ReverseProxy {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let port = free_port();
        let is_tls = |line: &&str| line.trim().starts_with("ssl_");
        let config: Vec<&str> = NGINX.lines().filter(|line| !is_tls(line)).collect();
        let config = config
            .join("\n")
            .replace("listen 443 ssl;", &format!("listen 127.0.0.1:{port};"))
            .replace("127.0.0.1:8080", &format!("127.0.0.1:{}", servers[0].port))
            .replace("127.0.0.1:8081", &format!("127.0.0.1:{}", servers[1].port));
        assert!(!config.contains("listen 443"), "{config}");
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {path}/{kind};\n"))
            .concat();
        let whole = format!(
            "daemon off;\nmaster_process off;\npid {path}/pid;\nerror_log {path}/error.log;\n\
             events {{}}\nhttp {{\naccess_log off;\n{temporary}{config}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, whole).unwrap();
        let mut nginx = Command::new("nginx");
        nginx.args(["-p", path, "-e", "stderr", "-c"]).arg(&file);
        ReverseProxy::start(nginx, "nginx-light", port, folder)
    }

    /// The same with Caddy.
    fn caddy(servers: &[&Process; 2]) -> ReverseProxy {
        let folder = tempfile::tempdir().unwrap();
        let port = free_port();
        let config = CADDY
            .replace("towers-1:8080", &format!("127.0.0.1:{}", servers[0].port))
            .replace("towers-2:8080", &format!("127.0.0.1:{}", servers[1].port));
        let file = folder.path().join("Caddyfile");
        std::fs::write(&file, format!("{{\n\tadmin off\n}}\n{config}")).unwrap();
        let mut caddy = caddy_command(folder.path());
        caddy.args(["run", "--adapter", "caddyfile", "--config"]);
        caddy.arg(&file).stderr(Stdio::null());
        // A port without a host name has no TLS.
        caddy.env("SITE", format!("http://127.0.0.1:{port}"));
        ReverseProxy::start(caddy, "caddy", port, folder)
    }

    fn start(
        mut program: Command,
        package: &str,
        port: u16,
        folder: tempfile::TempDir,
    ) -> ReverseProxy {
        let child = program.stdout(Stdio::null()).spawn();
        let child = child.unwrap_or_else(|why| {
            panic!("{package} is needed, on Debian `apt-get install {package}`: {why}")
        });
        let proxy = ReverseProxy {
            child,
            port,
            _folder: folder,
        };
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it starts");
            std::thread::sleep(Duration::from_millis(20));
        }
        proxy
    }
}

impl Drop for ReverseProxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Caddy, which keeps its data in this folder.
fn caddy_command(folder: &Path) -> Command {
    let mut caddy = Command::new("caddy");
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        caddy.env(variable, folder);
    }
    caddy
}

/// A spectator's connection, as a browser opens it.
async fn watch(port: u16, table: &str) -> TableSocket {
    let address = format!("ws://127.0.0.1:{port}/api/tables/{table}/socket?watch");
    let (mut socket, _) = tokio_tungstenite::connect_async(address).await.unwrap();
    let hello = ClientMessage::Hello {
        protocol: Some(PROTOCOL),
        token: None,
        seen: None,
    };
    let hello = serde_json::to_string(&hello).unwrap();
    socket.send(Message::text(hello)).await.unwrap();
    socket.next().await.unwrap().unwrap();
    socket
}

async fn a_table_stays_with_one_server_and_survives_it(
    proxy: impl Fn(&[&Process; 2]) -> ReverseProxy,
) {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let url = postgres.url();
    let args = ["--database-url", &url, "--trust-proxy"];
    let (mut a, mut b) = (
        Process::start_quick_with(&data.path(), &args),
        Process::start_quick_with(&data.path(), &args),
    );
    let proxy = proxy(&[&a, &b]);
    let metrics = http(proxy.port, "GET", "/metrics", &[], "").await;
    assert_eq!(metrics.status, 404, "metrics are not for the public");
    // A browser sends the origin of its page, with the port.
    let (table, _) = create(proxy.port, "Ann", r#"{"seats":3}"#).await;
    let address = format!("ws://127.0.0.1:{}/api/tables/{table}/socket", proxy.port);
    for (origin, allowed) in [
        (format!("http://127.0.0.1:{}", proxy.port), true),
        ("http://127.0.0.1".into(), false),
    ] {
        let mut request = address.as_str().into_client_request().unwrap();
        request
            .headers_mut()
            .insert("Origin", origin.parse().unwrap());
        let connected = tokio_tungstenite::connect_async(request).await;
        assert_eq!(connected.is_ok(), allowed, "{origin}");
    }
    let connections = async || {
        [
            metric(&a, "towers_connections").await,
            metric(&b, "towers_connections").await,
        ]
    };
    // The connections from above have ended.
    while connections().await.iter().sum::<u64>() > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Everybody at a table is connected to the same server, spectators included.
    let mut all = Vec::new();
    let mut homes = Vec::new();
    for _ in 0..6 {
        let before = connections().await;
        let (table, token) = create(proxy.port, "Ann", r#"{"seats":3}"#).await;
        let mut clients = vec![Client::connect(proxy.port, &table, Some(&token)).await];
        for _ in 0..3 {
            clients.push(Client::connect(proxy.port, &table, None).await);
        }
        clients[0].ok(sit("Ann")).await;
        let spectators = [
            watch(proxy.port, &table).await,
            watch(proxy.port, &table).await,
        ];
        let after = connections().await;
        let more = [after[0] - before[0], after[1] - before[1]];
        assert!(more == [6, 0] || more == [0, 6], "{more:?}");
        homes.push(usize::from(more[1] > 0));
        all.push((table, token, clients, spectators));
    }
    println!("the servers of the tables: {homes:?}");
    // The first one dies: clients reconnect through the same proxy.
    [&mut a, &mut b][homes[0]].kill();
    let (table, token, ..) = &all[0];
    let mut ann = Client::connect(proxy.port, table, Some(token)).await;
    let text = "still here".into();
    ann.ok(TableCommand::Chat { text }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_stays_with_one_server_behind_nginx_and_survives_it() {
    a_table_stays_with_one_server_and_survives_it(ReverseProxy::nginx).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_stays_with_one_server_behind_caddy_and_survives_it() {
    a_table_stays_with_one_server_and_survives_it(ReverseProxy::caddy).await;
}

/// The shortest configuration, from the document.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_configuration_of_caddy_in_the_document_is_enough() {
    let [config] = &blocks("caddy")[..] else {
        panic!("one block");
    };
    let data = Data::new();
    let process = Process::start_quick_with(&data.path(), &["--trust-proxy"]);
    let (folder, port) = (tempfile::tempdir().unwrap(), free_port());
    let file = folder.path().join("Caddyfile");
    std::fs::write(&file, config).unwrap();
    let mut validate = caddy_command(folder.path());
    validate.args(["validate", "--adapter", "caddyfile", "--config"]);
    let valid = validate.arg(&file).output().unwrap();
    assert!(valid.status.success(), "{valid:?}");
    let config = config
        .replace("towers.example", &format!("http://127.0.0.1:{port}"))
        .replace("127.0.0.1:8080", &format!("127.0.0.1:{}", process.port));
    std::fs::write(&file, format!("{{\n\tadmin off\n}}\n{config}")).unwrap();
    let mut caddy = caddy_command(folder.path());
    caddy.args(["run", "--adapter", "caddyfile", "--config"]);
    caddy.arg(&file).stderr(Stdio::null());
    let proxy = ReverseProxy::start(caddy, "caddy", port, folder);
    let metrics = http(proxy.port, "GET", "/metrics", &[], "").await;
    assert_eq!(metrics.status, 404);
    let (table, token) = create(proxy.port, "Ann", "{}").await;
    let mut ann = Client::connect(proxy.port, &table, Some(&token)).await;
    ann.ok(sit("Ann")).await;
}
