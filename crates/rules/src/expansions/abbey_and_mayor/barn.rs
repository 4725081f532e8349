//! The barn: it stands where the corners of four tiles meet, and makes its field to be scored (AM-60 to AM-76).

use alloc::vec::Vec;

use super::{BARN_PLACEMENT, option};
use crate::clause::{self, Clause};
use crate::events::Event;
use crate::expansions::base::has_farmers;
use crate::figures::{Class, Piece, Spot};
use crate::geometry::{Half, Pos};
use crate::hooks::{Ctx, Deploy, Verdict};
use crate::moves::{Choice, FeatureId, MAX_SEATS, Moves, Seat, SeatSet, SegId, Target, TileSlot};
use crate::order::Step;
use crate::play;
use crate::scoring;
use crate::tally::{Claim, Occasion};
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{FeatureKind, Kind, Marks, Place, Used, Verb, Way, Why};

/// The tiles round a corner, as offsets from the square to its south-east, each with its two halves of sides at the corner.
const ROUND: [((i8, i8), [usize; 2]); 4] = [
    ((-1, -1), [3, 4]),
    ((0, -1), [5, 6]),
    ((0, 0), [7, 0]),
    ((-1, 0), [1, 2]),
];

/// The corners of a tile, each named by the square to its south-east, and the tile that lies diagonally beyond it: NW, NE,
/// SE, SW.
const CORNERS: [((i8, i8), (i8, i8)); 4] = [
    ((0, 0), (-1, -1)),
    ((1, 0), (1, -1)),
    ((1, 1), (1, 1)),
    ((0, 1), (-1, 1)),
];

// ---- placing ---------------------------------------------------------------------------------------------------------

/// AM-60, AM-61: the fields of the four tiles at a corner; both halves of sides that meet there must be of one field segment,
/// else something else than field reaches the corner.
fn fields_at(c: Ctx, corner: Pos) -> Result<[SegId; 4], Clause> {
    let mut fields = [SegId(0); 4];
    for (field, ((dx, dy), halves)) in fields.iter_mut().zip(ROUND) {
        let slot = c
            .board()
            .tile_at(corner.offset(dx, dy))
            .ok_or(clause::AM_61)?;
        let tile = c.board().tile(slot);
        let kind = &c.rules.tiles[tile.kind.index()];
        let [a, b] = halves.map(|half| kind.at_half(Half::from_index(half), tile.rotation));
        match (a, b) {
            (Some(a), Some(b)) if a == b => *field = c.board().segment_of(slot, a),
            _ => return Err(clause::AM_60),
        }
    }
    Ok(fields)
}

/// A segment of the field on which a barn at this corner stands.
fn field_of(c: Ctx, corner: Pos) -> Option<SegId> {
    fields_at(c, corner).ok().map(|[field, ..]| field)
}

/// AM-60 to AM-64: whether a barn may stand on a corner.
fn may_stand(c: Ctx, seat: Seat, corner: Pos) -> Verdict {
    let fields = fields_at(c, corner)?;
    let [field, ..] = fields;
    if c.board().at(field).marks.has(Marks::BARN) && option(c, BARN_PLACEMENT) == 0 {
        return Err(clause::AM_63);
    }
    fields.into_iter().try_for_each(|seg| {
        let deploy = Deploy {
            seat,
            kind: Kind::Barn,
            seg,
            way: Way::Corner,
        };
        let hooks = &c.rules.links.may_deploy;
        hooks.iter().try_for_each(|hook| hook(c, &deploy))
    })
}

/// The corners of a tile on the board.
fn corners(c: Ctx, slot: TileSlot) -> [Pos; 4] {
    let pos = c.board().tile(slot).pos;
    CORNERS.map(|((dx, dy), _)| pos.offset(dx, dy))
}

/// AM-60: at the corners of the tile just laid.
pub(super) fn offers(c: Ctx, seat: Seat, m: &mut Moves) {
    if let Some(slot) = c.state.turn.laid {
        targets(c, seat, slot, Verb::Barn, m);
    }
}

