//! Checking a saved game: its messages are legal with us, and the sentences that it says must hold do hold.

use std::collections::BTreeSet;
use std::fmt;

use super::differences::{Listed, find_sentence};
use super::error::{JczError, JczProblem};
use super::file::{JczFile, Meeple};
use super::follow::Follow;
use super::setup::{Strictness, link, next_tile, translate, with_bag_of};
use super::words::feature_word;
use trencavel_rules::{Event, FeatureKind, Rules, Seat, Setup, Shown, State, Token, Waiting};

/// What became of a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold; what is found instead.
    Fails(String),
    /// It does not hold, and that is on the list of differences: what is found instead, and the clause.
    Listed(String, String),
    /// It is of no kind that is known.
    NotUnderstood,
}

/// A sentence and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Its line in the file.
    pub line: u32,
    /// The sentence.
    pub sentence: String,
    /// What became of it.
    pub verdict: Verdict,
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Holds => write!(f, "holds: {}", self.sentence),
            Verdict::Fails(found) => write!(f, "fails: {} ({found})", self.sentence),
            Verdict::Listed(found, clause) => {
                write!(f, "differs by {clause}: {} ({found})", self.sentence)
            }
            Verdict::NotUnderstood => write!(f, "not understood: {}", self.sentence),
        }
    }
}

/// What checking a file found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How many messages were followed.
    pub messages: usize,
    /// The sentences.
    pub checked: Vec<Checked>,
    /// What was left out: keys, sets, messages.
    pub warnings: Vec<JczError>,
    /// Whether the file's order of draws is not one that our stacks allow, so that the bag is just what the file draws.
    pub own_bag: bool,
}

impl Report {
    /// Whether every sentence holds or differs as the list of differences says.
    pub fn passes(&self) -> bool {
        let mut verdicts = self.checked.iter().map(|checked| &checked.verdict);
        verdicts.all(|verdict| matches!(verdict, Verdict::Holds | Verdict::Listed(..)))
    }

    /// Marks the sentences that are on the list of differences. `name` is how the list calls the file.
    pub fn mark_listed(&mut self, name: &str, listed: &[Listed]) {
        for checked in &mut self.checked {
            if let Verdict::Fails(found) = &checked.verdict
                && let Some(listed) = find_sentence(listed, name, &checked.sentence)
            {
                checked.verdict = Verdict::Listed(found.clone(), listed.clause.clone());
            }
        }
    }
}

/// Checks a file.
///
/// # Errors
/// If its setup means nothing to us, or a message does nothing that is legal.
pub fn check(file: &JczFile, strictness: Strictness) -> Result<Report, JczError> {
    let translated = translate(file, strictness)?;
    let mut result = run(file, &translated.setup, strictness);
    let mut own_bag = false;
    if file.draw_order.is_some()
        && matches!(&result, Err(error) if matches!(error.problem, JczProblem::Draw(..)))
        && let Ok(checked) = run(file, &with_bag_of(file, translated.setup), strictness)
    {
        result = Ok(checked);
        own_bag = true;
    }
    let (checked, skipped) = result?;
    let mut warnings = translated.warnings;
    warnings.extend(skipped);
    Ok(Report {
        messages: file.messages.len(),
        checked,
        warnings,
        own_bag,
    })
}

/// The sentences, and the messages that were left out.
type Ran = (Vec<Checked>, Vec<JczError>);

fn run(file: &JczFile, setup: &Setup, strictness: Strictness) -> Result<Ran, JczError> {
    let rules = link(setup)?;
    let mut follow = Follow::new(&rules, file.draw_order.clone());
    let mut table = Table::new(&rules, file, &follow);
    let mut skipped = Vec::new();
    for (number, message) in (1..).zip(&file.messages) {
        let before = table.points(follow.state());
        if let Some(fault) = follow.take_if_known(number, message, strictness)? {
            skipped.push(fault);
        }
        table.before_last = before;
    }
    // The tile that comes next is not in the messages; the sentences name it.
    if !follow.is_open()
        && matches!(follow.state().waiting(), Waiting::Chance(_))
        && let Some(id) = next_tile(file)
    {
        // If it cannot be drawn the sentence fails by itself.
        let _ = follow.draw(&id);
    }
    let checked = file.assertions.iter().map(|(line, sentence)| Checked {
        line: *line,
        sentence: sentence.clone(),
        verdict: table.judge(&follow, sentence),
    });
    Ok((checked.collect(), skipped))
}

struct Table<'f> {
    rules: &'f Rules,
    file: &'f JczFile,
    /// The points before the last message: what a confirmation that is still to come has not yet added to.
    before_last: Vec<i32>,
}

fn verdict(holds: bool, found: impl FnOnce() -> String) -> Verdict {
    if holds {
        Verdict::Holds
    } else {
        Verdict::Fails(found())
    }
}

