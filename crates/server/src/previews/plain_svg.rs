//! Rewrites our drawings for a renderer without CSS custom properties: `<use>` is replaced by what it refers to, and
//! `var()` by the value at that place. All other rules stay with the renderer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use resvg::usvg::roxmltree::{Document, Error, Node};
use towers_art::STYLE;

/// The deepest nesting of `<use>` in our drawings is four.
const MAX_DEPTH: usize = 64;

/// The properties of the classes of our stylesheet that need custom properties.
static CLASSES: LazyLock<HashMap<&str, Vec<(&str, &str)>>> = LazyLock::new(|| {
    let mut classes: HashMap<&str, Vec<(&str, &str)>> = HashMap::new();
    for (selectors, declarations) in rules(STYLE) {
        for (name, value) in declarations.filter(is_for_us) {
            for selector in selectors.split(',') {
                let class = selector.trim().trim_start_matches('.');
                classes.entry(class).or_default().push((name, value));
            }
        }
    }
    classes
});

/// The rest of the stylesheet, for the renderer.
pub static RENDERER_STYLE: LazyLock<String> = LazyLock::new(|| {
    let mut style = String::new();
    for (selectors, declarations) in rules(STYLE) {
        // States of a pointer never apply to a picture.
        let selectors: Vec<&str> = selectors.split(',').filter(|s| !s.contains(':')).collect();
        if selectors.is_empty() {
            continue;
        }
        let _ = write!(style, "{} {{", selectors.join(","));
        for (name, value) in declarations.filter(|d| !is_for_us(d)) {
            let _ = write!(style, "{name}:{value};");
        }
        style.push('}');
    }
    style
});

fn is_for_us((name, value): &(&str, &str)) -> bool {
    name.starts_with("--") || value.contains("var(")
}

/// The rules of a stylesheet without comments in rules: selectors and declarations. At-rules are skipped.
fn rules(style: &str) -> impl Iterator<Item = (&str, impl Iterator<Item = (&str, &str)>)> {
    let mut rest = style;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            if let Some(comment) = rest.strip_prefix("/*") {
                rest = comment.split_once("*/")?.1;
                continue;
            }
            let (head, body) = rest.split_once('{')?;
            if head.starts_with('@') {
                let end = body.find("}\n}").map(|at| at + 2);
                // An at-rule on one line ends with two braces.
                let line = body.lines().next().filter(|l| l.ends_with("} }"));
                rest = &body[line.map(str::len).or(end)?..];
                rest = rest.trim_start_matches('}');
                continue;
            }
            let (declarations, after) = body.split_once('}')?;
            rest = after;
            let pairs = declarations.split(';').filter_map(|d| d.split_once(':'));
            return Some((
                head.trim(),
                pairs.map(|(name, value)| (name.trim(), value.trim())),
            ));
        }
    })
}

/// Custom properties at a place in a drawing.
type Properties<'a> = HashMap<&'a str, String>;

/// Replaces `var(--name)` and `var(--name, default)`.
fn resolve<'a>(value: &'a str, properties: &Properties<'_>) -> Cow<'a, str> {
    let Some((before, rest)) = value.split_once("var(") else {
        return Cow::Borrowed(value);
    };
    let (inner, after) = rest.split_once(')').unwrap_or((rest, ""));
    let (name, default) = inner.split_once(',').unwrap_or((inner, "none"));
    let found = properties.get(name.trim()).map(String::as_str);
    let found = found.unwrap_or(default.trim());
    Cow::Owned(format!("{before}{found}{}", resolve(after, properties)))
}

/// A drawing without `<use>` and `var()`, as the content of an `<svg>`.
pub fn flatten(svg: &str) -> Result<String, Error> {
    let document = Document::parse(svg)?;
    let shapes = document
        .descendants()
        .filter_map(|node| Some((node.attribute("id")?, node)))
        .collect();
    let mut flattening = Flattening {
        shapes,
        out: String::with_capacity(svg.len() * 2),
    };
    let place = DrawContext {
        properties: &Properties::new(),
        defines: false,
        clips: false,
        depth: 0,
    };
    flattening.element(document.root_element(), "", place);
    Ok(flattening.out)
}

/// Where an element stands.
#[derive(Clone, Copy)]
struct DrawContext<'a> {
    properties: &'a Properties<'static>,
    /// Within `<defs>`, where only paints are kept.
    defines: bool,
    /// Within `<clipPath>`, which may not contain groups.
    clips: bool,
    depth: usize,
}

struct Flattening<'a> {
    shapes: HashMap<&'a str, Node<'a, 'a>>,
    out: String,
}

