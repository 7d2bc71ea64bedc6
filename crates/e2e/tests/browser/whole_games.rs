//! Whole games without a pointer: by keyboard, and by accessible names.

use std::collections::HashMap;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_client::seed::of_name;
use towers_client::{Model, Plan};
use towers_e2e::play::{self, Moment};
use towers_e2e::position::SHORT_SOLO;
use towers_e2e::{Browser, Position, Size, TowersProcess, act};
use towers_rules::{Action, Move};

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

async fn keys(browser: &Browser, keys: impl Into<TypingData>) -> WebDriverResult<()> {
    let chain = browser.driver.action_chain().send_keys(keys.into());
    chain.perform().await
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

/// Moves the focus to the target with this code by arrow keys.
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

/// Waits for the confirm button and presses Enter.
async fn enter(browser: &Browser, decision: u64) -> WebDriverResult<()> {
    browser
        .wait_until("document.querySelector('#confirm')")
        .await?;
    keys(browser, Key::Enter + "").await?;
    play::carried_out(browser, decision).await
}

/// A whole game by keyboard: numbers, letters, arrows and Enter; buttons without a key by Tab.
#[tokio::test]
async fn a_whole_game_by_keyboard() -> WebDriverResult<()> {
    let server = TowersProcess::start();
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
                        // After choosing a card, the focus is on the first target.
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
                // The other buttons come after the pieces in Tab order.
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

/// A button as assistive technology sees it: its name and its node.
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

/// Presses the button whose name is this text, or starts with it and continues with another sentence.
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

/// A whole game by accessible names alone; names of cards and pieces are sentences with one full stop.
#[tokio::test]
async fn a_whole_game_by_accessible_names() -> WebDriverResult<()> {
    let server = TowersProcess::start();
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
