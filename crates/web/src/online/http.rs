//! Questions to the server that need no socket.

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

use crate::device::page;

/// Why there is no answer, in the server's words; empty: the server cannot be reached.
pub type Failed = String;

/// Asks.
pub async fn get<T: DeserializeOwned>(path: &str) -> Result<T, Failed> {
    let text = text(path, &RequestInit::new()).await?;
    table::read(&text)
}

/// Hands something in.
pub async fn post<T: DeserializeOwned>(path: &str, body: &impl Serialize) -> Result<T, Failed> {
    let options = RequestInit::new();
    options.set_method("POST");
    let body = serde_json::to_string(body).map_err(|why| why.to_string())?;
    options.set_body(&JsValue::from_str(&body));
    let headers = js_sys::Object::new();
    let _ = js_sys::Reflect::set(&headers, &"content-type".into(), &"application/json".into());
    options.set_headers(&headers);
    let text = text(path, &options).await?;
    table::read(&text)
}

async fn text(path: &str, options: &RequestInit) -> Result<String, Failed> {
    let asked = page::window().fetch_with_str_and_init(path, options);
    let response = JsFuture::from(asked).await.map_err(|_| String::new())?;
    let response: Response = response.dyn_into().map_err(|_| String::new())?;
    let body = response.text().map_err(|_| String::new())?;
    let body = JsFuture::from(body).await.map_err(|_| String::new())?;
    let body = body.as_string().unwrap_or_default();
    if response.ok() {
        return Ok(body);
    }
    let problem: Option<table::Refusal> = table::read(&body).ok();
    Err(problem.map_or_else(|| response.status_text(), |p| p.message))
}
