//! §11: the end of the game.

use crate::common::*;
use towers_rules::{Actor, EndReason, Phase, State};

fn why(state: &State) -> EndReason {
    state.outcome().expect("the game is over").why
}

#[test]
fn r11_1_finished_means_all_home_and_no_empty_flask_in_either_order() {
    let b = towers_rules::Seat(0);
    let finished = |table: Scenario| table.state().has_finished(b);
    let table = Scenario::of("by").at(9, "y");
    assert!(
        finished(table.clone().with("flasks=b:0/1/5")),
        "spent ones count as filled"
    );
    assert!(finished(table.clone().with("flasks=b:0/6/0")));
    assert!(!finished(table.clone().with("flasks=b:1/5/0")));
    assert!(!finished(
        Scenario::of("by").at(9, "by").with("flasks=b:0/6/0")
    ));
    // The last wizard comes home when the flasks are full …
    let mut wizard_last = Scenario::of("by")
        .at(15, "b")
        .at(9, "y")
        .hand('b', "w1,w2,w3")
        .with("flasks=b:0/6/0")
        .state();
    assert!(!wizard_last.is_final());
    play(&mut wizard_last, "w1:w15");
    assert!(wizard_last.is_final());
    // … or the last flask is filled when the wizards are home.
    let mut flask_last = Scenario::of("by")
        .at(3, "A")
        .at(5, "y")
        .hand('b', "t2,w2,w3")
        .with("flasks=b:1/5/0")
        .state();
    assert!(!flask_last.is_final());
    play(&mut flask_last, "t2:tA");
    assert!(flask_last.is_final());
}

#[test]
fn r11_2_the_round_is_completed() {
    // Yellow finishes; red, who sits before the starting player blue, has the last turn.
    let mut state = Scenario::of("byr")
        .at(15, "y")
        .at(9, "br")
        .hand('y', "w1,w2,w3")
        .with("refresh_tower=may flasks=y:0/5/0 active=y round=7")
        .state();
    play(&mut state, "w1:w15");
    settle(&mut state);
    assert_eq!(
        (turn_of(&state), state.round(), state.is_final()),
        ('r', 7, true)
    );
    play(&mut state, "refresh:-");
    settle(&mut state);
    assert_eq!(
        (state.actor(), why(&state), winners(&state)),
        (Actor::Nobody, EndReason::Finished, "y".into())
    );
    assert_eq!(
        (state.round(), state.active()),
        (7, seat(&state, 'r')),
        "these stay"
    );
}

#[test]
fn r11_2_after_the_end_nobody_may_do_anything() {
    let mut state = Scenario::of("by")
        .at(9, "b")
        .with("refresh_tower=may flasks=y:0/6/0 active=y")
        .state();
    play(&mut state, "refresh:-");
    settle(&mut state);
    assert_eq!(state.phase(), Phase::Over);
    assert!(legal(&state).is_empty());
    let error = state.apply(towers_rules::Seat(0), action("refresh:-"));
    assert_eq!(error.map_err(towers_rules::Illegal::clause), Err("R11.2"));
    assert!(
        state
            .apply_chance("shuffle".parse().expect("chance"))
            .is_err()
    );
    assert_eq!(state.chance(), None);
}

/// The winners when the last turn of the final round ends with these flasks.
fn winners_with(flasks: &str) -> String {
    let mut state = Scenario::of("byr")
        .at(9, "r")
        .with(&format!("refresh_tower=may active=r flasks={flasks}"))
        .state();
    play(&mut state, "refresh:-");
    settle(&mut state);
    winners(&state)
}

#[test]
fn r11_3_the_most_full_flasks_win_and_ties_are_shared() {
    assert_eq!(winners_with("b:0/3/2;y:0/2/3"), "b");
    assert_eq!(winners_with("b:0/2/3;y:0/5/0"), "y");
    assert_eq!(
        winners_with("b:0/3/2;y:0/3/2"),
        "by",
        "spent ones do not count"
    );
    assert_eq!(
        winners_with("b:0/1/4;y:1/4/0"),
        "b",
        "yellow has not finished"
    );
    assert_eq!(winners_with("b:0/1/4;r:0/5/0"), "b", "red has a wizard out");
}

#[test]
fn r11_4_all_home_and_an_empty_flask_plays_on() {
    let mut state = Scenario::of("by")
        .at(3, "A")
        .at(5, "y")
        .hand('b', "t2,w2,w3")
        .with("flasks=b:2/4/0")
        .state();
    assert_eq!(legal_like(&state, "w"), ["w2:-", "w3:-"]);
    play(&mut state, "w2:-");
    play(&mut state, "t2:tA");
    assert_eq!(flasks(&state, 'b'), [1, 5, 0]);
    settle(&mut state);
    assert_eq!(turn_of(&state), 'y');
}

/// Yellow's last wizard comes home while these flasks are there.
fn stuck_with(flasks: &str) -> State {
    let mut state = Scenario::of("by")
        .at(15, "y")
        .hand('y', "w1,w2,w3")
        .with(&format!("active=y flasks={flasks}"))
        .state();
    play(&mut state, "w1:w15");
    state
}

