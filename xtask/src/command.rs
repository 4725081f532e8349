//! Running other programs.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

use crate::project::Project;

/// `cargo` with these arguments, in the project.
pub(crate) fn cargo(project: &Project, args: &[&str]) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(project.root());
    command
}

/// The program somewhere on the search path.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|dir| dir.join(program).with_extension(env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

/// Runs the command with its output shown.
///
/// # Errors
/// When it cannot be started or fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    say!("$ {}", shown(command));
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", shown(command));
    }
    Ok(())
}

/// Runs the command and gives its standard output; what it writes to standard error is shown.
///
/// # Errors
/// When it cannot be started or fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| cannot_start(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs the command, shows each line of its output and gives it to `watch`; `true` if it succeeded.
pub(crate) fn watched(command: &mut Command, watch: &mut dyn FnMut(&str)) -> Result<bool> {
    say!("$ {}", shown(command));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| cannot_start(command))?;
    let errors = child.stderr.take().context("no standard error")?;
    // Both streams are read at once: a full pipe would stop the child.
    let errors = thread::spawn(move || {
        let mut lines = Vec::new();
        each_line(errors, &mut |line| {
            say_wrong!("{line}");
            lines.push(line.to_string());
        });
        lines
    });
    each_line(
        child.stdout.take().context("no standard output")?,
        &mut |line| {
            say!("{line}");
            watch(line);
        },
    );
    let status = child.wait()?;
    for line in errors.join().unwrap_or_default() {
        watch(&line);
    }
    Ok(status.success())
}

fn each_line(stream: impl Read, visit: &mut dyn FnMut(&str)) {
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        visit(String::from_utf8_lossy(&line).trim_end_matches('\r'));
    }
}

/// The command as one would type it, without the directories of the program.
pub(crate) fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program())
        .file_stem()
        .unwrap_or_default();
    let words: Vec<_> = [name]
        .into_iter()
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}

fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", shown(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_one_types_it() {
        let project = Project::at(Path::new("."));
        assert_eq!(
            shown(&cargo(&project, &["test", "--workspace"])),
            "cargo test --workspace"
        );
    }

    #[test]
    fn output_and_failure_are_seen() {
        let project = Project::find().unwrap();
        let mut lines = Vec::new();
        let ok = watched(&mut cargo(&project, &["--version"]), &mut |l| {
            lines.push(l.to_string())
        });
        assert!(ok.unwrap() && lines[0].starts_with("cargo "));
        let ok = watched(&mut cargo(&project, &["no-such-command"]), &mut |_| {});
        assert!(!ok.unwrap());
        assert!(output(&mut cargo(&project, &["no-such-command"])).is_err());
    }
}
