//! One person on several devices: six words, a lost device, a removed one, and everything deleted.

use std::collections::BTreeMap;

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::{LocalTable, MyTable, Need, Plan, SavedGame, Shelf};
use towers_e2e::{Browser, Size, TowersProcess, axe};
use towers_table::{Digest, Hex};

use crate::common;

const ENGLISH: &str = r#"{"language":"en"}"#;

/// Reads the key pairs of a device: whether scripts can read the private key, and what it is for.
const OWN_KEYS: &str = "return new Promise((done) => {
    const opening = indexedDB.open('towers-identity', 1);
    opening.onsuccess = () => {
        const all = opening.result.transaction('keys').objectStore('keys').getAll();
        all.onsuccess = () => done(all.result.map(({ privateKey }) => [privateKey.extractable, privateKey.usages]));
    };
})";

/// Opens a table, sits down at it and returns its link.
async fn sit_down(browser: &Browser, name: &str) -> WebDriverResult<String> {
    browser.click("#online").await?;
    browser.click("#open-table").await?;
    browser.fill(".seat-row input", name).await?;
    browser.click("#begin:not(:disabled)").await?;
    browser.wait_for("#link").await?;
    browser.wait_text(".place[data-seat='0'] b", name).await?;
    browser.text("#link").await
}

async fn visit(browser: &Browser, server: &TowersProcess, path: &str) -> WebDriverResult<()> {
    let origin = server.url.trim_end_matches('/');
    browser.driver.goto(format!("{origin}{path}")).await
}

/// Offers the person of a browser to others, and returns the words.
async fn offer(browser: &Browser, server: &TowersProcess) -> WebDriverResult<String> {
    visit(browser, server, "/#device").await?;
    browser.click("#offer").await?;
    browser.wait_for("#words").await?;
    let words = browser.text("#words").await?;
    assert_eq!(words.split(' ').count(), 6, "{words}");
    // Who shows words types none.
    let types = "return [...document.querySelectorAll('#typed-words, #accept')].some(part => part.checkVisibility())";
    assert_eq!(browser.run(types).await?, false);
    Ok(words)
}

#[tokio::test]
async fn two_devices_become_one_person_and_one_removes_the_other() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let phone = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    let laptop = Browser::open(&server.url, Size::Desktop, ENGLISH).await?;
    let link = sit_down(&phone, "Mira").await?;
    the_key_stays_in_the_browser(&phone).await?;
    let words = offer(&phone, &server).await?;

    // The link of the QR code.
    visit(
        &laptop,
        &server,
        &format!("/#device/{}", words.replace(' ', "-")),
    )
    .await?;
    laptop.wait_for("#accept.primary").await?;
    assert!(!laptop.has("#offer").await?, "it was scanned to accept");
    axe::check(&laptop, "accepting the words of another device").await?;
    laptop.click("#accept").await?;
    laptop.wait_for("a[href^='/t/']").await?;
    laptop
        .wait_text("#joined:target", "one of your devices")
        .await?;
    // The name of the seat, which nobody has typed here.
    laptop
        .wait_until(
            "document.querySelector(\"form[data-api='/api/person/name'] input\").value === 'Mira'",
        )
        .await?;
    axe::check(&laptop, "the page about a person").await?;
    laptop.driver.goto(&link).await?;
    // The seat is there, without a name having to be typed.
    laptop.wait_text(".place[data-seat='0'] b", "Mira").await?;
    laptop.wait_for("#start").await?;
    a_table_of_one_device_is_shown_on_the_other(&server, &phone, &laptop).await?;

    // The words work once.
    let stranger = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    visit(&stranger, &server, "/#device").await?;
    stranger.fill("#typed-words", &words).await?;
    stranger.click("#accept").await?;
    stranger.wait_text("#device-problem", "not valid").await?;
    stranger.close().await;

    visit(&phone, &server, "/me/devices").await?;
    phone
        .wait_until("document.querySelectorAll('.part li').length === 2")
        .await?;
    axe::check(&phone, "the list of devices").await?;
    // It is asked for first.
    phone
        .run("window.confirm = (text) => { window.asked = text; return false }")
        .await?;
    phone.click("form[data-api$='/remove'] button").await?;
    phone.wait_until("window.asked").await?;
    phone.run("window.confirm = () => true").await?;
    phone.click("form[data-api$='/remove'] button").await?;
    phone
        .wait_until("document.querySelectorAll('.part li').length === 1")
        .await?;
    visit(&laptop, &server, "/me").await?;
    laptop.wait_for("form[data-begin]").await?;
    laptop.driver.goto(&link).await?;
    laptop.wait_for("#room-name").await?;
    assert!(!laptop.has("#start").await?);

    phone.close().await;
    laptop.close().await;
    Ok(())
}

