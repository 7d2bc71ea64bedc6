//! Attributes of elements.

use proc_macro2::TokenStream;
use quote::quote;
use rstml::node::{KeyedAttribute, NodeAttribute};
use syn::spanned::Spanned;
use syn::{Error, Expr, Result};

/// An attribute of an element.
pub enum Attribute {
    /// A name, and a value that never changes.
    Fixed(String, Option<String>),
    /// What a builder is told.
    Live(TokenStream),
}

/// An attribute with a name; others are not known.
pub fn named(written: &NodeAttribute) -> Result<&KeyedAttribute> {
    match written {
        NodeAttribute::Attribute(named) => Ok(named),
        NodeAttribute::Block(block) => Err(Error::new(
            block.span(),
            "an attribute is written name=value",
        )),
    }
}

/// What an attribute says.
pub fn read(written: &NodeAttribute) -> Result<Attribute> {
    let written = named(written)?;
    let name = written.key.to_string();
    let refuse = |why: &str| Err(Error::new(written.key.span(), format!("{name}: {why}")));
    let Some(value) = written.value() else {
        return if name.contains(':') {
            refuse("a value is missing")
        } else {
            Ok(Attribute::Fixed(name, None))
        };
    };
    // The builder knows by the first letter what is set.
    let set = match name.split_once(':') {
        None if name == "inner_html" => "!innerHTML".into(),
        None => {
            if let Some(text) = written.value_literal_string() {
                return Ok(Attribute::Fixed(name, Some(text)));
            }
            name
        }
        Some(("class", class)) => format!(".{class}"),
        Some(("style", style)) => format!(";{style}"),
        Some(("prop", property)) => format!("!{property}"),
        Some(("on", event)) => return handler(event, value).map(Attribute::Live),
        Some(_) => return refuse("only class:, style:, prop: and on: are known"),
    };
    Ok(Attribute::Live(quote! { set(#set, #value) }))
}

/// What is done when something happens.
fn handler(event: &str, value: &Expr) -> Result<TokenStream> {
    let (event, of_field) = match event.strip_suffix(":target") {
        Some(event) => (event, true),
        None => (event, false),
    };
    let kind = match event {
        _ if of_field => quote! { crate::markup::Entry },
        "click" => quote! { ::web_sys::MouseEvent },
        "keydown" => quote! { ::web_sys::KeyboardEvent },
        "pointerdown" | "pointerup" => quote! { ::web_sys::PointerEvent },
        "input" | "change" | "submit" => quote! { ::web_sys::Event },
        _ => {
            let why = format!("the event {event} has no place in the list of known ones");
            return Err(Error::new(value.span(), why));
        }
    };
    Ok(quote! { on::<#kind>(#event, #value) })
}
