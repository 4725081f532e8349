//! What the parts of the table share: the game, what is being chosen, what is seen; and everything that can be done.
//!
//! Long: everything that can be done at the table shares its state.

mod why;

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use trencavel_art::geometry::{Point, pt};
use trencavel_proto::Aids;
use trencavel_rules::{Choice, Clause, Event, Kind, Pos, Rotation, Seat, Target, Verb, Waiting};

use crate::board::{Drawings, View, centre, spun};
use crate::computer;
use crate::game::Game;
use crate::link::Link;
use crate::settings::{Confirming, Settings};
use crate::sound::{self, Sound};
use crate::store;
use crate::words;

/// A window with a side smaller than this, in pixels, is a small one.
const SMALL: f32 = 480.0;

/// A tile smaller than this, in pixels, is too small to press one of its parts.
const PRESSABLE: f32 = 100.0;

/// How large a tile is shown while a part of it is chosen, in pixels.
const CLOSE: f32 = 170.0;

/// A tile is shown no smaller than this unless the whole board is asked for, in pixels: in a small window and in others.
const SMALLEST: [f32; 2] = [58.0, 32.0];

/// How high the row of buttons on the board is, in pixels.
const BUTTONS: f32 = 54.0;

/// What can be chosen with one kind of figure, or without one.
pub(crate) type Group = (Verb, Option<Kind>);

/// What a choice is worth.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Weighed {
    /// The choice.
    pub(crate) choice: Choice,
    /// The expected lead over the best other seat, in points.
    pub(crate) lead: f32,
    /// The chance of winning, 0 to 1.
    pub(crate) win: f32,
}

struct Shared {
    game: RefCell<Game>,
    drawings: RefCell<Drawings>,
}

/// The table's state.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
    shared: StoredValue<Rc<Shared>, LocalStorage>,
    /// Everything that shows the position reads this number.
    version: RwSignal<u32>,
    /// What can be chosen.
    pub(crate) legal: Memo<Vec<Choice>>,
    /// Rotations chosen for the tile, counted from the first that fits.
    pub(crate) turned: RwSignal<usize>,
    /// The square under the pointer.
    pub(crate) over: RwSignal<Option<Pos>>,
    /// The square on which the tile lies for a look.
    pub(crate) staged: RwSignal<Option<Pos>>,
    /// The figure in the hand.
    pub(crate) group: RwSignal<Option<Group>>,
    /// The place that the keyboard has chosen, among those lit.
    pub(crate) cursor: RwSignal<Option<usize>>,
    /// The choice whose circle is under the pointer.
    pub(crate) hovered: RwSignal<Option<Choice>>,
    /// A square that the log speaks of, while the pointer is on its line.
    pub(crate) pointed: RwSignal<Option<Pos>>,
    /// Why something is not possible, or another word to the player.
    pub(crate) reason: RwSignal<(String, Vec<Clause>)>,
    /// What is told to those who do not see the board.
    pub(crate) told: RwSignal<String>,
    /// The clause that is being read.
    pub(crate) reading: RwSignal<Option<String>>,
    /// What is seen.
    pub(crate) view: RwSignal<View>,
    /// The width of the window over its height.
    pub(crate) aspect: RwSignal<f32>,
    /// The smaller side of the window in pixels.
    pub(crate) pixels: RwSignal<f32>,
    /// How many pixels of the window's lower part the hand covers.
    pub(crate) covered: RwSignal<f32>,
    /// Whether the view was brought near for a choice on one tile.
    near: RwSignal<bool>,
    /// The settings of the page.
    pub(crate) settings: RwSignal<Settings>,
    /// The score that is explained beside the board.
    pub(crate) explained: RwSignal<Option<crate::told::Said>>,
    /// What a computer player thinks of the choices in the seen position, best first.
    pub(crate) weighed: RwSignal<Vec<Weighed>>,
    /// Who is to take the screen, where others at it may not see the same.
    pub(crate) curtain: RwSignal<Option<Seat>>,
    /// Who looked at the screen last.
    at_screen: StoredValue<Option<Seat>>,
    /// Whether the game is kept in the browser: one from a link is only looked at.
    keeps: bool,
    /// The server's table, of a game that is played there.
    pub(crate) link: Option<Link>,
}

