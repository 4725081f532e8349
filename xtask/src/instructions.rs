//! Instruction counts: callgrind counts the instructions of fixed runs, which hardly vary from machine to machine, and the check
//! fails when one grows by more than three per cent.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, output, run, shown};
use crate::project::Project;
use crate::stages::Outcome;

/// The recorded counts.
const FILE: &str = "benches/instructions.toml";

/// Allowed growth in per cent.
const TOLERANCE: f64 = 3.0;

/// A program run whose instructions are counted: an example of a package with fixed arguments.
#[derive(Debug, PartialEq)]
struct FixedRun {
    name: String,
    package: String,
    example: String,
    args: Vec<String>,
    recorded: Option<u64>,
}

/// The file: the runs, and the compiler their counts are for.
#[derive(Debug, PartialEq)]
struct Recorded {
    compiler: String,
    runs: Vec<FixedRun>,
}

/// The instructions that one game of the first fixed run takes, if valgrind is there.
pub(crate) fn a_game(project: &Project) -> Result<Option<u64>> {
    if on_path("valgrind").is_none() || !project.has(FILE) {
        return Ok(None);
    }
    let recorded = parse(&project.read(FILE)?)?;
    let Some(fixed) = recorded.runs.first() else {
        return Ok(None);
    };
    let games = fixed
        .args
        .first()
        .and_then(|games| games.parse::<u64>().ok());
    let games = games.with_context(|| format!("{FILE}: the first run says no number of games"))?;
    Ok(Some(count(project, fixed)? / games.max(1)))
}

/// Compares every fixed run with its recorded count.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    if !project.has(FILE) {
        return Ok(Outcome::Skipped(format!("there is no {FILE}")));
    }
    if on_path("valgrind").is_none() {
        return Ok(Outcome::Skipped("valgrind is not installed".into()));
    }
    let recorded = parse(&project.read(FILE)?)?;
    let compiler = compiler()?;
    if recorded.compiler != compiler {
        return Ok(Outcome::Skipped(format!(
            "counts are for {}, this is {compiler}",
            recorded.compiler
        )));
    }
    let mut grown = Vec::new();
    for fixed in &recorded.runs {
        let before = fixed.recorded.with_context(|| {
            format!(
                "{} has no recorded count (`cargo xtask bench rules --record`)",
                fixed.name
            )
        })?;
        let now = count(project, fixed)?;
        let change = change_in_percent(before, now);
        say!("{}: {now} instructions, {change:+.2} %", fixed.name);
        if change > TOLERANCE {
            grown.push(format!(
                "{} takes {change:.1} % more instructions",
                fixed.name
            ));
        }
    }
    if !grown.is_empty() {
        bail!("{}", grown.join("\n"));
    }
    Ok(Outcome::Passed)
}

/// Counts every fixed run and writes the counts down.
pub(crate) fn record(project: &Project) -> Result<()> {
    let text = project.read(FILE)?;
    let recorded = parse(&text)?;
    let mut counts = Vec::new();
    for fixed in &recorded.runs {
        let now = count(project, fixed)?;
        let change = fixed.recorded.map_or(String::new(), |r| {
            format!(", {:+.2} %", change_in_percent(r, now))
        });
        say!("{}: {now} instructions{change}", fixed.name);
        counts.push(now);
    }
    let path = project.path(FILE);
    fs::write(&path, rewritten(&text, &compiler()?, &counts))
        .with_context(|| format!("cannot write {FILE}"))
}

fn change_in_percent(before: u64, now: u64) -> f64 {
    100.0 * (now as f64 / before.max(1) as f64 - 1.0)
}

/// Builds the example and lets callgrind count what it executes.
fn count(project: &Project, fixed: &FixedRun) -> Result<u64> {
    let build = [
        "build",
        "--release",
        "--package",
        &fixed.package,
        "--example",
        &fixed.example,
    ];
    run(&mut cargo(project, &build))?;
    let metadata = output(&mut cargo(
        project,
        &["metadata", "--format-version", "1", "--no-deps"],
    ))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let target = metadata["target_directory"]
        .as_str()
        .context("cargo names no target directory")?;
    let program = format!("{target}/release/examples/{}{EXE_SUFFIX}", fixed.example);
    let mut command = Command::new("valgrind");
    command
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            // Neither the start of the process nor the linking of a setup is counted.
            "--toggle-collect=bench::play*",
            &program,
        ])
        .args(&fixed.args)
        .current_dir(project.root());
    say!("$ {}", shown(&command));
    let result = command.output().context("cannot start valgrind")?;
    let report = String::from_utf8_lossy(&result.stderr).into_owned();
    match collected(&report) {
        Some(count) if result.status.success() => Ok(count),
        _ => bail!("callgrind gave no count\n{report}"),
    }
}

