//! What a scenario expects.

use trencavel_record::notation::{
    choice_text, find_tile, parse_choice, parse_piece, parse_rotation, parse_spot, parse_square,
    piece_text, spot_text,
};
use trencavel_rules::{
    Chance, Clause, Event, FeatureKind, Kind, Named, Pos, Seat, SegId, Shown, Spot, State, Waiting,
};

use super::Wrong;
use super::happened::{event_text, total};
use super::player::{Player, held, neutral_of, seat_of, text, token_of};
use super::script::Part;

type Checked = Result<(), String>;

/// Checks one expectation.
pub(super) fn check(player: &Player, part: &Part) -> Result<(), Wrong> {
    let words = part.words();
    checked(player, &words).map_err(|what| part.is_wrong(format!("`expect {}`: {what}", part.text)))
}

fn checked(player: &Player, words: &[&str]) -> Checked {
    let Player {
        rules,
        state,
        events,
    } = player;
    match words {
        ["score", points @ ..] => {
            let found: Vec<String> = state
                .seat_list()
                .map(|seat| state.seat(seat).score.to_string())
                .collect();
            same(points, &found)
        }
        ["legal", rest @ ..] => legal(player, rest),
        ["illegal", rest @ ..] => illegal(player, rest),
        ["choices", n, start @ ..] => {
            let found = choices(player, start);
            if found.len().to_string() == *n {
                Ok(())
            } else {
                Err(format!("there are {}: {}", found.len(), found.join(" · ")))
            }
        }
        ["asks", who @ ..] => asks(player, who),
        ["step", name] => {
            let found = rules.step(state).map_or("none", |step| step.name());
            is(name, found)
        }
        ["turn", seat] => is(seat, &(state.active().0 + 1).to_string()),
        ["turn", seat, "part", number] => {
            is(seat, &(state.active().0 + 1).to_string())?;
            is(number, &state.turn().part.to_string())
        }
        ["supply", seat, kind, n] => {
            let seat = seat_of(state, seat)?;
            let kind =
                Kind::from_name(kind).ok_or_else(|| format!("there is no figure `{kind}`"))?;
            is(n, &state.seat(seat).has(kind).to_string())
        }
        ["at", spot, figures @ ..] => {
            let spot = spot_of(player, spot)?;
            figures_are(player, figures, |at| at == spot)
        }
        ["on", spot, figures @ ..] => {
            let spot = spot_of(player, spot)?;
            figures_are(player, figures, |at| same_feature(state, at, spot))
        }
        ["nobody", spot] => {
            let spot = spot_of(player, spot)?;
            figures_are(player, &[], |at| same_feature(state, at, spot))
        }
        ["feature", segment, rest @ ..] => feature(player, segment, rest),
        ["event", rest @ ..] => events_in_order(player, &rest.join(" ")),
        ["no-event", rest @ ..] => {
            let wanted = wanted_words(player, &rest.join(" "));
            match events
                .iter()
                .map(|event| event_text(rules, state, event))
                .find(|found| fits(&wanted, found))
            {
                Some(found) => Err(format!("there is: {found}")),
                None => Ok(()),
            }
        }
        ["line", kind, points, clause] => line(player, kind, points, clause),
        ["value", kind, points] => {
            let kind = feature_kind(kind)?;
            let found: Vec<String> = valued(player, kind)
                .map(|lines| total(lines).to_string())
                .collect();
            if found.iter().any(|found| found == points) {
                Ok(())
            } else {
                Err(format!("the values are: {}", found.join(" ")))
            }
        }
        ["draw-impossible", name] => match draw_is_possible(player, name)? {
            true => Err("it can be drawn".to_string()),
            false => Ok(()),
        },
        ["draw-possible", name] => match draw_is_possible(player, name)? {
            true => Ok(()),
            false => Err("it cannot be drawn".to_string()),
        },
        ["over"] => is(
            "over",
            if state.waiting() == Waiting::Over {
                "over"
            } else {
                "not over"
            },
        ),
        ["over", "winners", seats @ ..] => {
            if state.waiting() != Waiting::Over {
                return Err("the game is not over".to_string());
            }
            let found: Vec<String> = state
                .winners()
                .iter()
                .map(|seat| (seat.0 + 1).to_string())
                .collect();
            same(seats, &found)
        }
        ["not-over"] => is(
            "not over",
            if state.waiting() == Waiting::Over {
                "over"
            } else {
                "not over"
            },
        ),
        ["bag", n] => is(n, &state.bag().len().to_string()),
        ["bag", name, n] => {
            let found = find_tile(rules, name).map_or(0, |kind| state.bag().count(kind));
            is(n, &found.to_string())
        }
        ["tile", pos, rest @ ..] => tile(player, parse_square(pos).map_err(text)?, rest),
        ["empty", pos] => match state.board().tile_at(parse_square(pos).map_err(text)?) {
            None => Ok(()),
            Some(slot) => Err(format!(
                "{} lies there",
                rules.tile(state.board().tile(slot).kind).id
            )),
        },
        ["tokens", whose, token, n] => {
            let token = token_of(token)?;
            let wanted = held(state, whose, token, 0)?;
            let found = rules
                .shown(state)
                .into_iter()
                .find_map(|shown| match (shown, wanted) {
                    (
                        Shown::Held { seat, token, n },
                        Shown::Held {
                            seat: s, token: t, ..
                        },
                    ) if seat == s && token == t => Some(n),
                    (
                        Shown::OnTile { slot, token, n },
                        Shown::OnTile {
                            slot: s, token: t, ..
                        },
                    ) if slot == s && token == t => Some(n),
                    _ => None,
                });
            is(n, &found.unwrap_or(0).to_string())
        }
        ["neutral", name, place, with @ ..] => neutral(player, name, place, with),
        ["setup-error", ..] => Err("the setup has no error".to_string()),
        _ => Err("this is not an expectation; docs/scenarios.md lists them".to_string()),
    }
}

