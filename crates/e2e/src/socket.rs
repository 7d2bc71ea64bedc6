//! Plays through a socket of the page: quickly, with the person of its cookie, while the page follows.

use std::time::Instant;

use serde_json::json;
use thirtyfour::prelude::*;
use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_table::{PROTOCOL, Stage, TableView};

use crate::Browser;
use crate::browser::{PATIENCE, PAUSE};

/// Connects to a table once per page, and keeps the latest view.
const CONNECT: &str = "const table = TABLE;
    if (window.towersSocket?.table === table) return;
    const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/socket`);
    const send = message => socket.send(JSON.stringify(message));
    const look = () => send({ type: 'view' });
    window.towersSocket = { table, view: null, act: (action, decision) => {
        window.towersSocket.view = null;
        send({ type: 'do', id: 1, do: { command: 'act', action, decision } });
    } };
    socket.onopen = () => send({ type: 'hello', protocol: PROTOCOL });
    socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === 'view') window.towersSocket.view = data;
        else if (['happened', 'accepted', 'rejected'].includes(message.type)) look();
    };";

/// The latest view of a table; `None` while it is on its way.
async fn view(browser: &Browser, table: &str) -> WebDriverResult<Option<TableView>> {
    let connect = CONNECT
        .replace("TABLE", &json!(table).to_string())
        .replace("PROTOCOL", &PROTOCOL.to_string());
    browser.run(&connect).await?;
    let text = browser.run("return window.towersSocket.view").await?;
    let text = text.as_str();
    Ok(text.map(|text| serde_json::from_str(text).expect("the server sends views")))
}

/// Plays the game with this number to its end, each person like a bot. Returns the table afterwards.
pub async fn play_game(
    players: &[(&Browser, Strength)],
    table: &str,
    game: u32,
) -> WebDriverResult<TableView> {
    let mut last = Instant::now();
    loop {
        for (browser, strength) in players {
            let Some(view) = view(browser, table).await? else {
                continue;
            };
            if view.stage == Stage::Over && view.games == game {
                return Ok(view);
            }
            let (Some(now), Some(seat)) = (&view.game, view.you.seat) else {
                continue;
            };
            let Some(decision) = now.waiting.as_ref().map(|waiting| waiting.decision) else {
                continue;
            };
            if now.legal.is_empty() {
                continue;
            }
            let mut bot = Bot::new(*strength, seat, decision, &now.view);
            let action = bot.act(&now.view, Budget::Iterations(1), &NoClock);
            let action = action.expect("it is this player's decision");
            let act = format!("window.towersSocket.act({}, {decision})", json!(action));
            browser.run(&act).await?;
            last = Instant::now();
        }
        assert!(last.elapsed() < PATIENCE, "nobody can act");
        tokio::time::sleep(PAUSE).await;
    }
}