/// The device has one key pair, whose private key no script can read.
async fn the_key_stays_in_the_browser(browser: &Browser) -> WebDriverResult<()> {
    assert_eq!(browser.run(OWN_KEYS).await?, json!([[false, ["sign"]]]));
    Ok(())
}

/// The phone sits down at a table; the laptop lists it, counts it when it waits, and both lose it when one removes it.
async fn a_table_of_one_device_is_shown_on_the_other(
    server: &TowersProcess,
    phone: &Browser,
    laptop: &Browser,
) -> WebDriverResult<()> {
    let cys = r#"{"language":"en","name":"Cy"}"#;
    let cy = Browser::open(&server.url, Size::Phone, cys).await?;
    // The second seat begins.
    let table = cy
        .driver
        .execute_async(
            "const done = arguments[0], settings = { seats: 2, start: { seat: 1 } };
             fetch('/api/tables', { method: 'POST', body: JSON.stringify({ name: 'Cy', settings }) })
               .then((answer) => answer.json()).then(({ table, token }) => {
                 localStorage.setItem('towers.tables', JSON.stringify([{ table, token, at: Date.now() }]));
                 done(table);
               })",
            Vec::new(),
        )
        .await?;
    let path = format!("/t/{}", table.json().as_str().unwrap_or_default());
    visit(&cy, server, &path).await?;
    cy.click(".sit").await?;
    cy.wait_for("#change-settings").await?;
    visit(phone, server, &path).await?;
    phone.click(".sit").await?;
    phone.wait_for("#ready").await?;
    visit(laptop, server, "/#tables").await?;
    laptop
        .wait_text("section[aria-labelledby='mine-title']", "Cy")
        .await?;
    cy.click("#start:not(:disabled)").await?;
    laptop.driver.refresh().await?;
    laptop
        .wait_for("section[aria-labelledby='mine-title'] .row.now")
        .await?;
    laptop.home().await?;
    laptop.wait_text("#online", "your turn at 1 table").await?;
    phone.home().await?;
    phone.wait_text("#online", "your turn at 1 table").await?;
    phone.click("#online").await?;
    phone
        .click("section[aria-labelledby='mine-title'] li:has(.now) .round")
        .await?;
    phone
        .wait_until("fetch('/api/person/lobby').then(a => a.json()).then(a => a.tables.some(t => !t.summary))")
        .await?;
    laptop.click("#online").await?;
    laptop
        .wait_until(
            "document.querySelectorAll(\"section[aria-labelledby='mine-title'] li\").length === 1",
        )
        .await?;
    cy.close().await;
    Ok(())
}

