//! One file of the rule book and its clauses.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::id::{ClauseId, find_ids, id_at, is_word};

/// One file of the rule book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The file's name without `.md`: `russian-promos`.
    pub slug: String,
    /// The two capitals its header gives: `RP`. Only ids that start with them are defined by this file.
    pub prefix: Option<String>,
    /// Rules and worked examples in the order of the file.
    pub clauses: Vec<Clause>,
}

/// A rule or a worked example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its name.
    pub id: ClauseId,
    /// What the rule book says, without the id, on one line.
    pub text: String,
    /// How binding it is; worked examples have none, and a few rules name only a source.
    pub standing: Option<Standing>,
}

/// How binding a clause is: the square brackets at its end.
///
/// Where the brackets tell more (`[rule; two-player games: community]`), the first of the four words counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A printed rule.
    Rule,
    /// An answer of the publisher.
    Clarification,
    /// An agreed reading where the publisher is silent.
    Community,
    /// Something players choose; what stands after the colon, usually one option key.
    Variant(String),
}

/// A rule book that cannot be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file or directory.
    pub path: PathBuf,
    /// What went wrong with it.
    pub source: io::Error,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Reads every `.md` file of `dir` that defines a clause, in the order of the slugs.
///
/// `README.md`, which describes the form with invented ids, is left out.
///
/// # Errors
/// [`ReadError`] when the directory or one of its files cannot be read, or is not UTF-8.
pub fn read_books(dir: &Path) -> Result<Vec<Book>, ReadError> {
    let at = |path: &Path| {
        let path = path.to_path_buf();
        move |source| ReadError { path, source }
    };
    let mut slugs = Vec::new();
    for entry in fs::read_dir(dir).map_err(at(dir))? {
        let name = entry.map_err(at(dir))?.file_name();
        match name.to_str().and_then(|n| n.strip_suffix(".md")) {
            None | Some("README") => {}
            Some(slug) => slugs.push(slug.to_string()),
        }
    }
    slugs.sort();
    let mut books = Vec::new();
    for slug in slugs {
        let path = dir.join(format!("{slug}.md"));
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let book = Book::parse(&slug, &text);
        if !book.clauses.is_empty() {
            books.push(book);
        }
    }
    Ok(books)
}

impl Book {
    /// Reads the clauses from the text of a file.
    ///
    /// A clause is defined by the first bullet, table row or bold line that starts with its id. Its text goes on until an
    /// empty line, a heading, the next bullet or the next row.
    pub fn parse(slug: &str, text: &str) -> Book {
        let mut book = Book {
            slug: slug.to_string(),
            prefix: None,
            clauses: Vec::new(),
        };
        let mut open = false;
        for line in text.lines() {
            if book.prefix.is_none() {
                book.prefix = prefix_in(line);
            }
            if let Some((id, rest)) = book.definition(line) {
                book.clauses.push(Clause {
                    id,
                    text: definition_text(line, rest),
                    standing: None,
                });
                open = !is_row(line);
            } else if continues(line) {
                if let (true, Some(clause)) = (open, book.clauses.last_mut()) {
                    clause.text.push(' ');
                    clause.text.push_str(line.trim());
                }
            } else {
                open = false;
            }
        }
        for clause in &mut book.clauses {
            clause.standing = standing_in(&clause.text);
        }
        book
    }

    /// The clauses that state a rule.
    pub fn rules(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(|c| !c.id.is_example())
    }

    /// The worked examples.
    pub fn examples(&self) -> impl Iterator<Item = &Clause> {
        self.clauses.iter().filter(|c| c.id.is_example())
    }

    /// The id that `line` defines, if it is new, and what follows it.
    fn definition<'a>(&self, line: &'a str) -> Option<(ClauseId, &'a str)> {
        let bare = line.trim_start();
        let rest = bare.strip_prefix(['-', '*']).unwrap_or(bare).trim_start();
        let rest = rest.strip_prefix('|').unwrap_or(rest).trim_start();
        let rest = rest.trim_start_matches('*').trim_start();
        if rest.len() == bare.len() {
            return None; // a line of running text that happens to break before an id
        }
        let (id, end) = id_at(rest, 0)?;
        let ours = self.prefix.as_ref().is_none_or(|p| id.prefix() == p);
        let new = self.clauses.iter().all(|c| c.id != id);
        (ours && new).then_some((id, &rest[end..]))
    }
}

impl Clause {
    /// The other clauses that its text names.
    pub fn mentions(&self) -> Vec<ClauseId> {
        find_ids(&self.text)
    }
}

