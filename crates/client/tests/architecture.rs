//! Checks that the developer documents agree with the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust sources below a folder.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder exists").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).expect("sources are text");
            found.push((path, text));
        }
    }
    found
}

/// The section of ARCHITECTURE.md with the diagram.
fn drawing() -> String {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it exists");
    let begin = text.find("## The life of one action").expect("the section");
    let rest = &text[begin + 3..];
    rest[..rest.find("\n## ").unwrap_or(rest.len())].into()
}

/// The functions in the diagram, such as `Session::confirm`, each with the path of its file.
fn functions(drawing: &str) -> Vec<(String, String)> {
    let mut named = Vec::new();
    let mut file = None;
    for line in drawing.lines() {
        for word in line.split(|c: char| !(c.is_alphanumeric() || "_:./-".contains(c))) {
            let is_file = Path::new(word).extension().is_some_and(|e| e == "rs");
            if is_file {
                file = Some(word.to_string());
            } else if word.contains("::")
                && let Some(file) = &file
            {
                named.push((file.clone(), word.trim_end_matches([':', '.']).to_string()));
            }
        }
    }
    named
}

#[test]
fn every_function_in_the_life_of_an_action_exists_where_the_drawing_says() {
    let named = functions(&drawing());
    assert!(named.len() >= 10, "the drawing names functions: {named:?}");
    for (file, path) in named {
        let text = fs::read_to_string(root().join("crates").join(&file))
            .unwrap_or_else(|why| panic!("{file}: {why}"));
        let (owner, function) = path.rsplit_once("::").expect("it has an owner");
        let stem = Path::new(&file).file_stem();
        let has_owner = stem.is_some_and(|stem| stem == owner)
            || [' ', '<', '(', ':', ';']
                .iter()
                .any(|end| text.contains(&format!(" {owner}{end}")));
        let has_function =
            text.contains(&format!("fn {function}(")) || text.contains(&format!("fn {function}<"));
        assert!(has_owner && has_function, "{path} is not in {file}");
    }
}

/// The top-level modules of `web` that a source uses.
fn uses(text: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for part in text.split("crate::").skip(1) {
        let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let name = &part[..end.unwrap_or(part.len())];
        if modules.contains(name) {
            used.insert(name.to_string());
        }
    }
    used
}

#[test]
fn the_modules_of_the_browser_client_point_one_way() {
    let folder = root().join("crates/web/src");
    let files = sources(&folder);
    let module = |path: &Path| {
        let first = path.strip_prefix(&folder).expect("inside").iter().next();
        let name = first.expect("a file").to_string_lossy().into_owned();
        name.trim_end_matches(".rs").to_string()
    };
    let modules: BTreeSet<String> = files.iter().map(|(path, _)| module(path)).collect();
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in &files {
        let is_nested = text.contains("crate::{");
        assert!(!is_nested, "{}: one `use` per module", path.display());
        let is_at_root = path.parent() == Some(&folder);
        assert!(
            !(is_at_root && text.contains("super::")),
            "{}",
            path.display()
        );
        let from = module(path);
        let to = uses(text, &modules);
        let edge = edges.entry(from.clone()).or_default();
        edge.extend(to.into_iter().filter(|name| *name != from));
    }
    let layer = |name: &str| {
        let found = LAYERS.iter().position(|layer| layer.contains(&name));
        found.unwrap_or_else(|| panic!("{name} has no place among the layers of `web`"))
    };
    edges.remove("lib");
    for (from, to) in &edges {
        for to in to {
            assert!(
                layer(to) < layer(from),
                "{from} uses {to}, which is not below it"
            );
        }
    }
    for name in LAYERS.into_iter().flatten() {
        assert!(edges.contains_key(*name), "there is no module {name}");
    }
}

/// The modules of `web`: each uses those of earlier layers only, as drawn in ARCHITECTURE.md.
const LAYERS: [&[&str]; 12] = [
    &["device"],
    &["context"],
    &["backdrop", "call", "parts"],
    &["session"],
    &["transport"],
    &["navigation", "setup", "talk"],
    &["settings"],
    &["game"],
    &["learn"],
    &["afterwards", "online"],
    &["start"],
    &["app"],
];

