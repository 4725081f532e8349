//! What is fed with broken bytes.

use std::sync::OnceLock;

use trencavel_record::game::Game;
use trencavel_record::notation::{
    choice_text, input_text, parse_chance, parse_choice, parse_input, parse_piece, parse_spot,
    piece_text, spot_text,
};
use trencavel_record::setup_text::{parse_setup, setup_text};
use trencavel_rules::{
    Choice, Edition, Ext, Input, Moves, Pos, Rotation, Rules, Seat, Setup, StartTile, State, TILES,
    Values, Waiting,
};
use trencavel_tiles::TileFile;

use super::Target;
use super::saved::{RECORDED, SAVED};
use crate::play::random_setup;
use crate::random::Random;
use crate::referee::{any_input, mutated};
use crate::scenario;

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "setup",
        run: fuzz_setup,
        seeds: || (0..20).map(random_bytes).collect(),
        words: &[],
    },
    Target {
        name: "tile file",
        run: fuzz_tile_file,
        seeds: tile_files,
        words: &[
            "[[tile]]",
            "segments = [",
            "city N",
            "road E W",
            "field inner",
            "| touches N",
            "id = ",
            "pennant 9",
            "link a",
            "999999",
            "[set.tiles]",
            "\"",
            "over",
            "to SE",
            "limit = -1",
        ],
    },
    Target {
        name: "snapshot",
        run: fuzz_snapshot,
        seeds: snapshots,
        words: &["\0\0\0\0", "\u{1}\0", "\0\u{7f}"],
    },
    Target {
        name: "inputs",
        run: fuzz_inputs,
        seeds: || (0..10).map(random_bytes).collect(),
        words: &[],
    },
    Target {
        name: "notation",
        run: fuzz_notation,
        seeds: || {
            NOTATION
                .iter()
                .map(|text| text.as_bytes().to_vec())
                .collect()
        },
        words: &[
            "lay ",
            "deploy ",
            "follower",
            "/1",
            "/9",
            "@0,0",
            "@-128,127",
            "r90",
            "corner@",
            "prison/",
            "tower@",
            "trap@",
            "road.W",
            "field.I2",
            "256",
            "seat/",
            "1: ",
            "draw ",
            "chance ",
            ",",
        ],
    },
    Target {
        name: "scenario",
        run: fuzz_scenario,
        seeds: || {
            SCENARIOS
                .iter()
                .map(|text| text.as_bytes().to_vec())
                .collect()
        },
        words: &[
            "\nlay BA/RFr 1,0 r0",
            "\nexpect ",
            "\nend",
            "\nskip 3",
            "\noption a=b => ",
            "·",
            ";",
            "setup ",
            "seats 9",
            "with phantom",
            "legal ",
            "illegal ",
            "event ",
            "\nplace ",
            "\nfigure ",
            "\ntokens 1 wine 3",
            "\nneutral dragon 0,0",
            "\nbag full",
            "*255",
            "2: ",
            "draw BA/L",
            "choices ",
            "feature road.W",
        ],
    },
    Target {
        name: "game file",
        run: fuzz_game_file,
        seeds: game_files,
        words: &[
            "trencavel game 1",
            "\n",
            "1: pass\n",
            "draw BA/L\n",
            "setup",
            "end",
            "seats 8",
        ],
    },
    SAVED,
    RECORDED,
];

fn random_bytes(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    (0..64).map(|_| random.bits() as u8).collect()
}

/// Numbers read from bytes: 0 when they are at their end.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(*first)
    }

    fn below(&mut self, n: usize) -> usize {
        let value = self.next() * 256 + self.next();
        if n == 0 { 0 } else { value % n }
    }
}

/// The rules of a base game and of a game with everything.
fn two_rules() -> &'static [Rules; 2] {
    static RULES: OnceLock<[Rules; 2]> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut everything = Setup::new(Edition::C2, 3);
        for ext in Ext::ALL {
            everything = everything.with(ext.expansion().slug);
        }
        [Setup::new(Edition::C1, 2), everything].map(|setup| match Rules::new(&setup) {
            Ok(rules) => rules,
            Err(error) => panic!("{error}"),
        })
    })
}

