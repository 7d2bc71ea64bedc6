//! Sharing: by the sheet of the system, by the clipboard, and on a page without TLS, which has neither clipboard nor keys.

use serde_json::json;
use thirtyfour::prelude::*;
use towers_e2e::{Browser, Size, TowersProcess, axe};

const ENGLISH: &str = r#"{"language":"en","name":"Mira"}"#;

/// A share sheet that notes what it gets.
const SHEET: &str = "navigator.share = async (data) => { window.shared = data.url ?? data.text }";

/// Clicks a button with a share sheet in place; returns what was shared.
pub async fn shared(browser: &Browser, button: &str) -> WebDriverResult<String> {
    browser
        .run(&format!("{SHEET}; window.shared = undefined"))
        .await?;
    browser.click(button).await?;
    browser.wait_until("window.shared").await?;
    let shared = browser.run("return window.shared").await?;
    Ok(shared.as_str().unwrap_or_default().to_string())
}

/// Opens a table; returns its link.
async fn open_table(browser: &Browser) -> WebDriverResult<String> {
    browser.click("#online").await?;
    browser.click("#open-table").await?;
    browser.click("#begin:not(:disabled)").await?;
    browser.wait_for("#copy-link").await?;
    browser.text("#link").await
}

/// Clicks as a person does: browsers copy only then.
async fn press(browser: &Browser, selector: &str) -> WebDriverResult<()> {
    browser.wait_for(selector).await?;
    browser.driver.find(By::Css(selector)).await?.click().await
}

#[tokio::test]
async fn a_link_is_shared_or_copied() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, ENGLISH).await?;
    // From the first script of every page on, as on a phone.
    let params = json!({ "source": SHEET });
    let cdp = browser.driver.cdp();
    let sheet = cdp
        .send_raw("Page.addScriptToEvaluateOnNewDocument", params)
        .await?;
    browser.home().await?;
    let link = open_table(&browser).await?;
    browser.wait_text("#copy-link", "Share").await?;
    assert_eq!(shared(&browser, "#copy-link").await?, link);
    browser
        .driver
        .goto(format!("{}#puzzles", server.url))
        .await?;
    browser.click("[data-puzzle]").await?;
    browser.wait_text("#puzzle-share", "Share").await?;
    let puzzle = shared(&browser, "#puzzle-share").await?;
    let hash = browser.run("return location.hash.slice(1)").await?;
    let path = hash.as_str().unwrap_or_default().trim_start_matches('/');
    assert!(
        path.starts_with("puzzle/") && puzzle.ends_with(&format!("/{path}")),
        "{puzzle}"
    );

    // Without a sheet it is copied.
    let params = json!({ "identifier": sheet["identifier"] });
    cdp.send_raw("Page.removeScriptToEvaluateOnNewDocument", params)
        .await?;
    let origin = server.url.trim_end_matches('/');
    let wish = json!({ "origin": origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    cdp.send_raw("Browser.grantPermissions", wish).await?;
    browser.driver.goto(&link).await?;
    browser.wait_text("#copy-link", "Copy").await?;
    press(&browser, "#copy-link").await?;
    browser.wait_text("#copy-link", "Copied").await?;
    browser
        .wait_until(&format!(
            "navigator.clipboard.readText().then(text => text === {})",
            json!(link)
        ))
        .await?;
    browser.close().await;
    Ok(())
}

/// A page in a home network without TLS: links are copied all the same, and what needs a key says why it is not there.
#[tokio::test]
async fn a_page_without_tls_copies_and_explains() -> WebDriverResult<()> {
    let server = TowersProcess::start_with(&["--host", "towers.test"]);
    let url = server.url.replace("127.0.0.1", "towers.test");
    let browser = Browser::open(&url, Size::Phone, ENGLISH).await?;
    let is_secure = browser
        .run("return isSecureContext || !!navigator.clipboard")
        .await?;
    assert_eq!(is_secure, false, "the test needs a page that is not secure");
    let link = open_table(&browser).await?;
    press(&browser, "#copy-link").await?;
    browser.wait_text("#copy-link", "Copied").await?;
    browser.run("document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' }))").await?;
    let field = browser.driver.find(By::Css("#pasted")).await?;
    field.send_keys(Key::Control + "v").await?;
    browser
        .wait_until(&format!(
            "document.querySelector('#pasted').value === {}",
            json!(link)
        ))
        .await?;
    // The seat is there, by its token.
    browser.driver.refresh().await?;
    browser.wait_text(".place[data-seat='0'] b", "Mira").await?;

    let device = format!("{url}#device");
    for (language, text) in [
        ("en", "not encrypted"),
        ("de", "unverschlüsselt"),
        ("fr", "pas chiffrée"),
    ] {
        let set = format!(
            "localStorage.setItem('towers.preferences', '{{\"language\":\"{language}\"}}')"
        );
        browser.run(&set).await?;
        browser.driver.goto(&device).await?;
        browser.driver.refresh().await?;
        browser.wait_text("#device-problem", text).await?;
        assert!(browser.has("#offer:disabled").await?);
        axe::check(&browser, "a device without keys").await?;
        for path in ["me", "me/recover", "meet"] {
            browser
                .driver
                .goto(format!("{url}{path}?lang={language}"))
                .await?;
            browser.wait_text("#insecure", text).await?;
            assert!(browser.has("main form button:disabled").await?, "{path}");
            axe::check(&browser, path).await?;
        }
        browser.home().await?;
    }
    // A page that needs no key says nothing.
    browser.driver.goto(format!("{url}ratings")).await?;
    browser.wait_for("#insecure[hidden]").await?;
    browser.close().await;
    Ok(())
}
