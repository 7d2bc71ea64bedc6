//! Deterministic games at one device, played natively and stored as a browser stores them.

use std::collections::BTreeMap;

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::{LocalTable, Need, Plan, SavedGame, Shelf};
use towers_e2e::Browser;
use towers_rules::{Action, Seat};
use towers_table::{ClientMessage, Command};

pub fn legal(local: &LocalTable, seat: Seat) -> Vec<Action> {
    let (view, _) = local.bot_view(seat, u64::MAX).expect("the seat is taken");
    let actions = view.legal_actions().expect("the seat is to act");
    actions.iter().collect()
}

/// Carries out an action of the seat to act.
pub fn act(local: &mut LocalTable, seat: Seat, action: Action) {
    if matches!(local.need(), Need::Bot { .. }) {
        let done = local.bot_acts(1, seat, action, None);
        done.expect("it is legal");
    } else {
        let command = Command::Act {
            action,
            decision: None,
        };
        local.send(1, ClientMessage::Do { id: 1, command });
    }
    while local.receive().is_some() {}
}

/// The browser's storage of a game, by key.
pub fn kept(id: &str, plan: &Plan, local: &LocalTable) -> BTreeMap<String, String> {
    let saved = SavedGame {
        id: id.into(),
        plan: plan.clone(),
        at: 1,
        round: 1,
        over: local.need() == Need::Nothing,
        result: None,
    };
    let mut shelf = Shelf(BTreeMap::new());
    shelf.keep(saved, local);
    shelf.0
}

/// Replaces the games stored in the browser by this one.
pub async fn put(browser: &Browser, kept: &BTreeMap<String, String>) -> WebDriverResult<()> {
    let script = format!(
        "for (const key of Object.keys(localStorage)) if (key.startsWith('towers.game')) localStorage.removeItem(key);
         for (const [name, text] of Object.entries({})) localStorage.setItem(name, text)",
        json!(kept)
    );
    browser.run(&script).await.map(|_| ())
}