#[tokio::test]
async fn a_lost_device_is_recovered_and_everything_can_be_deleted() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let lost = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    let link = sit_down(&lost, "Mira").await?;
    visit(&lost, &server, "/me/devices").await?;
    lost.click("form[data-show='code'] button").await?;
    lost.wait_until("document.querySelector('#code').textContent.length > 20")
        .await?;
    let code = lost.text("#code").await?;
    axe::check(&lost, "a recovery code").await?;
    lost.run("navigator.clipboard.writeText = async (text) => { window.copied = text }")
        .await?;
    lost.click("form[data-copy='code'] button").await?;
    lost.wait_until("window.copied === document.querySelector('#code').textContent")
        .await?;
    lost.wait_text("form[data-copy='code']", "Copied").await?;
    lost.close().await;

    let found = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    visit(&found, &server, "/me/recover").await?;
    found
        .fill("input[name='code']", "0000-0000-0000-0000-0000-0000")
        .await?;
    found.click("form[data-recover] button").await?;
    found
        .wait_until("!document.querySelector('[data-problem]').hidden")
        .await?;
    found.fill("input[name='code']", &code).await?;
    found.click("form[data-recover] button").await?;
    found.wait_for("a[href^='/t/']").await?;
    found
        .wait_text("#joined:target", "one of your devices")
        .await?;
    // The client takes the name from the page.
    found
        .wait_until("JSON.parse(localStorage.getItem('towers.preferences')).name === 'Mira'")
        .await?;
    visit(&found, &server, "/#tables").await?;
    found
        .wait_text("section[aria-labelledby='mine-title']", "Mira")
        .await?;
    found.driver.goto(&link).await?;
    found.wait_for("#start").await?;

    visit(&found, &server, "/me/data").await?;
    found.run("window.confirm = () => true").await?;
    found
        .click("form[data-api='/api/person/delete'] button")
        .await?;
    found.wait_for("form[data-begin]").await?;
    // The next session is that of a new person.
    assert_eq!(found.run(OWN_KEYS).await?, json!([]));
    assert!(
        found
            .run("return localStorage.getItem('towers.tables')")
            .await?
            .is_null()
    );
    found.close().await;
    Ok(())
}

/// A new person has the name of the device. One who is known keeps theirs, also if the device has lost its cookie.
#[tokio::test]
async fn a_new_person_has_the_name_of_the_device() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let mira = r#"{"language":"en","name":"Mira"}"#;
    let browser = Browser::open(&server.url, Size::Phone, mira).await?;
    let has_name = |name: &str| {
        format!("fetch('/api/person').then(a => a.json()).then(me => me.name === '{name}')")
    };
    visit(&browser, &server, "/me").await?;
    browser.click("form[data-begin] button").await?;
    browser.wait_for("a[href='/me/games']").await?;
    browser.wait_until(&has_name("Mira")).await?;
    browser.fill("main input[name='name']", "Annika").await?;
    browser
        .click("form[data-api='/api/person/name'] button")
        .await?;
    browser.wait_until(&has_name("Annika")).await?;
    browser
        .run(
            "localStorage.setItem('towers.preferences', '{\"language\":\"en\",\"name\":\"Mira\"}')",
        )
        .await?;
    browser.driver.delete_all_cookies().await?;
    visit(&browser, &server, "/me").await?;
    browser.click("form[data-begin] button").await?;
    browser.wait_for("a[href='/me/games']").await?;
    browser.wait_until(&has_name("Annika")).await?;
    browser.close().await;
    Ok(())
}

#[tokio::test]
async fn the_pages_are_there_in_three_languages() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    visit(&browser, &server, "/me").await?;
    browser.click("form[data-begin] button").await?;
    browser.wait_for("a[href='/me/games']").await?;
    for (language, titles) in [
        (
            "en",
            [
                "You",
                "Your games",
                "Devices",
                "Notifications",
                "Your data",
                "Find me a game",
                "Privacy",
            ],
        ),
        (
            "de",
            [
                "Du",
                "Deine Partien",
                "Geräte",
                "Benachrichtigungen",
                "Deine Daten",
                "Mitspieler finden",
                "Datenschutz",
            ],
        ),
        (
            "fr",
            [
                "Vous",
                "Vos parties",
                "Appareils",
                "Notifications",
                "Vos données",
                "Trouver une partie",
                "Confidentialité",
            ],
        ),
    ] {
        let paths = [
            "/me",
            "/me/games",
            "/me/devices",
            "/me/calls",
            "/me/data",
            "/meet",
            "/privacy",
        ];
        for (path, title) in paths.into_iter().zip(titles) {
            check(&browser, &server, path, language, title).await?;
        }
    }
    browser.close().await;
    Ok(())
}

/// Checks a page on a narrow phone and at a desktop.
async fn check(
    browser: &Browser,
    server: &TowersProcess,
    path: &str,
    language: &str,
    title: &str,
) -> WebDriverResult<()> {
    for size in [Size::Narrow, Size::Desktop] {
        browser.resize(size).await?;
        visit(browser, server, &format!("{path}?lang={language}")).await?;
        browser.wait_text("h1", title).await?;
        browser
            .wait_until("document.readyState === 'complete'")
            .await?;
        axe::check(browser, path).await?;
        let wide = browser
            .run("return document.documentElement.scrollWidth > innerWidth")
            .await?;
        assert_eq!(wide, false, "{path} in {language} is wider than {size:?}");
    }
    Ok(())
}

