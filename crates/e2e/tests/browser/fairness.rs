//! The dice of a game at a server, checked by the players' own devices.

use thirtyfour::prelude::*;
use towers_e2e::{Browser, Size, TowersProcess, axe, play};

fn preferences(name: &str) -> String {
    format!(r#"{{"speed":"instant","language":"en","name":"{name}"}}"#)
}

/// Opens the fairness check of the game that is being reviewed.
async fn check_fairness(browser: &Browser) -> WebDriverResult<()> {
    browser.click("#show-fairness").await?;
    browser.wait_for("#fair-result").await
}

/// What the device says about the commitment it was given before the game: the keys of its texts, one per game.
async fn verdicts(browser: &Browser) -> WebDriverResult<serde_json::Value> {
    let keys = "return [...document.querySelectorAll('.dialog [data-verdict]')].map(v => v.dataset.verdict)";
    browser.run(keys).await
}

/// A device that was there says that the dice were fair, with the numbers of both players. A device whose notes differ
/// says that they were not. A device without notes says that it cannot compare.
#[tokio::test]
async fn a_device_compares_the_dice_with_its_own_notes() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    ann.choose("Players", "2").await?;
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    let link = ann.text("#link").await?;
    let late = Browser::open(&server.url, Size::Desktop, &preferences("Dora")).await?;
    ben.driver.goto(&link).await?;
    ben.click(".sit").await?;
    ann.click("#start:not(:disabled)").await?;
    play::wait_any(&[&ann, &ben]).await?;
    for player in [&ann, &ben] {
        player.click("#chat").await?;
        player.click("#wish-end").await?;
    }
    // A client that opens the table afterwards receives commitment and secret together.
    late.driver.goto(&link).await?;
    late.wait_for(".over [data-verdict='fair.not_noted']")
        .await?;
    for player in [&ann, &ben] {
        player.wait_for(".over [data-verdict='fair.kept']").await?;
        player.click("#look-back").await?;
        check_fairness(player).await?;
        player
            .wait_text("#fair-result", "Everything follows")
            .await?;
        assert_eq!(verdicts(player).await?, serde_json::json!(["fair.kept"]));
        // The commitment, the secret, the numbers of two devices, the seed.
        let values = "return document.querySelectorAll('.dialog .fair dd code').length";
        assert_eq!(player.run(values).await?, 5);
        axe::check(player, "fairness of a game at a server").await?;
    }

    // As if the server had committed to something else before the game.
    ben.run(
        "const notes = JSON.parse(localStorage['towers.fair']);
         for (const [, fair] of notes) for (const note of fair.notes) note.commitment = 'ab'.repeat(32);
         localStorage['towers.fair'] = JSON.stringify(notes)",
    )
    .await?;
    ben.driver.refresh().await?;
    check_fairness(&ben).await?;
    ben.wait_text("#fair-result", "Not fair").await?;
    assert_eq!(verdicts(&ben).await?, serde_json::json!(["fair.broken"]));

    let address = ben.run("return location.href").await?;
    let visitor = Browser::open(&server.url, Size::Desktop, &preferences("Cleo")).await?;
    visitor
        .driver
        .goto(address.as_str().unwrap_or_default())
        .await?;
    check_fairness(&visitor).await?;
    visitor
        .wait_text("#fair-result", "Everything follows")
        .await?;
    assert_eq!(
        verdicts(&visitor).await?,
        serde_json::json!(["fair.not_noted"])
    );
    for browser in [ann, ben, late, visitor] {
        browser.close().await;
    }
    Ok(())
}
