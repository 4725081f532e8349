//! From the module and the static files to a directory that any server of files can serve.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use trencavel_rules::Ext;
use wasm_bindgen_cli_support::Bindgen;

use crate::book;
use crate::files::{Files, hash};

/// The pages of the rule book that belong to no expansion.
const CORE: [&str; 3] = [
    "order-of-play",
    "scoring-and-majority",
    "two-player-and-team-variants",
];

/// Makes the client.
pub(crate) fn make(root: &Path, module: &Path, directory: &Path) -> Result<()> {
    let source = root.join("crates/web/static");
    let read = |name: &str| {
        let path = source.join(name);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let (script, module) = bind(module, &directory.with_extension("bindgen"))?;
    let mut files = Files::in_directory(directory)?;
    let module = files.add_hashed("client.wasm", &module)?;
    let script = files.add_hashed("client.js", script.as_bytes())?;
    let style = files.add_hashed("style.css", read("style.css")?.as_bytes())?;
    let icon = files.add_hashed("icon.svg", read("icon.svg")?.as_bytes())?;
    let fill = |text: &str| {
        text.replace("{client.js}", &script)
            .replace("{client.wasm}", &module)
            .replace("{style.css}", &style)
            .replace("{icon.svg}", &icon)
    };
    let worker = files.add_hashed("worker.js", fill(&read("worker.js")?).as_bytes())?;
    let app = files.add_hashed(
        "app.webmanifest",
        fill(&read("app.webmanifest")?).as_bytes(),
    )?;
    let start = files.add_hashed("start.js", fill(&read("start.js")?).as_bytes())?;
    let first_move: usize = files.sizes.iter().map(|(_, small)| small).sum();
    let book = add_book(root, &mut files)?;
    let list = json!({ "worker": worker, "book": book });
    let page = fill(&read("index.html")?)
        .replace("{app.webmanifest}", &app)
        .replace("{start.js}", &start)
        .replace("{files}", &list.to_string());
    files.add("index.html", page.as_bytes())?;
    let version = hash(files.paths.join(" ").as_bytes()) + &hash(page.as_bytes());
    let kept: Vec<&String> = files.paths.iter().filter(|p| *p != "index.html").collect();
    let service = read("service.js")?
        .replace("{version}", &version)
        .replace("{files}", &serde_json::to_string(&kept)?);
    files.add("service.js", service.as_bytes())?;
    let all: usize = files.sizes.iter().map(|(_, small)| small).sum();
    // Nobody need read it.
    let _ = writeln!(
        std::io::stdout(),
        "client: {} files in {}; {} KB compressed for the first move, {} KB with the rule book",
        files.paths.len(),
        directory.display(),
        first_move.div_ceil(1000),
        all.div_ceil(1000)
    );
    Ok(())
}

/// Joins the module to the browser: the script and the module.
fn bind(module: &Path, directory: &Path) -> Result<(String, Vec<u8>)> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("client");
    bindgen.web(true)?.typescript(false);
    bindgen.remove_name_section(true);
    bindgen.remove_producers_section(true);
    bindgen
        .generate(directory)
        .with_context(|| format!("cannot bind {}", module.display()))?;
    let script = fs::read_to_string(directory.join("client.js"))?;
    let module = fs::read(directory.join("client_bg.wasm"))?;
    fs::remove_dir_all(directory)?;
    Ok((script, module))
}

/// Joins a module to Node: a script and the module, named `twin`.
pub(crate) fn bind_for_node(module: &Path, directory: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("twin");
    bindgen.nodejs(true)?.typescript(false);
    bindgen
        .generate(directory)
        .with_context(|| format!("cannot bind {}", module.display()))
}

/// Adds the pages of the rule book: by prefix, the title and the file.
fn add_book(root: &Path, files: &mut Files) -> Result<Map<String, Value>> {
    let slugs = Ext::ALL.iter().map(|ext| ext.expansion().slug);
    let mut book = Map::new();
    for slug in slugs.chain(CORE) {
        let path = root.join(format!("docs/rules/{slug}.md"));
        let source =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if let Some(page) = book::page(&source) {
            let file = files.add_hashed(&format!("book/{slug}.html"), page.html.as_bytes())?;
            book.insert(page.prefix, json!({ "title": page.title, "file": file }));
        }
    }
    Ok(book)
}
