//! What players, spectators, hosts and the operator wish at a table.

use trencavel_proto::{Entered, Gone, Join, Order, Refusal, Seated, Stage, What, Wish};
use trencavel_record::dealer::{parse_seed, seed_hash};
use trencavel_record::game::Game;
use trencavel_record::notation::parse_choice;
use trencavel_rules::{Input, Moves, Seat};

use crate::blueprint::{Blueprint, clean_name, player_name, refuse};
use crate::log::{Event, Now, asked};
use crate::secret;
use crate::store::{Entry, NotStored, StoredChat, now};
use crate::table::TableTask;
use crate::who::Who;

impl TableTask {
    pub(crate) fn seats_of(&self, who: &Who) -> Vec<Seat> {
        self.now.seats_of(&who.hashes, who.account_id())
    }

    pub(crate) fn is_host(&self, who: &Who) -> bool {
        who.has(&self.head.host)
    }

    fn host(&self, who: &Who, what: &str) -> Result<(), Refusal> {
        if self.is_host(who) {
            return Ok(());
        }
        Err(refuse("secret", format!("only the host may {what}")))
    }

    fn playing(&self) -> Result<(), Refusal> {
        match self.now.stage {
            Stage::Playing => Ok(()),
            Stage::Gathering => Err(refuse("not-begun", "the game has not begun")),
            Stage::Over | Stage::Abandoned => Err(refuse("over", "the game is over")),
        }
    }

    // ---- seats -------------------------------------------------------------------------------------------------------

    pub(crate) async fn join(&mut self, join: &Join, who: &Who) -> Result<Seated, Refusal> {
        self.catch_up().await?;
        if self.now.stage != Stage::Gathering {
            return Err(refuse("begun", "the game has begun; you can watch it"));
        }
        let banned = |id: &String| who.has(id) || who.account_id() == Some(id);
        if self.now.banned.iter().any(banned) {
            return Err(refuse("banned", "the host does not want you at this table"));
        }
        let name = player_name(&join.name, self.around.limits.name_chars)?;
        if !self.seats_of(who).is_empty() {
            return Err(refuse("taken", "you have a seat at this table already"));
        }
        let invite = join.invite.as_deref().map(secret::hash);
        let now = self.now.clone();
        let mut seats = now.list().filter(|(_, seat)| seat.name.is_none());
        let free = match (&invite, join.seat) {
            (Some(hash), _) => seats.find(|(_, seat)| seat.invite.as_ref() == Some(hash)),
            (None, Some(number)) => {
                seats.find(|(seat, now)| seat.0 + 1 == number && now.invite.is_none())
            }
            (None, None) => seats.find(|(_, seat)| seat.invite.is_none()),
        };
        let Some(seat) = free.map(|(seat, _)| seat) else {
            return Err(refuse("taken", "that seat is not open"));
        };
        let secret = secret::new_secret()?;
        let event = Event::Joined {
            seat: seat.0 + 1,
            name,
            secret: secret::hash(&secret),
            account: who.account_id().map(String::from),
        };
        self.events([event]).await?;
        if let Some(account) = who.account_id() {
            // The seat is theirs in any case; the list of their tables may lack it.
            let _ = self.around.store.add_member(account, &self.id).await;
        }
        Ok(Seated {
            seat: seat.0 + 1,
            secret,
        })
    }

    pub(crate) fn enter(&self, who: &Who, follow: bool) -> Result<Entered, Refusal> {
        let seats = self.seats_of(who);
        let host = self.is_host(who);
        if seats.is_empty() && !host {
            return Err(refuse(
                "secret",
                "this secret belongs to no seat of the table",
            ));
        }
        let table = match (&self.now.rematch, follow) {
            (_, false) => self.id.clone(),
            (Some(table), true) => table.clone(),
            (None, true) => return Err(refuse("not-over", "there is no rematch to follow to")),
        };
        Ok(Entered {
            table,
            seats: seats.iter().map(|seat| seat.0 + 1).collect(),
            host,
        })
    }

    // ---- wishes ------------------------------------------------------------------------------------------------------

