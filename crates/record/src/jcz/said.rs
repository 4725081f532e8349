//! Messages as texts like those of recorded games, and what choice of ours such a text would be.

use super::file::{Action, Goal};
use super::words::rotation_word;
use crate::clip;
use trencavel_rules::{Choice, Kind, Rules, State, Target, Verb};

/// A message as a text like those of options.
pub fn action_text(action: &Action) -> String {
    match action {
        Action::PlaceTile {
            tile,
            pos,
            rotation,
        } => format!("TILE {} {pos} {}", clip(tile), rotation_word(*rotation)),
        Action::Deploy { meeple, at } => format!("DEPLOY {} {at}", meeple.short()),
        Action::Return { source, meeple, at } => {
            format!("RETURN {} {} {at}", clip(source), meeple.short())
        }
        Action::MoveNeutral { figure, to } => format!("MOVE {} {}", clip(figure), goal_text(to)),
        Action::PlaceToken { token, at } => format!("TOKEN {} {}", clip(token), goal_text(at)),
        Action::Capture { meeple, at } => format!("CAPTURE {} {at}", meeple.short()),
        Action::Exchange(meeple) => format!("EXCHANGE {}", meeple.short()),
        Action::Ransom(meeple) => format!("RANSOM {}", meeple.short()),
        Action::Pass => "PASS".to_owned(),
        Action::Commit => "COMMIT".to_owned(),
        Action::Undo => "UNDO".to_owned(),
        Action::Elsewhere(name, _) => name.clone(),
        Action::Unknown(name) => clip(name),
    }
}

fn goal_text(goal: &Goal) -> String {
    match goal {
        Goal::Square(pos) => pos.to_string(),
        Goal::Part(at) => at.to_string(),
        Goal::Figure(at, meeple) => format!("{} {at}", meeple.short()),
    }
}

/// The choice of ours that a text would be if it were legal, for asking why it is not. `None` when it cannot be told.
pub fn understand(rules: &Rules, state: &State, said: &str) -> Option<Choice> {
    use super::file::{Meeple, Pointer};
    use super::words::{kind_of_word, piece_text, segment_at};
    let words: Vec<&str> = said.split(' ').collect();
    let square = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some(trencavel_rules::Pos::new(x.parse().ok()?, y.parse().ok()?))
    };
    let pointer = |words: &[&str]| match words {
        [pos, feature, location, ..] => Some(Pointer {
            pos: square(pos)?,
            feature: (*feature).to_owned(),
            location: (*location).to_owned(),
        }),
        _ => None,
    };
    let piece = |text: &str| {
        let mut pieces = state.pieces().iter();
        pieces
            .find(|piece| piece_text(rules, state, *piece) == text)
            .map(Target::Piece)
    };
    let tile = |text: &str| state.board().tile_at(square(text)?).map(Target::Tile);
    match words.as_slice() {
        ["PASS"] => Some(Choice::PASS),
        ["TILE", id, pos, rotation, ..] => {
            let degrees: u16 = rotation.strip_prefix('R')?.parse().ok()?;
            let rotation = trencavel_rules::Rotation::from_quarters((degrees / 90) as u8);
            let verb = if *id == "AM/A" {
                Verb::Abbey
            } else {
                Verb::Lay
            };
            Some(Choice::new(verb, Target::Square(square(pos)?, rotation)))
        }
        ["DEPLOY", figure, rest @ ..] => {
            let kind = kind_of_word(&Meeple::read(&format!("{figure}.1"))?.kind)?;
            let at = pointer(rest)?;
            if at.feature == "Tower" {
                let slot = state.board().tile_at(at.pos)?;
                return Some(Choice {
                    verb: Verb::TowerTop,
                    kind: Some(kind),
                    target: Target::Tile(slot),
                });
            }
            let seg = segment_at(rules, state, &at)?;
            let verb = if rules.step(state).is_none() && kind == Kind::Wagon {
                return Some(Choice::new(Verb::Wagon, Target::Segment(seg)));
            } else if state.laid_pos() == Some(at.pos) {
                Verb::Deploy
            } else if rules.has(trencavel_rules::Ext::PrincessAndDragon) {
                Verb::Portal
            } else {
                Verb::Diagonal
            };
            Some(Choice::put(verb, kind, seg))
        }
        ["TOKEN", "TOWER_PIECE", pos, ..] => Some(Choice::new(Verb::TowerPiece, tile(pos)?)),
        ["RETURN", source, rest @ ..] => {
            let verb = match *source {
                "ABBOT_RETURN" => Verb::Recall,
                "FESTIVAL" => Verb::Festival,
                "TRAP" => Verb::Release,
                "PRINCESS" => Verb::Seduce,
                _ => return None,
            };
            Some(Choice::new(verb, piece(&rest.join(" "))?))
        }
        ["CAPTURE", rest @ ..] => Some(Choice::new(Verb::Capture, piece(&rest.join(" "))?)),
        ["RANSOM", figure] => Some(Choice::new(Verb::Ransom, piece(figure)?)),
        ["EXCHANGE", figure] => Some(Choice::new(Verb::Exchange, piece(figure)?)),
        ["MOVE", "dragon.1", pos] => Some(Choice::new(Verb::Dragon, tile(pos)?)),
        ["MOVE", "fairy.1", pos] => Some(Choice::new(Verb::Fairy, tile(pos)?)),
        ["MOVE", "fairy.1", rest @ ..] => Some(Choice::new(Verb::Fairy, piece(&rest.join(" "))?)),
        _ => None,
    }
}