/// The corners of a tile at which a seat may place a barn, as choices with this verb.
pub(crate) fn targets(c: Ctx, seat: Seat, slot: TileSlot, verb: Verb, m: &mut Moves) {
    if c.state.seat(seat).has(Kind::Barn) == 0 {
        return;
    }
    let pos = c.board().tile(slot).pos;
    for ((x, y), (dx, dy)) in CORNERS {
        // Most often the tile beyond is missing: asked first, for speed.
        if c.board().tile_at(pos.offset(dx, dy)).is_none() {
            continue;
        }
        let corner = pos.offset(x, y);
        if may_stand(c, seat, corner).is_ok() {
            m.push(Choice {
                verb,
                kind: Some(Kind::Barn),
                target: Target::Corner(corner),
            });
            if m.is_satisfied() {
                return;
            }
        }
    }
}

/// The barn is the figure step's action. AM-67: its field is to be scored in this turn part.
pub(crate) fn act(w: &mut Work, asked: Asked, choice: Choice) {
    let Target::Corner(corner) = choice.target else {
        return;
    };
    play::use_figure_step(w, choice.kind);
    let barn = Piece {
        spot: Spot::corner(corner),
        seat: asked.seat,
        kind: Kind::Barn,
    };
    w.put(barn, Way::Corner);
    w.state.ext.abbey_and_mayor.placed = field_of(w.ctx(), corner);
}

/// AM-66: from now on the field is one with a barn.
pub(super) fn arrived(w: &mut Work, piece: Piece, _: Way) {
    if let Some(corner) = piece.spot.as_corner()
        && let Some(field) = field_of(w.ctx(), corner)
    {
        w.state.board.add_mark(field, Marks::BARN);
    }
}

/// AM-120, FE-48: without a barn the field is an ordinary one again.
pub(super) fn left(w: &mut Work, piece: Piece, _: Why) {
    let Some(field) = piece
        .spot
        .as_corner()
        .and_then(|corner| field_of(w.ctx(), corner))
    else {
        return;
    };
    let feature = w.state.board.feature_of(field);
    if barns(w.ctx()).all(|(other, _)| other != feature) {
        w.state.board.drop_mark(field, Marks::BARN);
    }
}