#[test]
fn addresses_of_the_server_are_in_one_module() {
    let sources = sources(&root().join("crates/web/src"));
    assert!(sources.len() > 50, "{} files", sources.len());
    for (path, text) in sources {
        let literal = |line: &&str| {
            let mut texts = line.split('"').skip(1).step_by(2);
            let is_address = |text: &str| {
                let rest = text.strip_prefix('/');
                rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
            };
            texts.any(|text| is_address(text) || text.contains("/api/"))
        };
        let found = text.lines().find(literal);
        assert!(found.is_none(), "{}: {found:?}", path.display());
    }
}

/// Developer documents, and the folders that their sections describe, by heading.
const DOCUMENTS: [(&str, &[(&str, &str)]); 3] = [
    (
        "ARCHITECTURE.md",
        &[
            ("## The crates", "docs"),
            ("## Inside `rules`", "crates/rules/src"),
            ("## Inside `study`", "crates/study/src"),
            ("## Inside `server`", "crates/server/src"),
            ("## Inside the browser client", "crates/web/src"),
        ],
    ),
    ("CONTRIBUTING.md", &[]),
    (
        "docs/architecture-table-server.md",
        &[
            ("## table: the authority", "crates/table/src"),
            ("## server: many tables", "crates/server/src"),
        ],
    ),
];

/// Words in backticks and link targets that name a file or a folder.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let quoted = line.split('`').skip(1).step_by(2);
    let linked = line
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let linked = linked.filter_map(|target| target.split('#').next());
    let is_path = |word: &&str| {
        let word = Path::new(word.trim_end_matches('/'));
        let known = ["rs", "md", "toml", "css", "py", "txt", "perft"];
        word.extension()
            .is_some_and(|e| known.iter().any(|known| e == *known))
    };
    quoted
        .chain(linked)
        .filter(|word| !word.contains([' ', '*', ':']))
        .filter(move |word| is_path(word) || (word.len() > 1 && word.ends_with('/')))
}

#[test]
fn every_file_named_in_a_document_for_developers_exists() {
    let mut checked = 0;
    for (document, sections) in DOCUMENTS {
        let text = fs::read_to_string(root().join(document)).expect("it exists");
        let beside = Path::new(document).parent().expect("it has a folder");
        let mut section = beside.to_path_buf();
        for line in text.lines() {
            if line.starts_with("## ") {
                let known = sections.iter().find(|(heading, _)| *heading == line);
                section = known.map_or(beside, |(_, folder)| Path::new(folder)).into();
            }
            for path in paths(line) {
                checked += 1;
                let folders = [&section, beside, Path::new("crates"), Path::new("")];
                let exists = folders
                    .iter()
                    .any(|folder| root().join(folder).join(path).exists());
                assert!(exists, "{document} names {path}, which does not exist");
            }
        }
        for (heading, _) in sections {
            assert!(
                text.contains(heading),
                "{document} has no section {heading}"
            );
        }
    }
    assert!(checked > 100, "only {checked} files were checked");
}

/// Documents that a line of a source refers to, such as `docs/rules.md`.
fn documents(line: &str) -> impl Iterator<Item = &str> {
    let starts = line.match_indices("docs/").map(|(start, _)| &line[start..]);
    let is_outside = |c: char| !(c.is_ascii_alphanumeric() || "/._-".contains(c));
    let paths = starts.filter_map(move |text| text.split(is_outside).next());
    let paths = paths.map(|path| path.trim_end_matches('.'));
    paths.filter(|path| Path::new(path).extension().is_some_and(|e| e == "md"))
}

#[test]
fn every_document_that_a_source_refers_to_exists() {
    let mut checked = 0;
    for folder in ["crates", "xtask/src", "fuzz/fuzz_targets"] {
        for (source, text) in sources(&root().join(folder)) {
            for path in text.lines().flat_map(documents) {
                checked += 1;
                let exists = root().join(path).exists();
                assert!(exists, "{} refers to {path}", source.display());
            }
        }
    }
    assert!(checked > 20, "only {checked} references were checked");
}

