//! The Tower (`docs/rules/tower.md`): foundations, pieces, prisoners, followers on towers, ransom.
//!
//! A prisoner is a figure whose spot is the prison of its holder, so that supplies, exchange and ransom need no account of
//! their own.

use alloc::vec::Vec;

use crate::bytes::{enum_bytes, struct_bytes};
use crate::clause;
use crate::events::Event;
use crate::figures::{Piece, Quirks, Spot};
use crate::hooks::{Ctx, Expansion, Hook, OptionDef, Shown, Took, Values, Verdict};
use crate::moves::{Chance, Choice, MAX_SEATS, Moves, Seat, Target, TileSlot};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, ExtTask};
use crate::state::Task as Agenda;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{Kind, Place, Symbols, Token, Used, Verb, Way, Why};

const TOWER: usize = 0;

/// TO-35: the price of every prisoner.
const PRICE: i32 = 3;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "tower",
    book: "TO",
    name: "The Tower",
    sets: [&["tower:1"], &["tower:2"]],
    options: &[OptionDef {
        key: "tower",
        values: Values::Listed(&["true", "false"], [0; 3]),
        clause: clause::TO_02,
    }],
    prepare: Some(prepare),
    hooks: &[
        Hook::TileLaid(foundation),
        Hook::MoreTargets(top_targets),
        Hook::Offer(Step::MoveWood, piece_offers),
        Hook::AnyTime(ransom_offers),
        Hook::Act(Verb::TowerPiece, add_piece),
        Hook::Act(Verb::Capture, capture),
        Hook::Act(Verb::TowerTop, climb),
        Hook::Act(Verb::Exchange, exchange_act),
        Hook::Act(Verb::Ransom, ransom),
        Hook::WhyNot(Verb::Pass, why_not_pass),
        Hook::WhyNot(Verb::TowerPiece, why_not_piece),
        Hook::WhyNot(Verb::Capture, why_not_capture),
        Hook::WhyNot(Verb::TowerTop, why_not_top),
        Hook::WhyNot(Verb::Exchange, why_not_exchange),
        Hook::WhyNot(Verb::Ransom, why_not_ransom),
        Hook::Shows(shows),
        Hook::Arrange(arrange),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// A foundation and what is built on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tower {
    /// The tile.
    slot: TileSlot,
    /// Pieces; 0 for a bare foundation.
    height: u8,
}
struct_bytes!(Tower { slot, height });

/// The foundations on the board, in the order of laying, and the pieces not yet built.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    towers: Vec<Tower>,
    /// By seat.
    left: [u8; MAX_SEATS],
}
struct_bytes!(State { towers, left });

impl Clone for State {
    fn clone(&self) -> State {
        State {
            towers: self.towers.clone(),
            left: self.left,
        }
    }

    fn clone_from(&mut self, other: &State) {
        self.towers.clone_from(&other.towers);
        self.left = other.left;
    }
}

/// Unfinished work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// TO-09: a piece was added to the tower of this tile; a follower may be captured.
    Capture(TileSlot),
    /// TO-27: a follower of this seat was captured; prisoners may have to be exchanged with it.
    Exchange(Seat),
}
enum_bytes!(Task { 0 = Capture(slot), 1 = Exchange(seat) });

fn plays(c: Ctx) -> bool {
    c.rules.options.get(Ext::Tower, TOWER) == 0
}

// ---- foundations and pieces ------------------------------------------------------------------------------------------

/// TO-02: pieces for each player. The box is for six; seven and eight players share 30 pieces as evenly.
const fn dealt(seats: u8) -> u8 {
    match seats {
        0..=2 => 10,
        3 => 9,
        4 => 7,
        5 => 6,
        6 => 5,
        7 => 4,
        _ => 3,
    }
}

fn prepare(w: &mut Work) {
    if !plays(w.ctx()) {
        return;
    }
    let each = dealt(w.state.n_seats);
    for seat in w.state.seat_list() {
        w.state.ext.tower.left[seat.index()] = each;
    }
    for slot in (0u16..).map(TileSlot).take(w.state.board.tiles().len()) {
        foundation(w, slot);
    }
}

