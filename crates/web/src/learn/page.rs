//! Pages around the game, and the addresses that lead to them.

use super::lesson::LessonScreen;
use super::puzzle::PuzzleScreen;
use super::puzzles::PuzzlesScreen;
use super::rules::RulesScreen;
use crate::afterwards::replay::ReplayScreen;
use crate::markup::{Markup, view};

/// A page around the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Page {
    /// The first game.
    Lesson,
    /// The rules, at a clause or topic.
    Rules(Option<String>),
    /// All puzzles.
    Puzzles,
    /// A puzzle by its key, or `today`.
    Puzzle(String),
    /// A game that is over, by its name, and perhaps at an entry; without a name, one is to be opened.
    Replay(Option<String>, Option<u64>),
}

impl Page {
    /// The part of the address after `#`.
    pub fn address(&self) -> String {
        match self {
            Page::Lesson => "learn".into(),
            Page::Rules(None) => "rules".into(),
            Page::Rules(Some(anchor)) => format!("rules/{anchor}"),
            Page::Puzzles => "puzzles".into(),
            Page::Puzzle(key) => format!("puzzle/{key}"),
            Page::Replay(None, _) => "replay".into(),
            Page::Replay(Some(id), None) => format!("replay/{id}"),
            Page::Replay(Some(id), Some(number)) => format!("replay/{id}/{number}"),
        }
    }

    /// The page of an address.
    pub fn of(address: &str) -> Option<Page> {
        let mut parts = address.split('/');
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        let some = |text: Option<&str>| text.filter(|t| !t.is_empty()).map(String::from);
        Some(match first {
            "learn" => Page::Lesson,
            "rules" => Page::Rules(some(second)),
            "puzzles" => Page::Puzzles,
            "puzzle" => Page::Puzzle(some(second)?),
            "replay" => Page::Replay(some(second), third.and_then(|n| n.parse().ok())),
            _ => return None,
        })
    }
}

/// Shows a page.
pub fn show(page: Page) -> Markup {
    match page {
        Page::Lesson => view! { <LessonScreen/> },
        Page::Rules(anchor) => view! { <RulesScreen anchor/> },
        Page::Puzzles => view! { <PuzzlesScreen/> },
        Page::Puzzle(key) => view! { <PuzzleScreen key_name=key/> },
        Page::Replay(id, number) => view! { <ReplayScreen id number/> },
    }
}
