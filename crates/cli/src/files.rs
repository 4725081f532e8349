//! Game files: stepping through them, and writing them.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use trencavel_record::game::{Game, MAX_BYTES};
use trencavel_record::jcz::convert::Reading;
use trencavel_record::notation::input_text;
use trencavel_record::replay::awards;
use trencavel_rules::Event;

use crate::batch;
use crate::convert::{open, strictness};
use crate::show::{self, Plans};
use crate::tell;

/// Reads a game file of ours; the name `-` means the standard input.
pub(crate) fn read(path: &Path) -> Result<Game> {
    let bytes = batch::bytes(path, MAX_BYTES).with_context(|| path.display().to_string())?;
    Game::read(&bytes).with_context(|| path.display().to_string())
}

/// Writes a file whole or not at all: first beside it, then in its place.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let beside = path.with_extension("tmp");
    let result = std::fs::File::create(&beside)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| std::fs::rename(&beside, path));
    result.with_context(|| format!("{}", path.display()))
}

/// Options of `replay`.
#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// The game file, or a saved game of JCloisterZone (.jcz); `-` is the standard input
    file: PathBuf,
    /// Leave out what is not known in a .jcz file, with a warning, instead of refusing the file
    #[arg(long)]
    lenient: bool,
    /// Print the position after so many inputs, and stop
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Print everything that happened and the final table, without stepping
    #[arg(long)]
    print: bool,
    /// Write the position (of --at, else the last) as an SVG picture
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Steps through a game.
pub(crate) fn replay(args: &ReplayArgs) -> Result<ExitCode> {
    let reading = Reading {
        strictness: strictness(args.lenient),
        finished: false,
    };
    let opened = open(&args.file, reading)?;
    for remark in &opened.remarks {
        let _ = writeln!(io::stderr(), "{}: {remark}", args.file.display());
    }
    let game = opened.game;
    let total = game.history.inputs().len();
    if let Some(path) = &args.svg {
        let state = game.history.at(args.at.unwrap_or(total));
        let marks: Vec<trencavel_art::Mark> = state
            .laid_pos()
            .map(trencavel_art::Mark::Square)
            .into_iter()
            .collect();
        let svg = trencavel_art::board_svg(
            game.history.rules(),
            &state,
            &marks,
            trencavel_art::Theme::Day,
        );
        write(path, &svg)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut viewer = Viewer {
        game,
        plans: Plans::default(),
        colours: io::stdout().is_terminal(),
    };
    if let Some(at) = args.at {
        viewer.show(at.min(total))?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.print || !io::stdin().is_terminal() {
        for number in 0..total {
            viewer.tell(number)?;
        }
        viewer.show(total)?;
        viewer.table()?;
        return Ok(ExitCode::SUCCESS);
    }
    viewer.walk()
}

struct Viewer {
    game: Game,
    plans: Plans,
    colours: bool,
}

impl Viewer {
    fn show(&mut self, number: usize) -> Result<()> {
        let state = self.game.history.at(number);
        let rules = self.game.history.rules().clone();
        let mut out = io::stdout().lock();
        write!(
            out,
            "{}",
            show::board(&rules, &state, &mut self.plans, &[], self.colours)
        )?;
        write!(out, "{}", show::players(&rules, &state, &self.game.names))?;
        writeln!(
            out,
            "  after {number} of {} inputs",
            self.game.history.inputs().len()
        )?;
        Ok(())
    }

    /// Prints the input after so many, and what came of it.
    fn tell(&self, number: usize) -> Result<()> {
        let Some(input) = self.game.history.inputs().get(number) else {
            return Ok(());
        };
        let rules = self.game.history.rules();
        let mut state = self.game.history.at(number);
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{:>4} {}",
            number + 1,
            input_text(rules, &state, *input)
        )?;
        let mut events: Vec<Event> = Vec::new();
        rules.apply_listed(&mut state, *input, &mut events);
        for event in &events {
            if let Some(text) = tell::event(rules, &state, &self.game.names, event) {
                writeln!(out, "       {text}")?;
            }
        }
        Ok(())
    }

    /// Prints every award of points by seat with its turn, feature and items, and the sums.
    fn table(&self) -> Result<()> {
        let awards = awards(&self.game);
        let mut out = io::stdout().lock();
        writeln!(out, "points, with the clause of each:")?;
        let last = self.game.history.state();
        for seat in last.seat_list() {
            let name = self.game.names.get(seat.index()).map_or("", String::as_str);
            let score = last.seat(seat).score;
            writeln!(out, "  {} {name}: {score}", seat.0 + 1)?;
            for award in awards.iter().filter(|award| award.seat == seat) {
                let place = match award.feature {
                    Some((kind, pos)) => format!("{} at {pos}", kind.name()),
                    None => String::new(),
                };
                let why = match award.lines.as_slice() {
                    [] => award.clause.to_string(),
                    lines => tell::items(lines),
                };
                let (turn, points) = (award.turn, award.points);
                writeln!(out, "    turn {turn:<3} {points:>+4}  {place:<20} {why}")?;
            }
        }
        Ok(())
    }

    fn walk(&mut self) -> Result<ExitCode> {
        let total = self.game.history.inputs().len();
        let mut number = 0;
        self.show(number)?;
        let mut input = io::stdin().lock();
        loop {
            write!(
                io::stdout(),
                "Enter: next, b: back, a number: go there, t: the table, q: leave> "
            )?;
            io::stdout().flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(ExitCode::SUCCESS);
            }
            match line.trim() {
                "" | "n" if number < total => {
                    self.tell(number)?;
                    number += 1;
                    self.show(number)?;
                }
                "" | "n" => self.table()?,
                "b" => {
                    number = number.saturating_sub(1);
                    self.show(number)?;
                }
                "t" => self.table()?,
                "q" => return Ok(ExitCode::SUCCESS),
                other => match other.parse::<usize>() {
                    Ok(n) if n <= total => {
                        number = n;
                        self.show(number)?;
                    }
                    _ => writeln!(io::stdout(), "There are inputs 0 to {total}.")?,
                },
            }
        }
    }
}
