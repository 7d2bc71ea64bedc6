//! The variants at one device, in a real browser.

use std::time::Duration;

use e2e::play::{self, Moment};
use e2e::{Browser, Server, Size};
use thirtyfour::prelude::*;

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

/// Sets up persons at one device, with these choices, and begins.
async fn begin(browser: &Browser, players: &str, choices: &[(&str, &str)]) -> WebDriverResult<()> {
    browser.click("#hot-seat").await?;
    browser.choose("Players", players).await?;
    for (label, text) in choices {
        browser.choose(label, text).await?;
    }
    // What need not be remembered can be read again in the log.
    browser.choose("Imprisoned wizards", "Shown").await?;
    browser.click("#begin").await
}

/// Every spell is cast at least once, and the log tells of it.
#[tokio::test]
async fn every_spell_at_one_device() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    begin(&browser, "2", &[("Spells", "All eight")]).await?;
    // The dearest first, while there are flasks.
    ride_along(&browser).await?;
    let told = play::until_done(&browser, &["cast"], |done| done.len() >= 7).await?;
    for spell in [
        "Advance a Wizard",
        "Advance a Tower",
        "Swap Towers",
        "Headwind for a Wizard",
        "Headwind for a Tower",
        "Nudge the Castle",
        "Free a Wizard",
    ] {
        assert!(told.contains(&format!("casts {spell}")), "{spell}: {told}");
    }
    browser.close().await;
    Ok(())
}

/// Plays with hints until Piggyback was a way to play a card: two wizards make the same move.
async fn ride_along(browser: &Browser) -> WebDriverResult<()> {
    for _ in 0..600 {
        match play::wait(browser).await? {
            Moment::Over => browser.click("#again").await?,
            Moment::Cover => browser.click("#uncover").await?,
            Moment::Decide if play::piggyback(browser).await? => {
                tokio::time::sleep(Duration::from_millis(200)).await;
                while play::wait(browser).await? == Moment::Cover {
                    browser.click("#uncover").await?;
                }
                let told = play::log(browser).await?;
                assert!(told.contains("Piggyback"), "{told}");
                return Ok(());
            }
            Moment::Decide => play::follow_hint(browser).await?,
        }
    }
    panic!("nobody could ride along");
}

/// Partners ask for a card and get one, and give flasks.
#[tokio::test]
async fn partners_exchange_cards_and_give_flasks() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    begin(&browser, "4", &[("Teams", "On")]).await?;
    let told = play::until_done(&browser, &["ask", "offer", "give"], |done| {
        done.contains("give") && (done.contains("offer") || done.contains("ask"))
    })
    .await?;
    assert!(told.contains("a card, face down"), "{told}");
    assert!(told.contains("full flask"), "{told}");
    browser.close().await;
    Ok(())
}

/// With reactions, spells are claimed before and after a move, out of turn.
#[tokio::test]
async fn reactions_before_and_after() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    begin(
        &browser,
        "3",
        &[("Reactions", "On"), ("Spells", "All eight")],
    )
    .await?;
    let told = play::until_done(&browser, &["before", "after"], |done| {
        let any = |what: &str| done.iter().any(|d| d.starts_with(what));
        any("before") && any("after")
    })
    .await?;
    assert!(told.contains("reacts with"), "{told}");
    assert!(told.contains("after the move"), "{told}");
    browser.close().await;
    Ok(())
}

/// Together with one open hand: nobody has to hand the device over. With secret cards they have to.
#[tokio::test]
async fn cooperative_with_open_and_with_secret_cards() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#coop").await?;
    browser.click("#begin").await?;
    for _ in 0..8 {
        assert_eq!(play::wait(&browser).await?, Moment::Decide);
        play::follow_hint(&browser).await?;
    }
    browser.home().await?;
    browser.click("#coop").await?;
    browser.choose("Cards", "Secret").await?;
    browser.click("#begin").await?;
    let mut covers = 0;
    for _ in 0..400 {
        match play::wait(&browser).await? {
            Moment::Over => {
                assert!(covers > 4, "{covers}");
                let title = browser.text("#over-title").await?;
                assert!(title.contains("cards") || title.contains("ost"), "{title}");
                browser.close().await;
                return Ok(());
            }
            Moment::Cover => {
                covers += 1;
                assert!(!browser.has(".card").await?, "cards are hidden");
                browser.click("#uncover").await?;
            }
            Moment::Decide => play::follow_hint(&browser).await?,
        }
    }
    panic!("the game does not end");
}
