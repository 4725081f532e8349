//! What client and server say to each other, as JSON. This is the only crate with wire types; docs/protocol.md says how they
//! are used.
//!
//! A table is made by `POST /api/tables` with a [`NewTable`]; seats are taken by [`Join`]; everything else is a [`Wish`] to
//! a table, and everything that happens comes back as [`News`]: over a WebSocket, or as one JSON object a line.
//! Setups are written as in game files, moves in the move notation.
//!
//! Long: every wire type, each with its documentation.

use serde::{Deserialize, Serialize};

/// The version of the protocol; raised when a client of the version before would not understand.
pub const PROTOCOL: u32 = 1;

// ---- tables ----------------------------------------------------------------------------------------------------------

/// A table to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// What it is called in the lobby; at most 60 characters.
    #[serde(default)]
    pub name: String,
    /// The setup as in game files: `C2; seats 2; with abbot`.
    pub setup: String,
    /// Tiles that players made, each a line of tile text as in game files after `tile`.
    #[serde(default)]
    pub tiles: Vec<String>,
    /// Who may sit where, by seat. The maker takes the first seat that is `Me`.
    pub seats: Vec<NewSeat>,
    /// Whether only people with the link find it.
    #[serde(default)]
    pub private: bool,
    /// Whether others may watch.
    #[serde(default = "yes")]
    pub spectators: bool,
    /// How much time the players have.
    #[serde(default)]
    pub clock: Clock,
    /// What happens when a player leaves, resigns or runs out of time.
    #[serde(default)]
    pub absence: Absence,
    /// The aids that players may use here.
    #[serde(default)]
    pub aids: Aids,
}

fn yes() -> bool {
    true
}

/// A seat of a new table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum NewSeat {
    /// For whoever comes.
    Open,
    /// For whoever has the seat's own link; [`Made::invites`] has its secret.
    Link,
    /// For the maker of the table, under this name. Several are a hot seat: they have one secret.
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
    /// The others wait; the player may come back.
    Wait,
    /// The player's figures stay on the board, and the seat passes from now on.
    Pass,
    /// The game ends here, without a result.
    End,
}

/// Which aids players may use; the file of the game records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Aids {
    /// The tiles that are left.
    pub remaining_tiles: bool,
    /// Squares into which no tile fits any more.
    pub dead_spaces: bool,
    /// The overlay of fields.
    pub fields: bool,
    /// Points that are expected at the end.
    pub projected_points: bool,
    /// Taking choices back.
    pub undo: bool,
}

impl Default for Aids {
    fn default() -> Aids {
        Aids {
            remaining_tiles: true,
            dead_spaces: true,
            fields: true,
            projected_points: true,
            undo: true,
        }
    }
}

impl Aids {
    /// No aids, as in a tournament.
    pub const NONE: Aids = Aids {
        remaining_tiles: false,
        dead_spaces: false,
        fields: false,
        projected_points: false,
        undo: false,
    };

    /// Every aid by its name, and whether it is allowed.
    pub fn named(self) -> [(&'static str, bool); 5] {
        [
            ("remaining-tiles", self.remaining_tiles),
            ("dead-spaces", self.dead_spaces),
            ("fields", self.fields),
            ("projected-points", self.projected_points),
            ("undo", self.undo),
        ]
    }

    /// Allows the aid with a name, or not; false if none has it.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let aid = match name {
            "remaining-tiles" => &mut self.remaining_tiles,
            "dead-spaces" => &mut self.dead_spaces,
            "fields" => &mut self.fields,
            "projected-points" => &mut self.projected_points,
            "undo" => &mut self.undo,
            _ => return false,
        };
        *aid = on;
        true
    }

    /// The aids as files of games note them: `none`, or the names of those that are allowed.
    pub fn to_text(self) -> String {
        let on = self.named().into_iter().filter(|(_, on)| *on);
        let on: Vec<&str> = on.map(|(name, _)| name).collect();
        if on.is_empty() {
            "none".to_string()
        } else {
            on.join(" ")
        }
    }

    /// Reads what [`Aids::to_text`] writes; names that are not known are left out.
    pub fn from_text(text: &str) -> Aids {
        let mut aids = Aids::NONE;
        for name in text.split_whitespace() {
            aids.set(name, true);
        }
        aids
    }
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
    /// The secrets of the seats that are kept for whoever has their link. Whoever joins with it gets a new one.
    #[serde(default)]
    pub invites: Vec<Seated>,
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
    /// The secret of a link to a seat that is kept.
    #[serde(default)]
    pub invite: Option<String>,
}

