//! For everyone: by keyboard alone, with a finger, with large letters, on the narrowest phone.

use thirtyfour::prelude::*;
use towers_e2e::play::{self, Moment};
use towers_e2e::{Browser, Server, Size};

fn preferences(language: &str) -> String {
    format!(r#"{{"speed":"instant","language":"{language}","name":"Ann"}}"#)
}

async fn press(browser: &Browser, key: impl Into<TypingData>) -> WebDriverResult<()> {
    let keys = browser.driver.action_chain().send_keys(key.into());
    keys.perform().await
}

/// Goes on with the Tab key until something of this kind has the focus.
async fn tab_to(browser: &Browser, selector: &str) -> WebDriverResult<()> {
    let there = format!("return !!document.activeElement?.matches('{selector}')");
    for _ in 0..120 {
        if browser.run(&there).await? == true {
            return Ok(());
        }
        press(browser, Key::Tab + "").await?;
    }
    panic!("the Tab key does not lead to {selector}");
}

/// From the first page into a game and through some turns, with nothing but keys.
#[tokio::test]
async fn the_keyboard_alone_is_enough() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Desktop, &preferences("en")).await?;
    tab_to(&browser, "#play-now").await?;
    press(&browser, Key::Enter + "").await?;
    let state = "return document.querySelector('#status').textContent + [...document.querySelectorAll('.card')].map(c => c.dataset.card)";
    let mut by_number = 0;
    for turn in 0..8 {
        if play::wait(&browser).await? == Moment::Over {
            break;
        }
        let before = browser.run(state).await?;
        if browser.has(".card:not(:disabled)").await? {
            // Cards have numbers; otherwise there is the Tab key.
            tab_to(&browser, ".card:not(:disabled)").await?;
            if turn % 2 == 0 {
                press(&browser, "1").await?;
                by_number += 1;
            } else {
                press(&browser, Key::Enter + "").await?;
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
        let wanted = ".targets:not(.piece-first) .target";
        if !browser.has("#confirm").await? && browser.has(wanted).await? {
            tab_to(&browser, wanted).await?;
            press(&browser, Key::Enter + "").await?;
            browser.wait_for("#confirm").await?;
        }
        if browser.has("#confirm").await? {
            tab_to(&browser, "#confirm").await?;
        } else {
            tab_to(&browser, ".actions .buttons button").await?;
        }
        press(&browser, Key::Enter + "").await?;
        for _ in 0..100 {
            if browser.run(state).await? != before {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert_ne!(browser.run(state).await?, before, "nothing was done");
    }
    assert!(by_number > 1);
    // Boxes are left with Escape, and the focus is where it was.
    tab_to(&browser, "#reference").await?;
    press(&browser, Key::Enter + "").await?;
    browser.wait_for(".dialog :focus").await?;
    press(&browser, Key::Escape + "").await?;
    browser.wait_for("#reference:focus").await?;
    assert!(!browser.has(".dialog").await?);
    browser.close().await;
    Ok(())
}

/// Buttons that are too small for a finger, and what sticks out at the side.
const MISFITS: &str = "const out = [];
    for (const b of document.querySelectorAll('button, a.button, select, input:not([type=range]), summary')) {
      const r = b.getBoundingClientRect(), s = getComputedStyle(b);
      if (!r.width || s.visibility === 'hidden' || s.clipPath !== 'none' || b.closest('.unseen')) continue;
      const name = b.id || b.getAttribute('aria-label') || b.textContent.trim() || b.className;
      if (r.height < 43.5 || r.width < 43.5) out.push(`${name}: ${Math.round(r.width)} x ${Math.round(r.height)}`);
      if (!b.matches('.card, .target') && b.scrollWidth > b.clientWidth + 2 && s.overflowX !== 'auto') out.push(`${name}: its words stick out`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) out.push(`the page is ${document.documentElement.scrollWidth} wide`);
    return out.join('; ')";

async fn fits(browser: &Browser, screen: &str) -> WebDriverResult<()> {
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    let misfits = browser.run(MISFITS).await?;
    assert_eq!(misfits, "", "{screen}");
    Ok(())
}

/// On the narrowest phone everything can be hit with a finger, and nothing sticks out; not with letters twice as large either.
#[tokio::test]
async fn fingers_and_large_letters() -> WebDriverResult<()> {
    let server = Server::start();
    let browser = Browser::open(&server.url, Size::Narrow, &preferences("de")).await?;
    for large in [false, true] {
        let letters = if large { "200%" } else { "100%" };
        for (address, ready) in [
            ("", "#play-now"),
            ("new", "#begin"),
            ("tables", "#open-table"),
            ("rules", "#R1\\.1, .clause"),
            ("puzzles", "[data-puzzle]"),
            ("replay", "#record-text"),
            ("play", ".prompt.mine"),
        ] {
            browser.home().await?;
            browser
                .run(&format!("document.documentElement.style.fontSize = '{letters}'; location.hash = '{address}'"))
                .await?;
            browser.wait_for(ready).await?;
            fits(&browser, &format!("#{address} with letters of {letters}")).await?;
        }
    }
    browser.close().await;
    Ok(())
}
