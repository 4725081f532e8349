//! Cities as they are seen: houses behind a wall with towers.

use std::fmt::Write as _;

use crate::board::turn;
use crate::geometry::{Line, Point, pt, short};
use crate::ground::upright;
use crate::plan::Plan;
use crate::tile::Grain;

/// Half the width of a wall.
pub(crate) const WALL: f32 = 2.6;

/// A kind of house: its walls and door, its roof, and the side of the roof that lies in the shade.
const HOUSES: [[&str; 3]; 4] = [
    [
        "m-3.4 3.8v-4.4l3.4-3.2 3.4 3.2v4.4z",
        "m-4.6-.2l4.6-4.6v2.2l-3.2 3.2z",
        "m4.6-.2l-4.6-4.6v2.2l3.2 3.2z",
    ],
    [
        "m-4.2 3.6v-3.6h8.4v3.6z",
        "m-5 .4l1.5-4.2h7l1.5 4.2z",
        "m-5 .4h10l-.5-1.4h-9z",
    ],
    [
        "m-2.1 4.2v-7h4.2v7z",
        "m-3-2.6l3-4.8v4.8z",
        "m3-2.6l-3-4.8v4.8z",
    ],
    [
        "m-4.4 3.6v-4.2l2.4-2.6 2.4 2.6h4v4.2z",
        "m-5.4-.2l3.4-4h5.4l2 4h-4.8l-2.6-2.8-2.4 2.8z",
        "m.6-.2h4.8l-2-4h-5.4z",
    ],
];
const DOOR: &str = "m-.7 3.7v-1.9h1.4v1.9z";

/// Draws a city.
pub(crate) fn draw(out: &mut String, plan: &Plan, index: usize, quarters: u8, grain: &mut Grain) {
    let Some(shape) = plan.segments.get(index) else {
        return;
    };
    let area: String = shape.area.iter().map(|area| area.path()).collect();
    let _ = write!(out, "<path class=\"t-city\" d=\"{area}\"/>");
    let walls = |half: f32| -> String {
        let bands = shape.lines.iter().map(|line| line.band(half).path());
        bands.collect()
    };
    let _ = write!(out, "<path class=\"t-shade\" d=\"{}\"/>", walls(WALL + 2.4));
    houses(out, plan, index, quarters, grain);
    let _ = write!(
        out,
        "<path class=\"t-wall-b\" d=\"{}\"/><path class=\"t-wall\" d=\"{}\"/>",
        walls(WALL),
        walls(WALL - 0.9)
    );
    let joints: String = shape
        .lines
        .iter()
        .map(|line| {
            let end = 4.5 / line.length().max(10.0);
            line.between(end, 1.0 - end).path()
        })
        .collect();
    if !joints.is_empty() {
        let _ = write!(out, "<path class=\"t-joint\" d=\"{joints}\"/>");
    }
    // No tower where another wall is near, or a gate, or what is printed.
    let walls = || plan.segments.iter().flat_map(|other| &other.lines);
    for (wall, p) in shape
        .lines
        .iter()
        .flat_map(|wall| towers(wall).into_iter().map(move |p| (wall, p)))
    {
        let free = plan.ends.iter().all(|end| end.at.distance(p) > 9.0)
            && plan
                .spots
                .iter()
                .all(|spot| spot.at.distance(p) > spot.radius + 3.0)
            && walls().all(|other| other == wall || other.distance(p) > 8.0);
        if free {
            let _ = write!(
                out,
                "<circle class=\"t-turret\" cx=\"{}\" cy=\"{}\" r=\"3.7\"/>",
                short(p.x),
                short(p.y)
            );
        }
    }
}

/// Where a wall has towers.
fn towers(line: &Line) -> Vec<Point> {
    let shares: &[f32] = if line.length() > 70.0 {
        &[0.22, 0.5, 0.78]
    } else {
        &[0.5]
    };
    shares.iter().map(|share| line.at(*share)).collect()
}

/// Houses on free ground of a city.
fn houses(out: &mut String, plan: &Plan, index: usize, quarters: u8, grain: &mut Grain) {
    let shape = &plan.segments[index];
    let inside = |p: Point| shape.area.iter().any(|area| area.contains(p));
    // Upright, a house is higher than it is wide, however the tile is turned.
    let back = |x: f32, y: f32| {
        let p = turn(pt(50.0 + x, 50.0 + y), (4 - quarters) & 3);
        pt(p.x - 50.0, p.y - 50.0)
    };
    let around = [(-5.8, 0.0), (5.8, 0.0), (0.0, -6.4), (0.0, 5.0)].map(|(x, y)| back(x, y));
    let fits = |p: Point| {
        let room = around.iter().all(|d| inside(pt(p.x + d.x, p.y + d.y)));
        room && shape.lines.iter().all(|line| line.distance(p) > 7.6)
    };
    let free = |p: Point| {
        let others = plan
            .segments
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != index);
        p.distance(shape.stand) > 10.5
            && others.clone().all(|(_, other)| {
                let building = other.lines.is_empty() && other.area.iter().any(|a| a.contains(p));
                !building && other.lines.iter().all(|line| line.distance(p) > 9.0)
            })
            && plan
                .spots
                .iter()
                .all(|spot| spot.at.distance(p) > spot.radius + 4.0)
            && plan
                .ends
                .iter()
                .all(|end| end.at.distance(p) > end.radius() + 5.0)
    };
    let mut spots: Vec<(Point, usize)> = Vec::new();
    for _ in 0..260 {
        let p = pt(5.0 + 90.0 * grain.next(), 5.0 + 90.0 * grain.next());
        if !fits(p) || !free(p) {
            continue;
        }
        let apart = |q: Point| {
            let (a, b) = (turn(p, quarters), turn(q, quarters));
            ((a.x - b.x) / 10.6).hypot((a.y - b.y) / 10.0) > 1.0
        };
        if spots.iter().all(|(q, _)| apart(*q)) {
            let kind = (grain.next() * 3.999) as usize;
            spots.push((p, kind));
        }
        if spots.len() >= 26 {
            break;
        }
    }
    let [mut walls, mut roofs, mut shaded, mut doors] = [const { String::new() }; 4];
    for (p, kind) in spots {
        let u = turn(p, quarters);
        let start = format!("M{} {}", short(u.x), short(u.y));
        let [wall, roof, shade] = HOUSES[kind];
        for (path, drawing) in [
            (&mut walls, wall),
            (&mut roofs, roof),
            (&mut shaded, shade),
            (&mut doors, DOOR),
        ] {
            *path += &start;
            *path += drawing;
        }
    }
    upright(
        out,
        quarters,
        &[
            ("t-house", &walls),
            ("t-roof", &roofs),
            ("t-roof-d", &shaded),
            ("t-door", &doors),
        ],
    );
}
