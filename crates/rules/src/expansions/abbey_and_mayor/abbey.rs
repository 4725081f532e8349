//! The abbey: a tile of the own supply that fills a hole and closes what it touches (AM-10 to AM-29). That it matches
//! everything, joins nothing and adds nothing is the board's business (AM-12, AM-14 to AM-16).

use super::{ABBEY, ABBEY_END_GAME, Task, option};
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::geometry::{Pos, Rotation};
use crate::hooks::{Ctx, Placement, Verdict};
use crate::moves::{Choice, Moves, Seat, Target, TileKind, TileSlot};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, ExtTask};
use crate::state::Task as Agenda;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{Token, Used, Verb};

/// AM-01: each player takes as many abbeys as are dealt.
pub(super) fn deal(w: &mut Work) {
    let each = option(w.ctx(), ABBEY);
    if each == 0 {
        return;
    }
    for seat in w.state.seat_list() {
        add(w, seat, each as i8, None, clause::AM_01);
    }
}

fn add(w: &mut Work, seat: Seat, change: i8, at: Option<TileSlot>, clause: Clause) {
    let left = &mut w.state.ext.abbey_and_mayor.abbeys[seat.index()];
    *left = left.saturating_add_signed(change);
    let now = *left;
    w.tell(|| Event::Tokens {
        seat,
        token: Token::Abbey,
        now,
        change,
        at,
        clause,
    });
}

/// AM-10, OP-17: asked before the draw, if there is a hole for an own abbey.
pub(super) fn own_tile(w: &mut Work) -> Flow {
    let seat = w.state.turn.active;
    if w.state.turn.drawn.is_none() && can_place(w.ctx(), seat) {
        Flow::Ask(seat)
    } else {
        Flow::Done
    }
}

fn can_place(c: Ctx, seat: Seat) -> bool {
    let mut moves = Moves::any_only();
    offers(c, seat, &mut moves);
    moves.found_any()
}

/// AM-11, AM-13: every hole. AM-12: in every rotation; the four are listed although they lead to equal positions, as those of
/// every other tile that looks the same when it is turned.
pub(super) fn offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if c.state.ext.abbey_and_mayor.abbeys[seat.index()] == 0 {
        return;
    }
    let Some(kind) = c.rules.own_tile(Ext::AbbeyAndMayor) else {
        return;
    };
    for gap in c.board().gaps.iter().filter(|gap| gap.is_enclosed()) {
        for rotation in Rotation::ALL {
            if may_place(c, kind, gap.pos, rotation).is_ok() {
                m.push(Choice::new(Verb::Abbey, Target::Square(gap.pos, rotation)));
                if m.is_satisfied() {
                    return;
                }
            }
        }
    }
}

fn may_place(c: Ctx, kind: TileKind, pos: Pos, rotation: Rotation) -> Verdict {
    let placement = Placement {
        kind,
        pos,
        rotation,
    };
    play::may_place(c, &placement)
}

/// AM-10, AM-18: the abbey is laid instead of a drawn tile. AM-27: after the end this begins a turn of its owner's, at 1C.
pub(super) fn act(w: &mut Work, asked: Asked, choice: Choice) {
    let (Some(kind), Target::Square(pos, rotation)) =
        (w.rules.own_tile(Ext::AbbeyAndMayor), choice.target)
    else {
        return;
    };
    if let Agenda::Ext(_) = asked.task {
        play::begin_turn(w, asked.seat);
        w.jump(Step::Draw);
    }
    w.use_up(Used::OWN_TILE);
    let slot = w.lay(kind, pos, rotation);
    add(w, asked.seat, -1, Some(slot), clause::AM_18);
}

/// AM-26, OP-96: each seat once, from the one after the seat that ended the game to that seat itself. AM-29: nobody.
pub(super) fn last_abbeys(w: &mut Work) -> Flow {
    if option(w.ctx(), ABBEY_END_GAME) == 1 {
        return Flow::Done;
    }
    let begins = !w.ctx().used(Used::LAST_TURN);
    // The turn that came before is over.
    w.state.turn.used = Used::LAST_TURN;
    if begins {
        w.state.ext.abbey_and_mayor.ender = w.state.turn.active;
        w.state.ext.abbey_and_mayor.asked = 0;
    }
    let ender = w.state.ext.abbey_and_mayor.ender;
    let round = w.state.clockwise_from(w.state.next_seat(ender));
    for seat in round.skip(usize::from(w.state.ext.abbey_and_mayor.asked)) {
        w.state.ext.abbey_and_mayor.asked += 1;
        if !w.state.seat(seat).gone && can_place(w.ctx(), seat) {
            w.push(Task::LastAbbey(seat).on_agenda());
            break;
        }
    }
    Flow::Done
}

pub(super) fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let last = matches!(
        c.state.agenda.last(),
        Some(Agenda::Ext(ExtTask::AbbeyAndMayor(Task::LastAbbey(_))))
    );
    if !last && c.rules.step(c.state) != Some(Step::OwnTile) {
        return Err(clause::AM_10);
    }
    let (Some(kind), Target::Square(pos, rotation)) =
        (c.rules.own_tile(Ext::AbbeyAndMayor), choice.target)
    else {
        return Err(clause::AM_11);
    };
    if c.state.ext.abbey_and_mayor.abbeys[seat.index()] == 0 {
        return Err(clause::AM_18);
    }
    if c.board().gap_at(pos).is_none_or(|gap| !gap.is_enclosed()) {
        return Err(clause::AM_11);
    }
    may_place(c, kind, pos, rotation)
}

/// AM-01, AM-18: no abbey more than were dealt is in a supply or on the board.
pub(super) fn check(c: Ctx) -> Option<&'static str> {
    let dealt = usize::from(option(c, ABBEY)) * usize::from(c.state.n_seats);
    // A tile that a player made may look like an abbey: it comes out of the bag and is none of these.
    let own = c.rules.own_tile(Ext::AbbeyAndMayor);
    let tiles = c.board().tiles().iter();
    let laid = tiles.filter(|placed| Some(placed.kind) == own).count();
    let left = &c.state.ext.abbey_and_mayor.abbeys;
    let left: usize = left.iter().map(|n| usize::from(*n)).sum();
    (laid + left > dealt).then_some("no abbey is made")
}
