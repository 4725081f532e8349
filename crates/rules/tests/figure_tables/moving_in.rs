//! Table C, SM-89: ways of moving in.

use trencavel_rules::{Choice, FeatureKind, Kind, Rules, Step, Target, Verb, Waiting};

use crate::book::{each, kinds, table, yes_or_no};
use crate::game::{Game, rules};
use crate::{home, standing};

/// The features of table A that a kind may claim alone.
pub(crate) fn claims(kind: Kind) -> Vec<FeatureKind> {
    let columns = [
        ("road", FeatureKind::Road),
        ("city", FeatureKind::City),
        ("field", FeatureKind::Field),
        (
            "monastic building, also lying as prior",
            FeatureKind::Monastery,
        ),
        ("garden", FeatureKind::Garden),
        ("hut", FeatureKind::Hut),
    ];
    let table = table("SM-87");
    let (_, cells) = table
        .iter()
        .find(|(row, _)| kinds(row).contains(&kind))
        .unwrap();
    let mut claims: Vec<FeatureKind> = columns
        .iter()
        .filter(|(name, _)| cells[*name] == "y")
        .map(|(_, on)| *on)
        .collect();
    claims.sort();
    claims
}

/// The features that a cell names, of those that the kind may claim at all.
fn named(kind: Kind, cell: &str) -> Vec<FeatureKind> {
    let mut all = claims(kind);
    match cell {
        "y" | "y, unless the first figure used it" => {}
        "n" => all.clear(),
        "not fields" => all.retain(|on| *on != FeatureKind::Field),
        "city" => all.retain(|on| *on == FeatureKind::City),
        "monastery" => all.retain(|on| *on == FeatureKind::Monastery),
        "monastic building, garden" => {
            all.retain(|on| matches!(on, FeatureKind::Monastery | FeatureKind::Garden));
        }
        "city, road, monastery" => all.retain(|on| {
            matches!(
                on,
                FeatureKind::City | FeatureKind::Road | FeatureKind::Monastery
            )
        }),
        _ => panic!("the cell \"{cell}\""),
    }
    all
}

fn through_a_portal(rules: &Rules, kind: Kind, cell: &str) {
    let mut game = Game::new(rules, &[("every", -1, 0, &[])]);
    game.lay("portal", 1, 0);
    assert_eq!(
        game.offered(Verb::Portal, kind),
        named(kind, cell),
        "{kind} through a portal"
    );
    if cell == "y, unless the first figure used it" {
        game.take(|choice| choice.verb == Verb::Portal && choice.kind == Some(Kind::Normal));
        assert!(
            !game.offers_kind(Verb::Portal, kind),
            "the portal serves one figure"
        );
    }
}

fn beside_the_phantom(rules: &Rules, kind: Kind, cell: &str) {
    let mut game = match kind {
        Kind::Builder => {
            let first: &[(Kind, FeatureKind)] = &[(Kind::Normal, FeatureKind::Road)];
            let mut game = Game::new(rules, &[("every", -1, 0, first)]);
            game.lay("road", -1, 1);
            game
        }
        Kind::Pig => {
            let first: &[(Kind, FeatureKind)] = &[(Kind::Normal, FeatureKind::Field)];
            let mut game = Game::new(rules, &[("field", 1, 0, first)]);
            game.lay("every", -1, 0);
            game
        }
        Kind::Barn => {
            let mut game = Game::new(rules, &[("field", 1, 0, &[]), ("field", 0, 1, &[])]);
            game.lay("cloister", 1, 1);
            game
        }
        _ => {
            let mut game = Game::new(rules, &[]);
            game.lay("every", -1, 0);
            game
        }
    };
    match (kind, cell) {
        (Kind::Phantom, "second figure") => {
            game.deploy(Kind::Normal, FeatureKind::Road);
            assert_eq!(game.rules.step(&game.state), Some(Step::Second));
            assert!(game.offers_kind(Verb::Deploy, Kind::Phantom));
            game.take(|choice| choice.kind == Some(Kind::Phantom));
            assert!(
                !game.offers_kind(Verb::Deploy, Kind::Normal),
                "nothing comes after the phantom"
            );
        }
        (Kind::Barn, "first figure") => game.take(|choice| choice.verb == Verb::Barn),
        (_, "first figure") => {
            let on = if kind == Kind::Pig {
                FeatureKind::Field
            } else {
                home(kind)
            };
            let wanted = |choice: &Choice| {
                let Target::Segment(seg) = choice.target else {
                    return false;
                };
                choice.kind == Some(kind) && choice.verb == Verb::Deploy && game.kind_on(seg) == on
            };
            let choice = game.legal().into_iter().find(wanted).unwrap();
            game.choose(choice);
        }
        _ => panic!("the cell \"{cell}\""),
    }
    if cell == "first figure" {
        assert_eq!(
            game.rules.step(&game.state),
            Some(Step::Second),
            "after the {kind}"
        );
        let figures = game.legal().into_iter().filter_map(|choice| choice.kind);
        let figures: Vec<Kind> = figures.collect();
        assert!(!figures.is_empty() && figures.iter().all(|other| *other == Kind::Phantom));
    }
}

