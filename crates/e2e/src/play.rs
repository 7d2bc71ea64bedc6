//! Playing through the page, as a person would.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::json;

use thirtyfour::prelude::*;

use crate::Browser;

/// Something the page waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The player's decision.
    Decide,
    /// The device is to be handed over.
    Cover,
    /// The game is over.
    Over,
}

/// What the player is to do right now, if anything.
pub async fn look(browser: &Browser) -> WebDriverResult<Option<Moment>> {
    let script = "return document.querySelector('#over-title') ? 'over' : document.querySelector('#uncover') ? 'cover' \
                  : document.querySelector('.prompt.mine') ? 'decide' : ''";
    Ok(match browser.run(script).await?.as_str() {
        Some("over") => Some(Moment::Over),
        Some("cover") => Some(Moment::Cover),
        Some("decide") => Some(Moment::Decide),
        _ => None,
    })
}

/// Waits until the player is to do something.
pub async fn wait(browser: &Browser) -> WebDriverResult<Moment> {
    Ok(wait_any(&[browser]).await?.1)
}

/// Waits until one of several players is to do something.
pub async fn wait_any(browsers: &[&Browser]) -> WebDriverResult<(usize, Moment)> {
    let begun = Instant::now();
    loop {
        for (i, browser) in browsers.iter().enumerate() {
            if let Some(moment) = look(browser).await? {
                return Ok((i, moment));
            }
        }
        assert!(
            begun.elapsed() < Duration::from_secs(90),
            "nothing happens: {}",
            browsers[0].text("body").await?
        );
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// Does what the hint says.
pub async fn follow_hint(browser: &Browser) -> WebDriverResult<()> {
    browser.click("#hint:not(:disabled)").await?;
    let begun = Instant::now();
    while !browser.has(".dialog .row").await? {
        tokio::time::sleep(Duration::from_millis(40)).await;
        // Whoever decides something while the bot thinks gets no hint; and a decision may be over by now.
        if look(browser).await? != Some(Moment::Decide) || begun.elapsed() > Duration::from_secs(8)
        {
            return Ok(());
        }
    }
    browser.click(".dialog .row").await?;
    // Some actions need no confirmation.
    browser
        .run("const c = document.querySelector('#confirm'); if (c) { c.click() }")
        .await?;
    tokio::time::sleep(Duration::from_millis(60)).await;
    Ok(())
}

/// Does the first thing that can be done: a card with a piece, or whatever else is offered.
pub async fn anything(browser: &Browser, n: usize) -> WebDriverResult<()> {
    let script = format!(
        "const n = {n}; const all = s => [...document.querySelectorAll(s)].filter(b => !b.disabled);
         const go = () => {{ const c = document.querySelector('#confirm'); if (c) {{ c.click(); return true }} return false }};
         if (go()) return 'confirmed';
         let t = all('.target, .loose button');
         if (t.length) {{ t[n % t.length].click(); return 'piece' }}
         const c = all('.card');
         if (c.length) {{ c[n % c.length].click(); return 'card' }}
         const b = all('.actions .buttons button');
         if (b.length) {{ b[n % b.length].click(); return 'button' }}
         return ''"
    );
    for _ in 0..4 {
        let did = browser.run(&script).await?;
        tokio::time::sleep(Duration::from_millis(40)).await;
        if matches!(did.as_str(), Some("confirmed" | "button" | "")) {
            break;
        }
    }
    Ok(())
}

/// Does one of the wanted things that was not done yet if it can be done now; answers with which. `wanted` are beginnings of intents, such
/// as `cast` or `before`.
pub async fn wanted(
    browser: &Browser,
    wanted: &[&str],
    done: &BTreeSet<String>,
) -> WebDriverResult<Option<String>> {
    let begin = format!(
        "const done = {}, wanted = {};
         const b = [...document.querySelectorAll('[data-intent]')].find(b => !done.includes(b.dataset.intent) && wanted.some(w => b.dataset.intent.startsWith(w)));
         if (b) b.click(); return b ? b.dataset.intent : ''",
        json!(done),
        json!(wanted)
    );
    let did = browser.run(&begin).await?;
    let Some(intent) = did.as_str().filter(|s| !s.is_empty()) else {
        return Ok(None);
    };
    finish(browser).await?;
    Ok(Some(intent.into()))
}

/// Picks what is still to be picked, and confirms.
async fn finish(browser: &Browser) -> WebDriverResult<()> {
    let script = "const c = document.querySelector('#confirm'); if (c) { c.click(); return 'confirmed' }
         const p = [...document.querySelectorAll('.target, .loose button')].find(b => b.getAttribute('aria-pressed') !== 'true');
         const hand = [...document.querySelectorAll('.card')].find(b => !b.disabled && b.getAttribute('aria-pressed') !== 'true');
         if (p) { p.click(); return 'piece' }
         if (hand && document.querySelector('.prompt.mine')) { hand.click(); return 'card' }
         return ''";
    for _ in 0..4 {
        tokio::time::sleep(Duration::from_millis(60)).await;
        let did = browser.run(script).await?;
        if matches!(did.as_str(), Some("confirmed" | "")) {
            break;
        }
    }
    tokio::time::sleep(Duration::from_millis(60)).await;
    Ok(())
}

/// Plays with hints and does what is wanted as soon as it can be done, until all of it was done: then what the log says is the answer.
/// A new game begins when one is over.
pub async fn until_done(
    browser: &Browser,
    kinds: &[&str],
    enough: impl Fn(&BTreeSet<String>) -> bool,
) -> WebDriverResult<String> {
    let mut done = BTreeSet::new();
    let mut told = String::new();
    for _ in 0..900 {
        match wait(browser).await? {
            Moment::Over => {
                told.push_str(&log(browser).await?);
                browser.click("#result").await?;
                browser.click("#again").await?;
            }
            Moment::Cover => browser.click("#uncover").await?,
            Moment::Decide => {
                if let Some(intent) = wanted(browser, kinds, &done).await? {
                    done.insert(intent);
                } else {
                    follow_hint(browser).await?;
                }
            }
        }
        if enough(&done) {
            while wait(browser).await? == Moment::Cover {
                browser.click("#uncover").await?;
            }
            told.push_str(&log(browser).await?);
            return Ok(told);
        }
    }
    panic!("not everything could be done: {done:?}");
}

/// Plays a card with Piggyback if that is possible now.
pub async fn piggyback(browser: &Browser) -> WebDriverResult<bool> {
    // It takes two wizards of a colour in one place; trying every card and piece takes long.
    let two = "const seen = new Set();
         return [...document.querySelectorAll('.wt-scene [data-wizard]')].map(w => w.dataset.wizard + w.dataset.space)
           .some(w => seen.has(w) || !seen.add(w))";
    if browser.run(two).await?.as_bool() != Some(true) {
        return Ok(false);
    }
    let find = "const v = [...document.querySelectorAll('.variants button')].find(b => b.textContent.includes('Piggyback')); if (v) v.click(); return !!v";
    let cards = browser
        .run("return document.querySelectorAll('.card:not(:disabled)').length")
        .await?
        .as_u64()
        .unwrap_or(0);
    for card in 0..cards {
        browser
            .run(&format!(
                "document.querySelectorAll('.card:not(:disabled)')[{card}]?.click()"
            ))
            .await?;
        tokio::time::sleep(Duration::from_millis(40)).await;
        let pieces = browser
            .run("return document.querySelectorAll('.target').length")
            .await?
            .as_u64()
            .unwrap_or(0);
        for piece in 0..pieces.min(6) {
            browser
                .run(&format!(
                    "document.querySelectorAll('.target')[{piece}]?.click()"
                ))
                .await?;
            tokio::time::sleep(Duration::from_millis(40)).await;
            if browser.run(find).await?.as_bool() == Some(true) {
                finish(browser).await?;
                return Ok(true);
            }
        }
        browser
            .run("document.querySelector('#cancel')?.click()")
            .await?;
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    Ok(false)
}

/// What the log says, whoever looks.
pub async fn log(browser: &Browser) -> WebDriverResult<String> {
    let open = "document.querySelector('#uncover')?.click();
         document.querySelector('#look-aside')?.click();
         if (!document.querySelector('.dialog .lines')) document.querySelector('#log')?.click()";
    let begun = Instant::now();
    while !browser.has(".dialog .lines").await? {
        browser.run(open).await?;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the log does not open"
        );
    }
    let text = browser.text(".dialog").await?;
    browser.click(".dialog .round").await?;
    Ok(text)
}

/// Plays to the end with the help of hints; answers with how many decisions it took.
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
