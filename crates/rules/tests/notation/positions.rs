//! Whole positions.

use super::refused;
use crate::common::Table;
use rules::notation::{read_position, write_position};

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
        (" seats=b,y ^seats=b,y", "'seats' is there twice"),
        (" seats=b,y moon=^full", "unknown key 'moon'"),
        (" seats=b,y moon^", "unknown key 'moon'"),
        (
            " seats=b,y mode=^chess",
            "'chess' is not one of versus, solo, coop",
        ),
        (" seats=b,y mode^", "'' is not one of versus, solo, coop"),
        (" seats=b,y teams=^yes", "'teams' has no value"),
        (" seats=b,y memory=^none", "not one of strict, assisted"),
        (" seats=b,y team_end=^never", "not one of round, at_once"),
        (" seats=b,y solo_deck=^x", "not one of lose, renew"),
        (" seats=b,y coop_hands=^x", "not one of shared, private"),
        (" seats=b,y spell_setup=^x", "not one of chosen, random"),
        (" seats=b,y start_setup=^x", "not one of chosen, random"),
        (" seats=b,y costs=AW:^4", "4 is more than 3"),
        (" seats=b,y costs=^XX:1", "'XX' is not a spell"),
        (" seats=b,y costs=AW:1,^AW:2", "spell AW has two costs"),
        (" seats=b,y max_rounds=^many", "expected a number"),
        (" seats=b,y start=^x", "expected a colour"),
        (" seats=b,y spells=AT,^AW", "in the order"),
        (" seats=b,y hands=^x:w1", "expected a colour"),
        (" seats=b,y hands=b:^w9", "'w9' is not a card"),
        (
            " seats=b,y hands=b:w1;^r:w1",
            "nobody holds a hand called r",
        ),
        (
            " seats=b,y hands=b:w1;^b:w2",
            "the hand of b is there twice",
        ),
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
            "the flasks of b are there twice",
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
        (" seats=b,y cast=^1", "'cast' has no value"),
        (
            " seats=b,y gave=^b",
            "b is not a partner of this turn (R12.3)",
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
        refused(&format!("{BOARD}{keys}"), message, read_position);
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
        (" seats=b,y costs=AW:0", "a spell costs 1 to 3 flasks (R10)"),
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
        refused(&format!("{BOARD}{keys}"), message, read_position);
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
        (
            " seats=b,y phase=end played=2",
            "only there while a spell can be cast",
        ),
        (
            " seats=b,y phase=end played=2 cast spells=AT flasks=b:0/6/0",
            "only there while a spell can be cast",
        ),
        (
            " seats=b,y phase=asked to_act=y",
            "needs teams and an exchange",
        ),
        (
            " seats=b,y phase=window to_act=y played=1",
            "exists only with reactions",
        ),
        (
            " seats=b,y reactions phase=window played=1",
            "needs something declared",
        ),
        (
            " seats=b,y reactions phase=window played=1 declared=-",
            "asks only who has something to claim (R13.3)",
        ),
        (
            " seats=b,y reactions phase=window declared=-",
            "comes after a card was played",
        ),
        (
            " seats=b,y reactions phase=window played=1 declared=w:0:b:1",
            "declares a wizard that is not there",
        ),
        (
            " seats=b,y reactions phase=window played=1 declared=w:A:b:0",
            "declares a wizard that is not there",
        ),
        (
            " seats=b,y reactions phase=window played=1 declared=t:A:0",
            "a tower move that no card makes",
        ),
        (
            " seats=b,y reactions phase=before played=1 declared=-",
            "and the claim do not fit",
        ),
        (
            " seats=b,y reactions phase=before played=1 declared=- claim=AT",
            "a spell in play",
        ),
        (
            " seats=b,y reactions spells=AT phase=before played=1 declared=- claim=AT",
            "nothing that could be cast",
        ),
        (
            " seats=b,y reactions spells=AT flasks=y:0/6/0 phase=before played=1 declared=- claim=AT claimant=y",
            "the claimant's decision",
        ),
        (
            " seats=b,y reactions spells=AT flasks=b:0/6/0 phase=after played=1 declared=- claim=AT",
            "comes after the declared move",
        ),
        (
            " seats=b,y reactions spells=PB flasks=b:0/6/0 phase=with played=1 declared=w:A:b:1 claim=PB",
            "nothing that could be cast",
        ),
        (
            " seats=b,y reactions spells=FW flasks=b:0/6/0 phase=free played=1",
            "asks only who could free a wizard (R13.11)",
        ),
        (" seats=b,y declared=-", "has nothing declared or claimed"),
        (" seats=b,y claim=AT", "has nothing declared or claimed"),
        (" seats=b,y riders=1", "has nothing declared or claimed"),
        (" seats=b,y ends", "has nothing declared or claimed"),
        (" seats=b,y phase=refill", "needs cards to draw"),
        (" seats=b,y phase=refill owed=4", "refills to three cards"),
        (" seats=b,y phase=over", "the game is not over like that"),
        (
            " seats=b,y phase=over why=rounds",
            "the game is not over like that",
        ),
        (
            " seats=b,y phase=over why=deck",
            "the game is not over like that",
        ),
        (
            " seats=b,y phase=over why=stuck",
            "the game is not over like that",
        ),
    ];
    for (keys, message) in table {
        refused(&format!("{BOARD}{keys}"), message, read_position);
    }
    refused(&format!("{SOLO} seats=b mode=solo"), "R18.6", read_position);
    refused(
        &format!("{SOLO} seats=r mode=solo hands=b:w1"),
        "nobody holds a hand called b",
        |t| read_position(t).map_err(|e| rules::notation::ParseError { column: 1, ..e }),
    );
}

