//! Tokens and towers: what lies on the table besides tiles and figures. Drawn within about 9 units round (0, 0).

use std::fmt::Write as _;

use trencavel_rules::Token;

use crate::symbols::{CLOTH, GRAIN, WINE};

/// How much higher a tower is drawn for each piece.
pub const STOREY: f32 = 7.0;

const PIECE: &str = "<path class=\"t-wood\" style=\"stroke:var(--ink);stroke-width:.8\" d=\"M-8 5V-3L0-6 8-3V5L0 8Z\"/>\
    <path style=\"fill:var(--wall-light);stroke:var(--ink);stroke-width:.8\" d=\"M-8-3 0-6 8-3 0 0Z\"/>";
const ABBEY: &str = "<rect class=\"t-field\" style=\"stroke:var(--ink);stroke-width:.8\" x=\"-8.5\" y=\"-8.5\" width=\"17\" height=\"17\" rx=\"2\"/>\
    <path class=\"t-stone\" d=\"M-5 5V-1H-1V-4L1-7 3-4V-1H5V5Z\"/><path class=\"t-roof\" d=\"M-2-4 1-8 4-4Z\"/>";

/// A token.
pub const fn token(token: Token) -> &'static str {
    match token {
        Token::Wine => WINE,
        Token::Grain => GRAIN,
        Token::Cloth => CLOTH,
        Token::TowerPiece => PIECE,
        Token::Abbey => ABBEY,
    }
}

/// A tower so many pieces high, its foot at (0, 0), with its height written on it.
pub fn tower(pieces: u8) -> String {
    let mut out = String::new();
    for i in 0..pieces.min(12) {
        let _ = write!(
            out,
            "<g transform=\"translate(0 {})\">{PIECE}</g>",
            -STOREY * f32::from(i)
        );
    }
    if pieces > 0 {
        let _ = write!(
            out,
            "<circle class=\"t-paper\" cx=\"10\" cy=\"3\" r=\"5.4\"/><text class=\"t-number\" x=\"10\" y=\"6\">{pieces}</text>"
        );
    }
    out
}
