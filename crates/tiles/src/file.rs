//! Reading a tile file.

use crate::border::{Half, Halves};
use crate::error::{Error, Errors, Problem};
use crate::fault::Fault;
use crate::tile::{QuadrantSign, Symbol, Tile};
use crate::words::{clip, read_segments};
use serde::Deserialize;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// The largest file, in bytes.
pub const MAX_FILE: usize = 1 << 20;
/// The most tiles in a file.
pub const MAX_TILES: usize = 500;
/// The most sets in a file.
pub const MAX_SETS: usize = 50;
/// The most copies of a tile in a set.
pub const MAX_COPIES: u8 = 99;
/// The most other names of a tile.
pub const MAX_NAMES: usize = 8;
/// The most segments on a tile.
pub const MAX_SEGMENTS: usize = 16;
/// The most symbols on a tile.
pub const MAX_SYMBOLS: usize = 8;
/// The longest id or name, in bytes.
pub const MAX_ID: usize = 32;
/// The most errors that are kept.
pub const MAX_ERRORS: usize = 50;

/// The tiles of an expansion, and the sets that they come in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileFile {
    /// The slug of the expansion, such as `inns-and-cathedrals`.
    pub slug: String,
    /// What the ids of its tiles begin with, such as `IC`.
    pub prefix: String,
    /// The sets, in the order of the file.
    pub sets: Vec<TileSet>,
    /// The tiles, in the order of the file.
    pub tiles: Vec<Tile>,
}

/// Tiles that come together, as in one edition of an expansion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileSet {
    /// The id, such as `basic:1`.
    pub id: String,
    /// The ids of its tiles and how many there are of each, in the order of the file. Tiles with another prefix are
    /// of another file; [`Shelf`](crate::Shelf) checks that there are any.
    pub tiles: Vec<(String, u8)>,
    /// The ids of tiles of other sets that leave the game when this set is in it.
    pub without: Vec<String>,
    /// The group of tiles that must be in the game for this set to be used.
    pub needs: Option<String>,
    /// The most times that the set can be in a game.
    pub limit: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    slug: Spanned<String>,
    prefix: Spanned<String>,
    #[serde(default)]
    set: Vec<Spanned<RawSet>>,
    #[serde(default)]
    tile: Vec<Spanned<RawTile>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSet {
    id: Spanned<String>,
    #[serde(default)]
    without: Vec<Spanned<String>>,
    needs: Option<Spanned<String>>,
    limit: Option<Spanned<i64>>,
    tiles: RawCounts,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTile {
    id: Spanned<String>,
    #[serde(default)]
    names: Vec<Spanned<String>>,
    #[serde(default)]
    segments: Vec<Spanned<String>>,
    #[serde(default)]
    symbols: Vec<Spanned<String>>,
    group: Option<Spanned<String>>,
    limit: Option<Spanned<i64>>,
    quadrants: Option<Spanned<Vec<String>>>,
    wall: Option<Spanned<String>>,
    fits: Option<Spanned<String>>,
}

/// The tiles of a set; the order of the file is found again by the spans.
struct RawCounts(Vec<(Spanned<String>, Spanned<i64>)>);

impl<'de> Deserialize<'de> for RawCounts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = RawCounts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of tile ids and numbers")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<RawCounts, A::Error> {
                let mut counts = Vec::new();
                while let Some(entry) = map.next_entry::<Spanned<String>, Spanned<i64>>()? {
                    counts.push(entry);
                }
                counts.sort_by_key(|(id, _)| id.span().start);
                Ok(RawCounts(counts))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

impl TileFile {
    /// Reads a file and checks everything that can be checked without other files. `file` is its name in errors.
    ///
    /// # Errors
    /// Everything that is wrong, in the order of lines; nothing but the first if it is not a TOML file of the right form.
    pub fn read(file: &str, bytes: &[u8]) -> Result<TileFile, Errors> {
        let whole = |problem| {
            Errors(vec![Error {
                file: file.to_owned(),
                line: 1,
                about: None,
                problem,
            }])
        };
        if bytes.len() > MAX_FILE {
            return Err(whole(Problem::TooLarge));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| whole(Problem::NotUtf8))?;
        let mut reader = Reader {
            file,
            text,
            errors: Vec::new(),
        };
        match toml::from_str::<RawFile>(text) {
            Ok(raw) => {
                let tile_file = reader.file(raw);
                reader.errors.sort_by_key(|error| error.line);
                if reader.errors.is_empty() {
                    Ok(tile_file)
                } else {
                    Err(Errors(reader.errors))
                }
            }
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                reader.fail(span, None, Problem::Toml(clip(error.message())));
                Err(Errors(reader.errors))
            }
        }
    }

    /// The tile with this id.
    pub fn tile(&self, id: &str) -> Option<&Tile> {
        self.tiles.iter().find(|tile| tile.id == id)
    }

    /// The set with this id.
    pub fn set(&self, id: &str) -> Option<&TileSet> {
        self.sets.iter().find(|set| set.id == id)
    }
}

