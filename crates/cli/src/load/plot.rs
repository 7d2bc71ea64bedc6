//! Small plots as SVG.

use std::fmt::Write;

/// A curve to be drawn.
pub struct Plot<'a> {
    pub title: &'a str,
    pub across: &'a str,
    pub up: &'a str,
    pub points: &'a [(f64, f64)],
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

/// The next higher round number.
fn round_up(value: f64) -> f64 {
    let step = 10_f64.powf(value.max(1e-9).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0];
    let fits = steps.iter().find(|s| **s * step >= value);
    fits.copied().unwrap_or(10.0) * step
}

impl Plot<'_> {
    /// The plot. Both axes begin at zero, so that slopes are not exaggerated.
    pub fn svg(&self) -> String {
        let most = |pick: fn(&(f64, f64)) -> f64| {
            round_up(self.points.iter().map(pick).fold(0.0, f64::max))
        };
        let (right, top) = (most(|p| p.0), most(|p| p.1 * 1.1));
        let x = |value: f64| LEFT + value / right * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
             <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{}</text>\n",
            self.title
        );
        for i in 0..=4 {
            let part = f64::from(i) / 4.0;
            let (across, up) = (right * part, top * part);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y(up) + 4.0,
                number(up),
                x(across),
                HEIGHT - BOTTOM + 18.0,
                number(across),
                y = y(up),
            );
        }
        let line: Vec<String> = self
            .points
            .iter()
            .map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#35608f\" stroke-width=\"2\"/>",
            line.join(" ")
        );
        for point in self.points {
            let (cx, cy) = (x(point.0), y(point.1));
            let _ = writeln!(
                svg,
                "<circle cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"3\" fill=\"#35608f\"/>"
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>\n",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 10.0,
            self.across,
            HEIGHT / 2.0,
            self.up
        );
        svg
    }
}

/// A number without superfluous digits.
fn number(value: f64) -> String {
    if value.fract().abs() < 1e-9 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_stay_within_their_axes() {
        let points = [(0.0, 3.0), (1000.0, 7.5), (4000.0, 6.0)];
        let plot = Plot {
            title: "cost",
            across: "tables",
            up: "microseconds",
            points: &points,
        };
        let svg = plot.svg();
        let line = svg
            .split("points=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let pairs: Vec<(f64, f64)> = line
            .split(' ')
            .map(|p| p.split_once(',').unwrap())
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert_eq!(pairs.len(), 3);
        for (x, y) in pairs {
            assert!((LEFT..=WIDTH - RIGHT).contains(&x), "{x}");
            assert!((TOP..=HEIGHT - BOTTOM).contains(&y), "{y}");
        }
        assert_eq!((round_up(4000.0), round_up(8.25)), (5000.0, 10.0));
    }
}
