//! Accepting connections: a timeout for those who never say anything, a limit per address, TLS if
//! wanted, and an orderly end.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use crate::failure::ServeError;
use crate::web::{Addresses, Peer};

/// How long a client may take to say what it wants.
const HEADERS: Duration = Duration::from_secs(10);
/// How long running requests may take when the server stops.
const FINISH: Duration = Duration::from_secs(5);

/// Listens, or says what to do.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address)
        .await
        .map_err(|why| match why.kind() {
            ErrorKind::AddrInUse => ServeError::PortTaken(address),
            _ => ServeError::Listen { address, why },
        })
}

/// What every connection needs.
#[derive(Clone)]
pub struct Door {
    /// Who answers.
    pub router: Router,
    /// TLS, if wanted.
    pub tls: Option<TlsAcceptor>,
    /// How many connections an address may have, speaking or not; none behind a proxy, where all
    /// come from one.
    pub addresses: Option<Addresses>,
}

/// Accepts connections until told to stop.
pub async fn serve(listener: TcpListener, door: Door, stop: impl Future<Output = ()>) {
    let (tell, told) = watch::channel(());
    // Every connection holds a sender; when all are gone, nothing can be received any more.
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(why) => {
                    // Out of file descriptors, for instance: others may end meanwhile.
                    tracing::warn!(%why, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let door = door.clone();
        let (told, alive) = (told.clone(), alive.clone());
        tokio::spawn(async move {
            let counted = door.addresses.as_ref().map(|a| a.connect(peer.ip()));
            if matches!(counted, Some(None)) {
                return; // closed without a word: words would cost more
            }
            door.open(stream, peer.ip(), told).await;
            drop((counted, alive));
        });
    }
    drop((listener, alive));
    let _ = tell.send(());
    let _ = timeout(FINISH, all_gone.recv()).await;
}

impl Door {
    async fn open(self, stream: TcpStream, peer: IpAddr, told: watch::Receiver<()>) {
        // Moves are small and should not wait for more.
        let _ = stream.set_nodelay(true);
        match &self.tls {
            None => self.speak(stream, peer, told).await,
            Some(tls) => {
                if let Ok(Ok(stream)) = timeout(HEADERS, tls.accept(stream)).await {
                    self.speak(stream, peer, told).await;
                }
            }
        }
    }

    async fn speak<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        peer: IpAddr,
        mut told: watch::Receiver<()>,
    ) {
        let router = self.router.clone();
        let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            router.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS)
            .max_buf_size(16 * 1024)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => {}
            _ = told.changed() => {
                // Finish the request that is being answered, then close.
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    }
}
