//! Reads the rule book (`docs/rules/*.md`): which clauses it defines and what they say.
//!
//! Three programs depend on it. The build script of the rules crate turns the clauses into constants, so that a clause
//! cited in code must exist; `cargo xtask clauses` compares them with what the tests cite; the command line carries their
//! text. It has no dependencies, because it is built before everything else.
//!
//! ```
//! use trencavel_clauses::{Book, Standing};
//!
//! let book = Book::parse("demo", "| Clause prefix | DM |\n\n- **DM-01** A tile is square. [rule]\n");
//! assert_eq!(book.prefix.as_deref(), Some("DM"));
//! assert_eq!(book.clauses[0].id.as_str(), "DM-01");
//! assert_eq!(book.clauses[0].text, "A tile is square. [rule]");
//! assert_eq!(book.clauses[0].standing, Some(Standing::Rule));
//! ```

mod book;
mod id;
mod rust;

pub use book::{Book, Clause, ReadError, Standing, read_books};
pub use id::{ClauseId, find_ids};
pub use rust::{SourceError, rust_source};
