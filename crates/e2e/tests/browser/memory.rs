//! Leaving a game frees its memory.

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_e2e::{Browser, Size, TowersProcess};

const QUICK: &str = r#"{"speed":"instant","language":"en","name":"Ann"}"#;

/// The number of games before the first measurement, to fill caches and pools.
const WARM_UP: usize = 10;
const GAMES: usize = 50;
/// The number of lessons and of tables.
const VISITS: usize = 40;
/// The maximum number of measurements until two agree.
const MAX_MEASUREMENTS: usize = 50;

/// The allowed growth after all games. A leaked game would cost its position, its log and its signals, some 50 kB of
/// WASM memory and 1,000 DOM nodes, forty times.
const MAX_HEAP_GROWTH: i64 = 400_000;
/// WASM memory grows by pages of 64 KiB: three for what is not freed yet or lost between allocations. A leak of 50 kB per
/// game would be ten times that.
const MAX_WASM_GROWTH: i64 = 3 * 64 * 1024;
const MAX_NODE_GROWTH: i64 = 1_000;
const MAX_LISTENER_GROWTH: i64 = 50;

/// The memory that the page uses after a garbage collection.
#[derive(Debug)]
struct Usage {
    /// Bytes of JavaScript objects.
    heap: i64,
    /// Bytes of all WASM memories of the page; they never shrink.
    wasm: i64,
    nodes: i64,
    listeners: i64,
}

/// Waits within the page until an expression is true. Scripts that the driver runs for a test stay in the page's memory
/// for a time, 16 kB each, and would count as the game's.
async fn wait_within(browser: &Browser, condition: &str) -> WebDriverResult<()> {
    let expression = format!(
        "new Promise(done => {{ const look = () => {condition} ? done(true) : setTimeout(look, 20); look() }})"
    );
    let wait = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
    let cdp = browser.driver.cdp();
    let answer = cdp.send_raw("Runtime.evaluate", wait).await?;
    assert_eq!(answer["result"]["value"], true, "{condition}: {answer}");
    Ok(())
}

/// Clicks an element once it exists.
async fn click(browser: &Browser, selector: &str) -> WebDriverResult<()> {
    let element = format!("document.querySelector('{selector}')");
    wait_within(browser, &format!("!!{element}")).await?;
    let click = json!({"expression": format!("{element}.click()")});
    let cdp = browser.driver.cdp();
    cdp.send_raw("Runtime.evaluate", click).await.map(drop)
}

/// Collects garbage. Event handlers in WASM memory are freed after their JavaScript side was collected and its
/// finalizer has run.
async fn collect_garbage(browser: &Browser) -> WebDriverResult<()> {
    let cdp = browser.driver.cdp();
    for _ in 0..2 {
        cdp.send_raw("HeapProfiler.collectGarbage", json!({}))
            .await?;
        // Finalizers run as tasks of the page.
        let task = "new Promise(done => setTimeout(done))";
        let task = json!({"expression": task, "awaitPromise": true});
        cdp.send_raw("Runtime.evaluate", task).await?;
    }
    Ok(())
}

/// Measures memory until two measurements agree, since garbage is not always collected at once.
async fn measure(browser: &Browser) -> WebDriverResult<Usage> {
    let mut last = measure_once(browser).await?;
    for _ in 0..MAX_MEASUREMENTS {
        let next = measure_once(browser).await?;
        if next.nodes == last.nodes {
            return Ok(next);
        }
        last = next;
    }
    panic!("the page does not come to rest: {last:?}");
}

async fn measure_once(browser: &Browser) -> WebDriverResult<Usage> {
    let cdp = browser.driver.cdp();
    let number = |value: &Value| value.as_f64().expect("the browser counts").round() as i64;
    collect_garbage(browser).await?;
    let heap = cdp.send_raw("Runtime.getHeapUsage", json!({})).await?;
    let counters = cdp.send_raw("Memory.getDOMCounters", json!({})).await?;
    let prototype = json!({"expression": "WebAssembly.Memory.prototype"});
    let prototype = cdp.send_raw("Runtime.evaluate", prototype).await?;
    let memories = cdp
        .send_raw(
            "Runtime.queryObjects",
            json!({"prototypeObjectId": prototype["result"]["objectId"]}),
        )
        .await?;
    let sum = cdp
        .send_raw(
            "Runtime.callFunctionOn",
            json!({
                "functionDeclaration": "function() { return this.reduce((sum, memory) => sum + memory.buffer.byteLength, 0) }",
                "objectId": memories["objects"]["objectId"],
                "returnByValue": true,
            }),
        )
        .await?;
    Ok(Usage {
        heap: number(&heap["usedSize"]),
        wasm: number(&sum["result"]["value"]),
        nodes: number(&counters["nodes"]),
        listeners: number(&counters["jsEventListeners"]),
    })
}

