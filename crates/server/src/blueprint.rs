//! New tables: what is wanted is checked before anything is stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use trencavel_ai::level;
use trencavel_proto::{Clock, Made, NewSeat, NewTable, Refusal, Seated, Stage};
use trencavel_record::dealer::{hex, parse_seed, seed_hash};
use trencavel_record::setup_text::{parse_setup, setup_text};
use trencavel_record::user_tiles::parse_tile;
use trencavel_rules::{Rules, Setup};

use crate::limits::Limits;
use crate::log::{Described, Head, HeadSeat, Now, STAND_IN, stage_word};
use crate::secret::{self, NoRandomness};
use crate::store::{NotStored, Row, StoredTable, now};
use crate::who::Who;

/// A refusal with a word and a sentence.
pub(crate) fn refuse(code: &str, why: impl Into<String>) -> Refusal {
    Refusal {
        code: code.to_string(),
        why: why.into(),
    }
}

impl From<NotStored> for Refusal {
    fn from(error: NotStored) -> Refusal {
        match error {
            NotStored::Taken => refuse(
                "moved-on",
                "the table has gone on meanwhile; look at what happened and try again",
            ),
            NotStored::Broken => refuse(
                "storage",
                "nothing can be stored at the moment; try again soon",
            ),
        }
    }
}

impl From<NoRandomness> for Refusal {
    fn from(_: NoRandomness) -> Refusal {
        refuse(
            "randomness",
            "the system gives no random numbers; nothing was changed",
        )
    }
}

/// A name without needless spaces, if it is not too long and can be shown.
pub(crate) fn clean_name(name: &str, most: u64, what: &str) -> Result<String, Refusal> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().count() as u64 > most {
        return Err(refuse(
            "too-long",
            format!("{what} has more than {most} characters"),
        ));
    }
    // Characters that change the direction of writing or are not seen make one name look like another.
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    if name.chars().any(hidden) {
        return Err(refuse(
            "bad-name",
            format!("{what} has characters that cannot be shown"),
        ));
    }
    Ok(name)
}

/// The name of a player, who needs one.
pub(crate) fn player_name(name: &str, most: u64) -> Result<String, Refusal> {
    let name = clean_name(name, most, "the name")?;
    if name.is_empty() {
        return Err(refuse("bad-name", "a player needs a name"));
    }
    Ok(name)
}

/// The setups in use; tables with the same setup share its rules.
#[derive(Clone, Default)]
pub(crate) struct Setups(Arc<Mutex<HashMap<String, Weak<Rules>>>>);

/// The setup that a table describes.
fn read_setup(text: &str, tiles: &[String]) -> Result<Setup, String> {
    let mut setup = parse_setup(text)?;
    for tile in tiles {
        setup.tiles.push(parse_tile(tile)?);
    }
    Ok(setup)
}

impl Setups {
    /// The rules of a setup.
    pub(crate) fn rules(&self, text: &str, tiles: &[String]) -> Result<Arc<Rules>, String> {
        let key = format!("{text}\n{}", tiles.join("\n"));
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(&key).and_then(Weak::upgrade) {
            return Ok(rules);
        }
        let setup = read_setup(text, tiles)?;
        let rules = Arc::new(Rules::new(&setup).map_err(|faults| faults.to_string())?);
        known.retain(|_, rules| rules.strong_count() > 0);
        known.insert(key, Arc::downgrade(&rules));
        Ok(rules)
    }
}

/// A new table: checked, not yet stored.
pub(crate) struct Blueprint {
    pub(crate) id: String,
    pub(crate) head: Head,
    pub(crate) rules: Arc<Rules>,
}

