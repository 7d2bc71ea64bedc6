//! The closed curve the spaces lie on: between an ellipse and a rounded rectangle.

use super::Point;

/// A superellipse.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ring {
    pub centre: Point,
    /// Half its width.
    pub rx: f64,
    /// Half its height.
    pub ry: f64,
    /// 2 is an ellipse; more is squarer.
    pub power: f64,
}

impl Ring {
    /// The point at an angle: 0 is the back, a quarter turn the right.
    pub fn at(&self, angle: f64) -> Point {
        let bend = |v: f64| v.signum() * v.abs().powf(2.0 / self.power);
        let (sin, cos) = angle.sin_cos();
        Point {
            x: self.centre.x + self.rx * bend(sin),
            y: self.centre.y - self.ry * bend(cos),
        }
    }

    /// The curve extended by this much.
    pub fn grown(&self, dx: f64, dy: f64) -> Ring {
        Ring {
            rx: self.rx + dx,
            ry: self.ry + dy,
            ..*self
        }
    }

    /// The relative distance of a point from the middle: 0 in the middle, 1 on the curve.
    pub fn reach(&self, p: Point) -> f64 {
        let part = |d: f64, r: f64| (d.abs() / r).powf(self.power);
        let sum = part(p.x - self.centre.x, self.rx) + part(p.y - self.centre.y, self.ry);
        sum.powf(1.0 / self.power)
    }

    /// The depth of a height: 0 at the back of the ring, 1 at the front.
    pub fn nearness(&self, y: f64) -> f64 {
        ((y - self.centre.y + self.ry) / (2.0 * self.ry)).clamp(-0.3, 1.3)
    }

    /// `count` points with their depth scale, clockwise from the back, at equal distances as seen in perspective: the distance
    /// between neighbours is in proportion to their scale. Also the distance at scale 1.
    pub fn even(&self, count: usize, depth: (f64, f64)) -> (Vec<(Point, f64)>, f64) {
        const SAMPLES: usize = 960;
        let scale = |p: Point| depth.0 + (depth.1 - depth.0) * self.nearness(p.y).clamp(0.0, 1.0);
        let points: Vec<Point> = (0..=SAMPLES)
            .map(|i| self.at(i as f64 / SAMPLES as f64 * std::f64::consts::TAU))
            .collect();
        let mut length = vec![0.0];
        for pair in points.windows(2) {
            let to = Point {
                x: pair[1].x - pair[0].x,
                y: pair[1].y - pair[0].y,
            };
            let step = to.length() / scale(pair[0]);
            length.push(length[length.len() - 1] + step);
        }
        let total = length[SAMPLES];
        let found = (0..count)
            .map(|i| {
                let goal = total * i as f64 / count as f64;
                let after = length.partition_point(|&l| l < goal).clamp(1, SAMPLES);
                let part =
                    (goal - length[after - 1]) / (length[after] - length[after - 1]).max(1e-9);
                let (a, b) = (points[after - 1], points[after]);
                let p = Point {
                    x: a.x + (b.x - a.x) * part,
                    y: a.y + (b.y - a.y) * part,
                };
                (p, scale(p))
            })
            .collect();
        (found, total / count as f64)
    }
}
