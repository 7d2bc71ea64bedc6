//! Previews as a chat program gets them: pages and pictures from a server on a real port.

use std::collections::HashMap;
use std::sync::Arc;

use scraper::{Html, Selector};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use towers_client::{LocalTable, Plan};
use towers_table::{Command, Hex, PersonId, Record, Seed, Start, Table, Who};

use super::*;
use crate::storage::{NewEntry, NewTable};
use crate::tables::meta;
use crate::web::App;
use crate::{Config, Server};

/// A name that would be markup, and a title that would be a script.
const HOSTILE: &str = "\"><script>'&amp;</title>";
const TITLE: &str = "</title><script>alert(1)</script>";

struct PreviewServer {
    app: Arc<App>,
    port: u16,
    _data: TempDir,
}

struct PreviewResponse {
    status: u16,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

impl PreviewResponse {
    fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// The `<meta>` tags by name or property.
    fn tags(&self) -> HashMap<String, String> {
        let page = Html::parse_document(&self.text());
        let selector = Selector::parse("head meta[content]").unwrap();
        let tags = page.select(&selector).filter_map(|tag| {
            let tag = tag.value();
            let name = tag.attr("property").or_else(|| tag.attr("name"))?;
            Some((name.to_string(), tag.attr("content")?.to_string()))
        });
        tags.collect()
    }

    fn title(&self) -> String {
        let page = Html::parse_document(&self.text());
        let title = Selector::parse("title").unwrap();
        let titles: Vec<String> = page.select(&title).map(|t| t.text().collect()).collect();
        assert_eq!(titles.len(), 1);
        titles[0].clone()
    }

    fn size(&self) -> (u32, u32) {
        let decoder = png::Decoder::new(std::io::Cursor::new(&self.body));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert!(
            pixels.iter().any(|&value| value != pixels[0]),
            "it is blank"
        );
        (frame.width, frame.height)
    }
}

impl PreviewServer {
    async fn start() -> PreviewServer {
        let data = tempfile::tempdir().unwrap();
        let config = Config {
            listen: ([127, 0, 0, 1], 0).into(),
            data: data.path().into(),
            hosts: vec!["towers.example".into()],
            min_free_space: 0,
            ..Config::default()
        };
        let server = Server::open(config, crate::thinker()).await.unwrap();
        let (app, port) = (Arc::clone(&server.app), server.address().port());
        tokio::spawn(server.run(std::future::pending()));
        PreviewServer {
            app,
            port,
            _data: data,
        }
    }

    /// Gets a path as a chat program does.
    async fn get(&self, path: &str, headers: &str) -> PreviewResponse {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: towers.example\r\nuser-agent: WhatsApp/2.23.20\r\nconnection: close\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        PreviewResponse {
            status: status.parse().unwrap(),
            headers: lines
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_lowercase(), value.to_string()))
                .collect(),
            body: answer[end + 4..].to_vec(),
        }
    }

    /// Stores a record as the table's task would.
    async fn store(&self, record: &Record) {
        let storage = &self.app.registry.shared().storage;
        let mut table = Table::create(&record.header).unwrap();
        let new = NewTable {
            header: record.header.clone(),
            meta: meta(&table, 0),
            opener: None,
        };
        storage.create(new).await.unwrap();
        for entry in &record.entries {
            table.replay(entry).unwrap();
            let entry = NewEntry {
                table: record.header.table.clone(),
                number: entry.number,
                line: entry.to_line(),
                visited: None,
                meta: Some(meta(&table, 0)),
            };
            storage.append(entry).await.unwrap();
        }
    }
}

fn seed(number: u8) -> Seed {
    Hex([number; 32])
}

/// The id of a table.
fn id(letter: char) -> String {
    format!("3k9x7m2qh5v8w0abcde{letter}")
}

fn plan(names: &[&str]) -> Plan {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let mut plan = Plan::hot_seat(&names);
    plan.settings.start = Start::Seat(towers_rules::Seat(0));
    plan.settings.options.start_setup = towers_rules::Selection::Chosen;
    plan
}

/// A game that has just begun.
fn begun(letter: char, plan: &Plan, number: u8) -> Record {
    let local = LocalTable::open(&id(letter), plan, 1, &seed(number)).unwrap();
    local.record().clone()
}

/// A table of three with two free seats.
fn waiting(letter: char) -> Record {
    let settings = plan(&["Ann", "Ben", "Cleo"]).settings;
    let header = towers_table::Header::new(&id(letter), settings, "Ann", "", 1);
    let mut table = Table::create(&header).unwrap();
    let mut record = Record::new(header);
    let sit = Command::Sit {
        name: None,
        seat: None,
        colour: None,
        key: String::new(),
        program: false,
    };
    let entry = table.submit(1, Who::Person(PersonId(0)), sit, &seed(1));
    record.entries.push(entry.unwrap());
    record
}

