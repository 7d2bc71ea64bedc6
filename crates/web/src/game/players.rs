//! The players around the board.

use leptos::prelude::*;
use towers_art::pieces::{FlaskState, flask, hat, icon, wizard};
use towers_client::explain::{Thing, all_wizards, team};
use towers_client::target;
use towers_client::words::say;
use towers_rules::{Flasks, Mode, Seat, View};
use towers_table::Taken;

use crate::context::cx;
use crate::device::page::px;
use crate::session::Session;

/// The seats, beginning with the viewer's.
fn order(view: &View, me: Option<Seat>) -> Vec<Seat> {
    let n = view.players.len() as u8;
    let first = me.map_or(0, |s| s.0);
    (0..n).map(|i| Seat((first + i) % n)).collect()
}

fn flask_states(flasks: Flasks) -> impl Iterator<Item = FlaskState> {
    let some = |state: FlaskState, n: u8| std::iter::repeat_n(state, n.into());
    some(FlaskState::Full, flasks.full)
        .chain(some(FlaskState::Empty, flasks.empty))
        .chain(some(FlaskState::Spent, flasks.spent))
}

/// The picture of a panel: the player, wizards at home, flasks.
pub fn picture(view: &View, seat: Seat, small: bool) -> String {
    let player = &view.players[seat.index()];
    let colour = player.colour;
    let all = all_wizards(view);
    let count = f64::from(player.flasks.full + player.flasks.empty + player.flasks.spent);
    let piece = if view.options.mode == Mode::Versus {
        player.colour
    } else {
        towers_rules::Colour::Blue
    };
    if small {
        let step = (84.0 / count.max(1.0)).min(14.0);
        let flasks: String = flask_states(player.flasks)
            .enumerate()
            .map(|(i, f)| flask(piece, f, 36.0 + step * i as f64, 34.0, 0.46))
            .collect();
        let home = format!(
            r#"<text class="tally" x="46" y="18">{}/{all}</text>"#,
            player.home
        );
        let width = (32.0 + step * count).max(66.0);
        return icon(
            "",
            &format!("0 0 {width} 46"),
            &(wizard(colour, 13.0, 43.0, 0.58) + &home + &flasks),
        );
    }
    let step = (150.0 / count.max(1.0)).min(21.0);
    let flasks: String = flask_states(player.flasks)
        .enumerate()
        .map(|(i, f)| flask(piece, f, 62.0 + step * i as f64, 34.0, 0.56))
        .collect();
    let hats: String = if all <= 6 {
        (0..all)
            .map(|i| {
                let class = if i < player.home { "" } else { "away" };
                format!(
                    r#"<g class="{class}">{}</g>"#,
                    hat(piece, 58.0 + 17.0 * f64::from(i), 15.0, 0.42)
                )
            })
            .collect()
    } else {
        hat(piece, 58.0, 15.0, 0.42)
            + &format!(
                r#"<text class="tally" x="92" y="16">{}/{all}</text>"#,
                player.home
            )
    };
    // As narrow as possible: on a phone the panel's width limits the size of the picture.
    let width = (78.0 + step * (count - 1.0)).max(60.0 + 17.0 * f64::from(all.min(6)));
    icon(
        "",
        &format!("0 3 {width} 46"),
        &(wizard(colour, 20.0, 46.0, 0.6) + &hats + &flasks),
    )
}

