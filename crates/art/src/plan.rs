//! Where everything lies on a tile: the shapes of its cities, the lines of its roads and rivers, the regions of its fields.
//!
//! Cities, roads and rivers follow from the sides they reach. Fields are what is left: every spot of the ground belongs
//! to the field whose part of the border is nearest by a way over open ground, so the regions are right for any tile.

use trencavel_rules::{FeatureKind, Symbols, TileDef};

use crate::cities;
use crate::geometry::{CENTRE, Line, Point, Shape, pt};
use crate::places::{self, Spot, Thing};
use crate::ways::{self, End};

/// Half the width of a road, for telling what is beside it.
pub(crate) const ROAD: f32 = 5.5;
/// Half the width of a river.
pub(crate) const RIVER: f32 = 7.5;
/// Half the width of a city's wall.
const WALL: f32 = 1.5;
/// Squares of the grid on which fields are found, along each side.
pub(crate) const GRID: usize = 50;

/// The shape of one segment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SegmentShape {
    /// The area to press and to light up.
    pub area: Vec<Shape>,
    /// The lines along which a road or river runs; the inner walls of a city.
    pub lines: Vec<Line>,
    /// Where a figure stands.
    pub stand: Point,
}

/// Where everything lies on a tile.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// By segment, in the order of the definition.
    pub segments: Vec<SegmentShape>,
    /// What stands where roads end.
    pub ends: Vec<End>,
    /// Roads and rivers that pass over another segment there, as indices.
    pub over: Vec<usize>,
    /// Pennants, marks and symbols.
    pub spots: Vec<Spot>,
}

/// The sides of these bits.
pub(crate) fn sides(bits: u8) -> Vec<usize> {
    (0..4).filter(|side| bits & (1 << side) != 0).collect()
}

impl Plan {
    /// The plan of a tile.
    pub fn new(def: &TileDef) -> Plan {
        let mut segments: Vec<SegmentShape> = vec![SegmentShape::default(); def.segments.len()];
        cities::build(def, &mut segments);
        let (ends, over) = ways::lay(def, &mut segments);
        let mut plan = Plan {
            segments,
            ends,
            over,
            spots: Vec::new(),
        };
        let fields = plan.find_fields(def);
        plan.place_buildings(def);
        places::find(&mut plan, def, &fields);
        plan
    }

    /// Where a symbol of the whole tile is.
    pub fn symbol(&self, symbol: Symbols) -> Option<Point> {
        let mut spots = self.spots.iter();
        spots
            .find(|spot| spot.what == Thing::Symbol(symbol))
            .map(|spot| spot.at)
    }

    /// Where the tower of the tile is.
    pub fn tower(&self) -> Option<Point> {
        self.symbol(Symbols::TOWER)
    }

    fn is_open_ground(&self, def: &TileDef, p: Point) -> bool {
        def.segments
            .iter()
            .zip(&self.segments)
            .all(|(segment, shape)| match segment.kind {
                FeatureKind::City => {
                    // The wall parts fields even where the city behind it is narrower than a square of the grid.
                    !shape.area.iter().any(|area| area.contains(p))
                        && shape.lines.iter().all(|line| line.distance(p) > WALL)
                }
                FeatureKind::Road => shape.lines.iter().all(|line| line.distance(p) > ROAD),
                FeatureKind::River => shape.lines.iter().all(|line| line.distance(p) > RIVER),
                _ => true,
            })
    }

