//! Touch, mouse and pen input as native browser events, so that `click`, scrolling and focus follow as on a device.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use thirtyfour::prelude::*;

use crate::Browser;
use crate::browser::{PATIENCE, PAUSE};

/// A point of the page, in CSS pixels.
pub type PagePoint = (f64, f64);

/// Emulates a touch screen of this size.
pub async fn phone(browser: &Browser, width: u32, height: u32) -> WebDriverResult<()> {
    let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": true});
    send(browser, "Emulation.setDeviceMetricsOverride", metrics).await?;
    let touch = json!({"enabled": true, "maxTouchPoints": 5});
    send(browser, "Emulation.setTouchEmulationEnabled", touch).await
}

/// Waits for a visible point of the first element that matches a selector, as close to its centre as other elements
/// allow.
pub async fn visible_point(browser: &Browser, selector: &str) -> WebDriverResult<PagePoint> {
    let script = format!(
        "const same = (a, b) => a && (a === b || b.contains(a) || a.contains(b));
         for (const e of document.querySelectorAll({})) {{
           const r = e.getBoundingClientRect();
           for (const fy of [.5, .3, .7, .85, .15]) for (const fx of [.5, .3, .7]) {{
             const x = r.left + r.width * fx, y = r.top + r.height * fy;
             if (same(document.elementFromPoint(x, y), e)) return [x, y];
           }}
         }}
         return null",
        json!(selector)
    );
    let begun = Instant::now();
    loop {
        let found = browser.run(&script).await?;
        if let Some(point) = found[0].as_f64().zip(found[1].as_f64()) {
            return Ok(point);
        }
        assert!(begun.elapsed() < PATIENCE, "{selector} cannot be seen");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Taps an element with a finger, or clicks it with a mouse.
pub async fn press(browser: &Browser, finger: bool, selector: &str) -> WebDriverResult<()> {
    let at = visible_point(browser, selector).await?;
    if finger {
        tap(browser, at).await
    } else {
        click(browser, "mouse", at).await
    }
}

/// Touches a point and lifts the finger.
pub async fn tap(browser: &Browser, at: PagePoint) -> WebDriverResult<()> {
    touch(browser, "touchStart", Some(at)).await?;
    touch(browser, "touchEnd", None).await
}

/// Presses a finger or a mouse button at a point, until [`release`].
pub async fn hold(browser: &Browser, finger: bool, at: PagePoint) -> WebDriverResult<()> {
    if finger {
        return touch(browser, "touchStart", Some(at)).await;
    }
    mouse(browser, "mouse", "mouseMoved", at, 0).await?;
    mouse(browser, "mouse", "mousePressed", at, 1).await
}

/// Moves the pressed pointer from one point to another.
pub async fn carry(
    browser: &Browser,
    finger: bool,
    from: PagePoint,
    to: PagePoint,
) -> WebDriverResult<()> {
    for at in between(from, to) {
        if finger {
            touch(browser, "touchMove", Some(at)).await?;
        } else {
            mouse(browser, "mouse", "mouseMoved", at, 1).await?;
        }
    }
    Ok(())
}

/// Lifts the finger, or releases the mouse button at a point.
pub async fn release(browser: &Browser, finger: bool, at: PagePoint) -> WebDriverResult<()> {
    if finger {
        return touch(browser, "touchEnd", None).await;
    }
    mouse(browser, "mouse", "mouseReleased", at, 0).await
}

/// Moves a finger from one point to another.
pub async fn swipe(browser: &Browser, from: PagePoint, to: PagePoint) -> WebDriverResult<()> {
    touch(browser, "touchStart", Some(from)).await?;
    for at in between(from, to) {
        touch(browser, "touchMove", Some(at)).await?;
    }
    touch(browser, "touchEnd", None).await
}

/// Clicks with a `mouse` or a `pen`.
pub async fn click(browser: &Browser, kind: &str, at: PagePoint) -> WebDriverResult<()> {
    drag(browser, kind, at, at).await
}

/// Moves the mouse to a point.
pub async fn hover(browser: &Browser, at: PagePoint) -> WebDriverResult<()> {
    mouse(browser, "mouse", "mouseMoved", at, 0).await
}

/// Double-clicks with a mouse, or taps twice quickly.
pub async fn double(browser: &Browser, finger: bool, at: PagePoint) -> WebDriverResult<()> {
    if finger {
        // The browser compares the times of the events, so a busy machine does not turn them into two taps.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0.0, |since| Duration::as_secs_f64(&since));
        for begun in [now, now + 0.1] {
            touch_at(browser, "touchStart", Some(at), Some(begun)).await?;
            touch_at(browser, "touchEnd", None, Some(begun + 0.03)).await?;
        }
        return Ok(());
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

/// Drags a mouse or a pen from one point to another.
pub async fn drag(
    browser: &Browser,
    kind: &str,
    from: PagePoint,
    to: PagePoint,
) -> WebDriverResult<()> {
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
fn between(from: PagePoint, to: PagePoint) -> impl Iterator<Item = PagePoint> {
    const STEPS: u32 = 5;
    (1..=STEPS).map(move |i| {
        let part = f64::from(i) / f64::from(STEPS);
        (
            from.0 + (to.0 - from.0) * part,
            from.1 + (to.1 - from.1) * part,
        )
    })
}

async fn touch(browser: &Browser, kind: &str, at: Option<PagePoint>) -> WebDriverResult<()> {
    touch_at(browser, kind, at, None).await
}

/// Sends a touch event, at this time in seconds or now.
async fn touch_at(
    browser: &Browser,
    kind: &str,
    at: Option<PagePoint>,
    time: Option<f64>,
) -> WebDriverResult<()> {
    let points: Vec<Value> = at
        .map(|(x, y)| json!({"x": x, "y": y}))
        .into_iter()
        .collect();
    let mut event = json!({"type": kind, "touchPoints": points});
    if let Some(time) = time {
        event["timestamp"] = json!(time);
    }
    send(browser, "Input.dispatchTouchEvent", event).await
}

async fn mouse(
    browser: &Browser,
    pointer: &str,
    kind: &str,
    (x, y): PagePoint,
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
