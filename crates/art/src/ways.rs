//! The lines of roads and rivers, and what stands where they end: gates, villages, farms, the mouths of tunnels.

use trencavel_rules::{FeatureKind, Marks, SegmentDef, Symbols, TileDef};

use crate::geometry::{CENTRE, Line, Point, Shape, middle, pt};
use crate::plan::{RIVER, ROAD, SegmentShape, sides};

/// What stands where a road ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndKind {
    /// Houses where roads meet.
    Village,
    /// A place where roads meet, with room for the foot of a tower.
    Square,
    /// A farm at the end of a road that leads nowhere else.
    Farm,
    /// A gate in the wall of a city.
    Gate,
    /// A hill with the mouths of tunnels.
    Hill,
    /// The mouth of a tunnel in it.
    Mouth,
}

/// Something at the end of a road.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct End {
    /// What.
    pub what: EndKind,
    /// Its middle.
    pub at: Point,
}

impl End {
    /// Half its width.
    pub fn radius(&self) -> f32 {
        match self.what {
            EndKind::Village => 9.0,
            EndKind::Square => 10.0,
            EndKind::Farm => 7.5,
            EndKind::Gate | EndKind::Mouth => 5.0,
            EndKind::Hill => 15.0,
        }
    }
}

/// Where a road or river that ends on the tile is going.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Middle,
    City(usize),
}

/// How far from the middle of a hill its tunnels open.
const MOUTH: f32 = 12.0;

fn is_way(segment: &SegmentDef) -> bool {
    matches!(segment.kind, FeatureKind::Road | FeatureKind::River)
}

fn ends_here(segment: &SegmentDef) -> bool {
    is_way(segment) && segment.sides.count_ones() == 1
}

/// Lays the roads and rivers of a tile whose cities are there, and gives what stands at their ends and the segments that
/// pass over others.
pub(crate) fn lay(def: &TileDef, shapes: &mut [SegmentShape]) -> (Vec<End>, Vec<usize>) {
    let over = passing_over(def, shapes);
    let goals: Vec<Goal> = (0..def.segments.len()).map(|i| goal(def, i)).collect();
    let mut ends = Vec::new();
    let cities: Vec<Shape> = (def.segments.iter().zip(shapes.iter()))
        .filter(|(segment, _)| segment.kind == FeatureKind::City)
        .flat_map(|(_, shape)| shape.area.iter().cloned())
        .collect();
    for (i, segment) in def.segments.iter().enumerate() {
        if !is_way(segment) {
            continue;
        }
        let is_road = segment.kind == FeatureKind::Road;
        let mut lines = match (ends_here(segment), goals[i]) {
            (true, Goal::City(city)) => {
                let alone = (0..goals.len())
                    .filter(|j| ends_here(&def.segments[*j]) && goals[*j] == goals[i])
                    .count()
                    == 1;
                vec![to_city(segment.sides, &shapes[city], alone)]
            }
            (true, Goal::Middle) => {
                let mut lines = vec![to_middle(segment)];
                lines.extend(stub(def, shapes, i));
                lines
            }
            (false, _) => through(def, segment),
        };
        if !over.contains(&i) || ends_here(segment) {
            lines = lines
                .iter()
                .flat_map(|line| line.outside(&cities))
                .collect();
        }
        if is_road {
            for line in &lines {
                for p in [line.0.first(), line.0.last()].into_iter().flatten() {
                    let inside = p.x > 1.0 && p.y > 1.0 && p.x < 99.0 && p.y < 99.0;
                    if inside && p.distance(CENTRE) > 1.0 {
                        ends.push(End {
                            what: EndKind::Gate,
                            at: *p,
                        });
                    }
                }
            }
        }
        lines.iter_mut().for_each(Line::leave_straight);
        let half = if is_road { ROAD } else { RIVER } + 2.0;
        shapes[i].area = lines.iter().map(|line| line.band(half)).collect();
        shapes[i].lines = lines;
    }
    ends.extend(in_the_middle(def, shapes, &goals));
    (ends, over)
}

