//! A puzzle on the real board.

use client::hint::Hint;
use client::words::say;
use client::{labels, staged};
use leptos::prelude::*;
use rules::{Action, Event, Seat, State};
use study::puzzle::{Puzzle, book, solve, turn_is_over};

use super::page::Page;
use super::puzzles::{Done, goal, grade, keep};
use super::stage::{Consequences, Stage};
use crate::context::{Cx, Screen, cx};
use crate::device::brain::{self, Job, Made};
use crate::device::page;
use crate::game::session::{Session, Way};
use crate::live::{RwSignal, StoredValue};
use crate::markup::{IntoMarkup, Markup, view};
use crate::parts::{Show, button};

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    Trying,
    Solved,
    Failed,
}

/// A puzzle that somebody tries to solve.
#[derive(Clone, Copy)]
struct Attempt {
    puzzle: StoredValue<Puzzle>,
    /// The key under which progress is kept.
    key: StoredValue<String>,
    start: StoredValue<State>,
    state: StoredValue<State>,
    seat: Seat,
    stand: RwSignal<Stand>,
    helped: RwSignal<bool>,
    session: StoredValue<Option<Session>>,
}

impl Attempt {
    fn new(cx: Cx, key: &str, puzzle: Puzzle) -> Option<Attempt> {
        let state = puzzle.state().ok()?;
        let attempt = Attempt {
            puzzle: StoredValue::new(puzzle),
            key: StoredValue::new(key.into()),
            start: StoredValue::new(state),
            state: StoredValue::new(state),
            seat: state.active(),
            stand: RwSignal::new(Stand::Trying),
            helped: RwSignal::new(false),
            session: StoredValue::new(None),
        };
        let mut names = vec![String::new(); usize::from(state.players())];
        names[state.active().index()] = cx.my_name();
        let model = staged::model(staged::game(&state, attempt.seat), attempt.seat, &names)?;
        let script = Callback::new(move |action| attempt.act(action));
        let session = Session::new(cx, Way::Script(script), model);
        attempt.session.set_value(Some(session));
        Some(attempt)
    }

    fn act(self, action: Action) {
        let (start, mut state) = (self.start.get_value(), self.state.get_value());
        let mut events = Vec::new();
        if self.stand.get_untracked() != Stand::Trying
            || state.apply_watched(self.seat, action, &mut events).is_err()
        {
            return;
        }
        self.state.set_value(state);
        let over = turn_is_over(&start, &state);
        self.show(events, over);
        if over {
            let reached = self
                .puzzle
                .with_value(|p| p.goal.is_reached(&start, &state));
            if reached {
                let done = if self.helped.get_untracked() {
                    Done::Helped
                } else {
                    Done::Alone
                };
                self.key.with_value(|key| keep(key, done));
            }
            self.stand.set(if reached {
                Stand::Solved
            } else {
                Stand::Failed
            });
            crate::device::focus::focus("#puzzle-next, #puzzle-again");
        }
    }

    /// Shows what happened; when the turn is over, there is nothing more to do.
    fn show(self, events: Vec<Event>, over: bool) {
        let Some(session) = self.session.get_value() else {
            return;
        };
        let mut game = self.state.with_value(|s| staged::game(s, self.seat));
        if over {
            game.legal.clear();
        }
        session.hints.set(None);
        session.tell(staged::seen(events, game));
    }

    /// Back to the beginning.
    fn again(self) {
        self.state.set_value(self.start.get_value());
        self.stand.set(Stand::Trying);
        self.show(Vec::new(), false);
    }

    /// The next action of a solution, if what was played so far is the beginning of one.
    fn next(self) -> Option<Action> {
        let (start, state) = (self.start.get_value(), self.state.get_value());
        let goal = self.puzzle.with_value(|p| p.goal);
        let follows = |line: &[Action]| {
            let mut at = start;
            line.iter().copied().find(|&action| {
                let here = at == state;
                at.apply_unchecked(self.seat, action, &mut ());
                here
            })
        };
        let solved = solve(&start, goal).ok()?;
        solved.solutions.iter().find_map(|line| follows(line))
    }

    /// Points at the next piece.
    fn hint(self) {
        self.helped.set(true);
        if self.next().is_none() {
            self.again();
        }
        let hint = self.next().map(|action| Hint {
            action,
            win: None,
            cards: None,
            why: Vec::new(),
        });
        if let (Some(hint), Some(session)) = (hint, self.session.get_value()) {
            let (intent, _) = session
                .model
                .with_untracked(|m| client::choice::parts(hint.action, m.own_colour()));
            session.choose(|c| {
                c.reset();
                c.begin(intent)
            });
            session.hints.set(Some(vec![hint]));
        }
    }

