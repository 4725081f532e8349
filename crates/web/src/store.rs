//! What is kept in the browser, and games in links. Where storage is denied nothing is kept, and nothing breaks.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// The key of the game on the table.
pub(crate) const GAME: &str = "trencavel.game";
/// The key of the name at tables of a server.
pub(crate) const NAME: &str = "trencavel.name";
/// The key of the tables at which a seat was taken.
pub(crate) const TABLES: &str = "trencavel.tables";
/// The beginning of the key of a seat's secret at a table.
pub(crate) const SEAT: &str = "trencavel.seat";
/// The key of the name of the account that somebody is logged in to.
pub(crate) const ACCOUNT: &str = "trencavel.account";
/// The key of the settings.
pub(crate) const SETTINGS: &str = "trencavel.settings";

/// The longest text that a link may hold.
const LONGEST: u64 = 1 << 20;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// What is kept under a key.
pub(crate) fn kept(key: &str) -> Option<String> {
    let storage = web_sys::window()?.local_storage().ok()??;
    storage.get_item(key).ok()?
}

/// Keeps a text under a key.
pub(crate) fn keep(key: &str, text: &str) {
    if let Some(Ok(Some(storage))) = web_sys::window().map(|window| window.local_storage()) {
        // A full or closed storage keeps nothing; the game goes on.
        let _ = storage.set_item(key, text);
    }
}

/// What is kept under a key as long as this tab is open.
pub(crate) fn kept_in_tab(key: &str) -> Option<String> {
    let storage = web_sys::window()?.session_storage().ok()??;
    storage.get_item(key).ok()?
}

/// Keeps a text under a key as long as this tab is open.
pub(crate) fn keep_in_tab(key: &str, text: &str) {
    if let Some(Ok(Some(storage))) = web_sys::window().map(|window| window.session_storage()) {
        let _ = storage.set_item(key, text);
    }
}

/// Packs a text for a link.
pub fn pack(text: &str) -> String {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = packer
        .write_all(text.as_bytes())
        .and_then(|()| packer.finish());
    let bytes = packed.unwrap_or_default();
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for i in 0..=three.len() {
            let digit = (bits >> (18 - 6 * i)) & 63;
            out.push(char::from(DIGITS[digit as usize]));
        }
    }
    out
}

/// The text that was packed; none if it was not.
pub fn unpack(link: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let digits: Option<Vec<u32>> = link
        .bytes()
        .map(|byte| {
            DIGITS
                .iter()
                .position(|digit| *digit == byte)
                .map(|i| i as u32)
        })
        .collect();
    for four in digits?.chunks(4) {
        let bits =
            four.iter().fold(0u32, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        for i in 1..four.len() {
            bytes.push((bits >> (24 - 8 * i)) as u8);
        }
    }
    let mut text = String::new();
    DeflateDecoder::new(bytes.as_slice())
        .take(LONGEST)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for text in ["", "a", "trencavel game 1\nsetup C2; seats 2\n", "é\n"] {
            assert_eq!(unpack(&pack(text)).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_mangled_link_is_no_game() {
        assert_eq!(unpack("%%%"), None);
        assert_eq!(unpack("AAAA"), None);
    }
}
