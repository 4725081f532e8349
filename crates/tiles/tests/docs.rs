//! The description of the format knows every word, and its examples are right.

use trencavel_tiles::{TileFile, known_words};

const TEXT: &str = include_str!("../../../docs/tiles.md");

#[test]
fn every_word_is_described() {
    for word in known_words() {
        let starts = [format!("`{word}`"), format!("`{word} ")];
        assert!(
            starts.iter().any(|start| TEXT.contains(start)),
            "docs/tiles.md does not describe `{word}`"
        );
    }
}

#[test]
fn every_key_is_described() {
    for key in [
        "slug",
        "prefix",
        "id",
        "tiles",
        "without",
        "needs",
        "limit",
        "names",
        "segments",
        "symbols",
        "group",
        "quadrants",
    ]
    .iter()
    .chain(&["wall", "fits", "[[set]]", "[[tile]]"])
    {
        assert!(
            TEXT.contains(&format!("\n| `{key}` |")),
            "docs/tiles.md does not describe {key}"
        );
    }
}

#[test]
fn the_examples_are_right() {
    let examples: Vec<&str> = TEXT
        .split("```toml\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let file = TileFile::read("docs/tiles.md", example.as_bytes()).unwrap();
        assert!(!file.tiles.is_empty());
    }
}
