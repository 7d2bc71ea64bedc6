//! The rules on the command line: editions, fields and positions.

mod common;

use common::{run, success, towers};

#[test]
fn every_field_can_be_set_by_name() {
    for &field in towers_rules::Field::ALL {
        let name = field.name();
        if matches!(
            name,
            "mode" | "teams" | "reactions" | "costs" | "max_rounds"
        ) {
            continue;
        }
        for value in field.values() {
            let text = success(&towers(&format!(
                "trace --players 2 --max-rounds 1 --set {name}={value}"
            )));
            let header = text.lines().next().expect("a header");
            let header: serde_json::Value = serde_json::from_str(header).expect("JSON");
            let written = match &header["options"][name] {
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(written, *value, "{name}");
        }
    }
    let text = success(&towers(
        "trace --players 4 --teams --reactions --max-rounds 2 --set costs=AW:1,FW:3 --set max_rounds=1",
    ));
    assert!(text.contains(r#""AW":1"#) && text.contains(r#""FW":3"#));
    assert!(text.contains(r#""max_rounds":1"#));
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

    let printed = success(&towers("presets --preset oya"));
    assert_eq!(printed, "oya: as printed\n");
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
fn a_position_may_begin_with_an_empty_space() {
    let position = "-/A*/B/C/D/E/F/G/H/I/bbbbb/yyyyy/-/-/-/- seats=b,y hands=b:w1;y:w2";
    let counted = run(&["perft", "--depth", "1", "--position", position]);
    assert!(success(&counted).trim().parse::<u64>().is_ok());
}
