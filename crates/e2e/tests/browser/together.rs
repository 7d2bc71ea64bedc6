//! People at a table on the server: spectators, absent players, proposals to end the game, and the board view.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_e2e::play;
use towers_e2e::{Browser, Size, TowersProcess, axe};

fn preferences(name: &str) -> String {
    json!({"speed": "instant", "language": "en", "name": name}).to_string()
}

/// Opens a public table for two as Ann. Returns its link.
async fn open_table(ann: &Browser) -> WebDriverResult<String> {
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    ann.choose("Players", "2").await?;
    ann.click_text("Shown to everybody").await?;
    ann.choose("Time for each decision", "90 seconds").await?;
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    ann.text("#link").await
}

async fn join(browser: &Browser, link: &str) -> WebDriverResult<()> {
    browser.driver.goto(link).await?;
    browser.click(".sit").await?;
    browser.wait_for("#ready").await
}

/// Types into a field and leaves it, as with the Tab key.
async fn enter(browser: &Browser, selector: &str, text: &str) -> WebDriverResult<()> {
    browser.fill(selector, &format!("{text}\u{e004}")).await
}

async fn escape(browser: &Browser) -> WebDriverResult<()> {
    let chain = browser.driver.action_chain().send_keys(Key::Escape + "");
    chain.perform().await
}

/// Before a game: the list shows the rules of the table, names and colours can be changed, and a full table says so.
#[tokio::test]
async fn a_table_before_its_game() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let eve = Browser::open(&server.url, Size::Phone, &preferences("Eve")).await?;
    let link = open_table(&ann).await?;
    ben.click("#online").await?;
    ben.wait_text("#public-tables", "1 seat free").await?;
    ben.wait_text("#public-tables", "90 seconds").await?;
    join(&ben, &link).await?;
    // Ben changes name and colour; both see it.
    enter(&ben, ".own-name", "Benno").await?;
    for browser in [&ann, &ben] {
        browser
            .wait_text(".place[data-seat='1'] b", "Benno")
            .await?;
    }
    let paint = "const s = document.querySelector('.place[data-seat=\"1\"] select'); s.value = 'r'; s.dispatchEvent(new Event('change', { bubbles: true }))";
    ben.run(paint).await?;
    ann.wait_until(
        "document.querySelector('.place[data-seat=\"1\"] .seat-hat').innerHTML.includes('wt-r')",
    )
    .await?;
    axe::check(&ben, "room").await?;
    // A full table does not ask Eve for a name.
    eve.driver.goto(&link).await?;
    eve.wait_text("#room-full", "You can watch").await?;
    assert!(!eve.has("#room-name").await?);
    axe::check(&eve, "full room").await?;
    ann.click("#start:not(:disabled)").await?;
    eve.wait_text("#watching", "You are watching").await?;
    assert!(!ben.has("#watching").await?);
    for browser in [ann, ben, eve] {
        browser.close().await;
    }
    Ok(())
}

