//! The client played in headless Chromium, against the real server.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, output, run as run_command, watched};
use crate::counts::Counts;
use crate::play::client;
use crate::project::Project;
use crate::stages::Outcome;

/// Where the tests are, with the list of the packages they use.
const FOLDER: &str = "crates/web/browser";

/// The files with tests: at this screen, and over the server.
const TESTS: [&str; 2] = ["play.test.mjs", "table.test.mjs"];

/// Programs with the Debian packages that bring them; the first name found counts.
const CHROMIUM: (&[&str], &[&str]) = (
    &["chromium", "chromium-browser", "google-chrome"],
    &["chromium"],
);
const NODE: (&[&str], &[&str]) = (&["node"], &["nodejs"]);
const NPM: (&[&str], &[&str]) = (&["npm"], &["npm"]);

/// Builds the client, starts the server, and plays.
pub(crate) fn check(project: &Project) -> Result<Outcome> {
    let tools = (|| Ok::<_, anyhow::Error>([found(CHROMIUM)?, found(NODE)?, found(NPM)?]))();
    let [chromium, node, npm] = match tools {
        Ok(tools) => tools,
        // Where everything is tested, nothing may be left out.
        Err(missing) if env::var_os("CI").is_some() => return Err(missing),
        Err(missing) => return Ok(Outcome::Skipped(format!("{missing:#}"))),
    };
    let folder = project.path(FOLDER);
    run_command(
        Command::new(npm)
            .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
            .current_dir(&folder),
    )?;
    let directory = client(project)?;
    let server = Server::start(project, &directory)?;
    let mut counts = Counts::default();
    let mut command = Command::new(node);
    command
        .args(["--test", "--test-reporter=tap"])
        .args(TESTS)
        .current_dir(&folder)
        .env("TRENCAVEL_URL", &server.address)
        .env("CHROMIUM", chromium);
    let succeeded = watched(&mut command, &mut |line| {
        if let Some(found) = Counts::in_tap(line) {
            counts += found;
        }
    })?;
    drop(server);
    if succeeded != (counts.failed == 0) || counts.passed == 0 {
        bail!("the browser tests did not come to their end");
    }
    Ok(Outcome::Counted(counts))
}

/// The program on the path or, on Debian as root, after it was installed.
fn found((programs, packages): (&[&str], &[&str])) -> Result<PathBuf> {
    let find = || programs.iter().find_map(|program| on_path(program));
    if let Some(program) = find() {
        return Ok(program);
    }
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if root && on_path("apt-get").is_some() {
        let mut install = Command::new("apt-get");
        install
            .args(["install", "--yes", "--no-install-recommends"])
            .args(packages)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null());
        run_command(&mut install)?;
    }
    find().with_context(|| {
        format!(
            "{} is not installed (Debian's package {})",
            programs.first().unwrap_or(&""),
            packages.join(" ")
        )
    })
}

/// A server for the tests, ended when it is dropped.
struct Server {
    child: Child,
    address: String,
    data: PathBuf,
}

impl Server {
    fn start(project: &Project, client: &std::path::Path) -> Result<Server> {
        let program = program(project)?;
        let data = env::temp_dir().join(format!("trencavel-browser-{}.sqlite", std::process::id()));
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn"])
            .arg("--data")
            .arg(&data)
            .arg("--client")
            .arg(client)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the server")?;
        let out = child.stdout.take().context("the server says nothing")?;
        // It tells its address when it is ready.
        let address = BufReader::new(out)
            .lines()
            .map_while(Result::ok)
            .find(|line| line.starts_with("http://"));
        match address {
            Some(address) => Ok(Server {
                child,
                address,
                data,
            }),
            None => {
                let _ = child.kill();
                bail!("the server ended before it told its address")
            }
        }
    }
}

/// Builds the program with the server and gives its path: it is started itself, so that ending it ends it.
fn program(project: &Project) -> Result<PathBuf> {
    let messages = output(&mut cargo(
        project,
        &[
            "build",
            "--quiet",
            "--package",
            "trencavel-cli",
            "--message-format=json-render-diagnostics",
        ],
    ))?;
    executable_in(&messages).context("cargo names no program of trencavel-cli")
}

/// The last program among the artifacts that cargo reports.
fn executable_in(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.data);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_the_artifacts() {
        let messages = r#"{"reason":"compiler-artifact","executable":null}
{"reason":"compiler-artifact","executable":"target/debug/trencavel"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(
            executable_in(messages),
            Some(PathBuf::from("target/debug/trencavel"))
        );
        assert_eq!(executable_in("{}"), None);
    }
}
