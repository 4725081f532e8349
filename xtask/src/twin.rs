//! Whether a game goes the same way natively and in WebAssembly: whole games of many setups are recorded natively, with the state
//! hash of every turn, and played again by the same rules compiled for WebAssembly.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, run, watched};
use crate::counts::Counts;
use crate::project::Project;
use crate::stages::Outcome;
use crate::wasm::Compiler;

/// The profile: it need not be fast, and finds overflows.
const PROFILE: &str = "dev";
const DIRECTORY: &str = "target/twin";

/// Records, plays again and compares.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let tools = on_path("node")
        .context("node is not installed (Debian's package nodejs)")
        .and_then(|node| Ok((node, Compiler::find_or_install()?)));
    let (node, compiler) = match tools {
        Ok(tools) => tools,
        // Where everything is tested, nothing may be left out.
        Err(missing) if std::env::var_os("CI").is_some() => return Err(missing),
        Err(missing) => return Ok(Outcome::Skipped(format!("{missing:#}"))),
    };
    let games = format!("{DIRECTORY}/games");
    let example = |package: &str, rest: &[&str]| {
        let mut command = cargo(project, &["run", "--quiet", "--package", package]);
        run(command.args(rest))
    };
    example("trencavel-testkit", &["--example", "games", "--", &games])?;
    let module = compiler.build(project, "trencavel-twin", PROFILE)?;
    let module = module.to_str().context("a path that is no text")?;
    example("trencavel-bundle", &["--", "node", module, DIRECTORY])?;
    let mut counts = Counts::default();
    let mut command = Command::new(node);
    command
        .args([
            "crates/twin/compare.cjs",
            &format!("{DIRECTORY}/twin.js"),
            &games,
        ])
        .current_dir(project.root());
    let succeeded = watched(&mut command, &mut |line| {
        if let Some(found) = Counts::in_line(line) {
            counts += found;
        }
    })?;
    if succeeded != (counts.failed == 0) || counts == Counts::default() {
        bail!("the comparison did not come to its end");
    }
    Ok(Outcome::Counted(counts))
}
