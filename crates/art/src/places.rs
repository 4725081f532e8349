//! Where figures stand on a tile and where its symbols go: each in its own segment, as far as can be from everything else.

use trencavel_rules::{FeatureKind, Marks, Symbols, TileDef};

use crate::geometry::{CENTRE, Point, SIZE, pt};
use crate::plan::{GRID, Plan, RIVER, ROAD};
use crate::ways::EndKind;

/// Half the width of a figure.
pub const FIGURE: f32 = 11.5;

/// Something that is drawn at a place of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thing {
    /// A pennant of a segment.
    Pennant,
    /// What is printed on a segment.
    Mark(Marks),
    /// A symbol of the whole tile.
    Symbol(Symbols),
}

/// A thing with its place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spot {
    /// What.
    pub what: Thing,
    /// The segment, of what belongs to one.
    pub segment: Option<usize>,
    /// Its middle.
    pub at: Point,
    /// Half its width.
    pub radius: f32,
    /// How large it is drawn: smaller where there is little room.
    pub scale: f32,
}

impl Spot {
    /// A thing as large as there is room for it.
    fn fitting(what: Thing, segment: Option<usize>, at: Point, radius: f32, room: f32) -> Spot {
        let scale = ((radius + room) / radius).clamp(0.68, 1.0);
        Spot {
            what,
            segment,
            at,
            radius: radius * scale,
            scale,
        }
    }
}

/// Something that stands there already.
#[derive(Clone, Copy)]
struct Disc {
    at: Point,
    radius: f32,
}

/// The ground of a tile: whose every square of the grid is, and how far it is from whatever is not the same segment's.
struct Ground {
    owner: Vec<Option<usize>>,
    depth: Vec<f32>,
}

/// Whether something may hang over the border of its tile.
#[derive(Clone, Copy)]
enum Hangs {
    Little,
    Never,
}

const CELL: f32 = SIZE / GRID as f32;

/// How much nearer things may come to the border of the tile than to other segments.
const BORDER: f32 = 1.5;

fn at(i: usize) -> Point {
    pt(
        (i % GRID) as f32 * CELL + CELL / 2.0,
        (i / GRID) as f32 * CELL + CELL / 2.0,
    )
}

impl Ground {
    /// From the visible ground of fields, as found for the plan, and the areas of cities.
    fn new(def: &TileDef, plan: &Plan, fields: &[u8]) -> Ground {
        let owner: Vec<Option<usize>> = (0..GRID * GRID)
            .map(|i| {
                let p = at(i);
                let field = fields.get(i).map(|o| usize::from(*o));
                if let Some(field) = field.filter(|o| *o < def.segments.len()) {
                    return Some(field);
                }
                let mut shapes = def.segments.iter().zip(&plan.segments).enumerate();
                let city = shapes.find(|(_, (segment, shape))| {
                    segment.kind == FeatureKind::City
                        && shape.area.iter().any(|area| area.contains(p))
                });
                let under = plan.over.iter().any(|road| {
                    let lines = plan.segments.get(*road).map(|shape| &shape.lines);
                    lines.is_some_and(|lines| lines.iter().any(|line| line.distance(p) < ROAD))
                });
                city.map(|(i, _)| i).filter(|_| !under)
            })
            .collect();
        let depth = depths(&owner);
        Ground { owner, depth }
    }

    /// The best place for a disc, by clearance and by what `likes` adds; `None` where `allowed` has no square.
    fn best(
        &self,
        radius: f32,
        hangs: Hangs,
        discs: &[Disc],
        allowed: impl Fn(usize) -> bool,
        likes: impl Fn(Point) -> f32,
    ) -> Option<(f32, Point)> {
        let mut best: Option<(f32, f32, Point)> = None;
        for i in (0..GRID * GRID).filter(|i| allowed(*i)) {
            let p = at(i);
            let room = self.depth.get(i).copied().unwrap_or(0.0) - radius;
            let room = discs.iter().fold(room, |room, disc| {
                room.min(disc.at.distance(p) - disc.radius - radius)
            });
            // What hangs over the border of the tile is worse than what covers a line on it; what is printed never does.
            let border = p.x.min(p.y).min(SIZE - p.x).min(SIZE - p.y);
            let over = match hangs {
                Hangs::Little => (radius - 3.0 - border).max(0.0),
                Hangs::Never => 4.0 * (radius + 1.0 - border).max(0.0),
            };
            let score = room.min(5.0) + likes(p) - over;
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, room, p));
            }
        }
        best.map(|(_, room, p)| (room, p))
    }
}

