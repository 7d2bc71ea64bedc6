//! Long words without spaces in names, titles and chat break no screen at any size.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_client::{LocalTable, Need, Plan};
use towers_e2e::play::{self, Moment};
use towers_e2e::{Browser, Size, TowersProcess};
use towers_rules::Action;
use towers_table::Hex;

use crate::common::{act, kept, legal, put};

/// A name of the maximum width; 24 characters are allowed.
fn name(n: usize) -> String {
    format!("{}{n}", "W".repeat(23))
}

fn preferences(n: usize) -> String {
    json!({"speed": "instant", "language": "en", "name": name(n)}).to_string()
}

/// The width and height of each screen, and whether it is a phone.
const SIZES: [(u32, u32, bool); 4] = [
    (360, 740, true),
    (390, 844, true),
    (844, 390, true),
    (1280, 800, false),
];

/// The layout faults of the page: it scrolls sideways, an element overflows the window or its box, or elements that
/// should be side by side overlap.
const MISFITS: &str = r"
    const out = [], wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) out.push(`the page is ${wide} wide`);
    const name = e => e.id ? '#' + e.id : e.tagName.toLowerCase() + '.' + (e.getAttribute('class') ?? '').replaceAll(' ', '.');
    const seen = e => { const r = e.getBoundingClientRect(), s = getComputedStyle(e);
      return e.checkVisibility() && r.width > 2 && r.height > 2 && s.visibility !== 'hidden' && s.clipPath === 'none' && !e.closest('.unseen, svg, .scene, .backdrop, .air, option') };
    // Clipped and scrollable content does not stick out.
    const cut = (e, within) => { for (let p = e; p && p !== within; p = p.parentElement) if (getComputedStyle(p).overflowX !== 'visible') return true };
    for (const e of document.querySelectorAll('.dialog, .sheet, .start main')) if (e.scrollWidth > e.clientWidth + 1) out.push(`${name(e)} scrolls sideways`);
    const boxes = '.dialog, .panel, .sheet, .prompt, .player, .place, button, li, th, td, .coach, .row, .cover .panel';
    const all = [...document.querySelectorAll('body *')].filter(seen);
    for (const e of all) {
      const r = e.getBoundingClientRect();
      const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
      if (!text) continue;
      if (!cut(e.parentElement, null) && (r.right > innerWidth + 1 || r.left < -1)) out.push(`${name(e)} sticks out of the window`);
      const range = document.createRange();
      range.selectNodeContents(e);
      const words = range.getBoundingClientRect();
      const box = e.closest(boxes);
      if (!box || cut(e, box.parentElement)) continue;
      const b = box.getBoundingClientRect();
      if (words.right > b.right + 1 || words.left < b.left - 1) out.push(`the words of ${name(e)} stick out of ${name(box)}`);
    }
    // The page's own words are not broken.
    for (const e of document.querySelectorAll('button:not(.row, .big), .dialog th')) {
      const words = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
      while (seen(e) && words.nextNode()) for (const word of words.currentNode.data.matchAll(/\S+/g)) {
        if (word[0].length > 14) continue;
        const range = document.createRange();
        range.setStart(words.currentNode, word.index);
        range.setEnd(words.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map(r => Math.round(r.top))).size > 1) out.push(`${word[0]} is broken in ${name(e)}`);
      }
    }
    // Neighbours in a row, and overlays of the board.
    const apart = (a, b) => { const r = a.getBoundingClientRect(), s = b.getBoundingClientRect();
      return r.right <= s.left + 1 || s.right <= r.left + 1 || r.bottom <= s.top + 1 || s.bottom <= r.top + 1 };
    for (const row of document.querySelectorAll('.place, .sheet-head, .seat-row, .tables li, .saved li, .dialog-head, .coach-head, .emote-line, .buttons, .segments, .chat-form')) {
      const parts = [...row.children].filter(seen);
      for (let i = 1; i < parts.length; i++) if (!apart(parts[i - 1], parts[i])) out.push(`${name(parts[i - 1])} lies on ${name(parts[i])} in ${name(row)}`);
    }
    const over = [...document.querySelectorAll('.prompt, .player, .coach, .tools, .actions .primary')].filter(seen);
    for (const [i, a] of over.entries()) for (const b of over.slice(i + 1))
      if (!a.contains(b) && !b.contains(a) && !apart(a, b)) out.push(`${name(a)} lies on ${name(b)}`);
    return [...new Set(out)]";

