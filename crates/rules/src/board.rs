//! The landscape: tiles, segments, features, and the squares where a tile may be laid.
//!
//! Every segment knows its feature; joining two features gives the segments of the smaller one the number of the larger,
//! so that reading never searches. The segments of a feature form a ring, so that a feature can be walked (and later
//! split) without a list of its own.
//!
//! Long: the landscape is one structure whose parts change together.

use alloc::vec::Vec;

use crate::figures::Crowd;
use crate::geometry::{Half, MAX_COORDINATE, Pos, Rotation, Side};
use crate::moves::{FeatureId, SegId, TileKind, TileSlot};
use crate::tiles::{LinkedTile, SegmentDef};
use crate::vocabulary::{FeatureKind, Marks, Symbols};

/// A tile that lies on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// Which tile.
    pub kind: TileKind,
    /// Where.
    pub pos: Pos,
    /// How it is turned.
    pub rotation: Rotation,
    pub(crate) first: u16,
}

/// A segment on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) feature: FeatureId,
    /// The next segment of the same feature; the last leads back to the first.
    pub(crate) next: SegId,
}

/// A feature: one or more joined segments.
///
/// Packed and without a gap between its parts, to keep states small: features are a third of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, packed(2))]
pub struct Feature {
    /// What it is.
    pub kind: FeatureKind,
    /// The pennants of all its segments.
    pub pennants: u8,
    /// Edges still open; of a surrounded feature the empty squares round it. Nothing of fields.
    pub open: u16,
    /// The marks of all its segments.
    pub marks: Marks,
    /// The figures on it.
    pub crowd: Crowd,
    /// One of its segments: of the tile that was the last to join it.
    pub some: SegId,
}

/// Stands for a segment of a feature that is no more; no segment has this number ([`crate::MAX_TILES`]).
const NO_MORE: SegId = SegId(u16::MAX);

impl Feature {
    /// Whether nothing can be added to it: no open edge, or all eight squares round it filled. Fields and rivers never are.
    pub const fn is_complete(&self) -> bool {
        self.open == 0 && !matches!(self.kind, FeatureKind::Field | FeatureKind::River)
    }
}

/// A part of a feature that a newly laid segment joined, as it was before: for rules that ask who was there and what
/// the part brought along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// The new segment.
    pub segment: SegId,
    /// The marks that the joined part had.
    pub marks: Marks,
    /// The figures that stood on it.
    pub crowd: Crowd,
}

/// What laying a tile did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Laid {
    /// Occupied or marked parts that were joined.
    pub joins: Vec<Join>,
    /// A segment of each feature that became complete.
    pub completed: Vec<SegId>,
}

/// An empty square beside a tile, and what a tile there must show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gap {
    pub(crate) pos: Pos,
    /// Edge kinds, four bits a side; [`ANYTHING`] where a tile lies that asks nothing.
    want: u16,
    /// Which of them matter.
    mask: u16,
}

/// The edge of a tile that goes with every edge (AM-09), where no kind of edge has this number.
const ANYTHING: u16 = 0xf;

impl Gap {
    /// Whether all four squares beside it hold a tile.
    pub(crate) const fn is_enclosed(&self) -> bool {
        let pairs = self.want & (self.want >> 1);
        let anything = pairs & (pairs >> 2) & 0x1111;
        self.mask | (anything * 0xf) == 0xffff
    }

    /// What it asks of a tile.
    pub(crate) const fn pattern(&self) -> Pattern {
        Pattern {
            want: self.want,
            mask: self.mask,
        }
    }
}

/// What an empty square beside the landscape asks of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pattern {
    want: u16,
    mask: u16,
}

impl Pattern {
    /// Whether a turned tile with these edges matches.
    pub const fn admits(self, signature: u16) -> bool {
        self.differs(signature) == 0
    }

