//! What happened at a table, entry by entry: the log says everything, and a table is what its log makes of it. Inputs of the
//! game are lines of the move notation, everything else is an event as JSON.
//!
//! Long: the events, the table, and what each event makes of it are one thing.

use serde::{Deserialize, Serialize};
use trencavel_proto::{
    Absence, Aids, Clock, Gone, News, Question, Seat as SeatNews, Stage, Table, What,
};
use trencavel_rules::{Input, Seat, SeatSet, Waiting};

use crate::secret;
use crate::store::Row;

/// The level that takes a seat over when its player is gone.
pub(crate) const STAND_IN: &str = "steady";

/// What never changes at a table; stored as JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) setup: String,
    #[serde(default)]
    pub(crate) tiles: Vec<String>,
    pub(crate) seats: Vec<HeadSeat>,
    pub(crate) private: bool,
    pub(crate) spectators: bool,
    pub(crate) clock: Clock,
    pub(crate) absence: Absence,
    pub(crate) aids: Aids,
    /// The hash of the host's secret.
    pub(crate) host: String,
    pub(crate) dealer_seed: String,
}

/// A seat when its table was made.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct HeadSeat {
    pub(crate) name: Option<String>,
    /// The hash of its player's secret.
    pub(crate) secret: Option<String>,
    /// The hash of the secret of its link.
    pub(crate) invite: Option<String>,
    pub(crate) account: Option<String>,
    pub(crate) computer: Option<String>,
}

impl HeadSeat {
    /// A seat, counted from 1, of a computer player.
    pub(crate) fn computer(level: String, number: u8) -> HeadSeat {
        HeadSeat {
            name: Some(format!("{level} {number}")),
            computer: Some(level),
            ..HeadSeat::default()
        }
    }
}

/// Something that happened besides inputs. Seats are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub(crate) enum Event {
    /// A seat was taken.
    Joined {
        seat: u8,
        name: String,
        secret: String,
        account: Option<String>,
    },
    /// A seat is open again, before the game.
    Freed {
        seat: u8,
        /// Whether its player may not come back.
        ban: bool,
    },
    /// A player has another name.
    Named { seat: u8, name: String },
    /// The table has another name.
    Renamed { name: String },
    /// The game began.
    Begun,
    /// A player is gone.
    Gone { seat: u8, why: Gone },
    /// The inputs after a number no longer hold.
    TakenBack { number: u64 },
    /// A player asks for something.
    Asked { seat: u8, what: What },
    /// Players agree, or one does not.
    Answered { seats: Vec<u8>, agree: bool },
    /// The game ended without a result.
    Closed { why: String },
    /// The players play again elsewhere.
    Rematch { table: String },
}

impl Event {
    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A seat as it is now.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeatNow {
    pub(crate) name: Option<String>,
    pub(crate) secret: Option<String>,
    pub(crate) invite: Option<String>,
    pub(crate) account: Option<String>,
    pub(crate) computer: Option<String>,
    pub(crate) gone: Option<Gone>,
    /// The time left when its player was last asked, in milliseconds.
    pub(crate) left_ms: Option<i64>,
    /// Since when its player is asked, in milliseconds since 1970.
    pub(crate) since: i64,
    /// Its player's time ran out; it does not run out again.
    pub(crate) late: bool,
}

impl SeatNow {
    /// Whether nobody plays here who could come back: a computer player, or somebody who left.
    pub(crate) fn is_away(&self) -> bool {
        self.secret.is_none() || matches!(self.gone, Some(Gone::Left | Gone::Removed))
    }
}

/// A table as its log makes it, without the game.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    pub(crate) name: String,
    pub(crate) seats: Vec<SeatNow>,
    pub(crate) stage: Stage,
    /// The number of the last entry.
    pub(crate) seq: u64,
    /// When it happened, in milliseconds since 1970.
    pub(crate) at: i64,
    pub(crate) question: Option<Question>,
    pub(crate) rematch: Option<String>,
    /// What happened to seats: taken over, left. Part of the file.
    pub(crate) remarks: Vec<String>,
    /// Accounts and hashes of secrets that may not come back.
    pub(crate) banned: Vec<String>,
}

