//! Pieces hidden behind stacks, and the tabs that show them.

use towers_rules::{SPACES, Space};

use super::stack::CASTLE;
use super::{Layout, Point, Rect, Tiers, wizard_spots};

/// How far wizards on a tower stand behind the middle of its floor, in units.
pub(crate) const STEP_BACK: f64 = 8.0;
/// Half the width of the battlements at the back of the topmost tower, and how high they rise above its floor, in units.
/// They stand on an ellipse, so they are narrower than the tower.
pub(crate) const BACK_BATTLEMENTS: (f64, f64) = (30.0, 23.0);
/// The visible share of a letter or wizard that is needed to recognise it.
const RECOGNISED: f64 = 0.55;
/// Side of a cell of a tab, in units.
pub(crate) const CELL: (f64, f64) = (19.0, 22.0);
/// Margin around the cells of a tab, in units.
pub(crate) const TAB_MARGIN: f64 = 4.0;
/// The smallest scale of a tab: below it letters and hats cannot be told apart.
const TAB_SCALE: f64 = 0.72;
/// Candidate positions of a tab, relative to the middle of its space: horizontal and vertical offset in units. The
/// first is preferred.
const OFFSETS: [(f64, f64); 12] = [
    (36.0, 0.0),
    (36.0, 24.0),
    (36.0, -16.0),
    (48.0, 8.0),
    (24.0, -24.0),
    (36.0, 52.0),
    (24.0, 40.0),
    (48.0, -30.0),
    (60.0, 0.0),
    (60.0, 30.0),
    (60.0, -30.0),
    (12.0, -44.0),
];

/// The pieces on a space that cover others or can be covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpacePieces {
    /// How many towers.
    pub towers: usize,
    /// How many wizards on the exposed surface.
    pub wizards: usize,
    /// Whether the castle stands on top.
    pub castle: bool,
    /// Whether a banner flies on top.
    pub banner: bool,
}

/// A piece that cannot be recognised where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hidden {
    /// The letter of the tower at a level, 0 for the lowest.
    Letter(usize),
    /// A wizard on the exposed surface, by its place.
    Wizard(usize),
}

/// A label beside a space that shows its hidden pieces.
#[derive(Clone, PartialEq, Debug)]
pub struct Tab {
    pub space: Space,
    /// Where it lies.
    pub rect: Rect,
    /// Pixels per unit.
    pub scale: f64,
    /// The number of cells side by side.
    pub columns: usize,
    /// What it shows.
    pub hidden: Vec<Hidden>,
}

impl Layout {
    /// The rectangles that a stack covers on the canvas.
    pub fn silhouette(&self, space: Space, crowd: &SpacePieces) -> Vec<Rect> {
        let tiers = self.tiers(space, crowd.towers, crowd.castle);
        let (s, top) = (tiers.scale, tiers.surface(crowd.towers));
        let standing = |at: Point, half: f64, up: f64| Rect {
            x: at.x - half * s,
            y: at.y - up * s,
            w: 2.0 * half * s,
            h: up * s,
        };
        let mut out = Vec::new();
        if crowd.towers > 0 {
            let foot = tiers.ground.y + 11.0 * s;
            let body = standing(top, 41.0, 11.0);
            out.push(Rect {
                h: foot - body.y,
                ..body
            });
            let (half, up) = BACK_BATTLEMENTS;
            out.push(standing(top, half, up * tiers.squash(crowd.towers - 1)));
        }
        if crowd.castle {
            out.push(standing(top, 44.0 * tiers.castle, CASTLE * tiers.castle));
        } else {
            let wizards = (0..crowd.wizards).map(|i| body(&tiers, crowd, i));
            out.extend(wizards);
        }
        if crowd.banner && !crowd.castle {
            let pole = Point {
                x: top.x + 48.0 * s,
                ..top
            };
            out.push(standing(pole, 17.0, 56.0));
        }
        out
    }

    /// The letters and wizards of a space with their rectangles.
    pub fn items(&self, space: Space, crowd: &SpacePieces) -> Vec<(Hidden, Rect)> {
        let tiers = self.tiers(space, crowd.towers, crowd.castle);
        let letters = (0..crowd.towers).map(|level| {
            let (base, squash) = (tiers.surface(level), tiers.squash(level));
            let size = (25.0 * squash).clamp(13.0, 24.0) * tiers.scale;
            let y = base.y - 9.5 * squash * tiers.scale;
            let letter = Rect::around(base.x, y, 0.7 * size, 0.7 * size);
            (Hidden::Letter(level), letter)
        });
        let count = if crowd.castle { 0 } else { crowd.wizards };
        let wizards = (0..count).map(|i| (Hidden::Wizard(i), body(&tiers, crowd, i)));
        letters.chain(wizards).collect()
    }

