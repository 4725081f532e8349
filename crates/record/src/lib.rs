//! Games as text: the move notation, game files, and the saved games of other programs.

pub mod dealer;
pub mod drawing;
pub mod game;
pub mod history;
pub mod jcz;
pub mod json;
pub mod notation;
pub mod setup_text;

pub(crate) use notation::clip;
