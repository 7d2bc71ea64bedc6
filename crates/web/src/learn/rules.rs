//! The rules: topics, pictures, every clause with a place to link to, searchable.

use art::{N, whole};
use client::labels;
use leptos::prelude::*;
use rules::Spell;
use study::handbook::{Handbook, Part, Topic};

use super::texts::{Text, text};
use crate::context::{Screen, cx};
use crate::device::page;
use crate::game::reference::SpellRow;
use crate::live::{Memo, RwSignal, StoredValue, follow};
use crate::markup::{Markup, view};
use crate::parts::{CollectView, Show, line};

/// A board as a picture: the ring and what stands on it.
pub fn picture(board: &str) -> Option<String> {
    let layout = art::Layout::fit(900.0, 760.0);
    let mut scene = art::Scene::new(art::Board::parse(board)?);
    scene.show_prisoners = true;
    let xs = layout.spaces.iter().map(|s| s.at.x);
    let ys = layout.spaces.iter().map(|s| s.at.y);
    let (left, right) = bounds(xs);
    let (above, below) = bounds(ys);
    let crop = format!(
        r#"viewBox="{} {} {} {}""#,
        whole(left - 70.0),
        whole(above - 110.0),
        whole(right - left + 140.0),
        whole(below - above + 170.0)
    );
    let whole = format!(r#"viewBox="0 0 {} {}""#, N(layout.width), N(layout.height));
    let draw = |svg: String| svg.replacen(&whole, &crop, 1);
    Some(draw(art::landscape::scenery(&layout)) + &draw(scene.svg(&layout)))
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN), |(low, high), v| {
        (low.min(v), high.max(v))
    })
}

fn show(part: &Part) -> Markup {
    match part.clone() {
        Part::Paragraph(text) => view! { <p>{text}</p> },
        Part::Clause { clause, text } => {
            let to = format!("#rules/{clause}");
            view! {
                <p class="clause" id=clause.clone()>
                    {text} " "
                    <a class="anchor" href=to>{clause.clone()}</a>
                </p>
            }
        }
        Part::Picture { board, caption } => view! {
            <figure class="board-picture wt-numbers">
                <div aria-hidden="true" inner_html=picture(&board).unwrap_or_default()></div>
                <figcaption>{caption}</figcaption>
            </figure>
        },
    }
}

fn topic(topic: &Topic, parts: &[&Part]) -> Markup {
    view! {
        <section class="topic" id=topic.name.clone()>
            <h2>{topic.title.clone()}</h2>
            {parts.iter().map(|p| show(p)).collect_view()}
        </section>
    }
}

/// All spells with what they cost and do.
#[component]
fn Spells() -> Markup {
    let costs = rules::Costs::usual();
    let row = move |spell: Spell| view! { <SpellRow spell cost=costs.of(spell)/> };
    view! { <ul class="spell-list">{Spell::ALL.map(row).into_iter().collect_view()}</ul> }
}

/// All cards with how many there are.
#[component]
fn Cards() -> Markup {
    let cx = cx();
    let one = move |card: rules::Card| {
        view! {
            <li>
                <span aria-hidden="true" inner_html=art::pieces::book::card(client::picture::card(card))></span>
                <small>{move || cx.say(&labels::card(card))} " ×" {card.copies()}</small>
            </li>
        }
    };
    view! { <ul class="card-list">{rules::Card::all().map(one).collect_view()}</ul> }
}

/// The rules.
#[component]
pub fn RulesScreen(
    /// The clause or topic to begin with.
    anchor: Option<String>,
) -> Markup {
    let cx = cx();
    let file = text(Text::Rules);
    let book = Memo::new(move || file.with(|f| f.as_deref().map(Handbook::read)));
    let words = RwSignal::new(String::new());
    let target = StoredValue::new(anchor);
    follow(move || {
        if book.with(Option::is_some) {
            target.with_value(|t| t.as_deref().map(page::scroll_to));
        }
    });
    let found = move || {
        book.with(|book| {
            let Some(book) = book else {
                return view! { <p role="status">{cx.t("ui.loading")}</p> };
            };
            let topics = words.with(|words| book.search(words));
            if topics.is_empty() {
                return view! { <p role="status">{cx.t("rules.nothing")}</p> };
            }
            topics
                .iter()
                .map(|(t, parts)| topic(t, parts))
                .collect_view()
        })
    };
    let contents = move || {
        book.with(|book| {
            let topics = book.as_ref().map(|b| b.topics.clone()).unwrap_or_default();
            let link = |t: Topic| {
                let to = format!("#rules/{}", t.name);
                view! { <li><a href=to>{t.title}</a></li> }
            };
            topics.into_iter().map(link).collect_view()
        })
    };
    let unsearched = move || words.with(|w| w.trim().is_empty());
    view! {
        <div class="reading">
            <header class="reading-head">
                <button class="round" aria-label=cx.text("ui.back") on:click=move |_| cx.go(Screen::Start)>"‹"</button>
                {line(cx, "h1", "", "rules.title")}
                <input
                    type="search"
                    id="rules-search"
                    placeholder=cx.text("rules.search")
                    aria-label=cx.text("rules.search")
                    on:input:target=move |e| words.set(e.target().value())
                />
            </header>
            <main class="sheet">
                <Show when=unsearched>
                    <nav aria-label=cx.text("rules.contents")><ul class="contents">{move || contents()}</ul></nav>
                </Show>
                {move || found()}
                <Show when=unsearched>
                    <section class="topic">{line(cx, "h2", "", "rules.spells")}<Spells/></section>
                    <section class="topic">{line(cx, "h2", "", "rules.cards")}<Cards/></section>
                </Show>
            </main>
        </div>
    }
}
