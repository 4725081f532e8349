//! The words of the format: parts of tiles, figures, and every choice and figure as a short text.
//!
//! The texts are those of recorded games: `DEPLOY 0.small 1,0 City SE`. Every choice that is legal with us has one, so that
//! lists of options can be compared as sets and messages found among them.

use super::file::Pointer;
use trencavel_rules::{
    Choice, FeatureKind, Half, Kind, Neutral, Piece, Place, Pos, Rotation, Rules, SegId, Shown,
    Side, Spot, State, Symbols, Target, TileDef, TileSlot, Verb,
};

/// The format's word for a kind of figure.
pub fn kind_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Normal => "small",
        Kind::Large => "big",
        Kind::Phantom => "phantom",
        Kind::Abbot => "abbot",
        Kind::Wagon => "wagon",
        Kind::Mayor => "mayor",
        Kind::Builder => "builder",
        Kind::Pig => "pig",
        Kind::Barn => "barn",
    }
}

/// The kind of figure with this word.
pub fn kind_of_word(word: &str) -> Option<Kind> {
    Kind::ALL
        .iter()
        .copied()
        .find(|kind| kind_word(*kind) == word)
}

/// The format's word for a kind of feature.
pub fn feature_word(kind: FeatureKind) -> &'static str {
    match kind {
        FeatureKind::Road => "Road",
        FeatureKind::City => "City",
        FeatureKind::Field => "Field",
        FeatureKind::River => "River",
        FeatureKind::Monastery => "Monastery",
        FeatureKind::Garden => "Garden",
        FeatureKind::Hut => "YagaHut",
    }
}

/// The kind of feature with this word.
pub fn feature_of_word(word: &str) -> Option<FeatureKind> {
    let mut kinds = FeatureKind::ALL.iter().copied();
    kinds.find(|kind| feature_word(*kind) == word)
}

/// Whole sides of a tile by name: bits from the north, clockwise. Two sides have their own order.
const SIDES: [(u8, &str); 15] = [
    (0b0001, "N"),
    (0b0010, "E"),
    (0b0100, "S"),
    (0b1000, "W"),
    (0b0011, "NE"),
    (0b0110, "SE"),
    (0b1100, "SW"),
    (0b1001, "NW"),
    (0b0101, "NS"),
    (0b1010, "WE"),
    (0b1110, "_N"),
    (0b1101, "_E"),
    (0b1011, "_S"),
    (0b0111, "_W"),
    (0b1111, "NWSE"),
];

const INNER: [&str; 4] = ["I", "II", "III", "IV"];

/// The name of a part of a turned tile: its sides, its halves of sides, or `I` and so on for one that reaches none.
pub fn location(def: &TileDef, rotation: Rotation, index: usize) -> String {
    let Some(segment) = def.segments.get(index) else {
        return "?".to_owned();
    };
    let sides = turned_sides(segment.sides, rotation);
    if let Some((_, name)) = SIDES.iter().find(|(bits, _)| *bits == sides) {
        return (*name).to_owned();
    }
    if segment.halves != 0 {
        let there = |half: &Half| segment.halves & (1 << half.turned_back(rotation).index()) != 0;
        let names: Vec<&str> = Half::ALL
            .into_iter()
            .filter(there)
            .map(Half::name)
            .collect();
        return names.join(".");
    }
    let is_like = |other: &&trencavel_rules::SegmentDef| {
        other.kind == segment.kind && other.sides == 0 && other.halves == 0
    };
    let before = def.segments.iter().take(index).filter(is_like).count();
    INNER.get(before).copied().unwrap_or("?").to_owned()
}

fn turned_sides(sides: u8, rotation: Rotation) -> u8 {
    Side::ALL
        .into_iter()
        .filter(|side| sides & (1 << side.turned_back(rotation).index()) != 0)
        .fold(0, |bits, side| bits | (1 << side.index()))
}

