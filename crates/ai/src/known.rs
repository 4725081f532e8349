//! What the evaluation needs to know of features, found once for a family of positions.
//!
//! The continuations of one turn differ from each other by a tile or two: most features have the same open squares in all
//! of them, and the same tiles fit there. What is found for a feature that the new tiles do not touch is kept for the
//! whole family.

use trencavel_rules::{
    Claim, FeatureId, FeatureKind, Occasion, Placed, Pos, Rules, SegId, Side, State, TileSlot,
};

use crate::fits::{Fit, Fits};

/// An empty square where a feature can grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    pub(crate) pos: Pos,
    /// Where the feature lies at the square.
    pub(crate) bits: u8,
    pub(crate) fit: Fit,
}

/// What is known of a feature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) kind: FeatureKind,
    /// Of the tile that joined it last: another once it has grown.
    last: SegId,
    open: u16,
    openings: (u32, u32),
    cities: (u32, u32),
    near: Box4,
    /// Points if complete.
    pub(crate) complete: f32,
    /// Points in the final scoring if it stays as it is; of a field nothing.
    pub(crate) incomplete: f32,
    /// How many tiles it has.
    pub(crate) tiles: f32,
}

/// A rectangle of squares.
#[derive(Clone, Copy, Debug)]
struct Box4 {
    x0: i8,
    y0: i8,
    x1: i8,
    y1: i8,
}

impl Box4 {
    const NOWHERE: Box4 = Box4 {
        x0: i8::MAX,
        y0: i8::MAX,
        x1: i8::MIN,
        y1: i8::MIN,
    };

    fn around(self, pos: Pos) -> Box4 {
        Box4 {
            x0: self.x0.min(pos.x.saturating_sub(1)),
            y0: self.y0.min(pos.y.saturating_sub(1)),
            x1: self.x1.max(pos.x.saturating_add(1)),
            y1: self.y1.max(pos.y.saturating_add(1)),
        }
    }

    fn holds(self, pos: Pos) -> bool {
        self.x0 <= pos.x && pos.x <= self.x1 && self.y0 <= pos.y && pos.y <= self.y1
    }
}

/// What is known of the features of a family of positions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    epoch: u32,
    known: Vec<(u32, Option<Known>)>,
    openings: Vec<Opening>,
    cities: Vec<SegId>,
    /// How many tiles lay when the family began.
    tiles: usize,
    /// The squares of the tiles laid since.
    laid: Vec<Pos>,
    /// The features that the tiles laid since belong to.
    touched: Vec<FeatureId>,
    /// Whether a tile laid since may have joined cities: then a field's list of cities is shorter than elsewhere in the family.
    joined: bool,
    border: Vec<(Pos, u8)>,
    beside: Vec<SegId>,
    around: Vec<Pos>,
}

/// Beyond so many openings a family begins anew, so that memory stays small.
const MANY: usize = 100_000;

