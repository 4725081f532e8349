//! The notation: one text for each move, read back to the same move; other spellings; errors with their place.

use trencavel_record::notation::{
    NotationError, chance_text, choice_text, input_text, parse_chance, parse_choice, parse_input,
    parse_piece, parse_spot, piece_text, spot_text,
};
use trencavel_rules::{
    Chance, Choice, Edition, Input, Kind, Piece, Place, Pos, Rotation, Rules, Seat, SegId, Setup,
    Spot, State, Target, TileKind, TileSlot, Verb,
};

fn game(texts: &[&str]) -> (Rules, State) {
    let rules = Rules::new(&Setup::new(Edition::C1, 3)).unwrap();
    let mut state = rules.start();
    for text in texts {
        let input = parse_input(&rules, &state, text).unwrap();
        rules.apply(&mut state, input, &mut ()).unwrap();
    }
    (rules, state)
}

/// Every closed shape of a target and a spot, also those that no linked expansion uses.
#[test]
fn every_shape_is_read_back() {
    let (rules, state) = game(&["draw BA/RFr", "1: lay 1,0 r0"]);
    let mut spots = Vec::new();
    for place in Place::ALL {
        spots.push(Spot {
            place: *place,
            at: 1,
        });
    }
    let mut targets = vec![
        Target::None,
        Target::Square(Pos::new(-100, 100), Rotation::from_quarters(3)),
        Target::Segment(SegId(0)),
        Target::Segment(state.board().segments_of(TileSlot(1)).last().unwrap()),
        Target::Tile(TileSlot(1)),
        Target::Corner(Pos::new(1, -1)),
        Target::Seat(Seat(2)),
        Target::Number(255),
    ];
    for spot in spots {
        assert_eq!(
            parse_spot(&rules, &state, &spot_text(&rules, &state, spot)),
            Ok(spot)
        );
        for kind in Kind::ALL {
            let seat = Seat(1);
            let piece = Piece {
                spot,
                seat,
                kind: *kind,
            };
            assert_eq!(
                parse_piece(&rules, &state, &piece_text(&rules, &state, piece)),
                Ok(piece)
            );
            targets.push(Target::Piece(Piece {
                spot,
                seat,
                kind: *kind,
            }));
        }
    }
    for verb in Verb::ALL {
        for kind in [None, Some(Kind::Large), Some(Kind::Barn)] {
            for target in &targets {
                let choice = Choice {
                    verb: *verb,
                    kind,
                    target: *target,
                };
                let text = choice_text(&rules, &state, choice);
                assert_eq!(parse_choice(&rules, &state, &text), Ok(choice), "{text}");
            }
        }
    }
    for chance in [
        Chance::Number(0),
        Chance::Number(255),
        Chance::Hidden,
        Chance::Tile(TileKind(0)),
    ] {
        assert_eq!(
            parse_chance(&rules, &chance_text(&rules, chance)),
            Ok(chance)
        );
    }
    for seat in state.seat_list() {
        let leave = Input::Leave(seat);
        assert_eq!(
            parse_input(&rules, &state, &input_text(&rules, &state, leave)),
            Ok(leave)
        );
    }
}

/// A segment is written by its first place and read by any of them; a side may be typed where a number of one is meant.
#[test]
fn a_move_has_one_text_and_many_spellings() {
    let (rules, state) = game(&["draw U", "1: lay 1,0 r0"]);
    for text in [
        "deploy follower road.W",
        "deploy follower road.E@1,0",
        " deploy  follower road.W@1,0 ",
    ] {
        let choice = parse_choice(&rules, &state, text).unwrap();
        assert_eq!(
            choice_text(&rules, &state, choice),
            "deploy follower road.E"
        );
    }
    let side = parse_choice(&rules, &state, "dragon W").unwrap();
    assert_eq!(choice_text(&rules, &state, side), "dragon 3");
}

#[test]
fn errors_say_what_and_where() {
    let (rules, state) = game(&["draw BA/RFr", "1: lay 1,0 r0"]);
    let says = |error: Result<Choice, NotationError>| error.unwrap_err().to_string();
    let choices = [
        (
            "deploy follower road.N",
            "word 3: the tile at 1,0 has no \"road.N\": it has road.E, field.NL, field.ER",
        ),
        (
            "deploy follower road.W@5,5",
            "word 3: there is no tile at 5,5",
        ),
        ("place 1,0 r0", "word 1: there is no move \"place\""),
        (
            "lay 1,0 r45",
            "word 3: \"r45\" is no rotation: it is one of r0 r90 r180 r270",
        ),
        (
            "lay 1,101 r0",
            "word 2: \"1,101\" is no square: it should be like 1,-2",
        ),
        ("pass 1 2", "word 3: \"2\" is too much"),
        (
            "fairy follower/4 road.W@1,0",
            "word 2: there is no seat \"4\": seats are 1 to 3",
        ),
        (
            "fairy follower/1",
            "word 3: where the figure stands is missing",
        ),
        ("", "word 1: what is done is missing"),
    ];
    for (text, error) in choices {
        assert_eq!(says(parse_choice(&rules, &state, text)), error);
    }
    assert!(parse_input(&rules, &state, "4: pass").is_err());
    assert!(parse_input(&rules, &state, "pass").is_err());
    assert!(parse_input(&rules, &state, "draw XX/Y").is_err());
    let (rules, state) = game(&["draw BA/RFr"]);
    assert!(says(parse_choice(&rules, &state, "deploy follower road.W")).contains("on which tile"));
}
