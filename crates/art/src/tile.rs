//! The picture of a tile.

use std::fmt::Write as _;

use trencavel_rules::{FeatureKind, Symbols, TileDef};

use crate::geometry::{CENTRE, Line, Point, pt, short};
use crate::plan::Plan;
use crate::style::{self, Theme};
use crate::symbols;

/// A stream of numbers that depends only on its seed: two alike tiles do not look stamped, yet always look the same.
pub(crate) struct Grain(u32);

impl Grain {
    pub(crate) fn new(seed: u32) -> Grain {
        Grain(seed.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995)
    }

    /// A number from 0 to 1.
    pub(crate) fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 >> 8) as f32 / 16_777_216.0
    }
}

/// The drawing of a tile in its unturned position, as a fragment to put into a group. `quarters` says how the group will
/// be turned, so that what must stand upright does. `variation` is any number, best the tile's number on the board.
pub fn tile(def: &TileDef, plan: &Plan, quarters: u8, variation: u32) -> String {
    let mut out = String::with_capacity(4096);
    let mut grain = Grain::new(variation.wrapping_add(id_number(&def.id)));
    out.push_str("<rect class=\"t-field\" width=\"100\" height=\"100\"/>");
    ground(&mut out, def, plan, quarters, &mut grain);
    strips(&mut out, def, plan, FeatureKind::River, |_| true);
    strips(&mut out, def, plan, FeatureKind::Road, |i| {
        !plan.over.contains(&i)
    });
    if plan.crossing {
        symbols::village(&mut out, quarters);
    }
    for (i, segment) in def.segments.iter().enumerate() {
        if segment.kind == FeatureKind::City {
            city(&mut out, plan, i, quarters, &mut grain);
        }
    }
    strips(&mut out, def, plan, FeatureKind::Road, |i| {
        plan.over.contains(&i)
    });
    for i in &plan.over {
        bridge(&mut out, plan, *i);
    }
    symbols::buildings(&mut out, def, plan, quarters);
    symbols::on_tile(&mut out, def, plan, quarters);
    out.push_str("<rect class=\"t-edge\" x=\".4\" y=\".4\" width=\"99.2\" height=\"99.2\"/>");
    out
}

/// A whole SVG document of one tile, turned.
pub fn tile_svg(def: &TileDef, quarters: u8, variation: u32, theme: Theme) -> String {
    let plan = Plan::new(def);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\"><style>{}{}</style>\
         <g transform=\"rotate({} 50 50)\">{}</g></svg>",
        style::sheet(theme, "svg"),
        style::RULES,
        u16::from(quarters) * 90,
        tile(def, &plan, quarters, variation)
    )
}

fn id_number(id: &str) -> u32 {
    id.bytes()
        .fold(7, |n, b| n.wrapping_mul(31).wrapping_add(u32::from(b)))
}

/// A group that stands upright at a point although the tile is turned.
pub(crate) fn upright(p: Point, quarters: u8, scale: f32, inner: &str) -> String {
    format!(
        "<g transform=\"translate({} {}) rotate({}) scale({scale:.2})\">{inner}</g>",
        short(p.x),
        short(p.y),
        -90 * i32::from(quarters),
    )
}

/// Tufts of grass and a few trees on open ground.
fn ground(out: &mut String, def: &TileDef, plan: &Plan, quarters: u8, grain: &mut Grain) {
    let clear = |p: Point, room: f32| {
        def.segments
            .iter()
            .zip(&plan.segments)
            .all(|(segment, shape)| match segment.kind {
                FeatureKind::City => {
                    !shape.area.iter().any(|a| a.contains(p))
                        && shape.lines.iter().all(|l| l.distance(p) > room)
                }
                FeatureKind::Road => shape.lines.iter().all(|line| line.distance(p) > 5.0 + room),
                FeatureKind::River => shape.lines.iter().all(|line| line.distance(p) > 8.0 + room),
                FeatureKind::Monastery | FeatureKind::Garden | FeatureKind::Hut => {
                    shape.stand.distance(p) > 20.0 + room
                }
                FeatureKind::Field => shape.stand.distance(p) > 9.0,
            })
            && plan
                .spots
                .iter()
                .all(|spot| spot.at.distance(p) > spot.radius + room)
    };
    let busy = def
        .symbols
        .has_any(Symbols::LAKE.with(Symbols::TREE).with(Symbols::VOLCANO));
    let mut trees = 0;
    for _ in 0..26 {
        let p = pt(6.0 + 88.0 * grain.next(), 6.0 + 88.0 * grain.next());
        let kind = grain.next();
        if !clear(p, 4.0) {
            continue;
        }
        if kind < 0.12 && trees < 2 && !busy && clear(p, 7.0) {
            trees += 1;
            let tree = "<ellipse class=\"t-tree-d\" cx=\"1\" cy=\"1\" rx=\"4.6\" ry=\"4.2\"/><circle class=\"t-tree\" r=\"4\"/>";
            out.push_str(&upright(p, quarters, 1.0, tree));
        } else {
            out.push_str(&upright(
                p,
                quarters,
                0.9,
                "<path class=\"t-tuft\" d=\"M-2 1Q-1.6-1-2.4-2M0 1V-3M2 1Q1.6-1 2.4-2\"/>",
            ));
        }
    }
}

fn strips(
    out: &mut String,
    def: &TileDef,
    plan: &Plan,
    kind: FeatureKind,
    wanted: impl Fn(usize) -> bool,
) {
    let (edge, inner) = if kind == FeatureKind::River {
        ("t-river-e", "t-river")
    } else {
        ("t-road-e", "t-road")
    };
    for class in [edge, inner] {
        for (i, segment) in def.segments.iter().enumerate() {
            if segment.kind == kind && wanted(i) {
                for line in &plan.segments[i].lines {
                    let _ = write!(out, "<path class=\"{class}\" d=\"{}\"/>", line.path());
                }
                if kind == FeatureKind::Road && segment.sides.count_ones() == 1 {
                    round_end(out, plan, i, class);
                }
            }
        }
    }
    if kind == FeatureKind::River {
        lake(out, def);
    }
}

