//! Paints SVG into PNG, with the game's own fonts.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

use super::plain_svg::{RENDERER_STYLE, escape};

/// The fonts of the client.
const TITLE: &[u8] = include_bytes!("../../../art/fonts/title.woff2");
const TEXT: &[u8] = include_bytes!("../../../art/fonts/text.woff2");
const TEXT_BOLD: &[u8] = include_bytes!("../../../art/fonts/text-bold.woff2");

/// A font of the pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Title,
    Text,
    Bold,
}

impl Face {
    pub fn attributes(self) -> &'static str {
        match self {
            Face::Title => r#"font-family="Tower Title" font-weight="700""#,
            Face::Text => r#"font-family="Tower Text" font-weight="400""#,
            Face::Bold => r#"font-family="Tower Text" font-weight="700""#,
        }
    }

    fn data(self) -> &'static [u8] {
        &FONTS[self as usize]
    }

    fn font(self) -> FontRef<'static> {
        FontRef::new(self.data()).expect("the fonts of the client are fonts")
    }

    /// Whether the font has every character of a text.
    pub fn has(self, text: &str) -> bool {
        let characters = self.font().charmap();
        text.chars().all(|c| characters.map(c).is_some())
    }

    /// The width of a text, without kerning.
    pub fn width(self, text: &str, size: f32) -> f32 {
        let font = self.font();
        let characters = font.charmap();
        let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
        let glyphs = text.chars().filter_map(|c| characters.map(c));
        glyphs
            .filter_map(|glyph| metrics.advance_width(glyph))
            .sum()
    }

    /// A text as far as it fits into a width.
    pub fn fit(self, text: &str, size: f32, width: f32) -> String {
        if self.width(text, size) <= width {
            return text.into();
        }
        let mut short = String::new();
        for c in text.chars() {
            short.push(c);
            if self.width(&short, size) + self.width("…", size) > width {
                short.pop();
                break;
            }
        }
        short.trim_end().to_string() + "…"
    }

    /// A line of text as SVG.
    pub fn line(self, text: &str, x: f32, y: f32, size: f32, fill: &str) -> String {
        format!(
            r#"<text x="{x}" y="{y}" font-size="{size}" {} fill="{fill}">{}</text>"#,
            self.attributes(),
            escape(text)
        )
    }
}

/// The fonts, unpacked, in the order of [`Face`].
static FONTS: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    [TITLE, TEXT, TEXT_BOLD]
        .map(|file| wuff::decompress_woff2(file).expect("the fonts of the client are WOFF2"))
});

/// Options of the renderer: only our fonts and styles, no files, no other images.
static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    for font in FONTS.iter() {
        fonts.load_font_data(font.clone());
    }
    Options {
        fontdb: Arc::new(fonts),
        font_family: "Tower Text".into(),
        style_sheet: Some(RENDERER_STYLE.clone()),
        ..Options::default()
    }
});

/// Why a picture could not be painted.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    #[error("the drawing cannot be read: {0}")]
    Drawing(#[from] resvg::usvg::Error),
    #[error("the drawing is not valid XML: {0}")]
    Xml(#[from] resvg::usvg::roxmltree::Error),
    #[error("the picture cannot be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
    #[error("the picture has no size")]
    Size,
}

/// Paints an SVG document onto a canvas of its size, or onto `under`.
pub fn paint(
    svg: &str,
    width: u32,
    height: u32,
    under: Option<&Pixmap>,
) -> Result<Pixmap, PaintError> {
    let tree = Tree::from_str(svg, &OPTIONS)?;
    let mut canvas = match under {
        Some(under) => under.clone(),
        None => Pixmap::new(width, height).ok_or(PaintError::Size)?,
    };
    let size = tree.size();
    let scale = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, scale, &mut canvas.as_mut());
    Ok(canvas)
}

/// An opaque picture as PNG. Colours are rounded to multiples of `step`, which makes the file smaller.
pub fn encode(canvas: &Pixmap, step: u8) -> Result<Vec<u8>, PaintError> {
    let round = |value: u8| (value.saturating_add(step / 2) / step) * step;
    let pixels = canvas.pixels().iter();
    let pixels = pixels.flat_map(|p| [p.red(), p.green(), p.blue()].map(round));
    let pixels: Vec<u8> = pixels.collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Flat colours are compressed best without a filter.
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}
