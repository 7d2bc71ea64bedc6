//! Elements: as they are to be, and as they are in the page.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::Event;

use super::Markup;
use super::builder::Hear;
use super::marks::{NAME, VALUE};
use super::state::State;
use super::value::{Set, Value};
use crate::device::page::document;

/// An element as it is to be.
pub struct Element {
    /// Its name and what is fixed about it.
    head: &'static str,
    /// What may change about it.
    pub attributes: Vec<(&'static str, Value)>,
    /// What is done when something happens to it.
    pub handlers: Vec<(&'static str, Box<dyn Hear>)>,
    /// What is inside.
    pub children: Vec<Markup>,
}

/// An element in the page.
pub struct Placed {
    head: &'static str,
    /// The element itself.
    pub node: web_sys::Element,
    attributes: Vec<(&'static str, Set)>,
    listeners: Vec<Listener>,
    children: Vec<State>,
}

impl Element {
    /// With a name and what is fixed.
    pub fn new(head: &'static str) -> Element {
        Element {
            head,
            attributes: Vec::new(),
            handlers: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Whether an element of the page can become this one.
    pub fn is_like(&self, placed: &Placed) -> bool {
        let same = |(a, b): (&(&str, Value), &(&str, Set))| a.0 == b.0;
        let hears = |(a, b): (&(&str, Box<dyn Hear>), &Listener)| a.0 == b.event;
        self.head == placed.head
            && self.attributes.len() == placed.attributes.len()
            && self.handlers.len() == placed.listeners.len()
            && self.attributes.iter().zip(&placed.attributes).all(same)
            && self.handlers.iter().zip(&placed.listeners).all(hears)
    }

    /// Makes it.
    pub fn build(self) -> Placed {
        let mut parts = self.head.split(NAME);
        let name = parts.next().unwrap_or_default();
        let node = document().create_element(name);
        let node = node.expect("names of elements are fixed, and good ones");
        for part in parts {
            let (name, value) = part.split_once(VALUE).unwrap_or((part, ""));
            let _ = node.set_attribute(name, value);
        }
        let attributes = self.attributes.into_iter();
        let attributes = attributes.map(|(name, value)| (name, Set::new(&node, name, value)));
        let attributes = attributes.collect();
        let handlers = self.handlers.into_iter();
        let listeners = handlers.map(|(event, then)| Listener::new(&node, event, then));
        let listeners = listeners.collect();
        let place = |child: Markup| {
            let mut state = child.build();
            state.mount(&node, None);
            state
        };
        let children = self.children.into_iter().map(place).collect();
        Placed {
            head: self.head,
            node,
            attributes,
            listeners,
            children,
        }
    }

    /// Changes one in the page into this one; [`Element::is_like`] was asked before.
    pub fn patch(self, placed: &mut Placed) {
        for ((name, value), (_, set)) in self.attributes.into_iter().zip(&mut placed.attributes) {
            set.change(&placed.node, name, value);
        }
        for ((_, then), listener) in self.handlers.into_iter().zip(&placed.listeners) {
            listener.then.replace(Rc::new(then));
        }
        State::patch_all(self.children, &mut placed.children, &placed.node, None);
    }
}

/// Someone listens to an element, until this is dropped.
struct Listener {
    event: &'static str,
    node: web_sys::Element,
    then: Rc<RefCell<Rc<Box<dyn Hear>>>>,
    closure: Closure<dyn Fn(Event)>,
}

impl Listener {
    fn new(node: &web_sys::Element, event: &'static str, then: Box<dyn Hear>) -> Listener {
        let then = Rc::new(RefCell::new(Rc::new(then)));
        let called = Rc::clone(&then);
        let closure = Closure::new(move |event| {
            // It may be replaced while it is at work.
            let now = Rc::clone(&called.borrow());
            now.hear(event);
        });
        let _ = node.add_event_listener_with_callback(event, listening(&closure));
        Listener {
            event,
            node: node.clone(),
            then,
            closure,
        }
    }
}

fn listening(closure: &Closure<dyn Fn(Event)>) -> &js_sys::Function {
    closure.as_ref().unchecked_ref()
}

impl Drop for Listener {
    fn drop(&mut self) {
        let listening = listening(&self.closure);
        let _ = self
            .node
            .remove_event_listener_with_callback(self.event, listening);
    }
}