/// A game of some moves that was ended by agreement.
fn ended(letter: char, plan: &Plan, number: u8) -> Record {
    let mut record = begun(letter, plan, number);
    let mut table = record.rebuild().unwrap();
    let persons = plan.seats.len() as u32;
    for _ in 0..12 {
        let decided = (0..persons).map(PersonId).find_map(|person| {
            let game = table.game_view(Some(person))?;
            Some((person, *game.legal.first()?))
        });
        let Some((person, action)) = decided else {
            break;
        };
        let act = Command::Act {
            action,
            decision: None,
        };
        let entry = table.submit(2, Who::Person(person), act, &seed(number));
        record.entries.push(entry.unwrap());
    }
    for person in (0..persons).map(PersonId) {
        let end = Command::End { agree: true };
        let entry = table.submit(3, Who::Person(person), end, &seed(number));
        record.entries.push(entry.unwrap());
    }
    record
}

#[tokio::test]
async fn a_chat_gets_tags_and_a_picture_of_every_kind_of_address() {
    let host = PreviewServer::start().await;
    host.store(&begun('a', &plan(&["Ann", "Ben", "Cléo"]), 1))
        .await;
    host.store(&ended('b', &plan(&["Ann", "Ben"]), 2)).await;
    host.store(&waiting('c')).await;
    let puzzle = &book()[0];
    let words = towers_client::Words::of(Language::English);
    let goal = words.say(&towers_client::labels::goal(puzzle.goal));
    for (path, title) in [
        ("/".to_string(), "Wandering Towers"),
        ("/rules".into(), "Wandering Towers"),
        (format!("/t/{}", id('c')), "Play with Ann"),
        (format!("/t/{}", id('a')), "Ann, Ben, Cléo"),
        (format!("/board/{}", id('a')), "Ann, Ben, Cléo"),
        (format!("/replay/{}", id('b')), "Game of Ann, Ben"),
        (format!("/replay/{}/6", id('b')), "Game of Ann, Ben"),
        (format!("/puzzle/{}", puzzle.key()), &goal),
        ("/puzzle/today".into(), "Puzzle of the day"),
        ("/daily".into(), "Deal of the day"),
    ] {
        let page = host.get(&path, "").await;
        assert_eq!(page.status, 200, "{path}");
        let tags = page.tags();
        assert_eq!(tags["og:title"], title, "{path}");
        assert!(page.title().starts_with(&tags["og:title"]), "{path}");
        assert!(!tags["og:description"].is_empty(), "{path}");
        assert_eq!(tags["description"], tags["og:description"], "{path}");
        assert_eq!(tags["twitter:card"], "summary_large_image");
        let url = &tags["og:url"];
        assert!(url.starts_with("http://towers.example/"), "{url}");
        let secret = path.contains("3k9x");
        assert_eq!(tags.contains_key("robots"), secret, "{path}");
        let policy = &page.headers["content-security-policy"];
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe-inline"));

        let picture = tags["og:image"]
            .strip_prefix("http://towers.example")
            .unwrap();
        let answer = host.get(picture, "").await;
        assert_eq!(answer.status, 200, "{picture}");
        assert_eq!(answer.headers["content-type"], "image/png");
        assert_eq!(
            answer.headers["cross-origin-resource-policy"],
            "cross-origin"
        );
        assert_eq!(answer.size(), (1200, 630), "{picture}");
        let (width, height) = (&tags["og:image:width"], &tags["og:image:height"]);
        assert_eq!((width.as_str(), height.as_str()), ("1200", "630"));
        assert!(
            answer.body.len() < 300_000,
            "{picture}: {}",
            answer.body.len()
        );
        let again = format!("if-none-match: {}\r\n", answer.headers["etag"]);
        let again = host.get(picture, &again).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{picture}");
        // To look at them: TOWERS_PICTURES=folder cargo test -p towers-server previews
        if let Ok(folder) = std::env::var("TOWERS_PICTURES") {
            let name = path.trim_matches('/').replace('/', "-");
            let file = std::path::Path::new(&folder).join(format!("preview-{name}.png"));
            std::fs::write(file, &answer.body).unwrap();
        }
    }
}

