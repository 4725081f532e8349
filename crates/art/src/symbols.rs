//! Small drawings: buildings, what is printed on segments, and the symbols of a whole tile. All stand upright.

use trencavel_rules::{FeatureKind, Marks, Symbols, TileDef};

use crate::places::{SIGNS, Thing};
use crate::plan::Plan;
use crate::tile::upright;
use crate::ways::EndKind;

const MONASTERY: &str = "<ellipse class=\"t-shade\" cx=\"2\" cy=\"12.6\" rx=\"18\" ry=\"4\"/><path class=\"t-stone\" d=\"M-15 12.6V-.6H15V12.6Z\"/>\
    <path class=\"t-roof\" d=\"M-17.4.4-13.2-8.4H13.2L17.4.4Z\"/><path class=\"t-roof-d\" d=\"M-17.4.4-16.2-2.1H16.2L17.4.4Z\"/>\
    <path class=\"t-stone\" d=\"M-4.2 12.6V-11.4H4.2V12.6Z\"/><path class=\"t-roof\" d=\"M-5.6-11 0-20.4 5.6-11Z\"/><path class=\"t-roof-d\" d=\"M5.6-11 0-20.4V-11Z\"/>\
    <path class=\"t-ink\" d=\"M-2.2 12.6V8.4a2.2 2.2 0 0 1 4.4 0V12.6ZM-11 9V5.2a1.4 1.4 0 0 1 2.8 0V9ZM8.2 9V5.2a1.4 1.4 0 0 1 2.8 0V9ZM-1.1-3.4V-6a1.1 1.1 0 0 1 2.2 0V-3.4Z\"/>\
    <path class=\"t-line\" d=\"M0-26.4V-20.4M-2.4-24.2H2.4\"/>";
const GARDEN: &str = "<rect class=\"t-stone\" x=\"-12\" y=\"-12\" width=\"24\" height=\"24\" rx=\"3\"/>\
    <rect class=\"t-tree-d\" x=\"-10\" y=\"-10\" width=\"9\" height=\"9\" rx=\"2\"/><rect class=\"t-tree-d\" x=\"1\" y=\"-10\" width=\"9\" height=\"9\" rx=\"2\"/>\
    <rect class=\"t-tree-d\" x=\"-10\" y=\"1\" width=\"9\" height=\"9\" rx=\"2\"/><rect class=\"t-tree-d\" x=\"1\" y=\"1\" width=\"9\" height=\"9\" rx=\"2\"/>\
    <circle class=\"t-water\" r=\"3.4\"/><g class=\"t-fire\"><circle cx=\"-6\" cy=\"-6\" r=\"1.6\"/><circle cx=\"6\" cy=\"6\" r=\"1.6\"/></g>\
    <g class=\"t-gold\"><circle cx=\"6\" cy=\"-6\" r=\"1.6\"/><circle cx=\"-6\" cy=\"6\" r=\"1.6\"/></g>";
const HUT: &str = "<path class=\"t-line\" d=\"M-5 8V17M5 8V17M-8 18l3-2 3 2M2 18l3-2 3 2\"/><path class=\"t-wood\" d=\"M-11 8V-4H11V8Z\"/>\
    <path class=\"t-roof\" d=\"M-14-3 0-17 14-3Z\"/><circle class=\"t-gold\" cy=\"2\" r=\"3\"/>";
const VILLAGE: &str = "<circle class=\"t-field\" r=\"8.4\"/><path class=\"t-house\" d=\"M-7 4V-2H1V4Z\"/><path class=\"t-roof\" d=\"M-8-1.6-5-6H0L2-1.6Z\"/>\
    <path class=\"t-house\" d=\"M0 6V1H7V6Z\"/><path class=\"t-roof\" d=\"M-1 1.4 2-2.4H6L8 1.4Z\"/>";
const FARM: &str = "<ellipse class=\"t-field\" rx=\"8\" ry=\"6.6\"/><path class=\"t-house\" d=\"M-5.5 4.5V-.5H3.5V4.5Z\"/><path class=\"t-roof\" d=\"M-6.8 0-4.4-5.4H2.4L4.8 0Z\"/>\
    <path class=\"t-door\" d=\"M-2 4.5V1.6H.2V4.5Z\"/><path class=\"t-gold\" style=\"stroke-width:.5\" d=\"M3.6 5a2.6 3 0 0 1 5.2 0Z\"/>";