impl<'f> Table<'f> {
    fn new(rules: &'f Rules, file: &'f JczFile, follow: &Follow) -> Table<'f> {
        let mut table = Table {
            rules,
            file,
            before_last: Vec::new(),
        };
        table.before_last = table.points(follow.state());
        table
    }

    fn points(&self, state: &State) -> Vec<i32> {
        state
            .seat_list()
            .map(|seat| state.seat(seat).score)
            .collect()
    }

    /// The seat of the player whose name a sentence begins with, and the rest of the sentence.
    fn player<'s>(&self, sentence: &'s str) -> Option<(Seat, &'s str)> {
        let names = (0u8..).map(Seat).zip(&self.file.players);
        let mut fitting: Vec<(Seat, &str, usize)> = names
            .filter(|(_, name)| !name.is_empty())
            .filter_map(|(seat, name)| {
                let rest = sentence.strip_prefix(name.as_str())?.strip_prefix(' ')?;
                Some((seat, rest, name.len()))
            })
            .collect();
        fitting.sort_by_key(|(_, _, length)| *length);
        fitting.pop().map(|(seat, rest, _)| (seat, rest))
    }

    fn judge(&self, follow: &Follow, sentence: &str) -> Verdict {
        let sentence = sentence.trim().trim_end_matches('.');
        let known = self
            .judge_player(follow, sentence)
            .or_else(|| judge_phase(follow, sentence))
            .or_else(|| judge_action(follow, sentence));
        known.unwrap_or(Verdict::NotUnderstood)
    }

    fn judge_player(&self, follow: &Follow, sentence: &str) -> Option<Verdict> {
        let (seat, rest) = self.player(sentence)?;
        let words: Vec<&str> = rest.split(' ').collect();
        match words.as_slice() {
            ["has", n, "point" | "points"] => {
                let n: i32 = n.parse().ok()?;
                let points = if follow.phase() == "CommitActionPhase" {
                    self.before_last.get(seat.index()).copied().unwrap_or(0)
                } else {
                    follow.state().seat(seat).score
                };
                Some(verdict(points == n, || format!("{points} points")))
            }
            ["has", token, "token", "with", "count", n] => {
                let n: u8 = n.parse().ok()?;
                let held = held(self.rules, follow.state(), seat, token)?;
                Some(verdict(held == n, || format!("{held} of them")))
            }
            ["scored", name, "for", n, "point" | "points"] => {
                let n: i32 = n.parse().ok()?;
                let all = scores(follow);
                let own = |(s, _, _): &&(Seat, String, i32)| *s == seat;
                let holds = all
                    .iter()
                    .filter(own)
                    .any(|(_, what, k)| what == name && *k == n);
                Some(verdict(holds, || {
                    let list = all.iter().filter(own);
                    let list: Vec<String> =
                        list.map(|(_, what, k)| format!("{what} {k}")).collect();
                    format!("scored {}", list.join(", "))
                }))
            }
            _ => None,
        }
    }
}

/// How many of a token a seat has, by the format's name for it.
fn held(rules: &Rules, state: &State, seat: Seat, name: &str) -> Option<u8> {
    let wanted = match name {
        "TOWER_PIECE" => Token::TowerPiece,
        "WINE" => Token::Wine,
        "GRAIN" => Token::Grain,
        "CLOTH" => Token::Cloth,
        "ABBEY_TILE" => Token::Abbey,
        _ => return None,
    };
    let held = rules
        .shown(state)
        .into_iter()
        .filter_map(|shown| match shown {
            Shown::Held { seat: s, token, n } if s == seat && token == wanted => Some(n),
            _ => None,
        });
    Some(held.sum())
}

/// Everything that was scored: by whom, what, how many points; also what was worth nothing to its owner.
fn scores(follow: &Follow) -> Vec<(Seat, String, i32)> {
    let board = follow.state().board();
    let mut list = Vec::new();
    for event in follow.events() {
        match event {
            Event::Awarded {
                seat,
                points,
                clause,
                feature,
                ..
            } => {
                let name = match (clause.id(), feature) {
                    ("PD-46" | "PD-47" | "PD-42", _) => "fairy".to_owned(),
                    ("TO-31", _) => "ransom".to_owned(),
                    ("TB-58", _) => "trade-goods".to_owned(),
                    (_, Some(seg)) => feature_name(board.at(*seg).kind),
                    (id, None) => id.to_owned(),
                };
                list.push((*seat, name, *points));
            }
            Event::Valued {
                kind,
                seat: Some(seat),
                owners,
                lines,
                ..
            } if owners.has(*seat) && lines.iter().map(|line| line.points).sum::<i32>() == 0 => {
                list.push((*seat, feature_name(*kind), 0));
            }
            _ => {}
        }
    }
    list
}

fn feature_name(kind: FeatureKind) -> String {
    feature_word(kind).to_ascii_lowercase()
}

