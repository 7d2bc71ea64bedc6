//! Notifying a player whose page is closed: from the form to the notification, with a push service on loopback.
//!
//! A browser in a test has no push service. The subscription is the test's own; what the server sends is decrypted as a
//! browser does it, and exactly that is delivered to the service worker.

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use towers_e2e::{Browser, ServiceWorker, Size, TowersProcess, axe, play};
use towers_test_support::push::{Receiver, Subscriber};

/// Push messages may go to this computer, and players are marked as away immediately.
const OPTIONS: [&str; 3] = ["--allow-private-webhooks", "--away-after", "0.3"];

const ANN: u8 = 0;
const BEN: u8 = 1;

fn preferences(name: &str) -> String {
    json!({"speed": "instant", "language": "en", "name": name}).to_string()
}

fn origin(server: &TowersProcess) -> &str {
    server.url.trim_end_matches('/')
}

/// Leaves the page, as if its tab was closed.
async fn close_page(browser: &Browser) -> WebDriverResult<()> {
    browser.driver.goto("about:blank").await
}

/// Opens a slow table for two as host. Returns its link.
async fn open_table(host: &Browser) -> WebDriverResult<String> {
    host.click("#online").await?;
    host.click("#open-table").await?;
    host.choose("Players", "2").await?;
    host.choose("Time for each decision", "3 days per decision")
        .await?;
    host.click("#begin").await?;
    host.wait_for("#link").await?;
    host.text("#link").await
}

async fn sit_down(browser: &Browser, link: &str) -> WebDriverResult<()> {
    browser.driver.goto(link).await?;
    browser.click(".sit").await?;
    browser.wait_for("#ready").await
}

/// Acts until the decision is somebody else's.
async fn finish_turn(browser: &Browser, table: &str, seat: u8) -> WebDriverResult<()> {
    let is_awaited = format!(
        "return fetch('/api/tables/{table}').then((answer) => answer.json()).then((table) => table.waiting.seat === {seat})"
    );
    loop {
        assert_eq!(play::wait(browser).await?, play::Moment::Decide);
        play::anything(browser, 0).await?;
        if browser.run(&is_awaited).await? == false {
            return Ok(());
        }
    }
}

/// Lets the browser hand out this subscription, since it has no push service. At first it has one for another key of the
/// server, and accepts no second one.
async fn provide_push(browser: &Browser, subscription: &Value) -> WebDriverResult<()> {
    browser.allow_notifications().await?;
    let script = format!(
        "let earlier = {{
             options: {{ applicationServerKey: new Uint8Array(65).buffer }},
             unsubscribe: async () => {{ earlier = null }},
         }};
         PushManager.prototype.getSubscription = async () => earlier;
         PushManager.prototype.subscribe = async function ({{ userVisibleOnly, applicationServerKey }}) {{
             if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('not a valid wish');
             if (earlier) throw new DOMException('there is one for another key', 'InvalidStateError');
             return {{ toJSON: () => ({subscription}) }};
         }}"
    );
    let cdp = browser.driver.cdp();
    let source = json!({ "source": script });
    cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", source)
        .await?;
    Ok(())
}

/// Makes the second browser another device of the first one's person.
async fn add_device(
    first: &Browser,
    second: &Browser,
    server: &TowersProcess,
) -> WebDriverResult<()> {
    let origin = origin(server);
    first.driver.goto(format!("{origin}/#device")).await?;
    first.click("#offer").await?;
    first.wait_for("#words").await?;
    let words = first.text("#words").await?.replace(' ', "-");
    second
        .driver
        .goto(format!("{origin}/#device/{words}"))
        .await?;
    second.click("#accept").await?;
    second.wait_for("a[href^='/t/']").await
}

