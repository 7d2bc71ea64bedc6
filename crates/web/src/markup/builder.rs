//! What `view!` is told to, step by step.

use std::borrow::Cow;
use std::marker::PhantomData;

use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, MouseEvent, PointerEvent};

use super::element::Element;
use super::into::{IntoMarkup, IntoValue};
use super::marks::{CLOSE, OPEN, TEXT};
use super::{Markup, Value};

/// Puts a piece of the page together.
#[derive(Default)]
pub struct Builder {
    /// The elements that are not yet closed.
    open: Vec<Element>,
    done: Vec<Markup>,
}

impl Builder {
    /// What is fixed: elements begin, texts, elements end.
    #[inline(never)]
    pub fn run(&mut self, steps: &'static str) {
        let mut rest = steps.chars();
        while let Some(kind) = rest.next() {
            let text = rest.as_str();
            let end = text.find([OPEN, TEXT, CLOSE]).unwrap_or(text.len());
            let (step, after) = text.split_at(end);
            rest = after.chars();
            match kind {
                OPEN => self.open.push(Element::new(step)),
                TEXT => self.add(Markup::Text(Cow::Borrowed(step))),
                _ => {
                    if let Some(element) = self.open.pop() {
                        self.add(Markup::Element(Box::new(element)));
                    }
                }
            }
        }
    }

    #[inline(never)]
    fn add(&mut self, markup: Markup) {
        match self.open.last_mut() {
            Some(element) => element.children.push(markup),
            None => self.done.push(markup),
        }
    }

    /// Something inside the element that is open.
    pub fn child(&mut self, child: impl IntoMarkup) {
        self.add(child.into_markup());
    }

    /// An attribute of the element that is open.
    pub fn set(&mut self, name: &'static str, value: impl IntoValue) {
        self.set_value(name, value.into_value());
    }

    #[inline(never)]
    fn set_value(&mut self, name: &'static str, value: Value) {
        if let Some(element) = self.open.last_mut() {
            element.attributes.push((name, value));
        }
    }

    /// What is done when something happens to the element that is open.
    pub fn on<E: Happened + 'static>(&mut self, event: &'static str, then: impl Fn(E) + 'static) {
        self.listen(event, Box::new(Hearer(then, PhantomData)));
    }

    #[inline(never)]
    fn listen(&mut self, event: &'static str, then: Box<dyn Hear>) {
        if let Some(element) = self.open.last_mut() {
            element.handlers.push((event, then));
        }
    }

    /// What was put together.
    #[inline(never)]
    pub fn finish(mut self) -> Markup {
        if self.done.len() == 1 {
            self.done.pop().unwrap_or(Markup::nothing())
        } else {
            Markup::Many(self.done)
        }
    }
}

/// Who is told when something happens.
pub trait Hear {
    /// It happened.
    fn hear(&self, event: Event);
}

struct Hearer<E, F>(F, PhantomData<E>);

impl<E: Happened, F: Fn(E)> Hear for Hearer<E, F> {
    fn hear(&self, event: Event) {
        (self.0)(E::of(event));
    }
}

/// Something that happened, as a handler wants to hear of it.
pub trait Happened {
    /// The event as what it is known to be.
    fn of(event: Event) -> Self;
}

impl Happened for Event {
    fn of(event: Event) -> Event {
        event
    }
}

impl Happened for MouseEvent {
    fn of(event: Event) -> MouseEvent {
        event.unchecked_into()
    }
}

impl Happened for KeyboardEvent {
    fn of(event: Event) -> KeyboardEvent {
        event.unchecked_into()
    }
}

impl Happened for PointerEvent {
    fn of(event: Event) -> PointerEvent {
        event.unchecked_into()
    }
}

/// Something was entered or chosen in a field.
pub struct Entry(Event);

impl Entry {
    /// The field. Fields of every kind have a value, as this one has.
    pub fn target(&self) -> HtmlInputElement {
        let target = self.0.current_target().map(wasm_bindgen::JsValue::from);
        target.unwrap_or_default().unchecked_into()
    }
}

impl Happened for Entry {
    fn of(event: Event) -> Entry {
        Entry(event)
    }
}