/// A part of a tile on the board.
pub fn segment_pointer(rules: &Rules, state: &State, seg: SegId) -> Pointer {
    let board = state.board();
    let placed = board.tile(board.tile_of(seg));
    let def = rules.tile(placed.kind);
    let index = usize::from(board.index_on_tile(seg));
    let kind = def
        .segments
        .get(index)
        .map_or(FeatureKind::Field, |segment| segment.kind);
    Pointer {
        pos: placed.pos,
        feature: feature_word(kind).to_owned(),
        location: location(def, placed.rotation, index),
    }
}

/// The segment that a pointer names, if there is one.
pub fn segment_at(rules: &Rules, state: &State, pointer: &Pointer) -> Option<SegId> {
    let slot = state.board().tile_at(pointer.pos)?;
    let mut segments = state.board().segments_of(slot);
    segments.find(|seg| segment_pointer(rules, state, *seg) == *pointer)
}

/// A place on a tile that is no feature of ours but one of the format's, like a tower.
pub fn on_tile(state: &State, slot: TileSlot, feature: &str) -> Pointer {
    Pointer {
        pos: state.board().tile(slot).pos,
        feature: feature.to_owned(),
        location: "I".to_owned(),
    }
}

/// Where a figure stands; nothing of prisoners.
pub fn spot_pointer(rules: &Rules, state: &State, spot: Spot) -> Option<Pointer> {
    match spot.place {
        Place::Segment => Some(segment_pointer(rules, state, SegId(spot.at))),
        Place::TowerTop => Some(on_tile(state, TileSlot(spot.at), "Tower")),
        Place::Trap => {
            let slot = TileSlot(spot.at);
            let def = rules.tile(state.board().tile(slot).kind);
            let feature = if def.symbols.has(Symbols::LAKE) {
                "Vodyanoy"
            } else {
                "SoloveiRazboynik"
            };
            Some(on_tile(state, slot, feature))
        }
        Place::Corner => corner_pointer(rules, state, Pos::from_bits(spot.at)),
        Place::Prison => None,
    }
}

/// A corner, as the format names it: by the field of the tile to the south-east of it.
pub fn corner_pointer(rules: &Rules, state: &State, corner: Pos) -> Option<Pointer> {
    let slot = state.board().tile_at(corner)?;
    let placed = state.board().tile(slot);
    let def = rules.tile(placed.kind);
    let is_there = |halves: u8| {
        let mut ends_there = [Half::from_index(0), Half::from_index(7)].into_iter();
        ends_there.any(|half| halves & (1 << half.turned_back(placed.rotation).index()) != 0)
    };
    let mut segments = def.segments.iter();
    let index = segments.position(|s| s.kind == FeatureKind::Field && is_there(s.halves))?;
    let seg = state.board().segment_of(slot, index as u8);
    Some(segment_pointer(rules, state, seg))
}

/// A figure and where it stands: `0.small 1,0 City SE`; of a prisoner only the figure.
pub fn piece_text(rules: &Rules, state: &State, piece: Piece) -> String {
    let figure = figure_text(piece);
    match spot_pointer(rules, state, piece.spot) {
        Some(at) => format!("{figure} {at}"),
        None => figure,
    }
}

/// A figure without its number and place: `0.small`.
pub fn figure_text(piece: Piece) -> String {
    format!("{}.{}", piece.seat.0, kind_word(piece.kind))
}

/// The figures on the board, sorted.
pub fn figure_list(rules: &Rules, state: &State) -> Vec<String> {
    let pieces = state.pieces().iter();
    let on_board = pieces.filter(|piece| piece.spot.place != Place::Prison);
    let mut list: Vec<String> = on_board
        .map(|piece| piece_text(rules, state, piece))
        .collect();
    list.sort();
    list
}

