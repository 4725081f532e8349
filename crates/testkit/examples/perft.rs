//! Counts small bags by both implementations: `cargo run --release -p trencavel-testkit --example perft BAG…`, where a bag is
//! like `'BA/C*2 BA/RFr @6'`; with none, those of `tests/perft.txt`. Prints lines as that file has them.
use std::process::ExitCode;
use trencavel_testkit::perft::Bag;

fn main() -> ExitCode {
    let mut bags: Vec<String> = std::env::args().skip(1).collect();
    if bags.is_empty() {
        let table = include_str!("../tests/perft.txt").lines();
        bags = table
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('|').next().unwrap_or("").trim().to_string())
            .collect();
    }
    for text in bags {
        let counted =
            Bag::parse(&text).and_then(|bag| Ok((bag.by_the_engine()?, bag.by_the_second()?)));
        match counted {
            Ok((engine, second)) if engine == second => println!("{text} | {engine}"),
            Ok((engine, second)) => {
                println!(
                    "{text}: the engine counts\n{engine}\nthe second implementation\n{second}"
                );
                return ExitCode::FAILURE;
            }
            Err(error) => {
                println!("{text}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
