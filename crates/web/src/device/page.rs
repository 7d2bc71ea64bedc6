//! The page: its size, address, clock and randomness.

use gloo_timers::callback::Interval;
use gloo_timers::future::TimeoutFuture;
use js_sys::{Date, Promise};
use leptos::prelude::*;
use towers_client::Route;
use towers_table::{Hex, Seed};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::VisibilityState;

/// The window. It always exists where this runs.
pub fn window() -> web_sys::Window {
    web_sys::window().expect("the client runs in a page")
}

pub fn document() -> web_sys::Document {
    window().document().expect("a page has a document")
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    Date::now() as u64
}

/// Today in UTC, such as `2026-11-15`, so that deals and puzzles of the day are the same everywhere.
pub fn today() -> String {
    let date = Date::new_0();
    format!(
        "{}-{:02}-{:02}",
        date.get_utc_full_year(),
        date.get_utc_month() + 1,
        date.get_utc_date()
    )
}

/// A date and time in the format of this language.
pub fn date(millis: u64, language: &str) -> String {
    let date = Date::new(&JsValue::from_f64(millis as f64));
    format_date(
        &date,
        language,
        &[("dateStyle", "medium"), ("timeStyle", "short")],
    )
}

/// Today's date in the format of this language.
pub fn today_in(language: &str) -> String {
    let styles = [("dateStyle", "long"), ("timeZone", "UTC")];
    format_date(&Date::new_0(), language, &styles)
}

/// Formats a date in the browser's regional variant of a language, if it has one.
fn format_date(date: &Date, language: &str, styles: &[(&str, &str)]) -> String {
    let languages = languages();
    let variety = languages
        .iter()
        .find(|l| l.split('-').next() == Some(language));
    let options = js_sys::Object::new();
    for (name, value) in styles {
        // Setting a property of a new object does not fail.
        let _ = js_sys::Reflect::set(&options, &(*name).into(), &(*value).into());
    }
    date.to_locale_string(variety.map_or(language, String::as_str), &options)
        .into()
}

/// The seed of a game on this device: from the address, otherwise unpredictable random bytes.
pub fn seed() -> Seed {
    let query = window().location().search().unwrap_or_default();
    if let Some(seed) = towers_client::seed::of_query(&query) {
        return seed;
    }
    random()
}

/// Calls a function of an object with a text; `None` if there is no such function or it throws.
fn call(object: &JsValue, function: &str, text: &str) -> Option<JsFuture> {
    let function = js_sys::Reflect::get(object, &function.into()).ok()?;
    let function: js_sys::Function = function.dyn_into().ok()?;
    let answer = function.call1(object, &text.into()).ok()?;
    Some(JsFuture::from(Promise::resolve(&answer)))
}

/// Waits until the browser has a session of its person, or cannot get one.
pub async fn session() {
    if let Some(session) = call(&window(), "towersSession", "") {
        let _ = session.await;
    }
}

/// Registers the service worker, which loads everything that is needed offline: bots and other languages too.
pub fn keep_offline() {
    call(&window(), "towersKeep", "");
}

/// Calls a function of `devices.js` with a text, and returns its answer; `None` if it failed.
pub async fn devices(function: &str, text: &str) -> Option<String> {
    let module = call(&window(), "towersDevices", "")?.await.ok()?;
    call(&module, function, text)?.await.ok()?.as_string()
}

/// Leaves the client for another page of this server.
pub fn open_page(path: &str) {
    let _ = window().location().assign(path);
}

/// Unpredictable random bytes.
pub fn random() -> Seed {
    let mut bytes = [0; 32];
    if let Ok(crypto) = window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    }
    Hex(bytes)
}

pub async fn sleep(millis: u32) {
    TimeoutFuture::new(millis).await;
}

/// Waits for the next frame, with a timeout because a hidden page has no frames.
pub async fn next_frame() {
    let promise = Promise::new(&mut |done, _| {
        let _ = window().request_animation_frame(&done);
        let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&done, 100);
    });
    let _ = JsFuture::from(promise).await;
}

/// Runs `act` periodically while the page is visible, until the current component is removed.
pub fn every(millis: u32, act: impl Fn() + 'static) {
    let interval = Interval::new(millis, move || {
        if !is_hidden() {
            act();
        }
    });
    let interval = StoredValue::new_local(Some(interval));
    on_cleanup(move || {
        interval.try_update_value(Option::take);
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

/// The browser's preferred languages.
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

/// A link to a screen that a server and other devices understand.
pub fn link(route: &Route) -> String {
    let origin = window().location().origin().unwrap_or_default();
    format!("{origin}/{route}")
}

/// Whether the system has a share sheet.
pub fn has_share_sheet() -> bool {
    js_sys::Reflect::has(&window().navigator(), &"share".into()).unwrap_or(false)
}

/// Opens the system's share sheet with a link or a text, or copies it where there is none. Returns whether it was copied.
/// Browsers allow it only while they handle a click, so it begins before it is awaited.
pub fn share(text: &str) -> impl Future<Output = bool> + use<> {
    let sharing = call(&window(), "towersShare", text);
    async {
        match sharing {
            Some(sharing) => sharing.await.is_ok_and(|copied| copied.is_truthy()),
            None => false,
        }
    }
}

/// Whether the browser lets this page have a key: on https and on this machine.
pub fn is_secure() -> bool {
    window().is_secure_context()
}

/// The content of a `<meta>` tag.
pub fn meta(name: &str) -> Option<String> {
    document()
        .query_selector(&format!("meta[name={name}]"))
        .ok()??
        .get_attribute("content")
}

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

pub fn path() -> String {
    window().location().pathname().unwrap_or_default()
}

/// Changes the address without an entry in the history.
pub fn replace_address(address: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(address));
    }
}

/// Removes the loading indicator once the client is ready. Tests wait for this.
pub fn ready() {
    if let Some(sign) = document().get_element_by_id("waiting") {
        sign.remove();
    }
}

/// The text of the chosen file.
pub async fn chosen_file(event: &web_sys::Event) -> Option<String> {
    let input: web_sys::HtmlInputElement = event.target()?.dyn_into().ok()?;
    let file = input.files()?.get(0)?;
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// A `data:` link with a text, for downloads.
pub fn data_link(text: &str) -> String {
    let encoded = js_sys::encode_uri_component(text);
    format!(
        "data:application/jsonl;charset=utf-8,{}",
        String::from(encoded)
    )
}

/// Changes the part of the address after `#` without an entry in the history.
pub fn replace_hash(hash: &str) {
    replace_address(&format!("#{hash}"));
}

/// Scrolls to an element by its id, once it exists.
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

/// The horizontal position of a click in its element, from 0 (left) to 1 (right).
pub fn share_across(event: &web_sys::MouseEvent) -> Option<f64> {
    let element: web_sys::Element = event.current_target()?.dyn_into().ok()?;
    let place = element.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - place.x()) / place.width().max(1.0);
    Some(share.clamp(0.0, 1.0))
}

/// A length for a style, in whole pixels.
pub fn px(length: f64) -> String {
    format!("{}px", towers_art::whole(length))
}

/// Reloads the page, at most once per tab, since the browser's cached copy may stay outdated for a while.
pub fn reload_once() {
    const DONE: &str = "towers.reloaded";
    let Ok(Some(store)) = window().session_storage() else {
        return;
    };
    if matches!(store.get_item(DONE), Ok(None)) && store.set_item(DONE, "1").is_ok() {
        let _ = window().location().reload();
    }
}
