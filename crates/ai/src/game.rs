//! Playing whole games between computer players.

use trencavel_rules::{Chance, Input, MAX_SEATS, Rules, Seat, State, TileKind, Waiting};

use crate::{Budget, Clock, Decision, Player, Rng};

/// What nature will decide, fixed by a seed: the same tiles in the same order for every game with this seed, as far as
/// they can be drawn.
#[derive(Clone, Debug)]
pub struct Deal {
    order: Vec<TileKind>,
    outcomes: Vec<(Chance, u32)>,
    rng: Rng,
}

impl Deal {
    /// The deal of a seed for a setup.
    pub fn new(rules: &Rules, start: &State, seed: u64) -> Deal {
        let mut rng = Rng::new(seed);
        let mut order: Vec<TileKind> = (0..rules.n_kinds() as u16)
            .map(TileKind)
            .flat_map(|kind| (0..start.bag().count(kind)).map(move |_| kind))
            .collect();
        rng.shuffle(&mut order);
        Deal {
            order,
            outcomes: Vec::new(),
            rng,
        }
    }

    /// What nature decides in a position; `None` if it is not asked.
    pub fn decide(&mut self, rules: &Rules, state: &State) -> Option<Chance> {
        rules.outcomes(state, &mut self.outcomes);
        let next = self.order.iter().position(|kind| {
            let drawn = Chance::Tile(*kind);
            self.outcomes.iter().any(|(chance, _)| *chance == drawn)
        });
        if let Some(index) = next {
            return Some(Chance::Tile(self.order.remove(index)));
        }
        self.rng.pick(&self.outcomes)
    }
}

/// A seat's place at a table.
pub struct Chair<'p> {
    /// Who plays.
    pub player: &'p mut dyn Player,
    /// How much it may think about a decision.
    pub budget: Budget,
}

/// The chairs of players who all have the same budget, in the order of their seats.
pub fn seated<'p, P: Player + 'p>(
    players: impl IntoIterator<Item = &'p mut P>,
    budget: Budget,
) -> Vec<Chair<'p>> {
    let players = players.into_iter();
    players.map(|player| Chair { player, budget }).collect()
}

/// What a seat used of time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Spent {
    /// Milliseconds of thinking in all.
    pub milliseconds: f64,
    /// The longest decision.
    pub longest: f64,
    /// How many decisions.
    pub decisions: u32,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// The last position.
    pub last: State,
    /// Everything that happened.
    pub inputs: Vec<Input>,
    /// By seat.
    pub spent: [Spent; MAX_SEATS],
}

/// Plays a game to its end; `watch` sees every position in which a seat decided, with what it decided.
pub fn play(
    rules: &Rules,
    chairs: &mut [Chair],
    seed: u64,
    clock: &dyn Clock,
    mut watch: impl FnMut(&State, Seat, &Decision),
) -> Played {
    let mut state = rules.start();
    let mut deal = Deal::new(rules, &state, seed);
    let mut inputs = Vec::new();
    let mut spent = [Spent::default(); MAX_SEATS];
    loop {
        let input = match state.waiting() {
            Waiting::Over => break,
            Waiting::Chance(_) => match deal.decide(rules, &state) {
                Some(chance) => Input::Chance(chance),
                None => break,
            },
            Waiting::Seats(seats) => {
                let Some(seat) = seats.iter().next() else {
                    break;
                };
                let Some(chair) = chairs.get_mut(seat.index()) else {
                    break;
                };
                let view = rules.view(&state, Some(seat));
                let began = clock.now_ms();
                let decision = chair.player.choose(rules, &view, seat, chair.budget, clock);
                let took = clock.now_ms() - began;
                let Some(decision) = decision else {
                    break;
                };
                let spent = &mut spent[seat.index()];
                spent.milliseconds += took;
                spent.longest = spent.longest.max(took);
                spent.decisions += 1;
                watch(&state, seat, &decision);
                Input::Choice(seat, decision.choice)
            }
        };
        if rules.apply(&mut state, input, &mut ()).is_err() {
            break;
        }
        inputs.push(input);
    }
    Played {
        last: state,
        inputs,
        spent,
    }
}
