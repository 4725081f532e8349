//! The project's directory and files.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Directories without anything of ours.
const NOT_OURS: [&str; 4] = [".git", "target", "node_modules", "dist"];

/// The project's directory.
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// The project that this program belongs to.
    pub(crate) fn find() -> Result<Project> {
        // Cargo says at run time where the package is; the value from build time is for a binary started by hand.
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package.parent().context("xtask is not in a project")?;
        Ok(Project::at(root))
    }

    /// The project in this directory.
    pub(crate) fn at(root: &Path) -> Project {
        Project {
            root: root.to_path_buf(),
        }
    }

    /// The directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path below the directory.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Whether there is such a file or directory.
    pub(crate) fn has(&self, relative: &str) -> bool {
        self.path(relative).exists()
    }

    /// The text of a file.
    pub(crate) fn read(&self, relative: &str) -> Result<String> {
        let path = self.path(relative);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// All our files whose names end with one of `endings`, as sorted relative paths with `/`.
    pub(crate) fn files(&self, endings: &[&str]) -> Result<Vec<String>> {
        let mut found = Vec::new();
        self.walk(&self.root, &mut |path| {
            if endings.iter().any(|e| path.ends_with(e)) {
                found.push(path.to_string());
            }
        })?;
        found.sort();
        Ok(found)
    }

    fn walk(&self, dir: &Path, visit: &mut impl FnMut(&str)) -> Result<()> {
        let entries =
            fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
        for entry in entries {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            let name = entry.file_name();
            if kind.is_dir() && !NOT_OURS.iter().any(|n| name == *n) {
                self.walk(&path, visit)?;
            } else if kind.is_file() {
                let relative = path.strip_prefix(&self.root).unwrap_or(&path);
                visit(&relative.to_string_lossy().replace('\\', "/"));
            }
        }
        Ok(())
    }

    /// The slugs of the expansions that the engine has: the lines `Name = module;` of the registry.
    pub(crate) fn implemented(&self) -> Result<Vec<String>> {
        const REGISTRY: &str = "crates/rules/src/registry.rs";
        if !self.has(REGISTRY) {
            return Ok(Vec::new());
        }
        Ok(registered(&self.read(REGISTRY)?))
    }
}

/// The slugs in the text of the registry.
fn registered(text: &str) -> Vec<String> {
    text.lines()
        .skip_while(|line| !line.starts_with("registry! {"))
        .skip(1)
        .take_while(|line| !line.starts_with('}'))
        .filter_map(|line| line.trim().strip_suffix(';')?.split_once(" = "))
        .map(|(_, module)| module.replace('_', "-"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_lists_the_expansions() {
        let text = "macro_rules! registry {\n    ($x = y;) => {};\n}\n\nregistry! {\n    Base = base;\n    \
                    // one\n    AbbeyAndMayor = abbey_and_mayor;\n}\nA = b;\n";
        assert_eq!(registered(text), ["base", "abbey-and-mayor"]);
    }

    #[test]
    fn this_project_has_the_base_game() {
        let project = Project::find().unwrap();
        assert!(project.has("docs/rules/base.md"));
        assert!(project.files(&["xtask/src/project.rs"]).unwrap().len() == 1);
        assert!(project.implemented().unwrap().contains(&"base".to_string()));
    }
}
