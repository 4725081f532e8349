//! A small server of files, for looking at the client where there is no other.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

/// Where it listens if nothing else is said.
pub(crate) const ADDRESS: &str = "127.0.0.1:8420";

/// The longest line of a request.
const LINE: u64 = 8192;

/// Serves the directory until the program is stopped.
pub(crate) fn serve(directory: &Path, address: &str) -> Result<()> {
    let listener =
        TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
    let _ = writeln!(std::io::stdout(), "http://{}", listener.local_addr()?);
    for stream in listener.incoming() {
        let directory = directory.to_path_buf();
        std::thread::spawn(move || {
            // Whoever went away needs no answer.
            let _ = stream
                .map_err(anyhow::Error::from)
                .and_then(|s| answer(&directory, s));
        });
    }
    Ok(())
}

fn answer(directory: &Path, mut stream: TcpStream) -> Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(std::io::Read::take(stream.try_clone()?, 8 * LINE));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut accepts = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if line.to_ascii_lowercase().starts_with("accept-encoding:") {
            accepts = line;
        }
    }
    let mut words = first.split_whitespace();
    let method = words.next().unwrap_or("");
    let path = words.next().unwrap_or("/");
    let Some((file, kind)) = (method == "GET").then(|| find(directory, path)).flatten() else {
        stream.write_all(
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot found",
        )?;
        return Ok(());
    };
    let small = [("br", "br"), ("gzip", "gz")]
        .into_iter()
        .find_map(|(name, extension)| {
            let compressed = PathBuf::from(format!("{}.{extension}", file.display()));
            (accepts.contains(name) && compressed.is_file()).then_some((compressed, name))
        });
    let (content, encoding) = match small {
        Some((path, name)) => (fs::read(path)?, format!("Content-Encoding: {name}\r\n")),
        None => (fs::read(&file)?, String::new()),
    };
    let keep = if has_hash(&file) {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n{encoding}Vary: Accept-Encoding\r\nCache-Control: {keep}\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&content)?;
    Ok(())
}

/// The file of a path and its content type; nothing outside the directory.
fn find(directory: &Path, path: &str) -> Option<(PathBuf, &'static str)> {
    let path = path.split(['?', '#']).next()?.trim_start_matches('/');
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    if !path
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        return None;
    }
    let kind = match path.extension()?.to_str()? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    };
    let file = directory.join(path);
    file.is_file().then_some((file, kind))
}

/// Whether the name ends with the hash of the content.
fn has_hash(file: &Path) -> bool {
    let stem = file
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("");
    stem.rsplit_once('-')
        .is_some_and(|(_, hash)| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_directory_is_served() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
        for path in [
            "/../Cargo.toml",
            "//etc/passwd.html",
            "/src/../../x.html",
            "/src/main.rs",
        ] {
            assert_eq!(find(directory, path), None, "{path}");
        }
    }

    #[test]
    fn hashed_names_are_known() {
        assert!(has_hash(Path::new("book/base-0123456789abcdef.html")));
        assert!(!has_hash(Path::new("index.html")));
    }
}
