//! Whole games in a real browser.

use e2e::play::{self, Moment};
use e2e::{Browser, Server, Size, axe};
use thirtyfour::prelude::*;

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

/// Play now: one click, and a game against bots to its end, with the winner on the screen.
#[tokio::test]
async fn play_now_to_the_end_against_bots() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    // The first picture does not share the line with the program, unless it takes a second.
    let late = "const at = performance.getEntriesByType('resource').find(r => r.name.endsWith('.wasm')).startTime;
         return at >= Math.min(1000, performance.getEntriesByType('paint')[0]?.startTime ?? 1000)";
    assert_eq!(browser.run(late).await?, true);
    axe::check(&browser, "start").await?;
    browser.click("#play-now").await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    assert_eq!(
        browser
            .run("return document.querySelectorAll('.card').length")
            .await?,
        3
    );
    assert_eq!(
        browser
            .run("return document.querySelectorAll('.player').length")
            .await?,
        3
    );
    // Those who listen hear once that it is their turn, and of one tower as of one.
    let heard = browser
        .run("return document.querySelector('#live').textContent")
        .await?;
    let heard = heard.as_str().unwrap_or_default();
    assert_eq!(heard.matches("It is your turn.").count(), 1, "{heard}");
    let stacks = browser
        .run("return document.querySelector('section.unseen').textContent")
        .await?;
    let stacks = stacks.as_str().unwrap_or_default();
    assert!(stacks.contains(": tower I"), "{stacks}");
    axe::check(&browser, "game").await?;
    play::to_the_end(&browser).await?;
    assert!(
        browser.text("#over-title").await?.contains("Winner")
            || browser.text("#over-title").await?.contains("win")
    );
    assert!(browser.has(".standings .winner").await?);
    axe::check(&browser, "result").await?;
    browser.close().await;
    Ok(())
}

/// Solo to its rating.
#[tokio::test]
async fn solo_to_its_rating() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#solo").await?;
    browser.click("#begin").await?;
    play::to_the_end(&browser).await?;
    let title = browser.text("#over-title").await?;
    assert!(title.contains("cards"), "{title}");
    assert!(browser.has(".ratings .now").await? || title.contains("Lost"));
    browser.close().await;
    Ok(())
}

/// Pass and play: between turns nobody's cards are on the screen.
#[tokio::test]
async fn hands_are_hidden_between_turns() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#hot-seat").await?;
    axe::check(&browser, "setup").await?;
    browser.click("#begin").await?;
    let mut covers = 0;
    let mut seen = std::collections::BTreeSet::new();
    for n in 0..60 {
        match play::wait(&browser).await? {
            Moment::Cover => {
                covers += 1;
                assert!(!browser.has(".card").await?, "cards are hidden");
                seen.insert(browser.text(".cover h1").await?);
                if covers == 1 {
                    axe::check(&browser, "hand over").await?;
                }
                browser.click("#uncover").await?;
            }
            Moment::Decide => play::anything(&browser, n).await?,
            Moment::Over => break,
        }
        if covers > 6 {
            break;
        }
    }
    assert!(covers > 3 && seen.len() == 3, "{covers} {seen:?}");
    browser.close().await;
    Ok(())
}

/// Whoever sets up a game finds themselves at the table, and only what can be played is offered.
#[tokio::test]
async fn a_table_is_set_up_for_those_who_are_there() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let seats = "return [...document.querySelectorAll('.seat-row')].map(row => {
           const who = row.querySelector('select:nth-of-type(2)');
           const bots = [...who.options].filter(o => !o.disabled).length - 1;
           return `${who.value} ${row.querySelector('input').value} ${bots}`}).join()";
    // By its address, too, as after a reload. The only person cannot be made a bot.
    browser.run("location.hash = 'new'").await?;
    browser.wait_for("#begin").await?;
    assert_eq!(
        browser.run(seats).await?,
        "person Ann 0,apprentice Yarrow 4,apprentice Rowan 4"
    );
    browser.choose("Players", "2").await?;
    assert_eq!(
        browser.run(seats).await?,
        "person Ann 0,apprentice Yarrow 4"
    );
    // A table of persons grows by persons.
    browser.home().await?;
    browser.click("#hot-seat").await?;
    browser.choose("Players", "4").await?;
    assert_eq!(
        browser.run(seats).await?,
        "person Ann 4,person Player 2 4,person Player 3 4,person Player 4 4"
    );
    browser.close().await;
    Ok(())
}

/// A game is there again after a reload, with the same cards.
#[tokio::test]
async fn a_game_survives_a_reload() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    browser.click("#play-now").await?;
    for _ in 0..4 {
        assert_eq!(play::wait(&browser).await?, Moment::Decide);
        play::follow_hint(&browser).await?;
    }
    play::wait(&browser).await?;
    let cards = "return [...document.querySelectorAll('.card')].map(c => c.dataset.card).join()";
    let before = browser.run(cards).await?;
    browser.driver.refresh().await?;
    play::wait(&browser).await?;
    assert_eq!(browser.run(cards).await?, before);
    browser.home().await?;
    browser.wait_text(".saved", "Round").await?;
    browser.click(".saved .row").await?;
    play::wait(&browser).await?;
    assert_eq!(browser.run(cards).await?, before);
    browser.close().await;
    Ok(())
}

/// The language can be changed at any time, and is kept.
#[tokio::test]
async fn the_language_can_be_changed() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Narrow, QUICK).await?;
    assert!(browser.text("#play-now").await?.contains("Play now"));
    browser.click("#open-settings").await?;
    axe::check(&browser, "settings").await?;
    browser.click_text("Deutsch").await?;
    assert!(browser.text("#play-now").await?.contains("Jetzt spielen"));
    browser.driver.refresh().await?;
    browser.wait_for("#play-now").await?;
    assert!(browser.text("#play-now").await?.contains("Jetzt spielen"));
    assert_eq!(
        browser.run("return document.documentElement.lang").await?,
        "de"
    );
    browser.click("#open-settings").await?;
    browser.click_text("Français").await?;
    assert!(browser.text("#play-now").await?.contains("Jouer"));
    browser.close().await;
    Ok(())
}

/// Once visited, a game against bots can be started without a network.
#[tokio::test]
async fn a_bot_game_starts_offline() -> WebDriverResult<()> {
    let mut server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let ready = "const done = arguments[arguments.length - 1]; navigator.serviceWorker.ready.then(() => setTimeout(() => done(true), 500))";
    browser.driver.execute_async(ready, Vec::new()).await?;
    server.kill();
    browser.driver.refresh().await?;
    browser.click("#play-now").await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    play::follow_hint(&browser).await?;
    assert_ne!(play::wait(&browser).await?, Moment::Over);
    browser.close().await;
    Ok(())
}
