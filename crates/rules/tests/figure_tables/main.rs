//! The tables of figures SM-87 to SM-91: every cell of the rule book whose kind and column exist is checked against what
//! the engine does in a game, not against its own table.

mod book;
mod game;
mod moving_in;

use trencavel_rules::{
    Choice, Event, FeatureKind, Kind, Piece, Place, Pos, Position, Rotation, Rules, Seat, Spot,
    Target, Verb, Why,
};

use book::{each, kinds, table, yes_or_no};
use game::{Game, rules, segment_at};
use moving_in::claims;

/// A kind and the feature on which it is put in the tests of what happens to it; a companion has a follower on another tile.
fn home(kind: Kind) -> FeatureKind {
    match kind {
        Kind::Normal | Kind::Large | Kind::Phantom | Kind::Wagon | Kind::Builder => {
            FeatureKind::Road
        }
        Kind::Mayor => FeatureKind::City,
        Kind::Abbot => FeatureKind::Monastery,
        Kind::Pig | Kind::Barn => FeatureKind::Field,
    }
}

/// A game in which a figure stands at its home, and the square of its tile. Beside it to the west nothing lies, and
/// nothing south of a road or north of a city.
fn standing<'r>(rules: &'r Rules, kind: Kind) -> (Game<'r>, Pos) {
    let own: &[(Kind, FeatureKind)] = &[(kind, home(kind))];
    let follower = |on| [(Kind::Normal, on)];
    match kind {
        Kind::Builder => {
            let first = follower(FeatureKind::Road);
            let laid = [("every", -1, 0, &first[..]), ("road", -1, 1, own)];
            (Game::new(rules, &laid), Pos::new(-1, 1))
        }
        Kind::Pig => {
            let first = follower(FeatureKind::Field);
            let laid = [("field", 1, 0, &first[..]), ("field", 0, 1, own)];
            (Game::new(rules, &laid), Pos::new(0, 1))
        }
        Kind::Barn => {
            let mut game = Game::new(rules, &[("field", 1, 0, &[]), ("field", 0, 1, &[])]);
            game.lay("field", 1, 1);
            game.take(|choice| choice.verb == Verb::Barn);
            game.pass_to_the_draw();
            (game, Pos::new(0, 1))
        }
        _ => match home(kind) {
            FeatureKind::Road => {
                let laid = [("every", -1, 0, &[][..]), ("road", -1, 1, own)];
                (Game::new(rules, &laid), Pos::new(-1, 1))
            }
            FeatureKind::City => {
                let laid = [("every", -1, 0, &[][..]), ("city", -1, -1, own)];
                (Game::new(rules, &laid), Pos::new(-1, -1))
            }
            _ => (Game::new(rules, &[("cloister", 0, 1, own)]), Pos::new(0, 1)),
        },
    }
}

// ---- table A --------------------------------------------------------------------------------------------------------

/// Where a kind may be placed: alone, or only together with an own follower.
fn claim(rules: &Rules, kind: Kind, on: FeatureKind) -> &'static str {
    let mut game = Game::new(rules, &[]);
    game.lay("every", -1, 0);
    let alone = game.offered(Verb::Deploy, kind).contains(&on);
    let follower = if on == FeatureKind::Garden {
        Kind::Abbot
    } else {
        Kind::Normal
    };
    let first: &[(Kind, FeatureKind)] = &[(follower, on)];
    let mut game = Game::new(rules, &[("every", -1, 0, first)]);
    match on {
        FeatureKind::Road => game.lay("road", -1, 1),
        FeatureKind::City => game.lay("city", -1, -1),
        // One-tile features are not extended; the field of this tile is the one with the farmer.
        _ => game.lay("field", 0, 1),
    }
    let joined = game.offered(Verb::Deploy, kind).contains(&on);
    match (alone, joined) {
        (true, false) => "y",
        (false, true) => "join",
        (false, false) => "n",
        (true, true) => "y, also when occupied",
    }
}

