//! Small helpers for writing SVG: short numbers, smooth outlines, repeatable randomness.

use std::fmt;

/// A number printed with at most one decimal.
#[derive(Clone, Copy)]
pub struct N(pub f64);

impl fmt::Display for N {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let (sign, size) = (if tenths < 0 { "-" } else { "" }, tenths.abs());
        match (size / 10, size % 10) {
            (whole, 0) => write!(out, "{sign}{whole}"),
            (0, part) => write!(out, "{sign}.{part}"),
            (whole, part) => write!(out, "{sign}{whole}.{part}"),
        }
    }
}

/// A factor printed with three decimals at most.
#[derive(Clone, Copy)]
pub struct Factor(pub f64);

impl fmt::Display for Factor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whole numbers are formatted much faster than fractions.
        let thousandths = (self.0 * 1000.0).round() as i64;
        let (sign, size) = (if thousandths < 0 { "-" } else { "" }, thousandths.abs());
        let (mut part, mut digits) = (size % 1000, 3);
        while digits > 0 && part % 10 == 0 {
            (part, digits) = (part / 10, digits - 1);
        }
        match (size / 1000, digits) {
            (whole, 0) => write!(out, "{sign}{whole}"),
            (0, _) => write!(out, "{sign}.{part:0digits$}"),
            (whole, _) => write!(out, "{sign}{whole}.{part:0digits$}"),
        }
    }
}

/// The nearest whole number: precise enough for a picture of a thousand units, and much faster to format than a
/// fraction.
pub fn whole(v: f64) -> i32 {
    v.round() as i32
}

/// `<use>` of a shared drawing at a place, at a size.
pub fn stamp(id: &str, x: f64, y: f64, scale: f64) -> String {
    if (scale - 1.0).abs() < 0.002 {
        format!(
            r##"<use href="#wt-{id}" transform="translate({} {})"/>"##,
            N(x),
            N(y)
        )
    } else {
        format!(
            r##"<use href="#wt-{id}" transform="translate({} {})scale({})"/>"##,
            N(x),
            N(y),
            Factor(scale)
        )
    }
}

/// A closed, soft outline through the midpoints between `points`.
pub fn soft(points: &[(f64, f64)]) -> String {
    let mid = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let Some(&last) = points.last() else {
        return String::new();
    };
    let start = mid(last, points[0]);
    let mut path = format!("M{} {}", whole(start.0), whole(start.1));
    let (mut at_x, mut at_y) = (start.0.round(), start.1.round());
    for (i, &p) in points.iter().enumerate() {
        let m = mid(p, points[(i + 1) % points.len()]);
        path += &format!(
            "q{} {} {} {}",
            whole(p.0 - at_x),
            whole(p.1 - at_y),
            whole(m.0 - at_x),
            whole(m.1 - at_y)
        );
        at_x += (m.0 - at_x).round();
        at_y += (m.1 - at_y).round();
    }
    path.replace(" -", "-") + "z"
}

/// A small deterministic generator (splitmix64), so that a layout always has the same island.
pub struct DrawingRng(u64);

impl DrawingRng {
    pub fn new(seed: u64) -> Self {
        DrawingRng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number from 0 up to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A number below `n`.
    pub fn pick(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let text = |x| N(x).to_string();
        assert_eq!(
            [text(3.0), text(-0.04), text(0.5), text(-0.52), text(12.345)],
            ["3", "0", ".5", "-.5", "12.3"]
        );
        assert_eq!(Factor(0.5).to_string(), ".5");
        assert_eq!(Factor(1.0).to_string(), "1");
        assert_eq!(Factor(1.02).to_string(), "1.02");
        assert_eq!(Factor(-0.0561).to_string(), "-.056");
    }
}
