//! §13: the rights of an action and its windows (R13.1, R13.2). Blue is active unless a test says otherwise.

use crate::common::*;
use towers_rules::{Actor, Event, Phase, Preset, State};

/// Three players with one window for each action and one spell in total.
pub fn table(spells: &str) -> Scenario {
    Scenario::of("byr").hand('b', "w1,w2,t2").with(&format!(
        "reactions spell_right=shared spell_time=declared spells={spells}"
    ))
}

/// The same where red can pay for everything and the others for nothing.
pub fn rich_red(spells: &str) -> Scenario {
    table(spells).with("flasks=r:0/5/0")
}

/// The same with given flasks.
pub fn window(spells: &str, flasks: &str) -> Scenario {
    table(spells).with(&format!("flasks={flasks}"))
}

/// Three players with the rules of an edition.
pub fn edition(preset: Preset, spells: &str, flasks: &str) -> Scenario {
    Scenario::of("byr")
        .edition(preset)
        .hand('b', "w1,w2,t2")
        .with(&format!("reactions spells={spells} flasks={flasks}"))
}

/// The phase and who is to act.
pub fn at(state: &State) -> (Phase, char) {
    (state.phase(), turn_of(state))
}

#[test]
fn r13_1_with_shared_one_spell_for_each_action_in_all() {
    let mut state = table("AT")
        .at(3, "b")
        .at(9, "yr")
        .with("flasks=b:0/5/0;r:0/5/0")
        .state();
    play(&mut state, "w1:w3");
    play(&mut state, "before AT:A");
    play(&mut state, "done");
    assert_eq!(at(&state), (Phase::Turn, 'b'), "red is not asked any more");
    assert_eq!(field(&state, 4), "b");
    play(&mut state, "w2:w4");
    assert_eq!(state.phase(), Phase::Window, "one for each action");
    let pair = table("PB")
        .at(3, "bb")
        .at(9, "yr")
        .with("flasks=b:0/5/0")
        .state();
    assert_eq!(refused(&pair, "w1:w3+").clause(), "R13.2");
}

#[test]
fn r13_1_one_spell_in_all_in_three_editions() {
    for (preset, next) in [
        (Preset::Abacus1, Phase::Opening),
        (Preset::Abacus2, Phase::Turn),
        (Preset::Oya, Phase::Turn),
    ] {
        let mut state = edition(preset, "AT", "b:0/5/0;r:0/5/0")
            .at(3, "b")
            .at(9, "yr")
            .state();
        play_all(&mut state, &["w1:w3", "before AT:A", "done"]);
        assert_eq!(at(&state), (next, 'b'), "the next action");
        assert_eq!((state.actions_used(), field(&state, 4)), (1, "b".into()));
        assert_eq!(flasks(&state, 'r'), [0, 5, 0], "{}", preset.name());
    }
}

#[test]
fn r13_1_one_spell_for_each_player_in_one_edition() {
    let table = edition(Preset::Capstone, "AT", "b:0/5/0;y:0/5/0;r:0/5/0")
        .at(3, "b")
        .at(9, "yr");
    let mut state = table.state();
    play(&mut state, "w1:w3");
    for (caster, cast) in [
        ('b', "before AT:I"),
        ('y', "before AT:H"),
        ('r', "before AT:G"),
    ] {
        assert_eq!(at(&state), (Phase::Window, caster));
        play_all(&mut state, &[cast, "done"]);
        assert_eq!(flasks(&state, caster), [0, 4, 1]);
    }
    assert_eq!(field(&state, 4), "b", "all three before the move");
    assert_eq!(
        at(&state),
        (Phase::Opening, 'b'),
        "nobody is left for the closing window"
    );
    assert_eq!(state.actions_used(), 1);
    // A player who cast in the opening window is not asked again in this action.
    let mut early = table.with("phase=opening").state();
    play_all(&mut early, &["pass", "AT:I", "done", "pass", "w1:w3"]);
    assert_eq!(at(&early), (Phase::Window, 'b'));
    play(&mut early, "pass");
    assert_eq!(at(&early), (Phase::Window, 'r'), "yellow has cast");
    play(&mut early, "pass");
    assert_eq!(at(&early), (Phase::Closing, 'b'));
    play_all(&mut early, &["pass", "pass"]);
    assert_eq!(at(&early), (Phase::Opening, 'b'));
    play(&mut early, "pass");
    assert_eq!(
        at(&early),
        (Phase::Opening, 'y'),
        "a new action, a new right"
    );
}