/// How remarks call a player.
fn remark_of(seat: u8, name: &str) -> String {
    format!("seat {seat} ({name})")
}

/// The word of a stage in the storage.
pub(crate) fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Gathering => "gathering",
        Stage::Playing => "playing",
        Stage::Over => "over",
        Stage::Abandoned => "abandoned",
    }
}

/// The stage of a word in the storage.
pub(crate) fn stage_from(word: &str) -> Stage {
    match word {
        "gathering" => Stage::Gathering,
        "playing" => Stage::Playing,
        "over" => Stage::Over,
        _ => Stage::Abandoned,
    }
}

/// The seats that are asked.
pub(crate) fn asked(waiting: Waiting) -> SeatSet {
    match waiting {
        Waiting::Seats(seats) => seats,
        Waiting::Chance(_) | Waiting::Over => SeatSet::NONE,
    }
}

impl Head {
    /// The time that a player has at the start, in milliseconds.
    fn time(&self) -> Option<i64> {
        match self.clock {
            Clock::None => None,
            Clock::Fischer { seconds, .. } => Some(i64::from(seconds) * 1000),
            Clock::Days { days } => Some(i64::from(days) * 86_400_000),
        }
    }
}

impl Head {
    /// What happens when a player is gone. Somebody who was removed cannot be waited for.
    fn then(&self, why: Gone) -> Absence {
        match (self.absence, why) {
            (Absence::Wait, Gone::Removed) => Absence::Computer,
            (absence, _) => absence,
        }
    }
}

impl Now {
    /// A table that was just made.
    pub(crate) fn new(head: &Head, made: i64) -> Now {
        let seat = |seat: &HeadSeat| SeatNow {
            name: seat.name.clone(),
            secret: seat.secret.clone(),
            invite: seat.invite.clone(),
            account: seat.account.clone(),
            computer: seat.computer.clone(),
            left_ms: head.time(),
            ..SeatNow::default()
        };
        Now {
            name: head.name.clone(),
            seats: head.seats.iter().map(seat).collect(),
            stage: Stage::Gathering,
            seq: 0,
            at: made * 1000,
            question: None,
            rematch: None,
            remarks: Vec::new(),
            banned: Vec::new(),
        }
    }

    pub(crate) fn seat(&self, seat: Seat) -> Option<&SeatNow> {
        self.seats.get(seat.index())
    }

    /// A seat of an event or a message, which count from 1.
    pub(crate) fn numbered(&mut self, seat: u8) -> Option<&mut SeatNow> {
        self.seats.get_mut(usize::from(seat).checked_sub(1)?)
    }

    /// The seats with their numbers.
    pub(crate) fn list(&self) -> impl Iterator<Item = (Seat, &SeatNow)> {
        (0u8..).map(Seat).zip(&self.seats)
    }

    /// The next entry is at this time: clocks of different servers may differ a little, time does not run back.
    fn tick(&mut self, at: i64) -> i64 {
        self.seq += 1;
        self.at = self.at.max(at);
        self.at
    }

    /// Begins the time of the seats that are asked.
    fn ask(&mut self, before: SeatSet, after: SeatSet, chooser: Option<Seat>) {
        let at = self.at;
        for (seat, now) in (0u8..).map(Seat).zip(&mut self.seats) {
            if after.has(seat) && (!before.has(seat) || chooser == Some(seat)) {
                now.since = at;
            }
        }
    }

