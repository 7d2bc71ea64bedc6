//! Lesson, puzzles, rules and review, in a real browser.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_e2e::{Browser, Size, TowersProcess, axe, pointer};
use towers_rules::{Action, Mode, Move};
use towers_study::puzzle::{Puzzle, book, solve};
use towers_study::tutorial::{Lesson, SCRIPT};

use crate::finished_games;

fn preferences(language: &str) -> String {
    json!({"speed": "instant", "language": language, "name": "Ann"}).to_string()
}

/// Follows a link within the client.
pub async fn go(browser: &Browser, address: &str) -> WebDriverResult<()> {
    let script = format!("location.hash = {}", json!(address));
    browser.run(&script).await.map(|_| ())
}

/// Taps a piece of the board once it can be chosen. Earlier taps would only explain it.
async fn tap(browser: &Browser, piece: &str) -> WebDriverResult<()> {
    let selector = format!(".wt-scene {piece}.wt-legal");
    browser.wait_for(&selector).await?;
    let script = format!(
        "const e = document.querySelector({}); const o = {{ bubbles: true, pointerId: 1, pointerType: 'mouse' }}; \
         e.dispatchEvent(new PointerEvent('pointerdown', o)); e.dispatchEvent(new PointerEvent('pointerup', o)); \
         e.dispatchEvent(new PointerEvent('click', o));",
        json!(selector)
    );
    browser.run(&script).await.map(|_| ())
}