    /// Tabs for pieces that cannot be recognised behind a stack. They are drawn in front, on the side where they hide
    /// least.
    pub fn tabs(&self, crowds: &[SpacePieces; SPACES], spells: usize) -> Vec<Tab> {
        let order = self.back_to_front();
        let shapes = order.map(|s| self.silhouette(s, &crowds[s.index()]));
        let items = order.map(|s| self.items(s, &crowds[s.index()]));
        let centre = self.centre(spells);
        let mut keep_clear = vec![centre.draw, centre.discard, centre.die];
        keep_clear.extend(centre.spells);
        let mut tabs: Vec<Tab> = Vec::new();
        for (i, &space) in order.iter().enumerate() {
            let before: Vec<Rect> = shapes[i + 1..].concat();
            let unseen = items[i]
                .iter()
                .filter(|(_, r)| visible_share(r, &before) < RECOGNISED);
            let hidden: Vec<Hidden> = unseen.map(|(item, _)| *item).collect();
            if hidden.is_empty() {
                continue;
            }
            // Penalties of a tab: the middle, other tabs, and pieces that are recognisable now.
            let others = items.iter().enumerate().flat_map(|(j, items)| {
                let before: Vec<Rect> = shapes[j + 1..].concat();
                let shown = items.iter().map(|(_, rect)| *rect);
                shown.filter_map(move |r| {
                    Some((r, visible_share(&r, &before))).filter(|s| s.1 >= RECOGNISED)
                })
            });
            let others: Vec<(Rect, f64)> = others.collect();
            let free = keep_clear.iter().copied();
            let free: Vec<Rect> = free.chain(tabs.iter().map(|t| t.rect)).collect();
            let hides = |tab: &Tab| -> f64 {
                let lost = |rect: &Rect| 1.0 - visible_share(rect, &[tab.rect]);
                let known = others.iter().map(|(rect, part)| match lost(rect) {
                    lost if lost > 0.1 && part - lost < RECOGNISED => lost + 3.0,
                    lost => lost,
                });
                let free = free.iter().map(|rect| 30.0 * (lost(rect) - 0.05).max(0.0));
                // Outside the board a tab would be invisible too.
                known.chain(free).sum::<f64>()
                    + 60.0 * visible_share(&tab.rect, &[self.zones.board])
            };
            let places = self.tab_places(space, &hidden);
            if let Some(best) = places
                .into_iter()
                .min_by(|a, b| hides(a).total_cmp(&hides(b)))
            {
                tabs.push(best);
            }
        }
        tabs
    }

    /// Candidate tabs: towards the middle of the ring or away from it, at the foot of the stack or a little higher.
    fn tab_places(&self, space: Space, hidden: &[Hidden]) -> Vec<Tab> {
        let place = self.place(space);
        let scale = place.scale.max(TAB_SCALE);
        let columns = hidden.len().div_ceil(3).max(1);
        let rows = hidden.len().div_ceil(columns);
        let (w, h) = (
            (columns as f64 * CELL.0 + 2.0 * TAB_MARGIN) * scale,
            (rows as f64 * CELL.1 + 2.0 * TAB_MARGIN) * scale,
        );
        let inner = (self.ring.centre.x - place.at.x).signum();
        let mut out = Vec::new();
        for side in [inner, -inner] {
            for (out_by, up) in OFFSETS {
                let x = place.at.x + side * (out_by * place.scale + w / 2.0);
                let y = place.at.y - (8.0 + up) * place.scale;
                out.push(Tab {
                    space,
                    rect: Rect::around(x, y, w, h),
                    scale,
                    columns,
                    hidden: hidden.to_vec(),
                });
            }
        }
        out
    }
}

/// The rectangle of a wizard in a crowd.
fn body(tiers: &Tiers, crowd: &SpacePieces, wizard: usize) -> Rect {
    let spot = wizard_spots(crowd.wizards)[wizard];
    let (s, top) = (tiers.scale, tiers.surface(crowd.towers));
    let back = if crowd.towers > 0 { STEP_BACK } else { 0.0 };
    Rect {
        x: top.x + (spot.dx - 12.0 * spot.scale) * s,
        y: top.y + (spot.dy - back - 66.0 * spot.scale) * s,
        w: 24.0 * spot.scale * s,
        h: 60.0 * spot.scale * s,
    }
}

/// The visible share of a rectangle behind others, 0 to 1.
pub fn visible_share(rect: &Rect, covers: &[Rect]) -> f64 {
    const GRID: usize = 10;
    let covers: Vec<&Rect> = covers.iter().filter(|c| c.overlaps(rect)).collect();
    if covers.is_empty() {
        return 1.0;
    }
    let step = |i: usize| (i as f64 + 0.5) / GRID as f64;
    let points = (0..GRID * GRID).filter(|i| {
        let (x, y) = (
            rect.x + rect.w * step(i % GRID),
            rect.y + rect.h * step(i / GRID),
        );
        !covers
            .iter()
            .any(|c| x >= c.x && x < c.x + c.w && y >= c.y && y < c.y + c.h)
    });
    points.count() as f64 / (GRID * GRID) as f64
}