    /// Plays the solution.
    fn solution(self) {
        self.helped.set(true);
        self.again();
        leptos::task::spawn_local(async move {
            while self.stand.try_get_untracked() == Some(Stand::Trying) {
                let Some(action) = self.next() else { return };
                page::sleep(500).await;
                self.act(action);
                let Some(session) = self.session.try_get_value().flatten() else {
                    return;
                };
                while session.model.try_with_untracked(client::Model::is_busy) == Some(true) {
                    page::sleep(80).await;
                }
            }
        });
    }
}

/// The puzzle of a key; that of the day is made in the worker.
async fn find(key: &str) -> Option<(String, Puzzle)> {
    if key != "today" {
        let puzzle = book().into_iter().find(|p| p.key() == key)?;
        return Some((key.into(), puzzle));
    }
    let day = page::today();
    let Made::Puzzle(line) = brain::make(Job::Daily { day: day.clone() }).await? else {
        return None;
    };
    Some((day, line?.parse().ok()?))
}

/// A puzzle, by its key or `today`.
#[component]
pub fn PuzzleScreen(
    /// Which one.
    key_name: String,
) -> Markup {
    let cx = cx();
    let found = RwSignal::new(None);
    let wanted = key_name.clone();
    leptos::task::spawn_local(async move {
        let puzzle = find(&wanted).await;
        found.set(Some(puzzle));
    });
    let shown = move || match found.get() {
        None => {
            view! { <div class="reading"><p class="sheet" role="status">{cx.t("puzzle.making")}</p></div> }
        }
        Some(None) => view! {
            <div class="reading">
                <main class="sheet">
                    <p>{cx.t("puzzle.none")}</p>
                    <button on:click=move |_| cx.go(Screen::Page(Page::Puzzles))>{cx.t("puzzle.title")}</button>
                </main>
            </div>
        },
        Some(Some((key, puzzle))) => match cx.keep(|| Attempt::new(cx, &key, puzzle)) {
            Some(attempt) => view! { <Board attempt/> },
            None => Markup::nothing(),
        },
    };
    shown.into_markup()
}

/// The puzzle that comes after this one in the book.
fn following(puzzle: &Puzzle) -> Option<String> {
    let all = book();
    let at = all.iter().position(|p| p == puzzle)?;
    all.get(at + 1).map(Puzzle::key)
}

#[component]
fn Board(attempt: Attempt) -> Markup {
    let cx = cx();
    let Some(session) = attempt.session.get_value() else {
        return Markup::nothing();
    };
    let puzzle = attempt.puzzle.get_value();
    let words = goal(puzzle.goal);
    let wanted = words.clone();
    let colour = attempt.start.with_value(|s| s.colour(attempt.seat));
    let about = move || {
        let mut parts = vec![
            cx.t(grade(puzzle.grade)),
            cx.say(&say("puzzle.you_are").with("colour", labels::colour(colour))),
            cx.say(&say("puzzle.solutions").with("n", puzzle.solutions)),
        ];
        if attempt.helped.get() {
            parts.push(cx.t("puzzle.helped"));
        }
        parts.join(" · ")
    };
    let next = attempt.puzzle.with_value(following);
    let stand = attempt.stand;
    let verdict = move || match stand.get() {
        Stand::Trying => Markup::nothing(),
        Stand::Solved => {
            view! { <p class="verdict good" role="status" id="verdict">{cx.t("puzzle.right")}</p> }
        }
        Stand::Failed => {
            view! { <p class="verdict why" role="status" id="verdict">{cx.t("puzzle.wrong")}</p> }
        }
    };
    let after = move || {
        let next = next.clone();
        (stand.get() == Stand::Solved).then(|| {
            let to = next.map_or(Page::Puzzles, Page::Puzzle);
            view! { <button class="primary" id="puzzle-next" on:click=move |_| cx.go(Screen::Page(to.clone()))>{cx.t("puzzle.next")}</button> }
        })
    };
    view! {
        <Stage session title=cx.text("puzzle.title")>
            <div class="coach-head">
                <h2>{move || cx.say(&wanted)}</h2>
            </div>
            <p class="about">{move || about()}</p>
            {move || verdict()}
            <Consequences session/>
            <div class="coach-foot">
                {move || after()}
                {button(cx, "plain", "puzzle-again", "puzzle.again", move || attempt.again())}
                <Show when=move || stand.get() == Stand::Trying>
                    {button(cx, "plain", "puzzle-hint", "puzzle.hint", move || attempt.hint())}
                </Show>
                <Show when=move || stand.get() != Stand::Solved>
                    {button(cx, "plain", "puzzle-solution", "puzzle.solution", move || attempt.solution())}
                </Show>
                {button(cx, "plain quiet", "puzzle-leave", "ui.back", move || cx.go(Screen::Page(Page::Puzzles)))}
            </div>
        </Stage>
    }
}
