//! The table of figures, and where each figure is.
//!
//! Rules ask a row's columns ("is it edible?"), never which kind a figure is. Options that change a row do so when a setup
//! is linked. The table is SM-87 to SM-91 of the rule book, as far as the kinds exist.

use alloc::vec::Vec;
use core::fmt;

use crate::geometry::Pos;
use crate::moves::{FeatureId, Seat, SegId, TileSlot};
use crate::vocabulary::{FeatureKind, KINDS, Kind, Place, bits};

/// What sort of figure a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Claims a feature and takes part in its majority.
    Follower,
    /// Stands only where its owner has a follower, and goes home when the last one leaves (SM-80).
    Companion,
    /// Stands by a rule of its own.
    Fixture,
}

/// How much a follower counts in a majority (SM-02, SM-03).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// A fixed number.
    Fixed(u8),
    /// As many as the city has pennants.
    Pennants,
}

impl Strength {
    /// How much it is on a feature.
    pub const fn on(self, feature: &crate::board::Feature) -> u8 {
        match self {
            Strength::Fixed(n) => n,
            Strength::Pennants => feature.pennants,
        }
    }
}

bits! {
    /// What else is true of a kind of figure: a column of the tables SM-88 to SM-91.
    pub struct Quirks(u32) {
        /// The dragon eats it.
        EDIBLE = 0 "edible",
        /// A tower takes it prisoner.
        CAPTURABLE = 1 "capturable",
        /// A princess sends it away.
        SEDUCIBLE = 2 "seducible",
        /// The lake catches it.
        LAKE_CATCHES = 3 "lake-catches",
        /// The tree catches it.
        TREE_CATCHES = 4 "tree-catches",
        /// It may go through a magic portal.
        PORTAL = 5 "portal",
        /// It may stand on a tower.
        TOWER_TOP = 6 "tower-top",
        /// It may be placed after the first figure of a turn.
        SECOND = 7 "second",
        /// A festival may bring it back.
        FESTIVAL = 8 "festival",
        /// It may move on after its feature was scored.
        MOVES_ON = 9 "moves-on",
        /// It may be taken back and scored while its feature is incomplete.
        RECALL = 10 "recall",
        /// The fairy may stand with it.
        FAIRY = 11 "fairy",
        /// It earns a second turn part when its feature is extended.
        DOUBLE_TURN = 12 "double-turn",
        /// It makes each city of its field worth one more to its owner.
        CITY_BONUS = 13 "city-bonus",
        /// It costs points when caught in the lake at the end.
        LAKE_PENALTY = 14 "lake-penalty",
    }
}

/// A row of the table of figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureDef {
    /// Which kind.
    pub kind: Kind,
    /// Which sort.
    pub class: Class,
    /// The kinds of features it may claim or join (bits by [`FeatureKind::index`]).
    pub claims: u16,
    /// Its strength in a majority; 0 unless a follower.
    pub strength: Strength,
    /// What else is true of it.
    pub quirks: Quirks,
}

impl FigureDef {
    /// Whether it claims features.
    pub const fn is_follower(&self) -> bool {
        matches!(self.class, Class::Follower)
    }

    /// Whether it may stand on a feature of this kind.
    pub const fn may_claim(&self, kind: FeatureKind) -> bool {
        self.claims & (1 << kind.index()) != 0
    }

    /// Whether all of these are true of it.
    pub const fn is(&self, quirks: Quirks) -> bool {
        self.quirks.has(quirks)
    }
}

const fn on(kinds: &[FeatureKind]) -> u16 {
    let mut bits = 0;
    let mut i = 0;
    while i < kinds.len() {
        bits |= 1 << kinds[i].index();
        i += 1;
    }
    bits
}

const fn all(quirks: &[Quirks]) -> Quirks {
    let mut bits = Quirks::NONE;
    let mut i = 0;
    while i < quirks.len() {
        bits = bits.with(quirks[i]);
        i += 1;
    }
    bits
}

use FeatureKind::{City, Field, Garden, Monastery, Road};
type Q = Quirks;

