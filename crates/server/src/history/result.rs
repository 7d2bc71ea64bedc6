//! The result of a finished game, computed from its table.

use towers_rules::{Mode, Preset, Seat, State};
use towers_table::{BotLevel, Ending, Millis, NotRebuilt, Record, Stage, Table, Taken};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    pub table: String,
    /// The number of the game at its table, counted from 1.
    pub game: u32,
    pub ended: Millis,
    pub mode: Mode,
    pub teams: bool,
    pub preset: Preset,
    pub as_printed: bool,
    /// Whether the table is rated. The game is rated only if enough of its players can be.
    pub rated: bool,
    /// Whether everybody agreed to end it: nobody wins.
    pub agreed: bool,
    /// The number of discarded cards, in solo and cooperative games.
    pub score: Option<u16>,
    pub seats: Vec<SeatResult>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// The name used at the table; the name of its level for a bot.
    pub name: String,
    pub bot: Option<BotLevel>,
    /// The key by which the table recognizes the person.
    pub key: Option<String>,
    /// The first seat of the team.
    pub team: Option<u8>,
    /// The place, counted from 1; players who are tied share one. `None` in solo and cooperative games and without a
    /// result.
    pub place: Option<u8>,
    pub won: bool,
    /// Whether the person played to the end: they have not left, and no bot plays for them.
    pub stayed: bool,
}

impl GameResult {
    /// The result of a game that ends between these two states of its table. People who left are removed from the
    /// table when the game ends, so that the earlier state has the players.
    pub fn of(before: &Table, after: &Table) -> Option<GameResult> {
        if before.stage() != Stage::Playing {
            return None;
        }
        let (ending, state) = (after.ending()?, after.state()?);
        let settings = after.settings();
        let (agreed, outcome) = match ending {
            Ending::Played(outcome) => (false, Some(outcome)),
            Ending::Agreed => (true, None),
        };
        let won = |seat| outcome.is_some_and(|outcome| outcome.winners.contains(seat));
        let has_places = !agreed && settings.options.mode == Mode::Versus;
        let places = has_places.then(|| places(state, won));
        let views = before.seat_views();
        let seats = state.seats().zip(views).map(|(seat, view)| {
            let (name, bot, key) = match view.taken {
                Taken::Person { name, person, .. } => (name, None, before.key_of(person)),
                Taken::Bot { level } => (level.name().into(), Some(level), None),
                Taken::Open => (String::new(), None, None),
            };
            SeatResult {
                name,
                bot,
                key: key.filter(|key| !key.is_empty()).map(Into::into),
                team: state.partner(seat).map(|partner| seat.min(partner).0),
                place: places.as_ref().map(|places| places[seat.index()]),
                won: won(seat),
                stayed: !view.left && view.stand_in.is_none(),
            }
        });
        Some(GameResult {
            table: after.id().into(),
            game: after.games(),
            ended: after.at(),
            mode: settings.options.mode,
            teams: settings.options.teams,
            preset: settings.preset,
            as_printed: settings.is_as_printed(),
            rated: settings.rated,
            agreed,
            score: outcome.and_then(|outcome| outcome.score),
            seats: seats.collect(),
        })
    }

    /// The results of all finished games in a record.
    pub fn all_of(record: &Record) -> Result<Vec<GameResult>, NotRebuilt> {
        let start = Record::new(record.header.clone());
        let mut table = start.rebuild()?;
        let mut results = Vec::new();
        for entry in &record.entries {
            let before = entry.ends_game().then(|| table.clone());
            let refused = |why| NotRebuilt::new(&record.header, entry.number, why);
            table.replay(entry).map_err(refused)?;
            results.extend(before.and_then(|before| GameResult::of(&before, &table)));
        }
        Ok(results)
    }
}

pub fn finished_games(table: &Table) -> u32 {
    match table.stage() {
        Stage::Playing => table.games() - 1,
        Stage::Lobby | Stage::Over => table.games(),
    }
}

