//! The words that the core and the expansions share: kinds of features and figures, marks, symbols, places, ways, verbs.
//!
//! This file, the order of play (`order.rs`) and the registry are the only ones outside `expansions/` that grow when an
//! expansion is added; each word is one line.

/// Declares an enum of words with a name each, in kebab-case, and the list of all of them.
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$item_meta:meta])* $item:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        $vis enum $name { $($(#[$item_meta])* $item,)* }

        impl $name {
            /// Every word, in the order of declaration.
            pub const ALL: &'static [$name] = &[$($name::$item,)*];

            /// The word's name in files and in the notation.
            pub const fn name(self) -> &'static str {
                match self { $($name::$item => $text,)* }
            }

            /// The word with this name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$item),)* _ => None }
            }

            /// The word's place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The word at this place in [`Self::ALL`].
            pub fn from_index(index: usize) -> Option<$name> {
                Self::ALL.get(index).copied()
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

/// Declares a set of bits with a name each.
macro_rules! bits {
    ($(#[$meta:meta])* $vis:vis struct $name:ident($int:ty) { $($(#[$item_meta:meta])* $item:ident = $bit:literal $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        $vis struct $name(pub(crate) $int);

        impl $name {
            /// No bit.
            pub const NONE: $name = $name(0);
            $($(#[$item_meta])* pub const $item: $name = $name(1 << $bit);)*

            /// Every bit with its name.
            pub const NAMED: &'static [(&'static str, $name)] = &[$(($text, $name::$item),)*];

            /// The bit with this name.
            pub fn from_name(name: &str) -> Option<$name> {
                Self::NAMED.iter().find(|(text, _)| *text == name).map(|(_, bit)| *bit)
            }

            /// Both sets together.
            pub const fn with(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// This set without the other's bits.
            pub const fn without(self, other: $name) -> $name {
                $name(self.0 & !other.0)
            }

            /// Whether every bit of the other is in this set.
            pub const fn has(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }

            /// Whether any bit of the other is in this set.
            pub const fn has_any(self, other: $name) -> bool {
                self.0 & other.0 != 0
            }

            /// Whether there is no bit at all.
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// The bits as an integer.
            pub const fn to_bits(self) -> $int {
                self.0
            }

            /// The set with these bits; unknown ones are kept out.
            pub const fn from_bits(bits: $int) -> $name {
                $name(bits & (0 $(| 1 << $bit)*))
            }
        }
    };
}
pub(crate) use bits;

words! {
    /// What kind of feature a segment belongs to.
    pub enum FeatureKind {
        /// A road; its figures are thieves (highwaymen).
        Road = "road",
        /// A city; its figures are knights.
        City = "city",
        /// A field; its figures are farmers.
        Field = "field",
        /// A river: claims nothing, scores nothing (RI-24).
        River = "river",
        /// A monastery or another monastic building; one tile.
        Monastery = "monastery",
        /// A garden; one tile, for abbots only.
        Garden = "garden",
        /// A hut that scores empty squares; one tile.
        Hut = "hut",
    }
}

impl FeatureKind {
    /// Whether the feature lies inside one tile and is complete when all eight squares round it hold a tile.
    pub const fn is_surrounded(self) -> bool {
        matches!(
            self,
            FeatureKind::Monastery | FeatureKind::Garden | FeatureKind::Hut
        )
    }

    /// Whether open edges decide completeness.
    pub const fn is_built(self) -> bool {
        matches!(self, FeatureKind::Road | FeatureKind::City)
    }
}

bits! {
    /// Marks of a segment; a feature has the marks of all its segments.
    pub struct Marks(u32) {
        /// An inn beside a road.
        INN = 0 "inn",
        /// A cathedral in a city.
        CATHEDRAL = 1 "cathedral",
        /// The princess stands in this city segment.
        PRINCESS = 2 "princess",
        /// A pig herd on a field.
        PIG_HERD = 3 "pig-herd",
        /// Wine in a city.
        WINE = 4 "wine",
        /// Grain in a city.
        GRAIN = 5 "grain",
        /// Cloth in a city.
        CLOTH = 6 "cloth",
        /// The city segment cannot be the base of a castle.
        NO_CASTLE = 7 "no-castle",
        /// The road passes behind a tree that catches figures.
        TREE = 8 "tree",
        /// The road passes through a printed tunnel.
        TUNNEL = 9 "tunnel",
        /// A barn stands in this field (set while the game goes on).
        BARN = 10 "barn",
    }
}

impl Marks {
    /// Marks that play adds and removes, besides the printed ones.
    pub const IN_PLAY: Marks = Marks::BARN;
}

bits! {
    /// Symbols of a whole tile.
    pub struct Symbols(u32) {
        /// The tile fits everywhere and closes what it touches.
        ABBEY = 0 "abbey",
        /// A volcano: the dragon comes here.
        VOLCANO = 1 "volcano",
        /// The dragon walks.
        DRAGON = 2 "dragon",
        /// A magic portal.
        PORTAL = 3 "portal",
        /// A foundation for a tower.
        TOWER = 4 "tower",
        /// A festival place.
        FESTIVAL = 5 "festival",
        /// A lake that catches figures on the eight squares round it.
        LAKE = 6 "lake",
        /// A tree that catches figures on its road.
        TREE = 7 "tree",
        /// Signs in the four quadrants that refer to the diagonal neighbours.
        QUADRANTS = 8 "quadrants",
        /// A spring: the river begins.
        SPRING = 9 "spring",
        /// The river ends.
        RIVER_END = 10 "river-end",
        /// The river forks.
        FORK = 11 "fork",
    }
}

words! {
    /// The kinds of figures that belong to a player.
    pub enum Kind {
        /// The ordinary follower.
        Normal = "follower",
        /// The large follower, strength 2.
        Large = "large",
        /// The phantom, which may be placed as a second figure.
        Phantom = "phantom",
        /// The abbot.
        Abbot = "abbot",
        /// The wagon.
        Wagon = "wagon",
        /// The mayor.
        Mayor = "mayor",
        /// The builder.
        Builder = "builder",
        /// The pig.
        Pig = "pig",
        /// The barn.
        Barn = "barn",
    }
}

/// How many kinds of figures there are.
pub const KINDS: usize = Kind::ALL.len();

words! {
    /// Where a figure can be, besides a supply.
    pub enum Place {
        /// On a segment; the number is the segment.
        Segment = "segment",
        /// On the corner where four tiles meet; the number is the square to the south-east of it.
        Corner = "corner",
        /// On top of a tower; the number is the tile.
        TowerTop = "tower",
        /// Caught by a trap; the number is the trap's tile.
        Trap = "trap",
        /// A prisoner; the number is the seat that holds it.
        Prison = "prison",
    }
}

/// What the number of a spot names, by the sort of place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A segment on the board.
    Segment,
    /// A tile on the board.
    Tile,
    /// A corner: the bits of the square to the south-east of it.
    Corner,
    /// A seat.
    Seat,
}

impl Place {
    /// What the number of a spot there names.
    pub const fn names(self) -> Named {
        match self {
            Place::Segment => Named::Segment,
            Place::TowerTop | Place::Trap => Named::Tile,
            Place::Corner => Named::Corner,
            Place::Prison => Named::Seat,
        }
    }

    /// Whether a figure there is on a tile, which the number of the spot names directly or through a segment.
    pub const fn is_on_a_tile(self) -> bool {
        match self {
            Place::Segment | Place::TowerTop | Place::Trap => true,
            Place::Corner | Place::Prison => false,
        }
    }
}

words! {
    /// How a figure comes to where it stands.
    pub enum Way {
        /// Placed on the tile just laid.
        Own = "own",
        /// Through a magic portal.
        Portal = "portal",
        /// Through a quadrant, onto a diagonal neighbour.
        Diagonal = "diagonal",
        /// Put on a tower.
        Tower = "tower",
        /// A wagon moving on after scoring.
        Wagon = "wagon",
        /// Moved by a trap.
        Trap = "trap",
        /// Taken prisoner.
        Capture = "capture",
        /// Placed at a corner.
        Corner = "corner",
    }
}

words! {
    /// Why a figure leaves where it stands.
    pub enum Why {
        /// Its feature was scored.
        Scored = "scored",
        /// Its owner took it back and scored it.
        Recalled = "recalled",
        /// Its owner took it back from a trap.
        Released = "released",
        /// Its owner took it back by a festival.
        Festival = "festival",
        /// The dragon ate it.
        Eaten = "eaten",
        /// A princess sent it away.
        Seduced = "seduced",
        /// A trap caught it.
        Trapped = "trapped",
        /// A tower took it.
        Captured = "captured",
        /// Its owner paid for it.
        Ransomed = "ransomed",
        /// It was exchanged for another prisoner.
        Exchanged = "exchanged",
        /// No follower of its owner is left on its feature.
        Unsupported = "unsupported",
    }
}

words! {
    /// What a choice does. Targets: see [`crate::Target`].
    pub enum Verb {
        /// Lay the drawn tile: a square and a rotation.
        Lay = "lay",
        /// Do nothing more in this step.
        Pass = "pass",
        /// Put a figure from the supply on a segment of the tile just laid.
        Deploy = "deploy",
        /// Put a figure through a magic portal: a segment.
        Portal = "portal",
        /// Put a figure on a diagonal neighbour: a segment.
        Diagonal = "diagonal",
        /// Take an own figure back and score it: a figure.
        Recall = "recall",
        /// Take an own figure back by a festival: a figure.
        Festival = "festival",
        /// Take an own figure back from a trap: a figure.
        Release = "release",
        /// Move the fairy: a figure or a tile.
        Fairy = "fairy",
        /// Let the princess send a knight away: a figure.
        Seduce = "seduce",
        /// Move the dragon one step: a tile.
        Dragon = "dragon",
        /// Add a piece to a tower: a tile.
        TowerPiece = "piece",
        /// Take a follower prisoner: a figure.
        Capture = "capture",
        /// Put a follower on a tower: a tile.
        TowerTop = "top",
        /// Buy a prisoner back: a figure.
        Ransom = "ransom",
        /// Take this prisoner back in an exchange: a figure.
        Exchange = "exchange",
        /// Lay the own abbey: a square and a rotation.
        Abbey = "abbey",
        /// Place a barn: a corner.
        Barn = "barn",
        /// Move a wagon after scoring: a segment.
        Wagon = "wagon",
        /// Play the second part of a double turn.
        Continue = "continue",
    }
}

words! {
    /// The moment of an event of the bag: what nature decides.
    pub enum Nature {
        /// A tile is drawn.
        Draw = "draw",
    }
}

words! {
    /// The printed editions that differ in rules.
    pub enum Edition {
        /// First edition artwork and rules, from 2001.
        C1 = "C1",
        /// The redesign of 2014.
        C2 = "C2",
        /// The redesign of 2021.
        C3 = "C3",
    }
}

words! {
    /// Figures that belong to nobody.
    pub enum Neutral {
        /// The dragon.
        Dragon = "dragon",
        /// The fairy.
        Fairy = "fairy",
    }
}

words! {
    /// Things a player has that are not figures.
    pub enum Token {
        /// A wine token.
        Wine = "wine",
        /// A grain token.
        Grain = "grain",
        /// A cloth token.
        Cloth = "cloth",
        /// A piece of a tower.
        TowerPiece = "tower-piece",
        /// An abbey tile.
        Abbey = "abbey",
    }
}

bits! {
    /// What was used up in a turn. Those of [`Used::WHOLE_TURN`] last for both parts of a double turn, the others for one.
    pub struct Used(u16) {
        /// The first figure step.
        FIRST = 0 "first",
        /// Both figure steps, by an effect that skips them.
        SKIPPED = 1 "skipped",
        /// The figure that may come second was placed: nothing follows it.
        PHANTOM = 2 "phantom",
        /// The tile's portal.
        PORTAL = 3 "portal",
        /// A figure was placed on the tile just laid.
        ON_TILE = 4 "on-tile",
        /// A figure was placed through a quadrant.
        DIAGONAL = 5 "diagonal",
        /// A double turn is due.
        SECOND_DUE = 6 "second-due",
        /// The tile was laid from the own supply.
        OWN_TILE = 7 "own-tile",
        /// The ransom.
        RANSOM = 8 "ransom",
        /// The end of the game was reached; this is a last turn.
        LAST_TURN = 9 "last-turn",
        /// The double turn that is due may be declined.
        MAY_DECLINE = 10 "may-decline",
    }
}

impl Used {
    /// What lasts for a whole turn, second part included.
    pub const WHOLE_TURN: Used = Used::RANSOM.with(Used::LAST_TURN);
}
