//! Which tests run at the same time, and which alone.

use crate::programs::TestProgram;

/// How tests of real programs run.
pub struct TestGroup {
    /// The folders of their packages.
    packages: &'static [&'static str],
    /// The number of concurrent tests.
    pub threads: &'static str,
    /// Tests that measure time or memory, by a part of their names. They run one at a time, after the others.
    measuring: &'static [&'static str],
}

/// Tests that start servers. Most of their time they wait.
pub const SERVERS: TestGroup = TestGroup {
    packages: &["server", "cli", "test-support"],
    threads: "--test-threads=4",
    measuring: &[
        "alarms::",
        "cluster::",
        "fair_bots::sixty_tables_of_masters",
        "hostile::clients_that_do_not_read",
        "idle::",
        "nodes::nobody_waits_long",
        "nodes::when_the_database_restarts",
        "packets::",
        "postgres::connections::",
        "records::readers_who_never_read",
        "silence::",
    ],
};

/// Tests in a browser, each with one to three windows.
pub const BROWSERS: TestGroup = TestGroup {
    packages: &["e2e"],
    threads: "--test-threads=3",
    measuring: &["newcomers::", "stutter::"],
};

impl TestGroup {
    pub fn has(&self, program: &TestProgram) -> bool {
        self.packages.contains(&program.folder())
    }

    pub fn of<'a>(&self, programs: &'a [TestProgram]) -> Vec<&'a TestProgram> {
        programs.iter().filter(|p| self.has(p)).collect()
    }

    /// The options for the tests that run at the same time.
    pub fn concurrent(&self) -> Vec<&str> {
        let skip = self.measuring.iter().flat_map(|name| ["--skip", name]);
        [self.threads].into_iter().chain(skip).collect()
    }

    /// The options for the tests that run alone.
    pub fn alone(&self) -> Vec<&str> {
        [&["--test-threads=1"], self.measuring].concat()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// All Rust sources below a folder, as one text.
    fn sources(folder: &Path) -> String {
        let entries = folder.read_dir().expect("the folder exists").flatten();
        let texts = entries.map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                sources(&path)
            } else if path.extension().is_some_and(|e| e == "rs") {
                std::fs::read_to_string(&path).expect("sources are text")
            } else {
                String::new()
            }
        });
        texts.collect()
    }

    /// A misspelt name would let a test that measures run among others.
    #[test]
    fn every_test_that_measures_exists() {
        for group in [SERVERS, BROWSERS] {
            let crates = crate::root().join("crates");
            let folders = group.packages.iter().flat_map(|package| {
                ["src", "tests"].map(|folder| crates.join(package).join(folder))
            });
            let text: String = folders
                .filter(|f| f.exists())
                .map(|f| sources(&f))
                .collect();
            for name in group.measuring {
                let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_string();
                let found = name.strip_suffix("::").map_or_else(
                    || text.contains(&format!("fn {}", last(name))),
                    |module| text.contains(&format!("mod {};", last(module))),
                );
                assert!(found, "no test is called {name}");
            }
        }
    }
}
