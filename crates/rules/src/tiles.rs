//! What is on a tile: static tables made from `data/tiles` when the crate is built, and the same types for tiles that a
//! user adds at run time.

use alloc::borrow::Cow;

use crate::geometry::{Half, Rotation, Side};
use crate::vocabulary::{FeatureKind, Marks, Symbols};

/// One segment of a tile, in the tile's unturned position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SegmentDef {
    /// What it is.
    pub kind: FeatureKind,
    /// The whole sides it reaches (bit 0 north, clockwise): of a road, city or river; 0 of others.
    pub sides: u8,
    /// The halves of sides it reaches (bit 0 NL, clockwise): of a field; 0 of others.
    pub halves: u8,
    /// The city segments of the same tile that a field touches, as bits by index.
    pub touches: u16,
    /// What is drawn on it.
    pub marks: Marks,
    /// How many pennants.
    pub pennants: u8,
    /// Letters as bits; segments of one tile that share one are linked for a wagon's step.
    pub links: u8,
}

/// The sign of a quadrant (HP-07).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quadrants(pub [FeatureKind; 4]);

/// A tile, in its unturned position. The order of the segments is part of the format and never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileDef {
    /// The public id, like `BA/RCr`.
    pub id: Cow<'static, str>,
    /// Other names people use for it.
    pub names: Cow<'static, [Cow<'static, str>]>,
    /// The group it is drawn from; empty for the ordinary tiles.
    pub group: Cow<'static, str>,
    /// The most copies a game can have, however many sets bring one.
    pub limit: u8,
    /// The segments, at most 16.
    pub segments: Cow<'static, [SegmentDef]>,
    /// Symbols of the whole tile.
    pub symbols: Symbols,
    /// The signs NW, NE, SE, SW of a tile with quadrants.
    pub quadrants: Option<Quadrants>,
}

impl TileDef {
    /// Whether the board can work with the tile. Files are checked more closely where they are read.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), &'static str> {
        if self.segments.len() > 16 {
            return Err("more than 16 segments");
        }
        let (mut sides, mut halves) = (0u8, 0u8);
        for segment in self.segments.iter() {
            let built = matches!(
                segment.kind,
                FeatureKind::Road | FeatureKind::City | FeatureKind::River
            );
            if sides & segment.sides != 0 || halves & segment.halves != 0 {
                return Err("two segments at one side");
            }
            if segment.sides > 0xf || (segment.sides != 0 && !built) {
                return Err("sides of a segment that has none");
            }
            if segment.halves != 0 && segment.kind != FeatureKind::Field {
                return Err("halves of sides of a segment that is no field");
            }
            sides |= segment.sides;
            halves |= segment.halves;
            for index in (0..16).filter(|index| segment.touches & (1 << index) != 0) {
                if self
                    .segments
                    .get(index)
                    .is_none_or(|other| other.kind != FeatureKind::City)
                {
                    return Err("a field touches something that is no city");
                }
            }
        }
        Ok(())
    }
}

/// A printed box of tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SetDef {
    /// The public id, like `basic:1`.
    pub id: &'static str,
    /// Tile ids and how often each is there.
    pub tiles: &'static [(&'static str, u8)],
    /// Tiles that go out of the game when this set is in it.
    pub without: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/tiles.rs"));

/// The tile with this public id among the printed ones.
pub fn printed_tile(id: &str) -> Option<&'static TileDef> {
    TILES.iter().find(|tile| tile.id == id)
}

/// The box with this id.
pub fn printed_set(id: &str) -> Option<&'static SetDef> {
    SETS.iter().find(|set| set.id == id)
}

/// No segment, in the tables of [`LinkedTile`].
pub(crate) const NOTHING: u8 = 0xff;

/// What an edge shows; four bits of a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Edge {
    Field = 0,
    Road = 1,
    City = 2,
    River = 3,
}

/// A tile as the board uses it: the tables that placing and joining read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LinkedTile {
    pub(crate) def: TileDef,
    /// Edge kinds, four bits a side, for each rotation; north in the lowest bits.
    pub(crate) signature: [u16; 4],
    /// The road, city or river segment at each unturned side.
    pub(crate) side_segment: [u8; 4],
    /// The segment at each unturned half of a side: a field, or the city that takes the whole side.
    pub(crate) half_segment: [u8; 8],
    /// Bits by index: segments of a kind that another segment of the tile also has.
    pub(crate) twins: u16,
    /// Whether any segment is complete by being surrounded.
    pub(crate) has_surrounded: bool,
    /// The group's number among the linked groups.
    pub(crate) group: u8,
}

impl LinkedTile {
    pub(crate) fn new(def: TileDef, group: u8) -> LinkedTile {
        let mut side_segment = [NOTHING; 4];
        let mut half_segment = [NOTHING; 8];
        let mut edges = [Edge::Field; 4];
        for (index, segment) in (0u8..).zip(def.segments.iter()) {
            for side in Side::ALL {
                if segment.sides & (1 << side.index()) == 0 {
                    continue;
                }
                side_segment[side.index()] = index;
                edges[side.index()] = match segment.kind {
                    FeatureKind::Road => Edge::Road,
                    FeatureKind::City => Edge::City,
                    FeatureKind::River => Edge::River,
                    FeatureKind::Field
                    | FeatureKind::Monastery
                    | FeatureKind::Garden
                    | FeatureKind::Hut => Edge::Field,
                };
            }
            for half in Half::ALL {
                if segment.halves & (1 << half.index()) != 0 {
                    half_segment[half.index()] = index;
                }
            }
        }
        let signature = Rotation::ALL.map(|rotation| {
            Side::ALL.into_iter().fold(0, |bits, side| {
                bits | ((edges[side.turned_back(rotation).index()] as u16) << (4 * side.index()))
            })
        });
        let mut twins = 0;
        for (i, a) in def.segments.iter().enumerate() {
            for (j, b) in def.segments.iter().enumerate() {
                if i != j && a.kind == b.kind {
                    twins |= 1 << i;
                }
            }
        }
        let has_surrounded = def.segments.iter().any(|s| s.kind.is_surrounded());
        LinkedTile {
            def,
            signature,
            side_segment,
            half_segment,
            twins,
            has_surrounded,
            group,
        }
    }

    /// The road, city or river segment at a side of the turned tile.
    pub(crate) fn at_side(&self, side: Side, rotation: Rotation) -> Option<u8> {
        let index = self.side_segment[side.turned_back(rotation).index()];
        (index != NOTHING).then_some(index)
    }

    /// The field at a half of a side of the turned tile.
    pub(crate) fn at_half(&self, half: Half, rotation: Rotation) -> Option<u8> {
        let index = self.half_segment[half.turned_back(rotation).index()];
        (index != NOTHING).then_some(index)
    }

    /// Whether the tile has any of these symbols.
    pub(crate) fn shows(&self, symbols: Symbols) -> bool {
        self.def.symbols.has_any(symbols)
    }
}
