//! Names, choices, places and hints in words. What happened is told in `told.rs`.

use trencavel_art::figures::SeatStyle;
use trencavel_proto::Refusal;
use trencavel_record::notation::choice_text;
use trencavel_rules::{
    Choice, Clause, Edition, FeatureKind, Kind, Marks, Piece, Place, Placed, Pos, Rotation, Seat,
    SegId, SegmentDef, Setup, Side, State, Symbols, Target, TileDef, TileKind, TileSlot, Verb,
    Waiting,
};

use crate::game::Game;
use crate::text::{Language, known, language, say, tr};

/// A seat's name.
pub fn name(game: &Game, seat: Seat) -> String {
    game.record
        .names
        .get(seat.index())
        .cloned()
        .unwrap_or_default()
}

/// A kind of figure.
pub fn figure(kind: Kind) -> String {
    tr(&format!("figure-{}", kind.name()))
}

/// A kind of feature.
pub fn feature(kind: FeatureKind) -> String {
    tr(&format!("feature-{}", kind.name()))
}

/// What a verb does, as a label.
pub fn verb(verb: Verb) -> String {
    tr(&format!("verb-{}", verb.name()))
}

/// An expansion.
pub fn expansion(slug: &str) -> String {
    tr(&format!("name-{slug}"))
}

/// The colour of a seat.
pub fn colour(style: &SeatStyle) -> String {
    tr(&format!("colour-{}", style.name))
}

/// A printed edition.
pub fn edition(edition: Edition) -> String {
    tr(&format!("edition-{}", edition.name()))
}

/// A level of computer players.
pub fn level(name: &str) -> String {
    known(&format!("level-{name}")).unwrap_or_else(|| name.to_string())
}

/// An option.
pub fn option(key: &str) -> String {
    known(&format!("option-{key}")).unwrap_or_else(|| key.to_string())
}

/// A value of an option.
pub fn value(key: &str, value: &str) -> String {
    let of = |key: &str| known(&format!("value-{key}-{value}"));
    of(key)
        .or_else(|| known(&format!("value-{value}")))
        .unwrap_or_else(|| value.replace('+', ", "))
}

/// Why a server refuses: in English in its own words, elsewhere what its code means.
pub fn refusal(refusal: &Refusal) -> String {
    let translated = known(&format!("refused-{}", refusal.code));
    match (language(), translated) {
        (Language::English, _) | (_, None) => refusal.why.clone(),
        (Language::French, Some(text)) => text,
    }
}

/// What is played: edition, expansions, options that differ from the edition's.
pub fn setup(setup: &Setup) -> String {
    let mut parts = vec![edition(setup.edition)];
    if setup.expansions.is_empty() {
        parts.push(expansion("base"));
    }
    parts.extend(setup.expansions.iter().map(|slug| expansion(slug)));
    let options = setup.options.iter();
    parts.extend(options.map(|(key, to)| format!("{}: {}", option(key), value(key, to))));
    parts.join(" · ")
}

pub(crate) fn tile(game: &Game, kind: TileKind) -> String {
    game.rules().tile(kind).id.to_string()
}

fn at(pos: Pos) -> String {
    say("square", &[("place", pos.to_string().into())])
}

pub(crate) fn square_of(state: &State, slot: TileSlot) -> String {
    at(state.board().tile(slot).pos)
}

/// A segment: what it is and where.
pub fn segment(state: &State, seg: SegId) -> String {
    let board = state.board();
    format!("{} {}", feature(board.at(seg).kind), at(board.pos_of(seg)))
}

/// Where a figure is.
fn spot(game: &Game, state: &State, piece: Piece) -> String {
    match piece.spot.place {
        Place::Segment => segment(state, SegId(piece.spot.at)),
        Place::TowerTop | Place::Trap => format!(
            "{} {}",
            tr(&format!("place-{}", piece.spot.place.name())),
            square_of(state, TileSlot(piece.spot.at))
        ),
        Place::Corner => format!(
            "{} {}",
            tr("place-corner"),
            at(Pos::from_bits(piece.spot.at))
        ),
        Place::Prison => say(
            "place-prison",
            &[("name", name(game, Seat(piece.spot.at as u8)).into())],
        ),
    }
}

