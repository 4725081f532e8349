//! A whole game in the terminal.

use std::io::{self, BufRead, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use trencavel_ai::{Level, Player, Rng, Wall, level};
use trencavel_record::game::Game;
use trencavel_record::notation::{choice_text, parse_choice};
use trencavel_rules::{
    Choice, Event, Input, Moves, Pos, Rotation, Rules, Seat, State, Target, Verb, Waiting,
};

use crate::players;
use crate::setup::SetupArgs;
use crate::show::{self, Label, Mark, Plans};
use crate::simulate::draw;
use crate::tell;

/// Options of `play`.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Args {
    #[command(flatten)]
    setup: SetupArgs,
    /// Who plays, in the order of the seats: `me`, a name, or a level of computer player (see below)
    #[arg(long, value_delimiter = ',', default_value = "me,squire")]
    players: Vec<String>,
    /// Play alone against a computer player of this level
    #[arg(long, value_name = "LEVEL", conflicts_with = "players")]
    opponent: Option<String>,
    /// The tiles come in the order of this seed, instead of a new one
    #[arg(long)]
    seed: Option<u64>,
    /// Save the game to this file after every move; if the file is there, go on with its game
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto")]
    colour: Colour,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Colour {
    Auto,
    Always,
    Never,
}

struct Computer {
    level: &'static Level,
    player: Box<dyn Player>,
}

struct Session {
    rules: Arc<Rules>,
    game: Game,
    file: Option<PathBuf>,
    computers: Vec<Option<Computer>>,
    dealer: Rng,
    plans: Plans,
    colours: bool,
    wall: Wall,
    /// After how many inputs the board was last shown.
    shown: Option<usize>,
}

/// What a person at the keyboard wants.
enum Wish {
    Choose(Choice),
    Undo,
    Quit,
    Again,
}

/// Plays a game.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (game, players) = begin(args)?;
    let seed = args.seed.unwrap_or_else(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_nanos() as u64)
    });
    let colours = match args.colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let computers = players
        .iter()
        .zip(seed..)
        .map(|(name, seed)| {
            level(name).map(|level| Computer {
                level,
                player: level.player(seed),
            })
        })
        .collect();
    let mut session = Session {
        rules: game.history.rules().clone(),
        game,
        file: args.file.clone(),
        computers,
        dealer: Rng::new(seed),
        plans: Plans::default(),
        colours,
        wall: Wall::new(),
        shown: None,
    };
    writeln!(
        io::stdout(),
        "The tiles come by seed {seed}. Type a number or a move; ? for help."
    )?;
    session.play()
}

/// A new game, or the one of the file; and who plays it.
fn begin(args: &Args) -> Result<(Game, Vec<String>)> {
    if let Some(path) = args.file.as_ref().filter(|path| path.exists()) {
        let game = crate::files::read(path)?;
        let seats = game.history.state().n_seats();
        // A computer player's name is its level and its seat.
        let players = (0..usize::from(seats)).map(|i| {
            let name = game.names.get(i).cloned().unwrap_or_default();
            let word = name.strip_suffix(&format!(" {}", i + 1));
            word.filter(|word| level(word).is_some())
                .map_or(name.clone(), String::from)
        });
        let players = players.collect();
        return Ok((game, players));
    }
    let players = match &args.opponent {
        Some(name) => vec!["me".to_string(), players::named(name)?.name.to_string()],
        None => args.players.clone(),
    };
    let seats = u8::try_from(players.len()).unwrap_or(u8::MAX);
    let rules = Arc::new(args.setup.rules(seats)?);
    let names = players
        .iter()
        .enumerate()
        .map(|(i, name)| match level(name) {
            Some(_) => format!("{name} {}", i + 1),
            None => name.clone(),
        });
    Ok((Game::new(rules, names.collect()), players.clone()))
}

impl Session {
    fn state(&self) -> &State {
        self.game.history.state()
    }

    fn save(&self) -> Result<()> {
        match &self.file {
            Some(path) => crate::files::write(path, &self.game.to_text()),
            None => Ok(()),
        }
    }