/// The barn: a corner of four field tiles, if there is no barn in the field.
fn barn_places(rules: &Rules) {
    let corner = |game: &Game| game.legal().iter().any(|choice| choice.verb == Verb::Barn);
    let mut game = Game::new(rules, &[("field", 1, 0, &[])]);
    game.lay("field", 0, 1);
    assert!(!corner(&game), "three tiles are no corner");
    game.lay("field", 1, 1);
    assert!(corner(&game), "four field tiles");
    game.take(|choice| choice.verb == Verb::Barn);
    game.lay("field", 2, 0);
    game.lay("field", 2, 1);
    assert!(!corner(&game), "there is a barn in the field");
    let mut game = Game::new(rules, &[("every", -1, 0, &[]), ("road", -1, 1, &[])]);
    game.lay("field", 0, 1);
    assert!(corner(&game), "fields of four tiles meet");
}

/// The strength of a kind: what its owner's strength on the feature grows by.
fn strength(kind: Kind) -> String {
    let rules = rules(&[]);
    let on = |id: &str, y, at| {
        let second: &[(Kind, FeatureKind)] = if kind == Kind::Barn {
            &[]
        } else {
            &[(kind, at)]
        };
        let first: &[(Kind, FeatureKind)] = &[(Kind::Normal, at)];
        let game = Game::new(&rules, &[("every", -1, 0, first), (id, -1, y, second)]);
        let seg = segment_at(&rules, &game.state, Pos::new(-1, y), at);
        rules.strengths(&game.state, game.state.board().feature_of(seg))[0]
    };
    match kind {
        Kind::Normal => (on("road", 1, FeatureKind::Road) - 1).to_string(),
        Kind::Mayor => {
            let by_pennants = ["city", "city+", "city++"].map(|id| on(id, -1, FeatureKind::City));
            assert_eq!(by_pennants, [1, 2, 3]);
            "pennants".to_string()
        }
        Kind::Abbot => {
            let game = Game::new(
                &rules,
                &[("cloister", 0, 1, &[(kind, FeatureKind::Monastery)])],
            );
            let seg = segment_at(&rules, &game.state, Pos::new(0, 1), FeatureKind::Monastery);
            rules.strengths(&game.state, game.state.board().feature_of(seg))[0].to_string()
        }
        Kind::Barn => {
            let (game, pos) = standing(&rules, kind);
            let seg = segment_at(&rules, &game.state, pos, FeatureKind::Field);
            assert_eq!(
                rules.strengths(&game.state, game.state.board().feature_of(seg))[0],
                0
            );
            "–".to_string()
        }
        Kind::Builder | Kind::Pig => {
            let (game, pos) = standing(&rules, kind);
            let seg = segment_at(&rules, &game.state, pos, home(kind));
            assert_eq!(
                rules.strengths(&game.state, game.state.board().feature_of(seg))[0],
                1
            );
            "–".to_string()
        }
        Kind::Large | Kind::Phantom | Kind::Wagon => {
            (on("road", 1, FeatureKind::Road) - 1).to_string()
        }
    }
}

/// Covers SM-87, SM-02, SM-03.
#[test]
fn claims_and_strength() {
    let rules = rules(&[]);
    let columns = [
        ("road", FeatureKind::Road),
        ("city", FeatureKind::City),
        (
            "monastic building, also lying as prior",
            FeatureKind::Monastery,
        ),
        ("garden", FeatureKind::Garden),
        ("hut", FeatureKind::Hut),
        ("field", FeatureKind::Field),
    ];
    let mut known: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    known.push("strength");
    each("SM-87", &known, &[], |kind, column, cell| {
        let on = columns
            .iter()
            .find(|(name, _)| *name == column)
            .map(|(_, on)| *on);
        match (on, cell) {
            (None, cell) => assert_eq!(strength(kind), cell, "strength of the {kind}"),
            (Some(_), "corner of four field tiles, no barn there") => barn_places(&rules),
            (Some(on), cell) => assert_eq!(claim(&rules, kind, on), cell, "{kind} on a {on}"),
        }
    });
}

