//! Every clause has a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Clauses that these tests cannot check, and why.
const NOT_TESTABLE: &[(&str, &str)] = &[(
    "R12.9",
    "about talking at the table: it binds those who build chat, the rules have none",
)];

/// The ids that `docs/rules.md` defines: lines that begin with `- **R7.3**`.
fn clauses() -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let text = std::fs::read_to_string(path).expect("docs/rules.md");
    let id = |line: &str| {
        let id = line.strip_prefix("- **R")?.split_once("**")?.0;
        Some(format!("R{id}"))
    };
    text.lines().filter_map(id).collect()
}

/// The tests of every clause, from the names of functions below a `#[test]`.
fn tests() -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clauses");
    for entry in std::fs::read_dir(folder).expect("the folder of these tests") {
        let text = std::fs::read_to_string(entry.expect("a file").path()).expect("a source file");
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if let Some(name) = line.strip_prefix("fn ") {
                if let Some(id) = clause_of(name).filter(|_| is_test) {
                    found.entry(id).or_default().push(name.into());
                }
                is_test = false;
            } else if line == "#[test]" {
                is_test = true;
            }
        }
    }
    found
}

/// `r7_3_a_tower…` is about R7.3.
fn clause_of(name: &str) -> Option<String> {
    let mut parts = name.strip_prefix('r')?.split('_');
    let (section, number) = (parts.next()?, parts.next()?);
    let is_number = |s: &str| s.parse::<u8>().is_ok();
    (is_number(section) && is_number(number)).then(|| format!("R{section}.{number}"))
}

#[test]
fn every_clause_has_a_test() {
    let (clauses, tests) = (clauses(), tests());
    assert!(clauses.len() > 90, "only {} clauses found", clauses.len());
    let excused: BTreeSet<String> = NOT_TESTABLE.iter().map(|(id, _)| (*id).into()).collect();
    let missing: Vec<_> = clauses
        .iter()
        .filter(|id| !tests.contains_key(*id) && !excused.contains(*id))
        .collect();
    assert!(missing.is_empty(), "clauses without a test: {missing:?}");
    let unknown: Vec<_> = tests.keys().filter(|id| !clauses.contains(*id)).collect();
    assert!(unknown.is_empty(), "tests of unknown clauses: {unknown:?}");
    for id in excused {
        assert!(clauses.contains(&id), "{id} is excused but does not exist");
        assert!(!tests.contains_key(&id), "{id} is excused but has a test");
    }
}
