//! Tables on the server, with several real browsers.

use thirtyfour::prelude::*;
use towers_e2e::play::{self, Moment};
use towers_e2e::{Browser, Size, TowersProcess, axe};

fn preferences(name: &str) -> String {
    format!(r#"{{"speed":"instant","language":"en","name":"{name}"}}"#)
}

/// Opens a table with this many seats as Ann, through the page. Returns its link.
async fn open_table(ann: &Browser, seats: u32, public: bool) -> WebDriverResult<String> {
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    ann.click_in(".alternatives", &seats.to_string()).await?;
    if public {
        ann.click_text("Shown to everybody").await?;
    }
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    ann.text("#link").await
}

/// Follows a link as Ben and takes the first free seat.
async fn join(ben: &Browser, link: &str) -> WebDriverResult<()> {
    ben.driver.goto(link).await?;
    ben.click(".sit").await?;
    ben.wait_for("#ready").await
}

/// Waits until a text appears on the page.
async fn sees(browser: &Browser, text: &str) -> WebDriverResult<()> {
    browser.wait_text("body", text).await
}

/// Plays this many decisions, by the player who has to decide.
async fn play_on(players: &[&Browser], decisions: usize) -> WebDriverResult<()> {
    for made in 0..decisions {
        let (who, moment) = play::wait_any(players).await?;
        if moment == Moment::Over {
            return Ok(());
        }
        play::anything(players[who], made).await?;
    }
    Ok(())
}

/// Plays until a player is asked to react. Returns that player.
async fn until_asked<'a>(players: &[&'a Browser]) -> WebDriverResult<&'a Browser> {
    for n in 0..400 {
        let player = players[play::wait_any(players).await?.0];
        if player
            .text(".actions")
            .await?
            .contains("Pass for this turn")
        {
            return Ok(player);
        }
        play::anything(player, n).await?;
    }
    panic!("nobody is asked to react");
}

/// Plays as `other` until only `player` has to decide.
async fn until_turn_of(player: &Browser, other: &Browser) -> WebDriverResult<()> {
    for n in 0..400 {
        match play::wait_any(&[other, player]).await? {
            (0, Moment::Decide) => play::anything(other, n).await?,
            (1, Moment::Decide) => return Ok(()),
            (_, moment) => panic!("{moment:?} before it is their turn"),
        }
    }
    panic!("it does not become their turn");
}

/// Two browsers at one table: one reloads; one loses the network and returns; a spectator sees nothing hidden; a wrong
/// link is reported; and a bot takes over from a player who has left.
#[tokio::test]
async fn two_browsers_in_one_game() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let link = open_table(&ann, 2, false).await?;
    assert!(link.contains("/t/"), "{link}");
    axe::check(&ann, "room").await?;
    join(&ben, &link).await?;
    sees(&ann, "Ben").await?;
    ben.click("#ready").await?;
    sees(&ann, "ready").await?;
    axe::check(&ben, "room on a phone").await?;
    ann.click("#start:not(:disabled)").await?;
    play::wait_any(&[&ann, &ben]).await?;

    // A chat line reaches the other player.
    ben.click("#chat").await?;
    ben.fill("#chat-text", "good luck").await?;
    ben.click("#chat-send").await?;
    ben.click(".dialog .round").await?;
    ann.click("#chat").await?;
    sees(&ann, "good luck").await?;
    axe::check(&ann, "table during a game").await?;
    ann.click(".dialog .round").await?;
    play_on(&[&ann, &ben], 3).await?;

    // A reload loses nothing.
    let before = play::cards(&ben).await?.join(",");
    ben.driver.refresh().await?;
    let same = format!(
        "[...document.querySelectorAll('.card')].map(c => c.dataset.card).join() === '{before}'"
    );
    ben.wait_until(&same).await?;
    play_on(&[&ann, &ben], 2).await?;

    // The page reports the lost network, and reconnects by itself.
    ben.offline(true).await?;
    ben.wait_for("#net:not(.quiet)").await?;
    sees(&ben, "Connection lost").await?;
    ben.offline(false).await?;
    ben.wait_for("#net.quiet").await?;
    play_on(&[&ann, &ben], 3).await?;

    // A spectator sees the board and no cards.
    let eve = Browser::open(&server.url, Size::Desktop, &preferences("Eve")).await?;
    eve.driver.goto(&link).await?;
    eve.wait_for(".scene svg").await?;
    eve.wait_for(".player").await?;
    assert!(!eve.has(".card").await?, "a spectator has no hand");
    // All seats are taken.
    eve.click("#chat").await?;
    assert!(!eve.has(".sit").await?);
    // A wrong link leads to no table.
    eve.driver
        .goto(format!("{}t/{}", server.url, "0".repeat(20)))
        .await?;
    sees(&eve, "There is no such table").await?;
    axe::check(&eve, "no such table").await?;
    eve.close().await;

    // Ben leaves for good, and Ann lets a bot play.
    ben.close().await;
    ann.click("#chat").await?;
    ann.click(".replace").await?;
    sees(&ann, "is playing").await?;
    ann.click(".dialog .round").await?;
    play_on(&[&ann], 3).await?;
    ann.close().await;
    Ok(())
}

