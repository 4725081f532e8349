//! Every limit of the server in one place. Each refuses with an error that says which it was; `docs/hosting.md` lists them,
//! and a test keeps that list true.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal;)*) => {
        /// The limits, each with its default; a configuration may change them.
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $name: u64,)*
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $value,)* }
            }
        }

        impl Limits {
            /// The limits by name.
            pub fn by_name(&self) -> BTreeMap<String, u64> {
                BTreeMap::from([$((stringify!($name).replace('_', "-"), self.$name),)*])
            }
        }
    };
}

limits! {
    /// The longest request body or WebSocket message, in bytes.
    message_bytes = 16384;
    /// The longest name of a player, in characters.
    name_chars = 30;
    /// The longest name of a table, in characters.
    table_name_chars = 60;
    /// The longest thing said in a chat, in characters.
    chat_chars = 300;
    /// Things that players can say at a table, and as many that spectators can.
    chat_lines = 500;
    /// Things said by one address in a minute.
    said_per_minute = 30;
    /// Tables that are gathering or playing, made by one address.
    tables_per_address = 50;
    /// Tables that are gathering or playing in all.
    tables = 20000;
    /// Listeners of one table.
    listeners = 500;
    /// Connections that listen, from one address.
    connections_per_address = 200;
    /// Connections that listen, in all.
    connections = 20000;
    /// News that wait for a listener that does not read, before it is dropped.
    waiting_news = 256;
    /// Wishes of one connection in a second.
    wishes_per_second = 100;
    /// Requests from one address in a second.
    requests_per_second = 200;
    /// Requests that make or join tables, from one address in a minute.
    joins_per_minute = 120;
    /// Passphrases tried from one address in a minute.
    logins_per_minute = 10;
    /// Tables that the lobby lists.
    lobby = 200;
    /// Hours that a table waits for its players.
    gathering_hours = 24;
    /// Seconds until a connection has said its hello.
    hello_seconds = 10;
    /// Seconds between two pings of a connection; one that has not answered by the next is closed.
    ping_seconds = 25;
    /// Seconds that a table without listeners stays in memory.
    sleep_seconds = 300;
    /// Seconds between two looks for games, chats and tables that are kept no longer.
    sweep_seconds = 600;
    /// Inputs that are stored in one transaction.
    batch = 256;
}

impl Limits {
    pub(crate) fn hello(&self) -> Duration {
        Duration::from_secs(self.hello_seconds)
    }

    pub(crate) fn ping(&self) -> Duration {
        Duration::from_secs(self.ping_seconds.max(1))
    }

    pub(crate) fn sweep(&self) -> Duration {
        Duration::from_secs(self.sweep_seconds.max(1))
    }

    pub(crate) fn sleep(&self) -> Duration {
        Duration::from_secs(self.sleep_seconds.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_in_the_documents_is_true() {
        let hosting = include_str!("../../../docs/hosting.md");
        let rows = hosting.lines().filter(|line| line.starts_with("| `"));
        let documented: BTreeMap<String, u64> = rows
            .filter_map(|row| {
                let mut cells = row.split('|').map(str::trim).skip(1);
                let name = cells.next()?.trim_matches('`').to_string();
                Some((name, cells.next()?.parse().ok()?))
            })
            .collect();
        assert_eq!(documented, Limits::default().by_name());
    }
}
