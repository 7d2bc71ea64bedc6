//! Actions, cards, spells and chance.

use super::refused;
use towers_rules::{Action, Card, Cast, Chance, Move, Spell, SpellSet};

#[test]
fn actions_that_are_none() {
    let table = [
        ("^", "expected an action"),
        ("^jump", "expected an action"),
        ("^ w1:w3", "expected an action"),
        ("w1:w3^ ", "unexpected ' '"),
        ("w1^", "expected ':' and what the card moves"),
        ("w1:^", "expected what moves"),
        ("w1:w^", "expected a number: spaces are 0 to 15"),
        ("w1:w^16", "16 is more than 15: spaces are 0 to 15"),
        ("w1:w^03", "without leading zeros: spaces are 0 to 15"),
        ("w1:w^99999", "99999 is more than 15"),
        ("w1:t^J", "expected a tower, A to I"),
        ("w1:^b", "expected what moves"),
        ("w1:w3+^+", "unexpected '+'"),
        ("w1:-^+", "unexpected '+'"),
        ("w1:tA^+", "unexpected '+'"),
        ("^w6:w3", "'w6' is not a card"),
        ("^w1t2:w3", "'w1t2' is not a card"),
        ("^w?:w3", "'w?' is not a card"),
        ("^w?t?:w3", "a dice card is played alone"),
        ("^t??:tA", "a dice card is played alone"),
        ("t??^ ", "unexpected ' '"),
        (":^", "expected what moves"),
        ("refresh:^", "expected 't'"),
        ("refresh:^w3", "expected 't'"),
        ("refresh^ ", "unexpected ' '"),
        ("refresh^tA", "unexpected 'tA'"),
        ("refresh:t^", "expected a tower"),
        ("AW^", "expected ':'"),
        ("AW:^b", "expected a number"),
        ("AW:5^", "expected a colour"),
        ("AW:5^x", "expected a colour"),
        ("AW:5b!^!", "unexpected '!'"),
        ("AT:^5", "expected a tower"),
        ("SW:3^", "expected ','"),
        ("SW:3,^3", "two different spaces, the lower number first"),
        ("SW:7,^3", "two different spaces, the lower number first"),
        ("NC:^", "expected a direction, + or -"),
        ("NC:^3", "expected a direction, + or -"),
        ("FW:C,^", "expected a colour"),
        ("^XX:3", "'XX' is not a spell"),
        ("PB^:3", "unexpected ':3'"),
        ("before ^", "'' is not a spell"),
        ("before ^PB", "piggyback has no target"),
        ("after ^PB", "piggyback goes with the move"),
        ("after AW^:5b", "unexpected ':5b'"),
        ("^after", "expected an action"),
        ("^with AW", "'w' is not a card"),
        ("offer ^", "'' is not a card"),
        ("offer ^w7", "'w7' is not a card"),
        ("return ^x", "'' is not a card"),
        ("give ^", "expected a number"),
        ("give ^0", "a gift is one flask or more"),
        ("give ^01", "without leading zeros"),
        ("give ^256", "256 is more than 255"),
        ("give ^-1", "expected a number"),
        ("end^s", "unexpected 's'"),
        ("pass^ ", "unexpected ' '"),
    ];
    for (text, message) in table {
        refused(text, message, str::parse::<Action>);
    }
}

#[test]
fn parts_of_actions() {
    refused("AW:5b^,", "unexpected ','", str::parse::<Cast>);
    refused("w5+^+", "unexpected '+'", str::parse::<Move>);
    assert_eq!(
        "FW:C,r".parse::<Cast>().map(Cast::spell),
        Ok(Spell::FreeWizard)
    );
    assert_eq!("-".parse::<Move>(), Ok(Move::Nothing));
    let codes = Spell::ALL.map(|s| s.to_string().parse::<Spell>());
    assert_eq!(codes, Spell::ALL.map(Ok));
    assert_eq!(Card::from_text("w9"), None);
    assert_eq!(
        (Card::new(22).map(Card::text), Card::new(23)),
        (Some("w?t?"), None)
    );
}

#[test]
fn chance_that_is_none() {
    let table = [
        ("^", "expected start, spells, shuffle, draw or roll"),
        ("^Roll 3", "expected start, spells, shuffle, draw or roll"),
        ("roll ^0", "a die shows 1 to 6"),
        ("roll ^7", "7 is more than 6"),
        ("roll ^", "expected a number"),
        ("draw ^x w3", "expected a colour"),
        ("draw b^w3", "expected ' '"),
        ("draw b ^w7", "'w7' is not a card"),
        ("shuffle^d", "unexpected 'd'"),
        ("start ^", "expected a colour"),
        ("spells AW,^AW", "listed once each"),
        ("spells AT,^AW", "in the order AW AT SW HW HT NC PB FW"),
        ("spells AW,^", "'' is not a spell"),
        ("spells ^XY", "'XY' is not a spell"),
        ("spells AW^;AT", "unexpected ';AT'"),
    ];
    for (text, message) in table {
        refused(text, message, str::parse::<Chance>);
    }
    refused("AW,^AW", "listed once each", str::parse::<SpellSet>);
    assert_eq!("".parse::<SpellSet>(), Ok(SpellSet::NONE));
    for bits in SpellSet::all_of_size(3) {
        assert_eq!(bits.to_string().parse(), Ok(bits));
    }
}

#[test]
fn json_that_is_none() {
    let bad = |json: &str| {
        let action = serde_json::from_str::<Action>(json);
        let chance = serde_json::from_str::<Chance>(json);
        assert!(action.is_err() && chance.is_err(), "{json}");
    };
    ["3", "null", "[]", "\"\"", "\"w1\"", "{\"Play\":1}"]
        .into_iter()
        .for_each(bad);
    let error = serde_json::from_str::<Action>("\"w1:w99\"").expect_err("no such space");
    assert!(error.to_string().contains("column 5"), "{error}");
    assert!(serde_json::from_str::<SpellSet>("[\"AW\",\"AW\"]").is_err());
    assert!(serde_json::from_str::<towers_rules::Space>("16").is_err());
    assert!(serde_json::from_str::<towers_rules::Costs>("{\"XX\":1}").is_err());
    let costs: towers_rules::Costs =
        serde_json::from_str("{\"FW\":1}").expect("the others as usual");
    assert_eq!(
        costs,
        towers_rules::Costs::usual().with(Spell::FreeWizard, 1)
    );
    assert_eq!(
        serde_json::to_string(&costs).expect("json"),
        r#"{"AW":2,"AT":1,"SW":1,"HW":2,"HT":1,"NC":2,"PB":2,"FW":1}"#
    );
}
