//! Whether events alone tell where figures are and what the scores are.

use std::collections::BTreeMap;

use trencavel_rules::{
    Event, Neutral, Piece, Pos, Rules, Seat, SegId, Shown, State, TileSlot, Token,
};

use super::{Fault, demand};

/// What a listener knows who has only heard events.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pieces: Vec<Piece>,
    scores: Vec<i32>,
    tokens: BTreeMap<(Seat, Token), u8>,
    on_tiles: BTreeMap<(TileSlot, Token), u8>,
    neutrals: BTreeMap<Neutral, Pos>,
    /// The sum of the items of what a feature was last said to be worth, to one seat or to whoever owns it.
    worth: BTreeMap<(SegId, Option<Seat>), i32>,
    over: bool,
}

impl Told {
    /// What everybody sees on the table when the game begins.
    pub(super) fn new(rules: &Rules, state: &State) -> Told {
        let mut told = Told {
            pieces: state.pieces().iter().collect(),
            scores: state.seat_list().map(|_| 0).collect(),
            tokens: BTreeMap::new(),
            on_tiles: BTreeMap::new(),
            neutrals: BTreeMap::new(),
            worth: BTreeMap::new(),
            over: false,
        };
        told.look(rules, state);
        told
    }

    /// Takes tokens and neutral figures from the table.
    fn look(&mut self, rules: &Rules, state: &State) {
        for shown in rules.shown(state) {
            match shown {
                Shown::Held { seat, token, n } => {
                    self.tokens.insert((seat, token), n);
                }
                Shown::OnTile { slot, token, n } => {
                    self.on_tiles.insert((slot, token), n);
                }
                Shown::Neutral { neutral, slot, .. } => {
                    self.neutrals.insert(neutral, state.board().tile(slot).pos);
                }
            }
        }
    }

    pub(super) fn hear(&mut self, events: &[Event]) -> Result<(), Fault> {
        for event in events {
            match event {
                Event::Arrived { piece, .. } => self.pieces.push(*piece),
                Event::Moved { from, to, .. } => {
                    self.take(*from)?;
                    self.pieces.push(*to);
                }
                Event::WentHome { piece, .. } => self.take(*piece)?,
                Event::Valued {
                    segment,
                    seat,
                    lines,
                    ..
                } => {
                    let sum = lines.iter().map(|line| line.points).sum();
                    self.worth.insert((*segment, *seat), sum);
                }
                Event::Awarded {
                    seat,
                    points,
                    clause,
                    feature,
                    valued,
                    ..
                } => {
                    if *valued {
                        let of = |whose| feature.and_then(|seg| self.worth.get(&(seg, whose)));
                        let said = of(Some(*seat)).or(of(None));
                        demand!(
                            said == Some(points),
                            "{seat:?} gets {points} for a feature ({clause}) whose items make {said:?}"
                        );
                    }
                    if let Some(score) = self.scores.get_mut(seat.index()) {
                        *score += points;
                    }
                }
                Event::Tokens {
                    seat, token, now, ..
                } => {
                    self.tokens.insert((*seat, *token), *now);
                }
                Event::NeutralMoved { neutral, to, .. } => {
                    match to {
                        Some(pos) => self.neutrals.insert(*neutral, *pos),
                        None => self.neutrals.remove(neutral),
                    };
                }
                Event::Over { .. } => self.over = true,
                _ => {}
            }
        }
        self.pieces.sort_unstable();
        Ok(())
    }

    fn take(&mut self, piece: Piece) -> Result<(), Fault> {
        let at = self.pieces.iter().position(|other| *other == piece);
        let at =
            at.ok_or_else(|| format!("an event moves a figure that was not there: {piece}"))?;
        self.pieces.swap_remove(at);
        Ok(())
    }

    pub(super) fn agrees(&self, rules: &Rules, state: &State) -> Result<(), Fault> {
        let pieces: Vec<Piece> = state.pieces().iter().collect();
        demand!(
            self.pieces == pieces,
            "events tell of figures {:?}, there are {pieces:?}",
            self.pieces
        );
        let scores: Vec<i32> = state
            .seat_list()
            .map(|seat| state.seat(seat).score)
            .collect();
        demand!(
            self.scores == scores,
            "events tell of scores {:?}, they are {scores:?}",
            self.scores
        );
        let over = state.waiting() == trencavel_rules::Waiting::Over;
        demand!(
            self.over == over,
            "an event tells the end of the game at the wrong time"
        );
        let mut seen = Told {
            tokens: BTreeMap::new(),
            on_tiles: BTreeMap::new(),
            neutrals: BTreeMap::new(),
            ..self.clone()
        };
        seen.look(rules, state);
        let held = |told: &Told| -> Vec<_> {
            let tokens = told.tokens.iter().filter(|(_, n)| **n > 0);
            tokens.map(|(whose, n)| (*whose, *n)).collect()
        };
        demand!(
            held(self) == held(&seen),
            "events tell of tokens {:?}, there are {:?}",
            held(self),
            held(&seen)
        );
        demand!(
            self.neutrals == seen.neutrals,
            "events tell of neutral figures {:?}, they are {:?}",
            self.neutrals,
            seen.neutrals
        );
        Ok(())
    }
}
