//! Games as text: the move notation, game files, and the saved games of other programs.

pub mod drawing;
pub mod notation;
