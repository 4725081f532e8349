//! Snapshots: a state as bytes and back, checked; and the state hash.

use alloc::vec::Vec;
use core::fmt;

use crate::board::{Board, Laid};
use crate::bytes::{self, Bytes};
use crate::figures::Pieces;
use crate::geometry::{Pos, Rotation};
use crate::hooks::Ctx;
use crate::moves::{MAX_SEATS, MAX_TILES, SegId, TileKind};
use crate::registry::ExtState;
use crate::rules::Rules;
use crate::state::{State, Task, Waiting};
use crate::vocabulary::{KINDS, Marks, Place};

/// The format of snapshots; raised when it changes.
const FORMAT: u8 = 1;

/// What is wrong with a snapshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SnapshotError {
    /// It is not of this format.
    Format,
    /// It ends too early, goes on too long, or holds a value that does not exist.
    Mangled,
    /// Its tiles cannot lie as it says.
    Board,
    /// A figure stands where none can be.
    Figures,
    /// It breaks an invariant; which one.
    Invariant(&'static str),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Format => f.write_str("the snapshot is of another format"),
            SnapshotError::Mangled => f.write_str("the snapshot is cut off or mangled"),
            SnapshotError::Board => f.write_str("the snapshot's tiles cannot lie as it says"),
            SnapshotError::Figures => {
                f.write_str("a figure of the snapshot stands where none can be")
            }
            SnapshotError::Invariant(which) => {
                write!(f, "the snapshot breaks an invariant: {which}")
            }
        }
    }
}

impl core::error::Error for SnapshotError {}

impl State {
    /// The state as bytes: canonical, the same on every platform. [`Rules::load`] is the inverse.
    pub fn save(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(512);
        out.push(FORMAT);
        let tiles: Vec<(TileKind, (Pos, Rotation))> = self
            .board
            .tiles()
            .iter()
            .map(|tile| (tile.kind, (tile.pos, tile.rotation)))
            .collect();
        tiles.write(&mut out);
        self.marks_in_play().write(&mut out);
        self.pieces.write(&mut out);
        self.n_seats.write(&mut out);
        self.seats.write(&mut out);
        self.bag.write(&mut out);
        self.turn.write(&mut out);
        self.agenda.write(&mut out);
        self.waiting.write(&mut out);
        (self.sealed.len() as u8).write(&mut out);
        for (seat, choice) in &self.sealed {
            seat.write(&mut out);
            choice.write(&mut out);
        }
        self.news.write(&mut out);
        self.batch.write(&mut out);
        self.ext.write(&mut out);
        out
    }

    /// The features with marks that were given in play, each by its smallest segment, which no way of keeping features changes.
    fn marks_in_play(&self) -> Vec<(SegId, Marks)> {
        let mut marks: Vec<(SegId, Marks)> = self
            .board
            .features()
            .filter(|(_, feature)| feature.marks.has_any(Marks::IN_PLAY))
            .filter_map(|(id, feature)| Some((self.board.members(id).min()?, feature.marks)))
            .collect();
        marks.sort_unstable();
        marks
    }

    /// A hash of the state that is the same on every platform and for every run.
    pub fn hash(&self) -> u64 {
        bytes::hash(&self.save())
    }
}

impl Rules {
    /// The state of a snapshot made by [`State::save`] under the same setup.
    ///
    /// # Errors
    /// What is wrong with the snapshot. Any bytes are safe to try.
    pub fn load(&self, snapshot: &[u8]) -> Result<State, SnapshotError> {
        let mut from = snapshot;
        if u8::read(&mut from) != Some(FORMAT) {
            return Err(SnapshotError::Format);
        }
        let state = self.read_state(&mut from)?;
        if !from.is_empty() {
            return Err(SnapshotError::Mangled);
        }
        match self.broken(&state) {
            Some(which) => Err(SnapshotError::Invariant(which)),
            None => Ok(state),
        }
    }