/// Goes through a turn in which nobody casts: the phases and who decides. In phase turn these actions are taken.
fn order(mut state: State, actions: &[&str]) -> Vec<String> {
    let mut actions = actions.iter();
    let mut order = Vec::new();
    while turn_of(&state) == 'b' || state.active() == seat(&state, 'b') {
        if state.actor() == Actor::Chance {
            settle(&mut state);
            continue;
        }
        order.push(format!("{} {}", state.phase().name(), turn_of(&state)));
        let action = match state.phase() {
            Phase::Turn => actions.next().expect("one more action"),
            Phase::Refreshed => ":tI",
            _ => "pass",
        };
        play(&mut state, action);
    }
    order
}

/// Blue and red can pay; blue has two wizards out.
fn rich_two(keys: &str) -> State {
    Scenario::of("byr")
        .at(3, "b")
        .at(9, "byr")
        .hand('b', "w1,w2,w??")
        .with(&format!(
            "reactions spells=AT flasks=b:0/5/0;r:0/5/0 {keys}"
        ))
        .state()
}

const OPENING: [&str; 2] = ["opening b", "opening r"];
const WINDOW: [&str; 2] = ["window b", "window r"];
const CLOSING: [&str; 2] = ["closing b", "closing r"];

#[test]
fn r13_2_with_declared_and_turn_there_is_one_window_for_each_action() {
    let expected = [&["turn b"][..], &WINDOW, &["turn b"], &WINDOW].concat();
    for time in ["declared", "turn"] {
        let keys = format!("spell_right=shared spell_time={time}");
        assert_eq!(order(rich_two(&keys), &["w1:w3", "w2:w4"]), expected);
    }
}

#[test]
fn r13_2_with_any_everyone_is_also_asked_before_and_after_each_action() {
    let action = [&OPENING[..], &["turn b"], &WINDOW, &CLOSING].concat();
    for right in ["shared", "each"] {
        let keys = format!("spell_right={right} spell_time=any phase=opening");
        let order = order(rich_two(&keys), &["w1:w3", "w2:w4"]);
        assert_eq!(order, [&action[..], &action].concat());
    }
    // A new turn begins with it, too.
    let mut state = rich_two("");
    play_all(
        &mut state,
        &["w1:w3", "pass", "pass", "pass", "pass", "pass", "pass"],
    );
    play_all(&mut state, &["w2:w4", "pass", "pass", "pass", "pass"]);
    settle(&mut state);
    assert_eq!(
        at(&state),
        (Phase::Opening, 'r'),
        "yellow's turn; red can pay first"
    );
    assert_eq!(state.active(), seat(&state, 'y'));
}

#[test]
fn r13_2_the_windows_of_a_refresh() {
    let last = |keys: &str| order(rich_two(&format!("phase=opening {keys}")), &["refresh:tI"]);
    let first = |keys: &str| {
        let keys = format!("phase=opening refresh_draw=first {keys}");
        order(rich_two(&keys), &["refresh"])
    };
    let turn = ["turn b"];
    assert_eq!(last(""), [&OPENING[..], &turn, &WINDOW, &CLOSING].concat());
    assert_eq!(last("refresh_window=false"), [&OPENING[..], &turn].concat());
    let refreshed = ["turn b", "refreshed b"];
    assert_eq!(
        first(""),
        [&OPENING[..], &refreshed, &WINDOW, &CLOSING].concat()
    );
    assert_eq!(
        first("refresh_window=false"),
        [&OPENING[..], &refreshed].concat()
    );
    // Without windows before and after, only the one of the declaration.
    let declared = |keys: &str| {
        let keys = format!("spell_right=shared spell_time=declared {keys}");
        order(rich_two(&keys), &["refresh:tI"])
    };
    assert_eq!(declared(""), [&turn[..], &WINDOW].concat());
    assert_eq!(declared("refresh_window=false"), turn);
}

