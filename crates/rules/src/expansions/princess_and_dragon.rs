//! The Princess and the Dragon (`docs/rules/princess-and-dragon.md`): the dragon and its volcanoes, the fairy, princesses and
//! magic portals.
//!
//! Dragon tiles are a group of the bag that is shut while the dragon is off the board (OP-04): drawing, setting aside and
//! mixing in again comes to the same. Every single step of a walk is asked, also one with a single target, as a tile with
//! a single place is: it is a decision of its own in turn order (PD-75), and a record shows who made it.

use alloc::vec::Vec;

use crate::bytes::{enum_bytes, struct_bytes};
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::figures::{Piece, Quirks};
use crate::geometry::Side;
use crate::hooks::{
    Ctx, Deploy, Expansion, Gates, Hook, OptionDef, Scored, Shown, StepDef, Values, Verdict,
};
use crate::moves::{Chance, Choice, FeatureId, Moves, Seat, Target, TileSlot};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, ExtTask};
use crate::state::Task as Agenda;
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{Kind, Marks, Neutral, Symbols, Used, Verb, Way, Why};

const ACTION: usize = 0;
const PLACEMENT: usize = 1;
const MOVE: usize = 2;
const DRAGON: usize = 3;
const FAIRY: usize = 4;
const PRINCESS: usize = 5;
const PORTAL: usize = 6;

/// PD-58: how many steps a walk has at most.
const STEPS: usize = 6;

/// An element of the box that can be left out.
const fn element(key: &'static str, clause: Clause) -> OptionDef {
    OptionDef {
        key,
        values: Values::Listed(&["true", "false"], [0; 3]),
        clause,
    }
}

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "princess-and-dragon",
    book: "PD",
    name: "The Princess and the Dragon",
    sets: [&["princess-and-dragon:1"], &["princess-and-dragon:2"]],
    options: &[
        OptionDef {
            key: "princess-action",
            values: Values::Listed(&["may", "must"], [0; 3]),
            clause: clause::PD_29,
        },
        OptionDef {
            key: "fairy-placement",
            values: Values::Listed(&["next-follower", "on-tile"], [0; 3]),
            clause: clause::PD_41,
        },
        OptionDef {
            key: "dragon-move",
            values: Values::Listed(&["before-scoring", "after-scoring"], [0; 3]),
            clause: clause::PD_57,
        },
        element("dragon", clause::PD_02),
        element("fairy", clause::PD_02),
        element("princess", clause::PD_29),
        element("portal", clause::PD_20),
    ],
    prepare: Some(prepare),
    hooks: &[
        Hook::Draw(wait_for_the_dragon),
        Hook::Step(Step::FairyPoint, StepDef::auto(fairy_point)),
        Hook::Step(Step::Volcano, StepDef::auto(volcano)),
        Hook::Step(Step::Princess, StepDef::must(princess, princess_offers)),
        Hook::Step(Step::DragonBefore, StepDef::auto(walk_before_scoring)),
        Hook::Step(Step::DragonAfter, StepDef::auto(walk_after_scoring)),
        Hook::MayDeploy(not_onto_the_dragon),
        Hook::MoreTargets(portal_targets),
        Hook::Offer(Step::MoveWood, fairy_offers),
        Hook::Act(Verb::Portal, portal_act),
        Hook::Act(Verb::Fairy, fairy_act),
        Hook::Act(Verb::Seduce, seduce),
        Hook::Act(Verb::Dragon, step),
        Hook::WhyNot(Verb::Pass, why_not_pass),
        Hook::WhyNot(Verb::Portal, why_not_portal),
        Hook::WhyNot(Verb::Fairy, why_not_fairy),
        Hook::WhyNot(Verb::Seduce, why_not_seduce),
        Hook::WhyNot(Verb::Dragon, why_not_step),
        Hook::Scored(fairy_bonus),
        Hook::Left(leave_the_fairy),
        Hook::Shows(shows),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// The neutral figures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// Where the dragon is, if on the board.
    dragon: Option<TileSlot>,
    /// Where the fairy is, if on the board.
    fairy: Option<TileSlot>,
    /// The follower that she is attached to (PD-41).
    companion: Option<Piece>,
    /// The tiles that the dragon has been on during the present walk, the first included (PD-60); empty between walks.
    walk: Vec<TileSlot>,
}
struct_bytes!(State {
    dragon,
    fairy,
    companion,
    walk
});

