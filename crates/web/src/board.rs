//! The board in the plane: plans and drawings of its tiles, where figures stand, what lies at a point, what is seen.

use std::sync::Arc;

use trencavel_art::board::turn;
use trencavel_art::geometry::{Point, pt};
use trencavel_art::{Plan, figures, tile, tokens};
use trencavel_rules::{
    FeatureKind, Piece, Place, Placed, Pos, Rules, SegId, Shown, State, Target, TileSlot, Token,
};

/// A tile on the board with its drawing.
#[derive(Clone)]
pub(crate) struct Drawn {
    /// What lies there.
    pub(crate) placed: Placed,
    plan: Arc<Plan>,
    /// The fragment that shows it, in place.
    pub(crate) picture: Arc<str>,
}

/// The plans and drawings of the tiles on the board, made once each.
#[derive(Default)]
pub(crate) struct Drawings {
    /// By tile.
    pub(crate) tiles: Vec<Drawn>,
}

/// What lies at a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hit {
    /// A segment.
    Segment(SegId),
    /// A square without a tile.
    Square(Pos),
}

fn placing(placed: &Placed) -> String {
    format!(
        "translate({} {}) rotate({} 50 50)",
        i32::from(placed.pos.x) * 100,
        i32::from(placed.pos.y) * 100,
        placed.rotation.degrees()
    )
}

impl Drawings {
    /// Keeps the drawings that are still right, and draws the others.
    pub(crate) fn catch_up(&mut self, rules: &Rules, state: &State) {
        let tiles = state.board().tiles();
        let right = self
            .tiles
            .iter()
            .zip(tiles)
            .take_while(|(drawn, placed)| drawn.placed == **placed)
            .count();
        self.tiles.truncate(right);
        for (slot, placed) in tiles.iter().enumerate().skip(right) {
            let def = rules.tile(placed.kind);
            let plan = Plan::new(def);
            let quarters = placed.rotation.quarters();
            let picture = format!(
                "<g transform=\"{}\">{}</g>",
                placing(placed),
                tile(def, &plan, quarters, slot as u32)
            );
            self.tiles.push(Drawn {
                placed: *placed,
                plan: Arc::new(plan),
                picture: picture.into(),
            });
        }
    }

    /// Where a figure stands, in units of the board (100 a square).
    pub(crate) fn stand(&self, state: &State, seg: SegId) -> Point {
        let board = state.board();
        let index = usize::from(board.index_on_tile(seg));
        let Some(drawn) = self.tiles.get(board.tile_of(seg).index()) else {
            return pt(0.0, 0.0);
        };
        let p = drawn
            .plan
            .segments
            .get(index)
            .map_or(pt(50.0, 50.0), |s| s.stand);
        let p = turn(p, drawn.placed.rotation.quarters());
        let corner = corner(drawn.placed.pos);
        pt(corner.x + p.x, corner.y + p.y)
    }

    /// Where the tower of a tile is, or else the tile's middle.
    pub(crate) fn tower(&self, slot: TileSlot) -> Point {
        let Some(drawn) = self.tiles.get(slot.index()) else {
            return pt(0.0, 0.0);
        };
        let p = drawn.plan.tower().unwrap_or(pt(50.0, 50.0));
        let p = turn(p, drawn.placed.rotation.quarters());
        let corner = corner(drawn.placed.pos);
        pt(corner.x + p.x, corner.y + p.y)
    }

    /// The outline of a segment as a path, with the transform that puts it there.
    pub(crate) fn area(&self, state: &State, seg: SegId) -> (String, String) {
        let board = state.board();
        let index = usize::from(board.index_on_tile(seg));
        let Some(drawn) = self.tiles.get(board.tile_of(seg).index()) else {
            return Default::default();
        };
        let shape = drawn.plan.segments.get(index);
        let path = shape.map_or(String::new(), |shape| {
            shape.area.iter().map(|area| area.path()).collect()
        });
        (path, placing(&drawn.placed))
    }

