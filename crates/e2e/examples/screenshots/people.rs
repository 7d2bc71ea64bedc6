//! Pages about a person, after a game of two on the server.

use thirtyfour::prelude::*;
use towers_bots::Strength;
use towers_e2e::{Browser, Size, TowersProcess, socket};

use super::ScreenshotBrowser;

/// Pages of the server, and the names of their pictures. `{table}` is the table of the game.
const PAGES: [(&str, &str); 9] = [
    ("/me", "me"),
    ("/me/games", "my-games"),
    ("/me/devices", "my-devices"),
    ("/me/calls/{table}", "my-calls"),
    ("/me/data", "my-data"),
    ("/meet", "meet"),
    ("/scores", "scores"),
    ("/ratings", "ratings"),
    ("/privacy", "privacy"),
];

impl ScreenshotBrowser {
    /// The pages about a person who has played a game with another one.
    pub async fn person(&self, server: &TowersProcess) -> WebDriverResult<()> {
        let b = &self.browser;
        let preferences = r#"{"speed":"instant","language":"en","name":"Ben"}"#;
        let ben = Browser::open(&server.url, Size::Phone, preferences).await?;
        b.home().await?;
        b.click("#online").await?;
        b.click("#open-table").await?;
        self.players("2").await?;
        b.click("#begin").await?;
        b.wait_for("#link").await?;
        let link = b.text("#link").await?;
        let table = link.rsplit('/').next().unwrap_or_default();
        ben.driver.goto(&link).await?;
        ben.click(".sit").await?;
        ben.wait_for("#ready").await?;
        b.click("#start:not(:disabled)").await?;
        let players = [(b, Strength::Adept), (&ben, Strength::Novice)];
        socket::play_game(&players, table, 1).await?;
        b.wait_for("#over-title").await?;
        b.click("#circle").await?;
        b.fill("input[name='name']", "Friday").await?;
        b.click("form[data-api='/api/circles'] button").await?;
        b.wait_text("h1", "Friday").await?;
        self.picture("circle").await?;
        let origin = server.url.trim_end_matches('/');
        let language = self.words.language().code();
        for (path, name) in PAGES {
            let path = path.replace("{table}", table);
            b.driver
                .goto(format!("{origin}{path}?lang={language}"))
                .await?;
            b.wait_for("main h1").await?;
            self.picture(name).await?;
        }
        self.go("device").await?;
        b.click("#offer").await?;
        b.wait_for("#words").await?;
        self.picture("device").await?;
        ben.close().await;
        Ok(())
    }
}