/// TO-04: a foundation on the board can be built on from now on.
fn foundation(w: &mut Work, slot: TileSlot) {
    let c = w.ctx();
    if c.tile_def(slot).symbols.has(Symbols::TOWER) && plays(c) {
        w.state.ext.tower.towers.push(Tower { slot, height: 0 });
    }
}

fn tower_on(c: Ctx, slot: TileSlot) -> Option<Tower> {
    let towers = &c.state.ext.tower.towers;
    towers.iter().copied().find(|tower| tower.slot == slot)
}

/// TO-06, TO-21, TO-24: no follower stands on top.
fn is_open(c: Ctx, tower: Tower) -> bool {
    c.state
        .pieces
        .at(Spot::tower_top(tower.slot))
        .next()
        .is_none()
}

/// All foundations on whose top no follower stands. Towers and the figures on them are both in the order of their tiles.
fn open_towers(c: Ctx<'_>) -> impl Iterator<Item = Tower> + '_ {
    let mut tops = c.state.pieces.in_place(Place::TowerTop).peekable();
    let towers = c.state.ext.tower.towers.iter().copied();
    towers.filter(move |tower| {
        tops.next_if(|piece| piece.spot.at == tower.slot.0)
            .is_none()
    })
}

/// TO-04, TO-07, TO-08: a piece on any foundation without a follower, however high.
fn piece_offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if c.state.ext.tower.left[seat.index()] == 0 {
        return;
    }
    for tower in open_towers(c) {
        m.push(Choice::new(Verb::TowerPiece, Target::Tile(tower.slot)));
        if m.is_satisfied() {
            return;
        }
    }
}

fn add_piece(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Tile(slot) = choice.target else {
        return;
    };
    play::use_figure_step(w, None);
    let here = &mut w.state.ext.tower;
    here.left[asked.seat.index()] -= 1;
    if let Some(tower) = here.towers.iter_mut().find(|tower| tower.slot == slot) {
        tower.height += 1;
    }
    let now = here.left[asked.seat.index()];
    w.tell(|| Event::Tokens {
        seat: asked.seat,
        token: Token::TowerPiece,
        now,
        change: -1,
        at: Some(slot),
        clause: clause::TO_04,
    });
    w.push(Agenda::Ext(ExtTask::Tower(Task::Capture(slot))));
}

// ---- followers on top ------------------------------------------------------------------------------------------------

/// TO-04, TO-06, TO-22: one follower on top of an open tower. TO-47: not where the dragon stands.
fn top_targets(c: Ctx, _: Seat, kind: Kind, _: bool, m: &mut Moves) {
    if !c.figure(kind).is(Quirks::TOWER_TOP) {
        return;
    }
    for tower in open_towers(c) {
        if tower.height > 0 && !is_dragon_on(c, tower.slot) {
            m.push(Choice {
                verb: Verb::TowerTop,
                kind: Some(kind),
                target: Target::Tile(tower.slot),
            });
            if m.is_satisfied() {
                return;
            }
        }
    }
}

fn is_dragon_on(c: Ctx, slot: TileSlot) -> bool {
    crate::expansions::princess_and_dragon::is_dragon_on(c, slot)
}

fn climb(w: &mut Work, asked: Asked, choice: Choice) {
    if let (Some(kind), Target::Tile(slot)) = (choice.kind, choice.target) {
        play::use_figure_step(w, choice.kind);
        w.put(
            Piece {
                spot: Spot::tower_top(slot),
                seat: asked.seat,
                kind,
            },
            Way::Tower,
        );
    }
}

// ---- capture and exchange --------------------------------------------------------------------------------------------

