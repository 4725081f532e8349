//! Puts the built client into the program: the files of the folder that TRENCAVEL_CLIENT_FILES names while building. Without it
//! the program has no client inside, and serves one from a folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TRENCAVEL_CLIENT_FILES");
    let mut list = String::new();
    if let Some(folder) = env::var_os("TRENCAVEL_CLIENT_FILES") {
        let folder = PathBuf::from(folder).canonicalize()?;
        println!("cargo::rerun-if-changed={}", folder.display());
        add(&folder, &folder, &mut list)?;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let source = format!(
        "/// Name and content of each file.\npub(super) const FILES: &[(&str, &[u8])] = &[\n{list}];\n"
    );
    fs::write(out.join("client.rs"), source)
}

fn add(root: &Path, folder: &Path, list: &mut String) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add(root, &path, list)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            let name = name.to_string_lossy().replace('\\', "/");
            let _ = writeln!(
                list,
                "    ({name:?}, include_bytes!({:?})),",
                path.display().to_string()
            );
        }
    }
    Ok(())
}
