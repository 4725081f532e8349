//! Files that are cut off, mangled or made to hurt: an error within a second, in bounded memory, never a panic.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use trencavel_record::game::Game;
use trencavel_record::jcz::check::check;
use trencavel_record::jcz::compare::compare;
use trencavel_record::jcz::convert::{Reading, convert};
use trencavel_record::jcz::file::JczFile;
use trencavel_record::jcz::recorded::Recorded;
use trencavel_record::jcz::setup::{Strictness, with_profile};
use trencavel_record::jcz::write::write;
use trencavel_rules::{Chance, Edition, Ext, Input, Moves, Rules, Setup, Waiting};

/// What a thread has spent: where the system says it, what it really had of a processor, since the machine may be busy.
struct Clock(Instant, Option<Duration>);

impl Clock {
    fn now() -> Clock {
        Clock(Instant::now(), processor_time())
    }

    fn elapsed(&self) -> Duration {
        match (self.1, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.0.elapsed(),
        }
    }
}

/// What this thread has had of a processor, as Linux counts it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// A whole game with everything, in both formats.
fn sample() -> (String, String) {
    let mut setup = Setup::new(Edition::C2, 3);
    for ext in Ext::ALL
        .iter()
        .skip(1)
        .filter(|ext| **ext != Ext::HungarianPromo)
    {
        setup = setup.with(ext.expansion().slug);
    }
    let rules = Arc::new(Rules::new(&with_profile(setup)).unwrap());
    let mut game = Game::new(rules.clone(), vec!["Ann".into(), "Bo".into(), "Cy".into()]);
    let mut dice = Dice(3);
    let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
    loop {
        let state = game.history.state();
        let input = match state.waiting() {
            Waiting::Over => break,
            Waiting::Chance(_) => {
                rules.outcomes(state, &mut outcomes);
                Input::Chance(outcomes[dice.below(outcomes.len())].0)
            }
            Waiting::Seats(seats) => {
                rules.legal(state, &mut moves);
                Input::Choice(seats.iter().next().unwrap(), moves[dice.below(moves.len())])
            }
        };
        game.history.apply(input, &mut ()).unwrap();
    }
    (write(&game).text, game.to_text())
}

/// Reads bytes in every way that bytes are read; only the time is checked, whatever comes of it.
fn try_all(bytes: &[u8]) {
    let begun = Clock::now();
    if let Ok(file) = JczFile::read(bytes) {
        let _ = convert(&file, Reading::default());
    }
    if let Ok(game) = Recorded::read(bytes) {
        let _ = compare(&game, "", &[]);
    }
    let _ = Game::read(bytes);
    let took = begun.elapsed();
    assert!(
        took < Duration::from_secs(1),
        "{took:?} for {} bytes",
        bytes.len()
    );
}

#[test]
fn files_that_are_cut_off() {
    let (jcz, game) = sample();
    for text in [&jcz, &game] {
        let mut cut = 0;
        while cut < text.len() {
            try_all(text.as_bytes().get(..cut).unwrap());
            // Every place near the ends, and many between.
            cut += if cut < 300 || cut + 300 > text.len() {
                1
            } else {
                211
            };
        }
    }
}

#[test]
fn files_that_are_mangled() {
    let (jcz, game) = sample();
    let mut dice = Dice(17);
    for text in [&jcz, &game] {
        for _ in 0..150 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=dice.below(4) {
                let i = dice.below(bytes.len());
                match dice.below(4) {
                    0 => bytes[i] = dice.below(256) as u8,
                    1 => drop(bytes.remove(i)),
                    2 => bytes.insert(i, b"0123456789,:{}[]\"-eE.\\"[dice.below(22)]),
                    _ => {
                        let (a, b) = (i, (i + dice.below(40)).min(bytes.len()));
                        let part = bytes[a..b].to_vec();
                        let at = dice.below(bytes.len());
                        bytes.splice(at..at, part);
                    }
                }
            }
            try_all(&bytes);
        }
    }
}