impl Desk {
    /// A table with a game on it.
    pub(crate) fn new(
        game: Game,
        settings: RwSignal<Settings>,
        keeps: bool,
        link: Option<Link>,
    ) -> Desk {
        let shared = StoredValue::new_local(Rc::new(Shared {
            game: RefCell::new(game),
            drawings: RefCell::default(),
        }));
        let version = RwSignal::new(0u32);
        let legal = Memo::new(move |_| {
            version.track();
            shared.with_value(|shared| {
                let game = shared.game.borrow();
                if game.is_looked_at() {
                    game.legal_here()
                } else {
                    game.legal()
                }
            })
        });
        Desk {
            shared,
            version,
            legal,
            turned: RwSignal::new(0),
            over: RwSignal::new(None),
            staged: RwSignal::new(None),
            group: RwSignal::new(None),
            cursor: RwSignal::new(None),
            hovered: RwSignal::new(None),
            pointed: RwSignal::new(None),
            reason: RwSignal::default(),
            told: RwSignal::default(),
            reading: RwSignal::new(None),
            view: RwSignal::new(View {
                middle: pt(50.0, 50.0),
                across: 700.0,
                turned: 0,
            }),
            aspect: RwSignal::new(1.5),
            pixels: RwSignal::new(600.0),
            covered: RwSignal::new(0.0),
            near: RwSignal::new(false),
            settings,
            explained: RwSignal::new(None),
            weighed: RwSignal::new(Vec::new()),
            curtain: RwSignal::new(None),
            at_screen: StoredValue::new(None),
            keeps,
            link,
        }
    }

    /// The aids that players may use.
    pub(crate) fn aids(&self) -> Aids {
        match self.link {
            Some(link) => link.aids(),
            None => self.peek(Game::aids),
        }
    }

    /// A number that changes with everything that is shown.
    pub(crate) fn version(&self) -> u32 {
        self.version.get()
    }

    /// Reads the game, again after each change of it.
    pub(crate) fn read<R>(&self, f: impl FnOnce(&Game) -> R) -> R {
        self.version.track();
        self.peek(f)
    }

    /// Reads the game once.
    pub(crate) fn peek<R>(&self, f: impl FnOnce(&Game) -> R) -> R {
        self.shared.with_value(|shared| f(&shared.game.borrow()))
    }

    /// Reads game and drawings, again after each change.
    pub(crate) fn draw<R>(&self, f: impl FnOnce(&Game, &Drawings) -> R) -> R {
        self.version.track();
        self.shared
            .with_value(|shared| f(&shared.game.borrow(), &shared.drawings.borrow()))
    }

    fn change<R>(&self, f: impl FnOnce(&mut Game) -> R) -> R {
        self.shared
            .with_value(|shared| f(&mut shared.game.borrow_mut()))
    }

    /// Whether the table is still there.
    pub(crate) fn is_there(&self) -> bool {
        self.version.try_get_untracked().is_some()
    }

    /// The first position: nature draws.
    pub(crate) fn begin(&self) {
        self.change(Game::settle);
        self.refresh();
    }

    /// Draws the curtain when somebody else comes to the screen who may not see the same.
    fn draw_curtain(&self) {
        let before = self.at_screen.get_value();
        let next = self.peek(Game::hand);
        let Some(next) = next.filter(|next| Some(*next) != before) else {
            return;
        };
        let (person, hidden) = self.peek(|game| {
            let mut seats = game.state().seat_list();
            let hidden = seats.any(|other| game.differs_for(other, next));
            (game.is_person(next), hidden)
        });
        if hidden {
            self.curtain.set(Some(next));
        } else if person {
            self.at_screen.set_value(Some(next));
        }
    }

    /// Whoever is asked has taken the screen.
    pub(crate) fn open_curtain(&self) {
        self.at_screen.set_value(self.curtain.get_untracked());
        self.curtain.set(None);
    }