#[test]
fn r13_2_a_refresh_without_windows_moves_its_tower_at_once() {
    let mut state = edition(Preset::Oya, "AT", "b:1/4/0;r:0/5/0")
        .at(3, "A")
        .at(4, "yr")
        .at(9, "b")
        .state();
    let events = play(&mut state, "refresh:tA");
    assert_eq!(filled(&events), [seat(&state, 'b')]);
    assert_eq!(
        (field(&state, 4), state.actor()),
        ("yrA".into(), Actor::Chance)
    );
    settle(&mut state);
    assert_eq!(state.active(), seat(&state, 'y'));
}

#[test]
fn r13_2_the_active_player_casts_in_phases_turn_rolled_and_refreshed_as_spell_time_says() {
    for (time, casts) in [("declared", false), ("turn", true), ("any", true)] {
        let keys = format!("spell_right=shared spell_time={time} refresh_draw=first");
        let check = |state: &State, phase: Phase| {
            assert_eq!(at(state), (phase, 'b'), "{time}");
            assert_eq!(legal(state).contains(&"AT:A".into()), casts, "{time}");
            if !casts {
                assert_eq!(refused(state, "AT:A").clause(), "R13.2");
                return;
            }
            let mut cast = *state;
            play(&mut cast, "AT:A");
            assert_eq!(at(&cast), (Phase::Cast, 'b'));
            play(&mut cast, "done");
            assert_eq!(at(&cast), (phase, 'b'), "the game goes on where it was");
            assert_eq!(
                (cast.rolled(), cast.rerolls()),
                (state.rolled(), state.rerolls())
            );
            assert_eq!(
                refused(&cast, "AT:A").clause(),
                "R13.3",
                "the right is used"
            );
        };
        let state = rich_two(&keys);
        check(&state, Phase::Turn);
        let mut rolled = state;
        play_all(&mut rolled, &["w??", "roll 3"]);
        check(&rolled, Phase::Rolled);
        let mut refreshed = state;
        play(&mut refreshed, "refresh");
        settle(&mut refreshed);
        check(&refreshed, Phase::Refreshed);
    }
}

#[test]
fn r13_2_before_the_card_and_after_the_roll_in_three_editions() {
    for (preset, casts) in [
        (Preset::Capstone, true),
        (Preset::Abacus1, true),
        (Preset::Abacus2, true),
        (Preset::Oya, false),
    ] {
        let table = edition(preset, "AT", "b:0/5/0;r:0/5/0").hand('b', "w1,w??,t2");
        let mut state = table.at(3, "b").at(9, "yr").state();
        assert_eq!(
            !legal_like(&state, "AT").is_empty(),
            casts,
            "{}",
            preset.name()
        );
        play_all(&mut state, &["w??", "roll 3"]);
        assert_eq!(
            !legal_like(&state, "AT").is_empty(),
            casts,
            "{}",
            preset.name()
        );
        assert_eq!(
            refused_as(&state, seat(&state, 'r'), "AT:A").clause(),
            "R19"
        );
    }
}

