//! What can be written in a `view!`.

use std::borrow::Cow;
use std::rc::Rc;

use leptos::prelude::{Get, Signal};

use super::{Markup, Value};

/// What can be shown.
pub trait IntoMarkup {
    /// As something that can be shown.
    fn into_markup(self) -> Markup;
}

impl IntoMarkup for Markup {
    fn into_markup(self) -> Markup {
        self
    }
}

impl IntoMarkup for () {
    fn into_markup(self) -> Markup {
        Markup::nothing()
    }
}

impl IntoMarkup for &'static str {
    fn into_markup(self) -> Markup {
        Markup::Text(Cow::Borrowed(self))
    }
}

impl IntoMarkup for String {
    fn into_markup(self) -> Markup {
        Markup::Text(Cow::Owned(self))
    }
}

impl IntoMarkup for Signal<String> {
    #[inline(never)]
    fn into_markup(self) -> Markup {
        Markup::Live(Box::new(move || self.get()))
    }
}

impl IntoMarkup for usize {
    #[inline(never)]
    fn into_markup(self) -> Markup {
        Markup::Text(Cow::Owned(self.to_string()))
    }
}

impl IntoMarkup for u32 {
    fn into_markup(self) -> Markup {
        (self as usize).into_markup()
    }
}

impl IntoMarkup for u8 {
    fn into_markup(self) -> Markup {
        usize::from(self).into_markup()
    }
}

impl<T: IntoMarkup> IntoMarkup for Option<T> {
    fn into_markup(self) -> Markup {
        self.map_or(Markup::nothing(), T::into_markup)
    }
}

impl<T: IntoMarkup> IntoMarkup for Vec<T> {
    fn into_markup(self) -> Markup {
        Markup::Many(self.into_iter().map(T::into_markup).collect())
    }
}

impl<T: IntoMarkup, F: FnMut() -> T + 'static> IntoMarkup for F {
    fn into_markup(self) -> Markup {
        Markup::Live(Box::new(self))
    }
}

/// What an attribute can be set to.
pub trait IntoValue {
    /// As a value of an attribute.
    fn into_value(self) -> Value;
}

impl IntoValue for &'static str {
    fn into_value(self) -> Value {
        Value::Text(Cow::Borrowed(self))
    }
}

impl IntoValue for String {
    fn into_value(self) -> Value {
        Value::Text(Cow::Owned(self))
    }
}

impl IntoValue for bool {
    fn into_value(self) -> Value {
        if self {
            Value::Text(Cow::Borrowed(""))
        } else {
            Value::Nothing
        }
    }
}

impl IntoValue for Signal<String> {
    #[inline(never)]
    fn into_value(self) -> Value {
        Value::Live(Box::new(move || self.get()))
    }
}

impl<T: IntoValue> IntoValue for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Nothing, T::into_value)
    }
}

impl<T: IntoValue, F: FnMut() -> T + 'static> IntoValue for F {
    fn into_value(self) -> Value {
        Value::Live(Box::new(self))
    }
}

/// What is inside a component, shown as often as it wants.
#[derive(Clone)]
pub struct Inside(Rc<Box<dyn Shows>>);

trait Shows {
    fn show(&self) -> Markup;
}

impl<F: Fn() -> Markup> Shows for F {
    fn show(&self) -> Markup {
        self()
    }
}

impl Inside {
    #[inline(never)]
    fn new(inside: Box<dyn Shows>) -> Inside {
        Inside(Rc::new(inside))
    }

    /// Shows it.
    pub fn show(&self) -> Markup {
        self.0.show()
    }
}

impl Default for Inside {
    fn default() -> Inside {
        Inside::new(Box::new(Markup::nothing))
    }
}

impl<F: Fn() -> Markup + 'static> From<F> for Inside {
    fn from(show: F) -> Inside {
        Inside::new(Box::new(show))
    }
}

/// What is inside a component, shown once.
pub struct Once(Box<dyn FnOnce() -> Markup>);

impl Once {
    /// Shows it.
    pub fn show(self) -> Markup {
        (self.0)()
    }
}

impl<F: FnOnce() -> Markup + 'static> From<F> for Once {
    fn from(show: F) -> Once {
        Once(Box::new(show))
    }
}