    pub(crate) async fn wish(&mut self, who: &Who, wish: Wish) -> Result<(), Refusal> {
        let seats = self.seats_of(who);
        let player = || {
            seats
                .first()
                .copied()
                .ok_or_else(|| refuse("secret", "only a player of this table may do that"))
        };
        match wish {
            Wish::Start => {
                self.host(who, "begin the game")?;
                self.begin().await
            }
            Wish::Choose { number, choice } => {
                player()?;
                self.choose(&seats, number, &choice).await
            }
            Wish::Say { text } => self.say(seats.first().copied(), who, &text).await,
            Wish::Leave => {
                player()?;
                match self.now.stage {
                    Stage::Playing => self.lose_all(&seats, Gone::Left).await,
                    Stage::Gathering => {
                        let freed = seats.iter().map(|seat| Event::Freed {
                            seat: seat.0 + 1,
                            ban: false,
                        });
                        self.events(freed).await
                    }
                    Stage::Over | Stage::Abandoned => Err(refuse("over", "the game is over")),
                }
            }
            Wish::Resign => {
                player()?;
                self.playing()?;
                self.lose_all(&seats, Gone::Resigned).await
            }
            Wish::TakeBack => {
                let seat = player()?;
                self.playing()?;
                if !self.head.aids.undo {
                    return Err(refuse("no-undo", "nothing is taken back at this table"));
                }
                if seats.iter().any(|seat| self.history.may_take_back(*seat)) {
                    let number = self.number() - 1;
                    return self.events([Event::TakenBack { number }]).await;
                }
                if self.last_choice(&seats).is_none() {
                    return Err(refuse("nothing-to-take-back", "you have not chosen yet"));
                }
                self.ask(seat, &seats, What::TakeBack).await
            }
            Wish::Abandon => {
                let seat = player()?;
                self.playing()?;
                self.ask(seat, &seats, What::Abandon).await
            }
            Wish::Rematch => {
                let seat = player()?;
                if !matches!(self.now.stage, Stage::Over | Stage::Abandoned) {
                    return Err(refuse("not-over", "the game is not over"));
                }
                if self.now.rematch.is_some() {
                    return Err(refuse("over", "the players play again already"));
                }
                if self.now.seats.iter().any(|seat| seat.name.is_none()) {
                    return Err(refuse("open-seats", "there are open seats"));
                }
                self.ask(seat, &seats, What::Rematch).await
            }
            Wish::Answer { agree } => {
                player()?;
                self.answer(&seats, agree).await
            }
            Wish::Resync { .. } => Err(refuse(
                "resync",
                "over HTTP, ask for the events after the last number that is known",
            )),
            Wish::Rename { name } => {
                self.host(who, "rename the table")?;
                let most = self.around.limits.table_name_chars;
                let name = clean_name(&name, most, "the table's name")?;
                self.events([Event::Renamed { name }]).await
            }
            Wish::Remove { seat, ban } => {
                self.host(who, "remove a player")?;
                self.remove(seat, ban).await
            }
            Wish::Close => {
                self.host(who, "close the table")?;
                self.close("the host closed the table").await
            }
        }
    }

    async fn begin(&mut self) -> Result<(), Refusal> {
        self.catch_up().await?;
        if self.now.stage != Stage::Gathering {
            return Err(refuse("begun", "the game has begun already"));
        }
        if self.now.seats.iter().any(|seat| seat.name.is_none()) {
            return Err(refuse("open-seats", "there are open seats"));
        }
        self.events([Event::Begun]).await
    }

    pub(crate) async fn choose(
        &mut self,
        seats: &[Seat],
        number: u64,
        text: &str,
    ) -> Result<(), Refusal> {
        if self.number() + 1 != number
            || !asked(self.waiting())
                .iter()
                .any(|seat| seats.contains(&seat))
        {
            // Another server may have gone on.
            self.catch_up().await?;
        }
        self.playing()?;
        let due = self.number() + 1;
        if number != due {
            return Err(refuse(
                "number",
                format!("input {number} was sent, but {due} is due"),
            ));
        }
        let asked = asked(self.waiting());
        let Some(seat) = seats.iter().copied().find(|seat| asked.has(*seat)) else {
            return Err(refuse("not-asked", "it is not your turn to choose"));
        };
        let state = self.history.state();
        let choice = parse_choice(&self.rules, state, text)
            .map_err(|error| refuse("notation", error.to_string()))?;
        let mut moves = Moves::new();
        self.rules.legal_for(state, seat, &mut moves);
        if !moves.contains(&choice) {
            let clauses = self.rules.why_not(state, seat, choice);
            let clauses: Vec<&str> = clauses.iter().map(|clause| clause.id()).collect();
            return Err(refuse(
                "illegal",
                format!("that is not allowed: {}", clauses.join(", ")),
            ));
        }
        self.choices(seat, choice).await
    }

