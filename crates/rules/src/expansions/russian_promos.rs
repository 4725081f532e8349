//! Russian Promos (`docs/rules/russian-promos.md`): Baba Yaga's hut, the choice of Bogatyr, Solovei's tree and Vodyanoy's
//! lake.
//!
//! Which figures the traps take stands in the table of figures, and where a figure can be reached stands with the places.
//! The traps hear of every arrival, join and laid tile through the news of the event, whatever brought them about: a new
//! way of moving figures needs nothing here.

use alloc::vec::Vec;

use crate::bytes::struct_bytes;
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::figures::{FigureDef, Piece, Quirks, Spot};
use crate::hooks::{Ctx, Deploy, Expansion, Hook, OptionDef, StepDef, Values, Verdict};
use crate::moves::{Choice, Moves, Seat, SegId, Target, TileSlot};
use crate::order::{Rank, Step};
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::rules::{Options, Rules};
use crate::tally::{Claim, Rates, Tally, Units};
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{FeatureKind, KINDS, Kind, Marks, Place, Symbols, Used, Verb, Way, Why};

const HUT_SCORING: usize = 0;
const TRAP_FIGURES: usize = 1;
const SOLOVEI_CAPTURE: usize = 2;
const VODYANOY_PENALTY: usize = 3;
const VODYANOY_FIELD: usize = 4;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "russian-promos",
    book: "RP",
    name: "Russian Promos",
    sets: [&["russian-promos/2013", "russian-promos/2016"]; 2],
    options: &[
        OptionDef {
            key: "yaga-hut-scoring",
            values: Values::Listed(&["2015", "2013"], [0; 3]),
            clause: clause::RP_26,
        },
        OptionDef {
            key: "russian-trap-figures",
            values: Values::Listed(&["all", "followers"], [0; 3]),
            clause: clause::RP_52,
        },
        OptionDef {
            key: "solovei-capture",
            values: Values::Listed(&["nearest", "all"], [0; 3]),
            clause: clause::RP_56,
        },
        OptionDef {
            key: "vodyanoy-penalty",
            values: Values::Listed(&["all-figures", "followers"], [0; 3]),
            clause: clause::RP_103,
        },
        OptionDef {
            key: "vodyanoy-tile-field",
            values: Values::Listed(&["open", "closed"], [0; 3]),
            clause: clause::RP_94,
        },
    ],
    prepare: Some(prepare),
    hooks: &[
        Hook::Figures(figures),
        Hook::Value(hut_value),
        Hook::TileLaid(note_trap),
        Hook::Settle(Rank::Lake, lake),
        Hook::Settle(Rank::Tree, tree),
        Hook::Settle(Rank::TreeToLake, tree_to_lake),
        Hook::Left(left),
        Hook::PartEnd(part_end),
        Hook::MayDeploy(lake_field),
        Hook::Offer(Step::MoveWood, release_offers),
        Hook::Act(Verb::Release, release),
        Hook::WhyNot(Verb::Release, why_not_release),
        Hook::Step(Step::Penalties, StepDef::auto(penalties)),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// Where the traps are, and whom they caught lately.
#[derive(PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// Tiles with a lake, in the order of laying.
    lakes: Vec<TileSlot>,
    /// Road segments with a tree, in the order of laying.
    trees: Vec<SegId>,
    /// Figures trapped in this turn part, where they are (RP-113, RP-114).
    fresh: Vec<Piece>,
}
struct_bytes!(State {
    lakes,
    trees,
    fresh
});
no_tasks!();

impl Clone for State {
    fn clone(&self) -> State {
        State {
            lakes: self.lakes.clone(),
            trees: self.trees.clone(),
            fresh: self.fresh.clone(),
        }
    }

    fn clone_from(&mut self, other: &State) {
        self.lakes.clone_from(&other.lakes);
        self.trees.clone_from(&other.trees);
        self.fresh.clone_from(&other.fresh);
    }
}

fn option(rules: &Rules, index: usize) -> u8 {
    rules.options.get(Ext::RussianPromos, index)
}

/// RP-21, RP-22: the followers that may stand on a hut; without this expansion it is a picture (BA-19).
const ON_HUT: [Kind; 4] = [Kind::Normal, Kind::Large, Kind::Phantom, Kind::Wagon];

/// RP-52, RP-86: with `russian-trap-figures` = followers the traps take followers only. RP-103: with `vodyanoy-penalty` =
/// followers only they cost points.
fn figures(options: &Options, figures: &mut [FigureDef; KINDS]) {
    for figure in figures
        .iter_mut()
        .filter(|figure| ON_HUT.contains(&figure.kind))
    {
        figure.claims |= 1 << FeatureKind::Hut.index();
    }
    let is_on = |index| options.get(Ext::RussianPromos, index) == 1;
    for figure in figures.iter_mut().filter(|figure| !figure.is_follower()) {
        if is_on(TRAP_FIGURES) {
            figure.quirks = figure
                .quirks
                .without(Quirks::LAKE_CATCHES.with(Quirks::TREE_CATCHES));
        }
        if is_on(VODYANOY_PENALTY) {
            figure.quirks = figure.quirks.without(Quirks::LAKE_PENALTY);
        }
    }
}

