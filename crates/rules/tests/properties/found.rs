//! Regression tests: bugs that were found by property tests and fuzzing.

use crate::common::{
    Rng, Scenario, chance, field, play, play_all, play_as, settle, turn_of, variants,
};
use serde_json::json;
use towers_rules::{
    Actor, Declared, Knowledge, Mode, Phase, Preset, Seat, Setup, SetupError, State, Viewer,
};

#[test]
fn a_table_is_whole_before_the_starting_player_is_drawn() {
    let state = State::new(&variants::variant("versus-4-random")).expect("a variant");
    assert_eq!(state.phase(), Phase::DrawStart);
    assert_eq!(state.check_invariants(), Ok(()));
    let view = state.view(Viewer::Spectator);
    assert_eq!(view.sample(&Knowledge::default(), |_| 0), Ok(state));
}

#[test]
fn rivals_can_imagine_which_card_is_offered() {
    let mut state = Scenario::of("byrg").at(9, "byrg").with("teams").state();
    play_as(&mut state, Seat(2), "offer w2t4");
    let view = state.view(Viewer::Seat(Seat(1)));
    assert_eq!(view.turn.offered, None);
    let mut rng = Rng(1);
    for _ in 0..20 {
        let guess = view
            .sample(&Knowledge::default(), |n| rng.below(n))
            .expect("it can be real");
        let offered = guess.turn().offered.expect("some card is offered");
        assert!(guess.hand(Seat(2)).contains(offered));
        assert_eq!(guess.view(Viewer::Seat(Seat(1))), view);
    }
}

#[test]
fn a_declared_wizard_that_was_imprisoned_is_where_everybody_saw_it() {
    let mut state = Scenario::of("byr")
        .at(1, "A")
        .at(3, "b")
        .at(7, "bbyBrCyD")
        .at(9, "yr")
        .hand('b', "w1,w2,t2")
        .with("reactions spell_right=shared spell_time=declared spells=AT flasks=r:0/5/0")
        .state();
    play_all(&mut state, &["w1:w3", "before AT:A"]);
    assert_eq!(
        (field(&state, 3).as_str(), state.phase()),
        ("bA", Phase::Before)
    );
    let Declared::Wizard { on, owner, .. } = state.turn().declared else {
        panic!("it is declared")
    };
    let mut rng = Rng(2);
    for viewer in [0, 1, 2].map(|s| Viewer::Seat(Seat(s))) {
        for _ in 0..20 {
            let view = state.view(viewer);
            let guess = view
                .sample(&Knowledge::default(), |n| rng.below(n))
                .expect("it can be real");
            assert!(guess.count(on, owner) > 0);
            let mut known = Knowledge::default();
            known.imprisoned[on.index()] = Some(state.wizards(on));
            let sure = view
                .sample(&known, |n| rng.below(n))
                .expect("it can be real");
            assert_eq!(sure.count(on, owner), 1, "not twice");
            assert_eq!(guess.view(viewer), view);
        }
    }
}

#[test]
fn a_short_hand_never_leaves_a_player_without_an_action() {
    // Hands of one card, as in a puzzle: when it is played, nothing is left to decide (R4.7).
    let text = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1")
        .hand('y', "w1")
        .text();
    let mut state = text.parse::<State>().expect("a puzzle");
    play(&mut state, "w1:w3");
    assert_eq!(state.actor(), Actor::Chance, "{state:?}");
    settle(&mut state);
    assert_eq!(turn_of(&state), 'y');
    // Only a spell is left to decide.
    let text = Scenario::of("by")
        .at(3, "b")
        .at(9, "y")
        .hand('b', "w1")
        .with("spells=AT flasks=b:5/1/0")
        .text();
    let mut state = text.parse::<State>().expect("a puzzle");
    play(&mut state, "w1:w3");
    assert_eq!((state.phase(), turn_of(&state)), (Phase::End, 'b'));
    let text = Scenario::of("byr")
        .at(3, "b")
        .at(9, "yr")
        .hand('b', "w1")
        .with("reactions spell_right=shared spell_time=declared spells=AT flasks=b:4/1/0")
        .text();
    let mut state = text.parse::<State>().expect("a puzzle");
    play_all(&mut state, &["w1:w3", "pass"]);
    assert_eq!(state.actor(), Actor::Chance);
}

