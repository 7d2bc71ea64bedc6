//! Tables, replays, puzzles and the deal of the day, in words and on the board.

use towers_art::Scene;
use towers_client::lobby::{awaited, players};
use towers_client::names::{bot_name, names_in_words};
use towers_client::picture::{Look, scene};
use towers_client::words::say;
use towers_client::{Language, Words, editions, labels};
use towers_rules::{Colour, Mode, Seat, View, Viewer};
use towers_study::puzzle::Puzzle;
use towers_study::replay::Replay;
use towers_table::{SeatSummary, Stage, Summary};

use super::picture::{Picture, SeatLabel};
use super::tags::LinkText;
use crate::texts;

/// The board of the start page.
const BOARD: &str = "-/yH/-/byDr/-/CbEAyF/byr/-/B/Gbyrggo/-/p/I*/-/g/y";

/// The texts of a language.
pub struct PreviewTexts {
    /// The server's.
    pub own: &'static Words,
    /// The client's.
    pub game: Words,
}

impl PreviewTexts {
    pub fn of(language: Language) -> PreviewTexts {
        PreviewTexts {
            own: texts::words(language),
            game: Words::of(language),
        }
    }

    fn text(&self, title: String, description: String) -> LinkText {
        let message = say("preview.picture").with("title", title.as_str());
        LinkText {
            picture_alt: self.own.say(&message),
            title,
            description,
        }
    }

    // ---- the start page ----

    pub fn start(&self) -> LinkText {
        let about = [
            self.own.get("preview.tagline"),
            self.own.get("preview.start_about"),
        ];
        self.text(self.own.get("game.title"), about.join(" "))
    }

    pub fn start_picture(&self) -> Option<Picture> {
        let mut board = Scene::new(BOARD.parse().ok()?);
        board.middle.draw = 41;
        board.middle.die = 5;
        Some(Picture {
            board,
            cards: Vec::new(),
            title: self.own.get("game.title"),
            state: self.own.get("preview.tagline"),
            seats: Vec::new(),
        })
    }

    // ---- a table ----

    /// The title of a table: the name of a public one, otherwise its players.
    fn title(&self, summary: &Summary) -> String {
        if summary.public && !summary.title.is_empty() {
            return summary.title.clone();
        }
        if summary.stage != Stage::Lobby {
            return players(summary).join(", ");
        }
        let people = summary.seats.iter().filter_map(|place| match place {
            SeatSummary::Person { name, .. } => Some(name.as_str()),
            SeatSummary::Open { .. } | SeatSummary::Bot { .. } => None,
        });
        let people: Vec<&str> = people.collect();
        if people.is_empty() {
            return self.own.get("preview.invite_nobody");
        }
        let message = say("preview.invite").with("who", people.join(", "));
        self.own.say(&message)
    }

    /// Mode and edition.
    fn kind(&self, summary: &Summary) -> Vec<String> {
        let mode = match summary.mode {
            Mode::Versus if summary.teams => "option.teams",
            Mode::Versus => "mode.versus",
            Mode::Solo => "start.solo",
            Mode::Coop => "start.coop",
        };
        vec![
            self.game.get(mode),
            self.game.get(editions::edition(summary.preset)),
        ]
    }

    /// Whether seats are free, whose turn it is, or that the game is over.
    fn stage(&self, summary: &Summary) -> String {
        match summary.stage {
            Stage::Lobby => {
                let free = summary.open_seats() as u32;
                self.game.say(&say("lobby.seats").with("n", free))
            }
            Stage::Playing => match awaited(summary) {
                Some(who) => self.game.say(&say("lobby.turn").with("who", who)),
                None => self.game.get("lobby.playing"),
            },
            Stage::Over => self.game.get("start.over"),
        }
    }

    pub fn table(&self, summary: &Summary) -> LinkText {
        let mut parts = vec![self.stage(summary)];
        parts.extend(self.kind(summary));
        let title = self.title(summary);
        // A public table's own title does not say who is there.
        let names = players(summary).join(", ");
        if !names.is_empty() && !title.contains(&names) {
            parts.push(names);
        }
        self.text(title, parts.join(" · "))
    }