/// The place of each seat. The rules name the winners only (R11.3); the others follow in the order in which the page
/// shows them: by wizards home, filled flasks, full flasks. Partners count together. Without a winner all are tied.
fn places(state: &State, won: impl Fn(Seat) -> bool) -> Vec<u8> {
    let nobody = !state.seats().any(&won);
    let side = |seat: Seat| {
        let members = [Some(seat), state.partner(seat)];
        let members = || members.into_iter().flatten();
        let sum =
            |number: &dyn Fn(Seat) -> u8| members().map(|s| u32::from(number(s))).sum::<u32>();
        let home = sum(&|s| state.home(s));
        let filled = sum(&|s| state.flasks(s).full + state.flasks(s).spent);
        let full = sum(&|s| state.flasks(s).full);
        if nobody {
            (false, 0, 0, 0)
        } else if won(seat) {
            // Winners share a victory, whatever else they have.
            (true, 0, 0, 0)
        } else {
            (false, home, filled, full)
        }
    };
    let is_first = |seat: &Seat| state.partner(*seat).is_none_or(|partner| *seat < partner);
    let place = |seat: Seat| {
        let own = side(seat);
        let better = |other: &Seat| side(*other) > own;
        1 + state.seats().filter(is_first).filter(better).count() as u8
    };
    state.seats().map(place).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use towers_table::{Command, Header, Hex, PersonId, Settings, Who};

    fn sit(name: &str, key: &str) -> Command {
        Command::Sit {
            name: Some(name.into()),
            seat: None,
            colour: None,
            key: key.into(),
            program: false,
        }
    }

    /// A finished game in which everybody takes the first legal action, with its record.
    pub fn played(
        settings: Settings,
        names: &[&str],
        bots: usize,
        seed: u8,
    ) -> (Record, Vec<GameResult>) {
        let header = Header::new("t", settings, names[0], &format!("key {}", names[0]), 1000);
        let mut record = Record::new(header.clone());
        let mut table = Table::create(&header).unwrap();
        let seed = Hex([seed; 32]);
        let host = Who::Person(PersonId(0));
        let mut results = Vec::new();
        let mut now = 1000;
        let mut submit = |table: &mut Table, by, command| {
            now += 1;
            let prepared = table.prepare(now, by, command, &seed).unwrap();
            results.extend(GameResult::of(table, prepared.preview()));
            record.entries.push(table.commit(prepared));
        };
        for (i, name) in names.iter().enumerate() {
            let by = if i == 0 { host } else { Who::Stranger };
            submit(&mut table, by, sit(name, &format!("key {name}")));
        }
        for _ in 0..bots {
            let (seat, level) = (None, BotLevel::Adept);
            submit(&mut table, host, Command::AddBot { seat, level });
        }
        submit(&mut table, host, Command::Start);
        while let Some(waiting) = table.waiting_for() {
            let legal = table.legal(waiting.seat);
            // Not always the first one, so that wizards arrive.
            let action = legal[waiting.decision as usize * 7 % legal.len()];
            let by = match waiting.by {
                towers_table::Decider::Person(person) => Who::Person(person),
                towers_table::Decider::Bot(_) => Who::Bot(waiting.seat),
            };
            let decision = Some(waiting.decision);
            submit(&mut table, by, Command::Act { action, decision });
        }
        (record, results)
    }

    fn settings(text: &str) -> Settings {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_result_names_players_places_and_winners() {
        let rules = settings(r#"{"seats":3,"rated":true,"options":{"max_rounds":400}}"#);
        let (record, results) = played(rules, &["Ann", "Ben"], 1, 3);
        let [result] = &results[..] else {
            panic!("one game: {results:?}");
        };
        assert_eq!((result.table.as_str(), result.game), ("t", 1));
        assert!(result.rated && !result.agreed && result.score.is_none());
        let names: Vec<&str> = result.seats.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["Ann", "Ben", "adept"]);
        assert_eq!(result.seats[0].key.as_deref(), Some("key Ann"));
        assert_eq!(result.seats[2].bot, Some(BotLevel::Adept));
        let has_winner = result.seats.iter().any(|s| s.won);
        for seat in &result.seats {
            assert!(seat.stayed);
            assert_eq!(seat.won, has_winner && seat.place == Some(1));
        }
        // The record gives the same, also without having been there.
        assert_eq!(GameResult::all_of(&record).unwrap(), results);
    }

    #[test]
    fn partners_share_a_place() {
        let rules = settings(r#"{"seats":4,"options":{"teams":true,"max_rounds":60}}"#);
        let (_, results) = played(rules, &["Ann", "Ben", "Cem", "Dan"], 0, 5);
        let seats = &results[0].seats;
        assert_eq!(seats[0].team, Some(0));
        assert_eq!(seats[2].team, Some(0));
        assert_eq!((seats[1].team, seats[3].team), (Some(1), Some(1)));
        assert_eq!(seats[0].place, seats[2].place);
        assert_eq!(seats[1].place, seats[3].place);
        assert!(seats.iter().all(|s| s.place.unwrap() <= 2));
    }

    #[test]
    fn a_solo_game_has_a_score_and_no_place() {
        let (_, results) = played(settings(r#"{"options":{"mode":"solo"}}"#), &["Ann"], 0, 1);
        let result = &results[0];
        assert!(result.score.is_some());
        assert_eq!(result.seats[0].place, None);
    }

    #[test]
    fn an_agreed_end_has_no_winner_and_people_who_left_are_named() {
        let header = Header::new("t", settings(r#"{"seats":3}"#), "Ann", "a", 0);
        let mut table = Table::create(&header).unwrap();
        let seed = Hex([9; 32]);
        let (ann, ben, cem) = (PersonId(0), PersonId(1), PersonId(2));
        let mut result = None;
        for (by, command) in [
            (Who::Person(ann), sit("Ann", "a")),
            (Who::Stranger, sit("Ben", "b")),
            (Who::Stranger, sit("Cem", "c")),
            (Who::Person(ann), Command::Start),
            (Who::Person(cem), Command::Leave),
            (Who::Person(ann), Command::End { agree: true }),
            (Who::Person(ben), Command::End { agree: true }),
        ] {
            let prepared = table.prepare(5, by, command, &seed).unwrap();
            result = GameResult::of(&table, prepared.preview());
            table.commit(prepared);
        }
        let result = result.unwrap();
        assert!(result.agreed);
        let cem = &result.seats[2];
        assert_eq!((cem.name.as_str(), cem.key.as_deref()), ("Cem", Some("c")));
        assert!(!cem.stayed && result.seats[0].stayed);
        assert!(result.seats.iter().all(|s| s.place.is_none() && !s.won));
        assert_eq!(finished_games(&table), 1);
    }
}
