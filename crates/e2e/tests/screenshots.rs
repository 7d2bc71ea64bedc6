//! Pictures of every screen, in both sizes and both themes: `cargo xtask screenshots`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use e2e::play::{self, Moment};
use e2e::server::root;
use e2e::{Browser, Server, Size};
use thirtyfour::prelude::*;

/// Writes a picture, as JPEG if ImageMagick is there, else as PNG.
async fn picture(browser: &Browser, name: &str) -> WebDriverResult<()> {
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let folder: PathBuf = root().join("docs/screenshots");
    fs::create_dir_all(&folder).expect("a folder for pictures");
    let png = folder.join(format!("{name}.png"));
    fs::write(&png, browser.picture().await?).expect("the picture is written");
    let jpeg = folder.join(format!("{name}.jpg"));
    let converted = Command::new("convert")
        .arg(&png)
        .args(["-quality", "80"])
        .arg(&jpeg)
        .status();
    if converted.is_ok_and(|s| s.success()) {
        fs::remove_file(&png).expect("the picture is there");
    }
    Ok(())
}

#[tokio::test]
#[ignore = "makes pictures; run by cargo xtask screenshots"]
async fn every_screen() -> WebDriverResult<()> {
    let server = Server::start();
    for (size, device) in [(Size::Desktop, "desktop"), (Size::Phone, "phone")] {
        for theme in ["day", "night"] {
            let preferences =
                format!(r#"{{"speed":"instant","language":"en","name":"Ann","theme":"{theme}"}}"#);
            let browser = Browser::open(&server.url, size, &preferences).await?;
            let name = |screen: &str| format!("{screen}-{device}-{theme}");
            picture(&browser, &name("start")).await?;
            browser.click("#new-game").await?;
            picture(&browser, &name("setup")).await?;
            browser.run("history.back()").await?;
            browser.click("#open-settings").await?;
            picture(&browser, &name("settings")).await?;
            browser.click(".dialog .round").await?;
            browser.click("#play-now").await?;
            play::wait(&browser).await?;
            picture(&browser, &name("turn")).await?;
            for _ in 0..14 {
                if play::wait(&browser).await? == Moment::Decide {
                    play::follow_hint(&browser).await?;
                }
            }
            if play::wait(&browser).await? == Moment::Decide {
                browser.click("#refresh, .card:not(:disabled)").await?;
                picture(&browser, &name("choose")).await?;
                browser.click(".target").await?;
                picture(&browser, &name("preview")).await?;
                browser.click("#cancel").await?;
                browser.click("#log").await?;
                picture(&browser, &name("log")).await?;
                browser.click(".dialog .round").await?;
                browser.click("#reference").await?;
                picture(&browser, &name("rules")).await?;
                browser.click(".dialog .round").await?;
            }
            play::to_the_end(&browser).await?;
            picture(&browser, &name("result")).await?;
            browser.home().await?;
            browser.click("#hot-seat").await?;
            browser.click("#begin").await?;
            play::wait(&browser).await?;
            picture(&browser, &name("hand-over")).await?;
            browser.close().await;
        }
    }
    Ok(())
}
