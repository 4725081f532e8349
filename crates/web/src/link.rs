//! The connection to a table of the server: what is told is played, what is chosen is sent; it comes back by itself.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use trencavel_proto::{Aids, Gone, Hello, News, Refusal, Request, Sent, Stage, Table, Wish};
use trencavel_record::setup_text::parse_setup;
use trencavel_record::user_tiles::parse_tile;
use trencavel_rules::{Seat, Setup};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use web_sys::{CloseEvent, MessageEvent, WebSocket};

use crate::desk::Desk;
use crate::game::Game;
use crate::route;
use crate::settings::Settings;
use crate::store;
use crate::text::tr;
use crate::words;

/// The longest pause before the next try to connect, in milliseconds.
const LONGEST_PAUSE: u32 = 10_000;

/// How often in a row a game is told anew because it does not fit, before that is said.
const MOST_RESYNCS: u32 = 3;

/// So many tables are remembered as own ones.
const MOST_TABLES: usize = 12;

/// How the connection is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Status {
    /// It is being made.
    Connecting,
    /// It is there.
    Connected,
    /// It broke, and will be tried again.
    Lost,
    /// The server and this page do not understand each other.
    Broken,
}

/// Something that was said.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Line {
    /// Its number among what was said at the table; none if it tells what happened there.
    number: Option<u64>,
    pub(crate) seat: Option<u8>,
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The clocks as they were told.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Clocks {
    /// What is left of every seat, in milliseconds.
    pub(crate) left: Vec<i64>,
    /// When that was told, by the browser's clock.
    pub(crate) told: f64,
}

/// A connection to a table.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    id: StoredValue<String>,
    settings: RwSignal<Settings>,
    /// The table as it was told last.
    pub(crate) table: RwSignal<Option<Table>>,
    /// The own seats, from 1.
    pub(crate) seats: RwSignal<Vec<u8>>,
    /// Whether the person at the screen played here and does no more.
    pub(crate) gave_up: RwSignal<bool>,
    /// Whether the person at the screen hosts the table.
    pub(crate) host: RwSignal<bool>,
    /// How the connection is.
    pub(crate) status: RwSignal<Status>,
    /// What was said.
    pub(crate) said: RwSignal<Vec<Line>>,
    /// Why the last wish was refused.
    pub(crate) refused: RwSignal<String>,
    /// The clocks.
    pub(crate) clocks: RwSignal<Clocks>,
    /// How many watch.
    pub(crate) spectators: RwSignal<u32>,
    /// The game, once the table is known.
    pub(crate) desk: RwSignal<Option<Desk>, LocalStorage>,
    seq: StoredValue<u64>,
    n_said: StoredValue<u64>,
    /// Which connection is the one in use; messages of others are not heard.
    number: StoredValue<u32>,
    socket: StoredValue<Option<WebSocket>, LocalStorage>,
    pause: StoredValue<u32>,
    resyncs: StoredValue<u32>,
    due: StoredValue<bool>,
}

impl Link {
    /// A table, not yet connected.
    pub(crate) fn new(id: String, settings: RwSignal<Settings>) -> Link {
        Link {
            id: StoredValue::new(id),
            settings,
            table: RwSignal::new(None),
            seats: RwSignal::new(Vec::new()),
            gave_up: RwSignal::new(false),
            host: RwSignal::new(false),
            status: RwSignal::new(Status::Connecting),
            said: RwSignal::new(Vec::new()),
            refused: RwSignal::new(String::new()),
            clocks: RwSignal::new(Clocks::default()),
            spectators: RwSignal::new(0),
            desk: RwSignal::new_local(None),
            seq: StoredValue::new(0),
            n_said: StoredValue::new(0),
            number: StoredValue::new(0),
            socket: StoredValue::new_local(None),
            pause: StoredValue::new(250),
            resyncs: StoredValue::new(0),
            due: StoredValue::new(false),
        }
    }

    fn address(&self) -> Option<String> {
        let location = window().location();
        let scheme = if location.protocol().ok()? == "https:" {
            "wss"
        } else {
            "ws"
        };
        let host = location.host().ok()?;
        Some(format!(
            "{scheme}://{host}/api/tables/{}/ws",
            self.id.get_value()
        ))
    }

