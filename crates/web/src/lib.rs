//! The client in the browser. It runs the rules itself, so it never waits for anybody to know what is legal.

// The macro of components makes their properties public wherever they stand.
#![allow(unreachable_pub)]

mod account;
mod app;
mod board;
mod book;
mod bubbles;
mod canvas;
mod computer;
mod desk;
mod draft;
mod ending;
mod files;
mod gallery;
pub mod game;
mod http;
pub mod items;
mod learn;
mod link;
mod lobby;
mod log;
mod online;
mod replay;
pub mod route;
mod settings;
mod setup_page;
mod side;
mod sound;
pub mod store;
mod survey;
mod table;
pub mod text;
mod thinking;
pub mod told;
pub mod words;

use wasm_bindgen::prelude::wasm_bindgen;

/// A computer player's choice in a game, in the notation; empty if it has none. Called in a thread of its own.
#[wasm_bindgen]
pub fn think(game: &str, level: &str, milliseconds: f64) -> String {
    thinking::think(game, level, milliseconds).unwrap_or_default()
}

/// What a computer player thinks of the choices after so many inputs of a game: see `thinking::weigh`. Called in a thread of
/// its own.
#[wasm_bindgen]
pub fn weigh(game: &str, at: f64, milliseconds: f64) -> String {
    thinking::weigh(game, at as usize, milliseconds).unwrap_or_default()
}

/// The analysis of a whole game: see `thinking::survey`. Called in a thread of its own.
#[wasm_bindgen]
pub fn survey(game: &str, milliseconds: f64, tell: &js_sys::Function) -> String {
    let tell = |n: usize| {
        let _ = tell.call1(&wasm_bindgen::JsValue::NULL, &(n as f64).into());
    };
    thinking::survey(game, milliseconds, tell).unwrap_or_default()
}

/// Shows the page.
#[wasm_bindgen]
pub fn start_page() {
    leptos::mount::mount_to_body(app::App);
}
