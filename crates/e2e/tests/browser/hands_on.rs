//! Choosing a piece before a card, inspecting items, pause and replay, by touch and mouse.

use std::cell::RefCell;

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::{Intent, Pick, Plan};
use towers_e2e::play::{self, Moment};
use towers_e2e::position::gather;
use towers_e2e::{Browser, Position, Size, TowersProcess, act, pointer};
use towers_rules::{Action, Cast, Move, SpellSet, Spells};
use towers_table::{BotLevel, Hex};

pub const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;
const SLOW: &str = r#"{"speed":"slow","language":"en","name":"Ann"}"#;

async fn keys(browser: &Browser, keys: impl Into<TypingData>) -> WebDriverResult<()> {
    let chain = browser.driver.action_chain().send_keys(keys.into());
    chain.perform().await
}

/// A decision of the person in which a card can move a tower that stands alone. Returns the tower, the card, and a card
/// that cannot move it.
pub fn tower_alone() -> (Position, char, String, String) {
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let found = RefCell::new(None);
    let (position, _) = Position::find(&plan, gather, |position, action| {
        let Action::Play(card, Move::Tower(tower)) = action else {
            return false;
        };
        if !position.is_for_a_person() {
            return false;
        }
        let model = position.model();
        let stands = towers_client::shown::find(&model.shown, tower);
        let alone = stands.is_some_and(|(space, _)| {
            towers_client::shown::height(&model.shown, space) == 1
                && towers_client::shown::exposed(&model.shown, space).is_empty()
                && model.shown.castle != space
        });
        let movers = model.choice.intents_for(&[Pick::Tower(tower)]);
        let idle = model.choice.intents().into_iter().find_map(|i| match i {
            Intent::Card(c) if !movers.contains(&i) => Some(c),
            _ => None,
        });
        if let (true, Some(idle)) = (alone, idle) {
            *found.borrow_mut() = Some((
                tower.letter(),
                card.text().to_string(),
                idle.text().to_string(),
            ));
        }
        found.borrow().is_some()
    });
    let (tower, card, idle) = found.take().expect("it was found");
    (position, tower, card, idle)
}

/// With nothing chosen, a tap on a tower holds it and highlights the cards that can move it; a card completes the
/// preview.
#[tokio::test]
async fn a_piece_can_be_chosen_before_its_card() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    for finger in [true, false] {
        let size = if finger { Size::Phone } else { Size::Desktop };
        let browser = Browser::open(&server.url, size, QUICK).await?;
        if finger {
            pointer::phone(&browser, 390, 844).await?;
        }
        let (position, tower, card, idle) = tower_alone();
        browser.open_position(&position).await?;
        let piece = format!(".wt-scene [data-tower='{tower}']");
        pointer::press(&browser, finger, &piece).await?;
        browser
            .wait_for(&format!(".wt-scene [data-tower='{tower}'].wt-chosen"))
            .await?;
        browser
            .wait_text("#status", &format!("Tower {tower} on space"))
            .await?;
        // No refusal, and nothing to confirm yet.
        assert!(!browser.has(".why, #confirm, .dialog").await?);
        let lit = format!(".card-slot.lit .card[data-card='{card}']");
        assert!(browser.has(&lit).await?, "{card} is not lit");
        let dim = format!(".card-slot.dim .card[data-card='{idle}']");
        assert!(browser.has(&dim).await?, "{idle} is not dimmed");
        pointer::press(&browser, finger, &format!(".card[data-card='{card}']")).await?;
        play::expect_text(&browser, "#confirm", &format!("Move tower {tower}")).await?;
        browser
            .wait_text(".preview", &format!("Tower {tower} lands on space"))
            .await?;
        let decision = play::decision(&browser).await?.expect("it is Ann's");
        pointer::press(&browser, finger, "#confirm").await?;
        play::carried_out(&browser, decision).await?;
        let log = play::log(&browser).await?;
        assert!(
            log.contains(&format!("You move tower {tower} by ")),
            "{log}"
        );
        browser.close().await;
    }
    Ok(())
}

/// A spell that can be cast says what it does and what it costs as soon as it is chosen.
#[tokio::test]
async fn a_spell_is_explained_before_it_is_cast() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    pointer::phone(&browser, 390, 844).await?;
    let mut plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    let casts = |position: &Position, action: Action| {
        let advance = matches!(action, Action::Cast(Cast::AdvanceTower(_)));
        advance && position.is_for_a_person()
    };
    let (position, _) = Position::find(&plan, gather, casts);
    browser.open_position(&position).await?;
    pointer::press(&browser, true, ".wt-scene [data-spell='AT']").await?;
    browser
        .wait_text(
            ".preview",
            "Move any tower 2 spaces forward. Costs 1 full flask.",
        )
        .await?;
    keys(&browser, Key::Escape + "").await?;
    browser
        .wait_until("!document.querySelector('.preview li')")
        .await?;
    browser.close().await;
    Ok(())
}