    /// What lies at a point of the board.
    pub(crate) fn at(&self, state: &State, p: Point) -> Hit {
        let pos = Pos::new(
            (p.x / 100.0).floor().clamp(-120.0, 120.0) as i8,
            (p.y / 100.0).floor().clamp(-120.0, 120.0) as i8,
        );
        let board = state.board();
        let slot = board.tile_at(pos);
        let (Some(slot), Some(drawn)) = (slot, slot.and_then(|slot| self.tiles.get(slot.index())))
        else {
            return Hit::Square(pos);
        };
        let corner = corner(pos);
        let quarters = (4 - drawn.placed.rotation.quarters()) & 3;
        let p = turn(pt(p.x - corner.x, p.y - corner.y), quarters);
        let rank = |kind: FeatureKind| match kind {
            FeatureKind::Monastery | FeatureKind::Garden | FeatureKind::Hut => 0,
            FeatureKind::Road | FeatureKind::River => 1,
            FeatureKind::City => 2,
            FeatureKind::Field => 3,
        };
        let mut found: Vec<SegId> = board
            .segments_of(slot)
            .filter(|seg| {
                let index = usize::from(board.index_on_tile(*seg));
                let shape = drawn.plan.segments.get(index);
                shape.is_some_and(|shape| shape.area.iter().any(|area| area.contains(p)))
            })
            .collect();
        found.sort_by_key(|seg| rank(board.at(*seg).kind));
        match found.first().copied().or(board.segments_of(slot).next()) {
            Some(seg) => Hit::Segment(seg),
            None => Hit::Square(pos),
        }
    }

    /// Where a figure is drawn; prisoners are not on the board.
    pub(crate) fn spot(&self, state: &State, piece: Piece) -> Option<Point> {
        match piece.spot.place {
            Place::Segment => Some(self.stand(state, SegId(piece.spot.at))),
            Place::TowerTop | Place::Trap => Some(self.tower(TileSlot(piece.spot.at))),
            Place::Corner => Some(corner(Pos::from_bits(piece.spot.at))),
            Place::Prison => None,
        }
    }

    /// Where a target is shown on the board.
    pub(crate) fn target(&self, state: &State, target: Target) -> Option<Point> {
        match target {
            Target::Segment(seg) => Some(self.stand(state, seg)),
            Target::Tile(slot) => Some(centre(state.board().tile(slot).pos)),
            Target::Corner(pos) => Some(corner(pos)),
            Target::Piece(piece) => self.spot(state, piece),
            Target::Square(..) | Target::None | Target::Seat(_) | Target::Number(_) => None,
        }
    }

    /// Towers, figures and neutral figures as one fragment.
    pub(crate) fn figures(&self, rules: &Rules, state: &State) -> String {
        let mut out = String::new();
        let shown = rules.shown(state);
        let board = state.board();
        let mut heights: Vec<(Point, u8)> = Vec::new();
        for thing in &shown {
            if let Shown::OnTile { slot, token, n } = *thing {
                if token == Token::TowerPiece {
                    let p = self.tower(slot);
                    heights.push((p, n));
                    out.push_str(&put(p, &tokens::tower(n)));
                } else {
                    let p = centre(board.tile(slot).pos);
                    let p = pt(p.x + 30.0, p.y + 30.0);
                    out.push_str(&put(p, tokens::token(token)));
                }
            }
        }
        let mut taken: Vec<Point> = Vec::new();
        for piece in state.pieces().iter() {
            let Some(mut p) = self.spot(state, piece) else {
                continue;
            };
            let lying = piece
                .spot
                .as_segment()
                .is_some_and(|seg| board.at(seg).kind == FeatureKind::Field);
            if piece.spot.place == Place::TowerTop {
                let height = heights.iter().find(|(tower, _)| *tower == p);
                p.y -= tokens::STOREY * f32::from(height.map_or(0, |(_, n)| *n)) + 4.0;
            }
            let beside = taken.iter().filter(|q| q.distance(p) < 1.0).count() as f32 * 14.0;
            taken.push(p);
            let drop = if lying { 0.0 } else { 9.0 };
            out.push_str(&put(
                pt(p.x + beside, p.y + drop),
                &figures::figure(piece.kind, piece.seat.0, lying),
            ));
        }
        for thing in &shown {
            if let Shown::Neutral {
                neutral,
                slot,
                with,
            } = *thing
            {
                let p = with.and_then(|piece| self.spot(state, piece)).map_or_else(
                    || {
                        let p = centre(board.tile(slot).pos);
                        pt(p.x + 16.0, p.y + 20.0)
                    },
                    |p| pt(p.x + 15.0, p.y + 11.0),
                );
                out.push_str(&put(p, figures::neutral(neutral)));
            }
        }
        out
    }

