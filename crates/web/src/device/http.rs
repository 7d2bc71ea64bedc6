//! HTTP requests to the server.

use gloo_net::http::Request;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Why a request failed, in the server's words; empty if the server cannot be reached.
pub type RequestError = String;

/// Gets JSON.
pub async fn get<T: DeserializeOwned>(path: &str) -> Result<T, RequestError> {
    parse(&answer(Request::get(path).build()).await?)
}

/// Posts JSON and gets JSON.
pub async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
) -> Result<T, RequestError> {
    let body = serde_json::to_string(body).map_err(|why| why.to_string())?;
    parse(&answer(posted(path, body)).await?)
}

/// Posts JSON. Returns whether the server accepted it.
pub async fn send(path: &str, body: &impl Serialize) -> bool {
    match serde_json::to_string(body) {
        Ok(body) => answer(posted(path, body)).await.is_ok(),
        Err(_) => false,
    }
}

/// Gets the text of a file; `None` if it does not exist.
pub async fn text(path: &str) -> Option<String> {
    answer(Request::get(path).build()).await.ok()
}

fn posted(path: &str, body: String) -> Result<Request, gloo_net::Error> {
    let request = Request::post(path).header("content-type", "application/json");
    request.body(body)
}

/// The text of a response. Not generic, so that all requests share its code.
async fn answer(request: Result<Request, gloo_net::Error>) -> Result<String, RequestError> {
    let request = request.map_err(|why| why.to_string())?;
    let response = request.send().await.map_err(|_| String::new())?;
    let body = response.text().await.map_err(|_| String::new())?;
    if response.ok() {
        return Ok(body);
    }
    let problem: Option<towers_table::Refusal> = serde_json::from_str(&body).ok();
    Err(problem.map_or_else(|| response.status_text(), |p| p.message))
}

fn parse<T: DeserializeOwned>(body: &str) -> Result<T, RequestError> {
    serde_json::from_str(body).map_err(|why| why.to_string())
}