/// The names that newcomers enter are used: of the host who opens a table, and of the guest who follows the link.
#[tokio::test]
async fn newcomers_are_called_what_they_type() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let host = Browser::open(&server.url, Size::Phone, &preferences("")).await?;
    let guest = Browser::open(&server.url, Size::Phone, &preferences("")).await?;
    host.click("#online").await?;
    host.click("#open-table").await?;
    // Also if the page uses the same name for a free seat.
    host.fill(".seat-row input", "Yarrow").await?;
    host.click_in(".alternatives", "2").await?;
    host.click("#begin:not(:disabled)").await?;
    host.wait_text(".place[data-seat='0'] b", "Yarrow").await?;
    let link = host.text("#link").await?;
    guest.driver.goto(&link).await?;
    guest.fill("#room-name", "Benedict").await?;
    guest.click(".sit").await?;
    for browser in [&host, &guest] {
        browser
            .wait_text(".place[data-seat='1'] b", "Benedict")
            .await?;
    }
    host.click("#start:not(:disabled)").await?;
    for browser in [&host, &guest] {
        browser
            .wait_until("document.querySelectorAll('.player').length === 2")
            .await?;
        let names =
            "return [...document.querySelectorAll('.player .name')].map(n => n.textContent.trim())";
        let names = browser.run(names).await?.to_string();
        assert!(
            names.contains("Yarrow") && names.contains("Benedict"),
            "{names}"
        );
    }
    // The name is stored for the next table.
    host.home().await?;
    host.click("#online").await?;
    host.click("#open-table").await?;
    host.wait_until("document.querySelector('.seat-row input').value === 'Yarrow'")
        .await?;
    host.close().await;
    guest.close().await;
    Ok(())
}

