//! The page: its size, address, clock and randomness.

use js_sys::{Date, Promise};
use table::{Hex, Seed};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::VisibilityState;

/// The window. There always is one where this runs.
pub fn window() -> web_sys::Window {
    web_sys::window().expect("the client runs in a page")
}

/// The document.
pub fn document() -> web_sys::Document {
    window().document().expect("a page has a document")
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    Date::now() as u64
}

/// Today, such as `2026-11-15`, by the clock on the wall.
pub fn today() -> String {
    let date = Date::new_0();
    format!(
        "{}-{:02}-{:02}",
        date.get_full_year(),
        date.get_month() + 1,
        date.get_date()
    )
}

/// Random bytes nobody can predict.
pub fn seed() -> Seed {
    let mut bytes = [0; 32];
    if let Ok(crypto) = window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    Hex(bytes)
}

/// Waits so many milliseconds.
pub async fn sleep(millis: u32) {
    let promise = Promise::new(&mut |done, _| {
        let _ =
            window().set_timeout_with_callback_and_timeout_and_arguments_0(&done, millis as i32);
    });
    let _ = JsFuture::from(promise).await;
}

/// Does something every so many milliseconds while somebody sees the page, until it says that it is no longer needed.
pub fn every(millis: u32, again: impl Fn() -> bool + 'static) {
    leptos::task::spawn_local(async move {
        loop {
            sleep(millis).await;
            if !is_hidden() && !again() {
                return;
            }
        }
    });
}

/// The size of the window in pixels.
pub fn size() -> (f64, f64) {
    let number =
        |value: Result<JsValue, JsValue>| value.ok().and_then(|v| v.as_f64()).unwrap_or(800.0);
    (
        number(window().inner_width()),
        number(window().inner_height()),
    )
}

/// Whether a media query holds.
pub fn matches(query: &str) -> bool {
    window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|m| m.matches())
}

/// The languages the browser asks for.
pub fn languages() -> Vec<String> {
    window()
        .navigator()
        .languages()
        .iter()
        .filter_map(|l| l.as_string())
        .collect()
}

/// The part of the address after `#`.
pub fn hash() -> String {
    window().location().hash().unwrap_or_default()
}

/// Changes the part of the address after `#`.
pub fn set_hash(hash: &str) {
    let _ = window().location().set_hash(hash);
}

/// Puts a text on the clipboard.
pub fn copy(text: &str) {
    let _ = window().navigator().clipboard().write_text(text);
}

/// Something the page knows by a `<meta>` tag.
pub fn meta(name: &str) -> Option<String> {
    document()
        .query_selector(&format!("meta[name={name}]"))
        .ok()??
        .get_attribute("content")
}

/// Whether nobody can see the page.
pub fn is_hidden() -> bool {
    document().visibility_state() == VisibilityState::Hidden
}

/// Sets the page's language and title.
pub fn describe(language: &str, title: &str) {
    if let Some(root) = document().document_element() {
        let _ = root.set_attribute("lang", language);
    }
    document().set_title(title);
}

/// Sets the classes of the page's body.
pub fn dress(classes: &str) {
    if let Some(body) = document().body() {
        body.set_class_name(classes);
    }
}

/// Changes the icon in the tab.
pub fn icon(file: &str) {
    if let Ok(Some(link)) = document().query_selector("link[rel=icon]") {
        let _ = link.set_attribute("href", file);
    }
}

/// A link such as `/t/NAME` leads to a table: the name, and the address becomes that of a screen.
pub fn take_table() -> Option<String> {
    let path = window().location().pathname().ok()?;
    let table = path.strip_prefix("/t/")?.trim_end_matches('/').to_string();
    let history = window().history().ok()?;
    let address = format!("/#t/{table}");
    let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    Some(table)
}

/// The client is there: the page's waiting sign goes, tests can begin.
pub fn ready() {
    if let Some(sign) = document().get_element_by_id("waiting") {
        sign.remove();
    }
}

/// The text of a file of the page or of the server; none if there is none.
pub async fn load(path: &str) -> Option<String> {
    let response = JsFuture::from(window().fetch_with_str(path)).await.ok()?;
    let response: web_sys::Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    JsFuture::from(response.text().ok()?)
        .await
        .ok()?
        .as_string()
}

/// The text of the file that was chosen.
pub async fn chosen_file(event: &web_sys::Event) -> Option<String> {
    let input: web_sys::HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = input.files()?.get(0)?;
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// A link to a text that is part of the link, for downloads.
pub fn data_link(text: &str) -> String {
    let encoded = js_sys::encode_uri_component(text);
    format!(
        "data:application/jsonl;charset=utf-8,{}",
        String::from(encoded)
    )
}

/// Changes the part of the address after `#` without going anywhere.
pub fn replace_hash(hash: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{hash}")));
    }
}

/// Scrolls to an element by its id, once it is there.
pub fn scroll_to(id: &str) {
    let id = id.to_string();
    leptos::task::spawn_local(async move {
        sleep(60).await;
        if let Some(element) = document().get_element_by_id(&id) {
            element.scroll_into_view();
            let _ = element.class_list().add_1("noted");
        }
    });
}

/// Where a click is between the left edge of its element, 0, and the right one, 1.
pub fn share_across(event: &web_sys::MouseEvent) -> Option<f64> {
    let element: web_sys::Element = event.current_target()?.dyn_into().ok()?;
    let place = element.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - place.x()) / place.width().max(1.0);
    Some(share.clamp(0.0, 1.0))
}

/// A length for a style, in whole pixels.
pub fn px(length: f64) -> String {
    format!("{}px", art::whole(length))
}
