//! Scenarios: a position, what is done, and what must come of it, as a text that a rules person writes without Rust.
//!
//! `docs/scenarios.md` describes the format. [`read`] checks a text and splits it into runs, one for each value of the
//! option that the scenario pairs; [`Run::play`] plays one.
//!
//! ```
//! let text = "\
//! clauses  BA-32 BA-39
//! setup    C1; seats 2
//! lay      BA/C 0,-1 r180 · deploy follower city.S
//! expect   score 4 0
//! expect   supply 1 follower 7
//! ";
//! for run in trencavel_testkit::scenario::read("base/BA-32-two-tiles", text)? {
//!     run.play()?;
//! }
//! # Ok::<(), trencavel_testkit::scenario::Failure>(())
//! ```

mod expect;
mod happened;
mod player;
mod script;
mod setup;

use std::fmt;
use std::path::Path;

use script::Script;

/// What went wrong in a scenario, with its place and a picture of the position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The scenario, as its path below `scenarios` without the ending.
    pub scenario: String,
    /// The line, from 1; 0 for the whole file.
    pub line: usize,
    /// What was expected and what was there.
    pub what: String,
    /// The question that is asked, the legal answers and the board; empty if there is no position.
    pub position: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "scenarios/{}.scn:{}: {}",
            self.scenario, self.line, self.what
        )?;
        if !self.position.is_empty() {
            write!(f, "\n{}", self.position)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

/// What is wrong at a line.
#[derive(Clone, Debug)]
struct Wrong {
    line: usize,
    what: String,
}

impl Wrong {
    fn at(line: usize, what: impl Into<String>) -> Wrong {
        Wrong {
            line,
            what: what.into(),
        }
    }

    fn in_scenario(self, name: &str) -> Failure {
        Failure {
            scenario: name.to_string(),
            line: self.line,
            what: self.what,
            position: String::new(),
        }
    }
}

/// A scenario under one value of the option that it pairs, or the only run of one that pairs none.
#[derive(Clone, Debug)]
pub struct Run {
    name: String,
    script: Script,
    pair: Option<(String, String)>,
}

impl Run {
    /// The scenario's name, with the option and its value if it pairs one.
    pub fn name(&self) -> String {
        match &self.pair {
            Some((key, value)) => format!("{} [{key}={value}]", self.name),
            None => self.name.clone(),
        }
    }

    /// The clauses that the scenario covers.
    pub fn clauses(&self) -> &[trencavel_rules::Clause] {
        &self.script.clauses
    }

    /// Plays it.
    ///
    /// # Errors
    /// The first line that cannot be done, or expects what is not so.
    pub fn play(&self) -> Result<(), Failure> {
        player::play(&self.script, self.pair.as_ref()).map_err(|failure| Failure {
            scenario: self.name.clone(),
            ..failure
        })
    }
}

/// Reads a scenario. The name is its path below `scenarios` without the ending.
///
/// # Errors
/// What is wrong with the text itself: an unknown word or clause, no expectation.
pub fn read(name: &str, text: &str) -> Result<Vec<Run>, Failure> {
    let script = Script::read(name, text).map_err(|wrong| wrong.in_scenario(name))?;
    let pairs = script.pairs().map_err(|wrong| wrong.in_scenario(name))?;
    let run = |pair| Run {
        name: name.to_string(),
        script: script.clone(),
        pair,
    };
    let runs: Vec<Run> = match pairs {
        None => vec![run(None)],
        Some((key, values)) => values
            .into_iter()
            .map(|value| run(Some((key.clone(), value))))
            .collect(),
    };
    for run in &runs {
        let mut lines = run.script.lines_of(run.pair.as_ref());
        if !lines.any(|line| line.expects()) {
            let what = "nothing is expected in this scenario";
            return Err(Wrong::at(0, what).in_scenario(&run.name()));
        }
    }
    Ok(runs)
}

/// Reads and plays one file: how many runs it has.
///
/// # Errors
/// The first failure.
pub fn run_file(path: &Path) -> Result<usize, Failure> {
    let parts: Vec<_> = path
        .with_extension("")
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    let name = parts[parts.len().saturating_sub(2)..].join("/");
    let text = std::fs::read_to_string(path)
        .map_err(|error| Wrong::at(0, error.to_string()).in_scenario(&name))?;
    let runs = read(&name, &text)?;
    for run in &runs {
        run.play()?;
    }
    Ok(runs.len())
}
