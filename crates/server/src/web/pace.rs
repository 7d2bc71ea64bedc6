//! Slowing down addresses that send more than they may: what they send is read late, and refusals come late.
//!
//! Budgets count requests and messages. A client may send what is neither, such as the parts of a message that never
//! ends, or requests that are refused whatever the budget; work on these would delay everybody else.

use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::App;
use super::address::{ConnectionCounter, Peer, client_address};
use crate::limits::network;
use crate::tables::Shared;

/// How long a refusal waits if its address has had too many.
const DELAY: Duration = Duration::from_secs(1);
/// The maximum number of refusals of an address that wait.
const PER_ADDRESS: usize = 256;
/// The maximum number of refusals that wait.
const IN_ALL: usize = 2048;

/// A counter for [`App::late_refusals`].
pub fn refusal_counter() -> ConnectionCounter {
    ConnectionCounter::new(PER_ADDRESS, IN_ALL)
}

/// Delays refusals to an address that has had too many of them. HTTP/1 answers in order, so that the connection
/// sends nothing else meanwhile.
pub async fn delay_refusals(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    let shared = app.registry.shared();
    let address = client_address(request.headers(), peer, shared.config.trust_proxy);
    let response = next.run(request).await;
    if response.status().is_client_error() {
        let address = network(address.unwrap_or(peer));
        if shared.budgets.refusals.take(&address).is_err()
            && let Some(_permit) = app.late_refusals.connect(address)
        {
            tokio::time::sleep(DELAY).await;
        }
    }
    response
}

/// The pace at which a connection is read: as fast as it sends, until it is a WebSocket.
#[derive(Default)]
pub struct ReadPace(OnceLock<(Arc<Shared>, IpAddr)>);

impl ReadPace {
    /// From now on, what is read counts for the address.
    pub fn count(&self, shared: &Arc<Shared>, address: IpAddr) {
        let _ = self.0.set((Arc::clone(shared), address));
    }
}

/// A stream that is read at a pace.
pub struct PacedStream<S> {
    stream: S,
    pace: Arc<ReadPace>,
    /// Until the address may send more.
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl<S> PacedStream<S> {
    pub fn new(stream: S, pace: Arc<ReadPace>) -> PacedStream<S> {
        PacedStream {
            stream,
            pace,
            waiting: None,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PacedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(waiting) = &mut self.waiting {
            ready!(waiting.as_mut().poll(cx));
            self.waiting = None;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        if let Some((shared, address)) = self.pace.0.get() {
            let bytes = (buffer.filled().len() - before) as u32;
            if !shared.budgets.has_read(address, bytes) {
                let (shared, address) = (Arc::clone(shared), *address);
                let waiting = async move { shared.budgets.read_more(&address, bytes).await };
                self.waiting = Some(Box::pin(waiting));
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PacedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
