//! Piece first as well as card first, looking at anything, keys from the first moment, pause and replay: with fingers, mouse and keys.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_client::seed::of_name;
use towers_client::{Intent, Model, Pick, Plan};
use towers_e2e::play::{self, Moment};
use towers_e2e::pointer::{self, Point};
use towers_e2e::position::{SHORT_SOLO, gather};
use towers_e2e::{Browser, Position, Server, Size, act};
use towers_rules::{Action, Move, SpellSet, Spells};
use towers_table::{BotLevel, Hex};

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;
const SLOW: &str = r#"{"speed":"slow","language":"en","name":"Ann"}"#;

/// The middle of what is seen of the first element that a selector finds and that lies in front.
async fn middle(browser: &Browser, selector: &str) -> WebDriverResult<Point> {
    let script = format!(
        "const same = (a, b) => a && (a === b || b.contains(a) || a.contains(b));
         for (const e of document.querySelectorAll({})) {{
           const r = e.getBoundingClientRect();
           for (const fy of [.5, .3, .7, .85, .15]) for (const fx of [.5, .3, .7]) {{
             const x = r.left + r.width * fx, y = r.top + r.height * fy;
             if (same(document.elementFromPoint(x, y), e)) return [x, y];
           }}
         }}
         return null",
        json!(selector)
    );
    let found = browser.run(&script).await?;
    let point = found[0].as_f64().zip(found[1].as_f64());
    Ok(point.unwrap_or_else(|| panic!("{selector} cannot be seen")))
}

/// Taps with a finger, or clicks with a mouse.
async fn press(browser: &Browser, finger: bool, selector: &str) -> WebDriverResult<()> {
    browser.wait_for(selector).await?;
    let at = middle(browser, selector).await?;
    if finger {
        pointer::tap(browser, at).await
    } else {
        pointer::click(browser, "mouse", at).await
    }
}

async fn keys(browser: &Browser, keys: impl Into<TypingData>) -> WebDriverResult<()> {
    let chain = browser.driver.action_chain().send_keys(keys.into());
    chain.perform().await
}

