//! A puzzle on the real board.

use leptos::prelude::*;
use towers_client::hint::Hint;
use towers_client::words::say;
use towers_client::{Route, Solved};
use towers_client::{labels, staged};
use towers_rules::{Action, Event, Seat, State};
use towers_study::puzzle::{Puzzle, book, turn_is_over};

use super::stage::{Consequences, Stage};
use crate::context::{Cx, cx};
use crate::device::storage::shelf;
use crate::device::{page, worker};
use crate::parts::ShareButton;
use crate::session::Session;
use crate::transport::script::Script;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptStatus {
    Trying,
    Solved,
    Failed,
    /// The solution was shown, which does not count as solved.
    Shown,
}

/// An attempt to solve a puzzle.
#[derive(Clone, Copy)]
struct Attempt {
    puzzle: StoredValue<Puzzle>,
    /// The key under which progress is stored.
    key: StoredValue<String>,
    /// Every solution, once the worker has found them.
    solutions: StoredValue<Option<Vec<Vec<Action>>>>,
    start: StoredValue<State>,
    state: StoredValue<State>,
    seat: Seat,
    stand: RwSignal<AttemptStatus>,
    helped: RwSignal<bool>,
    /// Whether the solution is being shown.
    is_showing: RwSignal<bool>,
    session: StoredValue<Option<Session>>,
}

impl Attempt {
    fn new(cx: Cx, key: &str, puzzle: Puzzle) -> Option<Attempt> {
        let state = puzzle.state().ok()?;
        let attempt = Attempt {
            puzzle: StoredValue::new(puzzle),
            key: StoredValue::new(key.into()),
            solutions: StoredValue::new(None),
            start: StoredValue::new(state),
            state: StoredValue::new(state),
            seat: state.active(),
            stand: RwSignal::new(AttemptStatus::Trying),
            helped: RwSignal::new(false),
            is_showing: RwSignal::new(false),
            session: StoredValue::new(None),
        };
        let mut names = vec![String::new(); usize::from(state.players())];
        names[state.active().index()] = cx.my_name();
        let model = staged::model(staged::game(&state, attempt.seat), attempt.seat, &names)?;
        let script = Callback::new(move |action| attempt.act(action));
        let session = Session::new(cx, Script::new(script), model);
        attempt.session.set_value(Some(session));
        Some(attempt)
    }

    /// Plays the player's move, unless the solution is being shown.
    fn act(self, action: Action) {
        if !self.is_showing.get_untracked() {
            self.play(action);
        }
    }

    /// The position after an action of the player, and its events; `None` if the action is illegal.
    fn after(self, mut state: State, action: Action) -> Option<(State, Vec<Event>)> {
        let mut events = Vec::new();
        state.apply_observed(self.seat, action, &mut events).ok()?;
        Some((state, events))
    }

    fn play(self, action: Action) {
        if self.stand.get_untracked() != AttemptStatus::Trying {
            return;
        }
        let start = self.start.get_value();
        let Some((state, events)) = self.after(self.state.get_value(), action) else {
            return;
        };
        self.state.set_value(state);
        let over = turn_is_over(&start, &state);
        self.show(events, over);
        if over {
            let reached = self
                .puzzle
                .with_value(|p| p.goal.is_reached(&start, &state));
            let shown = self.is_showing.get_untracked();
            self.is_showing.set(false);
            if reached && !shown {
                let done = if self.helped.get_untracked() {
                    Solved::Helped
                } else {
                    Solved::Alone
                };
                self.key.with_value(|key| shelf().keep_solved(key, done));
            }
            self.stand.set(match (shown, reached) {
                (true, _) => AttemptStatus::Shown,
                (false, true) => AttemptStatus::Solved,
                (false, false) => AttemptStatus::Failed,
            });
            crate::device::focus::focus("#puzzle-next, #puzzle-again");
        }
    }

    /// Shows events. After the turn is over, there are no more legal actions.
    fn show(self, events: Vec<Event>, over: bool) {
        let Some(session) = self.session.get_value() else {
            return;
        };
        let mut game = self.state.with_value(|s| staged::game(s, self.seat));
        if over {
            game.legal.clear();
        }
        session.hints.set(None);
        let seen = session
            .model
            .with_untracked(|m| staged::seen(events, &m.table, game));
        session.receive(&seen);
    }

    /// Restarts the puzzle.
    fn again(self) {
        self.is_showing.set(false);
        self.state.set_value(self.start.get_value());
        self.stand.set(AttemptStatus::Trying);
        self.show(Vec::new(), false);
    }

    /// Waits until the worker has solved the puzzle. Returns whether it succeeded.
    async fn solve(self) -> bool {
        let Some(puzzle) = self.puzzle.try_get_value() else {
            return false;
        };
        if self.solutions.with_value(Option::is_none) {
            let solutions = worker::solutions(&puzzle).await;
            self.solutions.try_set_value(solutions);
        }
        self.solutions.try_with_value(Option::is_some) == Some(true)
    }

    /// The next action of a solution that starts with the actions played so far.
    fn next(self) -> Option<Action> {
        let (start, state) = (self.start.get_value(), self.state.get_value());
        let follows = |line: &[Action]| {
            let mut at = start;
            for &action in line {
                if at == state {
                    return Some(action);
                }
                at = self.after(at, action)?.0;
            }
            None
        };
        self.solutions
            .with_value(|lines| lines.as_ref()?.iter().find_map(|line| follows(line)))
    }

