//! Comparing a recorded game with ours, step by step.

use std::fmt;

use super::differences::{Listed, find};
use super::error::JczError;
use super::file::{Action, Message};
use super::follow::Follow;
use super::recorded::{Recorded, RecordedStep};
use super::said::{action_text, understand};
use super::setup::{Strictness, link, translate_setup};
use super::words::{figure_list, neutral_list};
use crate::drawing::board_text;
use trencavel_rules::{Clause, Event, Rules, State, Waiting};

/// Of so many options that differ it is asked why.
const MAX_ASKED: usize = 20;

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Whom the game waits for, and for which tile.
    Asked,
    /// The legal options.
    Options,
    /// The points.
    Scores,
    /// The figures on the board.
    Figures,
    /// The neutral figures.
    Neutrals,
    /// The tiles drawn.
    Draws,
    /// The message, which is not legal with us: the game cannot be followed further.
    Message,
}

impl What {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            What::Asked => "asked",
            What::Options => "options",
            What::Scores => "scores",
            What::Figures => "figures",
            What::Neutrals => "neutral figures",
            What::Draws => "draws",
            What::Message => "message",
        }
    }
}

/// A difference between a recorded game and ours.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The step, from 0.
    pub step: usize,
    /// What differs.
    pub what: What,
    /// What only that engine has.
    pub theirs: Vec<String>,
    /// What only we have.
    pub ours: Vec<String>,
    /// The clauses that decide it with us, as far as they can be told.
    pub clauses: Vec<Clause>,
    /// Whether all of it is on the list of differences.
    pub listed: bool,
    /// The board.
    pub board: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step, self.what.word())?;
        if self.listed {
            f.write_str(" (listed)")?;
        }
        for text in &self.theirs {
            write!(f, "\n  only there: {text}")?;
        }
        for text in &self.ours {
            write!(f, "\n  only here:  {text}")?;
        }
        if !self.clauses.is_empty() {
            let clauses: Vec<String> = self.clauses.iter().map(ToString::to_string).collect();
            write!(f, "\n  decided by {}", clauses.join(", "))?;
        }
        write!(f, "\n{}", self.board)
    }
}

/// What comparing a game found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// Steps in the file.
    pub steps: usize,
    /// Those among the steps compared that only confirm. With us nothing is asked there; the points, the figures and the
    /// neutral figures are compared as they are before what the confirmation sets going.
    pub confirmations: usize,
    /// Steps compared.
    pub compared: usize,
    /// Steps compared that are equal in everything, and whose message is legal with us.
    pub equal: usize,
    /// The differences in the order of steps.
    pub differences: Vec<Difference>,
    /// Steps at which a message was carried out although it is not legal with us, so that what follows can be compared.
    pub reopened: usize,
    /// Steps at the end that could not be reached because a message is not legal with us.
    pub unreached: usize,
}

impl Comparison {
    /// Whether there is no difference but listed ones.
    pub fn agrees(&self) -> bool {
        self.differences.iter().all(|difference| difference.listed)
    }

    /// The first difference that is not listed.
    pub fn first(&self) -> Option<&Difference> {
        self.differences
            .iter()
            .find(|difference| !difference.listed)
    }
}

/// Compares a recorded game. `name` is how the list of differences calls it; without a list everything counts.
///
/// # Errors
/// If its setup cannot be said in our words.
pub fn compare(recorded: &Recorded, name: &str, listed: &[Listed]) -> Result<Comparison, JczError> {
    let translated = translate_setup(&recorded.setup, recorded.players, Strictness::Strict)?;
    let rules = link(&translated.setup)?;
    let mut run = Run {
        rules: &rules,
        follow: Follow::new(&rules, Some(Vec::new())).holding(),
        name,
        listed,
        events: 0,
        result: Comparison {
            steps: recorded.steps.len(),
            ..Comparison::default()
        },
    };
    for (number, step) in recorded.steps.iter().enumerate() {
        let before = run.result.differences.len();
        run.draws(number, step);
        if step.is_confirmation() {
            run.result.confirmations += 1;
            run.compare_board(number, step);
        } else {
            run.compare(number, step);
        }
        let goes_on = run.advance(number, step);
        run.result.compared += 1;
        run.result.equal += usize::from(run.result.differences.len() == before);
        if !goes_on {
            run.result.unreached = recorded.steps.len() - number - 1;
            break;
        }
    }
    Ok(run.result)
}

struct Run<'r> {
    rules: &'r Rules,
    follow: Follow<'r>,
    name: &'r str,
    listed: &'r [Listed],
    /// Events already told of.
    events: usize,
    result: Comparison,
}