#[test]
fn a_position_in_which_a_player_could_never_act_is_refused() {
    let refused = |text: &str| text.parse::<State>().expect_err(text).message;
    let base = Scenario::of("by").at(3, "b").at(9, "y").text();
    let empty = base.replace("hands=b:w1t5,w2t4,w4t2;y:w1t5,w4t2,w5t1", "played=1");
    assert!(refused(&empty).contains("R18.6"));
    // A spell or a request would only put it off.
    let spell = format!("{empty} spells=AT flasks=b:5/1/0");
    assert!(refused(&spell).contains("R18.6"));
    let teams = Scenario::of("byrg").at(3, "byrg").text();
    let cards = teams.find(" hands").expect("hands");
    let teams = format!("{} played=1 teams", &teams[..cards]);
    assert_eq!(teams.matches("hands").count(), 0);
    assert!(refused(&teams).contains("R18.6"));
    // Yellow could not act after blue: no card and no refresh.
    let coop = Scenario::of("by")
        .at(3, "b")
        .with("mode=coop coop_hands=private")
        .text();
    let coop = coop.replace(";y:w1t5,w4t2,w5t1", "");
    assert!(refused(&coop).contains("R18.6"));
    assert!(format!("{coop} solo_refresh").parse::<State>().is_ok());
}

#[test]
fn numbers_that_cannot_grow_any_more_stay_as_they_are() {
    let mut state = Scenario::of("by")
        .at(9, "by")
        .with("refresh_tower=may active=y round=65534 discarded=65533")
        .state();
    for _ in 0..4 {
        play(&mut state, "refresh:-");
        settle(&mut state);
    }
    assert_eq!((state.round(), state.score()), (u16::MAX, u16::MAX));
    assert_eq!(state.to_string().parse::<State>(), Ok(state));
}

#[test]
fn a_table_for_far_too_many_is_refused() {
    for players in [7, 1000, usize::MAX] {
        let setup = Setup::new(Preset::Capstone, Mode::Versus, players);
        assert_eq!(State::new(&setup).err(), Some(SetupError::Players));
    }
}

#[test]
fn a_view_full_of_nonsense_is_refused_without_a_panic() {
    let mut state = Scenario::of("byr")
        .at(3, "bbr")
        .at(9, "yr")
        .hand('b', "w1,w2,t2")
        .with("reactions spells=PB,FW flasks=r:0/5/0")
        .state();
    play(&mut state, "w1:w3");
    let mut good = serde_json::to_value(state.view(Viewer::Seat(Seat(0)))).expect("a view");
    good["turn"]["claim"] = json!({"seat": 1, "spell": "PB"});
    good["turn"]["gave"] = json!([0]);
    good["turn"]["series"] = json!({"spell": "FW", "flasks": 0});
    let numbers = [
        "/turn/played",
        "/turn/to_draw",
        "/turn/series/flasks",
        "/turn/rolled",
        "/turn/rolls_left",
        "/turn/gave/0",
        "/turn/active",
        "/turn/actor",
        "/turn/claim/seat",
        "/turn/declared/owner",
        "/turn/declared/steps",
        "/players/0/home",
        "/players/1/flasks/full",
        "/players/1/flasks/empty",
        "/players/1/cards",
        "/draw",
        "/score",
        "/round",
        "/start",
        "/viewer/seat",
    ];
    for pointer in numbers {
        for number in [1, 5, 7, 31, 32, 200, 255] {
            let mut json = good.clone();
            *json
                .pointer_mut(pointer)
                .unwrap_or_else(|| panic!("no {pointer}")) = number.into();
            if let Ok(view) = serde_json::from_value::<towers_rules::View>(json)
                && let Ok(guess) = view.sample(&Knowledge::default(), |n| n - 1)
            {
                assert_eq!(guess.check_invariants(), Ok(()), "{pointer} = {number}");
            }
        }
    }
}