/// A figure, whose it is and where.
pub fn piece(game: &Game, state: &State, piece: Piece) -> String {
    say(
        "figure-of",
        &[
            ("figure", figure(piece.kind).into()),
            ("name", name(game, piece.seat).into()),
            ("place", spot(game, state, piece).into()),
        ],
    )
}

/// A choice in the shown position.
pub fn choice(game: &Game, choice: Choice) -> String {
    choice_in(game, game.seen(), choice)
}

/// A choice in a position.
pub fn choice_in(game: &Game, state: &State, choice: Choice) -> String {
    let what = match choice.kind {
        Some(kind) => format!("{}: {}", verb(choice.verb), figure(kind)),
        None => verb(choice.verb),
    };
    let place = match choice.target {
        Target::None => return what,
        Target::Square(pos, rotation) => {
            let place = at(pos);
            let degrees = rotation.degrees().to_string();
            say(
                "turned",
                &[("place", place.into()), ("degrees", degrees.into())],
            )
        }
        Target::Segment(seg) => {
            // The notation tells segments of the same kind on a tile apart.
            let text = choice_text(game.rules(), state, choice);
            let last = text.split(' ').next_back().unwrap_or("").to_string();
            format!("{} ({last})", segment(state, seg))
        }
        Target::Tile(slot) => square_of(state, slot),
        Target::Corner(pos) => format!("{} {}", tr("place-corner"), at(pos)),
        Target::Piece(of) => piece(game, state, of),
        Target::Seat(seat) => name(game, seat),
        Target::Number(n) => n.to_string(),
    };
    format!("{what}, {place}")
}

/// What is printed on a tile as it lies: `city north, east (pennant); road south`. Fields are told where there is nothing else.
pub fn printed(def: &TileDef, rotation: Rotation) -> String {
    let in_segment = |segment: &SegmentDef| {
        let sides = Side::ALL
            .iter()
            .filter(|side| segment.sides >> side.index() & 1 == 1)
            .map(|side| (side.index() + usize::from(rotation.quarters())) % 4);
        let mut sides: Vec<usize> = sides.collect();
        sides.sort_unstable();
        let sides = sides.iter().filter_map(|i| SIDES.get(*i));
        let mut what = feature(segment.kind);
        let sides: Vec<String> = sides.map(|id| tr(id)).collect();
        if !sides.is_empty() {
            what = format!("{what} {}", sides.join(", "));
        }
        let mut marks: Vec<String> = Vec::new();
        if segment.pennants > 0 {
            marks.push(say("pennants", &[("n", segment.pennants.into())]));
        }
        let named = Marks::NAMED
            .iter()
            .filter(|(_, bit)| segment.marks.has(*bit));
        marks.extend(named.map(|(name, _)| tr(&format!("printed-{name}"))));
        if marks.is_empty() {
            what
        } else {
            format!("{what} ({})", marks.join(", "))
        }
    };
    let segments = def.segments.iter();
    let mut parts: Vec<String> = segments
        .filter(|segment| segment.kind != FeatureKind::Field || !segment.marks.is_empty())
        .map(in_segment)
        .collect();
    let symbols = Symbols::NAMED.iter();
    let symbols = symbols.filter(|(_, bit)| def.symbols.has(*bit));
    parts.extend(symbols.map(|(name, _)| tr(&format!("printed-{name}"))));
    if parts.is_empty() {
        parts.push(feature(FeatureKind::Field));
    }
    parts.join("; ")
}

const SIDES: [&str; 4] = ["side-north", "side-east", "side-south", "side-west"];

/// Every tile on the board in words, row by row from the north-west: where it is, what is printed, which figures stand there.
pub fn squares(game: &Game) -> Vec<String> {
    let state = game.seen();
    let board = state.board();
    let mut tiles: Vec<(usize, &Placed)> = board.tiles().iter().enumerate().collect();
    tiles.sort_by_key(|(_, placed)| (placed.pos.y, placed.pos.x));
    let lines = tiles.into_iter().map(|(slot, placed)| {
        let def = game.rules().tile(placed.kind);
        let mut line = format!("{}: {}", placed.pos, printed(def, placed.rotation));
        for of in state.pieces().iter() {
            let here = board
                .tile_of_spot(of.spot)
                .is_some_and(|tile| tile.index() == slot);
            if here {
                line.push_str(". ");
                line.push_str(&piece(game, state, of));
            }
        }
        line
    });
    lines.collect()
}

