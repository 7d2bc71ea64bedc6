//! Chromium, driven through `WebDriver`.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use thirtyfour::prelude::*;
use tokio::process::{Child, Command};

use crate::Position;
use crate::server::free_port;

/// The time limit of conditions, generous because machines may be slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// The interval between two checks of a condition.
pub const PAUSE: Duration = Duration::from_millis(20);

/// Whether the page has settled. Endless animations, such as the pulse of a thinking bot, are ignored.
const SETTLED: &str = "(async () => {
    const frame = () => new Promise(done => requestAnimationFrame(() => done()));
    const boxes = () => [...document.querySelectorAll('button, .panel, .player, .prompt, h1, h2, p')].map(e => {
        const r = e.getBoundingClientRect(); return [r.x, r.y, r.width, r.height].map(Math.round).join() }).join(';');
    const moves = a => a.playState === 'running' && a.effect?.getComputedTiming().endTime !== Infinity;
    await document.fonts.ready;
    await frame();
    const before = boxes();
    await frame();
    await frame();
    return document.fonts.status === 'loaded' && !document.getAnimations().some(moves) && boxes() === before })()";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 1440 by 900.
    Desktop,
    /// 390 by 844.
    Phone,
    /// 360 by 740, the narrowest.
    Narrow,
}

impl Size {
    /// Width and height in pixels.
    pub const fn pixels(self) -> (u32, u32) {
        match self {
            Size::Desktop => (1440, 900),
            Size::Phone => (390, 844),
            Size::Narrow => (360, 740),
        }
    }
}

/// A browser with a fresh profile.
pub struct Browser {
    pub driver: WebDriver,
    url: String,
    #[expect(dead_code, reason = "it lives as long as the browser")]
    process: Child,
}

impl Browser {
    /// Opens the client with these preferences, as JSON.
    pub async fn open(url: &str, size: Size, preferences: &str) -> WebDriverResult<Browser> {
        let port = free_port();
        let process = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("install chromium and chromium-driver");
        let mut caps = DesiredCapabilities::chrome();
        for flag in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--lang=en",
            // Without TLS this name is no secure context, unlike localhost.
            "--host-resolver-rules=MAP towers.test 127.0.0.1",
        ] {
            caps.add_arg(flag)?;
        }
        let address = format!("http://127.0.0.1:{port}");
        let begun = Instant::now();
        let driver = loop {
            match WebDriver::new(&address, caps.clone()).await {
                Ok(driver) => break driver,
                Err(why) if begun.elapsed() > PATIENCE => return Err(why),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        };
        let browser = Browser {
            driver,
            url: url.into(),
            process,
        };
        browser.resize(size).await?;
        // The page reads its preferences once. A picture of the same origin has the same storage, and opens at once.
        browser.driver.goto(format!("{url}icon.svg")).await?;
        browser
            .run(&format!(
                "localStorage.setItem('towers.preferences', {})",
                json!(preferences)
            ))
            .await?;
        browser.driver.goto(url).await?;
        browser.wait_for("#play-now").await?;
        Ok(browser)
    }

