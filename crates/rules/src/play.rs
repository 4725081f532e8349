//! The base game's steps of a turn: drawing, laying, placing a figure, the end of a turn and of the game.

use crate::board::Turned;
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::figures::{Class, Piece, Quirks, Spot};
use crate::geometry::Rotation;
use crate::hooks::{Ctx, Deploy, Gates, Placement, Took, Verdict};
use crate::moves::{Choice, Moves, Seat, SeatSet, Target, TileKind};
use crate::order::Step;
use crate::rules::Rules;
use crate::state::Task;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{FeatureKind, Kind, Nature, Used, Verb, Way};

// ---- turns -----------------------------------------------------------------------------------------------------------

/// Makes a seat the active player and begins the first part of its turn.
pub(crate) fn begin_turn(w: &mut Work, seat: Seat) {
    let last = w.state.turn.used.has(Used::LAST_TURN);
    w.state.turn.number += 1;
    w.state.turn.active = seat;
    w.state.turn.used = if last { Used::LAST_TURN } else { Used::NONE };
    begin_part(w, 1);
}

/// Begins a part of the turn: what lasts for one part only is forgotten.
pub(crate) fn begin_part(w: &mut Work, part: u8) {
    let turn = &mut w.state.turn;
    turn.part = part;
    turn.used = Used(turn.used.0 & Used::WHOLE_TURN.0);
    turn.drawn = None;
    turn.laid = None;
    turn.completed.clear();
    let seat = turn.active;
    w.tell(|| Event::Began { seat, part });
}

/// OP-87: a second part begins at 1B; nothing of 1A is repeated.
pub(crate) fn second_part(w: &mut Work) -> Flow {
    let due = second_part_is_due(w);
    end_part(w, !due);
    if due {
        begin_part(w, 2);
        w.jump(Step::OwnTile);
    }
    Flow::Done
}

/// Whether a second part follows this one. TB-36: only after a first part. TB-39: only if there is a tile to draw, or an own
/// one to lay (TB-62).
pub(crate) fn second_part_is_due(w: &mut Work) -> bool {
    if w.state.turn.part != 1 || !w.state.turn.used.has(Used::SECOND_DUE) {
        return false;
    }
    refresh_gates(w);
    w.state.bag.n_open() > 0 || has_own_tile(w.ctx(), w.state.turn.active)
}

/// OP-17: whether a seat could lay a tile from its supply now.
fn has_own_tile(c: Ctx, seat: Seat) -> bool {
    let mut moves = Moves::any_only();
    for (step, def) in &c.rules.links.steps {
        if *step == Step::OwnTile {
            (def.offers)(c, seat, &mut moves);
        }
    }
    moves.found_any()
}

pub(crate) fn end_part(w: &mut Work, whole: bool) {
    for hook in &w.rules.links.part_end {
        hook(w, whole);
    }
}

/// BA-42, OP-90: the game ends after the turn in which the last tile was laid; else the turn of the next seat that has
/// not left the game begins.
pub(crate) fn turn_end(w: &mut Work) -> Flow {
    refresh_gates(w);
    if w.state.bag.n_open() == 0 || w.state.turn.used.has(Used::LAST_TURN) {
        w.end_game();
        return Flow::Done;
    }
    let active = w.state.turn.active;
    let next = w
        .state
        .clockwise_from(w.state.next_seat(active))
        .find(|seat| !w.state.seat(*seat).gone);
    let next = next.unwrap_or(active);
    begin_turn(w, next);
    w.state.agenda.clear();
    w.push(Task::Step(0));
    Flow::Done
}

// ---- drawing ---------------------------------------------------------------------------------------------------------

fn refresh_gates(w: &mut Work) {
    if w.rules.links.draw.is_empty() {
        return;
    }
    let mut gates = Gates { open: u32::MAX };
    for hook in &w.rules.links.draw {
        hook(w.ctx(), &mut gates);
    }
    w.state.bag.open = gates.open;
}