/// Where a figure is, without the square: beside a line that shows the square on the board.
pub(crate) fn spot_kind(game: &Game, state: &State, piece: Piece) -> String {
    match piece.spot.place {
        Place::Segment => feature(state.board().at(SegId(piece.spot.at)).kind),
        Place::TowerTop | Place::Trap => tr(&format!("place-{}", piece.spot.place.name())),
        Place::Corner | Place::Prison => spot(game, state, piece),
    }
}

/// The square of a figure.
pub(crate) fn spot_square(state: &State, piece: Piece) -> Option<Pos> {
    match piece.spot.place {
        Place::Segment => Some(state.board().pos_of(SegId(piece.spot.at))),
        Place::TowerTop | Place::Trap => Some(state.board().tile(TileSlot(piece.spot.at)).pos),
        Place::Corner => Some(Pos::from_bits(piece.spot.at)),
        Place::Prison => None,
    }
}

/// How many tiles lie on the board when players are no longer told how to press.
const FIRST_TILES: usize = 9;

/// How to do what is to be done now: at the beginning of a game, and always where an expansion asks for something rare.
pub fn hint(game: &Game, staged: bool, touch: bool) -> String {
    if !game.asks_person() && !game.is_ready() || game.state().waiting() == Waiting::Over {
        return String::new();
    }
    let early = game.seen().board().tiles().len() < FIRST_TILES;
    let of_early = |id: &str| match (early, touch) {
        (false, _) => String::new(),
        (true, false) => tr(id),
        (true, true) => tr(&format!("{id}-touch")),
    };
    if game.is_ready() {
        return of_early("hint-confirm");
    }
    if staged {
        return of_early("hint-staged");
    }
    let legal = game.legal();
    let rare = |verb: &Verb| known(&format!("hint-{}", verb.name())).is_some();
    match legal.iter().map(|choice| choice.verb).find(rare) {
        Some(verb) => tr(&format!("hint-{}", verb.name())),
        None if legal.iter().any(|choice| choice.verb == Verb::Lay) => of_early("hint-squares"),
        None if legal.iter().any(|choice| choice.verb == Verb::Deploy) => of_early("hint-figures"),
        None => String::new(),
    }
}

/// Why something is not possible: in a sentence where there is one for the clause.
pub fn reason(clauses: &[Clause]) -> String {
    let sentence = |clause: &Clause| {
        let id = format!("reason-{}", clause.id().to_ascii_lowercase());
        known(&id)
    };
    clauses
        .iter()
        .find_map(sentence)
        .unwrap_or_else(|| tr("forbidden-by"))
}

/// So many different things that can be done are named.
const NAMED: usize = 3;

/// What is to be done now.
pub fn what_now(game: &Game) -> String {
    if game.looks_at().is_some() {
        return tr("looking-back");
    }
    if game.state().waiting() == Waiting::Over {
        let winners: Vec<String> = game
            .state()
            .winners()
            .iter()
            .map(|seat| name(game, seat))
            .collect();
        let won = game.state().winners();
        let mut own = game
            .state()
            .seat_list()
            .filter(|seat| game.is_person(*seat));
        if let (Some(seat), None) = (own.next(), own.next())
            && won.iter().eq([seat])
        {
            let points = game.state().seat(seat).score;
            return say("you-win", &[("points", points.into())]);
        }
        return say("wins", &[("names", winners.join(", ").into())]);
    }
    if game.is_closed() {
        return tr("abandoned");
    }
    if game.is_ready() {
        return tr("confirm-now");
    }
    let Some(seat) = game.asked() else {
        return String::new();
    };
    if !game.asks_person() {
        let id = if game.computer().is_some() {
            "thinking"
        } else {
            "turn-of"
        };
        return say(id, &[("name", name(game, seat).into())]);
    }
    let legal = game.legal();
    // A prisoner can be bought back beside nearly everything; it is named where there is nothing else.
    let but = |except: &[Verb]| {
        let mut verbs: Vec<Verb> = Vec::new();
        for verb in legal.iter().map(|choice| choice.verb) {
            if !except.contains(&verb) && !verbs.contains(&verb) {
                verbs.push(verb);
            }
        }
        verbs
    };
    let mut verbs = but(&[Verb::Pass, Verb::Ransom]);
    if verbs.is_empty() {
        verbs = but(&[Verb::Pass]);
    }
    if verbs.is_empty() {
        verbs.push(Verb::Pass);
    }
    let only_pass = verbs == [Verb::Pass];
    let named = verbs.iter().take(NAMED);
    let named: Vec<String> = named
        .map(|verb| tr(&format!("do-{}", verb.name())))
        .collect();
    let what = named.join(", ");
    let what = if game.may_pass() && !only_pass {
        say("or-pass", &[("what", what.into())])
    } else {
        what
    };
    if game.has_one_person() {
        return say("your-turn", &[("what", what.into())]);
    }
    by(game, seat, what)
}

