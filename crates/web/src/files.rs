//! The files beside the page, as the page lists them.

use js_sys::{JSON, Reflect};
use wasm_bindgen::JsValue;

fn list() -> Option<JsValue> {
    let document = web_sys::window()?.document()?;
    let text = document.get_element_by_id("files")?.text_content()?;
    JSON::parse(&text).ok()
}

fn get(of: &JsValue, key: &str) -> Option<JsValue> {
    Reflect::get(of, &key.into())
        .ok()
        .filter(|value| !value.is_undefined())
}

/// The script of the computer players' thread.
pub(crate) fn worker() -> Option<String> {
    get(&list()?, "worker")?.as_string()
}

/// The title and the file of the rule book's page with a prefix.
pub(crate) fn page(prefix: &str) -> Option<(String, String)> {
    let page = get(&get(&list()?, "book")?, prefix)?;
    Some((
        get(&page, "title")?.as_string()?,
        get(&page, "file")?.as_string()?,
    ))
}
