//! Plays scenario files: `cargo run -p trencavel-testkit --example scenario FILE…`.
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut verdict = ExitCode::SUCCESS;
    for file in std::env::args().skip(1) {
        match trencavel_testkit::scenario::run_file(file.as_ref()) {
            Ok(runs) => println!("{file}: {runs} passed"),
            Err(failure) => {
                println!("{failure}");
                verdict = ExitCode::FAILURE;
            }
        }
    }
    verdict
}
