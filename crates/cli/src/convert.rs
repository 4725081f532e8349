//! `convert`: from saved games of JCloisterZone to game files of ours, and back.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use trencavel_record::any::{self, Format, OpenError, Opened};
use trencavel_record::jcz::convert::Reading;
use trencavel_record::jcz::error::{JczError, JczProblem};
use trencavel_record::jcz::file::MAX_FILE;
use trencavel_record::jcz::setup::Strictness;
use trencavel_record::jcz::write::write;

use crate::{batch, files};

/// The format that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum To {
    /// A game file of ours
    Game,
    /// A saved game of JCloisterZone
    Jcz,
}

/// Options of `convert`.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  trencavel convert evening.jcz              writes evening.game beside it
  trencavel convert evening.game             writes evening.jcz, and lists what that format cannot say
  trencavel convert old.jcz -o -             writes to the standard output
  trencavel convert ~/games --into ours      every .jcz and .game file of a folder, into another

What a file is, is seen from what is in it, not from its name. A .jcz game is played by the readings of JCloisterZone (docs/jcz.md), \
which the options in the written file say. Without an order of draws a .jcz file does not say which tiles were discarded, nor \
whether the game was over; what is not known is told. The remarks go to the standard error stream.

Exit codes: 0 all was written, 1 some file cannot be converted, 2 the command cannot be carried out.")]
pub(crate) struct Args {
    /// Game files (.jcz, .game) or folders with such files; `-` is the standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where to write; `-` is the standard output. Only for one file
    #[arg(long, short, value_name = "FILE", conflicts_with = "into")]
    output: Option<PathBuf>,
    /// The folder to write into; else each file is written beside the one that was read
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// The format to write; else the other one
    #[arg(long, value_enum)]
    to: Option<To>,
    /// Leave out what is not known in a .jcz file, with a warning, instead of refusing the file
    #[arg(long)]
    lenient: bool,
    /// The game is known to be over: tiles that a .jcz file never lays were discarded, and the bag is without them
    #[arg(long)]
    finished: bool,
    /// Write over files that are there
    #[arg(long, short)]
    force: bool,
}

/// Whether unknown things are errors.
pub(crate) const fn strictness(lenient: bool) -> Strictness {
    if lenient {
        Strictness::Lenient
    } else {
        Strictness::Strict
    }
}

/// What is wrong with a file, and what can be done about it.
pub(crate) fn advice(error: &JczError) -> String {
    let what_to_do = match error.problem {
        JczProblem::UnknownKey(..)
        | JczProblem::UnknownSet(_)
        | JczProblem::UnknownElement(_)
        | JczProblem::UnknownRule(_)
        | JczProblem::UnknownValue(..)
        | JczProblem::UnknownMessage(_)
        | JczProblem::NeedsExpansion(..) => "--lenient leaves it out",
        JczProblem::Draw(..) => "is the draw order of the file that of its messages?",
        JczProblem::Version(_) => "open and save it with JCloisterZone 6",
        _ => return error.to_string(),
    };
    format!("{error} ({what_to_do})")
}

/// If a file that cannot be read is something else that the program knows: which command is for it.
pub(crate) fn misplaced(bytes: &[u8]) -> Option<String> {
    let packed = bytes.starts_with(&[0x1f, 0x8b]);
    let has = |word: &str| {
        bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    let begins = |word: &str| bytes.trim_ascii_start().starts_with(word.as_bytes());
    if packed {
        Some("packed by gzip: for recorded games there is `trencavel compare`, others must be unpacked".to_owned())
    } else if begins("{") && has("\"steps\"") && !has("\"appVersion\"") {
        Some("a recorded game: for these there is `trencavel compare`".to_owned())
    } else if begins("trencavel snapshot") {
        Some("a snapshot: one position, not a game".to_owned())
    } else {
        None
    }
}

/// Reads a game of either format, telling what is wrong and what can be done about it.
pub(crate) fn open(path: &Path, reading: Reading) -> Result<Opened> {
    let bytes = batch::bytes(path, MAX_FILE).with_context(|| path.display().to_string())?;
    let opened = any::open(&bytes, reading).map_err(|error| {
        let text = match &error {
            OpenError::Jcz(error) => advice(error),
            OpenError::Game(error) => error.to_string(),
        };
        anyhow::Error::msg(misplaced(&bytes).unwrap_or(text))
    });
    opened.with_context(|| path.display().to_string())
}

/// What a file became.
struct Made {
    format: To,
    text: String,
    remarks: Vec<String>,
}

/// Converts files: exit code 1 if any cannot be converted.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let files = batch::files(&args.files, &[".game", ".jcz"])?;
    if args.output.is_some() && files.len() > 1 {
        bail!(
            "--output is for one file, and there are {}: use --into FOLDER",
            files.len()
        );
    }
    if let Some(folder) = &args.into {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let mut wrong = 0;
    batch::run(
        &files,
        |path| make(path, args),
        |path, made| {
            let done = made.and_then(|made| put(path, &made, args));
            if let Err(error) = done {
                if error
                    .downcast_ref::<io::Error>()
                    .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
                {
                    return Err(error);
                }
                wrong += 1;
                let _ = writeln!(io::stderr(), "{error:#}");
            }
            Ok(())
        },
    )?;
    if files.len() > 1 {
        let _ = writeln!(io::stderr(), "{} files, {wrong} not converted", files.len());
    }
    Ok(if wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

fn make(path: &Path, args: &Args) -> Result<Made> {
    let reading = Reading {
        strictness: strictness(args.lenient),
        finished: args.finished,
    };
    let opened = open(path, reading)?;
    let other = match opened.format {
        Format::Game => To::Jcz,
        Format::Jcz => To::Game,
    };
    let format = args.to.unwrap_or(other);
    let mut remarks = opened.remarks;
    let text = match format {
        To::Game => opened.game.to_text(),
        To::Jcz => {
            let written = write(&opened.game);
            let unsaid = written.unsaid.iter();
            remarks.extend(unsaid.map(|what| format!("cannot be said in .jcz: {what}")));
            written.text
        }
    };
    Ok(Made {
        format,
        text,
        remarks,
    })
}

/// Writes what a file became, and tells of it.
fn put(path: &Path, made: &Made, args: &Args) -> Result<()> {
    for remark in &made.remarks {
        let _ = writeln!(io::stderr(), "{}: {remark}", path.display());
    }
    let ending = match made.format {
        To::Game => "game",
        To::Jcz => "jcz",
    };
    let to = match (&args.output, &args.into, path.file_name()) {
        (Some(output), _, _) => output.clone(),
        (None, Some(folder), Some(name)) => folder.join(name).with_extension(ending),
        (None, _, _) if path.as_os_str() == "-" => PathBuf::from("-"),
        (None, _, _) => path.with_extension(ending),
    };
    if to.as_os_str() == "-" {
        let mut out = io::stdout().lock();
        out.write_all(made.text.as_bytes())?;
        return Ok(out.flush()?);
    }
    if to.exists() && !args.force {
        bail!(
            "{}: {} is there already (--force writes over it, --output elsewhere)",
            path.display(),
            to.display()
        );
    }
    files::write(&to, &made.text)?;
    let _ = writeln!(
        io::stderr(),
        "{}: written as {}",
        path.display(),
        to.display()
    );
    Ok(())
}