    /// In which rotations a tile does not match: a bit for each, by quarter turns.
    pub(crate) const fn refused(self, tile: Turned) -> u64 {
        let differs = (tile.0 ^ (self.want as u64 * EACH)) & (self.mask as u64 * EACH);
        // The highest bit of each 16 is set where any of them is: no sum reaches the next 16.
        let low = 0x7fff * EACH;
        let any = (((differs & low) + low) | differs) & (0x8000 * EACH);
        // These four bits are moved together, the one of quarter turns q from 15 + 16 q to 60 + q.
        any.wrapping_mul(1 << 45 | 1 << 30 | 1 << 15 | 1) >> 60
    }

    /// Where a turned tile with these edges does not match: four bits a side, 0 where it does.
    pub(crate) const fn differs(self, signature: u16) -> u16 {
        (signature ^ self.want) & self.mask
    }

    /// What is asked at a side: 0 nothing, else the kind of edge plus one.
    pub const fn asked(self, side: Side) -> u8 {
        let shift = 4 * side.index() as u16;
        if (self.mask >> shift) & 0xf == 0 {
            0
        } else {
            ((self.want >> shift) & 0xf) as u8 + 1
        }
    }
}

/// One in each of four times 16 bits.
const EACH: u64 = 0x0001_0001_0001_0001;

/// The edges of a tile in all four rotations, 16 bits each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Turned(u64);

impl Turned {
    /// From the edges by quarter turns.
    pub(crate) const fn new(signature: [u16; 4]) -> Turned {
        let [a, b, c, d] = signature;
        Turned(a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48)
    }
}

const EMPTY: u16 = 0;
const GAP: u16 = 0x8000;
/// With the slot of a tile: one that has a surrounded feature.
const SURROUNDED: u16 = 0x4000;

/// The landscape.
#[derive(PartialEq, Eq, Debug)]
pub struct Board {
    origin: Pos,
    width: u8,
    height: u8,
    /// Row by row: nothing, the slot of a tile plus one (and [`SURROUNDED`]), or the index of a gap with [`GAP`].
    cells: Vec<u16>,
    pub(crate) tiles: Vec<Placed>,
    pub(crate) segments: Vec<Segment>,
    pub(crate) features: Vec<Feature>,
    free: Vec<u16>,
    pub(crate) gaps: Vec<Gap>,
}

impl Clone for Board {
    fn clone(&self) -> Board {
        Board {
            origin: self.origin,
            width: self.width,
            height: self.height,
            cells: self.cells.clone(),
            tiles: self.tiles.clone(),
            segments: self.segments.clone(),
            features: self.features.clone(),
            free: self.free.clone(),
            gaps: self.gaps.clone(),
        }
    }

    fn clone_from(&mut self, other: &Board) {
        self.origin = other.origin;
        self.width = other.width;
        self.height = other.height;
        self.cells.clone_from(&other.cells);
        self.tiles.clone_from(&other.tiles);
        self.segments.clone_from(&other.segments);
        self.features.clone_from(&other.features);
        self.free.clone_from(&other.free);
        self.gaps.clone_from(&other.gaps);
    }
}

