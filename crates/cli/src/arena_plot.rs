//! A plot of arena ratings: a dot for each bot and a line for its 95 % interval.

use std::fmt::Write;

use crate::arena_report::Rated;

const WIDTH: f64 = 640.0;
/// The ends of the axis.
const LEFT: f64 = 170.0;
const RIGHT: f64 = 610.0;
const TOP: f64 = 48.0;
const ROW: f64 = 34.0;
/// The axis is labelled in steps of this many Elo points.
const STEP: f64 = 200.0;

/// An SVG of the ratings, in the order given.
pub fn svg(title: &str, ratings: &[Rated]) -> String {
    let ends = ratings
        .iter()
        .flat_map(|r| [r.elo.mean - r.elo.within, r.elo.mean + r.elo.within]);
    let (low, high) = ends.fold((0.0, 0.0), |(low, high): (f64, f64), end| {
        (low.min(end), high.max(end))
    });
    let (low, high) = ((low / STEP).floor() * STEP, (high / STEP).ceil() * STEP);
    let span = (high - low).max(STEP);
    let x = |elo: f64| LEFT + (elo - low) / span * (RIGHT - LEFT);
    let bottom = TOP + ROW * ratings.len() as f64;
    let height = bottom + 40.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"16\" y=\"26\" font-size=\"15\">{title}</text>\n"
    );
    let mut elo = low;
    while elo <= high {
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{elo:+.0}</text>",
            bottom + 18.0,
            x = x(elo)
        );
        elo += STEP;
    }
    for (row, rated) in ratings.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#35608f\" stroke-width=\"3\"/>\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"6\" fill=\"#35608f\"/>",
            LEFT - 16.0,
            y + 4.5,
            rated.bot,
            x(rated.elo.mean - rated.elo.within),
            x(rated.elo.mean + rated.elo.within),
            x(rated.elo.mean),
        );
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Mean;

    #[test]
    fn stronger_bots_are_further_right_and_within_the_axis() {
        let rated = |bot: &str, mean, within| Rated {
            bot: bot.into(),
            elo: Mean { mean, within },
            mean_decision_ms: 0.0,
            longest_decision_ms: 0.0,
        };
        let svg = svg(
            "a title",
            &[rated("weak", -310.0, 40.0), rated("strong", 350.0, 20.0)],
        );
        let dots: Vec<f64> = svg
            .split("cx=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(dots.len(), 2);
        assert!(
            LEFT < dots[0] && dots[0] < dots[1] && dots[1] < RIGHT,
            "{dots:?}"
        );
        assert!(svg.contains(">-400<") && svg.contains(">+400<"));
    }
}
