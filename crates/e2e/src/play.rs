//! Playing through the page, as a person would.

use std::time::{Duration, Instant};

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
