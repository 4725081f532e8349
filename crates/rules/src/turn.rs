//! The run loop: an agenda of small tasks, and the operations with which rules change a state.

use crate::board::Laid;
use crate::clause::{self, Clause};
use crate::events::{Event, Sink};
use crate::figures::{Class, FigureDef, Piece, Spot};
use crate::geometry::{Pos, Rotation};
use crate::hooks::Ctx;
use crate::moves::{Chance, Choice, Input, Moves, Seat, SeatSet, SegId, TileKind, TileSlot};
use crate::order::{Rank, Step};
use crate::registry::Ext;
use crate::rules::Rules;
use crate::state::{State, Task, Waiting};
use crate::vocabulary::{Kind, Nature, Place, Token, Used, Way, Why};

/// No step has this index: play runs on.
pub(crate) const NO_STOP: u8 = u8::MAX;

/// How a step or task ends for now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It is finished.
    Done,
    /// One seat must choose.
    Ask(Seat),
    /// Several seats must choose, none of them seeing the others' choices.
    AskAll(SeatSet),
    /// Nature must decide.
    Chance(Nature),
}

/// What a choice answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Who was asked.
    pub seat: Seat,
    /// By which step or task.
    pub task: Task,
}

/// What points are given for.
#[derive(Clone, Copy)]
enum Earned {
    /// Something that happened, perhaps at a feature.
    At(Option<SegId>),
    /// The value of a feature, as it was told.
    Value(SegId),
    /// Tokens of a kind.
    Tokens(Token),
}

/// The rules at work on a state.
pub struct Work<'a> {
    /// The linked setup.
    pub rules: &'a Rules,
    /// The position being changed.
    pub state: &'a mut State,
    pub(crate) sink: &'a mut dyn Sink,
}

