//! Two games that must go alike: the same game on a turned table, with other seats, or with an expansion of which nothing is
//! in the box.

use trencavel_rules::{
    Chance, Choice, Edition, Ext, Input, Moves, Piece, Place, Pos, Rotation, Rules, Seat, SeatSet,
    Setup, Spot, StartTile, State, Target, Values, Verb, Waiting,
};

use crate::play::Trouble;
use crate::random::Random;
use crate::referee::{any_input, setup_text};

/// How the second game differs from the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twist {
    /// The table is turned clockwise by so many quarters.
    pub quarters: u8,
    /// Every seat sits so many places further on.
    pub places: u8,
}

impl Twist {
    /// Nothing differs.
    pub const NONE: Twist = Twist {
        quarters: 0,
        places: 0,
    };

    fn square(self, pos: Pos) -> Pos {
        (0..self.quarters).fold(pos, |pos, _| Pos::new(-pos.y, pos.x))
    }

    fn corner(self, pos: Pos) -> Pos {
        // The corner at the north-west of a square comes to lie at the north-east of the turned one.
        (0..self.quarters).fold(pos, |pos, _| Pos::new(1 - pos.y, pos.x))
    }

    fn rotation(self, rotation: Rotation) -> Rotation {
        Rotation::from_quarters(rotation.quarters() + self.quarters)
    }

    fn seat(self, seat: Seat, n_seats: u8) -> Seat {
        Seat((seat.0 + self.places) % n_seats)
    }

    fn piece(self, piece: Piece, n_seats: u8) -> Piece {
        let at = match piece.spot.place {
            Place::Segment | Place::TowerTop | Place::Trap => piece.spot.at,
            Place::Corner => self.corner(Pos::from_bits(piece.spot.at)).to_bits(),
            Place::Prison => u16::from(self.seat(Seat(piece.spot.at as u8), n_seats).0),
        };
        let spot = Spot {
            place: piece.spot.place,
            at,
        };
        Piece {
            spot,
            seat: self.seat(piece.seat, n_seats),
            kind: piece.kind,
        }
    }

    fn choice(self, choice: Choice, n_seats: u8) -> Choice {
        let target = match choice.target {
            Target::Square(pos, rotation) => {
                Target::Square(self.square(pos), self.rotation(rotation))
            }
            Target::Corner(pos) => Target::Corner(self.corner(pos)),
            Target::Piece(piece) => Target::Piece(self.piece(piece, n_seats)),
            Target::Seat(seat) => Target::Seat(self.seat(seat, n_seats)),
            Target::Number(n) if choice.verb == Verb::Dragon => {
                Target::Number((n + self.quarters) % 4)
            }
            Target::None | Target::Segment(_) | Target::Tile(_) | Target::Number(_) => {
                choice.target
            }
        };
        Choice { target, ..choice }
    }

    fn input(self, input: Input, n_seats: u8) -> Input {
        match input {
            Input::Choice(seat, choice) => {
                Input::Choice(self.seat(seat, n_seats), self.choice(choice, n_seats))
            }
            Input::Chance(chance) => Input::Chance(chance),
            Input::Leave(seat) => Input::Leave(self.seat(seat, n_seats)),
        }
    }

    fn seats(self, seats: SeatSet, n_seats: u8) -> SeatSet {
        let moved = seats.iter().map(|seat| self.seat(seat, n_seats));
        moved.fold(SeatSet::NONE, SeatSet::with)
    }

    /// The setup of the second game.
    fn setup(self, rules: &Rules) -> Setup {
        let mut setup = rules.setup().clone();
        if self.quarters != 0 {
            let start = rules.start();
            let tiles = start.board().tiles().iter().map(|placed| StartTile {
                id: rules.tile(placed.kind).id.to_string(),
                pos: self.square(placed.pos),
                rotation: self.rotation(placed.rotation),
            });
            setup.start = Some(tiles.collect());
        }
        setup.first = (setup.first + self.places) % setup.seats;
        setup
    }
}

/// Plays a random game and its twisted twin, and looks whether the same can be chosen and the same is scored.
///
/// # Errors
/// The first difference.
pub fn twins(setup: &Setup, seed: u64, twist: Twist) -> Result<(), Box<Trouble>> {
    // The twin says its opening layout, to which this option does not apply.
    let mut setup = setup.clone();
    setup.options.retain(|(key, _)| key != "unused-start-tile");
    let rules = Rules::new(&setup).map_err(|error| trouble(&setup, seed, error.to_string()))?;
    let other = twist.setup(&rules);
    compare(&setup, &other, seed, twist)
}

