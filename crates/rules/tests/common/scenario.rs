//! A builder of positions.

use towers_rules::{Field, Mode, Options, Preset, State};

/// Builds a position. Defaults: the castle stands on space 0, unplaced towers are stacked on space 10, unplaced wizards
/// are home, hands are full.
#[derive(Clone)]
pub struct Scenario {
    seats: String,
    fields: [String; 16],
    rest: usize,
    hands: Vec<(char, String)>,
    keys: String,
    one_hand: bool,
}

impl Scenario {
    /// A table with these colours, clockwise.
    pub fn of(seats: &str) -> Scenario {
        Scenario {
            seats: seats.into(),
            fields: Default::default(),
            rest: 10,
            hands: Vec::new(),
            keys: String::new(),
            one_hand: false,
        }
    }

    pub fn solo() -> Scenario {
        Scenario::of("b").with("mode=solo")
    }

    /// A cooperative table with a shared hand.
    pub fn coop(seats: &str) -> Scenario {
        let mut table = Scenario::of(seats).with("mode=coop");
        table.one_hand = true;
        table
    }

    /// The rules of an edition instead of the default ones, those of `capstone`.
    pub fn edition(self, preset: Preset) -> Scenario {
        let options = preset.options(Mode::Versus);
        let usual = Options::default();
        let departs = |field: &&Field| options.get(**field) != usual.get(**field);
        let key = |&field: &Field| match options.get(field) {
            text if text == "true" => field.to_string(),
            text => format!("{field}={text}"),
        };
        let keys: Vec<_> = Field::ALL.iter().filter(departs).map(key).collect();
        self.with(&keys.join(" "))
    }

    /// What stands on a space.
    pub fn at(mut self, space: usize, field: &str) -> Scenario {
        self.fields[space] = field.into();
        self
    }

    /// The space of the unplaced towers.
    pub fn rest_at(mut self, space: usize) -> Scenario {
        self.rest = space;
        self
    }

    pub fn hand(mut self, colour: char, cards: &str) -> Scenario {
        self.hands.push((colour, cards.into()));
        self
    }

    /// Further keys of the position, such as `teams spells=AW`.
    pub fn with(mut self, keys: &str) -> Scenario {
        for key in keys.split_whitespace() {
            self.keys = format!("{} {key}", self.keys);
        }
        self
    }

    pub fn text(&self) -> String {
        let mut fields = self.fields.clone();
        let named = fields.concat();
        if !named.contains('*') {
            fields[0].push('*');
        }
        for tower in 'A'..='I' {
            if !named.contains(tower) {
                fields[self.rest].push(tower);
            }
        }
        for field in &mut fields {
            if field.is_empty() {
                field.push('-');
            }
        }
        let holders = if self.one_hand { "b" } else { &self.seats };
        let hands: Vec<_> = holders
            .chars()
            .enumerate()
            .map(|(i, colour)| {
                let given = self.hands.iter().rev().find(|(c, _)| *c == colour);
                let usual = ["w1t5,w2t4,w4t2", "w1t5,w4t2,w5t1"][i % 2];
                let cards = given.map_or(usual, |(_, cards)| cards);
                format!("{colour}:{cards}")
            })
            .collect();
        let seats: Vec<_> = self.seats.chars().map(String::from).collect();
        format!(
            "{} seats={} hands={}{}",
            fields.join("/"),
            seats.join(","),
            hands.join(";"),
            self.keys
        )
    }

    pub fn state(&self) -> State {
        let text = self.text();
        text.parse::<State>()
            .unwrap_or_else(|e| panic!("{e}\n{text}"))
    }
}
