//! Why something cannot be chosen, and what a computer player would choose.

use leptos::prelude::*;
use trencavel_art::geometry::Point;
use trencavel_record::notation::parse_choice;
use trencavel_rules::{Choice, Clause, Kind, Pos, Rotation, Seat, Target, Verb};

use super::{Desk, Weighed};
use crate::board::Hit;
use crate::computer;
use crate::game::Game;
use crate::text::tr;
use crate::words;

/// How far from its place a figure is pressed, in units of the board.
const FIGURE: f32 = 20.0;

/// How many choices of an analysis are shown.
const BEST: usize = 5;

impl Desk {
    /// A press on the board where nothing is lit: on the figure that was just placed it takes that back, elsewhere it says why
    /// nothing can be chosen there.
    pub(crate) fn press_at(&self, p: Point) {
        let on_figure = self.shared.with_value(|shared| {
            let game = shared.game.borrow();
            let last = game.pending.last().filter(|choice| choice.kind.is_some())?;
            let at = shared.drawings.borrow().target(game.seen(), last.target)?;
            (game.is_ready() && at.distance(p) < FIGURE).then_some(())
        });
        match on_figure {
            Some(()) => self.take_back(),
            None => self.why_not_at(p),
        }
    }

    /// Says why a place that is not lit cannot be chosen.
    fn why_not_at(&self, p: Point) {
        let squares = untrack(|| self.squares());
        let group = untrack(|| self.active_group());
        let why = self.shared.with_value(|shared| {
            let game = shared.game.borrow();
            let seat = game.asked().filter(|_| game.asks_person())?;
            let hit = shared.drawings.borrow().at(game.seen(), p);
            let choices: Vec<Choice> = match (hit, squares.is_empty(), group) {
                (Hit::Square(pos), false, _) => Rotation::ALL
                    .into_iter()
                    .map(|rotation| Choice::lay(pos, rotation))
                    .collect(),
                (Hit::Segment(seg), true, Some((verb, kind))) => vec![Choice {
                    verb,
                    kind,
                    target: Target::Segment(seg),
                }],
                _ => return None,
            };
            Some(reasons(&game, seat, &choices))
        });
        let why = why.unwrap_or_default();
        let text = if why.is_empty() {
            String::new()
        } else {
            words::reason(&why)
        };
        self.reason.set((text, why));
    }

    /// Says why a kind of figure cannot be placed.
    pub(crate) fn why_no_figure(&self, kind: Kind) {
        let why = self.peek(|game| {
            let seat = game.asked()?;
            let state = game.seen();
            let slot = state.laid()?;
            let choices: Vec<Choice> = if kind == Kind::Barn {
                let Pos { x, y } = state.board().tile(slot).pos;
                let corners = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
                let at = |(x, y)| Choice {
                    verb: Verb::Barn,
                    kind: Some(kind),
                    target: Target::Corner(Pos::new(x, y)),
                };
                corners.map(at).to_vec()
            } else {
                let segments = state.board().segments_of(slot);
                let put = segments.map(|seg| Choice::put(Verb::Deploy, kind, seg));
                put.collect()
            };
            Some(reasons(game, seat, &choices))
        });
        let why = why.unwrap_or_default();
        let text = if why.is_empty() {
            tr("no-place")
        } else {
            words::reason(&why)
        };
        self.reason.set((text, why));
    }
}

impl Desk {
    /// Lets a computer player weigh the choices in the seen position.
    pub(crate) fn analyse(&self, milliseconds: f64, done: impl FnOnce() + 'static) {
        let desk = *self;
        let (text, number) = self.peek(|game| {
            let number = game.looks_at().unwrap_or(game.len());
            (game.text(), number)
        });
        computer::weigh(text, number, milliseconds, move |answer| {
            if !desk.is_there() {
                return;
            }
            done();
            let here = desk.peek(|game| game.looks_at().unwrap_or(game.len()));
            if here == number {
                let weighed = desk.peek(|game| read_weighed(game, &answer));
                desk.weighed.set(weighed);
            }
        });
    }
}

/// Reads lines of lead, chance and choice; see [`crate::thinking::weigh`].
fn read_weighed(game: &Game, answer: &str) -> Vec<Weighed> {
    let line = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let lead = words.next()?.parse().ok()?;
        let win = words.next()?.parse().ok()?;
        let choice = parse_choice(game.rules(), game.seen(), words.next()?).ok()?;
        Some(Weighed { choice, lead, win })
    };
    answer.lines().filter_map(line).take(BEST).collect()
}

fn reasons(game: &Game, seat: Seat, choices: &[Choice]) -> Vec<Clause> {
    let mut why: Vec<Clause> = Vec::new();
    for choice in choices {
        for clause in game.rules().why_not(game.seen(), seat, *choice) {
            if !why.contains(&clause) {
                why.push(clause);
            }
        }
    }
    why
}
