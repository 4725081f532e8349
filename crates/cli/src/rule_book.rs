//! What the clauses of the rule book say.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::{Result, bail};

include!(concat!(env!("OUT_DIR"), "/rule_book.rs"));

/// Characters in a line.
const WIDTH: usize = 100;

/// Options of `rule`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Clauses or worked examples, such as PD-61 or PD-E03
    #[arg(required = true)]
    ids: Vec<String>,
}

/// Prints clauses.
pub(crate) fn rule(args: &Args) -> Result<ExitCode> {
    let mut out = io::stdout().lock();
    for id in &args.ids {
        match about(&id.to_uppercase()) {
            Some(text) => write!(out, "{text}")?,
            None => bail!("the rule book has no clause \"{id}\""),
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A clause with what it says, in lines.
pub(crate) fn about(id: &str) -> Option<String> {
    let (id, text) = TEXTS.iter().find(|(other, _)| *other == id)?;
    let mut out = format!("  {id} ");
    let mut column = out.chars().count();
    for word in text.split_whitespace() {
        let n = word.chars().count() + 1;
        if column + n > WIDTH {
            out.push_str("\n    ");
            column = 4;
        }
        out.push(' ');
        out.push_str(word);
        column += n;
    }
    out.push('\n');
    Some(out)
}
