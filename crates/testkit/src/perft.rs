//! Counts of everything that can be played from a small bag: by the engine and by the second implementation, which must agree.
//!
//! A sequence is a series of inputs (draws, lays, placements, passes) up to a depth or to the end of the game.

use std::collections::BTreeMap;
use std::fmt;

use trencavel_rules::{Choice, Edition, Input, Moves, Rules, Setup, State, Waiting};

use crate::second::{BaseGame, Knobs, Now};

/// How many sequences there are, and which scores they lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// All sequences.
    pub sequences: u64,
    /// How many lead to each score of the seats.
    pub scores: BTreeMap<Vec<i64>, u64>,
}

impl Count {
    fn add(&mut self, scores: Vec<i64>) {
        self.sequences += 1;
        *self.scores.entry(scores).or_default() += 1;
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sequences)?;
        for (scores, n) in &self.scores {
            let scores: Vec<String> = scores.iter().map(i64::to_string).collect();
            write!(f, " {}:{n}", scores.join("-"))?;
        }
        Ok(())
    }
}

/// A small bag for two seats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bag {
    /// Expansions besides the base game, by slug; the second implementation knows none.
    pub with: Vec<String>,
    /// Tiles and how many of each.
    pub tiles: Vec<(String, u8)>,
    /// How many inputs; the game's end comes first if it comes earlier.
    pub depth: usize,
}

impl Bag {
    /// Reads `+tower TO/C*2 BA/RFr @6`: expansions, tiles, copies, depth (99 if it is not said).
    ///
    /// # Errors
    /// The word that is no number.
    pub fn parse(text: &str) -> Result<Bag, String> {
        let mut bag = Bag {
            with: Vec::new(),
            tiles: Vec::new(),
            depth: 99,
        };
        for word in text.split_whitespace() {
            if let Some(slug) = word.strip_prefix('+') {
                bag.with.push(slug.to_string());
                continue;
            }
            let number = |n: &str| n.parse().map_err(|_| format!("no number: {n}"));
            match (word.strip_prefix('@'), word.split_once('*')) {
                (Some(depth), _) => bag.depth = usize::from(number(depth)?),
                (None, Some((id, n))) => bag.tiles.push((id.to_string(), number(n)?)),
                (None, None) => bag.tiles.push((word.to_string(), 1)),
            }
        }
        Ok(bag)
    }

    /// Counted by the engine.
    ///
    /// # Errors
    /// What is wrong with the bag, or the input that the engine refuses.
    pub fn by_the_engine(&self) -> Result<Count, String> {
        let mut setup = Setup::new(Edition::C2, 2);
        setup.expansions.clone_from(&self.with);
        setup.bag = Some(self.tiles.clone());
        let rules = Rules::new(&setup).map_err(|error| error.to_string())?;
        let mut count = Count::default();
        engine(&rules, &rules.start(), self.depth, &mut count)?;
        Ok(count)
    }

    /// Counted by the second implementation.
    ///
    /// # Errors
    /// A tile that no file has, or an expansion.
    pub fn by_the_second(&self) -> Result<Count, String> {
        if let Some(slug) = self.with.first() {
            return Err(format!("the second implementation does not know {slug}"));
        }
        let tiles: Vec<(String, usize)> = self
            .tiles
            .iter()
            .map(|(id, n)| (id.clone(), usize::from(*n)))
            .collect();
        let game = BaseGame::new(Knobs::new(2), "BA/RCr", &tiles)?;
        let mut count = Count::default();
        second(&game, self.depth, &mut count);
        Ok(count)
    }
}

fn engine(rules: &Rules, state: &State, depth: usize, count: &mut Count) -> Result<(), String> {
    let inputs: Vec<Input> = match state.waiting() {
        Waiting::Chance(_) => {
            let mut outcomes = Vec::new();
            rules.outcomes(state, &mut outcomes);
            outcomes
                .iter()
                .map(|(chance, _)| Input::Chance(*chance))
                .collect()
        }
        Waiting::Seats(seats) => {
            let mut moves = Moves::new();
            rules.legal(state, &mut moves);
            let input =
                |choice: &Choice| seats.iter().next().map(|seat| Input::Choice(seat, *choice));
            moves.iter().filter_map(input).collect()
        }
        Waiting::Over => Vec::new(),
    };
    if depth == 0 || inputs.is_empty() {
        count.add(
            state
                .seat_list()
                .map(|seat| i64::from(state.seat(seat).score))
                .collect(),
        );
        return Ok(());
    }
    for input in inputs {
        let mut next = state.clone();
        let applied = rules.apply(&mut next, input, &mut ());
        applied.map_err(|error| format!("{input:?}: {error}"))?;
        engine(rules, &next, depth - 1, count)?;
    }
    Ok(())
}

fn second(game: &BaseGame, depth: usize, count: &mut Count) {
    if depth == 0 || *game.now() == Now::Over {
        count.add(game.scores().to_vec());
        return;
    }
    let mut go = |step: &dyn Fn(&mut BaseGame)| {
        let mut next = game.clone();
        step(&mut next);
        second(&next, depth - 1, count);
    };
    match game.now() {
        Now::Draw => {
            for (id, _) in game.draws() {
                go(&|next| next.draw(id));
            }
        }
        Now::Lay(_) => {
            for (x, y, quarters) in game.lays() {
                go(&|next| next.lay(x, y, quarters));
            }
        }
        Now::Figure => {
            for segment in game.targets() {
                go(&|next| next.place(Some(segment)));
            }
            go(&|next| next.place(None));
        }
        Now::Over => {}
    }
}
