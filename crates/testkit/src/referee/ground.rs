//! Whether the engine's landscape is that of the second implementation.

use trencavel_rules::{
    Choice, FeatureKind, Moves, Placed, Pos, Rotation, Rules, SegId, State, Target, Verb, Waiting,
};
use trencavel_tiles::Kind;

use super::{Fault, demand};
use crate::second::{Landscape, Part, shelf};

/// The board's tiles, laid again.
#[derive(Debug, Default)]
pub(super) struct Ground {
    landscape: Landscape,
    laid: Vec<Placed>,
    /// Whether a tile lies that no file has.
    unknown: bool,
}

impl Ground {
    /// Brings the tiles up to those of the board. None if one of them is in no file.
    pub(super) fn of(&mut self, rules: &Rules, state: &State) -> Result<Option<&Landscape>, Fault> {
        let tiles = state.board().tiles();
        if !tiles.starts_with(&self.laid) {
            *self = Ground::default();
        }
        for placed in &tiles[self.laid.len()..] {
            self.laid.push(*placed);
            match shelf()?.tile(&rules.tile(placed.kind).id) {
                Some(tile) => self.landscape.lay(
                    tile,
                    i32::from(placed.pos.x),
                    i32::from(placed.pos.y),
                    usize::from(placed.rotation.quarters()),
                ),
                None => self.unknown = true,
            }
        }
        Ok(Some(&self.landscape).filter(|_| !self.unknown))
    }
}

/// The engine's segment as a part.
pub(super) fn part_of(state: &State, seg: SegId) -> Part {
    let board = state.board();
    Part {
        tile: usize::from(board.tile_of(seg).0),
        segment: usize::from(board.index_on_tile(seg)),
    }
}

/// Features, their segments, tiles, ends and pennants.
pub(super) fn landscape_agrees(
    rules: &Rules,
    state: &State,
    landscape: &Landscape,
) -> Result<(), Fault> {
    let board = state.board();
    let areas = landscape.areas();
    let n_features = board.features().count();
    demand!(
        areas.len() == n_features,
        "{} features should be {}",
        n_features,
        areas.len()
    );
    for (id, feature) in board.features() {
        let mut parts: Vec<Part> = board.members(id).map(|seg| part_of(state, seg)).collect();
        parts.sort_unstable();
        // Areas come in the order of their first parts.
        let found = areas.binary_search_by_key(&parts.first(), |area| area.parts.first());
        let Some(area) = found.ok().and_then(|at| areas.get(at)) else {
            return Err(format!(
                "no area begins like the feature with parts {parts:?}"
            ));
        };
        let kind = kind_of(feature.kind);
        let name = || format!("the {} of {:?}", feature.kind, parts.first());
        demand!(area.kind == kind, "{} should be a {:?}", name(), area.kind);
        demand!(
            area.parts == parts,
            "{} has parts {parts:?} and should have {:?}",
            name(),
            area.parts
        );
        let tiles = usize::from(rules.n_tiles(state, id));
        demand!(
            area.tiles == tiles,
            "{} has {tiles} tiles and should have {}",
            name(),
            area.tiles
        );
        demand!(
            u32::from(feature.pennants) == area.pennants,
            "{} has {} pennants and should have {}",
            name(),
            feature.pennants,
            area.pennants
        );
        demand!(
            feature.is_complete() == area.is_complete(),
            "{} is complete: {}, should be: {}",
            name(),
            feature.is_complete(),
            area.is_complete()
        );
        if area.kind != Kind::Field && area.kind != Kind::River {
            demand!(
                usize::from(feature.open) == area.open,
                "{} has {} open ends and should have {}",
                name(),
                feature.open,
                area.open
            );
        }
        if area.kind == Kind::Field {
            let cities = rules.cities_of_field(state, id).len();
            let wanted = landscape.complete_cities(area).len();
            demand!(
                cities == wanted,
                "{} touches {cities} complete cities and should touch {wanted}",
                name()
            );
        }
    }
    Ok(())
}

/// Every feature counts the figures that stand on it.
pub(super) fn figures_agree(state: &State) -> Result<(), Fault> {
    let board = state.board();
    let mut counts = vec![
        0u32;
        1 + board
            .features()
            .map(|(id, _)| id.index())
            .max()
            .unwrap_or(0)
    ];
    for piece in state.pieces().iter() {
        if let Some(seg) = piece.spot.as_segment() {
            counts[board.feature_of(seg).index()] += 1;
        }
    }
    for (id, feature) in board.features() {
        demand!(
            u32::from(feature.crowd.figures) == counts[id.index()],
            "feature {id:?} counts {} figures and has {}",
            feature.crowd.figures,
            counts[id.index()]
        );
    }
    Ok(())
}

/// The drawn tile can be laid only where its edges match; in base games everywhere there.
pub(super) fn placements_agree(
    rules: &Rules,
    state: &State,
    landscape: &Landscape,
    exactly: bool,
) -> Result<(), Fault> {
    let (Some(kind), Waiting::Seats(seats)) = (state.turn().drawn, state.waiting()) else {
        return Ok(());
    };
    let Some(tile) = shelf()?.tile(&rules.tile(kind).id) else {
        return Ok(());
    };
    let mut moves = Moves::new();
    let mut found = Vec::new();
    for seat in seats.iter() {
        rules.legal_for(state, seat, &mut moves);
        found.extend(moves.iter().filter_map(laid));
    }
    if found.is_empty() {
        // Something else is asked while the tile is in the hand.
        return Ok(());
    }
    let wanted = landscape.places(tile);
    let is_wrong = |place: &&Place| wanted.binary_search(place).is_err();
    let wrong: Vec<&Place> = found.iter().filter(is_wrong).collect();
    demand!(
        wrong.is_empty(),
        "the tile can be laid where it does not match: {wrong:?}"
    );
    if exactly {
        found.sort_unstable();
        let is_missing = |place: &&Place| found.binary_search(place).is_err();
        let missing: Vec<&Place> = wanted.iter().filter(is_missing).collect();
        demand!(
            missing.is_empty(),
            "the tile cannot be laid where it matches: {missing:?}"
        );
    }
    Ok(())
}

/// Square and rotation.
type Place = (i32, i32, usize);

fn laid(choice: &Choice) -> Option<Place> {
    let plain = |pos: Pos, rotation: Rotation| {
        (
            i32::from(pos.x),
            i32::from(pos.y),
            usize::from(rotation.quarters()),
        )
    };
    match (choice.verb, choice.target) {
        (Verb::Lay, Target::Square(pos, rotation)) => Some(plain(pos, rotation)),
        _ => None,
    }
}

fn kind_of(kind: FeatureKind) -> Kind {
    match kind {
        FeatureKind::Road => Kind::Road,
        FeatureKind::City => Kind::City,
        FeatureKind::Field => Kind::Field,
        FeatureKind::River => Kind::River,
        FeatureKind::Monastery => Kind::Monastery,
        FeatureKind::Garden => Kind::Garden,
        FeatureKind::Hut => Kind::Hut,
    }
}
