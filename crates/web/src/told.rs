//! What happened, in words: the lines of the log.

use trencavel_rules::{Clause, Event, Line, Piece, Pos, Seat, SegId, State, Symbols, Why};

use crate::game::Game;
use crate::items::{Item, items};
use crate::text::{say, tr};
use crate::words::{by, feature, figure, name, piece, spot_kind, spot_square, square_of, tile};

/// How a line of the log is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// A turn begins.
    Turn,
    /// Something happened.
    Plain,
    /// What follows from something else, as the way home after a score.
    Quiet,
    /// Points.
    Score,
}

/// A line of the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// What happened, in words.
    pub text: String,
    /// How it is shown.
    pub tone: Tone,
    /// Whom it is about.
    pub seat: Option<Seat>,
    /// What it consists of, or the clause that made it happen.
    pub items: Vec<Item>,
    /// Where it was.
    pub place: Option<Pos>,
}

/// The lines of the log for events that led to a position, in the turn of somebody who is not named in each.
pub fn lines<'e>(
    game: &Game,
    state: &State,
    mut turn_of: Option<Seat>,
    events: impl Iterator<Item = (usize, &'e Event)>,
) -> Vec<(usize, Said)> {
    let mut valued: Vec<&Event> = Vec::new();
    let mut out = Vec::new();
    for (number, event) in events {
        if let Event::Valued { .. } = event {
            valued.push(event);
            if let Some(said) = worthless(game, state, event) {
                out.push((number, said));
            }
            continue;
        }
        if let Event::Began { seat, .. } = event {
            turn_of = Some(*seat);
        }
        // What everybody has from the beginning is no news.
        if number == 0 && matches!(event, Event::Tokens { .. }) {
            continue;
        }
        if let Some(mut said) = line(game, state, event, &valued) {
            // Below the name of whose turn it is, only others are named.
            if let Some(seat) = said.seat.filter(|seat| Some(*seat) != turn_of)
                && said.tone != Tone::Turn
            {
                said.text = by(game, seat, said.text);
            }
            out.push((number, said));
        }
        if matches!(event, Event::Began { .. }) {
            valued.clear();
        }
    }
    out
}