/// The number in callgrind's line `==123== Collected : 456`.
fn collected(report: &str) -> Option<u64> {
    let line = report.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

fn compiler() -> Result<String> {
    Ok(output(Command::new("rustc").arg("--version"))?
        .trim()
        .to_string())
}

fn parse(text: &str) -> Result<Recorded> {
    let table: toml::Table = text.parse().context(FILE)?;
    let compiler = table
        .get("compiler")
        .and_then(|c| c.as_str())
        .unwrap_or_default()
        .to_string();
    let mut runs = Vec::new();
    for entry in table
        .get("run")
        .and_then(|r| r.as_array())
        .into_iter()
        .flatten()
    {
        let word = |key: &str| {
            let word = entry.get(key).and_then(|v| v.as_str());
            word.map(str::to_string)
                .with_context(|| format!("{FILE}: a run has no {key}"))
        };
        let args = entry
            .get("args")
            .and_then(|a| a.as_array())
            .into_iter()
            .flatten();
        runs.push(FixedRun {
            name: word("name")?,
            package: word("package")?,
            example: word("example")?,
            args: args
                .filter_map(|a| a.as_str())
                .map(str::to_string)
                .collect(),
            // Nought is what a new run begins with.
            recorded: entry
                .get("instructions")
                .and_then(|n| n.as_integer())
                .and_then(|n| n.try_into().ok())
                .filter(|n| *n > 0),
        });
    }
    Ok(Recorded { compiler, runs })
}

/// The file's text with another compiler and other counts, in the order of the runs; everything else stays.
fn rewritten(text: &str, compiler: &str, counts: &[u64]) -> String {
    let mut counts = counts.iter();
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("compiler = ") {
            out.push_str(&format!("compiler = \"{compiler}\""));
        } else if line.starts_with("instructions = ") {
            match counts.next() {
                Some(count) => out.push_str(&format!("instructions = {count}")),
                None => out.push_str(line),
            }
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# note\ncompiler = \"rustc 1\"\n\n[[run]]\nname = \"base\"\npackage = \"p\"\nexample = \"e\"\n\
                        args = [\"20\"]\ninstructions = 100\n";

    #[test]
    fn recorded_counts_are_read_and_rewritten() {
        let recorded = parse(TEXT).unwrap();
        assert_eq!(
            (recorded.compiler.as_str(), recorded.runs.len()),
            ("rustc 1", 1)
        );
        assert_eq!(recorded.runs[0].recorded, Some(100));
        assert_eq!(recorded.runs[0].args, ["20"]);
        let expected = TEXT.replace("rustc 1", "rustc 2").replace("100", "250");
        assert_eq!(rewritten(TEXT, "rustc 2", &[250]), expected);
        assert_eq!(
            parse(&TEXT.replace("100", "0")).unwrap().runs[0].recorded,
            None
        );
        assert!(parse("[[run]]\nname = \"x\"\n").is_err());
    }

    #[test]
    fn the_count_is_found_in_the_report() {
        assert_eq!(
            collected("==1== Events    : Ir\n==1== Collected : 123456\n==1==\n"),
            Some(123_456)
        );
        assert_eq!(collected("nothing"), None);
    }

    #[test]
    fn growth_is_in_percent() {
        assert_eq!(
            format!(
                "{:.1} {:.1}",
                change_in_percent(100, 103),
                change_in_percent(200, 100)
            ),
            "3.0 -50.0"
        );
    }

    #[test]
    fn the_recorded_file_of_this_project_can_be_read() {
        let project = Project::find().unwrap();
        if project.has(FILE) {
            parse(&project.read(FILE).unwrap()).unwrap();
        }
    }
}