#[test]
fn positions_of_teams_against_the_rules() {
    let base = Table::of("byrg").at(9, "byrg").with("teams");
    let table = [
        ("phase=asked", "is the partner's decision"),
        ("phase=asked to_act=y", "is the partner's decision"),
        (
            "phase=asked to_act=r exchanged",
            "an exchange that is not used up",
        ),
        (
            "phase=asked to_act=r played=2",
            "comes before all actions are used",
        ),
        (
            "phase=offered",
            "needs an offered card of the partner's hand",
        ),
        (
            "phase=offered offered=w???",
            "needs an offered card of the partner's hand",
        ),
        (
            "phase=offered offered=w2t4 to_act=r",
            "is the active player's decision",
        ),
        ("flasks=b:5/1/0", "R18.5"),
        ("flasks=b:6/4/0;r:0/0/0", "R18.5"),
        (
            "flasks=b:0/5/0;r:0/5/0 team_end=at_once",
            "R11.6: the game would be over",
        ),
    ];
    for (keys, message) in table {
        let mut text = base.clone().with(keys).text();
        if keys.contains("at_once") {
            text = text.replace("byrg/", "yg/");
        }
        refused(&text, message, read_position);
    }
}

#[test]
fn a_game_that_would_be_over_is_no_position_of_play() {
    let over = Table::of("by").text();
    refused(&over, "R11.6: the game would be over", read_position);
    let won = Table::solo().text();
    refused(&won, "R11.6: the game would be over", read_position);
    for why in ["finished flasks=b:0/6/0", "stuck"] {
        let text = format!("{over} phase=over why={why}");
        assert!(read_position(&text).is_ok(), "{text}");
    }
    let capped = Table::of("by")
        .at(9, "b")
        .with("phase=over why=rounds max_rounds=3 round=3");
    assert_eq!(crate::common::winners(&capped.state()), "-");
}

#[test]
fn what_is_usual_is_not_written() {
    let text = format!("{BOARD} seats=b,y");
    let state = read_position(&text).expect("a position");
    assert_eq!(write_position(&state), text);
    let wordy = format!(
        "{text} mode=versus memory=strict start=b round=1 phase=turn team_end=round solo_deck=lose coop_hands=shared spell_setup=chosen start_setup=chosen costs=AW:2"
    );
    assert_eq!(read_position(&wordy), Ok(state));
}

#[test]
fn everything_unusual_is_written() {
    // Partners sit opposite: y with b, r with g; two partners have ten flasks.
    let keys = [
        "*/Aby/Brg/C/D/E/F/G/H/I/-/-/-/-/-/- seats=y,r,b,g teams reactions may_decline",
        "free_any_time solo_refresh memory=assisted costs=AW:1,FW:3 team_end=at_once",
        "solo_deck=renew coop_hands=private max_rounds=9 spell_setup=random start_setup=random",
        "start=r spells=AW,FW hands=y:w1;r:w2 discard=t1,w3 discarded=12",
        "flasks=y:1/4/1;b:3/1/0;g:0/3/2 round=4 active=b gave=b,y",
    ];
    let text = keys.join(" ");
    let state = read_position(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(write_position(&state), text);
}