/// Plays some random inputs, none of which may be refused or break an invariant.
fn play_on(rules: &Rules, state: &mut State, n: usize) {
    let mut random = Random::new(state.hash());
    for _ in 0..n {
        let Some(input) = any_input(rules, state, &mut random) else {
            return;
        };
        let applied = rules.apply(state, input, &mut ());
        assert!(applied.is_ok(), "{input:?}: {applied:?}");
        assert_eq!(rules.broken(state), None, "after {input:?}");
    }
}

/// Bytes as a setup, sound or not: it is linked or refused, and if it is linked it can be played.
pub fn fuzz_setup(bytes: &[u8]) -> bool {
    let mut bytes = Bytes(bytes);
    let mut setup = Setup::new(Edition::ALL[bytes.below(3)], bytes.below(11) as u8);
    setup.first = bytes.below(9) as u8;
    for _ in 0..bytes.below(6) {
        let slug = Ext::ALL[bytes.below(Ext::ALL.len())].expansion().slug;
        setup.expansions.push(if bytes.below(40) == 0 {
            "nothing".to_string()
        } else {
            slug.to_string()
        });
    }
    let options: Vec<_> = Ext::ALL
        .iter()
        .flat_map(|ext| ext.expansion().options)
        .collect();
    for _ in 0..bytes.below(6) {
        let option = options[bytes.below(options.len())];
        let value = match option.values {
            Values::Listed(values, _) => values[bytes.below(values.len())].to_string(),
            Values::Number(..) => bytes.below(300).to_string(),
        };
        setup.options.push((option.key.to_string(), value));
    }
    let tile = |bytes: &mut Bytes| TILES[bytes.below(TILES.len())].id.to_string();
    if bytes.below(3) == 0 {
        let n = bytes.below(20);
        let bag = (0..n).map(|_| (tile(&mut bytes), bytes.below(256) as u8));
        setup.bag = Some(bag.collect());
    }
    if bytes.below(3) == 0 {
        let n = bytes.below(4);
        let start = (0..n).map(|_| StartTile {
            id: tile(&mut bytes),
            pos: Pos::new(bytes.next() as i8, bytes.below(3) as i8),
            rotation: Rotation::from_quarters(bytes.next() as u8),
        });
        setup.start = Some(start.collect());
    }
    if bytes.below(4) == 0 {
        let mut own = TILES[bytes.below(TILES.len())].clone();
        let n = own.segments.len();
        let segment = &mut own.segments.to_mut()[bytes.below(n.max(1)) % n.max(1)];
        segment.sides ^= bytes.next() as u8;
        segment.halves ^= bytes.next() as u8;
        segment.touches ^= bytes.next() as u16;
        own.id = "own".into();
        setup.tiles.push(own);
        setup.bag = Some(vec![("own".to_string(), 3), (tile(&mut bytes), 3)]);
    }
    let text = setup_text(&setup);
    if setup.tiles.is_empty() {
        let read = parse_setup(&text);
        assert!(
            read.as_ref().is_ok_and(|read| setup_text(read) == text),
            "{text}: {read:?}"
        );
    }
    match Rules::new(&setup) {
        Ok(rules) => {
            let mut state = rules.start();
            assert_eq!(rules.broken(&state), None);
            play_on(&rules, &mut state, 40);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

/// Bytes as a tile file: it is read or refused with the lines of its mistakes.
pub fn fuzz_tile_file(bytes: &[u8]) -> bool {
    match TileFile::read("fuzz.toml", bytes) {
        Ok(file) => {
            for tile in &file.tiles {
                assert!(tile.check().is_ok(), "{}", tile.id);
            }
            true
        }
        Err(errors) => {
            assert!(!errors.to_string().is_empty());
            false
        }
    }
}

fn tile_files() -> Vec<Vec<u8>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/tiles");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| std::fs::read(entry.path()).ok());
    files.filter(|bytes| bytes.len() < 5000).collect()
}

/// Bytes as the snapshot of a base game (first byte even) or of a game with everything: what loads can be looked at, saved
/// and played on.
pub fn fuzz_snapshot(bytes: &[u8]) -> bool {
    let Some((which, snapshot)) = bytes.split_first() else {
        return false;
    };
    let rules = &two_rules()[usize::from(which % 2)];
    let Ok(mut state) = rules.load(snapshot) else {
        return false;
    };
    let saved = state.save();
    let again = rules.load(&saved);
    assert!(
        again.is_ok_and(|again| again == state && again.save() == saved),
        "it is saved as another one"
    );
    let mut moves = Moves::new();
    for seat in state.seat_list() {
        rules.legal_for(&state, seat, &mut moves);
        let mut random = Random::new(state.hash());
        for _ in 0..5 {
            let model = random.of(&moves).copied().unwrap_or(Choice::PASS);
            let choice = mutated(&state, model, &mut random);
            let why = rules.why_not(&state, seat, choice);
            assert_eq!(why.is_empty(), moves.contains(&choice), "{choice:?}");
        }
        rules.view(&state, Some(seat));
    }
    rules.projected(&state);
    let mut random = Random::new(state.hash());
    for _ in 0..30 {
        match any_input(rules, &state, &mut random) {
            Some(input) => drop(rules.apply(&mut state, input, &mut ())),
            None => break,
        }
    }
    true
}

fn snapshots() -> Vec<Vec<u8>> {
    let mut snapshots = Vec::new();
    for (which, rules) in (0..).zip(two_rules()) {
        for depth in [0, 1, 2, 3, 10, 40, 41, 42, 100, 120] {
            let mut state = rules.start();
            play_on(rules, &mut state, depth);
            let mut bytes = vec![which];
            bytes.extend(state.save());
            snapshots.push(bytes);
        }
    }
    snapshots
}

/// Bytes as inputs, possible and impossible, to a game of a random setup: what is refused changes nothing, what is applied
/// breaks nothing.
pub fn fuzz_inputs(bytes: &[u8]) -> bool {
    let mut bytes = Bytes(bytes);
    let setup = random_setup(&mut Random::new(bytes.below(64) as u64));
    let Ok(rules) = Rules::new(&setup) else {
        return false;
    };
    let mut state = rules.start();
    let mut random = Random::new(bytes.below(65536) as u64);
    while !bytes.0.is_empty() {
        let input = match (bytes.below(4), state.waiting()) {
            (0, Waiting::Seats(_)) => {
                let mut moves = Moves::new();
                rules.legal(&state, &mut moves);
                let model = random.of(&moves).copied().unwrap_or(Choice::PASS);
                Input::Choice(
                    Seat(bytes.below(9) as u8),
                    mutated(&state, model, &mut random),
                )
            }
            (0, _) => Input::Choice(Seat(bytes.below(9) as u8), Choice::PASS),
            (1, _) if bytes.below(8) == 0 => Input::Leave(Seat(bytes.below(9) as u8)),
            (1, _) => Input::Chance(trencavel_rules::Chance::Number(bytes.next() as u8)),
            _ => match any_input(&rules, &state, &mut random) {
                Some(input) => input,
                None => return true,
            },
        };
        let before = state.clone();
        match rules.apply(&mut state, input, &mut ()) {
            Ok(()) => assert_eq!(rules.broken(&state), None, "after {input:?}"),
            Err(_) => assert!(
                before == state,
                "{input:?} is refused and changes the state"
            ),
        }
    }
    true
}

const NOTATION: &[&str] = &[
    "lay 1,0 r90",
    "deploy follower road.W",
    "portal phantom field.NL@0,0",
    "fairy follower/2 road.W@1,0",
    "barn barn corner@1,0",
    "piece @0,0",
    "dragon 2",
    "capture large/1 prison/2",
    "1: pass",
    "draw BA/RCr",
    "leave/1",
];

/// Bytes as moves in the notation: what reads has one text, which reads the same.
pub fn fuzz_notation(bytes: &[u8]) -> bool {
    static STATES: OnceLock<Vec<(usize, State)>> = OnceLock::new();
    let states = STATES.get_or_init(|| {
        let at = |which: usize, depth| {
            let rules = &two_rules()[which];
            let mut state = rules.start();
            play_on(rules, &mut state, depth);
            (which, state)
        };
        vec![at(0, 2), at(0, 30), at(1, 40)]
    });
    let text = String::from_utf8_lossy(bytes);
    let mut accepted = false;
    for (which, state) in states {
        let rules = &two_rules()[*which];
        if let Ok(choice) = parse_choice(rules, state, &text) {
            let canonical = choice_text(rules, state, choice);
            assert_eq!(
                parse_choice(rules, state, &canonical),
                Ok(choice),
                "{canonical}"
            );
            accepted = true;
        }
        if let Ok(input) = parse_input(rules, state, &text) {
            let canonical = input_text(rules, state, input);
            assert_eq!(
                parse_input(rules, state, &canonical),
                Ok(input),
                "{canonical}"
            );
            accepted = true;
        }
        if let Ok(piece) = parse_piece(rules, state, &text) {
            let canonical = piece_text(rules, state, piece);
            assert_eq!(
                parse_piece(rules, state, &canonical),
                Ok(piece),
                "{canonical}"
            );
        }
        if let Ok(spot) = parse_spot(rules, state, &text) {
            let canonical = spot_text(rules, state, spot);
            assert_eq!(
                parse_spot(rules, state, &canonical),
                Ok(spot),
                "{canonical}"
            );
        }
        let _ = parse_chance(rules, &text);
    }
    accepted
}

const SCENARIOS: &[&str] = &[
    "clauses BA-E01 BA-33\nsetup C1; seats 2\nlay BA/C 0,-1 r180 · deploy follower city.S\n\
     option tiny-city-scoring=4 => expect score 4 0\noption tiny-city-scoring=2 => expect score 2 0\n",
    "clauses BA-E05\nsetup C1; seats 2\nplace BA/RFr 1,0 r0 · filler 1,1 r0\nlay BA/L 0,1 r0 · deploy follower monastery\n\
     expect illegal 2: pass OP-105 · choices 0 · asks draw\nend score 5 0 · line monastery 5 BA-43\n",
    "clauses BA-E07\nsetup C2; seats 3; first 2; with inns-and-cathedrals princess-and-dragon tower\npoints 3 4 5\n\
     figure large/2 road.W@0,0\nskip\ndraw BA/RFr\nexpect legal lay 1,0 r0\nlay 1,0 r0 · pass\nexpect turn 1\n",
];

/// Bytes as a scenario: it passes or fails with the line.
pub fn fuzz_scenario(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    match scenario::read("base/BA-E01", &text) {
        Ok(runs) => {
            for run in runs.iter().take(3) {
                if let Err(failure) = run.play() {
                    assert!(!failure.to_string().is_empty());
                }
            }
            true
        }
        Err(failure) => {
            assert!(!failure.to_string().is_empty());
            false
        }
    }
}

/// Bytes as a game file: what is read is written as a text that reads the same.
pub fn fuzz_game_file(bytes: &[u8]) -> bool {
    match Game::read(bytes) {
        Ok(game) => {
            let text = game.to_text();
            let again = Game::read(text.as_bytes());
            assert!(
                again.as_ref().is_ok_and(|again| again.to_text() == text),
                "{text}"
            );
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn game_files() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for setup in [
        Setup::new(Edition::C1, 2),
        random_setup(&mut Random::new(3)),
    ] {
        let Ok(rules) = Rules::new(&setup) else {
            continue;
        };
        let mut game = Game::new(
            std::sync::Arc::new(rules),
            vec!["A".to_string(), "B".to_string()],
        );
        let mut random = Random::new(1);
        for _ in 0..20 {
            let history = &mut game.history;
            let Some(input) = any_input(&history.rules().clone(), history.state(), &mut random)
            else {
                break;
            };
            if history.apply(input, &mut ()).is_err() {
                break;
            }
        }
        files.push(game.to_text().into_bytes());
    }
    files
}