impl<'a> Flattening<'a> {
    /// Writes an element with additional attributes.
    fn element(&mut self, node: Node<'a, 'a>, attributes: &str, place: DrawContext<'_>) {
        if place.depth > MAX_DEPTH {
            return;
        }
        let name = node.tag_name().name();
        let class = node.attribute("class").unwrap_or_default();
        let mut properties = Cow::Borrowed(place.properties);
        let mut styled = String::new();
        for &(name, value) in class
            .split(' ')
            .filter_map(|class| CLASSES.get(class))
            .flatten()
        {
            let value = resolve(value, &properties).into_owned();
            if name.starts_with("--") {
                properties.to_mut().insert(name, value);
            } else {
                let _ = write!(styled, r#" {name}="{value}""#);
            }
        }
        let inner = DrawContext {
            properties: &properties,
            depth: place.depth + 1,
            ..place
        };
        match name {
            "use" => return self.reference(node, &styled, inner),
            "defs" => {
                return self.children(
                    node,
                    DrawContext {
                        defines: true,
                        ..inner
                    },
                );
            }
            "svg" if class == "wt-defs" => {
                return self.children(
                    node,
                    DrawContext {
                        defines: true,
                        ..inner
                    },
                );
            }
            "linearGradient" | "radialGradient" | "pattern" | "clipPath" => {
                let inner = DrawContext {
                    defines: false,
                    clips: name == "clipPath",
                    ..inner
                };
                return self.copy(node, attributes, inner);
            }
            // Paints may be among shapes that are only drawn by `<use>`.
            _ if place.defines => return self.children(node, inner),
            _ => {}
        }
        self.copy(node, &(styled + attributes), inner);
    }

    /// Writes an element as it is, apart from its custom properties.
    fn copy(&mut self, node: Node<'a, 'a>, attributes: &str, place: DrawContext<'_>) {
        let name = node.tag_name().name();
        let _ = write!(self.out, "<{name}{attributes}");
        for attribute in node.attributes() {
            let name = attribute.name();
            if !attributes.contains(&format!(" {name}=")) {
                let value = resolve(attribute.value(), place.properties);
                let _ = write!(self.out, r#" {name}="{}""#, escape(&value));
            }
        }
        self.out.push('>');
        self.children(node, place);
        let _ = write!(self.out, "</{name}>");
    }

    fn children(&mut self, node: Node<'a, 'a>, place: DrawContext<'_>) {
        for child in node.children() {
            if child.is_element() {
                self.element(child, "", place);
            } else if let Some(text) = child.text().filter(|_| !place.defines) {
                self.out.push_str(&escape(text));
            }
        }
    }

    /// Writes what a `<use>` refers to.
    fn reference(&mut self, node: Node<'a, 'a>, styled: &str, place: DrawContext<'_>) {
        let href = node.attribute("href").unwrap_or_default();
        let Some(&shape) = self.shapes.get(href.trim_start_matches('#')) else {
            return;
        };
        if place.clips {
            return self.element(shape, "", place);
        }
        if place.defines {
            return;
        }
        let number = |name| node.attribute(name).unwrap_or("0");
        let (x, y) = (number("x"), number("y"));
        let transform = node.attribute("transform").unwrap_or_default();
        let _ = write!(
            self.out,
            r#"<g transform="{transform}translate({x} {y})"{styled}"#
        );
        for attribute in node.attributes() {
            let name = attribute.name();
            if !["href", "x", "y", "transform", "id"].contains(&name) {
                let value = resolve(attribute.value(), place.properties);
                let _ = write!(self.out, r#" {name}="{}""#, escape(&value));
            }
        }
        self.out.push('>');
        self.element(shape, "", place);
        self.out.push_str("</g>");
    }
}

/// A text for the content or an attribute of XML or HTML. Characters that XML does not allow are dropped.
pub fn escape(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| matches!(c, '<' | '>' | '&' | '"' | '\'');
    let is_invalid =
        |c: char| c.is_control() && c != '\n' && c != '\t' || matches!(c, '\u{fffe}' | '\u{ffff}');
    if !text.contains(|c| is_special(c) || is_invalid(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars().filter(|&c| !is_invalid(c)) {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use towers_art::{Layout, Scene, defs, landscape};

    use super::*;

    #[test]
    fn a_drawing_keeps_no_references_and_no_variables() {
        let layout = Layout::picture(1200.0, 630.0);
        let scene = Scene::new("*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-".parse().unwrap());
        let svg = format!(
            r#"<g class="wt-night">{}{}{}</g>"#,
            defs(),
            landscape::scenery(&layout),
            scene.svg(&layout)
        );
        let plain = flatten(&svg).unwrap();
        assert!(!plain.contains("var(") && !plain.contains("<use") && !plain.contains("<defs"));
        // The robe of a blue wizard, and the stone of a tower at night.
        assert!(plain.contains(r##"fill="#3b7ce0""##) && plain.contains(r##"fill="#d3b684""##));
        // What belongs to the day is not displayed.
        assert!(plain.contains(r#"display="none""#));
    }

    #[test]
    fn rules_are_divided_between_us_and_the_renderer() {
        assert!(!RENDERER_STYLE.contains("--") && !RENDERER_STYLE.contains(":hover"));
        assert!(!RENDERER_STYLE.contains('@'));
        assert!(RENDERER_STYLE.contains(".wt-initial {font-size:13.5px;"));
        assert!(RENDERER_STYLE.contains(".wt-night .wt-mist {opacity:.22;}"));
        assert!(CLASSES["wt-b"].contains(&("--p", "#3b7ce0")));
        assert!(CLASSES["wt-landing"].contains(&("stroke", "var(--p, #ffd86a)")));
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            escape("<b a=\"1\" c='2'>&\u{0}\u{8}x"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;x"
        );
    }
}