/// TO-10 to TO-13, TO-16, TO-17: any one follower on the tower's tile or as many tiles straight to the four sides as the tower
/// is high; nothing blocks.
fn capture_offers(c: Ctx, slot: TileSlot, m: &mut Moves) {
    let reach = tower_on(c, slot).map_or(0, |tower| u16::from(tower.height));
    let from = c.board().tile(slot).pos;
    let mut before = None;
    for piece in c.state.pieces.iter() {
        let pos = match c.board().pos_of_spot(piece.spot) {
            Some(pos) if before != Some(piece) => pos,
            _ => continue,
        };
        before = Some(piece);
        let dx = i16::from(pos.x).abs_diff(i16::from(from.x));
        let dy = i16::from(pos.y).abs_diff(i16::from(from.y));
        if (dx == 0 || dy == 0)
            && dx.max(dy) <= reach
            && c.figure(piece.kind).is(Quirks::CAPTURABLE)
        {
            m.push(Choice::new(Verb::Capture, Target::Piece(piece)));
            if m.is_satisfied() {
                return;
            }
        }
    }
}

/// TO-14: another player's follower becomes a prisoner. TO-15: an own one goes home.
fn capture(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Piece(piece) = choice.target else {
        return;
    };
    if piece.seat == asked.seat {
        w.take_home(piece, Why::Captured, clause::TO_15);
        return;
    }
    let prison = Spot::prison(asked.seat);
    w.shift(piece, prison, Way::Capture, Why::Captured, clause::TO_14);
    w.push(Agenda::Ext(ExtTask::Tower(Task::Exchange(piece.seat))));
}

/// The followers of one seat that another holds.
fn held(c: Ctx<'_>, holder: Seat, owner: Seat) -> impl Iterator<Item = Piece> + '_ {
    let held = c.state.pieces.at(Spot::prison(holder));
    held.filter(move |piece| piece.seat == owner)
}

impl Task {
    pub(crate) fn enter(self, w: &mut Work) -> Flow {
        let captor = w.state.turn.active;
        match self {
            // TO-09: asked if there is anybody in reach.
            Task::Capture(slot) => {
                let mut moves = Moves::any_only();
                capture_offers(w.ctx(), slot, &mut moves);
                if moves.found_any() {
                    return Flow::Ask(captor);
                }
            }
            // TO-27, TO-28: at once. TO-29: a choice only between kinds.
            Task::Exchange(other) => {
                let c = w.ctx();
                let first = held(c, other, captor).next();
                if held(c, other, captor).any(|piece| Some(piece) != first) {
                    return Flow::Ask(captor);
                }
                if let Some(own) = first {
                    exchange(w, captor, own, other);
                }
            }
        }
        Flow::Done
    }

    pub(crate) fn offers(self, c: Ctx, seat: Seat, m: &mut Moves) {
        match self {
            Task::Capture(slot) => {
                capture_offers(c, slot, m);
                m.push(Choice::PASS);
            }
            Task::Exchange(other) => {
                let mut before = None;
                for piece in held(c, other, seat) {
                    if before != Some(piece) {
                        m.push(Choice::new(Verb::Exchange, Target::Piece(piece)));
                    }
                    before = Some(piece);
                }
            }
        }
    }

    pub(crate) fn act(self, _: &mut Work, _: Seat, _: Choice) {}

    pub(crate) fn chance(self, _: &mut Work, _: Chance) {}

    pub(crate) fn outcomes(self, _: Ctx, _: &mut Vec<(Chance, u32)>) {}
}

fn exchange_act(w: &mut Work, asked: Asked, choice: Choice) {
    if let Target::Piece(own) = choice.target
        && let Some(other) = own.spot.as_prison()
    {
        exchange(w, asked.seat, own, other);
    }
}

/// TO-27, TO-28, TO-30: the captor's follower and the one just captured, the only one of the other that the captor holds, go
/// home.
fn exchange(w: &mut Work, captor: Seat, own: Piece, other: Seat) {
    let captured = held(w.ctx(), captor, other).next();
    w.take_home(own, Why::Exchanged, clause::TO_27);
    if let Some(captured) = captured {
        w.take_home(captured, Why::Exchanged, clause::TO_27);
    }
}

// ---- ransom ----------------------------------------------------------------------------------------------------------

/// TO-31, TO-33, TO-34, TO-36: one own prisoner in a whole turn, at any decision of it, for a player with 3 points.
fn ransom_offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if c.used(Used::RANSOM) || c.state.seat(seat).score < PRICE {
        return;
    }
    let mut before = None;
    for piece in c.state.pieces.in_place(Place::Prison) {
        if piece.seat == seat && before != Some(piece) {
            m.push(Choice::new(Verb::Ransom, Target::Piece(piece)));
        }
        before = Some(piece);
    }
}