fn diagonally(rules: &Rules, kind: Kind, cell: &str) {
    if cell.starts_with("see HP-") {
        return;
    }
    let signs = [
        ("quadrant-city", FeatureKind::City),
        ("quadrant-road", FeatureKind::Road),
        ("quadrant-field", FeatureKind::Field),
        ("quadrant-monastery", FeatureKind::Monastery),
    ];
    let wanted = named(kind, cell);
    for (id, sign) in signs {
        let mut game = Game::new(rules, &[("every", -1, 0, &[])]);
        game.lay(id, 0, 1);
        let offered = game.offered(Verb::Diagonal, kind);
        assert_eq!(
            offered.contains(&sign),
            wanted.contains(&sign),
            "{kind} to a {sign} diagonally"
        );
        assert!(offered.iter().all(|on| *on == sign));
    }
}

/// Whether a kind moves on after a feature with it was completed; free features lie all round.
fn moves_on(rules: &Rules, kind: Kind) -> bool {
    let mut game = Game::new(rules, &[("every", -1, 0, &[])]);
    match kind {
        Kind::Mayor => {
            game.lay("city-end", -1, -1);
            game.deploy(kind, FeatureKind::City);
        }
        Kind::Abbot => {
            let ring = [(1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
            let laid = ring.map(|(x, y)| ("field", x, y, &[][..]));
            game = Game::new(rules, &laid);
            game.lay("cloister", 1, 1);
            game.deploy(kind, FeatureKind::Monastery);
        }
        Kind::Builder => {
            let first: &[(Kind, FeatureKind)] = &[(Kind::Normal, FeatureKind::Road)];
            let second: &[(Kind, FeatureKind)] = &[(kind, FeatureKind::Road)];
            game = Game::new(rules, &[("every", -1, 0, first), ("road", -1, 1, second)]);
            game.lay("road-end", -1, 2);
        }
        Kind::Pig | Kind::Barn => {
            let (standing, _) = standing(rules, kind);
            game = standing;
            game.lay("every", -1, 0);
            game.lay("road-end", -1, 1);
        }
        _ => {
            game.lay("road-end", -1, 1);
            game.deploy(kind, FeatureKind::Road);
        }
    }
    while let Waiting::Seats(_) = game.state.waiting() {
        if game.legal().iter().any(|choice| choice.verb == Verb::Wagon) {
            return true;
        }
        game.choose(Choice::PASS);
    }
    false
}

/// Covers SM-89.
#[test]
fn ways_of_moving_in() {
    let rules = rules(&[]);
    let known = [
        "magic portal",
        "second placement with the phantom",
        "hungarian-promo diagonal",
        "wagon-like move",
    ];
    let unbuilt = [
        "flying machine (never fields; normal also acrobat space, FM-33)",
        "crop circle: add",
        "Synod gift",
    ];
    each(
        "SM-89",
        &known,
        &unbuilt,
        |kind, column, cell| match column {
            "magic portal" => through_a_portal(&rules, kind, cell),
            "second placement with the phantom" => beside_the_phantom(&rules, kind, cell),
            "hungarian-promo diagonal" => diagonally(&rules, kind, cell),
            _ => assert_eq!(moves_on(&rules, kind), yes_or_no(cell), "{kind} moving on"),
        },
    );
}