    /// Finds the regions of the fields by spreading from their parts of the border over open ground.
    /// Gives whose every square of visible ground is, by segment.
    fn find_fields(&mut self, def: &TileDef) -> Vec<u8> {
        const NOBODY: u8 = 0xff;
        let cell = crate::geometry::SIZE / GRID as f32;
        let at = |i: usize| {
            pt(
                (i % GRID) as f32 * cell + cell / 2.0,
                (i / GRID) as f32 * cell + cell / 2.0,
            )
        };
        let open: Vec<bool> = (0..GRID * GRID)
            .map(|i| self.is_open_ground(def, at(i)))
            .collect();
        let mut owner = vec![NOBODY; GRID * GRID];
        let mut queue = std::collections::VecDeque::new();
        for (index, segment) in def.segments.iter().enumerate() {
            for half in (0..8).filter(|half| segment.halves & (1 << half) != 0) {
                for k in 0..GRID / 2 {
                    let i = border_cell(half, k);
                    if open[i] && owner[i] == NOBODY {
                        owner[i] = index as u8;
                        queue.push_back(i);
                    }
                }
            }
        }
        spread(&open, &mut owner, &mut queue, NOBODY);
        // Inner fields take the enclosed ground, the largest pieces first.
        let inner: Vec<usize> = def
            .segments
            .iter()
            .enumerate()
            .filter(|(_, s)| s.kind == FeatureKind::Field && s.halves == 0)
            .map(|(i, _)| i)
            .collect();
        let mut pieces: Vec<Vec<usize>> = Vec::new();
        let mut seen = vec![false; GRID * GRID];
        for start in 0..GRID * GRID {
            if !open[start] || owner[start] != NOBODY || seen[start] {
                continue;
            }
            let mut piece = vec![start];
            seen[start] = true;
            let mut next = 0;
            while next < piece.len() {
                for n in neighbours(piece[next]) {
                    if open[n] && owner[n] == NOBODY && !seen[n] {
                        seen[n] = true;
                        piece.push(n);
                    }
                }
                next += 1;
            }
            pieces.push(piece);
        }
        pieces.sort_by_key(|piece| std::cmp::Reverse(piece.len()));
        for (n, piece) in pieces.iter().enumerate() {
            let field = inner.get(n).or_else(|| inner.last());
            for i in piece {
                if let Some(field) = field {
                    owner[*i] = *field as u8;
                }
            }
        }
        for (index, segment) in def.segments.iter().enumerate() {
            if segment.kind == FeatureKind::Field {
                let mine: Vec<bool> = owner.iter().map(|o| *o == index as u8).collect();
                self.segments[index].area = outline(&mine, cell);
            }
        }
        owner
    }

    /// Monasteries, gardens and huts stand where there is room for them.
    fn place_buildings(&mut self, def: &TileDef) {
        let buildings: Vec<usize> = def
            .segments
            .iter()
            .enumerate()
            .filter(|(_, s)| s.kind.is_surrounded())
            .map(|(i, _)| i)
            .collect();
        for i in buildings {
            let kind = def.segments[i].kind;
            let centre = if kind == FeatureKind::Garden {
                self.garden_spot(def)
            } else {
                ways::beside(def).unwrap_or(CENTRE)
            };
            let r = if kind == FeatureKind::Garden {
                13.0
            } else {
                19.0
            };
            let square = Shape(vec![
                pt(centre.x - r, centre.y - r),
                pt(centre.x + r, centre.y - r),
                pt(centre.x + r, centre.y + r),
                pt(centre.x - r, centre.y + r),
            ]);
            self.segments[i].area = vec![square];
            self.segments[i].stand = centre;
        }
    }

    /// The roomiest spot of open ground or, failing that, of a city, away from everything else.
    fn garden_spot(&self, def: &TileDef) -> Point {
        let mut best = (f32::MIN, CENTRE);
        for i in 2..19 {
            for j in 2..19 {
                let p = pt(i as f32 * 5.0, j as f32 * 5.0);
                let border = p.x.min(p.y).min(100.0 - p.x).min(100.0 - p.y);
                let mut room = border;
                for (segment, shape) in def.segments.iter().zip(&self.segments) {
                    let half = match segment.kind {
                        FeatureKind::Road => ROAD,
                        FeatureKind::River => RIVER,
                        FeatureKind::City => 2.0,
                        _ => continue,
                    };
                    for line in &shape.lines {
                        room = room.min(line.distance(p) - half);
                    }
                }
                if !self.is_open_ground(def, p) {
                    room -= 6.0;
                }
                // A garden likes the middle when it does not matter.
                let score = room.min(17.0) - p.distance(CENTRE) * 0.02;
                if score > best.0 {
                    best = (score, p);
                }
            }
        }
        best.1
    }
}