/// The two capitals after the word "prefix".
fn prefix_in(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    lower.match_indices("prefix").find_map(|(at, word)| {
        let after = &line[at + word.len()..];
        let rest = after.trim_start_matches(|c: char| !is_word(c));
        let name = rest.get(..2)?;
        let whole = rest.len() < after.len() && !rest[2..].starts_with(is_word);
        (whole && name.bytes().all(|b| b.is_ascii_uppercase())).then(|| name.to_string())
    })
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

/// Whether a line can be a further line of the clause above it.
fn continues(line: &str) -> bool {
    let text = line.trim_start();
    let bullet = text.starts_with("- ") || text.starts_with("* ");
    let top = text.len() == line.len();
    !(text.is_empty() || text.starts_with('#') || is_row(line) || (bullet && top))
}

/// What a defining line says, without the asterisks that close the id and, in a table, without the outer bars.
fn definition_text(line: &str, rest: &str) -> String {
    let rest = rest.trim_start_matches('*').trim();
    let rest = if is_row(line) {
        rest.trim_matches('|').trim()
    } else {
        rest
    };
    rest.to_string()
}

/// The standing in the last square brackets of a text that hold one.
fn standing_in(text: &str) -> Option<Standing> {
    text.rmatch_indices('[').find_map(|(at, _)| {
        let inner = text[at + 1..].split(']').next()?;
        inner.split(';').find_map(|part| {
            let part = part.trim();
            let word_end = part.find(|c: char| !is_word(c)).unwrap_or(part.len());
            match &part[..word_end] {
                "rule" => Some(Standing::Rule),
                "clarification" => Some(Standing::Clarification),
                "community" => Some(Standing::Community),
                "variant" => Some(Standing::Variant(
                    part[word_end..].trim_start_matches(':').trim().to_string(),
                )),
                _ => None,
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
| Clause prefix | RP (two of them) |

## Rules
- **RP-01** The tree is a trap.
  RP-02 stands below, TU-01 elsewhere. (S; JE)
  [rule]
- **RP-02** A second
  - with a list [variant: solovei-capture]

  and an unrelated paragraph.
| **RP-03** | a row | [community] |
**RP-04** bold [clarification: asked twice]
- TU-01 belongs to another file.

## Examples
- **RP-E01** *A loop.* Distance 1.

## Doubts
- RP-01: nothing to add.
";

    fn book() -> Book {
        Book::parse("russian-promos", TEXT)
    }

    #[test]
    fn clauses_are_bullets_rows_and_bold_lines_with_the_prefix_of_the_file() {
        let ids: Vec<String> = book().clauses.iter().map(|c| c.id.to_string()).collect();
        assert_eq!(ids, ["RP-01", "RP-02", "RP-03", "RP-04", "RP-E01"]);
        assert_eq!(book().prefix.as_deref(), Some("RP"));
        assert_eq!(
            book().clauses[0].text,
            "The tree is a trap. RP-02 stands below, TU-01 elsewhere. (S; JE) [rule]"
        );
        assert_eq!(book().rules().count(), 4);
        assert_eq!(book().examples().count(), 1);
    }

    #[test]
    fn a_clause_runs_to_the_next_bullet_row_heading_or_empty_line() {
        let text = "Prefix: XX\n- **XX-01** one\n  two\n  - three\n- **XX-02** four\n\nfive\n| **XX-03** | six | seven |\neight\n";
        let texts: Vec<String> = Book::parse("x", text)
            .clauses
            .into_iter()
            .map(|c| c.text)
            .collect();
        assert_eq!(texts, ["one two - three", "four", "six | seven"]);
    }

    #[test]
    fn standing_is_read_from_the_last_brackets() {
        let check = |text: &str, expected| assert_eq!(standing_in(text), expected, "{text}");
        check("x [rule]", Some(Standing::Rule));
        check(
            "x [E, S] [clarification: 2015]",
            Some(Standing::Clarification),
        );
        check(
            "x [rule; automatic: community] (see [1])",
            Some(Standing::Rule),
        );
        check(
            "x [variant: yaga-hut-scoring]",
            Some(Standing::Variant("yaga-hut-scoring".into())),
        );
        check("x [an old engine; community]", Some(Standing::Community));
        check("x [ruler]", None);
        check("x", None);
    }

    #[test]
    fn the_prefix_is_a_whole_word_of_two_capitals() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(prefix_in(line).as_deref(), expected, "{line}")
        };
        check("| Clause prefix | BA |", Some("BA"));
        check("**Prefix**: **`RP`**", Some("RP"));
        check("Prefix MI (notes only)", Some("MI"));
        check("| slug | name | prefix | standing |", None);
        check("prefixBA", None);
        check("the prefix of BA", None);
    }
}
