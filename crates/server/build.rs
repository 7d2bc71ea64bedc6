//! Embeds the client's files. Without a built client the folder is empty, and the server says how to build it.

use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    // If this fails, the error of the embedding below is clearer.
    let _ = std::fs::create_dir_all(&dist);
    // Other profiles read the files when they are requested.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed={}", dist.display());
    }
    println!("cargo:rerun-if-changed=build.rs");
}