/// A decision of the person at which a tower that stands alone can be moved by a card; the tower, the card, and one that cannot.
fn tower_alone() -> (Position, char, String, String) {
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

/// With nothing chosen, a tap on a tower chooses it and lights the cards that can move it; a card completes the preview.
#[tokio::test]
async fn a_piece_can_be_chosen_before_its_card() -> WebDriverResult<()> {
    let server = Server::start();
    for finger in [true, false] {
        let size = if finger { Size::Phone } else { Size::Desktop };
        let browser = Browser::open(&server.url, size, QUICK).await?;
        if finger {
            pointer::phone(&browser, 390, 844).await?;
        }
        let (position, tower, card, idle) = tower_alone();
        browser.open_position(&position).await?;
        let piece = format!(".wt-scene [data-tower='{tower}']");
        press(&browser, finger, &piece).await?;
        browser
            .wait_for(&format!(".wt-scene [data-tower='{tower}'].wt-chosen"))
            .await?;
        browser
            .wait_text("#status", &format!("Tower {tower} on space"))
            .await?;
        // Nothing is refused, nothing is confirmed yet.
        assert!(!browser.has(".why, #confirm, .dialog").await?);
        let lit = format!(".card-slot.lit .card[data-card='{card}']");
        assert!(browser.has(&lit).await?, "{card} is not lit");
        let dim = format!(".card-slot.dim .card[data-card='{idle}']");
        assert!(browser.has(&dim).await?, "{idle} is not dimmed");
        press(&browser, finger, &format!(".card[data-card='{card}']")).await?;
        play::expect_text(&browser, "#confirm", &format!("Move tower {tower}")).await?;
        browser
            .wait_text(".preview", &format!("Tower {tower} lands on space"))
            .await?;
        let decision = play::decision(&browser).await?.expect("it is Ann's");
        press(&browser, finger, "#confirm").await?;
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

/// Plays on until something that another player does waits for the next step.
async fn pause_others(browser: &Browser) -> WebDriverResult<()> {
    let begun = std::time::Instant::now();
    let pause = "const b = document.querySelector('#pause'); b?.click(); return !!b";
    let mut is_paused = false;
    while !browser.has("#next-step:not(:disabled)").await? {
        if play::look(browser).await? == Some(Moment::Decide) {
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

/// Looking is always allowed: spells, piles, die, castle, stacks and players are explained, in one's own turn and in those of others.
#[tokio::test]
async fn everything_can_be_looked_at_at_any_time() -> WebDriverResult<()> {
    let server = Server::start();
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
        press(&browser, true, &format!(".wt-scene {thing}")).await?;
        browser.wait_text(".dialog", words).await?;
        assert!(!browser.has(".why").await?, "{thing}");
        keys(&browser, Key::Escape + "").await?;
        browser
            .wait_until("!document.querySelector('.dialog')")
            .await?;
    }
    press(&browser, true, ".player[data-seat='1']").await?;
    browser.wait_text(".dialog", "wizards home").await?;
    browser.click(".dialog .round").await?;
    // In the turn of another: the show is paused so that it stays that turn.
    pause_others(&browser).await?;
    press(&browser, true, ".wt-scene [data-castle]").await?;
    browser.wait_text(".dialog", "It stands on space").await?;
    browser.close().await;
    Ok(())
}

/// What others do can be paused, shown step by step, skipped, and shown again.
#[tokio::test]
async fn the_show_is_paused_stepped_skipped_and_repeated() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, SLOW).await?;
    let plan = Plan::against_bots("Ann", 1, BotLevel::Novice);
    let position = Position::start(&plan, &Hex([4; 32]));
    browser.open_position(&position).await?;
    pause_others(&browser).await?;
    browser.wait_text("#status", "Paused").await?;
    let lines = "document.querySelectorAll('.log-panel li').length";
    // Nothing moves on by itself: several frames later all is as it was.
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
    // The last turn again, and back to the decision.
    browser.wait_for("#replay:not(:disabled)").await?;
    browser.click("#replay").await?;
    browser.wait_for(".prompt:not(.mine)").await?;
    browser.click("#skip").await?;
    browser.wait_for(".prompt.mine").await?;
    browser.close().await;
    Ok(())
}

/// Two quick presses on the button are one action, with mouse and finger; the second one does not hit what comes to lie there.
#[tokio::test]
async fn two_quick_presses_are_one_action() -> WebDriverResult<()> {
    let server = Server::start();
    for finger in [false, true] {
        let size = if finger { Size::Phone } else { Size::Desktop };
        let browser = Browser::open(&server.url, size, QUICK).await?;
        if finger {
            pointer::phone(&browser, 390, 844).await?;
        }
        let (mut position, tower, card, _) = tower_alone();
        browser.open_position(&position).await?;
        press(&browser, finger, &format!(".card[data-card='{card}']")).await?;
        press(
            &browser,
            finger,
            &format!(".wt-scene [data-tower='{tower}']"),
        )
        .await?;
        browser.wait_for("#confirm").await?;
        let at = middle(&browser, "#confirm").await?;
        pointer::double(&browser, finger, at).await?;
        let action = format!("{card}:t{tower}").parse().expect("an action");
        let told = position.act_and_tell(action);
        act::expect_log(&browser, &told).await?;
        // The next decision is open and nothing is chosen for it.
        let next = position.model().decision();
        if position.is_for_a_person() {
            assert_eq!(play::decision(&browser).await?, next);
            assert!(!browser.has("#confirm, .dialog, .why").await?);
        }
        browser.close().await;
    }
    Ok(())
}

/// A mouse over a card lights what it can move; over a piece it shows where that would land, and nothing is chosen.
#[tokio::test]
async fn a_mouse_shows_what_a_click_would_do() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let (position, tower, card, _) = tower_alone();
    browser.open_position(&position).await?;
    let over = middle(&browser, &format!(".card[data-card='{card}']")).await?;
    pointer::hover(&browser, over).await?;
    browser
        .wait_for(&format!(".wt-scene [data-tower='{tower}'].wt-legal"))
        .await?;
    pointer::click(&browser, "mouse", over).await?;
    let piece = middle(&browser, &format!(".wt-scene [data-tower='{tower}']")).await?;
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

/// A partner at the same device gets it handed over, offers a card, and it goes back (R12.2).
#[tokio::test]
async fn a_partner_takes_the_device_and_offers_a_card() -> WebDriverResult<()> {
    let server = Server::start();
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
    // It stays with the partner, who may hand it back.
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

/// The keys for an action: a card by its number, a tower by its letter or the arrows, Enter.
fn keys_for(model: &Model, action: Action) -> Option<String> {
    let hand = model.shown.hand.clone().unwrap_or_default();
    let number = |card| hand.iter().position(|c| *c == card).map(|i| i + 1);
    match action {
        Action::Play(card, Move::Tower(tower)) => Some(format!(
            "{}{}",
            number(card)?,
            tower.letter().to_ascii_lowercase()
        )),
        _ => None,
    }
}

/// The focus is at the target with this code: arrows lead there.
async fn walk_to(browser: &Browser, code: &str) -> WebDriverResult<()> {
    let there = format!(
        "return document.activeElement?.dataset.pick === '{code}' && document.activeElement.getAttribute('aria-pressed') === 'true'"
    );
    for _ in 0..40 {
        if browser.run(&there).await? == true {
            return Ok(());
        }
        keys(browser, Key::Right + "").await?;
    }
    panic!("arrows do not lead to {code}");
}

/// Presses Enter, and once more if a first one has only picked something.
async fn enter(browser: &Browser, decision: u64) -> WebDriverResult<()> {
    browser
        .wait_until("document.querySelector('#confirm')")
        .await?;
    keys(browser, Key::Enter + "").await?;
    play::carried_out(browser, decision).await
}

/// A whole game with nothing but keys: numbers, letters, arrows, Enter; buttons without a key of their own by Tab.
#[tokio::test]
async fn a_whole_game_by_keyboard() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let plan = Plan::solo("Ann", false);
    let mut position = Position::start(&plan, &of_name(SHORT_SOLO));
    browser.open_position(&position).await?;
    let mut used: HashMap<&str, usize> = HashMap::new();
    for n in 0..400 {
        if position.seat().is_none() {
            break;
        }
        let action = position.advised();
        let model = position.model();
        let decision = play::decision(&browser).await?.expect("a decision is open");
        let hand = model.shown.hand.clone().unwrap_or_default();
        match action {
            Action::Play(card, how) => {
                let number = hand.iter().position(|c| *c == card).expect("it is held") + 1;
                match (how, keys_for(&model, action)) {
                    (Move::Tower(_), Some(both)) if n % 2 == 0 => {
                        *used.entry("letter").or_default() += 1;
                        keys(&browser, both.as_str()).await?;
                    }
                    (Move::Tower(tower), _) => {
                        *used.entry("arrow").or_default() += 1;
                        keys(&browser, number.to_string().as_str()).await?;
                        browser.wait_for(".target:focus").await?;
                        walk_to(&browser, &format!("t{}", tower.letter())).await?;
                    }
                    (Move::Wizard { from, .. }, _) => {
                        *used.entry("arrow").or_default() += 1;
                        keys(&browser, number.to_string().as_str()).await?;
                        // After a card the focus is at the first target.
                        browser.wait_for(".target:focus").await?;
                        let own = model.own_colour().letter();
                        walk_to(&browser, &format!("w{}{own}", from.number())).await?;
                    }
                    (Move::Nothing, _) => {
                        keys(&browser, number.to_string().as_str()).await?;
                    }
                }
                enter(&browser, decision).await?;
            }
            Action::Roll(card) => {
                let number = hand.iter().position(|c| *c == card).expect("it is held") + 1;
                keys(&browser, number.to_string().as_str()).await?;
                enter(&browser, decision).await?;
            }
            Action::Accept(how) => {
                match how {
                    Move::Tower(tower) => {
                        let letter = tower.letter().to_ascii_lowercase().to_string();
                        keys(&browser, letter.as_str()).await?;
                    }
                    Move::Wizard { from, .. } => {
                        let own = model.own_colour().letter();
                        walk_to(&browser, &format!("w{}{own}", from.number())).await?;
                    }
                    Move::Nothing => {}
                }
                enter(&browser, decision).await?;
            }
            other => {
                // The other buttons come after the pieces in the order of Tab.
                let intent = match other {
                    Action::Reroll => "reroll",
                    Action::Refresh(_) | Action::RefreshFirst => "refresh",
                    _ => "end",
                };
                tab_to(&browser, &format!("[data-intent='{intent}']")).await?;
                keys(&browser, Key::Enter + "").await?;
                if let Action::Refresh(tower) = other {
                    if let Some(tower) = tower {
                        let letter = tower.letter().to_ascii_lowercase().to_string();
                        keys(&browser, letter.as_str()).await?;
                    } else {
                        browser.wait_for(".loose button").await?;
                        tab_to(&browser, ".loose button").await?;
                        keys(&browser, Key::Enter + "").await?;
                    }
                    enter(&browser, decision).await?;
                } else if matches!(other, Action::RefreshFirst) {
                    enter(&browser, decision).await?;
                }
                play::carried_out(&browser, decision).await?;
            }
        }
        position.act(action);
        play::wait(&browser).await?;
    }
    assert_eq!(play::wait(&browser).await?, Moment::Over);
    assert!(used["letter"] > 1 && used["arrow"] > 3, "{used:?}");
    let result = position.result().expect("the game is over");
    browser.wait_text("#over-title", &result).await?;
    browser.close().await;
    Ok(())
}

async fn tab_to(browser: &Browser, selector: &str) -> WebDriverResult<()> {
    let there = format!("return !!document.activeElement?.matches(`{selector}`)");
    for _ in 0..60 {
        if browser.run(&there).await? == true {
            return Ok(());
        }
        keys(browser, Key::Tab + "").await?;
    }
    panic!("the Tab key does not lead to {selector}");
}

/// A button as assistive technology sees it: its name, and the node behind it.
struct Button {
    name: String,
    node: i64,
    disabled: bool,
}

/// The buttons of the accessibility tree.
async fn buttons(browser: &Browser) -> WebDriverResult<Vec<Button>> {
    let cdp = browser.driver.cdp();
    let tree: Value = cdp
        .send_raw("Accessibility.getFullAXTree", json!({}))
        .await?;
    let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
    let is_button = |n: &Value| n["role"]["value"] == "button" && n["ignored"] != true;
    let disabled = |n: &Value| {
        let list = n["properties"].as_array().cloned().unwrap_or_default();
        list.iter()
            .any(|p| p["name"] == "disabled" && p["value"]["value"] == true)
    };
    Ok(nodes
        .iter()
        .filter(|n| is_button(n))
        .map(|n| Button {
            name: n["name"]["value"].as_str().unwrap_or_default().to_string(),
            node: n["backendDOMNodeId"].as_i64().unwrap_or_default(),
            disabled: disabled(n),
        })
        .collect())
}

/// Presses the button with this name, or one whose name begins with it and goes on in another sentence.
async fn press_named(browser: &Browser, name: &str) -> WebDriverResult<()> {
    let begun = std::time::Instant::now();
    loop {
        let all = buttons(browser).await?;
        let bare = |b: &Button| b.name.trim_start_matches(['↻', '↺', ' ']).to_string();
        let found = all.iter().find(|b| {
            let heard = bare(b);
            !b.disabled && (heard == name || heard.starts_with(&format!("{name}.")))
        });
        if let Some(button) = found {
            let cdp = browser.driver.cdp();
            let object = cdp
                .send_raw("DOM.resolveNode", json!({"backendNodeId": button.node}))
                .await?;
            let call = json!({"objectId": object["object"]["objectId"], "functionDeclaration": "function() { this.click() }"});
            cdp.send_raw("Runtime.callFunctionOn", call).await?;
            return Ok(());
        }
        let names: Vec<_> = all.iter().map(|b| b.name.as_str()).collect();
        assert!(
            begun.elapsed() < towers_e2e::browser::PATIENCE,
            "no button is called {name:?}: {names:?}"
        );
    }
}

/// A whole game by what a screen reader says alone; names of cards and pieces are sentences with one full stop.
#[tokio::test]
async fn a_whole_game_by_accessible_names() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    let plan = Plan::solo("Ann", true);
    let mut position = Position::start(&plan, &of_name(SHORT_SOLO));
    browser.open_position(&position).await?;
    let labels = "return [...document.querySelectorAll('.target, .card')].map(e => e.getAttribute('aria-label'))";
    for _ in 0..400 {
        if position.seat().is_none() {
            break;
        }
        let action = position.advised();
        let decision = play::decision(&browser).await?.expect("a decision is open");
        let heard = browser.run(labels).await?;
        for label in heard
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            let one_mark = label.ends_with(['.', '!']) && !label.contains("..");
            assert!(one_mark && !label.contains('{'), "{label:?}");
        }
        for step in act::steps(&position.model(), action) {
            press_named(&browser, &step.name).await?;
        }
        play::carried_out(&browser, decision).await?;
        position.act(action);
        play::wait(&browser).await?;
    }
    let result = position.result().expect("the game is over");
    browser.wait_text("#over-title", &result).await?;
    browser.close().await;
    Ok(())
}
