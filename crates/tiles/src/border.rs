//! The border of a tile: its sides, the halves of the sides, and the points where two halves or two sides meet.
//!
//! North is up in the picture of the tile file. Left and right are as seen from the tile's middle, so that going
//! round clockwise the halves are NL NR EL ER SL SR WL WR.

use std::fmt;

macro_rules! named_places {
    ($(#[$doc:meta])* $name:ident, $(#[$set_doc:meta])* $set:ident, [$($(#[$item_doc:meta])* $item:ident),* $(,)?]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($(#[$item_doc])* $item),* }

        impl $name {
            /// All of them, clockwise.
            pub const ALL: &'static [$name] = &[$($name::$item),*];

            /// The word that tile files use.
            pub const fn word(self) -> &'static str {
                match self { $($name::$item => stringify!($item)),* }
            }

            /// The place with this word, in capitals.
            pub fn from_word(word: &str) -> Option<$name> {
                Self::ALL.iter().copied().find(|place| place.word() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.word())
            }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $set(u8);

        impl $set {
            /// The set without members.
            pub const EMPTY: $set = $set(0);

            /// Adds a member; false if it was there already.
            pub fn insert(&mut self, place: $name) -> bool {
                let is_new = !self.contains(place);
                self.0 |= 1 << place as u8;
                is_new
            }

            /// Whether the place is a member.
            pub const fn contains(self, place: $name) -> bool {
                self.0 >> place as u8 & 1 == 1
            }

            /// How many members there are.
            pub const fn len(self) -> u32 {
                self.0.count_ones()
            }

            /// Whether there is no member.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The members, clockwise.
            pub fn iter(self) -> impl Iterator<Item = $name> {
                $name::ALL.iter().copied().filter(move |place| self.contains(*place))
            }
        }

        impl FromIterator<$name> for $set {
            fn from_iter<I: IntoIterator<Item = $name>>(places: I) -> Self {
                let mut set = $set::EMPTY;
                for place in places {
                    set.insert(place);
                }
                set
            }
        }

        impl fmt::Display for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for (i, place) in self.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    f.write_str(place.word())?;
                }
                Ok(())
            }
        }

        impl fmt::Debug for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{{{self}}}")
            }
        }
    };
}

named_places!(
    /// A side of a tile.
    Side,
    /// A set of sides.
    Sides,
    [
        /// The upper side.
        N,
        /// The right side.
        E,
        /// The lower side.
        S,
        /// The left side.
        W,
    ]
);

named_places!(
    /// A half of a side, which is where fields touch the border.
    Half,
    /// A set of halves.
    Halves,
    [
        /// The west half of the north side.
        NL,
        /// The east half of the north side.
        NR,
        /// The north half of the east side.
        EL,
        /// The south half of the east side.
        ER,
        /// The east half of the south side.
        SL,
        /// The west half of the south side.
        SR,
        /// The south half of the west side.
        WL,
        /// The north half of the west side.
        WR,
    ]
);

named_places!(
    /// A point of the border where two halves meet: a corner, or the middle of a side.
    Point,
    /// A set of points.
    Points,
    [
        /// The middle of the north side.
        N,
        /// The north-east corner.
        NE,
        /// The middle of the east side.
        E,
        /// The south-east corner.
        SE,
        /// The middle of the south side.
        S,
        /// The south-west corner.
        SW,
        /// The middle of the west side.
        W,
        /// The north-west corner.
        NW,
    ]
);

impl Side {
    /// The left and the right half of the side.
    pub const fn halves(self) -> [Half; 2] {
        match self {
            Side::N => [Half::NL, Half::NR],
            Side::E => [Half::EL, Half::ER],
            Side::S => [Half::SL, Half::SR],
            Side::W => [Half::WL, Half::WR],
        }
    }
}

impl Half {
    /// The side it is a half of.
    pub const fn side(self) -> Side {
        match self {
            Half::NL | Half::NR => Side::N,
            Half::EL | Half::ER => Side::E,
            Half::SL | Half::SR => Side::S,
            Half::WL | Half::WR => Side::W,
        }
    }
}

impl Point {
    /// The side it is the middle of, or nothing for a corner.
    pub const fn side(self) -> Option<Side> {
        match self {
            Point::N => Some(Side::N),
            Point::E => Some(Side::E),
            Point::S => Some(Side::S),
            Point::W => Some(Side::W),
            Point::NE | Point::SE | Point::SW | Point::NW => None,
        }
    }
}