/// Plays until the show is paused at an action of another player.
pub async fn pause_others(browser: &Browser) -> WebDriverResult<()> {
    let begun = std::time::Instant::now();
    let pause = "const b = document.querySelector('#pause'); b?.click(); return !!b";
    let mut is_paused = false;
    while !browser.has("#next-step:not(:disabled)").await? {
        if play::moment(browser).await? == Some(Moment::Decide) {
            play::anything(browser, 1).await?;
        } else if !is_paused {
            is_paused = browser.run(pause).await? == true;
        }
        assert!(
            begun.elapsed() < towers_e2e::browser::PATIENCE,
            "nobody else plays"
        );
    }
    Ok(())
}

/// Spells, piles, die, castle, stacks and players can be inspected at any time, in every player's turn.
#[tokio::test]
async fn everything_can_be_looked_at_at_any_time() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, SLOW).await?;
    pointer::phone(&browser, 390, 844).await?;
    let mut plan = Plan::against_bots("Ann", 2, BotLevel::Novice);
    plan.settings.spells = Spells::Chosen(SpellSet::ALL);
    let position = Position::start(&plan, &Hex([3; 32]));
    browser.open_position(&position).await?;
    let things = [
        ("[data-spell]", "flask"),
        ("[data-pile='draw']", "cards left"),
        ("[data-pile='discard']", "card"),
        ("[data-die]", "roll"),
        ("[data-castle]", "home"),
    ];
    for (thing, words) in things {
        pointer::press(&browser, true, &format!(".wt-scene {thing}")).await?;
        browser.wait_text(".dialog", words).await?;
        assert!(!browser.has(".why").await?, "{thing}");
        keys(&browser, Key::Escape + "").await?;
        browser
            .wait_until("!document.querySelector('.dialog')")
            .await?;
    }
    pointer::press(&browser, true, ".player[data-seat='1']").await?;
    browser.wait_text(".dialog", "wizards home").await?;
    browser.click(".dialog .round").await?;
    let grey = "return [...document.querySelectorAll('.card')].some(c => getComputedStyle(c.parentElement).filter.includes('saturate'))";
    assert_eq!(browser.run(grey).await?, false);
    // In another player's turn; the show is paused to stay in it.
    pause_others(&browser).await?;
    pointer::press(&browser, true, ".wt-scene [data-castle]").await?;
    browser.wait_text(".dialog", "It stands on space").await?;
    // Cards that cannot be played now look like it.
    let grey = "return [...document.querySelectorAll('.card')].map(c => c.disabled && getComputedStyle(c.parentElement).filter.includes('saturate'))";
    assert_eq!(browser.run(grey).await?, json!([true, true, true]));
    browser.close().await;
    Ok(())
}

/// The actions of others can be paused, shown step by step, skipped, and replayed.
#[tokio::test]
async fn the_show_is_paused_stepped_skipped_and_repeated() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, SLOW).await?;
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let position = Position::start(&plan, &Hex([4; 32]));
    browser.open_position(&position).await?;
    pause_others(&browser).await?;
    browser.wait_text("#status", "Paused").await?;
    let lines = "document.querySelectorAll('.log-panel li').length";
    // The show stays paused: several frames later nothing has changed.
    let still = format!(
        "const n = {lines}; const done = arguments[0]; let left = 90;
         const next = () => left-- ? requestAnimationFrame(next) : done({lines} === n); next()"
    );
    let same = browser.driver.execute_async(&still, Vec::new()).await?;
    assert_eq!(same.json(), &json!(true));
    let before = browser.run(&format!("return {lines}")).await?;
    for _ in 0..3 {
        if browser.has("#next-step:not(:disabled)").await? {
            browser.click("#next-step").await?;
            browser
                .wait_until("document.querySelector('#next-step:not(:disabled), .prompt.mine')")
                .await?;
        }
    }
    browser
        .wait_until(&format!(
            "{lines} > {before} || document.querySelector('.prompt.mine')"
        ))
        .await?;
    while !browser.has(".prompt.mine").await? {
        browser
            .run("document.querySelector('#skip')?.click()")
            .await?;
    }
    // Replay the last turn, and return to the decision.
    browser.wait_for("#replay:not(:disabled)").await?;
    browser.click("#replay").await?;
    browser.wait_for(".prompt:not(.mine)").await?;
    browser.click("#skip").await?;
    browser.wait_for(".prompt.mine").await?;
    browser.close().await;
    Ok(())
}