#[tokio::test]
async fn the_picture_of_a_replay_shows_the_move_of_the_address() {
    let host = PreviewServer::start().await;
    host.store(&ended('b', &plan(&["Ann", "Ben"]), 2)).await;
    let picture = async |entry: &str| {
        let page = host.get(&format!("/replay/{}{entry}", id('b')), "").await;
        let image = page.tags()["og:image"].clone();
        let path = image.strip_prefix("http://towers.example").unwrap();
        host.get(path, "").await.body
    };
    let sixth = picture("/6").await;
    assert_eq!(sixth, picture("/6").await);
    assert_ne!(sixth, picture("/16").await);
    assert_ne!(sixth, picture("").await);
}

#[tokio::test]
async fn icons_and_screenshots_have_the_sizes_of_the_manifest() {
    let host = PreviewServer::start().await;
    for icon in ICONS {
        let answer = host.get(icon.path, "").await;
        assert_eq!(answer.status, 200, "{}", icon.path);
        assert_eq!(answer.size(), icon.size, "{}", icon.path);
        if let Ok(folder) = std::env::var("TOWERS_PICTURES") {
            let file = std::path::Path::new(&folder).join(icon.path.trim_matches('/'));
            std::fs::write(file, &answer.body).unwrap();
        }
    }
    let manifest = include_str!("../../../web/assets/manifest.webmanifest");
    let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
    let pictures = ["icons", "screenshots"].map(|list| manifest[list].as_array().unwrap());
    let mut seen = 0;
    for picture in pictures.into_iter().flatten() {
        let path = format!("/{}", picture["src"].as_str().unwrap());
        let Some(icon) = ICONS.iter().find(|icon| icon.path == path) else {
            continue;
        };
        let size = format!("{}x{}", icon.size.0, icon.size.1);
        assert_eq!(picture["sizes"], size.as_str(), "{path}");
        seen += 1;
    }
    assert_eq!(seen, ICONS.len() - 1, "the touch icon is in the page");
    for shortcut in manifest["shortcuts"].as_array().unwrap() {
        let (_, fragment) = shortcut["url"].as_str().unwrap().split_once('#').unwrap();
        let route = towers_client::Route::parse(fragment);
        assert_eq!(route.to_string(), fragment, "the client knows the address");
    }
}

#[tokio::test]
async fn hostile_names_are_only_text() {
    let host = PreviewServer::start().await;
    let mut hostile = plan(&[HOSTILE, "Ben"]);
    hostile.settings.title = TITLE.into();
    hostile.settings.public = true;
    host.store(&begun('a', &hostile, 1)).await;
    let page = host.get(&format!("/t/{}", id('a')), "").await;
    let tags = page.tags();
    assert_eq!(tags["og:title"], TITLE);
    assert!(tags["og:description"].contains(HOSTILE), "{tags:?}");
    assert_eq!(page.title(), format!("{TITLE} · Wandering Towers"));
    // Scripts are those of the page without a preview.
    let scripts = |page: &PreviewResponse| page.text().matches("<script").count();
    assert_eq!(scripts(&page), scripts(&host.get("/", "").await));
    let picture = host
        .get(&format!("/preview/table/{}.png", id('a')), "")
        .await;
    assert_eq!(picture.size(), (1200, 630));
    // A host with a user part is reduced to its name.
    let evil = "x-forwarded-proto: javascript\r\nx-forwarded-host: evil.example\r\n";
    let page = host.get("/", evil).await;
    assert_eq!(page.tags()["og:url"], "http://towers.example/");
}

#[tokio::test]
async fn the_name_of_a_private_table_stays_private() {
    let host = PreviewServer::start().await;
    let mut secret = plan(&["Ann", "Ben"]);
    secret.settings.title = "Surprise for Cleo".into();
    secret.settings.public = false;
    host.store(&begun('a', &secret, 1)).await;
    secret.settings.title = String::new();
    host.store(&begun('b', &secret, 1)).await;
    let page = host.get(&format!("/t/{}", id('a')), "").await;
    assert!(!page.text().contains("Surprise"));
    let picture = |letter| format!("/preview/table/{}.png", id(letter));
    let [named, unnamed] = [picture('a'), picture('b')];
    let named = host.get(&named, "").await;
    assert_eq!(named.body, host.get(&unnamed, "").await.body);
}

#[tokio::test]
async fn pictures_depend_only_on_what_a_spectator_sees() {
    let host = PreviewServer::start().await;
    let players = plan(&["Ann", "Ben"]);
    let records = [begun('a', &players, 1), begun('b', &players, 2)];
    let hands = records.each_ref().map(|record| {
        let table = record.rebuild().unwrap();
        table.game_view(Some(PersonId(0))).unwrap().view.hand
    });
    assert_ne!(hands[0], hands[1], "they have different cards");
    for record in &records {
        host.store(record).await;
    }
    let [one, other] = ['a', 'b'].map(|letter| format!("/preview/table/{}.png", id(letter)));
    let (one, other) = (host.get(&one, "").await, host.get(&other, "").await);
    assert_eq!(one.headers["etag"], other.headers["etag"]);
    assert_eq!(one.body, other.body);
}