#[test]
fn random_bytes() {
    let mut dice = Dice(5);
    for _ in 0..300 {
        let n = dice.below(2000);
        let bytes: Vec<u8> = (0..n).map(|_| dice.below(256) as u8).collect();
        try_all(&bytes);
        let mut packed = vec![0x1f, 0x8b, 8, 0];
        packed.extend(&bytes);
        try_all(&packed);
    }
}

#[test]
fn values_of_wrong_types_and_sizes() {
    let (jcz, _) = sample();
    let hostile = [
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "-1",
        "1e308",
        "1e999",
        "99999999999999999999999",
        "0.5",
        "\"\\u0000\"",
        "[[],[]]",
        "[1e9, -1e9]",
        "\"0.small.999\"",
        "\"9.small.1\"",
        "\"x\"",
    ];
    let keys = [
        "appVersion",
        "setup",
        "sets",
        "elements",
        "rules",
        "start",
        "tile",
        "x",
        "y",
        "rotation",
        "players",
        "name",
        "replay",
        "type",
        "payload",
        "player",
        "tileId",
        "position",
        "pointer",
        "location",
        "feature",
        "meepleId",
        "source",
        "token",
        "figureId",
        "to",
        "gameAnnotations",
        "drawOrder",
    ];
    for key in keys {
        let quoted = format!("\"{key}\": ");
        let Some(at) = jcz.find(&quoted) else {
            continue;
        };
        for value in hostile {
            // The old value stays behind, under a key that nobody reads.
            let mut text = jcz.clone();
            text.insert_str(at + quoted.len(), &format!("{value}, \"unread\": "));
            try_all(text.as_bytes());
        }
    }
}