fn line(game: &Game, state: &State, event: &Event, valued: &[&Event]) -> Option<Said> {
    let mut said = Said {
        text: String::new(),
        tone: Tone::Plain,
        seat: None,
        items: Vec::new(),
        place: None,
    };
    let who = |seat: &Seat| ("name", name(game, *seat).into());
    said.text = match event {
        Event::Began { seat, part } => {
            said.tone = Tone::Turn;
            said.seat = Some(*seat);
            let id = if *part > 1 { "began-second" } else { "began" };
            say(id, &[who(seat)])
        }
        Event::Discarded { kind, clause } => {
            said.items.push(Item::of(*clause));
            say("discarded", &[("tile", tile(game, *kind).into())])
        }
        Event::Laid { seat, pos, .. } => {
            said.seat = Some(*seat);
            said.place = Some(*pos);
            tr("laid")
        }
        Event::Arrived { piece: of, .. } => {
            said.seat = Some(of.seat);
            said.place = spot_square(state, *of);
            say(
                "arrived",
                &[
                    ("figure", figure(of.kind).into()),
                    ("place", spot_kind(game, state, *of).into()),
                ],
            )
        }
        Event::Moved {
            from, to, clause, ..
        } => {
            said.seat = Some(to.seat);
            said.place = spot_square(state, *to);
            said.items.push(Item::of(*clause));
            say(
                "moved",
                &[
                    ("figure", figure(from.kind).into()),
                    ("from", spot_kind(game, state, *from).into()),
                    ("place", spot_kind(game, state, *to).into()),
                ],
            )
        }
        Event::WentHome {
            piece: of,
            why,
            clause,
        } => {
            said.seat = Some(of.seat);
            said.place = spot_square(state, *of);
            if *why == Why::Scored {
                said.tone = Tone::Quiet;
            } else {
                said.items.push(Item::of(*clause));
            }
            say(
                "went-home",
                &[
                    ("figure", figure(of.kind).into()),
                    ("why", tr(&format!("why-{}", why.name())).into()),
                ],
            )
        }
        Event::Sprung {
            slot,
            within,
            caught,
            clause,
        } => {
            said.items.push(Item::of(*clause));
            said.place = Some(state.board().tile(*slot).pos);
            let (nearest, farther) = within.split_at(usize::from(*caught).min(within.len()));
            let kind = state.board().tile(*slot).kind;
            let is_tree = game.rules().tile(kind).symbols.has(Symbols::TREE);
            let list = |of: &[(Piece, u16)]| {
                let texts = of.iter().map(|(of, distance)| {
                    let figure = piece(game, state, *of);
                    if is_tree {
                        say(
                            "at-distance",
                            &[("figure", figure.into()), ("n", (*distance).into())],
                        )
                    } else {
                        figure
                    }
                });
                texts.collect::<Vec<String>>().join("; ")
            };
            let key = match (is_tree, farther.is_empty()) {
                (false, _) => "sprung-lake",
                (true, true) => "sprung-tree",
                (true, false) => "sprung-tree-not-all",
            };
            say(
                key,
                &[
                    ("place", square_of(state, *slot).into()),
                    ("caught", list(nearest).into()),
                    ("farther", list(farther).into()),
                ],
            )
        }
        Event::NeutralMoved {
            neutral,
            to,
            clause,
            ..
        } => {
            said.items.push(Item::of(*clause));
            said.place = *to;
            let what = tr(&format!("neutral-{}", neutral.name()));
            match to {
                Some(_) => say("neutral-moved", &[("what", what.into())]),
                None => say("neutral-left", &[("what", what.into())]),
            }
        }
        Event::Tokens {
            seat,
            token,
            now,
            change,
            clause,
            ..
        } => {
            said.seat = Some(*seat);
            said.items.push(Item::of(*clause));
            let what = tr(&format!("token-{}", token.name()));
            say(
                if *change >= 0 {
                    "token-got"
                } else {
                    "token-gave"
                },
                &[
                    ("what", what.into()),
                    ("n", change.unsigned_abs().into()),
                    ("now", (*now).into()),
                ],
            )
        }
        Event::Awarded {
            seat,
            points,
            clause,
            feature: of,
            valued: of_value,
            token,
        } => {
            said.tone = Tone::Score;
            said.seat = Some(*seat);
            let value = of
                .filter(|_| *of_value)
                .and_then(|seg| value_of(valued, seg, *seat));
            match value {
                Some((lines, _)) => {
                    said.items = items(lines);
                }
                None => {
                    let mut item = Item::of(*clause);
                    if let Some(token) = token {
                        let what = tr(&format!("token-{}", token.name()));
                        item.text = say(
                            "item-for",
                            &[("cause", item.text.into()), ("what", what.into())],
                        );
                    }
                    said.items.push(item);
                }
            }
            said.place = of.map(|seg| state.board().pos_of(seg));
            let what = of.map(|seg| feature(state.board().at(seg).kind));
            let majority = value.map(|(_, strengths)| majority(game, strengths));
            let mut text = match what {
                Some(what) => say(
                    "awarded-for",
                    &[("points", (*points).into()), ("what", what.into())],
                ),
                None => say("awarded", &[("points", (*points).into())]),
            };
            if let Some(majority) = majority.filter(|majority| !majority.is_empty()) {
                text.push_str("; ");
                text.push_str(&majority);
            }
            text
        }
        Event::SecondPartEarned { seat, clause } => {
            said.seat = Some(*seat);
            said.items.push(Item::of(*clause));
            tr("second-part")
        }
        Event::SeatLeft { seat } => {
            said.seat = Some(*seat);
            tr("seat-left")
        }
        Event::Over { winners } => {
            said.tone = Tone::Turn;
            let names: Vec<String> = winners.iter().map(|seat| name(game, seat)).collect();
            say("wins", &[("names", names.join(", ").into())])
        }
        _ => return None,
    };
    Some(said)
}

/// A scored feature that brings nobody anything, with the items of its value: no award tells of it.
fn worthless(game: &Game, state: &State, event: &Event) -> Option<Said> {
    let Event::Valued {
        segment: seg,
        owners,
        seat,
        lines,
        ..
    } = event
    else {
        return None;
    };
    let total: i32 = lines.iter().map(|line| line.points).sum();
    let what = ("what", feature(state.board().at(*seg).kind).into());
    let text = if owners.is_empty() {
        say("no-owner", &[what])
    } else if total == 0 {
        let owners = owners
            .iter()
            .filter(|owner| seat.is_none_or(|seat| seat == *owner));
        let names: Vec<String> = owners.map(|owner| name(game, owner)).collect();
        say("worthless", &[what, ("names", names.join(", ").into())])
    } else {
        return None;
    };
    let mut items = items(lines);
    if owners.is_empty() {
        items.push(Item::of(Clause::from_id("SM-09")?));
    }
    Some(Said {
        text,
        tone: Tone::Plain,
        seat: *seat,
        items,
        place: Some(state.board().pos_of(*seg)),
    })
}

/// The items of the last value of a feature for a seat, and the strengths on it.
fn value_of<'e>(valued: &[&'e Event], seg: SegId, of: Seat) -> Option<(&'e [Line], &'e [u8])> {
    valued.iter().rev().find_map(|event| match event {
        Event::Valued {
            segment,
            seat,
            lines,
            strengths,
            ..
        } if *segment == seg && seat.is_none_or(|seat| seat == of) => {
            Some((lines.as_slice(), strengths.as_slice()))
        }
        _ => None,
    })
}

