//! nginx with the shipped configuration in front of two servers, on another port than the default.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use towers_table::Command as TableCommand;

use super::client::{Client, sit};
use super::nodes::metric;
use super::process::{Data, Process, create, http};

const CONFIG: &str = include_str!("../../../../deploy/nginx.conf");

/// A running nginx, stopped when dropped.
struct Nginx {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Nginx {
    /// Starts it with the shipped configuration, except for addresses and TLS.
    fn start(servers: &[&Process; 2]) -> Nginx {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let is_tls = |line: &&str| line.trim().starts_with("ssl_");
        let config: Vec<&str> = CONFIG.lines().filter(|line| !is_tls(line)).collect();
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
        let child = Command::new("nginx")
            .args(["-p", path, "-e", "stderr", "-c"])
            .arg(&file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|why| {
                panic!("nginx is needed, on Debian `apt-get install nginx-light`: {why}")
            });
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60), "nginx starts");
            std::thread::sleep(Duration::from_millis(20));
        }
        Nginx {
            child,
            port,
            _folder: folder,
        }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_stays_with_one_server_behind_nginx_and_survives_it() {
    let postgres = towers_test_support::Postgres::start().unwrap();
    let data = Data::new();
    let url = postgres.url();
    let args = ["--database-url", &url, "--trust-proxy"];
    let (mut a, mut b) = (
        Process::start_quick_with(&data.path(), &args),
        Process::start_quick_with(&data.path(), &args),
    );
    let nginx = Nginx::start(&[&a, &b]);
    let metrics = http(nginx.port, "GET", "/metrics", &[], "").await;
    assert_eq!(metrics.status, 404, "metrics are not for the public");
    // A browser sends the origin of its page, with the port.
    let (table, token) = create(nginx.port, "Ann", r#"{"seats":3}"#).await;
    let address = format!("ws://127.0.0.1:{}/api/tables/{table}/socket", nginx.port);
    for (origin, allowed) in [
        (format!("http://127.0.0.1:{}", nginx.port), true),
        ("http://127.0.0.1".into(), false),
    ] {
        let mut request = address.as_str().into_client_request().unwrap();
        request
            .headers_mut()
            .insert("Origin", origin.parse().unwrap());
        let connected = tokio_tungstenite::connect_async(request).await;
        assert_eq!(connected.is_ok(), allowed, "{origin}");
    }
    // Everybody at the table is connected to the same server.
    let mut clients = vec![Client::connect(nginx.port, &table, Some(&token)).await];
    for _ in 0..5 {
        clients.push(Client::connect(nginx.port, &table, None).await);
    }
    clients[0].ok(sit("Ann")).await;
    let connected = [
        metric(&a, "towers_connections").await,
        metric(&b, "towers_connections").await,
    ];
    assert!(connected.contains(&0), "{connected:?}");
    assert!(connected.iter().sum::<u64>() >= 6, "{connected:?}");
    // That server dies: clients reconnect through the same proxy.
    if connected[0] > 0 {
        a.kill();
    } else {
        b.kill();
    }
    let mut ann = Client::connect(nginx.port, &table, Some(&token)).await;
    let text = "still here".into();
    ann.ok(TableCommand::Chat { text }).await;
}