    /// Connects, or connects anew.
    pub(crate) fn connect(self) {
        let Some(number) = self.number.try_update_value(|n| {
            *n += 1;
            *n
        }) else {
            return;
        };
        self.status.set(Status::Connecting);
        let socket = self.address().and_then(|a| WebSocket::new(&a).ok());
        let Some(socket) = socket else {
            self.status.set(Status::Lost);
            return;
        };
        let is_current = move || self.number.try_get_value() == Some(number);
        let greeting = socket.clone();
        let on_open = Closure::<dyn Fn()>::new(move || {
            if !is_current() {
                let _ = greeting.close();
                return;
            }
            let hello = Hello {
                after: self.seq.get_value(),
                after_said: self.n_said.get_value(),
                ..Hello::default()
            };
            if let Ok(text) = serde_json::to_string(&hello) {
                let _ = greeting.send_with_str(&text);
            }
        });
        let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if is_current()
                && let Some(text) = event.data().as_string()
            {
                self.hear(&text);
            }
        });
        let on_close = Closure::<dyn Fn(CloseEvent)>::new(move |_| {
            if is_current() && self.status.get_untracked() != Status::Broken {
                self.status.set(Status::Lost);
                self.connect_later();
            }
        });
        socket.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(on_close.as_ref().unchecked_ref()));
        // They live as long as the socket, of which there are few.
        on_open.forget();
        on_message.forget();
        on_close.forget();
        // The one before would stay open, and be counted among those who watch.
        let before = self.socket.try_update_value(|now| now.replace(socket));
        if let Some(before) = before.flatten() {
            let _ = before.close();
        }
    }

    fn connect_later(self) {
        let pause = self.pause.get_value();
        self.pause.set_value((pause * 2).min(LONGEST_PAUSE));
        let number = self.number.get_value();
        Timeout::new(pause, move || {
            if self.number.try_get_value() == Some(number) {
                self.connect();
            }
        })
        .forget();
    }

    /// Closes the connection for good.
    pub(crate) fn close(self) {
        let _ = self.number.try_update_value(|n| *n += 1);
        let _ = self.socket.try_update_value(|socket| {
            if let Some(socket) = socket.take() {
                let _ = socket.close();
            }
        });
    }

    /// Sends a wish; none is lost without a word: where there is no connection, that is said.
    pub(crate) fn wish(self, wish: Wish) {
        self.refused.set(String::new());
        let text = serde_json::to_string(&Request { id: None, wish });
        let sent = self.socket.with_value(|socket| {
            let (Some(socket), Ok(text)) = (socket, &text) else {
                return false;
            };
            socket.ready_state() == WebSocket::OPEN && socket.send_with_str(text).is_ok()
        });
        if !sent {
            self.refused.set(tr("not-connected"));
            if let Some(desk) = self.desk.get_untracked() {
                desk.unsend();
            }
        }
    }

    /// Sends what the person at the screen has confirmed.
    pub(crate) fn choose(self, choices: Vec<(u64, String)>) {
        for (number, choice) in choices {
            self.wish(Wish::Choose { number, choice });
        }
    }

    fn hear(self, text: &str) {
        match serde_json::from_str::<Sent>(text) {
            Ok(sent) => self.take(sent.news),
            // A message that a later server has thought of; whatever matters comes again with the table.
            Err(_)
                if serde_json::from_str::<serde_json::Value>(text)
                    .is_ok_and(|v| v["n"].is_u64()) => {}
            Err(_) => {
                self.status.set(Status::Broken);
                self.close();
            }
        }
    }

    fn take(self, news: News) {
        match news {
            News::Hello {
                table,
                seats,
                host,
                after,
                after_said,
                ..
            } => {
                self.pause.set_value(250);
                self.status.set(Status::Connected);
                self.forget(after, after_said);
                if after != self.seq.get_value() || self.desk.get_untracked().is_none() {
                    self.seq.set_value(after);
                    self.seats.set(seats);
                    self.host.set(host);
                    self.lay_out(&table);
                } else {
                    self.seats.set(seats);
                    self.host.set(host);
                    self.sit();
                }
                self.set_table(table);
            }
            News::Seated { seats, .. } => {
                self.lost(seats.is_empty());
                self.seats.set(seats);
                self.sit();
            }
            News::Table { table } => self.set_table(table),
            News::Here { here, spectators } => {
                self.spectators.set(spectators);
                self.table.update(|table| {
                    let seats = table.iter_mut().flat_map(|table| &mut table.seats);
                    for (seat, here) in seats.zip(here) {
                        seat.here = here;
                    }
                });
            }
            News::Input {
                seq,
                number,
                input,
                hash,
                clocks,
                ..
            } => {
                self.seq.set_value(seq);
                if let Some(left) = clocks {
                    let told = js_sys::Date::now();
                    self.clocks.set(Clocks { left, told });
                }
                self.play(number, &input, hash.as_deref());
            }
            News::TakenBack { seq, number } => {
                self.seq.set_value(seq);
                if let Some(desk) = self.desk.get_untracked() {
                    desk.taken_back(number as usize);
                }
            }
            News::Gone { seq, seat, why, .. } => {
                self.seq.set_value(seq);
                let name = self.table.with_untracked(|table| {
                    let index = usize::from(seat).checked_sub(1)?;
                    table.as_ref()?.seats.get(index)?.name.clone()
                });
                self.said.update(|said| {
                    said.push(Line {
                        number: None,
                        seat: Some(seat),
                        name: name.unwrap_or_default(),
                        text: gone_text(why),
                    });
                });
            }
            News::Asked { seq, .. } | News::Answered { seq, .. } | News::Rematch { seq, .. } => {
                self.seq.set_value(seq)
            }
            News::Said {
                number,
                seat,
                name,
                text,
                ..
            } => {
                self.n_said.set_value(number);
                let number = Some(number);
                self.said.update(|said| {
                    said.push(Line {
                        number,
                        seat,
                        name,
                        text,
                    });
                });
            }
            News::Done { .. } => {}
            News::Refused { code, why, .. } => {
                let refusal = Refusal { code, why };
                self.refused.set(words::refusal(&refusal));
                let code = refusal.code;
                if let Some(desk) = self.desk.get_untracked() {
                    desk.refused();
                }
                if code == "no-table" || code == "no-spectators" || code == "banned" {
                    self.status.set(Status::Broken);
                    self.close();
                }
            }
            News::Bye { seconds } => {
                self.pause.set_value(seconds.clamp(1, 30) * 1000);
            }
        }
    }

    /// What is told again from here on is not shown twice.
    fn forget(self, after: u64, after_said: u64) {
        let again = after != self.seq.get_value();
        let said_again = after_said != self.n_said.get_value();
        if again || said_again {
            self.n_said.set_value(after_said);
            self.said.update(|said| {
                said.retain(|line| {
                    !if line.number.is_some() {
                        said_again
                    } else {
                        again
                    }
                });
            });
        }
    }

    fn set_table(self, table: Table) {
        let left = table.seats.iter().map(|seat| seat.left_ms.unwrap_or(0));
        self.clocks.set(Clocks {
            left: left.collect(),
            told: js_sys::Date::now(),
        });
        if let Some(desk) = self.desk.get_untracked() {
            desk.set_names(names(&table));
        }
        // Whoever is taken from a seat before the game, or has given it up, is told by the table only.
        let held = |seat: u8| {
            let seat = usize::from(seat).checked_sub(1);
            let seat = seat.and_then(|i| table.seats.get(i));
            seat.is_some_and(|seat| seat.name.is_some() && seat.computer.is_none())
        };
        if self
            .seats
            .with_untracked(|own| !own.iter().all(|seat| held(*seat)))
        {
            let all = self
                .seats
                .with_untracked(|own| !own.iter().any(|seat| held(*seat)));
            self.lost(all);
            self.seats.update(|own| own.retain(|seat| held(*seat)));
            self.sit();
        }
        if table.stage == Stage::Abandoned
            && let Some(desk) = self.desk.get_untracked()
        {
            desk.close();
        }
        self.table.set(Some(table));
    }

    /// Seats were taken from the person at the screen: all of them or not.
    fn lost(self, all: bool) {
        let had = self.seats.with_untracked(|own| !own.is_empty());
        let began = self.table.with_untracked(|table| {
            let stage = table.as_ref().map(|table| table.stage);
            stage.is_some_and(|stage| stage != Stage::Gathering)
        });
        if had && all && began {
            self.gave_up.set(true);
        }
    }

    fn own_seats(self) -> Vec<Seat> {
        self.seats.with_untracked(|seats| {
            let from_one = seats.iter().filter_map(|seat| seat.checked_sub(1));
            from_one.map(Seat).collect()
        })
    }

    /// A game from the beginning.
    fn lay_out(self, table: &Table) {
        let game = setup_of(table).and_then(|setup| {
            Game::online(&setup, names(table), &self.own_seats()).map_err(|e| e.to_string())
        });
        match game {
            Ok(game) => match self.desk.get_untracked() {
                Some(desk) => desk.replace(game),
                None => {
                    let desk = Desk::new(game, self.settings, false, Some(self));
                    self.desk.set(Some(desk));
                }
            },
            Err(why) => {
                self.refused.set(why);
                self.status.set(Status::Broken);
                self.close();
            }
        }
    }

    fn sit(self) {
        if let Some(desk) = self.desk.get_untracked() {
            desk.sit(&self.own_seats());
        }
    }

    fn play(self, number: u64, input: &str, hash: Option<&str>) {
        let Some(desk) = self.desk.get_untracked() else {
            return;
        };
        let seat = self.own_seats().first().copied();
        let fits = desk.told(number, input)
            && hash.is_none_or(|hash| desk.peek(|game| game.view_hash(seat)) == hash);
        if !fits {
            self.resync();
            return;
        }
        // Many inputs that come together are shown together.
        if !self.due.get_value() {
            self.due.set_value(true);
            Timeout::new(0, move || {
                if self.due.try_get_value() == Some(true) {
                    self.due.set_value(false);
                    desk.show_news();
                }
            })
            .forget();
        }
    }

    /// Asks for everything again.
    fn resync(self) {
        let n = self.resyncs.get_value() + 1;
        self.resyncs.set_value(n);
        if n > MOST_RESYNCS {
            self.status.set(Status::Broken);
            self.close();
            return;
        }
        self.seq.set_value(u64::MAX);
        self.wish(Wish::Resync {
            after: 0,
            after_said: self.n_said.get_value(),
        });
    }

    /// Whether somebody may still be awaited or the game goes on.
    pub(crate) fn stage(self) -> Option<Stage> {
        self.table
            .with(|table| table.as_ref().map(|table| table.stage))
    }

    /// The aids that players may use at the table.
    pub(crate) fn aids(self) -> Aids {
        self.table.with(|table| {
            table
                .as_ref()
                .map_or_else(Aids::default, |table| table.aids)
        })
    }

    /// Who sits on a seat, from 1.
    pub(crate) fn name_of(self, seat: u8) -> Option<String> {
        self.table.with_untracked(|table| {
            let seats = &table.as_ref()?.seats;
            seats.get(usize::from(seat).checked_sub(1)?)?.name.clone()
        })
    }

    /// The table's id.
    pub(crate) fn id(self) -> String {
        self.id.get_value()
    }
}

