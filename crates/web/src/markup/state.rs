//! What is in the page, and how it is changed.

use leptos::reactive::effect::RenderEffect;
use wasm_bindgen::JsCast;
use web_sys::{Node, Text};

use super::element::Placed;
use super::keyed::PlacedRows;
use super::{Make, Markup};
use crate::device::page::document;

/// What is in the page.
pub enum State {
    Text(Text, String),
    Element(Box<Placed>),
    /// Several things, and where the next one would come.
    Many(Vec<State>, Text),
    Live(RenderEffect<State>),
    Keyed(Box<PlacedRows>),
}

/// A place in the page, to be found again.
pub fn mark() -> Text {
    document().create_text_node("")
}

/// Takes something out of the page.
pub fn remove(node: &Node) {
    // A text has the same method.
    node.unchecked_ref::<web_sys::Element>().remove();
}

/// Puts something into the page.
pub fn insert(parent: &Node, node: &Node, before: Option<&Node>) {
    let _ = parent.insert_before(node, before);
}

fn live(mut make: Box<dyn Make>, old: Option<State>) -> RenderEffect<State> {
    RenderEffect::new_with_value(
        move |old: Option<State>| {
            let new = make.make();
            let Some(mut state) = old else {
                return new.build();
            };
            new.patch(&mut state);
            state
        },
        old,
    )
}

impl Markup {
    /// Makes it.
    pub fn build(self) -> State {
        match self {
            Markup::Text(text) => {
                State::Text(document().create_text_node(&text), text.into_owned())
            }
            Markup::Element(element) => State::Element(Box::new(element.build())),
            Markup::Many(all) => State::Many(all.into_iter().map(Markup::build).collect(), mark()),
            Markup::Live(make) => State::Live(live(make, None)),
            Markup::Keyed(rows) => State::Keyed(Box::new(PlacedRows::new(rows))),
        }
    }

    /// Changes what is in the page into this.
    pub fn patch(self, state: &mut State) {
        match (self, &mut *state) {
            (Markup::Text(new), State::Text(node, old)) => {
                if *old != new {
                    node.set_data(&new);
                    *old = new.into_owned();
                }
            }
            (Markup::Element(new), State::Element(old)) if new.is_like(old) => new.patch(old),
            (Markup::Many(new), State::Many(old, mark)) => {
                if let Some(parent) = mark.parent_node() {
                    State::patch_all(new, old, &parent, Some(mark));
                }
            }
            (Markup::Live(make), State::Live(effect)) => {
                let old = effect.take_value();
                *effect = live(make, old);
            }
            (new, _) => {
                let mut new = new.build();
                if let Some(first) = state.first()
                    && let Some(parent) = first.parent_node()
                {
                    new.mount(&parent, Some(&first));
                }
                state.unmount();
                *state = new;
            }
        }
    }
}

impl State {
    /// Changes several things, one after the other; new ones come at the end, before a mark.
    pub fn patch_all(new: Vec<Markup>, old: &mut Vec<State>, parent: &Node, end: Option<&Node>) {
        while old.len() > new.len() {
            if let Some(mut state) = old.pop() {
                state.unmount();
            }
        }
        let (kept, mut new) = (old.len(), new.into_iter());
        for (markup, state) in new.by_ref().take(kept).zip(&mut *old) {
            markup.patch(state);
        }
        for markup in new {
            let mut state = markup.build();
            state.mount(parent, end);
            old.push(state);
        }
    }

    /// Puts it into the page.
    pub fn mount(&mut self, parent: &Node, before: Option<&Node>) {
        match self {
            State::Text(node, _) => insert(parent, node, before),
            State::Element(placed) => insert(parent, &placed.node, before),
            State::Many(all, mark) => {
                for state in all {
                    state.mount(parent, before);
                }
                insert(parent, mark, before);
            }
            State::Live(effect) => {
                effect.with_value_mut(|state| state.mount(parent, before));
            }
            State::Keyed(rows) => rows.mount(parent, before),
        }
    }

    /// Takes it out of the page.
    pub fn unmount(&mut self) {
        match self {
            State::Text(node, _) => remove(node),
            State::Element(placed) => remove(&placed.node),
            State::Many(all, mark) => {
                all.iter_mut().for_each(State::unmount);
                remove(mark);
            }
            State::Live(effect) => {
                effect.with_value_mut(State::unmount);
            }
            State::Keyed(rows) => rows.unmount(),
        }
    }

    /// The first of its nodes.
    pub fn first(&self) -> Option<Node> {
        Some(match self {
            State::Text(node, _) => node.clone().into(),
            State::Element(placed) => placed.node.clone().into(),
            State::Many(all, mark) => all
                .first()
                .map_or_else(|| Some(mark.clone().into()), State::first)?,
            State::Live(effect) => effect.with_value_mut(|state| state.first())??,
            State::Keyed(rows) => rows.first(),
        })
    }
}
