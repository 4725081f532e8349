//! The client's files: read once at start, served compressed, with caching by content hash.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// The files that the build script found.
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

/// A file of the client.
#[derive(Clone, Debug)]
struct File {
    body: Bytes,
    kind: &'static str,
    /// The same compressed, by encoding.
    packed: Vec<(&'static str, Bytes)>,
    /// Its name holds the hash of its content, so it never changes.
    lasting: bool,
    tag: String,
}

/// The client's files.
#[derive(Clone, Debug, Default)]
pub struct Site {
    files: BTreeMap<String, File>,
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "webmanifest") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("md" | "txt" | "ftl") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

impl Site {
    /// The client inside the program; no files if it was built without one.
    pub fn embedded() -> Site {
        let files = embedded::FILES.iter();
        Site::of(files.map(|(name, body)| (name.to_string(), Bytes::from_static(body))))
    }

    /// Reads all files of a folder. `x.br` and `x.gz` are the compressed forms of `x`.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn load(folder: &Path) -> io::Result<Site> {
        let mut folders = vec![folder.to_path_buf()];
        let mut files = Vec::new();
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(&next)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Ok(name) = path.strip_prefix(folder) else {
                    continue;
                };
                let name = name.to_string_lossy().replace('\\', "/");
                files.push((name, Bytes::from(std::fs::read(&path)?)));
            }
        }
        Ok(Site::of(files))
    }

    fn of(files: impl IntoIterator<Item = (String, Bytes)>) -> Site {
        let mut site = Site::default();
        let mut packed: Vec<(String, &'static str, Bytes)> = Vec::new();
        for (name, body) in files {
            if let Some(plain) = name.strip_suffix(".br") {
                packed.push((plain.to_string(), "br", body));
            } else if let Some(plain) = name.strip_suffix(".gz") {
                packed.push((plain.to_string(), "gzip", body));
            } else {
                let tag = format!("\"{}\"", &trencavel_record::dealer::hex(&sha(&body))[..16]);
                let lasting = name
                    .split(['.', '-'])
                    .any(|part| part.len() >= 8 && part.bytes().all(|b| b.is_ascii_hexdigit()));
                let kind = kind_of(&name);
                let file = File {
                    body,
                    kind,
                    packed: Vec::new(),
                    lasting,
                    tag,
                };
                site.files.insert(name, file);
            }
        }
        for (name, encoding, body) in packed {
            if let Some(file) = site.files.get_mut(&name) {
                file.packed.push((encoding, body));
            }
        }
        for file in site.files.values_mut() {
            file.packed.sort_by_key(|(encoding, _)| *encoding);
        }
        site
    }

    /// Whether there is anything to serve.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The answer to a request for a path; a path without a file is a page of the client.
    pub(crate) fn answer(&self, path: &str, headers: &HeaderMap) -> Response {
        let name = path.trim_start_matches('/');
        let is_page = !name.rsplit('/').next().unwrap_or("").contains('.');
        let file = self
            .files
            .get(name)
            .or_else(|| is_page.then(|| self.files.get("index.html")).flatten());
        let Some(file) = file else {
            return (StatusCode::NOT_FOUND, "there is no such page\n").into_response();
        };
        let seen = headers
            .get(header::IF_NONE_MATCH)
            .and_then(|tag| tag.to_str().ok());
        let cache = if file.lasting {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let mut answer = if seen == Some(&file.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            let accepted = headers
                .get(header::ACCEPT_ENCODING)
                .and_then(|value| value.to_str().ok())
                .unwrap_or("");
            let takes = |encoding: &str| {
                accepted
                    .split(',')
                    .any(|part| part.trim().split(';').next() == Some(encoding))
            };
            match file.packed.iter().find(|(encoding, _)| takes(encoding)) {
                Some((encoding, body)) => {
                    let mut answer = body.clone().into_response();
                    answer
                        .headers_mut()
                        .insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
                    answer
                }
                None => file.body.clone().into_response(),
            }
        };
        let answered = answer.headers_mut();
        answered.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
        answered.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
        answered.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(&file.tag) {
            answered.insert(header::ETAG, tag);
        }
        answer
    }
}

fn sha(bytes: &[u8]) -> Vec<u8> {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).to_vec()
}
