//! What is on a tile: plain data, as the tile files state it.

use crate::border::{Half, Halves, Point, Points, Side, Sides};
use std::fmt;

/// One kind of tile, as it is printed, with north up as in its file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tile {
    /// The id, such as `BA/RCr`; unique among all files.
    pub id: String,
    /// Other names that people use, such as `D` for the start tile.
    pub names: Vec<String>,
    /// The parts of features, in an order that never changes once it is published.
    pub segments: Vec<Segment>,
    /// What is printed on the tile as a whole.
    pub symbols: Vec<Symbol>,
    /// The group it is drawn with, if it is not drawn with all the others, such as `river`.
    pub group: Option<String>,
    /// The most copies that a game can have, however many sets bring one.
    pub limit: Option<u8>,
    /// What the quadrants show, in the order north-west, north-east, south-east, south-west.
    pub quadrants: Option<[QuadrantSign; 4]>,
    /// Halves of sides that show a wall and never meet another tile's edge (tiles of a start block).
    pub wall: Halves,
    /// Whether the four sides fit next to anything and join nothing (the abbey).
    pub fits_anything: bool,
}

/// The place of a segment in [`Tile::segments`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SegmentNo(pub u8);

/// The part of a feature on one tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What it is.
    pub kind: Kind,
    /// The sides that a city, road or river joins.
    pub sides: Sides,
    /// The halves of sides that a field joins.
    pub halves: Halves,
    /// The points of the border that a city's wall comes to, so that the fields on both sides of it are parted there.
    pub to: Points,
    /// Whether it passes over or under the other segments that it crosses.
    pub passes: Option<Passes>,
    /// The city segments of the tile that a field touches, each once.
    pub touches: Vec<Touch>,
    /// What is printed on it.
    pub marks: Vec<Mark>,
    /// Letters; segments of a tile that share one are connected for the wagon.
    pub links: Vec<char>,
}

/// That a field touches a city.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The city.
    pub city: SegmentNo,
    /// Where they touch.
    pub how: How,
}

/// Where a field touches a city.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum How {
    /// They lie side by side from the border inward, or the field is enclosed by cities.
    Beside,
    /// They meet in the middle of the tile only.
    Inside,
    /// The city comes to the field over or under another segment.
    Across,
}

/// Over or under.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Passes {
    /// On a bridge.
    Over,
    /// Through a tunnel.
    Under,
}

/// What a segment is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A city.
    City,
    /// A road.
    Road,
    /// A field.
    Field,
    /// A river.
    River,
    /// A monastery; with a mark also a shrine, a special monastery or a church.
    Monastery,
    /// A garden.
    Garden,
    /// Baba Yaga's hut.
    Hut,
}

/// What a side shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edge {
    /// A city.
    City,
    /// A road with a field on each side.
    Road,
    /// A field.
    Field,
    /// A river with a field on each side.
    River,
    /// Fits anything and joins nothing.
    Any,
    /// A wall on at least one half, which never meets another tile's edge.
    Wall,
}

/// What is printed on a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// So many pennants, at least one, in a city.
    Pennants(u8),
    /// A cathedral in a city.
    Cathedral,
    /// Wine in a city.
    Wine,
    /// Grain in a city.
    Grain,
    /// Cloth in a city.
    Cloth,
    /// A princess in a city.
    Princess,
    /// A city segment on one side that may not become a castle.
    NoCastle,
    /// A city under siege.
    Besieged,
    /// A city that also comes to a side which another city of the tile takes up.
    Shares(Side),
    /// The Darmstadtium in a city.
    Darmstadtium,
    /// An inn at a road.
    Inn,
    /// A road that goes into the ground where the tunnel expansion is played.
    Tunnel,
    /// A labyrinth of a road.
    Labyrinth,
    /// A pig herd on a field.
    PigHerd,
    /// A shrine, not a monastery.
    Shrine,
    /// A special monastery.
    Special,
    /// A church of Darmstadt.
    Church,
}

