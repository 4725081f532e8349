//! The River I, II and III (`docs/rules/river.md`): a stack of its own that is laid first, the course of the water, and the
//! volcano lake.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::bytes::struct_bytes;
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::geometry::{Pos, Rotation, Side};
use crate::hooks::{
    Ctx, Expansion, Gates, Hook, OptionDef, Placement, StepDef, Took, Values, Verdict,
};
use crate::moves::{Seat, TileKind, TileSlot};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::rules::{Options, Rules};
use crate::tally::{Claim, Occasion, Rates, Tally};
use crate::tiles::{Edge, printed_tile};
use crate::turn::{Flow, Work};
use crate::vocabulary::{FeatureKind, Marks, Symbols, Used};

const PLACEMENT: usize = 0;
const VOLCANO_TURN: usize = 1;
const ENDS: usize = 2;
const PIG_HERD: usize = 3;

/// The values of `river-ends`: which end tiles are used.
const END_LISTS: &[&str] = &[
    "usual",
    "RI.1/I.e",
    "RI.2/I.v",
    "RI.2/IFC",
    "RI.1/I.e+RI.2/I.v",
    "RI.1/I.e+RI.2/IFC",
    "RI.2/I.v+RI.2/IFC",
    "RI.1/I.e+RI.2/I.v+RI.2/IFC",
];

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "river",
    book: "RI",
    name: "The River",
    sets: [&["river/1:1"], &["river/1:2"]],
    options: &[
        OptionDef {
            key: "river-placement",
            values: Values::Listed(&["consecutive", "strict"], [0; 3]),
            clause: clause::RI_14,
        },
        OptionDef {
            key: "river-volcano-turn",
            values: Values::Listed(&["extra-turn", "normal"], [1, 0, 0]),
            clause: clause::RI_23,
        },
        OptionDef {
            key: "river-ends",
            values: Values::Listed(END_LISTS, [0; 3]),
            clause: clause::RI_04,
        },
        OptionDef {
            key: "pig-herd",
            values: Values::Listed(&["true", "false"], [0; 3]),
            clause: clause::TB_92,
        },
    ],
    // RI-01: the spring is laid instead of the base start tile.
    start: &[("RI/s", 0, 0, 0)],
    adjust_bag: Some(choose_ends),
    prepare: Some(prepare),
    hooks: &[
        Hook::Draw(river_first),
        Hook::MayPlace(may_place),
        Hook::Unplaceable(set_aside),
        Hook::Step(Step::SetAside, StepDef::auto(try_again)),
        Hook::TileLaid(tile_laid),
        Hook::Tally(pig_herd),
        Hook::Check(check),
    ],
    ..Expansion::EMPTY
};

/// The river while it is being laid.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct State {
    /// Whether the first tile of the river stack has been drawn (RI-03, RI-06).
    begun: bool,
    /// Tiles that fitted nowhere, in the order in which they were set aside (RI-15).
    aside: Vec<Aside>,
}

/// A river tile set aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Aside {
    kind: TileKind,
    seat: Seat,
    /// The turn in which it was drawn or last tried.
    turn: u16,
}

struct_bytes!(Aside { kind, seat, turn });
struct_bytes!(State { begun, aside });
no_tasks!();

fn option(rules: &Rules, index: usize) -> u8 {
    rules.options.get(Ext::River, index)
}

// ---- the stack -------------------------------------------------------------------------------------------------------

/// The parts of the river stack, in the order in which they are drawn; the spring is none of them.
const STACK: [&str; 3] = ["river-fork", "river", "river-lake"];
const SPRING: &str = "river-spring";

fn is_end(id: &str) -> bool {
    printed_tile(id).is_some_and(|tile| tile.symbols.has(Symbols::RIVER_END))
}

/// RI-04: with `river-ends` the listed ends are used, one of each in the order of the list, as many as the spring and the
/// forks need; if they are too few, the usual ones fill up.
fn choose_ends(options: &Options, bag: &mut Vec<(String, u32)>) {
    let list = END_LISTS.get(usize::from(options.get(Ext::River, ENDS)));
    let Some(list) = list.filter(|list| **list != END_LISTS[0]) else {
        return;
    };
    let is_fork = |id: &str| printed_tile(id).is_some_and(|tile| tile.symbols.has(Symbols::FORK));
    let forks: u32 = bag
        .iter()
        .filter(|(id, _)| is_fork(id))
        .map(|(_, n)| n)
        .sum();
    let mut usual: Vec<String> = Vec::new();
    for (id, n) in bag.iter().filter(|(id, _)| is_end(id)) {
        usual.extend((0..*n).map(|_| id.clone()));
    }
    let mut ends: Vec<String> = list.split('+').map(ToString::to_string).collect();
    for id in &ends {
        if let Some(i) = usual.iter().position(|other| other == id) {
            usual.remove(i);
        }
    }
    ends.extend(usual);
    ends.truncate(1 + forks as usize);
    bag.retain(|(id, _)| !is_end(id));
    bag.extend(ends.into_iter().map(|id| (id, 1)));
}

