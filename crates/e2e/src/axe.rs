//! Accessibility checks by axe-core.

use thirtyfour::prelude::*;

use crate::Browser;

const AXE: &str = include_str!("../assets/axe.min.js");

/// Checks the page; panics with the violations.
pub async fn check(browser: &Browser, screen: &str) -> WebDriverResult<()> {
    browser.run(AXE).await?;
    let script = "const done = arguments[arguments.length - 1];
        axe.run(document, { resultTypes: ['violations'] }).then(r => done(r.violations.map(v =>
            v.id + ': ' + v.help + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + ' ' + (n.any[0]?.message ?? '')).join(' | '))))";
    let found = browser.driver.execute_async(script, Vec::new()).await?;
    let list: Vec<String> = found.convert().unwrap_or_default();
    assert!(list.is_empty(), "{screen}: {list:#?}");
    Ok(())
}
