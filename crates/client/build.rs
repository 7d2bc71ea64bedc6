//! Puts the texts in order for the program: all keys once, and the texts of each language line by line. That is smaller than three
//! files with the same keys.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

fn main() {
    println!("cargo::rerun-if-changed=locales");
    let out = env::var("OUT_DIR").expect("cargo says where");
    let put = |name: &str, lines: &[&str]| {
        let file = Path::new(&out).join(name);
        fs::write(file, lines.join("\n")).expect("there is room");
    };
    let files = LANGUAGES.map(|language| {
        fs::read_to_string(format!("locales/{language}.txt")).expect("every language has a file")
    });
    // For each key the text in each language; one that a language does not have is empty.
    let mut texts: BTreeMap<&str, [&str; LANGUAGES.len()]> = BTreeMap::new();
    for (n, file) in files.iter().enumerate() {
        let lines = file.lines().filter(|line| !line.starts_with('#'));
        for (key, text) in lines.filter_map(|line| line.split_once(" = ")) {
            texts.entry(key).or_default()[n] = text;
        }
    }
    put("keys.txt", &texts.keys().copied().collect::<Vec<_>>());
    for (n, language) in LANGUAGES.iter().enumerate() {
        let column: Vec<_> = texts.values().map(|all| all[n]).collect();
        put(&format!("{language}.txt"), &column);
    }
}