#[test]
fn r13_2_a_spell_of_the_active_player_uses_the_right_of_the_action() {
    // Shared: nobody is asked about the card any more.
    let mut shared = edition(Preset::Abacus2, "AT", "b:0/5/0;r:0/5/0")
        .at(3, "b")
        .at(9, "yr")
        .state();
    play_all(&mut shared, &["AT:I", "done", "w1:w3"]);
    assert_eq!(
        (at(&shared), field(&shared, 4)),
        ((Phase::Turn, 'b'), "b".into())
    );
    play(&mut shared, "AT:H");
    assert_eq!(shared.phase(), Phase::Cast, "the second action has its own");
    // Each: red has a right of their own.
    let mut each = edition(Preset::Capstone, "AT", "b:0/5/0;r:0/5/0")
        .at(3, "b")
        .at(9, "yr")
        .state();
    play_all(&mut each, &["AT:A", "done", "w1:w3"]);
    assert_eq!(at(&each), (Phase::Window, 'r'));
    play(&mut each, "pass");
    assert_eq!(at(&each), (Phase::Closing, 'r'));
}

#[test]
fn r13_2_with_cards_first_the_hand_goes_at_refresh_and_the_tower_is_declared() {
    let mut state = edition(Preset::Abacus2, "AT", "r:0/5/0")
        .at(3, "b")
        .at(5, "A")
        .at(9, "yr")
        .state();
    let events = play(&mut state, "refresh");
    assert!(!events.iter().any(|e| matches!(e, Event::Declared { .. })));
    assert_eq!(hand(&state, 'b'), "");
    settle(&mut state);
    assert_eq!(state.hand(seat(&state, 'b')).len(), 3);
    let events = play(&mut state, ":tA");
    assert!(matches!(events[..], [Event::Declared { steps: 1, .. }]));
    assert_eq!(
        (at(&state), field(&state, 5)),
        ((Phase::Window, 'r'), "A".into())
    );
    play_all(&mut state, &["before AT:A", "done"]);
    assert_eq!(field(&state, 8), "A", "from where it stands by then");
    assert_eq!(
        state.active(),
        seat(&state, 'y'),
        "no card is drawn any more"
    );
}

#[test]
fn r13_2_a_dice_card_is_discarded_before_its_roll_and_declared_after_it() {
    let table = rich_red("AT").hand('b', "w1,w2,w??");
    let mut state = table.at(3, "b").at(9, "yr").state();
    play(&mut state, "w??");
    assert_eq!(
        (hand(&state, 'b').as_str(), state.actor()),
        ("w1,w2", Actor::Chance)
    );
    chance(&mut state, "roll 4");
    assert_eq!(at(&state), (Phase::Rolled, 'b'), "no window yet");
    let events = play(&mut state, ":w3");
    assert!(matches!(events[..], [Event::Declared { steps: 4, .. }]));
    assert_eq!(at(&state), (Phase::Window, 'r'));
}

#[test]
fn r13_2_the_action_is_declared_and_the_card_discarded_before_anything_moves() {
    let mut state = rich_red("AT").at(3, "b").at(9, "yr").state();
    let events = play(&mut state, "w1:w3");
    assert!(matches!(
        events[..],
        [Event::Played { .. }, Event::Declared { steps: 1, .. }]
    ));
    assert_eq!(
        (field(&state, 3), hand(&state, 'b')),
        ("b".into(), "t2,w2".into())
    );
    let mut refresh = rich_red("AT").at(3, "b").at(5, "A").at(9, "yr").state();
    play(&mut refresh, "refresh:tA");
    assert_eq!(
        (hand(&refresh, 'b').as_str(), field(&refresh, 5).as_str()),
        ("", "A")
    );
    play(&mut refresh, "pass");
    assert_eq!(field(&refresh, 6), "A");
}

#[test]
fn r13_2_a_declared_no_legal_move_remains_so() {
    let mut state = rich_red("AT").at(3, "bA").at(9, "yr").state();
    play(&mut state, "w1:-");
    play(&mut state, "before AT:A");
    let events = play(&mut state, "done");
    assert!(events.contains(&Event::NothingMoved {
        seat: seat(&state, 'b')
    }));
    assert_eq!(field(&state, 3), "b", "free to go by now, but it stays");
}