/// BA-08: exactly one tile is drawn, unless there is one in the hand already. BA-10: with none left the game ends at once.
pub(crate) fn draw(w: &mut Work) -> Flow {
    if w.state.turn.used.has(Used::OWN_TILE) || w.state.turn.drawn.is_some() {
        return Flow::Done;
    }
    refresh_gates(w);
    if w.state.bag.n_open() == 0 {
        w.end_game();
        return Flow::Done;
    }
    Flow::Chance(Nature::Draw)
}

/// Nature drew a tile.
pub(crate) fn drawn(w: &mut Work, kind: TileKind) {
    take_from_bag(w, kind);
    w.state.turn.drawn = Some(kind);
    let seat = w.state.turn.active;
    w.tell(|| Event::Drawn { seat, kind });
}

pub(crate) fn take_from_bag(w: &mut Work, kind: TileKind) {
    let group = usize::from(w.rules.tiles[kind.index()].group & 7);
    let left = &mut w.state.bag.left[kind.index()];
    if *left == 0 {
        never!("a tile is drawn that is not in the bag");
        return;
    }
    *left -= 1;
    w.state.bag.in_group[group] -= 1;
}

pub(crate) fn put_in_bag(w: &mut Work, kind: TileKind) {
    let group = usize::from(w.rules.tiles[kind.index()].group & 7);
    w.state.bag.left[kind.index()] += 1;
    w.state.bag.in_group[group] += 1;
}

/// BA-09, OP-19: a tile that fits nowhere goes out of the game and step 1B begins again.
pub(crate) fn fit(w: &mut Work) -> Flow {
    let Some(kind) = w.state.turn.drawn else {
        return Flow::Done;
    };
    let mut moves = Moves::any_only();
    placements(w.ctx(), kind, Verb::Lay, &mut moves);
    if moves.found_any() {
        crate::expansions::base::replacement_drawn(w);
        return Flow::Done;
    }
    w.state.turn.drawn = None;
    w.jump(Step::OwnTile);
    // What is said of special tiles comes before what is said of all.
    for hook in w.rules.links.unplaceable.iter().rev() {
        if hook(w, kind) == Took::Yes {
            return Flow::Done;
        }
    }
    w.tell(|| Event::Discarded {
        kind,
        clause: clause::BA_09,
    });
    Flow::Done
}

// ---- laying ----------------------------------------------------------------------------------------------------------

/// How many squares are looked at together: the four rotations of each are four bits of a word.
const TOGETHER: usize = 16;

/// Every place and rotation at which a tile fits: square by square, then by rotation.
pub(crate) fn placements(c: Ctx, kind: TileKind, verb: Verb, m: &mut Moves) {
    let turned = Turned::new(c.rules.tiles[kind.index()].signature);
    let plain = c.rules.links.may_place.is_empty();
    for gaps in c.state.board.gaps.chunks(TOGETHER) {
        // Whether a rotation fits cannot be foreseen, so no branch depends on it until all that fit are known.
        let mut refused = u64::MAX;
        for gap in gaps.iter().rev() {
            refused = refused << 4 | gap.pattern().refused(turned);
        }
        let mut fits = !refused;
        while fits != 0 {
            let bit = fits.trailing_zeros() as usize;
            fits &= fits - 1;
            let pos = gaps[bit / 4].pos;
            let rotation = Rotation::from_quarters((bit % 4) as u8);
            let placement = Placement {
                kind,
                pos,
                rotation,
            };
            if plain || may_place(c, &placement).is_ok() {
                m.push(Choice::new(verb, Target::Square(pos, rotation)));
                if m.is_satisfied() {
                    return;
                }
            }
        }
    }
}

/// Whether the expansions allow laying a tile where its edges fit.
pub(crate) fn may_place(c: Ctx, placement: &Placement) -> Verdict {
    c.rules
        .links
        .may_place
        .iter()
        .try_for_each(|hook| hook(c, placement))
}

