//! Requests to the server.

use serde::Serialize;
use serde::de::DeserializeOwned;
use trencavel_proto::Refusal;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit, Response};

use crate::text::tr;

/// A refusal that this page makes up: the server cannot be reached, or says what is no answer.
fn own_refusal(code: &str) -> Refusal {
    Refusal {
        code: code.to_string(),
        why: tr(code),
    }
}

async fn send(method: &str, path: &str, body: Option<String>) -> Result<(bool, String), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = body {
        let headers = Headers::new()?;
        headers.set("content-type", "application/json")?;
        init.set_headers(&headers);
        init.set_body(&body.into());
    }
    let answer = JsFuture::from(window.fetch_with_str_and_init(path, &init)).await?;
    let answer: Response = answer.dyn_into()?;
    let text = JsFuture::from(answer.text()?).await?;
    Ok((answer.ok(), text.as_string().unwrap_or_default()))
}

async fn ask<T: DeserializeOwned>(
    method: &str,
    path: &str,
    body: Option<String>,
) -> Result<T, Refusal> {
    let (ok, text) = send(method, path, body)
        .await
        .map_err(|_| own_refusal("no-server"))?;
    if ok {
        return serde_json::from_str(&text).map_err(|_| own_refusal("strange-server"));
    }
    let refusal = serde_json::from_str(&text);
    Err(refusal.unwrap_or_else(|_| own_refusal("no-server")))
}

/// Asks for something.
pub(crate) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, Refusal> {
    ask("GET", path, None).await
}

/// Sends something and reads the answer.
pub(crate) async fn post<T: DeserializeOwned>(
    path: &str,
    body: &impl Serialize,
) -> Result<T, Refusal> {
    let body = serde_json::to_string(body).map_err(|_| own_refusal("strange-server"))?;
    ask("POST", path, Some(body)).await
}

/// Deletes something.
pub(crate) async fn delete(path: &str) -> Result<(), Refusal> {
    let (ok, text) = send("DELETE", path, None)
        .await
        .map_err(|_| own_refusal("no-server"))?;
    if ok {
        return Ok(());
    }
    let refusal = serde_json::from_str(&text);
    Err(refusal.unwrap_or_else(|_| own_refusal("no-server")))
}
