//! Open Graph tags in the head of the client's page.

use std::fmt::Write as _;

use towers_client::Language;

use super::picture::{HEIGHT, WIDTH};
use super::plain_svg::escape;
use crate::texts;

/// What a preview says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkText {
    pub title: String,
    pub description: String,
    /// The picture in words.
    pub picture_alt: String,
}

/// Everything that goes into the head of a page.
#[derive(Clone, Debug)]
pub struct PageHead<'a> {
    pub language: Language,
    pub text: &'a LinkText,
    /// Scheme and host, such as `https://towers.example`.
    pub origin: &'a str,
    /// The path of the link.
    pub path: &'a str,
    /// The path of the picture, with its query.
    pub picture: &'a str,
    /// Whether search engines may list the page.
    pub is_public: bool,
}

impl PageHead<'_> {
    /// The page with this head.
    pub fn put_into(&self, page: &str) -> String {
        let code = self.language.code();
        let page = page.replacen(
            r#"<html lang="en">"#,
            &format!(r#"<html lang="{code}">"#),
            1,
        );
        let page = without(&page, r#"<meta name="description""#, ">\n");
        let Some((before, rest)) = page.split_once("<title>") else {
            return page;
        };
        let after = rest.split_once("</title>").map_or("", |(_, after)| after);
        format!("{before}{}{after}", self.tags())
    }

    fn tags(&self) -> String {
        let LinkText {
            title,
            description,
            picture_alt,
        } = self.text;
        let game = texts::words(self.language).get("game.title");
        let in_tab = if *title == game {
            game.clone()
        } else {
            format!("{title} · {game}")
        };
        let locale = match self.language {
            Language::English => "en_GB",
            Language::German => "de_DE",
            Language::French => "fr_FR",
        };
        let origin = self.origin;
        let (width, height) = (WIDTH.to_string(), HEIGHT.to_string());
        let mut out = format!("<title>{}</title>", escape(&in_tab));
        let mut tag = |kind: &str, name: &str, content: &str| {
            let _ = write!(
                out,
                "\n<meta {kind}=\"{name}\" content=\"{}\">",
                escape(content)
            );
        };
        tag("name", "description", description);
        tag("property", "og:type", "website");
        tag("property", "og:site_name", &game);
        tag("property", "og:locale", locale);
        tag("property", "og:title", title);
        tag("property", "og:description", description);
        tag("property", "og:url", &format!("{origin}{}", self.path));
        tag("property", "og:image", &format!("{origin}{}", self.picture));
        tag("property", "og:image:type", "image/png");
        tag("property", "og:image:width", &width);
        tag("property", "og:image:height", &height);
        tag("property", "og:image:alt", picture_alt);
        // The rest of its card is taken from the tags above.
        tag("name", "twitter:card", "summary_large_image");
        if !self.is_public {
            tag("name", "robots", "noindex");
        }
        out
    }
}

/// A text without the first part from `start` to `end`.
fn without(text: &str, start: &str, end: &str) -> String {
    let cut = text.split_once(start).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some(format!("{before}{after}"))
    });
    cut.unwrap_or_else(|| text.into())
}
