//! Every scenario of the tree as a test of its own: `cargo test -p trencavel-testkit --test scenarios RP-E01`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use trencavel_testkit::scenario;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut trials = Vec::new();
    for path in files(&root) {
        let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        match std::fs::read_to_string(&path) {
            Ok(text) => add(&name, &text, &mut trials),
            Err(error) => trials.push(failing(&name, error.to_string())),
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn add(name: &str, text: &str, trials: &mut Vec<Trial>) {
    match scenario::read(name, text) {
        Ok(runs) => {
            for run in runs {
                trials.push(Trial::test(run.name(), move || {
                    run.play()
                        .map_err(|failure| Failed::from(failure.to_string()))
                }));
            }
        }
        Err(failure) => trials.push(failing(name, failure.to_string())),
    }
}

fn failing(name: &str, message: String) -> Trial {
    Trial::test(name, move || Err(Failed::from(message)))
}

/// All `.scn` files below a directory, in order of their paths.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "scn") {
            found.push(path);
        }
    }
    found.sort();
    found
}