    /// The player gives up all their seats.
    async fn lose_all(&mut self, seats: &[Seat], why: Gone) -> Result<(), Refusal> {
        for seat in seats {
            let here = self.now.seat(*seat).is_some_and(|now| now.gone.is_none());
            if here && self.now.stage == Stage::Playing {
                self.lose(*seat, why).await?;
            }
        }
        Ok(())
    }

    async fn remove(&mut self, number: u8, ban: bool) -> Result<(), Refusal> {
        let stage = self.now.stage;
        let Some(seat) = self.now.numbered(number) else {
            return Err(refuse("seats", format!("there is no seat {number}")));
        };
        if seat.name.is_none() {
            return Err(refuse("seats", format!("nobody sits on seat {number}")));
        }
        let computer = seat.computer.is_some();
        match stage {
            Stage::Gathering => self.events([Event::Freed { seat: number, ban }]).await,
            Stage::Playing if computer => Err(refuse(
                "seats",
                "a computer player plays the game to its end",
            )),
            Stage::Playing => self.lose(Seat(number - 1), Gone::Removed).await,
            Stage::Over | Stage::Abandoned => Err(refuse("over", "the game is over")),
        }
    }

    async fn close(&mut self, why: &str) -> Result<(), Refusal> {
        if matches!(self.now.stage, Stage::Over | Stage::Abandoned) {
            return Err(refuse("over", "the game is over"));
        }
        let why = why.to_string();
        self.events([Event::Closed { why }]).await
    }

    // ---- chat --------------------------------------------------------------------------------------------------------

    async fn say(&mut self, seat: Option<Seat>, who: &Who, text: &str) -> Result<(), Refusal> {
        let limits = self.around.limits.clone();
        let text = text.trim();
        let hidden = |c: char| c.is_control() && c != '\n';
        if text.is_empty() || text.chars().count() as u64 > limits.chat_chars {
            return Err(refuse(
                "too-long",
                format!("what is said has 1 to {} characters", limits.chat_chars),
            ));
        }
        if text.chars().any(hidden) {
            return Err(refuse(
                "bad-name",
                "what is said has characters that cannot be shown",
            ));
        }
        if seat.is_none() && !self.is_host(who) {
            self.good_secret(who)?;
            self.watchable()?;
        }
        // Those who watch must not be able to silence those who play.
        let same = |said: &&StoredChat| (said.seat == 0) == seat.is_none();
        if self.chat.iter().filter(same).count() as u64 >= limits.chat_lines {
            let whose = if seat.is_none() {
                "spectators"
            } else {
                "players"
            };
            return Err(refuse(
                "full",
                format!(
                    "{whose} can say at most {} things at a table",
                    limits.chat_lines
                ),
            ));
        }
        let name = match (seat.and_then(|seat| self.now.seat(seat)), &who.account) {
            (Some(now), _) => now.name.clone().unwrap_or_default(),
            (None, Some(account)) => account.name.clone(),
            (None, None) => clean_name(&who.name, limits.name_chars, "the name")?,
        };
        // Another server may store something said at the same moment.
        for _ in 0..20 {
            let said = StoredChat {
                number: self.chat.last().map_or(0, |said| said.number) + 1,
                seat: seat.map_or(0, |seat| seat.0 + 1),
                name: name.clone(),
                account: who.account_id().unwrap_or_default().to_string(),
                said: text.to_string(),
                at: now(),
            };
            match self.around.store.add_chat(&self.id, said.clone()).await {
                Ok(()) => {
                    self.chat.push(said.clone());
                    self.tell_said(&said);
                    return Ok(());
                }
                Err(NotStored::Taken) => self.read_chat().await,
                Err(error) => return Err(error.into()),
            }
        }
        Err(NotStored::Taken.into())
    }

