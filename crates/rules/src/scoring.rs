//! Scoring: completed features during the game, incomplete ones and fields at the end.
//!
//! Owners and values of everything completed in a turn part are taken from one picture of the board and kept in the state
//! (SM-73), then scored one by one; figures go home after the last (OP-80).

use alloc::vec::Vec;

use crate::clause::{self, Clause};
use crate::events::Event;
use crate::hooks::{Ctx, Scored};
use crate::moves::{FeatureId, MAX_SEATS, Seat, SeatSet, SegId};
use crate::state::{Entry, Task};
use crate::tally::{Claim, Occasion, Rates, Tally, Units};
use crate::turn::{Flow, Work};
use crate::vocabulary::{FeatureKind, Why};

// ---- majority --------------------------------------------------------------------------------------------------------

/// SM-01 to SM-03: the strength of every seat on a feature.
pub(crate) fn strengths(c: Ctx, feature: FeatureId) -> [u8; MAX_SEATS] {
    let mut sums = [0u8; MAX_SEATS];
    if c.board().feature(feature).crowd.followers == 0 {
        return sums;
    }
    for piece in c.on_feature(feature) {
        let strength = c.figure(piece.kind).strength.on(c.board().feature(feature));
        sums[piece.seat.index()] = sums[piece.seat.index()].saturating_add(strength);
    }
    sums
}

/// SM-08, SM-09: the seats with the highest strength, if it is above 0.
pub(crate) fn owners(strengths: &[u8; MAX_SEATS]) -> SeatSet {
    let best = strengths.iter().copied().max().unwrap_or(0);
    let seats = (0..MAX_SEATS as u8)
        .map(Seat)
        .filter(|seat| best > 0 && strengths[seat.index()] == best);
    seats.fold(SeatSet::NONE, SeatSet::with)
}

// ---- values ----------------------------------------------------------------------------------------------------------

/// What a feature is worth to a seat, item by item.
pub(crate) fn tally(c: Ctx, claim: Claim) -> Tally {
    let board = c.board();
    let feature = board.feature(claim.feature);
    let tiles = || board.n_tiles(&c.rules.tiles, claim.feature);
    let mut tally = match feature.kind {
        FeatureKind::Road => {
            let base = if claim.complete {
                clause::BA_30
            } else {
                clause::BA_43
            };
            Tally::new(
                claim,
                Units {
                    tiles: tiles(),
                    ..Units::default()
                },
                Rates::built(1, 0),
                base,
            )
        }
        FeatureKind::City => {
            let units = Units {
                tiles: tiles(),
                pennants: u16::from(feature.pennants),
                ..Units::default()
            };
            if claim.complete {
                Tally::new(claim, units, Rates::built(2, 2), clause::BA_32)
            } else {
                Tally::new(claim, units, Rates::built(1, 1), clause::BA_43)
            }
        }
        FeatureKind::Monastery | FeatureKind::Garden => {
            let around = board.n_around(board.pos_of(feature.some));
            let base = match (claim.complete, feature.kind) {
                (true, FeatureKind::Garden) => clause::AB_18,
                (true, _) => clause::BA_35,
                (false, FeatureKind::Garden) => clause::AB_19,
                (false, _) => clause::BA_43,
            };
            let units = Units {
                tiles: 1 + u16::from(around),
                ..Units::default()
            };
            Tally::new(claim, units, Rates::built(1, 0), base)
        }
        FeatureKind::Field => {
            let cities = touched_cities(c, claim.feature).len() as u16;
            let (rate, base) = match claim.occasion {
                Occasion::AtRate { each, clause, .. } => (each, clause),
                Occasion::Completed | Occasion::Final | Occasion::Recall => (3, clause::BA_44),
            };
            Tally::new(
                claim,
                Units {
                    cities,
                    ..Units::default()
                },
                Rates::field(rate),
                base,
            )
        }
        FeatureKind::Hut | FeatureKind::River => {
            let value = c.rules.links.value.iter().find_map(|hook| hook(c, &claim));
            value.unwrap_or_else(|| {
                Tally::new(claim, Units::default(), Rates::default(), clause::RI_24)
            })
        }
    };
    for hook in &c.rules.links.tally {
        hook(c, &claim, &mut tally);
    }
    tally
}

/// BA-44, SM-60: the completed cities that a field touches, each once, in ascending order.
pub(crate) fn touched_cities(c: Ctx, field: FeatureId) -> Vec<FeatureId> {
    let mut cities = Vec::new();
    let board = c.board();
    for seg in board.members(field) {
        let touches = c.segment(seg).touches;
        if touches == 0 {
            continue;
        }
        let slot = board.tile_of(seg);
        for index in (0..16).filter(|index| touches & (1 << index) != 0) {
            let city = board.feature_of(board.segment_of(slot, index));
            if board.feature(city).is_complete() {
                cities.push(city);
            }
        }
    }
    cities.sort_unstable();
    cities.dedup();
    cities
}

