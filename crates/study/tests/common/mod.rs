//! Finished games for tests.

use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_rules::{Event, Mode, Preset};
use towers_table::{
    BotLevel, Command, Decider, Header, Hex, PersonId, Record, Settings, Stage, Start, Table, Who,
};

/// Plays a whole game: a person called Ann on the first seat, bots on the others; all play like apprentices.
pub fn record(settings: Settings, seed: u8) -> Record {
    let seats = settings.seats;
    let header = Header::new("test", settings, "Ann", "", 0);
    let mut table = Table::create(&header).unwrap();
    let mut record = Record::new(header);
    let seed = Hex([seed; 32]);
    let ann = Who::Person(PersonId(0));
    let mut submit = |table: &mut Table, by, command| {
        let entry = table.submit(1, by, command, &seed).unwrap();
        record.entries.push(entry);
    };
    let sit = Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
        program: false,
    };
    submit(&mut table, ann, sit);
    for _ in 1..seats {
        let level = BotLevel::Apprentice;
        submit(&mut table, ann, Command::AddBot { seat: None, level });
    }
    submit(&mut table, ann, Command::Start);
    let view = |table: &Table, seat| table.bot_view(seat, u64::MAX).unwrap().0;
    let mut bots: Vec<Bot> = (0..seats)
        .map(towers_rules::Seat)
        .map(|s| Bot::new(Strength::Apprentice, s, 5, &view(&table, s)))
        .collect();
    while table.stage() == Stage::Playing {
        let waiting = table.waiting_for().unwrap();
        let seat = waiting.seat;
        let seen = view(&table, seat);
        let bot = &mut bots[seat.index()];
        let action = bot.act(&seen, Budget::Iterations(1), &NoClock).unwrap();
        let by = match waiting.by {
            Decider::Person(person) => Who::Person(person),
            Decider::Bot(_) => Who::Bot(seat),
        };
        let before = table.number();
        let act = Command::Act {
            action,
            decision: None,
        };
        submit(&mut table, by, act);
        for bot in &mut bots {
            let (_, events): (_, Vec<Event>) = table.bot_view(bot.seat(), before).unwrap();
            for event in &events {
                bot.observe(event);
            }
        }
    }
    record
}

/// The default settings.
pub fn settings(mode: Mode, seats: u8) -> Settings {
    let mut settings = Settings::new(Preset::Capstone, mode, seats);
    settings.start = Start::Seat(towers_rules::Seat(0));
    settings.options.start_setup = towers_rules::Selection::Chosen;
    settings
}
