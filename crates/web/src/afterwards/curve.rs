//! The review: every player's chance after every step as a curve, the turning points, and what a bot would have played.

use leptos::prelude::*;
use towers_art::N;
use towers_client::words::say;
use towers_client::{labels, target};
use towers_study::replay::{Eyes, Replay};
use towers_study::review::{Curve, Opinion, TurningPoint, turning_points};

use super::open::OpenedRecord;
use super::replay::Viewing;
use crate::context::{Cx, cx};
use crate::device::worker;
use crate::parts::Dialog;

/// The number of steps per request to the worker.
const CHUNK: usize = 6;
/// The number of playouts per step.
const PLAYOUTS: u32 = 240;
/// Smaller differences in the chance to win are ignored.
const MIN_DIFFERENCE: f32 = 0.02;

/// The size of a chart.
pub(super) const WIDTH: f64 = 520.0;
pub(super) const HEIGHT: f64 = 180.0;

/// The value at the upper edge of a chart of cards.
fn most(curve: &Curve) -> f32 {
    match curve {
        Curve::Cards(cards) => cards.iter().copied().fold(30.0, f32::max),
        Curve::Win(_) => 30.0,
    }
}

/// The curve of every player as points.
fn lines(curve: &Curve, colours: &[towers_rules::Colour]) -> String {
    let last = (curve.len().max(2) - 1) as f64;
    let most = most(curve);
    let height = |step: usize, seat: usize| match curve {
        Curve::Win(steps) => f64::from(steps[step].get(seat).copied().unwrap_or(0.0)),
        Curve::Cards(steps) => f64::from(steps[step] / most),
    };
    let seats = match curve {
        Curve::Win(steps) => steps.first().map_or(0, Vec::len),
        Curve::Cards(_) => 1,
    };
    colours
        .iter()
        .take(seats)
        .enumerate()
        .map(|(seat, colour)| {
            let points: Vec<String> = (0..curve.len())
                .map(|step| {
                    let x = WIDTH * step as f64 / last;
                    format!("{},{}", N(x), N(HEIGHT - HEIGHT * height(step, seat)))
                })
                .collect();
            format!(
                r#"<polyline class="line wt-{colour}" points="{}"/>"#,
                points.join(" ")
            )
        })
        .collect()
}

