//! The analysis of a game: every decision weighed, blunders marked, the chance of winning as a graph.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use trencavel_ai::{Analysis, Budget, Judged, Mark, SearchSettings, Wall, analyse};
use trencavel_record::any;
use trencavel_record::game::MAX_BYTES;
use trencavel_record::jcz::convert::Reading;
use trencavel_record::notation::choice_text;

use crate::arena::milliseconds;

/// Options of `analyse`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: a file of ours or .jcz; `-` is the standard input
    file: PathBuf,
    /// What may be spent on a decision, such as 1s or 200ms
    #[arg(long, default_value = "200ms", value_parser = milliseconds)]
    time: f64,
    /// The same in iterations: reproducible
    #[arg(long, conflicts_with = "time")]
    iterations: Option<u32>,
    /// How many threads share the work; 0 for one on each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Print everything as one JSON object
    #[arg(long)]
    json: bool,
    /// Write the chances of winning over the turns to this file, as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print every decision, not only those that lost something
    #[arg(long)]
    all: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Whole<'a> {
    file: String,
    names: &'a [String],
    remarks: &'a [String],
    #[serde(flatten)]
    analysis: &'a Analysis,
}

/// Analyses a game.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let name = args.file.display().to_string();
    let opened =
        any::open(&bytes(&args.file)?, Reading::default()).with_context(|| name.clone())?;
    let game = opened.game;
    let (rules, inputs) = (game.history.rules(), game.history.inputs());
    if inputs.is_empty() {
        bail!("{name}: nothing has been played in this game");
    }
    let budget = match args.iterations {
        Some(n) => Budget::Iterations(n),
        None => Budget::Milliseconds(args.time),
    };
    let threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let settings = SearchSettings {
        threads,
        ..SearchSettings::default()
    };
    let bar = ProgressBar::new(inputs.len() as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len}, {eta} left",
    )?);
    let analysis = analyse(
        rules,
        inputs,
        settings,
        budget,
        &Wall::new(),
        &|state, choice| choice_text(rules, state, choice),
        |number| bar.set_position(number as u64),
    );
    bar.finish_and_clear();
    if let Some(path) = &args.svg {
        crate::files::write(path, &analysis.graph(&game.names, &[]))?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        let whole = Whole {
            file: name,
            names: &game.names,
            remarks: &opened.remarks,
            analysis: &analysis,
        };
        writeln!(out, "{}", serde_json::to_string(&whole)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    for remark in &opened.remarks {
        writeln!(out, "note: {remark}")?;
    }
    for judged in &analysis.decisions {
        if args.all || judged.mark != Mark::Good {
            decision(&mut out, judged, &game.names)?;
        }
    }
    for seat in &analysis.seats {
        let name = player(&game.names, seat.seat);
        let [inaccuracies, mistakes, blunders] = seat.marks;
        writeln!(
            out,
            "{name}: {} decisions, {:.1} points lost; {blunders} blunders, {mistakes} mistakes, {inaccuracies} inaccuracies",
            seat.decisions, seat.loss
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    let read = if path.as_os_str() == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.with_context(|| path.display().to_string())?;
    Ok(bytes)
}

fn player(names: &[String], seat: u8) -> String {
    match names.get(usize::from(seat)) {
        Some(name) if !name.is_empty() => name.clone(),
        _ => format!("seat {}", seat + 1),
    }
}

/// Prints a decision with the best that could have been done.
fn decision(out: &mut impl io::Write, judged: &Judged, names: &[String]) -> io::Result<()> {
    let sign = match judged.mark {
        Mark::Good => "  ",
        Mark::Inaccuracy => "?!",
        Mark::Mistake => "? ",
        Mark::Blunder => "??",
    };
    writeln!(
        out,
        "{sign} turn {} {}: {}  lead {:+.1}, wins {:.0} %; lost {:.1} points, {:.1} % of winning",
        judged.turn,
        player(names, judged.seat),
        judged.played.choice,
        judged.played.value,
        100.0 * judged.played.win,
        judged.loss,
        100.0 * judged.win_loss
    )?;
    for weighed in &judged.best {
        writeln!(
            out,
            "       {}  lead {:+.1}, wins {:.0} %",
            weighed.choice,
            weighed.value,
            100.0 * weighed.win
        )?;
    }
    Ok(())
}