/// What stands in the middle, where roads end there.
fn in_the_middle(def: &TileDef, shapes: &[SegmentShape], goals: &[Goal]) -> Vec<End> {
    let at = |what: EndKind, at: Point| End { what, at };
    let roads = || {
        let all = def.segments.iter().zip(shapes).zip(goals);
        all.filter(|((segment, shape), _)| {
            segment.kind == FeatureKind::Road
                && shape.lines.iter().any(|line| line.distance(CENTRE) < 1.0)
        })
    };
    let ending: Vec<&SegmentDef> = roads()
        .filter(|((segment, _), goal)| ends_here(segment) && **goal == Goal::Middle)
        .map(|((segment, _), _)| segment)
        .collect();
    let built = def
        .segments
        .iter()
        .any(|s| matches!(s.kind, FeatureKind::Monastery | FeatureKind::Hut))
        || crate::tile::water(def).is_some();
    let Some(first) = ending.first().filter(|_| !built) else {
        return Vec::new();
    };
    if ending.iter().any(|s| s.marks.has(Marks::TUNNEL)) {
        let mouths = ending.iter().filter(|s| s.marks.has(Marks::TUNNEL));
        let mouths = mouths.flat_map(|s| sides(s.sides)).map(|side| {
            let share = MOUTH / CENTRE.distance(middle(side));
            at(EndKind::Mouth, CENTRE.towards(middle(side), share))
        });
        return [at(EndKind::Hill, CENTRE)]
            .into_iter()
            .chain(mouths)
            .collect();
    }
    match (roads().count(), ending.len()) {
        (1, _) => vec![at(EndKind::Farm, CENTRE)],
        // Where the others are one road, a house parts the one that ends from it.
        (_, 1) if roads().any(|((s, _), _)| s.sides.count_ones() > 2) => {
            let side = sides(first.sides).first().copied().unwrap_or(0);
            vec![at(EndKind::Farm, CENTRE.towards(middle(side), 0.3))]
        }
        _ if def.symbols.has(Symbols::TOWER) => vec![at(EndKind::Square, CENTRE)],
        _ => vec![at(EndKind::Village, CENTRE)],
    }
}

/// Where a road or river is going that ends on the tile.
fn goal(def: &TileDef, index: usize) -> Goal {
    let segment = &def.segments[index];
    if !ends_here(segment) {
        return Goal::Middle;
    }
    let linked = |kind: FeatureKind| {
        let all = def.segments.iter().enumerate();
        all.filter(move |(j, other)| {
            *j != index && other.kind == kind && other.links & segment.links != 0
        })
        .map(|(j, _)| j)
    };
    if segment.links != 0 {
        let meets = linked(FeatureKind::Road).next().is_some()
            || linked(FeatureKind::Monastery).next().is_some();
        return match linked(FeatureKind::City).next() {
            Some(city) if !meets => Goal::City(city),
            _ => Goal::Middle,
        };
    }
    if segment.marks.has(Marks::TUNNEL) {
        return Goal::Middle;
    }
    // Nothing says where it goes; but where the fields on its sides are two, it comes to a city that both touch.
    let side = segment.sides.trailing_zeros();
    let field = |half: u32| {
        let bit = 1u8 << half;
        def.segments.iter().position(|s| s.halves & bit != 0)
    };
    match (field(2 * side), field(2 * side + 1)) {
        (Some(left), Some(right)) if left != right => {
            let both = def.segments[left].touches & def.segments[right].touches;
            if both == 0 {
                Goal::Middle
            } else {
                Goal::City(both.trailing_zeros() as usize)
            }
        }
        _ => Goal::Middle,
    }
}

fn to_middle(segment: &SegmentDef) -> Line {
    let from = sides(segment.sides).first().map_or(CENTRE, |s| middle(*s));
    let share = if segment.kind == FeatureKind::River {
        0.92
    } else {
        1.0
    };
    Line::straight(from, from.towards(CENTRE, share))
}

/// From the middle on to a city: where several roads and cities are linked, the first road has the way to the first city.
fn stub(def: &TileDef, shapes: &[SegmentShape], index: usize) -> Option<Line> {
    let segment = &def.segments[index];
    let of_kind = |kind: FeatureKind| {
        let all = def.segments.iter().enumerate();
        all.filter(move |(_, s)| s.kind == kind && s.links & segment.links != 0)
            .map(|(j, _)| j)
    };
    if of_kind(FeatureKind::Monastery).next().is_some() {
        return None;
    }
    let place = of_kind(FeatureKind::Road).position(|j| j == index)?;
    let city = of_kind(FeatureKind::City).nth(place)?;
    Some(Line::straight(CENTRE, nearest(&shapes[city], CENTRE)?))
}

/// The point of a city's walls that is nearest, but for the ends of the walls.
fn nearest(city: &SegmentShape, to: Point) -> Option<Point> {
    let shares = (0..=20u8).map(|k| 0.32 + 0.018 * f32::from(k));
    let points = city
        .lines
        .iter()
        .flat_map(|line| shares.clone().map(|share| line.at(share)));
    points.min_by(|p, q| p.distance(to).total_cmp(&q.distance(to)))
}

