//! What is drawn is what the rules say is there: at every side of every tile, and where figures stand.

use trencavel_art::geometry::{Point, corner, middle, pt};
use trencavel_art::{Plan, Theme, tile, tile_svg};
use trencavel_rules::{FeatureKind, SegmentDef, TILES, TileDef};

/// The segment whose drawing is seen at a point: lines before areas, what passes over before what it passes.
fn drawn_at(def: &TileDef, plan: &Plan, p: Point) -> Option<usize> {
    let shapes = || def.segments.iter().zip(&plan.segments).enumerate();
    let on_line = |i: usize, half: f32| {
        let lines = &plan.segments[i].lines;
        lines.iter().any(|line| line.distance(p) < half)
    };
    let over = plan.over.iter().copied().find(|i| on_line(*i, 4.0));
    over.or_else(|| {
        let find = |kind: FeatureKind| {
            shapes().position(|(i, (segment, shape))| {
                segment.kind == kind
                    && match kind {
                        FeatureKind::Road => on_line(i, 4.0),
                        FeatureKind::River => on_line(i, 7.0),
                        _ => shape.area.iter().any(|area| area.contains(p)),
                    }
            })
        };
        [
            FeatureKind::City,
            FeatureKind::Road,
            FeatureKind::River,
            FeatureKind::Field,
        ]
        .into_iter()
        .find_map(find)
    })
}

/// A point just inside the tile on a side, so far along it clockwise.
fn beside(side: usize, share: f32) -> Point {
    let p = corner(side).towards(corner(side + 1), share);
    p.towards(pt(50.0, 50.0), 0.02)
}

#[test]
fn every_side_shows_what_the_rules_say() {
    for def in TILES {
        let plan = Plan::new(def);
        for side in 0..4 {
            let of_side = |s: &SegmentDef| s.sides & (1 << side) != 0;
            let expected = def.segments.iter().position(of_side);
            let seen = drawn_at(def, &plan, middle(side).towards(pt(50.0, 50.0), 0.02));
            if expected.is_some() {
                assert_eq!(seen, expected, "{}: the middle of side {side}", def.id);
            }
            let is_city = expected.is_some_and(|i| def.segments[i].kind == FeatureKind::City);
            for (half, share) in [(0, 0.25), (1, 0.75)] {
                let bit = 1u8 << (2 * side + half);
                let field = def.segments.iter().position(|s| s.halves & bit != 0);
                let expected = if is_city { expected } else { field };
                let seen = drawn_at(def, &plan, beside(side, share));
                if expected.is_some() {
                    assert_eq!(seen, expected, "{}: side {side}, half {half}", def.id);
                }
            }
        }
    }
}

#[test]
fn nothing_leaves_the_tile() {
    for def in TILES {
        for (i, shape) in Plan::new(def).segments.iter().enumerate() {
            let lines = shape.lines.iter().flat_map(|line| &line.0);
            for p in lines.chain([&shape.stand]) {
                let inside = (0.0..=100.0).contains(&p.x) && (0.0..=100.0).contains(&p.y);
                assert!(inside, "{}: segment {i} at {p:?}", def.id);
            }
        }
    }
}

/// Every figure stands in its own segment, and no two stand on each other.
#[test]
fn figures_stand_in_their_segments_and_apart() {
    for def in TILES {
        let plan = Plan::new(def);
        let claimable = || {
            let shapes = def.segments.iter().zip(&plan.segments);
            shapes.filter(|(segment, _)| segment.kind != FeatureKind::River)
        };
        for (segment, shape) in claimable() {
            let inside = match segment.kind {
                FeatureKind::Road => shape.lines.iter().any(|l| l.distance(shape.stand) < 1.0),
                _ => shape.area.iter().any(|area| area.contains(shape.stand)),
            };
            assert!(
                inside,
                "{}: {:?} at {:?}",
                def.id, segment.kind, shape.stand
            );
            let of_building = segment.kind.is_surrounded();
            for (other, else_where) in claimable() {
                if std::ptr::eq(segment, other) {
                    continue;
                }
                let apart = shape.stand.distance(else_where.stand);
                // Narrow corners leave little room, but a building is never stood upon.
                let least = if of_building || other.kind.is_surrounded() {
                    18.0
                } else {
                    9.0
                };
                assert!(
                    apart >= least,
                    "{}: {:?} at {:?} and {:?} at {:?}",
                    def.id,
                    segment.kind,
                    shape.stand,
                    other.kind,
                    else_where.stand
                );
            }
        }
    }
}