    /// Changes the size of the screen.
    pub async fn resize(&self, size: Size) -> WebDriverResult<()> {
        let (width, height) = size.pixels();
        let phone = size != Size::Desktop;
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone});
        self.driver
            .cdp()
            .send_raw("Emulation.setDeviceMetricsOverride", metrics)
            .await?;
        Ok(())
    }

    /// Runs a script in the page.
    pub async fn run(&self, script: &str) -> WebDriverResult<serde_json::Value> {
        Ok(self
            .driver
            .execute(script, Vec::new())
            .await?
            .json()
            .clone())
    }

    /// Opens the start page with a seed, which determines the cards and dice of its games.
    pub async fn home_with_seed(&self, seed: &str) -> WebDriverResult<()> {
        self.driver
            .goto(format!("{}?seed={seed}", self.url))
            .await?;
        self.wait_for("#play-now").await
    }

    /// Reloads the start page, keeping the storage.
    pub async fn home(&self) -> WebDriverResult<()> {
        self.driver.goto(&self.url).await?;
        self.wait_for("#play-now").await
    }

    /// Replaces the games stored in the browser by these texts.
    pub async fn keep_only(&self, texts: &BTreeMap<String, String>) -> WebDriverResult<()> {
        let script = format!(
            "for (const key of Object.keys(localStorage)) if (key.startsWith('towers.game')) localStorage.removeItem(key);
             for (const [name, text] of Object.entries({})) localStorage.setItem(name, text)",
            json!(texts)
        );
        self.run(&script).await.map(|_| ())
    }

    /// The stored game that the browser shows.
    pub async fn kept_position(&self) -> WebDriverResult<Position> {
        self.wait_until("location.hash.startsWith('#game/') && localStorage.getItem('towers.game.' + location.hash.slice(6))")
            .await?;
        let kept = self.run("return { ...localStorage }").await?;
        let text = |name: &str| kept[name].as_str().unwrap_or_default().to_string();
        let record = |id: &str| text(&format!("towers.game.{id}"));
        Ok(Position::read(&text("towers.games"), record))
    }

    /// Loads a position, and hands the device to the player to act.
    pub async fn open_position(&self, position: &Position) -> WebDriverResult<()> {
        crate::act::open(self, position).await
    }

    /// Whether an element exists.
    pub async fn has(&self, selector: &str) -> WebDriverResult<bool> {
        let found = self
            .run(&format!(
                "return !!document.querySelector({})",
                json!(selector)
            ))
            .await?;
        Ok(found.as_bool() == Some(true))
    }

    /// Waits until an element exists.
    pub async fn wait_for(&self, selector: &str) -> WebDriverResult<()> {
        let begun = Instant::now();
        while !self.has(selector).await? {
            assert!(
                begun.elapsed() < PATIENCE,
                "{selector} does not appear; the page says: {}",
                self.text("body").await?
            );
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Clicks an element once it exists and is enabled. A disabled button ignores clicks.
    pub async fn click(&self, selector: &str) -> WebDriverResult<()> {
        let script = format!(
            "const e = document.querySelector({}); if (!e || e.disabled) return false; e.click(); return true",
            json!(selector)
        );
        self.click_by(
            &script,
            &format!("{selector} does not appear, or stays disabled"),
        )
        .await
    }

    /// Repeats a script that clicks an element until it reports success.
    pub(crate) async fn click_by(&self, script: &str, missing: &str) -> WebDriverResult<()> {
        let begun = Instant::now();
        while self.run(script).await?.as_bool() != Some(true) {
            assert!(
                begun.elapsed() < PATIENCE,
                "{missing}; the page says: {}",
                self.text("body").await?
            );
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Clicks a button with this text.
    pub async fn click_text(&self, text: &str) -> WebDriverResult<()> {
        let script = format!(
            "const b = [...document.querySelectorAll('button:enabled')].find(b => b.textContent.includes({})); if (b) b.click(); return !!b",
            json!(text)
        );
        self.click_by(&script, &format!("no button says {text}"))
            .await
    }

    /// Clicks the button with exactly this text inside an element.
    pub async fn click_in(&self, selector: &str, text: &str) -> WebDriverResult<()> {
        let script = format!(
            "const b = [...document.querySelectorAll({})].flatMap(e => [...e.querySelectorAll('button:enabled')]).find(b => b.textContent.trim() === {}); if (b) b.click(); return !!b",
            json!(selector),
            json!(text)
        );
        self.click_by(&script, &format!("no button in {selector} says {text}"))
            .await
    }

    /// Chooses an option by its label and its text.
    pub async fn choose(&self, label: &str, text: &str) -> WebDriverResult<()> {
        let script = format!(
            "const f = [...document.querySelectorAll('fieldset')].find(f => f.querySelector('legend')?.textContent.trim() === {}); \
             const b = f && [...f.querySelectorAll('button:enabled')].find(b => b.textContent.trim() === {}); if (b) b.click(); return !!b",
            json!(label),
            json!(text)
        );
        self.click_by(&script, &format!("nothing called {label} offers {text}"))
            .await
    }

    /// Waits until an element contains a text.
    pub async fn wait_text(&self, selector: &str, text: &str) -> WebDriverResult<()> {
        let begun = Instant::now();
        loop {
            let now = self.text(selector).await?;
            if now.contains(text) {
                return Ok(());
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{selector} does not say {text}, but: {now}"
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until an expression in the page is true; it may be a promise.
    pub async fn wait_until(&self, expression: &str) -> WebDriverResult<()> {
        let script = format!(
            "const done = arguments[0]; (async () => !!(await ({expression})))().then(done, why => done(String(why)))"
        );
        let begun = Instant::now();
        loop {
            let answer = self.driver.execute_async(&script, Vec::new()).await?;
            if answer.json().as_bool() == Some(true) {
                return Ok(());
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{expression} is {}; the page says: {}",
                answer.json(),
                self.text("body").await?
            );
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until the layout is stable: fonts are loaded, transitions have ended, and two consecutive frames have the
    /// same boxes.
    pub async fn wait_for_layout(&self) -> WebDriverResult<()> {
        self.wait_until(SETTLED).await
    }

    /// Grants the permission for notifications.
    pub async fn allow_notifications(&self) -> WebDriverResult<()> {
        let wish =
            json!({"origin": self.url.trim_end_matches('/'), "permissions": ["notifications"]});
        self.driver
            .cdp()
            .send_raw("Browser.grantPermissions", wish)
            .await?;
        Ok(())
    }

    /// Hides the page, as if another tab were in front.
    pub async fn hide(&self) -> WebDriverResult<()> {
        self.driver.minimize_window().await?;
        self.wait_until("document.visibilityState === 'hidden'")
            .await
    }

    /// Types into a field, replacing its content.
    pub async fn fill(&self, selector: &str, text: &str) -> WebDriverResult<()> {
        self.wait_for(selector).await?;
        self.run(&format!(
            "document.querySelector({}).select()",
            json!(selector)
        ))
        .await?;
        let field = self.driver.find(By::Css(selector)).await?;
        field.send_keys(text).await
    }

    /// Cuts or restores the network.
    pub async fn offline(&self, offline: bool) -> WebDriverResult<()> {
        let conditions = json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        let cdp = self.driver.cdp();
        cdp.send_raw("Network.enable", json!({})).await?;
        cdp.send_raw("Network.emulateNetworkConditions", conditions)
            .await?;
        Ok(())
    }

    /// The visible text of an element.
    pub async fn text(&self, selector: &str) -> WebDriverResult<String> {
        let text = self
            .run(&format!(
                "return document.querySelector({})?.innerText ?? ''",
                json!(selector)
            ))
            .await?;
        Ok(text.as_str().unwrap_or_default().into())
    }

    /// A compressed screenshot of the page.
    pub async fn webp(&self) -> WebDriverResult<Vec<u8>> {
        let wish = json!({"format": "webp", "quality": 62});
        let answer = self
            .driver
            .cdp()
            .send_raw("Page.captureScreenshot", wish)
            .await?;
        let text = answer["data"].as_str().unwrap_or_default();
        Ok(STANDARD.decode(text).expect("the browser writes base64"))
    }

    pub async fn close(self) {
        let _ = self.driver.clone().quit().await;
    }
}
