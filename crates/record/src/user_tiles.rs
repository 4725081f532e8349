//! Tiles that players make: from tile files (`docs/tiles.md`) to setups, and as lines of a game file.

use std::borrow::Cow;
use std::fmt;

use trencavel_rules::{
    FeatureKind, Half, Marks, Quadrants, Rules, SegmentDef, Setup, SetupError, Side, Symbols,
    TileDef, TileKind,
};
use trencavel_tiles::{Kind, Mark, QuadrantSign, Segment, Symbol, Tile, TileFile, read_segments};

use crate::clip;

/// Why a tile cannot be played with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileError {
    /// The tile's id.
    pub tile: String,
    /// Why.
    pub what: String,
}

impl fmt::Display for TileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tile \"{}\": {}", clip(&self.tile), self.what)
    }
}

impl std::error::Error for TileError {}

/// Marks by their words in tile files.
const MARKS: &[(Mark, Marks, &str)] = &[
    (Mark::Inn, Marks::INN, "inn"),
    (Mark::Cathedral, Marks::CATHEDRAL, "cathedral"),
    (Mark::Princess, Marks::PRINCESS, "princess"),
    (Mark::PigHerd, Marks::PIG_HERD, "pig-herd"),
    (Mark::Wine, Marks::WINE, "wine"),
    (Mark::Grain, Marks::GRAIN, "grain"),
    (Mark::Cloth, Marks::CLOTH, "cloth"),
    (Mark::NoCastle, Marks::NO_CASTLE, "no-castle"),
    (Mark::Tunnel, Marks::TUNNEL, "tunnel"),
];

/// Symbols by their words in tile files.
const SYMBOLS: &[(Symbol, Symbols)] = &[
    (Symbol::Volcano, Symbols::VOLCANO),
    (Symbol::Dragon, Symbols::DRAGON),
    (Symbol::Portal, Symbols::PORTAL),
    (Symbol::Tower, Symbols::TOWER),
    (Symbol::Festival, Symbols::FESTIVAL),
    (Symbol::Solovei, Symbols::TREE),
    (Symbol::Vodyanoy, Symbols::LAKE),
];

const KINDS: &[(Kind, FeatureKind)] = &[
    (Kind::City, FeatureKind::City),
    (Kind::Road, FeatureKind::Road),
    (Kind::Field, FeatureKind::Field),
    (Kind::River, FeatureKind::River),
    (Kind::Monastery, FeatureKind::Monastery),
    (Kind::Garden, FeatureKind::Garden),
    (Kind::Hut, FeatureKind::Hut),
];

/// The tiles of a file, for the engine.
///
/// # Errors
/// The first tile that the engine cannot play with: it has something of an expansion that is not there.
pub fn tile_defs(file: &TileFile) -> Result<Vec<TileDef>, TileError> {
    file.tiles.iter().map(tile_def).collect()
}

/// A tile, for the engine.
///
/// # Errors
/// What the engine cannot play with.
pub fn tile_def(tile: &Tile) -> Result<TileDef, TileError> {
    let fault = |what: String| TileError {
        tile: tile.id.clone(),
        what,
    };
    if !tile.wall.is_empty() {
        return Err(fault(
            "walls of a start block cannot be played with".to_owned(),
        ));
    }
    let mut symbols = Symbols::NONE;
    for symbol in &tile.symbols {
        match SYMBOLS.iter().find(|(known, _)| known == symbol) {
            Some((_, bit)) => symbols = symbols.with(*bit),
            None => {
                return Err(fault(format!(
                    "\"{}\" is of an expansion that the engine does not have",
                    symbol.text()
                )));
            }
        }
    }
    if tile.fits_anything {
        symbols = symbols.with(Symbols::ABBEY);
    }
    if tile.quadrants.is_some() {
        symbols = symbols.with(Symbols::QUADRANTS);
    }
    let rivers: u32 = tile
        .segments
        .iter()
        .filter(|s| s.kind == Kind::River)
        .map(|s| s.sides.len())
        .sum();
    symbols = match (rivers, tile.group.as_deref()) {
        (1, Some("river-spring")) => symbols.with(Symbols::SPRING),
        (1, _) => symbols.with(Symbols::RIVER_END),
        (0 | 2, _) => symbols,
        _ => symbols.with(Symbols::FORK),
    };
    let tree = symbols.has(Symbols::TREE);
    let segments: Result<Vec<SegmentDef>, String> = tile
        .segments
        .iter()
        .map(|segment| segment_def(segment, tree))
        .collect();
    let sign = |sign: QuadrantSign| match sign {
        QuadrantSign::City => FeatureKind::City,
        QuadrantSign::Road => FeatureKind::Road,
        QuadrantSign::Field => FeatureKind::Field,
        QuadrantSign::Monastery => FeatureKind::Monastery,
    };
    let names: Vec<Cow<'static, str>> = tile.names.iter().cloned().map(Cow::Owned).collect();
    let def = TileDef {
        id: Cow::Owned(tile.id.clone()),
        names: Cow::Owned(names),
        group: Cow::Owned(tile.group.clone().unwrap_or_default()),
        limit: tile.limit.unwrap_or(u8::MAX),
        segments: Cow::Owned(segments.map_err(fault)?),
        symbols,
        quadrants: tile.quadrants.map(|signs| Quadrants(signs.map(sign))),
    };
    match def.check() {
        Ok(()) => Ok(def),
        Err(why) => Err(fault(why.to_owned())),
    }
}

