//! The picture of a link: the board on its island, and below it a title, a line about the state, and the players.

use std::fmt::Write as _;
use std::sync::LazyLock;

use resvg::tiny_skia::Pixmap;
use towers_art::pieces::book::card_content;
use towers_art::pieces::hat;
use towers_art::{Layout, Scene, Theme, defs, landscape};
use towers_rules::{Card, Colour};

use super::painter::{Face, PaintError, encode, paint};
use super::plain_svg::flatten;

/// The size that chat programs ask for.
pub const WIDTH: u32 = 1200;
pub const HEIGHT: u32 = 630;

/// The height of the island's own canvas. It is cut at the top, where there is only sky.
const CANVAS: f64 = 542.0;
const CUT: f64 = 36.0;
/// The upper edge of the text.
const BAND: f32 = 458.0;
/// The height in which the island fades into the text's ground.
const FADE: f32 = 46.0;
/// The margin beside the text.
const MARGIN: f32 = 46.0;

/// Some chat programs refuse pictures above 300 KB. Rounding the colours halves the size and is hardly seen.
const COLOUR_STEP: u8 = 6;

/// The sizes of a title that has the band for itself. A title too long for the smallest takes two lines.
const TITLE_SIZES: [f32; 3] = [72.0, 60.0, 48.0];

#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub board: Scene,
    /// Cards in the middle of the board.
    pub cards: Vec<Card>,
    pub title: String,
    /// The line below the title.
    pub state: String,
    pub seats: Vec<SeatLabel>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatLabel {
    pub colour: Colour,
    pub name: String,
    /// Shown instead of a name for which the font has no letters.
    pub other: String,
    pub is_free: bool,
    /// Whether it is this player's turn, or this player has won.
    pub is_marked: bool,
}

/// The island without pieces, which is the same in every picture.
static ISLAND: LazyLock<Option<Pixmap>> = LazyLock::new(|| {
    let layout = Layout::picture(f64::from(WIDTH), CANVAS);
    let svg = framed(&[&landscape::scenery(&layout)], CUT, "").ok()?;
    paint(&svg, WIDTH, HEIGHT, None).ok()
});

/// Drawings in a document; `over` is already plain SVG.
fn framed(drawings: &[&str], cut: f64, over: &str) -> Result<String, PaintError> {
    document(
        drawings,
        (f64::from(WIDTH), CANVAS),
        (WIDTH, HEIGHT),
        cut,
        over,
    )
}

/// A document of drawings made for a canvas, of which `cut` units at the top are cut off.
pub fn document(
    drawings: &[&str],
    canvas: (f64, f64),
    size: (u32, u32),
    cut: f64,
    over: &str,
) -> Result<String, PaintError> {
    let theme = Theme::Night.class();
    let drawn = format!(
        r#"<g class="{theme} wt-still wt-counts" transform="translate(0 -{cut})">{}<svg width="{}" height="{}">{}</svg></g>"#,
        defs(),
        canvas.0,
        canvas.1,
        drawings.concat()
    );
    let (width, height) = size;
    Ok(format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {} {}">{}{over}</svg>"#,
        canvas.0,
        canvas.0 * f64::from(height) / f64::from(width),
        flatten(&drawn)?
    ))
}

impl Picture {
    /// The picture without its background. Pictures with the same drawing are the same.
    pub fn drawing(&self) -> Result<String, PaintError> {
        let layout = Layout::picture(f64::from(WIDTH), CANVAS);
        let board = self.board.svg(&layout);
        framed(&[&board, &self.hand(&layout)], CUT, &self.band()?)
    }

    /// The cards in a row, in the free part of the clearing.
    fn hand(&self, layout: &Layout) -> String {
        let (width, gap) = (112.0, 10.0);
        let centre = layout.ring.centre;
        let all = self.cards.len() as f64 * (width + gap) - gap;
        let cards = self.cards.iter().enumerate().map(|(i, card)| {
            format!(
                r#"<g transform="translate({} {})scale({})">{}</g>"#,
                centre.x - all / 2.0 + i as f64 * (width + gap),
                centre.y - 10.0,
                width / 160.0,
                card_content(*card)
            )
        });
        cards.collect()
    }