#[test]
fn deep_nesting_and_great_size() {
    let within_a_second = |bytes: &[u8]| {
        let begun = Clock::now();
        assert!(JczFile::read(bytes).is_err());
        assert!(Recorded::read(bytes).is_err());
        assert!(Game::read(bytes).is_err());
        assert!(
            begun.elapsed() < Duration::from_secs(1),
            "{:?}",
            begun.elapsed()
        );
    };
    within_a_second("[".repeat(100_000).as_bytes());
    within_a_second("{\"a\":".repeat(100_000).as_bytes());
    within_a_second(&vec![b' '; 100 << 20]);
    within_a_second(&vec![b'['; 100 << 20]);
    within_a_second(&vec![b'9'; 3 << 20]);
    within_a_second(format!("[{}]", "0,".repeat(1 << 20)).as_bytes());
    within_a_second(format!("{{{}}}", "\"a\":0,".repeat(1 << 18)).as_bytes());
    within_a_second(format!("\"{}\"", "\\n".repeat(1 << 20)).as_bytes());
    // A small packed file that would be great when unpacked.
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..100 {
        packer.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = packer.finish().unwrap();
    let begun = Clock::now();
    assert!(Recorded::read(&bomb).is_err());
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
}

/// The time that something takes.
fn time_of(what: impl FnOnce()) -> Duration {
    let begun = Clock::now();
    what();
    begun.elapsed()
}

/// A file of the format with these parts.
fn jcz(replay: &str, order: &str, sentences: &str) -> Vec<u8> {
    format!(
        "{{\"appVersion\": \"6.2.0\", \"setup\": {{\"sets\": {{\"basic:1\": 1}}, \"elements\": {{\"small-follower\": 7}}}},
         \"players\": [{{\"name\": \"Ann\"}}, {{\"name\": \"Bob\"}}], \"replay\": [{replay}],
         \"gameAnnotations\": {{{order}}}, \"test\": {{\"assertions\": [{sentences}]}}}}"
    )
    .into_bytes()
}

/// Files that are well-formed and as much work as their limits allow.
#[test]
fn files_that_are_as_much_work_as_can_be() {
    let lay = r#"{"type": "PLACE_TILE", "payload": {"tileId": "BA/L", "rotation": "R0", "position": [0, 1]}}"#;
    let pair = format!("{lay}, {{\"type\": \"UNDO\"}}");
    let long = vec![pair; 5_000].join(", ");
    let ids: Vec<String> = (0..5_000).map(|i| format!("\"X/{i}\"")).collect();
    let order = format!("\"drawOrder\": [{}], \"endTurn\": 5000", ids.join(", "));
    let sentence = format!(
        "\"TilePlacement BA/L options: {}\"",
        "[0,1] - [0,90,180,270]; ".repeat(50)
    );
    let sentences = vec![sentence; 1_000].join(", ");
    for (name, bytes) in [
        ("messages", jcz(&long, "", "")),
        ("draws", jcz(lay, &order, "")),
        ("sentences", jcz(lay, "", &sentences)),
        ("sets", {
            let all: Vec<String> = trencavel_record::jcz::setup::SETS
                .iter()
                .flat_map(|(set, _)| {
                    [
                        format!("\"{set}\": 50"),
                        format!("\"{set}:1\": 50"),
                        format!("\"{set}:2\": 50"),
                    ]
                })
                .collect();
            let text = String::from_utf8(jcz(lay, "", "")).unwrap();
            text.replace("\"basic:1\": 1", &all.join(", ")).into_bytes()
        }),
    ] {
        let took = time_of(|| {
            let file = JczFile::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
            for strictness in [Strictness::Strict, Strictness::Lenient] {
                let _ = check(&file, strictness);
            }
        });
        println!("{name}: {} bytes, {took:?}", bytes.len());
        assert!(took < Duration::from_secs(1), "{name}: {took:?}");
    }
}

/// One more than a limit allows is refused, naming it.
#[test]
fn limits_are_named() {
    let lay = r#"{"type": "PASS"}"#;
    let messages = jcz(&vec![lay; 10_001].join(","), "", "");
    let order = format!("\"drawOrder\": [{}]", vec!["\"BA/L\""; 5_001].join(","));
    let sentences = vec!["\"Ann has 0 points\""; 1_001].join(",");
    for (bytes, says) in [
        (messages, "more than 10000 messages"),
        (
            jcz("", &order, ""),
            "more than 5000 tiles in the order of draws",
        ),
        (jcz("", "", &sentences), "more than 1000 sentences"),
    ] {
        let error = JczFile::read(&bytes).unwrap_err().to_string();
        assert!(error.ends_with(says), "{error}");
    }
    let recorded = |steps: String| {
        let text = format!("{{\"setup\": {{}}, \"players\": 2, \"steps\": [{steps}]}}");
        Recorded::read(text.as_bytes()).unwrap_err().to_string()
    };
    let step = r#"{"phase": "TilePhase", "options": []}"#;
    assert!(recorded(vec![step; 10_001].join(",")).ends_with("more than 10000 steps"));
    let options = vec!["\"PASS\""; 5_001].join(",");
    let wide = step.replace("[]", &format!("[{options}]"));
    assert!(recorded(wide).ends_with("more than 5000 options of a step"));
}

/// A recorded game in which every step differs in as many options as it may have.
#[test]
fn recorded_games_that_differ_everywhere() {
    let text = include_str!("../../../records/two-turns.json");
    let end = text.find("\"steps\": [").unwrap() + "\"steps\": [".len();
    for (n, m) in [(10_000, 20), (80, 5_000)] {
        let options: Vec<String> = (0..m)
            .map(|i| format!("\"TILE BA/L {},{} R0\"", i % 99, i / 99))
            .collect();
        let step = format!(
            "{{\"phase\": \"TilePhase\", \"active\": 0, \"scores\": [0, 0], \"tile\": \"BA/L\", \"drawn\": [\"BA/L\"], \"options\": [{}]}}",
            options.join(",")
        );
        let game = format!("{}{}]}}", &text[..end], vec![step; n].join(","));
        let read = Recorded::read(game.as_bytes()).unwrap();
        let took = time_of(|| {
            let found = compare(&read, "", &[]).unwrap();
            assert_eq!(found.compared, n);
        });
        println!("{n} steps with {m} options: {} bytes, {took:?}", game.len());
        assert!(took < Duration::from_secs(1), "{took:?}");
    }
}
