//! The statistics of a game: per player, and wizards home by round.

use std::fmt::Write as _;

use leptos::prelude::*;
use towers_art::N;
use towers_client::words::say;
use towers_rules::Mode;
use towers_study::statistics::{PlayerStatistics, Statistics};

use super::curve::{HEIGHT, WIDTH};
use super::replay::Viewing;
use crate::context::{Cx, cx};
use crate::device::worker;
use crate::parts::Dialog;

/// A row of the table: its text key, and its value for a player.
type NumberRow = (&'static str, fn(&PlayerStatistics) -> String);

fn signed(number: f32, tenths: bool) -> String {
    let count = (number * if tenths { 10.0 } else { 1.0 }).round() as i32;
    let sign = match count {
        0 => "",
        1.. => "+",
        _ => "−",
    };
    let size = count.unsigned_abs();
    if tenths {
        format!("{sign}{}.{}", size / 10, size % 10)
    } else {
        format!("{sign}{size}")
    }
}

/// The chart of wizards home by round.
fn chart(all: &Statistics, colours: &[towers_rules::Colour]) -> String {
    let most = all
        .players
        .iter()
        .filter_map(|p| p.home_by_round.last())
        .max();
    let most = (*most.unwrap_or(&1)).max(1);
    let level = |home: u8| HEIGHT - HEIGHT * f64::from(home) / f64::from(most);
    let (mut grid, mut numbers) = (String::new(), String::new());
    // The twelve wizards of a solo game are too close for a number each.
    let numbered = if most > 6 { 3 } else { 1 };
    for home in 0..=most {
        let y = level(home);
        let _ = write!(grid, "M0 {}H520", N(y));
        if home > 0 && (most - home) % numbered == 0 {
            let _ = write!(numbers, r#"<text y="{}">{home}</text>"#, N(y + 15.0));
        }
    }
    let rounds = f64::from(all.rounds.max(2) - 1);
    let lines: String = all
        .players
        .iter()
        .zip(colours)
        .enumerate()
        .map(|(i, (player, colour))| {
            // Slightly offset, so that no line hides another.
            let apart = 2.6 * i as f64;
            let points: Vec<String> = player
                .home_by_round
                .iter()
                .enumerate()
                .map(|(round, home)| {
                    let x = WIDTH * round as f64 / rounds;
                    format!("{},{}", N(x), N(level(*home) - apart))
                })
                .collect();
            format!(
                r#"<polyline class="line wt-{colour}" points="{}"/>"#,
                points.join(" ")
            )
        })
        .collect();
    format!(
        r#"<svg class="chart" viewBox="-6 -20 532 206" aria-hidden="true"><path class="grid" d="{grid}"/>{lines}{numbers}</svg>"#
    )
}

/// The statistics of a game.
#[component]
pub fn NumbersBox(
    viewing: Viewing,
    close: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let cx = cx();
    let counted = RwSignal::new(None);
    let replay = viewing.opened.with_value(|o| o.replay.clone());
    leptos::task::spawn_local(async move {
        let statistics = worker::statistics(replay).await;
        counted.try_set(Some(statistics));
    });
    let shown = move || {
        counted.with(|counted| match counted {
            None => view! { <p role="status">{cx.text("stats.counting")}</p> }.into_any(),
            Some(None) => view! { <p role="alert">{cx.text("stats.failed")}</p> }.into_any(),
            Some(Some(all)) => numbers(cx, viewing, all).into_any(),
        })
    };
    view! {
        <Dialog title=cx.text("stats.title") close>
            {shown}
        </Dialog>
    }
}

/// The chart and the table.
fn numbers(cx: Cx, viewing: Viewing, all: &Statistics) -> impl IntoView + use<> {
    let (versus, colours) = viewing.opened.with_value(|o| {
        let state = o.replay.state(0);
        let colours: Vec<_> = state.seats().map(|s| state.colour(s)).collect();
        (state.options().mode == Mode::Versus, colours)
    });
    let names = viewing.names();
    let heads = names.iter().cloned().zip(&colours).map(|(name, colour)| {
        let hat = towers_art::pieces::icon("", "-14 -36 28 40", &towers_art::pieces::wizard(*colour, 0.0, 0.0, 0.5));
        view! { <th scope="col"><span class="stat-hat" aria-hidden="true" inner_html=hat></span>{name}</th> }
    }).collect_view();
    let rows: [NumberRow; 10] = [
        ("stats.turns", |p| p.turns.to_string()),
        ("stats.imprisoned", |p| p.imprisoned.to_string()),
        ("stats.suffered", |p| p.suffered.to_string()),
        ("stats.own", |p| p.imprisoned_own.to_string()),
        ("stats.filled", |p| p.filled.to_string()),
        ("stats.spent", |p| p.spent.to_string()),
        ("stats.spells", |p| p.spells.to_string()),
        ("stats.wasted", |p| format!("{}/{}", p.wasted, p.cards)),
        ("stats.refreshed", |p| p.refreshed.to_string()),
        ("stats.walked", |p| p.walked.to_string()),
    ];
    let body = rows.map(|(key, number)| {
        let cells = all
            .players
            .iter()
            .map(|p| view! { <td>{number(p)}</td> })
            .collect_view();
        view! { <tr><th scope="row">{cx.text(key)}</th>{cells}</tr> }
    });
    let dice = all
        .players
        .iter()
        .map(|p| {
            let text = p.luck.dice().map_or("–".into(), |d| signed(d, true));
            view! { <td>{text} <small>" (" {p.luck.rolls} ")"</small></td> }
        })
        .collect_view();
    let draws = all
        .players
        .iter()
        .map(|p| {
            let text = if versus {
                signed(100.0 * p.luck.cards, false)
            } else {
                signed(p.luck.cards, true)
            };
            view! { <td>{text}</td> }
        })
        .collect_view();
    let homes = all
        .players
        .iter()
        .zip(names.clone())
        .map(|(p, name)| {
            let list: Vec<String> = p.home_by_round.iter().map(ToString::to_string).collect();
            view! { <li>{name} ": " {list.join(", ")}</li> }
        })
        .collect_view();
    let (rounds, castle) = (all.rounds, all.castle_moves);
    let lines = chart(all, &colours);
    view! {
        <p>{move || cx.say(&say("stats.summary").with("rounds", rounds).with("castle", castle))}</p>
        <h3>{cx.text("stats.home")}</h3>
        <div inner_html=lines></div>
        <ul class="unseen">{homes}</ul>
        <div class="scroll" tabindex="0">
            <table class="standings" id="statistics">
                <thead><tr><td></td>{heads}</tr></thead>
                <tbody>
                    {body.into_iter().collect_view()}
                    <tr><th scope="row">{cx.text("stats.dice")}</th>{dice}</tr>
                    <tr><th scope="row">{move || cx.t(if versus { "stats.draws" } else { "stats.draws_solo" })}</th>{draws}</tr>
                </tbody>
            </table>
        </div>
        <p class="about">{cx.text("stats.dice_about")}</p>
        <p class="about">{move || cx.t(if versus { "stats.draws_about" } else { "stats.draws_about_solo" })}</p>
    }
}
