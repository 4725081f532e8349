//! What the address of the page says is to be shown.

use leptos::prelude::window;

/// What is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Route {
    /// The local game on the table.
    Table,
    /// Setting up a local game.
    New,
    /// The tables of the server.
    Lobby,
    /// A table of the server, with the secret of a seat if the address brings one.
    Online(String, Option<String>),
    /// A game in the address, packed, at a position.
    Packed(String, Option<usize>),
    /// A game that was opened.
    Replay,
    /// The first game, explained.
    Learn,
    /// All tiles.
    Tiles,
    /// A page of the rule book, by the prefix of its clauses.
    Rules(String),
}

impl Route {
    /// The route of a fragment such as `#table=abc`; whatever is not understood is the table.
    pub fn of(hash: &str) -> Route {
        let hash = hash.trim_start_matches('#');
        let value = |key: &str| {
            let parts = hash.split('&').find_map(|part| part.strip_prefix(key));
            parts.and_then(|rest| rest.strip_prefix('='))
        };
        if let Some(id) = value("table").filter(|id| is_id(id)) {
            return Route::Online(id.to_string(), value("secret").map(String::from));
        }
        if let Some(packed) = value("game") {
            let (packed, at) = packed.split_once('@').unwrap_or((packed, ""));
            return Route::Packed(packed.to_string(), at.parse().ok());
        }
        if let Some(prefix) = value("rules").filter(|prefix| is_id(prefix)) {
            return Route::Rules(prefix.to_string());
        }
        match hash {
            "new" => Route::New,
            "online" => Route::Lobby,
            "replay" => Route::Replay,
            "learn" => Route::Learn,
            "tiles" => Route::Tiles,
            _ => Route::Table,
        }
    }

    /// The route of the page's address.
    pub fn now() -> Route {
        Route::of(&window().location().hash().unwrap_or_default())
    }
}

/// Whether it can be the id of a table: it becomes part of the addresses of requests.
pub(crate) fn is_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Goes to a fragment.
pub(crate) fn go(hash: &str) {
    let _ = window().location().set_hash(hash);
}

/// Changes the address without going anywhere: the former one is forgotten.
pub(crate) fn replace(hash: &str) {
    if let Ok(history) = window().history() {
        let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(hash));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_understood() {
        assert_eq!(Route::of(""), Route::Table);
        assert_eq!(Route::of("#nonsense"), Route::Table);
        assert_eq!(Route::of("#online"), Route::Lobby);
        assert_eq!(Route::of("#rules=RP"), Route::Rules("RP".into()));
        assert_eq!(
            Route::of("#table=aB-9&secret=xyz"),
            Route::Online("aB-9".into(), Some("xyz".into()))
        );
        assert_eq!(Route::of("#table=../../etc"), Route::Table);
        assert_eq!(
            Route::of("#game=abc@12"),
            Route::Packed("abc".into(), Some(12))
        );
        assert_eq!(Route::of("#game=abc"), Route::Packed("abc".into(), None));
    }
}