/// What is printed on a tile as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// A volcano.
    Volcano,
    /// A dragon.
    Dragon,
    /// A magic portal.
    Portal,
    /// A tower foundation.
    Tower,
    /// A festival.
    Festival,
    /// The tree of Solovei, a trap at a road.
    Solovei,
    /// The lake of Vodyanoy, a trap.
    Vodyanoy,
    /// A bazaar.
    Bazaar,
    /// A hill.
    Hill,
    /// A vineyard.
    Vineyard,
    /// A mage and witch.
    Mage,
    /// A goldmine.
    Goldmine,
    /// A ferry.
    Ferry,
    /// A space for the big top.
    Circus,
    /// A space for a pyramid of acrobats.
    Acrobats,
    /// The quarters of the city of Carcassonne.
    Quarters,
    /// A crop circle for followers of this kind of feature: city, road or field.
    CropCircle(Kind),
    /// A flying machine, and where it flies.
    FlyingMachine(Point),
    /// A wind rose, and its quadrant.
    WindRose(Point),
    /// A wind rose of all quadrants.
    FullWindRose,
    /// A watchtower: so many points for each of these.
    Watchtower(u8, Watched),
}

/// What a watchtower counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Watched {
    /// Cities.
    City,
    /// Roads.
    Road,
    /// Monasteries.
    Monastery,
    /// Pennants.
    Pennant,
    /// Followers.
    Follower,
}

/// What a quadrant of a tile shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum QuadrantSign {
    /// A city.
    City,
    /// A road.
    Road,
    /// A field.
    Field,
    /// A monastery.
    Monastery,
}

impl Segment {
    /// A segment with nothing on it that joins nothing.
    pub fn new(kind: Kind) -> Segment {
        Segment {
            kind,
            sides: Sides::EMPTY,
            halves: Halves::EMPTY,
            to: Points::EMPTY,
            passes: None,
            touches: Vec::new(),
            marks: Vec::new(),
            links: Vec::new(),
        }
    }

    /// Whether no part of it is on the border of the tile.
    pub fn is_inner(&self) -> bool {
        self.sides.is_empty() && self.halves.is_empty()
    }

    /// Whether the mark is on it; pennants with exactly this number.
    pub fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// How many pennants are on it.
    pub fn pennants(&self) -> u8 {
        self.marks
            .iter()
            .map(|mark| if let Mark::Pennants(n) = mark { *n } else { 0 })
            .sum()
    }
}

impl Tile {
    /// The segment with this number.
    pub fn segment(&self, no: SegmentNo) -> Option<&Segment> {
        self.segments.get(usize::from(no.0))
    }

    /// All segments with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (SegmentNo, &Segment)> {
        (0..=u8::MAX).map(SegmentNo).zip(&self.segments)
    }

    /// The city, road or river that is on this side.
    pub fn on_side(&self, side: Side) -> Option<SegmentNo> {
        self.numbered()
            .find(|(_, segment)| segment.sides.contains(side))
            .map(|(no, _)| no)
    }

    /// The field that is on this half of a side.
    pub fn on_half(&self, half: Half) -> Option<SegmentNo> {
        self.numbered()
            .find(|(_, segment)| segment.halves.contains(half))
            .map(|(no, _)| no)
    }

    /// What this side shows.
    pub fn edge(&self, side: Side) -> Edge {
        if self.fits_anything {
            return Edge::Any;
        }
        if side.halves().iter().any(|half| self.wall.contains(*half)) {
            return Edge::Wall;
        }
        match self
            .on_side(side)
            .and_then(|no| self.segment(no))
            .map(|segment| segment.kind)
        {
            Some(Kind::City) => Edge::City,
            Some(Kind::Road) => Edge::Road,
            Some(Kind::River) => Edge::River,
            Some(Kind::Field | Kind::Monastery | Kind::Garden | Kind::Hut) | None => Edge::Field,
        }
    }

    /// The edge code: a letter for each side, north first and clockwise. `C` city, `R` road, `F` field, `I` river,
    /// `A` anything, `W` wall.
    pub fn code(&self) -> String {
        Side::ALL
            .iter()
            .map(|side| self.edge(*side).letter())
            .collect()
    }

    /// Whether the symbol is printed on it.
    pub fn has(&self, symbol: Symbol) -> bool {
        self.symbols.contains(&symbol)
    }
}

impl Edge {
    /// The letter in an edge code.
    pub const fn letter(self) -> char {
        match self {
            Edge::City => 'C',
            Edge::Road => 'R',
            Edge::Field => 'F',
            Edge::River => 'I',
            Edge::Any => 'A',
            Edge::Wall => 'W',
        }
    }
}

impl fmt::Display for SegmentNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