    /// Shows what has changed.
    fn refresh(&self) {
        self.turned.set(0);
        self.pointed.set(None);
        self.hovered.set(None);
        self.staged.set(None);
        self.group.set(None);
        self.cursor.set(None);
        self.reason.set(Default::default());
        self.weighed.set(Vec::new());
        self.explained.set(None);
        self.draw_curtain();
        let turned = self.view.with_untracked(|view| view.turned);
        self.shared.with_value(|shared| {
            let game = shared.game.borrow();
            shared
                .drawings
                .borrow_mut()
                .catch_up(game.rules(), game.seen(), turned);
        });
        self.version.update(|n| *n += 1);
        self.come_near();
        self.told.set(self.peek(words::what_now));
    }

    /// Fits the board into the window; where it is too large for that, the part of it where something is to be done.
    pub(crate) fn fit(&self) {
        self.view.set(self.home());
    }

    /// The window has another size.
    pub(crate) fn look_again(&self) {
        self.fit();
        self.come_near();
    }

    /// The hand covers more or less of the board than it did.
    pub(crate) fn uncover(&self) {
        if self.settings.get_untracked().auto_fit {
            self.look_again();
        }
    }

    /// Shows the whole board; where that is shown already, what [`Desk::fit`] shows.
    pub(crate) fn fit_all(&self) {
        let all = self.whole();
        let is_shown = self.view.with_untracked(|view| *view == all);
        self.view.set(if is_shown { self.home() } else { all });
    }

    fn whole(&self) -> View {
        let aspect = self.aspect.get_untracked();
        let turned = self.view.with_untracked(|view| view.turned);
        self.peek(|game| View::fitting(game.seen(), aspect, turned, self.below()))
    }

    fn home(&self) -> View {
        let (pixels, aspect) = (self.pixels.get_untracked(), self.aspect.get_untracked());
        let turned = self.view.with_untracked(|view| view.turned);
        let [small, other] = SMALLEST;
        let smallest = if pixels <= SMALL { small } else { other };
        // At its end the whole game is looked at.
        if self.peek(|game| game.state().waiting() == Waiting::Over && game.looks_at().is_none()) {
            return self.whole();
        }
        let mut matters: Vec<Point> = untrack(|| self.squares()).into_iter().map(centre).collect();
        matters.extend(self.scored());
        self.peek(|game| {
            let tiles = game.seen().board().tiles();
            matters.extend(tiles.last().map(|placed| centre(placed.pos)));
            let farthest = 100.0 * pixels / smallest;
            View::home(
                game.seen(),
                aspect,
                turned,
                self.below(),
                farthest,
                &matters,
            )
        })
    }

    /// Where points were just given.
    fn scored(&self) -> Vec<Point> {
        self.shared.with_value(|shared| {
            let (game, drawings) = (shared.game.borrow(), shared.drawings.borrow());
            if game.looks_at().is_some() {
                return Vec::new();
            }
            let news = game.log.iter().skip(game.news).map(|entry| &entry.event);
            let places = news.chain(&game.begun).filter_map(|event| match event {
                Event::Awarded { feature, .. } => Some(drawings.stand(game.seen(), (*feature)?)),
                _ => None,
            });
            places.collect()
        })
    }

    /// How many lit squares are beyond each side of the window: above, to the right, below, to the left; and the nearest of them.
    pub(crate) fn beyond(&self) -> [(usize, Option<Pos>); 4] {
        let (view, aspect) = (self.view.get(), self.aspect.get());
        let (nw, w, h) = view.window(aspect);
        let mut out = [(0, None); 4];
        let mut nearest = [f32::INFINITY; 4];
        for pos in self.squares() {
            let p = spun(centre(pos), view.turned);
            let past = [nw.y - p.y, p.x - nw.x - w, p.y - nw.y - h, nw.x - p.x];
            let side = (0..4).max_by(|i, j| past[*i].total_cmp(&past[*j]));
            let Some(side) = side.filter(|side| past[*side] > -20.0) else {
                continue;
            };
            out[side].0 += 1;
            let away = (p.x - nw.x - w / 2.0).hypot(p.y - nw.y - h / 2.0);
            if away < nearest[side] {
                nearest[side] = away;
                out[side].1 = Some(pos);
            }
        }
        out
    }