#[test]
fn a_view_of_a_turn_that_cannot_be_is_refused_without_a_panic() {
    let mut state = Scenario::of("byr")
        .at(3, "bbr")
        .at(9, "yr")
        .hand('b', "w1,w2,t2")
        .with("reactions spells=AT,PB,FW flasks=r:0/5/0")
        .state();
    play(&mut state, "w1:w3");
    let good = serde_json::to_value(state.view(Viewer::Seat(Seat(0)))).expect("a view");
    let claims = [
        json!(null),
        json!({"seat": 1, "spell": "AT"}),
        json!({"seat": 2, "spell": "PB"}),
        json!({"seat": 200, "spell": "AW"}),
    ];
    let series = [
        json!(null),
        json!({"spell": "AT", "flasks": 1}),
        json!({"spell": "PB", "flasks": 0}),
        json!({"spell": "FW", "flasks": 200}),
    ];
    let phases: Vec<_> = [
        "draw_start",
        "draw_spells",
        "deal",
        "refill",
        "rolling",
        "redraw",
        "turn",
        "rolled",
        "refreshed",
        "end",
        "asked",
        "offered",
        "return",
        "opening",
        "window",
        "closing",
        "cast",
        "before",
        "with",
        "after",
        "over",
    ]
    .map(|name| json!(name))
    .to_vec();
    let values = [
        (
            "/turn/riders",
            vec![
                json!(""),
                json!("r"),
                json!("rrrr"),
                json!("op"),
                json!("bbbbbb"),
            ],
        ),
        (
            "/turn/used",
            vec![json!([0]), json!([0, 1, 2]), json!([2, 7]), json!([200])],
        ),
        ("/turn/claim", claims.to_vec()),
        ("/turn/series", series.to_vec()),
        ("/turn/offered", vec![json!("w3"), json!("w1t5")]),
        ("/turn/card", vec![json!("w??"), json!("w1")]),
        ("/turn/phase", phases.clone()),
        ("/turn/resume", phases),
        ("/turn/ends", vec![json!(true)]),
        ("/turn/cast", vec![json!(true)]),
        (
            "/options/spell_time",
            vec![json!("declared"), json!("turn")],
        ),
        ("/options/spell_right", vec![json!("shared")]),
        ("/options/reactions", vec![json!(false)]),
        ("/options/teams", vec![json!(true)]),
    ];
    let mut possible = 0;
    for (one, ones) in &values {
        for (other, others) in &values {
            for (a, b) in ones.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                let mut json = good.clone();
                *json.pointer_mut(one).unwrap_or_else(|| panic!("no {one}")) = a.clone();
                *json
                    .pointer_mut(other)
                    .unwrap_or_else(|| panic!("no {other}")) = b.clone();
                if let Ok(view) = serde_json::from_value::<towers_rules::View>(json)
                    && let Ok(guess) = view.sample(&Knowledge::default(), |n| n - 1)
                {
                    assert_eq!(
                        guess.check_invariants(),
                        Ok(()),
                        "{one} = {a}, {other} = {b}"
                    );
                    possible += 1;
                }
            }
        }
    }
    assert!(possible > 0);
}

#[test]
fn a_spell_set_without_spells_is_written_and_read() {
    let mut setup = variants::variant("versus-4-random");
    setup.spells = towers_rules::Spells::Random(0);
    let mut state = State::new(&setup).expect("a table without spells");
    chance(&mut state, "start b");
    let (none, _) = state.chance_outcomes()[0];
    assert_eq!(none.to_string().parse(), Ok(none));
    state.apply_chance(none).expect("no spells");
    settle(&mut state);
    assert!(state.spells().is_empty());
    assert_eq!(state.to_string().parse::<State>(), Ok(state));
}
