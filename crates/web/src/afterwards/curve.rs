//! The review: everybody's chance after every step as a curve, the turning points, and what a bot would have played.

use art::N;
use bots::Estimate;
use client::words::say;
use leptos::prelude::*;
use study::replay::Eyes;
use study::review::{Opinion, Turning, curve, turning_points};

use super::replay::Viewing;
use crate::context::{Cx, cx};
use crate::device::brain::{self, Job, Made};
use crate::game::reference::intent_name;
use crate::game::targets::label;
use crate::live::{RwSignal, StoredValue};
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Dialog, line};

/// Steps the worker looks at before it answers.
const CHUNK: usize = 6;
/// Playouts a bot may use for each.
const PLAYOUTS: u32 = 240;
/// A smaller difference than this is a matter of taste.
const TASTE: f32 = 0.02;

/// The size of a chart.
pub(super) const WIDTH: f64 = 520.0;
pub(super) const HEIGHT: f64 = 180.0;

/// What the upper edge stands for where cards are counted.
fn most(curve: &[Estimate]) -> f32 {
    curve.iter().fold(30.0, |most, e| match e {
        Estimate::Cards(cards) => most.max(*cards),
        Estimate::Win(_) => most,
    })
}

/// The curve of every player as points.
fn lines(curve: &[Estimate], colours: &[rules::Colour]) -> String {
    let last = (curve.len().max(2) - 1) as f64;
    let most = most(curve);
    let height = |estimate: &Estimate, seat: usize| match estimate {
        Estimate::Win(chances) => f64::from(chances.get(seat).copied().unwrap_or(0.0)),
        Estimate::Cards(cards) => f64::from(cards / most),
    };
    let seats = match curve.first() {
        Some(Estimate::Win(chances)) => chances.len(),
        _ => 1,
    };
    colours
        .iter()
        .take(seats)
        .enumerate()
        .map(|(seat, colour)| {
            let points: Vec<String> = curve
                .iter()
                .enumerate()
                .map(|(i, e)| {
                    let x = WIDTH * i as f64 / last;
                    format!("{},{}", N(x), N(HEIGHT - HEIGHT * height(e, seat)))
                })
                .collect();
            format!(
                r#"<polyline class="line wt-{colour}" points="{}"/>"#,
                points.join(" ")
            )
        })
        .collect()
}