/// Where a road ends on its tile it ends round, as if people turned there.
fn round_end(out: &mut String, plan: &Plan, index: usize, class: &str) {
    let (radius, colour) = match class {
        "t-road-e" => ("5", "var(--road-edge)"),
        _ => ("3.7", "var(--road)"),
    };
    for line in &plan.segments[index].lines {
        let ends = [line.at(0.0), line.at(1.0)];
        let inner = ends
            .into_iter()
            .min_by(|a, b| a.distance(CENTRE).total_cmp(&b.distance(CENTRE)));
        if let Some(p) = inner {
            let _ = write!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" style=\"fill:{colour}\"/>",
                short(p.x),
                short(p.y)
            );
        }
    }
}

/// Half the width of the water where a river ends: it comes from a spring or runs into a lake.
pub(crate) fn water(def: &TileDef) -> Option<f32> {
    let ends = def
        .segments
        .iter()
        .any(|s| s.kind == FeatureKind::River && s.sides.count_ones() == 1);
    let into_city = def.segments.iter().any(|s| s.kind == FeatureKind::City);
    let radius = if def.symbols.has(Symbols::SPRING) {
        11.0
    } else {
        24.0
    };
    (ends && !into_city).then_some(radius)
}

fn lake(out: &mut String, def: &TileDef) {
    let Some(r) = water(def) else { return };
    let _ = write!(
        out,
        "<ellipse class=\"t-water\" cx=\"50\" cy=\"50\" rx=\"{}\" ry=\"{}\"/>\
         <path class=\"t-waterl\" d=\"M42 46q4-3 8 0t8 0M42 54q4-3 8 0t8 0\"/>",
        r + 3.0,
        r - 2.0
    );
}

fn bridge(out: &mut String, plan: &Plan, index: usize) {
    let Some(line) = plan.segments[index].lines.first() else {
        return;
    };
    let (a, b) = (line.at(0.3), line.at(0.7));
    let d = a.distance(b).max(1.0);
    let n = pt((b.y - a.y) / d * 5.6, (a.x - b.x) / d * 5.6);
    for sign in [1.0, -1.0] {
        let p = pt(a.x + n.x * sign, a.y + n.y * sign);
        let q = pt(b.x + n.x * sign, b.y + n.y * sign);
        let _ = write!(
            out,
            "<path class=\"t-wall-b\" style=\"stroke-width:2.4\" d=\"{}\"/>",
            Line::straight(p, q).path()
        );
    }
}

fn city(out: &mut String, plan: &Plan, index: usize, quarters: u8, grain: &mut Grain) {
    let shape = &plan.segments[index];
    for area in &shape.area {
        let _ = write!(out, "<path class=\"t-city\" d=\"{}\"/>", area.path());
    }
    houses(out, plan, index, quarters, grain);
    for class in ["t-wall-b", "t-wall"] {
        for line in &shape.lines {
            let _ = write!(out, "<path class=\"{class}\" d=\"{}\"/>", line.path());
        }
    }
}

/// Houses on free ground of a city, the ones behind first.
fn houses(out: &mut String, plan: &Plan, index: usize, quarters: u8, grain: &mut Grain) {
    let shape = &plan.segments[index];
    let inside = |p: Point| shape.area.iter().any(|area| area.contains(p));
    let mut spots: Vec<Point> = Vec::new();
    for _ in 0..120 {
        let p = pt(5.0 + 90.0 * grain.next(), 5.0 + 90.0 * grain.next());
        let room = |p: Point| {
            inside(pt(p.x - 6.0, p.y))
                && inside(pt(p.x + 6.0, p.y))
                && inside(pt(p.x, p.y - 6.0))
                && inside(pt(p.x, p.y + 5.0))
        };
        let walls = shape.lines.iter().all(|line| line.distance(p) > 7.5);
        let others = plan.segments.iter().enumerate().all(|(j, other)| {
            j == index
                || other.lines.iter().all(|line| line.distance(p) > 9.0)
                    && (other.area.is_empty()
                        || !other
                            .area
                            .iter()
                            .any(|a| a.contains(p) && other.lines.is_empty()))
        });
        if room(p)
            && walls
            && others
            && p.distance(shape.stand) > 9.0
            && plan
                .spots
                .iter()
                .all(|spot| spot.at.distance(p) > spot.radius + 4.0)
            && spots.iter().all(|s| s.distance(p) > 11.5)
        {
            spots.push(p);
        }
        if spots.len() >= 9 {
            break;
        }
    }
    let up = |p: &Point| match quarters {
        0 => p.y,
        1 => p.x,
        2 => -p.y,
        _ => -p.x,
    };
    spots.sort_by(|a, b| up(a).total_cmp(&up(b)));
    for p in spots {
        let flip = if grain.next() < 0.5 {
            ""
        } else {
            " scale(-1 1)"
        };
        let house = format!(
            "<g transform=\"{}\"><path class=\"t-house\" d=\"M-4.4 3.6V-.6L-2-3.4 4.4-3.4V3.6Z\"/>\
             <path class=\"t-roof\" d=\"M-5.2-.2-2.4-4.4H4.2L5.2-.2H.6L-2.2-3.6Z\"/></g>",
            flip.trim()
        );
        out.push_str(&upright(p, quarters, 0.95, &house));
    }
}

/// The middle of a tile, for what is drawn there.
pub(crate) const MIDDLE: Point = CENTRE;
