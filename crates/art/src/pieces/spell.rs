//! The eight spells as pictograms without words, with their cost as flasks.

use towers_rules::Spell;

use super::icon;
use crate::svg::{Factor, N};

/// The gradients of tiles.
pub const PAINTS: &str = r##"<radialGradient id="wt-tile" cy=".4" r=".75"><stop offset="0" stop-color="#5d4aa8"/><stop offset=".6" stop-color="#35286f"/><stop offset="1" stop-color="#211748"/></radialGradient>"##;

/// The tile (100 by 100) and the signs on it.
pub fn shapes() -> String {
    r##"<g id="wt-spell-tile"><rect x="2" y="5" width="96" height="93" rx="14" fill="#150d2e"/><rect x="2" y="2" width="96" height="93" rx="14" fill="url(#wt-tile)" stroke="#1a1038" stroke-width="2"/><rect x="6" y="6" width="88" height="85" rx="10.5" fill="none" stroke="url(#wt-gold)" stroke-width="2"/><circle cx="50" cy="42" r="31" fill="#8f7be0" opacity=".28"/><path d="M15 15l1 3 3 1-3 1-1 3-1-3-3-1 3-1zM85 19l.8 2.2 2.2.8-2.2.8-.8 2.2-.8-2.2-2.2-.8 2.2-.8zM83 62l.8 2.2 2.2.8-2.2.8-.8 2.2-.8-2.2-2.2-.8 2.2-.8z" fill="#ffe9a8"/></g>
<g id="wt-arrow"><path d="M-13-3.5H2V-10L15 0 2 10V3.5H-13Q-10 0-13-3.5Z" fill="url(#wt-gold)" stroke="#2a1746" stroke-width="2.4" stroke-linejoin="round" paint-order="stroke"/></g>
<g id="wt-hop"><path d="M-20 6C-14-14 8-16 15-3L20-7 19 11 2 7 8 3C3-5-8-4-13 8Z" fill="url(#wt-gold)" stroke="#2a1746" stroke-width="2.4" stroke-linejoin="round" paint-order="stroke"/></g>
<g id="wt-wind" fill="none" stroke="#2a1746" stroke-width="6" stroke-linecap="round"><path id="wt-gust" d="M24-9H2C-6-9-9-16-4-19S4-15 1-12.5M30 0H-16M24 9H6C-2 9-5 16 0 19S8 15.5 5 12.5"/><use href="#wt-gust" stroke="#d9f2ff" stroke-width="3.2"/></g>
<g id="wt-step"><ellipse rx="7" ry="3.6" fill="#ead7ac" stroke="#2a1746" stroke-width="1.8"/></g>"##
        .to_string()
}

fn put(id: &str, x: f64, y: f64, scale: f64, class: &str) -> String {
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(r#" class="{class}""#)
    };
    format!(
        r##"<use href="#wt-{id}"{class} transform="translate({} {})scale({})"/>"##,
        N(x),
        N(y),
        Factor(scale)
    )
}

fn wizard(x: f64, y: f64, scale: f64) -> String {
    put("wizard-any", x, y, scale, "wt-any")
}

fn drum(x: f64, y: f64, scale: f64, class: &str) -> String {
    put("tower", x, y, scale, class) + &put("tower-front", x, y, scale, class)
}

fn steps(from: f64, count: usize, y: f64, gap: f64) -> String {
    (0..count)
        .map(|i| put("step", from + gap * i as f64, y, 1.0, ""))
        .collect()
}

/// The picture of a spell within its tile.
fn picture(spell: Spell) -> String {
    match spell {
        Spell::AdvanceWizard => {
            wizard(31.0, 66.0, 0.72)
                + &put("hop", 60.0, 41.0, 0.85, "")
                + &steps(74.0, 1, 64.0, 0.0)
        }
        Spell::AdvanceTower => {
            drum(29.0, 60.0, 0.46, "wt-t-raven")
                + &put("hop", 64.0, 36.0, 0.95, "")
                + &steps(60.0, 2, 65.0, 20.0)
        }
        Spell::SwapTowers => {
            drum(27.0, 66.0, 0.42, "wt-t-raven")
                + &drum(73.0, 66.0, 0.42, "wt-t-plain")
                + &put("arrow", 50.0, 19.0, 0.9, "")
                + r##"<use href="#wt-arrow" transform="translate(50 33)scale(-.9 .9)"/>"##
        }
        Spell::HeadwindWizard => {
            steps(25.0, 1, 64.0, 0.0)
                + &wizard(66.0, 66.0, 0.72)
                + r##"<use href="#wt-hop" transform="translate(38 47)scale(-.8 .8)"/>"##
                + &put("wind", 34.0, 21.0, 0.6, "")
        }
        Spell::HeadwindTower => {
            steps(20.0, 2, 65.0, 20.0)
                + &drum(71.0, 60.0, 0.46, "wt-t-raven")
                + r##"<use href="#wt-hop" transform="translate(35 46)scale(-.85 .85)"/>"##
                + &put("wind", 34.0, 21.0, 0.6, "")
        }
        Spell::NudgeCastle => {
            put("castle", 50.0, 66.0, 0.36, "")
                + &put("arrow", 82.0, 46.0, 0.74, "")
                + r##"<use href="#wt-arrow" transform="translate(18 46)scale(-.74 .74)"/>"##
        }
        Spell::Piggyback => {
            wizard(32.0, 68.0, 0.54)
                + &wizard(41.0, 46.0, 0.5)
                + &put("hop", 66.0, 41.0, 0.85, "")
                + &steps(78.0, 1, 64.0, 0.0)
        }
        Spell::FreeWizard => {
            r##"<ellipse cx="44" cy="66" rx="22" ry="7" fill="url(#wt-gold-glow)"/>"##.to_string()
                + &drum(44.0, 41.0, 0.4, "wt-t-raven")
                + &wizard(44.0, 71.0, 0.42)
                + r##"<use href="#wt-arrow" transform="translate(78 38)rotate(-90)scale(.8)"/>"##
        }
    }
}

/// A spell as an `<svg>` of its own, square, with what it costs.
pub fn tile(spell: Spell, cost: u8) -> String {
    icon("wt-spell", "0 0 100 100", &tile_content(spell, cost))
}

/// The content of [`tile`], for use within another drawing: 100 by 100 from the corner.
pub fn tile_content(spell: Spell, cost: u8) -> String {
    let cost = usize::from(cost);
    let left = 50.0 - 9.5 * (cost as f64 - 1.0);
    let flasks: String = (0..cost)
        .map(|i| {
            put(
                "flask-full",
                left + 19.0 * i as f64,
                81.5,
                0.42,
                "wt-potion",
            )
        })
        .collect();
    format!(
        r##"<use href="#wt-spell-tile"/>{}{flasks}"##,
        picture(spell)
    )
}
