//! The rules on the command line: editions, fields and positions.

mod common;

use common::{run, success, towers};

/// The value of a field in the header of a trace.
fn header_value(trace: &str, field: &str) -> String {
    let header = trace.lines().next().expect("a header");
    let header: serde_json::Value = serde_json::from_str(header).expect("JSON");
    match &header["options"][field] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Sets every field to every value at one table, and expects the value in the header, or a refusal with its clause.
fn set_every_field(table: &str, refused_with: impl Fn(&str, &str) -> Option<&'static str>) {
    for &field in towers_rules::Field::ALL {
        let name = field.name();
        let values = match name {
            "costs" => &["AW:1,AT:2,SW:3,HW:1,HT:2,NC:3,PB:1,FW:3"][..],
            "max_rounds" => &["null", "2"],
            _ => field.values(),
        };
        for value in values {
            let cap = if name == "max_rounds" {
                ""
            } else {
                "--max-rounds 1"
            };
            let output = towers(&format!("trace {table} {cap} --set {name}={value}"));
            if let Some(clause) = refused_with(name, value) {
                common::refused(&output, clause);
                continue;
            }
            let written = header_value(&success(&output), name);
            let sorted = |text: &str| {
                let text = text.replace(['{', '}', '"'], "");
                let mut parts: Vec<_> = text.split(',').map(String::from).collect();
                parts.sort_unstable();
                parts
            };
            assert_eq!(sorted(&written), sorted(value), "{table} {name}");
        }
    }
}

#[test]
fn every_field_can_be_set_by_name() {
    set_every_field("--players 4", |name, value| match (name, value) {
        ("mode", "solo") => Some("R14.1"),
        _ => None,
    });
    let solo = |name: &str, value: &str| match (name, value) {
        ("teams", "true") => Some("R12.1"),
        ("reactions", "true") => Some("R13.1"),
        ("mode", "versus" | "coop") => Some("R14.1"),
        _ => None,
    };
    set_every_field("--set mode=solo", |name, value| {
        if name == "mode" && value != "solo" {
            return Some("mode is given twice");
        }
        solo(name, value)
    });
}

#[test]
fn every_field_can_be_set_by_name_with_reactions() {
    set_every_field(
        "--players 4 --set reactions=true --teams",
        |name, value| match (name, value) {
            ("reactions" | "teams", "false") => Some("is given twice"),
            ("mode", "solo") => Some("R14.1"),
            ("mode", "coop") => Some("R12.1"),
            // In Capstone, everyone has a spell of their own.
            ("spell_time", "turn" | "declared") => Some("R13.12"),
            _ => None,
        },
    );
    set_every_field(
        "--players 2 --preset oya --reactions",
        |name, value| match (name, value) {
            ("reactions", "false") => Some("is given twice"),
            ("teams", "true") => Some("R12.1"),
            ("mode", "solo") => Some("R14.1"),
            ("mode", "coop") => Some("R13.1"),
            ("spell_right", "each") => Some("R13.12"),
            ("free_any_time", "true") => Some("R13.11"),
            _ => None,
        },
    );
}

#[test]
fn arguments_that_contradict_each_other_are_refused() {
    for (args, why) in [
        (
            "--set gifts=both --set gifts=to_active",
            "gifts is given twice, as both and as to_active (R12.3)",
        ),
        (
            "--max-rounds 2 --set max_rounds=1",
            "max_rounds is given twice",
        ),
        (
            "--set costs=AW:1 --set costs=AW:2,FW:1",
            "costs is given twice",
        ),
        (
            "--mode coop --set mode=versus",
            "mode is given twice, as coop and as versus (R14.1)",
        ),
        (
            "--spells random3 --set spell_setup=chosen",
            "contradict each other (R3.4)",
        ),
        (
            "--spells AW,FW --set spell_setup=random",
            "contradict each other (R3.4)",
        ),
        (
            "--start random --set start_setup=chosen",
            "contradict each other (R3.5)",
        ),
        (
            "--start y --set start_setup=random",
            "contradict each other (R3.5)",
        ),
    ] {
        common::refused(&towers(&format!("trace {args}")), why);
    }
    // What agrees can be said twice.
    let twice = "trace --max-rounds 1 --players 4 --teams --set teams=true --mode versus --set mode=versus \
        --set costs=AW:1 --set costs=FW:3 --set costs={\"AW\":1} --spells random2 --set spell_setup=random \
        --start r --set start_setup=chosen";
    let trace = success(&towers(twice));
    assert_eq!(header_value(&trace, "teams"), "true");
    let costs = header_value(&trace, "costs");
    assert!(
        costs.contains(r#""AW":1"#) && costs.contains(r#""FW":3"#),
        "{costs}"
    );
    assert_eq!(header_value(&trace, "spell_setup"), "random");
    assert!(trace.starts_with(r#"{"trace":2"#) && trace.contains(r#""start":"r""#));
    // All spells, or none, can be drawn as well as chosen.
    let trace = success(&towers(
        "trace --max-rounds 1 --spells all --set spell_setup=random",
    ));
    assert_eq!(header_value(&trace, "spell_setup"), "random");
}

#[test]
fn spells_and_the_start_are_chosen_if_a_field_says_so() {
    let spells = |args: &str| {
        let trace = success(&towers(&format!("trace --max-rounds 1 {args}")));
        let header = trace.lines().next().expect("a header");
        let header: serde_json::Value = serde_json::from_str(header).expect("JSON");
        header["spells"].as_array().expect("a list").len()
    };
    assert_eq!(
        spells("--players 3 --reactions --set spell_setup=chosen"),
        2
    );
    assert_eq!(spells("--mode solo --set spell_setup=chosen"), 0);
    assert_eq!(spells("--mode solo --set spell_setup=random"), 3);
    assert_eq!(spells("--players 3 --set spell_setup=random"), 2);
}

#[test]
fn costs_are_also_read_as_a_header_writes_them() {
    let costs = |argument: &str| {
        let text = success(&run(&["trace", "--max-rounds", "1", "--set", argument]));
        let header = text.lines().next().expect("a header");
        let header: serde_json::Value = serde_json::from_str(header).expect("JSON");
        header["options"]["costs"].clone()
    };
    let all = r#"{"AW":1,"AT":2,"SW":3,"HW":1,"HT":2,"NC":3,"PB":1,"FW":2}"#;
    let written: serde_json::Value = serde_json::from_str(all).expect("JSON");
    assert_eq!(costs(&format!("costs={all}")), written);
    for text in [r#"costs={"FW":3}"#, "costs=FW:3", "costs=FW=3"] {
        let costs = costs(text);
        assert_eq!(
            (&costs["FW"], &costs["AT"]),
            (&3.into(), &1.into()),
            "{text}"
        );
    }
}

#[test]
fn presets_prints_what_each_book_says_and_where_a_table_departs() {
    let table = success(&towers("presets"));
    let row = |field: &str| {
        let line = table
            .lines()
            .find(|l| l.split_whitespace().nth(1) == Some(field));
        let cells = line.expect("a row").split_whitespace().skip(2);
        cells.map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(row("refresh_tower"), ["must", "may", "may", "may"]);
    assert_eq!(row("spell_right"), ["each", "shared", "shared", "shared"]);
    assert_eq!(row("spell_time"), ["any", "any", "turn", "declared"]);
    assert_eq!(row("solo_deck"), ["lose", "-", "-", "renew"]);
    assert_eq!(row("costs"), ["FW:2", "FW:1", "FW:1", "FW:2"]);
    let json: serde_json::Value =
        serde_json::from_str(&success(&towers("presets --json"))).expect("JSON");
    assert_eq!(json["oya"]["gifts"], "to_active");
    assert_eq!(json["abacus-1"]["solo_spell"], serde_json::Value::Null);

    for preset in towers_rules::Preset::ALL.map(towers_rules::Preset::name) {
        let printed = success(&towers(&format!("presets --preset {preset}")));
        assert_eq!(printed, format!("{preset}: as printed\n"));
        let json = success(&towers(&format!("presets --json --preset {preset}")));
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(
            (&json["preset"], &json["as_printed"]),
            (&preset.into(), &true.into())
        );
    }
    let departs = success(&towers(
        "presets --preset oya --set gifts=both --spells all",
    ));
    assert!(
        departs.contains("gifts is both, printed to_active (R12.3)"),
        "{departs}"
    );
    assert!(departs.contains("spell_setup is AW,AT,"), "{departs}");
    let json = success(&towers("presets --preset oya --set gifts=both --json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["as_printed"], false);
    assert_eq!(json["departures"][0]["field"], "gifts");
}

#[test]
fn presets_prints_every_row_of_the_rules() {
    let rules = include_str!("../../../docs/rules.md");
    let after = rules.split("\n## §17").nth(1).expect("the section");
    let section = after.split("\n## ").next().expect("its text");
    let printed = success(&towers("presets"));
    let json = success(&towers("presets --json"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let rows = printed.lines().skip(1).map(|line| {
        let cells = line.split("  ").map(str::trim).filter(|c| !c.is_empty());
        cells.collect::<Vec<_>>()
    });
    let mut rows: Vec<_> = rows.collect();
    let written = section.lines().filter(|l| l.starts_with('|')).skip(2);
    for line in written {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let names = [
            "players",
            "spells without",
            "spells with",
            "spells unless",
            "spells in solo",
        ];
        let keys = [
            "players",
            "spells",
            "spells_reactions",
            "spells_default",
            "spells_solo",
        ];
        let choice = names.iter().position(|name| cells[0].starts_with(name));
        let name = match choice {
            Some(i) => keys[i],
            None => cells[0].split('`').nth(1).expect("a field"),
        };
        let found = rows.iter().position(|row| row[1] == name);
        let row = rows.remove(found.unwrap_or_else(|| panic!("no row {name}")));
        assert_eq!(row[0], cells[1].replace('§', "R"), "{name}");
        let presets = towers_rules::Preset::ALL.map(towers_rules::Preset::name);
        for ((cell, own), preset) in cells[2..].iter().zip(&row[2..]).zip(presets) {
            let told = match (name, *cell) {
                (_, "—") => "-".into(),
                ("costs", cost) => format!("FW:{cost}"),
                ("max_rounds", "none") => "null".into(),
                (_, "yes") => "true".into(),
                (_, "no") => "false".into(),
                (_, text) if text.starts_with('`') => {
                    text.split('`').nth(1).expect("a value").into()
                }
                (_, text) => text.split(" (").next().expect("a text").to_string(),
            };
            assert_eq!(*own, told, "{name} of {preset}");
            match &json[preset][name] {
                serde_json::Value::Null => assert!(["-", "null"].contains(own), "{name}"),
                value => assert!(value.as_str().is_some_and(|v| v.contains(own)), "{name}"),
            }
        }
        assert_eq!(row.len(), 6, "{name}");
    }
    assert!(rows.is_empty(), "not in the rules: {rows:?}");
}

#[test]
fn a_position_may_begin_with_an_empty_space() {
    let position = "-/A*/B/C/D/E/F/G/H/I/bbbbb/yyyyy/-/-/-/- seats=b,y hands=b:w1;y:w2";
    let counted = run(&["perft", "--depth", "1", "--position", position]);
    assert!(success(&counted).trim().parse::<u64>().is_ok());
}