/// The review of a game.
#[component]
pub fn ReviewBox(viewing: Viewing, close: impl Fn() + Copy + Send + Sync + 'static) -> Markup {
    let cx = cx();
    let (points, turnings, colours, text) = viewing.opened.with_value(|o| {
        let state = o.replay.state(0);
        let colours: Vec<_> = state.seats().map(|s| state.colour(s)).collect();
        let points = curve(&o.replay);
        let turnings = turning_points(&o.replay, &points, 6);
        (points, turnings, colours, o.text.clone())
    });
    let opinions = viewing.opinions;
    let last = viewing.last();
    // Who asks first lets the bot begin; it goes on when this box is closed.
    if opinions.with_untracked(Vec::is_empty) {
        opinions.set(vec![None]);
        leptos::task::spawn_local(think(opinions, text, last));
    }
    let drawn = lines(&points, &colours);
    let versus = matches!(points.first(), Some(Estimate::Win(_)));
    let (top, half) = if versus {
        ("100 %".to_string(), "50 %".to_string())
    } else {
        let most = most(&points).round() as u32;
        (most.to_string(), (most / 2).to_string())
    };
    let picture = move || {
        let x = WIDTH * viewing.step.get() as f64 / last.max(1) as f64;
        format!(
            r#"<svg class="chart" viewBox="-6 -6 532 192"><path class="grid" d="M0 0H520M0 90H520M0 180H520"/>{drawn}<text y="15">{top}</text><text y="105">{half}</text><path class="now" d="M{} 0V180"/></svg>"#,
            N(x)
        )
    };
    let pick = move |e: web_sys::MouseEvent| {
        if let Some(share) = crate::device::page::share_across(&e) {
            viewing.go((share * last as f64).round() as usize);
        }
    };
    let names = StoredValue::new(viewing.names());
    let list = StoredValue::new(turnings);
    let rows = move || {
        list.with_value(|list| {
            list.iter()
                .map(|t| row(cx, viewing, names, t, versus))
                .collect_view()
        })
    };
    let here = move || opinions.with(|o| opinion(cx, viewing, o, viewing.step.get(), versus));
    let progress = move || opinions.with(|o| o.len().saturating_sub(1).min(last));
    let legend = names.with_value(|names| {
        let one = |(name, colour): (String, rules::Colour)| view! { <li class=format!("key wt-{colour}")>{name}</li> };
        names.iter().cloned().zip(colours.clone()).map(one).collect_view()
    });
    view! {
        <Dialog title=cx.text("review.title") close>
            <p class="about">{move || cx.t(if versus { "review.about" } else { "review.about_solo" })}</p>
            <div class="curve" id="curve" on:click=pick inner_html=move || picture()></div>
            <ul class="legend">{legend}</ul>
            <div class="steps">
                <button class="round" aria-label=cx.text("replay.back") on:click=move |_| viewing.go(viewing.step.get_untracked().saturating_sub(1))>"◀"</button>
                <p class="coach-text">{move || viewing.told(viewing.step.get())}</p>
                <button class="round" aria-label=cx.text("replay.on") on:click=move |_| viewing.go(viewing.step.get_untracked() + 1)>"▶"</button>
            </div>
            <p id="opinion" role="status">{move || here()}</p>
            {line(cx, "h3", "", "review.turning")}
            <ol class="turnings">{move || rows()}</ol>
            <p class="about" id="review-progress">
                {move || cx.say(&say("review.progress").with("n", progress() as u32).with("all", last as u32))}
            </p>
            {line(cx, "p", "about", "review.knowledge")}
        </Dialog>
    }
}

/// Lets the bot think about all steps, a few at a time.
async fn think(opinions: RwSignal<Vec<Option<Opinion>>>, record: String, last: usize) {
    while let Some(first) = opinions.try_with_untracked(Vec::len).filter(|n| *n <= last) {
        let job = Job::Review {
            record: record.clone(),
            first,
            steps: CHUNK,
            playouts: PLAYOUTS,
        };
        match brain::make(job).await {
            Some(Made::Review(more)) if !more.is_empty() => {
                opinions.try_update(|all| all.extend(more));
            }
            _ => return,
        }
    }
}

/// A turning point, to go there.
fn row(
    cx: Cx,
    viewing: Viewing,
    names: StoredValue<Vec<String>>,
    turning: &Turning,
    versus: bool,
) -> Markup {
    let step = turning.step;
    let message = if versus {
        let who = names.with_value(|n| n.get(turning.seat.index()).cloned().unwrap_or_default());
        let lost = (100.0 * turning.lost).round() as u32;
        say("review.lost").with("who", who).with("n", lost)
    } else {
        // A fall is a part of thirty cards.
        say("review.lost_cards").with("n", (30.0 * turning.lost).round() as u32)
    };
    view! {
        <li>
            <button class="row" on:click=move |_| viewing.go(step)>
                <b>{move || cx.say(&message)}</b>
                <small>{move || viewing.told(step)}</small>
            </button>
        </li>
    }
}

/// What the bot says to a step.
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
    let alike = if versus { TASTE } else { 0.5 };
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

/// What the bot would have done, in words.
fn in_words(cx: Cx, viewing: Viewing, step: usize, opinion: &Opinion) -> String {
    viewing.opened.with_value(|o| {
        let state = o.replay.state(step.saturating_sub(1));
        let view = o.replay.view(step.saturating_sub(1), Eyes::All);
        let own = state.wizard_colour(state.moves_wizards_of(opinion.seat));
        let (intent, picks) = client::choice::parts(opinion.best, own);
        let mut words = vec![cx.say(&intent_name(intent))];
        words.extend(picks.iter().map(|p| cx.say(&label(&view, *p))));
        words.join(": ")
    })
}
