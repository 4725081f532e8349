//! Numbers that the rule book states for whole sets, and single tiles that it describes in words.
//!
//! Long: the facts of all files in one list.

use std::path::Path;
use trencavel_tiles::{
    Edge, FindError, How, Kind, Mark, QuadrantSign, Segment, Shelf, Side, Symbol, Tile, TileFile,
    find,
};

fn shelf() -> Shelf {
    Shelf::open(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../data/tiles"
    )))
    .unwrap()
}

/// What is counted in a set.
#[derive(Clone, Copy, Debug)]
enum Count {
    Tiles,
    Pennants,
    Segments(Kind),
    Marks(Mark),
    Symbols(Symbol),
}

fn on_tile(tile: &Tile, what: Count) -> u32 {
    let segments = |is: &dyn Fn(&Segment) -> bool| {
        tile.segments.iter().filter(|segment| is(segment)).count() as u32
    };
    match what {
        Count::Tiles => 1,
        Count::Pennants => tile
            .segments
            .iter()
            .map(|segment| u32::from(segment.pennants()))
            .sum(),
        Count::Segments(kind) => segments(&|segment| segment.kind == kind),
        Count::Marks(mark) => segments(&|segment| segment.has(mark)),
        Count::Symbols(symbol) => u32::from(tile.has(symbol)),
    }
}

fn check(sets: &[&str], facts: &[(Count, u32)]) {
    let shelf = shelf();
    for id in sets {
        let set = shelf.set(id).unwrap_or_else(|| panic!("no set {id}"));
        for (what, expected) in facts {
            let count = |(tile, n): &(String, u8)| {
                on_tile(shelf.tile(tile).unwrap(), *what) * u32::from(*n)
            };
            let total: u32 = set.tiles.iter().map(count).sum();
            assert_eq!(total, *expected, "{what:?} in {id}");
        }
    }
}

const GARDENS: Count = Count::Segments(Kind::Garden);
const MONASTERIES: Count = Count::Segments(Kind::Monastery);

#[test]
fn base() {
    check(
        &["basic:1", "basic:2"],
        &[(Count::Tiles, 72), (Count::Pennants, 10), (MONASTERIES, 6)],
    );
    check(&["basic:1"], &[(GARDENS, 0)]);
    check(&["basic:2"], &[(GARDENS, 8)]);
}

#[test]
fn river() {
    check(
        &["river/1:1", "river/1:2", "river/2:1", "river/2:2"],
        &[(Count::Tiles, 12), (MONASTERIES, 1)],
    );
    check(&["river/1:1", "river/2:1"], &[(GARDENS, 0)]);
    check(&["river/1:2", "river/2:2"], &[(GARDENS, 1)]);
    let second = [
        (Count::Marks(Mark::Inn), 1),
        (Count::Marks(Mark::PigHerd), 1),
        (Count::Symbols(Symbol::Volcano), 1),
        (Count::Pennants, 1),
    ];
    check(&["river/2:1", "river/2:2"], &second);
    let groups = |id: &str| shelf().tile(id).unwrap().group.clone().unwrap();
    assert_eq!(groups("RI/s"), "river-spring");
    assert_eq!(groups("GQ/RFI"), "river-spring", "RI-05");
    assert_eq!(groups("RI.2/III"), "river-fork", "RI-03");
    assert_eq!(groups("RI.1/I.e"), "river-lake", "RI-02");
    assert_eq!(groups("RI.2/I.v"), "river-lake", "RI-03");
    assert_eq!(
        shelf().set("river/2:2").unwrap().without,
        ["RI.1/I.e"],
        "RI-04"
    );
    let has_river = |tile: &Tile| {
        tile.segments
            .iter()
            .any(|segment| segment.kind == Kind::River)
    };
    for tile in shelf().tiles() {
        let in_river = tile
            .group
            .as_ref()
            .is_some_and(|group| group.starts_with("river"));
        assert_eq!(in_river, has_river(tile), "{}: RI-18", tile.id);
    }
}

#[test]
fn inns_and_cathedrals() {
    let facts = [
        (Count::Tiles, 18),
        (Count::Marks(Mark::Cathedral), 2),
        (Count::Marks(Mark::Inn), 6),
        (Count::Pennants, 3),
        (MONASTERIES, 1),
    ];
    check(&["inns-and-cathedrals:1", "inns-and-cathedrals:2"], &facts);
    check(&["inns-and-cathedrals:1"], &[(GARDENS, 0)]);
    check(&["inns-and-cathedrals:2"], &[(GARDENS, 2)]);
}