/// How far every square is from the nearest of another owner (two sweeps with steps of 1 and √2).
fn depths(owner: &[Option<usize>]) -> Vec<f32> {
    let far = SIZE;
    let neighbours = |i: usize, forward: bool| {
        let (x, y) = ((i % GRID) as i32, (i / GRID) as i32);
        let steps: [(i32, i32, f32); 4] = [
            (-1, 0, CELL),
            (0, -1, CELL),
            (-1, -1, CELL * std::f32::consts::SQRT_2),
            (1, -1, CELL * std::f32::consts::SQRT_2),
        ];
        steps.map(|(dx, dy, way)| {
            let (dx, dy) = if forward { (dx, dy) } else { (-dx, -dy) };
            let (x, y) = (x + dx, y + dy);
            let inside = x >= 0 && y >= 0 && x < GRID as i32 && y < GRID as i32;
            (inside.then(|| y as usize * GRID + x as usize), way)
        })
    };
    let mut depth = vec![far; owner.len()];
    let mut sweep = |i: usize, forward: bool| {
        let mut nearest = depth[i];
        for (n, way) in neighbours(i, forward) {
            let here = match n {
                None => BORDER + CELL / 2.0,
                Some(n) if owner[n] != owner[i] => way / 2.0,
                Some(n) => depth[n] + way,
            };
            nearest = nearest.min(here);
        }
        depth[i] = nearest;
    };
    (0..owner.len()).for_each(|i| sweep(i, true));
    (0..owner.len()).rev().for_each(|i| sweep(i, false));
    depth
}

/// Finds all places of a tile, after its areas and lines are known.
pub(crate) fn find(plan: &mut Plan, def: &TileDef, fields: &[u8]) {
    let ground = Ground::new(def, plan, fields);
    let mut discs = standing(plan, def);
    for (symbol, radius) in [
        (Symbols::LAKE, 27.0),
        (Symbols::TREE, 20.0),
        (Symbols::VOLCANO, 17.0),
    ] {
        if def.symbols.has(symbol) {
            let spot = if symbol == Symbols::VOLCANO {
                let middle = |p: Point| -0.02 * p.distance(CENTRE);
                ground.best(radius, Hangs::Never, &discs, |_| true, middle)
            } else {
                None
            };
            print(plan, &mut discs, symbol, radius, spot);
        }
    }
    stands(plan, def, &ground, &mut discs);
    marks(plan, def, &ground, &mut discs);
    for (symbol, radius) in [
        (Symbols::TOWER, 10.0),
        (Symbols::DRAGON, 11.0),
        (Symbols::PORTAL, 10.0),
        (Symbols::FESTIVAL, 10.0),
    ] {
        if def.symbols.has(symbol) {
            let middle = |p: Point| -0.03 * p.distance(CENTRE);
            let square = plan.ends.iter().find(|end| end.what == EndKind::Square);
            let spot = match square.filter(|_| symbol == Symbols::TOWER) {
                Some(end) => Some((0.0, end.at)),
                None => ground.best(radius, Hangs::Never, &discs, |_| true, middle),
            };
            print(plan, &mut discs, symbol, radius, spot);
        }
    }
}

/// Prints a symbol where there is room for it, else in the middle.
fn print(
    plan: &mut Plan,
    discs: &mut Vec<Disc>,
    symbol: Symbols,
    radius: f32,
    spot: Option<(f32, Point)>,
) {
    let (room, at) = spot.unwrap_or((0.0, CENTRE));
    let spot = Spot::fitting(Thing::Symbol(symbol), None, at, radius, room);
    discs.push(Disc {
        at,
        radius: spot.radius,
    });
    plan.spots.push(spot);
}

/// What stands where it stands: buildings, the village of a crossing, a cathedral, the signs of quadrants.
fn standing(plan: &mut Plan, def: &TileDef) -> Vec<Disc> {
    let mut discs = Vec::new();
    for (i, (segment, shape)) in def.segments.iter().zip(&plan.segments).enumerate() {
        if segment.kind.is_surrounded() {
            let radius = if segment.kind == FeatureKind::Garden {
                13.0
            } else {
                18.0
            };
            discs.push(Disc {
                at: shape.stand,
                radius,
            });
        }
        if segment.marks.has(Marks::CATHEDRAL) {
            let radius = 19.0;
            discs.push(Disc { at: CENTRE, radius });
            plan.spots.push(Spot {
                what: Thing::Mark(Marks::CATHEDRAL),
                segment: Some(i),
                at: CENTRE,
                radius,
                scale: 1.0,
            });
        }
    }
    if let Some(radius) = crate::tile::water(def) {
        discs.push(Disc { at: CENTRE, radius });
    }
    discs.extend(plan.ends.iter().map(|end| Disc {
        at: end.at,
        radius: end.radius(),
    }));
    if def.quadrants.is_some() {
        for at in SIGNS {
            discs.push(Disc { at, radius: 9.0 });
        }
    }
    discs
}

/// Where the signs of quadrants are.
pub(crate) const SIGNS: [Point; 4] = [
    pt(12.5, 12.5),
    pt(87.5, 12.5),
    pt(87.5, 87.5),
    pt(12.5, 87.5),
];

