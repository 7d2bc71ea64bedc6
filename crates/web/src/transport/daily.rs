//! The deal of the day: from the server, or from the date if the server cannot be reached.

use futures::future::{Either, select};
use towers_client::address;
use towers_client::daily::Deal;
use towers_table::{DailyDeals, FinishedDeal, Record};

use crate::device::storage::shelf;
use crate::device::{http, page};

/// The timeout for the server's answer, in milliseconds.
const ANSWER_TIMEOUT: u32 = 3000;

/// Today's deal. Stores the server's commitment to tomorrow's.
pub async fn deal(day: &str) -> Deal {
    let asked = Box::pin(http::get::<DailyDeals>(address::DAILY));
    let answer = select(asked, Box::pin(page::sleep(ANSWER_TIMEOUT))).await;
    let Either::Left((Ok(deals), _)) = answer else {
        return Deal::by_formula(day);
    };
    let mut shelf = shelf();
    let deal = Deal::published(&deals, &shelf.promised_deals());
    shelf.keep_promised(&deals.tomorrow);
    deal
}

/// Sends a finished deal to the board of the server, if the player takes part. The page of scores sends what did not
/// arrive.
pub fn send(day: &str, record: &Record) {
    if !shelf().takes_part() {
        return;
    }
    let finished = FinishedDeal {
        day: day.into(),
        record: record.to_text(),
    };
    leptos::task::spawn_local(async move {
        http::send(address::DAILY_RESULTS, &finished).await;
    });
}