    /// The picture of a table, with its game as a spectator sees it.
    pub fn table_picture(&self, summary: &Summary, game: Option<&View>) -> Option<Picture> {
        let mut seats: Vec<SeatLabel> = summary.seats.iter().map(|p| self.seat(p)).collect();
        let mut parts = self.kind(summary);
        let board = if let Some(view) = game {
            parts.push(self.mark(view, &mut seats, || self.stage(summary)));
            board(view)
        } else {
            parts.push(self.stage(summary));
            opening(&seats)?
        };
        Some(Picture {
            board,
            cards: Vec::new(),
            title: self.title(summary),
            state: parts.join(" · "),
            seats,
        })
    }

    fn seat(&self, place: &SeatSummary) -> SeatLabel {
        let label = |colour: Colour, name: String, is_free| SeatLabel {
            colour,
            name,
            other: self.game.say(&labels::colour(colour)),
            is_free,
            is_marked: false,
        };
        match place {
            SeatSummary::Open { colour } => label(*colour, self.own.get("preview.free"), true),
            SeatSummary::Person { colour, name, .. } => label(*colour, name.clone(), false),
            SeatSummary::Bot { colour, .. } => label(*colour, bot_name(*colour).into(), false),
        }
    }

    /// Marks the winners, or the player to move, and says who it is.
    fn mark(&self, view: &View, seats: &mut [SeatLabel], otherwise: impl Fn() -> String) -> String {
        let Some(outcome) = view.outcome else {
            if let Some(seat) = seats.get_mut(view.turn.active.index()) {
                seat.is_marked = true;
            }
            return otherwise();
        };
        let mut names = Vec::new();
        for (i, seat) in seats.iter_mut().enumerate() {
            if outcome.winners.contains(Seat(i as u8)) {
                seat.is_marked = true;
                names.push(seat.name.clone());
            }
        }
        let cards = outcome.score.unwrap_or_default();
        let message = match (view.options.mode, &names[..]) {
            (Mode::Versus, []) => say("over.nobody"),
            (Mode::Versus, [one]) => say("over.wins").with("who", one.as_str()),
            (Mode::Versus, several) => {
                say("over.share").with("who", names_in_words(several.to_vec()))
            }
            (Mode::Solo | Mode::Coop, []) => say("over.lost").with("n", cards),
            (Mode::Solo | Mode::Coop, _) => say("over.won").with("n", cards),
        };
        self.game.say(&message)
    }

    // ---- a replay ----

    pub fn replay(&self, summary: &Summary) -> LinkText {
        let names = players(summary).join(", ");
        let title = self.own.say(&say("preview.replay").with("who", names));
        let mut parts = self.kind(summary);
        parts.push(self.own.get("preview.replay_about"));
        self.text(title, parts.join(" · "))
    }

    /// The picture of a finished game after an entry, without hands.
    pub fn replay_picture(&self, replay: &Replay, entry: Option<u64>) -> Picture {
        let last = replay.steps.len().saturating_sub(1);
        let step = entry.map_or(last, |number| replay.step_of(number));
        let state = replay.state(step);
        let view = state.view(Viewer::Spectator);
        let mut seats: Vec<SeatLabel> = state
            .seats()
            .map(|seat| {
                let colour = state.colour(seat);
                let name = match replay.names.get(seat.index()) {
                    Some(Ok(name)) => name.clone(),
                    _ => bot_name(colour).into(),
                };
                self.seat(&SeatSummary::Person {
                    colour,
                    name,
                    program: false,
                })
            })
            .collect();
        let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
        let message = say("preview.replay").with("who", names.join(", "));
        let title = self.own.say(&message);
        let progress = || {
            let message = say("replay.step").with("n", step as u32);
            self.game.say(&message.with("all", last as u32))
        };
        let state = self.mark(&view, &mut seats, progress);
        Picture {
            board: board(&view),
            cards: Vec::new(),
            title,
            state,
            seats,
        }
    }

