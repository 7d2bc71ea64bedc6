//! Whole games in a real browser.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::explain::all_wizards;
use towers_client::result::{rating, rating_key, rating_range};
use towers_client::seed::of_name;
use towers_client::{Language, Plan, Words};
use towers_e2e::act::{act, choose};
use towers_e2e::play::{self, Moment};
use towers_e2e::position::{SHORT_SOLO, hurry};
use towers_e2e::{Browser, Position, Size, TowersProcess, axe};
use towers_rules::Action;
use towers_table::{BotLevel, Hex};

use crate::offline::IS_KEPT;

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

/// Play now: one click starts a game against bots; it is played to its end and shows the winner.
#[tokio::test]
async fn play_now_to_the_end_against_bots() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    // The program is requested only after the first paint, or after one second.
    let late = "const at = performance.getEntriesByType('resource').find(r => r.name.endsWith('.wasm')).startTime;
         return at >= Math.min(1000, performance.getEntriesByType('paint')[0]?.startTime ?? 1000)";
    assert_eq!(browser.run(late).await?, true);
    axe::check(&browser, "start").await?;
    browser.click("#play-now").await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    // The person starts; the bots' program is loaded when a bot has to decide.
    let worker =
        "return performance.getEntriesByType('resource').some(r => r.name.includes('/worker'))";
    assert_eq!(browser.run(worker).await?, false);
    browser
        .wait_until("document.querySelectorAll('.card').length === 3 && document.querySelectorAll('.player').length === 3")
        .await?;
    // Screen readers announce the turn once, and use the singular for one tower.
    browser
        .wait_until(
            "document.querySelector('#live').textContent.split('It is your turn.').length === 2",
        )
        .await?;
    browser
        .wait_until("document.querySelector('section.unseen')?.textContent.includes(': tower I')")
        .await?;
    axe::check(&browser, "game").await?;
    play::to_the_end(&browser).await?;
    // The title names the winners that the standings mark.
    let winners = "return [...document.querySelectorAll('.standings .winner th')].map(th => th.innerText.replace('★', '').trim())";
    let winners = browser.run(winners).await?;
    let winners: Vec<&str> = winners
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|w| w.as_str())
        .collect();
    let title = browser.text("#over-title").await?;
    browser.wait_text(".standings", "You").await?;
    match winners[..] {
        [] => panic!("nobody won: {title}"),
        ["You"] => assert_eq!(title, "You win!"),
        [one] => assert_eq!(title, format!("{one} wins!")),
        _ => assert!(
            winners.iter().all(|w| title.contains(w)) && title.ends_with(" win together!"),
            "{title}"
        ),
    }
    axe::check(&browser, "result").await?;
    browser.close().await;
    Ok(())
}

/// The last card of a won solo game: the result shows the number of cards and the rating (R14.3).
#[tokio::test]
async fn solo_to_its_rating() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let mut position = Position::start(&Plan::solo("Ann", false), &of_name(SHORT_SOLO));
    let last = loop {
        let action = position.advised();
        let mut after = position.clone();
        after.act(action);
        if after.seat().is_none() {
            break action;
        }
        position = after;
    };
    browser.open_position(&position).await?;
    // Cards used, the goal, and the rating within reach are on the screen.
    let used = position.view().score;
    browser
        .wait_text("#goal", &format!("{used} of 30 cards · Within reach: "))
        .await?;
    choose(&browser, &position.model(), last).await?;
    position.act(last);
    let result = position.result().expect("the game is over");
    play::expect_text(&browser, "#over-title", &result).await?;
    let rating = rating(&position.model().shown).expect("it is won");
    let words = Words::of(Language::English);
    let row = format!(
        "{}\n{}",
        rating_range(rating),
        words.get(rating_key(rating))
    );
    play::expect_text(&browser, ".ratings .now", &row).await?;
    // The next game of this kind shows what is to be beaten.
    let best = position.model().shown.score;
    let next = Position::start(&Plan::solo("Ann", false), &Hex([1; 32]));
    browser.open_position(&next).await?;
    browser
        .wait_text("#goal", &format!("Best so far: {best}"))
        .await?;
    browser.close().await;
    Ok(())
}

/// A win is an event: it says "You win!", with confetti unless the player prefers reduced motion.
#[tokio::test]
async fn a_win_is_celebrated() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let preferences = QUICK.replace("instant", "fast");
    let browser = Browser::open(&server.url, Size::Phone, &preferences).await?;
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let wins = |position: &Position, action: Action| {
        let all = all_wizards(&position.view());
        let is_near = position.view().players[0].home + 1 >= all;
        is_near && position.is_for_a_person() && {
            let mut after = position.clone();
            after.act(action);
            after.result().as_deref() == Some("You win!")
        }
    };
    let (position, last) = Position::find(&plan, hurry, wins);
    browser.open_position(&position).await?;
    choose(&browser, &position.model(), last).await?;
    play::expect_text(&browser, "#over-title", "You win!").await?;
    let pieces = "[...document.querySelectorAll('.confetti i')]";
    let spread = format!("return new Set({pieces}.map(e => getComputedStyle(e).left)).size");
    assert_eq!(browser.run(&spread).await?, 36);
    let shown = "return getComputedStyle(document.querySelector('.confetti')).display";
    assert_ne!(browser.run(shown).await?, "none");
    let still = json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]});
    let cdp = browser.driver.cdp();
    cdp.send_raw("Emulation.setEmulatedMedia", still).await?;
    assert_eq!(browser.run(shown).await?, "none");
    browser.close().await;
    Ok(())
}

