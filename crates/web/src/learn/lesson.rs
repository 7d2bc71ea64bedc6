//! The lesson, on the real board.

use leptos::prelude::*;
use towers_client::hint::Hint;
use towers_client::{Route, Store, staged};
use towers_study::texts::Texts;
use towers_study::tutorial::{self, LEARNER, Lesson, LessonVerdict, PointerKind};

use super::stage::{Consequences, Stage};
use super::texts::{TextPart, text};
use crate::context::{Cx, cx};
use crate::device::page;
use crate::device::storage::BrowserStore;
use crate::session::Session;
use crate::transport::script::Script;

/// The storage key of the current step, or [`FINISHED`].
const STEP_KEY: &str = "towers.lesson";
const FINISHED: &str = "finished";

/// What the first page offers a newcomer: to start the lesson, or to continue it; `None` once it was finished.
pub fn offer() -> Option<&'static str> {
    match BrowserStore.get(STEP_KEY).as_deref() {
        None => Some("start.learn"),
        Some(FINISHED) => None,
        Some(_) => Some("start.learn_on"),
    }
}

/// The kind of pointer of this device.
fn pointer() -> PointerKind {
    if page::matches("(pointer: coarse)") {
        PointerKind::Finger
    } else {
        PointerKind::Mouse
    }
}

/// A lesson in progress.
#[derive(Clone, Copy)]
struct Teacher {
    cx: Cx,
    lesson: StoredValue<Lesson>,
    step: RwSignal<usize>,
    wrong: RwSignal<bool>,
    session: StoredValue<Option<Session>>,
}

impl Teacher {
    fn new(cx: Cx) -> Teacher {
        let kept = BrowserStore.get(STEP_KEY).and_then(|n| n.parse().ok());
        let lesson = Lesson::at(kept.unwrap_or(0));
        Teacher {
            cx,
            step: RwSignal::new(lesson.step()),
            lesson: StoredValue::new(lesson),
            wrong: RwSignal::new(false),
            session: StoredValue::new(None),
        }
    }

    /// Creates the session for the lesson.
    fn session(self) -> Option<Session> {
        let names = [self.cx.my_name()];
        let game = self.lesson.with_value(|l| staged::game(l.state(), LEARNER));
        let model = staged::model(game, LEARNER, &names)?;
        let script = Callback::new(move |action| self.act(action));
        let session = Session::new(self.cx, Script::new(script), model);
        self.session.set_value(Some(session));
        Some(session)
    }

    fn act(self, action: towers_rules::Action) {
        let mut answer = LessonVerdict::NotNow;
        self.lesson.update_value(|l| answer = l.act(action));
        if answer == LessonVerdict::Right {
            self.advance();
        } else {
            self.wrong.set(true);
            if let Some(session) = self.session.get_value() {
                session.take_back();
            }
        }
    }

    fn read_on(self) {
        self.lesson.update_value(Lesson::read_on);
        self.advance();
    }

    /// Restarts the lesson.
    fn again(self) {
        self.lesson.set_value(Lesson::new());
        self.advance();
    }

    /// Shows the events since the last step, and the next step.
    fn advance(self) {
        let mut events = Vec::new();
        self.lesson.update_value(|l| events = l.take_events());
        let (game, step) = self
            .lesson
            .with_value(|l| (staged::game(l.state(), LEARNER), l.step()));
        self.wrong.set(false);
        self.step.set(step);
        BrowserStore.set(STEP_KEY, &step.to_string());
        if let Some(session) = self.session.get_value() {
            let seen = session
                .model
                .with_untracked(|m| staged::seen(events, &m.table, game));
            session.receive(&seen);
        }
    }

    /// Highlights the expected move until it is made.
    fn highlight(self, session: Session) {
        Effect::new(move |_| {
            self.step.track();
            let is_busy = session.model.with(towers_client::Model::is_busy);
            let expected = self.lesson.with_value(Lesson::expected);
            let wanted = expected.filter(|_| !is_busy).map(|action| {
                vec![Hint {
                    action,
                    win: None,
                    cards: None,
                    why: Vec::new(),
                }]
            });
            if session.hints.get() != wanted {
                session.hints.set(wanted);
            }
            if !is_busy {
                // Focus the instruction as soon as it can be followed, so that screen readers read it.
                crate::device::focus::focus("#coach-next");
            }
        });
    }
}

/// The lesson. It ends with a game against bots.
#[component]
pub fn LessonScreen() -> impl IntoView {
    let cx = cx();
    let file = text(TextPart::Tutorial);
    let texts = Memo::new(move |_| file.with(|f| f.as_deref().map(Texts::read)));
    let teacher = Teacher::new(cx);
    let Some(session) = teacher.session() else {
        return ().into_any();
    };
    teacher.highlight(session);
    let name = move || {
        teacher.step.track();
        teacher.lesson.with_value(Lesson::name)
    };
    let said = move |part: fn(&tutorial::StepText<'_>) -> String| {
        let name = name()?;
        let text = texts.with(|t| tutorial::text(t.as_ref()?, name).map(|s| part(&s)));
        text.map(|text| tutorial::fit_pointer(&text, pointer()))
    };
    let title = move || said(|s| s.title.into()).unwrap_or_default();
    let told = move || said(|s| s.text.into()).unwrap_or_default();
    let wrong = move || {
        let why = teacher
            .wrong
            .get()
            .then(|| said(|s| s.wrong.unwrap_or("").into()));
        why.flatten().filter(|w| !w.is_empty())
    };
    Effect::new(move |_| {
        let words = wrong().unwrap_or_else(|| format!("{}. {}", title(), told()));
        session.live.set(words);
    });
    let reads = move || {
        teacher.step.track();
        teacher
            .lesson
            .with_value(|l| l.expected().is_none() && l.name().is_some())
    };
    let last = move || teacher.step.get() + 1 >= Lesson::steps();
    let busy = move || session.model.with(towers_client::Model::is_busy);
    let finish = move |_| {
        BrowserStore.set(STEP_KEY, FINISHED);
        cx.request(cx.quick_game());
    };
    let count = move || {
        format!(
            "{}/{}",
            (teacher.step.get() + 1).min(Lesson::steps()),
            Lesson::steps()
        )
    };
    view! {
        <Stage session title=cx.text("learn.title")>
            <div class="coach-head">
                <h2 id="coach-title">{move || title()}</h2>
                <small aria-label=cx.text("learn.step")>{move || count()}</small>
            </div>
            <p class="coach-text">{move || told()}</p>
            {move || wrong().map(|w| view! { <p class="why" role="alert" id="coach-wrong">{w}</p> })}
            <Consequences session/>
            <div class="coach-foot">
                <Show when=move || reads() && !last()>
                    <button class="primary" id="coach-next" disabled=move || busy() on:click=move |_| teacher.read_on()>{cx.text("learn.next")}</button>
                </Show>
                <Show when=last>
                    <button class="primary" id="coach-done" disabled=move || busy() on:click=finish>{cx.text("learn.done")}</button>
                    <button class="plain" on:click=move |_| teacher.again()>{cx.text("learn.again")}</button>
                    <button class="plain" on:click=move |_| cx.go(Route::Puzzles)>{cx.text("puzzle.title")}</button>
                </Show>
                <Show when=move || !last()>
                    <button class="plain quiet" id="coach-skip" on:click=move |_| cx.go(Route::Start)>{cx.text("learn.skip")}</button>
                </Show>
            </div>
        </Stage>
    }
    .into_any()
}