fn border_cell(half: usize, k: usize) -> usize {
    let first = half.is_multiple_of(2);
    let along = if first { k } else { GRID / 2 + k };
    match half / 2 {
        0 => along,
        1 => along * GRID + GRID - 1,
        2 => (GRID - 1) * GRID + (GRID - 1 - along),
        _ => (GRID - 1 - along) * GRID,
    }
}

fn neighbours(i: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (i % GRID, i / GRID);
    [
        (x > 0).then(|| i - 1),
        (x + 1 < GRID).then(|| i + 1),
        (y > 0).then(|| i - GRID),
        (y + 1 < GRID).then(|| i + GRID),
    ]
    .into_iter()
    .flatten()
}

fn spread(
    open: &[bool],
    owner: &mut [u8],
    queue: &mut std::collections::VecDeque<usize>,
    nobody: u8,
) {
    while let Some(i) = queue.pop_front() {
        for n in neighbours(i) {
            if open[n] && owner[n] == nobody {
                owner[n] = owner[i];
                queue.push_back(n);
            }
        }
    }
}

/// The closed outlines of the marked squares of the grid, smoothed.
fn outline(mine: &[bool], cell: f32) -> Vec<Shape> {
    let is = |x: i32, y: i32| {
        let inside = x >= 0 && y >= 0 && x < GRID as i32 && y < GRID as i32;
        inside && mine[y as usize * GRID + x as usize]
    };
    // Directed edges with the region on the right; each start has at most two.
    let mut edges: std::collections::BTreeMap<(i32, i32), Vec<(i32, i32)>> =
        std::collections::BTreeMap::new();
    for y in 0..GRID as i32 {
        for x in 0..GRID as i32 {
            if !is(x, y) {
                continue;
            }
            let mut edge = |a, b| edges.entry(a).or_default().push(b);
            if !is(x, y - 1) {
                edge((x, y), (x + 1, y));
            }
            if !is(x + 1, y) {
                edge((x + 1, y), (x + 1, y + 1));
            }
            if !is(x, y + 1) {
                edge((x + 1, y + 1), (x, y + 1));
            }
            if !is(x - 1, y) {
                edge((x, y + 1), (x, y));
            }
        }
    }
    let mut shapes = Vec::new();
    while let Some(start) = edges.keys().next().copied() {
        let mut points = vec![start];
        let mut here = start;
        while let Some(next) = edges.get_mut(&here).and_then(Vec::pop) {
            if edges.get(&here).is_some_and(Vec::is_empty) {
                edges.remove(&here);
            }
            if next == start {
                break;
            }
            points.push(next);
            here = next;
        }
        if points.len() > 8 {
            shapes.push(Shape(smooth(&points, cell)));
        }
    }
    shapes
}

/// Averages the steps of a grid outline into a line, keeping what lies on the tile's border there.
fn smooth(points: &[(i32, i32)], cell: f32) -> Vec<Point> {
    let n = points.len();
    let last = GRID as i32;
    let mut out = Vec::new();
    for i in 0..n {
        let (x, y) = points[i];
        let on_border = x == 0 || y == 0 || x == last || y == last;
        let p = if on_border {
            pt(x as f32 * cell, y as f32 * cell)
        } else {
            let mut sum = pt(0.0, 0.0);
            for k in 0..5 {
                let (x, y) = points[(i + n + k - 2) % n];
                sum = pt(sum.x + x as f32, sum.y + y as f32);
            }
            pt(sum.x / 5.0 * cell, sum.y / 5.0 * cell)
        };
        out.push(p);
    }
    // Points on a straight line say nothing.
    let mut kept: Vec<Point> = Vec::new();
    for i in 0..out.len() {
        let (a, b, c) = (
            out[(i + out.len() - 1) % out.len()],
            out[i],
            out[(i + 1) % out.len()],
        );
        let bend = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
        if bend.abs() > 0.05 {
            kept.push(b);
        }
    }
    kept
}