/// Remembers the secret of a seat, for the link that moves it to another device: as long as this tab is open. Otherwise the browser
/// has only a cookie that no script can read. The table is among the own ones from now on.
pub(crate) fn remember(table: &str, secret: &str) {
    store::keep_in_tab(&format!("{}.{table}", store::SEAT), secret);
    let before = own_tables().into_iter().filter(|id| id != table);
    let tables: Vec<String> = std::iter::once(table.to_string()).chain(before).collect();
    let last = tables.get(..MOST_TABLES).unwrap_or(&tables);
    store::keep(store::TABLES, &last.join(" "));
}

/// The table is not among the own ones any more.
pub(crate) fn forget(table: &str) {
    let left: Vec<String> = own_tables().into_iter().filter(|id| id != table).collect();
    store::keep(store::TABLES, &left.join(" "));
}

/// The secret of the seat at a table, if it was taken in this tab.
pub(crate) fn secret(table: &str) -> Option<String> {
    store::kept_in_tab(&format!("{}.{table}", store::SEAT))
}

/// The tables at which a seat was taken in this browser, the last one first.
pub(crate) fn own_tables() -> Vec<String> {
    let kept = store::kept(store::TABLES).unwrap_or_default();
    let ids = kept.split(' ').filter(|id| route::is_id(id));
    ids.map(String::from).collect()
}

/// Why a player is gone, in words.
pub(crate) fn gone_text(why: Gone) -> String {
    tr(match why {
        Gone::Left => "gone-left",
        Gone::Resigned => "gone-resigned",
        Gone::Time => "gone-time",
        Gone::Removed => "gone-removed",
    })
}

/// The setup of a table, with the tiles that players made.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn setup_of(table: &Table) -> Result<Setup, String> {
    let mut setup = parse_setup(&table.setup)?;
    for tile in &table.tiles {
        setup.tiles.push(parse_tile(tile)?);
    }
    Ok(setup)
}

fn names(table: &Table) -> Vec<String> {
    let seats = table.seats.iter().enumerate();
    seats
        .map(|(i, seat)| seat.name.clone().unwrap_or_else(|| format!("{}", i + 1)))
        .collect()
}