impl Board {
    pub(crate) fn new() -> Board {
        const SIZE: u8 = 16;
        let origin = Pos::new(-(SIZE as i8) / 2, -(SIZE as i8) / 2);
        Board {
            origin,
            width: SIZE,
            height: SIZE,
            cells: alloc::vec![EMPTY; SIZE as usize * SIZE as usize],
            tiles: Vec::new(),
            segments: Vec::new(),
            features: Vec::new(),
            free: Vec::new(),
            gaps: Vec::new(),
        }
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    #[inline]
    fn cell_index(&self, pos: Pos) -> Option<usize> {
        let x = i32::from(pos.x) - i32::from(self.origin.x);
        let y = i32::from(pos.y) - i32::from(self.origin.y);
        // Negative differences become too large to be inside.
        let inside = (x as u32) < u32::from(self.width) && (y as u32) < u32::from(self.height);
        inside.then(|| y as usize * self.width as usize + x as usize)
    }

    #[inline]
    fn cell(&self, pos: Pos) -> u16 {
        self.cell_index(pos)
            .map_or(EMPTY, |index| self.cells[index])
    }

    /// The tile on a square.
    pub fn tile_at(&self, pos: Pos) -> Option<TileSlot> {
        let cell = self.cell(pos);
        (cell != EMPTY && cell & GAP == 0).then(|| TileSlot((cell & !SURROUNDED) - 1))
    }

    pub(crate) fn gap_at(&self, pos: Pos) -> Option<&Gap> {
        let cell = self.cell(pos);
        if cell & GAP == 0 {
            None
        } else {
            self.gaps.get((cell & !GAP) as usize)
        }
    }

    /// A tile on the board.
    pub fn tile(&self, slot: TileSlot) -> &Placed {
        &self.tiles[slot.index()]
    }

    /// All tiles in the order of laying.
    pub fn tiles(&self) -> &[Placed] {
        &self.tiles
    }

    /// How many segments a tile has.
    fn n_segments_of(&self, slot: TileSlot) -> u8 {
        let next = self
            .tiles
            .get(slot.index() + 1)
            .map_or(self.segments.len() as u16, |tile| tile.first);
        (next - self.tile(slot).first) as u8
    }

    /// Whether a segment with this number lies on the board.
    pub fn has_segment(&self, seg: SegId) -> bool {
        seg.tile().index() < self.tiles.len()
            && seg.index_on_tile() < self.n_segments_of(seg.tile())
    }

    /// The row of a segment.
    #[inline]
    fn row(&self, seg: SegId) -> usize {
        usize::from(self.tile(seg.tile()).first) + usize::from(seg.index_on_tile())
    }

    /// The tile of a segment.
    pub fn tile_of(&self, seg: SegId) -> TileSlot {
        seg.tile()
    }

    /// The square of a segment.
    pub fn pos_of(&self, seg: SegId) -> Pos {
        self.tile(self.tile_of(seg)).pos
    }

    /// The feature of a segment.
    pub fn feature_of(&self, seg: SegId) -> FeatureId {
        self.segments[self.row(seg)].feature
    }

    /// A feature.
    pub fn feature(&self, id: FeatureId) -> &Feature {
        &self.features[id.index()]
    }

    /// The feature on which a segment lies.
    pub fn at(&self, seg: SegId) -> &Feature {
        self.feature(self.feature_of(seg))
    }

    /// The place of a segment among those of its tile.
    pub fn index_on_tile(&self, seg: SegId) -> u8 {
        seg.index_on_tile()
    }

    /// The segment with this place among those of a tile.
    pub fn segment_of(&self, slot: TileSlot, index: u8) -> SegId {
        SegId::of(slot, index)
    }

    /// The segments of a tile, in the order of its definition.
    pub fn segments_of(&self, slot: TileSlot) -> impl Iterator<Item = SegId> + use<> {
        (0..self.n_segments_of(slot)).map(move |index| SegId::of(slot, index))
    }

    pub(crate) fn def<'t>(&self, tiles: &'t [LinkedTile], seg: SegId) -> &'t SegmentDef {
        let tile = self.tile(self.tile_of(seg));
        &tiles[tile.kind.index()].def.segments[usize::from(seg.index_on_tile())]
    }

    /// The segments of a feature, once round its ring; none of one that is no more.
    pub fn members(&self, id: FeatureId) -> Members<'_> {
        let some = self.feature(id).some;
        Members {
            board: self,
            start: some,
            at: (some != NO_MORE).then_some(some),
        }
    }

    /// The segments that a road, city or river segment meets across the sides of its tile, clockwise from the north: one
    /// entry for each side at which they meet.
    pub(crate) fn neighbours<'b>(
        &'b self,
        tiles: &'b [LinkedTile],
        seg: SegId,
    ) -> impl Iterator<Item = SegId> + 'b {
        let tile = self.tile(self.tile_of(seg));
        let sides = self.def(tiles, seg).sides;
        let reached =
            move |side: &Side| sides & (1 << side.turned_back(tile.rotation).index()) != 0;
        Side::ALL
            .into_iter()
            .filter(reached)
            .filter_map(move |side| {
                let slot = self.tile_at(tile.pos.beside(side))?;
                let other = self.tile(slot);
                let index = tiles[other.kind.index()].at_side(side.opposite(), other.rotation)?;
                Some(self.segment_of(slot, index))
            })
    }

    /// Every feature that exists now, with its number.
    pub fn features(&self) -> impl Iterator<Item = (FeatureId, &Feature)> {
        (0u16..)
            .map(FeatureId)
            .zip(&self.features)
            .filter(|(_, feature)| feature.some != NO_MORE)
    }

    /// How many tiles a feature has: a tile counts once however many segments of it the feature has there (SM-23).
    pub(crate) fn n_tiles(&self, tiles: &[LinkedTile], id: FeatureId) -> u16 {
        let mut count = 0;
        for seg in self.members(id) {
            let placed = self.tile(self.tile_of(seg));
            let index = u16::from(seg.index_on_tile());
            let linked = &tiles[placed.kind.index()];
            let counted = linked.twins & (1 << index) != 0
                && (placed.first..placed.first + index)
                    .any(|other| self.segments[usize::from(other)].feature == id);
            if !counted {
                count += 1;
            }
        }
        count
    }

    /// How many of the eight squares round a square hold a tile.
    pub fn n_around(&self, pos: Pos) -> u8 {
        pos.around()
            .into_iter()
            .filter(|pos| self.tile_at(*pos).is_some())
            .count() as u8
    }

    /// The squares beside the landscape where a tile may be tried.
    pub fn gaps(&self) -> impl Iterator<Item = Pos> + '_ {
        self.gaps.iter().map(|gap| gap.pos)
    }

    /// What an empty square beside the landscape asks of a tile; `None` of any other square.
    pub fn pattern_at(&self, pos: Pos) -> Option<Pattern> {
        self.gap_at(pos).map(Gap::pattern)
    }

    /// The tile of a figure's spot; `None` of a prison and of a corner.
    pub fn tile_of_spot(&self, spot: crate::figures::Spot) -> Option<TileSlot> {
        use crate::vocabulary::Place;
        match spot.place {
            Place::Segment => Some(self.tile_of(SegId(spot.at))),
            Place::TowerTop | Place::Trap => Some(TileSlot(spot.at)),
            Place::Corner | Place::Prison => None,
        }
    }

    /// The square of a figure's spot; `None` of a prison and of a corner.
    pub fn pos_of_spot(&self, spot: crate::figures::Spot) -> Option<Pos> {
        self.tile_of_spot(spot).map(|slot| self.tile(slot).pos)
    }

    /// The smallest rectangle that holds all tiles: north-western and south-eastern square.
    pub fn extent(&self) -> Option<(Pos, Pos)> {
        let first = self.tiles.first()?.pos;
        Some(self.tiles.iter().fold((first, first), |(nw, se), tile| {
            (
                Pos::new(nw.x.min(tile.pos.x), nw.y.min(tile.pos.y)),
                Pos::new(se.x.max(tile.pos.x), se.y.max(tile.pos.y)),
            )
        }))
    }

    // ---- laying --------------------------------------------------------------------------------------------------

    /// Lays a tile, joins its segments to what they touch, and says what was joined and completed. The square must be
    /// empty and on the table.
    pub(crate) fn lay(
        &mut self,
        tiles: &[LinkedTile],
        kind: TileKind,
        pos: Pos,
        rotation: Rotation,
        laid: &mut Laid,
    ) {
        let linked = &tiles[kind.index()];
        let slot = TileSlot(self.tiles.len() as u16);
        let first = self.segments.len() as u16;
        self.make_room(pos);
        self.remove_gap(pos);
        if let Some(index) = self.cell_index(pos) {
            let mark = if linked.has_surrounded { SURROUNDED } else { 0 };
            self.cells[index] = (slot.0 + 1) | mark;
        }
        self.tiles.push(Placed {
            kind,
            pos,
            rotation,
            first,
        });
        for (index, def) in (0u8..).zip(linked.def.segments.iter()) {
            let seg = SegId::of(slot, index);
            let open = if def.kind.is_surrounded() {
                8 - u16::from(self.n_around(pos))
            } else {
                def.sides.count_ones() as u16
            };
            let feature = self.new_feature(Feature {
                kind: def.kind,
                open,
                marks: def.marks,
                pennants: def.pennants,
                crowd: Crowd::default(),
                some: seg,
            });
            self.segments.push(Segment { feature, next: seg });
        }
        let closes = linked.shows(Symbols::ABBEY);
        for side in Side::ALL {
            let next = pos.beside(side);
            match self.tile_at(next) {
                Some(other) => self.meet(tiles, slot, other, side, laid),
                None => {
                    let edge = (linked.signature[rotation.quarters() as usize]
                        >> (4 * side.index()))
                        & 0xf;
                    self.add_gap(next, side.opposite(), (!closes).then_some(edge));
                }
            }
        }
        for (index, row) in (0u8..).zip(usize::from(first)..self.segments.len()) {
            if self.feature(self.segments[row].feature).is_complete() {
                self.note_completed(SegId::of(slot, index), laid);
            }
        }
        self.count_neighbour(tiles, pos, laid);
    }

    /// What happens where two tiles meet at a side of the first, newly laid one.
    fn meet(
        &mut self,
        tiles: &[LinkedTile],
        slot: TileSlot,
        other: TileSlot,
        side: Side,
        laid: &mut Laid,
    ) {
        let (mine, theirs) = (*self.tile(slot), *self.tile(other));
        let (my_kind, their_kind) = (&tiles[mine.kind.index()], &tiles[theirs.kind.index()]);
        let my_segment = my_kind
            .at_side(side, mine.rotation)
            .map(|i| SegId::of(slot, i));
        let their_segment = their_kind
            .at_side(side.opposite(), theirs.rotation)
            .map(|i| SegId::of(other, i));
        if my_kind.shows(Symbols::ABBEY) || their_kind.shows(Symbols::ABBEY) {
            for seg in [my_segment, their_segment].into_iter().flatten() {
                self.close_one(seg);
                if self.at(seg).is_complete() {
                    self.note_completed(seg, laid);
                }
            }
            return;
        }
        if let (Some(a), Some(b)) = (my_segment, their_segment) {
            self.join(a, b, laid);
        }
        for half in [
            Half::from_index(2 * side.index()),
            Half::from_index(2 * side.index() + 1),
        ] {
            let a = my_kind.at_half(half, mine.rotation);
            let b = their_kind.at_half(half.opposite(), theirs.rotation);
            if let (Some(a), Some(b)) = (a, b) {
                self.join(SegId::of(slot, a), SegId::of(other, b), laid);
            }
        }
    }

    /// Closes one open edge of a segment's feature without joining anything.
    fn close_one(&mut self, seg: SegId) {
        let id = self.feature_of(seg);
        let feature = &mut self.features[id.index()];
        if feature.kind != FeatureKind::River {
            feature.open = feature.open.saturating_sub(1);
        }
    }

    fn note_completed(&self, seg: SegId, laid: &mut Laid) {
        let id = self.feature_of(seg);
        if !laid
            .completed
            .iter()
            .any(|other| self.feature_of(*other) == id)
        {
            laid.completed.push(seg);
        }
    }

    /// Whether a feature has fewer segments than another: both rings are walked until the shorter one ends.
    fn has_fewer(&self, a: FeatureId, b: FeatureId) -> bool {
        let (start, end) = (self.feature(a).some, self.feature(b).some);
        let (mut mine, mut other) = (start, end);
        loop {
            mine = self.segments[self.row(mine)].next;
            other = self.segments[self.row(other)].next;
            if other == end {
                return false;
            }
            if mine == start {
                return true;
            }
        }
    }

    /// Joins a new segment with an old one across a side.
    fn join(&mut self, new: SegId, old: SegId, laid: &mut Laid) {
        let (a, b) = (self.feature_of(new), self.feature_of(old));
        let part = *self.feature(b);
        let closed = if part.kind == FeatureKind::Field {
            0
        } else {
            2
        };
        if a == b {
            let feature = &mut self.features[a.index()];
            feature.open = feature.open.saturating_sub(closed);
            return;
        }
        if part.crowd.figures > 0 {
            laid.joins.push(Join {
                segment: new,
                marks: part.marks,
                crowd: part.crowd,
            });
        }
        let (keep, lose) = if self.has_fewer(a, b) { (b, a) } else { (a, b) };
        let lost = *self.feature(lose);
        let mut seg = lost.some;
        loop {
            let row = self.row(seg);
            let segment = &mut self.segments[row];
            segment.feature = keep;
            seg = segment.next;
            if seg == lost.some {
                break;
            }
        }
        let kept = &mut self.features[keep.index()];
        kept.open = (kept.open + lost.open).saturating_sub(closed);
        kept.marks = kept.marks.with(lost.marks);
        kept.pennants = kept.pennants.saturating_add(lost.pennants);
        kept.crowd.followers += lost.crowd.followers;
        kept.crowd.figures += lost.crowd.figures;
        let (x, y) = (kept.some, lost.some);
        kept.some = new;
        let (row_x, row_y) = (self.row(x), self.row(y));
        let after_x = self.segments[row_x].next;
        self.segments[row_x].next = self.segments[row_y].next;
        self.segments[row_y].next = after_x;
        // What is left of a joined feature is the same however the position came about.
        let left = &mut self.features[lose.index()];
        left.some = NO_MORE;
        left.marks = Marks::NONE;
        left.crowd = Crowd::default();
        self.free.push(lose.0);
    }

    /// A tile was laid: one square fewer is empty round the surrounded features beside it.
    fn count_neighbour(&mut self, tiles: &[LinkedTile], pos: Pos, laid: &mut Laid) {
        if self.none_surrounded_near(pos) {
            return;
        }
        for near in pos.around() {
            let Some(slot) = self.tile_at(near) else {
                continue;
            };
            let linked = &tiles[self.tile(slot).kind.index()];
            if !linked.has_surrounded {
                continue;
            }
            for (index, def) in (0u8..).zip(linked.def.segments.iter()) {
                if !def.kind.is_surrounded() {
                    continue;
                }
                let seg = self.segment_of(slot, index);
                let id = self.feature_of(seg);
                let feature = &mut self.features[id.index()];
                feature.open = feature.open.saturating_sub(1);
                if feature.open == 0 {
                    self.note_completed(seg, laid);
                }
            }
        }
    }

    /// Whether it is seen at a glance that no tile round a square has a surrounded feature: most have none.
    fn none_surrounded_near(&self, pos: Pos) -> bool {
        let row = |dy| {
            let start = self.cell_index(pos.offset(-1, dy))?;
            self.cell_index(pos.offset(1, dy))?;
            self.cells.get(start..start + 3)
        };
        let (Some(a), Some(b), Some(c)) = (row(-1), row(0), row(1)) else {
            return false;
        };
        // There are never so many gaps that the index of one has this bit.
        let near = a[0] | a[1] | a[2] | b[0] | b[2] | c[0] | c[1] | c[2];
        near & SURROUNDED == 0
    }

    fn new_feature(&mut self, feature: Feature) -> FeatureId {
        match self.free.pop() {
            Some(id) => {
                self.features[id as usize] = feature;
                FeatureId(id)
            }
            None => {
                self.features.push(feature);
                FeatureId(self.features.len() as u16 - 1)
            }
        }
    }

    pub(crate) fn crowd_mut(&mut self, seg: SegId) -> &mut Crowd {
        let id = self.feature_of(seg);
        &mut self.features[id.index()].crowd
    }

    pub(crate) fn add_mark(&mut self, seg: SegId, marks: Marks) {
        let id = self.feature_of(seg);
        let feature = &mut self.features[id.index()];
        feature.marks = feature.marks.with(marks);
    }

    pub(crate) fn drop_mark(&mut self, seg: SegId, marks: Marks) {
        let id = self.feature_of(seg);
        let feature = &mut self.features[id.index()];
        feature.marks = feature.marks.without(marks);
    }

    // ---- gaps ----------------------------------------------------------------------------------------------------

    fn add_gap(&mut self, pos: Pos, side: Side, edge: Option<u16>) {
        if !pos.is_on_the_table() {
            return;
        }
        self.make_room(pos);
        let Some(index) = self.cell_index(pos) else {
            return;
        };
        if self.cells[index] == EMPTY {
            self.cells[index] = GAP | self.gaps.len() as u16;
            self.gaps.push(Gap {
                pos,
                want: 0,
                mask: 0,
            });
        }
        let gap = &mut self.gaps[(self.cells[index] & !GAP) as usize];
        let at = 4 * side.index();
        gap.want |= edge.unwrap_or(ANYTHING) << at;
        if edge.is_some() {
            gap.mask |= 0xf << at;
        }
    }

    fn remove_gap(&mut self, pos: Pos) {
        let cell = self.cell(pos);
        if cell & GAP == 0 {
            return;
        }
        let index = (cell & !GAP) as usize;
        self.gaps.swap_remove(index);
        if let Some(moved) = self.gaps.get(index) {
            let moved = moved.pos;
            if let Some(at) = self.cell_index(moved) {
                self.cells[at] = GAP | index as u16;
            }
        }
    }

    /// Grows the grid until the square, which must be on the table or beside it, lies in it.
    fn make_room(&mut self, pos: Pos) {
        while self.cell_index(pos).is_none() {
            self.grow_towards(pos);
        }
    }

    fn grow_towards(&mut self, pos: Pos) {
        const STEP: i16 = 2;
        let limit = i16::from(MAX_COORDINATE) + 1;
        let (mut x0, mut y0) = (i16::from(self.origin.x), i16::from(self.origin.y));
        let (mut x1, mut y1) = (x0 + i16::from(self.width), y0 + i16::from(self.height));
        if i16::from(pos.x) < x0 {
            x0 = (x0 - STEP).max(-limit);
        }
        if i16::from(pos.y) < y0 {
            y0 = (y0 - STEP).max(-limit);
        }
        if i16::from(pos.x) >= x1 {
            x1 = (x1 + STEP).min(limit + 1);
        }
        if i16::from(pos.y) >= y1 {
            y1 = (y1 + STEP).min(limit + 1);
        }
        let (width, height) = ((x1 - x0) as usize, (y1 - y0) as usize);
        let mut cells = alloc::vec![EMPTY; width * height];
        let (dx, dy) = (
            (i16::from(self.origin.x) - x0) as usize,
            (i16::from(self.origin.y) - y0) as usize,
        );
        for (row, old) in self.cells.chunks(self.width as usize).enumerate() {
            let start = (row + dy) * width + dx;
            cells[start..start + old.len()].copy_from_slice(old);
        }
        self.origin = Pos::new(x0 as i8, y0 as i8);
        self.width = width as u8;
        self.height = height as u8;
        self.cells = cells;
    }

    /// Bytes used, the vectors' contents included.
    pub(crate) fn n_bytes(&self) -> usize {
        size_of_val(&*self.cells)
            + size_of_val(&*self.tiles)
            + size_of_val(&*self.segments)
            + size_of_val(&*self.features)
            + size_of_val(&*self.free)
            + size_of_val(&*self.gaps)
    }
}

/// The segments of a feature.
pub struct Members<'b> {
    board: &'b Board,
    start: SegId,
    at: Option<SegId>,
}

impl Iterator for Members<'_> {
    type Item = SegId;

    fn next(&mut self) -> Option<SegId> {
        let seg = self.at?;
        let next = self.board.segments[self.board.row(seg)].next;
        self.at = (next != self.start).then_some(next);
        Some(seg)
    }
}
