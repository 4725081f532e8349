//! The Rust source of the clause constants.

use std::fmt::{self, Write};

use crate::book::{Book, Standing};
use crate::id::ClauseId;

/// A rule book for which there can be no constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceError {
    /// Two files define the same clause.
    Twice {
        /// The clause.
        id: ClauseId,
        /// The slugs of the two files.
        slugs: [String; 2],
    },
    /// Two files have the same prefix.
    SharedPrefix {
        /// The prefix.
        prefix: String,
        /// The slugs of the two files.
        slugs: [String; 2],
    },
    /// There are more clauses than a `u16` can number.
    TooMany(usize),
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Twice { id, slugs: [a, b] } => {
                write!(f, "clause {id} is defined in both {a}.md and {b}.md")
            }
            SourceError::SharedPrefix {
                prefix,
                slugs: [a, b],
            } => {
                write!(f, "{a}.md and {b}.md share the prefix {prefix}")
            }
            SourceError::TooMany(n) => write!(f, "{n} clauses are more than a u16 can number"),
        }
    }
}

impl std::error::Error for SourceError {}

/// Writes Rust source with one constant for each clause, and the tables that go with them:
///
/// ```text
/// pub const BA_07: Clause = Clause(6);
/// pub static IDS: [&str; N] = ["BA-01", …];              // by number
/// pub static BOOKS: [(&str, &str); M] = [("BA", "base"), …];  // prefix and slug
/// ```
///
/// It is meant for `include!` in a module that has `struct Clause(u16)`. Numbers follow the order of `books` and of the
/// clauses in them; they may differ from build to build, so only ids may be stored or sent.
///
/// # Errors
/// [`SourceError::Twice`] and [`SourceError::SharedPrefix`] when files contradict each other,
/// [`SourceError::TooMany`] when there are more than 65,536 clauses.
pub fn rust_source(books: &[Book]) -> Result<String, SourceError> {
    check(books)?;
    let mut out = String::from("// Generated from docs/rules by trencavel-clauses.\n\n");
    let clauses = || books.iter().flat_map(|b| &b.clauses);
    for (number, clause) in clauses().enumerate() {
        let standing = clause.standing.as_ref().map(describe).unwrap_or_default();
        // A fence, because brackets and angles in the text are not links and tags.
        line(
            &mut out,
            format_args!("/// {}{standing}.\n///\n/// ```text", clause.id),
        );
        for part in wrap(&clause.text, 96) {
            line(&mut out, format_args!("/// {part}"));
        }
        line(
            &mut out,
            format_args!(
                "/// ```\npub const {}: Clause = Clause({number});",
                clause.id.constant()
            ),
        );
    }
    let n = clauses().count();
    line(
        &mut out,
        format_args!("\n/// The id of every clause, by number.\npub static IDS: [&str; {n}] = ["),
    );
    for clause in clauses() {
        line(&mut out, format_args!("    {:?},", clause.id.as_str()));
    }
    let prefixes = || {
        books
            .iter()
            .filter_map(|b| Some((b.prefix.as_ref()?, &b.slug)))
    };
    let n = prefixes().count();
    line(
        &mut out,
        format_args!(
            "];\n\n/// Prefix and slug of every file.\npub static BOOKS: [(&str, &str); {n}] = ["
        ),
    );
    for (prefix, slug) in prefixes() {
        line(&mut out, format_args!("    ({prefix:?}, {slug:?}),"));
    }
    out.push_str("];\n");
    Ok(out)
}

fn check(books: &[Book]) -> Result<(), SourceError> {
    let mut ids: Vec<(&ClauseId, &str)> = Vec::new();
    let mut prefixes: Vec<(&String, &str)> = Vec::new();
    for book in books {
        ids.extend(book.clauses.iter().map(|c| (&c.id, book.slug.as_str())));
        prefixes.extend(book.prefix.iter().map(|p| (p, book.slug.as_str())));
    }
    if ids.len() > usize::from(u16::MAX) + 1 {
        return Err(SourceError::TooMany(ids.len()));
    }
    ids.sort();
    prefixes.sort();
    for pair in ids.windows(2) {
        if pair[0].0 == pair[1].0 {
            let slugs = [pair[0].1.to_string(), pair[1].1.to_string()];
            return Err(SourceError::Twice {
                id: pair[0].0.clone(),
                slugs,
            });
        }
    }
    for pair in prefixes.windows(2) {
        if pair[0].0 == pair[1].0 {
            let slugs = [pair[0].1.to_string(), pair[1].1.to_string()];
            return Err(SourceError::SharedPrefix {
                prefix: pair[0].0.clone(),
                slugs,
            });
        }
    }
    Ok(())
}

fn describe(standing: &Standing) -> String {
    match standing {
        Standing::Rule => ", a printed rule".to_string(),
        Standing::Clarification => ", an answer of the publisher".to_string(),
        Standing::Community => ", an agreed reading".to_string(),
        Standing::Variant(option) => format!(", a variant (`{option}`)"),
    }
}

fn line(out: &mut String, text: fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// Breaks a text between words into lines of at most `width` characters where words allow it.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let current = &mut lines[last];
        if current.is_empty() {
            current.push_str(word);
        } else if current.chars().count() + 1 + word.chars().count() <= width {
            current.push(' ');
            current.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(slug: &str, text: &str) -> Book {
        Book::parse(slug, text)
    }

    #[test]
    fn each_clause_has_a_constant_and_a_place_in_the_table() {
        let books = [
            book(
                "a",
                "prefix AA\n- **AA-01** One. [rule]\n- **AA-E01** Two.\n",
            ),
            book("b", "prefix BB\n- **BB-07** x\n"),
        ];
        let source = rust_source(&books).unwrap();
        for expected in [
            "/// AA-01, a printed rule.\n///\n/// ```text\n/// One. [rule]\n/// ```\npub const AA_01: Clause = Clause(0);\n",
            "pub const AA_E01: Clause = Clause(1);\n",
            "pub const BB_07: Clause = Clause(2);\n",
            "pub static IDS: [&str; 3] = [\n    \"AA-01\",\n    \"AA-E01\",\n    \"BB-07\",\n];\n",
            "pub static BOOKS: [(&str, &str); 2] = [\n    (\"AA\", \"a\"),\n    (\"BB\", \"b\"),\n];\n",
        ] {
            assert!(source.contains(expected), "{expected}\nis not in\n{source}");
        }
    }

    #[test]
    fn files_that_contradict_each_other_are_refused() {
        let slugs = ["a".to_string(), "b".to_string()];
        let twice = [book("a", "- **AA-01** x\n"), book("b", "- **AA-01** y\n")];
        let id = ClauseId::new("AA-01").unwrap();
        assert_eq!(
            rust_source(&twice),
            Err(SourceError::Twice {
                id,
                slugs: slugs.clone()
            })
        );
        let shared = [book("a", "prefix AA\n"), book("b", "prefix AA\n")];
        assert_eq!(
            rust_source(&shared),
            Err(SourceError::SharedPrefix {
                prefix: "AA".into(),
                slugs
            })
        );
    }
}
