//! Starts the program and PostgreSQL, and ends them again.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use trencavel_bot::Http;

/// A folder of its own for a test, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let own = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("server");
    trencavel_bot::scratch(own, name)
}

/// Options for clients that do more in a second than people do.
pub(crate) const EAGER: &[&str] = &[
    "--limit",
    "wishes-per-second=100000",
    "--limit",
    "requests-per-second=100000",
    "--limit",
    "joins-per-minute=100000",
    "--limit",
    "tables-per-address=100000",
    "--limit",
    "connections-per-address=20000",
];

/// A server that runs. It is killed when this is dropped.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: String,
    pub(crate) log: PathBuf,
}

impl Served {
    /// Starts a server on some data; its log goes to a file.
    pub(crate) fn start(data: &str, log: &Path, options: &[&str]) -> Served {
        Served::start_at("127.0.0.1:0", data, log, options)
    }

    /// Starts a server with a new file of data in a folder of its own.
    pub(crate) fn with_sqlite(name: &str, options: &[&str]) -> Served {
        let folder = folder(name);
        let data = folder.join("games.sqlite").display().to_string();
        Served::start(&data, &folder.join("log"), options)
    }

    pub(crate) fn start_at(listen: &str, data: &str, log: &Path, options: &[&str]) -> Served {
        Served::try_start(listen, data, log, options).unwrap_or_else(|| {
            panic!(
                "the server did not start: {}",
                std::fs::read_to_string(log).unwrap()
            )
        })
    }

    fn try_start(listen: &str, data: &str, log: &Path, options: &[&str]) -> Option<Served> {
        let errors = File::options().append(true).create(true).open(log).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_trencavel"))
            .args(["serve", "--listen", listen])
            .args(options)
            // Not on the command line, where everybody could read a password.
            .env("TRENCAVEL_DATA", data)
            .env("TRENCAVEL_LOG", "debug")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let Some(address) = line.trim().strip_prefix("http://") else {
            let _ = child.wait();
            return None;
        };
        Some(Served {
            address: address.to_string(),
            log: log.to_path_buf(),
            child,
        })
    }

    pub(crate) fn http(&self) -> Http {
        Http::new(self.address.clone())
    }

    /// Ends it in the middle of whatever it does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, and waits until it has; how long that took.
    pub(crate) fn stop(mut self) -> Duration {
        let began = Instant::now();
        let asked = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        assert!(asked.unwrap().success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        began.elapsed()
    }

    /// How much memory it uses, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status
            .lines()
            .find(|line| line.starts_with("VmRSS:"))
            .unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A PostgreSQL of its own, run by a user who is not root.
pub(crate) struct Postgres {
    folder: PathBuf,
    port: u16,
    child: Option<Child>,
}

/// Where PostgreSQL's programs are, newest first.
fn programs() -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|path| path.join("initdb").exists())
        .collect();
    versions.sort();
    versions.pop()
}

/// Ports at which nobody listens, below those that systems give to clients: a server that ends and begins again must find its
/// port free.
fn free_ports(count: u32) -> impl Iterator<Item = u16> {
    let first = std::process::id().wrapping_add(count * 97) % 10_000;
    let ports = (first..first + 10_000).step_by(61);
    ports
        .filter_map(|port| u16::try_from(20_000 + port % 10_000).ok())
        .filter(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok())
}

fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

fn id(args: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(args).output().ok()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}

impl Postgres {
    /// Starts one. Without PostgreSQL on the machine the test is skipped and says so; where CI is set that is a failure.
    pub(crate) fn start(name: &str) -> Option<Postgres> {
        let Some(programs) = programs() else {
            assert!(
                std::env::var_os("CI").is_none(),
                "PostgreSQL is not installed (Debian package postgresql)"
            );
            eprintln!("SKIPPED: PostgreSQL is not installed (Debian package postgresql)");
            return None;
        };
        // PostgreSQL's user must reach it.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = format!("trencavel-{name}-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(own);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        if let Some((user, group)) = Postgres::user() {
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
        }
        let mut postgres = Postgres {
            folder,
            port: 0,
            child: None,
        };
        let data = postgres.folder.join("data");
        output(
            postgres
                .command(&programs.join("initdb"))
                .args([
                    "-A",
                    "trust",
                    "-U",
                    "postgres",
                    "-E",
                    "UTF8",
                    "--no-instructions",
                    "-D",
                ])
                .arg(&data),
        );
        // A port that is free now may be taken in a moment, by another test.
        for port in free_ports(count) {
            postgres.port = port;
            if postgres.try_run() {
                return Some(postgres);
            }
        }
        panic!("PostgreSQL finds no port: {}", postgres.log());
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// The user and group of PostgreSQL when this runs as root, which PostgreSQL refuses to be run by.
    fn user() -> Option<(u32, u32)> {
        if id(&["-u"]) != Some(0) {
            return None;
        }
        let user = id(&["-u", "postgres"]).unwrap_or(65534);
        let group = id(&["-g", "postgres"]).unwrap_or(65534);
        Some((user, group))
    }

    fn command(&self, program: &Path) -> Command {
        use std::os::unix::process::CommandExt as _;
        let mut command = Command::new(program);
        command.current_dir(&self.folder).stdin(Stdio::null());
        if let Some((user, group)) = Postgres::user() {
            command.uid(user).gid(group);
        }
        command
    }

    /// Runs it again after a [`Postgres::kill`].
    pub(crate) fn run(&mut self) {
        assert!(self.try_run(), "PostgreSQL ended: {}", self.log());
    }

    /// Runs it; whether its port was free. It ends with this, or after a quarter of an hour in any case.
    fn try_run(&mut self) -> bool {
        let log = File::options()
            .append(true)
            .create(true)
            .open(self.folder.join("log"))
            .unwrap();
        let mut command = self.command(Path::new("timeout"));
        command
            .args(["-s", "QUIT", "900"])
            .arg(programs().unwrap().join("postgres"));
        command.arg("-D").arg(self.folder.join("data"));
        command.args([
            "-p",
            &self.port.to_string(),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
        ]);
        command.args(["-c", "max_connections=60"]);
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
        let data = self.folder.join("data").display().to_string();
        for _ in 0..1200 {
            // Another one may answer at this port.
            if self.query("SHOW data_directory").as_ref() == Some(&data) {
                return true;
            }
            if self.child.as_mut().unwrap().try_wait().unwrap().is_some() {
                self.child = None;
                return false;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("PostgreSQL does not answer: {}", self.log());
    }

    /// Ends it at once, as when its machine fails.
    pub(crate) fn kill(&mut self) {
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid"));
        if let Some(pid) = pid.ok().as_deref().and_then(|text| text.lines().next()) {
            // Immediate shutdown: all its processes end without writing anything more.
            let _ = Command::new("kill").args(["-QUIT", pid]).status();
        }
        if let Some(mut child) = self.child.take() {
            let _ = child.wait();
        }
    }

    /// The first value that a query gives; none while it does not answer.
    pub(crate) fn query(&self, query: &str) -> Option<String> {
        let psql = programs().unwrap().join("psql");
        let output = self
            .command(&psql)
            .args([
                "-qtAX",
                "-h",
                "127.0.0.1",
                "-p",
                &self.port.to_string(),
                "-U",
                "postgres",
                "-d",
                "postgres",
                "-c",
                query,
            ])
            .output()
            .unwrap();
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
    }

    /// The URL of its database.
    pub(crate) fn url(&self) -> String {
        format!(
            "postgres://postgres:unused-password@127.0.0.1:{}/postgres",
            self.port
        )
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
