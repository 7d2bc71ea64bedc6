//! Builds the browser client into `dist/`: programs for the page and its worker, styles, fonts, texts, service worker.
//! Files are named by their content, so that a browser may cache them without a time limit.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;
use xshell::Shell;

use crate::{cargo, install, root};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// For release: small, fast and compressed, with a check of its size.
    Shipped,
    /// For development: quick to build. Pages reload after each build.
    Quick,
}

/// The compilation target of the browser.
pub const BROWSER: &str = "wasm32-unknown-unknown";
/// The page and its worker.
pub const PROGRAMS: [&str; 2] = ["towers-web", "towers-worker"];
const LANGUAGES: [&str; 3] = ["en", "de", "fr"];

/// The bytes of a digest in file names.
const HASH_BYTES: usize = 6;
/// The limit for `dist/`, compressed, in units of 1000 bytes.
const MAX_DIST_KB: usize = 1000;
/// The limit for everything fetched before the first card can be played, compressed.
const MAX_FIRST_GAME_KB: usize = 750;

/// Builds the client into `dist/`.
pub fn build(sh: &Shell, build: Build) -> Result<()> {
    fill(&compile(sh, build)?, build)
}

/// Fills `dist/` from the folder of the compiled programs.
fn fill(programs: &Path, build: Build) -> Result<()> {
    let dist = Dist::new(root().join("dist"), build)?.fill(programs)?;
    if build == Build::Shipped {
        let size = dist.compress()?;
        println!("{size}");
        let fits = size.all <= MAX_DIST_KB * 1000 && size.first_game <= MAX_FIRST_GAME_KB * 1000;
        ensure!(fits, "the client is too large: see docs/client-size.md");
    }
    Ok(())
}

/// The client's programs while they compile on another thread. They have a target folder of their own, so cargo can
/// compile for this computer at the same time.
pub struct Compilation {
    programs: JoinHandle<Result<PathBuf>>,
    build: Build,
}

impl Compilation {
    pub fn start(sh: &Shell, build: Build) -> Compilation {
        let sh = sh.clone();
        let programs = std::thread::spawn(move || compile(&sh, build));
        Compilation { programs, build }
    }

    /// Waits for the programs and fills `dist/`.
    pub fn finish(self) -> Result<()> {
        let programs = self.programs.join().expect("its errors are returned");
        fill(&programs?, self.build)
    }
}

/// Compiles both programs and generates their JavaScript bindings; returns their folder.
fn compile(sh: &Shell, build: Build) -> Result<PathBuf> {
    install::target(sh, BROWSER)?;
    let (profile, folder) = match build {
        Build::Shipped => ("wasm", "wasm"),
        Build::Quick => ("dev", "debug"),
    };
    let [page, worker] = PROGRAMS;
    let options = [
        "--target",
        BROWSER,
        "--target-dir",
        "target/wasm",
        "--profile",
        profile,
    ];
    let packages = ["build", "--quiet", "--package", page, "--package", worker];
    // What is shipped is the same on every machine, wherever the sources of dependencies are: panics name their files.
    let sources = sources_of_dependencies();
    let sources = sources.to_string_lossy();
    let remap = format!("target.{BROWSER}.rustflags=['--remap-path-prefix={sources}=registry']");
    let shipped: &[&str] = match build {
        Build::Shipped => &["--locked", "--config", &remap],
        Build::Quick => &[],
    };
    cargo(sh, &[&packages[..], shipped, &options].concat()).run()?;
    let compiled = root().join("target/wasm").join(BROWSER).join(folder);
    if build == Build::Shipped {
        // Cargo compiles shared crates once, with the features of both programs: what only the worker uses is left out
        // of the page when it is linked.
        let [page, worker] =
            PROGRAMS.map(|package| compiled.join(package.replace('-', "_") + ".wasm"));
        let (page, worker) = (read(&page)?, read(&worker)?);
        check_page_without_bots(&page, &worker)?;
        for program in [&page, &worker] {
            let is_local = contains(program, &sources);
            ensure!(
                !is_local,
                "a program names {sources}, a folder of this machine"
            );
        }
    }
    let bound = compiled.join("bound");
    for program in PROGRAMS.map(|package| package.replace('-', "_")) {
        let wasm = compiled.join(format!("{program}.wasm"));
        let result = bound.join(format!("{program}_bg.wasm"));
        if !is_newer(&result, &wasm) {
            bind(&wasm, &bound, build)?;
        }
    }
    Ok(bound)
}