/// TO-31, TO-32: three points to the holder, and the follower is in the supply. Then the same question is asked again. OP-08: if
/// the first figure step was left without an action and only the phantom's is open, the game returns to the first.
fn ransom(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Piece(piece) = choice.target else {
        return;
    };
    let Some(holder) = piece.spot.as_prison() else {
        return;
    };
    w.use_up(Used::RANSOM);
    w.award(asked.seat, -PRICE, clause::TO_31, None);
    w.award(holder, PRICE, clause::TO_31, None);
    w.take_home(piece, Why::Ransomed, clause::TO_31);
    let second = asked.task == Agenda::At(w.rules.index_of_step(Step::Second));
    if second && !w.ctx().used(Used::FIRST) {
        w.jump(Step::MoveWood);
    } else {
        w.push(asked.task);
    }
}

// ---- for people ------------------------------------------------------------------------------------------------------

/// Why no action of the first figure step can be taken now, if so.
fn step_is_over(c: Ctx) -> Verdict {
    if c.used(Used::SKIPPED) {
        return Err(clause::TO_50);
    }
    if c.rules.step(c.state) == Some(Step::Second) {
        return Err(clause::TO_52);
    }
    Ok(())
}

/// TO-27: an exchange is compulsory.
fn why_not_pass(c: Ctx, _: Seat, _: &Choice) -> Verdict {
    match c.state.agenda.last() {
        Some(Agenda::Ext(ExtTask::Tower(Task::Exchange(_)))) => Err(clause::TO_27),
        _ => Ok(()),
    }
}

fn why_not_piece(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    step_is_over(c)?;
    let Target::Tile(slot) = choice.target else {
        return Ok(());
    };
    if c.state.ext.tower.left[seat.index()] == 0 {
        return Err(clause::TO_08);
    }
    match tower_on(c, slot) {
        None => Err(clause::TO_04),
        Some(tower) if !is_open(c, tower) => Err(clause::TO_21),
        Some(_) => Ok(()),
    }
}

fn why_not_top(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let (Some(kind), Target::Tile(slot)) = (choice.kind, choice.target) else {
        return Ok(());
    };
    if c.used(Used::SKIPPED) {
        return Err(clause::TO_50);
    }
    if c.state.seat(seat).has(kind) == 0 {
        return Err(clause::BA_25);
    }
    if !c.figure(kind).is(Quirks::TOWER_TOP) {
        return Err(clause::TO_22);
    }
    match tower_on(c, slot) {
        None => Err(clause::TO_04),
        Some(tower) if tower.height == 0 => Err(clause::TO_06),
        Some(tower) if !is_open(c, tower) => Err(clause::TO_21),
        Some(_) if is_dragon_on(c, slot) => Err(clause::TO_47),
        Some(_) => Ok(()),
    }
}

fn why_not_capture(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let Target::Piece(piece) = choice.target else {
        return Ok(());
    };
    match c.state.agenda.last() {
        Some(Agenda::Ext(ExtTask::Tower(Task::Capture(_)))) => {}
        _ => return Err(clause::TO_12),
    }
    if !c.figure(piece.kind).is(Quirks::CAPTURABLE) {
        Err(clause::TO_17)
    } else {
        Err(clause::TO_10)
    }
}

fn why_not_exchange(_: Ctx, _: Seat, _: &Choice) -> Verdict {
    Err(clause::TO_29)
}

