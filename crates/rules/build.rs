//! Makes the static tables of tiles (from `data/tiles`) and the clause constants (from `docs/rules`).

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use trencavel_tiles::{Kind, Mark, QuadrantSign, Segment, Shelf, Symbol, Tile};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (book, tiles) = (root.join("docs/rules"), root.join("data/tiles"));
    for path in [&book, &tiles] {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let books = trencavel_clauses::read_books(&book)?;
    fs::write(
        Path::new(&out).join("clauses.rs"),
        trencavel_clauses::rust_source(&books)?,
    )?;
    let shelf = Shelf::open(&tiles)?;
    fs::write(Path::new(&out).join("tiles.rs"), tables(&shelf)?)?;
    Ok(())
}

/// The tables. Tiles that show something the vocabulary has no word for are left out, and so are sets with such tiles:
/// their expansions are not built yet.
fn tables(shelf: &Shelf) -> Result<String, Box<dyn Error>> {
    let mut out = String::from(
        "/// Every printed tile the engine knows.\npub static TILES: &[TileDef] = &[\n",
    );
    let mut known = Vec::new();
    for tile in shelf.files().iter().flat_map(|file| &file.tiles) {
        if let Some(text) = tile_text(tile) {
            out.push_str(&text);
            known.push(tile.id.as_str());
        }
    }
    out.push_str("];\n\n/// Every printed set of tiles.\npub static SETS: &[SetDef] = &[\n");
    for set in shelf.files().iter().flat_map(|file| &file.sets) {
        if !set.tiles.iter().all(|(id, _)| known.contains(&id.as_str())) {
            continue;
        }
        writeln!(
            out,
            "SetDef {{ id: {:?}, tiles: &{:?}, without: &{:?} }},",
            set.id, set.tiles, set.without
        )?;
    }
    out.push_str("];\n");
    Ok(out)
}

fn tile_text(tile: &Tile) -> Option<String> {
    if !tile.wall.is_empty() {
        return None;
    }
    let mut symbols: Vec<&str> = tile
        .symbols
        .iter()
        .map(|symbol| symbol_word(*symbol))
        .collect::<Option<_>>()?;
    if tile.fits_anything {
        symbols.push("ABBEY");
    }
    if tile.quadrants.is_some() {
        symbols.push("QUADRANTS");
    }
    let rivers: u32 = tile
        .segments
        .iter()
        .filter(|s| s.kind == Kind::River)
        .map(|s| s.sides.len())
        .sum();
    match (rivers, tile.group.as_deref()) {
        (0, _) => {}
        (1, Some("river-spring")) => symbols.push("SPRING"),
        (1, _) => symbols.push("RIVER_END"),
        (2, _) => {}
        (_, _) => symbols.push("FORK"),
    }
    let tree = tile.symbols.contains(&Symbol::Solovei);
    let segments: Vec<String> = tile
        .segments
        .iter()
        .map(|s| segment_text(s, tree))
        .collect::<Option<_>>()?;
    let symbols = symbols.iter().fold("Symbols::NONE".to_string(), |all, s| {
        format!("{all}.with(Symbols::{s})")
    });
    let quadrants = match tile.quadrants {
        None => "None".to_string(),
        Some(signs) => {
            format!(
                "Some(Quadrants([{}]))",
                signs
                    .map(|s| format!("FeatureKind::{}", sign_word(s)))
                    .join(", ")
            )
        }
    };
    let names: Vec<String> = tile
        .names
        .iter()
        .map(|name| format!("Cow::Borrowed({name:?})"))
        .collect();
    Some(format!(
        "TileDef {{ id: Cow::Borrowed({:?}), names: Cow::Borrowed(&[{}]), group: Cow::Borrowed({:?}), limit: {:?}, \
         segments: Cow::Borrowed(&[{}]), symbols: {symbols}, quadrants: {quadrants} }},\n",
        tile.id,
        names.join(", "),
        tile.group.as_deref().unwrap_or(""),
        tile.limit.unwrap_or(u8::MAX),
        segments.join(", "),
    ))
}

fn segment_text(segment: &Segment, tree: bool) -> Option<String> {
    let kind = match segment.kind {
        Kind::City => "City",
        Kind::Road => "Road",
        Kind::Field => "Field",
        Kind::River => "River",
        Kind::Monastery => "Monastery",
        Kind::Garden => "Garden",
        Kind::Hut => "Hut",
    };
    let mut marks = "Marks::NONE".to_string();
    let mut pennants = 0;
    for mark in &segment.marks {
        match mark {
            Mark::Pennants(n) => pennants = *n,
            mark => write!(marks, ".with(Marks::{})", mark_word(*mark)?).ok()?,
        }
    }
    if tree && segment.kind == Kind::Road {
        marks.push_str(".with(Marks::TREE)");
    }
    let sides = segment
        .sides
        .iter()
        .fold(0u8, |bits, side| bits | 1 << side as u8);
    let halves = segment
        .halves
        .iter()
        .fold(0u8, |bits, half| bits | 1 << half as u8);
    let touches = segment
        .touches
        .iter()
        .fold(0u16, |bits, touch| bits | 1 << touch.city.0);
    let links = segment.links.iter().fold(0u8, |bits, letter| {
        bits | 1 << (*letter as u8 - b'a').min(7)
    });
    Some(format!(
        "SegmentDef {{ kind: FeatureKind::{kind}, sides: {sides}, halves: {halves}, touches: {touches}, \
         marks: {marks}, pennants: {pennants}, links: {links} }}"
    ))
}

fn sign_word(sign: QuadrantSign) -> &'static str {
    match sign {
        QuadrantSign::City => "City",
        QuadrantSign::Road => "Road",
        QuadrantSign::Field => "Field",
        QuadrantSign::Monastery => "Monastery",
    }
}

/// The vocabulary's word for what is printed on a segment, if it has one.
fn mark_word(mark: Mark) -> Option<&'static str> {
    Some(match mark {
        Mark::Inn => "INN",
        Mark::Cathedral => "CATHEDRAL",
        Mark::Princess => "PRINCESS",
        Mark::PigHerd => "PIG_HERD",
        Mark::Wine => "WINE",
        Mark::Grain => "GRAIN",
        Mark::Cloth => "CLOTH",
        Mark::NoCastle => "NO_CASTLE",
        Mark::Tunnel => "TUNNEL",
        _ => return None,
    })
}

/// The vocabulary's word for what is printed on a tile, if it has one.
fn symbol_word(symbol: Symbol) -> Option<&'static str> {
    Some(match symbol {
        Symbol::Volcano => "VOLCANO",
        Symbol::Dragon => "DRAGON",
        Symbol::Portal => "PORTAL",
        Symbol::Tower => "TOWER",
        Symbol::Festival => "FESTIVAL",
        Symbol::Solovei => "TREE",
        Symbol::Vodyanoy => "LAKE",
        _ => return None,
    })
}