/// RI-04: surplus springs go out of the game. RI-06: a river that is begun in the opening layout is begun.
fn prepare(w: &mut Work) {
    for kind in (0..w.rules.n_kinds() as u16).map(TileKind) {
        if w.rules.tile(kind).group == SPRING {
            while w.state.bag.count(kind) > 0 {
                play::take_from_bag(w, kind);
            }
        }
    }
    let begun = w
        .state
        .board
        .tiles()
        .iter()
        .any(|tile| in_stack(w.rules, tile.kind));
    w.state.ext.river.begun = begun;
}

/// Whether a kind of tile belongs to the river stack.
fn in_stack(rules: &Rules, kind: TileKind) -> bool {
    STACK.contains(&&*rules.tile(kind).group)
}

/// How many tiles of a part of the stack are left to draw.
fn left(c: Ctx, part: &str) -> u16 {
    c.rules
        .group(part)
        .map_or(0, |group| c.state.bag.in_group[usize::from(group & 7)])
}

fn opened(rules: &Rules, parts: &[&str]) -> u32 {
    parts
        .iter()
        .filter_map(|part| rules.group(part))
        .fold(0, |bits, group| bits | 1 << group)
}

/// RI-08: while river tiles are left, only they are drawn. RI-02, RI-03, RI-06: first a fork, if there is one; last the lake.
fn river_first(c: Ctx, gates: &mut Gates) {
    let [fork, course, lake] = STACK.map(|part| left(c, part));
    if fork > 0 && !c.state.ext.river.begun {
        gates.open &= opened(c.rules, &STACK[..1]);
    } else if fork + course > 0 {
        gates.open &= opened(c.rules, &STACK[..2]);
    } else if lake > 0 {
        gates.open &= opened(c.rules, &STACK[2..]);
    }
}

/// RI-15: a river tile that fits nowhere is set aside and replaced by the next one, if there is another.
fn set_aside(w: &mut Work, kind: TileKind) -> Took {
    let c = w.ctx();
    if !in_stack(c.rules, kind) || STACK.iter().all(|part| left(c, part) == 0) {
        return Took::No;
    }
    let (seat, turn) = (w.state.turn.active, w.state.turn.number);
    w.state.ext.river.begun = true;
    w.state.ext.river.aside.push(Aside { kind, seat, turn });
    w.tell(|| Event::Discarded {
        kind,
        clause: clause::RI_15,
    });
    Took::Yes
}

/// RI-15: in a later turn the same player tries the tile again, before drawing.
fn try_again(w: &mut Work) -> Flow {
    let (seat, turn) = (w.state.turn.active, w.state.turn.number);
    if w.ctx().used(Used::OWN_TILE) || w.state.turn.drawn.is_some() {
        return Flow::Done;
    }
    let aside = &mut w.state.ext.river.aside;
    if let Some(i) = aside
        .iter()
        .position(|tile| tile.seat == seat && tile.turn < turn)
    {
        let kind = aside.remove(i).kind;
        w.state.turn.drawn = Some(kind);
        w.tell(|| Event::Drawn { seat, kind });
    }
    Flow::Done
}

// ---- the course ------------------------------------------------------------------------------------------------------

/// The sides at which a turned tile shows water.
fn waters(
    rules: &Rules,
    kind: TileKind,
    rotation: Rotation,
) -> impl Iterator<Item = Side> + Clone + use<> {
    let signature = rules.tiles[kind.index()].signature[usize::from(rotation.quarters())];
    Side::ALL
        .into_iter()
        .filter(move |side| (signature >> (4 * side.index())) & 0xf == Edge::River as u16)
}

fn shows_water(c: Ctx, slot: TileSlot, side: Side) -> bool {
    let tile = c.board().tile(slot);
    waters(c.rules, tile.kind, tile.rotation).any(|other| other == side)
}

/// How the water turns that comes in across one side and leaves by another: 0 straight on, 1 to the right, 3 to the left.
fn bend(entry: Side, exit: Side) -> usize {
    (exit.index() + 4 - entry.opposite().index()) & 3
}

/// How the water turned on a tile before it left by a side; straight on where it springs. RI-12: on a fork the entry is the
/// side of the tile that was there before it.
fn bend_before(c: Ctx, slot: TileSlot, exit: Side) -> usize {
    let tile = *c.board().tile(slot);
    let others = waters(c.rules, tile.kind, tile.rotation).filter(|side| *side != exit);
    let entry = match others.clone().count() {
        0 => return 0,
        1 => others.into_iter().next(),
        _ => others
            .filter_map(|side| Some((c.board().tile_at(tile.pos.beside(side))?, side)))
            .filter(|(before, side)| shows_water(c, *before, side.opposite()))
            .min()
            .map(|(_, side)| side),
    };
    entry.map_or(0, |entry| bend(entry, exit))
}

/// An open river edge: the square on which it lies, and where it looks.
fn open_ends(c: Ctx) -> impl Iterator<Item = (Pos, Side)> {
    c.board().gaps.iter().flat_map(|gap| {
        let pattern = gap.pattern();
        let river = move |side: &Side| pattern.asked(*side) == Edge::River as u8 + 1;
        let ends = Side::ALL.into_iter().filter(river);
        ends.map(|side| (gap.pos.beside(side), side.opposite()))
    })
}