const GATE: &str = "<path class=\"t-stone\" d=\"M-5.4 4.6V-5.6H-2.4V-3.2H2.4V-5.6H5.4V4.6Z\"/><path class=\"t-door\" d=\"M-2.1 4.6V.6a2.1 2.1 0 0 1 4.2 0V4.6Z\"/>";
const HILL: &str = "<path class=\"t-tree-d\" d=\"M-16 3C-15-9-8-15 0-15S15-9 16 3C15 11 8 15 0 15S-15 11-16 3Z\"/><path class=\"t-tree\" d=\"M-13 0C-12-9-6-13 1-13 8-13 12-7 12-1 8 4-6 6-13 0Z\"/>\
    <path class=\"t-stone\" d=\"M-3-9l3-3 3 4-2 2ZM4 2l3-1 1 3-3 1Z\"/>";
const MOUTH: &str = "<path class=\"t-stone\" d=\"M-6 5V-1a6 6 0 0 1 12 0V5Z\"/><path class=\"t-door\" d=\"M-3.7 5V-.6a3.7 3.7 0 0 1 7.4 0V5Z\"/>";
const PENNANT: &str = "<path class=\"t-pen\" d=\"M-5.5-6.5H5.5V0C5.5 4 2.5 6.5 0 8-2.5 6.5-5.5 4-5.5 0Z\"/><path class=\"t-penl\" d=\"M-1.1-6V7.2H1.1V-6ZM-5-2.4V-.2H5V-2.4Z\"/>";
const INN: &str = "<ellipse class=\"t-water\" cx=\"0\" cy=\"3\" rx=\"11\" ry=\"6\"/><path class=\"t-waterl\" d=\"M-6 4q3-2 6 0t6 0\"/>\
    <path class=\"t-house\" d=\"M-5-1V-7H5V-1Z\"/><path class=\"t-roof\" d=\"M-7-6.6-3-12H3L7-6.6Z\"/>";
const CATHEDRAL: &str = "<path class=\"t-stone\" d=\"M-18 16V-8L-13-15-8-8V-2H8V-8L13-15 18-8V16Z\"/><path class=\"t-roof\" d=\"M-20-7-13-20-6-7ZM20-7 13-20 6-7ZM-9-1 0-11 9-1Z\"/>\
    <circle class=\"t-pen\" cy=\"4\" r=\"3.6\"/><path class=\"t-ink\" d=\"M-3 16V12a3 3 0 0 1 6 0V16Z\"/><path class=\"t-line\" d=\"M-13-25V-20M-15-23h4M13-25V-20M11-23h4\"/>";