// ---- the hut ---------------------------------------------------------------------------------------------------------

/// RP-25: a point for each empty square round the hut and one for the hut itself. RP-26: under the scoring of 2013 the hut
/// counts nothing. RP-27: surrounded, only the hut itself is left to count.
fn hut_value(c: Ctx, claim: &Claim) -> Option<Tally> {
    let feature = c.board().feature(claim.feature);
    if feature.kind != FeatureKind::Hut {
        return None;
    }
    let empty = 8 - u16::from(c.board().n_around(c.board().pos_of(feature.some)));
    let itself = option(c.rules, HUT_SCORING) == 0;
    let base = match (claim.complete, itself) {
        (true, _) => clause::RP_27,
        (false, true) => clause::RP_25,
        (false, false) => clause::RP_26,
    };
    let units = Units {
        empty,
        ..Units::default()
    };
    let mut tally = Tally::new(*claim, units, Rates::empty(1), base);
    if itself {
        tally.add(1, base);
    }
    Some(tally)
}

// ---- where the traps are ---------------------------------------------------------------------------------------------

/// A trap may be among the start tiles.
fn prepare(w: &mut Work) {
    for slot in 0..w.state.board.tiles().len() as u16 {
        note_trap(w, TileSlot(slot));
    }
}

/// RP-01: remembers the trap of a tile that was laid.
fn note_trap(w: &mut Work, slot: TileSlot) {
    let c = w.ctx();
    let symbols = c.tile_def(slot).symbols;
    if symbols.has(Symbols::LAKE) {
        w.state.ext.russian_promos.lakes.push(slot);
    }
    if symbols.has(Symbols::TREE) {
        let behind = w
            .ctx()
            .board()
            .segments_of(slot)
            .find(|seg| is_tree_road(w.ctx(), *seg));
        w.state.ext.russian_promos.trees.extend(behind);
    }
}

/// RP-03: the road segment that passes behind the tree.
fn is_tree_road(c: Ctx, seg: SegId) -> bool {
    c.segment(seg).marks.has(Marks::TREE)
}

/// RP-04: whether a tile is one of the eight round the lake.
fn touches_lake(c: Ctx, lake: TileSlot, slot: TileSlot) -> bool {
    let (a, b) = (c.board().tile(lake).pos, c.board().tile(slot).pos);
    slot != lake && a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1
}

/// RP-80 to RP-85: whether the lake takes this figure where it stands. Traps are asked separately (RP-123).
fn is_in_reach(c: Ctx, lake: TileSlot, piece: Piece) -> bool {
    let slot = c.board().tile_of_spot(piece.spot);
    piece.spot.place != Place::Trap
        && c.figure(piece.kind).is(Quirks::LAKE_CATCHES)
        && slot.is_some_and(|slot| touches_lake(c, lake, slot))
}

// ---- catching --------------------------------------------------------------------------------------------------------

/// Moves a figure into a trap. RP-01: the trap holds any number.
fn catch(w: &mut Work, piece: Piece, trap: TileSlot, clause: Clause) {
    let spot = Spot::trap(trap);
    w.shift(piece, spot, Way::Trap, Why::Trapped, clause);
    w.state.ext.russian_promos.fresh.push(piece.moved_to(spot));
}

/// RP-90, RP-91, RP-121: every figure in the lake's reach goes to it, whenever the lake is laid or a figure arrives.
fn lake(w: &mut Work) {
    for i in 0..w.state.ext.russian_promos.lakes.len() {
        let lake = w.state.ext.russian_promos.lakes[i];
        let trigger = if w.state.news.laid == Some(lake) {
            clause::RP_90
        } else if !w.state.news.arrivals.is_empty() {
            clause::RP_91
        } else {
            continue;
        };
        let c = w.ctx();
        let within: Vec<(Piece, u16)> = c
            .state
            .pieces
            .iter()
            .filter(|piece| is_in_reach(c, lake, *piece))
            .map(|piece| (piece, 1))
            .collect();
        spring(w, lake, within, usize::MAX, trigger, clause::RP_80);
    }
}

