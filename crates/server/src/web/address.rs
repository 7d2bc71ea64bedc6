//! Where requests come from, and how much from one place is too much.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;

/// The address a connection comes from, as the listener saw it.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// What is going on from one address.
#[derive(Debug)]
struct Place {
    connections: usize,
    /// How many more tables may be opened now.
    tables: f64,
    since: Instant,
}

/// All addresses that are busy.
#[derive(Clone, Debug)]
pub struct Addresses {
    places: Arc<Mutex<HashMap<IpAddr, Place>>>,
    connections: usize,
    all_connections: usize,
    tables: f64,
}

/// A connection that counts until it is dropped.
#[derive(Debug)]
pub struct Counted {
    addresses: Addresses,
    address: IpAddr,
}

const HOUR: Duration = Duration::from_secs(3600);
/// When so many addresses are known, those with nothing going on are forgotten.
const MANY: usize = 10_000;

impl Addresses {
    /// At most so many connections per address and in all, and tables per address and hour.
    pub fn new(connections: usize, all_connections: usize, tables: u32) -> Addresses {
        Addresses {
            places: Arc::default(),
            connections,
            all_connections,
            tables: f64::from(tables),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Place>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, address: IpAddr, change: impl FnOnce(&mut Place) -> bool) -> bool {
        let mut places = self.lock();
        if places.len() > MANY {
            places.retain(|_, p| p.connections > 0 || p.since.elapsed() < HOUR);
        }
        change(places.entry(whole(address)).or_insert_with(|| Place {
            connections: 0,
            tables: self.tables,
            since: Instant::now(),
        }))
    }

    /// One more connection, if that is not too many.
    pub fn connect(&self, address: IpAddr) -> Option<Counted> {
        if self.lock().values().map(|p| p.connections).sum::<usize>() >= self.all_connections {
            return None;
        }
        let most = self.connections;
        let allowed = self.place(address, |place| {
            let allowed = place.connections < most;
            place.connections += usize::from(allowed);
            allowed
        });
        allowed.then(|| Counted {
            addresses: self.clone(),
            address,
        })
    }

    /// One more table, if that is not too many.
    pub fn open_table(&self, address: IpAddr) -> bool {
        let most = self.tables;
        self.place(address, |place| {
            let hours = place.since.elapsed().as_secs_f64() / HOUR.as_secs_f64();
            place.tables = (place.tables + hours * most).min(most);
            place.since = Instant::now();
            let allowed = place.tables >= 1.0;
            place.tables -= f64::from(u8::from(allowed));
            allowed
        })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.addresses.place(self.address, |place| {
            place.connections = place.connections.saturating_sub(1);
            true
        });
    }
}

/// One customer has a whole /64 of IPv6 addresses.
fn whole(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let mut parts = v6.segments();
            parts[4..].fill(0);
            IpAddr::V6(Ipv6Addr::from(parts))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Where a request comes from. Behind a proxy it is the last address in `X-Forwarded-For`: the one
/// our own proxy has seen; everything before it could be made up.
pub fn origin_of(headers: &HeaderMap, peer: IpAddr, trust_proxy: bool) -> IpAddr {
    if !trust_proxy {
        return peer;
    }
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    forwarded
        .and_then(|value| value.to_str().ok())
        .and_then(|list| list.rsplit(',').next())
        .and_then(|last| last.trim().parse().ok())
        .unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn connections_are_counted_per_address_until_they_end() {
        let addresses = Addresses::new(2, 3, 1);
        let one = addresses.connect(ip("10.0.0.1"));
        let two = addresses.connect(ip("10.0.0.1"));
        assert!(one.is_some() && two.is_some());
        assert!(addresses.connect(ip("10.0.0.1")).is_none());
        let other = addresses.connect(ip("10.0.0.2"));
        assert!(other.is_some());
        assert!(addresses.connect(ip("10.0.0.3")).is_none(), "all in all");
        drop(one);
        assert!(addresses.connect(ip("10.0.0.1")).is_some());
    }

    #[test]
    fn a_network_of_ipv6_addresses_is_one_customer() {
        let addresses = Addresses::new(1, 9, 1);
        let _one = addresses.connect(ip("2001:db8::1")).unwrap();
        assert!(addresses.connect(ip("2001:db8::2")).is_none());
        assert!(addresses.connect(ip("2001:db8:0:1::2")).is_some());
    }

    #[test]
    fn tables_are_counted_by_the_hour() {
        let addresses = Addresses::new(1, 1, 2);
        assert!(addresses.open_table(ip("10.0.0.1")));
        assert!(addresses.open_table(ip("10.0.0.1")));
        assert!(!addresses.open_table(ip("10.0.0.1")));
        assert!(addresses.open_table(ip("10.0.0.2")));
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_and_only_its_own_word() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", "1.2.3.4, 5.6.7.8".parse().unwrap());
        let peer = ip("127.0.0.1");
        assert_eq!(origin_of(&headers, peer, false), peer);
        assert_eq!(origin_of(&headers, peer, true), ip("5.6.7.8"));
        headers.insert("x-forwarded-for", "nonsense".parse().unwrap());
        assert_eq!(origin_of(&headers, peer, true), peer);
    }
}
