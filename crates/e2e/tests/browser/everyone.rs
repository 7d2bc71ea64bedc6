//! Accessibility: by keyboard alone, by touch, with large text, on the narrowest phone.

use thirtyfour::prelude::*;
use towers_client::Plan;
use towers_e2e::play::{self, Moment};
use towers_e2e::position::gather;
use towers_e2e::{Browser, Position, Size, TowersProcess, axe};
use towers_rules::{Action, Move, SpellSet, Spells};
use towers_table::{BotLevel, Hex};

fn preferences(language: &str) -> String {
    format!(r#"{{"speed":"instant","language":"{language}","name":"Ann"}}"#)
}

async fn press(browser: &Browser, key: impl Into<TypingData>) -> WebDriverResult<()> {
    let keys = browser.driver.action_chain().send_keys(key.into());
    keys.perform().await
}

/// Presses the Tab key until an element that matches the selector has the focus.
async fn tab_to(browser: &Browser, selector: &str) -> WebDriverResult<()> {
    let there = format!("return !!document.activeElement?.matches('{selector}')");
    for _ in 0..120 {
        if browser.run(&there).await? == true {
            return Ok(());
        }
        press(browser, Key::Tab + "").await?;
    }
    panic!("the Tab key does not lead to {selector}");
}

/// From the first page into a game and through some turns, using only the keyboard.
#[tokio::test]
async fn the_keyboard_alone_is_enough() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    browser.home_with_seed("7").await?;
    tab_to(&browser, "#play-now").await?;
    press(&browser, Key::Enter + "").await?;
    let target = ".targets:not(.piece-first) .target";
    let (mut by_number, mut by_tab) = (0, 0);
    for _ in 0..8 {
        if play::wait(&browser).await? == Moment::Over {
            break;
        }
        let decision = play::decision(&browser).await?.expect("a decision is open");
        if browser.has(".card:not(:disabled)").await? {
            // Choose cards by number, otherwise by the Tab key.
            if by_number > by_tab {
                tab_to(&browser, ".card:not(:disabled)").await?;
                press(&browser, Key::Enter + "").await?;
                by_tab += 1;
            } else {
                press(&browser, "1").await?;
                by_number += 1;
            }
            browser.wait_for(&format!("#confirm, {target}")).await?;
        }
        if !browser.has("#confirm").await? && browser.has(target).await? {
            tab_to(&browser, target).await?;
            press(&browser, Key::Enter + "").await?;
            browser.wait_for("#confirm").await?;
        }
        tab_to(&browser, "#confirm, #end-turn").await?;
        press(&browser, Key::Enter + "").await?;
        play::carried_out(&browser, decision).await?;
    }
    assert!(by_number > 1 && by_tab > 1, "{by_number} and {by_tab}");
    play::wait(&browser).await?;
    // Escape closes dialogs and restores the focus.
    tab_to(&browser, "#reference").await?;
    press(&browser, Key::Enter + "").await?;
    browser.wait_for(".dialog :focus").await?;
    press(&browser, Key::Escape + "").await?;
    browser.wait_for("#reference:focus").await?;
    assert!(!browser.has(".dialog").await?);
    browser.close().await;
    Ok(())
}

/// After a roll the focus is on a piece that can use it: Enter chooses it, and Enter again confirms.
#[tokio::test]
async fn enter_goes_on_after_a_roll() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    let plan = Plan::solo("Ann", false);
    let rolls = |position: &Position, action: Action| {
        let Action::Roll(_) = action else {
            return false;
        };
        let mut after = position.clone();
        after.act(action);
        let pieces = |a: &Action| matches!(a, Action::Accept(Move::Tower(_) | Move::Wizard { .. }));
        after.legal().iter().any(pieces)
    };
    let (mut position, roll) = Position::find(&plan, gather, rolls);
    browser.open_position(&position).await?;
    let Action::Roll(card) = roll else {
        unreachable!("it was looked for");
    };
    let hand = position.model().shown.hand.unwrap_or_default();
    let place = hand.iter().position(|c| *c == card).expect("it is held");
    press(&browser, (place + 1).to_string().as_str()).await?;
    browser.wait_for("#confirm:focus").await?;
    press(&browser, Key::Enter + "").await?;
    position.act(roll);
    let rolled = position.view().turn.rolled;
    browser
        .wait_text("#status", &format!("You rolled {rolled}"))
        .await?;
    browser.wait_for(".target:focus").await?;
    let decision = play::decision(&browser).await?.expect("the roll is used");
    press(&browser, Key::Enter + "").await?;
    browser.wait_for("#confirm:focus").await?;
    press(&browser, Key::Enter + "").await?;
    play::carried_out(&browser, decision).await?;
    browser.close().await;
    Ok(())
}

/// Enter without a focused element moves the focus to the first card.
#[tokio::test]
async fn enter_begins_with_a_card() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    let position = Position::start(&Plan::solo("Ann", false), &Hex([1; 32]));
    browser.open_position(&position).await?;
    browser.run("document.activeElement.blur()").await?;
    press(&browser, Key::Enter + "").await?;
    browser.wait_for(".hand .card:focus").await?;
    browser.close().await;
    Ok(())
}

