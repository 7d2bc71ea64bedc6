//! The potion flasks: empty, full or spent.

use towers_rules::Colour;

use crate::svg::{Factor, N};

/// The content of a flask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlaskState {
    /// Nothing yet.
    Empty,
    /// Potion in the player's colour.
    Full,
    /// Used for a spell: lying on its side.
    Spent,
}

/// The three flasks, each about 30 by 44 around the origin.
pub fn shapes() -> String {
    let glass =
        "M-5-19H5V-8C11-5 14.5 1 14.5 7 14.5 15.5 8 20 0 20S-14.5 15.5-14.5 7C-14.5 1-11-5-5-8Z";
    format!(
        r##"<g id="wt-flask-empty"><path d="{glass}" fill="var(--wt-glass)" stroke="var(--wt-flask-line)" stroke-width="2.2" stroke-linejoin="round"/><path d="M-7-19.5H7" stroke="var(--wt-flask-line)" stroke-width="3.6" stroke-linecap="round"/><path d="M-10 6C-10 1-8-2-5-4" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" opacity=".75"/></g>
<g id="wt-flask-full"><path d="{glass}" fill="var(--wt-glass)"/><path d="M-13 2C-6-1 6 4 13.2 2 14 3.5 14.5 5 14.5 7 14.5 15.5 8 20 0 20S-14.5 15.5-14.5 7C-14.5 5-14 3.5-13 2Z" fill="var(--p)"/><path d="M-13 2C-6-1 6 4 13.2 2 6 7-6 5-13 2Z" fill="var(--pl)"/><path d="M-14.5 7C-14.5 15.5-8 20 0 20S14.5 15.5 14.5 7C12 14 4 17-2 16S-12 12-14.5 7Z" fill="var(--pd)" opacity=".55"/><path d="{glass}" fill="none" stroke="var(--wt-ink)" stroke-width="2.2" stroke-linejoin="round"/><rect x="-5.5" y="-25" width="11" height="8" rx="2.5" fill="#c98f53" stroke="var(--wt-ink)" stroke-width="2"/><g fill="#fff"><circle cx="3" cy="10" r="2" opacity=".8"/><circle cx="7" cy="6.5" r="1.3" opacity=".7"/><circle cx="-2" cy="13" r="1.3" opacity=".7"/></g><path d="M-10 7C-10 1-8-2-5-4" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" opacity=".85"/></g>
<g id="wt-flask-spent" opacity=".9"><g transform="translate(1 8)rotate(98)"><path d="{glass}" fill="none" stroke="var(--wt-flask-line)" stroke-width="2" stroke-dasharray="4 2.5" stroke-linejoin="round"/><path d="M-7-19.5H7" stroke="var(--wt-flask-line)" stroke-width="3" stroke-linecap="round"/></g><circle cx="21" cy="16" r="1.6" fill="var(--p)"/><circle cx="17" cy="19" r="1" fill="var(--p)"/></g>"##
    )
}

/// A flask of a player around a point, 44 units high.
pub fn flask(colour: Colour, state: FlaskState, x: f64, y: f64, scale: f64) -> String {
    let id = match state {
        FlaskState::Empty => "empty",
        FlaskState::Full => "full",
        FlaskState::Spent => "spent",
    };
    format!(
        r##"<use class="wt-{}" href="#wt-flask-{id}" transform="translate({} {})scale({})"/>"##,
        colour.letter(),
        N(x),
        N(y),
        Factor(scale)
    )
}