// ---- table B --------------------------------------------------------------------------------------------------------

/// Covers SM-88.
#[test]
fn other_places() {
    let rules = rules(&[]);
    let unbuilt = [
        "lord of a castle",
        "guard",
        "crown space",
        "quarter of Carcassonne",
        "quarter of Leipzig",
        "acrobat",
        "bathhouse",
    ];
    let (known, unbuilt) = (["tower top"], unbuilt);
    let mut rows = 0;
    for (row, cells) in table("SM-88") {
        let names: Vec<&str> = cells.keys().map(String::as_str).collect();
        assert!(
            names
                .iter()
                .all(|name| known.contains(name) != unbuilt.contains(name)),
            "{names:?}"
        );
        for kind in kinds(&row) {
            rows += 1;
            let mut game = Game::new(&rules, &[("tower", 0, 1, &[])]);
            game.lay("field", 1, 0);
            game.take(|choice| choice.verb == Verb::TowerPiece);
            game.lay("field", -1, 0);
            let cell = &cells["tower top"];
            assert_eq!(
                game.offers_kind(Verb::TowerTop, kind),
                yes_or_no(cell),
                "{kind} on a tower"
            );
        }
    }
    assert_eq!(rows, 9);
}

// ---- table D --------------------------------------------------------------------------------------------------------

fn captured(rules: &Rules, kind: Kind) -> bool {
    let (mut game, pos) = standing(rules, kind);
    game.lay("tower", pos.x - 1, pos.y);
    game.take(|choice| choice.verb == Verb::TowerPiece);
    game.is_target(Verb::Capture, kind)
}

fn eaten(rules: &Rules, kind: Kind) -> bool {
    let (mut game, pos) = standing(rules, kind);
    game.lay("volcano", pos.x - 1, pos.y);
    game.lay("dragon", 0, -1);
    while game.legal().contains(&Choice::PASS) {
        game.choose(Choice::PASS);
    }
    let slot = game.state.board().tile_at(pos).unwrap();
    game.choose(Choice::new(Verb::Dragon, Target::Tile(slot)));
    game.events.iter().any(|event| {
        matches!(event, Event::WentHome { piece, why: Why::Eaten, .. } if piece.kind == kind)
    })
}

fn seduced(rules: &Rules, kind: Kind) -> bool {
    let knight: &[(Kind, FeatureKind)] = match kind {
        Kind::Normal => &[],
        _ => &[(Kind::Normal, FeatureKind::City)],
    };
    let own: &[(Kind, FeatureKind)] = match kind {
        Kind::Abbot => &[(kind, FeatureKind::Monastery)],
        Kind::Pig | Kind::Barn => &[],
        _ => &[(kind, FeatureKind::City)],
    };
    let every = if kind == Kind::Abbot { own } else { &[] };
    let pig: &[(Kind, FeatureKind)] = &[(Kind::Pig, FeatureKind::Field)];
    let mut laid = vec![("every", -1, 0, every), ("city", -1, -1, knight)];
    match kind {
        Kind::Abbot => {}
        Kind::Pig => {
            let farmer: &[(Kind, FeatureKind)] = &[(Kind::Normal, FeatureKind::Field)];
            laid.extend([("field", 1, 0, farmer), ("field", 1, 1, pig)]);
        }
        Kind::Barn => laid.extend([("field", 1, 0, &[][..]), ("field", 1, 1, &[])]),
        _ => laid.push(("city", -1, -2, own)),
    }
    let mut game = Game::new(rules, &laid);
    if kind == Kind::Barn {
        game.lay("field", 0, 1);
        game.take(|choice| choice.verb == Verb::Barn);
    }
    let top = if matches!(kind, Kind::Abbot | Kind::Pig | Kind::Barn) {
        -2
    } else {
        -3
    };
    game.lay("princess", -1, top);
    assert!(
        game.legal()
            .iter()
            .any(|choice| choice.verb == Verb::Seduce)
    );
    game.is_target(Verb::Seduce, kind)
}

