//! Takes screenshots of every screen in both sizes and both themes, by day in English and by night in German: `cargo
//! xtask screenshots`.
//!
//! Every screen is also checked with axe-core; a violation stops the program.

#[path = "../../study/tests/common/mod.rs"]
mod common;
#[path = "screenshots/people.rs"]
mod people;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::Language;
use towers_client::words::{Words, say};
use towers_e2e::play::{self, Moment};
use towers_e2e::server::root;
use towers_e2e::{Browser, Size, TowersProcess, axe};
use towers_study::puzzle::book;

/// A browser with a screen size and a theme.
struct ScreenshotBrowser {
    browser: Browser,
    words: Words,
    end: String,
}

impl ScreenshotBrowser {
    async fn picture(&self, name: &str) -> WebDriverResult<()> {
        tokio::time::sleep(Duration::from_millis(700)).await;
        axe::check(&self.browser, &format!("{name}-{}", self.end)).await?;
        let folder: PathBuf = root().join("docs/screenshots");
        fs::create_dir_all(&folder).expect("a folder for pictures");
        let file = folder.join(format!("{name}-{}.webp", self.end));
        fs::write(file, self.browser.webp().await?).expect("the picture is written");
        Ok(())
    }

    /// Opens a dialog by a button, takes a screenshot, and closes the dialog.
    async fn dialog(&self, button: &str, ready: &str, name: &str) -> WebDriverResult<()> {
        self.browser.click(button).await?;
        self.browser.wait_for(ready).await?;
        self.picture(name).await?;
        self.browser.click(".dialog .round").await
    }

    /// Goes to a screen by its address.
    async fn go(&self, hash: &str) -> WebDriverResult<()> {
        self.browser.home().await?;
        self.browser
            .run(&format!("location.hash = '{hash}'"))
            .await?;
        tokio::time::sleep(Duration::from_millis(800)).await;
        Ok(())
    }

    /// Chooses a setting on the setup screen, by the keys of the texts.
    async fn choose(&self, label: &'static str, text: &'static str) -> WebDriverResult<()> {
        let said = self.words.say(&say(text));
        let label = self.words.say(&say(label));
        self.browser.choose(&label, &said).await
    }

    async fn players(&self, number: &str) -> WebDriverResult<()> {
        let label = self.words.say(&say("setup.players"));
        self.browser.choose(&label, number).await
    }

    /// Follows hints for at most `decisions` decisions. Returns whether the game continues.
    async fn play(&self, decisions: usize) -> WebDriverResult<bool> {
        for _ in 0..decisions {
            match play::wait(&self.browser).await? {
                Moment::Decide => play::follow_hint(&self.browser).await?,
                Moment::Over => return Ok(false),
                Moment::Cover => self.browser.click("#uncover").await?,
            }
        }
        Ok(play::wait(&self.browser).await? != Moment::Over)
    }

    async fn around(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        self.picture("start").await?;
        self.dialog("#open-settings", ".dialog", "settings").await?;
        b.click("#new-game").await?;
        self.picture("setup").await?;
        b.run(
            "for (const d of document.querySelectorAll('details')) d.open = true; scrollTo(0, 700)",
        )
        .await?;
        self.picture("setup-more").await?;
        self.go("rules").await?;
        self.picture("rules").await?;
        self.go("rules/R7.3").await?;
        self.picture("rules-clause").await?;
        self.go("puzzles").await?;
        self.picture("puzzles").await?;
        self.go(&format!("puzzle/{}", book()[20].key())).await?;
        b.wait_for("#puzzle-hint").await?;
        self.picture("puzzle").await?;
        self.go("learn").await?;
        self.picture("learn").await?;
        b.click("#coach-next:not(:disabled)").await?;
        self.picture("learn-card").await
    }