/// Places for figures, those with the least room first.
fn stands(plan: &mut Plan, def: &TileDef, ground: &Ground, discs: &mut Vec<Disc>) {
    let mut todo: Vec<(f32, usize)> = Vec::new();
    for (i, segment) in def.segments.iter().enumerate() {
        if segment.kind.is_surrounded() {
            continue;
        }
        let room = stand(plan, def, ground, discs, i).map_or(f32::MIN, |(room, _)| room);
        todo.push((room, i));
    }
    todo.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, i) in todo {
        if let Some((_, at)) = stand(plan, def, ground, discs, i) {
            plan.segments[i].stand = at;
            // A river takes no figure, so nothing has to keep away from it.
            if def.segments[i].kind != FeatureKind::River {
                discs.push(Disc { at, radius: FIGURE });
            }
        }
    }
}

fn stand(
    plan: &Plan,
    def: &TileDef,
    ground: &Ground,
    discs: &[Disc],
    index: usize,
) -> Option<(f32, Point)> {
    let segment = def.segments.get(index)?;
    match segment.kind {
        FeatureKind::Road | FeatureKind::River => on_line(plan, def, discs, index),
        FeatureKind::City | FeatureKind::Field => {
            let mine = |i: usize| ground.owner.get(i) == Some(&Some(index));
            // Where there is room enough, towards the sides of the segment, so that the middle stays free for others.
            let sides: Vec<Point> = (0..4)
                .filter(|side| segment.sides & (1 << side) != 0)
                .map(|side| crate::geometry::middle(side).towards(CENTRE, 0.45))
                .collect();
            let likes = |p: Point| {
                let away = sides.iter().map(|q| q.distance(p)).reduce(f32::min);
                away.map_or(-0.012 * p.distance(CENTRE), |away| -0.02 * away)
            };
            ground.best(FIGURE, Hangs::Little, discs, mine, likes)
        }
        FeatureKind::Monastery | FeatureKind::Garden | FeatureKind::Hut => None,
    }
}

/// The best place on the line of a road, away from what it meets and from the tile's border.
fn on_line(plan: &Plan, def: &TileDef, discs: &[Disc], index: usize) -> Option<(f32, Point)> {
    let lines = &plan.segments.get(index)?.lines;
    let mut best: Option<(f32, f32, Point)> = None;
    for line in lines {
        for k in 1..20u8 {
            let share = f32::from(k) / 20.0;
            let p = line.at(share);
            let border = p.x.min(p.y).min(SIZE - p.x).min(SIZE - p.y) + BORDER - FIGURE;
            let mut room = discs.iter().fold(border, |room, disc| {
                room.min(disc.at.distance(p) - disc.radius - FIGURE)
            });
            for (j, (other, shape)) in def.segments.iter().zip(&plan.segments).enumerate() {
                let half = match other.kind {
                    FeatureKind::Road => ROAD,
                    FeatureKind::River => RIVER,
                    FeatureKind::City => 2.0,
                    _ => continue,
                };
                if j != index {
                    for line in &shape.lines {
                        room = room.min(line.distance(p) - half - FIGURE);
                    }
                }
            }
            let score = room.min(3.0) - (share - 0.5).abs();
            if best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, room, p));
            }
        }
    }
    best.map(|(_, room, p)| (room, p))
}

/// Places for what is printed on segments.
fn marks(plan: &mut Plan, def: &TileDef, ground: &Ground, discs: &mut Vec<Disc>) {
    for (index, segment) in def.segments.iter().enumerate() {
        let mut things: Vec<(Thing, f32)> = Vec::new();
        for _ in 0..segment.pennants {
            things.push((Thing::Pennant, 7.0));
        }
        if segment.marks.has(Marks::PRINCESS) {
            things.push((Thing::Mark(Marks::PRINCESS), 11.0));
        }
        for mark in [Marks::WINE, Marks::GRAIN, Marks::CLOTH] {
            if segment.marks.has(mark) {
                things.push((Thing::Mark(mark), 9.0));
            }
        }
        if segment.marks.has(Marks::PIG_HERD) {
            things.push((Thing::Mark(Marks::PIG_HERD), 9.0));
        }
        if segment.marks.has(Marks::INN) {
            things.push((Thing::Mark(Marks::INN), 10.0));
        }
        for (what, radius) in things {
            let place = if what == Thing::Mark(Marks::INN) {
                let lines = plan.segments[index].lines.clone();
                let beside = |p: Point| {
                    let away = lines.iter().map(|line| line.distance(p));
                    let away = away.fold(f32::INFINITY, f32::min);
                    -0.6 * (away - ROAD - radius).abs()
                };
                let field = |i: usize| {
                    let owner = ground.owner.get(i).copied().flatten();
                    owner.is_some_and(|o| def.segments[o].kind == FeatureKind::Field)
                };
                ground.best(radius, Hangs::Never, discs, field, beside)
            } else {
                let mine = |i: usize| ground.owner.get(i) == Some(&Some(index));
                let corner = |p: Point| 0.015 * p.distance(CENTRE);
                ground.best(radius, Hangs::Never, discs, mine, corner)
            };
            let Some((room, at)) = place else { continue };
            let spot = Spot::fitting(what, Some(index), at, radius, room);
            discs.push(Disc {
                at,
                radius: spot.radius,
            });
            plan.spots.push(spot);
        }
    }
}