/// Plays a random base game and the same with an expansion of which there is no tile and no piece in the box.
///
/// # Errors
/// The first difference.
pub fn neutral(edition: Edition, seats: u8, ext: Ext, seed: u64) -> Result<(), Box<Trouble>> {
    let mut base = Setup::new(edition, seats);
    base.start = Some(vec![StartTile {
        id: "BA/RCr".to_string(),
        pos: Pos::new(0, 0),
        rotation: Rotation::default(),
    }]);
    let mut with = base.clone().with(ext.expansion().slug);
    for set in ext.expansion().sets[usize::from(edition != Edition::C1)] {
        with.sets.push((set.to_string(), 0));
    }
    for option in ext.expansion().options {
        match option.values {
            Values::Number(..) => with = with.option(option.key, "0"),
            Values::Listed(values, _) if values.contains(&"false") => {
                with = with.option(option.key, "false");
            }
            Values::Listed(..) => {}
        }
    }
    compare(&base, &with, seed, Twist::NONE)
}

fn trouble(setup: &Setup, seed: u64, fault: String) -> Box<Trouble> {
    Box::new(Trouble {
        setup: setup_text(setup),
        seed,
        record: Vec::new(),
        fault,
    })
}

fn compare(a: &Setup, b: &Setup, seed: u64, twist: Twist) -> Result<(), Box<Trouble>> {
    let link =
        |setup: &Setup| Rules::new(setup).map_err(|error| trouble(setup, seed, error.to_string()));
    let (rules, others) = (link(a)?, link(b)?);
    let (mut state, mut other) = (rules.start(), others.start());
    let mut random = Random::new(seed);
    let mut record = Vec::new();
    loop {
        if let Err(fault) = alike(&rules, &state, &others, &other, twist) {
            let setup = format!("{}\nagainst {}", setup_text(a), setup_text(b));
            return Err(Box::new(Trouble {
                setup,
                seed,
                record,
                fault: format!("under {twist:?}: {fault}"),
            }));
        }
        let Some(input) = any_input(&rules, &state, &mut random) else {
            return Ok(());
        };
        record.push(trencavel_record::notation::input_text(
            &rules, &state, input,
        ));
        let twisted = twist.input(input, a.seats);
        let applied = rules.apply(&mut state, input, &mut ());
        let also = others.apply(&mut other, twisted, &mut ());
        if applied.is_err() || also.is_err() {
            let fault = format!("{input:?} and {twisted:?}: {applied:?}, {also:?}");
            return Err(Box::new(Trouble {
                record,
                ..*trouble(a, seed, fault)
            }));
        }
    }
}

/// Whether the second position is the first under the twist, as far as players can see.
fn alike(rules: &Rules, a: &State, others: &Rules, b: &State, twist: Twist) -> Result<(), String> {
    let n = a.n_seats();
    let waiting = match a.waiting() {
        Waiting::Seats(seats) => Waiting::Seats(twist.seats(seats, n)),
        other => other,
    };
    if waiting != b.waiting() {
        return Err(format!(
            "{waiting:?} should be asked, but {:?} are",
            b.waiting()
        ));
    }
    for seat in a.seat_list() {
        let (mine, theirs) = (a.seat(seat), b.seat(twist.seat(seat, n)));
        if mine.score != theirs.score || mine.supply != theirs.supply {
            return Err(format!(
                "seat {} has {mine:?}, its twin {theirs:?}",
                seat.0 + 1
            ));
        }
        let (mut list, mut other) = (Moves::new(), Moves::new());
        rules.legal_for(a, seat, &mut list);
        others.legal_for(b, twist.seat(seat, n), &mut other);
        let mut mine: Vec<Choice> = list.iter().map(|choice| twist.choice(*choice, n)).collect();
        let mut theirs = other.to_vec();
        if twist != Twist::NONE {
            mine.sort_unstable();
            theirs.sort_unstable();
        }
        if mine != theirs {
            return Err(format!(
                "seat {} can choose {mine:?}, its twin {theirs:?}",
                seat.0 + 1
            ));
        }
    }
    let mut pieces: Vec<Piece> = a
        .pieces()
        .iter()
        .map(|piece| twist.piece(piece, n))
        .collect();
    pieces.sort_unstable();
    if !pieces.iter().copied().eq(b.pieces().iter()) {
        return Err("figures are elsewhere".to_string());
    }
    let draws = |rules: &Rules, state: &State| {
        let mut outcomes = Vec::new();
        rules.outcomes(state, &mut outcomes);
        let mut draws: Vec<(String, u32)> = outcomes
            .iter()
            .map(|(chance, weight)| match chance {
                Chance::Tile(kind) => (rules.tile(*kind).id.to_string(), *weight),
                other => (format!("{other:?}"), *weight),
            })
            .collect();
        draws.sort();
        draws
    };
    if draws(rules, a) != draws(others, b) {
        return Err("other tiles can be drawn".to_string());
    }
    Ok(())
}
