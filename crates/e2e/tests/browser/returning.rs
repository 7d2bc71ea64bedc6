//! Coming back: by a passkey, and with what a device stores, through the server or as a file.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_client::{Language, LocalTable, Plan, Preferences, Shelf, Solved, ThemeChoice};
use towers_e2e::{Browser, Size, TowersProcess, axe};
use towers_table::{BotLevel, Hex};

use crate::common;

const ENGLISH: &str = r#"{"language":"en"}"#;

async fn visit(browser: &Browser, site: &str, path: &str) -> WebDriverResult<()> {
    browser.driver.goto(format!("{site}{path}")).await
}

/// Adds a virtual authenticator that confirms at once. Returns its id.
async fn add_authenticator(browser: &Browser) -> WebDriverResult<String> {
    let cdp = browser.driver.cdp();
    cdp.send_raw("WebAuthn.enable", json!({})).await?;
    let options = json!({ "options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
        "hasUserVerification": true, "isUserVerified": true, "automaticPresenceSimulation": true,
    }});
    let added = cdp
        .send_raw("WebAuthn.addVirtualAuthenticator", options)
        .await?;
    Ok(added["authenticatorId"]
        .as_str()
        .expect("it has an id")
        .into())
}

async fn credentials(browser: &Browser, authenticator: &str) -> WebDriverResult<Vec<Value>> {
    let wish = json!({ "authenticatorId": authenticator });
    let cdp = browser.driver.cdp();
    let all = cdp.send_raw("WebAuthn.getCredentials", wish).await?;
    Ok(all["credentials"].as_array().cloned().unwrap_or_default())
}

#[tokio::test]
async fn a_passkey_brings_a_person_back_after_the_device_is_lost() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    // Passkeys belong to names, not to addresses.
    let site = server.url.trim_end_matches('/');
    let site = site.replace("127.0.0.1", "localhost");
    let lost = Browser::open(&format!("{site}/"), Size::Phone, ENGLISH).await?;
    lost.click("#online").await?;
    lost.click("#open-table").await?;
    lost.fill(".seat-row input", "Mira").await?;
    lost.click("#begin:not(:disabled)").await?;
    lost.wait_text(".place[data-seat='0'] b", "Mira").await?;
    let link = lost.text("#link").await?;
    let authenticator = add_authenticator(&lost).await?;
    visit(&lost, &site, "/me/devices").await?;
    lost.wait_until("!document.querySelector('form[data-passkey=add]').hidden")
        .await?;
    axe::check(&lost, "the devices without a passkey").await?;
    lost.click("form[data-passkey='add'] button").await?;
    lost.wait_for("#passkeys li").await?;
    axe::check(&lost, "the devices with a passkey").await?;
    let made = credentials(&lost, &authenticator).await?;
    assert_eq!(made.len(), 1, "{made:?}");
    assert_eq!(made[0]["isResidentCredential"], true);
    // The authenticator already has a passkey for this site.
    lost.click("form[data-passkey='add'] button").await?;
    lost.wait_until("!document.querySelector('[data-problem]').hidden")
        .await?;
    assert_eq!(credentials(&lost, &authenticator).await?.len(), 1);
    lost.close().await;

    let fresh = Browser::open(&format!("{site}/"), Size::Phone, ENGLISH).await?;
    let authenticator = add_authenticator(&fresh).await?;
    visit(&fresh, &site, "/me").await?;
    let copied = json!({ "authenticatorId": authenticator, "credential": made[0] });
    let cdp = fresh.driver.cdp();
    cdp.send_raw("WebAuthn.addCredential", copied).await?;
    fresh
        .wait_until("!document.querySelector('form[data-passkey]').hidden")
        .await?;
    axe::check(&fresh, "the page for a newcomer").await?;
    fresh.click("form[data-passkey='use'] button").await?;
    // The same person, the same seat, without a name having to be typed.
    fresh.wait_for("a[href^='/t/']").await?;
    fresh
        .wait_text("#joined:target", "one of your devices")
        .await?;
    fresh.driver.goto(&link).await?;
    fresh.wait_text(".place[data-seat='0'] b", "Mira").await?;
    fresh.wait_for("#start").await?;
    visit(&fresh, &site, "/me/devices").await?;
    fresh.wait_for("#passkeys li").await?;
    fresh.run("window.confirm = () => true").await?;
    fresh.click("#passkeys button").await?;
    fresh
        .wait_until("document.readyState === 'complete' && !document.querySelector('#passkeys')")
        .await?;
    fresh.close().await;

    // A passkey that was removed no longer works.
    let late = Browser::open(&format!("{site}/"), Size::Phone, ENGLISH).await?;
    let authenticator = add_authenticator(&late).await?;
    visit(&late, &site, "/me").await?;
    let copied = json!({ "authenticatorId": authenticator, "credential": made[0] });
    let cdp = late.driver.cdp();
    cdp.send_raw("WebAuthn.addCredential", copied).await?;
    late.click("form[data-passkey='use'] button").await?;
    late.wait_until("!document.querySelector('[data-problem]').hidden")
        .await?;
    assert!(late.has("form[data-begin]").await?);
    late.close().await;
    Ok(())
}

