//! Positions made by hand, for study and tests: tiles and figures are put on the table without turns.
//!
//! A position keeps every invariant of the engine: tiles match, figures come from their supplies and stand where their
//! kind may. It need not be one that play can reach: a completed feature may hold figures, and nothing that is put down is
//! scored, caught or eaten.
//!
//! ```
//! use trencavel_rules::{Edition, Kind, Piece, Pos, Position, Rotation, Rules, Seat, Setup, SegId, Spot};
//!
//! let rules = Rules::new(&Setup::new(Edition::C1, 2))?;
//! let mut position = Position::new(&rules);
//! let road = rules.kind_of("BA/RFr").ok_or("no such tile")?;
//! let slot = position.lay(road, Pos::new(1, 0), Rotation::default())?;
//! let spot = Spot::segment(position.state().board().segment_of(slot, 0));
//! position.put(Piece { spot, seat: Seat(1), kind: Kind::Normal })?;
//! position.score(Seat(0), 12)?;
//! let state = position.begin(Seat(1), &mut ())?;
//! assert_eq!(state.active(), Seat(1));
//! assert_eq!(state.seat(Seat(1)).has(Kind::Normal), 6);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

use core::fmt;

use crate::events::Sink;
use crate::figures::Piece;
use crate::geometry::{Pos, Rotation};
use crate::hooks::{Shown, Took};
use crate::moves::{Illegal, Input, Seat, SegId, TileKind, TileSlot};
use crate::order::Step;
use crate::play;
use crate::rules::Rules;
use crate::state::{State, Task, Waiting};
use crate::turn::Work;
use crate::vocabulary::{Named, Place, Symbols, Used, Way};

/// A position being made.
#[derive(Debug)]
pub struct Position<'r> {
    rules: &'r Rules,
    state: State,
    /// Whether a turn was dropped that its parts' end must hear of.
    resumed: bool,
}

/// Why something cannot be put into a position. The position is as it was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// A turn is under way: a tile was drawn or laid, or something is being settled.
    MidTurn,
    /// No such tile in this setup.
    Tile(TileKind),
    /// The square is taken, not beside a tile, or shows other edges.
    Square(Pos),
    /// No such seat.
    Seat(Seat),
    /// The figure's owner has none in the supply.
    Supply(Piece),
    /// The figure cannot be in such a place.
    Spot(Piece),
    /// No expansion of this setup has such a thing.
    Thing,
    /// The position breaks an invariant; which one.
    Broken(&'static str),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::MidTurn => f.write_str("a turn is under way"),
            PositionError::Tile(kind) => write!(f, "there is no tile number {}", kind.0),
            PositionError::Square(pos) => write!(f, "the tile cannot lie at {pos}"),
            PositionError::Seat(seat) => write!(f, "there is no seat {}", u16::from(seat.0) + 1),
            PositionError::Supply(piece) => write!(f, "none in the supply: {piece}"),
            PositionError::Spot(piece) => write!(f, "it cannot be there: {piece}"),
            PositionError::Thing => f.write_str("no expansion in play can put this on the table"),
            PositionError::Broken(which) => write!(f, "the position breaks an invariant: {which}"),
        }
    }
}

impl core::error::Error for PositionError {}