    // ---- agreement ---------------------------------------------------------------------------------------------------

    /// The number of inputs before the last choice of some seats.
    fn last_choice(&self, seats: &[Seat]) -> Option<u64> {
        let own = |input: &Input| matches!(input, Input::Choice(seat, _) if seats.contains(seat));
        let last = self.history.inputs().iter().rposition(own)?;
        Some(last as u64)
    }

    async fn ask(&mut self, by: Seat, own: &[Seat], what: What) -> Result<(), Refusal> {
        self.catch_up().await?;
        // Whoever wishes what another has asked for agrees. What is taken back is the asker's own choice.
        let asked_already = self.now.question.as_ref().is_some_and(|question| {
            let own = own.iter().any(|seat| seat.0 + 1 == question.seat);
            question.what == what && (own || what != What::TakeBack)
        });
        let asked = (!asked_already).then_some(Event::Asked {
            seat: by.0 + 1,
            what,
        });
        self.agree(asked, own).await
    }

    async fn answer(&mut self, own: &[Seat], agree: bool) -> Result<(), Refusal> {
        self.catch_up().await?;
        let Some(question) = &self.now.question else {
            return Err(refuse("nothing-asked", "nobody has asked for anything"));
        };
        let deciders = self.now.deciders(question.what);
        if !own.iter().any(|seat| deciders.contains(&(seat.0 + 1))) {
            return Err(refuse(
                "nothing-asked",
                "you are gone, and the others decide",
            ));
        }
        if !agree {
            let seats = own.iter().map(|seat| seat.0 + 1).collect();
            return self.events([Event::Answered { seats, agree }]).await;
        }
        self.agree(None, own).await
    }

    /// Some seats agree to what is asked; when all do, it happens.
    async fn agree(&mut self, asked: Option<Event>, own: &[Seat]) -> Result<(), Refusal> {
        let mut draft = self.draft();
        if let Some(asked) = asked {
            draft.event(&self.head, &self.history, asked);
        }
        let new = |seat: &u8| {
            let question = draft.now.question.as_ref();
            question.is_none_or(|question| !question.agreed.contains(seat))
        };
        let seats: Vec<u8> = own.iter().map(|seat| seat.0 + 1).filter(new).collect();
        if seats.is_empty() {
            return self.write(draft).await;
        }
        let answered = Event::Answered { seats, agree: true };
        draft.event(&self.head, &self.history, answered);
        let question = draft.now.question.clone();
        let Some(question) = question.filter(|question| draft.now.is_agreed(question)) else {
            return self.write(draft).await;
        };
        let mut again = None;
        let happens = match question.what {
            What::Abandon => Some(Event::Closed {
                why: "the players ended the game by agreement".to_string(),
            }),
            What::TakeBack => {
                let asker = Seat(question.seat.saturating_sub(1));
                let hand = self.now.seat(asker).and_then(|now| now.secret.clone());
                let seats: Vec<Seat> = match hand {
                    Some(hash) => self.now.seats_of(&[hash], None),
                    None => vec![asker],
                };
                self.last_choice(&seats)
                    .map(|number| Event::TakenBack { number })
            }
            What::Rematch => {
                let table = self.make_rematch().await?;
                again = Some(table.clone());
                Some(Event::Rematch { table })
            }
        };
        if let Some(event) = happens {
            draft.event(&self.head, &self.history, event);
        }
        let written = self.write(draft).await;
        if let (Err(refusal), Some(table)) = (&written, again)
            && refusal.code == "moved-on"
        {
            // Another server was faster, and the players go to its table.
            self.around.store.delete_table(&table).await?;
        }
        written
    }

    /// The same table again, at which the game has begun.
    async fn make_rematch(&self) -> Result<String, Refusal> {
        let again = Blueprint::again(&self.head, &self.now, &self.rules, &self.around.setups)?;
        let stored = again.stored("");
        let store = &self.around.store;
        let made = stored.made;
        store.make_table(stored).await?;
        for seat in &again.head.seats {
            if let Some(account) = &seat.account {
                store.add_member(account, &again.id).await?;
            }
        }
        let state = again.rules.start();
        let mut begun = Now::new(&again.head, made);
        begun.event(&again.head, &Event::Begun, made * 1000, 0, state.waiting());
        let entry = Entry {
            number: 1,
            lines: Event::Begun.line(),
            at: begun.at,
        };
        let row = begun.row(&again.head, state.waiting(), None);
        store.add(&again.id, entry, Some(row)).await?;
        Ok(again.id)
    }

