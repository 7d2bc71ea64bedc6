//! The log, with a recap of the events since the viewer's last turn.

use leptos::prelude::*;
use towers_art::geometry::Rect;
use towers_client::Model;
use towers_client::explain::team;
use towers_client::model::Line;
use towers_client::motion::Motion;
use towers_rules::Seat;

use super::board::Pointed;
use super::{Drawer, placed};
use crate::context::cx;
use crate::parts::Dialog;
use crate::session::Session;

/// The icon of a motion.
fn sign(motion: Motion) -> &'static str {
    match motion {
        Motion::Wizard { home: true, .. } => "★",
        Motion::Wizard { .. } => "▲",
        Motion::Tower { .. } => "♜",
        Motion::Swap { .. } => "⇄",
        Motion::Castle { .. } => "♚",
        Motion::Roll { .. } => "⚄",
        Motion::Card { .. } | Motion::Refresh => "▤",
        Motion::Freed => "△",
        Motion::Flask { .. } => "⚗",
        Motion::Spell { .. } => "✦",
        // The chains of Unicode are an emoji, which some fonts lack and others show in colours.
        Motion::Imprison { .. } => "▦",
        Motion::Peek { .. } => "◉",
        Motion::Turn { .. } | Motion::Over | Motion::None => "",
    }
}

/// The log beside the board, newest turn first. A hovered line is shown on the board.
#[component]
pub fn LogPanel(
    session: Session,
    pointed: RwSignal<Option<Pointed>>,
    place: Signal<Rect>,
) -> impl IntoView {
    let cx = cx();
    let turns = move || {
        session.model.with(|m| {
            let colour = |seat: Option<Seat>| {
                let player = seat.and_then(|s| m.shown.players.get(s.index()));
                player.map(|p| p.colour)
            };
            let row = |line: &Line| {
                let mover = colour(line.whose);
                let shown = line.motion.trail().map(|trail| Pointed { trail, mover });
                let class = if line.turn.is_some() { "turn" } else { "" };
                view! {
                    <li
                        class=class
                        class:shown=shown.is_some()
                        on:pointerenter=move |_| pointed.set(shown)
                        on:pointerleave=move |_| pointed.set(None)
                    >
                        <i aria-hidden="true">{sign(line.motion)}</i>
                        {cx.say(&line.message)}
                    </li>
                }
            };
            let turn = |lines: &[Line]| {
                let letter = colour(lines.first().and_then(|l| l.whose))
                    .map_or('b', towers_rules::Colour::letter);
                let whose = lines.first().and_then(|l| l.whose);
                let team = whose.and_then(|seat| team(&m.shown, seat));
                let team = team.map_or(String::new(), |team| format!(" team-line-{team}"));
                let class = format!("lines wt-{letter}{team}");
                view! { <ul class=class>{lines.iter().map(row).collect_view()}</ul> }
            };
            m.turns().take(30).map(turn).collect_view()
        })
    };
    view! {
        <section class="log-panel panel" use:placed=place aria-label=cx.text("log.title") tabindex="0">
            <h2>{cx.text("log.title")}</h2>
            {move || turns()}
        </section>
    }
}

/// The log in words.
#[component]
pub fn LogDrawer(session: Session, drawer: RwSignal<Drawer>) -> impl IntoView {
    let cx = cx();
    let row = move |line: &Line| {
        let text = cx.say(&line.message);
        let class = if line.turn.is_some() { "turn" } else { "" };
        let team = line
            .whose
            .and_then(|seat| session.model.with(|m| team(&m.shown, seat)));
        let team = team.map_or(String::new(), |team| format!(" team-line-{team}"));
        view! { <li class=format!("{class}{team}")>{text}</li> }
    };
    let recap = move || {
        session
            .model
            .with(|m| m.recap().iter().map(row).collect_view())
    };
    // The last turns, newest first.
    let all = move || {
        let turn = move |lines: &[Line]| lines.iter().map(row).collect_view();
        session
            .model
            .with(|m| m.turns().take(60).map(turn).collect_view())
    };
    view! {
        <Dialog title=cx.text("log.title") close=move || drawer.set(Drawer::None)>
            <h3>{cx.text("log.recap")}</h3>
            <ul class="lines recap">{move || recap()}</ul>
            <button class="plain" disabled=move || !session.model.with(Model::can_replay) on:click=move |_| {
                drawer.set(Drawer::None);
                session.replay();
            }>{cx.text("tool.replay")}</button>
            <h3>{cx.text("log.all")}</h3>
            <ul class="lines" id="log-lines">{move || all()}</ul>
        </Dialog>
    }
}
