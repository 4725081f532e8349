//! Places for the files of tests.

use std::path::{Path, PathBuf};

/// An empty folder under another, for this process alone: the same tests may run twice at the same time. What processes that
/// are gone have left is removed.
///
/// # Panics
/// The folder cannot be made.
pub fn scratch(under: impl AsRef<Path>, name: &str) -> PathBuf {
    let under = under.as_ref();
    let gone = |entry: &std::fs::DirEntry| {
        let file = entry.file_name();
        let owner = file
            .to_str()
            .and_then(|file| file.strip_prefix(name)?.strip_prefix('.')?.parse().ok());
        owner.is_some_and(|owner: u32| !runs(owner))
    };
    for entry in std::fs::read_dir(under).into_iter().flatten().flatten() {
        if gone(&entry) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    let path = under.join(format!("{name}.{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    match std::fs::create_dir_all(&path) {
        Ok(()) => path,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// Whether a process runs, or may run, for all that this system says.
fn runs(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_uses_is_removed() {
        let under = std::env::temp_dir().join(format!("trencavel-scratch-{}", std::process::id()));
        let own = scratch(&under, "games");
        std::fs::write(own.join("file"), "").unwrap();
        // No process has this number.
        let left = under.join("games.4294967295");
        let others = ["games.1", "games.x", "games", "other.4294967295"].map(|n| under.join(n));
        for folder in others.iter().chain([&left]) {
            std::fs::create_dir_all(folder).unwrap();
        }
        assert_eq!(scratch(&under, "games"), own);
        assert_eq!(std::fs::read_dir(&own).unwrap().count(), 0);
        assert!(others.iter().all(|folder| folder.exists()));
        assert_eq!(left.exists(), !Path::new("/proc/self").exists());
        std::fs::remove_dir_all(under).unwrap();
    }
}
