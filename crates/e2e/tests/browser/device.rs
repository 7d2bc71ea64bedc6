//! What a device stores, and how its tabs share a game.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::{LocalTable, Need, Plan};
use towers_e2e::{Browser, Size, TowersProcess, axe, play};
use towers_table::{BotLevel, Hex};

use crate::common;

fn preferences() -> String {
    json!({"speed": "instant", "language": "en", "name": "Ann"}).to_string()
}

/// A game that an earlier version stored with other rules: a sentence instead of the game, which stays stored.
#[tokio::test]
async fn a_game_of_an_earlier_version_says_so_and_stays() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, &preferences()).await?;
    let plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
    let local = LocalTable::open("old", &plan, 1, &Hex([1; 32])).expect("a table");
    let mut kept = common::kept("old", &plan, &local);
    let old = include_str!("../../../table/tests/records/free-any-time.jsonl");
    kept.insert("towers.game.old".into(), old.into());
    common::put(&browser, &kept).await?;
    browser.driver.refresh().await?;
    let sentence = "An earlier version of the game stored this";
    browser.click("#continue").await?;
    browser.wait_text("[role=alert]", sentence).await?;
    browser.wait_for("#continue").await?;
    axe::check(&browser, "a game of an earlier version").await?;
    // Its replay says so, too.
    let replay = format!("{}#replay/old", server.url);
    browser.driver.goto(&replay).await?;
    browser.wait_text("[role=alert]", sentence).await?;
    let stored = browser
        .run("return localStorage['towers.game.old']")
        .await?;
    assert_eq!(stored.as_str(), Some(old));
    browser.close().await;
    Ok(())
}

/// A game in two tabs: the older tab says that the game continues in the other one, and can take it back.
#[tokio::test]
async fn a_game_goes_on_in_one_tab() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences()).await?;
    browser.click("#play-now").await?;
    play::wait(&browser).await?;
    let first = browser.driver.window().await?;
    let address = browser.run("return location.href").await?;
    let second = browser.driver.new_tab().await?;
    browser.driver.switch_to_window(second.clone()).await?;
    browser
        .driver
        .goto(address.as_str().unwrap_or_default())
        .await?;
    play::wait(&browser).await?;
    browser.driver.switch_to_window(first).await?;
    browser
        .wait_text("#elsewhere", "Open in another tab")
        .await?;
    axe::check(&browser, "elsewhere").await?;
    browser.click("#play-here").await?;
    play::wait(&browser).await?;
    browser.driver.switch_to_window(second).await?;
    browser.wait_for("#elsewhere").await?;
    browser.close().await;
    Ok(())
}

/// The setup screen starts with the settings of the last game.
#[tokio::test]
async fn settings_of_the_last_game_are_kept() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences()).await?;
    browser.click("#new-game").await?;
    browser.choose("Players", "4").await?;
    browser.choose("Spells", "All eight").await?;
    browser.click("#begin").await?;
    play::wait(&browser).await?;
    browser.home().await?;
    browser.click("#new-game").await?;
    browser
        .wait_until("document.querySelectorAll('.seat-row').length === 4")
        .await?;
    let chosen = "[...document.querySelectorAll('button[aria-pressed=true]')].some(b => b.innerText === 'All eight')";
    browser.wait_until(chosen).await?;
    browser.close().await;
    Ok(())
}

/// Finished games are listed separately, with the winner and the date in the reader's format.
#[tokio::test]
async fn finished_games_are_listed_apart() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences()).await?;
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let mut local = LocalTable::open("g", &plan, 1, &Hex([3; 32])).expect("a game");
    // All players take the first legal action until the last decision.
    let mut before = local.clone();
    while local.need() != Need::Nothing {
        before = local.clone();
        let seat = match local.need() {
            Need::Person(_, seat) | Need::Bot { seat, .. } => seat,
            Need::Nothing => break,
        };
        let first = common::legal(&local, seat)[0];
        common::act(&mut local, seat, first);
    }
    common::put(&browser, &common::kept("g", &plan, &before)).await?;
    browser.home().await?;
    browser
        .wait_text("[aria-labelledby=saved-title]", "Ann")
        .await?;
    assert!(!browser.has("#finished").await?);
    browser.run("location.hash = 'game/g'").await?;
    play::to_the_end(&browser).await?;
    let title = browser.text("#over-title").await?;
    browser.click("#to-start").await?;
    browser.wait_text("#finished", &title).await?;
    browser
        .wait_until(
            "/20\\d\\d, \\d+:\\d\\d/.test(document.querySelector('#finished time').innerText)",
        )
        .await?;
    assert!(!browser.has("[aria-labelledby=saved-title]").await?);
    browser.close().await;
    Ok(())
}

/// The question about sound is asked once, in the first game; the volume can be set.
#[tokio::test]
async fn sound_is_asked_for_once() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, &preferences()).await?;
    browser.run("localStorage.clear()").await?;
    browser.home().await?;
    let count = "const start = OscillatorNode.prototype.start; window.notes = 0; OscillatorNode.prototype.start = function(at) { window.notes += 1; return start.call(this, at) }";
    browser.run(count).await?;
    browser.click("#play-now").await?;
    browser.wait_for("#sound-yes").await?;
    axe::check(&browser, "asked for sound").await?;
    browser.click("#sound-yes").await?;
    // A sample is played.
    browser.wait_until("window.notes > 0").await?;
    browser
        .wait_until("!document.querySelector('#sound-yes')")
        .await?;
    browser.click("#settings").await?;
    browser.wait_for("#volume").await?;
    browser
        .run("const v = document.querySelector('#volume'); v.value = 30; v.dispatchEvent(new Event('change', { bubbles: true }))")
        .await?;
    browser
        .wait_until("JSON.parse(localStorage.getItem('towers.preferences')).volume === 30")
        .await?;
    // Playing a card makes a sound.
    browser.driver.back().await?;
    browser
        .wait_until("!document.querySelector('.dialog')")
        .await?;
    browser.run("window.notes = 0").await?;
    play::wait(&browser).await?;
    play::anything(&browser, 0).await?;
    browser.wait_until("window.notes > 0").await?;
    browser.home().await?;
    browser.click("#play-now").await?;
    play::wait(&browser).await?;
    assert!(!browser.has("#sound-yes").await?);
    browser.close().await;
    Ok(())
}
