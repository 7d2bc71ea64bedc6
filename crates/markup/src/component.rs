//! Components: functions with the attribute `#[component]` of Leptos.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use rstml::Infallible;
use rstml::node::NodeElement;
use syn::spanned::Spanned;
use syn::{Error, Result};

use crate::attribute::named;
use crate::steps;

/// Whether an element is a component: their names begin with a capital letter.
pub fn is(element: &NodeElement<Infallible>) -> bool {
    let name = element.name().to_string();
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// What makes a component, as the macro of Leptos says it.
pub fn tokens(element: &NodeElement<Infallible>) -> Result<TokenStream> {
    let name = element.name();
    let mut properties = TokenStream::new();
    for written in element.attributes() {
        let written = named(written)?;
        let key = &written.key;
        if key.to_string().contains([':', '-']) {
            let why = format!("{key}: a component has properties only");
            return Err(Error::new(key.span(), why));
        }
        let value = written
            .value()
            .map_or_else(|| key.to_token_stream(), ToTokens::to_token_stream);
        properties.extend(quote! { .#key(#value) });
    }
    if !element.children.is_empty() {
        let inside = steps::nodes(&element.children)?;
        properties.extend(quote! { .children(::core::convert::Into::into(move || #inside)) });
    }
    Ok(quote! {
        ::leptos::component::component_view(
            &#name,
            ::leptos::component::component_props_builder(&#name) #properties .build()
        )
    })
}
