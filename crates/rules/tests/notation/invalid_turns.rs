//! Positions of reactions and teams that are against the rules.

use super::refused;
use crate::common::Scenario;
use towers_rules::State;

const BOARD: &str = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-";

const SHARED: &str = "reactions spell_right=shared spell_time=declared";
const TURN: &str = "reactions spell_right=shared spell_time=turn";
const ANY: &str = "reactions spell_right=shared spell_time=any";
const EACH: &str = "reactions";

#[test]
fn positions_of_reactions_against_the_rules() {
    let rich = "spells=AW,AT,PB flasks=b:0/6/0;y:0/6/0";
    let table = [
        (
            "",
            "phase=window to_act=y played=1",
            "needs something declared",
        ),
        (
            "",
            "phase=window to_act=y played=1 declared=-",
            "exists only with reactions",
        ),
        ("", "phase=opening", "exists only with reactions"),
        (
            "",
            "phase=cast repeats=AT budget=1",
            "exists only with reactions",
        ),
        (SHARED, "phase=window played=1", "needs something declared"),
        (
            SHARED,
            "phase=window declared=-",
            "comes after a card was played",
        ),
        (
            SHARED,
            "phase=window played=1 declared=w:0:b:1",
            "declares a wizard that is not there",
        ),
        (
            SHARED,
            "phase=window played=1 declared=w:A:b:0",
            "declares a wizard that is not there",
        ),
        (
            SHARED,
            "phase=window played=1 declared=t:A:0",
            "a tower move that no card makes",
        ),
        (
            EACH,
            "phase=window played=1 declared=w:A:b:1 riders=r",
            "has riders who do not exist (R13.8)",
        ),
        (
            EACH,
            "phase=window played=1 declared=w:A:b:1 riders=bbbbb",
            "has riders who do not exist (R13.8)",
        ),
        (
            EACH,
            "phase=window played=1 declared=t:A:1 riders=b",
            "has riders who do not exist (R13.8)",
        ),
        (
            SHARED,
            "phase=window played=1 declared=- used=b",
            "shares one right among all (R13.1)",
        ),
        (
            SHARED,
            "phase=window played=1 declared=- used=b,y",
            "asks only who has something to cast (R13.3)",
        ),
        (
            SHARED,
            "phase=window played=1 declared=- cast",
            "has rights instead of a spell per turn",
        ),
        (SHARED, "phase=end played=2", "needs a castable spell"),
        (
            SHARED,
            "phase=opening",
            "is not a time for spells at this table (R13.2)",
        ),
        (
            SHARED,
            "phase=closing played=1",
            "is not a time for spells at this table (R13.2)",
        ),
        (
            TURN,
            "phase=opening",
            "is not a time for spells at this table (R13.2)",
        ),
        (
            SHARED,
            "phase=cast repeats=AT budget=1",
            "is not a time for spells at this table (R13.2)",
        ),
        (
            TURN,
            "phase=cast repeats=AT budget=1 to_act=y",
            "is the active player's decision",
        ),
        (ANY, "phase=closing", "comes after a card was played"),
        (
            ANY,
            "phase=opening played=2",
            "comes before all actions are used",
        ),
        (ANY, "phase=opening declared=-", "has nothing declared"),
        (
            EACH,
            "phase=opening used=b",
            "asks only who has something to cast (R13.3)",
        ),
        (
            EACH,
            "phase=opening repeats=AT",
            "does not fit the repeated spell",
        ),
        (ANY, "phase=cast", "does not fit the repeated spell"),
        (
            ANY,
            "phase=cast repeats=AT",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=cast repeats=AT budget=7",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=cast repeats=SW budget=1",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=cast repeats=PB budget=4",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=cast repeats=AW budget=1",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=cast repeats=AT budget=1 resume=window played=1",
            "continues in a phase without spells",
        ),
        (
            ANY,
            "phase=cast repeats=AT budget=1 resume=end",
            "continues in a phase without spells",
        ),
        (
            ANY,
            "phase=cast repeats=AT budget=1 resume=rolled played=1",
            "needs the dice card",
        ),
        (
            ANY,
            "phase=cast repeats=AT budget=1 resume=closing",
            "comes after a card was played",
        ),
        (
            ANY,
            "phase=closing resume=opening played=1",
            "continues in a phase without spells",
        ),
        (
            ANY,
            "phase=before played=1 repeats=AT budget=1",
            "needs something declared",
        ),
        (
            ANY,
            "phase=before played=1 declared=-",
            "does not fit the repeated spell",
        ),
        (
            ANY,
            "phase=with played=1 declared=- repeats=PB budget=4",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=with played=1 declared=w:A:b:1 repeats=AT budget=4",
            "no spell that could be repeated",
        ),
        (
            ANY,
            "phase=after played=1 declared=- repeats=AT budget=1",
            "has nothing declared",
        ),
        (
            ANY,
            "phase=after played=1",
            "does not fit the repeated spell",
        ),
        (
            ANY,
            "phase=after played=1 claim=AT claimant=y",
            "does not fit the claim",
        ),
        (
            ANY,
            "phase=after played=1 claim=PB",
            "does not fit the claim",
        ),
        (
            ANY,
            "phase=after played=1 claim=SW",
            "does not fit the claim",
        ),
        (
            EACH,
            "phase=after played=1 claim=AT",
            "does not fit the claim",
        ),
        (
            ANY,
            "phase=closing played=1 claim=AT",
            "does not fit the claim",
        ),
        (
            ANY,
            "phase=closing played=1 ends",
            "comes before the end of a turn (R13.9)",
        ),
        (
            ANY,
            "phase=opening to_act=y ends",
            "comes before the end of a turn (R13.9)",
        ),
        (
            ANY,
            "phase=closing played=1 used=b,y",
            "asks only who has something to cast (R13.3)",
        ),
    ];
    for (rules, keys, message) in table {
        let text = format!("{BOARD} seats=b,y {rich} {rules} {keys}").replace("  ", " ");
        refused(&text, message, str::parse::<State>);
    }
}

#[test]
fn positions_of_teams_against_the_rules() {
    let base = Scenario::of("byrg").at(9, "byrg").with("teams");
    let table = [
        ("phase=asked", "is the partner's decision"),
        ("phase=asked to_act=y", "is the partner's decision"),
        ("phase=asked to_act=r", "an exchange that has begun"),
        (
            "phase=asked to_act=r offering_used",
            "an exchange that has begun",
        ),
        ("phase=offered offered=w2t4", "an exchange that has begun"),
        (
            "phase=offered offered=w2t4 asking_used",
            "an exchange that has begun",
        ),
        ("phase=return", "an exchange that has begun"),
        (
            "phase=asked to_act=r asking_used played=2",
            "comes before all actions are used",
        ),
        (
            "phase=offered offering_used",
            "needs an offered card of the partner's hand",
        ),
        (
            "phase=offered offering_used offered=w???",
            "needs an offered card of the partner's hand",
        ),
        (
            "phase=offered offering_used offered=w2t4 to_act=r",
            "is the active player's decision",
        ),
        ("flasks=b:5/1/0", "R18.5"),
        ("flasks=b:6/4/0;r:0/0/0", "R18.5"),
        (
            "flasks=b:0/5/0;r:0/5/0 team_end=at_once",
            "R11.6: the game should be over",
        ),
    ];
    for (keys, message) in table {
        let mut text = base.clone().with(keys).text();
        if keys.contains("at_once") {
            text = text.replace("byrg/", "yg/");
        }
        refused(&text, message, str::parse::<State>);
    }
}
