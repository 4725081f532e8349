//! The expansions, one module each; the base game is one of them, always in play.

pub(crate) mod abbey_and_mayor;
pub(crate) mod abbot;
pub(crate) mod base;
pub(crate) mod festival;
pub(crate) mod hungarian_promo;
pub(crate) mod inns_and_cathedrals;
pub(crate) mod phantom;
pub(crate) mod princess_and_dragon;
pub(crate) mod river;
pub(crate) mod russian_promos;
pub(crate) mod tower;
pub(crate) mod traders_and_builders;