#[tokio::test]
async fn missing_subjects_have_no_picture() {
    let host = PreviewServer::start().await;
    host.store(&begun('a', &plan(&["Ann", "Ben"]), 1)).await;
    for path in [
        format!("/preview/table/{}.png", id('z')),
        format!("/preview/replay/{}.png", id('z')),
        // The game is not over.
        format!("/preview/replay/{}.png", id('a')),
        "/preview/puzzle/00000000.png".into(),
        "/preview/puzzle/1999-01-01.png".into(),
        "/preview/table/..%2f..%2fetc.png".into(),
        "/preview/start/x.png".into(),
    ] {
        assert_eq!(host.get(&path, "").await.status, 404, "{path}");
    }
    // The page itself is served, about the game in general.
    let page = host.get(&format!("/t/{}", id('z')), "").await;
    assert_eq!(page.status, 200);
    assert_eq!(page.tags()["og:title"], "Wandering Towers");
    assert!(!page.text().contains(&id('z')));
}

#[tokio::test]
async fn the_page_speaks_the_readers_language_and_is_cached_by_its_content() {
    let host = PreviewServer::start().await;
    host.store(&ended('a', &plan(&["Ann", "Ben"]), 1)).await;
    let path = format!("/replay/{}", id('a'));
    let page = host
        .get(&path, "accept-language: de-AT, en;q=0.5\r\n")
        .await;
    assert_eq!(page.tags()["og:title"], "Partie von Ann, Ben");
    assert_eq!(page.tags()["og:locale"], "de_DE");
    assert!(page.tags()["og:image"].ends_with("?lang=de"));
    assert!(page.text().contains("<html lang=\"de\">"));
    assert_eq!(page.headers["vary"], "accept-encoding, accept-language");
    let same = format!(
        "accept-language: de\r\nif-none-match: {}\r\n",
        page.headers["etag"]
    );
    assert_eq!(host.get(&path, &same).await.status, 304);
    let start = host.get("/", "accept-language: de\r\n").await;
    assert_eq!(start.tags()["og:title"], "Die wandelnden Türme");
    assert_eq!(start.title(), "Die wandelnden Türme");
    assert_eq!(start.tags()["og:site_name"], "Die wandelnden Türme");
    let french = host.get(&path, "accept-language: fr\r\n").await;
    assert_eq!(french.tags()["og:title"], "Partie\u{a0}: Ann, Ben");
    assert_ne!(french.headers["etag"], page.headers["etag"]);
    let packed = host.get(&path, "accept-encoding: gzip, br\r\n").await;
    assert_eq!(packed.headers["content-encoding"], "br");
    let mut plain = Vec::new();
    brotli::BrotliDecompress(&mut &*packed.body, &mut plain).unwrap();
    assert_eq!(plain, host.get(&path, "").await.body);
    // The file for use without a network is the same for everybody.
    let file = host.get("/index.html", "").await;
    if file.status == 200 {
        assert!(!file.text().contains("og:title"));
    }
}

#[tokio::test]
async fn the_cache_is_bounded_in_number_and_bytes() {
    let previews = Previews::default();
    let (small, large) = (Bytes::from(vec![0; 10]), Bytes::from(vec![0; 400_000]));
    for (picture, count) in [(small, 2000_u32), (large, 200)] {
        for n in 0..count {
            let digest = Digest::digest(&[&n.to_le_bytes(), &picture]);
            previews.pictures.insert(digest, picture.clone());
        }
        let bytes: usize = previews.pictures.iter().map(|(_, p)| p.len()).sum();
        assert!(previews.pictures.len() as u64 <= CACHE_PICTURES);
        assert!(bytes as u64 <= CACHE_BYTES, "{bytes}");
        assert!(previews.pictures.len() > 20);
    }
}

#[tokio::test]
async fn an_address_cannot_have_pictures_painted_without_end() {
    let host = PreviewServer::start().await;
    let mut refused = None;
    for _ in 0..200 {
        let answer = host.get("/preview/start/towers.png", "").await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("there is a limit");
    assert_eq!(refused.status, 429);
    assert!(refused.headers.contains_key("retry-after"));
    // Pages are served in any case.
    assert_eq!(host.get("/", "").await.status, 200);
}
