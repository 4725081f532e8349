//! The rules of Carcassonne and its expansions: exact, deterministic and fast.