/// Unfinished work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// PD-58: the dragon walks, and this seat makes the next step.
    Walk(Seat),
}
enum_bytes!(Task { 0 = Walk(seat) });

fn option(c: Ctx, index: usize) -> u8 {
    c.rules.options.get(Ext::PrincessAndDragon, index)
}

/// Whether an element of the box is in play.
fn plays(c: Ctx, element: usize) -> bool {
    option(c, element) == 0
}

fn is_on_tile(c: Ctx) -> bool {
    option(c, PLACEMENT) == 1
}

/// Whether the tile just laid shows a symbol.
fn laid_with(c: Ctx, symbol: Symbols) -> Option<TileSlot> {
    c.state
        .turn
        .laid
        .filter(|slot| c.tile_def(*slot).symbols.has(symbol))
}

/// Whether the dragon is on a tile: for rules of other expansions that bring a figure there (PD-19).
pub(crate) fn is_dragon_on(c: Ctx, slot: TileSlot) -> bool {
    c.state.ext.princess_and_dragon.dragon == Some(slot)
}

/// PD-10 for a volcano in the opening layout.
fn prepare(w: &mut Work) {
    let c = w.ctx();
    let volcano = (0u16..)
        .map(TileSlot)
        .take(c.board().tiles().len())
        .filter(|slot| c.tile_def(*slot).symbols.has(Symbols::VOLCANO))
        .last();
    if plays(c, DRAGON) {
        w.state.ext.princess_and_dragon.dragon = volcano;
    }
}

// ---- the dragon ------------------------------------------------------------------------------------------------------

/// PD-03 to PD-06: dragon tiles wait until the dragon is on the board, and do not count as remaining.
fn wait_for_the_dragon(c: Ctx, gates: &mut Gates) {
    if c.state.ext.princess_and_dragon.dragon.is_none()
        && plays(c, DRAGON)
        && let Some(group) = c.rules.group("dragon")
    {
        gates.shut(group);
    }
}

/// PD-10, PD-11: the dragon comes to the volcano just laid; no figure is removed.
fn volcano(w: &mut Work) -> Flow {
    if let Some(slot) = laid_with(w.ctx(), Symbols::VOLCANO)
        && plays(w.ctx(), DRAGON)
    {
        place_dragon(w, slot, clause::PD_10);
    }
    Flow::Done
}

fn place_dragon(w: &mut Work, slot: TileSlot, clause: Clause) {
    w.state.ext.princess_and_dragon.dragon = Some(slot);
    let to = w.state.board.tile(slot).pos;
    w.tell(|| Event::NeutralMoved {
        neutral: Neutral::Dragon,
        to: Some(to),
        with: None,
        clause,
    });
}

/// PD-12, PD-19: no figure comes onto the tile where the dragon stands. PD-95: a barn is not on a single tile.
fn not_onto_the_dragon(c: Ctx, deploy: &Deploy) -> Verdict {
    let slot = c.board().tile_of(deploy.seg);
    if !is_dragon_on(c, slot) || deploy.way == Way::Corner {
        return Ok(());
    }
    Err(if laid_with(c, Symbols::VOLCANO) == Some(slot) {
        clause::PD_12
    } else {
        clause::PD_19
    })
}

/// PD-57: `dragon-move` = before-scoring.
fn walk_before_scoring(w: &mut Work) -> Flow {
    begin_walk(w, 0)
}

/// PD-57: `dragon-move` = after-scoring.
fn walk_after_scoring(w: &mut Work) -> Flow {
    begin_walk(w, 1)
}

/// PD-56: a dragon tile makes the dragon walk, if it is on the board. PD-60: where it begins counts as visited.
fn begin_walk(w: &mut Work, moment: u8) -> Flow {
    let c = w.ctx();
    if laid_with(c, Symbols::DRAGON).is_none() || option(c, MOVE) != moment || !plays(c, DRAGON) {
        return Flow::Done;
    }
    let here = &mut w.state.ext.princess_and_dragon;
    if let Some(slot) = here.dragon {
        here.walk.push(slot);
        let first = w.state.turn.active;
        w.push(Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(first))));
    }
    Flow::Done
}