/// What is true of every follower (SM-90, SM-91).
const FOLLOWER: Quirks = all(&[
    Q::EDIBLE,
    Q::CAPTURABLE,
    Q::LAKE_CATCHES,
    Q::PORTAL,
    Q::FESTIVAL,
    Q::FAIRY,
    Q::LAKE_PENALTY,
]);
/// What is true of every companion.
const COMPANION: Quirks = all(&[Q::EDIBLE, Q::LAKE_CATCHES, Q::FESTIVAL, Q::LAKE_PENALTY]);

/// The table of figures in the order of [`Kind`], as printed; options change a copy, and so do expansions that give a picture
/// a meaning (BA-19).
pub const FIGURES: [FigureDef; KINDS] = [
    FigureDef {
        kind: Kind::Normal,
        class: Class::Follower,
        claims: on(&[Road, City, Monastery, Field]),
        strength: Strength::Fixed(1),
        quirks: FOLLOWER.with(all(&[Q::SEDUCIBLE, Q::TREE_CATCHES, Q::TOWER_TOP])),
    },
    FigureDef {
        kind: Kind::Large,
        class: Class::Follower,
        claims: on(&[Road, City, Monastery, Field]),
        strength: Strength::Fixed(2),
        quirks: FOLLOWER.with(all(&[Q::SEDUCIBLE, Q::TREE_CATCHES, Q::TOWER_TOP])),
    },
    FigureDef {
        kind: Kind::Phantom,
        class: Class::Follower,
        claims: on(&[Road, City, Monastery, Field]),
        strength: Strength::Fixed(1),
        quirks: FOLLOWER.with(all(&[
            Q::SEDUCIBLE,
            Q::TREE_CATCHES,
            Q::TOWER_TOP,
            Q::SECOND,
        ])),
    },
    FigureDef {
        kind: Kind::Abbot,
        class: Class::Follower,
        claims: on(&[Monastery, Garden]),
        strength: Strength::Fixed(1),
        quirks: FOLLOWER.with(Q::RECALL),
    },
    FigureDef {
        kind: Kind::Wagon,
        class: Class::Follower,
        claims: on(&[Road, City, Monastery]),
        strength: Strength::Fixed(1),
        quirks: FOLLOWER.with(all(&[Q::SEDUCIBLE, Q::TREE_CATCHES, Q::MOVES_ON])),
    },
    FigureDef {
        kind: Kind::Mayor,
        class: Class::Follower,
        claims: on(&[City]),
        strength: Strength::Pennants,
        quirks: FOLLOWER.with(Q::SEDUCIBLE),
    },
    FigureDef {
        kind: Kind::Builder,
        class: Class::Companion,
        claims: on(&[Road, City]),
        strength: Strength::Fixed(0),
        quirks: COMPANION.with(all(&[Q::TREE_CATCHES, Q::DOUBLE_TURN])),
    },
    FigureDef {
        kind: Kind::Pig,
        class: Class::Companion,
        claims: on(&[Field]),
        strength: Strength::Fixed(0),
        quirks: COMPANION.with(Q::CITY_BONUS),
    },
    FigureDef {
        kind: Kind::Barn,
        class: Class::Fixture,
        claims: 0,
        strength: Strength::Fixed(0),
        quirks: Q::FESTIVAL,
    },
];

/// Where a figure is when it is not in a supply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// What sort of place.
    pub place: Place,
    /// Which one; what the number means is said at each [`Place`].
    pub at: u16,
}

impl Spot {
    /// On this segment.
    pub const fn segment(seg: SegId) -> Spot {
        Spot {
            place: Place::Segment,
            at: seg.0,
        }
    }

    /// On top of the tower of this tile.
    pub const fn tower_top(tile: TileSlot) -> Spot {
        Spot {
            place: Place::TowerTop,
            at: tile.0,
        }
    }

    /// In the trap of this tile.
    pub const fn trap(tile: TileSlot) -> Spot {
        Spot {
            place: Place::Trap,
            at: tile.0,
        }
    }

    /// On the corner at the north-western end of this square.
    pub const fn corner(pos: Pos) -> Spot {
        Spot {
            place: Place::Corner,
            at: pos.to_bits(),
        }
    }