#[test]
fn traders_and_builders() {
    let facts = [
        (Count::Tiles, 24),
        (Count::Marks(Mark::Wine), 9),
        (Count::Marks(Mark::Grain), 6),
        (Count::Marks(Mark::Cloth), 5),
        (Count::Pennants, 0),
        (MONASTERIES, 1),
    ];
    check(
        &["traders-and-builders:1", "traders-and-builders:2"],
        &facts,
    );
    check(&["traders-and-builders:1"], &[(GARDENS, 0)]);
    check(&["traders-and-builders:2"], &[(GARDENS, 2)]);
    let goods = [Mark::Wine, Mark::Grain, Mark::Cloth];
    for tile in &shelf().file("traders-and-builders").unwrap().tiles {
        let n: u32 = goods
            .iter()
            .map(|mark| on_tile(tile, Count::Marks(*mark)))
            .sum();
        assert!(n <= 1, "{} has {n} goods", tile.id);
    }
}

#[test]
fn princess_and_dragon() {
    let facts = [
        (Count::Tiles, 30),
        (Count::Symbols(Symbol::Volcano), 6),
        (Count::Symbols(Symbol::Dragon), 12),
        (Count::Symbols(Symbol::Portal), 6),
        (Count::Marks(Mark::Princess), 6),
    ];
    check(&["princess-and-dragon:1", "princess-and-dragon:2"], &facts);
    check(&["princess-and-dragon:1"], &[(GARDENS, 0)]);
    check(&["princess-and-dragon:2"], &[(GARDENS, 2)]);
    for tile in &shelf().file("princess-and-dragon").unwrap().tiles {
        let n = tile.symbols.len() as u32 + on_tile(tile, Count::Marks(Mark::Princess));
        assert_eq!(n, 1, "{} carries exactly one of the four symbols", tile.id);
    }
    for tile in shelf().tiles() {
        let waits = tile.group.as_deref() == Some("dragon");
        let shows = tile.symbols.contains(&Symbol::Dragon);
        assert_eq!(waits, shows, "{}: PD-03", tile.id);
    }
}

#[test]
fn tower() {
    check(
        &["tower:1", "tower:2"],
        &[
            (Count::Tiles, 18),
            (Count::Symbols(Symbol::Tower), 18),
            (Count::Pennants, 1),
        ],
    );
    check(&["tower:1"], &[(GARDENS, 0)]);
    check(&["tower:2"], &[(GARDENS, 2)]);
}

#[test]
fn abbey_and_mayor() {
    check(
        &["abbey-and-mayor:1", "abbey-and-mayor:2"],
        &[(Count::Tiles, 12), (Count::Pennants, 6)],
    );
    check(&["abbey-and-mayor:2"], &[(GARDENS, 1)]);
    let shelf = shelf();
    let abbey = shelf.tile("AM/A").unwrap();
    assert!(abbey.fits_anything, "AM-12");
    assert_eq!(abbey.code(), "AAAA");
    assert_eq!(abbey.edge(Side::S), Edge::Any);
    assert_eq!(abbey.segments, [Segment::new(Kind::Monastery)]);
    let is_in_a_set = |set: &trencavel_tiles::TileSet| set.count("AM/A") > 0;
    assert!(
        !shelf
            .files()
            .iter()
            .flat_map(|file| &file.sets)
            .any(is_in_a_set),
        "AM-02: it is never shuffled in"
    );
}

#[test]
fn festival() {
    let none = [(Count::Pennants, 0), (Count::Marks(Mark::Inn), 0)];
    check(
        &["festival"],
        &[(Count::Tiles, 10), (Count::Symbols(Symbol::Festival), 10)],
    );
    check(&["festival"], &none);
}

