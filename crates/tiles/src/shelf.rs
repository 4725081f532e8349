//! Many tile files together.

use crate::error::{Error, Errors, Problem};
use crate::file::{MAX_ERRORS, MAX_FILE, TileFile, TileSet};
use crate::tile::Tile;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Tile files that go together: no id is there twice, and what one file says of another is right.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shelf {
    files: Vec<TileFile>,
}

impl TileFile {
    /// Reads a file of the file system. Its name in errors is the last part of the path.
    ///
    /// # Errors
    /// [`Problem::Unreadable`] if it cannot be opened, else as [`TileFile::read`].
    pub fn open(path: &Path) -> Result<TileFile, Errors> {
        let name = path
            .file_name()
            .unwrap_or(path.as_os_str())
            .to_string_lossy();
        let unreadable = |why: std::io::Error| {
            let problem = Problem::Unreadable(why.to_string());
            Errors(vec![Error {
                file: name.to_string(),
                line: 1,
                about: None,
                problem,
            }])
        };
        let mut bytes = Vec::new();
        let limit = MAX_FILE as u64 + 1;
        fs::File::open(path)
            .and_then(|file| file.take(limit).read_to_end(&mut bytes))
            .map_err(unreadable)?;
        TileFile::read(&name, &bytes)
    }
}

impl Shelf {
    /// Puts files together, each with its name for errors. They are sorted by slug.
    ///
    /// # Errors
    /// Ids and slugs that are there twice, and tiles or groups that a set needs or takes away and no file has.
    pub fn new(named: Vec<(String, TileFile)>) -> Result<Shelf, Errors> {
        let mut named = named;
        named.sort_by(|(_, a), (_, b)| a.slug.cmp(&b.slug));
        let mut errors = Vec::new();
        for (i, (name, file)) in named.iter().enumerate() {
            let mut fail = |about: Option<&str>, problem| {
                errors.push(Error {
                    file: name.clone(),
                    line: 1,
                    about: about.map(str::to_owned),
                    problem,
                });
            };
            let earlier = || named.iter().take(i).map(|(_, earlier)| earlier);
            if earlier().any(|other| other.slug == file.slug) {
                fail(None, Problem::Twice("slug", file.slug.clone()));
            }
            for tile in file
                .tiles
                .iter()
                .filter(|tile| earlier().any(|other| other.tile(&tile.id).is_some()))
            {
                fail(Some(&tile.id), Problem::Twice("tile", tile.id.clone()));
            }
            for set in &file.sets {
                if earlier().any(|other| other.set(&set.id).is_some()) {
                    fail(Some(&set.id), Problem::Twice("set", set.id.clone()));
                }
                for id in set.tiles.iter().map(|(id, _)| id).chain(&set.without) {
                    if !named.iter().any(|(_, other)| other.tile(id).is_some()) {
                        fail(Some(&set.id), Problem::UnknownTile(id.clone()));
                    }
                }
                let is_there = |group: &String| {
                    named
                        .iter()
                        .flat_map(|(_, other)| &other.tiles)
                        .any(|tile| tile.group.as_ref() == Some(group))
                };
                if let Some(group) = set.needs.as_ref().filter(|group| !is_there(group)) {
                    fail(Some(&set.id), Problem::UnknownGroup(group.clone()));
                }
            }
        }
        errors.truncate(MAX_ERRORS);
        let files = named.into_iter().map(|(_, file)| file).collect();
        if errors.is_empty() {
            Ok(Shelf { files })
        } else {
            Err(Errors(errors))
        }
    }

    /// Reads all the `*.toml` files of a folder.
    ///
    /// # Errors
    /// The errors of all the files, or of the folder.
    pub fn open(folder: &Path) -> Result<Shelf, Errors> {
        let unreadable = |why: std::io::Error| {
            let problem = Problem::Unreadable(why.to_string());
            Errors(vec![Error {
                file: folder.display().to_string(),
                line: 1,
                about: None,
                problem,
            }])
        };
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                paths.push(path);
            }
        }
        paths.sort();
        let mut named = Vec::new();
        let mut errors = Vec::new();
        for path in paths {
            match TileFile::open(&path) {
                Ok(file) => {
                    let name = path
                        .file_name()
                        .unwrap_or(path.as_os_str())
                        .to_string_lossy();
                    named.push((name.to_string(), file));
                }
                Err(mut more) => errors.append(&mut more.0),
            }
        }
        errors.truncate(MAX_ERRORS);
        if errors.is_empty() {
            Shelf::new(named)
        } else {
            Err(Errors(errors))
        }
    }

    /// The files, sorted by slug.
    pub fn files(&self) -> &[TileFile] {
        &self.files
    }

    /// The file of the expansion with this slug.
    pub fn file(&self, slug: &str) -> Option<&TileFile> {
        self.files.iter().find(|file| file.slug == slug)
    }

    /// The tile with this id.
    pub fn tile(&self, id: &str) -> Option<&Tile> {
        self.files.iter().find_map(|file| file.tile(id))
    }

    /// The set with this id.
    pub fn set(&self, id: &str) -> Option<&TileSet> {
        self.files.iter().find_map(|file| file.set(id))
    }

    /// All tiles, file by file.
    pub fn tiles(&self) -> impl Iterator<Item = &Tile> {
        self.files.iter().flat_map(|file| &file.tiles)
    }
}