fn segment_def(segment: &Segment, tree: bool) -> Result<SegmentDef, String> {
    let kind = KINDS.iter().find(|(kind, _)| *kind == segment.kind);
    let kind = kind.map_or(FeatureKind::Field, |(_, kind)| *kind);
    let mut marks = Marks::NONE;
    let mut pennants = 0;
    for mark in &segment.marks {
        match (mark, MARKS.iter().find(|(known, ..)| known == mark)) {
            (Mark::Pennants(n), _) => pennants = *n,
            (_, Some((_, bit, _))) => marks = marks.with(*bit),
            (mark, None) => {
                return Err(format!(
                    "\"{}\" is of an expansion that the engine does not have",
                    mark.text()
                ));
            }
        }
    }
    if tree && kind == FeatureKind::Road {
        marks = marks.with(Marks::TREE);
    }
    let bit = |n: u8| 1u16.checked_shl(u32::from(n)).unwrap_or(0);
    Ok(SegmentDef {
        kind,
        sides: segment
            .sides
            .iter()
            .fold(0, |bits, side| bits | 1 << side as u8),
        halves: segment
            .halves
            .iter()
            .fold(0, |bits, half| bits | 1 << half as u8),
        touches: segment
            .touches
            .iter()
            .fold(0, |bits, touch| bits | bit(touch.city.0)),
        marks,
        pennants,
        links: segment.links.iter().fold(0, |bits, c| {
            bits | 1 << (*c as u8).saturating_sub(b'a').min(7)
        }),
    })
}

/// A setup with the tiles of a file besides its own: every set of the file as often as is said.
///
/// # Errors
/// What is wrong with the setup, or the tile that the engine cannot play with.
pub fn with_tiles(setup: Setup, file: &TileFile, copies: u8) -> Result<Setup, UserTilesError> {
    let mut setup = setup;
    let mut bag = match setup.bag.take() {
        Some(bag) => bag,
        None => {
            let rules = Rules::new(&setup).map_err(UserTilesError::Setup)?;
            let state = rules.start();
            let kinds = (0..rules.n_kinds() as u16).map(TileKind);
            let counts =
                kinds.map(|kind| (rules.tile(kind).id.to_string(), state.bag().count(kind)));
            counts.filter(|(_, n)| *n > 0).collect()
        }
    };
    for (id, n) in file.sets.iter().flat_map(|set| &set.tiles) {
        let n = n.saturating_mul(copies);
        match bag.iter_mut().find(|(other, _)| other == id) {
            Some((_, there)) => *there = there.saturating_add(n),
            None => bag.push((id.clone(), n)),
        }
    }
    setup.bag = Some(bag);
    setup
        .tiles
        .extend(tile_defs(file).map_err(UserTilesError::Tile)?);
    match Rules::new(&setup) {
        Ok(_) => Ok(setup),
        Err(error) => Err(UserTilesError::Setup(error)),
    }
}

/// Why tiles cannot be put into a setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UserTilesError {
    /// The engine cannot play with a tile.
    Tile(TileError),
    /// The setup is not sound.
    Setup(SetupError),
}

