//! The macro in which the screens are written: `view!`, in the syntax of Leptos.
//!
//! Leptos' own makes a type of every element, with code of its own to build and to change it. This one makes a list of steps for one
//! builder that is in the program once (`crate::markup::Builder` of the crate that uses it): what is fixed is text, what is not is
//! boxed. It knows what the screens need and no more:
//!
//! | | |
//! |---|---|
//! | `<p>`, `<br/>` | an element |
//! | `<Show when=… >` | a component of Leptos, with properties and children |
//! | `"text"`, `{expression}` | what is inside |
//! | `name`, `name="text"`, `name=expression` | an attribute |
//! | `class:name=`, `style:name=` | one class, one style |
//! | `prop:name=`, `inner_html=` | a property, what is inside as text |
//! | `on:event=`, `on:event:target=` | what happens then; with `target`, of a field |

mod attribute;
mod component;
mod marks;
mod steps;

use proc_macro::TokenStream;

/// A piece of the page.
#[proc_macro]
pub fn view(tokens: TokenStream) -> TokenStream {
    steps::view(tokens.into())
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