impl TileSet {
    /// How many tiles there are in all.
    pub fn total(&self) -> u32 {
        self.tiles.iter().map(|(_, count)| u32::from(*count)).sum()
    }

    /// How many there are of the tile with this id.
    pub fn count(&self, id: &str) -> u8 {
        self.tiles
            .iter()
            .find(|(tile, _)| tile == id)
            .map_or(0, |(_, count)| *count)
    }
}

/// Reads one file and gathers its errors.
struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    errors: Vec<Error>,
}

impl Reader<'_> {
    fn fail(&mut self, span: Range<usize>, about: Option<&str>, problem: Problem) {
        if self.errors.len() >= MAX_ERRORS {
            return;
        }
        let before = self
            .text
            .as_bytes()
            .get(..span.start)
            .unwrap_or(self.text.as_bytes());
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        self.errors.push(Error {
            file: self.file.to_owned(),
            line,
            about: about.map(clip),
            problem,
        });
    }

    /// Checks the form of an id, name and the like.
    fn word(
        &mut self,
        what: &'static str,
        word: &Spanned<String>,
        about: Option<&str>,
        allowed: fn(char) -> bool,
    ) {
        let text = word.get_ref();
        if text.is_empty() || text.len() > MAX_ID || !text.chars().all(allowed) {
            self.fail(
                word.span(),
                about,
                Problem::BadWord {
                    what,
                    word: clip(text),
                },
            );
        }
    }

    fn file(&mut self, raw: RawFile) -> TileFile {
        self.word("slug", &raw.slug, None, is_slug);
        self.word("prefix", &raw.prefix, None, |c| c.is_ascii_alphanumeric());
        if raw.tile.len() > MAX_TILES {
            self.fail(
                0..0,
                None,
                Problem::TooMany {
                    of: "tiles",
                    limit: MAX_TILES,
                },
            );
        }
        if raw.set.len() > MAX_SETS {
            self.fail(
                0..0,
                None,
                Problem::TooMany {
                    of: "sets",
                    limit: MAX_SETS,
                },
            );
        }
        let prefix = raw.prefix.into_inner();
        let mut read = TileFile {
            slug: raw.slug.into_inner(),
            prefix,
            sets: Vec::new(),
            tiles: Vec::new(),
        };
        for raw_tile in raw.tile.into_iter().take(MAX_TILES) {
            let tile = self.tile(raw_tile.into_inner(), &read);
            read.tiles.push(tile);
        }
        for raw_set in raw.set.into_iter().take(MAX_SETS) {
            let set = self.set(raw_set.into_inner(), &read);
            read.sets.push(set);
        }
        read
    }

    fn tile(&mut self, raw: RawTile, read: &TileFile) -> Tile {
        let span = raw.id.span();
        let id = raw.id.get_ref().clone();
        let about = Some(id.as_str());
        self.word("tile id", &raw.id, None, is_id);
        if !is_own(&id, &read.prefix) {
            self.fail(span.clone(), about, Problem::ForeignTile);
        }
        if read.tile(&id).is_some() {
            self.fail(span.clone(), about, Problem::Twice("tile", clip(&id)));
        }
        let mut names: Vec<String> = Vec::new();
        if raw.names.len() > MAX_NAMES {
            self.fail(
                span.clone(),
                about,
                Problem::TooMany {
                    of: "names",
                    limit: MAX_NAMES,
                },
            );
        }
        for name in raw.names.into_iter().take(MAX_NAMES) {
            self.word("name", &name, about, |c| {
                c.is_alphanumeric() || "+-.!'".contains(c)
            });
            let is_used = |tile: &Tile| tile.names.contains(name.get_ref());
            if names.contains(name.get_ref()) || read.tiles.iter().any(is_used) {
                self.fail(
                    name.span(),
                    about,
                    Problem::Twice("name", clip(name.get_ref())),
                );
            }
            names.push(name.into_inner());
        }
        if let Some(group) = &raw.group {
            self.word("group", group, about, is_slug);
        }
        let mut tile = Tile {
            id: id.clone(),
            names,
            segments: Vec::new(),
            symbols: self.symbols(raw.symbols, &id, span.clone()),
            group: raw.group.map(Spanned::into_inner),
            limit: raw.limit.and_then(|limit| self.number(limit, about)),
            quadrants: raw
                .quadrants
                .and_then(|quadrants| self.quadrants(quadrants, about)),
            wall: raw
                .wall
                .map(|wall| self.wall(wall, about))
                .unwrap_or_default(),
            fits_anything: false,
        };
        if let Some(fits) = raw.fits {
            tile.fits_anything = fits.get_ref() == "anything";
            if !tile.fits_anything {
                self.fail(fits.span(), about, Problem::BadFits(clip(fits.get_ref())));
            }
        }
        self.segments(raw.segments, &mut tile, span);
        tile
    }

    fn segments(&mut self, raw: Vec<Spanned<String>>, tile: &mut Tile, span: Range<usize>) {
        let about = Some(tile.id.as_str());
        if raw.len() > MAX_SEGMENTS {
            self.fail(
                span,
                about,
                Problem::TooMany {
                    of: "segments",
                    limit: MAX_SEGMENTS,
                },
            );
            return;
        }
        let faults = match read_segments(raw.iter().map(|text| text.get_ref().as_str())) {
            Ok(segments) => {
                tile.segments = segments;
                tile.check().err().unwrap_or_default()
            }
            Err(faults) => faults,
        };
        for fault in faults {
            let text = fault
                .segment
                .as_ref()
                .and_then(|(no, _)| raw.get(usize::from(no.0)));
            let place = text.map_or(span.clone(), Spanned::span);
            self.fail(place, Some(tile.id.as_str()), Problem::Tile(fault));
        }
    }

    fn symbols(&mut self, raw: Vec<Spanned<String>>, id: &str, span: Range<usize>) -> Vec<Symbol> {
        if raw.len() > MAX_SYMBOLS {
            self.fail(
                span,
                Some(id),
                Problem::TooMany {
                    of: "symbols",
                    limit: MAX_SYMBOLS,
                },
            );
        }
        let mut symbols: Vec<Symbol> = Vec::new();
        for text in raw.into_iter().take(MAX_SYMBOLS) {
            match Symbol::from_text(text.get_ref()) {
                Ok(symbol) => symbols.push(symbol),
                Err(what) => self.fail(text.span(), Some(id), Problem::Tile(Fault::of_tile(what))),
            }
        }
        symbols
    }

    fn quadrants(
        &mut self,
        raw: Spanned<Vec<String>>,
        about: Option<&str>,
    ) -> Option<[QuadrantSign; 4]> {
        let signs: Option<Vec<QuadrantSign>> = raw
            .get_ref()
            .iter()
            .map(|word| QuadrantSign::from_word(word))
            .collect();
        let quadrants = signs.and_then(|signs| signs.try_into().ok());
        if quadrants.is_none() {
            self.fail(raw.span(), about, Problem::BadQuadrants);
        }
        quadrants
    }

    fn wall(&mut self, raw: Spanned<String>, about: Option<&str>) -> Halves {
        let mut wall = Halves::EMPTY;
        for word in raw.get_ref().split_ascii_whitespace() {
            let is_new = Half::from_word(word).is_some_and(|half| wall.insert(half));
            if !is_new {
                self.fail(raw.span(), about, Problem::BadWall(clip(word)));
            }
        }
        wall
    }

    fn number(&mut self, raw: Spanned<i64>, about: Option<&str>) -> Option<u8> {
        let number = u8::try_from(*raw.get_ref())
            .ok()
            .filter(|n| (1..=MAX_COPIES).contains(n));
        if number.is_none() {
            self.fail(raw.span(), about, Problem::BadNumber(*raw.get_ref()));
        }
        number
    }

    fn set(&mut self, raw: RawSet, read: &TileFile) -> TileSet {
        let id = raw.id.get_ref().clone();
        let about = Some(id.as_str());
        self.word("set id", &raw.id, None, |c| {
            is_slug(c) || c == '/' || c == ':'
        });
        if read.set(&id).is_some() {
            self.fail(raw.id.span(), about, Problem::Twice("set", clip(&id)));
        }
        if raw.tiles.0.is_empty() {
            self.fail(raw.id.span(), about, Problem::EmptySet);
        }
        let mut tiles = Vec::new();
        for (tile, count) in raw.tiles.0 {
            self.word("tile id", &tile, about, is_id);
            if is_own(tile.get_ref(), &read.prefix) && read.tile(tile.get_ref()).is_none() {
                self.fail(
                    tile.span(),
                    about,
                    Problem::UnknownTile(clip(tile.get_ref())),
                );
            }
            if let Some(count) = self.number(count, about) {
                tiles.push((tile.into_inner(), count));
            }
        }
        if raw.without.len() > MAX_TILES {
            self.fail(
                raw.id.span(),
                about,
                Problem::TooMany {
                    of: "tiles",
                    limit: MAX_TILES,
                },
            );
        }
        for tile in raw.without.iter().take(MAX_TILES) {
            self.word("tile id", tile, about, is_id);
        }
        if let Some(group) = &raw.needs {
            self.word("group", group, about, is_slug);
        }
        TileSet {
            tiles,
            without: raw
                .without
                .into_iter()
                .take(MAX_TILES)
                .map(Spanned::into_inner)
                .collect(),
            needs: raw.needs.map(Spanned::into_inner),
            limit: raw.limit.and_then(|limit| self.number(limit, about)),
            id,
        }
    }
}

/// Whether the id is one that only this file can have.
fn is_own(id: &str, prefix: &str) -> bool {
    id.strip_prefix(prefix)
        .is_some_and(|rest| rest.starts_with(['/', '.']) && rest.contains('/'))
}

fn is_slug(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
}

fn is_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || "/.+!_-".contains(c)
}
