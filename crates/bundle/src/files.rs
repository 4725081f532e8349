//! Files with the hash of their content in the name, each also compressed.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The files written so far.
pub(crate) struct Files {
    directory: PathBuf,
    /// The paths, relative to the directory, in the order of writing.
    pub(crate) paths: Vec<String>,
    /// Bytes as they are, and compressed by brotli.
    pub(crate) sizes: Vec<(usize, usize)>,
}

impl Files {
    /// An empty directory.
    pub(crate) fn in_directory(directory: &Path) -> Result<Files> {
        if directory.exists() {
            fs::remove_dir_all(directory)
                .with_context(|| format!("cannot empty {}", directory.display()))?;
        }
        fs::create_dir_all(directory)?;
        Ok(Files {
            directory: directory.to_path_buf(),
            paths: Vec::new(),
            sizes: Vec::new(),
        })
    }

    /// Writes a file whose name changes with its content, so that browsers may keep it for ever, and gives its path.
    pub(crate) fn add_hashed(&mut self, path: &str, content: &[u8]) -> Result<String> {
        let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
        let name = format!("{stem}-{}.{extension}", hash(content));
        self.add(&name, content)?;
        Ok(name)
    }

    /// Writes a file and its compressed forms.
    pub(crate) fn add(&mut self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.directory.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))?;
        let small = brotli(content)?;
        fs::write(self.directory.join(format!("{path}.br")), &small)?;
        fs::write(self.directory.join(format!("{path}.gz")), gzip(content)?)?;
        self.paths.push(path.to_string());
        self.sizes.push((content.len(), small.len()));
        Ok(())
    }
}

/// Sixteen hexadecimal digits that change with the content (FNV-1a).
pub(crate) fn hash(content: &[u8]) -> String {
    let hash = content
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{hash:016x}")
}

fn brotli(content: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut out, 1 << 16, 10, 22);
    writer.write_all(content)?;
    writer.flush()?;
    drop(writer);
    Ok(out)
}

fn gzip(content: &[u8]) -> Result<Vec<u8>> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    writer.write_all(content)?;
    Ok(writer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv() {
        // The offset basis, and the published value for "a".
        assert_eq!(hash(b""), "cbf29ce484222325");
        assert_eq!(hash(b"a"), "af63dc4c8601ec8c");
    }

    #[test]
    fn what_is_compressed_is_smaller() {
        let text = "field ".repeat(500);
        assert!(brotli(text.as_bytes()).unwrap().len() < 200);
        assert!(gzip(text.as_bytes()).unwrap().len() < 200);
    }
}