#[test]
fn russian_promos() {
    let none = [
        (Count::Pennants, 0),
        (Count::Marks(Mark::Inn), 0),
        (MONASTERIES, 0),
        (Count::Segments(Kind::City), 0),
    ];
    check(&["russian-promos/2013", "russian-promos/2016"], &none);
    check(
        &["russian-promos/2013"],
        &[(Count::Tiles, 2), (Count::Segments(Kind::Hut), 1)],
    );
    let traps = [
        (Count::Tiles, 2),
        (Count::Symbols(Symbol::Solovei), 1),
        (Count::Symbols(Symbol::Vodyanoy), 1),
    ];
    check(&["russian-promos/2016"], &traps);
    let shelf = shelf();
    let choice = shelf.tile("RU/RRrr").unwrap();
    assert_eq!(choice.code(), "RRRR");
    let sizes: Vec<u32> = choice
        .segments
        .iter()
        .map(|segment| segment.sides.len())
        .collect();
    assert_eq!(
        sizes,
        [1, 3, 0, 0, 0, 0],
        "road 1 on one side, road 2 on three, four fields"
    );
    assert_eq!(
        choice.segments[0].links, choice.segments[1].links,
        "wagons may step between the roads"
    );
}

#[test]
fn hungarian_promo() {
    check(
        &["hungarian-promo"],
        &[
            (Count::Tiles, 1),
            (Count::Segments(Kind::Road), 2),
            (Count::Segments(Kind::Field), 4),
        ],
    );
    let shelf = shelf();
    let tile = shelf.tile("HP/RRrr").unwrap();
    let signs = [
        QuadrantSign::City,
        QuadrantSign::Road,
        QuadrantSign::Field,
        QuadrantSign::Monastery,
    ];
    assert_eq!(
        tile.quadrants,
        Some(signs),
        "HP-07, from the north-west clockwise"
    );
    assert!(
        tile.segments.iter().all(|segment| segment.links.is_empty()),
        "HP-56"
    );
}

#[test]
fn gq11() {
    check(&["gq11"], &[(Count::Tiles, 10), (Count::Pennants, 0)]);
    check(&["gq11/river"], &[(Count::Tiles, 2)]);
    assert_eq!(
        shelf().set("gq11/river").unwrap().needs.as_deref(),
        Some("river")
    );
}

#[test]
fn sets_of_other_expansions() {
    let no_pennants = (Count::Pennants, 0);
    let hills = [
        (Count::Tiles, 18),
        (Count::Symbols(Symbol::Hill), 8),
        (Count::Symbols(Symbol::Vineyard), 8),
    ];
    check(&["hills-and-sheep:1", "hills-and-sheep:2"], &hills);
    check(
        &["hills-and-sheep:1", "hills-and-sheep:2"],
        &[no_pennants, (Count::Marks(Mark::Inn), 0)],
    );
    let bazaars = [
        (Count::Tiles, 12),
        (Count::Symbols(Symbol::Bazaar), 8),
        no_pennants,
        (Count::Marks(Mark::Inn), 2),
    ];
    check(
        &[
            "bridges-castles-and-bazaars:1",
            "bridges-castles-and-bazaars:2",
        ],
        &bazaars,
    );
    let circus = [
        (Count::Tiles, 20),
        (Count::Symbols(Symbol::Acrobats), 8),
        (Count::Symbols(Symbol::Circus), 12),
    ];
    check(&["under-the-big-top:1", "under-the-big-top:2"], &circus);
    check(
        &["king-and-robber:1", "king-and-robber:2"],
        &[(Count::Tiles, 5)],
    );
    check(
        &["cult/5"],
        &[
            (Count::Tiles, 5),
            (Count::Marks(Mark::Shrine), 5),
            no_pennants,
        ],
    );
    check(
        &["cult/6"],
        &[
            (Count::Tiles, 6),
            (Count::Marks(Mark::Shrine), 6),
            no_pennants,
        ],
    );
    check(
        &["siege/cathars"],
        &[
            (Count::Tiles, 4),
            (Count::Marks(Mark::Besieged), 4),
            no_pennants,
        ],
    );
    check(
        &["siege/besiegers"],
        &[
            (Count::Tiles, 6),
            (Count::Marks(Mark::Besieged), 6),
            no_pennants,
        ],
    );
    check(&["corn-circles/1", "corn-circles/2"], &[(Count::Tiles, 6)]);
    check(
        &["flier:1", "flier:2"],
        &[(Count::Tiles, 8), (Count::Segments(Kind::City), 0)],
    );
    check(
        &["mage-and-witch:1", "mage-and-witch:2"],
        &[(Count::Tiles, 8), (Count::Symbols(Symbol::Mage), 8)],
    );
    check(
        &["goldmines"],
        &[(Count::Tiles, 8), (Count::Symbols(Symbol::Goldmine), 8)],
    );
    check(
        &["ferries"],
        &[(Count::Tiles, 8), (Count::Symbols(Symbol::Ferry), 8)],
    );
    check(
        &["monasteries"],
        &[
            (Count::Tiles, 6),
            (Count::Marks(Mark::Special), 6),
            no_pennants,
        ],
    );
    check(
        &["watchtowers"],
        &[
            (Count::Tiles, 12),
            no_pennants,
            (MONASTERIES, 0),
            (Count::Marks(Mark::Inn), 0),
        ],
    );
    check(
        &["labyrinth"],
        &[(Count::Tiles, 1), (Count::Marks(Mark::Labyrinth), 1)],
    );
    check(
        &["tunnel"],
        &[(Count::Tiles, 4), (Count::Marks(Mark::Tunnel), 10)],
    );
    check(
        &["darmstadt"],
        &[
            (Count::Tiles, 3),
            (Count::Marks(Mark::Church), 2),
            (Count::Marks(Mark::Darmstadtium), 1),
        ],
    );
    check(
        &["wind-roses"],
        &[(Count::Tiles, 6), (Count::Symbols(Symbol::FullWindRose), 2)],
    );
    check(&["spiel-doch:1", "spiel-doch:2"], &[(Count::Tiles, 2)]);
    check(
        &["winter"],
        &[(Count::Tiles, 84), (Count::Marks(Mark::Inn), 1)],
    );
}

