//! Every limit of the server in one place. Each refuses with an error that says which it was.

use std::time::Duration;

/// The longest request body or WebSocket message, in bytes.
pub const MESSAGE_BYTES: usize = 16 << 10;
/// The longest name of a player, in characters.
pub const NAME_CHARS: usize = 30;
/// The longest name of a table, in characters.
pub const TABLE_NAME_CHARS: usize = 60;
/// The longest thing said in a chat, in characters.
pub const CHAT_CHARS: usize = 300;
/// Things said that a table keeps.
pub const CHAT_LINES: usize = 500;
/// Tables that are gathering or playing, for one address.
pub const OPEN_TABLES_PER_ADDRESS: usize = 50;
/// Tables that are gathering or playing in all.
pub const OPEN_TABLES: usize = 20_000;
/// Listeners of one table.
pub const LISTENERS: usize = 500;
/// News that wait for a listener that does not read, before it is dropped.
pub const WAITING_NEWS: usize = 256;
/// Wishes of one connection in a second.
pub const WISHES_PER_SECOND: u32 = 500;
/// Requests that make or join tables, from one address in a minute.
pub const JOINS_PER_MINUTE: u32 = 120;
/// Tables that the lobby lists.
pub const LOBBY: usize = 200;
/// How long a table waits for its first player.
pub const GATHERING: Duration = Duration::from_secs(24 * 3600);
/// How often a silent WebSocket is pinged.
pub const PING: Duration = Duration::from_secs(25);
/// Inputs that are stored in one transaction at most.
pub const BATCH: usize = 256;
