use super::*;

fn space(number: u8) -> Space {
    Space::wrapping(number)
}

/// The supported sizes: phones both ways, tablets, a desktop at 200 % zoom, desktops and large screens.
pub(super) const CANVASES: [(f64, f64); 18] = [
    (360.0, 640.0),
    (360.0, 740.0),
    (390.0, 844.0),
    (430.0, 932.0),
    (768.0, 1024.0),
    (820.0, 1180.0),
    (667.0, 375.0),
    (740.0, 360.0),
    (844.0, 390.0),
    (932.0, 430.0),
    (720.0, 450.0),
    (1024.0, 768.0),
    (1180.0, 820.0),
    (1280.0, 600.0),
    (1280.0, 720.0),
    (1440.0, 900.0),
    (1920.0, 1080.0),
    (2560.0, 1440.0),
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
        for space in Space::all() {
            assert!(
                canvas.contains(&layout.target(space)),
                "{space} at {}x{}",
                layout.width,
                layout.height
            );
            for towers in 0..=9 {
                for castle in [false, true] {
                    let tiers = layout.tiers(space, towers, castle);
                    let top = tiers.surface(towers);
                    let above = if castle { 158.0 * tiers.castle } else { 90.0 };
                    let tip = top.y - above * tiers.scale;
                    let place = layout.place(space);
                    assert!(
                        tip >= place.at.y - (layout.max_stack + 4.0) * place.scale
                            && tip >= layout.zones.board.y,
                        "{towers} towers on {space}: {tip} at {}x{}",
                        layout.width,
                        layout.height
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
                    assert!(!a.overlaps(b), "{spells} spells: {a:?} and {b:?}");
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
fn spells_and_die_are_large_enough_to_hit() {
    for layout in layouts() {
        for spells in 0..=8 {
            let centre = layout.centre(spells);
            // All eight spells at once are a house rule; on the smallest screens they are as large as fits.
            let least = if spells > 4 { 28.0 } else { 36.0 };
            for rect in &centre.spells {
                assert!(
                    rect.w >= least,
                    "{spells} spells: {:.0} at {}x{}",
                    rect.w,
                    layout.width,
                    layout.height
                );
            }
            assert!(centre.die.w >= 18.0, "{:?}", centre.die);
        }
    }
}

#[test]
fn phone_targets_are_large_enough() {
    for layout in layouts().filter(|l| l.shape == Shape::Portrait) {
        for space in Space::all() {
            let target = layout.target(space);
            assert!(target.w >= 44.0 && target.h >= 44.0);
        }
        assert!(
            layout
                .hand_cards(3)
                .iter()
                .all(|r| r.w >= 44.0 && r.h >= 44.0)
        );
    }
}

#[test]
fn no_zone_shares_room_with_another() {
    for layout in layouts() {
        let canvas = Rect {
            x: 0.0,
            y: 0.0,
            w: layout.width,
            h: layout.height,
        };
        let zones = layout.zones;
        let size = (layout.width, layout.height);
        for players in 1..=6 {
            let seats = layout.seats(players);
            assert_eq!(seats.len(), players);
            let mut all: Vec<Rect> = seats.iter().map(|s| s.panel).collect();
            all.extend([zones.board, zones.prompt, zones.tools, zones.actions]);
            all.extend(layout.log(players));
            all.extend(layout.hand_cards(3));
            // Notices lie over the players where there is no room left.
            let notices = zones.notices();
            assert!(
                notices.w >= 130.0 && notices.h >= 46.0,
                "{notices:?} at {size:?}"
            );
            if notices != zones.players {
                all.push(notices);
            }
            for (i, a) in all.iter().enumerate() {
                assert!(canvas.contains(a), "{a:?} at {size:?}");
                for b in &all[..i] {
                    assert!(!a.overlaps(b), "{a:?} and {b:?} at {size:?}");
                }
            }
            // A line of text and a picture fit into a panel.
            assert!(seats.iter().all(|s| s.panel.w >= 54.0 && s.panel.h >= 30.0));
            assert!(
                layout
                    .log(players)
                    .is_none_or(|l| l.h >= 100.0 && l.w >= 240.0)
            );
        }
        for space in Space::all() {
            let place = layout.place(space);
            let stone = Rect::around(
                place.at.x,
                place.at.y,
                2.0 * STONE.0 * place.scale,
                2.0 * STONE.1 * place.scale,
            );
            assert!(zones.board.contains(&stone), "{space} at {size:?}");
        }
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
fn only_stacks_in_front_hide_a_space() {
    let layout = Layout::fit(1440.0, 900.0);
    let mut crowds = [SpacePieces::default(); 16];
    crowds[5].towers = 5;
    assert!(layout.hidden_by(space(4), &crowds).contains(&space(5)));
    assert!(layout.hidden_by(space(6), &crowds).is_empty());
}

#[test]
fn a_walk_begins_and_ends_on_its_spaces() {
    let layout = Layout::fit(1440.0, 900.0);
    for (from, to, clockwise) in [(14, 3, true), (3, 1, false), (0, 8, true)] {
        let (from, to) = (space(from), space(to));
        let walk = layout.walk(from, to, clockwise, 4);
        let near = |p: Point, s: Space| {
            let at = layout.place(s).at;
            (p.x - at.x).hypot(p.y - at.y) < 3.0
        };
        assert!(near(walk[0], from) && near(walk[walk.len() - 1], to));
    }
}

#[test]
fn a_board_view_has_a_larger_board_that_meets_neither_players_nor_prompt() {
    for (w, h) in CANVASES {
        let (game, view) = (Layout::fit(w, h), Layout::board_view(w, h));
        assert!(view.unit >= game.unit, "{w}x{h}");
        let canvas = Rect {
            x: 0.0,
            y: 0.0,
            w,
            h,
        };
        let zones = &view.zones;
        assert!(canvas.contains(&zones.board), "{w}x{h}: {:?}", zones.board);
        assert!(canvas.contains(&zones.players), "{w}x{h}");
        assert!(!zones.board.overlaps(&zones.players), "{w}x{h}");
        assert!(!zones.board.overlaps(&zones.prompt), "{w}x{h}");
        for space in view.spaces {
            assert!(space.at.y < h && space.at.x > 0.0 && space.at.x < w);
        }
    }
}