/// The picture of one feature: owners and values.
fn picture(w: &mut Work, segment: SegId, complete: bool, occasion: Occasion) -> Entry {
    picture_with(w, segment, complete, occasion, |_, _| {})
}

/// The same, where something changes what it is worth to an owner.
fn picture_with(
    w: &mut Work,
    segment: SegId,
    complete: bool,
    occasion: Occasion,
    mut change: impl FnMut(Seat, &mut Tally),
) -> Entry {
    let c = w.ctx();
    let feature = c.board().feature_of(segment);
    let kind = c.board().feature(feature).kind;
    let strengths = strengths(c, feature);
    let owners = owners(&strengths);
    let occupied = c.board().feature(feature).crowd.followers > 0;
    let mut entry = Entry {
        segment,
        owners,
        values: [0; MAX_SEATS],
        value: 0,
        occupied,
        clause: clause::SM_29,
    };
    let claim = |seat| Claim {
        feature,
        seat,
        complete,
        occasion,
    };
    let personal = kind == FeatureKind::Field;
    let plain = if personal && !owners.is_empty() {
        None
    } else {
        Some(tally(c, claim(None)))
    };
    if let Some(plain) = &plain {
        entry.value = plain.total() as i16;
        entry.clause = plain.clause();
    }
    let mut told = Vec::new();
    for seat in owners.iter() {
        let mut own = tally(c, claim(Some(seat)));
        change(seat, &mut own);
        entry.values[seat.index()] = own.total() as i16;
        entry.clause = own.clause();
        told.push((Some(seat), own));
    }
    if told.is_empty()
        && let Some(plain) = plain
        && occupied
    {
        told.push((None, plain));
    }
    for (seat, tally) in told {
        w.tell(|| Event::Valued {
            feature,
            segment,
            kind,
            strengths,
            owners,
            seat,
            lines: tally.lines(),
        });
    }
    entry
}

// ---- during the game -------------------------------------------------------------------------------------------------

/// OP-77: takes the picture of all features completed in this turn part and begins to score them.
pub(crate) fn score(w: &mut Work) -> Flow {
    w.state.batch.clear();
    if w.state.turn.completed.is_empty() {
        return Flow::Done;
    }
    let completed = core::mem::take(&mut w.state.turn.completed);
    for segment in &completed {
        // Two segments noted apart may have become one feature by a later join.
        let feature = w.state.board.feature_of(*segment);
        let twice = w
            .state
            .batch
            .iter()
            .any(|entry| w.state.board.feature_of(entry.segment) == feature);
        if !twice && w.state.board.feature(feature).is_complete() {
            let entry = picture(w, *segment, true, Occasion::Completed);
            w.state.batch.push(entry);
        }
    }
    w.state.turn.completed = completed;
    w.state.turn.completed.clear();
    w.push(Task::Score(0));
    Flow::Done
}

/// OP-78: scores one feature of the batch, then the next.
pub(crate) fn score_next(w: &mut Work, index: u8) -> Flow {
    let Some(entry) = w.state.batch.get(usize::from(index)).copied() else {
        return Flow::Done;
    };
    w.push(Task::Score(index + 1));
    let feature = w.state.board.feature_of(entry.segment);
    if entry.occupied {
        pay(w, &entry, false);
    }
    for hook in &w.rules.links.completed {
        hook(w, feature);
    }
    Flow::Done
}

/// SM-22, SM-75, OP-94: each owner gets the whole value, the active player first; then bonuses.
fn pay(w: &mut Work, entry: &Entry, last: bool) {
    let feature = w.state.board.feature_of(entry.segment);
    for seat in w.state.clockwise_from(w.state.turn.active) {
        let points = i32::from(entry.values[seat.index()]);
        if entry.owners.has(seat) && points != 0 {
            w.pay(seat, points, entry.clause, entry.segment);
        }
    }
    let scored = Scored {
        feature,
        owners: entry.owners,
        value: i32::from(entry.value),
        last,
    };
    for hook in &w.rules.links.scored {
        hook(w, &scored);
    }
}

/// BA-39, SM-77, OP-80: figures leave the board only after the last feature of the batch is scored.
pub(crate) fn go_home(w: &mut Work) -> Flow {
    let batch = core::mem::take(&mut w.state.batch);
    for entry in &batch {
        let feature = w.state.board.feature_of(entry.segment);
        if w.state.board.feature(feature).kind != FeatureKind::Field {
            send_home(w, feature, clause::BA_39);
        }
    }
    w.state.batch = batch;
    w.state.batch.clear();
    Flow::Done
}

/// Sends every figure of a scored feature home.
pub(crate) fn send_home(w: &mut Work, feature: FeatureId, clause: Clause) {
    while w.state.board.feature(feature).crowd.figures > 0 {
        let Some(piece) = w.ctx().on_feature(feature).next() else {
            never!("a feature counts figures that are not there");
            return;
        };
        w.take_home(piece, Why::Scored, clause);
    }
}