fn comes_back_by_a_festival(rules: &Rules, kind: Kind) -> bool {
    let (mut game, _) = standing(rules, kind);
    game.lay("festival", 0, -1);
    game.is_target(Verb::Festival, kind)
}

fn trapped(mut game: Game, kind: Kind, trap: &str, pos: Pos) -> bool {
    game.lay(trap, pos.x, pos.y);
    game.piece(kind)
        .is_some_and(|piece| piece.spot.place == Place::Trap)
}

fn lake_catches(rules: &Rules, kind: Kind) -> bool {
    let (game, pos) = standing(rules, kind);
    trapped(game, kind, "lake", pos.offset(-1, 0))
}

fn tree_catches(rules: &Rules, kind: Kind) -> bool {
    let (game, pos) = standing(rules, kind);
    match home(kind) {
        FeatureKind::Road => trapped(game, kind, "tree", pos.offset(0, 1)),
        FeatureKind::City => trapped(game, kind, "tree", Pos::new(-1, 1)),
        _ => {
            let mut game = game;
            game.lay("every", -1, 0);
            trapped(game, kind, "tree", Pos::new(-1, 1))
        }
    }
}

/// Covers SM-90.
#[test]
fn ways_of_leaving() {
    let known = [
        "captured by tower",
        "eaten by dragon",
        "removed by princess",
        "festival, `meeple` / `follower`",
        "Vodyanoy",
        "Solovei",
    ];
    let unbuilt = [
        "crop circle: remove",
        "taken out by peasant revolt",
        "escape from siege",
    ];
    let plain = rules(&[]);
    let followers = rules(&[("festival-return", "follower")]);
    each("SM-90", &known, &unbuilt, |kind, column, cell| {
        let happens = match column {
            "captured by tower" => captured(&plain, kind),
            "eaten by dragon" => eaten(&plain, kind),
            "removed by princess" => seduced(&plain, kind),
            "Vodyanoy" => lake_catches(&plain, kind),
            "Solovei" => tree_catches(&plain, kind),
            _ => {
                let (first, second) = cell.split_once(" / ").unwrap();
                let by = |rules| comes_back_by_a_festival(rules, kind);
                assert_eq!(by(&plain), yes_or_no(first), "{kind}, festival: meeple");
                assert_eq!(
                    by(&followers),
                    yes_or_no(second),
                    "{kind}, festival: follower"
                );
                return;
            }
        };
        let cell = if cell == "y, on a road" { "y" } else { cell };
        assert_eq!(happens, yes_or_no(cell), "{kind}, {column}");
    });
}

// ---- table E --------------------------------------------------------------------------------------------------------

/// Whether the fairy may come to a figure.
fn has_fairy(rules: &Rules, kind: Kind) -> bool {
    let (mut game, _) = standing(rules, kind);
    game.lay("field", 0, -1);
    game.is_target(Verb::Fairy, kind)
}

/// Whether a follower makes a builder (or, on a field, a pig) possible on its feature.
fn makes_companion(rules: &Rules, kind: Kind, on: FeatureKind) -> bool {
    let own: &[(Kind, FeatureKind)] = &[(kind, on)];
    let mut game = Game::new(rules, &[("every", -1, 0, own)]);
    let companion = match on {
        FeatureKind::Road => {
            game.lay("road", -1, 1);
            Kind::Builder
        }
        FeatureKind::City => {
            game.lay("city", -1, -1);
            Kind::Builder
        }
        _ => {
            game.lay("field", 0, 1);
            Kind::Pig
        }
    };
    game.offered(Verb::Deploy, companion).contains(&on)
}