    /// Held by this seat.
    pub const fn prison(holder: Seat) -> Spot {
        Spot {
            place: Place::Prison,
            at: holder.0 as u16,
        }
    }

    /// The segment, if the figure stands on one.
    pub const fn as_segment(self) -> Option<SegId> {
        match self.place {
            Place::Segment => Some(SegId(self.at)),
            _ => None,
        }
    }

    /// The square to the south-east of the corner, if the figure is on one.
    pub const fn as_corner(self) -> Option<Pos> {
        match self.place {
            Place::Corner => Some(Pos::from_bits(self.at)),
            _ => None,
        }
    }

    /// The seat that holds the figure, if it is a prisoner.
    pub const fn as_prison(self) -> Option<Seat> {
        match self.place {
            Place::Prison => Some(Seat(self.at as u8)),
            _ => None,
        }
    }

    /// The trap's tile, if the figure is caught.
    pub const fn as_trap(self) -> Option<TileSlot> {
        match self.place {
            Place::Trap => Some(TileSlot(self.at)),
            _ => None,
        }
    }
}

/// A figure that is not in a supply. Two alike figures of one seat at one spot are the same value: nothing tells them
/// apart, so equal positions are equal states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Where it is.
    pub spot: Spot,
    /// Whose it is.
    pub seat: Seat,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// This figure somewhere else.
    pub const fn moved_to(self, spot: Spot) -> Piece {
        Piece { spot, ..self }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of seat {} ({} {})",
            self.kind,
            self.seat.0 + 1,
            self.spot.place,
            self.spot.at
        )
    }
}

/// The figures that are not in a supply, in ascending order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pieces {
    sorted: Vec<Piece>,
}

impl Pieces {
    /// All of them, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Piece> + '_ {
        self.sorted.iter().copied()
    }

    /// Those at one spot.
    pub fn at(&self, spot: Spot) -> impl Iterator<Item = Piece> + '_ {
        let first = self.sorted.partition_point(|piece| piece.spot < spot);
        self.sorted
            .iter()
            .skip(first)
            .take_while(move |piece| piece.spot == spot)
            .copied()
    }

    /// Those in places of one sort, in ascending order.
    pub fn in_place(&self, place: Place) -> impl Iterator<Item = Piece> + '_ {
        // Of the last places there is often none, which the last figure tells.
        let first = match self.sorted.last() {
            Some(last) if last.spot.place >= place => self
                .sorted
                .partition_point(|piece| piece.spot.place < place),
            _ => self.sorted.len(),
        };
        self.sorted
            .iter()
            .skip(first)
            .take_while(move |piece| piece.spot.place == place)
            .copied()
    }

    /// Whether this figure is there.
    pub fn contains(&self, piece: Piece) -> bool {
        self.sorted.binary_search(&piece).is_ok()
    }

    /// How many figures equal to this one are there.
    pub fn count(&self, piece: Piece) -> usize {
        self.at(piece.spot).filter(|other| *other == piece).count()
    }

    /// How many figures are not in a supply.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether every figure is in a supply.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    pub(crate) fn insert(&mut self, piece: Piece) {
        let index = self.sorted.partition_point(|other| *other <= piece);
        self.sorted.insert(index, piece);
    }

    /// Removes one such figure; says whether there was one.
    pub(crate) fn remove(&mut self, piece: Piece) -> bool {
        match self.sorted.binary_search(&piece) {
            Ok(index) => {
                self.sorted.remove(index);
                true
            }
            Err(_) => false,
        }
    }

    pub(crate) fn copy_from(&mut self, other: &Pieces) {
        self.sorted.clone_from(&other.sorted);
    }
}

/// What a feature holds of figures; kept with the feature so that "is it occupied" needs no search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Crowd {
    /// Followers of all seats.
    pub followers: u8,
    /// Players' figures of every sort, followers included.
    pub figures: u8,
}

/// A figure and the feature it stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The figure.
    pub piece: Piece,
    /// The feature of its segment.
    pub feature: FeatureId,
}