#[component]
pub fn Players(session: Session, layout: Memo<towers_art::Layout>) -> impl IntoView {
    let cx = cx();
    let seats = Memo::new(move |_| session.model.with(|m| order(&m.shown, m.me())));
    let panel = move |(place, seat): (usize, Seat)| {
        let small = move || cx.size.with(|(w, h)| w < h) && seats.with(Vec::len) > 3;
        let rect = move || layout.with(|l| l.seats(seats.with(Vec::len))[place].panel);
        let active = move || {
            session
                .model
                .with(|m| m.shown.turn.active == seat && m.shown.outcome.is_none())
        };
        // A viewer without a name is called "you", not "Guest".
        let name = move || {
            let (name, is_reader) = session
                .model
                .with(|m| (m.names.of(seat), m.names.is_reader(seat)));
            if is_reader && name == cx.t("name.guest") {
                cx.t("name.you")
            } else {
                name
            }
        };
        let about = move || {
            session.model.with(|m| {
                let p = &m.shown.players[seat.index()];
                let message = say("player.label")
                    .with("who", name())
                    .with("colour", towers_client::labels::colour(p.colour))
                    .with("home", p.home)
                    .with("all", all_wizards(&m.shown))
                    .with("full", p.flasks.full)
                    .with("empty", p.flasks.empty)
                    .with("spent", p.flasks.spent)
                    .with("cards", p.cards);
                target::sentences(&[cx.say(&message)])
            })
        };
        // Online: mark players who are not connected.
        let gone = move || {
            let room = session.room()?;
            let person = session.model.with(|m| {
                let taken = m.table.seats.get(seat.index()).map(|s| s.taken.clone());
                matches!(taken, Some(Taken::Person { .. }))
            });
            let here = room
                .presence
                .with(|(seats, _)| seats.get(seat.index()) == Some(&true));
            Some(person && !here)
        };
        let emote = move || {
            let (person, emote) = session.room()?.emote.get()?;
            let here = session.model.with(|m| {
                let taken = m.table.seats.get(seat.index()).map(|s| s.taken.clone());
                matches!(taken, Some(Taken::Person { person: p, .. }) if p == person)
            });
            let (sign, key) = crate::talk::sign(emote);
            let picture = towers_art::pieces::sign(sign);
            here.then(|| {
                view! { <span class="said panel"><span aria-hidden="true" inner_html=picture></span>{cx.t(key)}</span> }
            })
        };
        let team_of = move |m: &towers_client::Model| team(&m.shown, seat);
        let partner = move || {
            session.model.with(|m| {
                let mine = m.me().filter(|me| *me != seat)?;
                let ours = team(&m.shown, mine).is_some_and(|t| team_of(m) == Some(t));
                ours.then(|| cx.t("player.partner"))
            })
        };
        let thinks = move || session.thinking.get() == Some(seat);
        let role = move || {
            session.model.with(
                |m| match m.table.seats.get(seat.index()).map(|s| s.taken.clone()) {
                    Some(Taken::Bot { level }) => cx.t(towers_client::labels::level_key(level)),
                    // The name alone does not tell whose panel it is.
                    _ if m.names.is_reader(seat) && name() != cx.t("name.you") => cx.t("name.you"),
                    _ => String::new(),
                },
            )
        };
        view! {
            <li
                class="player panel"
                class:active=move || active()
                class:small=move || small()
                class:thinks=move || thinks()
                class:team-one=move || session.model.with(team_of) == Some(0)
                class:team-two=move || session.model.with(team_of) == Some(1)
                class:team-three=move || session.model.with(team_of) == Some(2)
                class:gone=move || gone() == Some(true)
                data-seat=seat.0.to_string()
                style:left=move || px(rect().x)
                style:top=move || px(rect().y)
                style:width=move || px(rect().w)
                style:height=move || px(rect().h)
                on:click=move |_| session.look_at(Thing::Player(seat))
            >
                <span class="unseen">{move || about()}</span>
                <span class="name" aria-hidden="true">{move || name()}" "<small>{move || role()}</small>{move || partner().map(|text| view! { <small class="partner">"⚭ "{text}</small> })}</span>
                <span class="look" aria-hidden="true" inner_html=move || session.model.with(|m| picture(&m.shown, seat, small()))></span>
                {emote}
            </li>
        }
    };
    let places = move || -> Vec<(usize, Seat)> { seats.get().into_iter().enumerate().collect() };
    view! {
        <section class="players" aria-label=cx.text("player.title")>
            <ul>
                <For each=places key=|place| *place children=panel/>
            </ul>
        </section>
    }
}
