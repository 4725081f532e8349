//! Where everything lies on a tile: the shapes of its cities, the lines of its roads and rivers, the regions of its fields.
//!
//! Cities, roads and rivers follow from the sides they reach. Fields are what is left: every spot of the ground belongs
//! to the field whose part of the border is nearest by a way over open ground, so the regions are right for any tile.

use trencavel_rules::{FeatureKind, TileDef};

use crate::geometry::{CENTRE, Line, Point, Shape, corner, middle, pt};

/// Half the width of a road, for telling what is beside it.
const ROAD: f32 = 5.5;
/// Half the width of a river.
const RIVER: f32 = 7.5;
/// Squares of the grid on which fields are found, along each side.
const GRID: usize = 50;

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
    /// Whether roads meet in the middle.
    pub crossing: bool,
    /// Roads and rivers that pass over another segment there, as indices.
    pub over: Vec<usize>,
}

fn sides(bits: u8) -> Vec<usize> {
    (0..4).filter(|side| bits & (1 << side) != 0).collect()
}

impl Plan {
    /// The plan of a tile.
    pub fn new(def: &TileDef) -> Plan {
        let mut segments: Vec<SegmentShape> = vec![SegmentShape::default(); def.segments.len()];
        for (i, segment) in def.segments.iter().enumerate() {
            match segment.kind {
                FeatureKind::City => city(&mut segments[i], segment.sides),
                FeatureKind::Road | FeatureKind::River => strip(&mut segments[i], def, i),
                FeatureKind::Field
                | FeatureKind::Monastery
                | FeatureKind::Garden
                | FeatureKind::Hut => {}
            }
        }
        let ends = def
            .segments
            .iter()
            .filter(|s| s.kind == FeatureKind::Road && s.sides.count_ones() == 1)
            .count();
        let centre_is_free = !def.segments.iter().zip(&segments).any(|(s, shape)| {
            s.kind == FeatureKind::City && shape.area.iter().any(|a| a.contains(CENTRE))
        });
        let crossing = ends >= 3 && centre_is_free;
        let over = passing_over(def, &segments);
        let mut plan = Plan {
            segments,
            crossing,
            over,
        };
        plan.find_fields(def);
        plan.place_buildings(def);
        plan.find_stands(def);
        plan
    }

    fn is_open_ground(&self, def: &TileDef, p: Point) -> bool {
        def.segments
            .iter()
            .zip(&self.segments)
            .all(|(segment, shape)| match segment.kind {
                FeatureKind::City => !shape.area.iter().any(|area| area.contains(p)),
                FeatureKind::Road => shape.lines.iter().all(|line| line.distance(p) > ROAD),
                FeatureKind::River => shape.lines.iter().all(|line| line.distance(p) > RIVER),
                _ => true,
            })
    }

