//! The server over TLS.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use super::process::{Data, Process, http, towers};

type Made = rcgen::CertifiedKey<rcgen::KeyPair>;

/// Creates a certificate and its key in the data folder.
fn certify(data: &Data) -> Made {
    let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
    std::fs::write(data.path().join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(
        data.path().join("key.pem"),
        made.signing_key.serialize_pem(),
    )
    .unwrap();
    made
}

fn start(data: &Data) -> Process {
    start_logged(data, &data.path().join("log"))
}

fn start_logged(data: &Data, log: &Path) -> Process {
    let (certificate, key) = (data.path().join("cert.pem"), data.path().join("key.pem"));
    let args = [
        "--tls-cert",
        certificate.to_str().unwrap(),
        "--tls-key",
        key.to_str().unwrap(),
    ];
    Process::start_logged(&data.path(), &args, log)
}

/// A server's response to a client that trusts one certificate.
async fn ask(process: &Process, trusted: &Made) -> Result<String, std::io::Error> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from(trusted.cert.der().to_vec()))
        .unwrap();
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(("127.0.0.1", process.port)).await?;
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    let mut stream = connector.connect(name, stream).await?;
    let request = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await?;
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    Ok(answer)
}

#[tokio::test]
async fn with_a_certificate_the_server_speaks_tls() {
    let data = Data::new();
    std::fs::create_dir_all(data.path()).unwrap();
    let made = certify(&data);
    let process = start(&data);
    let answer = ask(&process, &made).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok\n"),
        "{answer}"
    );
    assert!(answer.to_lowercase().contains("strict-transport-security"));
    // `towers health` over TLS trusts no other certificate.
    let health = |certificate: &str| {
        let address = format!("127.0.0.1:{}", process.port);
        let mut health = towers();
        health.args(["health", "--listen", &address]);
        health.env("TOWERS_TLS_CERT", data.path().join(certificate));
        health.output().unwrap()
    };
    let well = health("cert.pem");
    assert_eq!(String::from_utf8_lossy(&well.stdout), "ok\n", "{well:?}");
    let other = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
    std::fs::write(data.path().join("other.pem"), other.cert.pem()).unwrap();
    let foreign = health("other.pem");
    assert_eq!(foreign.status.code(), Some(1));
    let said = String::from_utf8_lossy(&foreign.stderr).into_owned();
    assert!(said.contains("another certificate"), "{said}");
}

#[tokio::test]
async fn a_renewed_certificate_is_taken_up_and_a_broken_one_is_not() {
    let data = Data::new();
    std::fs::create_dir_all(data.path()).unwrap();
    let old = certify(&data);
    let log = data.path().join("log");
    let mut process = start_logged(&data, &log);
    assert!(ask(&process, &old).await.is_ok());
    let until = async |process: &Process, trusted: &Made| {
        let begun = std::time::Instant::now();
        while ask(process, trusted).await.is_err() {
            assert!(begun.elapsed() < Duration::from_secs(60), "not taken up");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        begun.elapsed()
    };
    let hang_up = |process: &Process| {
        let id = process.id().to_string();
        let told = Command::new("kill").args(["-HUP", &id]).status();
        assert!(told.unwrap().success());
    };
    // At once with the signal.
    let renewed = certify(&data);
    hang_up(&process);
    assert!(until(&process, &renewed).await < Duration::from_secs(3));
    assert!(ask(&process, &old).await.is_err());
    // An invalid file changes nothing.
    std::fs::write(data.path().join("key.pem"), "nonsense").unwrap();
    hang_up(&process);
    let begun = std::time::Instant::now();
    while !std::fs::read_to_string(&log)
        .unwrap()
        .contains("cannot load the new certificate")
    {
        assert!(begun.elapsed() < Duration::from_secs(60), "not noticed");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(ask(&process, &renewed).await.is_ok());
    // Automatically when the files change.
    let again = certify(&data);
    until(&process, &again).await;
    assert!(process.stop());
}

#[tokio::test]
async fn without_a_certificate_the_signal_to_read_it_is_harmless() {
    let data = Data::new();
    let mut process = Process::start(&data.path());
    let id = process.id().to_string();
    let told = Command::new("kill").args(["-HUP", &id]).status();
    assert!(told.unwrap().success());
    let alive = http(process.port, "GET", "/health/live", &[], "").await;
    assert_eq!(alive.status, 200);
    assert!(process.is_running() && process.stop());
}

#[test]
fn a_bad_certificate_is_explained() {
    let data = Data::new();
    std::fs::create_dir_all(data.path()).unwrap();
    let file = data.path().join("empty.pem");
    std::fs::write(&file, "").unwrap();
    let output = towers()
        .args(["--listen", "127.0.0.1:0", "--tls-cert"])
        .arg(&file)
        .arg("--tls-key")
        .arg(&file)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("certificate"), "{error}");
}
