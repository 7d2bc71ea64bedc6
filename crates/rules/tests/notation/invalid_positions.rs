//! Positions that are malformed or against the rules.

use super::refused;
use crate::common::Scenario;
use towers_rules::State;

const BOARD: &str = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-";
const SOLO: &str = "*/Abbb/Bbbb/Cbbb/Dbb/Eb/F/G/H/I/-/-/-/-/-/-";

#[test]
fn positions_that_cannot_be_read() {
    let table = [
        ("^", "expected seats=…, the colours of the players"),
        (" seats=^", "expected '=' and a value"),
        (" seats^", "expected a colour"),
        (" seats=b,^x", "expected a colour"),
        (" seats=b,y^;r", "unexpected ';r'"),
        (" ^ seats=b,y", "expected a key"),
        (" seats=b,y ^", "expected a key"),
        (" seats=b,y ^=3", "expected a key"),
        (" seats=b,y ^seats=b,y", "'seats' occurs twice"),
        (" seats=b,y moon=^full", "unknown key 'moon'"),
        (" seats=b,y moon^", "unknown key 'moon'"),
        (" seats=b,y mode^", "'' is not a value of mode"),
        (
            " seats=b,y teams=^yes",
            "write 'teams' without a value, or 'teams=false'",
        ),
        (" seats=b,y teams=^true", "write 'teams' without a value"),
        (" seats=b,y refresh_spell=^0", "or 'refresh_spell=false'"),
        (" seats=b,y costs=^AW:4", "'AW:4' is not a value of costs"),
        (" seats=b,y costs=^AW:0", "expected costs of 1 to 3"),
        (" seats=b,y costs=^XX:1", "'XX:1' is not a value of costs"),
        (" seats=b,y costs=^AW:1,AW:2", "is not a value of costs"),
        (" seats=b,y costs^", "'' is not a value of costs"),
        (" seats=b,y max_rounds=^many", "expected a number of rounds"),
        (
            " seats=b,y max_rounds=^65536",
            "expected a number of rounds",
        ),
        (" seats=b,y start=^x", "expected a colour"),
        (" seats=b,y spells=AT,^AW", "in the order"),
        (" seats=b,y hands=^x:w1", "expected a colour"),
        (" seats=b,y hands=b:^w9", "'w9' is not a card"),
        (" seats=b,y hands=b:w1;^r:w1", "there is no hand r"),
        (" seats=b,y hands=b:w1;^b:w2", "the hand of b occurs twice"),
        (
            " seats=b,y hands=y:w1;^b:w1,w1,w2,w2,w3",
            "a hand has at most 3 cards",
        ),
        (" seats=b,y discard=w1,^w9", "'w9' is not a card"),
        (" seats=b,y discarded=^x", "expected a number"),
        (" seats=b,y flasks=b:^x", "expected a number"),
        (" seats=b,y flasks=b:6/0^", "expected '/'"),
        (" seats=b,y flasks=b:^13/0/0", "13 is more than 12"),
        (" seats=b,y flasks=y:6/0/0;^r:6/0/0", "nobody plays r"),
        (
            " seats=b,y flasks=b:6/0/0;^b:6/0/0",
            "the flasks of b occur twice",
        ),
        (" seats=b,y round=^0", "rounds are counted from 1"),
        (" seats=b,y round=^70000", "70000 is more than 65535"),
        (" seats=b,y active=^r", "nobody plays r"),
        (" seats=b,y to_act=^r", "nobody plays r"),
        (" seats=b,y claimant=^r", "nobody plays r"),
        (
            " seats=b,y phase=^deal",
            "'deal' is not one of turn, rolled",
        ),
        (" seats=b,y phase=^x", "'x' is not one of turn, rolled"),
        (" seats=b,y played=^7", "7 is more than 6"),
        (" seats=b,y cast=^1", "'cast' takes no value"),
        (" seats=b,y ends=^true", "'ends' takes no value"),
        (" seats=b,y asking_used=^1", "'asking_used' takes no value"),
        (
            " seats=b,y offering_used=^1",
            "'offering_used' takes no value",
        ),
        (" seats=b,y exchanged^", "unknown key 'exchanged'"),
        (" seats=b,y budget=^13", "13 is more than 12"),
        (" seats=b,y budget=^x", "expected a number"),
        (" seats=b,y repeats=^XX", "'XX' is not a spell"),
        (" seats=b,y resume=^x", "'x' is not one of turn, rolled"),
        (" seats=b,y used=b,^r", "nobody plays r"),
        (" seats=b,y used=^x", "expected a colour"),
        (" seats=b,y riders=^1", "unexpected '1'"),
        (" seats=b,y riders=y^b", "in the order b y r g o p"),
        (
            " seats=b,y gave=^b",
            "b is neither the active player nor the partner (R12.3)",
        ),
        (" seats=b,y card=^w9", "'w9' is not a card"),
        (" seats=b,y declared=^x", "expected 't:'"),
        (" seats=b,y declared=w:3:^r:1", "nobody plays r"),
        (" seats=b,y declared=w:^J:b:1", "expected a number"),
        (" seats=b,y declared=t:A:^7", "7 is more than 6"),
        (" seats=b,y claim=^XX", "'XX' is not a spell"),
        (
            " seats=b,y why=^bored",
            "not one of finished, stuck, deck, rounds",
        ),
    ];
    for (keys, message) in table {
        refused(&format!("{BOARD}{keys}"), message, str::parse::<State>);
    }
}