const PRINCESS: &str = "<g transform=\"translate(0 1.8)\"><path class=\"t-violet\" d=\"M-6 10C-6 2-3-1 0-1S6 2 6 10Z\"/><circle class=\"t-paper\" cy=\"-5\" r=\"4\"/><path class=\"t-gold\" d=\"M-4.4-8.4-5-13-2-10.4 0-14 2-10.4 5-13 4.4-8.4Z\"/></g>";
const HERD: &str = "<ellipse class=\"t-paper\" cx=\"-3\" cy=\"1\" rx=\"5\" ry=\"3.4\"/><ellipse class=\"t-paper\" cx=\"4\" cy=\"-3\" rx=\"4.4\" ry=\"3\"/><path class=\"t-line\" d=\"M-6 4V6M-1 4V6M2-1V1M6-1V1\"/>";
pub(crate) const WINE: &str = "<path class=\"t-violet\" d=\"M0-6a2.4 2.4 0 1 1 0 .1ZM-4-2a2.4 2.4 0 1 1 0 .1ZM4-2a2.4 2.4 0 1 1 0 .1ZM-2 2a2.4 2.4 0 1 1 0 .1ZM2 2a2.4 2.4 0 1 1 0 .1ZM0 6a2.4 2.4 0 1 1 0 .1Z\"/><path class=\"t-tree\" d=\"M0-7Q4-12 7-8 4-5 0-7Z\"/>";
pub(crate) const GRAIN: &str = "<path class=\"t-line\" style=\"stroke:var(--wood)\" d=\"M0 8V-6M-4 8Q-3 0-5-5M4 8Q3 0 5-5\"/><path class=\"t-gold\" d=\"M0-10l2 4-2 4-2-4ZM-6-8l2 3-1 4-3-3ZM6-8l2 4-3 3-1-4Z\"/>";
pub(crate) const CLOTH: &str = "<path class=\"t-pen\" d=\"M-8-4Q0-8 8-4V5Q0 1-8 5Z\"/><path class=\"t-line\" style=\"stroke:var(--pennant-light)\" d=\"M-7-1Q0-5 7-1M-7 2Q0-2 7 2\"/>";
const VOLCANO: &str = "<path class=\"t-stone\" style=\"fill:var(--stone-dark)\" d=\"M-20 14-7-10Q0-6 7-10L20 14Z\"/><path class=\"t-fire\" d=\"M-7-10Q0-6 7-10L9-3Q5 2 3-2 1 8-2 0-5 4-9-4Z\"/><path class=\"t-fire\" d=\"M-3-12Q-6-20 0-24-1-18 4-18 5-14 2-11Z\"/>";
const DRAGON: &str = "<path class=\"t-fire\" style=\"stroke:var(--ink);stroke-width:.7\" d=\"M-11 6Q-8-6 1-5L-1-11 5-8Q11-8 12-3L8-2Q10 4 3 7 8 9 11 7 8 13 0 11-8 10-11 6Z\"/><circle class=\"t-ink\" cx=\"7\" cy=\"-5\" r=\".9\"/>";
const PORTAL: &str = "<path class=\"t-stone\" d=\"M-11 12V-3a11 11 0 0 1 22 0V12H6V-3a6 6 0 0 0-12 0V12Z\"/><path class=\"t-violet\" d=\"M-6 12V-3a6 6 0 0 1 12 0V12Z\"/><path class=\"t-penl\" d=\"M0-4l1.4 3 3 .4-2.2 2.2.5 3L0 3.2-2.7 4.6l.5-3L-4.4-.6l3-.4Z\"/>";
const TOWER: &str = "<rect class=\"t-stone\" x=\"-10\" y=\"-10\" width=\"20\" height=\"20\" rx=\"2\"/><rect class=\"t-ink\" style=\"opacity:.75\" x=\"-5.5\" y=\"-5.5\" width=\"11\" height=\"11\"/>";
const FESTIVAL: &str = "<path class=\"t-gold\" d=\"M0-11 2.6-4 10-4.4 4.4.6 6.8 8 0 3.8-6.8 8-4.4.6-10-4.4-2.6-4Z\"/><circle class=\"t-fire\" r=\"2.6\"/>";
const LAKE: &str = "<ellipse class=\"t-water\" rx=\"30\" ry=\"24\"/><path class=\"t-waterl\" d=\"M-18-8q5-4 10 0t10 0M-6 10q5-4 10 0t10 0\"/><path class=\"t-tree\" d=\"M-9 12Q-12-2-5-9 0-13 5-9 12-2 9 12 4 8 0 12-4 8-9 12Z\"/><circle class=\"t-gold\" cx=\"-3.4\" cy=\"-3\" r=\"2.2\"/><circle class=\"t-gold\" cx=\"3.4\" cy=\"-3\" r=\"2.2\"/>";
const TREE: &str = "<path class=\"t-wood\" d=\"M-4 26Q-2 10-5 0H5Q2 10 4 26Z\"/><ellipse class=\"t-tree-d\" cx=\"1\" cy=\"-9\" rx=\"21\" ry=\"17\"/><ellipse class=\"t-tree\" cx=\"-1\" cy=\"-11\" rx=\"19\" ry=\"15\"/><path class=\"t-wood\" d=\"M-5-8Q0-16 6-10L10-12 8-6Q4-1-2-3Z\"/><circle class=\"t-gold\" cx=\"4\" cy=\"-9\" r=\"1.3\"/>";

/// What stands where roads end.
pub(crate) fn ends(out: &mut String, plan: &Plan, quarters: u8) {
    for end in &plan.ends {
        let (drawing, scale) = match end.what {
            EndKind::Village => (VILLAGE, 1.15),
            EndKind::Square => continue,
            EndKind::Farm => (FARM, 1.0),
            EndKind::Gate => (GATE, 1.0),
            EndKind::Hill => (HILL, 1.0),
            EndKind::Mouth => (MOUTH, 1.0),
        };
        out.push_str(&upright(end.at, quarters, scale, drawing));
    }
}

