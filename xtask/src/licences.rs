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

/// A list of all packages in a program for a target, then their licence texts, each text once.
pub fn list(sh: &Shell, program: &str, target: &str) -> Result<String> {
    let graph = Graph::load(sh, &["--filter-platform", target])?;
    let start = graph.packages.values().find(|p| p["name"] == program);
    let start = text_of(start.context("no such package")?, "id");
    let mut list = String::from("This program contains the following packages.\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in graph.foreign(vec![start], Follow::Program) {
        let name = format!(
            "{} {}",
            text_of(package, "name"),
            text_of(package, "version")
        );
        let (licence, repository) = (text_of(package, "license"), text_of(package, "repository"));
        writeln!(list, "{name}: {licence} {repository}")?;
        let manifest = text_of(package, "manifest_path");
        let folder = Path::new(&manifest).parent().context("no folder")?;
        for text in licence_texts(folder)? {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    for (text, users) in texts {
        let line = "-".repeat(78);
        write!(list, "\n{line}\n{}\n\n{text}\n", users.join(", "))?;
    }
    Ok(list)
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
        for package in graph.foreign(own(&graph), Follow::Build) {
            let licence = text_of(package, "license");
            assert!(
                is_allowed(&licence, &allowed),
                "{}: {licence}",
                package["name"]
            );
            let index = "registry+https://github.com/rust-lang/crates.io-index";
            assert_eq!(package["source"], index, "{}", package["name"]);
        }
    }

    #[test]
    fn only_listed_packages_have_several_versions() {
        let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let graph = graph();
        for package in graph.foreign(own(&graph), Follow::Build) {
            let entry = versions.entry(text_of(package, "name")).or_default();
            entry.insert(text_of(package, "version"));
        }
        let several = versions.into_iter().filter(|(_, all)| all.len() > 1);
        let several: BTreeSet<String> = several.map(|(name, _)| name).collect();
        assert_eq!(several, listed("skip"));
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