/// RP-66, RP-122: if the event was a trigger, the nearest of all figures on the tree road are caught.
fn tree(w: &mut Work) {
    for i in 0..w.state.ext.russian_promos.trees.len() {
        let tree = w.state.ext.russian_promos.trees[i];
        let Some(trigger) = tree_trigger(w.ctx(), tree) else {
            continue;
        };
        let within = by_distance(w.ctx(), tree);
        let slot = w.ctx().board().tile_of(tree);
        if option(w.rules, SOLOVEI_CAPTURE) == 1 {
            // RP-56: near or far.
            spring(w, slot, within, usize::MAX, trigger, clause::RP_56);
        } else {
            // RP-53: all that are equally near.
            let nearest = within.first().map(|(_, distance)| *distance);
            let n = within
                .iter()
                .filter(|(_, distance)| Some(*distance) == nearest)
                .count();
            spring(w, slot, within, n, trigger, clause::RP_53);
        }
    }
}

/// RP-123: a tree beside a lake keeps nobody.
fn tree_to_lake(w: &mut Work) {
    for i in 0..w.state.ext.russian_promos.lakes.len() {
        let lake = w.state.ext.russian_promos.lakes[i];
        for j in 0..w.state.ext.russian_promos.trees.len() {
            let c = w.ctx();
            let tree = c.board().tile_of(w.state.ext.russian_promos.trees[j]);
            if !touches_lake(c, lake, tree) {
                continue;
            }
            let caught = c.state.pieces.at(Spot::trap(tree));
            let caught = caught.filter(|piece| c.figure(piece.kind).is(Quirks::LAKE_CATCHES));
            let within = caught.map(|piece| (piece, 1)).collect();
            spring(w, lake, within, usize::MAX, clause::RP_123, clause::RP_123);
        }
    }
}

/// Tells what a trap found and catches the first of it.
fn spring(
    w: &mut Work,
    trap: TileSlot,
    within: Vec<(Piece, u16)>,
    n: usize,
    trigger: Clause,
    move_clause: Clause,
) {
    if within.is_empty() {
        return;
    }
    let n = n.min(within.len());
    w.tell(|| Event::Sprung {
        slot: trap,
        within: within.clone(),
        caught: n as u16,
        clause: trigger,
    });
    for (piece, _) in within.into_iter().take(n) {
        catch(w, piece, trap, move_clause);
    }
}

/// RP-60 to RP-65, RP-122: the clause by which this event makes the tree look for figures, if it does. What the lake took
/// before does not count. Parts join without an arrival in the same event, so nothing they brought is gone by then.
fn tree_trigger(c: Ctx, tree: SegId) -> Option<Clause> {
    let news = &c.state.news;
    let road = c.board().feature_of(tree);
    if news.laid == Some(c.board().tile_of(tree)) {
        return Some(clause::RP_60);
    }
    let brings = news.joins.iter().any(|join| {
        c.board().feature_of(join.segment) == road
            && !join.marks.has(Marks::TREE)
            && join.crowd.followers > 0
    });
    if brings {
        return Some(if news.laid.is_some() {
            clause::RP_61
        } else {
            clause::RP_63
        });
    }
    let arrives = news.arrivals.iter().any(|(piece, _)| {
        let seg = piece.spot.as_segment();
        seg.is_some_and(|seg| c.board().feature_of(seg) == road)
            && c.figure(piece.kind).is(Quirks::TREE_CATCHES)
            && c.state.pieces.contains(*piece)
    });
    arrives.then_some(clause::RP_62)
}

/// RP-05, RP-06, RP-50, RP-55: the figures on the tree road that the tree can catch, with their distances, nearest first.
fn by_distance(c: Ctx, tree: SegId) -> Vec<(Piece, u16)> {
    let mut distances = alloc::vec![(tree, 0u16)];
    let mut next = 0;
    while let Some((seg, distance)) = distances.get(next).copied() {
        next += 1;
        for beyond in c.board().neighbours(&c.rules.tiles, seg) {
            if !distances.iter().any(|(known, _)| *known == beyond) {
                distances.push((beyond, distance + 1));
            }
        }
    }
    let mut within: Vec<(Piece, u16)> = Vec::new();
    for (seg, distance) in distances {
        let there = c.state.pieces.at(Spot::segment(seg));
        let there = there.filter(|piece| c.figure(piece.kind).is(Quirks::TREE_CATCHES));
        within.extend(there.map(|piece| (piece, distance)));
    }
    within.sort_by_key(|(piece, distance)| (*distance, *piece));
    within
}

/// A figure left its spot. One that was caught in this part is forgotten when it leaves the trap; alike ones that were
/// caught earlier leave first, which only matters until the end of the part.
fn left(w: &mut Work, piece: Piece, _: Why) {
    if piece.spot.place != Place::Trap {
        return;
    }
    let still = w.state.pieces.count(piece);
    let fresh = &mut w.state.ext.russian_promos.fresh;
    while fresh.iter().filter(|other| **other == piece).count() > still {
        let Some(i) = fresh.iter().position(|other| *other == piece) else {
            return;
        };
        fresh.swap_remove(i);
    }
}

