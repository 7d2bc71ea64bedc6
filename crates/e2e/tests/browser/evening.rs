//! An evening of people who play together: rated games, a circle with standings, replays, and an invitation.

use thirtyfour::prelude::*;
use towers_bots::Strength;
use towers_client::Route;
use towers_e2e::{Browser, Size, TowersProcess, axe, socket};
use towers_rules::Seat;
use towers_table::{Ending, TableView};

use crate::sharing;

const GAMES: u32 = 4;

fn preferences(name: &str) -> String {
    format!(r#"{{"speed":"instant","language":"en","name":"{name}"}}"#)
}

async fn visit(browser: &Browser, server: &TowersProcess, path: &str) -> WebDriverResult<()> {
    let origin = server.url.trim_end_matches('/');
    browser.driver.goto(format!("{origin}{path}")).await
}

fn table_of(link: &str) -> String {
    link.rsplit('/').next().unwrap_or_default().into()
}

fn won(view: &TableView, seat: Seat) -> bool {
    match view.ending {
        Some(Ending::Played(outcome)) => outcome.winners.contains(seat),
        Some(Ending::Agreed) | None => false,
    }
}

/// Opens a rated table for two as Ann; Ben joins, and the game begins. Returns the table.
async fn begin(ann: &Browser, ben: &Browser) -> WebDriverResult<String> {
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    ann.choose("Players", "2").await?;
    ann.choose("Rated", "On").await?;
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    let link = ann.text("#link").await?;
    ben.driver.goto(&link).await?;
    ben.wait_text("body", "Rated").await?;
    ben.click(".sit").await?;
    ben.wait_for("#ready").await?;
    ann.click("#start:not(:disabled)").await?;
    Ok(table_of(&link))
}

/// The cells of a row in the standings, by the name in its first cell.
async fn standing(browser: &Browser, name: &str) -> WebDriverResult<String> {
    let script = format!(
        "const row = [...document.querySelectorAll('#standings tbody tr')].find(r => r.cells[0].innerText === '{name}');
         return [...row.cells].slice(1).map(c => c.innerText.trim()).join(' ')"
    );
    let cells = browser.run(&script).await?;
    Ok(cells.as_str().unwrap_or_default().into())
}

async fn four_games(ann: &Browser, ben: &Browser, table: &str) -> WebDriverResult<u32> {
    let players = [(ann, Strength::Adept), (ben, Strength::Novice)];
    let mut won_by_ann = 0;
    for game in 1..=GAMES {
        let view = socket::play_game(&players, table, game).await?;
        won_by_ann += u32::from(won(&view, Seat(0)));
        for browser in [ann, ben] {
            browser.wait_for("#over-title").await?;
            if game < GAMES {
                browser.click("#again").await?;
            }
        }
    }
    Ok(won_by_ann)
}

/// Four rated games of two people make a circle with standings; each game has its replay; and one tap invites again.
#[tokio::test]
async fn an_evening_of_four_rated_games_has_standings() -> WebDriverResult<()> {
    let server = TowersProcess::start_with(&["--messages-per-second", "100000"]);
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let table = begin(&ann, &ben).await?;
    let won = four_games(&ann, &ben, &table).await?;

    // Ann names the circle from the last game; Ben is asked, and accepts.
    ann.click("#circle").await?;
    ann.wait_text("body", "Ben").await?;
    axe::check(&ann, "naming a circle").await?;
    ann.fill("input[name='name']", "Friday evening").await?;
    ann.click("form[data-api='/api/circles'] button").await?;
    ann.wait_text("h1", "Friday evening").await?;
    visit(&ben, &server, "/me").await?;
    ben.wait_text("body", "Friday evening").await?;
    axe::check(&ben, "an invitation to a circle").await?;
    ben.click("form[data-api$='/accept'] button").await?;
    ben.wait_text("h1", "Friday evening").await?;
    let lost = GAMES - won;
    assert_eq!(
        standing(&ben, "You").await?,
        format!("{lost} {lost} {GAMES}")
    );
    assert_eq!(standing(&ben, "Ann").await?, format!("{won} {won} {GAMES}"));
    ben.wait_text(".pairs .score", &format!("{lost} : {won}"))
        .await?;
    // The evening is all there is so far.
    ben.click(".tabs a:nth-child(2)").await?;
    ben.wait_until("location.search.includes('evening=')")
        .await?;
    assert_eq!(standing(&ben, "Ann").await?, format!("{won} {won} {GAMES}"));
    axe::check(&ben, "a circle").await?;
    let circle = ben.run("return location.pathname").await?;
    let circle = circle.as_str().unwrap_or_default().to_string();

    // Every game has its own replay, and the ratings have an uncertainty.
    visit(&ann, &server, "/me/games").await?;
    ann.wait_until("document.querySelectorAll('#games li').length === 4")
        .await?;
    ann.wait_text("body", "±").await?;
    axe::check(&ann, "games").await?;
    let mut entries = Vec::new();
    for row in [4, 1] {
        visit(&ann, &server, "/me/games").await?;
        ann.click(&format!("#games li:nth-child({row}) a")).await?;
        ann.wait_for("#replay-slider").await?;
        ann.wait_until("document.querySelector('#replay-slider').value === '0'")
            .await?;
        ann.click("#replay-on").await?;
        ann.wait_until("/replay.*\\/\\d+$/.test(location.hash)")
            .await?;
        let hash = ann.run("return location.hash").await?;
        let Route::Replay(id, Some(entry)) = Route::parse(hash.as_str().unwrap_or_default()) else {
            panic!("{hash}");
        };
        entries.push(entry);
        // What is shared is the step on the screen.
        let shared = sharing::shared(&ann, "#replay-share").await?;
        assert!(
            shared.ends_with(&format!("/replay/{id}/{entry}")),
            "{shared}"
        );
    }
    assert!(
        entries[0] < entries[1],
        "the first game, then the last: {entries:?}"
    );

    in_every_language(&server, &ann, &circle, &table).await?;
    invited_again(&server, &ann, &ben).await?;
    ann.close().await;
    ben.close().await;
    Ok(())
}

/// The pages about an evening, with content: no violation, and no page wider than the screen.
async fn in_every_language(
    server: &TowersProcess,
    ann: &Browser,
    circle: &str,
    table: &str,
) -> WebDriverResult<()> {
    visit(ann, server, "/scores").await?;
    ann.click("form[data-scores='true'] button").await?;
    ann.wait_for("form[data-scores='false']").await?;
    let paths = [
        circle.to_string(),
        format!("/me/calls/{table}"),
        "/me/games".into(),
        "/me".into(),
        "/ratings".into(),
        "/scores".into(),
    ];
    for size in [Size::Narrow, Size::Desktop] {
        ann.resize(size).await?;
        for language in ["en", "de", "fr"] {
            for path in &paths {
                visit(ann, server, &format!("{path}?lang={language}")).await?;
                ann.wait_until("document.readyState === 'complete'").await?;
                ann.wait_for(&format!("html[lang='{language}'] h1")).await?;
                axe::check(ann, path).await?;
                let wide = "return document.documentElement.scrollWidth > innerWidth";
                let wide = ann.run(wide).await?;
                assert_eq!(wide, false, "{path} in {language} is wider than {size:?}");
            }
        }
    }
    Ok(())
}

/// Ann invites Ben with one tap; Ben sees it on the start page and in the lobby, and follows with one tap.
async fn invited_again(
    server: &TowersProcess,
    ann: &Browser,
    ben: &Browser,
) -> WebDriverResult<()> {
    visit(ann, server, "/me/games").await?;
    ann.click("#companions form button").await?;
    ann.wait_text(".place[data-seat='0'] b", "Ann").await?;
    ann.wait_for("#start").await?;
    visit(ben, server, "/").await?;
    ben.wait_text("#online", "Ann invites you").await?;
    ben.click("#online").await?;
    ben.click("#invitations button").await?;
    ben.click(".sit").await?;
    ben.wait_for("#ready").await?;
    ann.wait_text(".place[data-seat='1'] b", "Ben").await?;
    // The invitation is answered.
    visit(ben, server, "/#tables").await?;
    ben.wait_for("#public-title").await?;
    ben.wait_until("fetch('/api/person/invitations').then(a => a.json()).then(a => a.invitations.length === 0)")
        .await
}