    fn read_state(&self, from: &mut &[u8]) -> Result<State, SnapshotError> {
        const MANGLED: SnapshotError = SnapshotError::Mangled;
        let tiles = Vec::<(TileKind, (Pos, Rotation))>::read(from).ok_or(MANGLED)?;
        let mut board = self.rebuild(&tiles)?;
        for (seg, marks) in Vec::<(SegId, Marks)>::read(from).ok_or(MANGLED)? {
            if !board.has_segment(seg) {
                return Err(SnapshotError::Board);
            }
            board.add_mark(seg, marks);
        }
        let pieces = Pieces::read(from).ok_or(MANGLED)?;
        for piece in pieces.iter() {
            let exists = match piece.spot.place {
                Place::Segment => board.has_segment(SegId(piece.spot.at)),
                Place::TowerTop | Place::Trap => usize::from(piece.spot.at) < board.tiles().len(),
                Place::Corner => Pos::from_bits(piece.spot.at).is_on_the_table(),
                Place::Prison => usize::from(piece.spot.at) < MAX_SEATS,
            };
            if !exists {
                return Err(SnapshotError::Figures);
            }
            if let Some(seg) = piece.spot.as_segment() {
                let follower = self.figure(piece.kind).is_follower();
                let crowd = board.crowd_mut(seg);
                crowd.figures = crowd.figures.checked_add(1).ok_or(SnapshotError::Figures)?;
                crowd.followers += u8::from(follower);
            }
        }
        let mut state = State {
            board,
            pieces,
            n_seats: u8::read(from).ok_or(MANGLED)?,
            seats: Bytes::read(from).ok_or(MANGLED)?,
            bag: Bytes::read(from).ok_or(MANGLED)?,
            turn: Bytes::read(from).ok_or(MANGLED)?,
            agenda: Bytes::read(from).ok_or(MANGLED)?,
            waiting: Bytes::read(from).ok_or(MANGLED)?,
            sealed: Vec::new(),
            news: crate::state::News::default(),
            batch: Vec::new(),
            ext: ExtState::default(),
        };
        for _ in 0..u8::read(from).ok_or(MANGLED)? {
            state.sealed.push((
                Bytes::read(from).ok_or(MANGLED)?,
                Bytes::read(from).ok_or(MANGLED)?,
            ));
        }
        state.news = Bytes::read(from).ok_or(MANGLED)?;
        state.batch = Bytes::read(from).ok_or(MANGLED)?;
        state.ext = Bytes::read(from).ok_or(MANGLED)?;
        Ok(state)
    }

    fn rebuild(&self, tiles: &[(TileKind, (Pos, Rotation))]) -> Result<Board, SnapshotError> {
        let mut board = Board::new();
        for (i, (kind, (pos, rotation))) in tiles.iter().enumerate() {
            let known = kind.index() < self.n_kinds()
                && pos.is_on_the_table()
                && board.tile_at(*pos).is_none();
            if !known || (i > 0 && board.gap_at(*pos).is_none()) || i >= MAX_TILES {
                return Err(SnapshotError::Board);
            }
            board.lay(&self.tiles, *kind, *pos, *rotation, &mut Laid::default());
        }
        Ok(board)
    }

