//! Where everything lies on a tile: the shapes of its cities, the lines of its roads and rivers, the regions of its fields.
//!
//! Cities, roads and rivers follow from the sides they reach. Fields are what is left: every spot of the ground belongs
//! to the field whose part of the border is nearest by a way over open ground, so the regions are right for any tile.
//!
//! Long: each shape of city, road and river that tiles have.

use trencavel_rules::{FeatureKind, Symbols, TileDef};

use crate::geometry::{CENTRE, Line, Point, SIZE, Shape, corner, middle, pt};
use crate::places::{self, Spot, Thing};

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
    /// Whether roads meet in the middle.
    pub crossing: bool,
    /// Roads and rivers that pass over another segment there, as indices.
    pub over: Vec<usize>,
    /// Pennants, marks and symbols.
    pub spots: Vec<Spot>,
}

fn sides(bits: u8) -> Vec<usize> {
    (0..4).filter(|side| bits & (1 << side) != 0).collect()
}

impl Plan {
    /// The plan of a tile.
    pub fn new(def: &TileDef) -> Plan {
        let mut segments: Vec<SegmentShape> = vec![SegmentShape::default(); def.segments.len()];
        let tight = tight_sides(def);
        for (i, segment) in def.segments.iter().enumerate() {
            match segment.kind {
                FeatureKind::City => match (to_corner(def, i), is_crossed(def, i)) {
                    (Some(far), _) => city_to_corner(&mut segments[i], segment.sides, far),
                    (None, true) => crossing_city(&mut segments[i], segment.sides),
                    (None, false) => city(&mut segments[i], segment.sides, tight),
                },
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

/// The sides at which a city stands before another one with a field between them that reaches no border.
fn tight_sides(def: &TileDef) -> u8 {
    let inner = def
        .segments
        .iter()
        .any(|s| s.kind == FeatureKind::Field && s.halves == 0);
    let cities = || {
        let is_city = |s: &&trencavel_rules::SegmentDef| s.kind == FeatureKind::City;
        def.segments.iter().filter(is_city)
    };
    let between = |side: u8| {
        let beside = 1 << ((side + 1) % 4) | 1 << ((side + 3) % 4);
        cities().any(|s| s.sides == 1 << side)
            && cities().any(|s| s.sides & beside == beside && s.sides & (1 << side) == 0)
    };
    (0..4)
        .filter(|side| inner && between(*side))
        .fold(0, |bits, side| bits | 1 << side)
}

/// The corner to which a city on one side reaches, where it parts the field before the neighbouring sides' city from another:
/// the other field does not touch that city.
fn to_corner(def: &TileDef, index: usize) -> Option<usize> {
    let segment = def.segments.get(index)?;
    let side = (0..4).find(|side| segment.sides == 1 << side)?;
    let (ahead, behind) = ([side + 1, side + 2], [side + 3, side + 2]);
    let bits = |pair: [usize; 2]| pair.iter().fold(0u8, |bits, s| bits | 1 << (s % 4));
    let other = def.segments.iter().position(|s| {
        s.kind == FeatureKind::City && (s.sides == bits(ahead) || s.sides == bits(behind))
    })?;
    let fields = || def.segments.iter().filter(|s| s.kind == FeatureKind::Field);
    let touches = |s: &trencavel_rules::SegmentDef, city: usize| s.touches & (1 << city) != 0;
    let parts = fields().any(|s| s.halves == 0 && touches(s, index) && touches(s, other))
        && fields().any(|s| s.halves != 0 && touches(s, index) && !touches(s, other));
    let ahead = def.segments.get(other)?.sides == bits(ahead);
    parts.then_some((if ahead { side + 3 } else { side + 2 }) % 4)
}

/// A city on one side that reaches to a far corner.
fn city_to_corner(shape: &mut SegmentShape, bits: u8, far: usize) {
    let Some(side) = sides(bits).first().copied() else {
        return;
    };
    let (a, b, f) = (corner(side), corner(side + 1), corner(far));
    let bend = |from: Point, to: Point| {
        let pull = |p: Point| p.towards(CENTRE, 0.22);
        Line::curve(
            from,
            pull(from.towards(to, 0.3)),
            pull(from.towards(to, 0.7)),
            to,
        )
    };
    // The wall along the tile's diagonal bends away from the other city, the one along the side into the tile.
    let diagonal = |from: Point, to: Point| {
        let near = if f.distance(a) > f.distance(b) { b } else { a };
        let pull = |p: Point| p.towards(near, 0.3);
        Line::curve(
            from,
            pull(from.towards(to, 0.3)),
            pull(from.towards(to, 0.7)),
            to,
        )
    };
    let is_diagonal = |p: Point| p.distance(f) > SIZE * 1.2;
    let first = if is_diagonal(b) {
        diagonal(b, f)
    } else {
        bend(b, f)
    };
    let second = if is_diagonal(a) {
        diagonal(f, a)
    } else {
        bend(f, a)
    };
    let mut points = vec![a, b];
    points.extend(first.0.iter().copied());
    points.extend(second.0.iter().copied());
    points.dedup();
    shape.lines = vec![first, second];
    shape.area = vec![Shape(points)];
}

/// Whether another city crosses this one, with fields between them.
fn is_crossed(def: &TileDef, index: usize) -> bool {
    let opposite = |bits: u8| bits == 0b0101 || bits == 0b1010;
    let of = def.segments.get(index).map_or(0, |s| s.sides);
    let inner = def
        .segments
        .iter()
        .any(|s| s.kind == FeatureKind::Field && s.halves == 0);
    let crosses = |s: &trencavel_rules::SegmentDef| {
        s.kind == FeatureKind::City && opposite(s.sides) && s.sides & of == 0
    };
    inner && opposite(of) && def.segments.iter().any(crosses)
}

/// A city from side to side across another one: between them a field is left in the north-east and one in the south-west.
fn crossing_city(shape: &mut SegmentShape, bits: u8) {
    let mut points = Vec::new();
    for side in sides(bits) {
        let (a, b) = (side + 1, side + 2);
        // In a corner with a field the wall hurries away from the side that it passes.
        let pull = |index: usize, beside: usize| {
            let p = corner(index);
            if index % 2 == 1 {
                p.towards(corner(beside), 0.5).towards(CENTRE, 0.4)
            } else {
                p.towards(CENTRE, 0.66)
            }
        };
        let wall = Line::curve(corner(a), pull(a, a + 3), pull(b, b + 1), corner(b));
        points.push(corner(side));
        points.push(corner(a));
        points.extend(wall.0.iter().copied());
        shape.lines.push(wall);
    }
    points.dedup();
    shape.area = vec![Shape(points)];
}

/// The area of a city that reaches these sides, and its inner walls.
fn city(shape: &mut SegmentShape, bits: u8, tight: u8) {
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
            match gap {
                1 => tight & (1 << ((side + 1) % 4)) != 0,
                _ => tight & (1 << side) != 0,
            },
        );
        points.extend(wall.0.iter().copied());
        shape.lines.push(wall);
    }
    points.dedup();
    shape.area = vec![Shape(points)];
}

/// The wall of a city from one corner to another, past so many sides that are not the city's.
/// Where it is tight, the wall leaves more room for the field before it.
fn wall(a: Point, b: Point, gap: usize, tight: bool) -> Line {
    let c = CENTRE;
    let bend = |usual: f32, tightly: f32| if tight { tightly } else { usual };
    match gap {
        // A whole side and its corners: the city takes the other three; the wall bends in from that side.
        1 => {
            let bend = bend(0.62, 0.84);
            Line::curve(a, a.towards(c, bend), b.towards(c, bend), b)
        }
        // Two sides: the wall goes from corner to corner, and bends towards the city.
        2 => {
            let inwards = pt((a.y - b.y) * 0.13, (b.x - a.x) * 0.13);
            let pull = |p: Point| {
                let q = p.towards(c, 0.6);
                pt(q.x + inwards.x, q.y + inwards.y)
            };
            Line::curve(a, pull(a), pull(b), b)
        }
        // Three sides: a city on one side only.
        _ => {
            let bend = bend(0.66, 0.42);
            Line::curve(a, a.towards(c, bend), b.towards(c, bend), b)
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
            vec![if segment.kind == FeatureKind::River {
                winding(p, q)
            } else {
                Line::curve(p, p.towards(CENTRE, 0.7), q.towards(CENTRE, 0.7), q)
            }]
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

/// A river from side to side; it is straight where it leaves the tile.
fn winding(p: Point, q: Point) -> Line {
    const STEPS: u8 = 20;
    let points = (0..=STEPS).map(|i| {
        let t = f32::from(i) / f32::from(STEPS);
        let half = (std::f32::consts::PI * t).sin();
        let aside = 0.1 * half * (2.0 * std::f32::consts::PI * t).sin();
        let along = p.towards(q, t);
        pt(along.x + (q.y - p.y) * aside, along.y + (p.x - q.x) * aside)
    });
    Line(points.collect())
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