impl Survey {
    /// Begins a family: the positions that follow from this one before another tile is drawn.
    pub(crate) fn begin(&mut self, state: &State) {
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.known.clear();
            self.epoch = 1;
        }
        self.openings.clear();
        self.cities.clear();
        self.tiles = state.board().tiles().len();
    }

    /// Turns to a position of the family.
    pub(crate) fn look(&mut self, rules: &Rules, state: &State) {
        if self.openings.len() > MANY || state.board().tiles().len() < self.tiles {
            self.begin(state);
        }
        self.laid.clear();
        self.touched.clear();
        self.joined = false;
        let board = state.board();
        for (slot, tile) in (self.tiles as u16..).zip(board.tiles().iter().skip(self.tiles)) {
            self.laid.push(tile.pos);
            let segments = board.segments_of(TileSlot(slot));
            self.touched
                .extend(segments.map(|seg| board.feature_of(seg)));
            self.joined |= may_join_cities(rules, state, tile);
        }
    }

    /// The squares where a feature can grow.
    pub(crate) fn openings(&self, known: &Known) -> &[Opening] {
        &self.openings[known.openings.0 as usize..known.openings.1 as usize]
    }

    /// A segment of every city that a field touches; some may have become one.
    pub(crate) fn cities(&self, known: &Known) -> &[SegId] {
        &self.cities[known.cities.0 as usize..known.cities.1 as usize]
    }

    /// What is known of a feature of the position looked at.
    pub(crate) fn feature(
        &mut self,
        rules: &Rules,
        state: &State,
        fits: &mut Fits,
        id: FeatureId,
    ) -> Known {
        let feature = state.board().feature(id);
        let touched = self.touched.contains(&id);
        if !touched
            && let Some((epoch, Some(known))) = self.known.get(id.index())
            && *epoch == self.epoch
            && known.last == feature.some
            && known.open == feature.open
            && !self.is_near(known)
        {
            return *known;
        }
        let known = self.find(rules, state, fits, id);
        let shortened = self.joined && known.kind == FeatureKind::Field;
        if !touched && !shortened && !self.is_near(&known) {
            if self.known.len() <= id.index() {
                self.known.resize(id.index() + 16, (0, None));
            }
            self.known[id.index()] = (self.epoch, Some(known));
        }
        known
    }

    /// Whether a tile laid since lies on or beside an opening.
    fn is_near(&self, known: &Known) -> bool {
        self.laid.iter().any(|laid| {
            known.near.holds(*laid)
                && self.openings(known).iter().any(|opening| {
                    let dx = i16::from(opening.pos.x) - i16::from(laid.x);
                    let dy = i16::from(opening.pos.y) - i16::from(laid.y);
                    dx.abs() + dy.abs() <= 1
                })
        })
    }

    fn find(&mut self, rules: &Rules, state: &State, fits: &mut Fits, id: FeatureId) -> Known {
        let board = state.board();
        let feature = board.feature(id);
        let mut known = Known {
            kind: feature.kind,
            last: feature.some,
            open: feature.open,
            openings: (self.openings.len() as u32, 0),
            cities: (self.cities.len() as u32, 0),
            near: Box4::NOWHERE,
            complete: 0.0,
            incomplete: 0.0,
            tiles: 1.0,
        };
        self.border.clear();
        if feature.kind.is_surrounded() {
            rules.open_squares(state, id, &mut self.around);
            self.border.extend(self.around.iter().map(|pos| (*pos, 0)));
        } else if feature.open > 0 || feature.kind == FeatureKind::Field {
            rules.open_border(state, id, &mut self.border);
        }
        for (pos, bits) in &self.border {
            let fit = match board.pattern_at(*pos) {
                Some(pattern) if feature.kind != FeatureKind::Field => fits.edges(pattern, *bits),
                _ => Fit::default(),
            };
            known.near = known.near.around(*pos);
            self.openings.push(Opening {
                pos: *pos,
                bits: *bits,
                fit,
            });
        }
        if feature.kind == FeatureKind::Field {
            rules.cities_beside(state, id, &mut self.beside);
            self.cities.extend_from_slice(&self.beside);
        } else {
            known.complete = worth(rules, state, id, true);
            known.incomplete = if feature.is_complete() {
                known.complete
            } else {
                worth(rules, state, id, false)
            };
            if feature.kind.is_built() {
                known.tiles = f32::from(rules.n_tiles(state, id)).max(1.0);
            }
        }
        known.openings.1 = self.openings.len() as u32;
        known.cities.1 = self.cities.len() as u32;
        known
    }
}

/// Whether a city of the tile meets tiles at more than one side.
fn may_join_cities(rules: &Rules, state: &State, tile: &Placed) -> bool {
    let meets = |sides: u8| {
        let sides = Side::ALL
            .into_iter()
            .filter(|side| sides & (1 << side.index()) != 0);
        let met = sides.filter(|side| {
            let beside = tile.pos.beside(side.turned(tile.rotation));
            state.board().tile_at(beside).is_some()
        });
        met.count()
    };
    (rules.tile(tile.kind).segments.iter())
        .any(|segment| segment.kind == FeatureKind::City && meets(segment.sides) > 1)
}

fn worth(rules: &Rules, state: &State, feature: FeatureId, complete: bool) -> f32 {
    let occasion = if complete {
        Occasion::Completed
    } else {
        Occasion::Final
    };
    let claim = Claim {
        feature,
        seat: None,
        complete,
        occasion,
    };
    rules.worth(state, claim).total() as f32
}

#[cfg(test)]
mod tests {
    use crate::{Estimate, Evaluator, Rng};
    use trencavel_rules::{Edition, Input, Moves, Rules, Setup, Waiting};

    /// In random games every continuation of every turn has the same estimate with and without what was kept.
    #[test]
    fn what_is_kept_changes_nothing() {
        let rules = Rules::new(&Setup::new(Edition::C1, 3)).unwrap();
        let mut rng = Rng::new(3);
        let (mut kept, mut fresh) = (Evaluator::default(), Evaluator::default());
        for _ in 0..4 {
            let mut state = rules.start();
            let (mut outcomes, mut moves) = (Vec::new(), Moves::new());
            loop {
                let input = match state.waiting() {
                    Waiting::Over => break,
                    Waiting::Chance(_) => {
                        rules.outcomes(&state, &mut outcomes);
                        Input::Chance(rng.pick(&outcomes).unwrap())
                    }
                    Waiting::Seats(seats) => {
                        let seat = seats.iter().next().unwrap();
                        rules.legal(&state, &mut moves);
                        kept.begin(&rules, &state);
                        for choice in moves.iter() {
                            let mut next = state.clone();
                            rules.apply_listed(&mut next, Input::Choice(seat, *choice), &mut ());
                            let a: Estimate = kept.estimate_next(&rules, &next);
                            let b = fresh.estimate(&rules, &next);
                            for (x, y) in a.scores.iter().zip(b.scores) {
                                // Sums in another order differ a little.
                                assert!((x - y).abs() < 0.01, "{choice:?}: {a:?} {b:?}");
                            }
                        }
                        Input::Choice(seat, moves[rng.below(moves.len() as u32) as usize])
                    }
                };
                rules.apply_listed(&mut state, input, &mut ());
            }
        }
    }
}
