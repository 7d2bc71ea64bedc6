//! Plays through the page, as a person does.

use std::time::Instant;

use serde_json::json;
use thirtyfour::prelude::*;

use crate::Browser;
use crate::browser::{PATIENCE, PAUSE};

/// What the page waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The player's decision.
    Decide,
    /// The device has to be handed over.
    Cover,
    /// The game is over.
    Over,
}

/// What the page waits for from this player, if anything.
pub async fn moment(browser: &Browser) -> WebDriverResult<Option<Moment>> {
    let script = "return document.querySelector('#over-title') ? 'over' : document.querySelector('#uncover') ? 'cover' \
                  : document.querySelector('.prompt.mine') ? 'decide' : ''";
    Ok(match browser.run(script).await?.as_str() {
        Some("over") => Some(Moment::Over),
        Some("cover") => Some(Moment::Cover),
        Some("decide") => Some(Moment::Decide),
        _ => None,
    })
}

/// Waits until the player has something to do.
pub async fn wait(browser: &Browser) -> WebDriverResult<Moment> {
    Ok(wait_any(&[browser]).await?.1)
}

/// Waits until one of several players has something to do.
pub async fn wait_any(browsers: &[&Browser]) -> WebDriverResult<(usize, Moment)> {
    let begun = Instant::now();
    loop {
        for (i, browser) in browsers.iter().enumerate() {
            if let Some(now) = moment(browser).await? {
                return Ok((i, now));
            }
        }
        assert!(
            begun.elapsed() < PATIENCE,
            "nothing happens: {}",
            browsers[0].text("body").await?
        );
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits until the player has something to do, and takes the device if it is handed over.
pub async fn uncover(browser: &Browser) -> WebDriverResult<Moment> {
    loop {
        match wait(browser).await? {
            Moment::Cover => browser.click("#uncover").await?,
            moment => return Ok(moment),
        }
    }
}

/// The number of the open decision; `None` if it is not the player's.
pub async fn decision(browser: &Browser) -> WebDriverResult<Option<u64>> {
    let script = "return document.querySelector('#over-title') ? null : document.querySelector('.prompt.mine')?.dataset.decision ?? null";
    let number = browser.run(script).await?;
    Ok(number.as_str().and_then(|n| n.parse().ok()))
}

/// Waits until a decision is made.
pub async fn carried_out(browser: &Browser, made: u64) -> WebDriverResult<()> {
    let begun = Instant::now();
    while decision(browser).await? == Some(made) {
        assert!(
            begun.elapsed() < PATIENCE,
            "decision {made} is still open: {}",
            browser.text("body").await?
        );
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

pub async fn follow_hint(browser: &Browser) -> WebDriverResult<()> {
    let Some(open) = decision(browser).await? else {
        return Ok(());
    };
    browser.click("#hint:not(:disabled)").await?;
    browser.click(".dialog .row").await?;
    browser.click("#confirm").await?;
    carried_out(browser, open).await
}

/// Takes a possible action: a card with a piece, or another one. `n` selects among the options.
pub async fn anything(browser: &Browser, n: usize) -> WebDriverResult<()> {
    let Some(open) = decision(browser).await? else {
        return Ok(());
    };
    let script = format!(
        "if (document.querySelector('.prompt.mine')?.dataset.decision !== '{open}') return 'done';
         const n = {n}, all = s => [...document.querySelectorAll(s)].filter(b => !b.disabled && b.getAttribute('aria-pressed') !== 'true');
         const confirm = document.querySelector('#confirm');
         if (confirm) {{ confirm.click(); return 'done' }}
         for (const kind of ['.targets:not(.piece-first) .target, .loose button', '.card', '.actions [data-intent]']) {{
           const list = all(kind);
           if (list.length) {{ list[n % list.length].click(); return kind }}
         }}
         return ''"
    );
    let begun = Instant::now();
    while browser.run(&script).await?.as_str() != Some("done") {
        assert!(
            begun.elapsed() < PATIENCE,
            "nothing can be done: {}",
            browser.text("body").await?
        );
    }
    carried_out(browser, open).await
}

/// The text of the log, in every layout.
pub async fn log(browser: &Browser) -> WebDriverResult<String> {
    let open = "document.querySelector('#uncover')?.click();
         document.querySelector('#look-aside')?.click();
         if (!document.querySelector('.dialog .lines')) document.querySelector('#log')?.click();
         return !!document.querySelector('.dialog .lines')";
    browser.click_by(open, "the log does not open").await?;
    let text = browser.text(".dialog").await?;
    browser.click(".dialog .round").await?;
    browser
        .wait_until("!document.querySelector('.dialog .lines')")
        .await?;
    Ok(text)
}

/// Plays to the end with hints; returns the number of decisions.
pub async fn to_the_end(browser: &Browser) -> WebDriverResult<usize> {
    for n in 0..400 {
        match wait(browser).await? {
            Moment::Over => return Ok(n),
            Moment::Cover => browser.click("#uncover").await?,
            Moment::Decide => follow_hint(browser).await?,
        }
    }
    panic!("the game does not end");
}

/// The cards of the hand, in order.
pub async fn cards(browser: &Browser) -> WebDriverResult<Vec<String>> {
    let script = "return [...document.querySelectorAll('.card')].map(c => c.dataset.card)";
    let cards = browser.run(script).await?;
    let all = cards.as_array().into_iter().flatten();
    Ok(all.filter_map(|c| c.as_str().map(String::from)).collect())
}

/// Waits until an element has exactly this text.
pub async fn expect_text(browser: &Browser, selector: &str, text: &str) -> WebDriverResult<()> {
    let expression = format!(
        "document.querySelector({})?.innerText.trim() === {}",
        json!(selector),
        json!(text)
    );
    browser.wait_until(&expression).await
}