/// Who had how much, where more than one had something.
fn majority(game: &Game, strengths: &[u8]) -> String {
    let parts: Vec<String> = (0u8..)
        .zip(strengths)
        .filter(|(_, strength)| **strength > 0)
        .map(|(seat, strength)| format!("{} {strength}", name(game, Seat(seat))))
        .collect();
    if parts.len() < 2 {
        return String::new();
    }
    say("majority", &[("list", parts.join(", ").into())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::text::{Language, set_language};
    use trencavel_rules::{
        Chance, Edition, Ext, Input, Kind, Moves, Rotation, Rules, Setup, Spot, StartTile, Waiting,
    };

    #[test]
    fn what_players_begin_with_is_no_news() {
        set_language(Language::English);
        let setup = Setup::new(Edition::C1, 2).with("abbey-and-mayor");
        let players = vec![("A".into(), Player::Person), ("B".into(), Player::Person)];
        let game = Game::new(&setup, players, 7).unwrap();
        assert!((game.log.iter()).any(|entry| matches!(entry.event, Event::Tokens { .. })));
        let told = game.log.iter().map(|entry| (entry.number, &entry.event));
        let lines = lines(&game, game.state(), None, told);
        assert!(
            lines.iter().all(|(_, said)| !said.text.contains("abbey")),
            "{lines:?}"
        );
        assert!(!lines.is_empty());
    }

    /// Whatever changes a score, or gives points for no feature, has a name in every language.
    #[test]
    fn whatever_changes_a_score_has_a_name() {
        let mut setup = Setup::new(Edition::C1, 4);
        for ext in Ext::ALL.iter().skip(1) {
            setup = setup.with(ext.expansion().slug);
        }
        let rules = Rules::new(&setup).unwrap();
        let mut met: Vec<Clause> = Vec::new();
        for seed in 0..40 {
            let (mut state, mut events) = (rules.start(), Vec::new());
            let (mut moves, mut outcomes): (Moves, Vec<(Chance, u32)>) = Default::default();
            let mut n = seed + 7;
            loop {
                n = n * 75 % 65_537;
                let input = match state.waiting() {
                    Waiting::Over => break,
                    Waiting::Chance(_) => {
                        rules.outcomes(&state, &mut outcomes);
                        Input::Chance(outcomes[n % outcomes.len()].0)
                    }
                    Waiting::Seats(seats) => {
                        rules.legal(&state, &mut moves);
                        Input::Choice(seats.iter().next().unwrap(), moves[n % moves.len()])
                    }
                };
                rules.apply_listed(&mut state, input, &mut events);
            }
            for event in events {
                match event {
                    Event::Valued { lines, .. } => {
                        met.extend(lines.iter().skip(1).map(|line| line.clause))
                    }
                    Event::Awarded {
                        clause,
                        valued: false,
                        ..
                    } => met.push(clause),
                    _ => {}
                }
            }
        }
        met.sort();
        met.dedup();
        assert!(met.len() > 8, "only {met:?}");
        for language in Language::ALL {
            set_language(language);
            for clause in &met {
                assert!(
                    crate::items::cause(*clause).is_some(),
                    "{clause} has no name in {language:?}"
                );
            }
        }
        set_language(Language::English);
    }

    #[test]
    fn a_trap_says_whom_it_caught_at_what_distance_and_whom_not() {
        set_language(Language::English);
        let mut setup = Setup::new(Edition::C1, 2).with("russian-promos");
        let tile = |id: &str, x, y| StartTile {
            id: id.to_string(),
            pos: Pos::new(x, y),
            rotation: Rotation::default(),
        };
        setup.start = Some(vec![
            tile("RU/SR", 0, 0),
            tile("BA/RFr", 1, 0),
            tile("BA/RFr", 2, 0),
            tile("RU/V", 2, 1),
        ]);
        let players = vec![("A".into(), Player::Person), ("B".into(), Player::Person)];
        let game = Game::new(&setup, players, 7).unwrap();
        let state = game.state();
        let slot = |x, y| state.board().tile_at(Pos::new(x, y)).unwrap();
        let on_road = |x, seat| Piece {
            spot: Spot::segment(state.board().segment_of(slot(x, 0), 0)),
            seat: Seat(seat),
            kind: Kind::Normal,
        };
        let sprung = |slot, within: &[(Piece, u16)], caught| {
            let event = Event::Sprung {
                slot,
                within: within.to_vec(),
                caught,
                clause: Clause::from_id("RP-60").unwrap(),
            };
            line(&game, state, &event, &[]).unwrap().text
        };
        let both = [(on_road(1, 0), 1), (on_road(2, 1), 2)];
        assert_eq!(
            sprung(slot(0, 0), &both, 1),
            "Solovei at 0,0 catches follower of A, road at 1,0, distance 1, the nearest. \
             Farther away: follower of B, road at 2,0, distance 2"
        );
        assert_eq!(
            sprung(slot(0, 0), &both[..1], 1),
            "Solovei at 0,0 catches follower of A, road at 1,0, distance 1"
        );
        assert_eq!(
            sprung(slot(2, 1), &both[1..], 1),
            "Vodyanoy at 2,1 catches follower of B, road at 2,0"
        );
    }
}
