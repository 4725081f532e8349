//! The plan of a tile: which segments lie side by side, worked out from what is on the border.
//!
//! Going clockwise round the border one meets *arcs*, each a stretch of one segment. A segment is one connected piece, so
//! the arcs of one segment are joined through the tile. What passes over or under other segments is left out of that: each
//! of its arcs counts by itself. If no two segments cross, the segments cut the tile into *places*, and round each place
//! the segments stand in a ring:
//!
//! ```text
//! BA/CcRr   city N W, road E S, field EL SR, field ER SL
//!
//!   +--city--+     arcs   city(W N)  field(EL)  road(E)  field(ER SL)  road(S)  field(SR)
//!   c     EL |     places city, field EL SR                    the field touches the city
//!   i   /----road         field EL SR, road
//!   t  / ER  |            road, field ER SL
//!   y SR| SL |
//!   +---road-+
//! ```
//!
//! Neighbours in a ring lie side by side along the border between two arcs: a field next to a city there touches it.
//! Segments of one ring that are not neighbours may meet in the middle of the place, if the ways between them do not cross;
//! whether they do depends on the picture, so the file has to say it. An enclosed field fills a place of cities.

use crate::border::{Half, Point, Side};
use crate::tile::{Kind, SegmentNo, Tile};

/// Who has a piece of the border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// A segment; a piece of one that passes over or under others has a number of its own.
    Segment(SegmentNo, u8),
    /// The wall of a start block.
    Wall,
}

impl Owner {
    fn segment(self) -> Option<SegmentNo> {
        match self {
            Owner::Segment(no, _) => Some(no),
            Owner::Wall => None,
        }
    }
}

/// The arcs of a tile, clockwise, and the places between them.
pub(crate) struct Plan {
    /// The owner of each arc, and where it begins.
    arcs: Vec<(Owner, Point)>,
    /// The segments round each place, in a ring.
    pub(crate) places: Vec<Vec<SegmentNo>>,
}

/// What stands on the border, point by point and half by half, from the north-west corner clockwise.
fn border(tile: &Tile) -> Vec<(Point, Option<Owner>)> {
    let owner = |no| Some(Owner::Segment(no, 0));
    let at_point = |point: Point| {
        tile.numbered()
            .find(|(_, s)| s.to.contains(point))
            .and_then(|(no, _)| owner(no))
    };
    let on_half = |half: Half| {
        if tile.wall.contains(half) {
            return Some(Owner::Wall);
        }
        let city = tile
            .on_side(half.side())
            .filter(|no| tile.segment(*no).is_some_and(|s| s.kind == Kind::City));
        city.or_else(|| tile.on_half(half)).and_then(owner)
    };
    let mut pieces = Vec::new();
    let corners = [Point::NW, Point::NE, Point::SE, Point::SW];
    let middles = [Point::N, Point::E, Point::S, Point::W];
    for ((side, corner), middle) in Side::ALL.iter().copied().zip(corners).zip(middles) {
        let [left, right] = side.halves();
        pieces.push((corner, at_point(corner)));
        pieces.push((corner, on_half(left)));
        pieces.push((
            middle,
            tile.on_side(side)
                .and_then(owner)
                .or_else(|| at_point(middle)),
        ));
        pieces.push((middle, on_half(right)));
    }
    pieces
}

impl Plan {
    /// The plan of a tile whose border is covered as it should be.
    pub(crate) fn new(tile: &Tile) -> Plan {
        let passes = |no: SegmentNo| {
            tile.segment(no)
                .is_some_and(|segment| segment.passes.is_some())
        };
        let mut arcs: Vec<(Owner, Point)> = Vec::new();
        for (point, owner) in border(tile) {
            let Some(owner) = owner else { continue };
            if arcs.last().is_none_or(|(last, _)| *last != owner) {
                arcs.push((owner, point));
            }
        }
        if arcs.len() > 1
            && arcs.first().map(|(owner, _)| owner) == arcs.last().map(|(owner, _)| owner)
        {
            arcs.remove(0);
        }
        for (i, (owner, _)) in (0..).zip(&mut arcs) {
            if let Owner::Segment(no, piece) = owner {
                *piece = if passes(*no) { i } else { 0 };
            }
        }
        let mut plan = Plan {
            arcs,
            places: Vec::new(),
        };
        plan.places = plan.find_places();
        plan
    }

    /// Neighbouring arcs, and the point where they meet.
    pub(crate) fn borders(&self) -> impl Iterator<Item = (Owner, Owner, Point)> {
        let next = self.arcs.iter().cycle().skip(1);
        let all = self
            .arcs
            .iter()
            .zip(next)
            .map(|((a, _), (b, point))| (*a, *b, *point));
        all.filter(|(a, b, _)| a != b)
    }

    /// Whether two segments lie side by side somewhere at the border.
    pub(crate) fn are_beside(&self, a: SegmentNo, b: SegmentNo) -> bool {
        self.borders().any(|(x, y, _)| {
            let (x, y) = (x.segment(), y.segment());
            (x == Some(a) && y == Some(b)) || (x == Some(b) && y == Some(a))
        })
    }

    /// How many arcs the segment has.
    pub(crate) fn n_arcs(&self, no: SegmentNo) -> usize {
        self.arcs
            .iter()
            .filter(|(owner, _)| owner.segment() == Some(no))
            .count()
    }

    /// The pairs of segments that cross; with `even_passing` also those that pass over or under.
    pub(crate) fn crossings(&self, even_passing: bool) -> Vec<(SegmentNo, SegmentNo)> {
        let same = |a: Owner, b: Owner| {
            if even_passing {
                a.segment() == b.segment()
            } else {
                a == b
            }
        };
        let mut pairs: Vec<(SegmentNo, SegmentNo)> = Vec::new();
        for (i, (a, _)) in self.arcs.iter().enumerate() {
            for (j, (b, _)) in self.arcs.iter().enumerate().skip(i + 1) {
                if same(*a, *b) {
                    continue;
                }
                let (Some(x), Some(y)) = (a.segment(), b.segment()) else {
                    continue;
                };
                let later_a = self
                    .arcs
                    .iter()
                    .enumerate()
                    .skip(j + 1)
                    .filter(|(_, (c, _))| same(*a, *c));
                let crosses = later_a
                    .map(|(k, _)| k)
                    .any(|k| self.arcs.iter().skip(k + 1).any(|(d, _)| same(*b, *d)));
                if crosses && !pairs.contains(&(x, y)) && !pairs.contains(&(y, x)) {
                    pairs.push((x, y));
                }
            }
        }
        pairs
    }

    /// Goes round each place: from the gap after one arc, along the segment of the next arc to the gap on its other flank.
    fn find_places(&self) -> Vec<Vec<SegmentNo>> {
        let n = self.arcs.len();
        let mut places = Vec::new();
        let mut seen = vec![false; n];
        for start in 0..n {
            let mut ring = Vec::new();
            let mut gap = start;
            while let Some(is_seen) = seen.get_mut(gap).filter(|is_seen| !**is_seen) {
                *is_seen = true;
                let arc = (gap + 1) % n;
                let Some((owner, _)) = self.arcs.get(arc) else {
                    break;
                };
                ring.extend(owner.segment());
                let before = (1..=n).map(|back| (arc + n - back) % n);
                gap = before
                    .into_iter()
                    .find(|i| self.arcs.get(*i).is_some_and(|(o, _)| o == owner))
                    .unwrap_or(arc);
            }
            if ring.len() > 1 {
                places.push(ring);
            }
        }
        places
    }
}
