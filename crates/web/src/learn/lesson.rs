//! The first game, on the real board.

use client::hint::Hint;
use client::{Store, staged};
use leptos::prelude::*;
use study::texts::Texts;
use study::tutorial::{self, Answer, LEARNER, Lesson};

use super::page::Page;
use super::stage::{Consequences, Stage};
use super::texts::{Text, text};
use crate::context::{Cx, Screen, cx};
use crate::device::page;
use crate::device::storage::BrowserStore;
use crate::game::session::{Session, Way};
use crate::live::{Memo, RwSignal, StoredValue, follow};
use crate::markup::{Markup, view};
use crate::parts::{Show, button};

/// Where the step is kept at which somebody stopped.
const KEPT: &str = "towers.lesson";

/// The lesson as it goes on.
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
        let kept = BrowserStore.get(KEPT).and_then(|n| n.parse().ok());
        let lesson = Lesson::at(kept.unwrap_or(0));
        Teacher {
            cx,
            step: RwSignal::new(lesson.step()),
            lesson: StoredValue::new(lesson),
            wrong: RwSignal::new(false),
            session: StoredValue::new(None),
        }
    }

    /// The board for the lesson.
    fn session(self) -> Option<Session> {
        let names = [self.cx.my_name()];
        let game = self.lesson.with_value(|l| staged::game(l.state(), LEARNER));
        let model = staged::model(game, LEARNER, &names)?;
        let script = Callback::new(move |action| self.act(action));
        let session = Session::new(self.cx, Way::Script(script), model);
        self.session.set_value(Some(session));
        Some(session)
    }

    fn act(self, action: rules::Action) {
        let mut answer = Answer::NotNow;
        self.lesson.update_value(|l| answer = l.act(action));
        if answer == Answer::Right {
            self.go_on();
        } else {
            self.wrong.set(true);
            if let Some(session) = self.session.get_value() {
                session.take_back();
            }
        }
    }

    fn read_on(self) {
        self.lesson.update_value(Lesson::read_on);
        self.go_on();
    }

    /// Back to the beginning.
    fn again(self) {
        self.lesson.set_value(Lesson::new());
        self.go_on();
    }

    /// Shows what has happened, and the next step.
    fn go_on(self) {
        let mut events = Vec::new();
        self.lesson.update_value(|l| events = l.take_events());
        let (game, step) = self
            .lesson
            .with_value(|l| (staged::game(l.state(), LEARNER), l.step()));
        self.wrong.set(false);
        self.step.set(step);
        let over = self.lesson.with_value(Lesson::is_over);
        BrowserStore.set(KEPT, &if over { 0 } else { step }.to_string());
        if let Some(session) = self.session.get_value() {
            session.tell(staged::seen(events, game));
            let me = self;
            leptos::task::spawn_local(async move { me.point().await });
        }
    }

    /// Points at what is to be tapped, once everything is shown.
    async fn point(self) {
        let Some(session) = self.session.get_value() else {
            return;
        };
        while session.model.try_with_untracked(client::Model::is_busy) == Some(true) {
            page::sleep(80).await;
        }
        let expected = self.lesson.try_with_value(Lesson::expected).flatten();
        session.hints.set(expected.map(|action| {
            vec![Hint {
                action,
                win: None,
                cards: None,
                why: Vec::new(),
            }]
        }));
        // The learner hears what is asked as soon as it can be done.
        crate::device::focus::focus("#coach-next");
    }
}

/// The first game.
#[component]
pub fn LessonScreen() -> Markup {
    let cx = cx();
    let file = text(Text::Tutorial);
    let texts = Memo::new(move || file.with(|f| f.as_deref().map(Texts::read)));
    let teacher = cx.keep(|| Teacher::new(cx));
    let Some(session) = cx.keep(|| teacher.session()) else {
        return Markup::nothing();
    };
    leptos::task::spawn_local(async move { teacher.point().await });
    let name = move || {
        teacher.step.track();
        teacher.lesson.with_value(Lesson::name)
    };
    let said = move |part: fn(&tutorial::StepText<'_>) -> String| {
        let name = name()?;
        texts.with(|t| tutorial::text(t.as_ref()?, name).map(|s| part(&s)))
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
    follow(move || {
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
    let busy = move || session.model.with(client::Model::is_busy);
    let finish = move |_| {
        BrowserStore.set(KEPT, "0");
        cx.go(Screen::Start);
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
                    {button(cx, "plain", "", "learn.again", move || teacher.again())}
                    {button(cx, "plain", "", "puzzle.title", move || cx.go(Screen::Page(Page::Puzzles)))}
                </Show>
                <Show when=move || !last()>
                    {button(cx, "plain quiet", "coach-skip", "learn.skip", move || cx.go(Screen::Start))}
                </Show>
            </div>
        </Stage>
    }
}
