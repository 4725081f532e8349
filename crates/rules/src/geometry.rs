//! Positions, sides, halves of sides, corners and rotations.
//!
//! x grows to the east, y grows to the south; rotations are clockwise. The start tile lies at (0, 0).

use core::fmt;

/// The largest distance from the start tile, in squares, at which a tile may lie. Squares beyond it do not exist.
pub const MAX_COORDINATE: i8 = 100;

/// A square of the landscape, or (for barns) the corner at its north-western end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pos {
    /// Squares to the east of the start tile; negative to the west.
    pub x: i8,
    /// Squares to the south of the start tile; negative to the north.
    pub y: i8,
}

impl Pos {
    /// The square at these coordinates.
    pub const fn new(x: i8, y: i8) -> Pos {
        Pos { x, y }
    }

    /// The square beyond one side, whether or not it is within [`MAX_COORDINATE`].
    pub const fn beside(self, side: Side) -> Pos {
        match side {
            Side::North => Pos::new(self.x, self.y.wrapping_sub(1)),
            Side::East => Pos::new(self.x.wrapping_add(1), self.y),
            Side::South => Pos::new(self.x, self.y.wrapping_add(1)),
            Side::West => Pos::new(self.x.wrapping_sub(1), self.y),
        }
    }

    /// The square `dx` to the east and `dy` to the south.
    pub const fn offset(self, dx: i8, dy: i8) -> Pos {
        Pos::new(self.x.wrapping_add(dx), self.y.wrapping_add(dy))
    }

    /// Whether both coordinates are within [`MAX_COORDINATE`].
    pub const fn is_on_the_table(self) -> bool {
        self.x >= -MAX_COORDINATE
            && self.x <= MAX_COORDINATE
            && self.y >= -MAX_COORDINATE
            && self.y <= MAX_COORDINATE
    }

    /// The eight squares round this one, clockwise from the north.
    pub fn around(self) -> [Pos; 8] {
        AROUND.map(|(dx, dy)| self.offset(dx, dy))
    }

    /// Packs the coordinates into sixteen bits, x in the low byte.
    pub const fn to_bits(self) -> u16 {
        u16::from_le_bytes([self.x as u8, self.y as u8])
    }

    /// The inverse of [`Pos::to_bits`].
    pub const fn from_bits(bits: u16) -> Pos {
        let [x, y] = bits.to_le_bytes();
        Pos::new(x as i8, y as i8)
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// The offsets of the eight squares round a square, clockwise from the north.
pub const AROUND: [(i8, i8); 8] = [
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];

/// One of the four sides of a tile, clockwise from the north.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum Side {
    North,
    East,
    South,
    West,
}

impl Side {
    /// All sides, clockwise from the north.
    pub const ALL: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];

    /// 0 to 3, clockwise from the north.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side with this index modulo 4.
    pub const fn from_index(index: usize) -> Side {
        Side::ALL[index & 3]
    }

    /// The side that faces this one on the next square.
    pub const fn opposite(self) -> Side {
        Side::from_index(self as usize + 2)
    }

    /// Where this side of an unturned tile comes to lie when the tile is turned.
    pub const fn turned(self, rotation: Rotation) -> Side {
        Side::from_index(self as usize + rotation.quarters() as usize)
    }

    /// Which side of the unturned tile lies here when the tile is turned.
    pub const fn turned_back(self, rotation: Rotation) -> Side {
        Side::from_index(self as usize + 4 - rotation.quarters() as usize)
    }

    /// `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Side::North => 'N',
            Side::East => 'E',
            Side::South => 'S',
            Side::West => 'W',
        }
    }
}

/// A clockwise turn of a tile by 0 to 3 quarters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rotation(u8);

impl Rotation {
    /// The four rotations in ascending order.
    pub const ALL: [Rotation; 4] = [Rotation(0), Rotation(1), Rotation(2), Rotation(3)];

    /// A turn by so many quarters, modulo 4.
    pub const fn from_quarters(quarters: u8) -> Rotation {
        Rotation(quarters & 3)
    }

    /// 0 to 3.
    pub const fn quarters(self) -> u8 {
        self.0
    }

    /// 0, 90, 180 or 270.
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * 90
    }
}

impl fmt::Display for Rotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.degrees())
    }
}

/// One of the eight halves of a tile's border, clockwise from the western half of the north side:
/// NL NR EL ER SL SR WL WR.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Half(u8);

impl Half {
    /// The eight halves, clockwise from NL.
    pub const ALL: [Half; 8] = [
        Half(0),
        Half(1),
        Half(2),
        Half(3),
        Half(4),
        Half(5),
        Half(6),
        Half(7),
    ];

    /// The half with this index modulo 8.
    pub const fn from_index(index: usize) -> Half {
        Half((index & 7) as u8)
    }

    /// 0 to 7, clockwise from NL.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The half of the next square that lies against this one: NL faces SR, NR faces SL, EL faces WR, ER faces WL.
    pub const fn opposite(self) -> Half {
        Half(((self.0 + 4) & 7) ^ 1)
    }

    /// The side to which this half belongs.
    pub const fn side(self) -> Side {
        Side::from_index(self.0 as usize / 2)
    }

    /// Where this half of an unturned tile comes to lie when the tile is turned.
    pub const fn turned(self, rotation: Rotation) -> Half {
        Half((self.0 + 2 * rotation.quarters()) & 7)
    }

    /// Which half of the unturned tile lies here when the tile is turned.
    pub const fn turned_back(self, rotation: Rotation) -> Half {
        Half((self.0 + 8 - 2 * rotation.quarters()) & 7)
    }

    /// `NL`, `NR`, and so on.
    pub const fn name(self) -> &'static str {
        ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"][self.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers BA-15: halves that face each other across a side are the ones that touch.
    #[test]
    fn halves_face_each_other() {
        for (a, b) in [("NL", "SR"), ("NR", "SL"), ("EL", "WR"), ("ER", "WL")] {
            let half = |name: &str| Half::ALL.into_iter().find(|h| h.name() == name).unwrap();
            assert_eq!(half(a).opposite(), half(b));
            assert_eq!(half(b).opposite(), half(a));
        }
    }

    #[test]
    fn turning_and_turning_back() {
        for rotation in Rotation::ALL {
            for side in Side::ALL {
                assert_eq!(side.turned(rotation).turned_back(rotation), side);
            }
            for half in Half::ALL {
                assert_eq!(half.turned(rotation).turned_back(rotation), half);
                assert_eq!(half.turned(rotation).side(), half.side().turned(rotation));
            }
        }
    }

    #[test]
    fn positions_pack() {
        for pos in [Pos::new(-100, 100), Pos::new(3, -7), Pos::new(0, 0)] {
            assert_eq!(Pos::from_bits(pos.to_bits()), pos);
        }
    }
}