/// Two quick presses on the button are one action, with mouse and touch; the second one does not hit the next element
/// at that place.
#[tokio::test]
async fn two_quick_presses_are_one_action() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    for finger in [false, true] {
        let size = if finger { Size::Phone } else { Size::Desktop };
        let browser = Browser::open(&server.url, size, QUICK).await?;
        if finger {
            pointer::phone(&browser, 390, 844).await?;
        }
        let (mut position, tower, card, _) = tower_alone();
        browser.open_position(&position).await?;
        pointer::press(&browser, finger, &format!(".card[data-card='{card}']")).await?;
        pointer::press(
            &browser,
            finger,
            &format!(".wt-scene [data-tower='{tower}']"),
        )
        .await?;
        browser.wait_for("#confirm").await?;
        let at = pointer::visible_point(&browser, "#confirm").await?;
        pointer::double(&browser, finger, at).await?;
        let action = format!("{card}:t{tower}").parse().expect("an action");
        let told = position.act_and_tell(action);
        act::expect_log(&browser, &told).await?;
        // The next decision is open, with nothing chosen.
        let next = position.model().decision();
        if position.is_for_a_person() {
            assert_eq!(play::decision(&browser).await?, next);
            assert!(!browser.has("#confirm, .dialog, .why").await?);
        }
        browser.close().await;
    }
    Ok(())
}

/// Hovering over a card highlights the pieces that it can move; hovering over a piece previews its move. Nothing is
/// chosen.
#[tokio::test]
async fn a_mouse_shows_what_a_click_would_do() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let (position, tower, card, _) = tower_alone();
    browser.open_position(&position).await?;
    let over = pointer::visible_point(&browser, &format!(".card[data-card='{card}']")).await?;
    pointer::hover(&browser, over).await?;
    browser
        .wait_for(&format!(".wt-scene [data-tower='{tower}'].wt-legal"))
        .await?;
    pointer::click(&browser, "mouse", over).await?;
    let piece =
        pointer::visible_point(&browser, &format!(".wt-scene [data-tower='{tower}']")).await?;
    pointer::hover(&browser, piece).await?;
    browser
        .wait_text(".preview", &format!("Tower {tower} lands on space"))
        .await?;
    assert!(!browser.has("#confirm").await?);
    pointer::hover(&browser, (3.0, 3.0)).await?;
    browser
        .wait_until("!document.querySelector('.preview li')")
        .await?;
    browser.close().await;
    Ok(())
}

/// A partner at the same device takes it over, offers a card, and hands it back (R12.2).
#[tokio::test]
async fn a_partner_takes_the_device_and_offers_a_card() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let names = ["Ann", "Ben", "Cleo", "Dan"].map(String::from);
    let mut plan = Plan::hot_seat(&names);
    plan.settings.options.teams = true;
    plan.repair();
    let mut position = Position::start(&plan, &Hex([5; 32]));
    browser.open_position(&position).await?;
    let offer = position.partner_legal();
    let offer = *offer
        .iter()
        .find(|a| matches!(a, Action::Offer(_)))
        .expect("a card can be offered");
    browser.click_text("Hand over to ").await?;
    browser.click("#uncover").await?;
    // The partner keeps the device until they hand it back.
    browser.wait_text("#status", "You may offer a card").await?;
    browser.click_text("Hand over to ").await?;
    browser.click("#uncover").await?;
    browser.wait_for(".prompt.mine").await?;
    browser.click_text("Hand over to ").await?;
    browser.click("#uncover").await?;
    browser.wait_text("#status", "You may offer a card").await?;
    browser.click_text("Offer: ").await?;
    position.partner_acts(offer);
    assert_eq!(play::uncover(&browser).await?, Moment::Decide);
    browser.wait_text("#status", "offers you a card").await?;
    let legal = position.legal();
    assert!(legal.contains(&Action::AcceptOffer), "{legal:?}");
    browser.close().await;
    Ok(())
}

