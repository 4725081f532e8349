//! A base game that the second implementation plays along.

use trencavel_rules::{
    Chance, Choice, Input, Moves, Nature, Rules, State, Target, TileKind, Verb, Waiting,
};

use super::ground::part_of;
use super::{Fault, demand};
use crate::second::{BaseGame, FieldRule, Knobs, Now, Part};

/// The game beside the engine's.
#[derive(Debug)]
pub(super) struct Beside {
    game: BaseGame,
    first: usize,
    seats: usize,
}

impl Beside {
    /// The same game, if it is a base game with options that the second implementation knows.
    pub(super) fn of(rules: &Rules) -> Result<Option<Beside>, Fault> {
        let setup = rules.setup();
        if !setup.expansions.is_empty() || !setup.tiles.is_empty() || setup.start.is_some() {
            return Ok(None);
        }
        let seats = usize::from(setup.seats);
        let mut knobs = Knobs::new(seats);
        for (key, value) in &setup.options {
            match (key.as_str(), value.as_str()) {
                ("small-follower", n) => {
                    knobs.followers = n.parse().map_err(|_| format!("no number: {n}"))?
                }
                ("farmers", value) => knobs.farmers = value == "true",
                ("tiny-city-scoring", value) => knobs.small_cities_count_half = value == "2",
                ("field-scoring", "1") => knobs.fields = FieldRule::First,
                ("field-scoring", "2") => knobs.fields = FieldRule::Second,
                ("unplaceable-tile", value) => knobs.reshuffle = value == "reshuffle",
                ("field-scoring" | "score-floor" | "unused-start-tile", _) => {}
                _ => return Ok(None),
            }
        }
        let state = rules.start();
        let kinds = (0..rules.n_kinds() as u16).map(TileKind);
        let bag: Vec<(String, usize)> = kinds
            .map(|kind| {
                (
                    rules.tile(kind).id.to_string(),
                    usize::from(state.bag().count(kind)),
                )
            })
            .collect();
        let game = BaseGame::new(knobs, "BA/RCr", &bag)?;
        let first = usize::from(setup.first);
        Ok(Some(Beside { game, first, seats }))
    }

    /// A seat of the engine as counted from the first player.
    fn seat(&self, seat: trencavel_rules::Seat) -> usize {
        (seat.index() + self.seats - self.first) % self.seats
    }

    pub(super) fn apply(
        &mut self,
        rules: &Rules,
        before: &State,
        input: Input,
    ) -> Result<(), Fault> {
        match input {
            Input::Chance(Chance::Tile(kind)) => self.game.draw(&rules.tile(kind).id),
            Input::Choice(_, choice) => match (choice.verb, choice.target) {
                (Verb::Lay, Target::Square(pos, rotation)) => {
                    let quarters = usize::from(rotation.quarters());
                    self.game.lay(i32::from(pos.x), i32::from(pos.y), quarters);
                }
                (Verb::Deploy, Target::Segment(seg)) => {
                    self.game.place(Some(part_of(before, seg).segment));
                }
                (Verb::Pass, Target::None) => self.game.place(None),
                _ => return Err("this choice does not belong to the base game".to_string()),
            },
            Input::Chance(_) | Input::Leave(_) => {
                return Err("this does not belong to the base game".to_string());
            }
        }
        Ok(())
    }

    pub(super) fn agrees(&self, rules: &Rules, state: &State) -> Result<(), Fault> {
        let game = &self.game;
        let now = match state.waiting() {
            Waiting::Over => Now::Over,
            Waiting::Chance(Nature::Draw) => Now::Draw,
            Waiting::Seats(_) => match state.turn().drawn {
                Some(kind) => Now::Lay(rules.tile(kind).id.to_string()),
                None => Now::Figure,
            },
        };
        demand!(now == *game.now(), "{now:?} should be {:?}", game.now());
        for seat in state.seat_list() {
            let (score, wanted) = (
                i64::from(state.seat(seat).score),
                game.scores()[self.seat(seat)],
            );
            demand!(
                score == wanted,
                "seat {} has {score} points and should have {wanted}",
                seat.0 + 1
            );
        }
        if now == Now::Over {
            return Ok(());
        }
        let active = self.seat(state.active());
        demand!(
            active == game.active(),
            "seat {active} from the first is active and should be {}",
            game.active()
        );
        let mut figures: Vec<(Part, usize)> = state
            .pieces()
            .iter()
            .filter_map(|piece| {
                Some((
                    part_of(state, piece.spot.as_segment()?),
                    self.seat(piece.seat),
                ))
            })
            .collect();
        figures.sort_unstable();
        demand!(
            figures == game.figures(),
            "figures are at {figures:?} and should be at {:?}",
            game.figures()
        );
        let mut outcomes = Vec::new();
        rules.outcomes(state, &mut outcomes);
        let mut draws: Vec<(&str, usize)> = outcomes
            .iter()
            .filter_map(|(chance, n)| match chance {
                Chance::Tile(kind) => Some((rules.tile(*kind).id.as_ref(), *n as usize)),
                Chance::Number(_) | Chance::Hidden => None,
            })
            .collect();
        draws.sort_unstable();
        demand!(
            draws == game.draws(),
            "draws are {draws:?} and should be {:?}",
            game.draws()
        );
        let mut moves = Moves::new();
        rules.legal(state, &mut moves);
        match now {
            Now::Lay(_) => {
                let mut lays: Vec<_> = moves.iter().filter_map(square).collect();
                lays.sort_unstable();
                lays.dedup();
                demand!(
                    lays.len() == moves.len(),
                    "something else than laying is asked"
                );
                demand!(
                    lays == game.lays(),
                    "the tile can be laid at {lays:?} and should at {:?}",
                    game.lays()
                );
            }
            Now::Figure => {
                let mut targets: Vec<usize> = moves
                    .iter()
                    .filter_map(|choice| match choice.target {
                        Target::Segment(seg) => Some(part_of(state, seg).segment),
                        _ => None,
                    })
                    .collect();
                targets.sort_unstable();
                demand!(
                    targets == game.targets(),
                    "targets are {targets:?} and should be {:?}",
                    game.targets()
                );
                demand!(
                    moves.len() == targets.len() + 1,
                    "besides placing one can only pass"
                );
            }
            Now::Draw | Now::Over => {
                demand!(moves.is_empty(), "somebody can choose when nobody is asked")
            }
        }
        Ok(())
    }
}

fn square(choice: &Choice) -> Option<(i32, i32, usize)> {
    match choice.target {
        Target::Square(pos, rotation) => Some((
            i32::from(pos.x),
            i32::from(pos.y),
            usize::from(rotation.quarters()),
        )),
        _ => None,
    }
}
