//! The stacks: nested towers, wizards on them, the castle on top, previews of moves.

use towers_rules::{Colour, SPACES, Space, Tower, Wizards};

use super::{Ghost, Piece, Scene, marks};
use crate::geometry::{Layout, PITCH, STEP_BACK, SpacePieces, Tiers, wizard_spots};
use crate::pieces;
use crate::svg::{Factor, N};

struct StackContext<'a> {
    scene: &'a Scene,
    tiers: Tiers,
    space: Space,
    ghost: bool,
    /// Whether the middle of the ring is to the left.
    inner: bool,
    /// The pieces that would land here, and whether the castle rides on them.
    lands: Option<(Vec<(Tower, Wizards)>, bool)>,
}

/// All stacks, back to front.
pub fn stacks(scene: &Scene, layout: &Layout) -> Vec<String> {
    let crowds = crowds(scene);
    let covering = scene
        .focus
        .map_or(Vec::new(), |space| layout.hidden_by(space, &crowds));
    let spaces = layout.back_to_front().into_iter();
    spaces
        .map(|space| {
            let through = if covering.contains(&space) {
                " wt-through"
            } else {
                ""
            };
            stack(scene, layout, space, through)
        })
        .collect()
}

/// The pieces on every space, including those that would land there.
pub fn crowds(scene: &Scene) -> [SpacePieces; SPACES] {
    std::array::from_fn(|i| {
        let space = Space::wrapping(i as u8);
        let stack = scene.board.stack(space);
        let mut crowd = SpacePieces {
            towers: stack.height(),
            wizards: list(stack.exposed()).len(),
            castle: scene.has_castle(space),
            banner: stack.towers.last().is_some_and(|(t, _)| t.has_shield()),
        };
        for ghost in &scene.ghosts {
            if let Ghost::Tower { tower, to } = *ghost
                && to == space
            {
                let (levels, castle) = riding(scene, tower);
                crowd.towers += levels.len();
                crowd.castle |= castle;
                crowd.wizards = levels.last().map_or(crowd.wizards, |l| list(l.1).len());
            }
        }
        crowd
    })
}

/// The towers from one upwards, and whether the castle rides on them.
fn riding(scene: &Scene, tower: Tower) -> (Vec<(Tower, Wizards)>, bool) {
    scene
        .board
        .find(tower)
        .map_or((Vec::new(), false), |(space, level)| {
            let towers = &scene.board.stack(space).towers;
            (towers[level..].to_vec(), scene.has_castle(space))
        })
}

fn stack(scene: &Scene, layout: &Layout, space: Space, through: &str) -> String {
    let stack = scene.board.stack(space);
    let castle_here = scene.has_castle(space);
    let lands = scene.ghosts.iter().find_map(|ghost| match *ghost {
        Ghost::Tower { tower, to } if to == space => Some(riding(scene, tower)),
        _ => None,
    });
    let more = lands.as_ref().map_or(0, |(levels, _)| levels.len());
    let castle = castle_here || lands.as_ref().is_some_and(|(_, castle)| *castle);
    let tiers = layout.tiers(space, stack.height() + more, castle);
    let context = StackContext {
        scene,
        space,
        ghost: false,
        inner: layout.place(space).at.x > layout.ring.centre.x + 1.0,
        tiers,
        lands,
    };
    let at = context.tiers.ground;
    let mut out = format!(
        r#"<g class="wt-stack{through}" data-space="{space}" transform="translate({} {})scale({})">{}"#,
        N(at.x),
        N(at.y),
        Factor(context.tiers.scale),
        if stack.height() + usize::from(castle_here) > 0 {
            r##"<ellipse cx="7" cy="5" rx="54" ry="21" fill="url(#wt-shadow)"/>"##
        } else {
            ""
        }
    );
    out += &context.surface(0, stack.ground, &stack.towers, castle_here);
    out += &marks::ghosts(scene, layout, space);
    // The lights are drawn in front of everything on the stone.
    out += &pieces::lights(space);
    out + "</g>"
}

