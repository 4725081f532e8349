//! Building for WebAssembly (`wasm32-unknown-unknown`) on a machine that may lack the target.
//!
//! Three ways, in this order: the compiler in use has the target; rustup can add it; on Debian, as root, the packages of
//! Debian's own compiler with the sources of the standard library are installed, and the library is built along.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, output, run as run_command, shown};
use crate::project::Project;

const TARGET: &str = "wasm32-unknown-unknown";

/// The profile for what a browser loads: small before fast.
pub(crate) const PROFILE: &str = "wasm";

/// Debian's packages: compiler, cargo, sources of the standard library.
const PACKAGES: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";

/// How long rustup may take to add the target.
const PATIENCE: Duration = Duration::from_secs(300);

/// Options of the command.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The package
    package: String,
    /// The profile of the workspace to build with
    #[arg(long, default_value = PROFILE)]
    profile: String,
    /// Which compiler to use, instead of the first that can be had
    #[arg(long)]
    compiler: Option<Source>,
}

/// Where a compiler for WebAssembly comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Source {
    /// The compiler in use has the target
    Own,
    /// Debian's packages rustc-web, cargo-web and rust-web-src
    Debian,
}

/// A compiler that can build for WebAssembly.
pub(crate) struct Compiler {
    kind: Kind,
}

enum Kind {
    Own,
    Debian { linker: PathBuf },
}

/// Builds the package and prints where the module is.
pub(crate) fn run(project: &Project, args: &Args) -> Result<bool> {
    let compiler = match args.compiler {
        None => Compiler::find_or_install()?,
        Some(Source::Own) => Compiler { kind: Kind::Own },
        Some(Source::Debian) => debian()?,
    };
    let module = compiler.build(project, &args.package, &args.profile)?;
    say!("{}", module.display());
    Ok(true)
}

impl Compiler {
    /// The first way that works.
    ///
    /// # Errors
    /// When none does; the error says what to do.
    pub(crate) fn find_or_install() -> Result<Compiler> {
        let own = || Compiler { kind: Kind::Own };
        if has_target(&sysroot()?) {
            return Ok(own());
        }
        let mut tried = Vec::new();
        match add_target() {
            Ok(()) if has_target(&sysroot()?) => return Ok(own()),
            Ok(()) => tried.push(
                "rustup added the target to another toolchain than the one in use".to_string(),
            ),
            Err(error) => tried.push(format!("{error:#}")),
        }
        say!("wasm: {}; trying Debian's compiler", tried[0]);
        match debian() {
            Ok(compiler) => Ok(compiler),
            Err(error) => {
                tried.push(format!("{error:#}"));
                bail!(
                    "this machine cannot build for {TARGET}:\n- {}\nTo build the client, do one of these and run the command \
                     again:\n- rustup target add {TARGET}\n- on Debian, as root: apt-get install {}",
                    tried.join("\n- "),
                    PACKAGES.join(" ")
                )
            }
        }
    }

    /// Builds a package with one `cdylib` or program and gives the path of its module.
    pub(crate) fn build(&self, project: &Project, package: &str, profile: &str) -> Result<PathBuf> {
        let args = [
            "build",
            "--target",
            TARGET,
            "--package",
            package,
            "--profile",
            profile,
        ];
        let mut command = match &self.kind {
            Kind::Own => cargo(project, &args),
            Kind::Debian { linker } => debian_cargo(project, &args, linker),
        };
        command.arg("--message-format=json-render-diagnostics");
        say!("$ {}", shown(&command));
        let messages = output(&mut command)?;
        module_in(&messages).with_context(|| format!("{package} has no `cdylib` and no program"))
    }
}

/// The last `.wasm` file among the artifacts that cargo reports.
fn module_in(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .rfind(|file| file.extension().is_some_and(|e| e == "wasm"))
}

/// Where the compiler in use has its libraries.
fn sysroot() -> Result<PathBuf> {
    let text = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(text.trim()))
}

fn has_target(sysroot: &Path) -> bool {
    sysroot
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir()
}

