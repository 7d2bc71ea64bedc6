//! The floating island: sky, cliff, four landscapes, road, brook and clearing.
//!
//! It is drawn once per layout and serves both themes: elements of the night or the day only have the class `wt-n` or
//! `wt-d`. Drawing it takes long, so a page can build it [in layers](Layers) and handle input in between.

mod growth;
mod island;
mod paint;
mod planting;
mod sky;
mod ways;

use crate::geometry::{Layout, Point, Ring, Shape};
use crate::svg::{DrawingRng, N, whole};

/// The four landscapes, a quarter each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quarter {
    Meadow,
    Wood,
    Marsh,
    Rock,
}

/// The ground as the painters see it.
struct Ground {
    layout: Layout,
    /// The edge of the island.
    rim: Ring,
    /// The clearing in the middle.
    clearing: Ring,
    /// Points along the road.
    road: Vec<Point>,
    /// Still waters in the marsh: middle, half width, half height.
    ponds: Vec<(Point, f64, f64)>,
    /// Points along the brook, from its spring to the edge.
    brook: Vec<Point>,
    /// Pixels per unit.
    u: f64,
    /// The foreshortening from back to front.
    flat: f64,
    /// A suffix for the ids of shapes that differ between layouts, since a page may contain several pictures.
    id_suffix: String,
}

impl Ground {
    fn new(layout: &Layout) -> Self {
        let u = layout.unit;
        let wide = layout.shape == Shape::Landscape;
        let (dx, dy, flat) = if wide {
            (112.0, 74.0, 0.56)
        } else {
            (104.0, 84.0, 0.74)
        };
        let mut rim = layout.ring.grown(dx * u, dy * u);
        rim.centre.y += 8.0 * u;
        rim.power = if wide { 2.3 } else { 2.7 };
        let inset = if wide { (114.0, 64.0) } else { (84.0, 84.0) };
        let mut clearing = Ring {
            power: 2.3,
            ..layout.ring.grown(-inset.0 * u, -inset.1 * u)
        };
        if wide {
            // The middle is shifted towards the back, where no stack hides it.
            clearing.centre.y -= 15.0 * u;
            clearing.ry += 9.0 * u;
        }
        let road = layout
            .ring
            .even(160, (1.0, 1.0))
            .0
            .into_iter()
            .map(|(p, _)| p)
            .collect();
        let brook = ways::brook_course(layout, &rim);
        let (c, ring) = (layout.ring.centre, layout.ring);
        let still = if wide {
            [
                (0.26, 0.74, 92.0, 20.0),
                (-0.14, 0.735, 66.0, 14.0),
                (0.13, 1.17, 120.0, 17.0),
                (-0.3, 1.16, 66.0, 12.0),
            ]
        } else {
            [
                (0.46, 0.77, 60.0, 26.0),
                (-0.02, 0.83, 76.0, 15.0),
                (0.3, 1.13, 110.0, 15.0),
                (-0.22, 1.14, 66.0, 12.0),
            ]
        };
        let ponds = still
            .map(|(dx, dy, w, h)| {
                (
                    Point {
                        x: c.x + dx * ring.rx,
                        y: c.y + dy * ring.ry,
                    },
                    w * u,
                    h * u,
                )
            })
            .to_vec();
        Ground {
            layout: layout.clone(),
            rim,
            clearing,
            road,
            ponds,
            brook,
            u,
            flat,
            // Two landscapes can be on one page: that of the board and that of the page.
            id_suffix: format!(
                "-{}-{}-{}-{}",
                N(layout.width),
                N(layout.height),
                N(layout.ring.centre.x),
                N(layout.ring.centre.y)
            ),
        }
    }

    /// The landscape at a point; its border is shifted by `jitter` (in radians).
    fn quarter(&self, p: Point, jitter: f64) -> Quarter {
        let c = self.layout.ring.centre;
        let angle = ((p.x - c.x) / self.rim.rx).atan2((c.y - p.y) / self.rim.ry) + jitter;
        let turn = whole(angle / std::f64::consts::FRAC_PI_2).rem_euclid(4);
        [
            Quarter::Meadow,
            Quarter::Wood,
            Quarter::Marsh,
            Quarter::Rock,
        ][turn as usize % 4]
    }

    /// The distance on the ground in units, without foreshortening.
    fn distance(&self, a: Point, b: Point) -> f64 {
        self.square(a, b).sqrt() / self.u
    }

    /// The square of a distance in pixels, which is cheaper and sufficient for comparing.
    fn square(&self, a: Point, b: Point) -> f64 {
        let (dx, dy) = (a.x - b.x, (a.y - b.y) / self.flat);
        dx * dx + dy * dy
    }

    fn nearest(&self, p: Point, line: &[Point]) -> f64 {
        let squares = line.iter().map(|&q| self.square(p, q));
        squares
            .fold(f64::INFINITY, |a, b| if b < a { b } else { a })
            .sqrt()
            / self.u
    }

    /// The scale at this height of the canvas, in pixels per unit.
    fn scale(&self, y: f64) -> f64 {
        self.layout.scale_at(y)
    }

    /// A random point of the island.
    fn anywhere(&self, rng: &mut DrawingRng, within: f64) -> Point {
        loop {
            let p = Point {
                x: self.rim.centre.x + self.rim.rx * rng.between(-1.0, 1.0),
                y: self.rim.centre.y + self.rim.ry * rng.between(-1.0, 1.0),
            };
            if self.rim.reach(p) < within && p.x > -20.0 && p.x < self.layout.width + 20.0 {
                return p;
            }
        }
    }
}

