//! `compare`: recorded games of another engine against ours, step by step.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use trencavel_record::jcz::compare::{Comparison, Difference, compare};
use trencavel_record::jcz::differences::{self, Listed};
use trencavel_record::jcz::recorded::{MAX_RECORDED, Recorded};

use crate::batch;

/// Options of `compare`.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  trencavel compare tower/000.json.gz        one game; at the first difference the board, both sides, the clause
  trencavel compare games                    all recorded games of a folder, with a table of the sets
  trencavel compare --all tower/000.json.gz  every difference, also those that are listed
  trencavel compare --json games             one JSON object for each file

A recorded game has the points, the legal options, the figures and the neutral figures after every message. At each step both \
sides are compared, the options as sets. What only one side has is printed after \"only there\" or \"only here\"; \"decided by\" \
names the clauses of the rule book that decide it with us. What differs on purpose is on a list, place by place \
(docs/jcz-differences.md), and does not count.

Exit codes: 0 every file agrees, 1 some file differs or cannot be compared, 2 the command cannot be carried out.")]
pub(crate) struct Args {
    /// Recorded games (.json.gz, .json) or folders with such files; `-` is the standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Every difference instead of the first that is not listed
    #[arg(long)]
    all: bool,
    /// One JSON object a file
    #[arg(long)]
    json: bool,
    /// Only what differs, and the summary
    #[arg(long, short)]
    quiet: bool,
    /// Files that need an expansion which the engine does not have are told, but do not count as differing
    #[arg(long)]
    skip_missing: bool,
}

/// What comparing a file found.
#[derive(Serialize, Default)]
struct Found {
    file: String,
    ok: bool,
    #[serde(flatten)]
    steps: Option<Steps>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Told>,
    error: Option<String>,
    /// The expansion that the file needs and the engine does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
}

/// Numbers of steps.
#[derive(Serialize, Clone, Copy, Default)]
struct Steps {
    steps: usize,
    compared: usize,
    equal: usize,
    confirmations: usize,
    listed: usize,
    unreached: usize,
}

/// A difference.
#[derive(Serialize)]
struct Told {
    step: usize,
    what: &'static str,
    theirs: Vec<String>,
    ours: Vec<String>,
    clauses: Vec<String>,
    listed: bool,
    board: String,
    /// For people.
    #[serde(skip)]
    text: String,
}

/// What comparing the files of one set found.
#[derive(Default, Clone, Copy)]
struct Sum {
    files: usize,
    differ: usize,
    missing: usize,
    steps: Steps,
}