    /// The first invariant that a state breaks, if any: for tests, and for snapshots from outside.
    pub fn broken(&self, state: &State) -> Option<&'static str> {
        let seats = usize::from(state.n_seats);
        if state.n_seats != self.setup().seats || seats > MAX_SEATS {
            return Some("the number of seats is that of the setup");
        }
        if state.turn.active.0 >= state.n_seats {
            return Some("the active seat exists");
        }
        for piece in state.pieces.iter() {
            if piece.seat.0 >= state.n_seats {
                return Some("figures belong to seats of the game");
            }
            if let Some(seg) = piece.spot.as_segment() {
                let kind = state.board.at(seg).kind;
                if !self.figure(piece.kind).may_claim(kind) {
                    return Some("figures stand only where their kind may");
                }
            }
        }
        let mut out = [[0usize; KINDS]; MAX_SEATS];
        for piece in state.pieces.iter() {
            out[piece.seat.index()][piece.kind.index()] += 1;
        }
        for seat in state.seat_list() {
            for kind in crate::vocabulary::Kind::ALL {
                let out = out[seat.index()][kind.index()];
                if usize::from(state.seat(seat).has(*kind)) + out
                    != usize::from(self.supplied(*kind))
                {
                    return Some("no figure is lost or made");
                }
            }
        }
        if state.bag.left.len() != self.n_kinds() {
            return Some("the bag knows every kind of tile");
        }
        let mut in_group = [0u16; 8];
        for (tile, n) in self.tiles.iter().zip(&state.bag.left) {
            in_group[usize::from(tile.group & 7)] += u16::from(*n);
        }
        if in_group != state.bag.in_group {
            return Some("the bag's groups add up");
        }
        if state
            .turn
            .drawn
            .is_some_and(|kind| kind.index() >= self.n_kinds())
            || state
                .turn
                .laid
                .is_some_and(|slot| slot.index() >= state.board.tiles().len())
        {
            return Some("the tile of the turn exists");
        }
        let segment = |seg: &SegId| state.board.has_segment(*seg);
        if !state.turn.completed.iter().all(segment)
            || !state.batch.iter().all(|entry| segment(&entry.segment))
            || !state.news.joins.iter().all(|join| segment(&join.segment))
        {
            return Some("segments that are named exist");
        }
        let steps = self.links.steps.len();
        let task = |task: &Task| match task {
            Task::Step(i) | Task::At(i) => usize::from(*i) < steps,
            Task::Score(_) | Task::Ext(_) => true,
        };
        if !state.agenda.iter().all(task) {
            return Some("the agenda names steps of this setup");
        }
        match (state.waiting, state.agenda.last()) {
            (Waiting::Over, None) => {}
            (Waiting::Over, Some(_)) => return Some("a game that is over has nothing to do"),
            (Waiting::Seats(seats), Some(Task::At(_) | Task::Ext(_))) => {
                if seats.is_empty() || seats.iter().any(|seat| seat.0 >= state.n_seats) {
                    return Some("seats that are asked exist");
                }
            }
            (Waiting::Chance(_), Some(Task::At(_) | Task::Ext(_))) => {}
            (Waiting::Seats(_) | Waiting::Chance(_), _) => {
                return Some("whoever is asked is asked by a task");
            }
        }
        if !state.news.is_empty() && !state.news.held {
            return Some("news is settled before anybody is asked");
        }
        self.links
            .check
            .iter()
            .find_map(|hook| hook(Ctx { rules: self, state }))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Chance, Edition, Input, Moves, Rules, Setup, Waiting};
    use alloc::vec::Vec;

    /// The bytes, and so the hash in game files, do not depend on which segment a feature is known by.
    #[test]
    fn marks_are_saved_with_the_smallest_segment() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2).with("abbey-and-mayor")).unwrap();
        let mut seed = 7u64;
        let mut below = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % n
        };
        let (mut moves, mut outcomes) = (Moves::new(), Vec::<(Chance, u32)>::new());
        let mut grown = 0;
        for _ in 0..8 {
            let mut state = rules.start();
            loop {
                let input = match state.waiting() {
                    Waiting::Over => break,
                    Waiting::Chance(_) => {
                        rules.outcomes(&state, &mut outcomes);
                        Input::Chance(outcomes[below(outcomes.len())].0)
                    }
                    Waiting::Seats(seats) => {
                        rules.legal(&state, &mut moves);
                        Input::Choice(seats.iter().next().unwrap(), moves[below(moves.len())])
                    }
                };
                rules.apply_listed(&mut state, input, &mut ());
                let marks = state.marks_in_play();
                assert!(marks.is_sorted());
                for (segment, _) in marks {
                    let board = state.board();
                    let members = || board.members(board.feature_of(segment));
                    assert!(members().all(|other| segment <= other));
                    grown += usize::from(board.at(segment).some != segment);
                }
            }
        }
        assert!(grown > 0, "no marked field ever grew");
    }
}
