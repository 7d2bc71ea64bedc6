//! What the screens are made of: one type for everything that can be shown.
//!
//! Signals, effects and components are those of Leptos. Its views are types of their own, each with its own code to build and to
//! change it; here everything is a [`Markup`], so that this code is in the program once ([why](../../../../docs/client-size.md)).
//! When something is shown anew, what is the same stays in the page, with the keyboard's focus and what is scrolled.

mod builder;
mod element;
mod into;
mod keyed;
#[path = "../../../markup/src/marks.rs"]
mod marks;
mod state;
mod value;

use std::borrow::Cow;

use leptos::prelude::Owner;
use web_sys::Node;

pub use self::builder::{Builder, Entry};
pub use self::into::{Inside, IntoMarkup, Once};
pub use self::keyed::Row;
pub use ::markup::view;

use self::element::Element;
use self::keyed::Rows;
use self::value::Value;

/// Something that can be shown.
pub enum Markup {
    /// A text.
    Text(Cow<'static, str>),
    /// An element.
    Element(Box<Element>),
    /// Several things, one after the other.
    Many(Vec<Markup>),
    /// What is made anew whenever a signal changes that was asked for in it.
    Live(Box<dyn Make>),
    /// Rows that stay as long as their keys do.
    Keyed(Rows),
}

impl Markup {
    /// Nothing to be seen.
    pub const fn nothing() -> Markup {
        Markup::Text(Cow::Borrowed(""))
    }

    /// An element that has a class, unless that is empty, and something inside.
    pub fn element(tag: &'static str, class: &'static str, inside: Markup) -> Markup {
        let mut element = Element::new(tag);
        if !class.is_empty() {
            let class = Value::Text(Cow::Borrowed(class));
            element.attributes.push(("class", class));
        }
        element.children.push(inside);
        Markup::Element(Box::new(element))
    }
}

/// What makes something to be shown. A closure could do as much, but each would be in the program in two ways.
pub trait Make {
    /// Makes it.
    fn make(&mut self) -> Markup;
}

impl<T: IntoMarkup, F: FnMut() -> T> Make for F {
    fn make(&mut self) -> Markup {
        self().into_markup()
    }
}

/// Shows the whole client in the page, for as long as the page is there.
pub fn mount(app: impl FnOnce() -> Markup, page: &Node) {
    // It is there already if the client is shown a second time.
    let _ = any_spawner::Executor::init_wasm_bindgen();
    let owner = Owner::new();
    let mut state = owner.with(|| app().build());
    state.mount(page, None);
    std::mem::forget((owner, state));
}