/// A seat that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seated {
    /// Which, from 1.
    pub seat: u8,
    /// The seat's secret: who has it sits there. It can be moved to another device.
    pub secret: String,
}

/// Somebody brings the secret of a seat or of the host to a browser, which keeps it as a cookie from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Enter {
    /// The secret.
    pub secret: String,
}

/// Whom a secret proves somebody to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entered {
    /// The table; after a rematch the new one.
    pub table: String,
    /// The seats, from 1.
    pub seats: Vec<u8>,
    /// Whether they host the table.
    pub host: bool,
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
    /// Tiles that players made, as in game files.
    #[serde(default)]
    pub tiles: Vec<String>,
    /// How far it is.
    pub stage: Stage,
    /// The seats.
    pub seats: Vec<Seat>,
    /// Whether it is left out of the lobby.
    pub private: bool,
    /// Whether others may watch.
    pub spectators: bool,
    /// How much time the players have.
    pub clock: Clock,
    /// What happens when a player is gone.
    pub absence: Absence,
    /// The aids that players may use.
    pub aids: Aids,
    /// The number of the last entry of the table's log.
    pub seq: u64,
    /// How many inputs the game has.
    pub number: u64,
    /// The seats that are asked now, from 1.
    pub asked: Vec<u8>,
    /// What a player has asked the others for, if it is not answered yet.
    pub question: Option<Question>,
    /// The table where the players play again.
    pub rematch: Option<String>,
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
    /// Whether the seat is kept for whoever has its link.
    pub kept: bool,
    /// Whether a person with an account sits there.
    pub account: bool,
    /// Whether the player is connected now.
    pub here: bool,
    /// Why the player is gone, if they are.
    pub gone: Option<Gone>,
    /// The time left, in milliseconds, when the table has a clock.
    pub left_ms: Option<i64>,
}

/// Why a player is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gone {
    /// They left the table.
    Left,
    /// They gave up.
    Resigned,
    /// Their time ran out.
    Time,
    /// The host removed them.
    Removed,
}

/// What a player asks the others for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Who asks, from 1.
    pub seat: u8,
    /// For what.
    pub what: What,
    /// The seats that have agreed, from 1.
    pub agreed: Vec<u8>,
}

/// What the players can agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The asker's last choice is taken back, with all that came after it.
    TakeBack,
    /// The game ends without a result.
    Abandon,
    /// The same players play again, at a new table.
    Rematch,
}

// ---- at a table ------------------------------------------------------------------------------------------------------

/// The first message of a WebSocket: who is listening, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The client's protocol, if it wants to be refused when the server speaks another.
    #[serde(default)]
    pub protocol: Option<u32>,
    /// The secret of a seat or of the host; none for a spectator. A browser that has the cookie need not say it.
    #[serde(default)]
    pub secret: Option<String>,
    /// The last `seq` that is known: entries after it are told.
    #[serde(default)]
    pub after: u64,
    /// The number of the last thing said that is known: what was said after it is told.
    #[serde(default)]
    pub after_said: u64,
    /// A spectator's name in the chat; at most 30 characters.
    #[serde(default)]
    pub name: Option<String>,
}

