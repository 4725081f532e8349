//! The board as SVG: tiles drawn once each, figures, and what can be chosen.

use leptos::prelude::*;
use trencavel_art::geometry::{Point, pt};
use trencavel_art::{Plan, figures, tile};
use trencavel_rules::{FeatureKind, Piece, Place, Pos, Rules, SegId, State, TileSlot};

/// The plans and drawings of the tiles on the board, made once each.
#[derive(Default)]
pub struct Drawings {
    plans: Vec<Plan>,
    pictures: Vec<String>,
}

impl Drawings {
    /// Draws the tiles that are new.
    pub fn catch_up(&mut self, rules: &Rules, state: &State) {
        let tiles = state.board().tiles();
        self.plans.truncate(tiles.len());
        self.pictures.truncate(tiles.len());
        for (slot, placed) in tiles.iter().enumerate().skip(self.plans.len()) {
            let def = rules.tile(placed.kind);
            let plan = Plan::new(def);
            let quarters = placed.rotation.quarters();
            self.pictures.push(format!(
                "<g transform=\"translate({} {}) rotate({} 50 50)\">{}</g>",
                i32::from(placed.pos.x) * 100,
                i32::from(placed.pos.y) * 100,
                placed.rotation.degrees(),
                tile(def, &plan, quarters, slot as u32)
            ));
            self.plans.push(plan);
        }
    }

    /// Forgets the drawings from this tile on, for instance after taking a move back.
    pub fn forget_from(&mut self, slot: usize) {
        self.plans.truncate(slot);
        self.pictures.truncate(slot);
    }

    /// All tiles as one fragment.
    pub fn tiles(&self) -> String {
        self.pictures.concat()
    }

    /// Where a figure stands, in units of the board (100 a square).
    pub fn stand(&self, state: &State, seg: SegId) -> Point {
        let board = state.board();
        let slot = board.tile_of(seg);
        let placed = board.tile(slot);
        let index = usize::from(board.index_on_tile(seg));
        let p = self
            .plans
            .get(slot.index())
            .and_then(|plan| plan.segments.get(index))
            .map_or(pt(50.0, 50.0), |s| s.stand);
        let p = trencavel_art::board::turn(p, placed.rotation.quarters());
        pt(
            f32::from(placed.pos.x) * 100.0 + p.x,
            f32::from(placed.pos.y) * 100.0 + p.y,
        )
    }

    /// The outline of a segment, as a path in units of the board, with the transform that puts it there.
    pub fn area(&self, state: &State, seg: SegId) -> (String, String) {
        let board = state.board();
        let slot = board.tile_of(seg);
        let placed = board.tile(slot);
        let index = usize::from(board.index_on_tile(seg));
        let shape = self
            .plans
            .get(slot.index())
            .and_then(|plan| plan.segments.get(index));
        let path = shape.map_or(String::new(), |shape| {
            shape.area.iter().map(|area| area.path()).collect()
        });
        let transform = format!(
            "translate({} {}) rotate({} 50 50)",
            i32::from(placed.pos.x) * 100,
            i32::from(placed.pos.y) * 100,
            placed.rotation.degrees()
        );
        (path, transform)
    }

    /// Where a figure is drawn; prisoners are not on the board.
    pub fn spot(&self, state: &State, piece: Piece) -> Option<Point> {
        match piece.spot.place {
            Place::Segment => Some(self.stand(state, SegId(piece.spot.at))),
            Place::TowerTop | Place::Trap => {
                Some(centre(state.board().tile(TileSlot(piece.spot.at)).pos))
            }
            Place::Corner => {
                let pos = Pos::from_bits(piece.spot.at);
                Some(pt(f32::from(pos.x) * 100.0, f32::from(pos.y) * 100.0))
            }
            Place::Prison => None,
        }
    }

    /// All figures as one fragment.
    pub fn figures(&self, state: &State) -> String {
        let mut out = String::new();
        let mut taken: Vec<Point> = Vec::new();
        for piece in state.pieces().iter() {
            let Some(p) = self.spot(state, piece) else {
                continue;
            };
            let lying = piece
                .spot
                .as_segment()
                .is_some_and(|seg| state.board().at(seg).kind == FeatureKind::Field);
            let beside = taken.iter().filter(|q| q.distance(p) < 1.0).count() as f32 * 14.0;
            taken.push(p);
            let drop = if lying { 0.0 } else { 9.0 };
            out.push_str(&format!(
                "<g transform=\"translate({:.1} {:.1})\">{}</g>",
                p.x + beside,
                p.y + drop,
                figures::figure(piece.kind, piece.seat.0, lying)
            ));
        }
        out
    }
}

/// The middle of a square, in units of the board.
pub fn centre(pos: Pos) -> Point {
    pt(
        f32::from(pos.x) * 100.0 + 50.0,
        f32::from(pos.y) * 100.0 + 50.0,
    )
}

/// What part of the board is seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// The middle, in units of the board.
    pub middle: Point,
    /// Units of the board across the smaller side of the window.
    pub across: f32,
}

impl View {
    /// The view that shows everything with room for one more tile round it.
    pub fn fitting(state: &State, aspect: f32) -> View {
        let (nw, se) = state.board().extent().unwrap_or_default();
        let width = (f32::from(se.x) - f32::from(nw.x) + 1.0) * 100.0 + 230.0;
        let height = (f32::from(se.y) - f32::from(nw.y) + 1.0) * 100.0 + 230.0;
        let middle = pt(
            (f32::from(nw.x) + f32::from(se.x) + 1.0) * 50.0,
            (f32::from(nw.y) + f32::from(se.y) + 1.0) * 50.0,
        );
        // The smaller side of the window must show as much as both directions need.
        let across = if aspect >= 1.0 {
            height.max(width / aspect)
        } else {
            width.max(height * aspect)
        };
        View {
            middle,
            across: across.max(500.0),
        }
    }

    /// The `viewBox` for a window of this width over height.
    pub fn view_box(&self, aspect: f32) -> String {
        let (w, h) = if aspect >= 1.0 {
            (self.across * aspect, self.across)
        } else {
            (self.across, self.across / aspect)
        };
        format!(
            "{:.1} {:.1} {:.1} {:.1}",
            self.middle.x - w / 2.0,
            self.middle.y - h / 2.0,
            w,
            h
        )
    }
}

/// The size of an element on the screen.
pub fn size_of(element: &web_sys::Element) -> (f32, f32) {
    let rect = element.get_bounding_client_rect();
    (rect.width() as f32, rect.height() as f32)
}

/// A fragment of SVG.
#[component]
pub fn Fragment(
    #[prop(into)] class: &'static str,
    #[prop(into)] svg: Signal<String>,
) -> impl IntoView {
    view! { <g class=class inner_html=move || svg.get()></g> }
}
