//! Which of the tiles left fit an empty square, and what they would do there.
//!
//! What is counted depends only on what the square asks and on the tiles left, so every answer is kept until the tiles
//! left change.

use trencavel_rules::{Half, Pattern, Rotation, Rules, Side, State, TileKind};

/// A kind of tile turned one way.
#[derive(Clone, Copy, Debug)]
struct Turned {
    kind: u16,
    signature: u16,
    /// At each side, the sides of the road or city there (bits).
    built: [u8; 4],
    /// At each half, the halves of the field there (bits).
    field: [u8; 8],
}

/// How many of the tiles left fit a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fit {
    /// All that fit.
    pub(crate) any: u16,
    /// Those that close the given edges without opening new ones.
    pub(crate) closing: u16,
}

#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    epoch: u32,
    key: u32,
    fit: Fit,
}

/// What a square can ask: five answers at each of four sides.
const PATTERNS: usize = 5 * 5 * 5 * 5;

/// How many answers about joining are kept at a time.
const JOINS: usize = 4096;

/// Counts tiles by what they would do on a square.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fits {
    setup: Option<trencavel_rules::Setup>,
    turned: Vec<Turned>,
    left: Vec<u8>,
    total: u16,
    epoch: u32,
    edges: Vec<Kept>,
    joins: Vec<Kept>,
}

impl Fits {
    /// Learns the tiles of a setup, unless they are known.
    pub(crate) fn learn(&mut self, rules: &Rules) {
        if self.setup.as_ref() == Some(rules.setup()) {
            return;
        }
        self.setup = Some(rules.setup().clone());
        self.turned.clear();
        for kind in (0..rules.n_kinds() as u16).map(TileKind) {
            let mut known: Vec<Turned> = Vec::new();
            for (rotation, signature) in Rotation::ALL.into_iter().zip(rules.signatures(kind)) {
                let turned = turn(rules, kind, rotation, signature);
                let same = |other: &Turned| {
                    other.signature == turned.signature
                        && other.built == turned.built
                        && other.field == turned.field
                };
                if !known.iter().any(same) {
                    known.push(turned);
                }
            }
            self.turned.extend(known);
        }
        self.left.clear();
        self.epoch = 0;
        self.edges = vec![Kept::default(); PATTERNS * 16];
        self.joins = vec![Kept::default(); JOINS];
    }