/// A wizard comes home: the log says so, and the turn ends (R5.4).
#[tokio::test]
async fn a_wizard_comes_home() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let plan = Plan::hot_seat(&["Ann".into(), "Ben".into()]);
    let (mut position, home) = Position::find(&plan, hurry, |position, action| {
        let told = position.clone().act_and_tell(action);
        told.iter().any(|line| line.ends_with(" comes home!"))
    });
    let before = position.seat();
    browser.open_position(&position).await?;
    let told = act(&browser, &mut position, home).await?;
    assert!(
        told.iter()
            .any(|l| l.starts_with("The castle moves from space ")),
        "{told:?}"
    );
    assert_ne!(position.seat(), before);
    browser.close().await;
    Ok(())
}

/// Pass and play: between turns no cards are on the screen.
#[tokio::test]
async fn hands_are_hidden_between_turns() -> WebDriverResult<()> {
    let server = TowersProcess::start();
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
    assert_eq!((covers, seen.len()), (7, 3), "{seen:?}");
    browser.close().await;
    Ok(())
}

/// The setup screen seats the person who sets up a game, and offers only playable settings.
#[tokio::test]
async fn a_table_is_set_up_for_those_who_are_there() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let seats = "return [...document.querySelectorAll('.seat-row')].map(row => {
           const who = row.querySelector('select:nth-of-type(2)');
           const bots = [...who.options].filter(o => !o.disabled).length - 1;
           return `${who.value} ${row.querySelector('input').value} ${bots}`}).join()";
    // Also when opened by its address, as after a reload. The only person cannot be replaced by a bot.
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
    // New players at a table of persons are persons.
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

/// A game survives a reload, with the same cards.
#[tokio::test]
async fn a_game_survives_a_reload() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    browser.click("#play-now").await?;
    for _ in 0..4 {
        assert_eq!(play::wait(&browser).await?, Moment::Decide);
        play::follow_hint(&browser).await?;
    }
    play::wait(&browser).await?;
    let before = play::cards(&browser).await?;
    browser.driver.refresh().await?;
    play::wait(&browser).await?;
    expect_cards(&browser, &before).await?;
    browser.home().await?;
    browser.wait_text(".saved", "Round").await?;
    browser.click(".saved .row").await?;
    play::wait(&browser).await?;
    expect_cards(&browser, &before).await?;
    browser.close().await;
    Ok(())
}

/// Waits until the hand has these cards.
async fn expect_cards(browser: &Browser, cards: &[String]) -> WebDriverResult<()> {
    let expression = format!(
        "[...document.querySelectorAll('.card')].map(c => c.dataset.card).join() === '{}'",
        cards.join(",")
    );
    browser.wait_until(&expression).await
}

/// The same seed in the address gives the same cards, and another seed different ones.
#[tokio::test]
async fn a_seed_in_the_address_repeats_a_game() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let mut hands = Vec::new();
    for seed in ["7", "7", "8"] {
        browser.home_with_seed(seed).await?;
        browser.click("#solo").await?;
        browser.click("#begin").await?;
        let position = browser.kept_position().await?;
        let hand = position.view().hand.unwrap_or_default();
        let hand: Vec<String> = hand.iter().map(ToString::to_string).collect();
        expect_cards(&browser, &hand).await?;
        hands.push(hand);
    }
    assert_eq!(hands[0], hands[1]);
    assert_ne!(hands[0], hands[2]);
    browser.close().await;
    Ok(())
}

/// The language can be changed at any time, and is stored.
#[tokio::test]
async fn the_language_can_be_changed() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Narrow, QUICK).await?;
    browser.wait_text("#play-now", "Play now").await?;
    browser.click("#open-settings").await?;
    axe::check(&browser, "settings").await?;
    browser.click_text("Deutsch").await?;
    browser.wait_text("#play-now", "Jetzt spielen").await?;
    browser.driver.refresh().await?;
    browser.wait_for("#play-now").await?;
    browser.wait_text("#play-now", "Jetzt spielen").await?;
    assert_eq!(
        browser.run("return document.documentElement.lang").await?,
        "de"
    );
    browser.click("#open-settings").await?;
    browser.click_text("Français").await?;
    browser.wait_text("#play-now", "Jouer").await?;
    browser.close().await;
    Ok(())
}

/// The deal of the day comes from the server. Without a network it is derived from the date, and the page says so.
#[tokio::test]
async fn the_deal_of_the_day_comes_from_the_server() -> WebDriverResult<()> {
    let mut server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    browser.click("#daily").await?;
    browser.wait_until(GOAL_IS_SHOWN).await?;
    browser.wait_until(IS_KEPT).await?;
    let online = browser.text("#goal").await?;
    assert!(!online.contains("computed"), "{online}");
    let promised = "JSON.parse(localStorage.getItem('towers.promised') || '[]').length === 1";
    browser.wait_until(promised).await?;
    browser.home().await?;
    server.kill();
    browser.driver.refresh().await?;
    browser.click("#daily").await?;
    browser.wait_until(GOAL_IS_SHOWN).await?;
    let offline = browser.text("#goal").await?;
    assert!(
        offline.contains("Offline: computed from the date"),
        "{offline}"
    );
    browser.close().await;
    Ok(())
}

const GOAL_IS_SHOWN: &str = "document.querySelector('#goal')?.textContent.length > 0";
