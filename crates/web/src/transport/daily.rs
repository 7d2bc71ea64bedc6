//! The deal of the day: from the server, or from the date if there is none.

use futures::future::{Either, select};
use towers_client::daily::Deal;
use towers_table::DailyDeals;

use crate::device::storage::shelf;
use crate::device::{http, page};

/// How long the server may take to answer, in milliseconds.
const PATIENCE: u32 = 3000;

/// The deal of today. Keeps the server's commitment to that of tomorrow.
pub async fn deal(day: &str) -> Deal {
    let asked = Box::pin(http::get::<DailyDeals>("/api/daily"));
    let answer = select(asked, Box::pin(page::sleep(PATIENCE))).await;
    let Either::Left((Ok(deals), _)) = answer else {
        return Deal::by_formula(day);
    };
    let mut shelf = shelf();
    let deal = Deal::published(&deals, &shelf.promised_deals());
    shelf.keep_promised(&deals.tomorrow);
    deal
}