#[test]
fn tables_that_cannot_be_played() {
    let table = [
        (" seats=b", "2 to 6 players"),
        (" seats=b,y,b", "the same colour (R2.6)"),
        (" seats=b,y teams", "teams need 4 or 6 players (R12.1)"),
        (
            " seats=b,y start=r",
            "the starting player has no seat (R3.5)",
        ),
        (
            " seats=b,y reactions spell_time=turn",
            "spell_right=each needs spell_time=any (R13.12)",
        ),
        (
            " seats=b,y reactions spell_right=shared spell_time=declared free_any_time",
            "free_any_time needs spell_time=any (R13.11)",
        ),
        (" seats=b,y max_rounds=0", "at least 1 (R11.7)"),
        (" seats=b,y mode=solo", "a solo game has 1"),
        (
            " seats=b,y,r,g mode=coop teams",
            "no teams in solo and cooperative games",
        ),
        (
            " seats=b,y mode=coop reactions",
            "no reactions in solo and cooperative games",
        ),
    ];
    for (keys, message) in table {
        refused(&format!("{BOARD}{keys}"), message, str::parse::<State>);
    }
}

#[test]
fn positions_against_the_rules() {
    let table = [
        (" seats=b,r", "nobody plays y (R18.2)"),
        (" seats=b,y,r", "b has only 4 wizards (R18.2)"),
        (
            " seats=b,y hands=b:w???;y:w???",
            "there are only 1 cards w??? (R18.1)",
        ),
        (
            " seats=b,y discard=w1,w1,w1,w1,w1",
            "there are only 4 cards w1 (R18.1)",
        ),
        (
            " seats=b,y hands=b:w1,w2,w3,w4",
            "R4.5: the hand of seat 0 has more than 3",
        ),
        (" seats=b,y discard=w1,w2 discarded=1", "R14.3"),
        (
            " seats=b,y flasks=b:5/0/0",
            "R18.5: the flasks of seat 0 do not add up",
        ),
        (
            " seats=b,y flasks=y:6/1/0",
            "R18.5: the flasks of seat 1 do not add up",
        ),
        (
            " seats=b,y played=2",
            "R19: phase turn comes before all actions are used",
        ),
        (" seats=b,y played=1", "R18.6: seat 0 has no card to play"),
        (
            " seats=b,y to_act=y",
            "R19: phase turn is the active player's decision",
        ),
        (
            " seats=b,y phase=rolled roll=3 card=w??",
            "comes after a card was played",
        ),
        (
            " seats=b,y phase=rolled played=1 card=w??",
            "a roll that the card does not allow",
        ),
        (
            " seats=b,y phase=rolled played=1 roll=3",
            "needs the dice card",
        ),
        (
            " seats=b,y phase=rolled played=1 roll=3 rolls=2 card=w??",
            "a roll that the card does not allow",
        ),
        (
            " seats=b,y phase=rolled played=1 roll=3 card=w2",
            "a roll that the card does not allow",
        ),
        (
            " seats=b,y phase=rolled played=3 roll=3 card=w??",
            "comes before all actions are used",
        ),
        (" seats=b,y phase=end played=2", "needs a castable spell"),
        (
            " seats=b,y phase=end played=2 cast spells=AT flasks=b:0/6/0",
            "needs a castable spell",
        ),
        (
            " seats=b,y phase=asked to_act=y",
            "is the partner's decision",
        ),
        (" seats=b,y phase=offered", "needs teams and an exchange"),
        (
            " seats=b,y asking_used phase=return",
            "needs teams and an exchange",
        ),
        (
            " seats=b,y phase=refreshed played=2",
            "only if a refresh draws new cards first (R4.5)",
        ),
        (
            " seats=b,y refresh_draw=first phase=refreshed played=1",
            "only if a refresh draws new cards first (R4.5)",
        ),
        (
            " seats=b,y refresh_draw=first phase=refreshed played=2 to_act=y",
            "is the active player's decision",
        ),
        (
            " seats=b,y refresh_draw=first phase=redraw played=2",
            "needs cards to draw",
        ),
        (" seats=b,y declared=-", "has nothing declared"),
        (" seats=b,y riders=b", "has nothing declared"),
        (" seats=b,y offered=w1", "offers no card (R12.2)"),
        (" seats=b,y claim=AT", "does not fit the claim"),
        (" seats=b,y repeats=AT", "does not fit the repeated spell"),
        (
            " seats=b,y budget=1",
            "reserves flasks although no spell is repeated",
        ),
        (
            " seats=b,y resume=rolled",
            "continues in a phase without spells",
        ),
        (" seats=b,y ends", "comes before the end of a turn (R13.9)"),
        (" seats=b,y used=b", "exists only with reactions"),
        (" seats=b,y phase=refill", "needs cards to draw"),
        (" seats=b,y phase=refill owed=4", "refills to three cards"),
        (
            " seats=b,y phase=over",
            "the position does not fit the ending",
        ),
        (
            " seats=b,y phase=over why=rounds",
            "the position does not fit the ending",
        ),
        (
            " seats=b,y phase=over why=deck",
            "the position does not fit the ending",
        ),
        (
            " seats=b,y phase=over why=stuck",
            "the position does not fit the ending",
        ),
    ];
    for (keys, message) in table {
        refused(&format!("{BOARD}{keys}"), message, str::parse::<State>);
    }
    refused(
        &format!("{SOLO} seats=b mode=solo"),
        "R18.6",
        str::parse::<State>,
    );
    refused(
        &format!("{SOLO} seats=r mode=solo hands=b:w1"),
        "there is no hand b",
        |t| {
            t.parse::<State>()
                .map_err(|e| towers_rules::notation::ParseError { column: 1, ..e })
        },
    );
}

/// The rules of the positions below: spells as in one of the books.
#[test]
fn a_game_that_would_be_over_is_no_position_of_play() {
    let over = Scenario::of("by").text();
    refused(&over, "R11.6: the game should be over", str::parse::<State>);
    let won = Scenario::solo().text();
    refused(&won, "R11.6: the game should be over", str::parse::<State>);
    for why in ["finished flasks=b:0/6/0", "stuck"] {
        let text = format!("{over} phase=over why={why}");
        assert!(text.parse::<State>().is_ok(), "{text}");
    }
    let capped = Scenario::of("by")
        .at(9, "b")
        .with("phase=over why=rounds max_rounds=3 round=3");
    assert_eq!(crate::common::winners(&capped.state()), "-");
}
