//! Writes each `.jcz` file as a game file beside it: `cargo run -p trencavel-record --example convert -- FILE...`

use trencavel_record::any::open;
use trencavel_record::jcz::convert::Reading;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1).map(std::path::PathBuf::from) {
        let opened = open(&std::fs::read(&path)?, Reading::default())?;
        for remark in &opened.remarks {
            println!("{}: {remark}", path.display());
        }
        std::fs::write(path.with_extension("game"), opened.game.to_text())?;
    }
    Ok(())
}