#[tokio::test]
async fn without_passkeys_nothing_is_said_about_them() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let site = server.url.trim_end_matches('/');
    let browser = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    // By an address instead of a name.
    visit(&browser, site, "/me").await?;
    browser.wait_for("form[data-begin]").await?;
    assert!(!browser.has("form[data-passkey]").await?);
    browser.click("form[data-begin] button").await?;
    browser.wait_for("a[href='/me/devices']").await?;
    visit(&browser, site, "/me/devices").await?;
    browser.wait_for("form[data-show='code']").await?;
    assert!(!browser.has("form[data-passkey]").await?);
    browser.close().await;
    Ok(())
}

/// What a device stores that has a game, a solved puzzle, a result of today and settings.
fn stored() -> BTreeMap<String, String> {
    let mut shelf = Shelf(BTreeMap::new());
    let plan = Plan::against_bots("Mira", 2, BotLevel::Apprentice);
    let table = LocalTable::open("mine", &plan, 1, &Hex([7; 32])).expect("it can be opened");
    let kept = common::kept("mine", &plan, &table);
    shelf.0.extend(kept);
    shelf.keep_solved("p1", Solved::Alone);
    shelf.keep_daily("2026-11-18", 21);
    shelf.keep_preferences(&Preferences {
        language: Some(Language::English),
        theme: ThemeChoice::Night,
        ..Preferences::default()
    });
    shelf.0
}

/// Checks that all of it is on a device, and that the client shows it.
async fn check_arrived(browser: &Browser) -> WebDriverResult<()> {
    let kept = browser.run("return { ...localStorage }").await?;
    let kept: BTreeMap<String, String> = serde_json::from_value(kept).expect("it has texts");
    let shelf = Shelf(kept);
    assert!(shelf.games().iter().any(|game| game.id == "mine"));
    assert!(shelf.game("mine").is_ok());
    assert_eq!(shelf.solved_puzzles().get("p1"), Some(&Solved::Alone));
    assert_eq!(shelf.daily("2026-11-18"), Some(21));
    assert_eq!(shelf.preferences().theme, ThemeChoice::Night);
    browser.home().await?;
    browser.wait_for("#continue").await?;
    browser.wait_for(".wt-night").await?;
    Ok(())
}

#[tokio::test]
async fn what_a_device_stores_arrives_on_the_other_one_through_the_server() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let site = server.url.trim_end_matches('/');
    let phone = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    let laptop = Browser::open(&server.url, Size::Desktop, ENGLISH).await?;
    phone.keep_only(&stored()).await?;
    visit(&phone, site, "/#device").await?;
    phone.driver.refresh().await?;
    phone.click("#offer").await?;
    phone.wait_for("#words").await?;
    let words = phone.text("#words").await?;
    visit(
        &laptop,
        site,
        &format!("/#device/{}", words.replace(' ', "-")),
    )
    .await?;
    laptop.click("#accept").await?;
    laptop.wait_for("a[href^='/me/games']").await?;
    check_arrived(&laptop).await?;
    phone.close().await;
    laptop.close().await;
    Ok(())
}

#[tokio::test]
async fn what_a_device_stores_arrives_on_the_other_one_as_a_file() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let site = server.url.trim_end_matches('/');
    let phone = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    phone.keep_only(&stored()).await?;
    visit(&phone, site, "/me/data").await?;
    phone.wait_for("form[data-file='save']").await?;
    axe::check(&phone, "the data of a newcomer").await?;
    // The file that would be saved is kept instead.
    phone
        .run(
            "window.saved = null; const make = URL.createObjectURL;
             URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text }); return make(blob) };",
        )
        .await?;
    phone.click("form[data-file='save'] button").await?;
    phone.wait_until("window.saved !== null").await?;
    let file = phone.run("return window.saved").await?;
    let file = file.as_str().expect("it is text").to_string();
    phone.close().await;

    let path = std::env::temp_dir().join(format!("towers-device-{}.json", std::process::id()));
    std::fs::write(&path, &file).expect("the folder can be written");
    let other = path.with_extension("txt.json");
    std::fs::write(&other, "[1, 2]").expect("the folder can be written");
    let laptop = Browser::open(&server.url, Size::Desktop, ENGLISH).await?;
    visit(&laptop, site, "/me/data").await?;
    laptop.wait_for("form[data-file='open']").await?;
    let chooser = By::Css("form[data-file='open'] input");
    let choose = laptop.driver.find(chooser.clone()).await?;
    choose
        .send_keys(other.to_str().expect("the path is text"))
        .await?;
    laptop
        .wait_until("!document.querySelector('[data-problem]').hidden")
        .await?;
    let choose = laptop.driver.find(chooser).await?;
    choose
        .send_keys(path.to_str().expect("the path is text"))
        .await?;
    laptop.wait_for("#taken:target").await?;
    check_arrived(&laptop).await?;
    laptop.close().await;
    let _ = std::fs::remove_file(path);
    let _ = std::fs::remove_file(other);
    Ok(())
}
