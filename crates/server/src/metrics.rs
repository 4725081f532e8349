//! Figures of the server in the text form of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Instant;

macro_rules! figures {
    ($($kind:ident $name:ident: $type:ty = $doc:literal;)*) => {
        /// The figures.
        #[derive(Debug)]
        pub(crate) struct Metrics {
            began: Instant,
            $(pub(crate) $name: $type,)*
        }

        impl Default for Metrics {
            fn default() -> Metrics {
                Metrics { began: Instant::now(), $($name: <$type>::default(),)* }
            }
        }

        impl Metrics {
            /// All figures as text.
            pub(crate) fn text(&self) -> String {
                let mut out = String::new();
                $({
                    let name = concat!("trencavel_", stringify!($name));
                    let value = self.$name.load(Ordering::Relaxed);
                    let _ = write!(out, "# HELP {name} {}\n# TYPE {name} {}\n{name} {value}\n", $doc, stringify!($kind));
                })*
                let uptime = self.began.elapsed().as_secs();
                let _ = write!(
                    out,
                    "# HELP trencavel_uptime_seconds Seconds since the start.\n# TYPE trencavel_uptime_seconds counter\n\
                     trencavel_uptime_seconds {uptime}\n"
                );
                out
            }
        }
    };
}

figures! {
    gauge tables_awake: AtomicI64 = "Tables in memory.";
    gauge connections: AtomicI64 = "Connections that listen.";
    gauge computers_thinking: AtomicI64 = "Computer players that think now.";
    gauge computers_waiting: AtomicI64 = "Computer players that wait for their turn to think.";
    counter tables_made: AtomicU64 = "Tables made.";
    counter entries_stored: AtomicU64 = "Entries stored, inputs among them.";
    counter inputs_stored: AtomicU64 = "Inputs stored.";
    counter batches_stored: AtomicU64 = "Transactions that stored entries.";
    counter batch_microseconds: AtomicU64 = "Microseconds that these transactions took.";
    counter entries_raced: AtomicU64 = "Entries that another server was faster to store.";
    counter storage_errors: AtomicU64 = "Statements that the storage failed to carry out.";
    counter wishes: AtomicU64 = "Wishes of players and spectators.";
    counter refusals: AtomicU64 = "Wishes and requests that were refused.";
    counter listeners_dropped: AtomicU64 = "Connections closed because they did not read.";
    counter clocks_fired: AtomicU64 = "Players whose time ran out.";
}

/// Counts one more.
pub(crate) fn count(figure: &AtomicU64) {
    figure.fetch_add(1, Ordering::Relaxed);
}

/// A gauge that is one higher as long as this lives.
#[derive(Debug)]
pub(crate) struct Held<'a>(&'a AtomicI64);

/// Raises a gauge for a while.
pub(crate) fn hold(gauge: &AtomicI64) -> Held<'_> {
    gauge.fetch_add(1, Ordering::Relaxed);
    Held(gauge)
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
