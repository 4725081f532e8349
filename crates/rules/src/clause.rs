//! The clauses of the rule book as constants, made from `docs/rules` when the crate is built. A clause that no longer
//! exists does not compile.

use core::fmt;

/// A clause of the rule book, or one of its worked examples. Numbers may differ between builds; ids do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause(pub(crate) u16);

impl Clause {
    /// The clause's id, like `BA-07`.
    pub fn id(self) -> &'static str {
        IDS.get(self.0 as usize).copied().unwrap_or("?")
    }

    /// The clause with this id.
    pub fn from_id(id: &str) -> Option<Clause> {
        IDS.iter()
            .position(|other| *other == id)
            .map(|i| Clause(i as u16))
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

include!(concat!(env!("OUT_DIR"), "/clauses.rs"));
