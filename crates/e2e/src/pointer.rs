//! Fingers, mice and pens: native events of the browser, so that `click`, scrolling and focus follow as on a device.

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::Browser;

/// A point of the page, in CSS pixels.
pub type Point = (f64, f64);

/// Emulates a touch screen of this size.
pub async fn phone(browser: &Browser, width: u32, height: u32) -> WebDriverResult<()> {
    let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": true});
    send(browser, "Emulation.setDeviceMetricsOverride", metrics).await?;
    let touch = json!({"enabled": true, "maxTouchPoints": 5});
    send(browser, "Emulation.setTouchEmulationEnabled", touch).await
}

/// A finger touches a point and is lifted.
pub async fn tap(browser: &Browser, at: Point) -> WebDriverResult<()> {
    touch(browser, "touchStart", Some(at)).await?;
    touch(browser, "touchEnd", None).await
}

/// A finger moves from one point to another.
pub async fn swipe(browser: &Browser, from: Point, to: Point) -> WebDriverResult<()> {
    touch(browser, "touchStart", Some(from)).await?;
    for at in between(from, to) {
        touch(browser, "touchMove", Some(at)).await?;
    }
    touch(browser, "touchEnd", None).await
}

/// A mouse or a pen (`mouse`, `pen`) clicks.
pub async fn click(browser: &Browser, kind: &str, at: Point) -> WebDriverResult<()> {
    drag(browser, kind, at, at).await
}

/// A mouse points at something.
pub async fn hover(browser: &Browser, at: Point) -> WebDriverResult<()> {
    mouse(browser, "mouse", "mouseMoved", at, 0).await
}

/// A double click of a mouse, or two quick taps of a finger.
pub async fn double(browser: &Browser, finger: bool, at: Point) -> WebDriverResult<()> {
    if finger {
        tap(browser, at).await?;
        return tap(browser, at).await;
    }
    mouse(browser, "mouse", "mouseMoved", at, 0).await?;
    for count in [1, 2] {
        for (kind, buttons) in [("mousePressed", 1), ("mouseReleased", 0)] {
            let event = json!({"type": kind, "x": at.0, "y": at.1, "button": "left", "buttons": buttons, "clickCount": count, "pointerType": "mouse"});
            send(browser, "Input.dispatchMouseEvent", event).await?;
        }
    }
    Ok(())
}

/// A mouse or a pen is moved from one point to another with its button down.
pub async fn drag(browser: &Browser, kind: &str, from: Point, to: Point) -> WebDriverResult<()> {
    mouse(browser, kind, "mouseMoved", from, 0).await?;
    mouse(browser, kind, "mousePressed", from, 1).await?;
    if from != to {
        for at in between(from, to) {
            mouse(browser, kind, "mouseMoved", at, 1).await?;
        }
    }
    mouse(browser, kind, "mouseReleased", to, 0).await
}

/// The points of a straight line, without its start.
fn between(from: Point, to: Point) -> impl Iterator<Item = Point> {
    const STEPS: u32 = 5;
    (1..=STEPS).map(move |i| {
        let part = f64::from(i) / f64::from(STEPS);
        (
            from.0 + (to.0 - from.0) * part,
            from.1 + (to.1 - from.1) * part,
        )
    })
}

async fn touch(browser: &Browser, kind: &str, at: Option<Point>) -> WebDriverResult<()> {
    let points: Vec<Value> = at
        .map(|(x, y)| json!({"x": x, "y": y}))
        .into_iter()
        .collect();
    let event = json!({"type": kind, "touchPoints": points});
    send(browser, "Input.dispatchTouchEvent", event).await
}

async fn mouse(
    browser: &Browser,
    pointer: &str,
    kind: &str,
    (x, y): Point,
    buttons: u8,
) -> WebDriverResult<()> {
    let button = if kind == "mouseMoved" && buttons == 0 {
        "none"
    } else {
        "left"
    };
    let event = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1, "pointerType": pointer});
    send(browser, "Input.dispatchMouseEvent", event).await
}

async fn send(browser: &Browser, what: &str, with: Value) -> WebDriverResult<()> {
    browser.driver.cdp().send_raw(what, with).await.map(|_| ())
}