/// RP-114: the second half of a double turn is later than the first.
fn part_end(w: &mut Work, _: bool) {
    w.state.ext.russian_promos.fresh.clear();
}

/// RP-94: with `vodyanoy-tile-field` = closed nothing stands on the lake's tile.
fn lake_field(c: Ctx, deploy: &Deploy) -> Verdict {
    let slot = c.board().tile_of(deploy.seg);
    if option(c.rules, VODYANOY_FIELD) == 1 && c.tile_def(slot).symbols.has(Symbols::LAKE) {
        return Err(clause::RP_94);
    }
    Ok(())
}

// ---- release ---------------------------------------------------------------------------------------------------------

/// RP-110 to RP-113, OP-60: instead of placing a figure, one own figure out of a trap, kinds and traps at choice.
fn release_offers(c: Ctx, seat: Seat, m: &mut Moves) {
    let mut last = None;
    for piece in c.state.pieces.in_place(Place::Trap) {
        if piece.seat == seat && last != Some(piece) && is_releasable(c, piece) {
            m.push(Choice::new(Verb::Release, Target::Piece(piece)));
            last = Some(piece);
        }
    }
}

/// RP-113, RP-114: whether such a figure was trapped in an earlier turn part.
fn is_releasable(c: Ctx, piece: Piece) -> bool {
    let fresh = c
        .state
        .ext
        .russian_promos
        .fresh
        .iter()
        .filter(|other| **other == piece)
        .count();
    c.state.pieces.count(piece) > fresh
}

/// RP-115, RP-116: the figure is in the supply at once; nothing is scored and nothing triggered.
fn release(w: &mut Work, _: Asked, choice: Choice) {
    if let Target::Piece(piece) = choice.target {
        play::use_figure_step(w, None);
        w.take_home(piece, Why::Released, clause::RP_110);
    }
}

fn why_not_release(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let Target::Piece(piece) = choice.target else {
        return Err(clause::RP_110);
    };
    if piece.seat != seat || piece.spot.place != Place::Trap {
        return Err(clause::RP_110);
    }
    if c.used(Used::FIRST) {
        return Err(clause::RP_111);
    }
    if !is_releasable(c, piece) {
        return Err(if c.state.turn.part == 1 {
            clause::RP_113
        } else {
            clause::RP_114
        });
    }
    Ok(())
}

// ---- the end ---------------------------------------------------------------------------------------------------------

/// RP-102, RP-103, OP-101: each figure on the lake takes 2 points from its owner.
fn penalties(w: &mut Work) -> Flow {
    for i in 0..w.state.ext.russian_promos.lakes.len() {
        let trap = Spot::trap(w.state.ext.russian_promos.lakes[i]);
        for seat in w.state.clockwise_from(w.state.turn.active) {
            let c = w.ctx();
            let costly =
                |piece: &Piece| piece.seat == seat && c.figure(piece.kind).is(Quirks::LAKE_PENALTY);
            for _ in 0..c.state.pieces.at(trap).filter(costly).count() {
                w.award(seat, -2, clause::RP_102, None);
            }
        }
    }
    Flow::Done
}

/// RP-02, RP-92: traps are where their tiles are; whom the lake would take is not within its reach.
fn check(c: Ctx) -> Option<&'static str> {
    let own = &c.state.ext.russian_promos;
    let slots = || (0..c.board().tiles().len() as u16).map(TileSlot);
    if !slots()
        .filter(|slot| c.tile_def(*slot).symbols.has(Symbols::LAKE))
        .eq(own.lakes.iter().copied())
    {
        return Some("every lake is known");
    }
    let behind = slots().filter(|slot| c.tile_def(*slot).symbols.has(Symbols::TREE));
    let behind = behind.filter_map(|slot| {
        c.board()
            .segments_of(slot)
            .find(|seg| is_tree_road(c, *seg))
    });
    if !behind.eq(own.trees.iter().copied()) {
        return Some("every tree is known");
    }
    for piece in c.state.pieces.iter() {
        if let Some(slot) = piece.spot.as_trap()
            && !c
                .tile_def(slot)
                .symbols
                .has_any(Symbols::LAKE.with(Symbols::TREE))
        {
            return Some("figures are trapped only where there is a trap");
        }
        if own.lakes.iter().any(|lake| is_in_reach(c, *lake, piece)) {
            return Some("no figure that the lake takes stands beside it");
        }
    }
    for piece in &own.fresh {
        let n = own.fresh.iter().filter(|other| *other == piece).count();
        if piece.spot.place != Place::Trap || c.state.pieces.count(*piece) < n {
            return Some("figures caught in this part are in a trap");
        }
    }
    None
}