impl Work<'_> {
    /// For reading.
    pub fn ctx(&self) -> Ctx<'_> {
        Ctx {
            rules: self.rules,
            state: self.state,
        }
    }

    /// Tells an event to whoever listens; it is only made if somebody does.
    pub fn tell(&mut self, event: impl FnOnce() -> Event) {
        if self.sink.wants() {
            self.sink.event(event());
        }
    }

    // ---- the agenda ----------------------------------------------------------------------------------------------

    /// Puts work on the agenda, to be done next.
    pub fn push(&mut self, task: Task) {
        self.state.agenda.push(task);
    }

    /// Instead of the next step, go on with this one (or the first after it that is linked).
    pub fn jump(&mut self, step: Step) {
        let index = self.rules.index_of_step(step);
        match self
            .state
            .agenda
            .iter_mut()
            .rev()
            .find(|task| matches!(task, Task::Step(_)))
        {
            Some(task) => *task = Task::Step(index),
            None => self.state.agenda.insert(0, Task::Step(index)),
        }
    }

    /// Whatever was begun is dropped, and the end of the game begins.
    pub fn end_game(&mut self) {
        let index = self.rules.index_of_step(Step::LastAbbeys);
        self.state.agenda.clear();
        self.state.agenda.push(Task::Step(index));
    }

    /// A seat is asked if there is anything to choose; a step with no choice is skipped (OP-107).
    pub fn ask_if_any(&mut self, step: Step, seat: Seat) -> Flow {
        let index = self.rules.index_of_step(step);
        let mut moves = Moves::any_only();
        self.rules.step_offers(self.ctx(), index, seat, &mut moves);
        if moves.found_any() {
            Flow::Ask(seat)
        } else {
            Flow::Done
        }
    }

    /// Ends the game here and scores what lies on the board; nobody is asked anything.
    pub(crate) fn finish_now(&mut self) {
        self.state.agenda.clear();
        self.state.turn.drawn = None;
        // What this turn part completed is scored first: the steps of 3B, which ask nobody.
        let begun = |step: Step| step >= Step::Score && step <= Step::Return;
        let last = |step: Step| step > Step::LastAbbeys && step < Step::Over;
        for wanted in [begun, last] {
            for (_, def) in self
                .rules
                .links
                .steps
                .iter()
                .filter(|(step, _)| wanted(*step))
            {
                (def.enter)(self);
                while let Some(Task::Score(i)) = self.state.agenda.pop() {
                    crate::scoring::score_next(self, i);
                }
            }
        }
        self.state.agenda.clear();
        self.state.waiting = Waiting::Over;
    }

    pub(crate) fn run(&mut self) {
        self.run_to(NO_STOP);
    }

    /// Runs until somebody is asked, or a step from the one with this index on is next: then nobody is, and what the last
    /// event brought is not settled yet.
    fn run_to(&mut self, stop: u8) {
        loop {
            if stop != NO_STOP
                && let Some(Task::Step(next)) = self.state.agenda.last()
                && *next >= stop
            {
                self.state.waiting = Waiting::Over;
                return;
            }
            if !self.state.news.held && !self.state.news.is_empty() {
                self.settle();
            }
            let Some(top) = self.state.agenda.last_mut() else {
                self.state.waiting = Waiting::Over;
                return;
            };
            let task = *top;
            let (flow, asking) = if let Task::Step(i) = task {
                // The step after it takes its place.
                if usize::from(i) + 1 < self.rules.links.steps.len() {
                    *top = Task::Step(i + 1);
                } else {
                    self.state.agenda.pop();
                }
                let enter = self.rules.links.steps[usize::from(i)].1.enter;
                (enter(self), Task::At(i))
            } else {
                self.state.agenda.pop();
                let flow = match task {
                    Task::Step(i) | Task::At(i) => {
                        (self.rules.links.steps[usize::from(i)].1.enter)(self)
                    }
                    Task::Score(i) => crate::scoring::score_next(self, i),
                    Task::Ext(ext) => ext.enter(self),
                };
                (flow, task)
            };
            self.state.waiting = match flow {
                Flow::Done => continue,
                Flow::Ask(seat) => Waiting::Seats(SeatSet::one(seat)),
                Flow::AskAll(seats) => Waiting::Seats(seats),
                Flow::Chance(nature) => Waiting::Chance(nature),
            };
            self.state.agenda.push(asking);
            return;
        }
    }

    /// Lays the start tiles and lets the expansions prepare the first position (OP-05, OP-06).
    pub(crate) fn prepare(&mut self) {
        for (kind, pos, rotation) in &self.rules.start {
            self.lay_silently(*kind, *pos, *rotation);
        }
        self.state.news.clear();
        self.state.turn.completed.clear();
        for ext in Ext::ALL {
            if self.rules.has(*ext)
                && let Some(prepare) = ext.expansion().prepare
            {
                prepare(self);
            }
        }
    }

    pub(crate) fn begin(&mut self) {
        self.state.agenda.push(Task::Step(0));
        self.run();
    }

    /// Carries out an input that has been found legal, and runs on to the step with this index at most.
    pub(crate) fn carry_out(&mut self, input: Input, stop: u8) {
        match input {
            Input::Choice(seat, choice) => {
                let Waiting::Seats(asked) = self.state.waiting else {
                    return;
                };
                if asked.len() > 1 {
                    self.state.sealed.push((seat, choice));
                    self.state.waiting = Waiting::Seats(asked.without(seat));
                    return;
                }
                let Some(task) = self.state.agenda.pop() else {
                    return;
                };
                if self.state.sealed.is_empty() {
                    self.act(Asked { seat, task }, choice);
                } else {
                    let mut answers = core::mem::take(&mut self.state.sealed);
                    answers.push((seat, choice));
                    answers.sort_by_key(|(seat, _)| *seat);
                    for (seat, choice) in answers {
                        self.act(Asked { seat, task }, choice);
                    }
                }
            }
            Input::Chance(chance) => {
                let Some(task) = self.state.agenda.pop() else {
                    return;
                };
                match (task, chance) {
                    (Task::At(_), Chance::Tile(kind)) => crate::play::drawn(self, kind),
                    (Task::Ext(ext), chance) => ext.chance(self, chance),
                    _ => {}
                }
            }
            Input::Leave(seat) => {
                self.state.seats[seat.index()].gone = true;
                self.tell(|| Event::SeatLeft { seat });
                return;
            }
        }
        self.run_to(stop);
    }

    fn act(&mut self, asked: Asked, choice: Choice) {
        match self.rules.links.acts[choice.verb.index()] {
            Some(act) => act(self, asked, choice),
            None => {
                if let Task::Ext(ext) = asked.task {
                    ext.act(self, asked.seat, choice);
                }
            }
        }
    }

    // ---- tiles ---------------------------------------------------------------------------------------------------

    /// Lays a tile of the active player: segments join, finished features are noted, the traps wait for their step.
    pub fn lay(&mut self, kind: TileKind, pos: Pos, rotation: Rotation) -> TileSlot {
        let slot = self.lay_silently(kind, pos, rotation);
        let seat = self.state.turn.active;
        self.tell(|| Event::Laid {
            seat,
            slot,
            kind,
            pos,
            rotation,
        });
        for hook in &self.rules.links.tile_laid {
            hook(self, slot);
        }
        slot
    }

    pub(crate) fn lay_silently(
        &mut self,
        kind: TileKind,
        pos: Pos,
        rotation: Rotation,
    ) -> TileSlot {
        let mut laid = Laid {
            joins: core::mem::take(&mut self.state.news.joins),
            completed: core::mem::take(&mut self.state.turn.completed),
        };
        let slot = TileSlot(self.state.board.tiles().len() as u16);
        self.state
            .board
            .lay(&self.rules.tiles, kind, pos, rotation, &mut laid);
        self.state.news.joins = laid.joins;
        self.state.turn.completed = laid.completed;
        self.state.news.laid = Some(slot);
        self.state.news.held = true;
        self.state.turn.drawn = None;
        self.state.turn.laid = Some(slot);
        slot
    }

    // ---- figures -------------------------------------------------------------------------------------------------

    /// Puts a figure from its owner's supply on a spot.
    pub fn put(&mut self, piece: Piece, way: Way) {
        let supply = &mut self.state.seats[piece.seat.index()].supply[piece.kind.index()];
        if *supply == 0 {
            return;
        }
        *supply -= 1;
        self.stand(piece);
        self.tell(|| Event::Arrived { piece, way });
        self.arrived(piece, way);
    }

    /// Moves a figure from its spot to another.
    pub fn shift(&mut self, piece: Piece, to: Spot, way: Way, why: Why, clause: Clause) {
        if !self.unstand(piece) {
            return;
        }
        let moved = piece.moved_to(to);
        self.stand(moved);
        self.tell(|| Event::Moved {
            from: piece,
            to: moved,
            way,
            clause,
        });
        self.left(piece, why);
        self.arrived(moved, way);
    }

    /// Sends a figure home to its owner's supply.
    pub fn take_home(&mut self, piece: Piece, why: Why, clause: Clause) {
        if !self.unstand(piece) {
            return;
        }
        self.state.seats[piece.seat.index()].supply[piece.kind.index()] += 1;
        self.tell(|| Event::WentHome { piece, why, clause });
        self.left(piece, why);
    }

    fn stand(&mut self, piece: Piece) {
        self.state.pieces.insert(piece);
        if let Some(seg) = piece.spot.as_segment() {
            let follower = self.rules.figure(piece.kind).is_follower();
            let crowd = self.state.board.crowd_mut(seg);
            crowd.figures += 1;
            crowd.followers += u8::from(follower);
        }
    }

    fn unstand(&mut self, piece: Piece) -> bool {
        if !self.state.pieces.remove(piece) {
            return false;
        }
        if let Some(seg) = piece.spot.as_segment() {
            let follower = self.rules.figure(piece.kind).is_follower();
            let crowd = self.state.board.crowd_mut(seg);
            crowd.figures -= 1;
            crowd.followers -= u8::from(follower);
        }
        true
    }

    fn arrived(&mut self, piece: Piece, way: Way) {
        self.state.news.arrivals.push((piece, way));
        for hook in &self.rules.links.arrived {
            hook(self, piece, way);
        }
    }

    fn left(&mut self, piece: Piece, why: Why) {
        self.state.news.left = true;
        for hook in &self.rules.links.left {
            hook(self, piece, why);
        }
    }

    /// Settles what the last event brought: lake, tree, tree to lake, support (OP-91, RP-121 to RP-124).
    pub fn settle(&mut self) {
        let mut supported = false;
        for (rank, hook) in &self.rules.links.settle {
            if *rank == Rank::Support {
                self.support();
                supported = true;
            }
            hook(self);
        }
        if !supported {
            self.support();
        }
        self.state.news.clear();
    }

    /// SM-80: a companion goes home when its owner has no follower left on its feature.
    fn support(&mut self) {
        if !self.state.news.left {
            return;
        }
        loop {
            let lonely = self.state.pieces.iter().find(|piece| {
                self.rules.figure(piece.kind).class == Class::Companion
                    && !self.ctx().is_supported(*piece)
            });
            match lonely {
                Some(piece) => self.take_home(piece, Why::Unsupported, clause::SM_80),
                None => return,
            }
        }
    }

    // ---- points --------------------------------------------------------------------------------------------------

    /// Gives points to a seat, or takes them when negative.
    pub fn award(&mut self, seat: Seat, points: i32, clause: Clause, feature: Option<SegId>) {
        self.give(seat, points, clause, Earned::At(feature));
    }

    /// Gives a seat points for tokens of a kind.
    pub fn award_for(&mut self, seat: Seat, points: i32, clause: Clause, token: Token) {
        self.give(seat, points, clause, Earned::Tokens(token));
    }

    /// Gives a seat what a feature was valued at for it.
    pub fn pay(&mut self, seat: Seat, points: i32, clause: Clause, feature: SegId) {
        self.give(seat, points, clause, Earned::Value(feature));
    }

    fn give(&mut self, seat: Seat, points: i32, clause: Clause, earned: Earned) {
        let floor = self.rules.score_floor();
        let score = &mut self.state.seats[seat.index()].score;
        let before = *score;
        *score += points;
        if floor && points < 0 {
            *score = (*score).max(before.min(0));
        }
        let points = *score - before;
        self.tell(|| Event::Awarded {
            seat,
            points,
            clause,
            feature: match earned {
                Earned::At(feature) => feature,
                Earned::Value(feature) => Some(feature),
                Earned::Tokens(_) => None,
            },
            valued: matches!(earned, Earned::Value(_)),
            token: match earned {
                Earned::Tokens(token) => Some(token),
                Earned::At(_) | Earned::Value(_) => None,
            },
        });
    }

    /// Notes that something was used up.
    pub fn use_up(&mut self, used: Used) {
        self.state.turn.used = self.state.turn.used.with(used);
    }
}

