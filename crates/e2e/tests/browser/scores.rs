//! The board of the deal of the day, and the ratings of bots.

use thirtyfour::prelude::*;
use towers_client::{LocalTable, Need, daily};
use towers_e2e::{Browser, Size, TowersProcess, axe};
use towers_table::DailyDeals;

use crate::common;

const ENGLISH: &str = r#"{"language":"en"}"#;

async fn visit(browser: &Browser, server: &TowersProcess, path: &str) -> WebDriverResult<()> {
    let origin = server.url.trim_end_matches('/');
    browser.driver.goto(format!("{origin}{path}")).await
}

/// Plays today's deal natively to its end, and stores it as the browser does.
async fn play_todays_deal(browser: &Browser) -> WebDriverResult<()> {
    let script = "const done = arguments[0]; fetch('/api/daily').then(a => a.text()).then(done)";
    let answer = browser.driver.execute_async(script, Vec::new()).await?;
    let text: String = answer.convert()?;
    let deals: DailyDeals = serde_json::from_str(&text).expect("the server sends deals");
    let plan = daily::plan(&deals.today.day, "Ann");
    let mut local = LocalTable::open("deal", &plan, 1, &deals.today.seed).expect("it is playable");
    while local.receive().is_some() {}
    let mut n = 0;
    while let Need::Person(_, seat) = local.need() {
        let actions = common::legal(&local, seat);
        common::act(&mut local, seat, actions[n % actions.len()]);
        n += 7;
    }
    common::put(browser, &common::kept("deal", &plan, &local)).await
}

/// The button for a wish about one's results.
fn wish(keeps_deals: bool, statistics: bool) -> String {
    format!(
        "form[data-json='{{\"keeps_deals\":{keeps_deals},\"statistics\":{statistics}}}'] button"
    )
}

#[tokio::test]
async fn a_finished_deal_has_a_place_on_the_board() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    play_todays_deal(&browser).await?;
    visit(&browser, &server, "/scores").await?;
    axe::check(&browser, "an empty board").await?;
    assert!(!browser.has("#place").await?);
    // Kept for oneself, it counts for nobody else.
    browser.click(&wish(true, false)).await?;
    browser.wait_text("#place", "cards").await?;
    browser.wait_text("main", "Days in a row").await?;
    assert!(!browser.has(".bars").await?);
    axe::check(&browser, "one's own results").await?;
    browser.click(&wish(true, true)).await?;
    browser.wait_text("#place", "place 1 of 1").await?;
    axe::check(&browser, "a board").await?;
    browser
        .wait_until("!document.querySelector('#own-replay').hidden")
        .await?;
    browser.click("#own-replay a").await?;
    browser.wait_for("#replay-slider").await?;
    // A person who no longer takes part is not counted.
    visit(&browser, &server, "/scores").await?;
    browser.click(&wish(true, false)).await?;
    browser.wait_for(&wish(true, true)).await?;
    assert!(!browser.has(".bars").await?);
    browser.click(&wish(false, false)).await?;
    browser.wait_for(&wish(true, false)).await?;
    let sends = browser
        .run("return localStorage.getItem('towers.board')")
        .await?;
    assert!(sends.is_null(), "{sends}");
    browser.close().await;
    Ok(())
}

#[tokio::test]
async fn the_pages_of_history_are_there_in_three_languages() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    visit(&browser, &server, "/me").await?;
    browser.click("form[data-begin] button").await?;
    browser.wait_for("a[href='/me/circles']").await?;
    let titles = [
        (
            "en",
            [
                "Circles",
                "Scores",
                "Ratings",
                "Your games",
                "Find me a game",
            ],
        ),
        (
            "de",
            [
                "Spielrunden",
                "Bestenliste",
                "Wertungen",
                "Deine Partien",
                "Mitspieler finden",
            ],
        ),
        (
            "fr",
            [
                "Cercles",
                "Scores",
                "Cotes",
                "Vos parties",
                "Trouver une partie",
            ],
        ),
    ];
    let paths = ["/me/circles", "/scores", "/ratings", "/me/games", "/meet"];
    for size in [Size::Narrow, Size::Desktop] {
        browser.resize(size).await?;
        for (language, titles) in titles {
            for (path, title) in paths.into_iter().zip(titles) {
                visit(&browser, &server, &format!("{path}?lang={language}")).await?;
                browser.wait_text("h1", title).await?;
                axe::check(&browser, path).await?;
                let wide = "return document.documentElement.scrollWidth > innerWidth";
                let wide = browser.run(wide).await?;
                assert_eq!(wide, false, "{path} in {language} is wider than the screen");
            }
        }
    }
    browser.close().await;
    Ok(())
}
