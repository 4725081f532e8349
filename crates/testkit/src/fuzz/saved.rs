//! Saved and recorded games of another program as targets.

use std::time::{Duration, Instant};

use trencavel_record::game::Game;
use trencavel_record::jcz;
use trencavel_record::jcz::convert::{Reading, convert};
use trencavel_record::jcz::setup::Strictness;

use super::Target;

/// Files of the format `.jcz`.
pub(super) const SAVED: Target = Target {
    name: "saved game of another program",
    run: fuzz_jcz,
    seeds: || {
        vec![
        br#"{"appVersion":"5.0","setup":{"sets":{"basic:1":1},"elements":{},"rules":{},"start":[]},"players":[{}],"replay":[]}"#.to_vec(),
        include_bytes!("../../../../records/road-and-city.jcz").to_vec(),
        include_bytes!("../../../../records/tower-takes-a-knight.jcz").to_vec(),
        include_bytes!("../../../../records/abbot-comes-back.jcz").to_vec(),
    ]
    },
    words: &[
        "{",
        "}",
        "[",
        "]",
        "\"type\":",
        "\"payload\":",
        "null",
        "-1",
        "1e99",
        "\"replay\":",
        "\"UNDO\"",
        "\"PASS\"",
        "\"COMMIT\"",
        "\"PAY_RANSOM\"",
        "\"RETURN_MEEPLE\"",
        "\"phantom\": 1,",
    ],
};

/// Games with every option after every message.
pub(super) const RECORDED: Target = Target {
    name: "recorded game of another program",
    run: fuzz_recorded,
    seeds: || vec![include_bytes!("../../../../records/two-turns.json").to_vec()],
    words: &[
        "{",
        "}",
        "[",
        "]",
        "null",
        "-1",
        "1e99",
        "\"options\": [\"COMMIT\"]",
        "\"RANSOM 0.small\"",
        "{\"type\": \"PAY_RANSOM\", \"payload\": {\"meepleId\": \"0.small.1\"}}",
        "\"GameOverPhase\"",
        "\"tower:1\": 1, ",
        "\"tower\": 1, ",
        "\"drawn\": [\"BA/L\"],",
    ],
};

/// Bytes as a saved game of another program: it is read and followed, or refused.
pub fn fuzz_jcz(bytes: &[u8]) -> bool {
    let begun = Clock::start();
    let accepted = match jcz::file::JczFile::read(bytes) {
        Ok(file) => {
            for strictness in [Strictness::Strict, Strictness::Lenient] {
                if let Ok(report) = jcz::check::check(&file, strictness) {
                    let _ = report.passes();
                }
                let reading = Reading {
                    strictness,
                    finished: bytes.len().is_multiple_of(2),
                };
                if let Ok(converted) = convert(&file, reading) {
                    let text = converted.game.to_text();
                    let again = Game::read(text.as_bytes()).map(|game| game.to_text());
                    assert_eq!(again, Ok(text));
                    let written = jcz::write::write(&converted.game).text;
                    let read = jcz::file::JczFile::read(written.as_bytes());
                    assert!(read.is_ok(), "{read:?} of what was written: {written}");
                }
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    };
    in_time(begun);
    accepted
}

/// Bytes as a recorded game of another program: it is refused or compared.
pub fn fuzz_recorded(bytes: &[u8]) -> bool {
    let begun = Clock::start();
    let accepted = match jcz::recorded::Recorded::read(bytes) {
        Ok(game) => {
            if let Ok(found) = jcz::compare::compare(&game, "broken", &[]) {
                assert!(found.equal <= found.compared && found.compared <= found.steps);
                assert_eq!(found.compared + found.unreached, found.steps);
                assert!(
                    found
                        .first()
                        .is_none_or(|first| !first.to_string().is_empty())
                );
            }
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    };
    in_time(begun);
    accepted
}

/// A second is enough for any file.
fn in_time(begun: Clock) {
    let took = begun.spent();
    assert!(took < Duration::from_secs(1), "{took:?}");
}

/// What a thread has spent: where the system says it, what it really had of a processor, since the machine may be busy.
struct Clock {
    begun: Instant,
    had: Option<Duration>,
}

impl Clock {
    fn start() -> Clock {
        Clock {
            begun: Instant::now(),
            had: processor_time(),
        }
    }

    fn spent(&self) -> Duration {
        match (self.had, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.begun.elapsed(),
        }
    }
}

/// What this thread has had of a processor, as Linux counts it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