    /// An input happened: `before` it these were asked, `after` it the game waits for that.
    pub(crate) fn input(
        &mut self,
        head: &Head,
        input: Input,
        at: i64,
        before: SeatSet,
        after: Waiting,
    ) {
        let at = self.tick(at);
        let mut chooser = None;
        if let Input::Choice(seat, _) = input {
            chooser = Some(seat);
            if let Some(now) = self.seats.get_mut(seat.index()) {
                let spent = at - now.since;
                match head.clock {
                    Clock::None => {}
                    Clock::Fischer { increment, .. } => {
                        let more = i64::from(increment) * 1000;
                        now.left_ms = now.left_ms.map(|left| (left - spent).max(0) + more);
                    }
                    Clock::Days { .. } => now.left_ms = head.time(),
                }
                // Whoever was waited for is back.
                if head.absence == Absence::Wait {
                    now.gone = None;
                }
            }
            self.question = None;
        }
        self.ask(before, asked(after), chooser);
        if after == Waiting::Over && self.stage == Stage::Playing {
            self.stage = Stage::Over;
        }
    }

    /// Something else happened: these seats are asked after it. `number` is how many inputs the game has.
    pub(crate) fn event(
        &mut self,
        head: &Head,
        event: &Event,
        at: i64,
        number: u64,
        after: Waiting,
    ) {
        let at = self.tick(at);
        match event {
            Event::Joined {
                seat,
                name,
                secret,
                account,
            } => {
                if let Some(now) = self.numbered(*seat) {
                    now.name = Some(name.clone());
                    now.secret = Some(secret.clone());
                    now.account.clone_from(account);
                }
            }
            Event::Freed { seat, ban } => {
                let Some(now) = self.numbered(*seat) else {
                    return;
                };
                now.name = None;
                let (secret, account) = (now.secret.take(), now.account.take());
                now.computer = None;
                if *ban {
                    self.banned.extend(secret.into_iter().chain(account));
                }
            }
            Event::Named { seat, name } => {
                let Some(now) = self.numbered(*seat) else {
                    return;
                };
                let old = now.name.replace(name.clone()).unwrap_or_default();
                // What happened is told of the same person.
                let (old, new) = (remark_of(*seat, &old), remark_of(*seat, name));
                for remark in &mut self.remarks {
                    *remark = remark.replace(&old, &new);
                }
            }
            Event::Renamed { name } => self.name.clone_from(name),
            Event::Begun => {
                self.stage = Stage::Playing;
                self.ask(SeatSet::NONE, asked(after), None);
            }
            Event::Gone { seat, why } => self.gone(head, *seat, *why, number, at),
            Event::TakenBack { .. } => {
                self.question = None;
                // Time that was spent stays spent.
                self.ask(SeatSet::NONE, asked(after), None);
            }
            Event::Asked { seat, what } => {
                self.question = Some(Question {
                    seat: *seat,
                    what: *what,
                    agreed: Vec::new(),
                });
            }
            Event::Answered { seats, agree } => match &mut self.question {
                Some(question) if *agree => question.agreed.extend(seats),
                _ => self.question = None,
            },
            Event::Closed { why } => {
                self.stage = Stage::Abandoned;
                self.question = None;
                self.remarks.push(format!("after input {number}: {why}"));
            }
            Event::Rematch { table } => {
                self.question = None;
                self.rematch = Some(table.clone());
            }
        }
    }

    /// A player is gone: what the table said happens.
    fn gone(&mut self, head: &Head, seat: u8, why: Gone, number: u64, at: i64) {
        let Some(now) = self.numbered(seat) else {
            return;
        };
        let name = now.name.clone().unwrap_or_default();
        if why == Gone::Time {
            now.late = true;
            now.left_ms = Some(0);
        }
        now.since = at;
        let did = match why {
            Gone::Left => "left",
            Gone::Resigned => "resigned",
            Gone::Time => "ran out of time",
            Gone::Removed => "was removed by the host",
        };
        let then = match head.then(why) {
            Absence::Computer => {
                now.computer = Some(STAND_IN.to_string());
                now.secret = None;
                now.account = None;
                now.gone = None;
                format!("{STAND_IN} plays on")
            }
            Absence::Wait => {
                now.gone = Some(why);
                "the others wait".to_string()
            }
            Absence::Pass => {
                now.gone = Some(why);
                now.secret = None;
                now.account = None;
                "the figures stay, the seat passes".to_string()
            }
            Absence::End => {
                now.gone = Some(why);
                self.stage = Stage::Abandoned;
                "the game ends".to_string()
            }
        };
        self.question = None;
        self.remarks.push(format!(
            "after input {number}: {} {did}; {then}",
            remark_of(seat, &name)
        ));
        // Nobody is left who could play.
        let persons = self.seats.iter().any(|seat| seat.secret.is_some());
        if !persons && self.stage == Stage::Playing {
            self.stage = Stage::Abandoned;
            self.remarks
                .push(format!("after input {number}: no player is left"));
        }
    }

