//! Movement cards as open spell-books, and the closed book that is their back.

use towers_rules::Card;

use super::icon;
use crate::svg::{N, stamp};

pub const PAINTS: &str = r##"<linearGradient id="wt-leather" x2=".4" y2="1"><stop offset="0" stop-color="#8a4f38"/><stop offset="1" stop-color="#4d2620"/></linearGradient>
<linearGradient id="wt-velvet" x2=".5" y2="1"><stop offset="0" stop-color="#6d46b4"/><stop offset=".5" stop-color="#4a2c86"/><stop offset="1" stop-color="#2e1a5c"/></linearGradient>
<linearGradient id="wt-page-l"><stop offset="0" stop-color="#f3e2bd"/><stop offset=".2" stop-color="#fdf4dc"/><stop offset=".75" stop-color="#faeccb"/><stop offset="1" stop-color="#c9a877"/></linearGradient>
<linearGradient id="wt-page-r"><stop offset="0" stop-color="#d6b888"/><stop offset=".16" stop-color="#fbeecf"/><stop offset=".8" stop-color="#fdf4dc"/><stop offset="1" stop-color="#ecd5a8"/></linearGradient>
<radialGradient id="wt-wash-w"><stop offset="0" stop-color="#7aa2ee" stop-opacity=".62"/><stop offset=".7" stop-color="#9c8ff0" stop-opacity=".3"/><stop offset="1" stop-color="#9c8ff0" stop-opacity="0"/></radialGradient>
<radialGradient id="wt-wash-t"><stop offset="0" stop-color="#f0b04e" stop-opacity=".62"/><stop offset=".7" stop-color="#e89a5c" stop-opacity=".3"/><stop offset="1" stop-color="#e89a5c" stop-opacity="0"/></radialGradient>"##;

/// The empty open book (160 by 120), the closed one (100 by 120), and the symbols on pages.
pub fn shapes() -> String {
    r##"<g id="wt-book"><path d="M5 12Q4 7 9 7H151Q156 7 155 12L157 109Q157 115 151 115H90Q80 119 70 115H9Q3 115 3 109Z" fill="url(#wt-leather)" stroke="#2c1418" stroke-width="2"/><path d="M7 109.5C30 107 66 106 80 113 94 106 130 107 153 109.5L152 105H8Z" fill="#e8d2a2" stroke="#7a5a34" stroke-width=".8"/><path d="M8 107.5C32 104.5 66 104 80 111 94 104 128 104.5 152 107.5" fill="none" stroke="#a98654" stroke-width=".9"/><path d="M80 12C66 4 34 4 9 9V105C34 101 66 101 80 109Z" fill="url(#wt-page-l)" stroke="#6e4c2c" stroke-width="1"/><path d="M80 12C94 4 126 4 151 9V105C126 101 94 101 80 109Z" fill="url(#wt-page-r)" stroke="#6e4c2c" stroke-width="1"/>
<path d="M14 14.5C34 11 60 11 74 16.5V99C60 95 34 95 14 98ZM86 16.5C100 11 126 11 146 14.5V98C126 95 100 95 86 99Z" fill="none" stroke="#b98f52" stroke-width="1" opacity=".55"/><path d="M14 22v-7.5q4-.6 7-.9M146 22v-7.5q-4-.6-7-.9M14 90v8q4-.6 7-.9M146 90v8q-4-.6-7-.9" fill="none" stroke="#8a5a2a" stroke-width="2.2"/><path d="M76 108V118L79.5 115 83 118V108Z" fill="#c23b46" stroke="#5c1520" stroke-width=".8"/></g>
<g id="wt-walker" class="wt-t-raven"><use href="#wt-boots"/><use href="#wt-tower"/><use href="#wt-tower-front"/><use href="#wt-tower-window" transform="translate(-14-7)scale(1.35)"/><use href="#wt-tower-window" transform="translate(14-7)scale(1.35)"/><path d="M-9 1Q0 10 9 1" fill="none" stroke="var(--wt-ink)" stroke-width="2.8" stroke-linecap="round"/></g>
<g id="wt-card-back"><path d="M6 10Q6 3 13 3H92Q97 3 97 8V104H16Q6 104 6 112Z" fill="url(#wt-velvet)" stroke="#1c0f38" stroke-width="2"/><path d="M6 111Q6 104 15 104H97V115Q97 117 95 117H13Q6 117 6 111Z" fill="#f0ddb2" stroke="#1c0f38" stroke-width="1.6"/><path d="M12 108H96M10 111.5H96" stroke="#b6925c" stroke-width="1"/><path d="M17 3V104" stroke="#1c0f38" stroke-width="1.4" opacity=".6"/><path d="M6 24H17M6 78H17" stroke="#f3cf6e" stroke-width="3"/><path d="M24 10H90V97H24Z" fill="none" stroke="#f3cf6e" stroke-width="1.5" opacity=".85"/><path d="M97 3V18L82 3ZM97 104V89L82 104Z" fill="url(#wt-gold)" stroke="#1c0f38"/><circle cx="57" cy="53" r="25" fill="#2a1758" stroke="url(#wt-gold)" stroke-width="2.5"/><path d="M57 24l2 5-2 5-2-5zM57 72l2 5-2 5-2-5zM28 53l5-2 5 2-5 2zM76 53l5-2 5 2-5 2z" fill="#f3cf6e"/><use href="#wt-raven" transform="translate(57 69)scale(1.25)" fill="#fff3d2"/></g>"##
        .to_string()
}