fn is(wanted: &str, found: &str) -> Checked {
    if wanted == found {
        Ok(())
    } else {
        Err(format!("expected {wanted}, found {found}"))
    }
}

fn same(wanted: &[&str], found: &[String]) -> Checked {
    if wanted == found {
        Ok(())
    } else {
        Err(format!(
            "expected {}, found {}",
            wanted.join(" "),
            found.join(" ")
        ))
    }
}

// ---- choices ---------------------------------------------------------------------------------------------------------

/// The seat in front of a choice, or the first that is asked, or the active one; and the rest.
fn who<'w>(player: &Player, words: &'w [&'w str]) -> Result<(Seat, &'w [&'w str]), String> {
    let state = &player.state;
    if let [first, rest @ ..] = words
        && let Some(seat) = first.strip_suffix(':')
    {
        return Ok((seat_of(state, seat)?, rest));
    }
    let asked = match state.waiting() {
        Waiting::Seats(seats) => seats.iter().next(),
        Waiting::Chance(_) | Waiting::Over => None,
    };
    Ok((asked.unwrap_or(state.active()), words))
}

/// The texts of the legal choices that begin with these words.
fn choices(player: &Player, start: &[&str]) -> Vec<String> {
    let Waiting::Seats(seats) = player.state.waiting() else {
        return Vec::new();
    };
    let start = start.join(" ");
    let begins = |text: &String| {
        let rest = text.strip_prefix(&start);
        rest.is_some_and(|rest| start.is_empty() || rest.is_empty() || rest.starts_with(' '))
    };
    seats
        .iter()
        .flat_map(|seat| player.legal(seat).to_vec())
        .map(|choice| choice_text(player.rules, &player.state, choice))
        .filter(begins)
        .collect()
}

fn legal(player: &Player, words: &[&str]) -> Checked {
    let (seat, words) = who(player, words)?;
    let choice = parse_choice(player.rules, &player.state, &words.join(" ")).map_err(text)?;
    if player.legal(seat).contains(&choice) {
        return Ok(());
    }
    let why = player.rules.why_not(&player.state, seat, choice);
    let ids: Vec<&str> = why.iter().map(|clause| clause.id()).collect();
    Err(format!("it is not legal: {}", ids.join(" ")))
}

/// Not legal, and each of the clauses is among the reasons.
fn illegal(player: &Player, words: &[&str]) -> Checked {
    let (seat, words) = who(player, words)?;
    let n = words
        .iter()
        .rev()
        .take_while(|word| Clause::from_id(word).is_some())
        .count();
    let (choice, clauses) = words.split_at(words.len() - n);
    if clauses.is_empty() {
        return Err("the clause that forbids it is missing".to_string());
    }
    let choice = parse_choice(player.rules, &player.state, &choice.join(" ")).map_err(text)?;
    if player.legal(seat).contains(&choice) {
        return Err("it is legal".to_string());
    }
    let why = player.rules.why_not(&player.state, seat, choice);
    for clause in clauses {
        if !why.iter().any(|other| other.id() == *clause) {
            let ids: Vec<&str> = why.iter().map(|clause| clause.id()).collect();
            return Err(format!(
                "it is not legal, but by {} and not by {clause}",
                ids.join(" ")
            ));
        }
    }
    Ok(())
}

fn asks(player: &Player, who: &[&str]) -> Checked {
    let found = match player.state.waiting() {
        Waiting::Over => "nobody".to_string(),
        Waiting::Chance(nature) => nature.to_string(),
        Waiting::Seats(seats) => {
            let numbers: Vec<String> = seats.iter().map(|seat| (seat.0 + 1).to_string()).collect();
            numbers.join(" ")
        }
    };
    let who = who.strip_prefix(&["seat"]).unwrap_or(who);
    is(&who.join(" "), &found)
}

// ---- the table -------------------------------------------------------------------------------------------------------

fn same_feature(state: &State, a: Spot, b: Spot) -> bool {
    match (a.as_segment(), b.as_segment()) {
        (Some(a), Some(b)) => state.board().feature_of(a) == state.board().feature_of(b),
        _ => a == b,
    }
}

fn figures_are(player: &Player, wanted: &[&str], at: impl Fn(Spot) -> bool) -> Checked {
    let figures = player.state.pieces().iter().filter(|piece| at(piece.spot));
    let mut found: Vec<String> = figures
        .map(|piece| format!("{}/{}", piece.kind, piece.seat.0 + 1))
        .collect();
    let mut wanted: Vec<&str> = wanted.to_vec();
    for word in &wanted {
        let known = word
            .split_once('/')
            .is_some_and(|(kind, _)| Kind::from_name(kind).is_some());
        if !known {
            return Err(format!("`{word}` is no figure like follower/1"));
        }
    }
    found.sort();
    wanted.sort_unstable();
    if wanted == found {
        return Ok(());
    }
    let or = |text: String| {
        if text.is_empty() {
            "nobody".to_string()
        } else {
            text
        }
    };
    Err(format!(
        "expected {}, found {}",
        or(wanted.join(" ")),
        or(found.join(" "))
    ))
}

/// A place; a segment without its square is one of the tile laid last.
fn spot_of(player: &Player, word: &str) -> Result<Spot, String> {
    let Player { rules, state, .. } = player;
    let last = state.board().tiles().last();
    match last {
        Some(placed) if !word.contains(['@', '/']) => {
            let word = format!("{word}@{}", placed.pos);
            parse_spot(rules, state, &word).map_err(text)
        }
        _ => parse_spot(rules, state, word).map_err(text),
    }
}

fn segment_of(player: &Player, word: &str) -> Result<SegId, String> {
    let spot = spot_of(player, word)?;
    spot.as_segment()
        .ok_or_else(|| format!("`{word}` is no segment"))
}

/// `complete`, `incomplete`, `tiles N`, `open N`, `pennants N`, `owners 1 2`, `with SEGMENT`, `without SEGMENT`.
fn feature(player: &Player, segment: &str, words: &[&str]) -> Checked {
    let Player { rules, state, .. } = player;
    let board = state.board();
    let id = board.feature_of(segment_of(player, segment)?);
    let feature = board.feature(id);
    match words {
        ["complete"] | ["incomplete"] => {
            is(words[0], if feature.is_complete() { "complete" } else { "incomplete" })
        }
        ["tiles", n] => is(n, &rules.n_tiles(state, id).to_string()),
        ["open", n] => is(n, &feature.open.to_string()),
        ["pennants", n] => is(n, &feature.pennants.to_string()),
        ["owners", seats @ ..] => {
            let found: Vec<String> = rules.owners(state, id).iter().map(|seat| (seat.0 + 1).to_string()).collect();
            same(seats, &found)
        }
        ["cities", n] => is(n, &rules.cities_of_field(state, id).len().to_string()),
        ["with", other] => {
            let other = board.feature_of(segment_of(player, other)?);
            is("joined", if other == id { "joined" } else { "apart" })
        }
        ["without", other] => {
            let other = board.feature_of(segment_of(player, other)?);
            is("apart", if other == id { "joined" } else { "apart" })
        }
        _ => Err("a feature is complete, incomplete, tiles N, open N, pennants N, owners 1 2, cities N, with SEGMENT, without SEGMENT".to_string()),
    }
}

fn tile(player: &Player, pos: Pos, words: &[&str]) -> Checked {
    let Player { rules, state, .. } = player;
    let slot = state.board().tile_at(pos).ok_or("no tile lies there")?;
    let placed = state.board().tile(slot);
    let (name, rotation) = match words {
        [name] => (name, None),
        [name, rotation] => (name, Some(parse_rotation(rotation).map_err(text)?)),
        _ => return Err("should be `tile 1,0 BA/RFr r90`".to_string()),
    };
    is(
        &rules.tile(find_tile(rules, name)?).id,
        &rules.tile(placed.kind).id,
    )?;
    match rotation {
        Some(rotation) => is(&rotation.to_string(), &placed.rotation.to_string()),
        None => Ok(()),
    }
}

fn neutral(player: &Player, name: &str, place: &str, with: &[&str]) -> Checked {
    let Player { rules, state, .. } = player;
    let wanted = neutral_of(name)?;
    let found = rules
        .shown(state)
        .into_iter()
        .find_map(|shown| match shown {
            Shown::Neutral {
                neutral,
                slot,
                with,
            } if neutral == wanted => Some((slot, with)),
            _ => None,
        });
    let (at, beside) = match found {
        None => ("off".to_string(), None),
        Some((slot, with)) => (state.board().tile(slot).pos.to_string(), with),
    };
    is(place, &at)?;
    match with {
        [] => Ok(()),
        ["alone"] => is(
            "alone",
            if beside.is_none() {
                "alone"
            } else {
                "with a figure"
            },
        ),
        ["with", piece @ ..] => {
            let piece = parse_piece(rules, state, &piece.join(" ")).map_err(text)?;
            let found = beside.map_or("alone".to_string(), |piece| piece_text(rules, state, piece));
            is(&piece_text(rules, state, piece), &found)
        }
        _ => {
            Err("should be `neutral fairy 1,0 with follower/1 road.W@1,0`, or `alone`".to_string())
        }
    }
}

fn draw_is_possible(player: &Player, name: &str) -> Result<bool, String> {
    let kind = find_tile(player.rules, name)?;
    let mut outcomes = Vec::new();
    player.rules.outcomes(&player.state, &mut outcomes);
    Ok(outcomes
        .iter()
        .any(|(chance, _)| *chance == Chance::Tile(kind)))
}

// ---- events ----------------------------------------------------------------------------------------------------------

/// The words of a wanted event, places in their canonical spelling.
fn wanted_words(player: &Player, words: &str) -> Vec<String> {
    let canonical = |word: &str| match parse_spot(player.rules, &player.state, word) {
        Ok(spot) if word.contains('@') || spot.place.names() != Named::Segment => {
            spot_text(player.rules, &player.state, spot)
        }
        _ => word.to_string(),
    };
    words.split_whitespace().map(canonical).collect()
}

/// Whether an event's text begins with the first wanted word and has the others in this order.
fn fits(wanted: &[String], found: &str) -> bool {
    let mut found = found.split_whitespace();
    let Some((first, rest)) = wanted.split_first() else {
        return false;
    };
    found.next() == Some(first) && rest.iter().all(|word| found.any(|other| other == word))
}

/// Events parted by `then` come in this order.
fn events_in_order(player: &Player, wanted: &str) -> Checked {
    let texts: Vec<String> = player
        .events
        .iter()
        .map(|event| event_text(player.rules, &player.state, event))
        .collect();
    let mut left = texts.iter();
    for one in wanted.split(" then ") {
        let words = wanted_words(player, one);
        if !left.any(|found| fits(&words, found)) {
            return Err(format!("there is no event `{}`", words.join(" ")));
        }
    }
    Ok(())
}

fn feature_kind(name: &str) -> Result<FeatureKind, String> {
    FeatureKind::from_name(name).ok_or_else(|| format!("there is no feature `{name}`"))
}

fn valued<'p>(
    player: &'p Player,
    kind: FeatureKind,
) -> impl Iterator<Item = &'p [trencavel_rules::Line]> {
    player.events.iter().filter_map(move |event| match event {
        Event::Valued {
            kind: found, lines, ..
        } if *found == kind => Some(lines.as_slice()),
        _ => None,
    })
}

/// An item of a feature's value: so many points by this clause, or `void`: nothing is left after it.
fn line(player: &Player, kind: &str, points: &str, clause: &str) -> Checked {
    let kind = feature_kind(kind)?;
    let wanted = Clause::from_id(clause).ok_or_else(|| format!("there is no clause `{clause}`"))?;
    let mut found = Vec::new();
    for lines in valued(player, kind) {
        let mut sum = 0;
        for line in lines {
            sum += line.points;
            let fits = match points {
                "void" => sum == 0 && line.points <= 0,
                points => line.points.to_string() == points.trim_start_matches('+'),
            };
            if fits && line.clause == wanted {
                return Ok(());
            }
            found.push(format!("{:+} {}", line.points, line.clause));
        }
    }
    Err(format!("the items are: {}", found.join(", ")))
}