    fn play(&mut self) -> Result<ExitCode> {
        let mut outcomes = Vec::new();
        let mut input = io::stdin().lock();
        loop {
            match self.state().waiting() {
                Waiting::Over => {
                    self.show(&[])?;
                    writeln!(
                        io::stdout(),
                        "{}",
                        show::players(&self.rules, self.state(), &self.game.names)
                    )?;
                    return Ok(ExitCode::SUCCESS);
                }
                Waiting::Chance(_) => {
                    self.rules
                        .outcomes(self.game.history.state(), &mut outcomes);
                    if let Some(chance) = self.game.history.decided(&outcomes) {
                        self.apply(Input::Chance(chance))?;
                        continue;
                    }
                    match draw(
                        &self.rules,
                        self.game.history.state(),
                        &mut outcomes,
                        &mut self.dealer,
                    ) {
                        Some(chance) => self.apply(Input::Chance(chance))?,
                        None => bail!("nothing can be drawn"),
                    }
                }
                Waiting::Seats(asked) => {
                    let Some(seat) = asked.iter().next() else {
                        bail!("nobody is asked")
                    };
                    if self.computers[seat.index()].is_some() {
                        self.computer(seat)?;
                        continue;
                    }
                    match self.person(seat, &mut input)? {
                        Wish::Choose(choice) => self.apply(Input::Choice(seat, choice))?,
                        Wish::Undo => self.undo()?,
                        Wish::Quit => return Ok(ExitCode::SUCCESS),
                        Wish::Again => {}
                    }
                }
            }
        }
    }

    fn apply(&mut self, input: Input) -> Result<()> {
        let mut events: Vec<Event> = Vec::new();
        self.game.history.apply(input, &mut events)?;
        self.save()?;
        for event in &events {
            if let Some(text) = tell::event(&self.rules, self.state(), &self.game.names, event) {
                writeln!(io::stdout(), "  {text}")?;
            }
        }
        Ok(())
    }

    fn computer(&mut self, seat: Seat) -> Result<()> {
        let view = self.rules.view(self.state(), Some(seat));
        let Some(computer) = self
            .computers
            .get_mut(seat.index())
            .and_then(Option::as_mut)
        else {
            return Ok(());
        };
        let budget = computer.level.budget();
        match computer
            .player
            .choose(&self.rules, &view, seat, budget, &self.wall)
        {
            Some(decision) => self.apply(Input::Choice(seat, decision.choice)),
            None => bail!("{} does not know what to do", self.game.names[seat.index()]),
        }
    }

    /// Takes back the last choice of a person and what came after it. Everybody sits at the same table, and the tiles that
    /// were drawn come again.
    fn undo(&mut self) -> Result<()> {
        let is_person = |input: &Input| match input {
            Input::Choice(seat, _) => self.computers[seat.index()].is_none(),
            Input::Chance(_) | Input::Leave(_) => false,
        };
        let inputs = self.game.history.inputs();
        let Some(last) = inputs.iter().rposition(is_person) else {
            writeln!(io::stdout(), "There is nothing to take back.")?;
            return Ok(());
        };
        let state = self.game.history.at(last);
        if let Input::Choice(seat, choice) = inputs[last] {
            let name = &self.game.names[seat.index()];
            let text = choice_text(&self.rules, &state, choice);
            writeln!(io::stdout(), "  taken back: {name}, {text}")?;
        }
        self.game.history.take_back(last);
        self.shown = None;
        self.save()
    }

    fn show(&mut self, labels: &[Label]) -> io::Result<()> {
        writeln!(
            io::stdout(),
            "{}",
            show::board(
                &self.rules,
                self.game.history.state(),
                &mut self.plans,
                labels,
                self.colours
            )
        )
    }