/// Lets rustup fetch the target, for a limited time.
fn add_target() -> Result<()> {
    let program = on_path("rustup").context("there is no rustup")?;
    let mut command = Command::new(program);
    command.args(["target", "add", TARGET]).stdin(Stdio::null());
    say!("$ {}", shown(&command));
    let mut child = command.spawn().context("cannot start rustup")?;
    let began = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("rustup cannot add the target ({status})"),
            None if began.elapsed() > PATIENCE => {
                child.kill()?;
                child.wait()?;
                bail!(
                    "rustup did not add the target within {} s",
                    PATIENCE.as_secs()
                );
            }
            None => sleep(Duration::from_millis(100)),
        }
    }
}

/// Debian's compiler, installed if that is possible.
fn debian() -> Result<Compiler> {
    let is_there = || {
        [DEBIAN_RUSTC, DEBIAN_CARGO, DEBIAN_SOURCES]
            .iter()
            .all(|f| Path::new(f).exists())
    };
    if !is_there() {
        install()?;
    }
    if !is_there() {
        bail!(
            "{} are installed, but {DEBIAN_SOURCES} is missing",
            PACKAGES.join(", ")
        );
    }
    Ok(Compiler {
        kind: Kind::Debian { linker: linker()? },
    })
}

fn install() -> Result<()> {
    if on_path("apt-get").is_none() {
        bail!("this is not Debian: there is no apt-get");
    }
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        bail!("only root can install Debian's {}", PACKAGES.join(", "));
    }
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null());
        run_command(&mut command)
    };
    apt(&["update"])?;
    apt(&[
        ["install", "--yes", "--no-install-recommends"].as_slice(),
        &PACKAGES,
    ]
    .concat())
}

/// A linker for WebAssembly: the one rustup's compiler brings, or LLVM's own.
fn linker() -> Result<PathBuf> {
    let libraries = sysroot()?.join("lib/rustlib");
    let hosts = std::fs::read_dir(&libraries)
        .into_iter()
        .flatten()
        .flatten();
    let mut candidates: Vec<PathBuf> = hosts.map(|host| host.path().join("bin/rust-lld")).collect();
    candidates.sort();
    candidates.extend(on_path("rust-lld"));
    candidates.extend(on_path("wasm-ld"));
    candidates
        .into_iter()
        .find(|file| file.is_file())
        .with_context(|| {
            format!(
                "there is no rust-lld below {} and no wasm-ld (Debian's package lld)",
                libraries.display()
            )
        })
}

/// Debian's cargo with Debian's compiler, which builds the standard library along. It has a target directory of its own, because
/// the two compilers cannot use each other's work.
fn debian_cargo(project: &Project, args: &[&str], linker: &Path) -> Command {
    let mut command = Command::new(DEBIAN_CARGO);
    command
        .args(args)
        .arg("-Zbuild-std=std,panic_abort")
        .arg("--target-dir")
        .arg(target_dir(project))
        .current_dir(project.root())
        .env("RUSTC", DEBIAN_RUSTC)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
        // What rustup's cargo told this program about itself.
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("LD_LIBRARY_PATH");
    command
}

fn target_dir(project: &Project) -> OsString {
    let base =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| project.path("target"), PathBuf::from);
    base.join("wasm-debian").into_os_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_found_among_the_artifacts() {
        let messages = r#"{"reason":"compiler-artifact","filenames":["a.rlib"]}
{"reason":"build-script-executed"}
{"reason":"compiler-artifact","filenames":["target/x.wasm","target/x.d"]}
not json
{"reason":"build-finished","success":true}"#;
        assert_eq!(module_in(messages), Some(PathBuf::from("target/x.wasm")));
        assert_eq!(module_in("{}"), None);
    }

    #[test]
    fn debian_builds_the_standard_library_along() {
        let command = debian_cargo(
            &Project::at(Path::new("/p")),
            &["build"],
            Path::new("/l/rust-lld"),
        );
        let text = format!("{command:?}");
        for part in [
            "RUSTC_BOOTSTRAP=\"1\"",
            "RUSTC=\"/usr/bin/rustc\"",
            "-Zbuild-std=std,panic_abort",
            "/l/rust-lld",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}