/// A field that reaches no border has ground of its own.
#[test]
fn every_field_has_ground() {
    for def in TILES {
        let plan = Plan::new(def);
        for (segment, shape) in def.segments.iter().zip(&plan.segments) {
            if segment.kind == FeatureKind::Field {
                assert!(!shape.area.is_empty(), "{}: a field without ground", def.id);
            }
        }
    }
}

#[test]
fn every_tile_has_a_picture_in_every_theme() {
    for def in TILES {
        for theme in Theme::ALL {
            let svg = tile_svg(def, 1, 3, theme);
            assert!(
                svg.starts_with("<svg") && svg.ends_with("</svg>"),
                "{}",
                def.id
            );
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", def.id);
        }
    }
}

/// Two alike tiles are drawn alike, but not stamped: the grain follows the number only.
#[test]
fn a_drawing_depends_on_its_number_only() {
    let def = &TILES[0];
    let plan = Plan::new(def);
    assert_eq!(tile(def, &plan, 0, 5), tile(def, &Plan::new(def), 0, 5));
    assert_ne!(tile(def, &plan, 0, 5), tile(def, &plan, 0, 6));
}

/// Walls, roads and rivers are drawn on the tile only, and leave it square to its border.
#[test]
fn what_is_drawn_along_lines_ends_at_the_border() {
    let on_border = |p: &Point| [p.x, p.y].iter().any(|c| *c <= 0.0 || *c >= 100.0);
    for def in TILES {
        let plan = Plan::new(def);
        for (segment, shape) in def.segments.iter().zip(&plan.segments) {
            for line in &shape.lines {
                for p in line.band(7.5).0 {
                    let inside = (-0.01..=100.01).contains(&p.x) && (-0.01..=100.01).contains(&p.y);
                    assert!(inside, "{}: {:?} at {p:?}", def.id, segment.kind);
                }
                if segment.kind == FeatureKind::City {
                    continue;
                }
                let ends = [
                    (line.0.first(), line.0.get(1)),
                    (line.0.last(), line.0.iter().nth_back(1)),
                ];
                for (end, next) in ends {
                    let (Some(end), Some(next)) = (end, next) else {
                        panic!("{}: a line without points", def.id);
                    };
                    let square = (end.x - next.x).abs() < 0.01 || (end.y - next.y).abs() < 0.01;
                    assert!(!on_border(end) || square, "{}: {end:?} {next:?}", def.id);
                }
            }
        }
    }
}

/// A road that is linked with a city comes to its wall; none runs on inside of a city but what passes over it.
#[test]
fn roads_come_to_the_gates_of_their_cities() {
    for def in TILES {
        let plan = Plan::new(def);
        let shapes = || def.segments.iter().zip(&plan.segments).enumerate();
        for (i, (segment, shape)) in shapes() {
            if segment.kind != FeatureKind::Road || plan.over.contains(&i) && segment.links == 0 {
                continue;
            }
            for (_, (other, city)) in shapes().filter(|(_, (s, _))| s.kind == FeatureKind::City) {
                let at = shape.stand;
                let covered = city.area.iter().any(|area| area.contains(at));
                assert!(!covered, "{}: {at:?} is in a city", def.id);
                if other.links & segment.links == 0 {
                    continue;
                }
                let group = shapes().filter(|(_, (s, _))| {
                    s.kind == FeatureKind::Road && s.links & other.links & segment.links != 0
                });
                let ends = group.flat_map(|(_, (_, shape))| shape.lines.iter());
                let mut ends = ends.flat_map(|line| [line.at(0.0), line.at(1.0)]);
                let at_wall = |p: Point| city.lines.iter().any(|wall| wall.distance(p) < 2.0);
                assert!(ends.any(at_wall), "{}: a road without a gate", def.id);
            }
        }
    }
}

/// What is printed lies on its tile, and in its city rather than on a wall.
#[test]
fn what_is_printed_lies_free_of_walls() {
    for def in TILES {
        let plan = Plan::new(def);
        for spot in &plan.spots {
            let p = spot.at;
            let border = p.x.min(p.y).min(100.0 - p.x).min(100.0 - p.y);
            assert!(border >= spot.radius * 0.85, "{}: {spot:?}", def.id);
            let walls = def.segments.iter().zip(&plan.segments);
            let walls = walls.filter(|(segment, _)| segment.kind == FeatureKind::City);
            for wall in walls.flat_map(|(_, shape)| &shape.lines) {
                assert!(
                    wall.distance(p) >= spot.radius * 0.75,
                    "{}: {spot:?} {}",
                    def.id,
                    wall.distance(p)
                );
            }
        }
    }
}
