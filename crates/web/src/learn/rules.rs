//! The rules: topics, pictures, link targets for every clause, search.

use leptos::prelude::*;
use towers_art::{N, whole};
use towers_client::{Route, labels};
use towers_rules::Spell;
use towers_study::handbook::{Handbook, Part, Topic};

use super::texts::{TextPart, text};
use crate::context::cx;
use crate::device::page;
use crate::game::reference::SpellRow;

pub fn picture(board: &str) -> Option<String> {
    let layout = towers_art::Layout::picture(900.0, 760.0);
    let mut scene = towers_art::Scene::new(board.parse().ok()?);
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
    Some(draw(towers_art::landscape::scenery(&layout)) + &draw(scene.svg(&layout)))
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN), |(low, high), v| {
        (low.min(v), high.max(v))
    })
}

fn show(part: &Part) -> AnyView {
    match part.clone() {
        Part::Paragraph(text) => view! { <p>{text}</p> }.into_any(),
        Part::Clause { clause, text } => {
            let to = Route::Rules(Some(clause.clone())).href();
            view! {
                <p class="clause" id=clause.clone()>
                    {text} " "
                    <a class="anchor" href=to>{clause.clone()}</a>
                </p>
            }
            .into_any()
        }
        Part::Picture { board, caption } => view! {
            <figure class="board-picture wt-numbers">
                <div aria-hidden="true" inner_html=picture(&board).unwrap_or_default()></div>
                <figcaption>{caption}</figcaption>
            </figure>
        }
        .into_any(),
    }
}

fn topic(topic: &Topic, parts: &[&Part]) -> impl IntoView + use<> {
    view! {
        <section class="topic" id=topic.name.clone()>
            <h2>{topic.title.clone()}</h2>
            {parts.iter().map(|p| show(p)).collect_view()}
        </section>
    }
}

/// All spells with their cost and effect.
#[component]
fn Spells() -> impl IntoView {
    let costs = towers_rules::Costs::usual();
    let row = move |spell: Spell| view! { <SpellRow spell cost=costs.of(spell)/> };
    view! { <ul class="spell-list">{Spell::ALL.map(row).into_iter().collect_view()}</ul> }
}

#[component]
fn Cards() -> impl IntoView {
    let cx = cx();
    let one = move |card: towers_rules::Card| {
        view! {
            <li>
                <span aria-hidden="true" inner_html=towers_art::pieces::book::card(card)></span>
                <small>{move || cx.say(&labels::card(card))} " ×" {card.copies()}</small>
            </li>
        }
    };
    view! { <ul class="card-list">{towers_rules::Card::all().map(one).collect_view()}</ul> }
}

#[component]
pub fn RulesScreen(
    /// The clause or topic to show first.
    anchor: Option<String>,
) -> impl IntoView {
    let cx = cx();
    let file = text(TextPart::Rules);
    let book = Memo::new(move |_| file.with(|f| f.as_deref().map(Handbook::read)));
    let words = RwSignal::new(String::new());
    let target = StoredValue::new(anchor);
    Effect::new(move |_| {
        if book.with(Option::is_some) {
            target.with_value(|t| t.as_deref().map(page::scroll_to));
        }
    });
    let found = move || {
        book.with(|book| {
            let Some(book) = book else {
                return view! { <p role="status">{cx.t("ui.loading")}</p> }.into_any();
            };
            let topics = words.with(|words| book.search(words));
            if topics.is_empty() {
                return view! { <p role="status">{cx.t("rules.nothing")}</p> }.into_any();
            }
            topics
                .iter()
                .map(|(t, parts)| topic(t, parts))
                .collect_view()
                .into_any()
        })
    };
    let contents = move || {
        book.with(|book| {
            let topics = book.as_ref().map(|b| b.topics.clone()).unwrap_or_default();
            let link = |t: Topic| {
                let to = Route::Rules(Some(t.name.clone())).href();
                view! { <li><a href=to>{t.title}</a></li> }
            };
            topics.into_iter().map(link).collect_view()
        })
    };
    let unsearched = move || words.with(|w| w.trim().is_empty());
    view! {
        <div class="reading">
            <header class="reading-head">
                <button class="round" aria-label=cx.text("ui.back") on:click=move |_| cx.go(Route::Start)>"‹"</button>
                <h1>{cx.text("rules.title")}</h1>
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
                    <section class="topic"><h2>{cx.text("rules.spells")}</h2><Spells/></section>
                    <section class="topic"><h2>{cx.text("rules.cards")}</h2><Cards/></section>
                </Show>
            </main>
        </div>
    }
}
