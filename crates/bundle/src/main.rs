//! Makes the client out of its WebAssembly module: `trencavel-bundle make ROOT MODULE DIRECTORY`; serves a directory:
//! `trencavel-bundle serve DIRECTORY [ADDRESS]`; joins the module of a test to Node: `trencavel-bundle node MODULE DIRECTORY`.

// `println!` panics when nobody reads any more.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod book;
mod files;
mod make;
mod serve;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "trencavel-bundle: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &[&str]) -> Result<()> {
    match args {
        ["make", root, module, directory] => {
            make::make(Path::new(root), Path::new(module), Path::new(directory))
        }
        ["node", module, directory] => make::bind_for_node(Path::new(module), Path::new(directory)),
        ["serve", directory] => serve::serve(Path::new(directory), serve::ADDRESS),
        ["serve", directory, address] => serve::serve(Path::new(directory), address),
        _ => {
            bail!(
                "usage: trencavel-bundle make ROOT MODULE DIRECTORY | node MODULE DIRECTORY | serve DIRECTORY [ADDRESS]"
            )
        }
    }
}
