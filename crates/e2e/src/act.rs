//! Carries out a given action through the page: card, spell or button, then pieces, then the confirm button.

use std::time::Instant;

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::choice::parts;
use towers_client::words::say;
use towers_client::{Intent, Language, Message, Model, Pick, Words, labels, target};
use towers_rules::{Action, Spell};

use crate::browser::PATIENCE;
use crate::play::{self, Moment};
use crate::{Browser, Position};

/// Carries out an action in the browser and in the native position, and compares the logs of both. Returns the log
/// lines.
pub async fn act(
    browser: &Browser,
    position: &mut Position,
    action: Action,
) -> WebDriverResult<Vec<String>> {
    choose(browser, &position.model(), action).await?;
    let told = position.act_and_tell(action);
    play::uncover(browser).await?;
    expect_log(browser, &told).await?;
    Ok(told)
}

/// Waits until the log contains all these lines.
pub async fn expect_log(browser: &Browser, lines: &[String]) -> WebDriverResult<()> {
    let begun = Instant::now();
    loop {
        let log = play::log(browser).await?;
        let Some(missing) = lines.iter().find(|line| !log.contains(line.as_str())) else {
            return Ok(());
        };
        assert!(
            begun.elapsed() < PATIENCE,
            "{missing:?} is not in the log: {log}"
        );
    }
}

/// A step of an action: an element to click or press.
#[derive(Clone, Debug)]
pub struct PageStep {
    /// An expression of the page that finds it, once it exists.
    pub find: String,
    /// Its accessible name; another sentence may follow.
    pub name: String,
}

impl PageStep {
    fn css(selector: &str, name: &Message) -> PageStep {
        PageStep {
            find: format!("document.querySelector({})", json!(selector)),
            name: in_english(name),
        }
    }

    fn named(selector: &str, name: &Message) -> PageStep {
        let name = in_english(name);
        let find = format!(
            "[...document.querySelectorAll({})].find(e => {{
               const name = (e.getAttribute('aria-label') ?? e.textContent).replace(/^[↻↺] /, '');
               return name === {text} || name.startsWith({text} + '.') }})",
            json!(selector),
            text = json!(name)
        );
        PageStep { find, name }
    }
}

fn in_english(message: &Message) -> String {
    Words::of(Language::English).say(message)
}

/// The steps of an action: card, spell or button, then pieces, then a variant, then the confirm button.
pub fn steps(model: &Model, action: Action) -> Vec<PageStep> {
    let (intent, picks) = parts(action, model.own_colour());
    let mut choice = model.choice.clone();
    let mut steps = Vec::new();
    if choice.intent() != Some(intent) {
        choice.begin(intent);
        steps.push(begin(model, intent));
    }
    for pick in picks {
        if choice.picks().contains(&pick) {
            continue;
        }
        assert!(choice.pick(pick), "{pick:?} can be picked for {action}");
        steps.push(match pick {
            Pick::Card(card) => begin(model, Intent::Card(card)),
            _ => PageStep::named(".target, .loose button", &target::label(&model.shown, pick)),
        });
    }
    if choice.variants().len() > 1 {
        steps.push(PageStep::named(
            ".variants button",
            &labels::variant(action),
        ));
    }
    let at_once = [
        Intent::Reroll,
        Intent::End,
        Intent::Pass,
        Intent::Done,
        Intent::Ask,
        Intent::Accept,
        Intent::Decline,
    ];
    if !at_once.contains(&intent) {
        steps.push(PageStep::css("#confirm", &labels::confirm(action)));
    }
    steps
}

/// Chooses and confirms an action by clicks, as the player to act.
pub async fn choose(browser: &Browser, model: &Model, action: Action) -> WebDriverResult<()> {
    for PageStep { find, name } in steps(model, action) {
        let script =
            format!("const e = {find}; if (!e || e.disabled) return false; e.click(); return true");
        browser
            .click_by(&script, &format!("{name} does not appear"))
            .await?;
    }
    Ok(())
}

/// The first step of an intent.
fn begin(model: &Model, intent: Intent) -> PageStep {
    let button = |code: &str, key| PageStep::css(&format!("[data-intent='{code}']"), &say(key));
    let claim = |what: &str, spell: Spell, key| {
        let name = say(key).with("spell", labels::spell(spell));
        PageStep::css(&format!("[data-intent='{what} {}']", spell.code()), &name)
    };
    match intent {
        Intent::Card(card) => {
            let selector = format!(r#".card[data-card="{card}"]:not(:disabled)"#);
            PageStep::css(&selector, &labels::card(card))
        }
        Intent::Spell(spell) => claim("cast", spell, "act.cast"),
        Intent::Before(spell) => claim("before", spell, "act.before"),
        Intent::After(spell) => claim("after", spell, "act.after"),
        Intent::Reroll => PageStep::css(
            "[data-intent='reroll']",
            &say("act.reroll").with("n", model.shown.turn.rolls_left),
        ),
        Intent::Refresh => button("refresh", "act.refresh"),
        Intent::With => button("with", "act.with"),
        Intent::More => button("more", "act.more"),
        Intent::End => button("end", "act.end"),
        Intent::Pass => button("pass", "act.pass"),
        Intent::Done => button("done", "act.done"),
        Intent::Ask => button("ask", "act.ask"),
        Intent::Offer => button("offer", "act.offer"),
        Intent::Accept => button("accept", "act.accept"),
        Intent::Decline => button("decline", "act.decline"),
        Intent::Give => button("give", "act.give"),
        Intent::Roll | Intent::Return => unreachable!("the page begins it by itself"),
    }
}

/// Loads a position and hands the device to the player to act.
pub async fn open(browser: &Browser, position: &Position) -> WebDriverResult<()> {
    browser.keep_only(&position.kept()).await?;
    // Go through the first page, so that no part of another game stays on the screen.
    browser.run("location.hash = ''").await?;
    browser.wait_for("#play-now").await?;
    let address = format!("location.hash = 'game/{}'", position.id());
    browser.run(&address).await?;
    let moment = play::uncover(browser).await?;
    let over = position.seat().is_none();
    assert_eq!(moment == Moment::Over, over, "{}", position.id());
    Ok(())
}
