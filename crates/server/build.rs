//! The client's files are part of the binary. Without a built client there is an empty folder, and
//! the server says how to build it.

use std::path::Path;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    // If it cannot be made, the embedding below says so better than we could.
    let _ = std::fs::create_dir_all(&dist);
    println!("cargo:rerun-if-changed={}", dist.display());
    println!("cargo:rerun-if-changed=migrations");
}