/// What somebody does or did.
pub(crate) fn by(game: &Game, seat: Seat, what: String) -> String {
    say(
        "by",
        &[("name", name(game, seat).into()), ("what", what.into())],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Player;
    use crate::text::set_language;
    use trencavel_rules::{Ext, Neutral, Token, Values, Why, printed_tile};

    #[test]
    fn every_word_of_the_rules_has_a_text() {
        let mut ids: Vec<String> = Vec::new();
        ids.extend(Kind::ALL.iter().map(|w| format!("figure-{}", w.name())));
        ids.extend(
            FeatureKind::ALL
                .iter()
                .map(|w| format!("feature-{}", w.name())),
        );
        ids.extend(Verb::ALL.iter().map(|w| format!("verb-{}", w.name())));
        ids.extend(Verb::ALL.iter().map(|w| format!("do-{}", w.name())));
        ids.extend(Why::ALL.iter().map(|w| format!("why-{}", w.name())));
        ids.extend(Token::ALL.iter().map(|w| format!("token-{}", w.name())));
        ids.extend(Neutral::ALL.iter().map(|w| format!("neutral-{}", w.name())));
        ids.extend((0..8).map(|seat| format!("colour-{}", trencavel_art::seat_style(seat).name)));
        ids.extend(Marks::NAMED.iter().map(|(w, _)| format!("printed-{w}")));
        ids.extend(Symbols::NAMED.iter().map(|(w, _)| format!("printed-{w}")));
        ids.extend(Edition::ALL.iter().map(|e| format!("edition-{}", e.name())));
        for level in trencavel_ai::LEVELS {
            ids.push(format!("level-{}", level.name));
            ids.push(format!("level-about-{}", level.name));
        }
        for about in Ext::ALL.iter().map(|ext| ext.expansion()) {
            ids.push(format!("about-{}", about.slug));
            ids.push(format!("name-{}", about.slug));
            for option in about.options {
                ids.push(format!("option-{}", option.key));
                if let Values::Listed(values, _) = option.values {
                    // Lists of tiles are shown as they are.
                    let words = values.iter().filter(|v| !v.contains('/'));
                    ids.extend(words.map(|v| match *v {
                        "true" | "false" => format!("value-{v}"),
                        v => format!("value-{}-{v}", option.key),
                    }));
                }
            }
        }
        for language in Language::ALL {
            set_language(language);
            for id in &ids {
                assert_ne!(tr(id), *id, "{}", language.name());
            }
        }
        set_language(Language::English);
    }

    #[test]
    fn a_tile_is_told_as_it_lies() {
        set_language(Language::English);
        let told = |id, quarters| {
            let rotation = Rotation::ALL[quarters];
            printed(printed_tile(id).unwrap(), rotation)
        };
        assert_eq!(told("BA/RCr", 0), "road east, west; city north");
        assert_eq!(told("BA/RCr", 1), "road north, south; city east");
        assert_eq!(told("BA/L", 2), "monastery");
        assert_eq!(told("BA/C", 3), "city west");
    }

    #[test]
    fn the_board_is_told_square_by_square() {
        set_language(Language::English);
        let players = vec![("Ann".into(), Player::Person), ("B".into(), Player::Person)];
        let mut game = Game::new(&Setup::new(Edition::C2, 2), players, 7).unwrap();
        game.settle();
        assert_eq!(squares(&game), ["0,0: road east, west; city north"]);
        let lay = game.legal()[0];
        game.choose(lay);
        let put = game.legal();
        let put = put.iter().find(|choice| choice.verb == Verb::Deploy);
        game.choose(*put.unwrap());
        let told = squares(&game);
        assert_eq!(told.len(), 2);
        assert!(
            told.iter().any(|line| line.contains(". follower of Ann, ")),
            "{told:?}"
        );
    }
}
