//! The rules for players: the same structure in all languages, with every clause that an error can name.

use std::collections::BTreeSet;

use towers_rules::notation::Diagram;
use towers_study::handbook::{Handbook, Part};

const FILES: [&str; 3] = [
    include_str!("../texts/rules.en.txt"),
    include_str!("../texts/rules.de.txt"),
    include_str!("../texts/rules.fr.txt"),
];

fn books() -> [Handbook; 3] {
    FILES.map(Handbook::read)
}

#[test]
fn every_clause_that_an_error_can_name_has_an_anchor_in_every_language() {
    let source = include_str!("../../rules/src/error.rs");
    let client = include_str!("../../client/src/reason.rs");
    let named: BTreeSet<&str> = [source, client]
        .iter()
        .flat_map(|s| s.split('"'))
        .filter(|word| {
            word.strip_prefix('R')
                .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        })
        .collect();
    assert!(named.len() > 20, "{named:?}");
    for book in books() {
        let anchors: BTreeSet<&str> = book.clauses().collect();
        let missing: Vec<_> = named.difference(&anchors).collect();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(
            anchors.len(),
            book.clauses().count(),
            "a clause occurs twice"
        );
        assert!(book.topic_of("R7.3").is_some_and(|t| t.name == "towers"));
    }
}

#[test]
fn all_languages_have_the_same_topics_clauses_and_pictures() {
    let shape = |book: &Handbook| -> Vec<(String, Vec<String>)> {
        let part = |part: &Part| match part {
            Part::Paragraph(_) => "paragraph".to_string(),
            Part::Clause { clause, .. } => clause.clone(),
            Part::Picture { board, .. } => board.clone(),
        };
        let topics = book.topics.iter();
        topics
            .map(|t| (t.name.clone(), t.parts.iter().map(part).collect()))
            .collect()
    };
    let [english, german, french] = books();
    assert_eq!(shape(&english), shape(&german));
    assert_eq!(shape(&english), shape(&french));
    for book in [&english, &german, &french] {
        let parts = book.topics.iter().flat_map(|t| &t.parts);
        assert!(parts.into_iter().all(|p| p.words().len() > 15));
    }
}

#[test]
fn every_clause_is_one_of_the_specification() {
    let specification = include_str!("../../../docs/rules.md");
    let [english, ..] = books();
    for clause in english.clauses() {
        let known = specification.contains(&format!("**{clause}**"))
            || specification.contains(&format!("| {clause} |"))
            || specification.contains(&format!("## §{} ", &clause[1..]));
        assert!(known, "{clause}");
    }
}

#[test]
fn every_picture_is_a_board() {
    for book in books() {
        let parts = book.topics.iter().flat_map(|t| &t.parts);
        let boards: Vec<&String> = parts
            .filter_map(|p| match p {
                Part::Picture { board, .. } => Some(board),
                _ => None,
            })
            .collect();
        assert!(boards.len() >= 4);
        for board in boards {
            assert!(board.parse::<Diagram>().is_ok(), "{board}");
        }
    }
}

#[test]
fn all_spells_are_explained_and_words_are_found() {
    let [english, german, _] = books();
    let spells = (1..=8).map(|n| format!("R10.{n}"));
    assert!(spells.into_iter().all(|c| english.topic_of(&c).is_some()));
    let found = english.search("LAND castle");
    assert!(
        found
            .iter()
            .any(|(t, parts)| t.name == "towers" && parts.len() == 1)
    );
    let flasks = german.search("flasche leer");
    assert!(flasks.iter().any(|(t, _)| t.name == "prison"), "{flasks:?}");
    assert!(english.search("dragon").is_empty());
    let clause = english.search("R7.3");
    assert_eq!((clause.len(), clause[0].0.name.as_str()), (1, "towers"));
}
