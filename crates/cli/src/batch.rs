//! Many files at once: which they are, working on them on all cores, and telling of them in order.

use std::io::{IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

/// Folders deeper than this within each other are not looked into.
const MAX_DEPTH: usize = 16;
/// How many files are worked on before the next are told of.
const CHUNK: usize = 64;

/// The files that are meant, in order: a folder means every file in it whose name has one of these endings.
pub(crate) fn files(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = files.len();
            gather(path, endings, MAX_DEPTH, &mut files)?;
            let found = files.get_mut(before..).unwrap_or_default();
            if found.is_empty() {
                bail!(
                    "{}: no file in this folder ends in {}",
                    path.display(),
                    endings.join(" or ")
                );
            }
            found.sort();
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn gather(folder: &Path, endings: &[&str], depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    let Some(depth) = depth.checked_sub(1) else {
        return Ok(());
    };
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry.with_context(|| folder.display().to_string())?.path();
        let name = path.to_string_lossy();
        if path.is_dir() {
            gather(&path, endings, depth, files)?;
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            files.push(path);
        }
    }
    Ok(())
}

/// The bytes of a file, one more than the limit at most, so that whoever reads them sees that it is too large; the name
/// `-` means the standard input.
pub(crate) fn bytes(path: &Path, limit: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = limit as u64 + 1;
    if path.as_os_str() == "-" {
        std::io::stdin()
            .lock()
            .take(limit)
            .read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(path)?;
        file.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Works on every file, on all cores, and tells of each in order. For many files a bar shows how far it is.
pub(crate) fn run<T: Send>(
    files: &[PathBuf],
    work: impl Fn(&Path) -> T + Sync,
    mut tell: impl FnMut(&Path, T) -> Result<()>,
) -> Result<()> {
    let bar = if files.len() > 1 {
        ProgressBar::new(files.len() as u64)
    } else {
        ProgressBar::hidden()
    };
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {pos}/{len} files, {per_sec}, {eta} left",
    )?);
    // A bar between the lines of the same terminal would tear them apart.
    let shared = std::io::stdout().is_terminal();
    for chunk in files.chunks(CHUNK) {
        let done: Vec<T> = chunk
            .par_iter()
            .map(|path| {
                let done = work(path);
                bar.inc(1);
                done
            })
            .collect();
        let told = || {
            let mut pairs = chunk.iter().zip(done);
            pairs.try_for_each(|(path, done)| tell(path, done))
        };
        if shared {
            bar.suspend(told)?;
        } else {
            told()?;
        }
    }
    bar.finish_and_clear();
    Ok(())
}
