//! The picture of a whole position, for files: tiles, figures, neutral figures, towers.

use std::fmt::Write as _;

use trencavel_rules::{FeatureKind, Place, Pos, Rules, SegId, State, TileSlot};

use crate::figures;
use crate::geometry::{CENTRE, Point, corner, pt, short};
use crate::plan::Plan;
use crate::style::{self, Theme};
use crate::tile;

/// Something to be marked on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A square, for instance the last move.
    Square(Pos),
}

/// A position as an SVG document.
pub fn board_svg(rules: &Rules, state: &State, marks: &[Mark], theme: Theme) -> String {
    let board = state.board();
    let (nw, se) = board.extent().unwrap_or_default();
    let (x, y) = (
        f32::from(nw.x) * 100.0 - 50.0,
        f32::from(nw.y) * 100.0 - 50.0,
    );
    let width = (f32::from(se.x) - f32::from(nw.x) + 2.0) * 100.0;
    let height = (f32::from(se.y) - f32::from(nw.y) + 2.0) * 100.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{x} {y} {width} {height}\"><style>{}{}</style>\
         <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"var(--table)\"/>",
        style::sheet(theme, "svg"),
        style::RULES
    );
    let plans: Vec<Plan> = board
        .tiles()
        .iter()
        .map(|placed| Plan::new(rules.tile(placed.kind)))
        .collect();
    for (slot, placed) in board.tiles().iter().enumerate() {
        let quarters = placed.rotation.quarters();
        let _ = write!(
            out,
            "<g transform=\"translate({} {}) rotate({} 50 50)\">{}</g>",
            i32::from(placed.pos.x) * 100,
            i32::from(placed.pos.y) * 100,
            placed.rotation.degrees(),
            tile::tile(rules.tile(placed.kind), &plans[slot], quarters, slot as u32)
        );
    }
    for mark in marks {
        let Mark::Square(pos) = mark;
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"96\" height=\"96\" fill=\"none\" stroke=\"var(--fire)\" stroke-width=\"4\" rx=\"4\"/>",
            i32::from(pos.x) * 100 + 2,
            i32::from(pos.y) * 100 + 2
        );
    }
    let mut shared: Vec<(Point, u8)> = Vec::new();
    for piece in state.pieces().iter() {
        let (p, lying) = match piece.spot.place {
            Place::Segment => {
                let seg = SegId(piece.spot.at);
                let lying = board.at(seg).kind == FeatureKind::Field;
                (stand(rules, state, &plans, seg), lying)
            }
            Place::TowerTop | Place::Trap => {
                let slot = TileSlot(piece.spot.at);
                let placed = board.tile(slot);
                let tower = plans.get(slot.index()).and_then(Plan::tower);
                let p = turn(tower.unwrap_or(CENTRE), placed.rotation.quarters());
                (
                    pt(
                        f32::from(placed.pos.x) * 100.0 + p.x,
                        f32::from(placed.pos.y) * 100.0 + p.y - 6.0,
                    ),
                    false,
                )
            }
            Place::Corner => {
                let pos = Pos::from_bits(piece.spot.at);
                (
                    pt(f32::from(pos.x) * 100.0, f32::from(pos.y) * 100.0 + 10.0),
                    false,
                )
            }
            Place::Prison => continue,
        };
        // Several figures at one spot stand side by side.
        let beside = shared.iter().filter(|(q, _)| q.distance(p) < 1.0).count() as f32;
        shared.push((p, piece.seat.0));
        let _ = write!(
            out,
            "<g transform=\"translate({} {})\">{}</g>",
            short(p.x + beside * 15.0),
            short(p.y + if lying { 0.0 } else { 9.0 }),
            figures::figure(piece.kind, piece.seat.0, lying)
        );
    }
    out.push_str("</svg>");
    out
}

/// Where a figure stands on a segment, in units of the board (100 a square).
pub fn stand(rules: &Rules, state: &State, plans: &[Plan], seg: SegId) -> Point {
    let board = state.board();
    let slot = board.tile_of(seg);
    let placed = board.tile(slot);
    let _ = rules;
    let index = usize::from(board.index_on_tile(seg));
    let p = plans
        .get(slot.index())
        .and_then(|plan| plan.segments.get(index))
        .map_or(corner(0), |shape| shape.stand);
    let turned = turn(p, placed.rotation.quarters());
    pt(
        f32::from(placed.pos.x) * 100.0 + turned.x,
        f32::from(placed.pos.y) * 100.0 + turned.y,
    )
}

/// A point of a tile after so many clockwise quarter turns.
pub fn turn(p: Point, quarters: u8) -> Point {
    (0..quarters & 3).fold(p, |p, _| pt(100.0 - p.y, p.x))
}
