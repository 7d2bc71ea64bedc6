//! Builds the browser client into `dist/`: WASM, glue, styles, fonts, manifest and service worker, named by their content.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use wasm_bindgen_cli_support::Bindgen;

use crate::order::order;
use crate::prune::prune;
use crate::run::{Done, cargo, command, output, root, run};
use crate::shorten::shorten;
use crate::small_std;

/// How the client is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As it is shipped: small and quick, compressed beforehand.
    Release,
    /// For work on the client: pages reload when there is a new one.
    Quick,
}

/// How many KB the compressed client may have in all, of 1000 bytes each.
const MOST: usize = 500;
/// How many more another compiler may need than the one it was measured with.
const ROOM: usize = 10;

fn read(path: &Path) -> Done<Vec<u8>> {
    fs::read(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn read_text(path: &Path) -> Done<String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The files of the client, named by their content.
struct Dist {
    folder: PathBuf,
    /// Paths from the page, in order.
    files: Vec<String>,
}

impl Dist {
    fn new(folder: PathBuf) -> Done<Dist> {
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
        }
        for part in ["assets", "texts"] {
            fs::create_dir_all(folder.join(part)).map_err(|e| e.to_string())?;
        }
        Ok(Dist {
            folder,
            files: Vec::new(),
        })
    }

    /// Adds a file under a name that changes with its content; answers with that name.
    fn add(&mut self, name: &str, extension: &str, content: &[u8]) -> Done<String> {
        let mut digest = String::new();
        for byte in &Sha256::digest(content)[..6] {
            let _ = write!(digest, "{byte:02x}");
        }
        let name = format!("{name}-{digest}.{extension}");
        self.put(&format!("assets/{name}"), content)?;
        Ok(name)
    }

    fn put(&mut self, path: &str, content: &[u8]) -> Done {
        fs::write(self.folder.join(path), content).map_err(|e| format!("{path}: {e}"))?;
        self.files.push(path.into());
        Ok(())
    }
}

/// Builds the client into `dist/`.
pub fn build(kind: Kind) -> Done {
    let root = root();
    let small = kind == Kind::Release && small_std::is_possible();
    if kind == Kind::Release && !small {
        println!(
            "this compiler cannot compile the standard library for size: the client becomes larger"
        );
    }
    let wasm = compile(&root, kind, small)?;
    let bound = root.join("target/wasm/bound");
    bind(&wasm, &bound, kind)?;
    let assets = root.join("crates/web/assets");
    let mut dist = Dist::new(root.join("dist"))?;

    let mut style =
        read_text(&root.join("crates/art/src/style.css"))? + &read_text(&assets.join("app.css"))?;
    for font in ["title", "text", "text-bold"] {
        let file = read(&root.join(format!("crates/art/fonts/{font}.woff2")))?;
        let name = dist.add(font, "woff2", &file)?;
        style = style.replace(&format!("url({font}.woff2)"), &format!("url({name})"));
    }
    let style = dist.add("app", "css", plain(&style).as_bytes())?;
    let mut wasm = read(&bound.join("web_bg.wasm"))?;
    let mut glue = read_text(&bound.join("web.js"))?;
    if kind == Kind::Release {
        (wasm, glue) = prune(&wasm, &glue)?;
        (wasm, glue) = shorten(&order(&wasm)?, &glue)?;
    }
    let wasm = dist.add("web", "wasm", &wasm)?;
    let glue = dist.add("web", "js", glue.as_bytes())?;
    let script = |dist: &mut Dist, name: &str| -> Done<String> {
        let text = bare(&read_text(&assets.join(format!("{name}.js")))?);
        let text = text.replace("{{glue}}", &glue).replace("{{wasm}}", &wasm);
        dist.add(name, "js", text.as_bytes())
    };
    let boot = script(&mut dist, "boot")?;
    let worker = script(&mut dist, "worker")?;
    for icon in ["icon.svg", "icon-turn.svg", "icon-192.png"] {
        let path = assets.join(icon);
        if path.exists() {
            dist.put(icon, &read(&path)?)?;
        }
    }
    for language in ["en", "de", "fr"] {
        // One file: what rules and lesson have in common is compressed once.
        let mut all = Vec::new();
        for name in ["rules", "tutorial"] {
            let file = format!("crates/study/texts/{name}.{language}.txt");
            all.push(read_text(&root.join(file))?);
        }
        dist.put(
            &format!("texts/{language}.txt"),
            all.join("\u{c}").as_bytes(),
        )?;
    }
    dist.put(
        "manifest.webmanifest",
        &read(&assets.join("manifest.webmanifest"))?,
    )?;
    let mut page = read_text(&assets.join("index.html"))?
        .replace("{{style}}", &style)
        .replace("{{boot}}", &boot)
        .replace("{{glue}}", &glue)
        .replace("{{wasm}}", &wasm)
        .replace("{{worker}}", &worker);
    if kind == Kind::Quick {
        let reload = script(&mut dist, "reload")?;
        let tag = format!(r#"<script type="module" src="/assets/{reload}"></script></head>"#);
        page = page.replace("</head>", &tag);
    }
    dist.put("index.html", page.as_bytes())?;
    service_worker(&assets, &mut dist)?;
    if kind == Kind::Quick {
        // The service worker names every file by its content, so it is another one for every build.
        dist.put("version.txt", &read(&dist.folder.join("sw.js"))?)?;
    }
    if kind == Kind::Release {
        let size = compress(&dist)?;
        println!(
            "dist: {} files, {size} KB compressed (at most {MOST})",
            dist.files.len()
        );
        if small && size > MOST + ROOM {
            return Err(format!(
                "the client has {size} KB; it may have {MOST} at most: see docs/client-size.md"
            ));
        }
    }
    Ok(())
}

/// Styles without comments, and with one space where there were several or a new line.
fn plain(style: &str) -> String {
    let mut parts = style.split("/*");
    let first = parts.next().unwrap_or_default();
    let rest = parts.filter_map(|part| part.split_once("*/").map(|(_, after)| after));
    let words = std::iter::once(first).chain(rest);
    let words = words.flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

/// A script without indentation and without the lines that are comments.
fn bare(script: &str) -> String {
    let lines = script.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The name of the browser as a target.
pub const BROWSER: &str = "wasm32-unknown-unknown";

/// Makes sure that Rust can build for the browser.
pub fn browser_target() -> Done {
    if let Ok((installed, _)) = output(&mut command("rustup", &["target", "list", "--installed"]))
        && !installed.lines().any(|target| target == BROWSER)
    {
        run(&mut command("rustup", &["target", "add", BROWSER]))?;
    }
    Ok(())
}

fn compile(root: &Path, kind: Kind, small: bool) -> Done<PathBuf> {
    browser_target()?;
    let (profile, folder) = match kind {
        Kind::Release => ("wasm", "wasm"),
        Kind::Quick => ("dev", "debug"),
    };
    let mut build = cargo(&[
        "build",
        "--quiet",
        "--package",
        "web",
        "--target",
        BROWSER,
        "--profile",
        profile,
        "--target-dir",
        "target/wasm",
    ]);
    if small {
        small_std::add_to(&mut build);
    }
    run(&mut build)?;
    Ok(root.join(format!("target/wasm/{BROWSER}/{folder}/web.wasm")))
}

fn bind(wasm: &Path, out: &Path, kind: Kind) -> Done {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(wasm)
        .typescript(false)
        .keep_debug(false)
        // Names are a third of the file and of no use to players.
        .remove_name_section(kind == Kind::Release)
        .remove_producers_section(true);
    bindgen
        .web(true)
        .and_then(|b| b.omit_default_module_path(false).generate(out))
        .map_err(|e| format!("binding {}: {e}", wasm.display()))
}

/// The service worker knows every file, and its cache is named by them: a new build is a new cache.
fn service_worker(assets: &Path, dist: &mut Dist) -> Done {
    let mut hasher = Sha256::new();
    for file in &dist.files {
        hasher.update(file);
        hasher.update(read(&dist.folder.join(file))?);
    }
    let mut version = String::new();
    for byte in &hasher.finalize()[..6] {
        let _ = write!(version, "{byte:02x}");
    }
    let list: Vec<String> = dist.files.iter().map(|f| format!("'{f}'")).collect();
    let text = bare(&read_text(&assets.join("sw.js"))?)
        .replace("{{version}}", &version)
        .replace("'{{files}}'", &list.join(", "));
    dist.put("sw.js", text.as_bytes())
}

/// As small as brotli makes it: what is meant for fonts suits programs, too, and so do smaller blocks than usual.
fn smallest(content: &[u8]) -> Done<Vec<u8>> {
    use brotli::enc::backward_references::BrotliEncoderMode::{
        BROTLI_MODE_FONT, BROTLI_MODE_GENERIC,
    };
    let mut found: Option<Vec<u8>> = None;
    for (mode, lgblock) in [BROTLI_MODE_GENERIC, BROTLI_MODE_FONT]
        .into_iter()
        .flat_map(|mode| [16, 17, 19].map(|block| (mode, block)))
    {
        let mut packed = Vec::new();
        let params = brotli::enc::BrotliEncoderParams {
            quality: 11,
            mode,
            lgblock,
            size_hint: content.len(),
            ..Default::default()
        };
        brotli::BrotliCompress(&mut &*content, &mut packed, &params).map_err(|e| e.to_string())?;
        if found.as_ref().is_none_or(|f| packed.len() < f.len()) {
            found = Some(packed);
        }
    }
    found.ok_or_else(|| "nothing to compress".into())
}

/// Compresses beforehand what a server would otherwise compress again and again. Answers with how many KB that makes.
fn compress(dist: &Dist) -> Done<usize> {
    let mut sum = 0;
    for file in &dist.files {
        let content = read(&dist.folder.join(file))?;
        let packed = ["wasm", "js", "css", "html", "svg", "txt", "webmanifest"]
            .iter()
            .any(|e| file.ends_with(e));
        if !packed {
            sum += content.len();
            continue;
        }
        let small = smallest(&content)?;
        sum += small.len();
        let write = |end: &str, bytes: &[u8]| {
            fs::write(dist.folder.join(format!("{file}{end}")), bytes).map_err(|e| e.to_string())
        };
        write(".br", &small)?;
        let mut zip = GzEncoder::new(Vec::new(), Compression::best());
        zip.write_all(&content).map_err(|e| e.to_string())?;
        write(".gz", &zip.finish().map_err(|e| e.to_string())?)?;
    }
    Ok(sum.div_ceil(1000))
}

/// Makes the screenshots in `docs/screenshots/`.
pub fn screenshots() -> Done {
    build(Kind::Release)?;
    crate::browser::ensure()?;
    run(&mut cargo(&["build", "--bin", "towers"]))?;
    run(&mut cargo(&[
        "run",
        "--package",
        "e2e",
        "--example",
        "screenshots",
    ]))
}

#[cfg(test)]
mod tests {
    use super::{bare, plain};

    #[test]
    fn styles_lose_their_comments_and_nothing_else() {
        let style = "/* first */\na, b {\n  margin: 1px 2px; /* why */ color: red;\n}\n";
        assert_eq!(plain(style), "a, b { margin: 1px 2px; color: red; }");
    }

    #[test]
    fn scripts_lose_their_comments_and_nothing_else() {
        let script = "// first\nlet a = 1;\n\n  // why\n  a('http://b'); // stays\n";
        assert_eq!(bare(script), "let a = 1;\na('http://b'); // stays");
    }
}
