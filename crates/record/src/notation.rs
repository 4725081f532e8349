//! The move notation: every choice and every decision of nature as a text that a person can read and type.
//!
//! The shapes of choices are closed, so a new expansion needs nothing here. `docs/notation.md` explains it to people.
//!
//! Long: writing and reading of every shape stand side by side, so that one cannot change without the other.

use std::fmt;

use trencavel_rules::{
    Chance, Choice, FeatureKind, Half, Input, Kind, MAX_SEATS, Piece, Place, Pos, Rotation, Rules,
    Seat, SegId, Side, Spot, State, Target, TileDef, TileKind, TileSlot, Verb,
};

/// What is wrong with a text in the notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// The word at which it went wrong, from 1; one more than there are words when something is missing.
    pub word: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word {}: {}", self.word, self.what)
    }
}

impl std::error::Error for NotationError {}

// ---- writing ---------------------------------------------------------------------------------------------------------

/// The canonical text of a choice in a position, such as `lay 1,0 r90` or `deploy follower road.W`.
pub fn choice_text(rules: &Rules, state: &State, choice: Choice) -> String {
    let mut text = choice.verb.name().to_string();
    if let Some(kind) = choice.kind {
        text.push(' ');
        text.push_str(kind.name());
    }
    let target = match choice.target {
        Target::None => return text,
        Target::Square(pos, rotation) => format!("{pos} {rotation}"),
        Target::Segment(seg) => segment_text(rules, state, seg),
        Target::Tile(slot) => format!("@{}", state.board().tile(slot).pos),
        Target::Corner(pos) => format!("corner@{pos}"),
        Target::Piece(piece) => piece_text(rules, state, piece),
        Target::Seat(seat) => format!("seat/{}", u16::from(seat.0) + 1),
        Target::Number(n) => n.to_string(),
    };
    text.push(' ');
    text.push_str(&target);
    text
}

/// The canonical text of a decision of nature, such as `draw BA/RCr`.
pub fn chance_text(rules: &Rules, chance: Chance) -> String {
    match chance {
        Chance::Tile(kind) => format!("draw {}", rules.tile(kind).id),
        Chance::Number(n) => format!("chance {n}"),
        Chance::Hidden => "hidden".to_string(),
    }
}

/// The canonical text of an input in a position: a choice with its seat, a decision of nature, or a seat that leaves.
pub fn input_text(rules: &Rules, state: &State, input: Input) -> String {
    match input {
        Input::Choice(seat, choice) => format!(
            "{}: {}",
            u16::from(seat.0) + 1,
            choice_text(rules, state, choice)
        ),
        Input::Chance(chance) => chance_text(rules, chance),
        Input::Leave(seat) => format!("leave/{}", u16::from(seat.0) + 1),
    }
}

/// A figure on the board, such as `follower/2 road.W@1,0` or `large/1 prison/3`.
pub fn piece_text(rules: &Rules, state: &State, piece: Piece) -> String {
    format!(
        "{}/{} {}",
        piece.kind,
        u16::from(piece.seat.0) + 1,
        spot_text(rules, state, piece.spot)
    )
}

/// A spot, such as `road.W@1,0`, `tower@2,3` or `prison/3`.
pub fn spot_text(rules: &Rules, state: &State, spot: Spot) -> String {
    match spot.place {
        Place::Segment => {
            let seg = SegId(spot.at);
            format!(
                "{}@{}",
                segment_name(rules, state, seg),
                state.board().pos_of(seg)
            )
        }
        Place::TowerTop | Place::Trap => {
            format!(
                "{}@{}",
                spot.place,
                state.board().tile(TileSlot(spot.at)).pos
            )
        }
        Place::Corner => format!("corner@{}", Pos::from_bits(spot.at)),
        Place::Prison => format!("prison/{}", spot.at + 1),
    }
}

/// A segment, such as `road.W` on the tile just laid or `city.N@2,-1` on another.
pub fn segment_text(rules: &Rules, state: &State, seg: SegId) -> String {
    let name = segment_name(rules, state, seg);
    let slot = state.board().tile_of(seg);
    if state.laid() == Some(slot) {
        name
    } else {
        format!("{name}@{}", state.board().tile(slot).pos)
    }
}

