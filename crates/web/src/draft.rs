//! What is being set up: seats, expansions, options, tiles that players made, aids, and what a table of the server has besides.
//!
//! Nothing here knows of the browser, so it is tested natively.

use trencavel_ai::level;
use trencavel_proto::{Absence, Aids, Clock, NewSeat, NewTable};
use trencavel_record::setup_text::setup_text;
use trencavel_record::user_tiles::{tile_text, with_tiles};
use trencavel_rules::{Edition, Ext, Rules, Setup};
use trencavel_tiles::TileFile;

use crate::game::{Game, Player, USUAL};
use crate::text::{say, tr};

/// The kind of seat for whoever comes, at a table of the server.
pub(crate) const OPEN: &str = "open";

/// How much time players have.
pub(crate) const CLOCKS: [(&str, Clock); 7] = [
    ("clock-none", Clock::None),
    ("clock-blitz", fischer(5, 10)),
    ("clock-quick", fischer(15, 20)),
    ("clock-long", fischer(40, 30)),
    ("clock-tournament", fischer(15, 0)),
    ("clock-day", Clock::Days { days: 1 }),
    ("clock-three-days", Clock::Days { days: 3 }),
];

const fn fischer(minutes: u32, increment: u32) -> Clock {
    Clock::Fischer {
        seconds: minutes * 60,
        increment,
    }
}

/// What happens to the game of somebody who is gone.
pub(crate) const ABSENCES: [(&str, Absence); 4] = [
    ("absence-computer", Absence::Computer),
    ("absence-wait", Absence::Wait),
    ("absence-pass", Absence::Pass),
    ("absence-end", Absence::End),
];

const FOUR: &[&str] = &["phantom", "festival", "russian-promos", "hungarian-promo"];
const LARGE: &[&str] = &[
    "inns-and-cathedrals",
    "traders-and-builders",
    "princess-and-dragon",
    "tower",
    "abbey-and-mayor",
];

/// Sets that are played together often, by the id of their name; the tournament also has its own clock and no aids.
pub(crate) fn presets() -> Vec<(&'static str, Vec<&'static str>)> {
    let all = Ext::ALL.iter().skip(1).map(|ext| ext.expansion().slug);
    vec![
        ("preset-base", Vec::new()),
        (TOURNAMENT, Vec::new()),
        ("preset-four", FOUR.to_vec()),
        ("preset-large", LARGE.to_vec()),
        ("preset-mega", all.collect()),
    ]
}

/// The preset for tournaments (TV-01 to TV-07): the base game for two with 15 minutes each and without aids.
pub(crate) const TOURNAMENT: &str = "preset-tournament";

/// Tiles that a player made, from a file.
#[derive(Clone, PartialEq)]
pub(crate) struct Added {
    /// What the file is called.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) file: TileFile,
    /// How often every set of the file is in the game.
    pub(crate) copies: u8,
}

