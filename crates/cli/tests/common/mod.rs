//! The program, as a person would run it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs the program with these words, and types this.
pub(crate) fn run(args: &[&str], typed: impl AsRef<[u8]>) -> Output {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_trencavel"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read everything.
    let _ = child.stdin.take().unwrap().write_all(typed.as_ref());
    child.wait_with_output().unwrap()
}

/// What it said.
pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What it complained of.
pub(crate) fn fault(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// An empty folder.
pub(crate) fn scratch(name: &str) -> PathBuf {
    trencavel_bot::scratch(env!("CARGO_TARGET_TMPDIR"), name)
}