#[test]
fn the_block_of_the_count_has_its_outer_edges() {
    check(
        &["count"],
        &[(Count::Tiles, 12), (Count::Pennants, 0), (MONASTERIES, 0)],
    );
    let shelf = shelf();
    assert_eq!(
        shelf.set("count").unwrap().limit,
        Some(1),
        "at most once per game"
    );
    let edges = |numbers: &[u8], side| -> String {
        numbers
            .iter()
            .map(|n| shelf.tile(&format!("CO/{n}")).unwrap().edge(side).letter())
            .collect()
    };
    assert_eq!(edges(&[1, 2, 3, 4], Side::N), "FFFR");
    assert_eq!(edges(&[4, 8, 12], Side::E), "FFC");
    assert_eq!(edges(&[9, 10, 11, 12], Side::S), "CFRF");
    assert_eq!(edges(&[1, 5, 9], Side::W), "RFF");
    let inside = [
        (&[1, 2, 3, 5, 6, 7, 9, 10, 11], Side::E),
        (&[2, 3, 4, 6, 7, 8, 10, 11, 12], Side::W),
    ];
    for (numbers, side) in inside {
        assert_eq!(
            edges(numbers, side),
            "WWWWWWWWW",
            "{side} sides inside the block"
        );
    }
}

/// The cities that each field of a tile touches, by their texts, in the order of the fields.
fn touched(id: &str) -> Vec<Vec<(String, How)>> {
    let shelf = shelf();
    let tile = shelf.tile(id).unwrap();
    let fields = tile
        .segments
        .iter()
        .filter(|segment| segment.kind == Kind::Field);
    fields
        .map(|field| {
            field
                .touches
                .iter()
                .map(|touch| (tile.text(touch.city), touch.how))
                .collect()
        })
        .collect()
}

#[test]
fn single_tiles_in_words() {
    let inner = || {
        vec![
            ("city N S | over, pennant".to_owned(), How::Beside),
            ("city E W".to_owned(), How::Beside),
        ]
    };
    assert_eq!(
        touched("AM/CCcc+"),
        [inner(), inner()],
        "two inner fields, each touching both cities"
    );
    let counts: Vec<usize> = touched("AM/CCc+").iter().map(Vec::len).collect();
    assert_eq!(
        counts,
        [2, 2],
        "inner field and south field, both touching both cities"
    );
    let counts: Vec<usize> = touched("DG/CCc+.p").iter().map(Vec::len).collect();
    assert_eq!(
        counts,
        [1, 2],
        "field WL WR touches N, and an enclosed field touches both cities"
    );
    let counts: Vec<usize> = touched("RI.2/CIcI").iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 1], "RI-28: both banks touch the city");
    let counts: Vec<usize> = touched("RI.2/IFC").iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 1], "RI-29: two fields, both touching the city");
    for (id, n) in [
        ("RI.1/RIrI", 4),
        ("RI.2/RIrI", 4),
        ("RI.1/CIRI", 4),
        ("RI.2/CIRI", 4),
        ("RI.1/LIRI", 3),
    ] {
        assert_eq!(touched(id).len(), n, "{id}: RI-27");
    }
    for id in ["RI/s", "RI.1/I.e", "RI.2/I.v"] {
        assert_eq!(touched(id).len(), 1, "{id}: RI-26");
    }
    assert_eq!(
        touched("DG/CRcr.d").len(),
        2,
        "PD-08: a field on both sides of each tunnel mouth"
    );
    assert_eq!(
        touched("AM/CRcr+").len(),
        3,
        "the south field is undivided, the north fields are separate"
    );
}