/// Compares files: exit code 1 if any differs.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let files = batch::files(&args.files, &[".json.gz"])?;
    let listed = differences::all();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let mut all = Sum::default();
    batch::run(
        &files,
        |path| look(path, &listed),
        |path, found| {
            let set = path.parent().and_then(Path::file_name);
            let set = set.map_or(".".into(), |name| name.to_string_lossy().into_owned());
            for sum in [sums.entry(set).or_default(), &mut all] {
                sum.add(&found, args.skip_missing);
            }
            tell(&found, args)
        },
    )?;
    if files.len() > 1 && !args.json {
        print_sums(&sums, all)?;
    }
    Ok(if all.differ == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

impl Sum {
    fn add(&mut self, found: &Found, skip_missing: bool) {
        self.files += 1;
        self.missing += usize::from(found.needs.is_some());
        let excused = skip_missing && found.needs.is_some();
        self.differ += usize::from(!(found.ok || excused));
        let one = found.steps.unwrap_or_default();
        let sum = &mut self.steps;
        sum.steps += one.steps;
        sum.compared += one.compared;
        sum.equal += one.equal;
        sum.confirmations += one.confirmations;
        sum.listed += one.listed;
        sum.unreached += one.unreached;
    }
}

fn look(path: &Path, listed: &[Listed]) -> Found {
    let mut found = Found {
        file: path.display().to_string(),
        ..Found::default()
    };
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = differences::name_of(listed, &whole).unwrap_or_default();
    let bytes = match batch::bytes(path, MAX_RECORDED) {
        Ok(bytes) => bytes,
        Err(error) => {
            found.error = Some(format!("{error:#}"));
            return found;
        }
    };
    let compared = Recorded::read(&bytes).and_then(|game| compare(&game, &name, listed));
    match compared {
        Ok(comparison) => {
            found.ok = comparison.agrees();
            found.steps = Some(steps(&comparison));
            found.differences = comparison.differences.iter().map(told).collect();
        }
        Err(error) => {
            found.needs = error.missing_expansion();
            found.error = Some(misplaced(&bytes).unwrap_or_else(|| error.to_string()));
        }
    }
    found
}

/// If it is a game of another kind: which command is for it.
fn misplaced(bytes: &[u8]) -> Option<String> {
    let has = |word: &str| {
        bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    if bytes.starts_with(b"trencavel game") || has("\"appVersion\"") {
        let text =
            "a game, but no recorded one with every option: for games there is `trencavel check`";
        return Some(text.to_owned());
    }
    None
}

fn steps(comparison: &Comparison) -> Steps {
    let listed = comparison.differences.iter().filter(|d| d.listed).count();
    Steps {
        steps: comparison.steps,
        compared: comparison.compared,
        equal: comparison.equal,
        confirmations: comparison.confirmations,
        listed,
        unreached: comparison.unreached,
    }
}

fn told(difference: &Difference) -> Told {
    let clauses = difference.clauses.iter();
    Told {
        step: difference.step,
        what: difference.what.word(),
        theirs: difference.theirs.clone(),
        ours: difference.ours.clone(),
        clauses: clauses.map(ToString::to_string).collect(),
        listed: difference.listed,
        board: difference.board.clone(),
        text: difference.to_string(),
    }
}

fn tell(found: &Found, args: &Args) -> Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(found)?)?;
        return Ok(());
    }
    let file = &found.file;
    if let Some(error) = &found.error {
        if !(args.quiet && args.skip_missing && found.needs.is_some()) {
            writeln!(out, "{file}: {error}")?;
        }
        return Ok(());
    }
    if let Some(steps) = found.steps
        && !(args.quiet && found.ok)
    {
        let verdict = if found.ok { "agrees" } else { "differs" };
        write!(
            out,
            "{file}: {verdict}, {} of {} steps equal",
            steps.equal, steps.steps
        )?;
        if steps.listed > 0 {
            write!(out, ", {} listed differences", steps.listed)?;
        }
        if steps.unreached > 0 {
            write!(out, ", {} steps not reached", steps.unreached)?;
        }
        writeln!(out)?;
    }
    let mut told = found.differences.iter().filter(|d| args.all || !d.listed);
    let first = told.next();
    let rest = told.filter(|_| args.all);
    for difference in first.into_iter().chain(rest) {
        writeln!(out, "{file}: {}", difference.text)?;
    }
    Ok(())
}

fn print_sums(sums: &BTreeMap<String, Sum>, all: Sum) -> Result<()> {
    let mut out = io::stdout().lock();
    let width = sums
        .keys()
        .map(|set| set.chars().count())
        .max()
        .unwrap_or(0)
        .max(9);
    writeln!(
        out,
        "{:width$} {:>6} {:>7} {:>8} {:>8} {:>7} {:>9} {:>7} {:>10}",
        "set", "files", "steps", "compared", "equal", "listed", "unreached", "differ", "not there"
    )?;
    let all = ("all".to_owned(), all);
    for (set, sum) in sums.iter().chain([(&all.0, &all.1)]) {
        let Sum {
            files,
            differ,
            missing,
            steps,
        } = sum;
        writeln!(
            out,
            "{set:width$} {files:>6} {:>7} {:>8} {:>8} {:>7} {:>9} {differ:>7} {missing:>10}",
            steps.steps, steps.compared, steps.equal, steps.listed, steps.unreached
        )?;
    }
    if all.1.missing > 0 {
        writeln!(
            out,
            "not there: files that need an expansion which the engine does not have"
        )?;
    }
    Ok(())
}
