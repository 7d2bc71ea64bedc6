//! `towers health`: the readiness of a server on this computer, for service managers and containers.

use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned,
};

use crate::failure::Failure;

/// The maximum size of a response, in bytes.
const MAX_ANSWER: u64 = 16 * 1024 * 1024;
/// The time limit of each step.
const LIMIT: Duration = Duration::from_secs(3);

/// Asks a server on this computer whether it is ready; exit code 0 if it is.
#[derive(clap::Args)]
pub struct Args {
    /// The address where the server listens
    #[arg(long, env = "TOWERS_LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[arg(
        long,
        env = "TOWERS_OPS_LISTEN",
        help = "The address where the server listens for operators, without TLS, if it has one; only there it answers"
    )]
    ops_listen: Option<SocketAddr>,
    /// Use TLS and accept only this certificate chain (PEM), the one that the server uses
    #[arg(long, env = "TOWERS_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    /// Ask only whether the process runs, not whether it can reach its database
    #[arg(long)]
    live: bool,
}

pub fn run(args: &Args) -> Result<(), Failure> {
    let path = if args.live {
        "/health/live"
    } else {
        "/health/ready"
    };
    let address = reachable(args.ops_listen.unwrap_or(args.listen));
    let encrypted = args
        .tls_cert
        .as_deref()
        .filter(|_| args.ops_listen.is_none());
    let (status, body) = request(address, "GET", path, "", encrypted)
        .map_err(|why| Failure::Outside(format!("no response from {address}: {why}")))?;
    if status == 200 {
        println!("{}", body.trim());
        Ok(())
    } else {
        Err(Failure::Outside(format!("not ready: {}", body.trim())))
    }
}

/// The address at which a server that listens here can be reached from this computer.
pub fn reachable(listen: SocketAddr) -> SocketAddr {
    let home: IpAddr = match listen {
        SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    };
    if listen.ip().is_unspecified() {
        SocketAddr::new(home, listen.port())
    } else {
        listen
    }
}

/// Sends a request; returns the status and the body of the response.
pub fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    form: &str,
    certificate: Option<&Path>,
) -> std::io::Result<(u16, String)> {
    let stream = TcpStream::connect_timeout(&address, LIMIT)?;
    stream.set_read_timeout(Some(LIMIT))?;
    stream.set_write_timeout(Some(LIMIT))?;
    // HTTP/1.0, so that the response is not chunked.
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
        form.len()
    );
    let answer = match certificate {
        None => exchange(stream, &request)?,
        Some(certificate) => {
            let connection = encrypt(address, certificate)?;
            exchange(StreamOwned::new(connection, stream), &request)?
        }
    };
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok((status.unwrap_or(0), body.into()))
}

fn exchange(mut stream: impl Read + Write, request: &str) -> std::io::Result<String> {
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    match stream.take(MAX_ANSWER).read_to_end(&mut answer) {
        // The server closes the connection without a TLS close_notify; the response is complete.
        Err(why) if why.kind() == ErrorKind::UnexpectedEof && !answer.is_empty() => {}
        read => drop(read?),
    }
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A TLS connection that trusts one certificate, regardless of its name and issuer: on this computer the server is not
/// addressed by its name.
fn encrypt(address: SocketAddr, certificate: &Path) -> std::io::Result<ClientConnection> {
    let wrong = |why: &dyn std::fmt::Display| {
        std::io::Error::new(
            ErrorKind::InvalidInput,
            format!("{}: {why}", certificate.display()),
        )
    };
    let expected = CertificateDer::from_pem_file(certificate).map_err(|why| wrong(&why))?;
    let provider = Arc::new(ring::default_provider());
    let pinned = Pinned {
        expected,
        provider: Arc::clone(&provider),
    };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|why| wrong(&why))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(pinned))
        .with_no_client_auth();
    ClientConnection::new(Arc::new(config), ServerName::from(address.ip()))
        .map_err(|why| wrong(&why))
}

/// Accepts exactly one certificate, and only from the holder of its key.
#[derive(Debug)]
struct Pinned {
    expected: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        presented: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if *presented == self.expected {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::General(
                "the server presents another certificate".into(),
            ))
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = &self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}
