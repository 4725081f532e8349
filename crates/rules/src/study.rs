//! Questions that clients and computer players ask about a position: who owns a feature, what it is worth, what it still
//! needs. Nothing here changes a state.

use alloc::vec::Vec;

use crate::geometry::{Half, Pos, Rotation, Side};
use crate::hooks::{Ctx, Deploy, Placement, Shown, Verdict};
use crate::moves::{FeatureId, MAX_SEATS, Seat, SeatSet, SegId, TileKind};
use crate::play;
use crate::rules::Rules;
use crate::scoring;
use crate::state::State;
use crate::tally::{Claim, Tally};
use crate::vocabulary::Place;

/// A feature with followers on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// The feature.
    pub feature: FeatureId,
    /// The strength of every seat.
    pub strengths: [u8; MAX_SEATS],
    /// How many followers of each seat stand on it.
    pub followers: [u8; MAX_SEATS],
}

impl Rules {
    /// For reading a position with this setup's rules.
    pub fn ctx<'a>(&'a self, state: &'a State) -> Ctx<'a> {
        Ctx { rules: self, state }
    }

    /// Whether anything can ever lie on the table besides tiles and figures.
    pub fn shows(&self) -> bool {
        !self.links.shows.is_empty()
    }

    /// Everything that lies on the table besides tiles and figures: neutral figures, tokens (OP-06). Tokens of which
    /// there are none are left out.
    pub fn shown(&self, state: &State) -> Vec<Shown> {
        let mut shown = Vec::new();
        for hook in &self.links.shows {
            hook(self.ctx(state), &mut shown);
        }
        shown
    }

    /// The strength of every seat on a feature (SM-01 to SM-03).
    pub fn strengths(&self, state: &State, feature: FeatureId) -> [u8; MAX_SEATS] {
        scoring::strengths(self.ctx(state), feature)
    }

    /// Every feature with followers on it, each once, in the order of its first figure (SM-01 to SM-03).
    pub fn claimed(&self, state: &State, out: &mut Vec<Claimed>) {
        out.clear();
        let board = state.board();
        for piece in state.pieces().in_place(Place::Segment) {
            let feature = board.feature_of(SegId(piece.spot.at));
            if board.feature(feature).crowd.followers == 0 {
                continue;
            }
            let index = match out.iter().position(|claimed| claimed.feature == feature) {
                Some(index) => index,
                None => {
                    out.push(Claimed {
                        feature,
                        strengths: [0; MAX_SEATS],
                        followers: [0; MAX_SEATS],
                    });
                    out.len() - 1
                }
            };
            let figure = self.figure(piece.kind);
            let claimed = &mut out[index];
            let strength = figure.strength.on(board.feature(feature));
            let sum = &mut claimed.strengths[piece.seat.index()];
            *sum = sum.saturating_add(strength);
            claimed.followers[piece.seat.index()] += u8::from(figure.is_follower());
        }
    }

    /// The seats with the majority on a feature (SM-08, SM-09).
    pub fn owners(&self, state: &State, feature: FeatureId) -> SeatSet {
        scoring::owners(&self.strengths(state, feature))
    }

    /// What a feature would be worth under a claim, item by item; points with [`Tally::total`].
    pub fn worth(&self, state: &State, claim: Claim) -> Tally {
        scoring::tally(self.ctx(state), claim)
    }

    /// The completed cities that a field touches, each once.
    pub fn cities_of_field(&self, state: &State, field: FeatureId) -> Vec<FeatureId> {
        scoring::touched_cities(self.ctx(state), field)
    }

    /// A segment of every city that a field touches, complete or not, each city once.
    pub fn cities_beside(&self, state: &State, field: FeatureId, out: &mut Vec<SegId>) {
        out.clear();
        let board = state.board();
        for seg in board.members(field) {
            let mut touches = board.def(&self.tiles, seg).touches;
            let slot = board.tile_of(seg);
            while touches != 0 {
                let city = board.segment_of(slot, touches.trailing_zeros() as u8);
                touches &= touches - 1;
                let feature = board.feature_of(city);
                if !out.iter().any(|other| board.feature_of(*other) == feature) {
                    out.push(city);
                }
            }
        }
    }

    /// How many tiles a feature lies on (SM-23: a tile counts once).
    pub fn n_tiles(&self, state: &State, feature: FeatureId) -> u16 {
        state.board().n_tiles(&self.tiles, feature)
    }

