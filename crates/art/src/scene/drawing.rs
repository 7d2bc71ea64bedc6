//! A scene as it is drawn, in parts that keep their places: when little changes, little is drawn anew.

use crate::geometry::Layout;
use crate::svg::N;

/// The groups, from the back to the front.
const GROUPS: [&str; 4] = ["wt-stones", "wt-trails", "wt-middle", "wt-stacks"];

/// A scene as it is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    size: (f64, f64),
    /// Each part is one element.
    groups: [Vec<String>; GROUPS.len()],
}

/// What has to be drawn anew.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// The place of its group in the `<svg>`.
    pub group: usize,
    /// The place of the element in its group; none: all that the group holds.
    pub part: Option<usize>,
    /// What is to be there.
    pub svg: String,
}

impl Drawing {
    /// Of the parts of each group.
    pub(super) fn new(layout: &Layout, groups: [Vec<String>; GROUPS.len()]) -> Drawing {
        Drawing {
            size: (layout.width, layout.height),
            groups,
        }
    }

    /// All of it, as an `<svg>` that fills the canvas.
    pub fn svg(&self) -> String {
        let mut out = format!(
            r#"<svg class="wt-scene" viewBox="0 0 {} {}" preserveAspectRatio="xMidYMid slice">"#,
            N(self.size.0),
            N(self.size.1),
        );
        for (name, parts) in GROUPS.iter().zip(&self.groups) {
            out += &format!(r#"<g class="{name}">{}</g>"#, parts.concat());
        }
        out + "</svg>"
    }

    /// The same with its first parts only, for a page that wants to answer in between; the others have their places.
    pub fn begun(mut self, parts: usize) -> Drawing {
        for part in self.groups.iter_mut().flatten().skip(parts) {
            *part = String::from("<g/>");
        }
        self
    }

    /// What makes `old` into this; none if all has to be drawn anew.
    pub fn since(&self, old: &Drawing) -> Option<Vec<Change>> {
        if self.size != old.size {
            return None;
        }
        let mut changes = Vec::new();
        for (group, (new, old)) in self.groups.iter().zip(&old.groups).enumerate() {
            if new.len() != old.len() {
                changes.push(Change {
                    group,
                    part: None,
                    svg: new.concat(),
                });
                continue;
            }
            let parts = new.iter().zip(old).enumerate();
            changes.extend(
                parts
                    .filter(|(_, (new, old))| new != old)
                    .map(|(part, (new, _))| Change {
                        group,
                        part: Some(part),
                        svg: new.clone(),
                    }),
            );
        }
        Some(changes)
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::{Scene, Trail};
    use crate::{Board, Layout};

    fn scene(board: &str) -> Scene {
        Scene::new(Board::parse(board).unwrap())
    }

    #[test]
    fn only_the_stacks_that_changed_are_drawn_anew() {
        let layout = Layout::fit(1440.0, 900.0);
        let before = scene("*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-");
        let after = scene("*/Abby/Bbyy/Cbby/Dy/E/F/G/H/-/-/I/-/-/-/-");
        let (old, new) = (before.draw(&layout), after.draw(&layout));
        let changes = new.since(&old).unwrap();
        assert_eq!(changes.len(), 2, "{changes:?}");
        assert!(changes.iter().all(|c| c.group == 3 && c.part.is_some()));
        let towers = |c: &&super::Change| c.svg.contains(r#"data-tower="I""#);
        assert_eq!(changes.iter().filter(towers).count(), 1);
        assert_eq!(new.since(&new).unwrap(), []);
    }

    #[test]
    fn what_comes_and_goes_changes_its_group_alone() {
        let layout = Layout::fit(390.0, 844.0);
        let before = scene("*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-");
        let mut after = before.clone();
        after.trail = Some(Trail {
            from: 3,
            to: 6,
            clockwise: true,
        });
        let changes = after.draw(&layout).since(&before.draw(&layout)).unwrap();
        assert_eq!(changes.len(), 1);
        assert_eq!((changes[0].group, changes[0].part), (1, None));
        // Nor has what was begun to be drawn anew.
        let full = after.draw(&layout);
        let parts = full.groups.iter().flatten().count();
        let begun = full.clone().begun(20);
        assert!(!begun.svg().contains("data-tower"));
        let rest = full.since(&begun).unwrap();
        assert_eq!(rest.len(), parts - 20);
        assert!(rest.iter().all(|c| c.part.is_some() && c.group >= 1));
        assert_eq!(full.clone().begun(parts), full);
        // On another canvas nothing is where it was.
        let wide = Layout::fit(1440.0, 900.0);
        assert_eq!(after.draw(&layout).since(&after.draw(&wide)), None);
    }
}