/// The number of steps on a page of a card.
#[derive(Clone, Copy)]
enum PageSteps {
    Exactly(u8),
    Dice(u8),
}

impl PageSteps {
    /// The wizard page and the tower page of a card.
    fn pages(card: Card) -> (Option<PageSteps>, Option<PageSteps>) {
        let page = |steps: Option<u8>| {
            steps.map(|n| match card.dice() {
                0 => PageSteps::Exactly(n),
                dice => PageSteps::Dice(dice),
            })
        };
        (page(card.wizard_steps(0)), page(card.tower_steps(0)))
    }
}

/// The number or dice of a page, around a point.
fn steps(steps: PageSteps, x: f64, y: f64, size: f64, class: &str) -> String {
    match steps {
        PageSteps::Exactly(n) => format!(
            r#"<text class="wt-numeral {class}" x="{}" y="{}" font-size="{}">{n}</text>"#,
            N(x),
            N(y + size * 0.35),
            N(size)
        ),
        PageSteps::Dice(1) => stamp("die-any", x, y, size / 92.0),
        PageSteps::Dice(2) => {
            stamp("die-any", x - size * 0.19, y - size * 0.2, size / 128.0)
                + &stamp("die-any", x + size * 0.2, y + size * 0.2, size / 128.0)
        }
        PageSteps::Dice(_) => {
            let s = size / 136.0;
            stamp("die-any", x, y - size * 0.27, s)
                + &stamp("die-any", x - size * 0.25, y + size * 0.2, s)
                + &stamp("die-any", x + size * 0.25, y + size * 0.2, s)
        }
    }
}

/// A movement card as an `<svg>` of its own, 4 : 3.
pub fn card(card: Card) -> String {
    icon("wt-card", "0 0 160 120", &card_content(card))
}

/// The content of [`card`], for use within another drawing: 160 by 120 from the corner.
pub fn card_content(card: Card) -> String {
    let mut out = String::from(r##"<use href="#wt-book"/>"##);
    match PageSteps::pages(card) {
        (Some(w), Some(t)) => {
            out += r##"<ellipse cx="44" cy="42" rx="31" ry="32" fill="url(#wt-wash-w)"/><ellipse cx="116" cy="42" rx="31" ry="32" fill="url(#wt-wash-t)"/>"##;
            out += r##"<use href="#wt-wizard-any" class="wt-any" transform="translate(44 60)scale(.66)"/><use href="#wt-walker" transform="translate(116 49)scale(.46)"/>"##;
            out += &steps(w, 44.0, 80.0, 42.0, "wt-num-w");
            out += &steps(t, 116.0, 80.0, 42.0, "wt-num-t");
        }
        (Some(w), None) => {
            out += r##"<ellipse cx="44" cy="56" rx="34" ry="44" fill="url(#wt-wash-w)"/><use href="#wt-wizard-any" class="wt-any" transform="translate(45 86)scale(1)"/>"##;
            out += &steps(w, 116.0, 56.0, 74.0, "wt-num-w");
        }
        (None, tower) => {
            out += r##"<ellipse cx="44" cy="56" rx="34" ry="44" fill="url(#wt-wash-t)"/><use href="#wt-walker" transform="translate(44 66)scale(.62)"/>"##;
            out += &tower.map_or(String::new(), |t| steps(t, 116.0, 56.0, 74.0, "wt-num-t"));
        }
    }
    out
}

/// The back of a card as an `<svg>` of its own, 5 : 6.
pub fn back() -> String {
    icon(
        "wt-card-back",
        "0 0 100 120",
        r##"<use href="#wt-card-back"/>"##,
    )
}