fn why_not_ransom(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    match choice.target {
        Target::Piece(piece) if piece.seat == seat && piece.spot.as_prison().is_some() => {}
        _ => return Err(clause::TO_31),
    }
    if seat != c.state.turn.active {
        Err(clause::TO_31)
    } else if c.used(Used::RANSOM) {
        Err(clause::TO_33)
    } else {
        Err(clause::TO_36)
    }
}

fn shows(c: Ctx, out: &mut Vec<Shown>) {
    let here = &c.state.ext.tower;
    for tower in here.towers.iter().filter(|tower| tower.height > 0) {
        out.push(Shown::OnTile {
            slot: tower.slot,
            token: Token::TowerPiece,
            n: tower.height,
        });
    }
    for seat in c.state.seat_list() {
        let n = here.left[seat.index()];
        if n > 0 {
            out.push(Shown::Held {
                seat,
                token: Token::TowerPiece,
                n,
            });
        }
    }
}

/// In a position made by hand a tower gets as high as is said, from the largest stocks; a stock gets as small.
fn arrange(w: &mut Work, thing: &Shown) -> Took {
    let here = &mut w.state.ext.tower;
    match *thing {
        Shown::Held {
            seat,
            token: Token::TowerPiece,
            n,
        } => {
            here.left[seat.index()] = n;
            Took::Yes
        }
        Shown::OnTile {
            slot,
            token: Token::TowerPiece,
            n,
        } => {
            let Some(tower) = here.towers.iter_mut().find(|tower| tower.slot == slot) else {
                return Took::No;
            };
            while tower.height < n {
                match here.left.iter_mut().rev().max_by_key(|left| **left) {
                    Some(left) if *left > 0 => *left -= 1,
                    _ => return Took::No,
                }
                tower.height += 1;
            }
            Took::Yes
        }
        Shown::Held { .. } | Shown::OnTile { .. } | Shown::Neutral { .. } => Took::No,
    }
}

fn check(c: Ctx) -> Option<&'static str> {
    let here = &c.state.ext.tower;
    let tiles = (0u16..).map(TileSlot).take(c.board().tiles().len());
    let foundations =
        tiles.filter(|slot| plays(c) && c.tile_def(*slot).symbols.has(Symbols::TOWER));
    if !foundations.eq(here.towers.iter().map(|tower| tower.slot)) {
        return Some("every foundation can be built on, and nothing else");
    }
    let built: u16 = here
        .towers
        .iter()
        .map(|tower| u16::from(tower.height))
        .sum();
    let left: u16 = here.left.iter().copied().map(u16::from).sum();
    let all = u16::from(dealt(c.state.n_seats)) * u16::from(c.state.n_seats);
    if built + left > if plays(c) { all } else { 0 } {
        return Some("no piece of a tower is made");
    }
    for piece in c.state.pieces.in_place(Place::TowerTop) {
        let slot = TileSlot(piece.spot.at);
        let built = tower_on(c, slot).is_some_and(|tower| tower.height > 0);
        let alone = c.state.pieces.at(piece.spot).count() == 1;
        if !built || !alone || !c.figure(piece.kind).is(Quirks::TOWER_TOP) {
            return Some("one follower at most stands on a tower");
        }
    }
    let mut exchanging = false;
    for task in &c.state.agenda {
        match task {
            Agenda::Ext(ExtTask::Tower(Task::Capture(slot))) if tower_on(c, *slot).is_none() => {
                return Some("who captures has a tower");
            }
            Agenda::Ext(ExtTask::Tower(Task::Exchange(seat))) => {
                if seat.0 >= c.state.n_seats {
                    return Some("who exchanges prisoners exists");
                }
                exchanging = true;
            }
            _ => {}
        }
    }
    for piece in c.state.pieces.in_place(Place::Prison) {
        let holder = piece.spot.as_prison()?;
        if holder.0 >= c.state.n_seats
            || holder == piece.seat
            || !c.figure(piece.kind).is(Quirks::CAPTURABLE)
        {
            return Some("prisoners are followers of others");
        }
        // TO-30.
        if !exchanging && held(c, piece.seat, holder).next().is_some() {
            return Some("two players never hold each other's followers");
        }
    }
    None
}