impl<'r> Position<'r> {
    /// The table before the first turn: start tiles laid, expansions prepared.
    pub fn new(rules: &'r Rules) -> Position<'r> {
        let mut position = Position {
            rules,
            state: rules.table(),
            resumed: false,
        };
        position.work(&mut ()).prepare();
        position
    }

    /// A position of a game between two turns. The turn that has begun is dropped; what its beginning brought stays.
    ///
    /// # Errors
    /// [`PositionError::MidTurn`] if a tile was drawn or laid, or the game is over.
    pub fn of(rules: &'r Rules, state: &State) -> Result<Position<'r>, PositionError> {
        let turn = &state.turn;
        let between = turn.drawn.is_none()
            && turn.laid.is_none()
            && state.batch.is_empty()
            && state.sealed.is_empty()
            && state.news.is_empty();
        if !between || state.waiting == Waiting::Over {
            return Err(PositionError::MidTurn);
        }
        let mut state = state.clone();
        state.agenda.clear();
        Ok(Position {
            rules,
            state,
            resumed: true,
        })
    }

    /// What has been made so far; nobody is asked in it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Lays a tile that is not in the bag. Its edges must match, or it fits everywhere and fills a hole (AM-11, AM-12); the
    /// expansions' further conditions are not asked. What it completes is complete but not scored.
    ///
    /// # Errors
    /// The tile or the square.
    pub fn lay(
        &mut self,
        kind: TileKind,
        pos: Pos,
        rotation: Rotation,
    ) -> Result<TileSlot, PositionError> {
        let Some(tile) = self.rules.tiles.get(kind.index()) else {
            return Err(PositionError::Tile(kind));
        };
        let board = &self.state.board;
        let first = board.tiles().is_empty() && pos.is_on_the_table();
        let shown = tile.signature[usize::from(rotation.quarters())];
        let fits_everywhere = tile.def.symbols.has(Symbols::ABBEY);
        let matches = board
            .gap_at(pos)
            .is_some_and(|gap| gap.pattern().admits(shown) || fits_everywhere && gap.is_enclosed());
        if !first && !matches {
            return Err(PositionError::Square(pos));
        }
        let slot = self.work(&mut ()).lay(kind, pos, rotation);
        self.settled();
        Ok(slot)
    }

    /// Puts a figure from its owner's supply somewhere.
    ///
    /// # Errors
    /// The seat, the supply, or the place.
    pub fn put(&mut self, piece: Piece) -> Result<(), PositionError> {
        if piece.seat.0 >= self.state.n_seats {
            return Err(PositionError::Seat(piece.seat));
        }
        if self.state.seat(piece.seat).has(piece.kind) == 0 {
            return Err(PositionError::Supply(piece));
        }
        let board = &self.state.board;
        let at = usize::from(piece.spot.at);
        let fits = match piece.spot.place.names() {
            Named::Segment => {
                board.has_segment(SegId(piece.spot.at))
                    && (self.rules.figure(piece.kind))
                        .may_claim(board.at(SegId(piece.spot.at)).kind)
            }
            Named::Tile => at < board.tiles().len(),
            Named::Corner => Pos::from_bits(piece.spot.at).is_on_the_table(),
            Named::Seat => at < usize::from(self.state.n_seats) && at != piece.seat.index(),
        };
        if !fits {
            return Err(PositionError::Spot(piece));
        }
        let way = match piece.spot.place {
            Place::Segment => Way::Own,
            Place::Corner => Way::Corner,
            Place::TowerTop => Way::Tower,
            Place::Trap => Way::Trap,
            Place::Prison => Way::Capture,
        };
        self.work(&mut ()).put(piece, way);
        self.settled();
        Ok(())
    }

    /// Sets a seat's points.
    ///
    /// # Errors
    /// The seat.
    pub fn score(&mut self, seat: Seat, points: i32) -> Result<(), PositionError> {
        if seat.0 >= self.state.n_seats {
            return Err(PositionError::Seat(seat));
        }
        self.state.seats[seat.index()].score = points;
        Ok(())
    }

    /// Puts a neutral figure or tokens of an expansion on the table.
    ///
    /// # Errors
    /// A seat or tile that is not there, or a thing of no expansion in play.
    pub fn show(&mut self, thing: &Shown) -> Result<(), PositionError> {
        let (slot, seat) = match *thing {
            Shown::Neutral { slot, .. } | Shown::OnTile { slot, .. } => (Some(slot), None),
            Shown::Held { seat, .. } => (None, Some(seat)),
        };
        if let Some(seat) = seat.filter(|seat| seat.0 >= self.state.n_seats) {
            return Err(PositionError::Seat(seat));
        }
        if slot.is_some_and(|slot| slot.index() >= self.state.board.tiles().len()) {
            return Err(PositionError::Thing);
        }
        let rules = self.rules;
        let mut nobody = ();
        let mut work = self.work(&mut nobody);
        let took = (rules.links.arrange.iter()).any(|hook| hook(&mut work, thing) == Took::Yes);
        self.settled();
        if took {
            Ok(())
        } else {
            Err(PositionError::Thing)
        }
    }

    /// Begins a seat's turn: play goes on from here.
    ///
    /// # Errors
    /// The seat, or the invariant that the position breaks.
    pub fn begin(mut self, seat: Seat, sink: &mut dyn Sink) -> Result<State, PositionError> {
        if seat.0 >= self.state.n_seats {
            return Err(PositionError::Seat(seat));
        }
        let mut work = Work {
            rules: self.rules,
            state: &mut self.state,
            sink,
        };
        if self.resumed {
            play::end_part(&mut work, true);
        }
        work.state.agenda.clear();
        play::begin_turn(&mut work, seat);
        work.begin();
        match self.rules.broken(&self.state) {
            None => Ok(self.state),
            Some(which) => Err(PositionError::Broken(which)),
        }
    }

    fn work<'w>(&'w mut self, nobody: &'w mut ()) -> Work<'w> {
        Work {
            rules: self.rules,
            state: &mut self.state,
            sink: nobody,
        }
    }

    /// What was put down is no news: nothing follows from it.
    fn settled(&mut self) {
        self.state.news.clear();
        self.state.agenda.clear();
        self.state.turn.completed.clear();
        self.state.turn.laid = None;
    }
}

/// Positions within what a rule lets happen at one go, for following other programs that stop there.
impl Rules {
    /// As [`Rules::apply`], but play stands still before a step that it would come to: what the last event brought (traps,
    /// figures without support) is not settled yet, it waits for nobody, and only [`Rules::ask_again`] goes on from there.
    ///
    /// # Errors
    /// What is wrong with the input; the state is then as it was before.
    pub fn apply_before(
        &self,
        state: &mut State,
        input: Input,
        step: Step,
        sink: &mut dyn Sink,
    ) -> Result<(), Illegal> {
        self.check_input(state, input)?;
        let stop = self.index_of_step(step);
        let mut work = Work {
            rules: self,
            state,
            sink,
        };
        work.carry_out(input, stop);
        Ok(())
    }

    /// Whether play stands still before a step.
    pub fn stands_still(&self, state: &State) -> bool {
        state.waiting == Waiting::Over && !state.agenda.is_empty()
    }

    /// Where play stands still, a step asks once more, and what it may do once per turn part may be done again.
    ///
    /// No rule leads there: one figure action is all that a step grants (OP-45). Some programs grant two.
    ///
    /// # Errors
    /// [`Illegal::NotAsked`] if play does not stand still.
    pub fn ask_again(
        &self,
        state: &mut State,
        step: Step,
        sink: &mut dyn Sink,
    ) -> Result<(), Illegal> {
        if !self.stands_still(state) {
            return Err(Illegal::NotAsked);
        }
        let kept = Used::WHOLE_TURN
            .with(Used::SKIPPED)
            .with(Used::SECOND_DUE)
            .with(Used::MAY_DECLINE)
            .with(Used::OWN_TILE);
        state.turn.used = Used(state.turn.used.0 & kept.0);
        state.agenda.push(Task::At(self.index_of_step(step)));
        let mut work = Work {
            rules: self,
            state,
            sink,
        };
        work.run();
        Ok(())
    }
}
