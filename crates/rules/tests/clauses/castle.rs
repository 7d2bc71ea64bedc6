//! §6: the castle.

use crate::common::*;

#[test]
fn r6_1_no_tower_and_no_wizard_ever_shares_the_castles_surface() {
    let mut rng = Rng::named(1, "castle alone");
    let mut state =
        towers_rules::State::new(&variants::variant("versus-capstone")).expect("a table");
    for _ in 0..400 {
        settle_randomly(&mut state, &mut rng, &mut Vec::new());
        if state.outcome().is_some() {
            break;
        }
        let actions = legal(&state);
        let choice = rng.pick(&actions).clone();
        play(&mut state, &choice);
        let top = state.exposed(state.castle());
        assert!(state.wizards(top).is_empty() && state.tower_on(top).is_none());
    }
}

/// The castle stands on 0 and a blue wizard enters; where does it go?
fn flees_to(change: impl FnOnce(Scenario) -> Scenario) -> u8 {
    let table = Scenario::of("by").at(15, "bb").hand('b', "w1,w2,w3");
    let mut state = change(table).state();
    assert!(someone_entered(&play(&mut state, "w1:w15")));
    castle(&state)
}

#[test]
fn r6_2_the_castle_goes_to_the_next_exposed_shield_without_wizards() {
    assert_eq!(flees_to(|t| t.at(9, "y")), 4, "the ground of 4");
    assert_eq!(
        flees_to(|t| t.at(9, "y").at(1, "B").at(2, "A")),
        2,
        "tower A, not tower B"
    );
    assert_eq!(flees_to(|t| t.at(2, "Ay")), 4, "not where a wizard stands");
    assert_eq!(flees_to(|t| t.at(4, "y").at(9, "b")), 8);
    assert_eq!(
        flees_to(|t| t.at(3, "AB").at(9, "y")),
        4,
        "a shield under another tower"
    );
    assert_eq!(
        flees_to(|t| t.at(3, "yA")),
        3,
        "a prisoner makes no difference"
    );
    assert_eq!(
        flees_to(|t| t.at(3, "byAyB").at(4, "D").at(8, "F").rest_at(12)),
        12,
        "G covers the ground of 12"
    );
}

#[test]
fn r6_3_the_castle_stays_when_there_is_no_such_space() {
    // Bare tower B covers 4 and bare tower D covers 8; the stack on 12 ends in a bare tower.
    let mut state = Scenario::of("by")
        .at(15, "bb")
        .at(4, "B")
        .at(8, "D")
        .at(9, "y")
        .at(12, "ACEGIFH")
        .hand('b', "w1,w2,w3")
        .state();
    let events = play(&mut state, "w1:w15");
    assert!(someone_entered(&events));
    assert_eq!((castle(&state), castle_moves(&events)), (0, 0));
    settle(&mut state);
    assert_eq!(turn_of(&state), 'y', "the turn is over all the same");
}

#[test]
fn r6_4_two_who_come_in_together_move_the_castle_once() {
    let mut state = Scenario::of("by")
        .at(15, "bbb")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .with("spells=PB flasks=b:4/2/0")
        .state();
    let events = play(&mut state, "w1:w15+");
    assert_eq!(
        (home(&state, 'b'), castle_moves(&events), castle(&state)),
        (4, 1, 4)
    );
}

#[test]
fn r6_5_the_castle_moves_for_any_wizard_that_came_home_by_any_means() {
    let table = Scenario::of("by")
        .hand('b', "w1,w2,w3")
        .with("spells=AW,HW,FW flasks=b:4/2/0");
    let mut pushed = table.clone().at(15, "y").at(9, "by").state();
    assert_eq!(castle_moves(&play(&mut pushed, "AW:15y")), 1);
    let mut back = table.clone().at(1, "y").at(9, "by").state();
    assert_eq!(castle_moves(&play(&mut back, "HW:1y")), 1);
    let mut freed = table.at(0, "bB*").at(9, "by").state();
    let events = play(&mut freed, "FW:B");
    assert_eq!(
        (castle_moves(&events), castle(&freed), home(&freed, 'b')),
        (1, 4, 4)
    );
}

#[test]
fn r6_6_everybody_sees_who_is_home() {
    let state = Scenario::of("by")
        .at(3, "bby")
        .with("memory=strict")
        .state();
    for viewer in [
        towers_rules::Viewer::Spectator,
        towers_rules::Viewer::Seat(towers_rules::Seat(1)),
    ] {
        let view = state.view(viewer);
        let home: Vec<_> = view.players.iter().map(|p| p.home).collect();
        assert_eq!(home, [3, 4]);
    }
}
