//! Events as words, for `expect event` and for failures.

use trencavel_record::notation::{piece_text, spot_text};
use trencavel_rules::{
    Clause, Event, Line, Rules, Seat, SeatSet, SegId, Spot, State, TileKind, TileSlot,
};

/// An event as words; each kind is described in `docs/scenarios.md`.
pub(super) fn event_text(rules: &Rules, state: &State, event: &Event) -> String {
    let tile = |kind: TileKind| rules.tile(kind).id.to_string();
    let square = |slot: TileSlot| state.board().tile(slot).pos;
    let segment = |seg: SegId| spot_text(rules, state, Spot::segment(seg));
    let piece = |piece| piece_text(rules, state, piece);
    match event {
        Event::Began { seat, part } => format!("began {} part {part}", n(*seat)),
        Event::Drawn { seat, kind } => format!("drew {} {}", n(*seat), tile(*kind)),
        Event::Discarded { kind, clause } => format!("discarded {} {clause}", tile(*kind)),
        Event::Laid {
            seat,
            kind,
            pos,
            rotation,
            ..
        } => {
            format!("laid {} {} {pos} {rotation}", n(*seat), tile(*kind))
        }
        Event::Arrived { piece: who, way } => format!("arrived {} {way}", piece(*who)),
        Event::Moved {
            from,
            to,
            way,
            clause,
        } => {
            format!(
                "moved {} {} {way} {clause}",
                piece(*from),
                spot_text(rules, state, to.spot)
            )
        }
        Event::WentHome {
            piece: who,
            why,
            clause,
        } => format!("home {} {why} {clause}", piece(*who)),
        Event::Sprung {
            slot,
            within,
            caught,
            clause,
        } => {
            let found: Vec<String> = within
                .iter()
                .map(|(who, far)| format!("{} {far}", piece(*who)))
                .collect();
            format!(
                "sprung {} caught {caught} {clause} of {}",
                square(*slot),
                found.join(" ")
            )
        }
        Event::NeutralMoved {
            neutral,
            to,
            with,
            clause,
        } => {
            let to = to.map_or("off".to_string(), |pos| pos.to_string());
            let with = with.map_or(String::new(), |who| format!(" with {}", piece(who)));
            format!("neutral {neutral} {to}{with} {clause}")
        }
        Event::Tokens {
            seat,
            token,
            now,
            change,
            at,
            clause,
        } => {
            let at = at.map_or(String::new(), |slot| format!(" at {}", square(slot)));
            format!(
                "tokens {} {token} {change:+} now {now}{at} {clause}",
                n(*seat)
            )
        }
        Event::Valued {
            segment: seg,
            owners,
            seat,
            lines,
            ..
        } => {
            let whom = seat.map_or(String::new(), |seat| format!(" for {}", n(seat)));
            let items: Vec<String> = lines.iter().map(line_text).collect();
            format!(
                "valued {} owners {}{whom} total {} {}",
                segment(*seg),
                seats(*owners),
                total(lines),
                items.join(" ")
            )
        }
        Event::Awarded {
            seat,
            points,
            clause,
            feature,
            ..
        } => {
            let feature = feature.map_or(String::new(), |seg| format!(" {}", segment(seg)));
            format!("points {} {points} {clause}{feature}", n(*seat))
        }
        Event::SecondPartEarned { seat, clause } => format!("second-part {} {clause}", n(*seat)),
        Event::SeatLeft { seat } => format!("left {}", n(*seat)),
        Event::Over { winners } => format!("over {}", seats(*winners)),
        other => format!("{other:?}"),
    }
}

fn line_text(line: &Line) -> String {
    let clause: Clause = line.clause;
    format!("{:+} {clause}", line.points)
}

/// The sum of the items.
pub(super) fn total(lines: &[Line]) -> i32 {
    lines.iter().map(|line| line.points).sum()
}

fn n(seat: Seat) -> u16 {
    u16::from(seat.0) + 1
}

/// Seats as numbers with commas, or `-`.
fn seats(seats: SeatSet) -> String {
    let numbers: Vec<String> = seats.iter().map(|seat| n(seat).to_string()).collect();
    if numbers.is_empty() {
        "-".to_string()
    } else {
        numbers.join(",")
    }
}
