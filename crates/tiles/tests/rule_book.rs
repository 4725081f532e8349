//! The tiles agree with the tables of the rule book: how many there are, and what the words say is on them.

use std::fs;
use std::path::Path;
use trencavel_tiles::{
    Half, Halves, Kind, Mark, Point, Segment, Shelf, Side, Sides, Symbol, Tile, Watched,
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A column of numbers in the tables of a rule file, and the sets whose tiles it counts together.
struct Column {
    slug: &'static str,
    column: usize,
    sets: &'static [&'static str],
    /// Where one column stands for two editions: the one of these sets, as the rows name it.
    edition: Option<&'static str>,
}

const fn column(slug: &'static str, column: usize, sets: &'static [&'static str]) -> Column {
    Column {
        slug,
        column,
        sets,
        edition: None,
    }
}

const fn edition(
    slug: &'static str,
    sets: &'static [&'static str],
    edition: &'static str,
) -> Column {
    Column {
        slug,
        column: 1,
        sets,
        edition: Some(edition),
    }
}

const COLUMNS: &[Column] = &[
    column("base", 1, &["basic:1"]),
    column("base", 2, &["basic:2"]),
    column("river", 1, &["river/1:1"]),
    column("river", 2, &["river/1:2"]),
    column("river", 3, &["river/2:1"]),
    column("river", 4, &["river/2:2"]),
    column("inns-and-cathedrals", 1, &["inns-and-cathedrals:1"]),
    column("inns-and-cathedrals", 2, &["inns-and-cathedrals:2"]),
    edition("traders-and-builders", &["traders-and-builders:1"], "C1"),
    edition("traders-and-builders", &["traders-and-builders:2"], "C2"),
    edition("princess-and-dragon", &["princess-and-dragon:1"], "C1"),
    edition("princess-and-dragon", &["princess-and-dragon:2"], "C2"),
    edition("tower", &["tower:1"], "C1"),
    edition("tower", &["tower:2"], "C2"),
    edition("abbey-and-mayor", &["abbey-and-mayor:1"], "C1"),
    edition("abbey-and-mayor", &["abbey-and-mayor:2"], "C2"),
    column(
        "russian-promos",
        2,
        &["russian-promos/2013", "russian-promos/2016"],
    ),
    column("festival", 1, &["festival"]),
    column("gq11", 1, &["gq11", "gq11/river"]),
    column("hills-and-sheep", 1, &["hills-and-sheep:1"]),
    column("hills-and-sheep", 2, &["hills-and-sheep:2"]),
    column(
        "bridges-castles-bazaars",
        1,
        &["bridges-castles-and-bazaars:1"],
    ),
    column(
        "bridges-castles-bazaars",
        2,
        &["bridges-castles-and-bazaars:2"],
    ),
    column("under-the-big-top", 1, &["under-the-big-top:1"]),
    column("under-the-big-top", 2, &["under-the-big-top:2"]),
    edition("king-and-robber", &["king-and-robber:1"], "C1"),
    edition("king-and-robber", &["king-and-robber:2"], "C2"),
    column("cult", 1, &["cult/5"]),
    column("cult", 2, &["cult/6"]),
    column("siege", 1, &["siege/cathars", "siege/besiegers"]),
    column("crop-circles", 1, &["corn-circles/1", "corn-circles/2"]),
    edition("flying-machines", &["flier:1"], "C1"),
    edition("flying-machines", &["flier:2"], "C2"),
    edition("mage-and-witch", &["mage-and-witch:1"], "C1"),
    edition("mage-and-witch", &["mage-and-witch:2"], "C2"),
    column("goldmines", 1, &["goldmines"]),
    column("ferries", 1, &["ferries"]),
    column("monasteries", 1, &["monasteries"]),
    column("watchtowers", 1, &["watchtowers"]),
    column("labyrinth", 1, &["labyrinth"]),
    column("tunnel", 1, &["tunnel"]),
    column("darmstadt", 1, &["darmstadt"]),
    column("wind-roses", 1, &["wind-roses"]),
    column("spiel-promos", 1, &["spiel-doch:1"]),
    column("spiel-promos", 2, &["spiel-doch:2"]),
];