    // ---- what follows from it ----------------------------------------------------------------------------------------

    /// Whether a seat passes from now on.
    pub(crate) fn passes(&self, head: &Head, seat: Seat) -> bool {
        let gone = self.seat(seat).is_some_and(|now| now.gone.is_some());
        gone && head.absence == Absence::Pass
    }

    /// When a player's time runs out, and whose: the first of those that are asked, in milliseconds since 1970.
    pub(crate) fn deadline(&self, asked: SeatSet) -> Option<(i64, Seat)> {
        if self.stage != Stage::Playing {
            return None;
        }
        let running = self.list().filter(|(seat, now)| {
            asked.has(*seat) && now.computer.is_none() && now.gone.is_none() && !now.late
        });
        running
            .filter_map(|(seat, now)| Some((now.since + now.left_ms?, seat)))
            .min_by_key(|(at, _)| *at)
    }

    /// What the storage keeps of the table beside its log. With a summary when the table has one of its own now.
    pub(crate) fn row(&self, head: &Head, waiting: Waiting, summary: Option<String>) -> Row {
        let due = match (self.stage, waiting) {
            (Stage::Playing, Waiting::Chance(_) | Waiting::Over) => Some(self.at),
            (Stage::Playing, Waiting::Seats(seats)) => {
                let by_itself = self.list().any(|(seat, now)| {
                    seats.has(seat) && (now.computer.is_some() || self.passes(head, seat))
                });
                // Somebody thinks already; in a while another server looks whether they still do. Not every input changes
                // the row.
                if by_itself {
                    Some((self.at / 10_000 + 3) * 10_000)
                } else {
                    self.deadline(seats).map(|(at, _)| at)
                }
            }
            (Stage::Gathering | Stage::Over | Stage::Abandoned, _) => None,
        };
        Row {
            stage: stage_word(self.stage),
            due,
            summary,
            ended: matches!(self.stage, Stage::Over | Stage::Abandoned),
        }
    }

    /// The seats of a hashed secret or an account: one, or all of a hot seat.
    pub(crate) fn seats_of(&self, hashes: &[String], account: Option<&str>) -> Vec<Seat> {
        let mine = |now: &SeatNow| {
            let by_secret = now
                .secret
                .as_ref()
                .is_some_and(|own| hashes.iter().any(|hash| secret::same(hash, own)));
            by_secret || (account.is_some() && now.account.as_deref() == account)
        };
        self.list()
            .filter(|(_, now)| mine(now))
            .map(|(seat, _)| seat)
            .collect()
    }

    /// Persons who play: all who sit there and are not gone.
    pub(crate) fn persons(&self) -> Vec<u8> {
        self.numbers(|now| now.secret.is_some() && now.gone.is_none())
    }

    /// Those who must agree to something. Whoever resigned or ran out of time may play again.
    pub(crate) fn deciders(&self, what: What) -> Vec<u8> {
        match what {
            What::TakeBack | What::Abandon => self.persons(),
            What::Rematch => self.numbers(|now| !now.is_away()),
        }
    }

