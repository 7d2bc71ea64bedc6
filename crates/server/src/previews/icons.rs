//! Icons and screenshots of the installed app, painted from our own drawings instead of being part of the client.

use towers_art::pieces::book::card_content;
use towers_art::{Layout, Scene, landscape};
use towers_rules::Card;

use super::painter::{PaintError, encode, paint};
use super::picture::document;

const ICON: &str = include_str!("../../../web/assets/icon.svg");

/// The board of the screenshots.
const BOARD: &str = "-/yH/-/byDr/-/CbEAyF/byr/-/B/Gbyrggo/-/p/I*/-/g/y";
/// The hand of the screenshots.
const HAND: [&str; 3] = ["w2t4", "w5", "t3"];

/// A picture at a fixed address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Icon {
    pub path: &'static str,
    pub kind: IconKind,
    pub size: (u32, u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IconKind {
    Plain,
    /// With a margin, since systems crop it.
    Maskable,
    Screenshot,
}

const fn icon(path: &'static str, kind: IconKind, width: u32, height: u32) -> Icon {
    Icon {
        path,
        kind,
        size: (width, height),
    }
}

/// All of them. The manifest and the page refer to them.
pub const ICONS: [Icon; 7] = [
    icon("/icon-192.png", IconKind::Plain, 192, 192),
    icon("/icon-512.png", IconKind::Plain, 512, 512),
    icon("/icon-maskable-192.png", IconKind::Maskable, 192, 192),
    icon("/icon-maskable-512.png", IconKind::Maskable, 512, 512),
    icon("/apple-touch-icon.png", IconKind::Plain, 180, 180),
    icon("/screenshot-phone.png", IconKind::Screenshot, 780, 1688),
    icon("/screenshot-desktop.png", IconKind::Screenshot, 1440, 900),
];

impl Icon {
    pub fn drawing(&self) -> Result<String, PaintError> {
        let (width, height) = self.size;
        let svg = match self.kind {
            IconKind::Plain => ICON.into(),
            // Launchers may cut off everything outside of a circle of 80 % of the width.
            IconKind::Maskable => ICON.replacen("0 0 512 512", "-72 -72 656 656", 1).replacen(
                r#"<rect width="512" height="512""#,
                r#"<rect x="-72" y="-72" width="656" height="656""#,
                1,
            ),
            IconKind::Screenshot => return screenshot(width, height),
        };
        let size = format!(r#"<svg width="{width}" height="{height}" "#);
        Ok(svg.replacen("<svg ", &size, 1))
    }

    /// Paints a drawing of an icon, which has its size.
    pub fn paint(drawing: &str) -> Result<Vec<u8>, PaintError> {
        let document = resvg::usvg::roxmltree::Document::parse(drawing)?;
        let side = |name| document.root_element().attribute(name)?.parse().ok();
        let (width, height) = side("width").zip(side("height")).ok_or(PaintError::Size)?;
        encode(&paint(drawing, width, height, None)?, 1)
    }
}

/// A position as on the screen, with a hand of cards. A phone has two pixels per point.
fn screenshot(width: u32, height: u32) -> Result<String, PaintError> {
    let points = if width < height { 0.5 } else { 1.0 };
    let canvas = (f64::from(width) * points, f64::from(height) * points);
    let layout = Layout::fit(canvas.0, canvas.1);
    let mut scene = Scene::new(BOARD.parse().map_err(|_| PaintError::Size)?);
    scene.middle.draw = 41;
    scene.middle.die = 5;
    let cards = HAND.iter().filter_map(|card| Card::from_text(card));
    let cards: Vec<String> = layout
        .hand_cards(HAND.len())
        .iter()
        .zip(cards)
        .map(|(place, card)| {
            format!(
                r#"<g transform="translate({} {})scale({})">{}</g>"#,
                place.x,
                place.y,
                place.w / 160.0,
                card_content(card)
            )
        })
        .collect();
    let drawings = [
        landscape::scenery(&layout),
        scene.svg(&layout),
        cards.concat(),
    ];
    let drawings = drawings.each_ref().map(String::as_str);
    document(&drawings, canvas, (width, height), 0.0, "")
}