/// The cells of each row of the tables under "Contents" whose first cell names tiles.
fn rows(slug: &str, shelf: &Shelf) -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(ROOT).join(format!("docs/rules/{slug}.md"))).unwrap();
    let contents = text.split("## Contents").nth(1).unwrap();
    let contents = contents.split("\n## ").next().unwrap();
    let lines = contents.lines().filter_map(|line| line.strip_prefix('|'));
    let rows = lines.map(|line| {
        line.split('|')
            .map(|cell| cell.trim().to_owned())
            .collect::<Vec<String>>()
    });
    rows.filter(|cells| !tiles_of(cells, shelf).is_empty())
        .collect()
}

/// The tiles that the first cell of a row names, each with the word that follows it.
fn tiles_of<'a>(cells: &[String], shelf: &'a Shelf) -> Vec<(&'a Tile, String)> {
    let words: Vec<&str> = cells
        .first()
        .map(|cell| cell.split([' ', ',']).collect())
        .unwrap_or_default();
    let after = words.iter().skip(1).chain([&""]);
    words
        .iter()
        .zip(after)
        .filter_map(|(word, next)| shelf.tile(word).map(|tile| (tile, (*next).to_owned())))
        .collect()
}

#[test]
fn every_set_has_the_tiles_of_the_tables() {
    let shelf = Shelf::open(&Path::new(ROOT).join("data/tiles")).unwrap();
    for column in COLUMNS {
        let sets: Vec<_> = column
            .sets
            .iter()
            .map(|id| shelf.set(id).unwrap())
            .collect();
        let mut total = 0;
        for cells in rows(column.slug, &shelf) {
            let number: u32 = cells
                .get(column.column)
                .and_then(|cell| cell.split(' ').next())
                .and_then(|word| word.parse().ok())
                .unwrap_or(0);
            for (tile, next) in tiles_of(&cells, &shelf) {
                let other_edition =
                    next.starts_with('(') && !column.edition.is_some_and(|e| next.contains(e));
                let expected = if other_edition { 0 } else { number };
                let count: u32 = sets.iter().map(|set| u32::from(set.count(&tile.id))).sum();
                assert_eq!(count, expected, "{} in {:?}", tile.id, column.sets);
                total += count;
            }
        }
        let in_sets: u32 = sets.iter().map(|set| set.total()).sum();
        assert_eq!(
            in_sets, total,
            "{:?} has tiles that the rule book does not list",
            column.sets
        );
        assert!(total > 0);
    }
}

/// A part of a feature that the words of a row name.
#[derive(Debug)]
enum Named {
    On(Kind, Sides),
    Field(Halves),
    /// A city that is named by one of its sides only.
    Beside(Side),
}

fn sides_of(word: &str) -> Option<Sides> {
    let letters: Option<Vec<Side>> = word
        .trim_end_matches([',', ';', ':', '.', ')'])
        .split(['-', '–', '+'])
        .flat_map(|part| part.split("").filter(|letter| !letter.is_empty()))
        .map(Side::from_word)
        .collect();
    letters
        .filter(|letters| !letters.is_empty())
        .map(|letters| letters.into_iter().collect())
}

fn halves_of(word: &str) -> Option<Halves> {
    let word = word.trim_matches([',', ';', ':', '.', '(', ')']);
    let halves: Option<Vec<Half>> = word.split('+').map(Half::from_word).collect();
    halves.map(|halves| halves.into_iter().collect())
}

