//! The Hungarian Promo (`docs/rules/hungarian-promo.md`): a crossing whose four quadrants let a figure be placed on a
//! diagonal neighbour.

use crate::clause;
use crate::expansions::abbey_and_mayor::barn;
use crate::geometry::Pos;
use crate::hooks::{Ctx, Deploy, Expansion, Hook, OptionDef, Values, Verdict};
use crate::moves::{Choice, Moves, Seat, Target, TileSlot};
use crate::order::Step;
use crate::play;
use crate::registry::{Ext, no_tasks};
use crate::turn::{Asked, Work};
use crate::vocabulary::{FeatureKind, Kind, Symbols, Used, Verb, Way};

const SPECIAL_FIGURES: usize = 0;
const PHANTOM: usize = 1;

/// The declaration.
pub(crate) static EXPANSION: Expansion = Expansion {
    slug: "hungarian-promo",
    book: "HP",
    name: "Hungarian Promo",
    sets: [&["hungarian-promo"]; 2],
    options: &[
        OptionDef {
            key: "hungarian-promo-special-figures",
            values: Values::Listed(&["allowed", "meeples-only"], [0; 3]),
            clause: clause::HP_23,
        },
        OptionDef {
            key: "hungarian-promo-phantom",
            values: Values::Listed(&["exclusive", "independent"], [0; 3]),
            clause: clause::HP_67,
        },
    ],
    hooks: &[
        Hook::MoreTargets(targets),
        Hook::Offer(Step::MoveWood, barns),
        Hook::MayDeploy(may_deploy),
        Hook::Act(Verb::Diagonal, act),
        Hook::WhyNot(Verb::Diagonal, why_not),
    ],
    ..Expansion::EMPTY
};

pub(crate) type State = ();
no_tasks!();

/// The corners NW, NE, SE, SW, as offsets to the diagonal neighbours (HP-06).
const CORNERS: [(i8, i8); 4] = [(-1, -1), (1, -1), (1, 1), (-1, 1)];

/// HP-25: the tile just laid, if it has quadrants.
fn laid(c: Ctx) -> Option<TileSlot> {
    c.state
        .turn
        .laid
        .filter(|slot| c.tile_def(*slot).symbols.has(Symbols::QUADRANTS))
}

/// HP-06, HP-07: the diagonal neighbours of a tile that are there, each with the sign that the turned tile shows it.
fn quadrants(c: Ctx, slot: TileSlot) -> impl Iterator<Item = (TileSlot, FeatureKind)> {
    let tile = *c.board().tile(slot);
    let turn = usize::from(tile.rotation.quarters());
    let signs = c.tile_def(slot).quadrants.map(|signs| signs.0);
    (0usize..)
        .zip(CORNERS)
        .filter_map(move |(corner, (dx, dy))| {
            let neighbour = c.board().tile_at(tile.pos.offset(dx, dy))?;
            Some((neighbour, signs?[(corner + 4 - turn) & 3]))
        })
}

/// HP-13, HP-26, HP-67: whether what was placed before in this turn part closes the quadrants.
fn is_closed(c: Ctx) -> bool {
    c.used(Used::ON_TILE.with(Used::DIAGONAL))
        && c.rules.options.get(Ext::HungarianPromo, PHANTOM) == 0
}

/// HP-13 to HP-21: instead of a figure on this tile, one on a diagonal neighbour, on a feature of the kind that its quadrant
/// shows.
fn targets(c: Ctx, seat: Seat, kind: Kind, _: bool, m: &mut Moves) {
    let Some(slot) = laid(c) else { return };
    if is_closed(c) {
        return;
    }
    for (neighbour, sign) in quadrants(c, slot) {
        for seg in c.board().segments_of(neighbour) {
            if c.segment(seg).kind != sign {
                continue;
            }
            let way = Way::Diagonal;
            if play::may_deploy(
                c,
                &Deploy {
                    seat,
                    kind,
                    seg,
                    way,
                },
            )
            .is_ok()
            {
                m.push(Choice::put(Verb::Diagonal, kind, seg));
            }
        }
    }
}