/// The curve with the labels of its axis.
fn chart(curve: &Curve, colours: &[towers_rules::Colour]) -> String {
    let (top, half) = match curve {
        Curve::Win(_) => ("100 %".to_string(), "50 %".to_string()),
        Curve::Cards(_) => {
            let most = most(curve).round() as u32;
            (most.to_string(), (most / 2).to_string())
        }
    };
    let lines = lines(curve, colours);
    format!(r#"{lines}<text y="15">{top}</text><text y="105">{half}</text>"#)
}

#[component]
pub fn ReviewBox(
    viewing: Viewing,
    close: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let cx = cx();
    let (versus, colours, replay) = viewing.opened.with_value(|o| {
        let state = o.replay.state(0);
        let colours: Vec<_> = state.seats().map(|s| state.colour(s)).collect();
        (!state.shares_pieces(), colours, o.replay.clone())
    });
    let Viewing {
        curve, opinions, ..
    } = viewing;
    let last = viewing.last();
    // The first visit starts the analysis; it continues after the dialog is closed.
    if opinions.with_untracked(Vec::is_empty) {
        opinions.set(vec![None]);
        leptos::task::spawn_local(think(viewing, replay, last));
    }
    let drawn = Memo::new({
        let colours = colours.clone();
        move |_| curve.with(|c| c.as_ref().map_or_else(String::new, |c| chart(c, &colours)))
    });
    let picture = move || {
        let x = WIDTH * viewing.step.get() as f64 / last.max(1) as f64;
        format!(
            r#"<svg class="chart" viewBox="-6 -6 532 192"><path class="grid" d="M0 0H520M0 90H520M0 180H520"/>{}<path class="now" d="M{} 0V180"/></svg>"#,
            drawn.get(),
            N(x)
        )
    };
    let pick = move |e: web_sys::MouseEvent| {
        if let Some(share) = crate::device::page::share_across(&e) {
            viewing.go((share * last as f64).round() as usize);
        }
    };
    let names = StoredValue::new(viewing.names());
    let rows = move || {
        let turnings = curve.with(|curve| {
            let curve = curve.as_ref()?;
            let points = |o: &OpenedRecord| turning_points(&o.replay, curve, 6);
            Some(viewing.opened.with_value(points))
        });
        let row = |t: &TurningPoint| row(cx, viewing, names, t, versus);
        turnings.iter().flatten().map(row).collect_view()
    };
    let here = move || opinions.with(|o| opinion(cx, viewing, o, viewing.step.get(), versus));
    let progress = move || opinions.with(|o| o.len().saturating_sub(1).min(last));
    let legend = names.with_value(|names| {
        let one = |(name, colour): (String, towers_rules::Colour)| view! { <li class=format!("key wt-{colour}")>{name}</li> };
        names.iter().cloned().zip(colours.clone()).map(one).collect_view()
    });
    view! {
        <Dialog title=cx.text("review.title") close>
            <p class="about">{move || cx.t(if versus { "review.about" } else { "review.about_solo" })}</p>
            <div class="curve" id="curve" on:click=pick inner_html=move || picture()></div>
            <ul class="legend">{legend}</ul>
            <div class="steps">
                <button class="round" aria-label=cx.text("replay.back") on:click=move |_| viewing.go(viewing.step.get_untracked().saturating_sub(1))>"◀"</button>
                <p class="coach-text">{move || viewing.in_words(viewing.step.get())}</p>
                <button class="round" aria-label=cx.text("replay.on") on:click=move |_| viewing.go(viewing.step.get_untracked() + 1)>"▶"</button>
            </div>
            <p id="opinion" role="status">{move || here()}</p>
            <h3>{cx.text("review.turning")}</h3>
            <ol class="turnings">{move || rows()}</ol>
            <p class="about" id="review-progress">
                {move || cx.say(&say("review.progress").with("n", progress() as u32).with("all", last as u32))}
            </p>
            <p class="about">{cx.text("review.knowledge")}</p>
        </Dialog>
    }
}

/// Lets the worker evaluate the game, then analyse all steps in chunks.
async fn think(viewing: Viewing, replay: Replay, last: usize) {
    let Viewing {
        curve, opinions, ..
    } = viewing;
    let evaluated = worker::curve(replay.clone()).await;
    curve.try_set(evaluated);
    while let Some(first) = opinions.try_with_untracked(Vec::len).filter(|n| *n <= last) {
        match worker::opinions(replay.clone(), first, CHUNK, PLAYOUTS).await {
            Some(more) if !more.is_empty() => {
                opinions.try_update(|all| all.extend(more));
            }
            _ => return,
        }
    }
}

/// A turning point with a link to its step.
fn row(
    cx: Cx,
    viewing: Viewing,
    names: StoredValue<Vec<String>>,
    turning: &TurningPoint,
    versus: bool,
) -> impl IntoView + use<> {
    let step = turning.step;
    let message = if versus {
        let who = names.with_value(|n| n.get(turning.seat.index()).cloned().unwrap_or_default());
        let lost = (100.0 * turning.lost).round() as u32;
        say("review.lost").with("who", who).with("n", lost)
    } else {
        // The loss is a fraction of thirty cards.
        say("review.lost_cards").with("n", (30.0 * turning.lost).round() as u32)
    };
    view! {
        <li>
            <button class="row" on:click=move |_| viewing.go(step)>
                <b>{move || cx.say(&message)}</b>
                <small>{move || viewing.in_words(step)}</small>
            </button>
        </li>
    }
}

/// The bot's opinion on a step.
fn opinion(
    cx: Cx,
    viewing: Viewing,
    opinions: &[Option<Opinion>],
    step: usize,
    versus: bool,
) -> String {
    let Some(known) = opinions.get(step) else {
        return cx.t("review.thinking");
    };
    let Some(opinion) = known else {
        return cx.t("review.no_choice");
    };
    let worse = opinion
        .played_promise
        .map(|played| (opinion.promise - played).abs());
    let alike = if versus { MIN_DIFFERENCE } else { 0.5 };
    if opinion.best == opinion.played || worse.is_some_and(|w| w < alike) {
        return cx.t("review.same");
    }
    let best = in_words(cx, viewing, step, opinion);
    match worse {
        Some(worse) if versus => cx.say(
            &say("review.better")
                .with("what", best)
                .with("n", (100.0 * worse).round() as u32),
        ),
        _ => cx.say(&say("review.other").with("what", best)),
    }
}

/// The bot's choice, in words.
fn in_words(cx: Cx, viewing: Viewing, step: usize, opinion: &Opinion) -> String {
    viewing.opened.with_value(|o| {
        let state = o.replay.state(step.saturating_sub(1));
        let view = o.replay.view(step.saturating_sub(1), Eyes::All);
        let own = state.wizard_colour(state.moves_wizards_of(opinion.seat));
        let (intent, picks) = towers_client::choice::parts(opinion.best, own);
        let mut words = vec![cx.say(&labels::intent(intent))];
        words.extend(picks.iter().map(|p| cx.say(&target::label(&view, *p))));
        words.join(": ")
    })
}
