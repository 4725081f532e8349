//! `check`: game files of ours, and saved games of JCloisterZone with the sentences that must hold in them.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;
use trencavel_record::any::{Format, format_of};
use trencavel_record::dealer;
use trencavel_record::game::Game;
use trencavel_record::jcz::check::{Checked, Verdict, check};
use trencavel_record::jcz::differences::{self, Listed};
use trencavel_record::jcz::error::JczError;
use trencavel_record::jcz::file::{JczFile, MAX_FILE};
use trencavel_rules::Waiting;

use crate::batch;
use crate::convert::{advice, misplaced, strictness};

/// Options of `check`.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  trencavel check evening.game               every move is legal, every hash is right
  trencavel check rescue.jcz                 and every sentence of the file holds, one line for each
  trencavel check --quiet ~/games            all game files in a folder; only what is wrong, and a summary
  trencavel check --json *.jcz | jq .ok      one JSON object for each file

A saved game of JCloisterZone may have sentences under \"test\": \"assertions\" that must hold after its last message, like \
\"Ann has 12 points.\" Where our reading of a rule differs on purpose, the line says \"differs by\" and the clause \
(docs/jcz-differences.md). A sentence of no kind that is known is \"not understood\", and the file does not pass.

Exit codes: 0 every file is right, 1 some file is wrong, 2 the command cannot be carried out.")]
pub(crate) struct Args {
    /// Game files (.game, .jcz) or folders with such files; `-` is the standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One JSON object a file
    #[arg(long)]
    json: bool,
    /// Only what is wrong, and the summary
    #[arg(long, short)]
    quiet: bool,
    /// Leave out what is not known in a .jcz file, with a warning, instead of refusing the file
    #[arg(long)]
    lenient: bool,
    /// Files that need an expansion which the engine does not have are told, but do not count as wrong
    #[arg(long)]
    skip_missing: bool,
}

/// What a check found.
#[derive(Serialize, Default)]
struct Found {
    file: String,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<bool>,
    /// Whether the file has the dealer's seed, and nature decided by it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dealer: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assertions: Vec<Assertion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
    error: Option<String>,
    /// The expansion that the file needs and the engine does not have.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
}

/// A sentence and what became of it.
#[derive(Serialize)]
struct Assertion {
    line: u32,
    sentence: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
    /// The line for people.
    #[serde(skip)]
    text: String,
}

/// What all checks found.
#[derive(Default)]
struct Sum {
    files: usize,
    wrong: usize,
    missing: usize,
    sentences: usize,
    hold: usize,
    listed: usize,
}

