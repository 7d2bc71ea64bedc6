//! Builds a release into `target/dist`.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Result, ensure};
use sha2::{Digest, Sha256};
use xshell::{Shell, cmd};

use crate::client::{self, BROWSER, Build};
use crate::{cargo, install, licences};

/// Linux with the C library linked in: the program runs on every distribution and in an empty container.
const TARGET: &str = "x86_64-unknown-linux-musl";
const FOLDER: &str = "target/dist";
/// The programs that are published, each with its target; the first one contains the others.
pub const PROGRAMS: [(&str, &str); 3] = [
    ("towers-cli", TARGET),
    ("towers-web", BROWSER),
    ("towers-worker", BROWSER),
];

/// Builds the static program with its client, and adds licences, checksums and the container context.
pub fn build(sh: &Shell) -> Result<()> {
    install::target(sh, TARGET)?;
    install::musl(sh)?;
    client::build(sh, Build::Shipped)?;
    let options = [
        "--release",
        "--locked",
        "--bin",
        "towers",
        "--target",
        TARGET,
    ];
    cargo(sh, &[&["build"][..], &options].concat())
        .env("CC_x86_64_unknown_linux_musl", "musl-gcc")
        .run()?;
    let built = Path::new("target").join(TARGET).join("release/towers");
    sh.remove_path(FOLDER)?;
    sh.create_dir(FOLDER)?;
    sh.copy_file(&built, FOLDER)?;
    check(sh, &built)?;
    let licences = licences::list(sh, &PROGRAMS)?;
    sh.write_file(format!("{FOLDER}/THIRD-PARTY-LICENCES.txt"), licences)?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT"] {
        sh.copy_file(file, FOLDER)?;
    }
    sh.copy_file("deploy/Dockerfile.static", format!("{FOLDER}/Dockerfile"))?;
    write_checksums(sh)?;
    // The container's volume is initialised from this folder, including its owner.
    sh.write_file(format!("{FOLDER}/data/.keep"), "")?;
    println!("{FOLDER} is ready: docker build -t towers {FOLDER}");
    Ok(())
}

/// Checks that the program is static and starts.
fn check(sh: &Shell, program: &Path) -> Result<()> {
    // ldd reports a static program with an exit code that differs between distributions.
    let libraries = cmd!(sh, "ldd {program}").ignore_status().quiet().output()?;
    let said = [libraries.stdout, libraries.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let is_static = said.contains("statically linked") || said.contains("not a dynamic executable");
    ensure!(is_static, "{} is not static: {said}", program.display());
    cmd!(sh, "{program} --version").run()?;
    Ok(())
}

/// Writes `SHA256SUMS` in the format of `sha256sum --check`.
fn write_checksums(sh: &Shell) -> Result<()> {
    let mut sums = String::new();
    for path in sh.read_dir(FOLDER)? {
        let digest = Sha256::digest(sh.read_binary_file(&path)?);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(sums, "{}  {name}", client::hex(&digest))?;
    }
    Ok(sh.write_file(format!("{FOLDER}/SHA256SUMS"), sums)?)
}