#[test]
fn r11_5_all_home_and_nobody_finished_ends_the_game() {
    let state = stuck_with("b:1/0/5;y:2/4/0");
    assert_eq!(
        (why(&state), winners(&state)),
        (EndReason::Stuck, "b".into()),
        "the fewest empty ones"
    );
    assert_eq!(
        winners(&stuck_with("b:2/1/3;y:2/4/0")),
        "y",
        "then the most full ones"
    );
    assert_eq!(
        winners(&stuck_with("b:2/4/0;y:2/4/0")),
        "by",
        "the rest is shared"
    );
}

#[test]
fn r11_5_in_teams_the_flasks_of_both_are_added() {
    let mut state = Scenario::of("byrg")
        .at(15, "y")
        .hand('y', "w1,w2,w3")
        .with("teams active=y flasks=b:1/4/0;r:2/3/0;y:0/5/0;g:4/1/0")
        .state();
    play(&mut state, "w1:w15");
    assert_eq!(
        (why(&state), winners(&state)),
        (EndReason::Stuck, "br".into()),
        "3 empty ones against 4"
    );
}

#[test]
fn r11_5_not_if_someone_has_finished() {
    let mut state = Scenario::of("by")
        .at(15, "b")
        .hand('b', "w1,w2,w3")
        .with("refresh_tower=may flasks=b:0/6/0")
        .state();
    play(&mut state, "w1:w15");
    settle(&mut state);
    assert_eq!(turn_of(&state), 'y', "the round is completed");
    play(&mut state, "refresh:-");
    settle(&mut state);
    assert_eq!(
        (why(&state), winners(&state)),
        (EndReason::Finished, "b".into())
    );
}

#[test]
fn r11_6_at_once_drops_the_filling_up_and_everything_else_comes_after_it() {
    let stuck = stuck_with("b:1/5/0;y:2/4/0");
    assert_eq!(
        stuck.hand(seat(&stuck, 'y')).len(),
        2,
        "no card is drawn any more"
    );
    assert_eq!(castle(&stuck), 4, "the castle has moved before");
    let mut normal = Scenario::of("by")
        .at(9, "b")
        .hand('y', "w1,w2,w3")
        .with("flasks=y:0/6/0 active=y")
        .state();
    play_all(&mut normal, &["w1:-", "w2:-"]);
    assert_eq!(normal.actor(), Actor::Chance, "first the hand is filled up");
    settle(&mut normal);
    assert_eq!(normal.outcome().map(|o| o.why), Some(EndReason::Finished));
    assert_eq!(normal.hand(seat(&normal, 'y')).len(), 3);
}

#[test]
fn r11_6_at_once_drops_claims_and_casts_still_to_come() {
    // Yellow's last wizard is declared, blue claims a spell for afterwards.
    let mut state = Scenario::of("by")
        .at(15, "y")
        .hand('y', "w1,w2,w3")
        .with("reactions spell_right=shared spell_time=declared spells=AT active=y flasks=b:4/2/0;y:5/0/1")
        .state();
    play(&mut state, "w1:w15");
    assert_eq!(turn_of(&state), 'b');
    play(&mut state, "after AT");
    assert_eq!(
        (why(&state), flasks(&state, 'b')),
        (EndReason::Stuck, [4, 2, 0])
    );
}

#[test]
fn r11_7_a_limit_on_rounds() {
    let mut state = Scenario::of("by")
        .at(9, "by")
        .with("refresh_tower=may max_rounds=3 round=2 active=y")
        .state();
    play(&mut state, "refresh:-");
    settle(&mut state);
    assert_eq!((turn_of(&state), state.round()), ('b', 3));
    play(&mut state, "refresh:-");
    settle(&mut state);
    assert_eq!(turn_of(&state), 'y');
    play(&mut state, "refresh:-");
    settle(&mut state);
    assert_eq!(
        (why(&state), winners(&state)),
        (EndReason::Rounds, "-".into())
    );
    let mut finished = Scenario::of("by")
        .at(9, "b")
        .with("refresh_tower=may max_rounds=3 round=3 active=y flasks=y:0/6/0")
        .state();
    play(&mut finished, "refresh:-");
    settle(&mut finished);
    assert_eq!(
        (why(&finished), winners(&finished)),
        (EndReason::Finished, "y".into())
    );
}

#[test]
fn r11_7_each_turn_of_a_solo_game_is_a_round() {
    let mut state = Scenario::solo()
        .at(3, "b")
        .hand('b', "w1,w1,w1")
        .with("max_rounds=2")
        .state();
    play(&mut state, "w1:w3");
    settle(&mut state);
    assert_eq!((turn_of(&state), state.round()), ('b', 2));
    play(&mut state, "w1:w4");
    settle(&mut state);
    assert_eq!(
        (why(&state), winners(&state)),
        (EndReason::Rounds, "-".into())
    );
}