/// The name of a segment on its tile, as the tile is turned.
pub fn segment_name(rules: &Rules, state: &State, seg: SegId) -> String {
    let board = state.board();
    let placed = board.tile(board.tile_of(seg));
    name_on_tile(
        rules.tile(placed.kind),
        placed.rotation,
        usize::from(board.index_on_tile(seg)),
    )
}

/// The name of a segment of a turned tile: its kind and the first side or half of a side that it reaches, clockwise from
/// the north; `I` for one that reaches none, numbered when there are several of its kind.
pub fn name_on_tile(def: &TileDef, rotation: Rotation, index: usize) -> String {
    let Some(segment) = def.segments.get(index) else {
        return "?".to_string();
    };
    let kind = segment.kind.name();
    let at_side = Side::ALL
        .into_iter()
        .find(|side| segment.sides & (1 << side.turned_back(rotation).index()) != 0);
    if let Some(side) = at_side {
        return format!("{kind}.{}", side.letter());
    }
    let at_half = Half::ALL
        .into_iter()
        .find(|half| segment.halves & (1 << half.turned_back(rotation).index()) != 0);
    if let Some(half) = at_half {
        return format!("{kind}.{}", half.name());
    }
    let is_inner =
        |s: &&trencavel_rules::SegmentDef| s.kind == segment.kind && s.sides == 0 && s.halves == 0;
    let before = def.segments.iter().take(index).filter(is_inner).count();
    match (before, segment.kind.is_surrounded()) {
        (0, true) => kind.to_string(),
        (0, false) => format!("{kind}.I"),
        (n, _) => format!("{kind}.I{}", n + 1),
    }
}

// ---- reading ---------------------------------------------------------------------------------------------------------

struct Words<'t> {
    words: Vec<&'t str>,
    next: usize,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Words<'t> {
        Words {
            words: text.split_whitespace().collect(),
            next: 0,
        }
    }

    fn peek(&self) -> Option<&'t str> {
        self.words.get(self.next).copied()
    }

    fn take(&mut self, what: &str) -> Result<&'t str, NotationError> {
        let word = self.peek().ok_or_else(|| NotationError {
            word: self.next + 1,
            what: format!("{what} is missing"),
        })?;
        self.next += 1;
        Ok(word)
    }

    /// An error at the word taken last.
    fn wrong(&self, what: String) -> NotationError {
        NotationError {
            word: self.next,
            what,
        }
    }

    fn end(&self) -> Result<(), NotationError> {
        match self.peek() {
            None => Ok(()),
            Some(word) => Err(NotationError {
                word: self.next + 1,
                what: format!("\"{}\" is too much", clip(word)),
            }),
        }
    }
}

/// A word from outside, made short and harmless for a message.
pub(crate) fn clip(word: &str) -> String {
    let short: String = word.chars().take(40).flat_map(char::escape_debug).collect();
    if word.chars().count() > 40 {
        format!("{short}…")
    } else {
        short
    }
}

/// Reads the text of a choice in a position. It need not be legal there.
///
/// # Errors
/// The word at which the text is wrong, and why.
pub fn parse_choice(rules: &Rules, state: &State, text: &str) -> Result<Choice, NotationError> {
    let mut words = Words::new(text);
    let choice = read_choice(rules, state, &mut words)?;
    words.end()?;
    Ok(choice)
}

fn read_choice(rules: &Rules, state: &State, words: &mut Words) -> Result<Choice, NotationError> {
    let word = words.take("what is done")?;
    let verb = Verb::from_name(word)
        .ok_or_else(|| words.wrong(format!("there is no move \"{}\"", clip(word))))?;
    let mut kind = None;
    if let Some(word) = words.peek()
        && let Some(known) = Kind::from_name(word)
    {
        words.next += 1;
        kind = Some(known);
    }
    let target = match words.peek() {
        None => Target::None,
        Some(word) => read_target(rules, state, words, word)?,
    };
    Ok(Choice { verb, kind, target })
}

