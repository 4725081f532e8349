//! The picture of a tile.

use std::fmt::Write as _;

use trencavel_rules::{FeatureKind, Symbols, TileDef};

use crate::geometry::{Line, Point, short};
use crate::plan::{Plan, RIVER, ROAD};
use crate::style::{self, Theme};
use crate::{ground, symbols, town};

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
    ground::draw(&mut out, def, plan, quarters, &mut grain);
    strips(&mut out, def, plan, FeatureKind::Road, |i| {
        !plan.over.contains(&i)
    });
    strips(&mut out, def, plan, FeatureKind::River, |_| true);
    for (i, segment) in def.segments.iter().enumerate() {
        if segment.kind == FeatureKind::City {
            town::draw(&mut out, plan, i, quarters, &mut grain);
        }
    }
    strips(&mut out, def, plan, FeatureKind::Road, |i| {
        plan.over.contains(&i)
    });
    for i in &plan.over {
        bridge(&mut out, def, plan, *i);
    }
    symbols::ends(&mut out, plan, quarters);
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

fn strips(
    out: &mut String,
    def: &TileDef,
    plan: &Plan,
    kind: FeatureKind,
    wanted: impl Fn(usize) -> bool,
) {
    let classes: &[&str] = if kind == FeatureKind::River {
        &["t-bank", "t-river-e", "t-river"]
    } else {
        &["t-road-e", "t-road"]
    };
    let shapes = || def.segments.iter().zip(&plan.segments).enumerate();
    let lines: String = shapes()
        .filter(|(i, (segment, _))| segment.kind == kind && wanted(*i))
        .flat_map(|(_, (_, shape))| shape.lines.iter().map(Line::path))
        .collect();
    if !lines.is_empty() {
        for class in classes {
            let _ = write!(out, "<path class=\"{class}\" d=\"{lines}\"/>");
            if *class == "t-bank" {
                lake(out, def);
            }
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
        "<ellipse class=\"t-lake\" cx=\"50\" cy=\"50\" rx=\"{}\" ry=\"{}\"/>",
        r + 3.0,
        r - 2.0
    );
}

/// Parapets where a road passes over something else.
fn bridge(out: &mut String, def: &TileDef, plan: &Plan, index: usize) {
    let others = || def.segments.iter().zip(&plan.segments).enumerate();
    let over = |p: Point| {
        others()
            .filter(|(j, _)| *j != index)
            .any(|(_, (segment, shape))| {
                let near = |half: f32| shape.lines.iter().any(|line| line.distance(p) < half);
                match segment.kind {
                    FeatureKind::City => shape.area.iter().any(|area| area.contains(p)),
                    FeatureKind::River => near(RIVER + 3.0),
                    FeatureKind::Road => near(ROAD + 4.0),
                    _ => false,
                }
            })
    };
    for line in &plan.segments[index].lines {
        let shares = (0..=50u8).map(|k| f32::from(k) / 50.0);
        let crossing: Vec<f32> = shares.filter(|share| over(line.at(*share))).collect();
        let (Some(from), Some(to)) = (crossing.first(), crossing.last()) else {
            continue;
        };
        let part = line.between(*from, *to);
        let _ = write!(out, "<path class=\"t-bridge\" d=\"{}\"/>", part.path());
        let _ = write!(out, "<path class=\"t-road\" d=\"{}\"/>", part.path());
    }
}