impl fmt::Display for UserTilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UserTilesError::Tile(error) => error.fmt(f),
            UserTilesError::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for UserTilesError {}

// ---- as text ---------------------------------------------------------------------------------------------------------

/// The most tiles of players that a game file has.
pub const MAX_USER_TILES: usize = trencavel_tiles::MAX_TILES;

/// A tile as one line: `MV/RCr; names gate; segment road E W; segment city N | pennant`. [`parse_tile`] reads it.
pub fn tile_text(def: &TileDef) -> String {
    let mut parts = vec![def.id.to_string()];
    if !def.names.is_empty() {
        parts.push(format!("names {}", def.names.join(" ")));
    }
    if !def.group.is_empty() {
        parts.push(format!("group {}", def.group));
    }
    if def.limit != u8::MAX {
        parts.push(format!("limit {}", def.limit));
    }
    for (symbol, bit) in SYMBOLS {
        if def.symbols.has(*bit) {
            parts.push(format!("symbol {}", symbol.text()));
        }
    }
    if def.symbols.has(Symbols::ABBEY) {
        parts.push("fits anything".to_owned());
    }
    if let Some(Quadrants(signs)) = def.quadrants {
        parts.push(format!(
            "quadrants {}",
            signs.map(FeatureKind::name).join(" ")
        ));
    }
    for segment in def.segments.iter() {
        parts.push(format!("segment {}", segment_text(def, segment)));
    }
    parts.join("; ")
}

fn segment_text(def: &TileDef, segment: &SegmentDef) -> String {
    let mut text = segment.kind.name().to_owned();
    for side in Side::ALL
        .into_iter()
        .filter(|side| segment.sides & (1 << side.index()) != 0)
    {
        text.push(' ');
        text.push(side.letter());
    }
    for half in Half::ALL
        .into_iter()
        .filter(|half| segment.halves & (1 << half.index()) != 0)
    {
        text.push(' ');
        text.push_str(half.name());
    }
    if segment.kind == FeatureKind::Field && segment.halves == 0 {
        text.push_str(" inner");
    }
    let mut marks = Vec::new();
    let touched: Vec<String> = (0..16)
        .filter(|index| segment.touches & (1 << index) != 0)
        .filter_map(|index| {
            let city = def.segments.get(index)?;
            let mut sides = Side::ALL.into_iter();
            let side = sides.find(|side| city.sides & (1 << side.index()) != 0)?;
            Some(side.letter().to_string())
        })
        .collect();
    if !touched.is_empty() {
        marks.push(format!("touches {}", touched.join(" ")));
    }
    match segment.pennants {
        0 => {}
        1 => marks.push("pennant".to_owned()),
        n => marks.push(format!("pennants {n}")),
    }
    for (_, bit, word) in MARKS {
        if segment.marks.has(*bit) {
            marks.push((*word).to_owned());
        }
    }
    let links: Vec<String> = (0u8..8)
        .filter(|index| segment.links & (1 << index) != 0)
        .map(|index| char::from(b'a' + index).to_string())
        .collect();
    if !links.is_empty() {
        marks.push(format!("link {}", links.join(" ")));
    }
    if marks.is_empty() {
        text
    } else {
        format!("{text} | {}", marks.join(", "))
    }
}