    /// The text over the lower part of the island.
    fn band(&self) -> Result<String, PaintError> {
        let width = WIDTH as f32 - 2.0 * MARGIN;
        let mut out = format!(
            r##"<linearGradient id="band" x2="0" y2="1"><stop offset="0" stop-color="#14153d" stop-opacity="0"/><stop offset="1" stop-color="#14153d"/></linearGradient><rect y="{}" width="{WIDTH}" height="{FADE}" fill="url(#band)"/><rect y="{BAND}" width="{WIDTH}" height="{}" fill="#14153d"/>"##,
            BAND - FADE,
            HEIGHT as f32 - BAND,
        );
        let face = if Face::Title.has(&self.title) {
            Face::Title
        } else {
            Face::Bold
        };
        let has_seats = !self.seats.is_empty();
        let sizes = if has_seats { &[56.0] } else { &TITLE_SIZES[..] };
        let fits = |size: &&f32| face.width(&self.title, **size) <= width;
        let size = sizes.iter().find(fits).or(sizes.last());
        let size = size.copied().unwrap_or(56.0);
        let state = if has_seats { 32.0 } else { 36.0 };
        let mut lines = vec![self.title.as_str()];
        if !has_seats && face.width(&self.title, size) > width {
            let spaces = self.title.match_indices(' ').map(|(at, _)| at);
            let first = spaces.take_while(|&at| face.width(&self.title[..at], size) <= width);
            let (first, second) = self.title.split_at(first.last().unwrap_or(0));
            lines = vec![first, second.trim_start()];
        }
        let mut y = BAND
            + if has_seats {
                36.0
            } else if lines.len() > 1 {
                40.0
            } else {
                66.0
            };
        for line in lines.into_iter().filter(|line| !line.is_empty()) {
            let text = face.fit(line, size, width);
            out += &face.line(&text, MARGIN, y, size, "#fff3cf");
            y += size * 1.15;
        }
        let text = Face::Text.fit(&self.state, state, width);
        y = y - size * 1.15 + state * 1.45;
        out += &Face::Text.line(&text, MARGIN, y, state, "#e6dff5");
        if has_seats {
            out += &self.seats(width)?;
        }
        Ok(out)
    }

    fn seats(&self, width: f32) -> Result<String, PaintError> {
        let gap = 12.0;
        let count = self.seats.len() as f32;
        let each = ((width + gap) / count - gap).min(290.0);
        let size = if self.seats.len() > 4 { 25.0 } else { 30.0 };
        let (y, height) = (HEIGHT as f32 - 68.0, 52.0);
        let mut hats = String::new();
        let mut out = String::new();
        for (i, seat) in self.seats.iter().enumerate() {
            let x = MARGIN + i as f32 * (each + gap);
            let (fill, line) = match (seat.is_free, seat.is_marked) {
                (true, _) => (
                    "#ffffff10",
                    r##"stroke="#fff3cf" stroke-opacity=".7" stroke-width="2" stroke-dasharray="7 6""##,
                ),
                (false, true) => ("#ffffff30", r##"stroke="#ffd86a" stroke-width="3""##),
                (false, false) => ("#ffffff20", ""),
            };
            let _ = write!(
                out,
                r#"<rect x="{x}" y="{y}" width="{each}" height="{height}" rx="14" fill="{fill}" {line}/>"#
            );
            hats += &hat(seat.colour, f64::from(x + 30.0), f64::from(y + 39.0), 1.0);
            let name = if Face::Bold.has(&seat.name) {
                &seat.name
            } else {
                &seat.other
            };
            let name = Face::Bold.fit(name, size, each - 66.0);
            let fill = if seat.is_free { "#cfc7e6" } else { "#ffffff" };
            out += &Face::Bold.line(&name, x + 56.0, y + height / 2.0 + size * 0.35, size, fill);
        }
        let theme = Theme::Night.class();
        let hats = format!(r#"<g class="{theme}">{}{hats}</g>"#, defs());
        Ok(out + &flatten(&hats)?)
    }

    /// Paints a drawing over the island.
    pub fn paint(drawing: &str) -> Result<Vec<u8>, PaintError> {
        encode(
            &paint(drawing, WIDTH, HEIGHT, ISLAND.as_ref())?,
            COLOUR_STEP,
        )
    }
}