/// PD-59 to PD-61: the tiles beside the dragon that it has not been on during this walk, and where the fairy is not.
fn steps(c: Ctx<'_>) -> impl Iterator<Item = TileSlot> + '_ {
    let here = &c.state.ext.princess_and_dragon;
    let pos = here.dragon.map(|slot| c.board().tile(slot).pos);
    Side::ALL
        .into_iter()
        .filter_map(move |side| c.board().tile_at(pos?.beside(side)))
        .filter(|slot| !here.walk.contains(slot) && here.fairy != Some(*slot))
}

impl Task {
    /// PD-62, PD-63: the seat must move the dragon one step; after six, or when it cannot go on, the walk is over.
    pub(crate) fn enter(self, w: &mut Work) -> Flow {
        let Task::Walk(seat) = self;
        let done = w.state.ext.princess_and_dragon.walk.len() > STEPS;
        if done || steps(w.ctx()).next().is_none() {
            w.state.ext.princess_and_dragon.walk.clear();
            return Flow::Done;
        }
        Flow::Ask(seat)
    }

    pub(crate) fn offers(self, c: Ctx, _: Seat, m: &mut Moves) {
        for slot in steps(c) {
            m.push(Choice::new(Verb::Dragon, Target::Tile(slot)));
        }
    }

    pub(crate) fn act(self, _: &mut Work, _: Seat, _: Choice) {}

    pub(crate) fn chance(self, _: &mut Work, _: Chance) {}

    pub(crate) fn outcomes(self, _: Ctx, _: &mut Vec<(Chance, u32)>) {}
}

/// PD-58, PD-64: one step; what the dragon finds there goes home; then the next player clockwise who has not left the game
/// makes one.
fn step(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Tile(slot) = choice.target else {
        return;
    };
    place_dragon(w, slot, clause::PD_58);
    w.state.ext.princess_and_dragon.walk.push(slot);
    eat(w, slot);
    let next = w
        .state
        .clockwise_from(w.state.next_seat(asked.seat))
        .find(|seat| !w.state.seat(*seat).gone)
        .unwrap_or(asked.seat);
    w.push(Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(next))));
}

/// PD-64 to PD-66: every edible figure on the tile, its tower and its trap goes home, without points.
fn eat(w: &mut Work, slot: TileSlot) {
    let edible = |c: Ctx| {
        c.on_tile(slot)
            .find(|piece| c.figure(piece.kind).is(Quirks::EDIBLE))
    };
    while let Some(piece) = edible(w.ctx()) {
        w.take_home(piece, Why::Eaten, clause::PD_64);
    }
}

// ---- the princess ----------------------------------------------------------------------------------------------------

/// PD-29, PD-34, PD-35: the city of the princess on the tile just laid, as it is now.
fn princess_city(c: Ctx) -> Option<FeatureId> {
    let slot = c.state.turn.laid?;
    let shown = c.tile_def(slot).segments.iter();
    let index = shown
        .zip(0u8..)
        .find(|(segment, _)| segment.marks.has(Marks::PRINCESS))?
        .1;
    Some(c.board().feature_of(c.board().segment_of(slot, index)))
}

