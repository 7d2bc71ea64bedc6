//! "Find me a game": people who have never met play together, or with bots if nobody comes.

use thirtyfour::prelude::*;
use towers_e2e::{Browser, Size, TowersProcess, axe};

const ENGLISH: &str = r#"{"language":"en"}"#;

async fn visit(browser: &Browser, server: &TowersProcess, path: &str) -> WebDriverResult<()> {
    let origin = server.url.trim_end_matches('/');
    browser.driver.goto(format!("{origin}{path}")).await
}

/// Chooses a quick game for two, and begins to wait.
async fn wait_for_game(
    browser: &Browser,
    server: &TowersProcess,
    name: &str,
) -> WebDriverResult<()> {
    visit(browser, server, "/#tables").await?;
    browser.click("#meet").await?;
    browser.fill("input[name='name']", name).await?;
    let choose = "const form = document.querySelector('[data-meet]');
        form.pace.value = 'quick';
        for (const box of form.querySelectorAll('[name=players]')) box.checked = box.value === '2'";
    browser.run(choose).await?;
    browser.click("[data-meet] button").await?;
    browser
        .wait_until("!document.querySelector('#meeting').hidden")
        .await
}

#[tokio::test]
async fn two_strangers_are_paired() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, ENGLISH).await?;
    let ben = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    wait_for_game(&ann, &server, "Ann").await?;
    axe::check(&ann, "waiting for others").await?;
    // A person who stops waiting is not paired.
    ann.click("#stop-waiting").await?;
    ann.wait_until("!document.querySelector('[data-meet]').hidden")
        .await?;
    wait_for_game(&ann, &server, "Ann").await?;
    wait_for_game(&ben, &server, "Ben").await?;
    for browser in [&ann, &ben] {
        browser.wait_text(".place[data-seat='0'] b", "Ann").await?;
        browser.wait_text(".place[data-seat='1'] b", "Ben").await?;
    }
    let links = [ann.text("#link").await?, ben.text("#link").await?];
    assert_eq!(links[0], links[1]);
    ann.close().await;
    ben.close().await;
    Ok(())
}

#[tokio::test]
async fn bots_are_offered_when_nobody_comes() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    wait_for_game(&ann, &server, "Ann").await?;
    ann.wait_until("!document.querySelector('#bots').hidden")
        .await?;
    axe::check(&ann, "the offer of bots").await?;
    ann.click("#with-bots").await?;
    ann.wait_text(".place[data-seat='0'] b", "Ann").await?;
    ann.click("#start:not(:disabled)").await?;
    ann.wait_for(".card").await?;
    ann.close().await;
    Ok(())
}
