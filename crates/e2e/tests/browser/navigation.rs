//! Addresses and the browser's back and forward buttons.

use thirtyfour::prelude::*;
use towers_e2e::{Browser, Size, TowersProcess};

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

async fn hash(browser: &Browser) -> WebDriverResult<String> {
    let hash = browser.run("return location.hash").await?;
    Ok(hash.as_str().unwrap_or_default().into())
}

/// Back leads from a game to the first page, and forward to the same game.
#[tokio::test]
async fn back_and_forward_lead_out_of_a_game_and_into_it_again() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    browser.click("#rules").await?;
    browser.wait_for(".topic").await?;
    assert_eq!(hash(&browser).await?, "#rules");
    browser.driver.back().await?;
    browser.wait_for("#play-now").await?;
    browser.click("#play-now").await?;
    browser.wait_for(".prompt").await?;
    let game = hash(&browser).await?;
    assert!(game.starts_with("#game/"), "{game}");
    browser.driver.back().await?;
    browser.wait_for("#play-now").await?;
    assert!(!browser.has(".prompt").await?);
    browser.driver.forward().await?;
    browser.wait_for(".prompt").await?;
    assert_eq!(hash(&browser).await?, game);
    browser.close().await;
    Ok(())
}

/// An address opens its screen in a new page; an unknown one opens the first page.
#[tokio::test]
async fn addresses_open_their_screens() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    for (address, screen) in [
        ("#new", "#begin"),
        ("#tables", "#open-table"),
        ("#learn", "#coach-title"),
        ("#rules/R7.3", ".topic"),
        ("#puzzles", "#puzzle-today"),
        ("#replay", "#record-open"),
        ("#play", ".prompt"),
        ("#nowhere", "#play-now"),
    ] {
        browser.driver.goto("about:blank").await?;
        let url = format!("{}/{address}", server.url.trim_end_matches('/'));
        browser.driver.goto(&url).await?;
        browser.wait_for(screen).await?;
    }
    browser.close().await;
    Ok(())
}
