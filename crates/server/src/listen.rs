//! Accepting connections: time limits for reading headers and for writing, a limit per address, TLS,
//! and a graceful shutdown.

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use metrics::Gauge;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::failure::ServeError;
use crate::outage::Outage;
use crate::tls::Tls;
use crate::web::{ConnectionCounter, PacedStream, Peer, ReadPace};

/// The time limit for the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The time after which a client that does not read is disconnected. A socket becomes writable only when a third of its
/// buffer is free, so reading byte by byte does not help.
const WRITE_TIMEOUT: Duration = Duration::from_secs(15);
/// Bytes that the kernel buffers for a client that does not read; its default is megabytes.
const SEND_BUFFER: u32 = 128 * 1024;
/// Connections waiting to be accepted.
const BACKLOG: u32 = 1024;
/// The time for running requests when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

static ACCEPTING: Outage = Outage::new("accepting connections");

pub fn bind(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let open = || {
        let socket = if address.is_ipv4() {
            TcpSocket::new_v4()?
        } else {
            TcpSocket::new_v6()?
        };
        #[cfg(not(windows))]
        socket.set_reuseaddr(true)?;
        // Accepted sockets inherit it.
        socket.set_send_buffer_size(SEND_BUFFER)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    open().map_err(|why: std::io::Error| match why.kind() {
        ErrorKind::AddrInUse => ServeError::PortTaken(address),
        _ => ServeError::Listen { address, why },
    })
}

#[derive(Clone)]
pub struct ConnectionContext {
    pub router: Router,
    pub tls: Option<Arc<Tls>>,
    /// TCP connections per address; `None` behind a proxy, where all come from one address.
    pub connections: Option<ConnectionCounter>,
    pub open_connections: Gauge,
}

/// Accepts connections until told to stop.
pub async fn serve(
    listener: TcpListener,
    context: ConnectionContext,
    stop: impl Future<Output = ()>,
) {
    let (tell, told) = watch::channel(());
    // Every connection holds a sender; when all are dropped, the receiver ends.
    let (alive, mut all_gone) = mpsc::channel::<()>(1);
    tokio::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => {
                    ACCEPTING.succeeded();
                    accepted
                }
                Err(why) => {
                    // For instance out of file descriptors: other connections may end soon.
                    ACCEPTING.failed(Instant::now(), &why);
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let context = context.clone();
        let (told, alive) = (told.clone(), alive.clone());
        tokio::spawn(async move {
            let permit = context.connections.as_ref().map(|c| c.connect(peer.ip()));
            if matches!(permit, Some(None)) {
                return; // closed without an answer: that is the cheapest
            }
            context.open_connections.increment(1.0);
            context.clone().open(stream, peer.ip(), told).await;
            context.open_connections.decrement(1.0);
            drop((permit, alive));
        });
    }
    drop((listener, alive));
    let _ = tell.send(());
    let _ = timeout(SHUTDOWN_TIMEOUT, all_gone.recv()).await;
}

impl ConnectionContext {
    async fn open(self, stream: TcpStream, peer: IpAddr, told: watch::Receiver<()>) {
        // Messages are small and should not wait for more.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_TIMEOUT));
        let pace = Arc::new(ReadPace::default());
        let stream = PacedStream::new(Box::pin(stream), Arc::clone(&pace));
        match &self.tls {
            None => self.speak(stream, peer, pace, told).await,
            Some(tls) => {
                if let Ok(Ok(stream)) = timeout(HEADER_TIMEOUT, tls.acceptor().accept(stream)).await
                {
                    self.speak(stream, peer, pace, told).await;
                }
            }
        }
    }

    async fn speak<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
        &self,
        stream: S,
        peer: IpAddr,
        pace: Arc<ReadPace>,
        mut told: watch::Receiver<()>,
    ) {
        let router = self.router.clone();
        let service = hyper::service::service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(Arc::clone(&pace));
            router.clone().oneshot(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIMEOUT)
            .max_buf_size(16 * 1024)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => {}
            _ = told.changed() => {
                // Finish the current request, then close.
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    }
}