/// A wish with a number of the client's own, which comes back in `done` or `refused`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The client's number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// The wish.
    #[serde(flatten)]
    pub wish: Wish,
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
    /// To say something: players to everybody, spectators to spectators only while the game is on.
    Say {
        /// What; at most 300 characters.
        text: String,
    },
    /// To give the seat up for good. While the game is on the table's `absence` says what happens then.
    Leave,
    /// To give the game up: as `leave`, but the file says that the player resigned.
    Resign,
    /// To take the own last choice back: alone while nothing came after it, else by agreement of the other players.
    TakeBack,
    /// To end the game without a result, by agreement of all players.
    Abandon,
    /// To play again at a new table, by agreement of all players. Only after the game.
    Rematch,
    /// To agree to what another player has asked for, or not.
    Answer {
        /// Whether they agree.
        agree: bool,
    },
    /// To hear again what came after an entry. Only over a WebSocket.
    Resync {
        /// The last `seq` that is known.
        after: u64,
        /// The number of the last thing said that is known.
        #[serde(default)]
        after_said: u64,
    },
    /// To call the table something else. Only the host may.
    Rename {
        /// The name; at most 60 characters.
        name: String,
    },
    /// To take a seat away from its player. Only the host may.
    Remove {
        /// Which, from 1.
        seat: u8,
        /// Whether the player may not come back to this table.
        #[serde(default)]
        ban: bool,
    },
    /// To end the table. Only the host may.
    Close,
}

/// A message of the server on one connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// The number of the message on this connection, from 1, without gaps.
    pub n: u64,
    /// The message.
    #[serde(flatten)]
    pub news: News,
}

/// Something that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "news")]
pub enum News {
    /// The first message: who is speaking, and who is spoken to. The entries after `after` follow.
    Hello {
        /// The protocol of the server.
        protocol: u32,
        /// The table.
        table: Table,
        /// The listener's first seat, from 1.
        you: Option<u8>,
        /// All seats of the listener: several at a hot seat.
        seats: Vec<u8>,
        /// Whether the listener hosts the table.
        host: bool,
        /// From where the entries are told: what the client said, or 0 if the server does not know so many.
        after: u64,
        /// From where things said are told: what the client said, or 0 if the server does not know so many.
        #[serde(default)]
        after_said: u64,
    },
    /// The listener has other seats than before: they were freed, given up or taken over, or taken by the listener's account.
    Seated {
        /// The listener's first seat, from 1; none for a spectator.
        you: Option<u8>,
        /// All seats of the listener.
        seats: Vec<u8>,
    },
    /// The table changed: its seats, its stage, its name, a question.
    Table {
        /// The table.
        table: Table,
    },
    /// Players came or went.
    Here {
        /// Whether each seat's player is connected.
        here: Vec<bool>,
        /// How many watch.
        spectators: u32,
    },
    /// An input of the game.
    Input {
        /// The number of the entry in the table's log.
        seq: u64,
        /// The number of the input in the game, from 1, without gaps.
        number: u64,
        /// The input in the move notation.
        input: String,
        /// When, in milliseconds since 1970.
        at: i64,
        /// The hash of the listener's view, where a turn ended.
        hash: Option<String>,
        /// The time left of every seat, in milliseconds, when the table has a clock.
        clocks: Option<Vec<i64>>,
    },
    /// The inputs after a number were taken back.
    TakenBack {
        /// The number of the entry in the table's log.
        seq: u64,
        /// The number of the last input that still holds.
        number: u64,
    },
    /// A player is gone; what the table says happens.
    Gone {
        /// The number of the entry in the table's log.
        seq: u64,
        /// Who, from 1.
        seat: u8,
        /// Why.
        why: Gone,
        /// What happens now.
        then: Absence,
    },
    /// Somebody said something.
    Said {
        /// The number among the things said at the table.
        number: u64,
        /// Who; spectators have no seat.
        seat: Option<u8>,
        /// Under which name.
        name: String,
        /// What.
        text: String,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// A player asks the others for something.
    Asked {
        /// The number of the entry in the table's log.
        seq: u64,
        /// Who, from 1.
        seat: u8,
        /// For what.
        what: What,
    },
    /// What a player asked for was answered.
    Answered {
        /// The number of the entry in the table's log.
        seq: u64,
        /// What it was.
        what: What,
        /// Whether all agreed.
        agreed: bool,
    },
    /// The players play again: the same secrets have the same seats there. A browser fetches its cookie by `follow`.
    Rematch {
        /// The number of the entry in the table's log.
        seq: u64,
        /// The new table.
        table: String,
    },
    /// The wish was carried out, and what it changed is stored. Only for wishes with a number.
    Done {
        /// The client's number of the wish.
        id: u64,
    },
    /// The wish was refused; nothing changed.
    Refused {
        /// The client's number of the wish, if it had one.
        id: Option<u64>,
        /// A word for programs.
        code: String,
        /// A sentence for people.
        why: String,
    },
    /// The connection ends; come again after so many seconds.
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

// ---- the server and accounts -----------------------------------------------------------------------------------------

/// What a server can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The protocol it speaks.
    pub protocol: u32,
    /// The version of the program.
    pub version: String,
    /// The levels of its computer players, weakest first.
    pub levels: Vec<String>,
    /// Whether accounts can be made.
    pub accounts: bool,
    /// Its limits, by name.
    pub limits: std::collections::BTreeMap<String, u64>,
}

/// An account to be made, or to be entered.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The name; 2 to 30 characters.
    pub name: String,
    /// The passphrase; 10 to 200 characters.
    pub passphrase: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// An account that somebody is logged in to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The account's name.
    pub name: String,
    /// The session's secret, for scripts; a browser has it as a cookie.
    pub token: String,
}

