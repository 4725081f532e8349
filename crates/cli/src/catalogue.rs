//! What there is: expansions with their options, tiles with their names.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Result;
use trencavel_record::notation::name_on_tile;
use trencavel_rules::{Ext, Rotation, TILES, Values};

/// Options of `expansions`.
#[derive(clap::Args)]
pub(crate) struct ExpansionsArgs {
    /// Only this expansion, with all its options
    slug: Option<String>,
}

/// Lists the expansions.
pub(crate) fn expansions(args: &ExpansionsArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    if let Some(slug) = &args.slug
        && Ext::from_slug(slug).is_none()
    {
        anyhow::bail!("there is no expansion \"{slug}\"; `trencavel expansions` lists them");
    }
    for ext in Ext::ALL {
        let about = ext.expansion();
        if args.slug.as_ref().is_some_and(|slug| slug != about.slug) {
            continue;
        }
        writeln!(
            out,
            "{:<24} {} (clauses {}-…, version {})",
            about.slug, about.name, about.book, about.version
        )?;
        for option in about.options {
            let (values, defaults) = match option.values {
                Values::Listed(values, defaults) => (
                    values.join(" | "),
                    defaults.map(|i| {
                        values
                            .get(usize::from(i))
                            .copied()
                            .unwrap_or("?")
                            .to_string()
                    }),
                ),
                Values::Number(max, defaults) => {
                    (format!("0 to {max}"), defaults.map(|n| n.to_string()))
                }
            };
            let [c1, c2, c3] = defaults;
            let default = if c1 == c2 && c2 == c3 {
                c1
            } else {
                format!("C1 {c1}, C2 {c2}, C3 {c3}")
            };
            writeln!(
                out,
                "    {:<34} {values}; default {default} ({})",
                option.key, option.clause
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Options of `tiles`.
#[derive(clap::Args)]
pub(crate) struct TilesArgs {
    /// Only tiles whose id or name contains this
    part: Option<String>,
}

/// Lists the tiles.
pub(crate) fn tiles(args: &TilesArgs) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut found = false;
    for tile in TILES {
        let matches = |part: &String| {
            tile.id.contains(part.as_str())
                || tile.names.iter().any(|name| name.contains(part.as_str()))
        };
        if !args.part.as_ref().is_none_or(matches) {
            continue;
        }
        found = true;
        let segments: Vec<String> = (0..tile.segments.len())
            .map(|i| name_on_tile(tile, Rotation::default(), i))
            .collect();
        let names = if tile.names.is_empty() {
            String::new()
        } else {
            format!(" ({})", tile.names.join(", "))
        };
        writeln!(out, "{:<14}{names:<8} {}", tile.id, segments.join(" "))?;
    }
    if !found {
        let _ = writeln!(io::stderr(), "trencavel: no tile is called so");
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}