/// Reads `city N-W`, `roads E, S and W`, `river W–E`, and fields as runs of halves.
fn named(text: &str) -> Vec<Named> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut found = Vec::new();
    let mut i = 0;
    while let Some(word) = words.get(i) {
        i += 1;
        let bare = word.trim_start_matches('(');
        if let Some(halves) = halves_of(bare) {
            let mut run: Vec<Half> = halves.iter().collect();
            let mut last = *word;
            while !last.ends_with([',', ')', ';']) {
                let Some(more) = words.get(i).and_then(|word| halves_of(word)) else {
                    break;
                };
                run.extend(more.iter());
                last = words[i];
                i += 1;
            }
            found.push(Named::Field(run.into_iter().collect()));
            continue;
        }
        let kind = match bare {
            "city" | "cities" => Kind::City,
            "road" | "roads" => Kind::Road,
            "river" | "fork:" => Kind::River,
            _ => continue,
        };
        let is_beside = i > 1 && words[i - 2] == "beside";
        while words
            .get(i)
            .is_some_and(|word| ["segment", "segments", "end", "ends", "river"].contains(word))
        {
            i += 1;
        }
        while let Some(word) = words.get(i) {
            match sides_of(word) {
                Some(sides) if is_beside => found.extend(sides.iter().map(Named::Beside)),
                Some(sides) => found.push(Named::On(kind, sides)),
                None if ["and", "+"].contains(word) => {}
                None => break,
            }
            i += 1;
            if word.ends_with([';', ')', '.']) {
                break;
            }
        }
    }
    found
}

fn has(tile: &Tile, named: &Named) -> bool {
    let is = |segment: &Segment| match named {
        Named::On(kind, sides) => segment.kind == *kind && segment.sides == *sides,
        Named::Field(halves) => segment.kind == Kind::Field && segment.halves == *halves,
        Named::Beside(side) => segment.kind == Kind::City && segment.sides.contains(*side),
    };
    tile.segments.iter().any(is)
}

type Test = fn(&Tile) -> bool;

/// Words that a row uses, and what the tile then has.
#[rustfmt::skip]
const THINGS: &[(&str, Test)] = &[
    ("monastery", |tile| kinds(tile, Kind::Monastery) == 1),
    ("garden", |tile| (kinds(tile, Kind::Garden) == 1) == (tile.id.ends_with('G') || tile.id.contains(".g."))),
    ("hut", |tile| kinds(tile, Kind::Hut) == 1),
    ("a pennant", |tile| pennants(tile) == 1),
    ("one pennant", |tile| pennants(tile) == 1),
    ("two pennants", |tile| pennants(tile) == 2),
    ("no field", |tile| kinds(tile, Kind::Field) == 0),
    ("one field", |tile| kinds(tile, Kind::Field) == 1 || tile.id.starts_with("DG/") || tile.id.starts_with("T")),
    ("two fields", |tile| kinds(tile, Kind::Field) == 2),
    ("three fields", |tile| kinds(tile, Kind::Field) == 3),
    ("four fields", |tile| kinds(tile, Kind::Field) == 4),
    ("two inner fields", |tile| inner(tile) == 2),
    ("inner field", |tile| inner(tile) >= 1),
    ("enclosed field", |tile| inner(tile) == 1),
    ("cathedral", |tile| marked(tile, Mark::Cathedral)),
    ("inn", |tile| marked(tile, Mark::Inn)),
    ("wine", |tile| marked(tile, Mark::Wine)),
    ("grain", |tile| marked(tile, Mark::Grain)),
    ("cloth", |tile| marked(tile, Mark::Cloth)),
    ("princess", |tile| marked(tile, Mark::Princess) || tile.id == "AM/A"),
    ("castle", |tile| marked(tile, Mark::NoCastle)),
    ("pig-herd", |tile| marked(tile, Mark::PigHerd)),
    ("volcano", |tile| tile.has(Symbol::Volcano)),
    ("dragon", |tile| tile.has(Symbol::Dragon)),
    ("portal", |tile| tile.has(Symbol::Portal)),
    ("bazaar", |tile| tile.has(Symbol::Bazaar)),
    ("hill", |tile| tile.has(Symbol::Hill)),
    ("vineyard", |tile| tile.has(Symbol::Vineyard)),
    ("shrine", |tile| marked(tile, Mark::Shrine)),
    ("special monastery", |tile| marked(tile, Mark::Special)),
    ("church", |tile| marked(tile, Mark::Church)),
    ("shared side", |tile| marked(tile, Mark::Shares(Side::N))),
    ("quarter NE", |tile| tile.has(Symbol::WindRose(Point::NE))),
    ("quarter SE", |tile| tile.has(Symbol::WindRose(Point::SE))),
    ("quarter SW", |tile| tile.has(Symbol::WindRose(Point::SW))),
    ("quarter NW", |tile| tile.has(Symbol::WindRose(Point::NW))),
    ("full", |tile| tile.has(Symbol::FullWindRose)),
    ("City knights", |tile| tile.has(Symbol::CropCircle(Kind::City))),
    ("Field farmers", |tile| tile.has(Symbol::CropCircle(Kind::Field))),
    ("Road thieves", |tile| tile.has(Symbol::CropCircle(Kind::Road))),
    ("2 per meeple", |tile| tile.has(Symbol::Watchtower(2, Watched::Follower))),
    ("2 per pennant", |tile| tile.has(Symbol::Watchtower(2, Watched::Pennant))),
    ("1 per road tile", |tile| tile.has(Symbol::Watchtower(1, Watched::Road))),
    ("1 per city tile", |tile| tile.has(Symbol::Watchtower(1, Watched::City))),
    ("3 per monastery", |tile| tile.has(Symbol::Watchtower(3, Watched::Monastery))),
    ("NW", |tile| tile.has(Symbol::FlyingMachine(Point::NW)) || tile.id.starts_with("WR/")),
];