pub(crate) fn ask_to_lay(w: &mut Work) -> Flow {
    match w.state.turn.drawn {
        Some(_) => Flow::Ask(w.state.turn.active),
        None => Flow::Done,
    }
}

pub(crate) fn lay_offers(c: Ctx, _: Seat, m: &mut Moves) {
    if let Some(kind) = c.state.turn.drawn {
        placements(c, kind, Verb::Lay, m);
    }
}

pub(crate) fn lay_act(w: &mut Work, _: Asked, choice: Choice) {
    if let (Some(kind), Target::Square(pos, rotation)) = (w.state.turn.drawn, choice.target) {
        w.lay(kind, pos, rotation);
    }
}

/// OP-29: the traps look at what the tile brought.
pub(crate) fn tile_trap(w: &mut Work) -> Flow {
    w.settle();
    Flow::Done
}

// ---- placing a figure ------------------------------------------------------------------------------------------------

/// Whether a kind of figure may stand on a segment, coming there in this way; the clause that forbids it if not.
pub(crate) fn may_deploy(c: Ctx, deploy: &Deploy) -> Verdict {
    let Deploy {
        seat,
        kind,
        seg,
        way,
    } = *deploy;
    let feature = c.board().at(seg);
    let figure = c.figure(kind);
    if !figure.may_claim(feature.kind) {
        return Err(forbidden_claim(c, feature.kind));
    }
    match figure.class {
        Class::Follower => {
            if feature.crowd.followers > 0 {
                return Err(clause::BA_22);
            }
            if way != Way::Own && feature.is_complete() {
                return Err(clause::BA_40);
            }
        }
        Class::Companion => {
            let id = c.board().feature_of(seg);
            if feature.is_complete() {
                return Err(clause::TB_24);
            }
            if !c.has_follower(seat, id) {
                return Err(clause::SM_87);
            }
            if c.on_feature(id)
                .any(|piece| piece.seat == seat && piece.kind == kind)
            {
                return Err(clause::TB_26);
            }
        }
        Class::Fixture => return Err(clause::SM_87),
    }
    c.rules
        .links
        .may_deploy
        .iter()
        .try_for_each(|hook| hook(c, deploy))
}

fn forbidden_claim(c: Ctx, kind: FeatureKind) -> Clause {
    match kind {
        FeatureKind::Garden if !is_claimed_by_any(c.rules, kind) => clause::BA_51,
        FeatureKind::Hut if !is_claimed_by_any(c.rules, kind) => clause::BA_19,
        FeatureKind::Garden => clause::AB_04,
        FeatureKind::River => clause::RI_20,
        FeatureKind::Field if !crate::expansions::base::has_farmers(c.rules) => clause::BA_28,
        FeatureKind::Road
        | FeatureKind::City
        | FeatureKind::Field
        | FeatureKind::Monastery
        | FeatureKind::Hut => clause::SM_87,
    }
}

/// BA-19, BA-51: a garden or a hut matters only if somebody has a figure that may stand there.
fn is_claimed_by_any(rules: &Rules, kind: FeatureKind) -> bool {
    rules
        .figures
        .iter()
        .any(|figure| figure.may_claim(kind) && rules.supplied(figure.kind) > 0)
}

/// Offers one kind of figure on every segment of the tile just laid that it may claim.
pub(crate) fn own_targets(c: Ctx, seat: Seat, kind: Kind, m: &mut Moves) {
    let Some(slot) = c.state.turn.laid else {
        return;
    };
    let figure = c.figure(kind);
    for seg in c.board().segments_of(slot) {
        // What is refused at a glance is not asked in full.
        let feature = c.board().at(seg);
        let plainly_refused = match figure.class {
            Class::Follower => feature.crowd.followers > 0,
            Class::Companion => feature.crowd.followers == 0 || feature.is_complete(),
            Class::Fixture => true,
        };
        if plainly_refused || !figure.may_claim(feature.kind) {
            continue;
        }
        let deploy = Deploy {
            seat,
            kind,
            seg,
            way: Way::Own,
        };
        if may_deploy(c, &deploy).is_ok() {
            m.push(Choice::put(Verb::Deploy, kind, seg));
            if m.is_satisfied() {
                return;
            }
        }
    }
}