/// PD-30, PD-37: the knights whom the princess of the tile just laid can send away.
fn knights(c: Ctx<'_>) -> impl Iterator<Item = Piece> + '_ {
    let city = princess_city(c)
        .filter(|city| c.board().feature(*city).crowd.followers > 0 && plays(c, PRINCESS));
    let here = city.map(|city| c.on_feature(city));
    here.into_iter()
        .flatten()
        .filter(move |piece| c.figure(piece.kind).is(Quirks::SEDUCIBLE))
}

/// PD-29, PD-33: asked if there is a knight.
fn princess(w: &mut Work) -> Flow {
    if knights(w.ctx()).next().is_none() {
        return Flow::Done;
    }
    Flow::Ask(w.state.turn.active)
}

/// PD-29: one knight; nobody only if `princess-action` = may.
fn princess_offers(c: Ctx, _: Seat, m: &mut Moves) {
    let mut before = None;
    for piece in knights(c) {
        if before != Some(piece) {
            m.push(Choice::new(Verb::Seduce, Target::Piece(piece)));
        }
        before = Some(piece);
    }
    if option(c, ACTION) == 0 {
        m.push(Choice::PASS);
    }
}

/// PD-30, PD-31: the knight goes home; that was the whole figure step of this part.
fn seduce(w: &mut Work, _: Asked, choice: Choice) {
    if let Target::Piece(piece) = choice.target {
        w.use_up(Used::SKIPPED);
        w.take_home(piece, Why::Seduced, clause::PD_30);
    }
}

// ---- the portal ------------------------------------------------------------------------------------------------------

/// PD-20, PD-21, PD-24 to PD-26, PD-124: one follower onto an unoccupied, incomplete feature of another tile.
fn portal_targets(c: Ctx, seat: Seat, kind: Kind, _: bool, m: &mut Moves) {
    let Some(slot) = laid_with(c, Symbols::PORTAL) else {
        return;
    };
    let figure = c.figure(kind);
    if !figure.is(Quirks::PORTAL) || c.used(Used::PORTAL) || !plays(c, PORTAL) {
        return;
    }
    let board = c.board();
    for tile in (0u16..).map(TileSlot).take(board.tiles().len()) {
        if tile == slot || is_dragon_on(c, tile) {
            continue;
        }
        for seg in board.segments_of(tile) {
            let feature = board.at(seg);
            if feature.crowd.followers > 0
                || feature.is_complete()
                || !figure.may_claim(feature.kind)
            {
                continue;
            }
            let deploy = Deploy {
                seat,
                kind,
                seg,
                way: Way::Portal,
            };
            if play::may_deploy(c, &deploy).is_ok() {
                m.push(Choice::put(Verb::Portal, kind, seg));
                if m.is_satisfied() {
                    return;
                }
            }
        }
    }
}

fn portal_act(w: &mut Work, asked: Asked, choice: Choice) {
    w.use_up(Used::PORTAL);
    play::put_on_segment(w, asked, choice, Way::Portal);
}

// ---- the fairy -------------------------------------------------------------------------------------------------------

/// Whether she may stand with a figure: a follower on a tile (PD-40, PD-53).
fn may_accompany(c: Ctx, piece: Piece) -> bool {
    piece.spot.place.is_on_a_tile() && c.figure(piece.kind).is(Quirks::FAIRY)
}

/// Whether a seat has a follower on her tile (PD-42).
fn is_beside_her(c: Ctx, seat: Seat) -> bool {
    c.state.ext.princess_and_dragon.fairy.is_some_and(|slot| {
        c.on_tile(slot)
            .any(|piece| piece.seat == seat && may_accompany(c, piece))
    })
}

/// PD-40 to PD-44: she moves to an own follower, or to a tile with one, where she is not yet.
fn fairy_offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if !plays(c, FAIRY) {
        return;
    }
    let here = &c.state.ext.princess_and_dragon;
    let own = c.state.pieces.iter();
    let own = own.filter(|piece| piece.seat == seat && may_accompany(c, *piece));
    if is_on_tile(c) {
        let mut tiles: Vec<TileSlot> = own
            .filter_map(|piece| c.board().tile_of_spot(piece.spot))
            .filter(|slot| here.fairy != Some(*slot))
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        for slot in tiles {
            m.push(Choice::new(Verb::Fairy, Target::Tile(slot)));
        }
        return;
    }
    let mut before = here.companion;
    for piece in own {
        if before != Some(piece) && here.companion != Some(piece) {
            m.push(Choice::new(Verb::Fairy, Target::Piece(piece)));
            if m.is_satisfied() {
                return;
            }
        }
        before = Some(piece);
    }
}

/// PD-18: the move is the figure action.
fn fairy_act(w: &mut Work, _: Asked, choice: Choice) {
    let (slot, companion) = match choice.target {
        Target::Piece(piece) => (w.state.board.tile_of_spot(piece.spot), Some(piece)),
        Target::Tile(slot) => (Some(slot), None),
        _ => return,
    };
    play::use_figure_step(w, None);
    w.state.ext.princess_and_dragon.fairy = slot;
    w.state.ext.princess_and_dragon.companion = companion;
    tell_fairy(w, clause::PD_40);
}