/// During a game: the chat is beside the board or a bubble, a refused line stays in the field, everybody is asked about
/// a proposal to end, leaving asks for confirmation, and the host can replace an absent player by a bot at once.
#[tokio::test]
async fn a_table_during_its_game() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let link = open_table(&ann).await?;
    join(&ben, &link).await?;
    ann.click("#start:not(:disabled)").await?;
    play::wait_any(&[&ann, &ben]).await?;

    // Ann writes beside the board; Ben has no room for the chat and sees a bubble.
    ann.fill(".chat-panel #chat-text", "hello Ben\n").await?;
    ben.wait_text("#chat-bubble", "hello Ben").await?;
    ann.wait_until("document.querySelector('#chat-text').value === ''")
        .await?;
    axe::check(&ann, "chat beside the board").await?;
    ben.click("#chat-bubble").await?;
    ben.wait_text(".dialog .chat", "hello Ben").await?;
    // The back button closes the open dialog and stays in the game.
    ben.driver.back().await?;
    ben.wait_until("!document.querySelector('.dialog')").await?;
    assert!(ben.has(".game").await?);

    // Too many lines at once: a refused line stays in the field.
    ann.fill("#chat-text", "one too many").await?;
    let all_at_once = "for (const emote of [...document.querySelectorAll('.emotes button')].slice(0, 5)) emote.click();
         document.querySelector('#chat-send').click()";
    ann.run(all_at_once).await?;
    ann.wait_text("#chat-refused", "too much").await?;
    let kept = ann
        .run("return document.querySelector('#chat-text').value")
        .await?;
    assert_eq!(kept, "one too many");

    // Ann proposes to end the game; Ben is asked and refuses.
    ann.click("#chat").await?;
    ann.click("#wish-end").await?;
    ann.click(".dialog .round").await?;
    ben.wait_text("#end-wish", "Ann would like to end").await?;
    axe::check(&ben, "asked for the end").await?;
    ben.click("#end-no").await?;
    ben.wait_until("!document.querySelector('#end-wish')")
        .await?;
    ann.wait_text("#end-wish", "when everybody agrees").await?;
    ann.click("#end-take-back").await?;

    // Leaving asks for confirmation. Escape cancels the question first, then closes the dialog.
    ben.click("#chat").await?;
    ben.click("#leave-table").await?;
    ben.wait_text(".ask-first", "A bot will play").await?;
    ben.wait_for(".ask-first :focus").await?;
    escape(&ben).await?;
    ben.wait_until("!document.querySelector('.ask-first')")
        .await?;
    assert!(ben.has(".dialog").await?);
    ben.click(".person-menu summary").await?;
    ben.run("document.querySelector('.person-menu .mute').focus()")
        .await?;
    escape(&ben).await?;
    ben.wait_for(".person-menu:not([open]) summary:focus")
        .await?;
    assert!(ben.has(".dialog").await?);
    ben.click("#leave-table").await?;
    ben.click_in(".ask-first", "Cancel").await?;
    ben.click(".dialog .round").await?;
    assert!(ben.has(".game").await?);

    // Ben is gone: the page shows it, and the host does not have to wait.
    ben.close().await;
    ann.wait_text("[data-away='1']", "Ben").await?;
    ann.click("[data-away='1'] button").await?;
    ann.wait_until("!document.querySelector('[data-away]')")
        .await?;
    play::wait_any(&[&ann]).await?;
    ann.close().await;
    Ok(())
}

/// Both agree to end a game: the result says so, without an empty table of standings. The board view follows without a
/// seat.
#[tokio::test]
async fn a_board_view_follows_a_game_to_its_end() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Phone, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let link = open_table(&ann).await?;
    // Ann has a seat on this device; its board view has none.
    let board = ann
        .run("return document.querySelector('#board-view').href")
        .await?;
    let television = Browser::open(&server.url, Size::Desktop, &preferences("")).await?;
    let board = board.as_str().unwrap_or_default();
    assert!(board.contains("#board/"), "{board}");
    television.driver.goto(board).await?;
    television.wait_text(".board-view", "Ann").await?;
    axe::check(&television, "board view before a game").await?;
    join(&ben, &link).await?;
    television.wait_text(".board-view", "Ben").await?;
    ann.click("#start:not(:disabled)").await?;
    television.wait_for(".board-view.game .scene svg").await?;
    for selector in [".card", ".tools", "#chat-text", ".sit"] {
        assert!(!television.has(selector).await?, "{selector}");
    }
    axe::check(&television, "board view").await?;
    // The board view follows without input.
    let both = [&ann, &ben];
    let before = television.text("#status").await?;
    let (who, _) = play::wait_any(&both).await?;
    play::anything(both[who], 0).await?;
    let changed = format!(
        "document.querySelector('#status')?.innerText !== {} || document.querySelector('.log-panel li')",
        json!(before)
    );
    television.wait_until(&changed).await?;
    // The same device may show the board without losing its seat.
    ann.run(&format!("window.open({})", json!(board))).await?;
    for browser in both {
        browser.click("#chat").await?;
        browser.click("#wish-end").await?;
    }
    for browser in [&ann, &ben, &television] {
        browser
            .wait_text("#over-title", "Ended by agreement")
            .await?;
        assert!(!browser.has(".standings").await?);
        // Nothing is open behind the result.
        browser
            .wait_until("document.querySelectorAll('.dialog').length === 1")
            .await?;
    }
    axe::check(&ben, "ended by agreement").await?;
    ann.driver.refresh().await?;
    ann.wait_for("#again:not(:disabled)").await?;
    for browser in [ann, ben, television] {
        browser.close().await;
    }
    Ok(())
}