#[test]
fn tiles_are_found_by_id_name_and_code() {
    let shelf = shelf();
    let base = shelf.file("base").unwrap();
    let id = |name: &str| find(&base.tiles, name).map(|tile| tile.id.as_str());
    assert_eq!(id("BA/CRRR"), Ok("BA/CRRR"));
    assert_eq!(id("D"), Ok("BA/RCr"));
    assert_eq!(id("d"), Err(FindError::Unknown));
    assert_eq!(id("CCCC"), Ok("BA/Cccc+"));
    assert_eq!(id("FRCR"), Ok("BA/RCr"), "a code may begin at any side");
    let copies = vec![
        "BA/CFc+".to_owned(),
        "BA/CFc.1".to_owned(),
        "BA/CFC.2".to_owned(),
        "BA/CFCG".to_owned(),
    ];
    assert_eq!(id("CFCF"), Err(FindError::Ambiguous(copies)));
    let without_gardens = |tile: &&Tile| base.set("basic:1").unwrap().count(&tile.id) > 0;
    let first: Vec<&Tile> = base.tiles.iter().filter(without_gardens).collect();
    assert_eq!(
        find(base.tiles.iter(), "FFFR").map(|tile| tile.id.as_str()),
        Ok("BA/LR")
    );
    assert_eq!(
        find(first.iter().copied(), "FRRF").map(|tile| tile.id.as_str()),
        Ok("BA/Rr")
    );
    assert!(matches!(
        find(base.tiles.iter(), "FRRF"),
        Err(FindError::Ambiguous(_))
    ));
    assert_eq!(
        find(shelf.tiles(), "abbey").map(|tile| tile.id.as_str()),
        Ok("AM/A")
    );
}

#[test]
fn the_letters_of_the_base_tiles_count_as_in_the_overview() {
    let shelf = shelf();
    let base = shelf.file("base").unwrap();
    let letters = "A2 B4 C1 D4 E5 F2 G1 H3 I2 J3 K3 L3 M2 N3 O2 P3 Q1 R3 S2 T1 U8 V9 W4 X1";
    for entry in letters.split(' ') {
        let (letter, n) = entry.split_at(1);
        let tile = find(&base.tiles, letter).unwrap();
        assert_eq!(
            base.set("basic:1").unwrap().count(&tile.id).to_string(),
            n,
            "{letter}"
        );
    }
}

#[test]
fn files_that_contradict_each_other_are_refused() {
    let read = |slug: &str, prefix: &str, set: &str| {
        let text = format!(
            "slug = \"{slug}\"\nprefix = \"{prefix}\"\n[[set]]\nid = \"{set}\"\nwithout = [\"B/X\"]\nneeds = \"lake\"\n\
             tiles = {{ \"{prefix}/L\" = 1 }}\n[[tile]]\nid = \"{prefix}/L\"\n\
             segments = [\"field NL NR EL ER SL SR WL WR\"]\n"
        );
        (
            format!("{slug}.toml"),
            TileFile::read(slug, text.as_bytes()).unwrap(),
        )
    };
    let errors = Shelf::new(vec![read("b", "B", "s"), read("a", "B", "s")]).unwrap_err();
    assert_eq!(
        errors.to_string(),
        "a.toml:1: s: no tile B/X is known\na.toml:1: s: no tile is in the group lake\n\
         b.toml:1: B/L: the tile B/L is there twice\nb.toml:1: s: the set s is there twice\n\
         b.toml:1: s: no tile B/X is known\nb.toml:1: s: no tile is in the group lake"
    );
}