    /// Takes the tiles left of a position; says whether they are others than before.
    pub(crate) fn look(&mut self, state: &State) -> bool {
        let left = state.bag().counts();
        if self.epoch > 0 && self.left == left {
            return false;
        }
        self.left.clear();
        self.left.extend_from_slice(left);
        self.total = left.iter().map(|n| u16::from(*n)).sum();
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.edges.fill(Kept::default());
            self.joins.fill(Kept::default());
            self.epoch = 1;
        }
        true
    }

    /// How many tiles are left.
    pub(crate) fn total(&self) -> u16 {
        self.total
    }

    /// The tiles that fit a square, and those that close its edges at the given sides (bits).
    pub(crate) fn edges(&mut self, pattern: Pattern, sides: u8) -> Fit {
        let index = code(pattern) * 16 + usize::from(sides & 0xf);
        let kept = self.edges[index];
        if kept.epoch == self.epoch {
            return kept.fit;
        }
        let fit = self.count(pattern, |turned| {
            Side::ALL.into_iter().all(|side| {
                sides & (1 << side.index()) == 0 || turned.built[side.index()] & !sides == 0
            })
        });
        self.edges[index] = Kept {
            epoch: self.epoch,
            key: 0,
            fit,
        };
        fit
    }

    /// The tiles that fit a square and connect any of the sides `a` with any of the sides `b` (bits) by a road or city.
    pub(crate) fn joins(&mut self, pattern: Pattern, a: u8, b: u8) -> u16 {
        self.connecting(pattern, a, b, 0, |turned, a, b| {
            (0..4).any(|i| a & (1 << i) != 0 && turned.built[i] & b != 0)
        })
    }

    /// The tiles that fit a square and connect any of the halves `a` with any of the halves `b` (bits) by a field.
    pub(crate) fn field_joins(&mut self, pattern: Pattern, a: u8, b: u8) -> u16 {
        self.connecting(pattern, a, b, 1, |turned, a, b| {
            (0..8).any(|i| a & (1 << i) != 0 && turned.field[i] & b != 0)
        })
    }

    fn connecting(
        &mut self,
        pattern: Pattern,
        a: u8,
        b: u8,
        sort: u32,
        connects: fn(&Turned, u8, u8) -> bool,
    ) -> u16 {
        let key = (code(pattern) as u32) << 17 | u32::from(a) << 9 | u32::from(b) << 1 | sort;
        let index = (key.wrapping_mul(0x9e37_79b1) >> 20) as usize % JOINS;
        let kept = self.joins[index];
        if kept.epoch == self.epoch && kept.key == key {
            return kept.fit.closing;
        }
        let fit = self.count(pattern, |turned| connects(turned, a, b));
        self.joins[index] = Kept {
            epoch: self.epoch,
            key,
            fit,
        };
        fit.closing
    }

    /// The tiles that fit, and those of them that fit in a way that does what is asked.
    fn count(&self, pattern: Pattern, does: impl Fn(&Turned) -> bool) -> Fit {
        let mut fit = Fit::default();
        let (mut last_any, mut last_closing) = (u16::MAX, u16::MAX);
        for turned in &self.turned {
            let n = u16::from(self.left[usize::from(turned.kind)]);
            if n == 0 || !pattern.admits(turned.signature) {
                continue;
            }
            if turned.kind != last_any {
                last_any = turned.kind;
                fit.any += n;
            }
            if turned.kind != last_closing && does(turned) {
                last_closing = turned.kind;
                fit.closing += n;
            }
        }
        fit
    }
}

fn code(pattern: Pattern) -> usize {
    Side::ALL.into_iter().fold(0, |code, side| {
        code * 5 + usize::from(pattern.asked(side)).min(4)
    })
}

fn turn(rules: &Rules, kind: TileKind, rotation: Rotation, signature: u16) -> Turned {
    let mut turned = Turned {
        kind: kind.0,
        signature,
        built: [0; 4],
        field: [0; 8],
    };
    for segment in rules.tile(kind).segments.iter() {
        let sides: Vec<Side> = Side::ALL
            .into_iter()
            .filter(|side| segment.sides & (1 << side.index()) != 0)
            .map(|side| side.turned(rotation))
            .collect();
        let bits = sides.iter().fold(0, |bits, side| bits | 1 << side.index());
        for side in sides {
            turned.built[side.index()] = bits;
        }
        let halves: Vec<Half> = Half::ALL
            .into_iter()
            .filter(|half| segment.halves & (1 << half.index()) != 0)
            .map(|half| half.turned(rotation))
            .collect();
        let bits = halves.iter().fold(0, |bits, half| bits | 1 << half.index());
        for half in halves {
            turned.field[half.index()] = bits;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Edition, Pos, Setup};

    /// At the start of the base game the city edge of the start tile: seventeen kinds have a city side.
    #[test]
    fn counts_at_the_start_tile() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
        let state = rules.start();
        let mut fits = Fits::default();
        fits.learn(&rules);
        fits.look(&state);
        let north = state.board().pattern_at(Pos::new(0, -1)).unwrap();
        let fit = fits.edges(north, 1 << Side::South.index());
        let with_city = (0..rules.n_kinds() as u16)
            .map(TileKind)
            .filter(|kind| {
                let tile = rules.tile(*kind);
                tile.segments
                    .iter()
                    .any(|s| s.kind == trencavel_rules::FeatureKind::City)
            })
            .map(|kind| u16::from(state.bag().count(kind)))
            .sum::<u16>();
        assert_eq!(fit.any, with_city);
        assert!(fit.closing > 0 && fit.closing < fit.any);
    }
}