#[test]
fn every_crate_and_every_file_of_rules_table_and_server_is_described() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("it exists");
    let names = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).expect("the folder exists");
        let names = entries.map(|entry| entry.expect("it can be read").file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect::<Vec<_>>()
    };
    for name in names("crates") {
        assert!(text.contains(&format!("\n      {name} ")), "crates/{name}");
    }
    for name in names("docs") {
        assert!(text.contains(&name), "docs/{name}");
    }
    let files = |folder: &str| {
        let mut all = names(folder);
        // The overview describes libraries by their crates.
        all.retain(|name| {
            !["lib.rs", "tests", "tests.rs", "online_tests"].contains(&name.as_str())
        });
        all
    };
    for name in files("crates/rules/src") {
        let is_file = Path::new(&name).extension().is_some();
        let listed = text.contains(&format!("`{name}`"));
        assert!(!is_file || listed, "crates/rules/src/{name}");
    }
    let document = "docs/architecture-table-server.md";
    let text = fs::read_to_string(root().join(document)).expect("it exists");
    for folder in ["crates/table/src", "crates/server/src"] {
        for name in files(folder) {
            let listed = text.contains(&format!("`{name}`")) || text.contains(&format!("`{name}/"));
            assert!(listed, "{document} does not name {folder}/{name}");
        }
    }
}

/// Names that several types share, and why.
const SHARED_NAMES: [(&str, &str); 1] = [(
    "Args",
    "the arguments of one command, as is usual with clap",
)];

/// The name of the type that a line declares. Associated types are not meant: a type alias begins at the left margin.
fn declared_type(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    if let Some(visible) = rest.strip_prefix("pub") {
        rest = match visible.strip_prefix('(') {
            Some(scope) => scope.split_once(')')?.1,
            None => visible,
        };
        rest = rest.trim_start();
    }
    let (keyword, rest) = rest.split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "trait" | "union")
        || (keyword == "type" && !line.starts_with(' '));
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    let name = &rest[..end.unwrap_or(rest.len())];
    (is_type && name.starts_with(char::is_uppercase)).then_some(name)
}

#[test]
fn no_two_types_of_the_workspace_share_a_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in ["crates", "xtask", "fuzz/fuzz_targets"] {
        for (path, text) in sources(&root().join(folder)) {
            for (i, line) in text.lines().enumerate() {
                if let Some(name) = declared_type(line) {
                    let place = format!("{}:{}", path.display(), i + 1);
                    places.entry(name.into()).or_default().push(place);
                }
            }
        }
    }
    assert!(places.len() > 500, "only {} types were found", places.len());
    for (name, reason) in SHARED_NAMES {
        let places = places.remove(name).unwrap_or_default();
        assert!(places.len() > 1, "{name} is not shared any more: {reason}");
    }
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "one name, one meaning: {places:#?}");
}

/// The number that a line gives for `maxlength`, if it gives one.
fn numeric_limit(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("maxlength=")?;
    let value = rest.trim_start_matches(['"', '(', '\\', ' ']);
    value
        .starts_with(|c: char| c.is_ascii_digit())
        .then_some(value)
}

#[test]
fn limits_of_inputs_are_those_that_servers_check() {
    assert!(numeric_limit(r#"<input maxlength="20"/>"#).is_some());
    assert!(numeric_limit("<input maxlength=20/>").is_some());
    assert!(numeric_limit("input maxlength=(2048);").is_some());
    assert!(numeric_limit("<input maxlength=NAME_CHARS/>").is_none());
    let mut inputs = 0;
    for folder in ["crates/web/src", "crates/server/src"] {
        for (path, text) in sources(&root().join(folder)) {
            for line in text.lines().filter(|line| line.contains("maxlength")) {
                inputs += 1;
                let number = numeric_limit(line);
                assert!(
                    number.is_none(),
                    "{}: use a constant: {line}",
                    path.display()
                );
            }
        }
    }
    assert!(inputs >= 8, "only {inputs} inputs have a limit");
}
