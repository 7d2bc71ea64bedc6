//! The service worker of a page, through the `DevTools` protocol: `WebDriver` does not reach it.

use std::net::TcpStream;

use serde_json::{Value, json};
use thirtyfour::prelude::*;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::Browser;
use crate::browser::PATIENCE;

/// A connection to a page or to a worker.
struct DevToolsSocket {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    last: u64,
}

impl DevToolsSocket {
    /// Connects to a target at the browser's address for debuggers.
    fn open(address: &str, target: &str) -> DevToolsSocket {
        let url = format!("ws://{address}/devtools/page/{target}");
        let (socket, _) = tungstenite::connect(url).expect("the browser accepts debuggers");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            let limited = stream.set_read_timeout(Some(PATIENCE));
            limited.expect("a socket has a time limit");
        }
        DevToolsSocket { socket, last: 0 }
    }

    fn receive(&mut self) -> Value {
        loop {
            let message = self.socket.read().expect("the browser answers");
            if let Message::Text(text) = message {
                return serde_json::from_str(&text).expect("the browser sends JSON");
            }
        }
    }

    fn start(&mut self, method: &str, params: &Value) -> u64 {
        self.last += 1;
        let command = json!({ "id": self.last, "method": method, "params": params });
        let sent = self.socket.send(Message::text(command.to_string()));
        sent.expect("the browser listens");
        self.last
    }

    /// Runs a command; returns its result.
    fn run(&mut self, method: &str, params: &Value) -> Value {
        let id = self.start(method, params);
        loop {
            let mut message = self.receive();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }
}

/// The running service worker of a page's origin.
pub struct ServiceWorker {
    page: DevToolsSocket,
    worker: DevToolsSocket,
    origin: String,
    registration: String,
}

impl ServiceWorker {
    /// Connects to the service worker that the open page has registered.
    pub async fn of(browser: &Browser) -> WebDriverResult<ServiceWorker> {
        browser
            .wait_until("(await navigator.serviceWorker.ready).active.state === 'activated'")
            .await?;
        let origin = browser.run("return location.origin").await?;
        let origin = origin.as_str().unwrap_or_default().to_string();
        let capabilities = browser.driver.handle().capabilities();
        let options = capabilities.get("goog:chromeOptions");
        let address = options.and_then(|options| options["debuggerAddress"].as_str());
        let address = address.expect("Chromium has an address for debuggers");
        let cdp = browser.driver.cdp();
        let targets = cdp.send_raw("Target.getTargets", json!({})).await?;
        let target = |kind: &str| {
            let all = targets["targetInfos"].as_array().into_iter().flatten();
            let url = |target: &Value| target["url"].as_str().unwrap_or_default().to_string();
            let mut found =
                all.filter(|target| target["type"] == kind && url(target).starts_with(&origin));
            let found = found
                .next()
                .unwrap_or_else(|| panic!("no {kind}: {targets}"));
            found["targetId"].as_str().unwrap_or_default().to_string()
        };
        let mut page = DevToolsSocket::open(address, &target("page"));
        // The ids of registrations are reported only by events.
        page.start("ServiceWorker.enable", &json!({}));
        let registration = loop {
            let event = page.receive();
            if event["method"] != "ServiceWorker.workerRegistrationUpdated" {
                continue;
            }
            let list = event["params"]["registrations"].as_array();
            let mut ours = list.into_iter().flatten().filter(|registration| {
                let scope = registration["scopeURL"].as_str().unwrap_or_default();
                scope.starts_with(&origin)
            });
            if let Some(found) = ours.next() {
                break found["registrationId"].as_str().unwrap_or_default().into();
            }
        };
        Ok(ServiceWorker {
            worker: DevToolsSocket::open(address, &target("service_worker")),
            page,
            origin,
            registration,
        })
    }

    /// Delivers a push message as the browser would after decrypting it.
    pub fn push(&mut self, message: &str) {
        let params = json!({
            "origin": self.origin,
            "registrationId": self.registration,
            "data": message,
        });
        self.page.run("ServiceWorker.deliverPushMessage", &params);
    }

    /// The value of an expression in the service worker; it may be a promise.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true,
        });
        let mut answer = self.worker.run("Runtime.evaluate", &params);
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].take()
    }

    /// Waits until an expression in the service worker has a value.
    pub async fn wait_for(&mut self, expression: &str, expected: &Value) {
        let begun = std::time::Instant::now();
        loop {
            let value = self.evaluate(expression);
            if value == *expected {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{expression} is {value}");
            tokio::time::sleep(crate::browser::PAUSE).await;
        }
    }
}