/// Where the neutral figures stand: `dragon.1` and its square, `fairy.1` and its square or figure; sorted.
pub fn neutral_list(rules: &Rules, state: &State) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for shown in rules.shown(state) {
        if let Shown::Neutral {
            neutral,
            slot,
            with,
        } = shown
        {
            let name = match neutral {
                Neutral::Dragon => "dragon.1",
                Neutral::Fairy => "fairy.1",
            };
            let place = match with {
                Some(piece) => piece_text(rules, state, piece),
                None => state.board().tile(slot).pos.to_string(),
            };
            list.push((name.to_owned(), place));
        }
    }
    list.sort();
    list
}

/// The degrees of a rotation as the format writes them: `R90`.
pub fn rotation_word(rotation: Rotation) -> String {
    format!("R{}", rotation.degrees())
}

/// A choice of a seat, in the words of recorded games.
pub fn choice_text(rules: &Rules, state: &State, seat: u8, choice: Choice) -> String {
    let figure = |kind: Option<Kind>| format!("{seat}.{}", kind.map_or("?", kind_word));
    match (choice.verb, choice.target) {
        (Verb::Pass, _) => "PASS".to_owned(),
        (Verb::Lay, Target::Square(pos, rotation)) => {
            let tile = state.turn().drawn.map_or("?", |kind| &rules.tile(kind).id);
            format!("TILE {tile} {pos} {}", rotation_word(rotation))
        }
        (Verb::Abbey, Target::Square(pos, rotation)) => {
            format!("TILE AM/A {pos} {}", rotation_word(rotation))
        }
        (Verb::Deploy | Verb::Portal | Verb::Diagonal, Target::Segment(seg)) => {
            let at = segment_pointer(rules, state, seg);
            format!("DEPLOY {} {at}", figure(choice.kind))
        }
        (Verb::TowerTop, Target::Tile(slot)) => {
            let at = on_tile(state, slot, "Tower");
            format!("DEPLOY {} {at}", figure(choice.kind))
        }
        (Verb::TowerPiece, Target::Tile(slot)) => {
            format!("TOKEN TOWER_PIECE {}", on_tile(state, slot, "Tower"))
        }
        (Verb::Wagon, Target::Segment(seg)) => {
            let at = segment_pointer(rules, state, seg);
            format!("DEPLOY {seat}.wagon {at}")
        }
        (Verb::Barn, Target::Corner(corner)) => match corner_pointer(rules, state, corner) {
            Some(at) => format!("DEPLOY {seat}.barn {at}"),
            None => format!("DEPLOY {seat}.barn ?"),
        },
        (Verb::Recall, Target::Piece(piece)) => {
            format!("RETURN ABBOT_RETURN {}", piece_text(rules, state, piece))
        }
        (Verb::Festival, Target::Piece(piece)) => {
            format!("RETURN FESTIVAL {}", piece_text(rules, state, piece))
        }
        (Verb::Release, Target::Piece(piece)) => {
            format!("RETURN TRAP {}", piece_text(rules, state, piece))
        }
        (Verb::Seduce, Target::Piece(piece)) => {
            format!("RETURN PRINCESS {}", piece_text(rules, state, piece))
        }
        (Verb::Capture, Target::Piece(piece)) => {
            format!("CAPTURE {}", piece_text(rules, state, piece))
        }
        (Verb::Exchange, Target::Piece(piece)) => format!("EXCHANGE {}", figure_text(piece)),
        (Verb::Ransom, Target::Piece(piece)) => format!("RANSOM {}", figure_text(piece)),
        (Verb::Fairy, Target::Piece(piece)) => {
            format!("MOVE fairy.1 {}", piece_text(rules, state, piece))
        }
        (Verb::Fairy, Target::Tile(slot)) => {
            format!("MOVE fairy.1 {}", state.board().tile(slot).pos)
        }
        (Verb::Dragon, Target::Tile(slot)) => {
            format!("MOVE dragon.1 {}", state.board().tile(slot).pos)
        }
        // A second part can be declined with us; there it is never asked.
        (verb, _) => format!("({})", verb.name()),
    }
}
