//! From nodes to the steps of a builder.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use rstml::node::{Node, NodeBlock, NodeElement};
use rstml::{Infallible, Parser, ParserConfig};
use syn::spanned::Spanned;
use syn::{Error, Ident, Result};

use crate::attribute::{self, Attribute};
use crate::component;
use crate::marks::{CLOSE, NAME, OPEN, TEXT, VALUE};

/// Elements that are never closed.
const VOID: [&str; 5] = ["br", "hr", "img", "input", "meta"];

/// What a builder is told.
#[derive(Debug)]
enum Step {
    /// Everything fixed, up to the next thing that is not.
    Fixed(String),
    /// Something inside.
    Child(TokenStream),
    /// An attribute of the open element: how it is set.
    Set(TokenStream),
}

/// What a builder is told, in order.
#[derive(Debug, Default)]
pub struct Steps(Vec<Step>);

impl Steps {
    fn fixed(&mut self, text: &str) {
        if let Some(Step::Fixed(so_far)) = self.0.last_mut() {
            so_far.push_str(text);
        } else {
            self.0.push(Step::Fixed(text.into()));
        }
    }

    fn node(&mut self, node: &Node<Infallible>) -> Result<()> {
        match node {
            Node::Element(element) if component::is(element) => {
                self.0.push(Step::Child(component::tokens(element)?));
            }
            Node::Element(element) => self.element(element)?,
            Node::Text(text) => self.fixed(&format!("{TEXT}{}", text.value_string())),
            Node::Block(NodeBlock::ValidBlock(block)) => {
                let inside = match &block.stmts[..] {
                    [syn::Stmt::Expr(only, None)] => only.to_token_stream(),
                    _ => block.to_token_stream(),
                };
                self.0.push(Step::Child(inside));
            }
            other => {
                let what = "only elements, components, \"texts\" and {expressions} can be shown";
                return Err(Error::new(other.span(), what));
            }
        }
        Ok(())
    }

    fn element(&mut self, element: &NodeElement<Infallible>) -> Result<()> {
        let name = element.name().to_string();
        let mut head = format!("{OPEN}{name}");
        let mut sets = Vec::new();
        for written in element.attributes() {
            match attribute::read(written)? {
                Attribute::Fixed(name, None) => head.extend([NAME.to_string(), name]),
                Attribute::Fixed(name, Some(value)) => {
                    head.extend([NAME.to_string(), name, VALUE.to_string(), value]);
                }
                Attribute::Live(set) => sets.push(Step::Set(set)),
            }
        }
        self.fixed(&head);
        self.0.extend(sets);
        for child in &element.children {
            self.node(child)?;
        }
        self.fixed(&CLOSE.to_string());
        Ok(())
    }

    fn tokens(self) -> TokenStream {
        if let [Step::Child(only)] = &self.0[..] {
            return quote! { crate::markup::IntoMarkup::into_markup(#only) };
        }
        let builder = Ident::new("builder", Span::mixed_site());
        let steps = self.0.into_iter().map(|step| match step {
            Step::Fixed(text) => quote! { #builder.run(#text); },
            Step::Child(inside) => quote! { #builder.child(#inside); },
            Step::Set(set) => quote! { #builder.#set; },
        });
        quote! {
            {
                let mut #builder = crate::markup::Builder::default();
                #(#steps)*
                #builder.finish()
            }
        }
    }
}

/// What shows several nodes.
pub fn nodes(nodes: &[Node<Infallible>]) -> Result<TokenStream> {
    let mut steps = Steps::default();
    for node in nodes {
        steps.node(node)?;
    }
    Ok(steps.tokens())
}

/// What a `view!` stands for.
pub fn view(written: TokenStream) -> Result<TokenStream> {
    let config = ParserConfig::new().always_self_closed_elements(HashSet::from(VOID));
    nodes(&Parser::new(config).parse_simple(written)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(written: &str) -> Vec<String> {
        let config = ParserConfig::new().always_self_closed_elements(HashSet::from(VOID));
        let nodes = Parser::new(config)
            .parse_simple(written.parse::<TokenStream>().expect("tokens"))
            .expect("nodes");
        let mut steps = Steps::default();
        for node in &nodes {
            steps.node(node).expect("known");
        }
        let text = |step| match step {
            Step::Fixed(text) => fixed(&text),
            Step::Child(tokens) => format!("child {tokens}"),
            Step::Set(tokens) => format!("set {tokens}"),
        };
        steps.0.into_iter().map(text).collect()
    }

    fn fixed(text: &str) -> String {
        format!("fixed {text:?}")
    }

    fn error(written: &str) -> String {
        view(written.parse().expect("tokens"))
            .expect_err("not known")
            .to_string()
    }

    #[test]
    fn what_is_fixed_is_one_step() {
        let written = r#"<p class="a" hidden><b>"text"</b><br/></p><input type="text"/>"#;
        let text = "\u{1}p\u{2}class\u{3}a\u{2}hidden\u{1}b\u{4}text\u{5}\u{1}br\u{5}\u{5}\u{1}input\u{2}type\u{3}text\u{5}";
        assert_eq!(steps(written), [fixed(text)]);
    }

    #[test]
    fn what_is_not_fixed_comes_between() {
        let written = r#"<p id=name class="a" class:b=is>"x" {inside}</p>"#;
        let expected = [
            fixed("\u{1}p\u{2}class\u{3}a"),
            "set set (\"id\" , name)".into(),
            "set set (\".b\" , is)".into(),
            fixed("\u{4}x"),
            "child inside".into(),
            fixed("\u{5}"),
        ];
        assert_eq!(steps(written), expected);
    }

    #[test]
    fn handlers_know_their_event() {
        let written = "<input on:keydown=key on:input:target=typed/>";
        let expected = [
            fixed("\u{1}input"),
            "set on :: < :: web_sys :: KeyboardEvent > (\"keydown\" , key)".into(),
            "set on :: < crate :: markup :: Entry > (\"input\" , typed)".into(),
            fixed("\u{5}"),
        ];
        assert_eq!(steps(written), expected);
    }

    #[test]
    fn one_component_alone_needs_no_builder() {
        let tokens = view(
            "<Box title=text open>{inside}</Box>"
                .parse()
                .expect("tokens"),
        )
        .expect("known")
        .to_string();
        assert!(!tokens.contains("Builder"), "{tokens}");
        assert!(
            tokens.contains(". title (text) . open (open) . children"),
            "{tokens}"
        );
    }

    #[test]
    fn what_it_does_not_know_it_refuses() {
        assert!(error("<p on:wheel=turn></p>").contains("wheel"));
        assert!(error("<p use:thing></p>").contains("use:thing"));
        assert!(error("<p {..all}></p>").contains("name=value"));
        assert!(error("<p>text</p>").contains("\"texts\""));
        assert!(error("<Box on:click=press/>").contains("on:click"));
    }
}