/// Checks a screen at every size.
async fn fits(browser: &Browser, screen: &str, wrong: &mut Vec<String>) -> WebDriverResult<()> {
    for (width, height, mobile) in SIZES {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile});
        let cdp = browser.driver.cdp();
        cdp.send_raw("Emulation.setDeviceMetricsOverride", metrics)
            .await?;
        let resized = format!("innerWidth === {width} && innerHeight === {height}");
        browser.wait_until(&resized).await?;
        browser.wait_for_layout().await?;
        let misfits = browser.run(MISFITS).await?;
        for misfit in misfits.as_array().into_iter().flatten() {
            wrong.push(format!("{screen}, {width} x {height}: {misfit}"));
        }
    }
    Ok(())
}

/// A game of this many people with long names at one device, after `most` actions or at its end.
fn game(players: usize, most: usize) -> (Plan, LocalTable) {
    let names: Vec<String> = (1..=players).map(name).collect();
    let plan = Plan::hot_seat(&names);
    let mut local = LocalTable::open("long", &plan, 0, &Hex([7; 32])).expect("a good plan");
    for n in 0..most {
        let (Need::Person(person, seat), all) = (local.need(), legal) else {
            break;
        };
        local.hand_to(person);
        let all = all(&local, seat);
        // Prefer moves of wizards, so that the game ends.
        let walks = |a: &&Action| matches!(a, Action::Play(_, towers_rules::Move::Wizard { .. }));
        let walk = all.iter().find(walks).filter(|_| n % 3 > 0);
        let action = walk.copied().unwrap_or(all[n * 7 % all.len()]);
        act(&mut local, seat, action);
    }
    (plan, local)
}

async fn go(browser: &Browser, address: &str, ready: &str) -> WebDriverResult<()> {
    let script = format!("location.hash = {}", json!(address));
    browser.run(&script).await?;
    browser.wait_for(ready).await
}