    /// Shows the board with a number for each square and each other choice, the players, the tile in the hand, and the
    /// choices in words.
    fn position(&mut self, squares: &[Pos], others: &[Choice]) -> io::Result<()> {
        let mut labels: Vec<Label> = Vec::new();
        let squares_at = squares.iter().map(|pos| Some(Mark::Square(*pos)));
        let places = squares_at.chain(others.iter().map(Mark::of));
        for (number, at) in (1..).zip(places) {
            if let Some(at) = at
                && labels.iter().all(|label| label.at != at)
            {
                labels.push(Label { number, at });
            }
        }
        self.show(&labels)?;
        write!(
            io::stdout(),
            "{}",
            show::players(&self.rules, self.state(), &self.game.names)
        )?;
        if let Some(kind) = self.state().turn().drawn {
            writeln!(io::stdout(), "  in the hand: {}", self.rules.tile(kind).id)?;
            write!(
                io::stdout(),
                "{}",
                show::tile(
                    &self.rules,
                    kind,
                    &[Rotation::default()],
                    &mut self.plans,
                    self.colours
                )
            )?;
        }
        for (i, choice) in others.iter().enumerate() {
            writeln!(
                io::stdout(),
                "  [{}] {}",
                squares.len() + i + 1,
                choice_text(&self.rules, self.state(), *choice)
            )?;
        }
        Ok(())
    }

    fn person(&mut self, seat: Seat, input: &mut dyn BufRead) -> Result<Wish> {
        let mut moves = Moves::new();
        self.rules.legal_for(self.state(), seat, &mut moves);
        let mut squares: Vec<Pos> = Vec::new();
        for choice in moves.iter() {
            if let Target::Square(pos, _) = choice.target
                && !squares.contains(&pos)
            {
                squares.push(pos);
            }
        }
        let others: Vec<Choice> = moves
            .iter()
            .copied()
            .filter(|choice| !matches!(choice.target, Target::Square(..)))
            .collect();
        // After a question or a wrong word the position stands above already.
        let now = self.game.history.inputs().len();
        if self.shown != Some(now) {
            self.position(&squares, &others)?;
            self.shown = Some(now);
        }
        let Some(line) = self.ask(seat, &moves, input)? else {
            return Ok(Wish::Quit);
        };
        let line = line.trim();
        match line {
            "" if moves.contains(&Choice::PASS) => return Ok(Wish::Choose(Choice::PASS)),
            "" => {
                self.shown = None;
                return Ok(Wish::Again);
            }
            "q" | "quit" => return Ok(Wish::Quit),
            "u" | "undo" => return Ok(Wish::Undo),
            "?" | "help" => {
                help()?;
                return Ok(Wish::Again);
            }
            "l" | "legal" => {
                for choice in moves.iter() {
                    writeln!(
                        io::stdout(),
                        "  {}",
                        choice_text(&self.rules, self.state(), *choice)
                    )?;
                }
                return Ok(Wish::Again);
            }
            _ => {}
        }
        if let Ok(n) = line.parse::<usize>() {
            if let Some(pos) = n.checked_sub(1).and_then(|i| squares.get(i)) {
                return self.rotation(seat, *pos, &moves, input);
            }
            return Ok(
                match n.checked_sub(1 + squares.len()).and_then(|i| others.get(i)) {
                    Some(choice) => Wish::Choose(*choice),
                    None => {
                        writeln!(io::stdout(), "There is no number {n}.")?;
                        Wish::Again
                    }
                },
            );
        }
        let (why, text) = match line.strip_prefix("why ") {
            Some(text) => (true, text),
            None => (false, line),
        };
        match parse_choice(&self.rules, self.state(), text) {
            Ok(choice) if moves.contains(&choice) && !why => return Ok(Wish::Choose(choice)),
            Ok(choice) => {
                let clauses: Vec<&str> = self
                    .rules
                    .why_not(self.state(), seat, choice)
                    .iter()
                    .map(|clause| clause.id())
                    .collect();
                match clauses.as_slice() {
                    [] => writeln!(io::stdout(), "That is allowed.")?,
                    clauses => {
                        writeln!(io::stdout(), "That is not allowed: {}.", clauses.join(", "))?;
                        for id in clauses {
                            write!(
                                io::stdout(),
                                "{}",
                                crate::rule_book::about(id).unwrap_or_default()
                            )?;
                        }
                    }
                }
            }
            Err(error) => writeln!(io::stdout(), "{error}. Type ? for help.")?,
        }
        Ok(Wish::Again)
    }

