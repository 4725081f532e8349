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
    /// By how many quarters the whole board is turned clockwise: what stands upright is drawn for that.
    pub(crate) turned: u8,
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
    pub(crate) fn catch_up(&mut self, rules: &Rules, state: &State, turned: u8) {
        if self.turned != turned {
            self.tiles.clear();
            self.turned = turned;
        }
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
                tile(def, &plan, (quarters + turned) & 3, slot as u32)
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

    /// Where figures are drawn, each by the middle of its drawing.
    pub(crate) fn stood_on(&self, rules: &Rules, state: &State) -> Vec<Point> {
        let pieces = state.pieces().iter();
        let mut out: Vec<Point> = pieces.filter_map(|piece| self.spot(state, piece)).collect();
        out.extend(rules.shown(state).iter().filter_map(|thing| match thing {
            Shown::Neutral { slot, .. } => Some(centre(state.board().tile(*slot).pos)),
            _ => None,
        }));
        out
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
                    out.push_str(&self.put(p, 0.0, 0.0, &tokens::tower(n)));
                } else {
                    let p = centre(board.tile(slot).pos);
                    out.push_str(&self.put(p, 30.0, 30.0, tokens::token(token)));
                }
            }
        }
        let mut taken: Vec<Point> = Vec::new();
        for piece in state.pieces().iter() {
            let Some(p) = self.spot(state, piece) else {
                continue;
            };
            let lying = piece
                .spot
                .as_segment()
                .is_some_and(|seg| board.at(seg).kind == FeatureKind::Field);
            let mut up = 0.0;
            if piece.spot.place == Place::TowerTop {
                let height = heights.iter().find(|(tower, _)| *tower == p);
                up = tokens::STOREY * f32::from(height.map_or(0, |(_, n)| *n)) + 4.0;
            }
            let beside = taken.iter().filter(|q| q.distance(p) < 1.0).count() as f32 * 14.0;
            taken.push(p);
            let drop = if lying { 0.0 } else { 9.0 };
            out.push_str(&self.put(
                p,
                beside,
                drop - up,
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
                let (p, x, y) = match with.and_then(|piece| self.spot(state, piece)) {
                    Some(p) => (p, 15.0, 11.0),
                    None => (centre(board.tile(slot).pos), 16.0, 20.0),
                };
                out.push_str(&self.put(p, x, y, figures::neutral(neutral)));
            }
        }
        out
    }

    /// The areas of a whole feature as one fragment.
    pub(crate) fn feature(&self, state: &State, seg: SegId) -> String {
        let board = state.board();
        let members = board.members(board.feature_of(seg));
        members
            .map(|seg| {
                let (path, transform) = self.area(state, seg);
                format!("<path transform=\"{transform}\" d=\"{path}\"/>")
            })
            .collect()
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

impl Drawings {
    /// Something upright at a point, moved aside as it is seen.
    fn put(&self, p: Point, x: f32, y: f32, what: &str) -> String {
        format!(
            "<g transform=\"{} translate({x:.1} {y:.1})\"><g class=\"grow\">{what}</g></g>",
            upright(p, self.turned)
        )
    }
}

/// How much larger figures are drawn than they are, where a unit of the board has so many pixels: they are seen from far away.
pub(crate) fn grown(unit: f32) -> f32 {
    ((20.0 / (26.0 * unit.max(0.01))).clamp(1.0, 1.7) * 20.0).round() / 20.0
}

/// The transform for what is upright at a point, on a board that is turned.
pub(crate) fn upright(p: Point, turned: u8) -> String {
    match turned & 3 {
        0 => format!("translate({:.1} {:.1})", p.x, p.y),
        t => format!(
            "translate({:.1} {:.1}) rotate(-{})",
            p.x,
            p.y,
            u16::from(t) * 90
        ),
    }
}

/// A point of the board as it lies when the board is turned clockwise round the origin.
pub(crate) fn spun(p: Point, turned: u8) -> Point {
    (0..turned & 3).fold(p, |p, _| pt(-p.y, p.x))
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
    /// By how many quarters the board is turned clockwise.
    pub(crate) turned: u8,
}

impl View {
    /// The view that shows everything with room for one more tile round it.
    /// `below` is the share of the window's height that buttons cover.
    pub(crate) fn fitting(state: &State, aspect: f32, turned: u8, below: f32) -> View {
        let (nw, se) = state.board().extent().unwrap_or_default();
        let width = (f32::from(se.x) - f32::from(nw.x) + 1.0) * 100.0 + 220.0;
        let height = (f32::from(se.y) - f32::from(nw.y) + 1.0) * 100.0 + 220.0;
        let middle = pt(
            (f32::from(nw.x) + f32::from(se.x) + 1.0) * 50.0,
            (f32::from(nw.y) + f32::from(se.y) + 1.0) * 50.0,
        );
        let (width, height) = if turned.is_multiple_of(2) {
            (width, height)
        } else {
            (height, width)
        };
        // The part of the window that is free must show as much as both directions need.
        let wide = width.max(height * aspect / (1.0 - below));
        let across = if aspect >= 1.0 { wide / aspect } else { wide };
        let mut view = View {
            middle,
            across: across.max(420.0),
            turned,
        };
        let down = spun(pt(0.0, view.size(aspect).1 * below / 2.0), (4 - turned) & 3);
        view.middle = pt(middle.x + down.x, middle.y + down.y);
        view
    }

    /// The view that shows everything or, where tiles would be smaller than so many shares of the window's smaller side, the
    /// part of the board with most of what matters. The last of these places matters most.
    pub(crate) fn home(
        state: &State,
        aspect: f32,
        turned: u8,
        below: f32,
        farthest: f32,
        matters: &[Point],
    ) -> View {
        let all = View::fitting(state, aspect, turned, below);
        let Some(last) = matters.last().copied().filter(|_| all.across > farthest) else {
            return all;
        };
        let view = View {
            across: farthest.max(420.0),
            ..all
        };
        let (width, height) = view.size(aspect);
        let height = height * (1.0 - below);
        let (nw, se) = state.board().extent().unwrap_or_default();
        let corners = [corner(nw), pt(corner(se).x + 100.0, corner(se).y + 100.0)];
        let [a, b] = corners.map(|p| spun(p, turned));
        // The window stays over the board and a square round it.
        let within = |at: f32, a: f32, b: f32, size: f32| {
            let (from, to) = (a.min(b) - 110.0, a.max(b) + 110.0);
            if to - from <= size {
                (from + to) / 2.0
            } else {
                at.clamp(from + size / 2.0, to - size / 2.0)
            }
        };
        let seen: Vec<Point> = matters.iter().map(|p| spun(*p, turned)).collect();
        let last = spun(last, turned);
        let (mut best, mut most) = (last, (-1, f32::MIN));
        for p in seen.iter().rev() {
            let at = pt(within(p.x, a.x, b.x, width), within(p.y, a.y, b.y, height));
            let shows = |q: &Point| {
                (q.x - at.x).abs() <= width / 2.0 - 50.0
                    && (q.y - at.y).abs() <= height / 2.0 - 50.0
            };
            let n = seen.iter().filter(|q| shows(q)).count() as i32 + 3 * i32::from(shows(&last));
            let score = (n, -at.distance(last));
            if score.0 > most.0 || score.0 == most.0 && score.1 > most.1 {
                (best, most) = (at, score);
            }
        }
        let below = view.size(aspect).1 * below / 2.0;
        View {
            middle: spun(pt(best.x, best.y + below), (4 - turned) & 3),
            ..view
        }
    }

    /// Units of the board in a window: its north-western corner as it is seen, its width and its height.
    pub(crate) fn window(&self, aspect: f32) -> (Point, f32, f32) {
        let (w, h) = self.size(aspect);
        let middle = spun(self.middle, self.turned);
        (pt(middle.x - w / 2.0, middle.y - h / 2.0), w, h)
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
        let (nw, w, h) = self.window(aspect);
        format!("{:.1} {:.1} {w:.1} {h:.1}", nw.x, nw.y)
    }

    /// The point of the board at a place of the window, given in shares of its width and height.
    pub(crate) fn point(&self, aspect: f32, x: f32, y: f32) -> Point {
        let (w, h) = self.size(aspect);
        let middle = spun(self.middle, self.turned);
        let p = pt(middle.x + (x - 0.5) * w, middle.y + (y - 0.5) * h);
        spun(p, (4 - self.turned) & 3)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_buttons_cover_is_left_free() {
        let rules = Rules::new(&trencavel_rules::Setup::new(
            trencavel_rules::Edition::C2,
            2,
        ))
        .unwrap();
        let state = rules.start();
        for (turned, aspect) in [(0, 1.2), (1, 1.2), (2, 0.8), (3, 0.5)] {
            let view = View::fitting(&state, aspect, turned, 0.25);
            // The start tile's middle is in the middle of what is free.
            let seen = view.point(aspect, 0.5, 0.375);
            assert!(seen.distance(pt(50.0, 50.0)) < 0.5, "{turned}: {seen:?}");
        }
    }

    /// A row of tiles too long for the window: what was laid last is seen, with as many lit squares as can be.
    #[test]
    fn a_long_board_is_seen_where_something_is_to_be_done() {
        let rules = Rules::new(&trencavel_rules::Setup::new(
            trencavel_rules::Edition::C2,
            2,
        ))
        .unwrap();
        let state = rules.start();
        // The start tile alone fits.
        for turned in 0..4 {
            let all = View::fitting(&state, 0.7, turned, 0.1);
            let matters = [pt(50.0, 50.0)];
            assert_eq!(View::home(&state, 0.7, turned, 0.1, 900.0, &matters), all);
            assert_eq!(View::home(&state, 0.7, turned, 0.1, 100.0, &[]), all);
        }
        let view = View::home(&state, 0.5, 0, 0.0, 100.0, &[pt(50.0, 50.0)]);
        assert!(view.across >= 420.0);
    }

    #[test]
    fn a_turned_board_is_pressed_where_it_is_seen() {
        let mut view = View {
            middle: pt(130.0, -40.0),
            across: 600.0,
            turned: 0,
        };
        for turned in 0..4 {
            view.turned = turned;
            assert!(view.point(1.5, 0.5, 0.5).distance(view.middle) < 0.01);
            // A quarter clockwise, what was north is to the right.
            let right = view.point(1.5, 0.6, 0.5);
            let way = pt(right.x - view.middle.x, right.y - view.middle.y);
            let expected = [pt(90.0, 0.0), pt(0.0, -90.0), pt(-90.0, 0.0), pt(0.0, 90.0)];
            assert!(way.distance(expected[usize::from(turned)]) < 0.1, "{way:?}");
        }
    }
}
