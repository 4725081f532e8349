//! What client and server say to each other, as JSON. This is the only crate with wire types.
//!
//! A table is made by `POST /api/tables` with a [`NewTable`]; seats are taken by [`Join`]; everything else is a [`Wish`] to
//! a table, and everything that happens comes back as [`News`]: over a WebSocket, or as one JSON object a line.
//! Setups are written as in game files, moves in the move notation.

use serde::{Deserialize, Serialize};

/// The version of the protocol; raised when a client of the version before would not understand.
pub const PROTOCOL: u32 = 1;

/// A table to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// What it is called in the lobby; at most 60 characters.
    #[serde(default)]
    pub name: String,
    /// The setup as in game files: `C2; seats 2; with abbot`.
    pub setup: String,
    /// Who may sit where, by seat. The maker takes the first seat that is `Me`.
    pub seats: Vec<NewSeat>,
    /// Whether only people with the link find it.
    #[serde(default)]
    pub private: bool,
    /// How much time the players have.
    #[serde(default)]
    pub clock: Clock,
    /// What happens when a player leaves, resigns or runs out of time.
    #[serde(default)]
    pub absence: Absence,
}

/// A seat of a new table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NewSeat {
    /// For whoever comes.
    Open,
    /// For the maker of the table, under this name.
    Me {
        /// The name; at most 30 characters.
        name: String,
    },
    /// For a computer player of this level.
    Computer {
        /// The level's name.
        level: String,
    },
}

/// How much time a player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Clock {
    /// As much as they like.
    #[default]
    None,
    /// So many seconds at the start, and so many more for each decision.
    Fischer {
        /// At the start, in seconds.
        seconds: u32,
        /// For each decision, in seconds.
        increment: u32,
    },
    /// So many days for each decision.
    Days {
        /// Days.
        days: u32,
    },
}

/// What happens when a player leaves, resigns or runs out of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Absence {
    /// A computer player takes the seat over.
    #[default]
    Computer,
    /// The others wait.
    Wait,
    /// The game ends here, without a result.
    End,
}

/// What the maker of a table gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The table's id.
    pub table: String,
    /// The maker's secret: it proves who hosts the table. Never to be shown to anybody.
    pub host: String,
    /// The maker's seat and its secret, if they took one.
    pub seat: Option<Seated>,
}

/// Somebody wants a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// Under this name; at most 30 characters.
    pub name: String,
    /// Which seat, from 1; the first open one if not said.
    #[serde(default)]
    pub seat: Option<u8>,
}

/// A seat that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seated {
    /// Which, from 1.
    pub seat: u8,
    /// The seat's secret: who has it sits there. It can be moved to another device.
    pub secret: String,
}

/// The first message of a WebSocket: who is listening, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The secret of a seat; none for a spectator. A browser that has the seat's cookie need not say it.
    #[serde(default)]
    pub secret: Option<String>,
    /// The last number that is known: inputs after it are told.
    #[serde(default)]
    pub after: u64,
}

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Seats are being taken.
    Gathering,
    /// The game is on.
    Playing,
    /// The game is over.
    Over,
    /// It was ended without a result.
    Abandoned,
}

/// What everybody may know about a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The setup.
    pub setup: String,
    /// How far it is.
    pub stage: Stage,
    /// The seats.
    pub seats: Vec<Seat>,
    /// Whether it is left out of the lobby.
    pub private: bool,
    /// How much time the players have.
    pub clock: Clock,
    /// What happens when a player is gone.
    pub absence: Absence,
    /// How many inputs the game has.
    pub number: u64,
    /// The SHA-256 of the dealer's seed, in hexadecimal digits.
    pub dealer_hash: String,
    /// The dealer's seed, once the game is over.
    pub dealer_seed: Option<String>,
    /// When it was made, in seconds since 1970.
    pub made: i64,
}

/// What everybody may know about a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// Who sits there; none while it is open.
    pub name: Option<String>,
    /// The level, if a computer player sits there.
    pub computer: Option<String>,
    /// Whether the player is connected now.
    pub here: bool,
    /// The time left, in milliseconds, when the table has a clock.
    pub left_ms: Option<i64>,
}

/// What somebody at a table wants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "wish")]
pub enum Wish {
    /// To begin the game. Only the host may.
    Start,
    /// To choose.
    Choose {
        /// The number that the input shall have: one more than there are. A choice for another moment is refused.
        number: u64,
        /// The choice in the move notation.
        choice: String,
    },
    /// To say something: players to players and spectators, spectators to spectators.
    Say {
        /// What; at most 300 characters.
        text: String,
    },
    /// To give the seat up for good.
    Leave,
    /// To take the own last choice back: alone while nothing came after it, else by agreement of the other players.
    TakeBack,
    /// To end the game without a result, by agreement of all players.
    Abandon,
    /// To agree to what another player has asked for, or not.
    Answer {
        /// Whether they agree.
        agree: bool,
    },
    /// To hear again what came after a number.
    Resync {
        /// The last number that is known.
        after: u64,
    },
    /// To take a player's seat away, or to end the table. Only the host may.
    Close,
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "news")]
pub enum News {
    /// The first message: who is speaking, and who is spoken to.
    Hello {
        /// The protocol of the server.
        protocol: u32,
        /// The table.
        table: Table,
        /// The listener's seat, from 1.
        you: Option<u8>,
    },
    /// The table changed: seats, stage, clocks.
    Table {
        /// The table.
        table: Table,
    },
    /// An input of the game.
    Input {
        /// Its number, from 1, without gaps.
        number: u64,
        /// The input in the move notation.
        input: String,
        /// The hash of the listener's view, where a turn ended.
        hash: Option<String>,
    },
    /// The inputs after this number were taken back.
    TakenBack {
        /// The last number that still holds.
        number: u64,
    },
    /// Somebody said something.
    Said {
        /// Who; spectators have no seat.
        seat: Option<u8>,
        /// What.
        text: String,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// A player asks the others for something.
    Asked {
        /// Who.
        seat: u8,
        /// For what: `take-back` or `abandon`.
        what: String,
    },
    /// What a player asked for was answered.
    Answered {
        /// Whether all agreed.
        agreed: bool,
    },
    /// The wish was refused; nothing changed.
    Refused {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        why: String,
    },
    /// The server goes down and will be back: come again after so many seconds.
    Bye {
        /// Seconds.
        seconds: u32,
    },
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub why: String,
}