/// From the back to the front.
const PAINTERS: [fn(&Ground) -> String; LAYERS] = [
    |ground| defined(&sky::defs()) + &sky::behind(&ground.layout),
    |ground| defined(&island::defs(ground)) + &island::cliff(ground),
    |ground| paint::washes(ground) + &paint::broad(ground),
    |ground| defined(&paint::brush(ground)) + &paint::medium(ground),
    paint::fine,
    ways::ways,
    |ground| defined(growth::SHAPES) + &planting::plants(ground),
    sky::mist,
];

/// Shapes that are drawn only where they are used.
fn defined(shapes: &str) -> String {
    format!("<defs>{shapes}</defs>")
}

/// How many layers the scenery has.
pub const LAYERS: usize = 8;

/// The scenery, layer by layer from back to front; each is an `<svg>` that fills the canvas. Layers use shapes of other
/// layers, so only all of them together are complete.
pub struct Layers {
    ground: Ground,
    painters: std::slice::Iter<'static, fn(&Ground) -> String>,
}

impl Layers {
    /// The layers of a layout; nothing is drawn yet.
    pub fn new(layout: &Layout) -> Self {
        Layers {
            ground: Ground::new(layout),
            painters: PAINTERS.iter(),
        }
    }
}

impl Iterator for Layers {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let paint = self.painters.next()?;
        Some(framed(&self.ground.layout, &paint(&self.ground)))
    }
}

/// The whole scenery as one `<svg>` that fills the canvas, to be placed beneath the scene.
pub fn scenery(layout: &Layout) -> String {
    let ground = Ground::new(layout);
    framed(layout, &PAINTERS.map(|paint| paint(&ground)).concat())
}

fn framed(layout: &Layout, content: &str) -> String {
    format!(
        r#"<svg class="wt-scenery" viewBox="0 0 {} {}" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">{content}</svg>"#,
        N(layout.width),
        N(layout.height),
    )
}

/// The moving parts of the air as a separate `<svg>` above the scene: small, so that animating it is cheap.
pub fn air(layout: &Layout) -> String {
    format!(
        r#"<svg class="wt-air" viewBox="0 0 {} {}" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">{}</svg>"#,
        N(layout.width),
        N(layout.height),
        sky::fireflies(&Ground::new(layout)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenery_is_small_and_always_the_same() {
        for (w, h) in [(1440.0, 900.0), (390.0, 844.0), (1024.0, 768.0)] {
            let layout = Layout::fit(w, h);
            let text = scenery(&layout);
            assert!(text.len() < 60_000, "{} bytes at {w}x{h}", text.len());
            assert_eq!(text, scenery(&layout));
            assert!(!text.contains(" style=") && !text.contains("NaN"));
        }
    }

    #[test]
    fn shared_shapes_are_not_displayed() {
        let text = scenery(&Layout::fit(1440.0, 900.0));
        let drawn: String = text
            .split("<defs>")
            .map(|part| part.split_once("</defs>").map_or(part, |(_, drawn)| drawn))
            .collect();
        for shape in [r#"<g id="#, r#"<path id="#, "<clipPath", "<pattern"] {
            assert!(text.contains(shape) && !drawn.contains(shape), "{shape}");
        }
    }

    #[test]
    fn all_layers_together_are_the_scenery() {
        let layout = Layout::fit(1440.0, 900.0);
        let layers: Vec<String> = Layers::new(&layout).collect();
        let inner = |svg: &str| {
            let inner = svg.split_once('>')?.1.strip_suffix("</svg>")?;
            Some(inner.to_owned())
        };
        let joined: Option<String> = layers.iter().map(|svg| inner(svg)).collect();
        assert_eq!(joined, inner(&scenery(&layout)));
        // A layer that takes far longer than the others would block the page.
        let longest = layers.iter().map(String::len).max();
        assert!(longest < Some(18_000), "{longest:?}");
    }

    #[test]
    fn equal_ids_of_two_pictures_are_equal_shapes() {
        let named = |w, h| -> Vec<(String, String)> {
            let text = scenery(&Layout::fit(w, h));
            let tags = text.split('<').filter_map(|tag| tag.split_once('>'));
            tags.filter_map(|(tag, _)| {
                let name = tag.split_once("id=\"")?.1.split_once('"')?.0;
                Some((name.to_owned(), tag.to_owned()))
            })
            .collect()
        };
        let small = named(560.0, 420.0);
        let mut shared = 0;
        for (name, tag) in named(1440.0, 900.0) {
            for (_, other) in small.iter().filter(|(n, _)| *n == name) {
                assert_eq!(*other, tag);
                shared += 1;
            }
        }
        assert!(shared > 5, "colours may be shared");
    }

    #[test]
    fn each_quarter_has_its_landscape() {
        let layout = Layout::fit(1440.0, 900.0);
        let ground = Ground::new(&layout);
        let of = |space: usize| ground.quarter(layout.spaces[space].at, 0.0);
        assert_eq!(
            [of(0), of(4), of(8), of(12)],
            [
                Quarter::Meadow,
                Quarter::Wood,
                Quarter::Marsh,
                Quarter::Rock
            ]
        );
    }
}
