//! The fairness check: derives the whole record again and compares it with this device's notes from before the game.

use leptos::prelude::*;
use towers_client::fair::Verdict;
use towers_client::words::say;
use towers_table::{VerifiedGame, verify_text};

use super::replay::Viewing;
use crate::context::cx;
use crate::device::storage::shelf;
use crate::parts::{Dialog, VerdictLine};

/// Whether every card and roll follows from the seed, and the seed from the commitments.
#[component]
pub fn FairnessBox(
    viewing: Viewing,
    close: impl Fn() + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let cx = cx();
    let (verified, fair) = viewing
        .opened
        .with_value(|o| (verify_text(&o.text), shelf().fair_play(&o.id)));
    let result = match verified {
        Ok(verified) => {
            let entries = verified.entries as u32;
            let games: Vec<_> = (1..)
                .zip(verified.games)
                .map(|(number, game)| (fair.judge(number, &game.commitment, &game.devices), game))
                .collect();
            let is_broken = games.iter().any(|(verdict, _)| *verdict == Verdict::Broken);
            let right = (!is_broken).then(|| view! {
                <p class="verdict good" id="fair-result">{move || cx.say(&say("fair.right").with("n", entries))}</p>
            });
            let broken = is_broken.then(|| {
                view! {
                    <p class="verdict why" id="fair-result">{cx.text("fair.broken")}</p>
                }
            });
            let games = games
                .into_iter()
                .map(|(verdict, game)| view! { <Game verdict game/> })
                .collect_view();
            view! { {right} {broken} {games} }.into_any()
        }
        Err(difference) => {
            let why = difference.to_string();
            view! { <p class="verdict why" id="fair-result">{move || cx.say(&say("fair.wrong").with("why", why.as_str()))}</p> }.into_any()
        }
    };
    view! {
        <Dialog title=cx.text("fair.title") close>
            {result}
            <p class="about">{cx.text("fair.about")}</p>
            <p class="about">{cx.text("fair.not_proved")}</p>
        </Dialog>
    }
}

/// The origin of the dice of one game.
#[component]
fn Game(verdict: Verdict, game: VerifiedGame) -> impl IntoView {
    let cx = cx();
    let outcomes = game.outcomes as u32;
    let is_alone = verdict == Verdict::NotNoted && game.secret.is_none();
    let devices = game
        .devices
        .into_iter()
        .map(|device| {
            let seat = u32::from(device.seat.0) + 1;
            let number = move || match device.number {
                Some(number) => view! { <code>{number.to_string()}</code> }.into_any(),
                None => view! { <span>{cx.text("fair.left_out")}</span> }.into_any(),
            };
            view! {
                <dt>{move || cx.say(&say("fair.number").with("n", seat))}</dt>
                <dd>{number}</dd>
            }
        })
        .collect_view();
    view! {
        {if is_alone {
            view! { <p class="about">{cx.text("fair.alone")}</p> }.into_any()
        } else {
            view! { <VerdictLine verdict/> }.into_any()
        }}
        <dl class="fair">
            <dt>{cx.text("fair.commitment")}</dt>
            <dd><code>{game.commitment.to_string()}</code></dd>
            {game.secret.map(|secret| view! {
                <dt>{cx.text("fair.secret")}</dt>
                <dd><code>{secret.to_string()}</code></dd>
            })}
            {devices}
            <dt>{cx.text("fair.seed")}</dt>
            <dd><code>{game.seed.to_string()}</code></dd>
            <dt>{cx.text("fair.outcomes")}</dt>
            <dd>{outcomes}</dd>
        </dl>
    }
}