/// OP-45 to OP-62: one figure, or one action instead of it.
pub(crate) fn move_wood(w: &mut Work) -> Flow {
    if w.state.turn.used.has(Used::SKIPPED) || w.state.turn.laid.is_none() {
        return Flow::Done;
    }
    w.ask_if_any(Step::MoveWood, w.state.turn.active)
}

pub(crate) fn move_wood_offers(c: Ctx, seat: Seat, m: &mut Moves) {
    let supply = &c.state.seat(seat).supply;
    for (kind, figure) in Kind::ALL.iter().zip(&c.rules.figures) {
        if supply[kind.index()] == 0 || figure.class == Class::Fixture {
            continue;
        }
        figure_targets(c, seat, *kind, false, m);
        if m.is_satisfied() {
            return;
        }
    }
}

/// Every place for one kind of figure in the first or the second figure step.
pub(crate) fn figure_targets(c: Ctx, seat: Seat, kind: Kind, second: bool, m: &mut Moves) {
    own_targets(c, seat, kind, m);
    for hook in &c.rules.links.more_targets {
        if m.is_satisfied() {
            return;
        }
        hook(c, seat, kind, second, m);
    }
}

/// BA-21: a figure from the supply on the tile just laid.
pub(crate) fn deploy_act(w: &mut Work, asked: Asked, choice: Choice) {
    w.use_up(Used::ON_TILE);
    put_on_segment(w, asked, choice, Way::Own);
}

/// Puts the chosen figure on the chosen segment and counts it as the action of the figure step that asked.
pub(crate) fn put_on_segment(w: &mut Work, asked: Asked, choice: Choice, way: Way) {
    if let (Some(kind), Target::Segment(seg)) = (choice.kind, choice.target) {
        use_figure_step(w, choice.kind);
        w.put(
            Piece {
                spot: Spot::segment(seg),
                seat: asked.seat,
                kind,
            },
            way,
        );
    }
}

/// Counts an action as that of the figure step that asked for it. PH-14, PH-15: a figure that may come second is always the
/// last.
pub(crate) fn use_figure_step(w: &mut Work, kind: Option<Kind>) {
    let last = kind.is_some_and(|kind| w.rules.figure(kind).is(Quirks::SECOND));
    w.use_up(if last {
        Used::FIRST.with(Used::PHANTOM)
    } else {
        Used::FIRST
    });
}

/// A pass: the step that asked is over; an expansion's task hears of it.
pub(crate) fn pass_act(w: &mut Work, asked: Asked, choice: Choice) {
    if let Task::Ext(task) = asked.task {
        task.act(w, asked.seat, choice);
    }
}

// ---- the end ---------------------------------------------------------------------------------------------------------

/// BA-49: most points win; equal ones share.
pub(crate) fn over(w: &mut Work) -> Flow {
    let winners = w.state.winners();
    w.state.agenda.clear();
    w.tell(|| Event::Over { winners });
    Flow::Done
}

impl crate::state::State {
    /// BA-49: the seats with the most points among those that did not leave; all of them if everybody left.
    pub fn winners(&self) -> SeatSet {
        let seats = || {
            self.seat_list().filter(|seat| {
                !self.seat(*seat).gone || self.seat_list().all(|s| self.seat(s).gone)
            })
        };
        let best = seats().map(|seat| self.seat(seat).score).max();
        seats()
            .filter(|seat| Some(self.seat(*seat).score) == best)
            .fold(SeatSet::NONE, SeatSet::with)
    }
}
