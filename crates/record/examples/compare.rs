//! Compares recorded games with ours: `cargo run --release -p trencavel-record --example compare -- FILE...`

use std::process::ExitCode;

use trencavel_record::jcz::compare::{Comparison, compare};
use trencavel_record::jcz::differences;
use trencavel_record::jcz::recorded::Recorded;

fn main() -> ExitCode {
    let listed = differences::all();
    let (mut files, mut agree, mut unread) = (0, 0, 0);
    let mut sum = Comparison::default();
    for path in std::env::args().skip(1) {
        files += 1;
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                println!("{path}: {error}");
                unread += 1;
                continue;
            }
        };
        let name = path
            .rsplit("games/")
            .next()
            .unwrap_or(&path)
            .trim_end_matches(".json.gz");
        let compared = Recorded::read(&bytes).and_then(|game| compare(&game, name, &listed));
        match compared {
            Ok(found) => {
                agree += usize::from(found.agrees());
                sum.steps += found.steps;
                sum.confirmations += found.confirmations;
                sum.compared += found.compared;
                sum.equal += found.equal;
                sum.unreached += found.unreached;
                println!(
                    "{name}: {} steps, {} confirmations, {} compared, {} equal, {} unreached, {} differences",
                    found.steps,
                    found.confirmations,
                    found.compared,
                    found.equal,
                    found.unreached,
                    found.differences.len()
                );
                if let Some(first) = found.first() {
                    println!("{first}");
                }
            }
            Err(error) => {
                println!("{name}: {error}");
                unread += 1;
            }
        }
    }
    println!(
        "{files} files, {unread} not compared, {agree} agree; {} steps, {} confirmations, {} compared, {} equal, {} unreached",
        sum.steps, sum.confirmations, sum.compared, sum.equal, sum.unreached
    );
    if agree == files {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
