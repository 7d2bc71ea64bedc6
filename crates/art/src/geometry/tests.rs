use super::*;

const CANVASES: [(f64, f64); 9] = [
    (1440.0, 900.0),
    (1920.0, 1080.0),
    (1280.0, 720.0),
    (1024.0, 768.0),
    (844.0, 390.0),
    (390.0, 844.0),
    (360.0, 740.0),
    (430.0, 932.0),
    (820.0, 1180.0),
];

fn layouts() -> impl Iterator<Item = Layout> {
    CANVASES.into_iter().map(|(w, h)| Layout::fit(w, h))
}

#[test]
fn neighbouring_stones_do_not_overlap() {
    for layout in layouts() {
        for a in 0..16 {
            for b in 0..a {
                let (p, q) = (layout.spaces[a], layout.spaces[b]);
                let reach = p.scale + q.scale;
                let (dx, dy) = (
                    (p.at.x - q.at.x) / (STONE.0 * reach),
                    (p.at.y - q.at.y) / (STONE.1 * reach),
                );
                assert!(
                    dx.hypot(dy) > 1.0,
                    "{a} and {b} at {}x{}",
                    layout.width,
                    layout.height
                );
            }
        }
    }
}

#[test]
fn spaces_run_clockwise_from_the_back_and_are_evenly_spaced() {
    for layout in layouts() {
        let s = layout.spaces;
        let c = layout.ring.centre;
        assert!((s[0].at.x - c.x).abs() < 1.0 && (s[8].at.x - c.x).abs() < 1.0);
        assert!(s[4].at.x > c.x && s[12].at.x < c.x && s[0].at.y < s[8].at.y);
        for i in 0..16 {
            let (p, q) = (s[i], s[(i + 1) % 16]);
            let distance = (p.at.x - q.at.x).hypot(p.at.y - q.at.y) / ((p.scale + q.scale) / 2.0);
            assert!(
                (110.0..160.0).contains(&distance),
                "{i}: {distance} at {}x{}",
                layout.width,
                layout.height
            );
        }
    }
}

#[test]
fn every_stack_stays_on_the_canvas() {
    for layout in layouts() {
        let canvas = Rect {
            x: 0.0,
            y: 0.0,
            w: layout.width,
            h: layout.height,
        };
        for space in 0..16 {
            assert!(
                canvas.holds(&layout.target(space)),
                "{space} at {}x{}",
                layout.width,
                layout.height
            );
            for towers in 0..=9 {
                for castle in [false, true] {
                    let tiers = layout.tiers(space, towers, castle);
                    let top = tiers.surface(towers);
                    let above = if castle { 158.0 * tiers.castle } else { 80.0 };
                    let tip = top.y - above * tiers.scale;
                    // Up to five towers stay clear of players and of what is asked, six of the edge; the rarest stacks at least stay on the canvas.
                    let fits = tip
                        >= match (towers, castle) {
                            (0..=5, false) => layout.ceiling(top.x, 48.0 * tiers.scale) - 4.0,
                            (0..=6, _) => layout.board.y - 4.0,
                            _ => 0.0,
                        };
                    assert!(
                        fits,
                        "{towers} towers on {space}: {tip} at {}x{}",
                        layout.width, layout.height
                    );
                    for level in 1..=towers {
                        assert!(tiers.surface(level).y < tiers.surface(level - 1).y);
                    }
                }
            }
        }
    }
}

#[test]
fn the_middle_lies_inside_the_ring_and_nothing_meets() {
    for layout in layouts() {
        for spells in 0..=8 {
            let centre = layout.centre(spells);
            assert_eq!(centre.spells.len(), spells);
            let mut all = vec![centre.draw, centre.discard, centre.die];
            all.extend(&centre.spells);
            for (i, a) in all.iter().enumerate() {
                for b in &all[..i] {
                    assert!(!a.meets(b), "{spells} spells: {a:?} and {b:?}");
                }
                for corner in [
                    (a.x, a.y),
                    (a.x + a.w, a.y),
                    (a.x, a.y + a.h),
                    (a.x + a.w, a.y + a.h),
                ] {
                    let reach = layout.ring.reach(Point {
                        x: corner.0,
                        y: corner.1,
                    });
                    assert!(
                        reach < 1.0,
                        "{spells} spells: {a:?} reaches {reach} at {}x{}",
                        layout.width,
                        layout.height
                    );
                }
            }
        }
    }
}

#[test]
fn phone_targets_are_large_enough() {
    for layout in layouts().filter(|l| l.shape == Shape::Portrait) {
        for space in 0..16 {
            let target = layout.target(space);
            assert!(target.w >= 44.0 && target.h >= 44.0);
        }
        for rect in layout.centre(8).spells.iter().chain(&layout.hand_cards(3)) {
            assert!(rect.w >= 44.0 && rect.h >= 44.0, "{rect:?}");
        }
    }
}

#[test]
fn seats_and_hand_lie_on_the_canvas() {
    for layout in layouts() {
        let canvas = Rect {
            x: 0.0,
            y: 0.0,
            w: layout.width,
            h: layout.height,
        };
        for players in 1..=6 {
            let seats = layout.seats(players);
            assert_eq!(seats.len(), players);
            for (i, seat) in seats.iter().enumerate() {
                assert!(canvas.holds(&seat.panel) && !seat.panel.meets(&layout.hand));
                assert!(
                    seats[..i]
                        .iter()
                        .all(|other| !other.panel.meets(&seat.panel))
                );
            }
        }
        assert!(layout.hand_cards(3).iter().all(|r| canvas.holds(r)));
    }
}

#[test]
fn six_wizards_keep_their_hats_apart() {
    for count in 0..=6 {
        let spots = wizard_spots(count);
        assert_eq!(spots.len(), count);
        for (i, a) in spots.iter().enumerate() {
            assert!(a.dx.abs() < 40.0);
            for b in &spots[..i] {
                assert!((a.dx - b.dx).hypot(a.dy - b.dy) > 20.0, "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn what_hides_a_space_stands_before_it() {
    let layout = Layout::fit(1440.0, 900.0);
    let mut heights = [0; 16];
    heights[5] = 5;
    assert!(layout.hiders(4, &heights).contains(&5));
    assert!(layout.hiders(6, &heights).is_empty());
}

#[test]
fn a_walk_begins_and_ends_on_its_spaces() {
    let layout = Layout::fit(1440.0, 900.0);
    for (from, to, clockwise) in [(14, 3, true), (3, 1, false), (0, 8, true)] {
        let walk = layout.walk(from, to, clockwise, 4);
        let near = |p: Point, s: usize| {
            (p.x - layout.spaces[s].at.x).hypot(p.y - layout.spaces[s].at.y) < 3.0
        };
        assert!(near(walk[0], from) && near(walk[walk.len() - 1], to));
    }
}