    // ---- puzzles and the deal of the day ----

    /// The puzzle's grade and whom the reader plays.
    fn about_puzzle(&self, puzzle: &Puzzle) -> Option<String> {
        let state = puzzle.state().ok()?;
        let colour = labels::colour(state.colour(state.active()));
        let parts = [
            self.own.get("preview.puzzle"),
            self.game.get(labels::grade(puzzle.grade)),
            self.game.say(&say("puzzle.you_are").with("colour", colour)),
            self.game
                .say(&say("puzzle.solutions").with("n", puzzle.solutions)),
        ];
        Some(parts.join(" · "))
    }

    pub fn puzzle(&self, puzzle: &Puzzle) -> Option<LinkText> {
        let about = self.about_puzzle(puzzle)?;
        Some(self.text(self.game.say(&labels::goal(puzzle.goal)), about))
    }

    /// The puzzle of the day, which is not computed for a page.
    pub fn daily_puzzle(&self) -> LinkText {
        self.text(
            self.game.get("puzzle.today"),
            self.game.get("puzzle.today_about"),
        )
    }

    pub fn puzzle_picture(&self, puzzle: &Puzzle) -> Option<Picture> {
        let state = puzzle.state().ok()?;
        Some(Picture {
            board: board(&state.view(Viewer::Seat(state.active()))),
            cards: state.hand(state.active()).iter().collect(),
            title: self.game.say(&labels::goal(puzzle.goal)),
            state: self.about_puzzle(puzzle)?,
            seats: Vec::new(),
        })
    }

    pub fn daily(&self, day: &str) -> LinkText {
        let about = say("start.daily_about").with("day", day);
        self.text(self.game.get("start.daily"), self.game.say(&about))
    }

    pub fn daily_picture(&self, day: &str, view: &View) -> Picture {
        let LinkText {
            title, description, ..
        } = self.daily(day);
        Picture {
            board: board(view),
            cards: Vec::new(),
            title,
            state: description,
            seats: Vec::new(),
        }
    }
}

/// The board of a view, without marks.
fn board(view: &View) -> Scene {
    scene(
        view,
        &Look {
            // A view does not say which card of the pile is on top.
            top: view.discard.last().copied(),
            die: view.turn.rolled,
            ..Look::default()
        },
    )
}

/// The board before the first game, with some wizards of each player.
fn opening(seats: &[SeatLabel]) -> Option<Scene> {
    let mut spaces: Vec<String> = vec!["*".into()];
    for (i, tower) in ('A'..='I').enumerate() {
        // Neighbours are mixed, as at the start of a game.
        let places = [i, i + seats.len() / 2].into_iter().filter(|_| i < 6);
        let players = places.filter_map(|n| seats.get(n % seats.len().max(1)));
        let mut colours: Vec<Colour> = players.map(|seat| seat.colour).collect();
        // The notation has a fixed order.
        colours.sort_unstable();
        let wizards = colours.into_iter().map(Colour::letter);
        spaces.push(std::iter::once(tower).chain(wizards).collect());
    }
    spaces.resize(16, "-".into());
    Some(Scene::new(spaces.join("/").parse().ok()?))
}

impl LinkText {
    /// The words about the game in general.
    pub fn of_game(language: Language) -> LinkText {
        PreviewTexts::of(language).start()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_of_colours_has_an_opening_board() {
        for count in 0..=Colour::ALL.len() {
            for first in 0..Colour::ALL.len() {
                let colours = (0..count).map(|n| Colour::ALL[(first + 5 * n) % 6]);
                let seats: Vec<SeatLabel> = colours
                    .map(|colour| SeatLabel {
                        colour,
                        name: String::new(),
                        other: String::new(),
                        is_free: true,
                        is_marked: false,
                    })
                    .collect();
                assert!(opening(&seats).is_some(), "{seats:?}");
            }
        }
    }
}