fn read_target(
    rules: &Rules,
    state: &State,
    words: &mut Words,
    word: &str,
) -> Result<Target, NotationError> {
    words.next += 1;
    if let Some(pos) = word.strip_prefix('@') {
        return Ok(Target::Tile(tile_at(state, words, pos)?));
    }
    if let Some(pos) = word.strip_prefix("corner@") {
        return Ok(Target::Corner(read_pos(words, pos)?));
    }
    if let Some(seat) = word.strip_prefix("seat/") {
        return Ok(Target::Seat(read_seat(state, words, seat)?));
    }
    if let Ok(n) = word.parse::<u8>() {
        return Ok(Target::Number(n));
    }
    if let Some(side) = Side::ALL
        .into_iter()
        .find(|side| word.len() == 1 && word.starts_with(side.letter()))
    {
        return Ok(Target::Number(side.index() as u8));
    }
    if let Some((kind, seat)) = word.split_once('/')
        && let Some(kind) = Kind::from_name(kind)
    {
        let seat = read_seat(state, words, seat)?;
        let spot = words.take("where the figure stands")?;
        let spot = read_spot(rules, state, words, spot)?;
        return Ok(Target::Piece(Piece { spot, seat, kind }));
    }
    if word.split_once(',').is_some() && !word.contains('@') {
        let pos = read_pos(words, word)?;
        let rotation = words.take("how the tile is turned")?;
        return Ok(Target::Square(pos, read_rotation(words, rotation)?));
    }
    Ok(Target::Segment(read_segment(rules, state, words, word)?))
}

/// Reads where a figure can be: `road.W@1,0`, `tower@2,3`, `prison/3`; a segment of the tile just laid needs no square.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_spot(rules: &Rules, state: &State, text: &str) -> Result<Spot, NotationError> {
    let mut words = Words::new(text);
    let word = words.take("a place")?;
    let spot = read_spot(rules, state, &words, word)?;
    words.end()?;
    Ok(spot)
}

/// Reads a figure: `follower/2 road.W@1,0`. It need not be there.
///
/// # Errors
/// The word at which the text is wrong, and why.
pub fn parse_piece(rules: &Rules, state: &State, text: &str) -> Result<Piece, NotationError> {
    let mut words = Words::new(text);
    let word = words.peek().unwrap_or_default();
    let target = read_target(rules, state, &mut words, word)?;
    words.end()?;
    match target {
        Target::Piece(piece) => Ok(piece),
        _ => Err(words.wrong(format!(
            "\"{}\" is no figure: it should be like follower/2 road.W@1,0",
            clip(text)
        ))),
    }
}

/// Reads a square: `1,-2`.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_square(text: &str) -> Result<Pos, NotationError> {
    read_pos(&Words::new(text), text)
}

/// Reads a rotation: `r0`, `r90`, `r180` or `r270`.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_rotation(text: &str) -> Result<Rotation, NotationError> {
    read_rotation(&Words::new(text), text)
}

fn read_pos(words: &Words, text: &str) -> Result<Pos, NotationError> {
    let pos = text
        .split_once(',')
        .and_then(|(x, y)| Some(Pos::new(x.parse().ok()?, y.parse().ok()?)));
    pos.filter(|pos| pos.is_on_the_table()).ok_or_else(|| {
        words.wrong(format!(
            "\"{}\" is no square: it should be like 1,-2",
            clip(text)
        ))
    })
}

fn read_rotation(words: &Words, text: &str) -> Result<Rotation, NotationError> {
    match text {
        "r0" => Ok(Rotation::from_quarters(0)),
        "r90" => Ok(Rotation::from_quarters(1)),
        "r180" => Ok(Rotation::from_quarters(2)),
        "r270" => Ok(Rotation::from_quarters(3)),
        _ => Err(words.wrong(format!(
            "\"{}\" is no rotation: it is one of r0 r90 r180 r270",
            clip(text)
        ))),
    }
}

fn read_seat(state: &State, words: &Words, text: &str) -> Result<Seat, NotationError> {
    let number = text
        .parse::<u8>()
        .ok()
        .filter(|n| (1..=MAX_SEATS as u8).contains(n) && *n <= state.n_seats());
    number.map(|n| Seat(n - 1)).ok_or_else(|| {
        words.wrong(format!(
            "there is no seat \"{}\": seats are 1 to {}",
            clip(text),
            state.n_seats()
        ))
    })
}

fn tile_at(state: &State, words: &Words, pos: &str) -> Result<TileSlot, NotationError> {
    let pos = read_pos(words, pos)?;
    state
        .board()
        .tile_at(pos)
        .ok_or_else(|| words.wrong(format!("there is no tile at {pos}")))
}

