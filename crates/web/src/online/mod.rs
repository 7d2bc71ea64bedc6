//! Tables on a server.

mod call;
mod chat;
mod http;
mod lobby;
mod mine;
mod room;
mod seats;
mod share;
mod socket;
mod state;

pub use chat::{ChatDrawer, sign};
pub use lobby::LobbyScreen;
pub use mine::Mine;
pub use room::TableScreen;
pub use seats::SeatList;
pub use state::{Connection, Online};

use client::Plan;
use client::lobby::{Opened, Opening};

use crate::context::Cx;
use crate::device::page;
use crate::device::storage::shelf;

/// Opens a table on the server, and goes there.
pub fn open(cx: Cx, plan: Plan) {
    cx.failed.set(None);
    let opening = Opening {
        name: cx.my_name(),
        settings: plan.settings.clone(),
    };
    leptos::task::spawn_local(async move {
        match http::post::<Opened>("/api/tables", &opening).await {
            Ok(opened) => {
                shelf().keep_table(client::MyTable {
                    table: opened.table.clone(),
                    token: opened.token,
                    at: page::now(),
                    seat: None,
                });
                cx.visit(&opened.table, Some(plan));
            }
            Err(why) if why.is_empty() => cx.failed.set(Some(cx.t("lobby.offline"))),
            Err(why) => cx.failed.set(Some(why)),
        }
    });
}
