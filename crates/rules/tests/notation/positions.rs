//! Positions as text, and their round trips.

use super::refused;
use crate::common::Scenario;
use towers_rules::{Field, Options, State};

const BOARD: &str = "*/Abby/Bbyy/Cbby/Dy/E/F/G/H/I/-/-/-/-/-/-";

#[test]
fn default_values_are_not_written() {
    let text = format!("{BOARD} seats=b,y");
    let state = text.parse::<State>().expect("a position");
    assert_eq!(state.to_string(), text);
    let wordy = format!(
        "{text} mode=versus memory=strict start=b round=1 phase=turn team_end=round solo_deck=lose coop_hands=shared spell_setup=chosen start_setup=chosen costs=AW:2"
    );
    assert_eq!(wordy.parse::<State>(), Ok(state));
}

#[test]
fn everything_unusual_is_written() {
    // Partners sit opposite: y with b, r with g; two partners have ten flasks.
    let keys = [
        "*/Aby/Brg/C/D/E/F/G/H/I/-/-/-/-/-/- seats=y,r,b,g teams reactions may_decline",
        "spell_setup=random start_setup=random refresh_tower=may refresh_draw=first refresh_spell=false entry_ends=own",
        "offer_after_refusal gifts=to_active team_end=at_once spell_right=shared refresh_window=false free_any_time",
        "solo_deck=renew solo_refresh solo_spell=any coop_hands=private memory=assisted costs=AW:1,FW:3 max_rounds=9",
        "start=r spells=AW,FW hands=y:w1;r:w2 discard=t1,w3 discarded=12",
        "flasks=y:1/4/1;b:3/1/0;g:0/3/2 round=4 active=b asking_used offering_used gave=b,y used=y,r,b,g",
    ];
    let text = keys.join(" ");
    let state = text
        .parse::<State>()
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(state.to_string(), text);
}

#[test]
fn every_value_of_every_field_is_written_and_read() {
    for &field in Field::ALL {
        let values = match field {
            Field::Costs => &["AW:1,AT:2,SW:3,HW:1,HT:2,NC:3,PB:1,FW:3"][..],
            Field::MaxRounds => &["null", "1", "65535"],
            _ => field.values(),
        };
        for &value in values {
            let table = match (field, value) {
                (Field::Mode, "solo") => Scenario::of("b").at(9, "b"),
                (Field::Mode, "coop") => Scenario::of("b").at(9, "b").with("coop_hands=private"),
                _ => Scenario::of("byrg").at(9, "byrg"),
            };
            let seats = if value == "coop" { "seats=b,y" } else { "" };
            let key = match value {
                "true" => field.to_string(),
                _ => format!("{field}={value}"),
            };
            let mut text = table.with(&key).text();
            if !seats.is_empty() {
                text = text
                    .replace("seats=b ", "seats=b,y ")
                    .replace(" hands=b:", " hands=y:w1;b:");
            }
            let state = text
                .parse::<State>()
                .unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_eq!(state.options().get(field), value);
            let written = state.to_string();
            let usual = Options::default().get(field) == value;
            let said = written
                .split(' ')
                .any(|k| k.split('=').next() == Some(field.name()));
            assert_eq!(said, !usual, "{key}\n{written}");
            assert_eq!(written.parse::<State>(), Ok(state));
        }
        let wrong = format!("{BOARD} seats=b,y {field}=^nonsense");
        refused(&wrong, field.name(), str::parse::<State>);
    }
}

#[test]
fn every_key_of_a_turn_is_written_and_read() {
    let rich = "flasks=b:0/5/0;y:0/5/0;r:0/5/0";
    let each = format!("reactions spells=AT,PB {rich}");
    let shared = format!("reactions spell_right=shared spells=AT,PB {rich}");
    let free = format!("reactions spell_right=shared free_any_time spells=AT,FW {rich}");
    let keys = [
        // Windows, and rights that are used.
        format!("{each} phase=opening"),
        format!("{each} phase=opening to_act=r used=b"),
        format!("{each} phase=opening to_act=y played=1 used=b,r"),
        format!("{each} phase=window played=1 declared=w:3:b:2"),
        format!("{each} phase=window played=1 declared=w:A:b:2"),
        format!("{each} phase=window to_act=y played=2 declared=t:A:6 used=b"),
        format!("{each} phase=window to_act=r played=2 declared=- used=b,y"),
        format!("{each} phase=closing to_act=y played=1 ends"),
        format!("{free} phase=closing to_act=r played=1 used=b,y,r"),
        // Riders of several colours.
        format!("{each} phase=window to_act=r played=1 declared=w:3:b:2 riders=by used=b,y"),
        format!(
            "{each} phase=with to_act=r played=1 budget=3 declared=w:3:b:2 riders=byr used=b,y,r repeats=PB"
        ),
        // Series, and where the turn goes on.
        format!("{each} phase=cast budget=3 used=b repeats=AT"),
        format!(
            "{each} phase=cast played=1 rolls=1 roll=4 budget=1 card=w?? used=b repeats=AT resume=rolled"
        ),
        format!(
            "{each} refresh_draw=first phase=cast played=2 budget=1 used=b repeats=AT resume=refreshed"
        ),
        format!("{each} phase=cast to_act=y budget=5 used=y repeats=AT resume=opening"),
        format!(
            "{each} phase=cast to_act=r played=2 budget=2 ends used=y,r repeats=AT resume=closing"
        ),
        format!("{each} phase=before to_act=y played=1 budget=2 declared=t:B:1 used=y repeats=AT"),
        // Claims.
        format!("{shared} phase=after to_act=y played=1 used=b,y,r claim=AT claimant=y"),
        format!("{shared} phase=after to_act=y played=1 budget=2 used=b,y,r repeats=AT claimant=y"),
        format!("{free} phase=window to_act=r played=1 declared=- used=b,y,r claim=AT claimant=y"),
        format!(
            "{free} phase=before to_act=r played=1 budget=4 declared=- used=b,y,r claim=AT repeats=FW claimant=y"
        ),
        // Cards of a refresh.
        "refresh_draw=first phase=refreshed played=2".into(),
        "refresh_draw=first phase=redraw played=2 owed=1".into(),
        "spells=AT flasks=b:4/1/0 phase=end played=2".into(),
    ];
    for keys in keys {
        let mut table = Scenario::of("byr")
            .at(3, "bbyrr")
            .at(5, "Ab")
            .at(9, "yr")
            .with(&keys);
        if keys.contains("phase=redraw") {
            table = table.hand('b', "w1,w2");
        } else if keys.contains("played=2") {
            table = table.hand('b', "w1");
        }
        let text = table.text();
        let state = text
            .parse::<State>()
            .unwrap_or_else(|e| panic!("{e}\n{text}"));
        let written = state.to_string();
        // The keys of a turn come last, in this order; options before them.
        let turn = keys
            .split(' ')
            .filter(|k| k.starts_with("phase="))
            .collect::<String>();
        let from = |text: &str| text[text.find(&turn).expect("the phase")..].to_string();
        assert_eq!(from(&written), from(&keys));
        assert_eq!(written.parse::<State>(), Ok(state));
    }
}