    /// The share of the window's height that the hand covers, and the buttons where the window is so small that it matters.
    fn below(&self) -> f32 {
        let (pixels, aspect) = (self.pixels.get_untracked(), self.aspect.get_untracked());
        let height = if aspect >= 1.0 {
            pixels
        } else {
            pixels / aspect
        };
        let covered = self.covered.get_untracked();
        let buttons = if pixels > SMALL { 0.0 } else { BUTTONS };
        ((buttons + covered) / height.max(1.0)).min(0.5)
    }

    /// Turns the whole board by a quarter.
    pub(crate) fn turn_board(&self) {
        self.view.update(|view| view.turned = (view.turned + 1) & 3);
        self.refresh();
        self.fit();
    }

    /// Brings the view near where a part of the laid tile is to be chosen and the tile is too small to press it, and
    /// back afterwards.
    fn come_near(&self) {
        if !self.settings.get_untracked().auto_fit || self.peek(Game::is_looked_at) {
            return;
        }
        let laid = self.peek(|game| {
            let slot = game.seen().laid().filter(|_| game.asks_person())?;
            Some(centre(game.seen().board().tile(slot).pos))
        });
        let targets = untrack(|| self.targets());
        let across = self.view.with_untracked(|view| view.across);
        let pixels = self.pixels.get_untracked();
        let is_near = self.near.get_untracked();
        let tile = 100.0 * pixels / across.max(1.0);
        let on_tile =
            |p: Point, at: Point| (p.x - at.x).abs() <= 52.0 && (p.y - at.y).abs() <= 52.0;
        let wanted = laid.filter(|at| {
            let all = targets
                .iter()
                .filter_map(|(_, p)| *p)
                .all(|p| on_tile(p, *at));
            targets.len() > 1 && all && (is_near || tile < PRESSABLE)
        });
        match wanted {
            Some(at) => {
                self.near.set(true);
                let (aspect, below) = (self.aspect.get_untracked(), self.below());
                self.view.update(|view| {
                    view.across = 100.0 * pixels / CLOSE;
                    let (_, _, height) = view.window(aspect);
                    // In the middle of what is not covered.
                    let down = spun(pt(0.0, height * below / 2.0), (4 - view.turned) & 3);
                    view.middle = pt(at.x + down.x, at.y + down.y);
                });
            }
            None if is_near => {
                self.near.set(false);
                self.fit();
            }
            None => {}
        }
    }

    fn fit_if_wanted(&self) {
        if self.settings.get_untracked().auto_fit {
            self.fit();
        }
    }

    /// Keeps the game in the browser.
    fn keep(&self) {
        if self.keeps {
            self.peek(|game| store::keep(store::GAME, &game.text()));
        }
    }

    /// Lets a computer player think, if one is asked.
    pub(crate) fn let_computers_play(&self) {
        let desk = *self;
        let asked = self.peek(|game| {
            let level = game.computer()?;
            Some((game.text(), level, game.state().hash()))
        });
        let Some((text, level, hash)) = asked else {
            return;
        };
        let pause = self.settings.with_untracked(|s| s.pace.pause_ms());
        computer::ask(text, level, pause, move |answer| {
            // In the meantime the page may have been left, or the move before it taken back.
            if !desk.is_there() || desk.peek(|game| game.state().hash()) != hash {
                return;
            }
            desk.change(|game| game.computer_chose(&answer));
            desk.sound();
            desk.keep();
            desk.refresh();
            desk.fit_if_wanted();
            desk.let_computers_play();
        });
    }