fn tell_fairy(w: &mut Work, clause: Clause) {
    let here = &w.state.ext.princess_and_dragon;
    let with = here.companion;
    let to = here.fairy.map(|slot| w.state.board.tile(slot).pos);
    w.tell(|| Event::NeutralMoved {
        neutral: Neutral::Fairy,
        to,
        with,
        clause,
    });
}

/// PD-46: 1 point at the start of a whole turn.
fn fairy_point(w: &mut Work) -> Flow {
    let c = w.ctx();
    let seat = c.state.turn.active;
    let here = &c.state.ext.princess_and_dragon;
    let earned = match here.companion {
        Some(companion) => companion.seat == seat,
        None => here.fairy.is_some() && is_on_tile(c) && is_beside_her(c, seat),
    };
    if earned {
        w.award(seat, 1, clause::PD_46, None);
    }
    Flow::Done
}

/// PD-47 to PD-50: 3 points when the companion's feature is scored, whoever has the majority. PD-42: with `on-tile`, to each
/// player with a follower of the feature on her tile.
fn fairy_bonus(w: &mut Work, scored: &Scored) {
    let here = &w.state.ext.princess_and_dragon;
    let Some(fairy) = here.fairy else {
        return;
    };
    if let Some(companion) = here.companion {
        if let Some(seg) = companion.spot.as_segment()
            && w.state.board.feature_of(seg) == scored.feature
        {
            w.award(companion.seat, 3, clause::PD_47, Some(seg));
        }
        return;
    }
    if !is_on_tile(w.ctx()) {
        return;
    }
    for seat in w.state.clockwise_from(w.state.turn.active) {
        let c = w.ctx();
        let beside = c.on_feature(scored.feature).find(|piece| {
            piece.seat == seat
                && may_accompany(c, *piece)
                && c.board().tile_of_spot(piece.spot) == Some(fairy)
        });
        if let Some(piece) = beside {
            w.award(seat, 3, clause::PD_42, piece.spot.as_segment());
        }
    }
}

/// PD-52: when the companion leaves its place the fairy stays on the tile, attached to nobody.
fn leave_the_fairy(w: &mut Work, piece: Piece, _: Why) {
    if w.state.ext.princess_and_dragon.companion == Some(piece) && !w.state.pieces.contains(piece) {
        w.state.ext.princess_and_dragon.companion = None;
        tell_fairy(w, clause::PD_52);
    }
}

// ---- for people ------------------------------------------------------------------------------------------------------

/// PD-62: a step may not be refused. PD-29: nor the princess, with `must`.
fn why_not_pass(c: Ctx, _: Seat, _: &Choice) -> Verdict {
    match c.state.agenda.last() {
        Some(Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(_)))) => Err(clause::PD_62),
        _ if c.rules.step(c.state) == Some(Step::Princess) => Err(clause::PD_29),
        _ => Ok(()),
    }
}

fn why_not_portal(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let (Some(kind), Target::Segment(seg)) = (choice.kind, choice.target) else {
        return Ok(());
    };
    let board = c.board();
    let Some(slot) = laid_with(c, Symbols::PORTAL).filter(|_| plays(c, PORTAL)) else {
        return Err(clause::PD_20);
    };
    if c.used(Used::SKIPPED) {
        return Err(clause::PD_31);
    }
    if c.used(Used::PORTAL) {
        return Err(clause::PD_26);
    }
    if c.state.seat(seat).has(kind) == 0 {
        return Err(clause::BA_25);
    }
    if !c.figure(kind).is(Quirks::PORTAL) {
        return Err(clause::PD_24);
    }
    if board.tile_of(seg) == slot {
        return Err(clause::PD_22);
    }
    if is_dragon_on(c, board.tile_of(seg)) {
        return Err(clause::PD_27);
    }
    if !c.figure(kind).may_claim(board.at(seg).kind) {
        return Err(clause::PD_25);
    }
    if board.at(seg).crowd.followers > 0 {
        return Err(clause::PD_21);
    }
    if board.at(seg).is_complete() {
        let now = c.state.turn.completed.iter();
        let now = now
            .map(|seg| board.feature_of(*seg))
            .any(|feature| feature == board.feature_of(seg));
        return Err(if now { clause::PD_23 } else { clause::PD_21 });
    }
    let deploy = Deploy {
        seat,
        kind,
        seg,
        way: Way::Portal,
    };
    play::may_deploy(c, &deploy)
}

