//! Pictures of every screen, in both sizes and both themes: `cargo xtask screenshots`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use e2e::play::{self, Moment};
use e2e::server::root;
use e2e::{Browser, Server, Size};
use thirtyfour::prelude::*;

/// One device with one theme.
struct Device {
    browser: Browser,
    url: String,
    end: String,
}

impl Device {
    /// Writes a picture of what is on the screen.
    async fn picture(&self, name: &str) -> WebDriverResult<()> {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let folder: PathBuf = root().join("docs/screenshots");
        fs::create_dir_all(&folder).expect("a folder for pictures");
        let file = folder.join(format!("{name}-{}.webp", self.end));
        fs::write(file, self.browser.webp().await?).expect("the picture is written");
        Ok(())
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

    async fn around(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        self.picture("start").await?;
        b.click("#open-settings").await?;
        self.picture("settings").await?;
        b.click(".dialog .round").await?;
        b.click("#new-game").await?;
        self.picture("setup").await?;
        for page in ["rules", "learn", "puzzles"] {
            self.go(page).await?;
            self.picture(page).await?;
        }
        Ok(())
    }

    async fn online(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.driver.goto(&self.url).await?;
        b.click("#online").await?;
        self.picture("lobby").await?;
        b.click("#open-table").await?;
        b.click("#begin").await?;
        b.wait_for("#link").await?;
        self.picture("room").await
    }

    async fn game(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.home().await?;
        b.click("#play-now").await?;
        play::wait(b).await?;
        self.picture("turn").await?;
        for _ in 0..14 {
            if play::wait(b).await? == Moment::Decide {
                play::follow_hint(b).await?;
            }
        }
        if play::wait(b).await? == Moment::Decide {
            b.click(".card:not(:disabled), #refresh").await?;
            self.picture("choose").await?;
            b.run("document.querySelector('.target')?.click()").await?;
            self.picture("preview").await?;
            b.run("document.querySelector('#cancel')?.click()").await?;
            b.click("#hint:not(:disabled)").await?;
            b.wait_for(".dialog .row").await?;
            self.picture("hint").await?;
            b.click(".dialog .round").await?;
            b.click("#log").await?;
            self.picture("log").await?;
            b.click(".dialog .round").await?;
            b.click("#reference").await?;
            self.picture("reference").await?;
            b.click(".dialog .round").await?;
        }
        play::to_the_end(b).await?;
        self.picture("result").await
    }

    /// Six players, late in the game.
    async fn crowd(&self) -> WebDriverResult<()> {
        let b = &self.browser;
        b.home().await?;
        b.click("#new-game").await?;
        b.choose("Players", "6").await?;
        b.choose("Spells", "All eight").await?;
        b.click("#begin").await?;
        for _ in 0..24 {
            match play::wait(b).await? {
                Moment::Decide => play::follow_hint(b).await?,
                Moment::Over => break,
                Moment::Cover => b.click("#uncover").await?,
            }
        }
        play::wait(b).await?;
        self.picture("six").await?;
        b.home().await?;
        b.click("#hot-seat").await?;
        b.click("#begin").await?;
        play::wait(b).await?;
        self.picture("hand-over").await
    }
}

#[tokio::main]
async fn main() -> WebDriverResult<()> {
    let server = Server::start();
    for (size, device) in [(Size::Desktop, "desktop"), (Size::Phone, "phone")] {
        for theme in ["day", "night"] {
            let preferences =
                format!(r#"{{"speed":"instant","language":"en","name":"Ann","theme":"{theme}"}}"#);
            let device = Device {
                browser: Browser::open(&server.url, size, &preferences).await?,
                url: server.url.clone(),
                end: format!("{device}-{theme}"),
            };
            device.around().await?;
            device.online().await?;
            device.game().await?;
            device.crowd().await?;
            device.browser.close().await;
        }
    }
    Ok(())
}
