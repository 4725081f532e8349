//! Whether the traps of the Russian promos do what the second implementation says.
//!
//! Events say what happened; of each thing that calls for the traps the second implementation says where all figures must be
//! before the next thing happens.

use std::collections::BTreeSet;

use trencavel_rules::{
    Event, Moves, Piece, Place, Rules, SegId, State, Step, Target, TileSlot, Verb, Waiting, Way,
};

use super::ground::part_of;
use super::{Fault, demand};
use crate::second::shelf;
use crate::second::traps::{self, Figure, Happening, Options, Tile, Where};

/// What is known of traps and figures, from events alone.
#[derive(Debug)]
pub(super) struct Watch {
    options: Options,
    tiles: Vec<Tile>,
    figures: Vec<Figure>,
    /// Figures caught in this turn part, where they are.
    caught_now: Vec<Figure>,
    /// Where figures must be before anything else happens.
    due: Option<Vec<Figure>>,
    /// The ways by which figures came that sprang a trap.
    sprung_by: BTreeSet<Way>,
}

impl Watch {
    /// A watch on a game with the traps and none but printed tiles.
    pub(super) fn of(rules: &Rules, state: &State) -> Result<Option<Watch>, Fault> {
        let setup = rules.setup();
        let slug = |name: &str| setup.expansions.iter().any(|other| other == name);
        if !slug("russian-promos") || !setup.tiles.is_empty() {
            return Ok(None);
        }
        let chosen = |key: &str, value: &str| {
            (setup.options.iter()).any(|(other, chosen)| other == key && chosen == value)
        };
        let mut watch = Watch {
            options: Options {
                followers_only: chosen("russian-trap-figures", "followers"),
                whole_road: chosen("solovei-capture", "all"),
                only_followers_cost: chosen("vodyanoy-penalty", "followers"),
            },
            tiles: Vec::new(),
            figures: state.pieces().iter().map(|p| figure(state, p)).collect(),
            caught_now: Vec::new(),
            due: None,
            sprung_by: BTreeSet::new(),
        };
        for slot in (0u16..).map(TileSlot).take(state.board().tiles().len()) {
            watch.tiles.push(tile(rules, state, slot)?);
        }
        Ok(Some(watch))
    }

    /// The ways by which figures came so far that sprang a trap.
    pub(super) fn sprung_by(&self) -> &BTreeSet<Way> {
        &self.sprung_by
    }

    /// Takes the events of one input, after which the state is this.
    pub(super) fn hear(
        &mut self,
        rules: &Rules,
        state: &State,
        events: &[Event],
    ) -> Result<(), Fault> {
        for event in events {
            match *event {
                Event::Began { .. } => self.caught_now.clear(),
                Event::Laid { slot, .. } => {
                    self.settled()?;
                    self.tiles.push(tile(rules, state, slot)?);
                    self.expect(Happening::Laid(slot.index()), None);
                }
                Event::Arrived { piece, way } => {
                    self.settled()?;
                    self.figures.push(figure(state, piece));
                    self.expect(Happening::Came(self.figures.len() - 1), Some(way));
                }
                Event::Moved { from, to, way, .. } => {
                    if way != Way::Trap {
                        self.settled()?;
                    }
                    let from = figure(state, from);
                    let to = figure(state, to);
                    let at = self.find(&from)?;
                    self.figures[at] = to.clone();
                    self.forget(&from);
                    if way == Way::Trap {
                        self.caught_now.push(to);
                    } else {
                        self.expect(Happening::Came(at), Some(way));
                    }
                }
                Event::WentHome { piece, .. } => {
                    self.settled()?;
                    let gone = figure(state, piece);
                    let at = self.find(&gone)?;
                    self.figures.remove(at);
                    self.forget(&gone);
                }
                _ => {}
            }
        }
        self.settled()?;
        let wrong = traps::left_beside_a_lake(&self.tiles, &self.figures, self.options);
        demand!(
            wrong.is_empty(),
            "RP-92: figures stand beside the lake: {wrong:?} of {:?}",
            self.figures
        );
        if state.waiting() == Waiting::Over {
            self.penalties_agree(state, events)?;
        }
        self.releases_agree(rules, state)
    }