/// What is being set up.
#[derive(Clone, PartialEq)]
pub(crate) struct Draft {
    pub(crate) edition: Edition,
    pub(crate) chosen: Vec<&'static str>,
    pub(crate) options: Vec<(&'static str, String)>,
    /// Tiles of players.
    pub(crate) added: Vec<Added>,
    /// Name and level; no level for a person, and [`OPEN`] for whoever comes.
    pub(crate) seats: Vec<(String, &'static str)>,
    pub(crate) table: String,
    pub(crate) private: bool,
    pub(crate) clock: usize,
    pub(crate) absence: usize,
    pub(crate) aids: Aids,
}

impl Draft {
    /// The base game for two: at this screen against a computer player, online with whoever comes.
    pub(crate) fn new(online: bool, own_name: String) -> Draft {
        Draft {
            edition: Edition::C2,
            chosen: Vec::new(),
            options: Vec::new(),
            added: Vec::new(),
            seats: vec![
                (own_name, ""),
                (String::new(), if online { OPEN } else { USUAL }),
            ],
            table: String::new(),
            private: true,
            clock: 0,
            absence: 0,
            aids: Aids::default(),
        }
    }

    /// Takes the expansions of a preset; a tournament also brings its clock, and takes the aids away.
    pub(crate) fn take(&mut self, preset: &str, slugs: &[&'static str]) {
        self.chosen = slugs.to_vec();
        self.options.clear();
        if preset == TOURNAMENT {
            self.added.clear();
            self.seats.truncate(2);
            let clocks = CLOCKS.iter();
            self.clock = clocks
                .enumerate()
                .find(|(_, (id, _))| *id == "clock-tournament")
                .map_or(0, |(i, _)| i);
            self.absence = ABSENCES
                .iter()
                .position(|(_, absence)| *absence == Absence::End)
                .unwrap_or(0);
            self.aids = Aids::NONE;
        }
    }

    /// Whether it is what a preset makes.
    pub(crate) fn is(&self, preset: &str, slugs: &[&'static str]) -> bool {
        let same = self.chosen.len() == slugs.len()
            && slugs.iter().all(|slug| self.chosen.contains(slug))
            && self.options.is_empty();
        let strict = self.aids == Aids::NONE && self.seats.len() == 2 && self.added.is_empty();
        match preset {
            TOURNAMENT => same && strict,
            "preset-base" => same && self.aids != Aids::NONE,
            _ => same,
        }
    }

    /// The setup.
    ///
    /// # Errors
    /// What is wrong with the tiles of players.
    pub(crate) fn setup(&self) -> Result<Setup, String> {
        let mut setup = Setup::new(self.edition, self.seats.len() as u8);
        for slug in &self.chosen {
            setup = setup.with(slug);
        }
        for (key, value) in &self.options {
            setup = setup.option(key, value);
        }
        for added in &self.added {
            setup = with_tiles(setup, &added.file, added.copies)
                .map_err(|why| format!("{}: {why}", added.name))?;
        }
        Ok(setup)
    }

    /// How many tiles the game has.
    pub(crate) fn n_tiles(&self) -> Option<usize> {
        let rules = Rules::new(&self.setup().ok()?).ok()?;
        let state = rules.start();
        Some(usize::from(state.bag().len()) + state.board().tiles().len())
    }

    fn players(&self) -> Vec<(String, Player)> {
        let seats = self.seats.iter().enumerate();
        seats
            .map(|(i, (name, of))| {
                let name = match name.trim() {
                    "" => self.default_name(i, of),
                    name => name.to_string(),
                };
                (name, level(of).map_or(Player::Person, Player::Computer))
            })
            .collect()
    }

    /// The name of a seat whose player has not said one: who plays alone is not called by a number.
    pub(crate) fn default_name(&self, seat: usize, of: &str) -> String {
        let alike = |(_, other): &&(String, &str)| other.is_empty() == of.is_empty();
        let one = self.seats.iter().filter(alike).count() == 1;
        match (one, of.is_empty()) {
            (true, true) => tr("you"),
            (true, false) if of != OPEN => tr("title"),
            _ => default_name(seat, of),
        }
    }

    /// The game at this screen.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub(crate) fn game(&self, seed: u64) -> Result<Game, String> {
        let setup = self.setup()?;
        let mut game =
            Game::new(&setup, self.players(), seed).map_err(|error| error.to_string())?;
        game.allow(self.aids);
        Ok(game)
    }

    /// The table to ask the server for.
    ///
    /// # Errors
    /// What is wrong with the tiles of players.
    pub(crate) fn new_table(&self) -> Result<NewTable, String> {
        let setup = self.setup()?;
        let seats = self.seats.iter().enumerate();
        let seats = seats.map(|(i, (name, of))| match *of {
            OPEN => NewSeat::Open,
            "" => NewSeat::Me {
                name: match name.trim() {
                    "" => default_name(i, ""),
                    name => name.to_string(),
                },
            },
            level => NewSeat::Computer {
                level: level.to_string(),
            },
        });
        Ok(NewTable {
            name: self.table.trim().to_string(),
            setup: setup_text(&setup),
            tiles: setup.tiles.iter().map(tile_text).collect(),
            seats: seats.collect(),
            private: self.private,
            spectators: true,
            clock: CLOCKS
                .get(self.clock)
                .map_or(Clock::None, |(_, clock)| *clock),
            absence: ABSENCES
                .get(self.absence)
                .map_or(Absence::Computer, |(_, absence)| *absence),
            aids: self.aids,
        })
    }
}

/// The name of a seat whose player has not said one.
pub(crate) fn default_name(seat: usize, level: &str) -> String {
    if level.is_empty() || level == OPEN {
        say("player-n", &[("n", (seat + 1).into())])
    } else {
        format!("{} {}", tr("title"), seat + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_record::setup_text::parse_setup;
    use trencavel_record::user_tiles::parse_tile;

    const VILLAGE: &[u8] = b"slug = \"my-village\"\nprefix = \"MV\"\n[[set]]\nid = \"my-village\"\n\
        [set.tiles]\n\"MV/RCr\" = 3\n[[tile]]\nid = \"MV/RCr\"\n\
        segments = [\"road E W\", \"city N | pennant\", \"field EL WR | touches N\", \"field ER SL SR WL\"]\n";

    #[test]
    fn presets_can_be_played() {
        for (id, slugs) in presets() {
            let mut draft = Draft::new(false, String::new());
            draft.take(id, &slugs);
            assert!(draft.is(id, &slugs), "{id}");
            let others = presets();
            let others = others.iter().filter(|(other, _)| *other != id);
            for (other, slugs) in others {
                assert!(!draft.is(other, slugs), "{id} is not {other}");
            }
            assert!(draft.game(1).is_ok(), "{id}");
        }
    }

    #[test]
    fn a_tournament_has_a_clock_and_no_aids_and_its_file_says_so() {
        let mut draft = Draft::new(true, "Ann".to_string());
        draft.seats.push((String::new(), OPEN));
        draft.take(TOURNAMENT, &[]);
        let table = draft.new_table().unwrap();
        assert_eq!(table.clock, fischer(15, 0));
        assert_eq!((table.aids, table.seats.len()), (Aids::NONE, 2));
        let game = draft.game(1).unwrap();
        assert!(
            game.text().contains("\nnote aids none\n"),
            "{}",
            game.text()
        );
        assert_eq!(
            Game::read(game.text().as_bytes(), 1).unwrap().aids(),
            Aids::NONE
        );
    }

    #[test]
    fn tiles_of_players_are_in_the_game_here_and_at_a_table() {
        let mut draft = Draft::new(false, String::new());
        let without = draft.n_tiles().unwrap();
        draft.added.push(Added {
            name: "my-village.toml".to_string(),
            file: TileFile::read("my-village.toml", VILLAGE).unwrap(),
            copies: 2,
        });
        assert_eq!(draft.n_tiles(), Some(without + 6));
        let game = draft.game(1).unwrap();
        assert!(game.rules().kind_of("MV/RCr").is_some());
        // The server makes the same rules of what it is sent.
        let table = draft.new_table().unwrap();
        let mut setup = parse_setup(&table.setup).unwrap();
        setup.tiles = table.tiles.iter().map(|t| parse_tile(t).unwrap()).collect();
        assert_eq!(setup, draft.setup().unwrap());
    }

    #[test]
    fn tiles_that_cannot_be_played_with_are_named() {
        let mut draft = Draft::new(false, String::new());
        let mut file = TileFile::read("v.toml", VILLAGE).unwrap();
        file.sets[0].tiles.push(("ZZ/Z".to_string(), 1));
        draft.added.push(Added {
            name: "v.toml".to_string(),
            file,
            copies: 1,
        });
        let why = draft.game(1).err().unwrap();
        assert!(why.starts_with("v.toml: ") && why.contains("ZZ/Z"), "{why}");
        assert!(draft.new_table().is_err());
    }
}
