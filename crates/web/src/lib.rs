//! The client in the browser. It runs the rules itself, so it never waits for anybody to know what is legal.

pub mod app;
pub mod board;
pub mod game;
pub mod table;
pub mod text;

use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the page.
#[wasm_bindgen]
pub fn start_page() {
    leptos::mount::mount_to_body(app::App);
}
