//! TLS without a proxy. A renewed certificate is loaded while the server runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::failure::ServeError;

/// How often the files are checked for changes.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// A certificate with its key, from two files.
pub struct Tls {
    certificate: PathBuf,
    key: PathBuf,
    config: RwLock<Arc<ServerConfig>>,
}

/// The modification times of the two files, if known.
type Changed = [Option<SystemTime>; 2];

impl Tls {
    /// Reads certificate and key.
    pub fn open(certificate: &Path, key: &Path) -> Result<Tls, ServeError> {
        Ok(Tls {
            config: RwLock::new(Arc::new(read(certificate, key)?)),
            certificate: certificate.into(),
            key: key.into(),
        })
    }

    /// The acceptor for the next connection.
    pub fn acceptor(&self) -> TlsAcceptor {
        let config = self.config.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(Arc::clone(&config))
    }

    /// Loads the files again. If they are invalid, the old certificate stays.
    fn reload(&self) {
        match read(&self.certificate, &self.key) {
            Ok(fresh) => {
                let mut config = self.config.write().unwrap_or_else(PoisonError::into_inner);
                *config = Arc::new(fresh);
                tracing::info!("reloaded the certificate");
            }
            Err(why) => {
                tracing::error!(%why, "cannot load the new certificate; the old one stays in use");
            }
        }
    }

    fn changed(&self) -> Changed {
        [&self.certificate, &self.key].map(|file| std::fs::metadata(file).ok()?.modified().ok())
    }
}

/// Reloads a certificate when its files have changed or the process receives `SIGHUP`. The signal is caught from this
/// call on, even without TLS.
pub fn renew(tls: Option<Arc<Tls>>) -> impl Future<Output = ()> {
    let mut hangup = Hangup::new();
    async move {
        let changed = || tls.as_ref().map(|tls| tls.changed());
        let mut known = changed();
        let mut tick = tokio::time::interval(CHECK_INTERVAL);
        loop {
            tokio::select! {
                () = hangup.next() => {}
                _ = tick.tick() => {
                    if changed() == known {
                        continue;
                    }
                }
            }
            known = changed();
            if let Some(tls) = &tls {
                tls.reload();
            }
        }
    }
}

/// The signal `SIGHUP`, where there are signals.
struct Hangup(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

impl Hangup {
    fn new() -> Hangup {
        #[cfg(unix)]
        return Hangup(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok());
        #[cfg(not(unix))]
        return Hangup();
    }

    /// Waits for the next signal.
    async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.0 {
            signal.recv().await;
            return;
        }
        std::future::pending::<()>().await;
    }
}

fn read(certificate: &Path, key: &Path) -> Result<ServerConfig, ServeError> {
    let wrong = |file: &Path, why: &dyn std::fmt::Display| {
        ServeError::Tls(format!("{}: {why}", file.display()))
    };
    let chain: Vec<CertificateDer> = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|why| wrong(certificate, &why))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|why| wrong(key, &why))?;
    let provider = Arc::new(tokio_rustls::rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|why| ServeError::Tls(why.to_string()))?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(|why| wrong(certificate, &why))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