    /// Which way to turn the tile on a square.
    fn rotation(
        &mut self,
        seat: Seat,
        pos: Pos,
        moves: &Moves,
        input: &mut dyn BufRead,
    ) -> Result<Wish> {
        let here: Vec<(Choice, Rotation)> = moves
            .iter()
            .filter_map(|choice| match choice.target {
                Target::Square(p, rotation) if p == pos => Some((*choice, rotation)),
                _ => None,
            })
            .collect();
        if let [(choice, _)] = here.as_slice() {
            return Ok(Wish::Choose(*choice));
        }
        if let Some(kind) = self.state().turn().drawn
            && here.iter().all(|(choice, _)| choice.verb == Verb::Lay)
        {
            let rotations: Vec<Rotation> = here.iter().map(|(_, rotation)| *rotation).collect();
            writeln!(
                io::stdout(),
                "{}",
                show::tile(&self.rules, kind, &rotations, &mut self.plans, self.colours)
            )?;
        }
        for (i, (choice, _)) in here.iter().enumerate() {
            writeln!(
                io::stdout(),
                "  [{}] {}",
                i + 1,
                choice_text(&self.rules, self.state(), *choice)
            )?;
        }
        let Some(line) = self.ask(seat, moves, input)? else {
            return Ok(Wish::Quit);
        };
        let n = line
            .trim()
            .parse::<usize>()
            .ok()
            .and_then(|n| n.checked_sub(1));
        Ok(n.and_then(|i| here.get(i))
            .map_or(Wish::Again, |(choice, _)| Wish::Choose(*choice)))
    }

    fn ask(&self, seat: Seat, moves: &Moves, input: &mut dyn BufRead) -> Result<Option<String>> {
        let offers = |verb: Verb| moves.iter().any(|choice| choice.verb == verb);
        let question = match self.rules.step(self.state()) {
            _ if offers(Verb::Lay) => "where to lay the tile",
            _ if offers(Verb::Deploy) => "where to place a figure",
            Some(step) => step.name(),
            // A question within a step is named by what can be answered.
            None => moves
                .iter()
                .find(|choice| choice.verb != Verb::Pass)
                .map_or("what to do", |choice| choice.verb.name()),
        };
        let none = match moves.contains(&Choice::PASS) {
            true => ", Enter for nothing",
            false => "",
        };
        let name = |seat: Seat| &self.game.names[seat.index()];
        let active = self.state().active();
        if seat == active {
            write!(io::stdout(), "{}: {question}{none}> ", name(seat))?;
        } else {
            write!(
                io::stdout(),
                "{}, in the turn of {}: {question}{none}> ",
                name(seat),
                name(active)
            )?;
        }
        io::stdout().flush()?;
        let mut line = String::new();
        Ok((input.read_line(&mut line)? > 0).then_some(line))
    }
}

/// What `--help` teaches besides the options.
fn after_help() -> String {
    format!(
        "{}\n\n\
         Examples:\n  \
         trencavel play                                       you against a computer player\n  \
         trencavel play --players Ann,Ben,greedy              two at one keyboard, and a computer player\n  \
         trencavel play --with inns-and-cathedrals,phantom    with expansions\n  \
         trencavel play --file my.game                        saved after every move; the same line goes on with it\n\n\
         In the game, ? lists what can be typed.",
        players::help()
    )
}

fn help() -> io::Result<()> {
    writeln!(
        io::stdout(),
        "  a number      take the choice with this number (on the board, or a line of the list)\n\
         \x20 a move        as in docs/notation.md: lay 1,0 r90, deploy follower road.W, pass\n\
         \x20 Enter         pass where that is possible; else show the board again\n\
         \x20 why MOVE      which rule forbids it, and what that rule says\n\
         \x20 l             list all legal moves\n\
         \x20 u             take your last move back, and what came after it; the same tiles come again\n\
         \x20 q             leave the game; with --file it can be gone on with\n\
         \x20 On the board: # wall, = road, ~ river, M monastery, G garden, B hut; f1 is a follower of seat 1.\n\
         \x20 On a tile: + pennant, i inn, c cathedral, p princess, w wine, g grain, k cloth, h pig herd; V volcano,\n\
         \x20 D dragon, P portal, T tower, F festival, L Vodyanoy's lake, S Solovei's tree; in its corners C R F M, the\n\
         \x20 signs for city, road, field and monastery\n\
         \x20 {}",
        players::help()
    )
}
