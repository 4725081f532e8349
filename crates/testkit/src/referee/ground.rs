//! Whether the engine's landscape is that of the second implementation.

use std::collections::BTreeSet;

use trencavel_rules::{
    Choice, FeatureKind, Moves, Pos, Rotation, Rules, SegId, State, Target, Verb, Waiting,
};
use trencavel_tiles::Kind;

use super::{Fault, demand};
use crate::second::{Landscape, Part, shelf};

/// The board's tiles laid again; none if it has a tile that no file has.
pub(super) fn landscape(rules: &Rules, state: &State) -> Result<Option<Landscape>, Fault> {
    let mut landscape = Landscape::new();
    for placed in state.board().tiles() {
        let Some(tile) = shelf()?.tile(&rules.tile(placed.kind).id) else {
            return Ok(None);
        };
        let quarters = usize::from(placed.rotation.quarters());
        landscape.lay(
            tile,
            i32::from(placed.pos.x),
            i32::from(placed.pos.y),
            quarters,
        );
    }
    Ok(Some(landscape))
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
pub(super) fn landscape_agrees(rules: &Rules, state: &State) -> Result<(), Fault> {
    let Some(landscape) = landscape(rules, state)? else {
        return Ok(());
    };
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
        let parts: BTreeSet<Part> = board.members(id).map(|seg| part_of(state, seg)).collect();
        let Some(area) = areas
            .iter()
            .find(|area| parts.first().is_some_and(|part| area.parts.contains(part)))
        else {
            return Err(format!("feature {id:?} has no parts"));
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
        demand!(
            usize::from(feature.segments) == parts.len(),
            "{} counts {} segments",
            name(),
            feature.segments
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
pub(super) fn placements_agree(rules: &Rules, state: &State, exactly: bool) -> Result<(), Fault> {
    let (Some(kind), Waiting::Seats(seats)) = (state.turn().drawn, state.waiting()) else {
        return Ok(());
    };
    let (Some(landscape), Some(tile)) = (
        landscape(rules, state)?,
        shelf()?.tile(&rules.tile(kind).id),
    ) else {
        return Ok(());
    };
    let mut moves = Moves::new();
    let mut found = BTreeSet::new();
    for seat in seats.iter() {
        rules.legal_for(state, seat, &mut moves);
        found.extend(moves.iter().filter_map(laid));
    }
    if found.is_empty() {
        // Something else is asked while the tile is in the hand.
        return Ok(());
    }
    let wanted = landscape.places(tile);
    let wrong: Vec<_> = found.difference(&wanted).collect();
    demand!(
        wrong.is_empty(),
        "the tile can be laid where it does not match: {wrong:?}"
    );
    if exactly {
        let missing: Vec<_> = wanted.difference(&found).collect();
        demand!(
            missing.is_empty(),
            "the tile cannot be laid where it matches: {missing:?}"
        );
    }
    Ok(())
}

fn laid(choice: &Choice) -> Option<(i32, i32, usize)> {
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