fn kinds(tile: &Tile, kind: Kind) -> usize {
    tile.segments
        .iter()
        .filter(|segment| segment.kind == kind)
        .count()
}

fn pennants(tile: &Tile) -> u8 {
    tile.segments.iter().map(Segment::pennants).sum()
}

fn marked(tile: &Tile, mark: Mark) -> bool {
    tile.segments.iter().any(|segment| segment.has(mark))
}

fn inner(tile: &Tile) -> usize {
    tile.segments
        .iter()
        .filter(|segment| segment.kind == Kind::Field && segment.is_inner())
        .count()
}

#[test]
fn every_tile_has_what_the_tables_say() {
    let shelf = Shelf::open(&Path::new(ROOT).join("data/tiles")).unwrap();
    let mut n_named = 0;
    let mut slugs: Vec<&str> = COLUMNS.iter().map(|column| column.slug).collect();
    slugs.push("winter-edition");
    slugs.dedup();
    for slug in slugs {
        for cells in rows(slug, &shelf) {
            let text = cells
                .iter()
                .skip(1)
                .map(|cell| cell.replace('*', ""))
                .collect::<Vec<String>>()
                .join("; ");
            for (tile, _) in tiles_of(&cells, &shelf) {
                for part in named(&text) {
                    assert!(
                        has(tile, &part),
                        "{} has no {part:?}, but the rule book says: {text}",
                        tile.id
                    );
                    n_named += 1;
                }
                for (words, is_there) in THINGS {
                    if !text.contains("without") && names(&text, words) {
                        assert!(is_there(tile), "{}, which says `{words}`: {text}", tile.id);
                    }
                }
            }
        }
    }
    assert!(
        n_named > 300,
        "only {n_named} segments are named in the tables"
    );
}

/// Whether the words stand in the text, and not after `no` or `per`, or as a part of another word.
fn names(text: &str, words: &str) -> bool {
    let text = format!(
        " {} ",
        text.replace([',', ';', ':', '(', ')', '.', '/'], " ")
    );
    let is_there = text.contains(&format!(" {words} "));
    is_there
        && !["no", "per"]
            .iter()
            .any(|word| text.contains(&format!(" {word} {words} ")))
}