    /// Whether all agree to what is asked for.
    pub(crate) fn is_agreed(&self, question: &Question) -> bool {
        let mut deciders = self.deciders(question.what).into_iter();
        deciders.all(|seat| question.agreed.contains(&seat))
    }

    fn numbers(&self, which: impl Fn(&SeatNow) -> bool) -> Vec<u8> {
        let seats = self.list().filter(|(_, now)| which(now));
        seats.map(|(seat, _)| seat.0 + 1).collect()
    }

    /// Whether a seat has another player than in another moment, or none.
    pub(crate) fn sits_otherwise(&self, before: &Now) -> bool {
        let player = |now: &SeatNow| (now.secret.clone(), now.account.clone());
        !self
            .seats
            .iter()
            .map(player)
            .eq(before.seats.iter().map(player))
    }

    /// The time left of every seat at a time, in milliseconds; none when the table has no clock.
    pub(crate) fn clocks(&self, asked: SeatSet, at: i64) -> Option<Vec<i64>> {
        let runs = self.stage == Stage::Playing;
        self.list()
            .map(|(seat, now)| {
                let left = now.left_ms?;
                let running = runs && asked.has(seat) && now.computer.is_none() && !now.late;
                Some(if running {
                    (left - (at - now.since)).max(0)
                } else {
                    left
                })
            })
            .collect()
    }

    /// What everybody may know.
    pub(crate) fn describe(
        &self,
        head: &Head,
        id: &str,
        made: i64,
        game: Described<'_>,
        at: i64,
    ) -> Table {
        let asked = if self.stage == Stage::Playing {
            asked(game.waiting)
        } else {
            SeatSet::NONE
        };
        let clocks = self.clocks(asked, at.max(self.at));
        let seats = self.list().map(|(seat, now)| SeatNews {
            name: now.name.clone(),
            computer: now.computer.clone(),
            kept: now.invite.is_some() && now.name.is_none(),
            account: now.account.is_some(),
            here: game.here.get(seat.index()).is_some_and(|here| *here),
            gone: now.gone,
            left_ms: clocks
                .as_ref()
                .and_then(|clocks| clocks.get(seat.index()).copied()),
        });
        let ended = matches!(self.stage, Stage::Over | Stage::Abandoned);
        Table {
            id: id.to_string(),
            name: self.name.clone(),
            setup: head.setup.clone(),
            tiles: head.tiles.clone(),
            stage: self.stage,
            seats: seats.collect(),
            private: head.private,
            spectators: head.spectators,
            clock: head.clock,
            absence: head.absence,
            aids: head.aids,
            seq: self.seq,
            number: game.number,
            asked: asked.iter().map(|seat| seat.0 + 1).collect(),
            question: self.question.clone(),
            rematch: self.rematch.clone(),
            dealer_hash: game.dealer_hash.to_string(),
            dealer_seed: ended.then(|| head.dealer_seed.clone()),
            made,
        }
    }

    /// The news of an event, for those who must hear it even when they come later.
    pub(crate) fn lasting(&self, head: &Head, event: &Event) -> Option<News> {
        let seq = self.seq;
        match event {
            Event::TakenBack { number } => Some(News::TakenBack {
                seq,
                number: *number,
            }),
            Event::Gone { seat, why } => Some(News::Gone {
                seq,
                seat: *seat,
                why: *why,
                then: head.then(*why),
            }),
            Event::Rematch { table } => Some(News::Rematch {
                seq,
                table: table.clone(),
            }),
            Event::Joined { .. }
            | Event::Freed { .. }
            | Event::Named { .. }
            | Event::Renamed { .. }
            | Event::Begun
            | Event::Asked { .. }
            | Event::Answered { .. }
            | Event::Closed { .. } => None,
        }
    }
}

/// What the game adds to the description of a table.
#[derive(Clone, Copy)]
pub(crate) struct Described<'a> {
    pub(crate) waiting: Waiting,
    pub(crate) number: u64,
    pub(crate) here: &'a [bool],
    pub(crate) dealer_hash: &'a str,
}
