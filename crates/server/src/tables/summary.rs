//! Data of a table that is stored outside its log: for the lobby, and for finding due tables.

use towers_table::{Decider, Millis, Prepared, Stage, Summary, Table};

use crate::storage::Meta;

/// The searchable data of a new table. `offset` is how far the table's time is ahead of the server's.
pub fn meta(table: &Table, offset: Millis) -> Meta {
    Meta {
        stage: stage(table.stage()),
        listed: table.settings().public,
        summary: summary(table),
        wake: wake(table).map(|at| at.saturating_sub(offset)),
    }
}

/// The searchable data after a prepared entry; `None` if it is unchanged. Every server compares the same two states,
/// so it does not matter which of them wrote the entry before.
pub fn changed_meta(before: &Table, prepared: &Prepared, offset: Millis) -> Option<Meta> {
    let after = prepared.preview();
    let in_game = |table: &Table| {
        let waiting = table.waiting_for().map(|w| (w.seat, w.deadline));
        (table.stage(), table.games(), waiting, wake(table))
    };
    let around = |table: &Table| (table.settings().clone(), table.seat_views());
    let same = in_game(before) == in_game(after)
        && (prepared.is_in_game() || around(before) == around(after));
    (!same).then(|| meta(after, offset))
}

/// When a server has to load the table, in the table's time.
pub fn wake(table: &Table) -> Option<Millis> {
    if let Some(draw) = table.draw() {
        return Some(draw.until);
    }
    let waiting = table.waiting_for()?;
    match waiting.by {
        Decider::Person(_) => waiting.deadline,
        // A game of bots only can wait until somebody connects.
        Decider::Bot(_) => (!table.is_abandoned()).then_some(table.at()),
    }
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Lobby => "lobby",
        Stage::Playing => "playing",
        Stage::Over => "over",
    }
}

/// The public summary of a table as text.
fn summary(table: &Table) -> String {
    serde_json::to_string(&Summary::from(table)).expect("all keys of a summary are texts")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use towers_table::{BotLevel, Command, Header, Hex, PersonId, Settings, Who};

    use super::*;

    /// A table with a person, a bot, a clock and rules of its own.
    fn table() -> Table {
        let settings = r#"{"title":"Friday","preset":"oya","seats":3,"options":{"may_decline":true},
                           "clock":{"kind":"bank","seconds":600,"increment":10}}"#;
        let settings: Settings = serde_json::from_str(settings).unwrap();
        let mut table = Table::create(&Header::new("t", settings, "Ann", "", 0)).unwrap();
        let ann = Who::Person(PersonId(0));
        let sit = Command::Sit {
            name: None,
            seat: None,
            colour: None,
            key: String::new(),
            program: true,
        };
        let bot = Command::AddBot {
            seat: None,
            level: BotLevel::Adept,
        };
        for command in [sit, bot] {
            table.submit(7, ann, command, &Hex([7; 32])).unwrap();
        }
        table
    }

    #[test]
    fn a_summary_is_written_as_before() {
        let table = table();
        let text = summary(&table);
        let settings = serde_json::to_value(table.settings()).unwrap();
        let (options, spells) = (&settings["options"], &settings["spells"]);
        let [ann, bot, open] = [0, 1, 2].map(|seat| table.seat_views()[seat].colour);
        let [ann, bot, open] =
            [ann, bot, open].map(|colour| serde_json::to_string(&colour).unwrap());
        let expected = [
            r#"{"as_printed":false,"at":7,"clock":{"increment":10,"kind":"bank","seconds":600},"full":false,"games":0"#,
            r#","mode":"versus","preset":"oya","public":false,"rated":false,"reactions":false"#,
            &format!(r#","rules":{{"options":{options},"spells":{spells}}},"seats":["#),
            &format!(r#"{{"colour":{ann},"kind":"person","name":"Ann","program":true}}"#),
            &format!(
                r#",{{"colour":{bot},"kind":"bot","level":"adept"}},{{"colour":{open},"kind":"open"}}]"#
            ),
            r#","stage":"lobby","table":"t","teams":false,"title":"Friday","waiting":null}"#,
        ];
        // Compared as values: a feature of serde_json changes the order of keys, and some dependencies of tests set it.
        let values =
            [&text, &expected.concat()].map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(values[0], values[1]);
        let read: Summary = serde_json::from_str(&text).unwrap();
        assert_eq!(read, Summary::from(&table));
    }

    #[test]
    fn stages_are_stored_by_their_names_in_messages() {
        for named in [Stage::Lobby, Stage::Playing, Stage::Over] {
            assert_eq!(
                serde_json::to_value(named).unwrap(),
                Value::from(stage(named))
            );
        }
    }

    /// What is stored, without the time of the last entry, which is not worth a write.
    fn searchable(table: &Table) -> (Meta, Value) {
        let mut meta = meta(table, 0);
        let mut summary: Value = serde_json::from_str(&meta.summary).unwrap();
        summary["at"] = Value::Null;
        meta.summary.clear();
        (meta, summary)
    }

    /// Carries out a command. Returns whether the summary was to be stored.
    fn submit(table: &mut Table, by: Who, command: Command) -> bool {
        // Nobody may chat faster.
        let now = table.at() + 20_000;
        let prepared = table.prepare(now, by, command, &Hex([3; 32])).unwrap();
        let stored = changed_meta(table, &prepared, 0);
        let (before, after) = (searchable(table), searchable(prepared.preview()));
        assert_eq!(stored.is_some(), before != after, "{before:?}\n{after:?}");
        if let Some(stored) = &stored {
            assert_eq!(*stored, meta(prepared.preview(), 0));
        }
        table.commit(prepared);
        stored.is_some()
    }

    #[test]
    fn a_summary_is_stored_exactly_if_it_has_changed() {
        let settings = r#"{"seats":3,"options":{"max_rounds":30}}"#;
        let settings: Settings = serde_json::from_str(settings).unwrap();
        let header = Header::new("t", settings, "Ann", "", 1000);
        let mut table = Table::create(&header).unwrap();
        let sit = |name: &str| Command::Sit {
            name: Some(name.into()),
            seat: None,
            colour: None,
            key: name.into(),
            program: false,
        };
        let host = Who::Person(PersonId(0));
        let chat = || Command::Chat { text: "hi".into() };
        assert!(submit(&mut table, host, sit("Ann")));
        assert!(!submit(&mut table, host, chat()));
        for name in ["Ben", "Cy"] {
            assert!(submit(&mut table, Who::Stranger, sit(name)));
        }
        assert!(submit(&mut table, host, Command::Start));
        let (mut actions, mut stored) = (0, 0);
        while let Some(waiting) = table.waiting_for() {
            let legal = table.legal(waiting.seat);
            let action = legal[waiting.decision as usize * 7 % legal.len()];
            let Decider::Person(person) = waiting.by else {
                panic!("there are only people");
            };
            let decision = Some(waiting.decision);
            let act = Command::Act { action, decision };
            actions += 1;
            stored += u32::from(submit(&mut table, Who::Person(person), act));
            assert!(!submit(&mut table, Who::Person(person), chat()));
        }
        println!("{stored} of {actions} actions changed the summary");
        assert!(
            actions > 100 && stored * 3 < actions * 2,
            "{stored} of {actions}"
        );
    }
}