impl StackContext<'_> {
    /// Units from the ground to a surface.
    fn lift(&self, level: usize) -> f64 {
        (self.tiers.ground.y - self.tiers.surface(level).y) / self.tiers.scale
    }

    /// The content of surface `level`: its wizards, or the towers above.
    fn surface(
        &self,
        level: usize,
        wizards: Wizards,
        above: &[(Tower, Wizards)],
        castle: bool,
    ) -> String {
        if above.is_empty() {
            let castle = if castle { self.castle() } else { String::new() };
            return self.landing(level) + &self.wizards(level, &list(wizards)) + &castle;
        }
        let mut out = self.towers(level, above, castle);
        if self.scene.show_prisoners && !wizards.is_empty() {
            // On the inner side of the ring, above the lights of the ground.
            out += &marks::prisoners(
                &list(wizards),
                self.inner,
                if level == 0 && self.inner { 14.0 } else { 0.0 },
            );
        }
        out
    }

    /// The preview of what would land on surface `level`, behind the wizards it would imprison.
    fn landing(&self, level: usize) -> String {
        let Some((levels, castle)) = self.lands.as_ref().filter(|_| !self.ghost) else {
            return String::new();
        };
        let ghost = StackContext {
            ghost: true,
            tiers: self.tiers.clone(),
            lands: None,
            ..*self
        };
        format!(
            r#"<g class="wt-ghost" data-ghost="tower">{}</g>"#,
            ghost.towers(level, levels, *castle)
        )
    }

    /// The tower at `level` and everything on it, its base at the origin.
    fn towers(&self, level: usize, levels: &[(Tower, Wizards)], castle: bool) -> String {
        let Some((&(tower, wizards), above)) = levels.split_first() else {
            return String::new();
        };
        let squash = self.tiers.squash(level);
        let piece = Piece::Tower(tower);
        let leaving = !self.ghost
            && self
                .scene
                .ghosts
                .iter()
                .any(|g| matches!(g, Ghost::Tower { tower: t, .. } if *t == tower));
        let class = format!(
            "wt-tower{}{}",
            if self.ghost {
                String::new()
            } else {
                self.scene.class(piece)
            },
            if leaving { " wt-leaving" } else { "" }
        );
        let halo = if self.ghost || self.scene.mark(piece).is_some() {
            format!(
                r##"<use href="#wt-tower-halo" class="wt-halo" transform="scale(1 {})"/>"##,
                Factor(squash)
            )
        } else {
            String::new()
        };
        let name = if self.ghost {
            String::new()
        } else {
            format!(r#" data-tower="{}""#, tower.letter())
        };
        let exposed = above.is_empty() && !castle;
        // A letter that does not fit between the battlements is drawn in front of them.
        let (low, letter) = (squash < 0.6, pieces::tower_letter(tower, squash));
        let rise = self.lift(level + 1) - self.lift(level);
        format!(
            r#"<g class="{class}"{name} data-space="{}" data-level="{level}">{halo}{}{}<g transform="translate(0 {})">{}</g>{}{}</g>"#,
            self.space,
            pieces::tower(tower, squash, exposed),
            if low { "" } else { &letter },
            N(-rise),
            self.surface(level + 1, wizards, above, castle),
            pieces::tower_front(tower, squash),
            if low { &letter } else { "" },
        )
    }

    fn castle(&self) -> String {
        let name = if self.ghost { "" } else { r#" data-castle="""# };
        let halo = if self.scene.mark(Piece::Castle).is_some() {
            r##"<use href="#wt-castle-halo" class="wt-halo"/>"##
        } else {
            ""
        };
        format!(
            r##"<g class="wt-castle{}"{name} data-space="{}" transform="scale({})">{halo}<use href="#wt-castle"/></g>"##,
            self.scene.class(Piece::Castle),
            self.space,
            Factor(self.tiers.castle),
        )
    }

    fn wizards(&self, level: usize, wizards: &[Colour]) -> String {
        let caught = !self.ghost
            && self
                .scene
                .ghosts
                .iter()
                .any(|g| matches!(g, Ghost::Tower { to, .. } if *to == self.space));
        let leaving = self.scene.ghosts.iter().find_map(|g| match *g {
            Ghost::Wizard { from, colour, .. } if from == self.space => Some(colour),
            _ => None,
        });
        let gone = leaving.and_then(|colour| wizards.iter().position(|&w| w == colour));
        // On a tower they stand back from the battlements, which would hide their letters.
        let back = if level > 0 { STEP_BACK } else { 0.0 };
        let mut out = String::new();
        for (i, (&colour, spot)) in wizards.iter().zip(wizard_spots(wizards.len())).enumerate() {
            let letter = colour.letter();
            let piece = Piece::Wizard(self.space, colour);
            let (marked, name) = if self.ghost {
                (None, String::new())
            } else {
                (
                    self.scene.mark(piece),
                    format!(
                        r#" data-wizard="{letter}" data-space="{}" data-level="{level}" data-n="{i}""#,
                        self.space
                    ),
                )
            };
            let class = if caught {
                " wt-caught"
            } else if gone == Some(i) {
                " wt-leaving"
            } else {
                ""
            };
            let halo = if marked.is_some() {
                r##"<use href="#wt-wizard-halo" class="wt-halo"/>"##
            } else {
                ""
            };
            out += &format!(
                r##"<g class="wt-wizard wt-{letter}{}{class}"{name} transform="translate({} {})scale({})">{halo}<use href="#wt-wizard-{letter}"/>{}</g>"##,
                if marked.is_some() {
                    self.scene.class(piece)
                } else {
                    String::new()
                },
                N(spot.dx),
                N(spot.dy - back),
                Factor(spot.scale),
                self.scene.sash(colour),
            );
        }
        if caught && !wizards.is_empty() {
            out += &format!(
                r#"<g transform="translate(0 {})">{}</g>"#,
                N(-back),
                marks::cage(wizards.len())
            );
        }
        if wizards.len() > 3 && !self.ghost {
            out += &format!(
                r#"<g class="wt-count"><circle cx="46" cy="-22" r="11"/><text x="46" y="-17">{}</text></g>"#,
                wizards.len()
            );
        }
        out
    }
}

fn list(wizards: Wizards) -> Vec<Colour> {
    wizards.colours().collect()
}

/// The height of the exposed surface of a space above the ground, in units.
pub fn exposed(scene: &Scene, layout: &Layout, space: Space) -> f64 {
    let stack = scene.board.stack(space);
    let tiers = layout.tiers(space, stack.height(), scene.has_castle(space));
    if stack.height() == 0 {
        0.0
    } else {
        ((tiers.ground.y - tiers.surface(stack.height()).y) / tiers.scale).max(PITCH * 0.2)
    }
}
