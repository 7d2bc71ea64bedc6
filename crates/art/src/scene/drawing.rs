//! A drawn scene in parts that keep their places, so that only changed parts are replaced.

use crate::geometry::Layout;
use crate::svg::N;

/// The groups, from the back to the front.
const GROUPS: [&str; 5] = [
    "wt-stones",
    "wt-trails",
    "wt-middle",
    "wt-stacks",
    "wt-tabs",
];

/// A scene split into parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawing {
    size: (f64, f64),
    /// Each part is one element.
    groups: [Vec<String>; GROUPS.len()],
}

/// A part that has to be replaced.
#[derive(Clone, PartialEq, Debug)]
pub struct PartChange {
    /// The place of its group in the `<svg>`.
    pub group: usize,
    /// The index of the element in its group; `None` replaces the group's whole content.
    pub part: Option<usize>,
    /// The new content.
    pub svg: String,
}

impl Drawing {
    /// A drawing with these parts in each group.
    pub(super) fn new(layout: &Layout, groups: [Vec<String>; GROUPS.len()]) -> Drawing {
        Drawing {
            size: (layout.width, layout.height),
            groups,
        }
    }

    /// The whole drawing as an `<svg>` that fills the canvas.
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

    /// The drawing with its first parts only, for a page that handles input in between; the others are placeholders.
    pub fn begun(mut self, parts: usize) -> Drawing {
        for part in self.groups.iter_mut().flatten().skip(parts) {
            *part = String::from("<g/>");
        }
        self
    }

    /// The changes from `old` to this; `None` if everything has to be redrawn.
    pub fn since(&self, old: &Drawing) -> Option<Vec<PartChange>> {
        if self.size != old.size {
            return None;
        }
        let mut changes = Vec::new();
        for (group, (new, old)) in self.groups.iter().zip(&old.groups).enumerate() {
            if new.len() != old.len() {
                changes.push(PartChange {
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
                    .map(|(part, (new, _))| PartChange {
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
    use crate::Layout;
    use crate::scene::{Scene, Trail};
    use towers_rules::Space;

    fn scene(board: &str) -> Scene {
        Scene::new(board.parse().unwrap())
    }

    #[test]
    fn only_changed_stacks_are_replaced() {
        let layout = Layout::fit(1440.0, 900.0);
        let before = scene("*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-");
        let after = scene("*/Abby/Bbyy/Cbby/Dy/E/F/G/H/-/-/I/-/-/-/-");
        let (old, new) = (before.draw(&layout), after.draw(&layout));
        let changes = new.since(&old).unwrap();
        assert_eq!(changes.len(), 2, "{changes:?}");
        assert!(changes.iter().all(|c| c.group == 3 && c.part.is_some()));
        let towers = |c: &&super::PartChange| c.svg.contains(r#"data-tower="I""#);
        assert_eq!(changes.iter().filter(towers).count(), 1);
        assert_eq!(new.since(&new).unwrap(), []);
    }

    #[test]
    fn added_and_removed_parts_change_only_their_group() {
        let layout = Layout::fit(390.0, 844.0);
        let before = scene("*/A/B/C/D/E/F/G/H/I/-/-/-/-/-/-");
        let mut after = before.clone();
        after.trail = Some(Trail {
            from: Space::wrapping(3),
            to: Space::wrapping(6),
            clockwise: true,
            colour: None,
        });
        let changes = after.draw(&layout).since(&before.draw(&layout)).unwrap();
        assert_eq!(changes.len(), 1);
        assert_eq!((changes[0].group, changes[0].part), (1, None));
        // Parts that were drawn at the start are not redrawn.
        let full = after.draw(&layout);
        let parts = full.groups.iter().flatten().count();
        let begun = full.clone().begun(20);
        assert!(!begun.svg().contains("data-tower"));
        let rest = full.since(&begun).unwrap();
        assert_eq!(rest.len(), parts - 20);
        assert!(rest.iter().all(|c| c.part.is_some() && c.group >= 1));
        assert_eq!(full.clone().begun(parts), full);
        // On another canvas every position differs.
        let wide = Layout::fit(1440.0, 900.0);
        assert_eq!(after.draw(&layout).since(&after.draw(&wide)), None);
    }
}
