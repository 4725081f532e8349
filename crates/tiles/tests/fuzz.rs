//! Nothing that is read or checked panics, and what is written is read again as the same.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::fs;
use std::path::Path;
use trencavel_tiles::{
    Half, How, Kind, Mark, Passes, Point, Segment, SegmentNo, Shelf, Side, Symbol, Tile, TileFile,
    Touch, known_words, read_segments,
};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/tiles"))
}

fn texts() -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Pieces of which nearly right files are made.
fn piece() -> impl Strategy<Value = String> {
    let mut words: Vec<String> = known_words().into_iter().map(str::to_owned).collect();
    words.extend(Side::ALL.iter().map(|place| place.word().to_owned()));
    words.extend(Half::ALL.iter().map(|place| place.word().to_owned()));
    words.extend(Point::ALL.iter().map(|place| place.word().to_owned()));
    let signs = [
        "|",
        ",",
        "\"",
        "[",
        "]",
        "=",
        "\n",
        "2",
        "a",
        "[[tile]]\n",
        "[[set]]\n",
        "id",
        "segments",
        "B/A",
        "é",
    ];
    words.extend(signs.map(str::to_owned));
    select(words)
}

fn segment() -> impl Strategy<Value = Segment> {
    let kinds = [
        Kind::City,
        Kind::Road,
        Kind::Field,
        Kind::River,
        Kind::Monastery,
        Kind::Garden,
        Kind::Hut,
    ];
    let how = select(vec![How::Beside, How::Inside, How::Across]);
    let touch = (any::<u8>(), how).prop_map(|(no, how)| Touch {
        city: SegmentNo(no % 8),
        how,
    });
    let marks = vec![
        Mark::Pennants(0),
        Mark::Wine,
        Mark::NoCastle,
        Mark::Inn,
        Mark::Shares(Side::N),
        Mark::PigHerd,
    ];
    let passes = select(vec![None, None, Some(Passes::Over), Some(Passes::Under)]);
    let places = (
        prop::collection::vec(select(Side::ALL), 0..4),
        prop::collection::vec(select(Half::ALL), 0..6),
        prop::collection::vec(select(Point::ALL), 0..2),
    );
    let rest = (
        prop::collection::vec(touch, 0..3),
        prop::collection::vec(select(marks), 0..2),
        prop::collection::vec(select(vec!['a', 'b', 'Ω']), 0..2),
    );
    (select(kinds.to_vec()), places, passes, rest).prop_map(
        |(kind, (sides, halves, to), passes, (touches, marks, links))| Segment {
            kind,
            sides: sides.into_iter().collect(),
            halves: halves.into_iter().collect(),
            to: to.into_iter().collect(),
            passes,
            touches,
            marks,
            links,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = TileFile::read("f", &bytes);
    }

    #[test]
    fn random_pieces_are_read_without_panic(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = format!("slug = \"b\"\nprefix = \"B\"\n[[tile]]\nid = \"B/A\"\n{}", pieces.join(" "));
        let _ = TileFile::read("f", text.as_bytes());
        let _ = read_segments([pieces.join(" ").as_str()]);
        let _ = Symbol::from_text(&pieces.join(" "));
    }

    #[test]
    fn damaged_files_are_read_without_panic(
        which in any::<Index>(),
        damage in prop::collection::vec((any::<Index>(), any::<Index>(), piece()), 1..6),
    ) {
        let texts = texts();
        let mut bytes = which.get(&texts).clone();
        for (from, length, piece) in damage {
            let from = from.index(bytes.len() + 1);
            let to = (from + length.index(12)).min(bytes.len());
            bytes.splice(from..to, piece.into_bytes());
        }
        if let Err(errors) = TileFile::read("f", &bytes) {
            prop_assert!(!errors.0.is_empty());
            prop_assert!(errors.0.iter().all(|error| error.line > 0));
            let _ = errors.to_string();
        }
    }

    #[test]
    fn random_tiles_are_checked_without_panic(segments in prop::collection::vec(segment(), 0..8)) {
        let tile = Tile { segments, ..Tile::default() };
        if let Err(faults) = tile.check() {
            prop_assert!(!faults.is_empty());
        } else {
            let texts: Vec<String> = tile.numbered().map(|(no, _)| tile.text(no)).collect();
            prop_assert!(read_segments(texts.iter().map(String::as_str)).is_ok(), "{texts:?}");
        }
        let _ = tile.code();
    }
}

#[test]
fn hostile_files_are_refused_without_panic_and_soon() {
    let mut bodies = vec![
        "[".repeat(500_000),
        "a.".repeat(250_000),
        "a={".repeat(200_000),
        "[[a.".repeat(200_000),
    ];
    bodies.push(format!("a = {}", "[".repeat(500_000)));
    bodies.push(format!("[{}a]", "a.".repeat(250_000)));
    bodies.push(
        (0..50_000)
            .map(|i| format!("[[tile]]\nid=\"{i}\"\n"))
            .collect(),
    );
    bodies.push((0..50_000).map(|i| format!("k{i} = 1\n")).collect());
    bodies.push(format!(
        "[[tile]]\nid=\"B/A\"\nsegments = [{}]",
        "\"city N\",".repeat(90_000)
    ));
    bodies.push(format!(
        "[[tile]]\nid=\"B/A\"\nsegments = [\"city N | {}\"]",
        "link a,".repeat(100_000)
    ));
    bodies.push(format!(
        "[[tile]]\nid=\"B/A\"\nsegments = [\"{}\"]",
        "city ".repeat(30)
    ));
    let counts: String = (0..60_000).map(|i| format!("\"B/{i}\" = 1000\n")).collect();
    bodies.push(format!("[[set]]\nid=\"s\"\n[set.tiles]\n{counts}"));
    for body in bodies {
        let text = format!("slug = \"b\"\nprefix = \"B\"\n{body}");
        let errors = TileFile::read("f", text.as_bytes()).unwrap_err();
        assert!(errors.to_string().len() < 100_000);
    }
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let shelf = Shelf::open(folder()).unwrap();
    for tile in shelf.tiles() {
        let texts: Vec<String> = tile.numbered().map(|(no, _)| tile.text(no)).collect();
        let again = read_segments(texts.iter().map(String::as_str)).unwrap();
        let sorted = |segments: &[Segment]| {
            let mut segments = segments.to_vec();
            for segment in &mut segments {
                segment.touches.sort_by_key(|touch| touch.how);
            }
            segments
        };
        assert_eq!(sorted(&again), sorted(&tile.segments), "{}", tile.id);
        for symbol in &tile.symbols {
            assert_eq!(Symbol::from_text(&symbol.text()), Ok(*symbol));
        }
    }
}

/// Turns or mirrors the places in the text of a segment.
fn moved(text: &str, mirror: bool) -> String {
    let turn = |c: char| match (c, mirror) {
        ('N', false) => 'E',
        ('E', false) => 'S',
        ('S', false) => 'W',
        ('W', false) => 'N',
        ('E', true) => 'W',
        ('W', true) => 'E',
        ('L', true) => 'R',
        ('R', true) => 'L',
        (other, _) => other,
    };
    let word = |word: &str| {
        let bare = word.trim_end_matches(',');
        if !bare.chars().all(|c| c.is_ascii_uppercase()) {
            return word.to_owned();
        }
        let mut letters: Vec<char> = word.chars().map(turn).collect();
        if let [first @ ('E' | 'W'), second @ ('N' | 'S'), ..] = letters.as_mut_slice() {
            std::mem::swap(first, second);
        }
        letters.into_iter().collect()
    };
    text.split(' ').map(word).collect::<Vec<String>>().join(" ")
}

#[test]
fn a_tile_is_as_right_or_wrong_when_it_is_turned_or_mirrored() {
    let shelf = Shelf::open(folder()).unwrap();
    for tile in shelf.tiles().filter(|tile| tile.wall.is_empty()) {
        let mut texts: Vec<String> = tile.numbered().map(|(no, _)| tile.text(no)).collect();
        for mirror in [false, false, false, true, false, false, false] {
            texts = texts.iter().map(|text| moved(text, mirror)).collect();
            let segments = read_segments(texts.iter().map(String::as_str)).unwrap();
            let turned = Tile {
                segments,
                fits_anything: tile.fits_anything,
                ..Tile::default()
            };
            assert_eq!(turned.check(), Ok(()), "{}: {texts:?}", tile.id);
            let told = texts.iter().find(|text| text.contains(" | touches "));
            if let Some(told) = told.filter(|told| !told.contains("inner")) {
                let untold = told.split(" | ").next().unwrap_or_default();
                let wrong = texts
                    .iter()
                    .map(|text| if text == told { untold } else { text });
                let segments = read_segments(wrong).unwrap();
                assert!(
                    Tile {
                        segments,
                        ..Tile::default()
                    }
                    .check()
                    .is_err(),
                    "{}: {untold}",
                    tile.id
                );
            }
        }
    }
}
