//! No piece is hidden behind a stack, for random positions on every supported size.

use proptest::prelude::*;
use proptest::sample::select;
use towers_rules::{SPACES, Space};

use super::cover::visible_share;
use super::tests::CANVASES;
use super::{Hidden, Layout, Rect, SpacePieces};

/// Random contents of all spaces: nine towers, wizards of up to six players, the castle.
fn crowds() -> impl Strategy<Value = [SpacePieces; SPACES]> {
    // Few spaces for many towers, so that stacks of up to nine are frequent.
    let towers = (1..=9_usize).prop_flat_map(|spread| {
        (
            proptest::collection::vec(0..SPACES, spread),
            proptest::collection::vec(0..spread, 9),
        )
    });
    let wizards = proptest::collection::vec(0..=6_usize, SPACES);
    let banners = proptest::collection::vec(any::<bool>(), SPACES);
    (towers, wizards, banners, 0..SPACES).prop_map(|((spaces, homes), wizards, banners, castle)| {
        let mut crowds = [SpacePieces::default(); SPACES];
        for home in homes {
            crowds[spaces[home]].towers += 1;
        }
        for (i, crowd) in crowds.iter_mut().enumerate() {
            crowd.castle = i == castle;
            crowd.wizards = if crowd.castle { 0 } else { wizards[i] };
            crowd.banner = crowd.towers > 0 && banners[i];
        }
        crowds
    })
}

/// The supported sizes, and any between the smallest and the largest, in both orientations.
fn sizes() -> impl Strategy<Value = (f64, f64)> {
    let upright = (360..=1440_u32, 640..=2560_u32).prop_filter("upright", |(w, h)| w < h);
    let lying = (640..=2560_u32, 360..=1440_u32).prop_filter("lying", |(w, h)| w >= h);
    let any = |(w, h): (u32, u32)| (f64::from(w), f64::from(h));
    prop_oneof![
        select(&CANVASES[..]),
        upright.prop_map(any),
        lying.prop_map(any)
    ]
}

/// The rectangles of the prisoners' hats, shown with the memory aid beside every level.
fn plaques(layout: &Layout, crowds: &[SpacePieces; SPACES]) -> Vec<Rect> {
    let mut out = Vec::new();
    for space in Space::all() {
        let crowd = &crowds[space.index()];
        let tiers = layout.tiers(space, crowd.towers, crowd.castle);
        let left = tiers.ground.x > layout.ring.centre.x + 1.0;
        for level in 0..crowd.towers {
            let (base, s) = (tiers.surface(level), tiers.scale);
            let x = if left { -97.0 } else { 40.0 };
            out.push(Rect {
                x: base.x + x * s,
                y: base.y - 50.0 * s,
                w: 57.0 * s,
                h: 48.0 * s,
            });
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_hidden_behind_a_stack(
        crowds in crowds(),
        size in sizes(),
        spells in 0..=8_usize,
        players in 1..=6_usize,
    ) {
        let layout = Layout::fit(size.0, size.1);
        let tabs = layout.tabs(&crowds, spells);
        let order = layout.back_to_front();
        let shapes = order.map(|s| layout.silhouette(s, &crowds[s.index()]));

        // Piles, die and spells are visible and can be tapped.
        let mut before: Vec<Rect> = shapes.concat();
        before.extend(plaques(&layout, &crowds));
        before.extend(tabs.iter().map(|t| t.rect));
        let centre = layout.centre(spells);
        let mut middle = vec![centre.draw, centre.discard, centre.die];
        middle.extend(centre.spells);
        for rect in &middle {
            let part = visible_share(rect, &before);
            prop_assert!(part >= 0.9, "{rect:?} is visible to {part} at {size:?}");
        }

        // Panels, buttons and cards cover none of them, and no stack covers those.
        let zones = &layout.zones;
        let mut around: Vec<Rect> = layout.seats(players).iter().map(|s| s.panel).collect();
        around.extend([zones.prompt, zones.tools, zones.actions]);
        around.extend(layout.hand_cards(3));
        around.extend(layout.log(players));
        for rect in &around {
            let part = visible_share(rect, &before);
            prop_assert!(part >= 0.9, "{rect:?} is visible to {part} at {size:?}");
            prop_assert!(middle.iter().all(|m| !m.overlaps(rect)), "{rect:?} lies on the middle at {size:?}");
        }

        // None of them lies on the number of a space.
        for space in Space::all() {
            let part = visible_share(&layout.number(space), &middle);
            prop_assert!(part >= 0.999, "the number of {space} is visible to {part} at {size:?}");
        }

        // Every letter and every wizard is visible where it stands or in a tab.
        for (i, &space) in order.iter().enumerate() {
            let mut before: Vec<Rect> = shapes[i + 1..].concat();
            before.extend(tabs.iter().map(|t| t.rect));
            for (item, rect) in layout.items(space, &crowds[space.index()]) {
                let part = visible_share(&rect, &before);
                let shown = tabs.iter().any(|t| t.space == space && t.hidden.contains(&item));
                prop_assert!(part >= 0.4 || shown, "{item:?} on {space} is visible to {part} at {size:?}");
            }
        }

        // Tabs are on the board and do not overlap.
        for (i, tab) in tabs.iter().enumerate() {
            prop_assert!(1.0 - visible_share(&tab.rect, &[layout.zones.board]) >= 0.9, "{tab:?} at {size:?}");
            let later: Vec<Rect> = tabs[i + 1..].iter().map(|t| t.rect).collect();
            prop_assert!(visible_share(&tab.rect, &later) >= 0.6, "{tab:?} at {size:?}");
        }
    }
}

#[test]
fn a_hidden_wizard_gets_a_tab() {
    let layout = Layout::fit(390.0, 844.0);
    let mut crowds = [SpacePieces::default(); SPACES];
    crowds[4].wizards = 1;
    crowds[5].towers = 3;
    crowds[5].wizards = 3;
    let tabs = layout.tabs(&crowds, 0);
    assert_eq!(tabs.len(), 1);
    assert_eq!(tabs[0].space, Space::wrapping(4));
    assert_eq!(tabs[0].hidden, [Hidden::Wizard(0)]);
    crowds[5] = SpacePieces::default();
    assert!(layout.tabs(&crowds, 0).is_empty());
}
