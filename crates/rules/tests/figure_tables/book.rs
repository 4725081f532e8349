//! The tables as the rule book prints them.

use std::collections::BTreeMap;
use std::fs;

use trencavel_rules::Kind;

/// A table of the rule book: rows by name, cells by the heading of their column.
pub(crate) type Table = Vec<(String, BTreeMap<String, String>)>;

pub(crate) fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().to_string())
        .collect()
}

/// The table that follows a clause.
pub(crate) fn table(clause: &str) -> Table {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/rules/scoring-and-majority.md"
    );
    let text = fs::read_to_string(path).unwrap();
    let start = text.find(&format!("- **{clause}**")).unwrap();
    let mut lines = text[start..]
        .lines()
        .skip(1)
        .skip_while(|line| !line.starts_with('|'));
    let heads = cells(lines.next().unwrap());
    let rows = lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(cells);
    let rows = rows.map(|row| {
        let name = row[0].clone();
        (name, heads.iter().cloned().zip(row).skip(1).collect())
    });
    rows.collect()
}

/// The kinds that a row is about, as far as they exist.
pub(crate) fn kinds(row: &str) -> Vec<Kind> {
    let names = row.split(", ").filter_map(|name| match name {
        "normal" => Some(Kind::Normal),
        name => Kind::from_name(name),
    });
    names.collect()
}

/// Calls the check for every kind and cell of a table whose column has one; every column must be known.
pub(crate) fn each(
    clause: &str,
    known: &[&str],
    unbuilt: &[&str],
    check: impl Fn(Kind, &str, &str),
) {
    let mut checked = 0;
    for (row, cells) in table(clause) {
        for (column, cell) in &cells {
            let is = |names: &[&str]| names.contains(&column.as_str());
            assert!(
                is(known) != is(unbuilt),
                "{clause}: the column \"{column}\""
            );
            if is(known) {
                for kind in kinds(&row) {
                    check(kind, column, cell);
                    checked += 1;
                }
            }
        }
    }
    assert_eq!(
        checked,
        known.len() * 9,
        "{clause}: nine kinds of figures in each column"
    );
}

/// Whether a cell says yes.
pub(crate) fn yes_or_no(cell: &str) -> bool {
    match cell {
        "y" => true,
        "n" => false,
        _ => panic!("the cell \"{cell}\""),
    }
}