/// Games at one device: start page, setup, handing over, two to six players, log, result and review.
#[tokio::test]
async fn long_names_at_one_device() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, &preferences(1)).await?;
    let mut wrong = Vec::new();
    for players in 2..=6 {
        let (plan, local) = game(players, 30);
        put(&browser, &kept("long", &plan, &local)).await?;
        browser.home().await?;
        if players == 6 {
            browser.wait_for(".saved .row").await?;
            fits(&browser, "start", &mut wrong).await?;
        }
        go(&browser, "game/long", "#uncover, .prompt").await?;
        if play::wait(&browser).await? == Moment::Cover {
            fits(&browser, &format!("cover {players}"), &mut wrong).await?;
            browser.click("#uncover").await?;
        }
        browser.wait_for(".prompt.mine").await?;
        fits(&browser, &format!("game {players}"), &mut wrong).await?;
        browser.click("#log").await?;
        browser.wait_for("#log-lines").await?;
        fits(&browser, &format!("log {players}"), &mut wrong).await?;
    }
    browser.home().await?;
    browser.click("#hot-seat").await?;
    browser.wait_for(".seat-row").await?;
    fits(&browser, "setup", &mut wrong).await?;
    let (plan, local) = game(6, 20_000);
    assert_eq!(local.need(), Need::Nothing, "the game is over");
    put(&browser, &kept("long", &plan, &local)).await?;
    browser.home().await?;
    go(&browser, "game/long", "#over-title").await?;
    fits(&browser, "result", &mut wrong).await?;
    browser.click("#look-back").await?;
    browser.wait_for("#replay-on").await?;
    fits(&browser, "replay", &mut wrong).await?;
    for (open, ready) in [
        ("#show-numbers", "#statistics"),
        ("#show-review", "#review-progress"),
        ("#show-fairness", "#fair-result"),
        ("#show-hands", ".hands"),
    ] {
        if browser.has(open).await? {
            browser.click(open).await?;
            browser.wait_for(ready).await?;
            fits(&browser, open.trim_start_matches('#'), &mut wrong).await?;
            browser.click(".dialog .round").await?;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    browser.close().await;
    Ok(())
}

/// Sets the value of a field as if it were typed, at any length.
async fn enter(browser: &Browser, selector: &str, text: &str) -> WebDriverResult<()> {
    browser.wait_for(selector).await?;
    let script = format!(
        "const e = document.querySelector({}); e.value = {}; e.dispatchEvent(new Event('input', {{ bubbles: true }}))",
        json!(selector),
        json!(text)
    );
    browser.run(&script).await.map(|_| ())
}

/// Tables on a server: lobby, room, chat, the table during a game, and its end.
#[tokio::test]
async fn long_words_at_a_table_on_a_server() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let ann = Browser::open(&server.url, Size::Phone, &preferences(1)).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences(2)).await?;
    let mut wrong = Vec::new();
    ann.click("#online").await?;
    ann.click("#open-table").await?;
    ann.click_in(".alternatives", "2").await?;
    ann.click_text("Shown to everybody").await?;
    enter(&ann, "#table-title", &"M".repeat(60)).await?;
    fits(&ann, "setup of a table", &mut wrong).await?;
    ann.click("#begin").await?;
    ann.wait_for("#link").await?;
    let link = ann.text("#link").await?;
    ben.click("#online").await?;
    ben.wait_for("#public-tables .row").await?;
    fits(&ben, "lobby", &mut wrong).await?;
    ben.driver.goto(&link).await?;
    ben.wait_for("#room-name").await?;
    fits(&ben, "room of a guest", &mut wrong).await?;
    ben.click(".sit").await?;
    ben.wait_for("#ready").await?;
    for text in ["M".repeat(60), "W".repeat(300)] {
        enter(&ben, "#chat-text", &text).await?;
        ben.click("#chat-send").await?;
        ann.wait_text(".chat .lines", &text).await?;
    }
    ben.click(".emotes .round").await?;
    fits(&ben, "room", &mut wrong).await?;
    fits(&ann, "room of the host", &mut wrong).await?;
    ann.click(".person-menu summary").await?;
    ann.wait_for(".person-menu[open] .make-host").await?;
    fits(&ann, "menu of a seat", &mut wrong).await?;
    ann.click(".person-menu summary").await?;
    ann.click("#remove").await?;
    fits(&ann, "question about a seat", &mut wrong).await?;
    ann.click_in(".ask-first", "Cancel").await?;
    ann.click("#start:not(:disabled)").await?;
    play::wait_any(&[&ann, &ben]).await?;
    for (browser, screen) in [(&ann, "table of the host"), (&ben, "table of a guest")] {
        browser.wait_for(".prompt").await?;
        fits(browser, screen, &mut wrong).await?;
        browser.click("#chat").await?;
        // The chat is in this dialog, or beside the board on wide screens.
        browser.wait_for("#wish-end").await?;
        browser.wait_for(".chat").await?;
        fits(browser, &format!("{screen} with talk"), &mut wrong).await?;
        browser.click("#wish-end").await?;
    }
    ann.wait_for("#over-title").await?;
    ben.wait_for("#over-title").await?;
    ben.click("#again").await?;
    ann.wait_text(".over", &name(2)).await?;
    fits(&ann, "result of a table", &mut wrong).await?;
    ann.click("#to-start").await?;
    ann.click("#room-back").await?;
    ann.wait_for(".tables:not(#invitations) .row").await?;
    fits(&ann, "my tables", &mut wrong).await?;
    assert!(wrong.is_empty(), "{wrong:#?}");
    ann.close().await;
    ben.close().await;
    Ok(())
}