    /// What just happened, to be heard.
    fn sound(&self) {
        if self.settings.with_untracked(|s| s.sound) {
            let scored = self.peek(|game| {
                let news = game.log.iter().skip(game.news).map(|entry| &entry.event);
                let begun = game.begun.iter();
                news.chain(begun)
                    .any(|event| matches!(event, Event::Awarded { .. }))
            });
            sound::play(if scored { Sound::Points } else { Sound::Wood });
        }
    }

    // ---- a server's game -----------------------------------------------------------------------------------------

    /// An input that the server told; false if it does not fit. It is shown by [`Desk::show_news`].
    pub(crate) fn told(&self, number: u64, input: &str) -> bool {
        self.change(|game| game.told(number, input)).is_ok()
    }

    /// Shows what was told.
    pub(crate) fn show_news(&self) {
        if self.is_there() {
            self.sound();
            self.refresh();
            self.fit_if_wanted();
        }
    }

    /// The inputs after a number were taken back.
    pub(crate) fn taken_back(&self, number: usize) {
        self.change(|game| game.taken_back_to(number));
        self.refresh();
    }

    /// Another game is on the table, or the same from its beginning.
    pub(crate) fn replace(&self, game: Game) {
        self.change(|old| *old = game);
        self.refresh();
    }

    /// The names of the players, where they have changed.
    pub(crate) fn set_names(&self, names: Vec<String>) {
        let changed = self.change(|game| {
            let changed = game.record.names != names;
            game.record.names = names;
            changed
        });
        if changed {
            self.refresh();
        }
    }

    /// The seats of the person at the screen.
    pub(crate) fn sit(&self, own: &[Seat]) {
        self.change(|game| {
            game.sit(own);
            game.unsend();
        });
        self.refresh();
    }

    /// The game was ended without a result.
    pub(crate) fn close(&self) {
        if !self.peek(Game::is_closed) {
            self.change(Game::close);
            self.refresh();
        }
    }

    /// What was sent did not leave the page.
    pub(crate) fn unsend(&self) {
        self.change(Game::unsend);
        self.refresh();
    }

    /// The server has refused something; if it was a choice, it is gone.
    pub(crate) fn refused(&self) {
        if self.peek(Game::is_sent) {
            self.change(Game::drop_pending);
            self.refresh();
        }
    }

    // ---- choosing ------------------------------------------------------------------------------------------------

    /// Begins a choice.
    pub(crate) fn choose(&self, choice: Choice) {
        if self.peek(Game::is_looked_at) {
            return;
        }
        self.change(|game| game.choose(choice));
        self.sound();
        let (ready, farming) = self.peek(|game| (game.is_ready(), game.is_farming()));
        let at_once = match self.settings.get_untracked().confirming {
            Confirming::Always => false,
            Confirming::Farming => !farming,
            Confirming::Never => true,
        };
        self.refresh();
        if ready && at_once {
            self.confirm();
        }
    }

    /// Confirms a finished move.
    pub(crate) fn confirm(&self) {
        if let Some(link) = self.link {
            if self.peek(Game::is_ready) {
                let choices = self.change(Game::send);
                self.refresh();
                link.choose(choices);
            }
            return;
        }
        let ready = self.change(|game| {
            let ready = game.is_ready();
            if ready {
                game.confirm();
            }
            ready
        });
        if ready {
            self.keep();
            self.refresh();
            self.fit_if_wanted();
            self.let_computers_play();
        }
    }

    /// Passes, and confirms where that ends the move.
    pub(crate) fn pass(&self) {
        if self.peek(Game::may_pass) {
            self.choose(Choice::PASS);
        }
        self.confirm();
    }

    /// Takes the tile from the square where it lies for a look, or the last choice back.
    pub(crate) fn take_back(&self) {
        if self.reading.get_untracked().is_some() {
            self.reading.set(None);
        } else if self.peek(|game| game.looks_at().is_some()) {
            self.look(None);
        } else if self.staged.get_untracked().is_some() || self.cursor.get_untracked().is_some() {
            self.staged.set(None);
            self.cursor.set(None);
        } else if self.change(Game::take_back) {
            self.refresh();
        }
    }

