//! Every test that SECURITY.md names exists.

use std::path::{Path, PathBuf};

/// The texts between backticks of a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn file(root: &Path, name: &str) -> PathBuf {
    if name.contains('/') {
        root.join(name)
    } else {
        root.join("crates/cli/tests/online").join(name)
    }
}

#[test]
fn every_test_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("SECURITY.md")).expect("it is there");
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let mut named = 0;
    for row in rows {
        let tests = row.rsplit('|').nth(1).unwrap_or_default();
        let mut source = String::new();
        for name in quoted(tests) {
            if Path::new(name).extension().is_some_and(|e| e == "rs") {
                let path = file(&root, name);
                source = std::fs::read_to_string(&path)
                    .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                // The macro makes tests of one function for both databases.
                let marks = ["#[test]", "#[tokio::test", "on_both_databases!"];
                assert!(marks.iter().any(|mark| source.contains(mark)), "{name}");
            } else if let Some(start) = name.strip_suffix('…') {
                let function = format!("fn {start}");
                assert!(
                    source.contains(&function),
                    "no test begins with {start}: {row}"
                );
            } else {
                assert!(
                    name.starts_with("cargo xtask "),
                    "{name} is neither file nor test"
                );
                continue;
            }
            named += 1;
        }
    }
    assert!(named > 60, "only {named} are named");
}
