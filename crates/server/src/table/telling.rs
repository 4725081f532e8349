//! Who listens at a table, and what each of them is told.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use tokio::sync::mpsc;
use trencavel_proto::{News, PROTOCOL, Refusal, Stage};
use trencavel_rules::{Seat, Waiting};

use super::{HERE, Listener, Listening, SAY_HERE, SPECTATORS, TableTask, said_news};
use crate::blueprint::refuse;
use crate::draft::{Ended, Told, ended, texts};
use crate::metrics::count;
use crate::store::{Notice, StoredChat};
use crate::who::Who;

impl TableTask {
    // ---- who is here -------------------------------------------------------------------------------------------------

    /// Who is connected to this server: by seat, and how many watch.
    pub(super) fn here_here(&self) -> (Vec<bool>, u32) {
        let seats = (0u8..).map(Seat).zip(&self.now.seats);
        let here = seats
            .map(|(seat, _)| self.listeners.iter().any(|l| l.seats.contains(&seat)))
            .collect();
        let watching = self.listeners.iter().filter(|l| l.seats.is_empty());
        (here, u32::try_from(watching.count()).unwrap_or(u32::MAX))
    }

    /// Who is connected to any server.
    pub(super) fn here(&self) -> (Vec<bool>, u32) {
        let (mut here, mut spectators) = self.here_here();
        let believed = self.elsewhere.values().filter(|e| e.at.elapsed() < HERE);
        for there in believed {
            for (all, there) in here.iter_mut().zip(&there.here) {
                *all |= there;
            }
            spectators += there.spectators;
        }
        (here, spectators)
    }

    /// Tells listeners and other servers who is here, if it changed or was not said for long.
    pub(super) async fn say_here(&mut self) {
        self.tell_here();
        if !self.around.store.is_shared() {
            return;
        }
        let here = self.here_here();
        let since = self.said_here_at.elapsed();
        let changed = here.0 != self.said_here.0 || (since >= SPECTATORS && here != self.said_here);
        if !changed && since < SAY_HERE {
            return;
        }
        self.said_here_at = Instant::now();
        self.said_here.clone_from(&here);
        let notice = Notice::Here {
            node: String::new(),
            table: self.id.clone(),
            here: here.0,
            spectators: here.1,
        };
        self.around.store.tell(&notice).await;
    }

    pub(super) fn tell_here(&mut self) {
        let here = self.here();
        let late = self.told_here_at.elapsed() >= SPECTATORS;
        if here.0 != self.told_here.0 || (late && here != self.told_here) {
            self.told_here_at = Instant::now();
            self.told_here.clone_from(&here);
            self.tell_all(News::Here {
                here: here.0,
                spectators: here.1,
            });
        }
    }

    pub(super) fn unlisten(&mut self, id: u64) {
        self.listeners.retain(|listener| listener.id != id);
    }

    // ---- telling -----------------------------------------------------------------------------------------------------

    /// Tells listeners; one that does not read is dropped and must come back.
    pub(crate) fn tell(&mut self, mut news: impl FnMut(&Listener) -> Option<Arc<News>>) {
        let metrics = &self.around.metrics;
        self.listeners.retain(|listener| {
            let Some(news) = news(listener) else {
                return true;
            };
            match listener.news.try_send(news) {
                Ok(()) => true,
                Err(mpsc::error::TrySendError::Closed(_)) => false,
                Err(mpsc::error::TrySendError::Full(_)) => {
                    count(&metrics.listeners_dropped);
                    false
                }
            }
        });
    }

    pub(crate) fn tell_all(&mut self, news: News) {
        let news = Arc::new(news);
        self.tell(|_| Some(news.clone()));
    }

    pub(super) fn tell_table(&mut self) {
        let table = self.describe();
        self.tell_all(News::Table { table });
    }

    /// Tells an input to everybody as they may see it.
    pub(super) fn tell_input(&mut self, told: &Told) {
        let Told::Input {
            seq,
            number,
            open,
            sealed,
            at,
            clocks,
            ended,
        } = told
        else {
            return;
        };
        let rules = self.rules.clone();
        let mut made: HashMap<Option<Seat>, Arc<News>> = HashMap::new();
        self.tell(|listener| {
            let seat = listener.seats.first().copied();
            // Nearly always everybody sees the same.
            let same = sealed.is_none() && !matches!(ended, Some(Ended::Views(_)));
            let key = if same { None } else { seat };
            let news = made.entry(key).or_insert_with(|| {
                let input = match sealed {
                    Some((own, text)) if Some(*own) != key => text,
                    _ => open,
                };
                let hash = ended.as_ref().map(|ended| match ended {
                    Ended::Same(hash) => hash.clone(),
                    Ended::Views(state) => format!("{:016x}", rules.view(state, key).hash()),
                });
                Arc::new(News::Input {
                    seq: *seq,
                    number: *number,
                    input: input.clone(),
                    at: *at,
                    hash,
                    clocks: clocks.clone(),
                })
            });
            Some(news.clone())
        });
    }