    /// Takes the last confirmed move of a person at this screen back.
    pub(crate) fn undo(&self) {
        if self.change(Game::undo) {
            self.keep();
            self.refresh();
        }
    }

    /// Looks at the position after so many inputs.
    pub(crate) fn look(&self, number: Option<usize>) {
        self.change(|game| game.look(number));
        self.refresh();
        self.fit_if_wanted();
    }

    /// Whether somebody who can play sits at this screen: not those who watch or look at a file.
    pub(crate) fn plays(&self) -> bool {
        self.link
            .is_none_or(|link| link.seats.with(|seats| !seats.is_empty()))
    }

    // ---- squares -------------------------------------------------------------------------------------------------

    /// The lit squares, each once.
    pub(crate) fn squares(&self) -> Vec<Pos> {
        let mut squares: Vec<Pos> = Vec::new();
        self.legal.with(|legal| {
            for choice in legal {
                if let Target::Square(pos, _) = choice.target
                    && !squares.contains(&pos)
                {
                    squares.push(pos);
                }
            }
        });
        squares
    }

    fn rotations(&self, pos: Pos) -> Vec<(Choice, Rotation)> {
        self.legal.with(|legal| {
            legal
                .iter()
                .filter_map(|choice| match choice.target {
                    Target::Square(p, rotation) if p == pos => Some((*choice, rotation)),
                    _ => None,
                })
                .collect()
        })
    }

    /// In how many ways the tile can lie on a square.
    pub(crate) fn n_rotations(&self, pos: Pos) -> usize {
        self.rotations(pos).len()
    }

    /// The choice of the square as the tile is turned there.
    pub(crate) fn lay_at(&self, pos: Pos) -> Option<(Choice, Rotation)> {
        let rotations = self.rotations(pos);
        let turned = self.turned.get();
        rotations.get(turned % rotations.len().max(1)).copied()
    }

    /// The first press shows the tile on the square, the second lays it.
    pub(crate) fn press_square(&self, pos: Pos) {
        if self.staged.get_untracked() != Some(pos) {
            if self.staged.get_untracked().is_some() || self.over.get_untracked() != Some(pos) {
                self.turned.set(0);
            }
            self.reason.set(Default::default());
            self.staged.set(Some(pos));
        } else if let Some((choice, _)) = untrack(|| self.lay_at(pos)) {
            self.choose(choice);
        }
    }

    /// Turns the tile.
    pub(crate) fn turn_tile(&self) {
        self.turned.update(|n| *n += 1);
        self.tell_cursor();
    }

    // ---- figures -------------------------------------------------------------------------------------------------

