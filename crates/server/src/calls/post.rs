//! Requests to addresses that players have chosen: push services and webhooks.
//!
//! Such an address may be hostile. The host name is resolved once, every address it has is checked, and the connection
//! goes to a checked address, so that no second answer of a name server can lead elsewhere. Redirects are not followed,
//! bodies of responses are not read, and everything has a time limit.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, RETRY_AFTER, USER_AGENT};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

use super::addresses::is_public;

/// The time limit for a request, including connecting.
const LIMIT: Duration = Duration::from_secs(10);
/// The time limit for connecting to one address.
const CONNECT: Duration = Duration::from_secs(4);
/// The number of addresses of a host that are tried.
const MAX_ADDRESSES: usize = 3;
/// The maximum size of a response's headers.
const ANSWER_BYTES: usize = 16 * 1024;
/// The maximum length of an address.
pub const ADDRESS_BYTES: usize = 2048;

/// Why a request was not answered.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The address may not be used; another attempt is useless.
    #[error("{0}")]
    Refused(&'static str),
    /// The receiver could not be reached.
    #[error("{0}")]
    Failed(String),
}

/// The response to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostAnswer {
    pub status: StatusCode,
    /// The delay that the receiver asks for.
    pub retry_after: Option<Duration>,
}

/// A client for such requests.
#[derive(Clone)]
pub struct Poster {
    tls: TlsConnector,
    /// Allows every address, also without TLS: for tests.
    allow_private: bool,
    /// The time limit for a request, including connecting.
    pub(super) limit: Duration,
}

impl Poster {
    pub fn new(allow_private: bool) -> Poster {
        let roots: RootCertStore = webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect();
        let config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        Poster {
            tls: TlsConnector::from(Arc::new(config)),
            allow_private,
            limit: LIMIT,
        }
    }

    /// Parses an address and checks it as far as possible without resolving its name.
    pub fn check(&self, address: &str) -> Result<Url, PostError> {
        if address.len() > ADDRESS_BYTES {
            return Err(PostError::Refused("the address is too long"));
        }
        let url = Url::parse(address).map_err(|_| PostError::Refused("this is not an address"))?;
        let scheme = url.scheme();
        if scheme != "https" && !(self.allow_private && scheme == "http") {
            return Err(PostError::Refused("the address has to begin with https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(PostError::Refused(
                "the address may not contain a user or a password",
            ));
        }
        match url.host() {
            Some(Host::Ipv4(v4)) => self.check_ip(v4.into())?,
            Some(Host::Ipv6(v6)) => self.check_ip(v6.into())?,
            Some(Host::Domain(_)) => {}
            None => return Err(PostError::Refused("this is not an address")),
        }
        Ok(url)
    }

    fn check_ip(&self, address: std::net::IpAddr) -> Result<(), PostError> {
        if self.allow_private || is_public(address) {
            return Ok(());
        }
        Err(PostError::Refused("the address is not a public one"))
    }

    /// Sends a body by `POST`.
    pub async fn post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<PostAnswer, PostError> {
        let posting = self.connect_and_post(url, headers, body);
        let too_slow = |_| Err(PostError::Failed("no answer in time".into()));
        timeout(self.limit, posting).await.unwrap_or_else(too_slow)
    }

    async fn connect_and_post(
        &self,
        url: &Url,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<PostAnswer, PostError> {
        let url = self.check(url.as_str())?;
        let request = request(&url, headers, body)?;
        let socket = self.connect(&url).await?;
        if url.scheme() == "http" {
            return exchange(socket, request).await;
        }
        let host = url.host_str().unwrap_or_default();
        let name = host.trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(name.to_string())
            .map_err(|_| PostError::Refused("this is not an address"))?;
        let socket = self.tls.connect(name, socket).await.map_err(failed)?;
        exchange(socket, request).await
    }

    /// Resolves the host, checks all its addresses, and connects to the first of them that answers.
    async fn connect(&self, url: &Url) -> Result<TcpStream, PostError> {
        let port = url.port_or_known_default().unwrap_or(443);
        let addresses: Vec<SocketAddr> = match url.host() {
            Some(Host::Ipv4(v4)) => vec![(v4, port).into()],
            Some(Host::Ipv6(v6)) => vec![(v6, port).into()],
            Some(Host::Domain(name)) => lookup_host((name, port)).await.map_err(failed)?.collect(),
            None => Vec::new(),
        };
        for address in &addresses {
            self.check_ip(address.ip())?;
        }
        let mut last = PostError::Failed("the host has no address".into());
        for address in addresses.iter().take(MAX_ADDRESSES) {
            last = match timeout(CONNECT, TcpStream::connect(address)).await {
                Ok(Ok(socket)) => return Ok(socket),
                Ok(Err(why)) => failed(why),
                Err(_) => PostError::Failed("the host does not answer".into()),
            };
        }
        Err(last)
    }
}

fn failed(why: impl std::fmt::Display) -> PostError {
    PostError::Failed(why.to_string())
}

fn request(url: &Url, headers: HeaderMap, body: Vec<u8>) -> Result<Request<Body>, PostError> {
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(target)
        .header(HOST, host)
        .header(CONTENT_LENGTH, body.len())
        .header(USER_AGENT, concat!("towers/", env!("CARGO_PKG_VERSION")))
        .body(Body::from(body))
        .map_err(|_| PostError::Refused("this is not an address"))?;
    request.headers_mut().extend(headers);
    Ok(request)
}

/// Sends one request. The connection ends with the headers of the response.
async fn exchange<S>(socket: S, request: Request<Body>) -> Result<PostAnswer, PostError>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let (mut sender, connection) = http1::Builder::new()
        .max_buf_size(ANSWER_BYTES)
        .handshake(TokioIo::new(socket))
        .await
        .map_err(failed)?;
    let answered = sender.send_request(request);
    tokio::pin!(answered);
    let response = tokio::select! {
        biased;
        response = &mut answered => response,
        // The response may have arrived with the end of the connection.
        ended = connection => match ended {
            Ok(()) => answered.await,
            Err(why) => Err(why),
        },
    };
    let response = response.map_err(failed)?;
    let retry_after = response.headers().get(RETRY_AFTER);
    let seconds = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
    Ok(PostAnswer {
        status: response.status(),
        retry_after: seconds.map(Duration::from_secs),
    })
}

/// Headers of a request.
pub fn headers<const N: usize>(list: [(HeaderName, &str); N]) -> HeaderMap {
    let valid = |(name, value)| Some((name, HeaderValue::from_str(value).ok()?));
    list.into_iter().filter_map(valid).collect()
}

pub fn json_headers() -> HeaderMap {
    headers([(CONTENT_TYPE, "application/json")])
}
