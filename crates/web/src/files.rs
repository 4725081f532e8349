//! The files beside the page, as the page lists them; and files that a person chooses.

use js_sys::{JSON, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::text::tr;

/// The largest file that is opened, in bytes.
const LARGEST: f64 = 4_194_304.0;

/// Reads the file that was chosen in an input element: its name and its bytes, or why it cannot be read.
pub(crate) fn chosen(
    event: &web_sys::Event,
    then: impl FnOnce(Result<(String, Vec<u8>), String>) + 'static,
) {
    let input = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
    let Some(input) = input else { return };
    let Some(file) = input.files().and_then(|files| files.get(0)) else {
        return;
    };
    // So that the same file can be chosen again.
    input.set_value("");
    if file.size() > LARGEST {
        then(Err(tr("file-too-large")));
        return;
    }
    spawn_local(async move {
        match JsFuture::from(file.array_buffer()).await {
            Ok(buffer) => {
                let bytes = js_sys::Uint8Array::new(&buffer).to_vec();
                then(Ok((file.name(), bytes)));
            }
            Err(_) => then(Err(tr("unreadable-file"))),
        }
    });
}

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
