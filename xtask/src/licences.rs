//! The packages in the published program, and their licences.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use xshell::Shell;

use crate::cargo;

/// The kinds of dependencies to follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// Those compiled into the program.
    Program,
    /// Those, and build dependencies.
    Build,
}

/// The dependency graph of `cargo metadata`.
struct Graph {
    packages: BTreeMap<String, Value>,
    nodes: BTreeMap<String, Value>,
}

impl Graph {
    fn load(sh: &Shell, options: &[&str]) -> Result<Graph> {
        let command = ["metadata", "--format-version=1", "--locked"];
        let text = cargo(sh, &[&command[..], options].concat())
            .quiet()
            .read()?;
        let metadata: Value = serde_json::from_str(&text)?;
        let by_id = |list: &Value| -> BTreeMap<String, Value> {
            let entries = list.as_array().into_iter().flatten();
            entries.map(|e| (text_of(e, "id"), e.clone())).collect()
        };
        Ok(Graph {
            packages: by_id(&metadata["packages"]),
            nodes: by_id(&metadata["resolve"]["nodes"]),
        })
    }

    /// The packages from outside the workspace that these depend on.
    fn foreign(&self, mut open: Vec<String>, follow: Follow) -> Vec<&Value> {
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            for dependency in self.nodes[&id]["deps"].as_array().into_iter().flatten() {
                let mut kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
                let wanted = kinds.any(|entry| match entry["kind"].as_str() {
                    None => true,
                    Some(kind) => follow == Follow::Build && kind == "build",
                });
                if wanted {
                    open.push(text_of(dependency, "pkg"));
                }
            }
        }
        let packages = seen.iter().map(|id| &self.packages[id]);
        packages.filter(|p| !p["source"].is_null()).collect()
    }
}

fn text_of(entry: &Value, key: &str) -> String {
    entry[key].as_str().unwrap_or_default().into()
}

/// The standard texts of licences, for packages without a file of their own.
const STANDARD_TEXTS: [(&str, &str); 4] = [
    ("Apache-2.0", include_str!("../../LICENSE-APACHE")),
    ("MIT", include_str!("../licences/MIT.txt")),
    ("BSD-3-Clause", include_str!("../licences/BSD-3-Clause.txt")),
    ("CC0-1.0", include_str!("../licences/CC0-1.0.txt")),
];

/// The folder of the client's fonts, with their licences.
const FONTS: &str = "crates/art/fonts";