async fn tap_move(browser: &Browser, how: Move, colour: char) -> WebDriverResult<()> {
    match how {
        Move::Wizard { from, .. } => {
            tap(
                browser,
                &format!(r#"[data-wizard="{colour}"][data-space="{from}"]"#),
            )
            .await
        }
        Move::Tower(tower) => tap(browser, &format!(r#"[data-tower="{tower}"]"#)).await,
        Move::Nothing => Ok(()),
    }
}

/// Carries out an action as a player does: card or spell, piece, confirm.
async fn act(browser: &Browser, action: Action, colour: char) -> WebDriverResult<()> {
    let card = |card: towers_rules::Card| format!(r#".card[data-card="{card}"]:not(:disabled)"#);
    match action {
        Action::Play(played, how) => {
            browser.click(&card(played)).await?;
            tap_move(browser, how, colour).await?;
        }
        Action::Roll(played) => browser.click(&card(played)).await?,
        Action::Accept(how) => tap_move(browser, how, colour).await?,
        Action::Reroll => return browser.click("[data-intent='reroll']").await,
        Action::Cast(towers_rules::Cast::AdvanceWizard(target)) => {
            tap(browser, r#"[data-spell="AW"]"#).await?;
            let piece = format!(r#"[data-wizard="{colour}"][data-space="{}"]"#, target.space);
            tap(browser, &piece).await?;
        }
        other => panic!("nobody has to do {other} here"),
    }
    browser.click("#confirm").await
}

/// The lesson to its end in every language, with an explained wrong card and a reload.
#[tokio::test]
async fn the_first_game_to_its_end_in_every_language() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    for (language, size) in [
        ("en", Size::Desktop),
        ("de", Size::Phone),
        ("fr", Size::Phone),
    ] {
        let browser = Browser::open(&server.url, size, &preferences(language)).await?;
        browser.click("#learn").await?;
        browser.wait_for("#coach-next").await?;
        axe::check(&browser, "lesson").await?;
        let mut lesson = Lesson::new();
        while lesson.step() + 1 < Lesson::steps() {
            let title = browser.text("#coach-title").await?;
            match lesson.expected() {
                None => browser.click("#coach-next:not(:disabled)").await?,
                Some(action) => {
                    if lesson.step() == 1 {
                        browser.wait_for(r#".hinted [data-card="w2"]"#).await?;
                        act(&browser, "t3:tE".parse().expect("an action"), 'b').await?;
                        browser.wait_for("#coach-wrong").await?;
                        // The highlight stays, even after another card is tried.
                        browser.wait_for(r#".hinted [data-card="w2"]"#).await?;
                        act(&browser, "t3:tE".parse().expect("an action"), 'b').await?;
                        browser.wait_for(r#".hinted [data-card="w2"]"#).await?;
                        browser.driver.refresh().await?;
                        browser.wait_for(".card").await?;
                        browser.wait_text("#coach-title", &title).await?;
                    }
                    act(&browser, action, 'b').await?;
                }
            }
            lesson.advance();
            let next = format!(
                "document.querySelector('#coach-title')?.innerText !== {}",
                json!(title)
            );
            browser.wait_until(&next).await?;
        }
        assert!(SCRIPT.len() > Lesson::steps());
        // The lesson ends with a real game.
        browser.click("#coach-done:not(:disabled)").await?;
        browser
            .wait_until("location.hash.startsWith('#game/')")
            .await?;
        browser.wait_for(".prompt.mine").await?;
        browser.close().await;
    }
    Ok(())
}

/// The first page offers the lesson, and to continue it if it was left; its text says click or tap, depending on the device.
#[tokio::test]
async fn a_newcomer_is_led_to_the_lesson() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    for (touch, word, other) in [(false, "click", "tap"), (true, "tap", "click")] {
        let browser = Browser::open(&server.url, Size::Phone, &preferences("en")).await?;
        if touch {
            pointer::phone(&browser, 390, 844).await?;
        }
        browser.click("#learn-first").await?;
        browser.click("#coach-next:not(:disabled)").await?;
        browser.wait_text(".coach-text", word).await?;
        let text = browser.text(".coach-text").await?;
        assert!(!text.contains(other), "{text}");
        browser.click("#coach-skip").await?;
        browser
            .wait_text("#learn-first", "Continue the lesson")
            .await?;
        browser.click("#learn-first").await?;
        browser.wait_text(".coach-head", "2/16").await?;
        browser.close().await;
    }
    Ok(())
}

/// A puzzle whose only solution uses only cards.
fn simple() -> (Puzzle, Vec<Action>, char) {
    book()
        .into_iter()
        .find_map(|puzzle| {
            let state = puzzle.state().ok()?;
            let solved = solve(&state, puzzle.goal).ok()?;
            let line = solved.shortest()?.to_vec();
            let cards = line.iter().all(|a| matches!(a, Action::Play(..)));
            let colour = state.colour(state.active()).letter();
            cards.then_some((puzzle, line, colour))
        })
        .expect("some puzzles need no spell")
}

/// A puzzle is failed, then solved, and the progress is stored. The puzzle of the day is available, with its solution.
#[tokio::test]
async fn a_puzzle_is_failed_and_then_solved() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    browser.click("#puzzles").await?;
    browser.wait_for("[data-puzzle]").await?;
    axe::check(&browser, "puzzles").await?;
    let (puzzle, line, colour) = simple();
    browser
        .click(&format!(r#"[data-puzzle="{}"]"#, puzzle.key()))
        .await?;
    browser.wait_for("#puzzle-hint").await?;
    axe::check(&browser, "puzzle").await?;
    browser.click("#refresh").await?;
    // R4.4: a tower has to move.
    browser.click(".targets:not(.piece-first) .target").await?;
    browser.click("#confirm").await?;
    // The turn stays open if a spell can be cast.
    browser.wait_for("#end-turn, #verdict").await?;
    if browser.has("#end-turn").await? {
        browser.click("#end-turn").await?;
    }
    browser.wait_text("#verdict", "not reached").await?;
    browser.click("#puzzle-again").await?;
    for action in line {
        act(&browser, action, colour).await?;
    }
    browser.wait_text("#verdict", "Solved").await?;
    go(&browser, "puzzles").await?;
    let row = format!(r#"[data-puzzle="{}"]"#, puzzle.key());
    browser.wait_text(&row, "★").await?;
    browser.click("#puzzle-today").await?;
    // Showing the solution does not count as solved.
    browser.click("#puzzle-solution").await?;
    browser.wait_text("#verdict", "This is a solution").await?;
    let shown = browser.run("return location.hash").await?;
    assert_eq!(shown, "#puzzle/today");
    go(&browser, "puzzles").await?;
    browser.wait_for("#puzzle-today").await?;
    let today = browser.text("#puzzle-today").await?;
    assert!(!today.contains('★'), "{today}");
    browser.close().await;
    Ok(())
}

/// The rules can be searched, and an anchor leads to its clause.
#[tokio::test]
async fn the_rules_are_found_and_searched() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, &preferences("de")).await?;
    go(&browser, "rules/R7.3").await?;
    browser.wait_for("#R7\\.3.noted").await?;
    axe::check(&browser, "rules").await?;
    let search = "const s = document.querySelector('#rules-search'); s.value = 'Burg landen'; s.dispatchEvent(new Event('input'))";
    browser.run(search).await?;
    browser.wait_for("#R7\\.3").await?;
    browser
        .wait_until("!document.getElementById('R5.3')")
        .await?;
    browser.close().await;
    Ok(())
}

/// Opens a record from its text.
pub async fn paste(browser: &Browser, record: &str) -> WebDriverResult<()> {
    go(browser, "").await?;
    browser.wait_for("#play-now").await?;
    browser.click("#open-record").await?;
    browser.wait_for("#record-text").await?;
    let script = format!(
        "const t = document.querySelector('#record-text'); t.value = {}; t.dispatchEvent(new Event('input'))",
        json!(record)
    );
    browser.run(&script).await?;
    browser.click("#record-open:not(:disabled)").await
}

/// A record is opened, stepped through, counted, reviewed, checked, downloaded and opened again.
#[tokio::test]
async fn a_record_is_looked_at_from_all_sides() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    paste(&browser, "nothing").await?;
    browser.wait_text(".why", "cannot be opened").await?;
    axe::check(&browser, "open a record").await?;
    let record = finished_games::record(finished_games::settings(Mode::Versus, 2), 9).to_text();
    paste(&browser, &record).await?;
    browser.wait_for("#replay-on").await?;
    axe::check(&browser, "replay").await?;
    for step in 1..=3 {
        browser.click("#replay-on").await?;
        browser
            .wait_text(".coach h2", &format!("Step {step} of"))
            .await?;
    }
    browser.click("#replay-back").await?;
    browser.wait_text(".coach h2", "Step 2 of").await?;
    browser.click("#show-numbers").await?;
    browser.wait_text("#statistics", "Luck of the dice").await?;
    axe::check(&browser, "numbers").await?;
    browser.click(".dialog .round").await?;
    browser.click("#show-review").await?;
    browser.wait_text("#review-progress", "6 of").await?;
    axe::check(&browser, "review").await?;
    browser.click(".turnings button").await?;
    browser.click(".dialog .round").await?;
    browser.click("#show-fairness").await?;
    browser
        .wait_text("#fair-result", "Everything follows")
        .await?;
    axe::check(&browser, "fairness").await?;
    browser.click(".dialog .round").await?;
    let link = "return decodeURIComponent(document.querySelector('#record-download').href.split(',').slice(1).join(','))";
    let downloaded = browser.run(link).await?;
    assert_eq!(downloaded.as_str(), Some(record.as_str()));
    // A tampered record can be opened, but fails the check.
    let tampered = record.replacen("\"at\":1,", "\"at\":2,", 1);
    paste(&browser, &tampered).await?;
    browser.click("#show-fairness").await?;
    browser
        .wait_text("#fair-result", "Something is wrong")
        .await?;
    browser.close().await;
    Ok(())
}