/// Looking needs no pointer: a button after the pieces lists everything on the table, and each entry explains it.
#[tokio::test]
async fn everything_can_be_looked_at_with_the_keyboard() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    let mut plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    browser
        .open_position(&Position::start(&plan, &Hex([3; 32])))
        .await?;
    tab_to(&browser, ".look-around").await?;
    press(&browser, Key::Enter + "").await?;
    browser.wait_for(".dialog :focus").await?;
    axe::check(&browser, "the list of everything").await?;
    // Two players, eight spells, die, two piles, castle, sixteen spaces.
    let rows = browser
        .run("return document.querySelectorAll('.dialog .row').length")
        .await?;
    assert_eq!(rows, 2 + 8 + 4 + 16);
    browser.wait_text(".dialog", "Costs 2 flasks").await?;
    tab_to(&browser, ".dialog .row:nth-of-type(3)").await?;
    press(&browser, Key::Enter + "").await?;
    browser
        .wait_until("document.querySelectorAll('.dialog .row').length === 0")
        .await?;
    browser.wait_text(".dialog", "Costs").await?;
    press(&browser, Key::Escape + "").await?;
    browser.wait_for(".look-around:focus").await?;
    assert!(!browser.has(".dialog").await?);
    browser.close().await;
    Ok(())
}

/// The Tab key goes through a decision in the order of play, and the keys of the game work wherever the focus is.
#[tokio::test]
async fn the_order_of_tab_is_the_order_of_play() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let moves_tower = |position: &Position, action: Action| {
        let is_later = position.view().round > 1 && position.is_for_a_person();
        is_later && matches!(action, Action::Play(_, Move::Tower(_)))
    };
    let (position, action) = Position::find(&plan, gather, moves_tower);
    let Action::Play(card, Move::Tower(tower)) = action else {
        unreachable!("it was looked for");
    };
    browser.open_position(&position).await?;
    let hand = position.model().shown.hand.unwrap_or_default();
    let place = hand.iter().position(|c| *c == card).expect("it is held") + 1;
    let pressed = ".card[aria-pressed='true']";
    for focus in ["body", "#reference", ".log-panel", ".target[tabindex='0']"] {
        let go =
            format!("document.activeElement.blur(); document.querySelector(\"{focus}\")?.focus()");
        browser.run(&go).await?;
        press(&browser, place.to_string().as_str()).await?;
        browser.wait_for(pressed).await?;
        press(&browser, Key::Escape + "").await?;
        let none = format!("!document.querySelector(\"{pressed}\")");
        browser.wait_until(&none).await?;
    }
    press(&browser, place.to_string().as_str()).await?;
    browser.wait_for(".target:focus").await?;
    press(&browser, tower.letter().to_string().as_str()).await?;
    browser.wait_for("#confirm:focus").await?;
    let order = "const stops = [...document.querySelectorAll('button, a[href], [tabindex]')].filter(e => e.tabIndex >= 0 && !e.disabled && e.getClientRects().length);
         return ['.card', '.target', '#confirm', '#leave', '.log-panel', '.look-around'].map(s => stops.findLastIndex(e => e.matches(s)))";
    let order = browser.run(order).await?;
    let order: Vec<i64> = order
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_i64)
        .collect();
    assert!(
        order.len() == 6 && order[0] >= 0 && order.is_sorted(),
        "{order:?}"
    );
    browser.close().await;
    Ok(())
}

/// Buttons that are too small for touch, and elements that overflow sideways.
const MISFITS: &str = "const out = [];
    for (const b of document.querySelectorAll('button, a.button, select, input:not([type=range]), summary')) {
      const r = b.getBoundingClientRect(), s = getComputedStyle(b);
      if (!r.width || s.visibility === 'hidden' || s.clipPath !== 'none' || b.closest('.unseen')) continue;
      const name = b.id || b.getAttribute('aria-label') || b.textContent.trim() || b.className;
      if (r.height < 43.5 || r.width < 43.5) out.push(`${name}: ${Math.round(r.width)} x ${Math.round(r.height)}`);
      if (!b.matches('.card, .target') && b.scrollWidth > b.clientWidth + 2 && s.overflowX !== 'auto') out.push(`${name}: its words stick out`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) out.push(`the page is ${document.documentElement.scrollWidth} wide`);
    return out.join('; ')";

async fn fits(browser: &Browser, screen: &str) -> WebDriverResult<()> {
    browser.wait_for_layout().await?;
    let misfits = browser.run(MISFITS).await?;
    assert_eq!(misfits, "", "{screen}");
    Ok(())
}

/// On the narrowest phone every button is large enough for touch and nothing overflows, even with text twice as large.
#[tokio::test]
async fn fingers_and_large_letters() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Narrow, &preferences("de")).await?;
    for large in [false, true] {
        let letters = if large { "200%" } else { "100%" };
        for (address, ready) in [
            ("", "#play-now"),
            ("new", "#begin"),
            ("tables", "#open-table"),
            ("rules", "#R1\\.1, .clause"),
            ("puzzles", "[data-puzzle]"),
            ("replay", "#record-text"),
            ("play", ".prompt.mine"),
        ] {
            browser.home().await?;
            browser
                .run(&format!("document.documentElement.style.fontSize = '{letters}'; location.hash = '{address}'"))
                .await?;
            browser.wait_for(ready).await?;
            fits(&browser, &format!("#{address} with letters of {letters}")).await?;
        }
    }
    browser.close().await;
    Ok(())
}