/// Parts of the names of functions that only the worker has: bots, the puzzle solver, the review.
const WORKERS_ONLY: [&str; 3] = ["towers_bots", "6puzzle6solver", "6review8reviewer"];

/// Checks that the compiled page contains no bots, solver or review. The worker shows that their names would be found.
fn check_page_without_bots(page: &[u8], worker: &[u8]) -> Result<()> {
    for name in WORKERS_ONLY {
        ensure!(
            contains(worker, name),
            "the worker has no function named {name}"
        );
        ensure!(
            !contains(page, name),
            "the page contains {name}, which belongs to the worker"
        );
    }
    Ok(())
}

/// Whether a program contains a text.
fn contains(program: &[u8], text: &str) -> bool {
    program
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

/// The folder in which cargo keeps the sources of dependencies.
fn sources_of_dependencies() -> PathBuf {
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let default = || std::env::home_dir().unwrap_or_default().join(".cargo");
    cargo_home.unwrap_or_else(default).join("registry/src")
}

fn is_newer(result: &Path, source: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    modified(result) > modified(source)
}

fn bind(wasm: &Path, out: &Path, build: Build) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .typescript(false)
        .keep_debug(false)
        // Names take a third of the file.
        .remove_name_section(build == Build::Shipped)
        .remove_producers_section(true);
    bindgen
        .web(true)
        .and_then(|b| b.omit_default_module_path(false).generate(out))
        .with_context(|| format!("binding {}", wasm.display()))
}

/// The files of the client.
struct Dist {
    folder: PathBuf,
    build: Build,
    /// Paths from the page, in the order in which they were added.
    files: Vec<String>,
    /// Placeholders such as `{{style}}` with their file names.
    names: Vec<(String, String)>,
}

impl Dist {
    fn new(folder: PathBuf, build: Build) -> Result<Dist> {
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        for part in ["assets", "texts"] {
            std::fs::create_dir_all(folder.join(part))?;
        }
        Ok(Dist {
            folder,
            build,
            files: Vec::new(),
            names: Vec::new(),
        })
    }