    /// All fields, each in a colour and a pattern of its own.
    pub(crate) fn fields(&self, state: &State) -> String {
        let board = state.board();
        let mut out = String::new();
        let fields = board
            .features()
            .filter(|(_, feature)| feature.kind == FeatureKind::Field);
        for (n, (id, _)) in fields.enumerate() {
            for seg in board.members(id) {
                let (path, transform) = self.area(state, seg);
                let class = n % 8;
                out.push_str(&format!(
                    "<g transform=\"{transform}\"><path class=\"fieldcolour f{class}\" d=\"{path}\"/><path fill=\"url(#p{class})\" d=\"{path}\"/></g>"
                ));
            }
        }
        out
    }
}

fn put(p: Point, what: &str) -> String {
    format!(
        "<g transform=\"translate({:.1} {:.1})\">{what}</g>",
        p.x, p.y
    )
}

/// The north-western corner of a square, in units of the board.
pub(crate) fn corner(pos: Pos) -> Point {
    pt(f32::from(pos.x) * 100.0, f32::from(pos.y) * 100.0)
}

/// The middle of a square, in units of the board.
pub(crate) fn centre(pos: Pos) -> Point {
    let p = corner(pos);
    pt(p.x + 50.0, p.y + 50.0)
}

/// What part of the board is seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct View {
    /// The middle, in units of the board.
    pub(crate) middle: Point,
    /// Units of the board across the smaller side of the window.
    pub(crate) across: f32,
}

impl View {
    /// The view that shows everything with room for one more tile round it.
    pub(crate) fn fitting(state: &State, aspect: f32) -> View {
        let (nw, se) = state.board().extent().unwrap_or_default();
        let width = (f32::from(se.x) - f32::from(nw.x) + 1.0) * 100.0 + 220.0;
        let height = (f32::from(se.y) - f32::from(nw.y) + 1.0) * 100.0 + 220.0;
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
            across: across.max(420.0),
        }
    }

    fn size(&self, aspect: f32) -> (f32, f32) {
        if aspect >= 1.0 {
            (self.across * aspect, self.across)
        } else {
            (self.across, self.across / aspect)
        }
    }

    /// The `viewBox` for a window of this width over height.
    pub(crate) fn view_box(&self, aspect: f32) -> String {
        let (w, h) = self.size(aspect);
        format!(
            "{:.1} {:.1} {:.1} {:.1}",
            self.middle.x - w / 2.0,
            self.middle.y - h / 2.0,
            w,
            h
        )
    }

    /// The point of the board at a place of the window, given in shares of its width and height.
    pub(crate) fn point(&self, aspect: f32, x: f32, y: f32) -> Point {
        let (w, h) = self.size(aspect);
        pt(self.middle.x + (x - 0.5) * w, self.middle.y + (y - 0.5) * h)
    }

    /// Nearer or farther by a factor, keeping a point of the board where it is in the window.
    pub(crate) fn zoom(&mut self, factor: f32, keep: Point) {
        let across = (self.across * factor).clamp(200.0, 8000.0);
        let factor = across / self.across;
        self.across = across;
        self.middle = pt(
            keep.x + (self.middle.x - keep.x) * factor,
            keep.y + (self.middle.y - keep.y) * factor,
        );
    }
}