/// A dragged card follows the pointer and is dropped on the piece that it moves. Escape returns it to the hand.
#[tokio::test]
async fn a_dragged_card_follows_the_pointer() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    for finger in [true, false] {
        let size = if finger { Size::Phone } else { Size::Desktop };
        let browser = Browser::open(&server.url, size, QUICK).await?;
        if finger {
            pointer::phone(&browser, 390, 844).await?;
        }
        let (position, tower, card, _) = tower_alone();
        browser.open_position(&position).await?;
        let selector = format!(".card[data-card='{card}']");
        let slot = format!(".card-slot:has({selector})");
        let left_top = format!(
            "(r => [r.left, r.top])(document.querySelector({}).getBoundingClientRect())",
            json!(selector)
        );
        let from = pointer::visible_point(&browser, &selector).await?;
        let piece = format!(".wt-scene [data-tower='{tower}']");
        let to = pointer::visible_point(&browser, &piece).await?;
        browser.wait_for_layout().await?;
        let before = browser.run(&format!("return {left_top}")).await?;
        pointer::hold(&browser, finger, from).await?;
        pointer::carry(&browser, finger, from, to).await?;
        browser.wait_for(&format!("{slot}.dragged")).await?;
        // Its corner has moved as far as the pointer, with a tolerance because a rotated card is wider.
        let near = format!(
            "(([x, y]) => Math.abs(x - {} - {}) < 16 && Math.abs(y - {} - {}) < 16)({left_top})",
            before[0],
            to.0 - from.0,
            before[1],
            to.1 - from.1
        );
        browser.wait_until(&near).await?;
        // During the drag, the pieces that it can move are highlighted, and nothing is chosen.
        browser.wait_for(&format!("{piece}.wt-legal")).await?;
        assert!(!browser.has("#confirm").await?);
        if !finger {
            keys(&browser, Key::Escape + "").await?;
            browser
                .wait_until("!document.querySelector('.dragged')")
                .await?;
            pointer::release(&browser, finger, to).await?;
            assert!(!browser.has("#confirm").await?);
            pointer::hold(&browser, finger, from).await?;
            pointer::carry(&browser, finger, from, to).await?;
        }
        pointer::release(&browser, finger, to).await?;
        play::expect_text(&browser, "#confirm", &format!("Move tower {tower}")).await?;
        assert!(!browser.has(".dragged").await?);
        browser.close().await;
    }
    Ok(())
}

/// Hovering over a line of the log shows its move on the board.
#[tokio::test]
async fn a_line_of_the_log_is_shown_on_the_board() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let mut position = Position::start(&plan, &Hex([6; 32]));
    for n in 0..12 {
        position.play(n, &gather);
    }
    while !position.is_for_a_person() {
        position.play(1, &gather);
    }
    browser.open_position(&position).await?;
    let line = pointer::visible_point(&browser, ".log-panel li.shown").await?;
    assert!(!browser.has(".wt-scene .wt-trail").await?);
    pointer::hover(&browser, line).await?;
    browser.wait_for(".wt-scene .wt-trail[data-to]").await?;
    pointer::hover(&browser, (3.0, 3.0)).await?;
    browser
        .wait_until("!document.querySelector('.wt-scene .wt-trail')")
        .await?;
    browser.close().await;
    Ok(())
}

/// Each row of a hint gives an effect or a reason, and only selects the move.
#[tokio::test]
async fn a_hint_gives_reasons_and_only_prepares_the_move() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let (position, ..) = tower_alone();
    browser.open_position(&position).await?;
    let decision = play::decision(&browser).await?;
    browser.click("#hint:not(:disabled)").await?;
    browser.wait_for(".dialog .row").await?;
    // What the move does and where the turn leads are told apart, without their labels.
    let told = "return [...document.querySelectorAll('.dialog .row')].map(row => ['b', '.hint-now', '.hint-turn'].map(part => {
         const e = row.querySelector(part)?.cloneNode(true); e?.querySelector('i')?.remove(); return e?.textContent.trim() ?? '' }))";
    let rows = browser.run(told).await?;
    let rows = rows.as_array().cloned().unwrap_or_default();
    assert!(!rows.is_empty());
    for row in &rows {
        let [what, now, turn] = [0, 1, 2].map(|i| row[i].as_str().unwrap_or_default());
        assert!(what.len() > 3 && turn.len() > 10 && now != turn, "{row}");
    }
    let quiet = "No immediate gain, but the best prospects.";
    assert!(rows.iter().any(|row| row[2] != quiet), "{rows:?}");
    browser.click(".dialog .row").await?;
    browser.wait_for("#confirm").await?;
    assert_eq!(play::decision(&browser).await?, decision);
    browser.close().await;
    Ok(())
}
