//! The client's files and what else is served beside the tables.

use std::net::SocketAddr;

use reqwest::Client;
use trencavel_server::{Config, Server};

use crate::scratch;

async fn serving(name: &str, files: &[(&str, &[u8])]) -> Server {
    let folder = trencavel_bot::scratch(env!("CARGO_TARGET_TMPDIR"), name);
    for (file, content) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let here = SocketAddr::from(([127, 0, 0, 1], 0));
    let data = scratch(&format!("{name}-data"));
    let mut config = Config::new(here, data.display().to_string());
    config.client = Some(folder);
    config.origins = vec!["https://friends.example".to_string()];
    Server::start(config).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_come_compressed_and_are_kept_as_long_as_they_last() {
    let server = serving(
        "site",
        &[
            ("index.html", b"<p>page"),
            ("client-0123456789abcdef.js", b"plain"),
            ("client-0123456789abcdef.js.br", b"by brotli"),
            ("client-0123456789abcdef.js.gz", b"by gzip"),
            ("book/base-0123456789abcdef.html", b"<p>rules"),
        ],
    )
    .await;
    let client = Client::new();
    let url = |path: &str| format!("http://{}{path}", server.address());
    let script = url("/client-0123456789abcdef.js");
    for (accepted, encoding, content) in [
        ("gzip, deflate, br", Some("br"), "by brotli"),
        ("gzip;q=0.5", Some("gzip"), "by gzip"),
        ("", None, "plain"),
    ] {
        let answer = client.get(&script).header("accept-encoding", accepted);
        let answer = answer.send().await.unwrap();
        let header = |name: &str| {
            answer
                .headers()
                .get(name)
                .map(|v| v.to_str().unwrap().to_string())
        };
        assert_eq!(header("content-encoding").as_deref(), encoding);
        assert_eq!(
            header("content-type").unwrap(),
            "text/javascript; charset=utf-8"
        );
        assert_eq!(
            header("cache-control").unwrap(),
            "public, max-age=31536000, immutable"
        );
        assert_eq!(header("vary").unwrap(), "accept-encoding");
        assert_eq!(answer.text().await.unwrap(), content);
    }
    // A page is asked for each time, and sent only when it has changed.
    for path in ["/", "/index.html", "/table/0123"] {
        let answer = client.get(url(path)).send().await.unwrap();
        assert_eq!(answer.headers()["cache-control"], "no-cache");
        let policy = answer.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"));
        let tag = answer.headers()["etag"].clone();
        assert_eq!(answer.text().await.unwrap(), "<p>page");
        let again = client.get(url(path)).header("if-none-match", tag);
        assert_eq!(again.send().await.unwrap().status(), 304);
    }
    for (path, status) in [
        ("/book/base-0123456789abcdef.html", 200),
        ("/none.js", 404),
        ("/api/none", 404),
        ("/../Cargo.toml", 404),
    ] {
        assert_eq!(
            client.get(url(path)).send().await.unwrap().status(),
            status,
            "{path}"
        );
    }
    server.stop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn figures_health_and_origins_are_as_documented() {
    let server = serving("figures", &[("index.html", b"<p>page")]).await;
    let client = Client::new();
    let url = |path: &str| format!("http://{}{path}", server.address());
    let health = client.get(url("/healthz")).send().await.unwrap();
    assert_eq!(
        (
            health.status().as_u16(),
            health.text().await.unwrap().as_str()
        ),
        (200, "ok\n")
    );
    let table = serde_json::json!({ "setup": "C2; seats 1", "seats": [{ "kind": "open" }] });
    for (origin, status) in [
        (None, 201),
        (Some(url("").trim_end_matches('/').to_string()), 201),
        (Some("https://friends.example".to_string()), 201),
        (Some("https://evil.example".to_string()), 403),
        (Some("null".to_string()), 403),
    ] {
        let mut request = client.post(url("/api/tables")).json(&table);
        if let Some(origin) = &origin {
            request = request.header("origin", origin);
        }
        assert_eq!(request.send().await.unwrap().status(), status, "{origin:?}");
    }
    let figures = client
        .get(url("/metrics"))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    for line in [
        "trencavel_tables_made 3",
        "trencavel_refusals 2",
        "# TYPE trencavel_connections gauge",
    ] {
        assert!(figures.lines().any(|own| own == line), "{line}: {figures}");
    }
    server.stop().await.unwrap();
}