impl Blueprint {
    /// Checks what is wanted, and makes the secrets.
    pub(crate) fn new(
        wanted: &NewTable,
        who: &Who,
        limits: &Limits,
        setups: &Setups,
    ) -> Result<(Blueprint, Made), Refusal> {
        let rules = setups
            .rules(&wanted.setup, &wanted.tiles)
            .map_err(|why| refuse("setup", why))?;
        let n = rules.setup().seats;
        if usize::from(n) != wanted.seats.len() {
            let described = wanted.seats.len();
            return Err(refuse(
                "seats",
                format!("the setup has {n} seats, but {described} are described"),
            ));
        }
        check_clock(wanted.clock)?;
        let mut seated: Option<Seated> = None;
        let mut invites = Vec::new();
        let mut seats = Vec::new();
        for (number, seat) in (1u8..).zip(&wanted.seats) {
            let mut about = HeadSeat::default();
            match seat {
                NewSeat::Open => {}
                NewSeat::Link => {
                    let secret = secret::new_secret()?;
                    about.invite = Some(secret::hash(&secret));
                    invites.push(Seated {
                        seat: number,
                        secret,
                    });
                }
                NewSeat::Me { name } => {
                    about.name = Some(player_name(name, limits.name_chars)?);
                    // Several seats of the maker (hot seat) have one secret.
                    let seated = match &seated {
                        Some(seated) => seated,
                        None => seated.insert(Seated {
                            seat: number,
                            secret: secret::new_secret()?,
                        }),
                    };
                    about.secret = Some(secret::hash(&seated.secret));
                    about.account = who.account.as_ref().map(|account| account.id.clone());
                }
                NewSeat::Computer { level: name } => {
                    if level(name).is_none() {
                        return Err(refuse(
                            "level",
                            format!("there is no computer player \"{name}\""),
                        ));
                    }
                    about = HeadSeat::computer(name.clone(), number);
                }
            }
            seats.push(about);
        }
        let host = secret::new_secret()?;
        let id = secret::new_id()?;
        let head = Head {
            name: clean_name(&wanted.name, limits.table_name_chars, "the table's name")?,
            setup: wanted.setup.clone(),
            tiles: wanted.tiles.clone(),
            seats,
            private: wanted.private,
            spectators: wanted.spectators,
            clock: wanted.clock,
            absence: wanted.absence,
            aids: wanted.aids,
            host: secret::hash(&host),
            dealer_seed: hex(&secret::random::<32>()?),
        };
        let made = Made {
            table: id.clone(),
            host,
            seat: seated,
            invites,
        };
        Ok((Blueprint { id, head, rules }, made))
    }

    /// The same table again, where the next seat begins. Who left is not there: a computer player has the seat.
    pub(crate) fn again(
        head: &Head,
        now: &Now,
        rules: &Arc<Rules>,
        setups: &Setups,
    ) -> Result<Blueprint, Refusal> {
        let mut setup = rules.setup().clone();
        setup.first = (setup.first + 1) % setup.seats.max(1);
        let text = setup_text(&setup);
        let rules = setups
            .rules(&text, &head.tiles)
            .map_err(|why| refuse("setup", why))?;
        let seats = (1u8..).zip(&now.seats).map(|(number, seat)| {
            let away = seat.is_away().then(|| STAND_IN.to_string());
            match seat.computer.clone().or(away) {
                Some(level) => HeadSeat::computer(level, number),
                None => HeadSeat {
                    name: seat.name.clone(),
                    secret: seat.secret.clone(),
                    account: seat.account.clone(),
                    ..HeadSeat::default()
                },
            }
        });
        let head = Head {
            name: now.name.clone(),
            setup: text,
            seats: seats.collect(),
            dealer_seed: hex(&secret::random::<32>()?),
            ..head.clone()
        };
        Ok(Blueprint {
            id: secret::new_id()?,
            head,
            rules,
        })
    }

    /// What is stored of it.
    pub(crate) fn stored(&self, maker: &str) -> StoredTable {
        let made = now();
        let state = self.rules.start();
        let seed = parse_seed(&self.head.dealer_seed).unwrap_or_default();
        let game = Described {
            waiting: state.waiting(),
            number: 0,
            here: &[],
            dealer_hash: &seed_hash(&seed),
        };
        let table =
            Now::new(&self.head, made).describe(&self.head, &self.id, made, game, made * 1000);
        StoredTable {
            id: self.id.clone(),
            made,
            maker: maker.to_string(),
            private: self.head.private,
            head: serde_json::to_string(&self.head).unwrap_or_default(),
            row: Row {
                stage: stage_word(Stage::Gathering),
                due: None,
                summary: serde_json::to_string(&table).ok(),
                ended: false,
            },
        }
    }
}

fn check_clock(clock: Clock) -> Result<(), Refusal> {
    match clock {
        Clock::None => Ok(()),
        Clock::Fischer { seconds, increment } => {
            if (1..=86_400).contains(&seconds) && increment <= 3600 {
                return Ok(());
            }
            Err(refuse(
                "clock",
                "a clock has 1 to 86400 seconds, and an increment of at most 3600",
            ))
        }
        Clock::Days { days } => {
            if (1..=60).contains(&days) {
                return Ok(());
            }
            Err(refuse("clock", "a correspondence clock has 1 to 60 days"))
        }
    }
}
