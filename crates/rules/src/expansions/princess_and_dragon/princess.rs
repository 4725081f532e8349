//! The princess sends a knight away (PD-29 to PD-39).

use super::{ACTION, PRINCESS, option, plays};
use crate::clause;
use crate::figures::{Piece, Quirks};
use crate::hooks::{Ctx, Verdict};
use crate::moves::{Choice, FeatureId, Moves, Seat, Target};
use crate::turn::{Asked, Flow, Work};
use crate::vocabulary::{FeatureKind, Marks, Used, Verb, Why};

/// PD-29, PD-34, PD-35: the city of the princess on the tile just laid, as it is now.
fn city_of_hers(c: Ctx) -> Option<FeatureId> {
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
    let city = city_of_hers(c)
        .filter(|city| c.board().feature(*city).crowd.followers > 0 && plays(c, PRINCESS));
    let here = city.map(|city| c.on_feature(city));
    here.into_iter()
        .flatten()
        .filter(move |piece| c.figure(piece.kind).is(Quirks::SEDUCIBLE))
}

/// PD-29, PD-33: asked if there is a knight.
pub(super) fn ask(w: &mut Work) -> Flow {
    if knights(w.ctx()).next().is_none() {
        return Flow::Done;
    }
    Flow::Ask(w.state.turn.active)
}

/// PD-29: one knight; nobody only if `princess-action` = may.
pub(super) fn offers(c: Ctx, _: Seat, m: &mut Moves) {
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
pub(super) fn seduce(w: &mut Work, _: Asked, choice: Choice) {
    if let Target::Piece(piece) = choice.target {
        w.use_up(Used::SKIPPED);
        w.take_home(piece, Why::Seduced, clause::PD_30);
    }
}

pub(super) fn why_not(c: Ctx, _: Seat, choice: &Choice) -> Verdict {
    let Target::Piece(piece) = choice.target else {
        return Ok(());
    };
    let board = c.board();
    let Some(city) = city_of_hers(c).filter(|_| plays(c, PRINCESS)) else {
        return Err(clause::PD_29);
    };
    let stands = piece.spot.as_segment().map(|seg| board.feature_of(seg));
    let Some(feature) = stands.filter(|id| board.feature(*id).kind == FeatureKind::City) else {
        return Err(clause::PD_37);
    };
    let mut laid = c.state.turn.laid.into_iter();
    let beside_hers = laid.any(|slot| {
        let mut segments = board.segments_of(slot);
        segments.any(|seg| board.feature_of(seg) == feature)
    });
    Err(match (feature == city, beside_hers) {
        (true, _) => clause::PD_37,
        (false, true) => clause::PD_34,
        (false, false) => clause::PD_30,
    })
}
