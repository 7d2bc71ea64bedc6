//! Touch adjustment: a finger covers more than the point that the browser reports.

/// Radius of a fingertip in CSS pixels.
const RADIUS: i32 = 20;
/// Pixels between the points that are tried.
const STEP: i32 = 5;
/// Eight directions, in hundredths.
const DIRECTIONS: [(i32, i32); 8] = [
    (0, 100),
    (0, -100),
    (100, 0),
    (-100, 0),
    (71, 71),
    (-71, 71),
    (71, -71),
    (-71, -71),
];

/// The priority of what lies at a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HitRank {
    /// Empty ground.
    Empty,
    /// Something to look at.
    Item,
    /// Something that can be chosen now.
    Target,
}

/// The point that a touch refers to: its own, unless that is empty ground; then the nearest target within a fingertip, or
/// else the nearest item.
pub fn adjusted((x, y): (i32, i32), rank: impl Fn((i32, i32)) -> HitRank) -> (i32, i32) {
    if rank((x, y)) > HitRank::Empty {
        return (x, y);
    }
    let rings = (1..=RADIUS / STEP).flat_map(|ring| {
        let reach = ring * STEP;
        DIRECTIONS.map(|(dx, dy)| (x + dx * reach / 100, y + dy * reach / 100))
    });
    let mut item = None;
    for point in rings {
        match rank(point) {
            HitRank::Target => return point,
            HitRank::Item => item = item.or(Some(point)),
            HitRank::Empty => {}
        }
    }
    item.unwrap_or((x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target right of 100, an item left of 50, nothing between.
    fn field((x, _): (i32, i32)) -> HitRank {
        match x {
            ..50 => HitRank::Item,
            50..=100 => HitRank::Empty,
            _ => HitRank::Target,
        }
    }

    #[test]
    fn a_tap_beside_a_target_chooses_it() {
        assert_eq!(adjusted((90, 7), field), (105, 7));
        assert_eq!(adjusted((58, 7), field), (48, 7));
    }

    #[test]
    fn a_tap_on_something_is_not_adjusted() {
        assert_eq!(adjusted((101, 0), field), (101, 0));
        assert_eq!(adjusted((49, 0), field), (49, 0));
    }

    #[test]
    fn a_target_comes_before_a_nearer_item() {
        let narrow = |(x, y)| match x {
            61.. => HitRank::Target,
            _ => field((x, y)),
        };
        assert_eq!(adjusted((53, 0), narrow), (63, 0));
    }

    #[test]
    fn a_tap_far_from_everything_is_not_adjusted() {
        let far = |(x, _): (i32, i32)| field((x.clamp(55, 95), 0));
        assert_eq!(adjusted((75, 3), far), (75, 3));
    }
}
