//! The shapes of cities: what they cover, and where their walls run.

use trencavel_rules::{FeatureKind, TileDef};

use crate::geometry::{CENTRE, Line, Point, SIZE, Shape, corner, middle, pt};
use crate::plan::{SegmentShape, sides};

/// Finds the shapes of all cities of a tile.
pub(crate) fn build(def: &TileDef, shapes: &mut [SegmentShape]) {
    let tight = tight_sides(def);
    // Where a road or river comes in, there have to be fields on both of its sides.
    let ways = (def.segments.iter())
        .filter(|s| matches!(s.kind, FeatureKind::Road | FeatureKind::River))
        .fold(0, |bits, s| bits | s.sides);
    for (i, (segment, shape)) in def.segments.iter().zip(shapes).enumerate() {
        if segment.kind == FeatureKind::City {
            match (to_corner(def, i), is_crossed(def, i)) {
                (Some(far), _) => city_to_corner(shape, segment.sides, far),
                (None, true) => crossing_city(shape, segment.sides),
                (None, false) => city(shape, segment.sides, &tongues(def, i), tight, ways),
            }
        }
    }
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
    let bent = |from: Point, to: Point, towards: Point, share: f32| {
        let pull = |p: Point| p.towards(towards, share);
        Line::curve(
            from,
            pull(from.towards(to, 0.3)),
            pull(from.towards(to, 0.7)),
            to,
        )
    };
    let bend = |from: Point, to: Point| bent(from, to, CENTRE, 0.22);
    // The wall along the tile's diagonal bends away from the other city, the one along the side into the tile.
    let diagonal = |from: Point, to: Point| {
        let near = if f.distance(a) > f.distance(b) { b } else { a };
        bent(from, to, near, 0.3)
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

/// The area of a city that reaches these sides and, with its wall only, these points of the border, and its inner walls.
fn city(shape: &mut SegmentShape, bits: u8, tongues: &[usize], tight: u8, ways: u8) {
    let on: Vec<usize> = sides(bits);
    if on.len() == 4 {
        shape.area = vec![Shape((0..4).map(corner).collect())];
        return;
    }
    // Stretches of the border in halves of sides, clockwise.
    let whole = on.iter().map(|side| (2 * side, 2 * side + 2));
    let mut stretches: Vec<(usize, usize)> =
        whole.chain(tongues.iter().map(|q| (*q, *q))).collect();
    stretches.sort_unstable();
    let mut points = Vec::new();
    for (n, (from, to)) in stretches.iter().copied().enumerate() {
        let next = stretches[(n + 1) % stretches.len()].0;
        let gap = (next + 8 - to) % 8;
        points.push(on_border(from));
        points.push(on_border(to));
        if gap == 0 {
            continue;
        }
        let passed = 1 << (to / 2 % 4);
        let depth = match gap {
            2 if tight & passed != 0 => 1.2,
            2 if ways & passed != 0 => 0.84,
            2 => 0.62,
            6 if tight & (1 << (from / 2 % 4)) != 0 => 0.6,
            _ => 0.66,
        };
        let wall = wall(on_border(to), on_border(next), gap, depth);
        points.extend(wall.0.iter().copied());
        shape.lines.push(wall);
    }
    points.dedup();
    shape.area = vec![Shape(points)];
}

/// A point of the border, so many halves of sides from the north-western corner, clockwise.
fn on_border(halves: usize) -> Point {
    if halves.is_multiple_of(2) {
        corner(halves / 2)
    } else {
        middle(halves / 2)
    }
}

/// The points of the border to which the wall of a city comes although it does not take up a side there: two fields that
/// touch the city part at a corner, or at the middle of a side, where nothing else parts them.
fn tongues(def: &TileDef, index: usize) -> Vec<usize> {
    let field = |half: usize| {
        let bit = 1u8 << (half % 8);
        def.segments.iter().position(|s| s.halves & bit != 0)
    };
    let parts = |q: &usize| {
        let (Some(before), Some(after)) = (field(q + 7), field(*q)) else {
            return false;
        };
        let side = 1u8 << (q / 2);
        let taken = !q.is_multiple_of(2) && def.segments.iter().any(|s| s.sides & side != 0);
        let both = def.segments[before].touches & def.segments[after].touches;
        before != after && !taken && both != 0 && both.trailing_zeros() as usize == index
    };
    (0..8).filter(parts).collect()
}

/// The wall of a city from one point of the border to another, past so many halves of sides that are not the city's.
/// The depth says how far into the tile a wall comes that leads back to the side where it began.
fn wall(a: Point, b: Point, gap: usize, depth: f32) -> Line {
    let c = CENTRE;
    match gap {
        // Two sides: the wall goes from corner to corner, and bends towards the city.
        4 => {
            let inwards = pt((a.y - b.y) * 0.13, (b.x - a.x) * 0.13);
            let pull = |p: Point| {
                let q = p.towards(c, 0.6);
                pt(q.x + inwards.x, q.y + inwards.y)
            };
            Line::curve(a, pull(a), pull(b), b)
        }
        _ => Line::curve(a, a.towards(c, depth), b.towards(c, depth), b),
    }
}
