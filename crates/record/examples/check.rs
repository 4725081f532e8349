//! Checks saved games: `cargo run --release -p trencavel-record --example check -- FILE...`

use std::process::ExitCode;

use trencavel_record::jcz::check::check;
use trencavel_record::jcz::differences;
use trencavel_record::jcz::file::JczFile;
use trencavel_record::jcz::setup::Strictness;

fn main() -> ExitCode {
    let (mut files, mut passed, mut unread, mut sentences, mut held) = (0, 0, 0, 0, 0);
    for path in std::env::args().skip(1) {
        files += 1;
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{path}: cannot be read");
            unread += 1;
            continue;
        };
        match JczFile::read(&bytes).and_then(|file| check(&file, Strictness::Strict)) {
            Ok(mut report) => {
                let name = path.rsplit("jcz/").next().unwrap_or(&path);
                let name = format!("jcz/{}", name.trim_end_matches(".jcz"));
                report.mark_listed(&name, &differences::all());
                passed += usize::from(report.passes());
                for checked in &report.checked {
                    sentences += 1;
                    if checked.verdict == trencavel_record::jcz::check::Verdict::Holds {
                        held += 1;
                    } else {
                        println!("{path}: {checked}");
                    }
                }
            }
            Err(error) => {
                println!("{path}: {error}");
                unread += 1;
            }
        }
    }
    println!(
        "{files} files, {unread} not followed, {passed} pass; {held} of {sentences} sentences hold"
    );
    if passed == files {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
