//! The client in the browser. It runs the rules itself, so it never waits for anybody to know what is legal.

pub mod app;
pub mod board;
pub mod game;
pub mod table;
pub mod text;
pub mod thinking;

use wasm_bindgen::prelude::wasm_bindgen;

/// A computer player's choice in a game, in the notation; empty if it has none. Called in a thread of its own.
#[wasm_bindgen]
pub fn think(game: &str, level: &str, milliseconds: f64) -> String {
    thinking::think(game, level, milliseconds).unwrap_or_default()
}

/// Shows the page.
#[wasm_bindgen]
pub fn start_page() {
    leptos::mount::mount_to_body(app::App);
}