/// Opens a game against bots, waits until it is fully painted, and leaves it.
async fn open_and_leave(browser: &Browser) -> WebDriverResult<()> {
    click(browser, "#play-now").await?;
    for painted in [".prompt", ".air svg"] {
        wait_within(browser, &format!("!!document.querySelector('{painted}')")).await?;
    }
    click(browser, "#leave").await?;
    wait_within(browser, "!!document.querySelector('#open-settings')").await?;
    // The landscape of the start page is painted layer by layer.
    let layers = "document.querySelector('.backdrop.page > div:last-child')?.childElementCount > 0";
    wait_within(browser, layers).await?;
    collect_garbage(browser).await
}

/// Opens a screen by its address, waits until an element is there, and leaves it.
async fn visit_and_leave(browser: &Browser, address: &str, element: &str) -> WebDriverResult<()> {
    let go = |address: &str| json!({"expression": format!("location.hash = '{address}'")});
    let cdp = browser.driver.cdp();
    cdp.send_raw("Runtime.evaluate", go(address)).await?;
    wait_within(browser, &format!("!!document.querySelector('{element}')")).await?;
    cdp.send_raw("Runtime.evaluate", go("")).await?;
    wait_within(browser, "!!document.querySelector('#open-settings')").await?;
    collect_garbage(browser).await
}

/// Repeats something, and compares the memory after the first ten times with that after the last.
async fn stays_level(
    browser: &Browser,
    times: usize,
    mut open_and_leave: impl AsyncFnMut(&Browser) -> WebDriverResult<()>,
) -> WebDriverResult<()> {
    let mut first = None;
    for done in 1..=times {
        open_and_leave(browser).await?;
        if done % WARM_UP == 0 {
            let usage = measure(browser).await?;
            println!("after {done} times {usage:?}");
            first.get_or_insert(usage);
        }
    }
    let first = first.expect("measured");
    let last = measure(browser).await?;
    assert!(first.wasm > 1_000_000, "the client has a memory: {first:?}");
    let growth = |of: fn(&Usage) -> i64| of(&last).saturating_sub(of(&first));
    let all = format!("{first:?} became {last:?}");
    assert!(growth(|u| u.heap) <= MAX_HEAP_GROWTH, "heap: {all}");
    assert!(growth(|u| u.wasm) <= MAX_WASM_GROWTH, "WASM: {all}");
    assert!(growth(|u| u.nodes) <= MAX_NODE_GROWTH, "nodes: {all}");
    let listeners = growth(|u| u.listeners);
    assert!(listeners <= MAX_LISTENER_GROWTH, "listeners: {all}");
    Ok(())
}

#[tokio::test]
async fn fifty_games_that_were_left_leave_nothing_in_memory() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    stays_level(&browser, GAMES, open_and_leave).await?;
    browser.close().await;
    Ok(())
}

#[tokio::test]
async fn lessons_and_online_tables_that_were_left_leave_nothing_in_memory() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, QUICK).await?;
    stays_level(&browser, VISITS, async |browser| {
        visit_and_leave(browser, "learn", "#coach-next:not(:disabled)").await
    })
    .await?;
    let open =
        "return fetch('/api/tables', { method: 'POST', body: JSON.stringify({ name: 'Ben' }) })
        .then((answer) => answer.json()).then(({ table }) => table)";
    let table = browser.run(open).await?;
    let address = format!("t/{}", table.as_str().expect("a table was opened"));
    stays_level(&browser, VISITS, async |browser| {
        visit_and_leave(browser, &address, ".sit").await
    })
    .await?;
    browser.close().await;
    Ok(())
}