/// Checks files: exit code 1 if any is wrong.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let files = batch::files(&args.files, &[".game", ".jcz"])?;
    let listed = differences::all();
    let mut sum = Sum::default();
    batch::run(
        &files,
        |path| look(path, args, &listed),
        |_, found| {
            sum.add(&found, args.skip_missing);
            tell(&found, args)
        },
    )?;
    if files.len() > 1 && !args.json {
        writeln!(io::stdout(), "{}", sum.text())?;
    }
    Ok(if sum.wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

impl Sum {
    fn add(&mut self, found: &Found, skip_missing: bool) {
        self.files += 1;
        if skip_missing && found.needs.is_some() {
            self.missing += 1;
        } else {
            self.wrong += usize::from(!found.ok);
        }
        let count = |verdict| {
            let same = found.assertions.iter().filter(|a| a.verdict == verdict);
            same.count()
        };
        self.sentences += found.assertions.len();
        self.hold += count("holds");
        self.listed += count("listed");
    }

    fn text(&self) -> String {
        let mut text = format!("{} files, {} wrong", self.files, self.wrong);
        if self.missing > 0 {
            text += &format!(", {} need an expansion that is not there", self.missing);
        }
        if self.sentences > 0 {
            text += &format!("; {} of {} sentences hold", self.hold, self.sentences);
        }
        if self.listed > 0 {
            text += &format!(", {} differ as listed", self.listed);
        }
        text
    }
}

fn look(path: &Path, args: &Args, listed: &[Listed]) -> Found {
    let mut found = Found {
        file: path.display().to_string(),
        ..Found::default()
    };
    let bytes = match batch::bytes(path, MAX_FILE) {
        Ok(bytes) => bytes,
        Err(error) => {
            found.error = Some(format!("{error:#}"));
            return found;
        }
    };
    match format_of(&bytes) {
        Format::Game => match Game::read(&bytes) {
            Ok(game) => {
                let dealer = dealer::check(&game);
                found.ok = dealer.is_ok();
                found.dealer = dealer == Ok(true);
                found.error = dealer.err();
                found.inputs = Some(game.history.inputs().len());
                found.over = Some(game.history.state().waiting() == Waiting::Over);
            }
            Err(error) => found.error = Some(misplaced(&bytes).unwrap_or(error.to_string())),
        },
        Format::Jcz => {
            if let Err(error) = look_at_jcz(&bytes, path, args, listed, &mut found) {
                found.needs = error.missing_expansion();
                found.error = Some(misplaced(&bytes).unwrap_or_else(|| advice(&error)));
            }
        }
    }
    found
}

fn look_at_jcz(
    bytes: &[u8],
    path: &Path,
    args: &Args,
    listed: &[Listed],
    found: &mut Found,
) -> Result<(), JczError> {
    let file = JczFile::read(bytes)?;
    let mut report = check(&file, strictness(args.lenient))?;
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if let Some(name) = differences::name_of(listed, &whole) {
        report.mark_listed(&name, listed);
    }
    found.ok = report.passes();
    found.messages = Some(report.messages);
    found.remarks = file.remarks();
    let left_out = report.warnings.iter();
    found
        .remarks
        .extend(left_out.map(|warning| format!("left out: {warning}")));
    found.assertions = report.checked.iter().map(assertion).collect();
    Ok(())
}

fn assertion(checked: &Checked) -> Assertion {
    let (verdict, found, clause) = match &checked.verdict {
        Verdict::Holds => ("holds", None, None),
        Verdict::Fails(found) => ("fails", Some(found.clone()), None),
        Verdict::Listed(found, clause) => ("listed", Some(found.clone()), Some(clause.clone())),
        Verdict::NotUnderstood => ("not-understood", None, None),
    };
    Assertion {
        line: checked.line,
        sentence: checked.sentence.clone(),
        verdict,
        found,
        clause,
        text: checked.to_string(),
    }
}

fn tell(found: &Found, args: &Args) -> Result<()> {
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(found)?)?;
        return Ok(());
    }
    let file = &found.file;
    for remark in &found.remarks {
        writeln!(out, "{file}: {remark}")?;
    }
    for assertion in &found.assertions {
        if !args.quiet || !matches!(assertion.verdict, "holds" | "listed") {
            writeln!(out, "{file}:{}: {}", assertion.line, assertion.text)?;
        }
    }
    if let Some(error) = &found.error {
        if !(args.quiet && args.skip_missing && found.needs.is_some()) {
            writeln!(out, "{file}: {error}")?;
        }
    } else if !(args.quiet && found.ok) {
        let verdict = if found.ok { "ok" } else { "wrong" };
        write!(out, "{file}: {verdict}")?;
        if let Some(inputs) = found.inputs {
            write!(out, ", {inputs} inputs")?;
        }
        if let Some(messages) = found.messages {
            write!(out, ", {messages} messages")?;
        }
        match found.over {
            Some(true) => write!(out, ", finished")?,
            Some(false) => write!(out, ", unfinished")?,
            None => {}
        }
        if found.dealer {
            write!(out, ", the dealer's seed agrees")?;
        }
        if !found.assertions.is_empty() {
            let all = found.assertions.len();
            let hold = found.assertions.iter().filter(|a| a.verdict == "holds");
            write!(out, ", {} of {all} sentences hold", hold.count())?;
        }
        writeln!(out)?;
    }
    Ok(())
}