/// Every barn on the board: its field and its owner.
fn barns(c: Ctx<'_>) -> impl Iterator<Item = (FeatureId, Seat)> + '_ {
    c.state
        .pieces
        .in_place(Place::Corner)
        .filter_map(move |piece| {
            let field = field_of(c, piece.spot.as_corner()?)?;
            Some((c.board().feature_of(field), piece.seat))
        })
}

/// AM-66, AM-71: nobody places a farmer in a barn's field. AM-72: a pig only where farmers were joined in this turn part.
pub(super) fn no_farmer(c: Ctx, deploy: &Deploy) -> Verdict {
    let feature = c.board().at(deploy.seg);
    if feature.kind != FeatureKind::Field || !feature.marks.has(Marks::BARN) {
        return Ok(());
    }
    let here = c.board().feature_of(deploy.seg);
    let joined = &c.state.ext.abbey_and_mayor.joined;
    let joined = joined.iter().any(|seg| c.board().feature_of(*seg) == here);
    match c.figure(deploy.kind).class {
        Class::Follower => Err(clause::AM_66),
        Class::Companion if !joined => Err(clause::AM_66),
        Class::Companion | Class::Fixture => Ok(()),
    }
}

// ---- scoring ---------------------------------------------------------------------------------------------------------

/// AM-70: notes the fields with farmers that the tile joined to a barn's field.
pub(super) fn tile_laid(w: &mut Work, _: TileSlot) {
    w.state.ext.abbey_and_mayor.joined.clear();
    for join in &w.state.news.joins {
        let feature = w.state.board.at(join.segment);
        if join.crowd.followers > 0
            && feature.kind == FeatureKind::Field
            && feature.marks.has(Marks::BARN)
            && !join.marks.has(Marks::BARN)
        {
            w.state.ext.abbey_and_mayor.joined.push(join.segment);
        }
    }
}

/// AM-67, AM-70, OP-79: the farmers of the fields that a barn came to are scored and go home, 3 points a city where the barn
/// was placed, 1 where it was joined. A field in which both happened counts as the first.
pub(super) fn fields(w: &mut Work) -> Flow {
    if let Some(field) = w.state.ext.abbey_and_mayor.placed.take() {
        let rate = at_rate(3, clause::AM_67);
        scoring::score_farmers(w, field, rate, clause::AM_67);
    }
    for i in 0..w.state.ext.abbey_and_mayor.joined.len() {
        let field = w.state.ext.abbey_and_mayor.joined[i];
        if w.state.board.at(field).marks.has(Marks::BARN) {
            let rate = at_rate(1, clause::AM_70);
            scoring::score_farmers(w, field, rate, clause::AM_70);
        }
    }
    w.state.ext.abbey_and_mayor.joined.clear();
    Flow::Done
}

/// A rate for farmers: pigs and herds add to it (AM-85).
const fn at_rate(each: i16, clause: Clause) -> Occasion {
    Occasion::AtRate {
        each,
        animals: true,
        clause,
    }
}

/// AM-74 to AM-76: farmers in barns' fields, if any, 1 point a city; then every owner of a barn 4 points a city, once a field.
/// BA-28: without farmers no field is scored, for whomever.
pub(super) fn final_barns(w: &mut Work) -> Flow {
    if !has_farmers(w.rules) {
        return Flow::Done;
    }
    let mut barns: Vec<(FeatureId, Seat)> = barns(w.ctx()).collect();
    barns.sort_unstable();
    let mut fields: Vec<(FeatureId, SeatSet)> = Vec::new();
    for (field, seat) in barns {
        match fields.last_mut() {
            Some((other, owners)) if *other == field => *owners = owners.with(seat),
            _ => fields.push((field, SeatSet::one(seat))),
        }
    }
    for (field, _) in &fields {
        let segment = w.state.board.feature(*field).some;
        scoring::final_farmers(w, segment, at_rate(1, clause::AM_76), clause::AM_76);
    }
    for (field, owners) in fields {
        score_barns(w, field, owners);
    }
    Flow::Done
}

fn score_barns(w: &mut Work, field: FeatureId, owners: SeatSet) {
    let segment = w.state.board.feature(field).some;
    let active = w.state.turn.active;
    for seat in w.state.clockwise_from(active).filter(|s| owners.has(*s)) {
        let claim = Claim {
            feature: field,
            seat: Some(seat),
            complete: false,
            occasion: Occasion::AtRate {
                each: 4,
                animals: false,
                clause: clause::AM_74,
            },
        };
        let value = scoring::tally(w.ctx(), claim);
        w.tell(|| Event::Valued {
            feature: field,
            segment,
            kind: FeatureKind::Field,
            strengths: [0; MAX_SEATS],
            owners,
            seat: Some(seat),
            lines: value.lines(),
        });
        if value.total() != 0 {
            w.pay(seat, value.total(), clause::AM_74, segment);
        }
    }
}

// ---- for people ------------------------------------------------------------------------------------------------------

pub(super) fn why_not(c: Ctx, seat: Seat, choice: &Choice) -> Verdict {
    let laid = c.state.turn.laid;
    if let Target::Corner(corner) = choice.target
        && laid.is_some_and(|slot| corners(c, slot).contains(&corner))
    {
        why_not_at(c, seat, corner)
    } else {
        Err(clause::AM_60)
    }
}

/// Why a seat may not place a barn on a corner that is near enough.
pub(crate) fn why_not_at(c: Ctx, seat: Seat, corner: Pos) -> Verdict {
    if c.rules.step(c.state) != Some(Step::MoveWood) {
        return Err(if c.used(Used::FIRST) {
            clause::OP_64
        } else {
            clause::AM_60
        });
    }
    if c.state.seat(seat).has(Kind::Barn) == 0 {
        return Err(clause::BA_25);
    }
    may_stand(c, seat, corner)
}

/// A field has the mark exactly if a barn stands on it, and every barn stands on a field.
pub(super) fn check(c: Ctx) -> Option<&'static str> {
    if barns(c).count() != c.state.pieces.in_place(Place::Corner).count() {
        return Some("every barn stands on a field");
    }
    let wrong = c.board().features().any(|(id, feature)| {
        let barn = barns(c).any(|(field, _)| field == id);
        barn != feature.marks.has(Marks::BARN)
    });
    wrong.then_some("a field is marked exactly if it has a barn")
}