    fn fill(mut self, programs: &Path) -> Result<Dist> {
        let root = root();
        let assets = root.join("crates/web/assets");
        let mut style = read_text(&root.join("crates/art/src/style.css"))?;
        style += &read_text(&assets.join("app.css"))?;
        for font in ["title", "text", "text-bold"] {
            let file = read(&root.join(format!("crates/art/fonts/{font}.woff2")))?;
            let name = self.add(font, "woff2", &file)?;
            style = style.replace(&format!("url({font}.woff2)"), &format!("url({name})"));
        }
        let style = self.minified(style, |text| Ok(minifier::css::minify(text)?.to_string()))?;
        self.add("style", "css", style.as_bytes())?;
        for (name, program) in [("page", "towers_web"), ("worker", "towers_worker")] {
            let wasm = read(&programs.join(format!("{program}_bg.wasm")))?;
            self.add(&format!("{name}-wasm"), "wasm", &wasm)?;
            let glue = self.script(read_text(&programs.join(format!("{program}.js")))?)?;
            self.add(&format!("{name}-glue"), "js", glue.as_bytes())?;
        }
        for language in LANGUAGES {
            let texts = read(&root.join(format!("crates/client/locales/{language}.txt")))?;
            self.add(&format!("texts-{language}"), "txt", &texts)?;
            // One file compresses better, since rules and lesson share many words.
            let study = |name: &str| {
                let file = format!("crates/study/texts/{name}.{language}.txt");
                read_text(&root.join(file))
            };
            let texts = [study("rules")?, study("tutorial")?].join("\u{c}");
            self.put(&format!("texts/{language}.txt"), texts.as_bytes())?;
        }
        for script in ["boot", "worker-start"] {
            let text = self.filled_in(&assets.join(format!("{script}.js")))?;
            self.add(script, "js", self.script(text)?.as_bytes())?;
        }
        for file in ["icon.svg", "icon-turn.svg", "manifest.webmanifest"] {
            self.put(file, &read(&assets.join(file))?)?;
        }
        let mut page = self.filled_in(&assets.join("index.html"))?;
        if self.build == Build::Quick {
            let reload = self.add("reload", "js", &read(&assets.join("reload.js"))?)?;
            let tag = format!(r#"<script type="module" src="/assets/{reload}"></script></head>"#);
            page = page.replace("</head>", &tag);
        }
        self.put("index.html", page.as_bytes())?;
        let worker = self.script(self.service_worker(&assets)?)?;
        self.put("sw.js", worker.as_bytes())?;
        if self.build == Build::Quick {
            // The service worker lists all files by their content, so it differs between builds.
            self.put("version.txt", worker.as_bytes())?;
        }
        Ok(self)
    }

    /// A text without comments and spaces, if it is shipped.
    fn minified(
        &self,
        text: String,
        minify: impl Fn(&str) -> std::result::Result<String, &'static str>,
    ) -> Result<String> {
        match self.build {
            Build::Shipped => minify(&text).map_err(anyhow::Error::msg),
            Build::Quick => Ok(text),
        }
    }

    fn script(&self, text: String) -> Result<String> {
        self.minified(text, |text| Ok(minifier::js::minify(text)?.to_string()))
    }

    /// Adds a file named by its content, and returns that name.
    fn add(&mut self, name: &str, extension: &str, content: &[u8]) -> Result<String> {
        let file = format!(
            "{name}-{}.{extension}",
            hex(&Sha256::digest(content)[..HASH_BYTES])
        );
        self.put(&format!("assets/{file}"), content)?;
        self.names.push((format!("{{{{{name}}}}}"), file.clone()));
        Ok(file)
    }

    fn put(&mut self, path: &str, content: &[u8]) -> Result<()> {
        std::fs::write(self.folder.join(path), content).with_context(|| path.to_string())?;
        self.files.push(path.into());
        Ok(())
    }

    /// A file of the client with its placeholders replaced.
    fn filled_in(&self, path: &Path) -> Result<String> {
        let mut text = read_text(path)?;
        for (placeholder, name) in &self.names {
            text = text.replace(placeholder, name);
        }
        ensure!(
            !text.contains("{{"),
            "{} contains an unknown placeholder",
            path.display()
        );
        Ok(text)
    }

    /// The service worker, which lists every file. Its cache is named by their content, so that a new build gets a new cache.
    fn service_worker(&self, assets: &Path) -> Result<String> {
        let mut hasher = Sha256::new();
        for file in &self.files {
            hasher.update(file);
            hasher.update(read(&self.folder.join(file))?);
        }
        let list: Vec<String> = self.files.iter().map(|f| format!("'{f}'")).collect();
        Ok(read_text(&assets.join("sw.js"))?
            .replace("{{version}}", &hex(&hasher.finalize()[..HASH_BYTES]))
            .replace("'{{files}}'", &list.join(", ")))
    }

    /// Compresses files in advance, so that the server need not do so per request.
    fn compress(&self) -> Result<ClientSize> {
        let mut size = ClientSize::default();
        for file in &self.files {
            let path = self.folder.join(file);
            let content = read(&path)?;
            let mut length = content.len();
            let extension = path.extension().unwrap_or_default().to_string_lossy();
            if ["wasm", "js", "css", "html", "svg", "txt", "webmanifest"].contains(&&*extension) {
                let mut packed = Vec::new();
                let params = brotli::enc::BrotliEncoderParams::default();
                brotli::BrotliCompress(&mut &*content, &mut packed, &params)?;
                length = packed.len();
                std::fs::write(self.folder.join(format!("{file}.br")), packed)?;
                let mut packed = GzEncoder::new(Vec::new(), Compression::best());
                packed.write_all(&content)?;
                std::fs::write(self.folder.join(format!("{file}.gz")), packed.finish()?)?;
            }
            size.count(file, length);
        }
        Ok(size)
    }
}

/// Compressed sizes in bytes.
#[derive(Debug, Default)]
struct ClientSize {
    all: usize,
    first_game: usize,
    worker: usize,
    /// The largest file of texts: one language is fetched.
    texts: usize,
}

/// Files that the page requests later: when the first decision is on the screen, and when it is hidden.
const LATER: [&str; 2] = ["sw.js", "icon-turn.svg"];

impl ClientSize {
    fn count(&mut self, file: &str, length: usize) {
        self.all += length;
        if LATER.contains(&file) {
            // Only in the sum.
        } else if file.starts_with("assets/worker") {
            self.worker += length;
        } else if file.starts_with("assets/texts") {
            self.first_game += length.saturating_sub(self.texts);
            self.texts = self.texts.max(length);
        } else if !file.starts_with("texts/") {
            self.first_game += length;
        }
    }
}

impl std::fmt::Display for ClientSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kb = |bytes: usize| bytes.div_ceil(1000);
        write!(
            f,
            "compressed: {} KB until the first card can be played (at most {MAX_FIRST_GAME_KB}), \
             {} KB for the worker with the bots, {} KB in all (at most {MAX_DIST_KB})",
            kb(self.first_game),
            kb(self.worker),
            kb(self.all),
        )
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}

fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_language_counts_for_the_first_game_and_all_count_for_dist() {
        let mut size = ClientSize::default();
        for (file, length) in [
            ("assets/page-wasm-1.wasm", 500),
            ("assets/worker-wasm-1.wasm", 90),
            ("assets/texts-en-1.txt", 10),
            ("assets/texts-de-1.txt", 12),
            ("assets/texts-fr-1.txt", 11),
            ("texts/en.txt", 7),
            ("sw.js", 3),
            ("icon-turn.svg", 2),
        ] {
            size.count(file, length);
        }
        assert_eq!(size.all, 635);
        assert_eq!((size.first_game, size.worker), (512, 90));
    }

    #[test]
    fn bots_in_the_page_are_found_by_their_names() {
        let worker = format!(
            "\0{}\0",
            WORKERS_ONLY.map(|name| format!("_ZN{name}17h0E")).concat()
        );
        let page = b"\0asm _ZN11towers_rules5apply";
        check_page_without_bots(page, worker.as_bytes()).unwrap();
        for name in WORKERS_ONLY {
            let page = format!("\0asm _ZN11towers_rules5apply _ZN{name}17h0E");
            let why = check_page_without_bots(page.as_bytes(), worker.as_bytes()).unwrap_err();
            assert!(why.to_string().contains(name), "{why}");
        }
        // Without names nothing would be found.
        let why = check_page_without_bots(page, b"\0asm").unwrap_err();
        assert!(why.to_string().starts_with("the worker has no"), "{why}");
    }

    #[test]
    fn the_page_depends_on_no_bots() {
        let sh = Shell::new().unwrap();
        sh.change_dir(root());
        let packages = |program: &str| {
            let options = ["--edges", "normal", "--prefix", "none", "--target", BROWSER];
            let tree = cargo(
                &sh,
                &[&["tree", "--package", program][..], &options].concat(),
            );
            tree.quiet().read().unwrap()
        };
        let [page, worker] = PROGRAMS.map(packages);
        let has_bots = |list: &str| list.lines().any(|line| line.starts_with("towers-bots "));
        assert!(has_bots(&worker) && !has_bots(&page));
    }
}