impl Run<'_> {
    fn state(&self) -> &State {
        self.follow.state()
    }

    fn report(
        &mut self,
        step: usize,
        what: What,
        theirs: Vec<String>,
        ours: Vec<String>,
        mut clauses: Vec<Clause>,
    ) {
        let line = |text: &String| find(self.listed, self.name, step, what, text);
        let known = |text: &String| line(text).is_some();
        // Of a message or draw that we refuse, what we wait for instead is only said for people.
        let ours_count = !matches!(what, What::Message | What::Draws) || theirs.is_empty();
        let listed = theirs.iter().all(known) && (!ours_count || ours.iter().all(known));
        if listed {
            // Who put it on the list knows better than what can be asked here.
            let lines = theirs.iter().chain(&ours).filter_map(line);
            clauses = lines
                .filter_map(|line| Clause::from_id(&line.clause))
                .collect();
        } else if clauses.is_empty() {
            // Nothing in particular decides it: the place in the order of play does.
            clauses.extend(self.rules.asked_by(self.state()));
        }
        clauses.dedup();
        let board = board_text(self.rules, self.state());
        self.result.differences.push(Difference {
            step,
            what,
            theirs,
            ours,
            clauses,
            listed,
            board,
        });
    }

    /// Draws what was drawn there. A tile that we do not draw is a difference; if it was discarded there, the next is tried.
    fn draws(&mut self, number: usize, step: &RecordedStep) {
        let mut tiles = step.drawn.clone();
        loop {
            self.follow.push_draws(tiles);
            tiles = self.follow.take_pending();
            let Some(tile) = tiles.first().cloned() else {
                break;
            };
            let why = self.follow.waits_for();
            let waits = vec![format!("waits for {why}")];
            let first = vec![tiles.remove(0)];
            self.report(number, What::Draws, first, waits, Vec::new());
            if !step.discarded.contains(&tile) {
                return;
            }
        }
        if let Waiting::Chance(_) = self.state().waiting() {
            // There a tile is drawn at once, unless a confirmation is still to come.
            if !step.is_confirmation() && step.phase != "GameOverPhase" {
                let ours = vec!["a tile is drawn".to_owned()];
                self.report(number, What::Draws, Vec::new(), ours, Vec::new());
            }
        }
    }

    fn compare(&mut self, number: usize, step: &RecordedStep) {
        self.compare_asked(number, step);
        self.compare_options(number, step);
        self.compare_board(number, step);
    }

    /// The points, the figures and the neutral figures.
    fn compare_board(&mut self, number: usize, step: &RecordedStep) {
        let held = self.follow.held().filter(|_| step.is_confirmation());
        let state = held.unwrap_or(self.state()).clone();
        self.compare_scores(number, step, &state);
        self.compare_figures(number, step, &state);
        self.events = self.follow.events().len();
    }

    fn compare_asked(&mut self, number: usize, step: &RecordedStep) {
        let asked = self.follow.asked().map(|seat| seat.0);
        let over = step.phase == "GameOverPhase";
        let theirs = if over { None } else { step.active };
        let tile = self
            .state()
            .turn()
            .drawn
            .map(|kind| self.rules.tile(kind).id.to_string());
        let tile_there = step.tile.clone();
        if asked != theirs || (step.phase == "TilePhase" && tile != tile_there) {
            let there = format!("{} of {theirs:?} with {tile_there:?}", step.phase);
            let here = format!("waits for {} with {tile:?}", self.follow.waits_for());
            self.report(number, What::Asked, vec![there], vec![here], Vec::new());
        }
    }

    fn compare_options(&mut self, number: usize, step: &RecordedStep) {
        let offers = self.follow.offers();
        let options: Vec<&str> = step
            .options
            .iter()
            .map(|text| text.split(" from ").next().unwrap_or(text))
            .collect();
        let mut ours: Vec<String> = offers
            .iter()
            .map(|offer| offer.text.clone())
            .filter(|text| !options.contains(&text.as_str()))
            .collect();
        let mut theirs: Vec<String> = options
            .iter()
            .filter(|option| !offers.iter().any(|offer| offer.text == **option))
            .map(|text| (*text).to_owned())
            .collect();
        ours.sort();
        ours.dedup();
        theirs.sort();
        theirs.dedup();
        if ours.is_empty() && theirs.is_empty() {
            return;
        }
        let mut clauses: Vec<Clause> = Vec::new();
        if let Some(seat) = self.follow.asked() {
            for text in theirs.iter().take(MAX_ASKED) {
                if let Some(choice) = understand(self.rules, self.state(), text) {
                    clauses.extend(self.rules.why_not(self.state(), seat, choice));
                }
            }
        }
        if !ours.is_empty() {
            clauses.extend(self.rules.asked_by(self.state()));
        }
        clauses.dedup();
        self.report(number, What::Options, theirs, ours, clauses);
    }

    fn compare_scores(&mut self, number: usize, step: &RecordedStep, state: &State) {
        let ours: Vec<i32> = state
            .seat_list()
            .map(|seat| state.seat(seat).score)
            .collect();
        if ours == step.scores {
            return;
        }
        let recent = self.follow.events().get(self.events..).unwrap_or_default();
        let mut clauses = Vec::new();
        let mut here = vec![format!("{ours:?}")];
        for event in recent {
            if let Event::Awarded {
                seat,
                points,
                clause,
                ..
            } = event
            {
                clauses.push(*clause);
                here.push(format!("player {} gets {points} by {clause}", seat.0));
            }
        }
        clauses.dedup();
        self.report(
            number,
            What::Scores,
            vec![format!("{:?}", step.scores)],
            here,
            clauses,
        );
    }

    fn compare_figures(&mut self, number: usize, step: &RecordedStep, state: &State) {
        let mut ours = figure_list(self.rules, state);
        let mut theirs = step.figures.clone();
        theirs.retain(|text| match ours.iter().position(|other| other == text) {
            Some(i) => {
                ours.remove(i);
                false
            }
            None => true,
        });
        if !theirs.is_empty() || !ours.is_empty() {
            let recent = self.follow.events().get(self.events..).unwrap_or_default();
            let clauses = recent.iter().filter_map(|event| match event {
                Event::WentHome { clause, .. } | Event::Moved { clause, .. } => Some(*clause),
                _ => None,
            });
            let clauses = clauses.collect();
            self.report(number, What::Figures, theirs, ours, clauses);
        }
        let here = neutral_list(self.rules, state);
        let here: Vec<String> = here
            .into_iter()
            .map(|(name, at)| format!("{name} {at}"))
            .collect();
        let there: Vec<String> = step
            .neutrals
            .iter()
            .map(|(name, at)| format!("{name} {at}"))
            .collect();
        if here.iter().zip(&there).any(|(a, b)| !same_neutral(a, b)) || here.len() != there.len() {
            let recent = self.follow.events().get(self.events..).unwrap_or_default();
            let clauses = recent.iter().filter_map(|event| match event {
                Event::NeutralMoved { clause, .. } => Some(*clause),
                _ => None,
            });
            let clauses = clauses.collect();
            self.report(number, What::Neutrals, there, here, clauses);
        }
    }

    /// Takes the message of a step; says whether the game can be followed further.
    fn advance(&mut self, number: usize, step: &RecordedStep) -> bool {
        let Some(message) = &step.message else {
            return true;
        };
        // A pass where we do not ask is nothing.
        let passes = message.action == Action::Pass;
        if passes
            && !self
                .follow
                .offers()
                .iter()
                .any(|offer| offer.text == "PASS")
        {
            return true;
        }
        match self.follow.take(number, message) {
            Ok(()) => true,
            Err(error) => {
                let theirs = vec![action_text(&message.action)];
                let ours = vec![error.problem.to_string()];
                let clauses = self.refused_by(message);
                self.report(number, What::Message, theirs, ours, clauses);
                self.go_on(number, step, message)
            }
        }
    }

    /// The clauses that forbid a message, if it is understood.
    fn refused_by(&self, message: &Message) -> Vec<Clause> {
        let said = action_text(&message.action);
        let choice = understand(self.rules, self.state(), &said);
        let forbidden = choice
            .zip(self.follow.asked())
            .map(|(choice, seat)| self.rules.why_not(self.state(), seat, choice));
        forbidden.unwrap_or_default()
    }

    /// After a message that we refuse: a ransom while the figure step waits for its confirmation opens the step again
    /// there. Opening it with us too lets the rest be compared.
    fn go_on(&mut self, number: usize, step: &RecordedStep, message: &Message) -> bool {
        let ransom = matches!(message.action, Action::Ransom(_));
        let goes_on = ransom
            && step.is_confirmation()
            && self.follow.open_again()
            && self.follow.take(number, message).is_ok();
        self.result.reopened += usize::from(goes_on);
        goes_on
    }
}

/// Whether two texts say the same of a neutral figure. There the fairy keeps the place of a figure that has gone, with a
/// dash for the figure; with us it stands on the tile.
fn same_neutral(here: &str, there: &str) -> bool {
    if here == there {
        return true;
    }
    match there.split_once(" - ") {
        Some((name, place)) => {
            let square = place.split(' ').next().unwrap_or(place);
            here == format!("{name} {square}")
        }
        None => false,
    }
}