#[tokio::test]
async fn a_closed_page_is_called_and_opens_at_its_table() -> WebDriverResult<()> {
    let server = TowersProcess::start_with(&OPTIONS);
    let (service, keys) = (Receiver::start().await, Subscriber::new());
    let ann = Browser::open(&server.url, Size::Desktop, &preferences("Ann")).await?;
    let phone = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let laptop = Browser::open(&server.url, Size::Desktop, &preferences("Ben")).await?;
    let link = open_table(&ann).await?;
    let table = link.rsplit('/').next().unwrap_or_default().to_string();
    provide_push(&phone, &keys.subscription(&service.url("phone"))).await?;

    // The link from the table to the page about notifications.
    sit_down(&phone, &link).await?;
    phone.click("#calls").await?;
    phone.click("form[data-calls='on'] button").await?;
    phone.wait_for("form[data-calls='off']").await?;
    axe::check(&phone, "notifications at a table").await?;
    let mut worker = ServiceWorker::of(&phone).await?;
    worker.evaluate(
        "navigator.setAppBadge = async (n) => { self.badge = n }; navigator.clearAppBadge = async () => { self.badge = 0 };
         clients.openWindow = async (place) => { self.opened = place }; 0",
    );
    let shown = "(async () => (await registration.getNotifications()).map((n) => [n.title, n.body, n.tag]))()";
    let server_key = phone
        .run("return fetch('/api/push/key').then((answer) => answer.json()).then(({ key }) => key)")
        .await?;
    let server_key = server_key.as_str().unwrap_or_default();
    add_device(&phone, &laptop, &server).await?;

    // Make it Ann's turn before Ben's pages are closed: either of them may begin.
    phone.driver.goto(&link).await?;
    phone.wait_for("#ready").await?;
    ann.click("#start:not(:disabled)").await?;
    let (first, _) = play::wait_any(&[&ann, &phone]).await?;
    if first == 1 {
        finish_turn(&phone, &table, BEN).await?;
    }
    close_page(&phone).await?;
    finish_turn(&ann, &table, ANN).await?;

    let call = keys.read(&service.next().await, server_key);
    assert_eq!(call["kind"], "call");
    worker.push(&call.to_string());
    let tag = format!("turn t/{table}");
    let expected = json!([["It is your turn", "With Ann", tag]]);
    worker.wait_for(shown, &expected).await;
    worker.wait_for("self.badge", &json!(1)).await;

    // The decision is taken on another device: the notification goes away there.
    laptop.driver.goto(&link).await?;
    finish_turn(&laptop, &table, BEN).await?;
    let gone = keys.read(&service.next().await, server_key);
    assert_eq!(gone, json!({ "kind": "gone", "tag": tag, "waiting": 0 }));
    worker.push(&gone.to_string());
    worker.wait_for(shown, &json!([])).await;
    worker.wait_for("self.badge", &json!(0)).await;

    // A click opens the page at the table, with the decision.
    close_page(&laptop).await?;
    finish_turn(&ann, &table, ANN).await?;
    let call = keys.read(&service.next().await, server_key);
    worker.push(&call.to_string());
    worker.wait_for(shown, &expected).await;
    worker.evaluate(
        "registration.getNotifications().then(([notification]) => {
             const click = new NotificationEvent('notificationclick', { notification });
             // Events made by scripts cannot be prolonged.
             click.waitUntil = (work) => { self.clicked = work };
             self.dispatchEvent(click);
             return self.clicked;
         })",
    );
    worker.wait_for(shown, &json!([])).await;
    let place = worker.evaluate("self.opened");
    assert_eq!(place, format!("/#t/{table}"));
    let place = place.as_str().unwrap_or_default();
    phone
        .driver
        .goto(format!("{}{place}", origin(&server)))
        .await?;
    assert_eq!(play::wait(&phone).await?, play::Moment::Decide);
    assert!(service.is_idle().await);

    // The push service gives the browser another address: the next message goes there.
    let renewed = keys.subscription(&service.url("renewed"));
    worker.evaluate(&format!(
        "(() => {{
             const change = new Event('pushsubscriptionchange');
             change.newSubscription = {{ toJSON: () => ({renewed}) }};
             change.waitUntil = (work) => {{ self.renewed = work }};
             self.dispatchEvent(change);
             return self.renewed;
         }})()"
    ));
    finish_turn(&phone, &table, BEN).await?;
    let gone = service.next().await;
    assert_eq!(gone.path, "renewed");
    assert_eq!(keys.read(&gone, server_key)["kind"], "gone");
    for browser in [ann, phone, laptop] {
        browser.close().await;
    }
    Ok(())
}

#[tokio::test]
async fn a_host_sets_and_tests_the_webhook_of_a_table() -> WebDriverResult<()> {
    let server = TowersProcess::start_with(&OPTIONS);
    let service = Receiver::start().await;
    let ann = Browser::open(&server.url, Size::Phone, &preferences("Ann")).await?;
    let ben = Browser::open(&server.url, Size::Phone, &preferences("Ben")).await?;
    let link = open_table(&ann).await?;
    sit_down(&ben, &link).await?;
    ben.click("#calls").await?;
    ben.wait_for("form[data-calls='on']").await?;
    assert!(!ben.has("form[data-webhook]").await?, "Ben is not the host");

    ann.click("#calls").await?;
    let set = async |address: &str| {
        ann.fill("input[name='address']", address).await?;
        ann.run("document.querySelector('select[name=form]').value = 'discord'")
            .await?;
        ann.click("form[data-webhook='set'] button").await
    };
    set("ftp://hooks.example/").await?;
    ann.wait_text("#webhook-result", "has to begin with https://")
        .await?;
    set(&service.url("status/404")).await?;
    ann.wait_text("#webhook-result", "status 404").await?;
    assert_eq!(service.next().await.path, "status/404");
    axe::check(&ann, "webhook").await?;
    set(&service.url("hook")).await?;
    ann.wait_text("#webhook-result", "was delivered").await?;
    let received = service.next().await;
    let note: Value = serde_json::from_slice(&received.body)?;
    let text = note["content"].as_str().unwrap_or_default();
    assert!(text.contains(&link), "{text}");
    ann.driver.refresh().await?;
    ann.click("form[data-webhook='remove'] button").await?;
    ann.wait_text("#webhook-result", "removed").await?;
    for browser in [ann, ben] {
        browser.close().await;
    }
    Ok(())
}

#[tokio::test]
async fn quiet_hours_are_kept_with_the_place() -> WebDriverResult<()> {
    let server = TowersProcess::start();
    let browser = Browser::open(&server.url, Size::Phone, &preferences("Ann")).await?;
    let zone = json!({ "timezoneId": "America/St_Johns" });
    let cdp = browser.driver.cdp();
    cdp.send_raw("Emulation.setTimezoneOverride", zone).await?;
    open_table(&browser).await?;
    let page = format!("{}/me/calls?lang=fr", origin(&server));
    browser.driver.goto(&page).await?;
    let fill = "for (const [name, time] of [['from', '22:30'], ['to', '07:15']]) document.querySelector(`[name=${name}]`).value = time";
    browser.wait_for("form[data-calls='quiet']").await?;
    browser.run(fill).await?;
    browser.click("form[data-calls='quiet'] button").await?;
    browser.wait_text("main", "America/St_Johns").await?;
    let times = browser
        .run("return ['from', 'to'].map((name) => document.querySelector(`[name=${name}]`).value)")
        .await?;
    assert_eq!(times, json!(["22:30", "07:15"]));
    browser.close().await;
    Ok(())
}