#[tokio::test]
async fn the_pages_for_newcomers_are_there_in_three_languages() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    let paths = ["/me", "/me/recover", "/me/data"];
    for (language, titles) in [
        ("en", ["You", "Use a recovery code", "Your data"]),
        (
            "de",
            ["Du", "Wiederherstellungscode eingeben", "Deine Daten"],
        ),
        ("fr", ["Vous", "Utiliser un code de secours", "Vos données"]),
    ] {
        for (path, title) in paths.into_iter().zip(titles) {
            check(&browser, &server, path, language, title).await?;
        }
    }
    // The language that was chosen in the client.
    browser
        .run(r#"localStorage.setItem('towers.preferences', '{"language":"fr"}')"#)
        .await?;
    visit(&browser, &server, "/me").await?;
    browser.wait_text("h1", "Vous").await?;
    browser.close().await;
    Ok(())
}

/// Six words and the code, in every language on the narrowest phone and at a desktop.
#[tokio::test]
async fn words_and_code_fit_in_three_languages() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    for language in ["en", "de", "fr"] {
        let preferences = format!(r#"{{"language":"{language}"}}"#);
        let browser = Browser::open(&server.url, Size::Narrow, &preferences).await?;
        offer(&browser, &server).await?;
        browser.wait_for(".qr svg").await?;
        for size in [Size::Narrow, Size::Desktop] {
            browser.resize(size).await?;
            browser.wait_for_layout().await?;
            axe::check(&browser, "words for another device").await?;
            let wide = "return document.documentElement.scrollWidth > innerWidth";
            let wide = browser.run(wide).await?;
            assert_eq!(
                wide, false,
                "the words in {language} are wider than {size:?}"
            );
        }
        browser.close().await;
    }
    Ok(())
}

/// The most that a device stores: twelve games of six people to the end, and forty tables.
fn full_shelf() -> Shelf<BTreeMap<String, String>> {
    let mut shelf = Shelf(BTreeMap::new());
    let names: Vec<String> = (1..=6)
        .map(|n| format!("A name that is long {n}"))
        .collect();
    let plan = Plan::hot_seat(&names);
    for game in 0..12 {
        let seed = Hex([game; 32]);
        let mut local = LocalTable::open("long", &plan, 1, &seed).expect("it is playable");
        let mut n = usize::from(game);
        loop {
            while local.receive().is_some() {}
            let Need::Person(person, seat) = local.need() else {
                break;
            };
            local.hand_to(person);
            let actions = common::legal(&local, seat);
            common::act(&mut local, seat, actions[n % actions.len()]);
            n += 7;
        }
        let saved = SavedGame {
            id: format!("long-{game}"),
            plan: plan.clone(),
            at: u64::from(game),
            round: 1,
            over: true,
            result: None,
        };
        shelf.keep(saved, &local);
    }
    for table in 0..40 {
        let token: String = Digest::digest(&[&[table]]).to_string();
        shelf.keep_table(MyTable {
            table: token[..20].into(),
            token,
            at: 1,
            seat: None,
        });
    }
    shelf
}

/// All that a device stores fits into what the server keeps for the other one.
#[tokio::test]
async fn a_device_full_of_games_moves_to_another_one() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let full = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    let shelf = full_shelf();
    full.keep_only(&shelf.0).await?;
    let bytes: usize = shelf.0.values().map(String::len).sum();
    assert!(bytes > 100_000, "a long game is long: {bytes}");
    let words = offer(&full, &server).await?;
    let fresh = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    let path = format!("/#device/{}", words.replace(' ', "-"));
    visit(&fresh, &server, &path).await?;
    fresh.click("#accept").await?;
    fresh.wait_for("a[href='/me/games']").await?;
    fresh.home().await?;
    fresh
        .wait_until("document.querySelectorAll('#finished li').length === 12")
        .await?;
    full.close().await;
    fresh.close().await;
    Ok(())
}
