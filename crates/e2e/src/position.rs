//! Positions for tests: games at one device, played natively from a seed to the required situation and loaded into the
//! browser as the text of their record.
//!
//! The same seed and actions produce the same game natively and in the browser, so a test can carry out an action in
//! both and compare the results.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use towers_bots::{Bot, Budget, NoClock, Strength};
use towers_client::{Language, LocalTable, Model, Need, Plan, SavedGame, Shelf, Words};
use towers_client::{preview, shown};
use towers_rules::{Action, Move, Seat, View};
use towers_table::{ClientMessage, Command, Hex, Seed, ServerMessage};

/// A seed whose solo game, played as [advised](Position::advised), is won with few cards.
pub const SHORT_SOLO: &str = "2";
/// The number of seeds that [`Position::find`] tries.
const MAX_SEEDS: u8 = 60;
/// The maximum number of decisions per game.
const MAX_DECISIONS: usize = 400;

/// A game at one device at one of its decisions, or at its end.
#[derive(Clone, Debug)]
pub struct Position {
    id: String,
    plan: Plan,
    table: LocalTable,
}

impl Position {
    /// The start of the game of a seed.
    pub fn start(plan: &Plan, seed: &Seed) -> Position {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let id = format!("position{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let table = LocalTable::open(&id, plan, 0, seed).expect("a playable plan");
        let plan = plan.clone();
        let mut position = Position { id, plan, table };
        position.follow_decider();
        position
    }

    /// The latest game in a browser's storage, from its list of games and its record.
    pub fn read(games: &str, record: impl Fn(&str) -> String) -> Position {
        let games: Vec<SavedGame> = serde_json::from_str(games).expect("a list of games");
        let SavedGame { id, plan, .. } = games.into_iter().next().expect("a game is kept");
        let table = LocalTable::reopen(&record(&id)).expect("a record");
        Position { id, plan, table }
    }

    /// The first decision, over several seeds, with an action that satisfies a predicate. Until then, all players take
    /// the action that `preference` rates highest.
    ///
    /// # Panics
    /// If there is no such decision.
    pub fn find(
        plan: &Plan,
        preference: impl Fn(&View, Seat, Action) -> u32,
        wanted: impl Fn(&Position, Action) -> bool,
    ) -> (Position, Action) {
        for seed in 0..MAX_SEEDS {
            let mut position = Position::start(plan, &Hex([seed; 32]));
            for n in 0..MAX_DECISIONS {
                let legal = position.legal();
                if legal.is_empty() {
                    break;
                }
                if let Some(&action) = legal.iter().find(|&&a| wanted(&position, a)) {
                    return (position, action);
                }
                position.play(n, &preference);
            }
        }
        panic!("no game of {MAX_SEEDS} has the wanted decision");
    }

    /// Takes the action rated highest; `n` chooses between equals.
    pub fn play(&mut self, n: usize, preference: &impl Fn(&View, Seat, Action) -> u32) {
        self.act(self.best(n, preference));
    }

    /// The action rated highest; `n` chooses between equals.
    pub fn best(&self, n: usize, preference: &impl Fn(&View, Seat, Action) -> u32) -> Action {
        let (view, seat) = (self.view(), self.seat().expect("somebody is to act"));
        let legal = self.legal();
        let rate = |action: Action| preference(&view, seat, action);
        let best = legal.iter().map(|&a| rate(a)).max();
        let equals: Vec<Action> = legal
            .iter()
            .copied()
            .filter(|&a| Some(rate(a)) == best)
            .collect();
        equals[n * 7 % equals.len()]
    }

    /// The action of a good bot. It is deterministic.
    pub fn advised(&self) -> Action {
        let (view, seat) = (self.view(), self.seat().expect("somebody is to act"));
        let mut bot = Bot::new(Strength::Adept, seat, 7, &view);
        let action = bot.act(&view, Budget::Iterations(100), &NoClock);
        action.expect("it is to act")
    }

    /// The seat to act.
    pub fn seat(&self) -> Option<Seat> {
        match self.table.need() {
            Need::Person(_, seat) | Need::Bot { seat, .. } => Some(seat),
            Need::Nothing => None,
        }
    }

    /// Whether the seat to act is a person's.
    pub fn is_for_a_person(&self) -> bool {
        matches!(self.table.need(), Need::Person(..))
    }

    /// The legal actions of the seat to act, as the table offers them.
    pub fn legal(&self) -> Vec<Action> {
        match self.table.need() {
            Need::Person(..) => self.table.view().game.map_or(Vec::new(), |g| g.legal),
            Need::Bot { seat, .. } => {
                let (view, _) = self.table.bot_view(seat, u64::MAX).expect("it is seated");
                let actions = view.legal_actions().expect("it is to act");
                actions.iter().collect()
            }
            Need::Nothing => Vec::new(),
        }
    }

    /// The view of the seat to act.
    pub fn view(&self) -> View {
        let seat = self.seat().expect("somebody is to act");
        let (view, _) = self.table.bot_view(seat, u64::MAX).expect("it is seated");
        view
    }

    /// The model of the viewer's client.
    pub fn model(&self) -> Model {
        self.table.model().expect("the game has begun")
    }

    /// Carries out an action of the seat to act.
    ///
    /// # Panics
    /// If it is not legal.
    pub fn act(&mut self, action: Action) {
        if let Need::Bot { seat, .. } = self.table.need() {
            let done = self.table.bot_acts(1, seat, action, None);
            done.expect("it is legal");
        } else {
            let command = Command::Act {
                action,
                decision: None,
            };
            self.table.send(1, ClientMessage::Do { id: 1, command });
        }
        while let Some(message) = self.table.receive() {
            let refused = matches!(message, ServerMessage::Rejected { .. });
            assert!(!refused, "{action}: {message:?}");
        }
        self.follow_decider();
    }

    /// The player to act is asked before and after every action from now on (R13.2).
    pub fn ask_everywhere(&mut self) {
        let command = Command::Stops { everywhere: true };
        self.table.send(1, ClientMessage::Do { id: 1, command });
        while self.table.receive().is_some() {}
    }

    /// The legal actions of the partner out of turn (R12.2, R12.3).
    pub fn partner_legal(&self) -> Vec<Action> {
        let mut table = self.table.clone();
        let Some(partner) = table.human_partner() else {
            return Vec::new();
        };
        table.hand_to(partner);
        table.view().game.map_or(Vec::new(), |g| g.optional)
    }

    /// Carries out an action of the partner out of turn.
    pub fn partner_acts(&mut self, action: Action) {
        let partner = self.table.human_partner().expect("a partner is there");
        self.table.hand_to(partner);
        self.act(action);
    }

    /// The title of the result in English, once the game is over.
    pub fn result(&self) -> Option<String> {
        let model = self.model();
        let outcome = model.shown.outcome?;
        let title = towers_client::log::over(&outcome, &model.shown, &model.names);
        Some(Words::of(Language::English).say(&title))
    }

    /// Carries out an action, and returns the log lines for the player to act next.
    pub fn act_and_tell(&mut self, action: Action) -> Vec<String> {
        let mut before = self.clone();
        self.act(action);
        before.table.hand_to(self.table.viewer());
        let told = before.log().len();
        self.log().split_off(told)
    }

    /// The log of the viewer, in English.
    pub fn log(&self) -> Vec<String> {
        let words = Words::of(Language::English);
        let model = self.model();
        model.log.iter().map(|l| words.say(&l.message)).collect()
    }

    /// Hands the device to the player to act.
    fn follow_decider(&mut self) {
        if let Need::Person(person, _) = self.table.need() {
            self.table.hand_to(person);
        }
    }

    /// The id of the game in the browser's address.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The browser's storage of this game, by key.
    pub fn kept(&self) -> BTreeMap<String, String> {
        let saved = SavedGame {
            id: self.id.clone(),
            plan: self.plan.clone(),
            at: 1,
            round: 1,
            over: self.table.need() == Need::Nothing,
            result: None,
        };
        let mut shelf = Shelf(BTreeMap::new());
        shelf.keep(saved, &self.table);
        shelf.0
    }
}

/// Prefers actions that imprison wizards, then moves of towers and wizards, then passing, then casts, so that all
/// players fill flasks.
pub fn gather(view: &View, seat: Seat, action: Action) -> u32 {
    let onto_wizards = || {
        let to = preview::preview(view, seat, action).and_then(|p| p.to);
        to.is_some_and(|space| !shown::exposed(view, space).is_empty())
    };
    match action {
        Action::Play(_, Move::Tower(_))
        | Action::Accept(Move::Tower(_))
        | Action::Refresh(Some(_))
            if onto_wizards() =>
        {
            4
        }
        Action::Play(_, Move::Tower(_)) | Action::Accept(_) => 3,
        Action::Play(..) | Action::Roll(_) => 2,
        Action::Cast(_) | Action::Before(_) | Action::After(_) | Action::WithPiggyback => 0,
        Action::Ask | Action::Offer(_) | Action::Give(_) => 0,
        _ => 1,
    }
}

/// Prefers actions that bring wizards home, then moves of wizards, so that games end soon.
pub fn hurry(view: &View, seat: Seat, action: Action) -> u32 {
    let home = || {
        let to = preview::preview(view, seat, action).and_then(|p| p.to);
        to == Some(view.castle)
    };
    match action {
        Action::Play(_, Move::Wizard { .. }) | Action::Accept(Move::Wizard { .. }) if home() => 9,
        Action::Play(_, Move::Wizard { .. }) | Action::Accept(Move::Wizard { .. }) => 4,
        _ => gather(view, seat, action),
    }
}