    // ---- the operator ------------------------------------------------------------------------------------------------

    pub(crate) async fn operate(&mut self, order: &Order) -> Result<(), Refusal> {
        self.catch_up().await?;
        let limits = self.around.limits.clone();
        match order {
            Order::RenameTable { name, .. } => {
                let name = clean_name(name, limits.table_name_chars, "the table's name")?;
                self.events([Event::Renamed { name }]).await
            }
            Order::RenameSeat { seat, name, .. } => {
                if self
                    .now
                    .numbered(*seat)
                    .is_none_or(|seat| seat.name.is_none())
                {
                    return Err(refuse("seats", format!("nobody sits on seat {seat}")));
                }
                let name = player_name(name, limits.name_chars)?;
                let event = Event::Named { seat: *seat, name };
                self.events([event]).await
            }
            Order::RemoveSeat { seat, .. } => self.remove(*seat, true).await,
            Order::CloseTable { .. } => {
                self.close("the operator of the server closed the table")
                    .await
            }
            Order::DeleteSaid { number, .. } => {
                self.around.store.delete_said(&self.id, *number).await?;
                self.chat.retain(|said| said.number != *number);
                Ok(())
            }
            Order::DeleteAccount { account } => {
                let seats: Vec<u8> = self
                    .now
                    .list()
                    .filter(|(_, now)| now.account.as_deref() == Some(account))
                    .map(|(seat, _)| seat.0 + 1)
                    .collect();
                self.chat.retain(|said| said.account != *account);
                let name = "(deleted)".to_string();
                let named = seats.into_iter().map(|seat| Event::Named {
                    seat,
                    name: name.clone(),
                });
                self.events(named).await
            }
            Order::DeleteTable { .. }
            | Order::Ban { .. }
            | Order::Unban { .. }
            | Order::RenameAccount { .. } => Ok(()),
        }
    }

    // ---- the file ----------------------------------------------------------------------------------------------------

    /// The file of a finished game.
    pub(crate) fn export(&self, who: &Who) -> Result<String, Refusal> {
        if self.seats_of(who).is_empty() && !self.is_host(who) {
            self.watchable()?;
        }
        if !matches!(self.now.stage, Stage::Over | Stage::Abandoned) {
            return Err(refuse(
                "not-over",
                "a game can be taken away as a file when it is over",
            ));
        }
        let names = self.now.seats.iter();
        let mut game = Game {
            history: self.history.clone(),
            names: names
                .map(|seat| seat.name.clone().unwrap_or_default())
                .collect(),
            notes: Vec::new(),
            changed: Vec::new(),
        };
        let seed = parse_seed(&self.head.dealer_seed).unwrap_or_default();
        let mut note = |key: &str, value: String| game.notes.push((key.to_string(), value));
        note("dealer-hash", seed_hash(&seed));
        note("dealer-seed", self.head.dealer_seed.clone());
        if !self.now.name.is_empty() {
            note("table", self.now.name.clone());
        }
        let word = |value: serde_json::Result<serde_json::Value>| {
            value
                .ok()
                .and_then(|value| value.as_str().map(String::from))
                .unwrap_or_default()
        };
        note("absence", word(serde_json::to_value(self.head.absence)));
        note("clock", clock_text(self.head.clock));
        note("aids", self.head.aids.to_text());
        for remark in &self.now.remarks {
            note("remark", remark.clone());
        }
        Ok(game.to_text())
    }
}

fn clock_text(clock: trencavel_proto::Clock) -> String {
    use trencavel_proto::Clock;
    match clock {
        Clock::None => "none".to_string(),
        Clock::Fischer { seconds, increment } => {
            format!("{seconds} seconds and {increment} for each decision")
        }
        Clock::Days { days } => format!("{days} days for each decision"),
    }
}
