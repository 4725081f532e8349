//! What grows on open ground: meadows of another green, furrows, tufts of grass, trees.
//!
//! All of one kind is one path, so that a board of hundreds of tiles has few elements.

use std::fmt::Write as _;

use trencavel_rules::{FeatureKind, Symbols, TileDef};

use crate::board::turn;
use crate::geometry::{Point, pt, short};
use crate::plan::{Plan, RIVER, ROAD};
use crate::tile::Grain;

const TUFT: &str = "m-1.8.9q.4-.9-.4-1.8m2.2 1.8v-2.7m1.8 2.7q-.4-.9.4-1.8";
const ROUND: &str = "m-4-1.5a4 4 0 1 1 8 0a4 4 0 1 1-8 0z";
const FIR: &str = "m0-8l2.7 4.2h-1.2l2.3 4.3h-7.6l2.3-4.3h-1.2z";
const SHADE: &str = "m-4 1.4a4.6 2.2 0 1 1 9.2 0a4.6 2.2 0 1 1-9.2 0z";

/// How far a spot of open ground is from everything else; less than nothing where it is not open ground.
fn room(def: &TileDef, plan: &Plan, p: Point) -> f32 {
    let mut room = f32::INFINITY;
    for (segment, shape) in def.segments.iter().zip(&plan.segments) {
        let lines = |half: f32| {
            let away = shape.lines.iter().map(|line| line.distance(p));
            away.fold(f32::INFINITY, f32::min) - half
        };
        let here = match segment.kind {
            FeatureKind::City if shape.area.iter().any(|area| area.contains(p)) => -1.0,
            FeatureKind::City => lines(2.0),
            FeatureKind::Road => lines(ROAD - 0.5),
            FeatureKind::River => lines(RIVER + 1.0),
            FeatureKind::Monastery | FeatureKind::Garden | FeatureKind::Hut => {
                shape.stand.distance(p) - 20.0
            }
            FeatureKind::Field => shape.stand.distance(p) - 5.0,
        };
        room = room.min(here);
    }
    let spots = plan
        .spots
        .iter()
        .map(|spot| spot.at.distance(p) - spot.radius);
    let ends = plan
        .ends
        .iter()
        .map(|end| end.at.distance(p) - end.radius());
    spots.chain(ends).fold(room, f32::min)
}

/// Draws the open ground of a tile. Whatever stands upright is drawn in a group that is turned back.
pub(crate) fn draw(out: &mut String, def: &TileDef, plan: &Plan, quarters: u8, grain: &mut Grain) {
    let [mut light, mut dark] = [String::new(), String::new()];
    for k in 0..5 {
        let (a, b) = (9.0 + 13.0 * grain.next(), 6.0 + 8.0 * grain.next());
        let most = a.max(b) + 1.0;
        let p = pt(
            most + (100.0 - 2.0 * most) * grain.next(),
            most + (100.0 - 2.0 * most) * grain.next(),
        );
        let turned = 180.0 * grain.next();
        let path = if k % 2 == 0 { &mut light } else { &mut dark };
        let (x, y) = (a * turned.to_radians().cos(), a * turned.to_radians().sin());
        let _ = write!(
            path,
            "M{} {}a{} {} {turned:.0} 1 1 {} {}a{} {} {turned:.0} 1 1 {} {}z",
            short(p.x - x),
            short(p.y - y),
            short(a),
            short(b),
            short(2.0 * x),
            short(2.0 * y),
            short(a),
            short(b),
            short(-2.0 * x),
            short(-2.0 * y),
        );
    }
    let _ = write!(
        out,
        "<path class=\"t-mead\" d=\"{light}\"/><path class=\"t-mead-d\" d=\"{dark}\"/>"
    );
    let busy = Symbols::LAKE.with(Symbols::TREE).with(Symbols::VOLCANO);
    let many = !def.symbols.has_any(busy);
    let [mut tufts, mut shade, mut round, mut firs] = [const { String::new() }; 4];
    let mut trees: Vec<Point> = Vec::new();
    for _ in 0..30 {
        let p = pt(5.0 + 90.0 * grain.next(), 5.0 + 90.0 * grain.next());
        let kind = grain.next();
        let room = room(def, plan, p);
        let apart = trees.iter().all(|tree| tree.distance(p) > 8.0);
        if room < 4.0 || !apart {
            continue;
        }
        let u = turn(p, quarters);
        let start = format!("M{} {}", short(u.x), short(u.y));
        if kind < 0.3 && many && room > 6.5 && trees.len() < 4 {
            trees.push(p);
            shade += &start;
            shade += SHADE;
            let (path, drawing) = if kind < 0.18 {
                (&mut round, ROUND)
            } else {
                (&mut firs, FIR)
            };
            *path += &start;
            *path += drawing;
        } else {
            tufts += &start;
            tufts += TUFT;
        }
    }
    upright(
        out,
        quarters,
        &[
            ("t-tuft", &tufts),
            ("t-shade", &shade),
            ("t-tree", &round),
            ("t-fir", &firs),
        ],
    );
}

/// Paths in a group that stands upright on a tile turned so often.
pub(crate) fn upright(out: &mut String, quarters: u8, paths: &[(&str, &String)]) {
    if paths.iter().all(|(_, path)| path.is_empty()) {
        return;
    }
    match quarters & 3 {
        0 => out.push_str("<g>"),
        q => {
            let _ = write!(
                out,
                "<g transform=\"rotate(-{} 50 50)\">",
                u16::from(q) * 90
            );
        }
    }
    for (class, path) in paths {
        if !path.is_empty() {
            let _ = write!(out, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
    out.push_str("</g>");
}