/// A list of all packages in programs, each for its target, then the licence texts of packages and fonts, each text
/// once.
pub fn list(sh: &Shell, programs: &[(&str, &str)]) -> Result<String> {
    let mut packages: BTreeMap<String, Value> = BTreeMap::new();
    for (program, target) in programs {
        let graph = Graph::load(sh, &["--filter-platform", target])?;
        let start = graph.packages.values().find(|p| p["name"] == *program);
        let start = text_of(start.context("no such package")?, "id");
        for package in graph.foreign(vec![start], Follow::Program) {
            let (name, version) = (text_of(package, "name"), text_of(package, "version"));
            packages.insert(format!("{name} {version}"), package.clone());
        }
    }
    let mut list = String::from("The program and its client contain the following packages.\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, package) in packages {
        let (licence, repository) = (
            text_of(&package, "license"),
            text_of(&package, "repository"),
        );
        writeln!(list, "{name}: {licence} {repository}")?;
        let manifest = text_of(&package, "manifest_path");
        let folder = Path::new(&manifest).parent().context("no folder")?;
        let mut own = licence_texts(folder)?;
        if own.is_empty() {
            own.push(standard_text(&package)?);
        }
        for text in own {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for path in sh.read_dir(FONTS)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("OFL") {
            texts.insert(sh.read_file(&path)?, vec!["fonts of the client".into()]);
        }
    }
    for (text, users) in texts {
        let line = "-".repeat(78);
        write!(list, "\n{line}\n{}\n\n{text}\n", users.join(", "))?;
    }
    Ok(list)
}

/// The standard text of a package's licence, with the package's authors.
fn standard_text(package: &Value) -> Result<String> {
    let (name, licence) = (text_of(package, "name"), text_of(package, "license"));
    let offers = |offered: &str| licence.split(" OR ").any(|one| one.trim() == offered);
    let found = STANDARD_TEXTS.iter().find(|(offered, _)| offers(offered));
    let (_, text) = found.with_context(|| format!("{name}: no text of the licence {licence}"))?;
    let authors = package["authors"].as_array().into_iter().flatten();
    let authors: Vec<&str> = authors.filter_map(Value::as_str).collect();
    let authors = if authors.is_empty() {
        format!("the authors of {name}")
    } else {
        authors.join(", ")
    };
    Ok(text.trim().replace("{authors}", &authors))
}

fn licence_texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for file in std::fs::read_dir(folder)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.to_uppercase();
        let starts = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];
        if starts.iter().any(|start| name.starts_with(start)) && path.is_file() {
            let text = std::fs::read(&path)?;
            texts.push(String::from_utf8_lossy(&text).trim().to_string());
        }
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph() -> Graph {
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        Graph::load(&sh, &["--all-features"]).unwrap()
    }

    /// The packages of this workspace.
    fn own(graph: &Graph) -> Vec<String> {
        let own = graph.packages.iter().filter(|(_, p)| p["source"].is_null());
        own.map(|(id, _)| id.clone()).collect()
    }

    /// The strings of a list in `deny.toml`.
    fn listed(key: &str) -> BTreeSet<String> {
        let file = std::fs::read_to_string(crate::root().join("deny.toml")).unwrap();
        let (_, list) = file.split_once(&format!("\n{key} = [")).unwrap();
        let (list, _) = list.split_once("\n]").unwrap();
        list.split('"')
            .skip(1)
            .step_by(2)
            .map(String::from)
            .collect()
    }

    /// Whether an expression such as `MIT OR (Apache-2.0 AND ISC)` can be met; exceptions only ever allow more.
    fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
        let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
        expression.split(" AND ").all(|part| {
            part.split(" OR ")
                .map(|licence| licence.split(" WITH ").next().unwrap_or(licence))
                .any(|licence| allowed.contains(licence.trim()))
        })
    }

    #[test]
    fn every_dependency_has_an_allowed_licence_and_comes_from_crates_io() {
        let allowed = listed("allow");
        assert!(!is_allowed("GPL-3.0-or-later", &allowed) && !is_allowed("MIT AND X", &allowed));
        let graph = graph();
        let mut seen = 0;
        for package in graph.foreign(own(&graph), Follow::Build) {
            seen += 1;
            let licence = text_of(package, "license");
            assert!(
                is_allowed(&licence, &allowed),
                "{}: {licence}",
                package["name"]
            );
            let index = "registry+https://github.com/rust-lang/crates.io-index";
            assert_eq!(package["source"], index, "{}", package["name"]);
        }
        assert!(seen > 200, "{seen} packages");
    }

    #[test]
    fn only_listed_packages_have_several_versions() {
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let graph = graph();
        for package in graph.foreign(own(&graph), Follow::Build) {
            let entry = versions.entry(text_of(package, "name")).or_default();
            entry.insert(text_of(package, "version"));
        }
        let mut older = BTreeSet::new();
        for (name, all) in &versions {
            let mut all: Vec<&String> = all.iter().collect();
            all.sort_by_key(|version| numbers(version));
            all.pop();
            older.extend(
                all.iter()
                    .map(|version| format!("{name}:^{}", series(version))),
            );
        }
        assert_eq!(older, listed("skip"));
    }

    fn numbers(version: &str) -> Vec<u64> {
        let core = version.split(['-', '+']).next().unwrap_or(version);
        core.split('.').map(|part| part.parse().unwrap()).collect()
    }

    /// The part of a version that has to match for compatibility: `1` or `0.8`.
    fn series(version: &str) -> String {
        let mut parts = version.split('.');
        match (parts.next(), parts.next()) {
            (Some("0"), Some(minor)) => format!("0.{minor}"),
            (major, _) => major.unwrap_or_default().into(),
        }
    }

    #[test]
    fn the_fuzz_targets_depend_on_crates_io_only() {
        let lock = std::fs::read_to_string(crate::root().join("fuzz/Cargo.lock")).unwrap();
        let sources = lock
            .lines()
            .filter_map(|line| line.strip_prefix("source = "));
        let sources: BTreeSet<&str> = sources.collect();
        let index = "\"registry+https://github.com/rust-lang/crates.io-index\"";
        assert_eq!(sources, BTreeSet::from([index]));
    }

    #[test]
    fn the_list_of_licences_has_a_text_for_everything_that_is_shipped() {
        let sh = Shell::new().unwrap();
        sh.change_dir(crate::root());
        let list = list(&sh, &crate::dist::PROGRAMS).unwrap();
        let line = "-".repeat(78);
        let (packages, texts) = list.split_once(&line).unwrap();
        for name in ["axum ", "sqlx ", "leptos ", "wasm-bindgen ", "qrcodegen "] {
            let start = format!("\n{name}");
            assert!(packages.contains(&start), "{name}is missing");
        }
        assert_eq!(
            texts.matches("SIL OPEN FONT LICENSE Version 1.1").count(),
            2
        );
        let mut seen = 0;
        for (package, _) in packages.lines().filter_map(|entry| entry.split_once(": ")) {
            seen += 1;
            let users = texts.split(&line);
            let mut users = users.filter_map(|part| part.trim().lines().next());
            let has_text = users.any(|users| users.split(", ").any(|user| user == package));
            assert!(has_text, "{package} has no text");
        }
        assert!(seen > 200, "{seen} packages");
        assert!(!list.contains("{authors}"));
    }

    #[test]
    fn one_version_of_rust_is_promised_and_tested() {
        let read = |file: &str| std::fs::read_to_string(crate::root().join(file)).unwrap();
        let manifest = read("Cargo.toml");
        let (_, version) = manifest.split_once("rust-version = \"").unwrap();
        let (version, _) = version.split_once('"').unwrap();
        assert!(read("deploy/Dockerfile").contains(&format!("FROM rust:{version}-")));
        assert!(read(".github/workflows/ci.yml").contains(&format!("\"{version}\"")));
    }
}