fn read_spot(
    rules: &Rules,
    state: &State,
    words: &Words,
    text: &str,
) -> Result<Spot, NotationError> {
    if let Some(seat) = text.strip_prefix("prison/") {
        return Ok(Spot::prison(read_seat(state, words, seat)?));
    }
    if let Some((place, pos)) = text.split_once('@') {
        match Place::from_name(place) {
            Some(Place::TowerTop) => return Ok(Spot::tower_top(tile_at(state, words, pos)?)),
            Some(Place::Trap) => return Ok(Spot::trap(tile_at(state, words, pos)?)),
            Some(Place::Corner) => {
                return Ok(Spot {
                    place: Place::Corner,
                    at: read_pos(words, pos)?.to_bits(),
                });
            }
            Some(Place::Segment | Place::Prison) | None => {}
        }
    }
    Ok(Spot::segment(read_segment(rules, state, words, text)?))
}

fn read_segment(
    rules: &Rules,
    state: &State,
    words: &Words,
    text: &str,
) -> Result<SegId, NotationError> {
    let (name, slot) = match text.split_once('@') {
        Some((name, pos)) => (name, tile_at(state, words, pos)?),
        None => {
            let laid = state.laid().ok_or_else(|| {
                words.wrong(format!(
                    "\"{}\" does not say on which tile: write {}@x,y",
                    clip(text),
                    clip(text)
                ))
            })?;
            (text, laid)
        }
    };
    let board = state.board();
    let placed = board.tile(slot);
    let def = rules.tile(placed.kind);
    let index = (0..def.segments.len()).find(|index| is_named(def, placed.rotation, *index, name));
    match index {
        Some(index) => Ok(board.segment_of(slot, index as u8)),
        None => {
            let names: Vec<String> = (0..def.segments.len())
                .map(|index| name_on_tile(def, placed.rotation, index))
                .collect();
            let what = format!(
                "the tile at {} has no \"{}\": it has {}",
                placed.pos,
                clip(name),
                names.join(", ")
            );
            Err(words.wrong(what))
        }
    }
}

/// Whether a name means a segment: any of its sides will do.
fn is_named(def: &TileDef, rotation: Rotation, index: usize, name: &str) -> bool {
    if name == name_on_tile(def, rotation, index) {
        return true;
    }
    let Some((kind, at)) = name.split_once('.') else {
        return false;
    };
    let segment = &def.segments[index];
    if FeatureKind::from_name(kind) != Some(segment.kind) {
        return false;
    }
    let side = Side::ALL
        .into_iter()
        .find(|side| side.letter().to_string() == at);
    if side.is_some_and(|side| segment.sides & (1 << side.turned_back(rotation).index()) != 0) {
        return true;
    }
    let half = Half::ALL.into_iter().find(|half| half.name() == at);
    half.is_some_and(|half| segment.halves & (1 << half.turned_back(rotation).index()) != 0)
}

/// Reads the text of an input in a position: `2: pass`, `draw BA/L`, `leave/1`.
///
/// # Errors
/// The word at which the text is wrong, and why.
pub fn parse_input(rules: &Rules, state: &State, text: &str) -> Result<Input, NotationError> {
    let mut words = Words::new(text);
    let word = words.take("an input")?;
    let input = if let Some(seat) = word.strip_suffix(':') {
        Input::Choice(
            read_seat(state, &words, seat)?,
            read_choice(rules, state, &mut words)?,
        )
    } else if let Some(seat) = word.strip_prefix("leave/") {
        Input::Leave(read_seat(state, &words, seat)?)
    } else {
        Input::Chance(read_chance(rules, &mut words, word)?)
    };
    words.end()?;
    Ok(input)
}

/// Reads the text of a decision of nature.
///
/// # Errors
/// The word at which the text is wrong, and why.
pub fn parse_chance(rules: &Rules, text: &str) -> Result<Chance, NotationError> {
    let mut words = Words::new(text);
    let word = words.take("a decision of chance")?;
    let chance = read_chance(rules, &mut words, word)?;
    words.end()?;
    Ok(chance)
}