/// A table of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MyTable {
    /// The table.
    pub table: Table,
    /// The account's seats, from 1.
    pub seats: Vec<u8>,
}

/// What the operator of a server wants; sent with the server's operator token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "order", deny_unknown_fields)]
pub enum Order {
    /// To call a table something else.
    RenameTable {
        /// The table.
        table: String,
        /// Its new name.
        name: String,
    },
    /// To call a player something else.
    RenameSeat {
        /// The table.
        table: String,
        /// The seat, from 1.
        seat: u8,
        /// Their new name.
        name: String,
    },
    /// To take a seat away from its player.
    RemoveSeat {
        /// The table.
        table: String,
        /// The seat, from 1.
        seat: u8,
    },
    /// To end a table.
    CloseTable {
        /// The table.
        table: String,
    },
    /// To delete a table with its game and chat.
    DeleteTable {
        /// The table.
        table: String,
    },
    /// To delete one thing that was said.
    DeleteSaid {
        /// The table.
        table: String,
        /// Its number.
        number: u64,
    },
    /// To keep an address or an account away. Exactly one of the two is given.
    Ban {
        /// The address.
        #[serde(default)]
        address: Option<String>,
        /// The account's name.
        #[serde(default)]
        account: Option<String>,
        /// For how long; for ever if not said.
        #[serde(default)]
        days: Option<u32>,
        /// Why; they are told.
        #[serde(default)]
        why: String,
    },
    /// To let an address or an account in again.
    Unban {
        /// The address.
        #[serde(default)]
        address: Option<String>,
        /// The account's name.
        #[serde(default)]
        account: Option<String>,
    },
    /// To rename an account.
    RenameAccount {
        /// Its name.
        account: String,
        /// Its new name.
        name: String,
    },
    /// To delete an account with everything it said; its seats keep no name.
    DeleteAccount {
        /// Its name.
        account: String,
    },
}

/// Somebody who is kept away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banned {
    /// `address` or `account`.
    pub kind: String,
    /// Which.
    pub who: String,
    /// Why.
    pub why: String,
    /// Until when, in seconds since 1970; none for ever.
    pub until: Option<i64>,
}