    /// What can be chosen besides squares and passing.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        self.legal.with(|legal| {
            for choice in legal {
                let group = (choice.verb, choice.kind);
                let by_square = matches!(choice.target, Target::Square(..));
                if !by_square && choice.verb != Verb::Pass && !groups.contains(&group) {
                    groups.push(group);
                }
            }
        });
        groups
    }

    /// The group whose places are lit: the chosen one, or the first where nothing else is to be done.
    pub(crate) fn active_group(&self) -> Option<Group> {
        if let Some(group) = self.group.get() {
            return Some(group);
        }
        if !self.squares().is_empty() {
            return None;
        }
        self.groups()
            .into_iter()
            .find(|(verb, _)| *verb != Verb::Ransom)
    }

    /// Takes a figure into the hand, or puts it back; what needs no place is done.
    pub(crate) fn press_group(&self, group: Group) {
        let whole = self.legal.with_untracked(|legal| {
            let mut of = legal.iter().filter(|c| (c.verb, c.kind) == group);
            match (of.next(), of.next()) {
                (Some(one), None) if one.target == Target::None => Some(*one),
                _ => None,
            }
        });
        self.cursor.set(None);
        self.reason.set(Default::default());
        match whole {
            Some(choice) => self.choose(choice),
            None => {
                self.group.set(Some(group));
                self.come_near();
            }
        }
    }

    /// The choices of the active group, with their places on the board.
    pub(crate) fn targets(&self) -> Vec<(Choice, Option<Point>)> {
        let Some(group) = self.active_group() else {
            return Vec::new();
        };
        let legal = self.legal.get();
        self.draw(|game, drawings| {
            legal
                .into_iter()
                .filter(|choice| (choice.verb, choice.kind) == group)
                .filter(|choice| !matches!(choice.target, Target::Square(..)))
                .map(|choice| (choice, drawings.target(game.seen(), choice.target)))
                .collect()
        })
    }

    // ---- keyboard ------------------------------------------------------------------------------------------------

    /// The lit places in the order of the cursor: squares or targets.
    fn lit(&self) -> Vec<(Point, Option<Pos>, Option<Choice>)> {
        let squares = self.squares();
        let by_squares = squares
            .into_iter()
            .map(|pos| (centre(pos), Some(pos), None));
        if self.group.get().is_none() && by_squares.len() > 0 {
            return by_squares.collect();
        }
        self.targets()
            .into_iter()
            .map(|(choice, p)| (p.unwrap_or(pt(0.0, 0.0)), None, Some(choice)))
            .collect()
    }

    /// Moves the cursor to the nearest lit place in a direction.
    pub(crate) fn move_cursor(&self, dx: f32, dy: f32) {
        let lit = untrack(|| self.lit());
        if lit.is_empty() {
            return;
        }
        // Arrows mean directions as they are seen.
        let turned = self.view.with_untracked(|view| view.turned);
        let (dx, dy) = (0..turned).fold((dx, dy), |(dx, dy), _| (dy, -dx));
        let now = self.cursor.get_untracked();
        let next = match now.and_then(|i| lit.get(i)) {
            None => {
                let middle = self.view.get_untracked().middle;
                nearest(&lit, |p| middle.distance(p))
            }
            Some((from, ..)) => nearest(&lit, |p| {
                let along = (p.x - from.x) * dx + (p.y - from.y) * dy;
                let across = ((p.x - from.x) * dy + (p.y - from.y) * dx).abs();
                if along > 1.0 {
                    along + 2.0 * across
                } else {
                    f32::INFINITY
                }
            })
            // Past the last one in this direction comes the next in order, so that every place is reached.
            .or_else(|| {
                let step = if dx + dy > 0.0 { 1 } else { lit.len() - 1 };
                now.map(|i| (i + step) % lit.len())
            }),
        };
        self.cursor.set(next);
        if let Some((_, Some(pos), _)) = next.and_then(|i| lit.get(i)) {
            self.turned.set(0);
            self.staged.set(Some(*pos));
        }
        self.tell_cursor();
    }

    fn tell_cursor(&self) {
        let lit = untrack(|| self.lit());
        let here = self.cursor.get_untracked().and_then(|i| lit.get(i));
        let choice = match here {
            Some((_, Some(pos), _)) => untrack(|| self.lay_at(*pos)).map(|(choice, _)| choice),
            Some((_, _, choice)) => *choice,
            None => None,
        };
        if let Some(choice) = choice {
            self.told.set(self.peek(|game| words::choice(game, choice)));
        }
    }

    /// Enter: places what the cursor has chosen; confirms; passes.
    pub(crate) fn enter(&self) {
        let lit = untrack(|| self.lit());
        let here = self.cursor.get_untracked().and_then(|i| lit.get(i));
        if let Some(pos) = self.staged.get_untracked() {
            if let Some((choice, _)) = untrack(|| self.lay_at(pos)) {
                self.choose(choice);
            }
        } else if let Some((_, _, Some(choice))) = here {
            self.choose(*choice);
        } else if self.peek(Game::is_ready) {
            self.confirm();
        } else if untrack(|| self.squares()).is_empty() {
            self.pass();
        }
    }
}

fn nearest(
    lit: &[(Point, Option<Pos>, Option<Choice>)],
    cost: impl Fn(Point) -> f32,
) -> Option<usize> {
    let costs = lit.iter().map(|(p, ..)| cost(*p)).enumerate();
    costs
        .filter(|(_, cost)| cost.is_finite())
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(i, _)| i)
}
