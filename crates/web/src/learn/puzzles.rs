//! The list of puzzles, with those that were solved.

use std::collections::HashMap;

use leptos::prelude::*;
use towers_client::labels::{goal, grade};
use towers_client::words::say;
use towers_client::{Route, Solved};
use towers_study::puzzle::{Grade, Puzzle, book};

use crate::context::cx;
use crate::device::page;
use crate::device::storage::shelf;

#[component]
pub fn PuzzlesScreen() -> impl IntoView {
    let cx = cx();
    let done = shelf().solved_puzzles();
    let puzzles = book();
    let total = puzzles.len() as u32;
    let solved = puzzles
        .iter()
        .filter(|p| done.contains_key(&p.key()))
        .count() as u32;
    let today = done.contains_key(&page::today());
    let one = move |(number, puzzle): (usize, Puzzle), done: &HashMap<String, Solved>| {
        let key = puzzle.key();
        let mark = match done.get(&key) {
            Some(Solved::Alone) => "★",
            Some(Solved::Helped) => "✓",
            None => "",
        };
        let words = goal(puzzle.goal);
        view! {
            <li>
                <button class="row puzzle-row" data-puzzle=key.clone() on:click=move |_| cx.go(Route::Puzzle(key.clone()))>
                    <b>{number + 1}</b>
                    <span>{move || cx.say(&words)}</span>
                    <i aria-hidden="true">{mark}</i>
                    <span class="unseen">{move || if mark.is_empty() { String::new() } else { cx.t("puzzle.solved") }}</span>
                </button>
            </li>
        }
    };
    let groups = Grade::ALL.map(|level| {
        let list = puzzles.iter().cloned().enumerate();
        let rows = list
            .filter(|(_, p)| p.grade == level)
            .map(|p| one(p, &done))
            .collect_view();
        view! {
            <section class="topic">
                <h2>{move || cx.t(grade(level))}</h2>
                <ul class="puzzle-list">{rows}</ul>
            </section>
        }
    });
    view! {
        <div class="reading">
            <header class="reading-head">
                <button class="round" aria-label=cx.text("ui.back") on:click=move |_| cx.go(Route::Start)>"‹"</button>
                <h1>{cx.text("puzzle.title")}</h1>
            </header>
            <main class="sheet">
                <p class="about">{cx.text("puzzle.about")}</p>
                <button class="big primary" id="puzzle-today" on:click=move |_| cx.go(Route::Puzzle("today".into()))>
                    <b>{cx.text("puzzle.today")} {today.then_some(" ★")}</b>
                    <span>{cx.text("puzzle.today_about")}</span>
                </button>
                <p>{move || cx.say(&say("puzzle.progress").with("n", solved).with("all", total))}</p>
                {groups.into_iter().collect_view()}
            </main>
        </div>
    }
}
