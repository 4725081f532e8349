//! What happened, in words for the terminal.

use trencavel_record::notation::{piece_text, segment_text, spot_text};
use trencavel_rules::{Event, Line, Neutral, Piece, Rules, Seat, State, Symbols, Unit, Way};

fn name(names: &[String], seat: Seat) -> &str {
    names.get(seat.index()).map_or("?", String::as_str)
}

/// The items of a score: what was counted, the points and the clause of each, as `8 tiles × 2 = +16 BA-32, +3 PD-47`.
pub(crate) fn items(lines: &[Line]) -> String {
    let item = |line: &Line| {
        let products: Vec<String> = line.products().map(product).collect();
        let sum = format!("{:+} {}", line.points, line.clause);
        match products.is_empty() {
            true => sum,
            false => format!("{} = {sum}", products.join(" + ")),
        }
    };
    lines.iter().map(item).collect::<Vec<_>>().join(", ")
}

fn product((unit, n, each): (Unit, u16, i16)) -> String {
    let (one, many) = match unit {
        Unit::Tile => ("tile", "tiles"),
        Unit::Pennant => ("pennant", "pennants"),
        Unit::City => ("city", "cities"),
        Unit::Empty => ("empty square", "empty squares"),
    };
    format!("{n} {} × {each}", if n == 1 { one } else { many })
}

/// `a` or `an`, as the word wants it.
fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

/// An event in words; none for what needs no telling.
pub(crate) fn event(
    rules: &Rules,
    state: &State,
    names: &[String],
    event: &Event,
) -> Option<String> {
    Some(match event {
        Event::Drawn { seat, kind } => {
            format!("{} draws {}", name(names, *seat), rules.tile(*kind).id)
        }
        Event::Discarded { kind, clause } => format!(
            "{} cannot be laid and is put away ({clause})",
            rules.tile(*kind).id
        ),
        Event::Laid {
            seat,
            kind,
            pos,
            rotation,
            ..
        } => {
            format!(
                "{} lays {} at {pos} {rotation}",
                name(names, *seat),
                rules.tile(*kind).id
            )
        }
        Event::Arrived { piece, way } => {
            let how = match way {
                Way::Own => String::new(),
                way => format!(" ({way})"),
            };
            format!(
                "{} places {} {} on {}{how}",
                name(names, piece.seat),
                article(piece.kind.name()),
                piece.kind,
                spot_text(rules, state, piece.spot)
            )
        }
        Event::Moved {
            from, to, clause, ..
        } => {
            format!(
                "{} goes to {} ({clause})",
                piece_text(rules, state, *from),
                spot_text(rules, state, to.spot)
            )
        }
        Event::WentHome { piece, why, clause } => {
            format!(
                "{}'s {} goes home: {why} ({clause})",
                name(names, piece.seat),
                piece.kind
            )
        }
        Event::Sprung {
            slot,
            within,
            caught,
            clause,
        } => {
            let tile = state.board().tile(*slot);
            let is_tree = rules.tile(tile.kind).symbols.has(Symbols::TREE);
            let trap = if is_tree {
                "Solovei's tree"
            } else {
                "Vodyanoy's lake"
            };
            let list = |of: &[(Piece, u16)]| {
                let texts = of.iter().map(|(piece, distance)| {
                    let text = piece_text(rules, state, *piece);
                    if is_tree {
                        format!("{text} at distance {distance}")
                    } else {
                        text
                    }
                });
                texts.collect::<Vec<String>>().join(", ")
            };
            let (nearest, farther) = within.split_at(usize::from(*caught).min(within.len()));
            let rest = if farther.is_empty() {
                String::new()
            } else {
                format!(", not {}", list(farther))
            };
            format!(
                "{trap} at {} catches {}{rest} ({clause})",
                tile.pos,
                list(nearest)
            )
        }
        Event::NeutralMoved {
            neutral,
            to,
            with,
            clause,
        } => match (to, with) {
            (Some(pos), Some(piece)) => format!(
                "the {neutral} goes to {pos}, beside {} ({clause})",
                piece_text(rules, state, *piece)
            ),
            (Some(pos), None) if *neutral == Neutral::Fairy => {
                format!("the {neutral} is at {pos}, beside nobody ({clause})")
            }
            (Some(pos), None) => format!("the {neutral} goes to {pos} ({clause})"),
            (None, _) => format!("the {neutral} leaves the board ({clause})"),
        },
        Event::Tokens {
            seat,
            token,
            now,
            change,
            clause,
            ..
        } => {
            format!(
                "{}: {change:+} {token}, has {now} ({clause})",
                name(names, *seat)
            )
        }
        Event::Valued {
            segment,
            strengths,
            owners,
            lines,
            ..
        } => {
            let total: i32 = lines.iter().map(|line| line.points).sum();
            let strong: Vec<String> = state
                .seat_list()
                .filter(|seat| strengths[seat.index()] > 0)
                .map(|seat| format!("{} {}", name(names, seat), strengths[seat.index()]))
                .collect();
            let who: Vec<&str> = owners.iter().map(|seat| name(names, seat)).collect();
            let who = if who.is_empty() {
                "nobody".to_string()
            } else {
                who.join(" and ")
            };
            let strength = match (strong.is_empty(), owners.is_empty()) {
                (false, _) => format!(" (strength {})", strong.join(", ")),
                (true, true) => " (nobody there has any strength: SM-09)".to_string(),
                // Barns have no majority.
                (true, false) => String::new(),
            };
            format!(
                "{} is worth {total} to {who}{strength}: {}",
                segment_text(rules, state, *segment),
                items(lines),
            )
        }
        Event::Awarded {
            seat,
            points,
            clause,
            token,
            ..
        } => {
            let of = token.map_or(String::new(), |token| format!(" for {token}"));
            format!("{} {points:+} points{of} ({clause})", name(names, *seat))
        }
        Event::SecondPartEarned { seat, clause } => {
            format!("{} plays a second part ({clause})", name(names, *seat))
        }
        Event::SeatLeft { seat } => format!("{} leaves the game", name(names, *seat)),
        Event::Over { winners } => {
            let who: Vec<&str> = winners.iter().map(|seat| name(names, seat)).collect();
            format!("the game is over: {} wins", who.join(" and "))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Clause, Edition, Kind, Pos, Rotation, Setup, Spot, StartTile};

    #[test]
    fn a_trap_says_whom_it_caught_at_what_distance_and_whom_not() {
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
        let rules = Rules::new(&setup).unwrap();
        let state = rules.start();
        let slot = |x, y| state.board().tile_at(Pos::new(x, y)).unwrap();
        let on_road = |x, seat| Piece {
            spot: Spot::segment(state.board().segment_of(slot(x, 0), 0)),
            seat: Seat(seat),
            kind: Kind::Normal,
        };
        let clause = Clause::from_id("RP-60").unwrap();
        let sprung = |slot, within: &[(Piece, u16)], caught| {
            let sprung = Event::Sprung {
                slot,
                within: within.to_vec(),
                caught,
                clause,
            };
            event(&rules, &state, &[], &sprung).unwrap()
        };
        assert_eq!(
            sprung(slot(0, 0), &[(on_road(1, 0), 1), (on_road(2, 1), 2)], 1),
            "Solovei's tree at 0,0 catches follower/1 road.E@1,0 at distance 1, not follower/2 road.E@2,0 at distance 2 (RP-60)"
        );
        assert_eq!(
            sprung(slot(2, 1), &[(on_road(2, 1), 1)], 1),
            "Vodyanoy's lake at 2,1 catches follower/2 road.E@2,0 (RP-60)"
        );
    }
}
