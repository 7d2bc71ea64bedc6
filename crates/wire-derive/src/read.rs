//! What reads a type.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DeriveInput, Error, Fields, FieldsNamed, Result, Variant};

use crate::attributes::Attributes;

/// The implementation for a type.
pub fn derive(input: &DeriveInput) -> Result<TokenStream> {
    if !input.generics.params.is_empty() {
        return Err(Error::new(
            input.generics.span(),
            "a type with parameters is not known here",
        ));
    }
    let attributes = Attributes::of(&input.attrs)?;
    let body = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => through(&named(fields, &attributes)?),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => quote! {
                ::wire::serde::Deserialize::deserialize(from).map(Self)
            },
            other => return Err(Error::new(other.span(), "only named fields are known")),
        },
        Data::Enum(data) => through(&alternatives(data, &attributes)?),
        Data::Union(_) => return Err(Error::new(input.span(), "a union cannot be read")),
    };
    let name = &input.ident;
    Ok(quote! {
        impl<'de> ::wire::serde::Deserialize<'de> for #name {
            fn deserialize<D>(from: D) -> ::core::result::Result<Self, D::Error>
            where
                D: ::wire::serde::Deserializer<'de>,
            {
                #body
            }
        }
    })
}

/// Reads a tree first, and the type from it.
fn through(read: &TokenStream) -> TokenStream {
    quote! {
        ::wire::through(from, |mut tree| {
            #read
        })
    }
}

/// A struct.
fn named(fields: &FieldsNamed, attributes: &Attributes) -> Result<TokenStream> {
    let usual = attributes.default.then(|| {
        quote! { let usual = <Self as ::core::default::Default>::default(); }
    });
    let read = read_fields(fields, attributes.default)?;
    let end = end(attributes);
    Ok(quote! {
        tree.must_be_map()?;
        #usual
        let read = Self { #read };
        #end
        Ok(read)
    })
}

fn end(attributes: &Attributes) -> Option<TokenStream> {
    attributes.strict.then(|| quote! { tree.must_be_empty()?; })
}

/// Each field by its name.
fn read_fields(fields: &FieldsNamed, all_have_usual: bool) -> Result<TokenStream> {
    let mut read = TokenStream::new();
    for field in &fields.named {
        let Some(ident) = &field.ident else { continue };
        let attributes = Attributes::of(&field.attrs)?;
        let name = attributes
            .rename
            .unwrap_or_else(|| ident.unraw().to_string());
        read.extend(if attributes.skip {
            quote! { #ident: ::core::default::Default::default(), }
        } else if all_have_usual {
            quote! { #ident: tree.field_or(#name, usual.#ident)?, }
        } else if attributes.default {
            quote! { #ident: tree.field_or(#name, ::core::default::Default::default())?, }
        } else {
            quote! { #ident: tree.field(#name)?, }
        });
    }
    Ok(read)
}

/// An enum.
fn alternatives(data: &DataEnum, attributes: &Attributes) -> Result<TokenStream> {
    let name = |variant: &Variant| -> Result<String> {
        let own = Attributes::of(&variant.attrs)?;
        Ok(own
            .rename
            .unwrap_or_else(|| attributes.style.write(&variant.ident.to_string())))
    };
    let names = data.variants.iter().map(name).collect::<Result<Vec<_>>>()?;
    let mut arms = TokenStream::new();
    for (n, variant) in data.variants.iter().enumerate() {
        let read = alternative(variant)?;
        // There are no others: the last one needs no number.
        arms.extend(if n + 1 == data.variants.len() {
            quote! { _ => #read, }
        } else {
            quote! { #n => #read, }
        });
    }
    let which = if let Some(tag) = &attributes.tag {
        quote! { tree.tagged_alternative(#tag, &NAMES)? }
    } else {
        quote! { tree.alternative(&NAMES)? }
    };
    let count = names.len();
    let end = end(attributes);
    Ok(quote! {
        static NAMES: [&str; #count] = [#(#names),*];
        let which = #which;
        let read = match which { #arms };
        #end
        Ok(read)
    })
}

/// One alternative, from what is in it.
fn alternative(variant: &Variant) -> Result<TokenStream> {
    let ident = &variant.ident;
    match &variant.fields {
        Fields::Unit => Ok(quote! { Self::#ident }),
        Fields::Unnamed(one) if one.unnamed.len() == 1 => {
            // Whatever is left belongs to it.
            Ok(quote! { Self::#ident(::wire::serde::Deserialize::deserialize(tree.rest())?) })
        }
        Fields::Named(fields) => {
            let read = read_fields(fields, false)?;
            Ok(quote! {{
                tree.must_be_map()?;
                Self::#ident { #read }
            }})
        }
        other @ Fields::Unnamed(_) => {
            let why = "alternatives have named fields or one value";
            Err(Error::new(other.span(), why))
        }
    }
}
