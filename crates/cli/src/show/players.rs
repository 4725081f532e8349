//! A line for each player.

use std::fmt::Write as _;

use trencavel_record::notation::{piece_text, spot_text};
use trencavel_rules::{Kind, Place, Rules, Shown, State};

use super::SEATS;

/// A line for each player: points and supply.
pub(crate) fn players(rules: &Rules, state: &State, names: &[String]) -> String {
    let mut out = String::new();
    let shown = rules.shown(state);
    for seat in state.seat_list() {
        let here = if state.active() == seat { '>' } else { ' ' };
        let seat_state = state.seat(seat);
        let supply: Vec<String> = Kind::ALL
            .iter()
            .filter(|kind| seat_state.has(**kind) > 0)
            .map(|kind| format!("{kind} ×{}", seat_state.has(*kind)))
            .collect();
        let mut supply = supply;
        supply.extend(shown.iter().filter_map(|shown| match shown {
            Shown::Held {
                seat: holder,
                token,
                n,
            } if *holder == seat => Some(format!("{token} ×{n}")),
            _ => None,
        }));
        let prisoners = state
            .pieces()
            .iter()
            .filter(|piece| piece.spot.as_prison() == Some(seat));
        supply
            .extend(prisoners.map(|piece| format!("prisoner {}/{}", piece.kind, piece.seat.0 + 1)));
        // On the board they lie over each other.
        let trapped = state.pieces().in_place(Place::Trap);
        supply.extend(trapped.filter(|piece| piece.seat == seat).map(|piece| {
            format!(
                "{} caught in {}",
                piece.kind,
                spot_text(rules, state, piece.spot)
            )
        }));
        let (_, colour) = SEATS[seat.index() & 7];
        let name = names.get(seat.index()).map_or("", String::as_str);
        let _ = writeln!(
            out,
            "{here} {} {name:<16} {colour:<7} {:>4} points   {}",
            seat.0 + 1,
            seat_state.score,
            supply.join(", ")
        );
    }
    for shown in &shown {
        if let Shown::Neutral {
            neutral,
            slot,
            with: Some(piece),
        } = shown
        {
            let _ = writeln!(
                out,
                "  {neutral} at {}, beside {}",
                state.board().tile(*slot).pos,
                piece_text(rules, state, *piece)
            );
        }
    }
    let _ = writeln!(out, "  {} tiles left", state.bag().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Edition, Piece, Pos, Rotation, Seat, Setup, Spot, StartTile};

    #[test]
    fn figures_in_a_trap_are_listed_with_their_owner() {
        let mut setup = Setup::new(Edition::C1, 2).with("russian-promos");
        setup.start = Some(vec![StartTile {
            id: "RU/V".to_string(),
            pos: Pos::new(0, 0),
            rotation: Rotation::default(),
        }]);
        let rules = Rules::new(&setup).unwrap();
        let mut position = trencavel_rules::Position::new(&rules);
        let lake = position.state().board().tile_at(Pos::new(0, 0)).unwrap();
        for kind in [Kind::Normal, Kind::Normal] {
            let spot = Spot::trap(lake);
            let seat = Seat(1);
            position.put(Piece { spot, seat, kind }).unwrap();
        }
        let state = position.begin(Seat(0), &mut ()).unwrap();
        let listed = players(&rules, &state, &["Ann".to_string(), "Bob".to_string()]);
        let lines: Vec<&str> = listed.lines().collect();
        assert!(!lines[0].contains("caught"), "{listed}");
        assert!(
            lines[1].contains("follower caught in trap@0,0, follower caught in trap@0,0"),
            "{listed}"
        );
    }
}