fn judge_phase(follow: &Follow, sentence: &str) -> Option<Verdict> {
    let can_pass = || {
        follow.phase() != "CommitActionPhase" && follow.offers().iter().any(|o| o.text == "PASS")
    };
    let phase = sentence
        .strip_prefix("Phase is ")
        .or(sentence.strip_prefix("phase is "));
    if let Some(phase) = phase {
        let here = follow.phase();
        return Some(verdict(here == phase, || format!("it is {here}")));
    }
    match sentence {
        "Player can pass" => Some(verdict(can_pass(), || "a pass is not offered".to_owned())),
        "Player can't pass" => Some(verdict(!can_pass(), || "a pass is offered".to_owned())),
        "Undo is allowed" => Some(verdict(follow.may_undo(), || {
            "nothing can be taken back".to_owned()
        })),
        "Undo is not allowed" => Some(verdict(!follow.may_undo(), || {
            "it can be taken back".to_owned()
        })),
        _ => None,
    }
}

/// The beginning of the texts of an action that a sentence names, like `Meeple SmallFollower`.
fn prefix(follow: &Follow, name: &str, of: Option<&str>) -> Option<String> {
    let seat = follow.asked().map_or(0, |seat| seat.0);
    Some(match (name, of) {
        ("TilePlacement", Some(tile)) => format!("TILE {tile} "),
        ("Meeple", Some(figure)) => format!("DEPLOY {seat}.{} ", figure_kind(figure)?),
        ("ReturnMeeple", Some(source)) => format!("RETURN {source} "),
        ("CaptureFollower", None) => "CAPTURE ".to_owned(),
        ("TowerPiece", None) => "TOKEN TOWER_PIECE ".to_owned(),
        _ => return None,
    })
}

fn figure_kind(name: &str) -> Option<&'static str> {
    Some(match name {
        "SmallFollower" => "small",
        "BigFollower" => "big",
        "Phantom" => "phantom",
        "Abbot" => "abbot",
        "Wagon" => "wagon",
        "Mayor" => "mayor",
        "Builder" => "builder",
        "Pig" => "pig",
        "Barn" => "barn",
        "Shepherd" => "shepherd",
        "Ringmaster" => "ringmaster",
        _ => return None,
    })
}

fn judge_action(follow: &Follow, sentence: &str) -> Option<Verdict> {
    let offered = |prefix: &str| -> BTreeSet<String> {
        if follow.phase() == "CommitActionPhase" {
            return BTreeSet::new();
        }
        let texts = follow.offers().into_iter().map(|offer| offer.text);
        texts.filter(|text| text.starts_with(prefix)).collect()
    };
    if let Some(rest) = sentence.strip_prefix("Available action ") {
        let (name, of) = match rest.split_once(" for ") {
            Some((name, of)) => (name, Some(of)),
            None => (rest, None),
        };
        let prefix = prefix(follow, name, of)?;
        return Some(verdict(!offered(&prefix).is_empty(), || {
            "it is not".to_owned()
        }));
    }
    let (head, list) = sentence.split_once(" options: ")?;
    let (name, of) = match head.split_once(' ') {
        Some((name, of)) => (name, Some(of)),
        None => (head, None),
    };
    let prefix = prefix(follow, name, of)?;
    let mut wanted = BTreeSet::new();
    for option in list.split(';').map(str::trim) {
        let texts = if name == "TilePlacement" {
            tile_options(option)?
        } else {
            vec![place_option(option)?]
        };
        wanted.extend(texts.into_iter().map(|text| format!("{prefix}{text}")));
    }
    let here = offered(&prefix);
    Some(verdict(here == wanted, || {
        let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
            a.difference(b).cloned().collect::<Vec<_>>().join(", ")
        };
        format!(
            "only here: {}; only there: {}",
            only(&here, &wanted),
            only(&wanted, &here)
        )
    }))
}

/// `[-1,2] - [0,90]` as `-1,2 R0` and `-1,2 R90`.
fn tile_options(option: &str) -> Option<Vec<String>> {
    let (square, turns) = option.split_once(" - ")?;
    let square = square.strip_prefix('[')?.strip_suffix(']')?;
    let turns = turns.strip_prefix('[')?.strip_suffix(']')?;
    let texts = turns
        .split(',')
        .map(|turn| format!("{square} R{}", turn.trim()));
    Some(texts.collect())
}

/// `{Field,EL.SR,[-1,1]}` as `-1,1 Field EL.SR`, and with a figure before it as `0.small -1,1 Field EL.SR`.
fn place_option(option: &str) -> Option<String> {
    let inner = option.strip_prefix('{')?.strip_suffix('}')?;
    let (words, square) = inner.split_once(",[")?;
    let square = square.strip_suffix(']')?;
    let words: Vec<&str> = words.split(',').collect();
    match words.as_slice() {
        [feature, location] => Some(format!("{square} {feature} {location}")),
        [meeple, feature, location] => {
            let meeple = Meeple::read(meeple)?;
            Some(format!("{} {square} {feature} {location}", meeple.short()))
        }
        _ => None,
    }
}