/// The lobby shows public tables; after a game everybody can play again.
#[tokio::test]
async fn the_lobby_and_another_game() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Desktop, &preferences("Ben")).await?;
    open_table(&ann, 2, true).await?;
    ben.click("#online").await?;
    sees(&ben, "1 seat free").await?;
    axe::check(&ben, "lobby").await?;
    ben.click("#public-tables .row").await?;
    ben.click(".sit").await?;
    sees(&ann, "Ben").await?;
    ann.click("#start:not(:disabled)").await?;
    play::wait_any(&[&ann, &ben]).await?;
    // Both agree to end the game and to start another.
    for player in [&ann, &ben] {
        player.click("#chat").await?;
        player.click("#wish-end").await?;
    }
    ann.wait_for("#over-title").await?;
    ben.wait_for("#over-title").await?;
    axe::check(&ann, "over online").await?;
    // Ben reviews the game: the server publishes the record, and its seed passes the check.
    ben.click("#look-back").await?;
    ben.wait_text(".coach h2", "Step").await?;
    ben.click("#replay-on").await?;
    ben.click("#show-fairness").await?;
    ben.wait_text("#fair-result", "Everything follows").await?;
    ben.click(".dialog .round").await?;
    ben.driver.back().await?;
    ben.wait_for("#over-title").await?;
    ann.click("#again").await?;
    sees(&ben, "Ann").await?;
    ben.click("#again").await?;
    play::wait_any(&[&ann, &ben]).await?;
    play_on(&[&ann, &ben], 4).await?;
    // The table is then listed among Ben's tables.
    ben.click("#leave").await?;
    ben.click("#online").await?;
    sees(&ben, "My tables").await?;
    ben.wait_until(
        "/to move|your turn/.test(document.querySelector('.tables:not(#invitations)')?.innerText)",
    )
    .await?;
    ann.close().await;
    ben.close().await;
    Ok(())
}

/// A slow table with reactions: a removed player is informed, the remaining time is shown, a window can be passed for
/// the whole turn, and a player in another tab is notified of their turn by the tab, a notification, and the list of
/// their tables.
#[tokio::test]
async fn a_slow_table_calls_its_players() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    ann.allow_notifications().await?;
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    for (label, text) in [
        ("Players", "2"),
        ("Reactions", "On"),
        ("Spells", "All eight"),
        ("Time for each decision", "3 days per decision"),
    ] {
        ann.choose(label, text).await?;
    }
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    let link = ann.text("#link").await?;

    // The host frees a seat: its player is informed, and may sit down again under a free name.
    join(&ben, &link).await?;
    ann.click_in(".place", "Remove").await?;
    assert!(!ben.has("#room-name").await?, "the host is asked first");
    ann.click("#remove-yes").await?;
    ben.wait_text(".why", "The host has freed your seat")
        .await?;
    ben.fill("#room-name", "Ann\n").await?;
    ben.click(".sit").await?;
    ben.wait_text(".why", "already has this name").await?;
    ben.fill("#room-name", "Ben\n").await?;
    ben.click(".sit").await?;
    ben.wait_for("#ready").await?;
    ann.click("#start:not(:disabled)").await?;

    // The limit is three days for a decision and some seconds for a reaction.
    let both = [&ann, &ben];
    let first = both[play::wait_any(&both).await?.0];
    first.wait_text(".clock", "3 d").await?;
    let asked = until_asked(&both).await?;
    asked.wait_text(".clock", "0:").await?;
    asked.click_text("Pass for this turn").await?;
    asked
        .wait_until("!document.body.innerText.includes('Pass for this turn')")
        .await?;

    // Ann's page is hidden while Ben plays.
    until_turn_of(&ben, &ann).await?;
    assert_eq!(ann.run("return document.title").await?, "Wandering Towers");
    // Record notifications when they are shown, since the browser closes them after a while.
    ann.run(
        "const show = ServiceWorkerRegistration.prototype.showNotification;
         window.shown = [];
         ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
           return show.call(this, title, options).then(() => { window.shown.push(options.body) });
         }",
    )
    .await?;
    ann.hide().await?;
    until_turn_of(&ann, &ben).await?;
    ann.wait_until("document.title.startsWith('● It is your turn.')")
        .await?;
    assert!(ann.has("link[rel=icon][href='icon-turn.svg']").await?);
    ann.wait_until("window.shown.includes('It is your turn.')")
        .await?;

    // The first page and the list of her tables say so, too.
    ann.home().await?;
    ann.wait_text("#online", "It is your turn at 1 table")
        .await?;
    ann.click("#online").await?;
    ann.wait_text(".tables:not(#invitations)", "your turn")
        .await?;
    ann.wait_text(".tables:not(#invitations)", "left").await?;
    ann.close().await;
    ben.close().await;
    Ok(())
}