/// HP-24: a barn on a corner of the neighbour in the field's quadrant. The corner that touches this tile is none (HP-11).
fn barns(c: Ctx, seat: Seat, m: &mut Moves) {
    let Some(slot) = laid(c) else { return };
    if is_closed(c) || !has_special_figures(c) {
        return;
    }
    for (neighbour, sign) in quadrants(c, slot) {
        if sign == FeatureKind::Field {
            barn::targets(c, seat, neighbour, Verb::Diagonal, m);
        }
    }
}

/// HP-23, HP-24: whether the quadrants are also for special figures.
fn has_special_figures(c: Ctx) -> bool {
    c.rules.options.get(Ext::HungarianPromo, SPECIAL_FIGURES) == 0
}

/// HP-11, HP-12: nothing on this tile is ever occupied but its roads. HP-23: with `hungarian-promo-special-figures` =
/// meeples-only the quadrants are for followers. HP-67: nor is anything placed here after a figure went through a quadrant.
fn may_deploy(c: Ctx, deploy: &Deploy) -> Verdict {
    let slot = c.board().tile_of(deploy.seg);
    if c.tile_def(slot).symbols.has(Symbols::QUADRANTS)
        && c.segment(deploy.seg).kind != FeatureKind::Road
    {
        return Err(if laid(c) == Some(slot) {
            clause::HP_11
        } else {
            clause::HP_12
        });
    }
    match deploy.way {
        Way::Diagonal if !c.figure(deploy.kind).is_follower() && !has_special_figures(c) => {
            Err(clause::HP_23)
        }
        Way::Own if laid(c) == Some(slot) && c.used(Used::DIAGONAL) && is_closed(c) => {
            Err(clause::HP_67)
        }
        _ => Ok(()),
    }
}

/// HP-21, HP-26: one figure through one quadrant, as the figure step's action.
fn act(w: &mut Work, asked: Asked, choice: Choice) {
    w.use_up(Used::DIAGONAL);
    match choice.target {
        Target::Corner(_) => barn::act(w, asked, choice),
        _ => play::put_on_segment(w, asked, choice, Way::Diagonal),
    }
}

fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let slot = laid(c).ok_or(clause::HP_25)?;
    if let Target::Corner(corner) = choice.target {
        return why_not_barn(c, seat, slot, corner);
    }
    let (Some(kind), Target::Segment(seg)) = (choice.kind, choice.target) else {
        return Err(clause::HP_13);
    };
    let sign = quadrants(c, slot)
        .find(|(neighbour, _)| *neighbour == c.board().tile_of(seg))
        .map(|(_, sign)| sign);
    if sign != Some(c.segment(seg).kind) {
        return Err(clause::HP_20);
    }
    if is_closed(c) {
        return Err(if c.used(Used::DIAGONAL) {
            clause::HP_21
        } else {
            clause::HP_13
        });
    }
    if c.state.seat(seat).has(kind) == 0 {
        return Err(clause::BA_25);
    }
    let way = Way::Diagonal;
    play::may_deploy(
        c,
        &Deploy {
            seat,
            kind,
            seg,
            way,
        },
    )
}

fn why_not_barn(c: Ctx, seat: Seat, slot: TileSlot, corner: Pos) -> Verdict {
    let near = quadrants(c, slot).any(|(neighbour, sign)| {
        let pos = c.board().tile(neighbour).pos;
        let (dx, dy) = (
            i16::from(corner.x) - i16::from(pos.x),
            i16::from(corner.y) - i16::from(pos.y),
        );
        sign == FeatureKind::Field && (0..=1).contains(&dx) && (0..=1).contains(&dy)
    });
    if !near {
        return Err(clause::HP_24);
    }
    if !has_special_figures(c) {
        return Err(clause::HP_23);
    }
    if is_closed(c) {
        return Err(clause::HP_13);
    }
    barn::why_not_at(c, seat, corner)
}