/// A game with a follower of this kind in a trap or on a tower, about to place a figure on a field beside its tile.
fn off_its_feature(rules: &Rules, kind: Kind, place: Place) -> Game<'_> {
    let mut game = match place {
        Place::TowerTop => {
            let mut game = Game::new(rules, &[]);
            game.lay("tower", 0, 1);
            game.take(|choice| choice.verb == Verb::TowerPiece);
            game.lay("field", 1, 0);
            game.take(|choice| choice.verb == Verb::TowerTop && choice.kind == Some(kind));
            game
        }
        _ => {
            let mut position = Position::new(rules);
            let lake = rules.kind_of("lake").unwrap();
            let slot = position
                .lay(lake, Pos::new(0, 1), Rotation::default())
                .unwrap();
            let spot = Spot::trap(slot);
            position
                .put(Piece {
                    spot,
                    seat: Seat(0),
                    kind,
                })
                .unwrap();
            Game::of(rules, position)
        }
    };
    game.lay("field", 0, 2);
    game
}

/// Covers SM-91.
#[test]
fn being_counted() {
    let rules = rules(&[]);
    let unbuilt = [
        "big top, Darmstadt, watchtower heads",
        "labyrinth 2 points",
        "hill tie-break",
        "wheel: knight, monk, farmer",
    ];
    let [fairy, companion] = ["fairy may stand with it", "makes a builder or pig possible"];
    let followers: Vec<Kind> = Kind::ALL
        .iter()
        .copied()
        .filter(|kind| !matches!(kind, Kind::Builder | Kind::Pig | Kind::Barn))
        .collect();
    let mut rows = 0;
    for (row, cells) in table("SM-91") {
        let columns: Vec<&str> = cells.keys().map(String::as_str).collect();
        let known = |name: &&str| *name == fairy || *name == companion || unbuilt.contains(name);
        assert!(columns.iter().all(known), "{columns:?}");
        let cell = |column: &str| cells[column].as_str();
        rows += 1;
        match row.as_str() {
            "any follower on a feature" => {
                assert_eq!(cell(companion), "y, same feature (acrobat: n)");
                for kind in &followers {
                    assert_eq!(has_fairy(&rules, *kind), yes_or_no(cell(fairy)), "{kind}");
                    for on in claims(*kind) {
                        let on_it = matches!(
                            on,
                            FeatureKind::Road | FeatureKind::City | FeatureKind::Field
                        );
                        assert!(
                            !on_it || makes_companion(&rules, *kind, on),
                            "{kind} on a {on}"
                        );
                    }
                }
            }
            "on the tree or in the lake (followers)" => {
                assert_eq!(cell(fairy), "y (no 3 points)");
                for kind in &followers {
                    let game = off_its_feature(&rules, *kind, Place::Trap);
                    assert!(game.is_target(Verb::Fairy, *kind), "{kind} in the lake");
                    let pig = game.offers_kind(Verb::Deploy, Kind::Pig);
                    assert_eq!(pig, yes_or_no(cell(companion)), "{kind} in the lake");
                }
            }
            "guard, tower top" => {
                assert_eq!(cell(fairy), "y (no 3 points)");
                for kind in [Kind::Normal, Kind::Large, Kind::Phantom] {
                    let game = off_its_feature(&rules, kind, Place::TowerTop);
                    assert!(game.is_target(Verb::Fairy, kind), "{kind} on a tower");
                    let pig = game.offers_kind(Verb::Deploy, Kind::Pig);
                    assert_eq!(pig, yes_or_no(cell(companion)), "{kind} on a tower");
                }
            }
            "builder, pig, barn, shepherd" => {
                for kind in [Kind::Builder, Kind::Pig, Kind::Barn] {
                    assert_eq!(has_fairy(&rules, kind), yes_or_no(cell(fairy)), "{kind}");
                }
                // Where only a barn is, a pig cannot come; builders and pigs themselves have a follower with them.
                let (mut game, _) = standing(&rules, Kind::Barn);
                game.lay("field", 2, 0);
                assert_eq!(
                    game.offers_kind(Verb::Deploy, Kind::Pig),
                    yes_or_no(cell(companion))
                );
            }
            "acrobat" | "lord" => {}
            _ => panic!("the row \"{row}\""),
        }
    }
    assert_eq!(rows, 6);
}