    /// The empty squares that a feature still needs: where its open edges look, or the empty ones round a surrounded
    /// feature. A square comes once for each open edge.
    pub fn open_squares(&self, state: &State, feature: FeatureId, out: &mut Vec<Pos>) {
        out.clear();
        let board = state.board();
        let what = board.feature(feature);
        if what.kind.is_surrounded() {
            let empty = board
                .pos_of(what.some)
                .around()
                .into_iter()
                .filter(|pos| board.tile_at(*pos).is_none());
            out.extend(empty);
            return;
        }
        for seg in board.members(feature) {
            let sides = board.def(&self.tiles, seg).sides;
            if sides == 0 {
                continue;
            }
            let tile = board.tile(board.tile_of(seg));
            for side in Side::ALL
                .into_iter()
                .filter(|side| sides & (1 << side.index()) != 0)
            {
                let pos = tile.pos.beside(side.turned(tile.rotation));
                if board.tile_at(pos).is_none() {
                    out.push(pos);
                }
            }
        }
    }

    /// The empty squares at which a feature can grow, each once, with bits for where the feature lies at them: of a road or
    /// city the sides of the square, of a field the halves of its sides.
    pub fn open_border(&self, state: &State, feature: FeatureId, out: &mut Vec<(Pos, u8)>) {
        out.clear();
        let board = state.board();
        let mut open = |pos: Pos, bit: usize| {
            if board.tile_at(pos).is_none() {
                match out.iter_mut().find(|(other, _)| *other == pos) {
                    Some((_, bits)) => *bits |= 1 << bit,
                    None => out.push((pos, 1 << bit)),
                }
            }
        };
        for seg in board.members(feature) {
            let def = board.def(&self.tiles, seg);
            let tile = board.tile(board.tile_of(seg));
            let mut sides = def.sides;
            while sides != 0 {
                let side = Side::from_index(sides.trailing_zeros() as usize);
                sides &= sides - 1;
                let side = side.turned(tile.rotation);
                open(tile.pos.beside(side), side.opposite().index());
            }
            let mut halves = def.halves;
            while halves != 0 {
                let half = Half::from_index(halves.trailing_zeros() as usize);
                halves &= halves - 1;
                let half = half.turned(tile.rotation);
                open(tile.pos.beside(half.side()), half.opposite().index());
            }
        }
    }

    /// The kinds of the edges of a tile in each rotation, to be compared with what a square asks
    /// ([`crate::Pattern::admits`]).
    pub fn signatures(&self, kind: TileKind) -> [u16; 4] {
        self.tiles[kind.index()].signature
    }

    /// In how many rotations a kind of tile matches an empty square's edges; the expansions' further conditions are not
    /// asked.
    pub fn n_fitting_rotations(&self, state: &State, kind: TileKind, pos: Pos) -> u8 {
        match (state.board().gap_at(pos), self.tiles.get(kind.index())) {
            (Some(gap), Some(tile)) => tile
                .signature
                .iter()
                .filter(|shown| gap.pattern().admits(**shown))
                .count() as u8,
            _ => 0,
        }
    }

    /// How many tiles of the bag match an empty square's edges.
    pub fn n_fitting_tiles(&self, state: &State, pos: Pos) -> u16 {
        let Some(pattern) = state.board().pattern_at(pos) else {
            return 0;
        };
        let fits = |shown: &u16| pattern.admits(*shown);
        let kinds = self
            .tiles
            .iter()
            .zip(&state.bag().left)
            .filter(|(_, n)| **n > 0);
        kinds
            .filter(|(tile, _)| tile.signature.iter().any(fits))
            .map(|(_, n)| u16::from(*n))
            .sum()
    }

    /// The rotations and squares at which a kind of tile could be laid now, by all rules but those of the seat's own
    /// pieces.
    pub fn placements(&self, state: &State, kind: TileKind) -> Vec<(Pos, Rotation)> {
        let c = self.ctx(state);
        let mut places = Vec::new();
        for pos in state.board().gaps() {
            for rotation in Rotation::ALL {
                let gap = state.board().gap_at(pos);
                let shown = self.tiles[kind.index()].signature[usize::from(rotation.quarters())];
                let matches = gap.is_some_and(|gap| gap.pattern().admits(shown));
                if matches
                    && play::may_place(
                        c,
                        &Placement {
                            kind,
                            pos,
                            rotation,
                        },
                    )
                    .is_ok()
                {
                    places.push((pos, rotation));
                }
            }
        }
        places
    }

    /// Whether a figure may stand on a segment, coming there in a way; the clause that forbids it if not.
    ///
    /// # Errors
    /// The clause that forbids it.
    pub fn may_deploy(&self, state: &State, deploy: &Deploy) -> Verdict {
        play::may_deploy(self.ctx(state), deploy)
    }

    /// The projected final points of every seat if the game ended here: what the score table shows as a projection.
    pub fn projected(&self, state: &State) -> [i32; MAX_SEATS] {
        let mut copy = state.clone();
        let mut work = crate::turn::Work {
            rules: self,
            state: &mut copy,
            sink: &mut (),
        };
        work.finish_now();
        core::array::from_fn(|i| copy.seat(Seat(i as u8)).score)
    }
}