impl<'a> Ctx<'a> {
    /// The landscape.
    pub fn board(self) -> &'a crate::board::Board {
        &self.state.board
    }

    /// What is drawn on a segment.
    pub fn segment(self, seg: SegId) -> &'a crate::tiles::SegmentDef {
        self.state.board.def(&self.rules.tiles, seg)
    }

    /// The definition of a tile on the board.
    pub fn tile_def(self, slot: TileSlot) -> &'a crate::tiles::TileDef {
        &self.rules.tiles[self.state.board.tile(slot).kind.index()].def
    }

    /// The row of the table of figures.
    pub fn figure(self, kind: Kind) -> &'a FigureDef {
        self.rules.figure(kind)
    }

    /// The figures on one feature.
    pub fn on_feature(self, feature: crate::moves::FeatureId) -> impl Iterator<Item = Piece> + 'a {
        let board = &self.state.board;
        let on_it = move |piece: &Piece| {
            piece.spot.place == Place::Segment && board.feature_of(SegId(piece.spot.at)) == feature
        };
        // The feature knows how many there are, so the search ends with the last of them.
        let n = usize::from(board.feature(feature).crowd.figures);
        self.state.pieces.iter().filter(on_it).take(n)
    }

    /// The figures on one tile: on its segments, its tower, its trap.
    pub fn on_tile(self, slot: TileSlot) -> impl Iterator<Item = Piece> + 'a {
        let board = &self.state.board;
        self.state
            .pieces
            .iter()
            .filter(move |piece| match piece.spot.place {
                Place::Segment => board.tile_of(SegId(piece.spot.at)) == slot,
                Place::TowerTop | Place::Trap => piece.spot.at == slot.0,
                Place::Corner | Place::Prison => false,
            })
    }

    /// Whether the owner of a figure has a follower on its feature.
    pub fn is_supported(self, piece: Piece) -> bool {
        match piece.spot.as_segment() {
            Some(seg) => self.has_follower(piece.seat, self.state.board.feature_of(seg)),
            None => true,
        }
    }

    /// Whether a seat has a follower on a feature.
    pub fn has_follower(self, seat: Seat, feature: crate::moves::FeatureId) -> bool {
        self.on_feature(feature)
            .any(|piece| piece.seat == seat && self.figure(piece.kind).is_follower())
    }

    /// Whether the turn has used any of these up.
    pub fn used(self, used: Used) -> bool {
        self.state.turn.used.has_any(used)
    }
}
