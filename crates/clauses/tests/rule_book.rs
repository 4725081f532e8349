//! The rule book that comes with the project.

use std::path::Path;

use trencavel_clauses::{Book, read_books, rust_source};

fn books() -> Vec<Book> {
    read_books(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules"))
        .expect("the rule book can be read")
}

/// Rows of a table in INDEX.md: slug, prefix, number of clauses, number of examples.
fn index_rows() -> Vec<(String, String, usize, usize)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules/INDEX.md");
    let text = std::fs::read_to_string(path).expect("the index can be read");
    let mut rows = Vec::new();
    for line in text.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let is_prefix = |c: &str| c.len() == 2 && c.bytes().all(|b| b.is_ascii_uppercase());
        let prefix = cells
            .iter()
            .position(|c| is_prefix(c))
            .expect("a row has a prefix");
        let at = if prefix == 2 && cells.len() > 7 {
            7
        } else {
            prefix + 1
        };
        let number = |i: usize| cells[i].parse().expect("a row has numbers");
        rows.push((
            cells[0].trim_matches('`').to_string(),
            cells[prefix].to_string(),
            number(at),
            number(at + 1),
        ));
    }
    rows
}

#[test]
fn the_index_tells_the_number_of_clauses_and_examples_of_each_file() {
    let rows = index_rows();
    let mut indexed: Vec<_> = rows.clone();
    indexed.sort();
    let counted: Vec<_> = books()
        .iter()
        .map(|b| {
            (
                b.slug.clone(),
                b.prefix.clone().unwrap_or_default(),
                b.rules().count(),
                b.examples().count(),
            )
        })
        .collect();
    assert_eq!(indexed, counted);
}

#[test]
fn constants_can_be_made_for_the_whole_book() {
    let books = books();
    let source = rust_source(&books).expect("the files agree");
    let clauses: usize = books.iter().map(|b| b.clauses.len()).sum();
    assert_eq!(source.matches("pub const ").count(), clauses);
    assert!(source.contains("pub const BA_07: Clause"));
}

#[test]
fn every_clause_says_something() {
    for book in books() {
        for clause in &book.clauses {
            assert!(
                clause.text.len() > 10,
                "{} says only {:?}",
                clause.id,
                clause.text
            );
        }
    }
}

#[test]
fn nearly_every_rule_has_a_standing() {
    let without: Vec<String> = books()
        .iter()
        .flat_map(Book::rules)
        .filter(|c| c.standing.is_none())
        .map(|c| c.id.to_string())
        .collect();
    // These three name a source instead.
    assert_eq!(without, ["CT-35", "SD-03", "WT-38"]);
}