    pub(super) async fn listen(
        &mut self,
        who: &Who,
        after: u64,
        after_said: u64,
        news: mpsc::Sender<Arc<News>>,
    ) -> Result<Listening, Refusal> {
        // Another server may have gone on.
        if self.unsure || self.around.store.is_shared() {
            self.catch_up().await?;
        }
        let most = self.around.limits.listeners;
        self.listeners.retain(|listener| !listener.news.is_closed());
        if self.listeners.len() as u64 >= most {
            return Err(refuse(
                "full",
                format!("a table has at most {most} listeners"),
            ));
        }
        let seats = self.seats_of(who);
        let host = self.is_host(who);
        if seats.is_empty() && !host {
            self.good_secret(who)?;
            self.watchable()?;
        }
        let known = after <= self.now.seq;
        let after = if known { after } else { 0 };
        // After what was said is deleted, numbers may come again.
        let said_last = self.chat.last().map_or(0, |said| said.number);
        let known = known && after_said <= said_last;
        let after_said = if known { after_said } else { 0 };
        let mut past = vec![News::Hello {
            protocol: PROTOCOL,
            table: self.describe(),
            you: seats.first().map(|seat| seat.0 + 1),
            seats: seats.iter().map(|seat| seat.0 + 1).collect(),
            host,
            after,
            after_said,
        }];
        past.extend(self.entries_after(after, seats.first().copied()));
        let said = self.chat.iter().filter(|said| said.number > after_said);
        past.extend(
            said.filter(|said| self.may_hear(said, &seats))
                .map(said_news),
        );
        let id = self.next_listener;
        self.next_listener += 1;
        self.listeners.push(Listener {
            id,
            who: who.clone(),
            seats,
            news,
        });
        let (here, spectators) = self.here();
        past.push(News::Here { here, spectators });
        Ok(Listening { id, past })
    }

    /// A secret that is said must be good; one that a browser has kept may have become worthless.
    pub(crate) fn good_secret(&self, who: &Who) -> Result<(), Refusal> {
        if !who.said || self.is_host(who) || !self.seats_of(who).is_empty() {
            return Ok(());
        }
        Err(refuse(
            "secret",
            "this secret belongs to no seat of the table",
        ))
    }

    /// Whether those who neither play nor host may watch.
    pub(crate) fn watchable(&self) -> Result<(), Refusal> {
        if self.head.spectators {
            return Ok(());
        }
        Err(refuse("no-spectators", "this table is not to be watched"))
    }

    /// Seats have other players now: each listener has what their secrets and account prove from now on, and no more.
    pub(super) fn seat_listeners(&mut self) {
        let (now, mut others) = (&self.now, Vec::new());
        for listener in &mut self.listeners {
            let seats = now.seats_of(&listener.who.hashes, listener.who.account_id());
            if seats != listener.seats {
                others.push(listener.id);
                listener.seats = seats;
            }
        }
        self.tell(|listener| {
            others.contains(&listener.id).then(|| {
                Arc::new(News::Seated {
                    you: listener.seats.first().map(|seat| seat.0 + 1),
                    seats: listener.seats.iter().map(|seat| seat.0 + 1).collect(),
                })
            })
        });
    }

    /// Those who may not listen any more are sent away when they have heard why.
    pub(super) fn dismiss(&mut self) {
        if self.watchable().is_err() {
            let host = &self.head.host;
            self.listeners
                .retain(|listener| !listener.seats.is_empty() || listener.who.has(host));
        }
    }

    /// Players do not hear spectators while the game is on.
    pub(super) fn may_hear(&self, said: &StoredChat, seats: &[Seat]) -> bool {
        said.seat > 0 || seats.is_empty() || self.now.stage != Stage::Playing
    }

    /// The entries after a number as a seat may see them. What was taken back since is left out.
    pub(super) fn entries_after(&self, after: u64, seat: Option<Seat>) -> Vec<News> {
        let first = self.kept.partition_point(|kept| kept.seq <= after);
        let mut news: Vec<(u64, News)> = self
            .lasting
            .iter()
            .filter(|(seq, _)| *seq > after)
            .cloned()
            .collect();
        if first < self.kept.len() {
            let mut state = self.history.at(first);
            let inputs = self.history.inputs().iter().zip(&self.kept).skip(first);
            for ((input, kept), number) in inputs.zip(first as u64 + 1..) {
                let (open, sealed) = texts(&self.rules, &state, *input);
                let text = match sealed {
                    Some((own, text)) if Some(own) != seat => text,
                    _ => open,
                };
                let turn = state.turn().number;
                self.rules.apply_listed(&mut state, *input, &mut ());
                let over = state.waiting() == Waiting::Over;
                let hash = (state.turn().number != turn || over).then(|| match ended(&state) {
                    Ended::Same(hash) => hash,
                    Ended::Views(state) => format!("{:016x}", self.rules.view(&state, seat).hash()),
                });
                let input = News::Input {
                    seq: kept.seq,
                    number,
                    input: text,
                    at: kept.at,
                    hash,
                    clocks: kept.clocks.clone(),
                };
                news.push((kept.seq, input));
            }
        }
        news.sort_by_key(|(seq, _)| *seq);
        news.into_iter().map(|(_, news)| news).collect()
    }
}