/// The way to the wall of a city: straight on if it is there and no other road's way, or else in a bend.
fn to_city(bits: u8, city: &SegmentShape, alone: bool) -> Line {
    let from = sides(bits).first().map_or(CENTRE, |side| middle(*side));
    let on = (1..100u8).map(|k| from.towards(CENTRE, f32::from(k) / 50.0));
    let hit = on
        .enumerate()
        .find(|(_, p)| city.area.iter().any(|area| area.contains(*p)));
    if let Some((_, p)) = hit.filter(|(k, _)| alone || *k < 50) {
        return Line::straight(from, p);
    }
    let Some(to) = nearest(city, from.towards(CENTRE, 0.6)) else {
        return Line::straight(from, CENTRE);
    };
    // It comes to the wall from the front.
    let front = to.towards(CENTRE, 0.55);
    Line::curve(
        from,
        from.towards(CENTRE, 0.55),
        front,
        to.towards(front, -0.06),
    )
}

/// The lines of a road or river that joins several sides.
fn through(def: &TileDef, segment: &SegmentDef) -> Vec<Line> {
    let is_river = segment.kind == FeatureKind::River;
    match sides(segment.sides).as_slice() {
        [] => Vec::new(),
        [a, b] if (b - a) == 2 => {
            let (p, q) = (middle(*a), middle(*b));
            vec![if !is_river {
                Line::curve(p, p.towards(CENTRE, 0.7), q.towards(CENTRE, 0.7), q)
            } else if beside(def).is_some() {
                // It goes round what stands there, to the north or the west.
                round(p, q)
            } else {
                winding(p, q)
            }]
        }
        [a, b] => {
            let (p, q) = (middle(*a), middle(*b));
            let pull = |p: Point| p.towards(CENTRE, 0.62);
            vec![Line::curve(p, pull(p), pull(q), q)]
        }
        on => on
            .iter()
            .map(|side| Line::straight(middle(*side), CENTRE))
            .collect(),
    }
}

/// Where a building stands if a river passes the middle of its tile: on the side where a road comes to it, or in the south.
pub(crate) fn beside(def: &TileDef) -> Option<Point> {
    let river = def
        .segments
        .iter()
        .find(|s| s.kind == FeatureKind::River && matches!(s.sides, 0b0101 | 0b1010))?;
    let built = |s: &SegmentDef| matches!(s.kind, FeatureKind::Monastery | FeatureKind::Hut);
    def.segments.iter().find(|s| built(s))?;
    Some(if river.sides == 0b1010 {
        pt(50.0, 61.0)
    } else {
        pt(61.0, 50.0)
    })
}

/// A river round what stands in the middle of its tile.
fn round(p: Point, q: Point) -> Line {
    let points = (0..=24u8).map(|i| {
        let t = f32::from(i) / 24.0;
        let along = p.towards(q, t);
        let aside = 33.0 * (std::f32::consts::PI * t).sin().powi(2);
        if p.y == q.y {
            pt(along.x, along.y - aside)
        } else {
            pt(along.x - aside, along.y)
        }
    });
    Line(points.collect())
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

/// Roads that cross a city, a river or another road without meeting it are drawn over it.
fn passing_over(def: &TileDef, shapes: &[SegmentShape]) -> Vec<usize> {
    let straight = |sides: u8| sides == 0b0101 || sides == 0b1010;
    let crosses = |i: usize, segment: &SegmentDef| {
        def.segments
            .iter()
            .enumerate()
            .any(|(j, other)| match other.kind {
                FeatureKind::City => {
                    let in_middle = shapes[j].area.iter().any(|area| area.contains(CENTRE));
                    straight(segment.sides) && in_middle
                }
                FeatureKind::River => {
                    let on_way = straight(segment.sides)
                        || ends_here(segment) && matches!(goal(def, i), Goal::City(_));
                    on_way && straight(other.sides) && other.sides & segment.sides == 0
                }
                FeatureKind::Road => {
                    straight(segment.sides)
                        && straight(other.sides)
                        && j < i
                        && other.sides & segment.sides == 0
                }
                _ => false,
            })
    };
    let all = def.segments.iter().enumerate();
    all.filter(|(_, segment)| {
        segment.kind == FeatureKind::Road && !segment.marks.has(Marks::TUNNEL)
    })
    .filter(|(i, segment)| crosses(*i, segment))
    .map(|(i, _)| i)
    .collect()
}