    /// Finds the regions of the fields by spreading from their parts of the border over open ground.
    fn find_fields(&mut self, def: &TileDef) {
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
        // The ground under roads and walls goes to the nearest field, so that regions meet under what is drawn on top.
        let everywhere = vec![true; GRID * GRID];
        let mut queue: std::collections::VecDeque<usize> =
            (0..GRID * GRID).filter(|i| owner[*i] != NOBODY).collect();
        let visible = owner.clone();
        spread(&everywhere, &mut owner, &mut queue, NOBODY);
        for (index, segment) in def.segments.iter().enumerate() {
            if segment.kind == FeatureKind::Field {
                let mine: Vec<bool> = visible.iter().map(|o| *o == index as u8).collect();
                self.segments[index].area = outline(&mine, cell);
                self.segments[index].stand = roomiest(&mine, &at);
            }
        }
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
                CENTRE
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

    fn find_stands(&mut self, def: &TileDef) {
        for (i, segment) in def.segments.iter().enumerate() {
            let shape = &self.segments[i];
            let stand = match segment.kind {
                FeatureKind::Road => match (segment.sides.count_ones(), shape.lines.first()) {
                    (1, Some(line)) => line.at(0.42),
                    (2, Some(line)) => {
                        let others = def.segments.iter().enumerate().filter(|(j, s)| {
                            *j != i
                                && matches!(
                                    s.kind,
                                    FeatureKind::Road | FeatureKind::River | FeatureKind::City
                                )
                        });
                        let near = |p: Point| {
                            others
                                .clone()
                                .flat_map(|(j, _)| &self.segments[j].lines)
                                .map(|other| other.distance(p))
                                .fold(f32::INFINITY, f32::min)
                        };
                        let spots = [0.5, 0.3, 0.7, 0.2, 0.8].map(|share| line.at(share));
                        let mut best = spots[0];
                        for spot in spots {
                            if near(spot) > near(best) + 6.0 {
                                best = spot;
                            }
                        }
                        best
                    }
                    (_, Some(line)) => line.at(0.45),
                    (_, None) => CENTRE,
                },
                FeatureKind::River => shape.lines.first().map_or(CENTRE, |line| line.at(0.5)),
                FeatureKind::City => city_stand(segment.sides),
                _ => continue,
            };
            self.segments[i].stand = stand;
        }
    }
}

fn border_cell(half: usize, k: usize) -> usize {
    let first = half % 2 == 0;
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

/// The spot of a region that is farthest from its edge.
fn roomiest(mine: &[bool], at: &dyn Fn(usize) -> Point) -> Point {
    let mut depth = vec![0u16; mine.len()];
    let mut queue = std::collections::VecDeque::new();
    for i in 0..mine.len() {
        let (x, y) = (i % GRID, i / GRID);
        let edge = x == 0 || y == 0 || x + 1 == GRID || y + 1 == GRID;
        if mine[i] && (edge || neighbours(i).any(|n| !mine[n])) {
            depth[i] = 1;
            queue.push_back(i);
        }
    }
    let mut last = None;
    while let Some(i) = queue.pop_front() {
        last = Some(i);
        for n in neighbours(i) {
            if mine[n] && depth[n] == 0 {
                depth[n] = depth[i] + 1;
                queue.push_back(n);
            }
        }
    }
    last.map_or(CENTRE, at)
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

/// The area of a city that reaches these sides, and its inner walls.
fn city(shape: &mut SegmentShape, bits: u8) {
    let on: Vec<usize> = sides(bits);
    if on.len() == 4 {
        shape.area = vec![Shape((0..4).map(corner).collect())];
        return;
    }
    let mut points = Vec::new();
    for (n, side) in on.iter().enumerate() {
        let next = on[(n + 1) % on.len()];
        let gap = (next + 4 - side - 1) % 4;
        points.push(corner(*side));
        points.push(corner(side + 1));
        if gap == 0 && on.len() > 1 {
            continue;
        }
        let wall = wall(
            corner(side + 1),
            corner(next),
            if on.len() == 1 { 3 } else { gap },
        );
        points.extend(wall.0.iter().copied());
        shape.lines.push(wall);
    }
    points.dedup();
    shape.area = vec![Shape(points)];
}

/// The wall of a city from one corner to another, past so many sides that are not the city's.
fn wall(a: Point, b: Point, gap: usize) -> Line {
    let c = CENTRE;
    match gap {
        // A whole side and its corners: the city takes the other three; the wall bends in from that side.
        1 => Line::curve(a, a.towards(c, 0.62), b.towards(c, 0.62), b),
        // Two sides: the wall goes from corner to corner.
        2 => {
            let far = pt(a.x + b.x - c.x, a.y + b.y - c.y);
            let pull = |p: Point| p.towards(far, 0.0).towards(c, 0.55);
            Line::curve(a, pull(a), pull(b), b)
        }
        // Three sides: a city on one side only.
        _ => Line::curve(a, a.towards(c, 0.66), b.towards(c, 0.66), b),
    }
}

fn city_stand(bits: u8) -> Point {
    let on = sides(bits);
    match on.as_slice() {
        [side] => middle(*side).towards(CENTRE, 0.36),
        [a, b] if (b - a) % 2 == 0 => CENTRE,
        [a, b] => {
            let (p, q) = (middle(*a), middle(*b));
            let towards = pt(p.x + q.x - 50.0, p.y + q.y - 50.0);
            CENTRE.towards(towards, 0.42)
        }
        [..] => {
            let missing = (0..4).find(|side| !on.contains(side));
            missing.map_or(CENTRE, |side| CENTRE.towards(middle(side + 2), 0.3))
        }
    }
}

/// The lines of a road or river.
fn strip(shape: &mut SegmentShape, def: &TileDef, index: usize) {
    let segment = &def.segments[index];
    let on = sides(segment.sides);
    shape.lines = match on.as_slice() {
        [] => Vec::new(),
        [side] => {
            let to = if segment.kind == FeatureKind::River {
                0.92
            } else {
                1.0
            };
            vec![Line::straight(
                middle(*side),
                middle(*side).towards(CENTRE, to),
            )]
        }
        [a, b] if (b - a) == 2 => {
            let (p, q) = (middle(*a), middle(*b));
            vec![Line::curve(
                p,
                p.towards(CENTRE, 0.7),
                q.towards(CENTRE, 0.7),
                q,
            )]
        }
        [a, b] => {
            let (p, q) = (middle(*a), middle(*b));
            vec![Line::curve(
                p,
                p.towards(CENTRE, 0.62),
                q.towards(CENTRE, 0.62),
                q,
            )]
        }
        [..] => on
            .iter()
            .map(|side| Line::straight(middle(*side), CENTRE))
            .collect(),
    };
    let half = if segment.kind == FeatureKind::River {
        RIVER
    } else {
        ROAD
    } + 2.0;
    shape.area = shape.lines.iter().map(|line| band(line, half)).collect();
}

/// The area within a distance of a line.
fn band(line: &Line, half: f32) -> Shape {
    let n = line.0.len();
    let normal = |i: usize| {
        let a = line.0[i.saturating_sub(1)];
        let b = line.0[(i + 1).min(n - 1)];
        let d = a.distance(b).max(0.001);
        pt((b.y - a.y) / d, (a.x - b.x) / d)
    };
    let side = |sign: f32| {
        (0..n).map(move |i| {
            let (p, v) = (line.0[i], normal(i));
            pt(p.x + v.x * half * sign, p.y + v.y * half * sign)
        })
    };
    let mut points: Vec<Point> = side(1.0).collect();
    let back: Vec<Point> = side(-1.0).collect();
    points.extend(back.into_iter().rev());
    Shape(points)
}

/// Roads that cross a city, a river or another road without meeting it are drawn over it.
fn passing_over(def: &TileDef, shapes: &[SegmentShape]) -> Vec<usize> {
    let mut over: Vec<usize> = Vec::new();
    for (i, segment) in def.segments.iter().enumerate() {
        if segment.kind != FeatureKind::Road || segment.sides.count_ones() != 2 {
            continue;
        }
        let straight = segment.sides == 0b0101 || segment.sides == 0b1010;
        let crosses = def.segments.iter().enumerate().any(|(j, other)| {
            j != i
                && match other.kind {
                    FeatureKind::City => {
                        straight && shapes[j].area.iter().any(|area| area.contains(CENTRE))
                    }
                    FeatureKind::River => straight && other.sides.count_ones() >= 2,
                    FeatureKind::Road => {
                        straight
                            && other.sides.count_ones() == 2
                            && j < i
                            && other.sides & segment.sides == 0
                            && (other.sides == 0b0101 || other.sides == 0b1010)
                    }
                    _ => false,
                }
        });
        if crosses && !segment.marks.has(trencavel_rules::Marks::TUNNEL) {
            over.push(i);
        }
    }
    over
}