/// RI-09 to RI-16: how the river may go on.
fn may_place(c: Ctx, placement: &Placement) -> Verdict {
    let Placement {
        kind,
        pos,
        rotation,
    } = *placement;
    let sides = waters(c.rules, kind, rotation);
    if sides.clone().next().is_none() {
        return Ok(());
    }
    let mut joined = false;
    for entry in sides.clone() {
        let Some(before) = c.board().tile_at(pos.beside(entry)) else {
            continue;
        };
        // RI-13: water against land cannot match; against an abbey, which matches everything, it could not go on.
        if !shows_water(c, before, entry.opposite()) {
            return Err(clause::RI_13);
        }
        joined = true;
        let last = bend_before(c, before, entry.opposite());
        // RI-11: not twice to the same hand on two tiles directly after each other.
        if last != 0
            && sides
                .clone()
                .any(|exit| exit != entry && bend(entry, exit) == last)
        {
            return Err(clause::RI_11);
        }
    }
    if !joined {
        return Err(clause::RI_09);
    }
    if option(c.rules, PLACEMENT) == 1 {
        strict(c, pos, sides)?;
    }
    closes_too_early(c, kind)
}

/// RI-16: an end may not close the last open branch while other tiles than ends are left in the river stack.
fn closes_too_early(c: Ctx, kind: TileKind) -> Verdict {
    let ends = |kind: TileKind| c.rules.tile(kind).symbols.has(Symbols::RIVER_END);
    if !ends(kind) || open_ends(c).count() > 1 {
        return Ok(());
    }
    let kinds = (0..c.rules.n_kinds() as u16).map(TileKind);
    let more =
        |kind: TileKind| in_stack(c.rules, kind) && !ends(kind) && c.state.bag.count(kind) > 0;
    if kinds.into_iter().any(more) {
        Err(clause::RI_16)
    } else {
        Ok(())
    }
}

/// RI-14: the lane of three squares' width before each open end must be free, and no end may look the same way beside another.
fn strict(c: Ctx, pos: Pos, sides: impl Iterator<Item = Side>) -> Result<(), Clause> {
    for side in sides.filter(|side| c.board().tile_at(pos.beside(*side)).is_none()) {
        let in_lane = |other: Pos| {
            let (dx, dy) = (
                i16::from(other.x) - i16::from(pos.x),
                i16::from(other.y) - i16::from(pos.y),
            );
            let (ahead, aside) = match side {
                Side::North => (-dy, dx),
                Side::East => (dx, dy),
                Side::South => (dy, dx),
                Side::West => (-dx, dy),
            };
            ahead > 0 && aside.abs() <= 1
        };
        let parallel = |(other, looks): (Pos, Side)| {
            looks == side
                && Side::ALL
                    .into_iter()
                    .any(|beside| other.beside(beside) == pos)
        };
        let joins = |(other, looks): (Pos, Side)| other.beside(looks) == pos;
        if c.board().tiles().iter().any(|tile| in_lane(tile.pos))
            || open_ends(c).any(|end| parallel(end) && !joins(end))
        {
            return Err(clause::RI_14);
        }
    }
    Ok(())
}

// ---- the volcano lake ------------------------------------------------------------------------------------------------

/// RI-21: on the volcano lake no figure is placed; a normal tile follows at once, as a second part.
fn tile_laid(w: &mut Work, slot: TileSlot) {
    let kind = w.state.board.tile(slot).kind;
    if !in_stack(w.rules, kind) {
        return;
    }
    w.state.ext.river.begun = true;
    let volcano = Symbols::VOLCANO.with(Symbols::RIVER_END);
    if option(w.rules, VOLCANO_TURN) == 0 && w.ctx().tile_def(slot).symbols.has(volcano) {
        w.use_up(Used::SKIPPED.with(Used::SECOND_DUE));
        if w.state.turn.part == 1 {
            let seat = w.state.turn.active;
            w.tell(|| Event::SecondPartEarned {
                seat,
                clause: clause::RI_21,
            });
        }
    }
}

// ---- the pig herd ----------------------------------------------------------------------------------------------------

/// RI-33, TB-92: a herd makes each city worth one more to everybody who scores the field; two herds count once.
fn pig_herd(c: Ctx, claim: &Claim, tally: &mut Tally) {
    let feature = c.board().feature(claim.feature);
    let animals = !matches!(claim.occasion, Occasion::AtRate { animals: false, .. });
    if feature.kind == FeatureKind::Field
        && feature.marks.has(Marks::PIG_HERD)
        && animals
        && option(c.rules, PIG_HERD) == 0
    {
        tally.rate(Rates::field(1), clause::TB_92);
    }
}

fn check(c: Ctx) -> Option<&'static str> {
    let sound =
        |tile: &Aside| tile.kind.index() < c.rules.n_kinds() && tile.seat.0 < c.state.n_seats;
    (!c.state.ext.river.aside.iter().all(sound)).then_some("the tiles set aside exist")
}
