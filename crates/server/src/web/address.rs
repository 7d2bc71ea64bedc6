//! The addresses of clients, and limits on their connections.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;

use crate::limits::network;

/// The address a TCP connection comes from.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The address to which limits apply: see [`network`].
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

/// Counts open connections per address. It limits concurrent connections, not their rate.
#[derive(Clone, Debug)]
pub struct ConnectionCounter {
    open: Arc<Mutex<OpenCounts>>,
    per_address: usize,
    in_all: usize,
}

#[derive(Debug, Default)]
struct OpenCounts {
    addresses: HashMap<IpAddr, usize>,
    in_all: usize,
}

/// A connection that is counted until this is dropped.
#[derive(Debug)]
pub struct ConnectionPermit {
    counter: ConnectionCounter,
    address: IpAddr,
}

impl ConnectionCounter {
    /// Allows this many connections per address and in total.
    pub fn new(per_address: usize, in_all: usize) -> ConnectionCounter {
        ConnectionCounter {
            open: Arc::default(),
            per_address,
            in_all,
        }
    }

    fn lock(&self) -> MutexGuard<'_, OpenCounts> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.lock().in_all
    }

    /// Counts one more connection, unless there are too many.
    pub fn connect(&self, address: IpAddr) -> Option<ConnectionPermit> {
        let address = network(address);
        let mut open = self.lock();
        let here = open.addresses.get(&address).copied().unwrap_or(0);
        if open.in_all >= self.in_all || here >= self.per_address {
            return None;
        }
        open.in_all += 1;
        open.addresses.insert(address, here + 1);
        Some(ConnectionPermit {
            counter: self.clone(),
            address,
        })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.counter.lock();
        open.in_all -= 1;
        if let Entry::Occupied(mut here) = open.addresses.entry(self.address) {
            *here.get_mut() -= 1;
            if *here.get() == 0 {
                here.remove();
            }
        }
    }
}

/// `X-Forwarded-For` does not end with an address.
#[derive(Debug, PartialEq, Eq)]
pub struct BadForwardedFor;

/// The client's address. Behind a proxy it is the last one in `X-Forwarded-For`, which the proxy itself has added;
/// everything before it could be forged. A request without that header did not come through the proxy.
pub fn client_address(
    headers: &HeaderMap,
    peer: IpAddr,
    trust_proxy: bool,
) -> Result<IpAddr, BadForwardedFor> {
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let Some(forwarded) = forwarded.filter(|_| trust_proxy) else {
        return Ok(peer);
    };
    let text = forwarded.to_str().map_err(|_| BadForwardedFor)?;
    let last = text.rsplit(',').next().unwrap_or_default().trim();
    parse_address(last).ok_or(BadForwardedFor)
}

/// Parses an address as proxies write it: `1.2.3.4`, `1.2.3.4:5678`, `2001:db8::1`, `[2001:db8::1]`,
/// `[2001:db8::1]:5678`.
fn parse_address(text: &str) -> Option<IpAddr> {
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let address = match bare {
        Some(v6) => v6.parse().map(IpAddr::V6).ok(),
        None => text.parse().ok(),
    };
    address.or_else(|| {
        text.parse()
            .ok()
            .map(|with_port: SocketAddr| with_port.ip())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn connections_are_counted_per_address_until_they_end() {
        let counter = ConnectionCounter::new(2, 3);
        let one = counter.connect(ip("10.0.0.1"));
        let two = counter.connect(ip("10.0.0.1"));
        assert!(one.is_some() && two.is_some());
        assert!(counter.connect(ip("10.0.0.1")).is_none());
        let other = counter.connect(ip("10.0.0.2"));
        assert!(other.is_some());
        assert!(counter.connect(ip("10.0.0.3")).is_none(), "all in all");
        drop(one);
        assert!(counter.connect(ip("10.0.0.1")).is_some());
        drop((two, other));
        assert_eq!(counter.connections(), 0);
        assert!(
            counter.lock().addresses.is_empty(),
            "nothing is left behind"
        );
    }

    #[test]
    fn a_network_of_ipv6_addresses_is_one_customer() {
        let counter = ConnectionCounter::new(1, 9);
        let _one = counter.connect(ip("2001:db8::1")).unwrap();
        assert!(counter.connect(ip("2001:db8::2")).is_none());
        assert!(counter.connect(ip("2001:db8:0:1::2")).is_some());
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_its_last_address() {
        let peer = ip("127.0.0.1");
        let client = |value: &str, trust_proxy| {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", value.parse().unwrap());
            client_address(&headers, peer, trust_proxy)
        };
        assert_eq!(client("1.2.3.4, 5.6.7.8", false), Ok(peer));
        assert_eq!(client("1.2.3.4, 5.6.7.8", true), Ok(ip("5.6.7.8")));
        assert_eq!(client_address(&HeaderMap::new(), peer, true), Ok(peer));
        for (text, address) in [
            ("1.2.3.4:5678", "1.2.3.4"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:5678", "2001:db8::1"),
        ] {
            assert_eq!(client(text, true), Ok(ip(address)), "{text}");
        }
        for bad in [
            "",
            "nonsense",
            "256.1.1.1",
            "[1.2.3.4]",
            "1.2.3.4,",
            "1.2.3.4:99999",
        ] {
            assert_eq!(client(bad, true), Err(BadForwardedFor), "{bad}");
        }
    }
}
