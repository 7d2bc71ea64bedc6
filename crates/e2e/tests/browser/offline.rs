//! The first visit and offline play: what is fetched before the first card can be played, and that everything is kept
//! afterwards.

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_e2e::play::{self, Moment};
use towers_e2e::{Browser, Size, TowersProcess};
use towers_rules::Mode;

use crate::finished_games;
use crate::learning::{go, paste};

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

/// The service worker has stored everything.
pub const IS_KEPT: &str = "(await navigator.serviceWorker.ready).active.state === 'activated'";

/// The limit of `cargo xtask client` for everything fetched until the first card can be played.
const MAX_FIRST_GAME_BYTES: u64 = 750_000;

/// Records what was fetched at the time when the page registers its service worker.
const RECORD_FETCHED: &str = "
    const register = ServiceWorkerContainer.prototype.register;
    ServiceWorkerContainer.prototype.register = function (...options) {
        const size = (entry) => [new URL(entry.name).pathname, [entry.encodedBodySize, entry.decodedBodySize]];
        const entries = ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind));
        window.beforeRegistering = {
            playable: document.querySelector('.card:not(:disabled)') !== null,
            files: Object.fromEntries(entries.map(size)),
        };
        return register.apply(this, options);
    }";

/// Until the first card can be played, neither bots nor rules nor other languages are fetched, by the page or by its
/// service worker. All of them are kept afterwards.
#[tokio::test]
async fn everything_else_is_fetched_after_the_first_card_can_be_played() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    let script = json!({ "source": RECORD_FETCHED });
    let cdp = browser.driver.cdp();
    cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", script)
        .await?;
    browser.home().await?;
    let registered =
        "return navigator.serviceWorker.getRegistration().then((found) => found !== undefined)";
    assert_eq!(browser.run(registered).await?, false);
    browser.click("#play-now").await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    browser.wait_until("window.beforeRegistering").await?;
    let before = browser.run("return window.beforeRegistering").await?;
    assert_eq!(before["playable"], true, "{before}");
    let files = before["files"].as_object().expect("a map");
    let starting = |prefix: &str| files.keys().filter(|file| file.starts_with(prefix)).count();
    assert_eq!(starting("/assets/page-wasm"), 1, "{before}");
    assert_eq!(starting("/assets/texts-en"), 1, "{before}");
    for later in [
        "/assets/worker",
        "/assets/texts-de",
        "/assets/texts-fr",
        "/texts/",
    ] {
        assert_eq!(starting(later), 0, "{later} in {before}");
    }
    let size = |file: &Value, index: usize| file[index].as_u64().unwrap_or_default();
    let fetched: u64 = files.values().map(|file| size(file, 0)).sum();
    println!("{fetched} bytes");
    // The files of a quick build are not compressed.
    let program = files
        .iter()
        .find(|(file, _)| file.starts_with("/assets/page-wasm"));
    if program.is_some_and(|(_, file)| size(file, 0) < size(file, 1)) {
        assert!(fetched <= MAX_FIRST_GAME_BYTES, "{fetched} bytes: {before}");
    }
    browser.wait_until(IS_KEPT).await?;
    let kept = "return (async () => {
        const cache = await caches.open((await caches.keys())[0]);
        return (await cache.keys()).map((request) => new URL(request.url).pathname);
    })()";
    let kept = browser.run(kept).await?;
    let kept: Vec<&str> = kept
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|f| f.as_str())
        .collect();
    for needed in [
        "/assets/worker-wasm",
        "/assets/texts-de",
        "/assets/texts-fr",
        "/texts/fr.txt",
    ] {
        assert!(
            kept.iter().any(|file| file.starts_with(needed)),
            "{needed} in {kept:?}"
        );
    }
    browser.close().await;
    Ok(())
}

/// Once a game was opened, everything on the device works without a server: games against bots, other languages, rules,
/// the lesson, puzzles and the review.
#[tokio::test]
async fn everything_on_the_device_works_offline() -> WebDriverResult<()> {
    let mut server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, QUICK).await?;
    browser.click("#play-now").await?;
    browser.wait_until(IS_KEPT).await?;
    server.kill();
    browser.home().await?;
    browser.click("#play-now").await?;
    assert_eq!(play::wait(&browser).await?, Moment::Decide);
    play::follow_hint(&browser).await?;
    assert_ne!(play::wait(&browser).await?, Moment::Over);
    // A language that was never shown, also after a reload.
    browser.home().await?;
    browser.click("#open-settings").await?;
    browser.click_text("Deutsch").await?;
    browser.wait_text("#play-now", "Jetzt spielen").await?;
    browser.home().await?;
    browser.wait_text("#play-now", "Jetzt spielen").await?;
    go(&browser, "rules/R7.3").await?;
    browser.wait_text("#R7\\.3.noted", "Turm").await?;
    go(&browser, "learn").await?;
    browser.click("#coach-next:not(:disabled)").await?;
    // Solving and reviewing is the worker's.
    go(&browser, "puzzle/today").await?;
    browser.click("#puzzle-solution").await?;
    browser.wait_for("#verdict").await?;
    let record = finished_games::record(finished_games::settings(Mode::Versus, 2), 9).to_text();
    paste(&browser, &record).await?;
    browser.wait_for("#replay-on").await?;
    browser.click("#show-review").await?;
    browser.wait_text("#review-progress", "6 von").await?;
    browser.close().await;
    Ok(())
}