    async fn online(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.home().await?;
        b.click("#online").await?;
        self.picture("lobby").await?;
        b.click("#open-table").await?;
        b.click("#begin").await?;
        b.wait_for("#link").await?;
        self.picture("room").await?;
        for seat in 1..3 {
            b.run(&format!(
                "const s = document.querySelectorAll('.bot-level')[{}]; s.value = 'adept'; s.dispatchEvent(new Event('change', {{ bubbles: true }}))",
                seat - 1
            ))
            .await?;
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        b.click("#start:not(:disabled)").await?;
        play::wait(b).await?;
        self.picture("online").await?;
        self.dialog("#chat", ".dialog", "talk").await?;
        self.go(&format!("t/{}", "0".repeat(20))).await?;
        self.picture("no-table").await
    }

    async fn game(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        // Start another game if one ends before such a position.
        let (card, target) = loop {
            b.home().await?;
            b.click("#play-now").await?;
            play::wait(b).await?;
            self.picture("turn").await?;
            let mut found = None;
            let mut goes_on = self.play(10).await?;
            while goes_on && found.is_none() {
                found = self.something_to_see().await?;
                goes_on = found.is_some() || self.play(1).await?;
            }
            if let Some(found) = found {
                break found;
            }
        };
        self.press(".card", card).await?;
        self.picture("choose").await?;
        self.press(".targets:not(.piece-first) .target", target)
            .await?;
        self.picture("preview").await?;
        self.press("#cancel", 0).await?;
        self.dialog("#hint:not(:disabled)", ".dialog .row", "hint")
            .await?;
        self.dialog("#log", ".dialog", "log").await?;
        self.dialog("#reference", ".dialog", "reference").await?;
        b.home().await?;
        self.picture("saved").await?;
        b.click(".saved .row").await?;
        play::to_the_end(b).await?;
        self.picture("result").await
    }

    /// Clicks the element at this index among the matches of a selector.
    async fn press(&self, selector: &str, place: usize) -> WebDriverResult<()> {
        let script = format!("document.querySelectorAll('{selector}')[{place}]?.click()");
        self.browser.run(&script).await?;
        tokio::time::sleep(Duration::from_millis(120)).await;
        Ok(())
    }

    /// The index of a card, and of a piece that it moves so that a wizard is imprisoned.
    async fn something_to_see(&self) -> WebDriverResult<Option<(usize, usize)>> {
        let b = &self.browser;
        let mut found = None;
        for card in 0..3 {
            self.press(".card", card).await?;
            for target in 0..9 {
                self.press(".targets:not(.piece-first) .target", target)
                    .await?;
                if b.has("#confirm").await? && b.has(".preview-imprisons").await? {
                    found = Some((card, target));
                    break;
                }
            }
            self.press("#cancel", 0).await?;
            if found.is_some() {
                break;
            }
        }
        Ok(found)
    }

    /// A solo game up to its rating.
    async fn alone(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.home().await?;
        b.click("#solo").await?;
        b.click("#begin").await?;
        play::to_the_end(b).await?;
        self.picture("solo").await
    }

    /// The review of a finished game.
    async fn afterwards(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.home().await?;
        b.click("#open-record").await?;
        b.wait_for("#record-text").await?;
        self.picture("open").await?;
        let record = common::record(common::settings(towers_rules::Mode::Versus, 3), 9).to_text();
        b.run(&format!(
            "const t = document.querySelector('#record-text'); t.value = {}; t.dispatchEvent(new Event('input'))",
            json!(record)
        ))
        .await?;
        b.click("#record-open:not(:disabled)").await?;
        b.wait_for("#replay-on").await?;
        b.run("const s = document.querySelector('#replay-slider'); s.value = 60; s.dispatchEvent(new Event('input', { bubbles: true }))")
            .await?;
        self.picture("replay").await?;
        self.dialog("#show-numbers", "#statistics", "numbers")
            .await?;
        self.dialog("#show-review", ".turnings button", "review")
            .await?;
        self.dialog("#show-fairness", "#fair-result", "fairness")
            .await
    }

    /// Six players, late in the game.
    async fn crowd(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        loop {
            b.home().await?;
            b.click("#new-game").await?;
            self.players("6").await?;
            self.choose("setup.spells", "spells.all").await?;
            b.click("#begin").await?;
            // Some games end earlier.
            if self.play(8).await? {
                return self.picture("six").await;
            }
        }
    }

    /// Several people at one device, in teams and with reactions.
    async fn together(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.home().await?;
        b.click("#hot-seat").await?;
        b.click("#begin").await?;
        play::wait(b).await?;
        self.picture("hand-over").await?;
        b.home().await?;
        b.click("#new-game").await?;
        self.players("4").await?;
        self.choose("option.teams", "ui.on").await?;
        self.choose("option.reactions", "ui.on").await?;
        self.choose("setup.spells", "spells.all").await?;
        b.click("#begin").await?;
        for _ in 0..60 {
            match play::wait(b).await? {
                Moment::Decide if b.has("[data-intent^=before]").await? => {
                    return self.picture("reaction").await;
                }
                Moment::Decide => play::follow_hint(b).await?,
                Moment::Over => break,
                Moment::Cover => b.click("#uncover").await?,
            }
        }
        Ok(())
    }
}

#[tokio::main]
async fn main() -> WebDriverResult<()> {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let server = TowersProcess::start();
    for (size, device) in [(Size::Desktop, "desktop"), (Size::Phone, "phone")] {
        for (theme, language) in [("day", Language::English), ("night", Language::German)] {
            let end = format!("{device}-{theme}");
            if !only.is_empty() && !only.contains(&end) {
                continue;
            }
            let preferences = json!({"speed": "instant", "language": language.code(), "name": "Ann", "theme": theme});
            let device = ScreenshotBrowser {
                browser: Browser::open(&server.url, size, &preferences.to_string()).await?,
                words: Words::of(language),
                end,
            };
            device.around().await?;
            device.online().await?;
            device.game().await?;
            device.alone().await?;
            device.afterwards().await?;
            device.crowd().await?;
            device.together().await?;
            device.person(&server).await?;
            device.browser.close().await;
        }
    }
    Ok(())
}
