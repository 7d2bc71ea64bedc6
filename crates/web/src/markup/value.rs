//! Attributes, classes, styles and properties of elements.

use std::borrow::Cow;

use leptos::reactive::effect::RenderEffect;
use leptos::tachys::renderer::Rndr;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

use super::into::IntoValue;

/// What an attribute is set to.
pub enum Value {
    /// It is not there.
    Nothing,
    /// A text; an attribute without one has an empty one.
    Text(Cow<'static, str>),
    /// What is asked again whenever a signal changes that was asked for in it.
    Live(Box<dyn Ask>),
}

/// What knows a value that may change.
pub trait Ask {
    /// The value now.
    fn ask(&mut self) -> Value;
}

impl<T: IntoValue, F: FnMut() -> T> Ask for F {
    fn ask(&mut self) -> Value {
        self().into_value()
    }
}

impl Value {
    fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Nothing | Value::Live(_) => None,
        }
    }
}

/// An attribute that is in the page.
pub enum Set {
    /// It stays as it is until the element is shown anew.
    Fixed(Value),
    /// It changes by itself.
    Live(RenderEffect<Value>),
}

impl Set {
    /// Sets an attribute of an element.
    pub fn new(element: &Element, name: &'static str, value: Value) -> Set {
        match value {
            Value::Live(ask) => Set::Live(live(element, name, ask, Value::Nothing)),
            value => {
                apply(element, name, None, value.text());
                Set::Fixed(value)
            }
        }
    }

    /// Sets it anew; what is the same is left alone.
    pub fn change(&mut self, element: &Element, name: &'static str, value: Value) {
        let old = match self {
            Set::Fixed(old) => std::mem::replace(old, Value::Nothing),
            Set::Live(effect) => effect.take_value().unwrap_or(Value::Nothing),
        };
        *self = match value {
            Value::Live(ask) => Set::Live(live(element, name, ask, old)),
            value => {
                apply(element, name, old.text(), value.text());
                Set::Fixed(value)
            }
        };
    }
}

fn live(
    element: &Element,
    name: &'static str,
    mut ask: Box<dyn Ask>,
    old: Value,
) -> RenderEffect<Value> {
    let element = element.clone();
    RenderEffect::new_with_value(
        move |old: Option<Value>| {
            let value = ask.ask();
            apply(
                &element,
                name,
                old.as_ref().and_then(Value::text),
                value.text(),
            );
            value
        },
        Some(old),
    )
}

/// Changes an attribute from what it was to what it shall be. The first letter of its name says what kind of attribute it is.
fn apply(element: &Element, name: &'static str, old: Option<&str>, new: Option<&str>) {
    if old == new {
        return;
    }
    // What the browser refuses is not there; nothing depends on it.
    let _ = if let Some(class) = name.strip_prefix('.') {
        let classes = element.class_list();
        if new.is_some() {
            classes.add_1(class)
        } else {
            classes.remove_1(class)
        }
    } else if let Some(style) = name.strip_prefix(';') {
        let styles = element.unchecked_ref::<HtmlElement>().style();
        styles.set_property(style, new.unwrap_or_default())
    } else if let Some(property) = name.strip_prefix('!') {
        let value = JsValue::from_str(new.unwrap_or_default());
        // A value comes after the alternatives it is chosen from.
        Rndr::set_property_or_value(element, property, &value);
        Ok(())
    } else if name == "class" {
        classes(element, old, new)
    } else if let Some(text) = new {
        element.set_attribute(name, text)
    } else {
        element.remove_attribute(name)
    };
}

/// Other classes than before; those that are set one by one stay.
fn classes(element: &Element, old: Option<&str>, new: Option<&str>) -> Result<(), JsValue> {
    let list = element.class_list();
    for class in old.unwrap_or_default().split_whitespace() {
        list.remove_1(class)?;
    }
    for class in new.unwrap_or_default().split_whitespace() {
        list.add_1(class)?;
    }
    Ok(())
}