/// Reads a tile as [`tile_text`] writes it. How its fields and cities lie is not checked again: that is done when the tile
/// file is read.
///
/// # Errors
/// The part that is wrong, and why.
pub fn parse_tile(text: &str) -> Result<TileDef, String> {
    let mut parts = text.split(';').map(str::trim);
    let id = parts.next().unwrap_or_default();
    let is_id = |c: char| c.is_ascii_alphanumeric() || "/.+!_-".contains(c);
    if id.is_empty() || id.len() > trencavel_tiles::MAX_ID || !id.chars().all(is_id) {
        return Err(format!("\"{}\" is no tile id", clip(id)));
    }
    let mut tile = Tile {
        id: id.to_owned(),
        ..Tile::default()
    };
    let mut segments: Vec<&str> = Vec::new();
    for part in parts {
        let (word, rest) = part.split_once(' ').unwrap_or((part, ""));
        let rest = rest.trim();
        let wrong = |what: &str| format!("the tile {id}: \"{}\": {what}", clip(part));
        match word {
            "names" => {
                tile.names = rest.split_whitespace().map(str::to_owned).collect();
                if tile.names.len() > trencavel_tiles::MAX_NAMES {
                    return Err(wrong("too many names"));
                }
            }
            "group" => tile.group = Some(rest.to_owned()),
            "limit" => match rest.parse() {
                Ok(n) => tile.limit = Some(n),
                Err(_) => return Err(wrong("no number to 255")),
            },
            "symbol" => match Symbol::from_text(rest) {
                Ok(symbol) => tile.symbols.push(symbol),
                Err(what) => return Err(wrong(&what.to_string())),
            },
            "fits" if rest == "anything" => tile.fits_anything = true,
            "quadrants" => {
                let signs = rest.split_whitespace().map(QuadrantSign::from_word);
                let signs: Option<Vec<QuadrantSign>> = signs.collect();
                match signs.map(<[QuadrantSign; 4]>::try_from) {
                    Some(Ok(signs)) => tile.quadrants = Some(signs),
                    _ => return Err(wrong("not four signs")),
                }
            }
            "segment" => segments.push(rest),
            _ => return Err(wrong("no part of a tile")),
        }
    }
    if segments.len() > trencavel_tiles::MAX_SEGMENTS {
        return Err(format!("the tile {id} has too many segments"));
    }
    match read_segments(segments) {
        Ok(segments) => tile.segments = segments,
        Err(faults) => {
            let first = faults.first().map(ToString::to_string).unwrap_or_default();
            return Err(format!("the tile {id}: {first}"));
        }
    }
    tile_def(&tile).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Edition, TILES};

    /// Every printed tile survives as text: whatever a tile can have is said.
    #[test]
    fn printed_tiles_survive_as_text() {
        for def in TILES {
            let text = tile_text(def);
            let again = parse_tile(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(again, *def, "{text}");
        }
    }

    const VILLAGE: &str = "slug = \"my-village\"\nprefix = \"MV\"\n[[set]]\nid = \"my-village\"\n[set.tiles]\n\"MV/RCr\" = 3\n\
        [[tile]]\nid = \"MV/RCr\"\nnames = [\"gate\"]\n\
        segments = [\"road E W\", \"city N | pennant\", \"field EL WR | touches N\", \"field ER SL SR WL\"]\n";

    #[test]
    fn the_tiles_of_a_file_join_the_bag() {
        let file = TileFile::read("village.toml", VILLAGE.as_bytes()).unwrap();
        let setup = with_tiles(Setup::new(Edition::C1, 2), &file, 2).unwrap();
        let rules = Rules::new(&setup).unwrap();
        let kind = rules.kind_of("MV/RCr").unwrap();
        let state = rules.start();
        assert_eq!(state.bag().count(kind), 6);
        assert_eq!(state.bag().len(), 71 + 6);
        // Once more on top of it would have the same tile twice.
        let error = with_tiles(setup, &file, 1).unwrap_err();
        assert_eq!(error.to_string(), "two tiles have the id \"MV/RCr\"");
    }

    #[test]
    fn what_the_engine_cannot_play_with_is_named() {
        let text = VILLAGE.replace("names", "symbols = [\"hill\"]\nnames");
        let file = TileFile::read("village.toml", text.as_bytes()).unwrap();
        assert_eq!(
            tile_defs(&file).unwrap_err().to_string(),
            "the tile \"MV/RCr\": \"hill\" is of an expansion that the engine does not have"
        );
        let error = |text: &str| parse_tile(text).unwrap_err();
        assert_eq!(error("a b"), "\"a b\" is no tile id");
        assert_eq!(
            error("A/B; limit many"),
            "the tile A/B: \"limit many\": no number to 255"
        );
        assert_eq!(
            error("A/B; colour red"),
            "the tile A/B: \"colour red\": no part of a tile"
        );
        assert!(error("A/B; segment castle N").starts_with("the tile A/B: "));
        assert!(error("A/B; symbol sun").starts_with("the tile A/B: \"symbol sun\": "));
        assert_eq!(
            error("A/B; segment city N; segment road N"),
            "the tile \"A/B\": two segments at one side"
        );
    }
}