/// Scores the farmers of a field in mid-game at a rate of its own, and sends farmers and companions home.
pub(crate) fn score_farmers(w: &mut Work, segment: SegId, occasion: Occasion, clause: Clause) {
    farmers_at_rate(w, segment, occasion, clause, false);
}

/// The same at the end of the game: these farmers are not scored again with the other fields.
pub(crate) fn final_farmers(w: &mut Work, segment: SegId, occasion: Occasion, clause: Clause) {
    farmers_at_rate(w, segment, occasion, clause, true);
}

fn farmers_at_rate(w: &mut Work, segment: SegId, occasion: Occasion, clause: Clause, last: bool) {
    let entry = picture(w, segment, false, occasion);
    if entry.occupied {
        pay(w, &entry, last);
        let feature = w.state.board.feature_of(segment);
        send_home(w, feature, clause);
    }
}

// ---- the end of the game ---------------------------------------------------------------------------------------------

/// BA-43, OP-98: incomplete features with followers on them.
pub(crate) fn final_features(w: &mut Work) -> Flow {
    for segment in occupied_features(w.ctx(), |kind| kind != FeatureKind::Field) {
        let complete = w.state.board.at(segment).is_complete();
        if !complete {
            let entry = picture(w, segment, false, Occasion::Final);
            pay(w, &entry, true);
        }
    }
    Flow::Done
}

/// A segment of every feature with followers whose kind is wanted, in ascending order of features.
pub(crate) fn occupied_features(c: Ctx, wanted: fn(FeatureKind) -> bool) -> Vec<SegId> {
    c.board()
        .features()
        .filter(|(_, feature)| feature.crowd.followers > 0 && wanted(feature.kind))
        .map(|(_, feature)| feature.some)
        .collect()
}

/// BA-44 to BA-48, OP-99: fields with farmers, by the chosen edition of field scoring.
pub(crate) fn final_fields(w: &mut Work) -> Flow {
    let fields = occupied_features(w.ctx(), |kind| kind == FeatureKind::Field);
    match crate::expansions::base::field_scoring(w.rules) {
        3 => {
            for segment in fields {
                let entry = picture(w, segment, false, Occasion::Final);
                pay(w, &entry, true);
            }
        }
        2 => second_edition_fields(w, &fields),
        _ => first_edition_fields(w, &fields),
    }
    Flow::Done
}

/// BA-46: as the third edition, but a player gets points for one and the same city only once. BA-48: what pigs and herds add to
/// them comes once for a city too, on whichever of the player's fields it is.
fn second_edition_fields(w: &mut Work, fields: &[SegId]) {
    let mut had: Vec<(Seat, FeatureId, Clause)> = Vec::new();
    for segment in fields {
        let feature = w.state.board.feature_of(*segment);
        let cities = touched_cities(w.ctx(), feature);
        let entry = picture_with(w, *segment, false, Occasion::Final, |seat, tally| {
            let mut before = 0;
            for line in tally.lines() {
                for city in &cities {
                    let item = (seat, *city, line.clause);
                    if had.contains(&item) {
                        before += line.rates.city;
                    } else {
                        had.push(item);
                    }
                }
            }
            if before != 0 {
                tally.add(-before, clause::BA_46);
            }
        });
        pay(w, &entry, true);
    }
}

/// BA-47, BA-48: city by city; the farmers of all fields that touch it are counted together; 4 points, 5 with an own pig.
fn first_edition_fields(w: &mut Work, fields: &[SegId]) {
    let mut beside: Vec<(FeatureId, FeatureId)> = Vec::new();
    for segment in fields {
        let field = w.state.board.feature_of(*segment);
        beside.extend(
            touched_cities(w.ctx(), field)
                .into_iter()
                .map(|city| (city, field)),
        );
    }
    beside.sort_unstable();
    let mut i = 0;
    while let Some((city, _)) = beside.get(i).copied() {
        let near: Vec<FeatureId> = beside
            .iter()
            .skip(i)
            .take_while(|(other, _)| *other == city)
            .map(|(_, field)| *field)
            .collect();
        i += near.len();
        let mut sums = [0u8; MAX_SEATS];
        for field in &near {
            for (sum, n) in sums.iter_mut().zip(strengths(w.ctx(), *field)) {
                *sum = sum.saturating_add(n);
            }
        }
        let segment = w.state.board.feature(city).some;
        for seat in owners(&sums).iter() {
            let pig = near.iter().any(|field| {
                w.ctx().on_feature(*field).any(|piece| {
                    piece.seat == seat
                        && w.rules
                            .figure(piece.kind)
                            .is(crate::figures::Quirks::CITY_BONUS)
                })
            });
            w.award(seat, if pig { 5 } else { 4 }, clause::BA_47, Some(segment));
        }
    }
    for segment in fields {
        let feature = w.state.board.feature_of(*segment);
        let owners = owners(&strengths(w.ctx(), feature));
        let scored = Scored {
            feature,
            owners,
            value: 0,
            last: true,
        };
        for hook in &w.rules.links.scored {
            hook(w, &scored);
        }
    }
}