/// Monasteries, gardens, huts.
pub(crate) fn buildings(out: &mut String, def: &TileDef, plan: &Plan, quarters: u8) {
    for (segment, shape) in def.segments.iter().zip(&plan.segments) {
        let drawing = match segment.kind {
            FeatureKind::Monastery => MONASTERY,
            FeatureKind::Garden => GARDEN,
            FeatureKind::Hut => HUT,
            FeatureKind::Road | FeatureKind::City | FeatureKind::Field | FeatureKind::River => {
                continue;
            }
        };
        out.push_str(&upright(
            shape.stand,
            quarters,
            if segment.kind == FeatureKind::Garden {
                0.95
            } else {
                1.1
            },
            drawing,
        ));
    }
}

/// What is printed on segments and on the whole tile.
pub(crate) fn on_tile(out: &mut String, def: &TileDef, plan: &Plan, quarters: u8) {
    for spot in &plan.spots {
        if let Some((drawing, scale)) = drawing(spot.what) {
            out.push_str(&upright(spot.at, quarters, scale * spot.scale, drawing));
        }
    }
    if let Some(signs) = &def.quadrants {
        for (sign, p) in signs.0.iter().zip(SIGNS) {
            let drawing = match sign {
                FeatureKind::City => {
                    "<path class=\"t-stone\" d=\"M-9 8V-6H-5V-3H-2V-6H2V-3H5V-6H9V8Z\"/>"
                }
                FeatureKind::Road => {
                    "<path class=\"t-road-e\" d=\"M-9 7Q-3-7 9-5\"/><path class=\"t-road\" d=\"M-9 7Q-3-7 9-5\"/>"
                }
                FeatureKind::Monastery => MONASTERY,
                _ => {
                    "<path class=\"t-tuft\" style=\"stroke:var(--leaf-dark);stroke-width:1.6\" d=\"M-6 4Q-5-2-7-5M0 5V-7M6 4Q5-2 7-5\"/>"
                }
            };
            let scale = if *sign == FeatureKind::Monastery {
                0.42
            } else {
                0.72
            };
            out.push_str("<circle class=\"t-paper\" style=\"opacity:.55\" r=\"10\" ");
            out.push_str(&format!("cx=\"{}\" cy=\"{}\"/>", p.x, p.y));
            out.push_str(&upright(p, quarters, scale, drawing));
        }
    }
}

/// The drawing of a thing, with its scale; none for what is drawn otherwise or not at all.
fn drawing(what: Thing) -> Option<(&'static str, f32)> {
    const MARKS: [(Marks, &str, f32); 7] = [
        (Marks::CATHEDRAL, CATHEDRAL, 1.0),
        (Marks::WINE, WINE, 1.0),
        (Marks::GRAIN, GRAIN, 1.0),
        (Marks::CLOTH, CLOTH, 1.0),
        (Marks::PRINCESS, PRINCESS, 1.0),
        (Marks::INN, INN, 0.95),
        (Marks::PIG_HERD, HERD, 1.1),
    ];
    const SYMBOLS: [(Symbols, &str, f32); 7] = [
        (Symbols::VOLCANO, VOLCANO, 0.85),
        (Symbols::DRAGON, DRAGON, 0.9),
        (Symbols::PORTAL, PORTAL, 0.8),
        (Symbols::TOWER, TOWER, 0.95),
        (Symbols::FESTIVAL, FESTIVAL, 0.9),
        (Symbols::LAKE, LAKE, 1.0),
        (Symbols::TREE, TREE, 0.9),
    ];
    match what {
        Thing::Pennant => Some((PENNANT, 0.95)),
        Thing::Mark(mark) => MARKS
            .iter()
            .find(|(m, ..)| *m == mark)
            .map(|(_, d, s)| (*d, *s)),
        Thing::Symbol(symbol) => SYMBOLS
            .iter()
            .find(|(s, ..)| *s == symbol)
            .map(|(_, d, s)| (*d, *s)),
    }
}
