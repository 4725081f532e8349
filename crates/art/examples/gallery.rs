//! Writes a page with every tile: `gallery FILE [day|dark|contrast] [PREFIX] [figures]`.
use trencavel_art::{Plan, Theme, style, tile};
fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let theme = args
        .get(1)
        .and_then(|t| Theme::from_name(t))
        .unwrap_or(Theme::Day);
    let prefix = args.get(2).map_or("", String::as_str);
    let tiles: Vec<_> = trencavel_rules::TILES
        .iter()
        .filter(|t| t.id.starts_with(prefix))
        .collect();
    let columns = 8;
    let rows = tiles.len().div_ceil(columns);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {} {}\"><style>{}{} text{{font:9px sans-serif;fill:var(--ink)}}</style><rect width=\"100%\" height=\"100%\" fill=\"var(--table)\"/>",
        columns * 230,
        rows * 256,
        columns * 115,
        rows * 128,
        style::sheet(theme, "svg"),
        style::RULES
    );
    for (i, def) in tiles.iter().enumerate() {
        let plan = Plan::new(def);
        let (x, y) = ((i % columns) * 115 + 7, (i / columns) * 128 + 7);
        let mut figures = String::new();
        if args.get(3).is_some() {
            for (segment, shape) in def.segments.iter().zip(&plan.segments) {
                if segment.kind == trencavel_rules::FeatureKind::River {
                    continue;
                }
                let lying = segment.kind == trencavel_rules::FeatureKind::Field;
                figures += &format!(
                    "<g transform=\"translate({} {})\">{}</g>",
                    shape.stand.x,
                    shape.stand.y + if lying { 0.0 } else { 9.0 },
                    trencavel_art::figure(trencavel_rules::Kind::Normal, lying.into(), lying)
                );
            }
        }
        out += &format!(
            "<g transform=\"translate({x} {y})\">{}{figures}<text x=\"0\" y=\"111\">{}</text></g>",
            tile(def, &plan, 0, i as u32),
            def.id.replace('&', "&amp;")
        );
    }
    out += "</svg>";
    std::fs::write(&args[0], out)
}
