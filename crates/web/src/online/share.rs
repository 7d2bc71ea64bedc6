//! The link to a table as text and as a QR code.

use std::fmt::Write as _;

use leptos::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};

use towers_client::Route;

use crate::context::cx;
use crate::parts::ShareButton;
use crate::session::Room;

/// A link as a QR code.
pub fn code(link: &str) -> String {
    let Ok(code) = QrCode::encode_text(link, QrCodeEcc::Medium) else {
        return String::new();
    };
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        for x in 0..size {
            if code.get_module(x, y) {
                let _ = write!(path, "M{} {}h1v1h-1z", x + 4, y + 4);
            }
        }
    }
    let side = size + 8;
    format!(
        r##"<svg viewBox="0 0 {side} {side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path fill="#1d1430" d="{path}"/></svg>"##
    )
}

#[component]
pub fn Share(room: Room) -> impl IntoView {
    let cx = cx();
    let link = room.link();
    let picture = code(&link);
    view! {
        <section class="share" aria-labelledby="share-title">
            <h2 id="share-title">{cx.text("room.share")}</h2>
            <p class="about">{cx.text("room.share_about")}</p>
            <ShareButton id="copy-link" class="plain" copy="room.copy" text=move |()| room.link()/>
            <div class="qr" role="img" aria-label=cx.text("room.qr") inner_html=picture></div>
            <p class="link" id="link">{link}</p>
            <Show when=move || !room.is_board>
                <p class="about">{cx.text("board_view.offer")}</p>
                <a class="button" id="board-view" href=Route::Board(room.id()).href() target="_blank" rel="noopener">{cx.text("board_view.open")}</a>
            </Show>
        </section>
    }
}
