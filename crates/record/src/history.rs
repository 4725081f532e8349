//! A game as it goes: its inputs, the position after any of them, and taking back.

use std::sync::Arc;

use trencavel_rules::{Chance, Illegal, Input, Rules, Seat, Sink, State};

/// How many inputs lie between two kept positions at most.
const STRIDE: usize = 16;

/// The inputs of a game and the positions they lead to.
#[derive(Clone, Debug)]
pub struct History {
    rules: Arc<Rules>,
    inputs: Vec<Input>,
    /// Positions after so many inputs, in ascending order; the first is the start.
    kept: Vec<(usize, State)>,
    /// Whether only the start is kept.
    sparse: bool,
    state: State,
    /// What nature had decided when it was taken back, the next one last.
    again: Vec<Chance>,
}

impl History {
    /// A game that begins.
    pub fn new(rules: Arc<Rules>) -> History {
        let state = rules.start();
        History {
            rules,
            inputs: Vec::new(),
            kept: vec![(0, state.clone())],
            sparse: false,
            state,
            again: Vec::new(),
        }
    }

    /// A game that begins, kept small: going back plays it again from the start.
    pub fn sparse(rules: Arc<Rules>) -> History {
        History {
            sparse: true,
            ..History::new(rules)
        }
    }

    /// The linked setup.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The inputs so far.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The position after all inputs.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Applies an input.
    ///
    /// # Errors
    /// What is wrong with the input; nothing has changed then.
    pub fn apply(&mut self, input: Input, sink: &mut dyn Sink) -> Result<(), Illegal> {
        let turn = self.state.turn().number;
        self.rules.apply(&mut self.state, input, sink)?;
        self.inputs.push(input);
        self.keep(turn);
        Ok(())
    }

    /// Goes on by inputs that the caller has applied already, to the position they led to.
    pub fn go_on(&mut self, inputs: &[Input], state: State) {
        let turn = self.state.turn().number;
        self.inputs.extend_from_slice(inputs);
        self.state = state;
        self.keep(turn);
    }

    fn keep(&mut self, turn: u16) {
        if self.sparse {
            return;
        }
        let last = self.kept.last().map_or(0, |(n, _)| *n);
        if self.state.turn().number != turn || self.inputs.len() - last >= STRIDE {
            self.kept.push((self.inputs.len(), self.state.clone()));
        }
    }

    /// The position after so many inputs; the last one if there are not so many.
    pub fn at(&self, number: usize) -> State {
        let number = number.min(self.inputs.len());
        let after = self.kept.partition_point(|(n, _)| *n <= number);
        // The first kept position is after 0 inputs.
        let Some((from, state)) = after.checked_sub(1).and_then(|i| self.kept.get(i)) else {
            return self.state.clone();
        };
        let mut state = state.clone();
        for input in self.inputs.iter().take(number).skip(*from) {
            self.rules.apply_listed(&mut state, *input, &mut ());
        }
        state
    }

    /// Whether a seat may take its last choice back alone: nothing was decided by nature or by another seat since.
    pub fn may_take_back(&self, seat: Seat) -> bool {
        matches!(self.inputs.last(), Some(Input::Choice(other, _)) if *other == seat)
    }

    /// Takes back what came after so many inputs. What nature has decided since it shall decide again, so that nothing is won
    /// by looking: see [`History::decided`].
    pub fn take_back(&mut self, number: usize) {
        let undone = self.inputs.iter().skip(number).rev();
        self.again.extend(undone.filter_map(|input| match input {
            Input::Chance(chance) => Some(*chance),
            Input::Choice(..) | Input::Leave(_) => None,
        }));
        self.truncate(number);
    }

    /// What nature decides next, of all that it may, if it decided that before and it was taken back.
    pub fn decided(&mut self, outcomes: &[(Chance, u32)]) -> Option<Chance> {
        let next = self.again.pop()?;
        let possible = |(chance, weight): &(Chance, u32)| *chance == next && *weight > 0;
        outcomes.iter().any(possible).then_some(next)
    }

    /// Goes back to the position after so many inputs and forgets the later ones.
    pub fn truncate(&mut self, number: usize) {
        if number >= self.inputs.len() {
            return;
        }
        self.state = self.at(number);
        self.inputs.truncate(number);
        self.kept.retain(|(n, _)| *n <= number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Chance, Edition, Moves, Setup, Waiting};

    #[test]
    fn every_position_can_be_gone_back_to() {
        let rules = Arc::new(Rules::new(&Setup::new(Edition::C2, 2)).unwrap());
        let mut history = History::new(rules.clone());
        let mut hashes = vec![history.state().hash()];
        let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
        loop {
            let input = match history.state().waiting() {
                Waiting::Over => break,
                Waiting::Chance(_) => {
                    rules.outcomes(history.state(), &mut outcomes);
                    Input::Chance(outcomes[hashes.len() % outcomes.len()].0)
                }
                Waiting::Seats(seats) => {
                    rules.legal(history.state(), &mut moves);
                    Input::Choice(
                        seats.iter().next().unwrap(),
                        moves[hashes.len() % moves.len()],
                    )
                }
            };
            history.apply(input, &mut ()).unwrap();
            hashes.push(history.state().hash());
        }
        let mut sparse = History::sparse(rules.clone());
        for inputs in history.inputs().chunks(3) {
            let mut state = sparse.state().clone();
            for input in inputs {
                rules.apply_listed(&mut state, *input, &mut ());
            }
            sparse.go_on(inputs, state);
        }
        for (n, hash) in hashes.iter().enumerate() {
            assert_eq!(history.at(n).hash(), *hash);
            assert_eq!(sparse.at(n).hash(), *hash);
        }
        history.truncate(20);
        assert_eq!(history.state().hash(), hashes[20]);
        assert_eq!(history.inputs().len(), 20);
        assert_eq!(history.at(7).hash(), hashes[7]);
    }

    #[test]
    fn nature_decides_again_what_was_taken_back() {
        let rules = Arc::new(Rules::new(&Setup::new(Edition::C2, 2)).unwrap());
        let mut history = History::new(rules.clone());
        let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
        let mut drawn = Vec::new();
        let mut draw = |history: &mut History, n: usize| {
            rules.outcomes(history.state(), &mut outcomes);
            let chance = history
                .decided(&outcomes)
                .unwrap_or(outcomes[n % outcomes.len()].0);
            history.apply(Input::Chance(chance), &mut ()).unwrap();
            chance
        };
        // The last of what may be chosen, or the first: another game, but the same tiles.
        for (first, stride) in [(true, 3), (false, 5), (true, 7)] {
            for n in 0..8 {
                let chance = draw(&mut history, n * stride);
                match drawn.get(n) {
                    Some(before) => assert_eq!(*before, chance),
                    None => drawn.push(chance),
                }
                while let Waiting::Seats(seats) = history.state().waiting() {
                    rules.legal(history.state(), &mut moves);
                    let choice = if first { moves.first() } else { moves.last() };
                    let input = Input::Choice(seats.iter().next().unwrap(), *choice.unwrap());
                    history.apply(input, &mut ()).unwrap();
                }
            }
            // In two steps.
            history.take_back(9);
            history.take_back(0);
        }
        assert!(history.decided(&[]).is_none(), "what cannot come does not");
    }
}
