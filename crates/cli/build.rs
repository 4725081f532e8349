//! Puts the text of the rule book (`docs/rules`) into the program, so that a ruling can be read where it is made.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    println!("cargo::rerun-if-changed={}", book.display());
    println!("cargo::rerun-if-changed=build.rs");
    let mut out = String::from("static TEXTS: &[(&str, &str)] = &[\n");
    for clause in trencavel_clauses::read_books(&book)?
        .iter()
        .flat_map(|book| &book.clauses)
    {
        writeln!(out, "({:?}, {:?}),", clause.id.as_str(), clause.text)?;
    }
    out.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("rule_book.rs"), out)?;
    Ok(())
}