fn why_not_fairy(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    if !plays(c, FAIRY) {
        return Err(clause::PD_02);
    }
    if c.used(Used::SKIPPED) {
        return Err(clause::PD_31);
    }
    if c.rules.step(c.state) == Some(Step::Second) {
        return Err(clause::PD_18);
    }
    let here = &c.state.ext.princess_and_dragon;
    match choice.target {
        Target::Piece(_) if is_on_tile(c) => Err(clause::PD_42),
        Target::Piece(piece) if piece.seat != seat => Err(clause::PD_40),
        Target::Piece(piece) if !piece.spot.place.is_on_a_tile() => Err(clause::PD_40),
        Target::Piece(piece) if !may_accompany(c, piece) => Err(clause::PD_53),
        Target::Piece(piece) if here.companion == Some(piece) => Err(clause::PD_44),
        Target::Tile(_) if !is_on_tile(c) => Err(clause::PD_41),
        Target::Tile(slot) if here.fairy == Some(slot) => Err(clause::PD_44),
        Target::Tile(_) => Err(clause::PD_42),
        _ => Ok(()),
    }
}

fn why_not_seduce(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let Target::Piece(piece) = choice.target else {
        return Ok(());
    };
    let Some(city) = princess_city(c).filter(|_| plays(c, PRINCESS)) else {
        return Err(clause::PD_29);
    };
    let feature = piece.spot.as_segment().map(|seg| c.board().feature_of(seg));
    let on_this_tile = c.board().tile_of_spot(piece.spot) == c.state.turn.laid;
    if feature != Some(city) {
        return Err(if on_this_tile {
            clause::PD_34
        } else {
            clause::PD_30
        });
    }
    Err(clause::PD_37)
}

fn why_not_step(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let here = &c.state.ext.princess_and_dragon;
    let (Some(dragon), Target::Tile(slot)) = (here.dragon, choice.target) else {
        return Err(clause::PD_56);
    };
    if here.walk.is_empty() {
        return Err(clause::PD_56);
    }
    let pos = c.board().tile(dragon).pos;
    let beside = Side::ALL
        .into_iter()
        .any(|side| c.board().tile_at(pos.beside(side)) == Some(slot));
    if here.walk.contains(&slot) {
        Err(clause::PD_60)
    } else if !beside {
        Err(clause::PD_59)
    } else {
        Err(clause::PD_61)
    }
}

fn shows(c: Ctx, out: &mut Vec<Shown>) {
    let here = &c.state.ext.princess_and_dragon;
    let both = [
        (Neutral::Dragon, here.dragon, None),
        (Neutral::Fairy, here.fairy, here.companion),
    ];
    for (neutral, slot, with) in both {
        if let Some(slot) = slot {
            out.push(Shown::Neutral {
                neutral,
                slot,
                with,
            });
        }
    }
}

fn check(c: Ctx) -> Option<&'static str> {
    let here = &c.state.ext.princess_and_dragon;
    let exists = |slot: &TileSlot| slot.index() < c.board().tiles().len();
    if !here
        .dragon
        .iter()
        .chain(&here.fairy)
        .chain(&here.walk)
        .all(exists)
    {
        return Some("the dragon and the fairy are on tiles");
    }
    if here.companion.is_some_and(|piece| {
        !c.state.pieces.contains(piece) || c.board().tile_of_spot(piece.spot) != here.fairy
    }) {
        return Some("the fairy is on her companion's tile");
    }
    let walking = c.state.agenda.iter().find_map(|task| match task {
        Agenda::Ext(ExtTask::PrincessAndDragon(Task::Walk(seat))) => Some(*seat),
        _ => None,
    });
    if walking.is_some_and(|seat| seat.0 >= c.state.n_seats) {
        return Some("the seat that moves the dragon exists");
    }
    if walking.is_some() == here.walk.is_empty() {
        return Some("tiles of a walk are kept exactly while the dragon walks");
    }
    None
}
