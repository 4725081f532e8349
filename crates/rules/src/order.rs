//! The order of play, in one list: every step of a turn and of the end of the game, those that ask and those that just
//! happen. Linking a setup keeps the steps that somebody uses. The rule book's counterpart is `docs/rules/order-of-play.md`.

use crate::clause::{self, Clause};

/// Declares the steps in their order, each with its clause and a name.
macro_rules! steps {
    ($($(#[$meta:meta])* $name:ident = $text:literal, $clause:expr;)*) => {
        /// A step of the order of play. Declaration order is the order in which they come.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Step { $($(#[$meta])* $name,)* }

        impl Step {
            /// All steps in order.
            pub const ALL: &'static [Step] = &[$(Step::$name,)*];

            /// The step's name.
            pub const fn name(self) -> &'static str {
                match self { $(Step::$name => $text,)* }
            }

            /// The clause that places the step in the order of play.
            pub const fn clause(self) -> Clause {
                match self { $(Step::$name => $clause,)* }
            }
        }
    };
}

steps! {
    /// 1A: the fairy's point, once per turn.
    FairyPoint = "fairy-point", clause::OP_12;
    /// 1B: a tile from the own supply instead of a draw.
    OwnTile = "own-tile", clause::OP_17;
    /// 1B: a tile that was set aside in an earlier turn is tried again.
    SetAside = "set-aside", clause::RI_15;
    /// 1B: a tile is drawn.
    Draw = "draw", clause::OP_18;
    /// 1B: a drawn tile that fits nowhere goes out, and 1B begins again.
    Fit = "fit", clause::OP_19;
    /// 1C: the tile is laid; segments join; what is finished now counts as complete.
    Lay = "lay", clause::OP_26;
    /// 1C: a builder whose feature was extended earns a second part.
    DoubleTurn = "double-turn", clause::OP_28;
    /// 1C: traps, after the tile.
    TileTrap = "tile-trap", clause::OP_29;
    /// 1C: the dragon comes to a volcano.
    Volcano = "volcano", clause::OP_30;
    /// 1C: a princess may send a knight away.
    Princess = "princess", clause::OP_36;
    /// 2B-1: one figure is placed, or one action replaces it.
    MoveWood = "move-wood", clause::OP_45;
    /// 2B-2: the phantom.
    Second = "second", clause::OP_66;
    /// 2C: the dragon walks, before scoring.
    DragonBefore = "dragon-before-scoring", clause::OP_75;
    /// 3B: the completed features are scored.
    Score = "score", clause::OP_77;
    /// 3B: fields that a barn made to be scored.
    BarnFields = "barn-fields", clause::OP_79;
    /// 3B: scored figures go home.
    Return = "return", clause::OP_80;
    /// 3C: scored wagons move on.
    Wagons = "wagons", clause::OP_81;
    /// 3C: the dragon walks, after scoring.
    DragonAfter = "dragon-after-scoring", clause::OP_84;
    /// 4B: a second part may be declined.
    AskSecondPart = "ask-second-part", clause::TB_38;
    /// 4B: a second part begins at 1B.
    SecondPart = "second-part", clause::OP_87;
    /// 4E: the next player's turn, or the end of the game.
    TurnEnd = "turn-end", clause::OP_90;
    /// End: abbeys still in supply.
    LastAbbeys = "last-abbeys", clause::OP_96;
    /// End: incomplete features.
    FinalFeatures = "final-features", clause::OP_98;
    /// End: fields with barns, before the others.
    FinalBarns = "final-barns", clause::OP_99;
    /// End: fields.
    FinalFields = "final-fields", clause::OP_99;
    /// End: trade goods and other things.
    FinalThings = "final-things", clause::OP_100;
    /// End: negative points.
    Penalties = "penalties", clause::OP_101;
    /// End: the winners.
    Over = "over", clause::OP_104;
}

/// The order in which traps and support are settled after an event (OP-91, RP-121 to RP-124).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    /// First the lake.
    Lake,
    /// Then the tree.
    Tree,
    /// Then from the tree to the lake.
    TreeToLake,
    /// Then companions without a follower go home.
    Support,
}
