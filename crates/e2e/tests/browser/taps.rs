//! Inexact, repeated and early taps of a finger.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::Plan;
use towers_e2e::pointer::{self, PagePoint};
use towers_e2e::{Browser, Position, Size, TowersProcess, act, play};
use towers_table::{BotLevel, Hex};

use crate::hands_on::{QUICK, tower_alone};

/// A point of empty ground at most this many pixels beside a piece.
async fn beside(browser: &Browser, piece: &str, distance: u32) -> WebDriverResult<PagePoint> {
    let script = format!(
        "const e = document.querySelector({}), r = e.getBoundingClientRect(), part = '[data-tower], [data-wizard], [data-castle], [data-spell], [data-die], [data-pile]';
         for (let d = {distance}; d > 5; d--) for (const x of [r.left - d, r.right + d]) for (let y = r.bottom - 8; y > r.top; y -= 3) {{
           const hit = document.elementFromPoint(x, y), ahead = document.elementFromPoint(x < r.left ? x + d + 3 : x - d - 3, y);
           if (hit?.closest('.scene') && !hit.closest(part) && e.contains(ahead)) return [x, y];
         }}
         return null",
        json!(piece)
    );
    let found = browser.run(&script).await?;
    let point = found[0].as_f64().zip(found[1].as_f64());
    Ok(point.expect("there is empty ground beside the piece"))
}

/// Opens a decision in which a card can move a tower that stands alone, and chooses the card.
async fn choose_card(server: &TowersProcess) -> WebDriverResult<(Browser, Position, char, String)> {
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    pointer::phone(&browser, 390, 844).await?;
    let (position, tower, card, _) = tower_alone();
    browser.open_position(&position).await?;
    pointer::press(&browser, true, &format!(".card[data-card='{card}']")).await?;
    browser
        .wait_for(&format!(".wt-scene [data-tower='{tower}'].wt-legal"))
        .await?;
    Ok((browser, position, tower, card))
}

/// A finger that lands beside a piece chooses it.
#[tokio::test]
async fn a_tap_beside_a_piece_chooses_it() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let (browser, _, tower, _) = choose_card(&server).await?;
    let piece = format!(".wt-scene [data-tower='{tower}']");
    let at = beside(&browser, &piece, 12).await?;
    pointer::tap(&browser, at).await?;
    play::expect_text(&browser, "#confirm", &format!("Move tower {tower}")).await?;
    browser.close().await;
    Ok(())
}

/// Another tap on the chosen piece moves it; the second tap of a double tap does not.
#[tokio::test]
async fn another_tap_on_the_chosen_piece_moves_it() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let (browser, mut position, tower, card) = choose_card(&server).await?;
    let piece = format!(".wt-scene [data-tower='{tower}']");
    let decision = play::decision(&browser).await?;
    let at = pointer::visible_point(&browser, &piece).await?;
    pointer::double(&browser, true, at).await?;
    play::expect_text(&browser, "#confirm", &format!("Move tower {tower}")).await?;
    assert_eq!(play::decision(&browser).await?, decision);
    // A tap elsewhere between them, so that this is not a third tap in a row.
    pointer::press(&browser, true, ".player[data-seat='1']").await?;
    browser.click(".dialog .round").await?;
    browser
        .wait_until("!document.querySelector('.dialog')")
        .await?;
    pointer::tap(&browser, at).await?;
    let told = position.act_and_tell(format!("{card}:t{tower}").parse().expect("an action"));
    act::expect_log(&browser, &told).await?;
    browser.close().await;
    Ok(())
}

/// A double tap on a card chooses it, as a single tap does.
#[tokio::test]
async fn a_double_tap_on_a_card_chooses_it() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    pointer::phone(&browser, 390, 844).await?;
    let (position, tower, card, _) = tower_alone();
    browser.open_position(&position).await?;
    let card = format!(".card[data-card='{card}']");
    let at = pointer::visible_point(&browser, &card).await?;
    pointer::double(&browser, true, at).await?;
    browser
        .wait_for(&format!(".wt-scene [data-tower='{tower}'].wt-legal"))
        .await?;
    browser.wait_for_layout().await?;
    assert!(browser.has(&format!("{card}[aria-pressed=true]")).await?);
    browser.close().await;
    Ok(())
}

/// A tap on a card during another player's turn says when cards can be chosen; the player's own turn clears that.
#[tokio::test]
async fn a_card_tapped_too_early_explains_itself() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let slow = r#"{"speed":"slow","language":"en","name":"Ann"}"#;
    let browser = Browser::open(&server.url, Size::Phone, slow).await?;
    pointer::phone(&browser, 390, 844).await?;
    let plan = Plan::against_bots("Ann", 2, BotLevel::Novice);
    browser
        .open_position(&Position::start(&plan, &Hex([3; 32])))
        .await?;
    crate::hands_on::pause_others(&browser).await?;
    let at = "(r => [r.x + r.width / 2, r.y + r.height / 2])(document.querySelector('.card').getBoundingClientRect())";
    let at = browser.run(&format!("return {at}")).await?;
    let at = (at[0].as_f64(), at[1].as_f64());
    let (Some(x), Some(y)) = at else {
        panic!("there is a card");
    };
    pointer::tap(&browser, (x, y)).await?;
    browser
        .wait_text(".prompt .why", "You can choose when it is your turn.")
        .await?;
    browser.click("#skip").await?;
    browser.wait_for(".prompt.mine").await?;
    browser
        .wait_until("!document.querySelector('.prompt .why')")
        .await?;
    browser.close().await;
    Ok(())
}