fn read_chance(rules: &Rules, words: &mut Words, word: &str) -> Result<Chance, NotationError> {
    match word {
        "draw" => {
            let name = words.take("the tile")?;
            find_tile(rules, name)
                .map(Chance::Tile)
                .map_err(|what| words.wrong(what))
        }
        "chance" => {
            let n = words.take("the number")?;
            n.parse()
                .map(Chance::Number)
                .map_err(|_| words.wrong(format!("\"{}\" is no number to 255", clip(n))))
        }
        "hidden" => Ok(Chance::Hidden),
        _ => Err(words.wrong(format!(
            "\"{}\" is neither a seat like 1: nor draw, chance, hidden",
            clip(word)
        ))),
    }
}

/// The tile with this id or, if only one has it, this other name.
///
/// # Errors
/// That there is none, or several.
pub fn find_tile(rules: &Rules, name: &str) -> Result<TileKind, String> {
    if let Some(kind) = rules.kind_of(name) {
        return Ok(kind);
    }
    let kinds = (0..rules.n_kinds() as u16).map(TileKind);
    let found: Vec<TileKind> = kinds
        .filter(|kind| rules.tile(*kind).names.iter().any(|other| other == name))
        .collect();
    match found.as_slice() {
        [] => Err(format!("there is no tile \"{}\" in this game", clip(name))),
        [kind] => Ok(*kind),
        [..] => Err(format!("\"{}\" means more than one tile", clip(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Edition, Moves, Setup, Waiting};

    /// Every legal choice and outcome of some games has one text and parses back.
    #[test]
    fn every_choice_has_one_text() {
        let mut setup = Setup::new(Edition::C2, 3);
        for ext in trencavel_rules::Ext::ALL.iter().skip(1) {
            setup = setup.with(ext.expansion().slug);
        }
        let rules = Rules::new(&setup).unwrap();
        let mut seed = 12345u64;
        let mut below = |n: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            ((seed >> 33) as usize) % n
        };
        let mut moves = Moves::new();
        let mut outcomes = Vec::new();
        for _ in 0..3 {
            let mut state = rules.start();
            loop {
                let input = match state.waiting() {
                    Waiting::Over => break,
                    Waiting::Chance(_) => {
                        rules.outcomes(&state, &mut outcomes);
                        Input::Chance(outcomes[below(outcomes.len())].0)
                    }
                    Waiting::Seats(seats) => {
                        rules.legal(&state, &mut moves);
                        let mut texts = Vec::new();
                        for choice in moves.iter() {
                            let text = choice_text(&rules, &state, *choice);
                            assert_eq!(parse_choice(&rules, &state, &text), Ok(*choice), "{text}");
                            texts.push(text);
                        }
                        let n = texts.len();
                        texts.sort();
                        texts.dedup();
                        assert_eq!(texts.len(), n);
                        Input::Choice(seats.iter().next().unwrap(), moves[below(moves.len())])
                    }
                };
                let text = input_text(&rules, &state, input);
                assert_eq!(parse_input(&rules, &state, &text), Ok(input), "{text}");
                rules.apply(&mut state, input, &mut ()).unwrap();
            }
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
        let state = rules.start();
        let error = |text: &str| parse_choice(&rules, &state, text).unwrap_err().to_string();
        assert_eq!(error(""), "word 1: what is done is missing");
        assert_eq!(error("jump"), "word 1: there is no move \"jump\"");
        assert_eq!(
            error("lay 1,0"),
            "word 3: how the tile is turned is missing"
        );
        assert_eq!(
            error("lay 1,0 r45"),
            "word 3: \"r45\" is no rotation: it is one of r0 r90 r180 r270"
        );
        assert_eq!(
            error("lay 1,900 r0"),
            "word 2: \"1,900\" is no square: it should be like 1,-2"
        );
        assert_eq!(
            error("deploy follower road.N@0,0"),
            "word 3: the tile at 0,0 has no \"road.N\": it has road.E, city.N, field.EL, field.ER"
        );
        assert_eq!(
            error("pass now"),
            "word 2: \"now\" does not say on which tile: write now@x,y"
        );
        assert_eq!(
            error("fairy follower/3 road.W@0,0"),
            "word 2: there is no seat \"3\": seats are 1 to 2"
        );
        assert_eq!(
            parse_choice(&rules, &state, "deploy follower road.W@0,0"),
            parse_choice(&rules, &state, "deploy follower road.E@0,0")
        );
    }
}
