//! The page stays responsive while a bot thinks.

use thirtyfour::prelude::*;
use towers_e2e::play::{self, Moment};
use towers_e2e::{Browser, Size, TowersProcess};

/// The number of attempts, each with a few decisions of the bot.
const MAX_ATTEMPTS: usize = 8;

/// A timer in the page: the longest pause between two ticks while a bot thinks, and the number of ticks.
const CLOCK: &str = "window.pauses = { worst: 0, beats: 0 }; let last = performance.now();
    const beat = () => { const now = performance.now();
        if (document.querySelector('.thinks')) { window.pauses.beats += 1; window.pauses.worst = Math.max(window.pauses.worst, now - last) }
        last = now; setTimeout(beat, 4) };
    beat()";

/// While a Master thinks, no task on the main thread takes longer than a tenth of a second.
#[tokio::test]
async fn the_page_answers_while_a_master_thinks() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let preferences = r#"{"speed":"double","language":"en","name":"Ann"}"#;
    let browser = Browser::open(&server.url, Size::Desktop, preferences).await?;
    browser.click("#new-game").await?;
    browser.choose("Players", "2").await?;
    browser
        .run(
            "const s = document.querySelectorAll('.seat-row')[1].querySelectorAll('select')[1];
             s.value = 'master'; s.dispatchEvent(new Event('change', { bubbles: true }))",
        )
        .await?;
    browser.click("#begin").await?;
    browser.wait_for(".scene svg").await?;
    // A busy machine only makes pauses longer, so one good attempt is enough.
    let mut tries = Vec::new();
    for _ in 0..MAX_ATTEMPTS {
        let pauses = listen(&browser).await?;
        let answers = pauses["beats"].as_u64() > Some(30) && pauses["worst"].as_f64() < Some(100.0);
        tries.push(pauses);
        if answers {
            browser.close().await;
            return Ok(());
        }
    }
    panic!("the page stood still, or the bot was hardly seen thinking: {tries:?}");
}

/// Plays a few decisions and reads the timer.
async fn listen(browser: &Browser) -> WebDriverResult<serde_json::Value> {
    browser.run(CLOCK).await?;
    for n in 0..16 {
        if play::wait(browser).await? == Moment::Over {
            break;
        }
        play::anything(browser, n).await?;
        let beats = browser.run("return window.pauses.beats").await?;
        if beats.as_u64() > Some(100) {
            break;
        }
    }
    browser.run("return window.pauses").await
}