    /// Highlights the next piece.
    async fn hint(self) {
        self.helped.set(true);
        if !self.solve().await || self.stand.try_get_untracked() != Some(AttemptStatus::Trying) {
            return;
        }
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
                .with_untracked(|m| towers_client::choice::parts(hint.action, m.own_colour()));
            session.choose(|c| {
                c.reset();
                c.begin(intent)
            });
            session.hints.set(Some(vec![hint]));
        }
    }

    fn solution(self) {
        self.helped.set(true);
        self.again();
        self.is_showing.set(true);
        leptos::task::spawn_local(async move {
            if !self.solve().await {
                self.is_showing.try_set(false);
                return;
            }
            loop {
                page::sleep(500).await;
                // A restart ends the demonstration.
                if self.is_showing.try_get_untracked() != Some(true) {
                    return;
                }
                let (Some(action), Some(session)) = (self.next(), self.session.get_value()) else {
                    return;
                };
                self.play(action);
                while session
                    .model
                    .try_with_untracked(towers_client::Model::is_busy)
                    == Some(true)
                {
                    page::sleep(80).await;
                }
            }
        });
    }
}

/// Finds a puzzle by its key or day. The worker generates the puzzle of a day.
async fn find(key: &str) -> Option<(String, Puzzle)> {
    let day = match key {
        "today" => page::today(),
        day if day.contains('-') => day.into(),
        _ => {
            let puzzle = book().into_iter().find(|p| p.key() == key)?;
            return Some((key.into(), puzzle));
        }
    };
    let puzzle = worker::daily_puzzle(day.clone()).await?;
    Some((day, puzzle))
}

/// A puzzle, by its key or `today`.
#[component]
pub fn PuzzleScreen(
    /// The key of the puzzle, or `today`.
    key_name: String,
) -> impl IntoView {
    let cx = cx();
    let found = RwSignal::new(None);
    let wanted = key_name.clone();
    leptos::task::spawn_local(async move {
        let puzzle = find(&wanted).await;
        found.try_set(Some(puzzle));
    });
    move || {
        match found.get() {
        None => {
            view! { <div class="reading"><p class="sheet" role="status">{cx.t("puzzle.making")}</p></div> }.into_any()
        }
        Some(None) => view! {
            <div class="reading">
                <main class="sheet">
                    <p>{cx.t("puzzle.none")}</p>
                    <button on:click=move |_| cx.go(Route::Puzzles)>{cx.t("puzzle.title")}</button>
                </main>
            </div>
        }
        .into_any(),
        Some(Some((key, puzzle))) => match Attempt::new(cx, &key, puzzle) {
            Some(attempt) => view! { <Board attempt/> }.into_any(),
            None => ().into_any(),
        },
    }
    }
}

/// The next puzzle in the book.
fn following(puzzle: &Puzzle) -> Option<String> {
    let all = book();
    let at = all.iter().position(|p| p == puzzle)?;
    all.get(at + 1).map(Puzzle::key)
}

#[component]
fn Board(attempt: Attempt) -> impl IntoView {
    let cx = cx();
    let Some(session) = attempt.session.get_value() else {
        return ().into_any();
    };
    let puzzle = attempt.puzzle.get_value();
    let words = labels::goal(puzzle.goal);
    let wanted = words.clone();
    let colour = attempt.start.with_value(|s| s.colour(attempt.seat));
    let about = move || {
        let mut parts = vec![
            cx.t(labels::grade(puzzle.grade)),
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
        AttemptStatus::Trying => ().into_any(),
        AttemptStatus::Solved => {
            view! { <p class="verdict good" role="status" id="verdict">{cx.t("puzzle.right")}</p> }
                .into_any()
        }
        AttemptStatus::Failed => {
            view! { <p class="verdict why" role="status" id="verdict">{cx.t("puzzle.wrong")}</p> }
                .into_any()
        }
        AttemptStatus::Shown => {
            view! { <p class="verdict" role="status" id="verdict">{cx.t("puzzle.shown")}</p> }
                .into_any()
        }
    };
    let after = move || {
        let next = next.clone();
        (stand.get() == AttemptStatus::Solved).then(|| {
            let to = next.map_or(Route::Puzzles, Route::Puzzle);
            view! { <button class="primary" id="puzzle-next" on:click=move |_| cx.go(to.clone())>{cx.t("puzzle.next")}</button> }
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
                <button class="plain" id="puzzle-again" on:click=move |_| attempt.again()>{cx.text("puzzle.again")}</button>
                <Show when=move || stand.get() == AttemptStatus::Trying && !attempt.is_showing.get()>
                    <button class="plain" id="puzzle-hint" on:click=move |_| leptos::task::spawn_local(attempt.hint())>{cx.text("puzzle.hint")}</button>
                </Show>
                <Show when=move || stand.get() != AttemptStatus::Solved && !attempt.is_showing.get()>
                    <button class="plain" id="puzzle-solution" on:click=move |_| attempt.solution()>{cx.text("puzzle.solution")}</button>
                </Show>
                <ShareButton id="puzzle-share" class="plain" copy="room.copy"
                    text=move |()| page::link(&Route::Puzzle(attempt.key.get_value()))/>
                <button class="plain quiet" id="puzzle-leave" on:click=move |_| cx.go(Route::Puzzles)>{cx.text("ui.back")}</button>
            </div>
        </Stage>
    }
    .into_any()
}
