//! Requests that cost the server much have limits of their own. These arguments of handlers enforce them.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::address::{ClientAddress, ConnectionCounter, ConnectionPermit};
use super::{App, Problem, not_found};
use crate::tables::Shared;

/// The maximum number of large bodies that an address sends at once.
const PER_ADDRESS: usize = 8;
/// The maximum number of large bodies at once.
const IN_ALL: usize = 64;

/// The number of entries above which replaying a table takes long.
pub const LARGE_LOG: u64 = 5000;

/// The right to send a large body, which is kept in memory until all of it has arrived. In a handler's arguments it has to
/// come before the body.
pub struct LargeBody(
    #[expect(dead_code, reason = "it ends the right when dropped")] ConnectionPermit,
);

impl LargeBody {
    /// A counter for [`App::large_bodies`].
    pub fn counter() -> ConnectionCounter {
        ConnectionCounter::new(PER_ADDRESS, IN_ALL)
    }
}

impl FromRequestParts<Arc<App>> for LargeBody {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<LargeBody, Problem> {
        let ClientAddress(address) = parts.extensions.get().copied().ok_or_else(not_found)?;
        let permit = app.large_bodies.connect(address).map(LargeBody);
        permit.ok_or_else(|| {
            app.registry.shared().metrics.over_limit.increment(1);
            Problem::too_many("too many large requests at once: wait a while")
        })
    }
}

/// A request that reads thousands of rows, for instance to count something.
pub struct CostlyRead;

impl CostlyRead {
    /// Takes one from the budget of an address.
    pub fn take(shared: &Shared, address: IpAddr) -> Result<CostlyRead, Problem> {
        let taken = shared.budgets.costly_reads.take(&address);
        taken.map(|()| CostlyRead).map_err(|after| {
            shared.metrics.over_limit.increment(1);
            let message = "too many requests of this kind from your address: wait a while";
            Problem::too_many(message).retry_after(after)
        })
    }
}

impl FromRequestParts<Arc<App>> for CostlyRead {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<CostlyRead, Problem> {
        let ClientAddress(address) = parts.extensions.get().copied().ok_or_else(not_found)?;
        CostlyRead::take(app.registry.shared(), address)
    }
}
