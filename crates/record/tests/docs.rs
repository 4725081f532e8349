//! The documents of the format say what the code does.

use std::path::Path;

use trencavel_record::jcz::setup::{ELEMENTS, Element, PROFILE, RULES, SETS};
use trencavel_record::jcz::{differences, words_elsewhere};
use trencavel_rules::{Clause, Ext, Rules, Setup, TileKind, Values};

fn text(path: &str) -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(path),
    )
    .unwrap()
}

#[test]
fn every_key_has_its_row() {
    let text = text("docs/jcz.md");
    let has = |row: String| {
        assert!(
            text.lines().any(|line| line.starts_with(&row)),
            "no row {row}"
        )
    };
    for (set, slug) in SETS {
        has(format!("| `{set}` | {slug} |"));
    }
    for (key, element) in ELEMENTS {
        has(match element {
            Element::Count(slug) => format!("| `{key}` | how many: option `{key}` of {slug} |"),
            Element::Switch(slug) => format!("| `{key}` | option `{key}` of {slug} |"),
            Element::Shared(slug) => format!("| `{key}` | option `{key}` of {slug}, "),
            Element::PartOf(slug, _) => format!("| `{key}` | part of {slug}, "),
            Element::WithTiles => format!("| `{key}` | acts whenever "),
            Element::Elsewhere(slug) => format!("| `{key}` | needs {slug} |"),
        });
    }
    for rule in RULES {
        has(format!(
            "| `{}` | {} | {} |",
            rule.key,
            rule.slug,
            rule.values.join(", ")
        ));
    }
    for (slug, key, value) in PROFILE {
        has(format!("| `{key}` | {value} | {slug} |"));
    }
    for (word, slug) in words_elsewhere() {
        let mut rows = text
            .lines()
            .filter(|line| line.ends_with(&format!("| {slug} |")));
        let cell = format!("`{word}`");
        assert!(
            rows.any(|row| row.contains(&cell)),
            "no row of {slug} with {word}"
        );
        assert!(
            Ext::from_slug(slug).is_none(),
            "{slug} is there: what is {word} to it?"
        );
    }
}

/// The tables name options and values that the engine has.
#[test]
fn the_tables_fit_the_engine() {
    let option = |slug: &str, key: &str| {
        let ext = Ext::from_slug(slug)?;
        ext.expansion()
            .options
            .iter()
            .find(|option| option.key == key)
    };
    for (key, element) in ELEMENTS {
        match element {
            Element::Count(slug) | Element::Switch(slug) | Element::Shared(slug) => {
                assert!(option(slug, key).is_some(), "{slug} has no option {key}");
            }
            Element::PartOf(slug, others) => {
                assert!(Ext::from_slug(slug).is_some());
                assert!(
                    others
                        .iter()
                        .all(|other| ELEMENTS.iter().any(|(key, _)| key == other))
                );
            }
            Element::Elsewhere(slug) => {
                assert!(
                    Ext::from_slug(slug).is_none(),
                    "{slug} is there: what is {key} to it?"
                );
            }
            Element::WithTiles => {}
        }
    }
    let allows = |slug: &str, key: &str, value: &str| match option(slug, key).map(|o| o.values) {
        Some(Values::Listed(listed, _)) => assert!(listed.contains(&value), "{key}={value}"),
        Some(Values::Number(..)) => assert!(value.parse::<u8>().is_ok()),
        None => panic!("{slug} has no option {key}"),
    };
    for rule in RULES {
        let here = Ext::from_slug(rule.slug).is_some();
        for value in rule.values.iter().filter(|_| here) {
            allows(rule.slug, rule.key, value);
        }
    }
    for (slug, key, value) in PROFILE {
        allows(slug, key, value);
    }
}

#[test]
fn every_difference_has_its_clause_and_its_test() {
    let text = text("docs/jcz-differences.md");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own_tests = include_str!("docs.rs");
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let mut clauses: Vec<String> = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        for cell in &cells {
            let words = cell.split([',', ' ']).filter(|word| !word.is_empty());
            for word in words {
                let like = word.as_bytes().get(2) == Some(&b'-') && word.len() >= 5;
                if like && word.bytes().take(2).all(|b| b.is_ascii_uppercase()) {
                    assert!(Clause::from_id(word).is_some(), "{word}");
                    clauses.push(word.to_owned());
                }
            }
        }
        let [_, _, _, tests] = cells.as_slice() else {
            continue;
        };
        for test in tests.split('`').skip(1).step_by(2) {
            let there = if test.ends_with(".scn") {
                root.join("scenarios").join(test).is_file()
            } else {
                own_tests.contains(&format!("fn {test}()"))
            };
            assert!(there, "there is no test {test}");
        }
    }
    for listed in differences::all() {
        assert!(
            clauses.contains(&listed.clause),
            "{} is not in the document",
            listed.clause
        );
    }
}

/// Covers RI-03: River II has one volcano lake, and it comes last.
#[test]
fn river_two_has_one_volcano_lake() {
    let mut setup = Setup::new(trencavel_rules::Edition::C1, 2).with("river");
    setup.sets = vec![("river/1:1".into(), 0), ("river/2:1".into(), 1)];
    let rules = Rules::new(&setup).unwrap();
    let state = rules.start();
    let lake: TileKind = rules.kind_of("RI.2/I.v").unwrap();
    assert_eq!(state.bag().count(lake), 1);
    let mut outcomes = Vec::new();
    rules.outcomes(&state, &mut outcomes);
    assert!(
        outcomes
            .iter()
            .all(|(chance, _)| *chance != trencavel_rules::Chance::Tile(lake))
    );
}