    fn expect(&mut self, happening: Happening, way: Option<Way>) {
        let after = traps::after(&self.tiles, &self.figures, happening, self.options);
        if after != self.figures {
            self.sprung_by.extend(way);
        }
        self.due = Some(after);
    }

    /// What was due has happened.
    fn settled(&mut self) -> Result<(), Fault> {
        let Some(due) = self.due.take() else {
            return Ok(());
        };
        demand!(
            sorted(&due) == sorted(&self.figures),
            "the traps leave figures at {:?}, they should be at {:?}",
            sorted(&self.figures),
            sorted(&due)
        );
        Ok(())
    }

    fn find(&self, figure: &Figure) -> Result<usize, Fault> {
        let at = self.figures.iter().position(|other| other == figure);
        at.ok_or_else(|| format!("an event moves a figure that was not there: {figure:?}"))
    }

    /// A figure left: if no more are left than were caught in this part, one of these is gone.
    fn forget(&mut self, gone: &Figure) {
        let alike = |list: &[Figure]| list.iter().filter(|other| *other == gone).count();
        if alike(&self.caught_now) > alike(&self.figures)
            && let Some(at) = self.caught_now.iter().position(|other| other == gone)
        {
            self.caught_now.remove(at);
        }
    }

    /// RP-102, RP-103: what the lake cost at the end.
    fn penalties_agree(&self, state: &State, events: &[Event]) -> Result<(), Fault> {
        for seat in state.seat_list() {
            let paid: i32 = events
                .iter()
                .map(|event| match event {
                    Event::Awarded {
                        seat: payer,
                        points,
                        clause,
                        ..
                    } if *payer == seat && clause.id() == "RP-102" => *points,
                    _ => 0,
                })
                .sum();
            let due = traps::penalty(&self.tiles, &self.figures, seat.index(), self.options);
            // A score that may not fall below 0 pays less (SM-85).
            demand!(
                paid == due || (paid > due && state.seat(seat).score == 0),
                "seat {} pays {paid} for the lake, not {due}",
                seat.index() + 1
            );
        }
        Ok(())
    }

    /// RP-110 to RP-114: which releases are offered.
    fn releases_agree(&self, rules: &Rules, state: &State) -> Result<(), Fault> {
        if rules.step(state) != Some(Step::MoveWood) {
            return Ok(());
        }
        let mut moves = Moves::new();
        rules.legal(state, &mut moves);
        let offered = moves
            .iter()
            .filter(|choice| choice.verb == Verb::Release)
            .filter_map(|choice| match choice.target {
                Target::Piece(piece) => Some(figure(state, piece)),
                _ => None,
            });
        let offered: Vec<Figure> = offered.collect();
        let due = traps::releasable(&self.figures, &self.caught_now, state.active().index());
        demand!(
            sorted(&offered) == sorted(&due),
            "releases of {offered:?} are offered, they should be of {due:?}"
        );
        Ok(())
    }
}

/// A tile of the board as it is drawn.
fn tile(rules: &Rules, state: &State, slot: TileSlot) -> Result<Tile, Fault> {
    let placed = state.board().tile(slot);
    let id = &rules.tile(placed.kind).id;
    let tile = shelf()?.tile(id);
    let tile = tile.ok_or_else(|| format!("no tile file has {id}"))?;
    Ok(Tile::drawn(
        tile,
        i32::from(placed.pos.x),
        i32::from(placed.pos.y),
        usize::from(placed.rotation.quarters()),
    ))
}

/// A figure in plain words.
fn figure(state: &State, piece: Piece) -> Figure {
    let tile = usize::from(piece.spot.at);
    let place = match piece.spot.place {
        Place::Segment => {
            let part = part_of(state, SegId(piece.spot.at));
            Where::Segment {
                tile: part.tile,
                segment: part.segment,
            }
        }
        Place::TowerTop => Where::Tower { tile },
        Place::Trap => Where::Trap { tile },
        Place::Corner | Place::Prison => Where::Elsewhere,
    };
    Figure {
        owner: piece.seat.index(),
        kind: piece.kind.name().to_string(),
        place,
    }
}

fn sorted(figures: &[Figure]) -> Vec<String> {
    let mut texts: Vec<String> = figures.iter().map(|f| format!("{f:?}")).collect();
    texts.sort();
    texts
}
