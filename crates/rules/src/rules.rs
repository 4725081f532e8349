//! A linked setup: checked, immutable, shared; and the façade through which states change.
//!
//! Long: linking and the façade read top to bottom as one story.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::clause::{self, Clause};
use crate::events::Sink;
use crate::figures::{FIGURES, FigureDef};
use crate::geometry::{Pos, Rotation};
use crate::hooks::{Ctx, Links, Values};
use crate::moves::{Chance, Choice, Illegal, Input, MAX_SEATS, MAX_TILES, Moves, Seat, TileKind};
use crate::order::Step;
use crate::registry::{Ext, ExtState};
use crate::setup::{Fault, Setup, SetupError, StartTile};
use crate::state::{Bag, News, SeatState, State, Task, Turn, Waiting};
use crate::tiles::{LinkedTile, TileDef, printed_set, printed_tile};
use crate::turn::{NO_STOP, Work};
use crate::vocabulary::{Edition, KINDS, Kind, Marks, Nature, Used};

/// The chosen values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The edition.
    pub edition: Edition,
    on: Vec<bool>,
    values: Vec<Vec<u8>>,
}

impl Options {
    /// Whether an expansion is in play.
    pub fn has(&self, ext: Ext) -> bool {
        self.on[ext as usize]
    }

    /// The chosen value of an expansion's option: the index of a listed value, or the number. `index` is the option's
    /// place in the expansion's list. 0 when the expansion is not in play, but for an option of its marks that is chosen.
    pub fn get(&self, ext: Ext, index: usize) -> u8 {
        self.values[ext as usize].get(index).copied().unwrap_or(0)
    }
}

/// A linked setup.
pub struct Rules {
    setup: Setup,
    /// The options.
    pub options: Options,
    pub(crate) links: Links,
    pub(crate) tiles: Vec<LinkedTile>,
    pub(crate) figures: [FigureDef; KINDS],
    groups: Vec<String>,
    bag: Bag,
    pub(crate) start: Vec<(TileKind, Pos, Rotation)>,
    own_tiles: Vec<(Ext, TileKind)>,
    printed: Vec<Ext>,
    supply: [u8; KINDS],
    step_index: [u8; Step::ALL.len()],
}

impl core::fmt::Debug for Rules {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rules")
            .field("setup", &self.setup)
            .finish_non_exhaustive()
    }
}

impl Rules {
    /// Links a setup.
    ///
    /// # Errors
    /// Every fault of the setup, not only the first.
    pub fn new(setup: &Setup) -> Result<Rules, SetupError> {
        let mut faults = Vec::new();
        if setup.seats == 0 || usize::from(setup.seats) > MAX_SEATS {
            faults.push(Fault::Seats(setup.seats));
        }
        if setup.first >= setup.seats {
            faults.push(Fault::First(setup.first));
        }
        let options = link_options(setup, &mut faults);
        let on: Vec<Ext> = Ext::ALL
            .iter()
            .copied()
            .filter(|ext| options.has(*ext))
            .collect();
        let mut supply = [0; KINDS];
        for ext in &on {
            for (kind, key) in ext.expansion().figures {
                if let Some(index) = ext
                    .expansion()
                    .options
                    .iter()
                    .position(|option| option.key == *key)
                {
                    supply[kind.index()] = options.get(*ext, index);
                }
            }
        }
        let mut table = Table {
            setup,
            groups: alloc::vec![String::new()],
            tiles: Vec::new(),
        };
        let bag = link_bag(setup, &options, &on, &mut table, &mut faults);
        let start = link_start(setup, &on, &mut table, &mut faults);
        let own_tiles = link_own_tiles(&on, &mut table, &mut faults);
        for (_, kind) in &own_tiles {
            let in_bag = bag.get(kind.index()).is_some_and(|n| *n > 0);
            if in_bag || start.iter().any(|(other, ..)| other == kind) {
                faults.push(Fault::OwnTile(table.tiles[kind.index()].def.id.to_string()));
            }
        }
        if !faults.is_empty() {
            return Err(SetupError(faults));
        }
        let mut bag = bag;
        bag.resize(table.tiles.len(), 0);
        // Of every tile that the game knows, for a position made by hand may have any of them.
        let marks = (table.tiles.iter())
            .flat_map(|tile| tile.def.segments.iter())
            .fold(Marks::NONE, |marks, segment| marks.with(segment.marks));
        let printed: Vec<Ext> = Ext::ALL
            .iter()
            .copied()
            .filter(|ext| options.has(*ext) || marks.has_any(ext.expansion().printed.marks))
            .collect();
        let hooks = on.iter().flat_map(|ext| ext.expansion().hooks);
        let links =
            Links::new(hooks.chain(printed.iter().flat_map(|ext| ext.expansion().printed.hooks)));
        let mut figures = FIGURES;
        for hook in &links.figures {
            hook(&options, &mut figures);
        }
        let mut in_group = [0; 8];
        for (tile, n) in table.tiles.iter().zip(&bag) {
            in_group[usize::from(tile.group & 7)] += u16::from(*n);
        }
        let mut step_index = [0; Step::ALL.len()];
        for step in Step::ALL {
            let index = links.steps.partition_point(|(other, _)| other < step);
            step_index[*step as usize] = index as u8;
        }
        let rules = Rules {
            setup: setup.clone(),
            options,
            links,
            tiles: table.tiles,
            figures,
            groups: table.groups,
            bag: Bag {
                left: bag,
                in_group,
                open: u32::MAX,
            },
            start,
            own_tiles,
            printed,
            supply,
            step_index,
        };
        rules.check_start()?;
        Ok(rules)
    }

    fn check_start(&self) -> Result<(), SetupError> {
        let mut board = crate::board::Board::new();
        let mut faults = Vec::new();
        for (i, (kind, pos, rotation)) in self.start.iter().enumerate() {
            let fits = if i == 0 {
                pos.is_on_the_table()
            } else {
                board.gap_at(*pos).is_some_and(|gap| {
                    let shown =
                        self.tiles[kind.index()].signature[usize::from(rotation.quarters())];
                    gap.pattern().admits(shown)
                })
            };
            if !fits {
                faults.push(Fault::StartTile(
                    self.tiles[kind.index()].def.id.to_string(),
                    *pos,
                ));
                break;
            }
            board.lay(
                &self.tiles,
                *kind,
                *pos,
                *rotation,
                &mut crate::board::Laid::default(),
            );
        }
        if faults.is_empty() {
            Ok(())
        } else {
            Err(SetupError(faults))
        }
    }

    // ---- reading -------------------------------------------------------------------------------------------------

    /// The setup that was linked.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Whether an expansion is in play.
    pub fn has(&self, ext: Ext) -> bool {
        self.options.has(ext)
    }

    /// Whether the marks to which an expansion gives a meaning have it: it is in play, or a tile of the game has one of them.
    pub fn has_marks_of(&self, ext: Ext) -> bool {
        self.printed.contains(&ext)
    }

    /// A row of the table of figures, as the options have it.
    pub fn figure(&self, kind: Kind) -> &FigureDef {
        &self.figures[kind.index()]
    }

    /// How many figures of a kind every seat begins with.
    pub fn supplied(&self, kind: Kind) -> u8 {
        self.supply[kind.index()]
    }

    /// How many kinds of tiles there are.
    pub fn n_kinds(&self) -> usize {
        self.tiles.len()
    }

    /// The definition of a kind of tile.
    pub fn tile(&self, kind: TileKind) -> &TileDef {
        &self.tiles[kind.index()].def
    }

    /// The kind of tile with this id.
    pub fn kind_of(&self, id: &str) -> Option<TileKind> {
        self.tiles
            .iter()
            .position(|tile| tile.def.id == id)
            .map(|i| TileKind(i as u16))
    }

    /// The kind of an expansion's tile that players have in their supplies.
    pub(crate) fn own_tile(&self, ext: Ext) -> Option<TileKind> {
        self.own_tiles
            .iter()
            .find(|(other, _)| *other == ext)
            .map(|(_, kind)| *kind)
    }

    /// The linked number of a group of tiles.
    pub(crate) fn group(&self, name: &str) -> Option<u8> {
        self.groups
            .iter()
            .position(|group| group == name)
            .map(|i| i as u8)
    }

    pub(crate) fn score_floor(&self) -> bool {
        crate::expansions::base::score_floor(self)
    }

    /// The steps of this game's order of play.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.links.steps.iter().map(|(step, _)| *step)
    }

    pub(crate) fn index_of_step(&self, step: Step) -> u8 {
        self.step_index[step as usize]
    }

    /// The step at which the game stands, if a step asks.
    pub fn step(&self, state: &State) -> Option<Step> {
        match state.agenda.last() {
            Some(Task::At(i)) => self.links.steps.get(usize::from(*i)).map(|(step, _)| *step),
            _ => None,
        }
    }

    /// The clause by which something is asked now.
    pub fn asked_by(&self, state: &State) -> Option<Clause> {
        let step = self.step(state).or_else(|| {
            // An expansion's task belongs to the step before the one that comes next.
            let index = state.agenda.iter().rev().find_map(|task| match task {
                Task::At(i) => Some(*i),
                Task::Step(i) => Some(i.saturating_sub(1)),
                Task::Score(_) | Task::Ext(_) => None,
            })?;
            self.links
                .steps
                .get(usize::from(index))
                .map(|(step, _)| *step)
        });
        step.map(Step::clause)
    }

    // ---- playing -------------------------------------------------------------------------------------------------

    /// The first position: start tiles laid, the first player's turn begun.
    pub fn start(&self) -> State {
        self.start_with(&mut ())
    }

    /// As [`Rules::start`], telling what happens before the first decision.
    pub fn start_with(&self, sink: &mut dyn Sink) -> State {
        let mut state = self.table();
        let mut work = Work {
            rules: self,
            state: &mut state,
            sink,
        };
        work.prepare();
        crate::play::begin_turn(&mut work, Seat(self.setup.first));
        work.begin();
        state
    }

    /// An empty table: no tile, everybody's figures in the supply.
    pub(crate) fn table(&self) -> State {
        let seats = core::array::from_fn(|i| {
            if i < usize::from(self.setup.seats) {
                SeatState {
                    score: 0,
                    supply: self.supply,
                    gone: false,
                }
            } else {
                SeatState::default()
            }
        });
        State {
            board: crate::board::Board::new(),
            pieces: crate::figures::Pieces::default(),
            n_seats: self.setup.seats,
            seats,
            bag: self.bag.clone(),
            turn: Turn {
                active: Seat(self.setup.first),
                ..Turn::default()
            },
            agenda: Vec::with_capacity(4),
            waiting: Waiting::Over,
            sealed: Vec::new(),
            news: News::default(),
            batch: Vec::new(),
            ext: ExtState::default(),
        }
    }

    /// Fills the list with what the asked seat can choose (of several, the first). The order is part of the contract: it
    /// is determined by the setup and the inputs so far, and the same on every platform.
    pub fn legal(&self, state: &State, out: &mut Moves) {
        match state.waiting {
            Waiting::Seats(seats) => match seats.iter().next() {
                Some(seat) => self.legal_for(state, seat, out),
                None => out.clear(),
            },
            Waiting::Chance(_) | Waiting::Over => out.clear(),
        }
    }

    /// Fills the list with what one of the asked seats can choose; empty if it is not asked.
    pub fn legal_for(&self, state: &State, seat: Seat, out: &mut Moves) {
        out.clear();
        match state.waiting {
            Waiting::Seats(seats) if seats.has(seat) => {}
            _ => return,
        }
        let ctx = Ctx { rules: self, state };
        match state.agenda.last() {
            Some(Task::At(i)) => {
                self.step_offers(ctx, *i, seat, out);
                if self
                    .links
                    .steps
                    .get(usize::from(*i))
                    .is_some_and(|(_, def)| def.optional)
                {
                    out.push(Choice::PASS);
                }
            }
            Some(Task::Ext(task)) => {
                task.offers(ctx, seat, out);
                self.any_time_offers(ctx, seat, out);
            }
            _ => {}
        }
    }

    pub(crate) fn step_offers(&self, ctx: Ctx, index: u8, seat: Seat, out: &mut Moves) {
        let Some((step, def)) = self.links.steps.get(usize::from(index)) else {
            return;
        };
        (def.offers)(ctx, seat, out);
        for (at, hook) in &self.links.offers {
            if at == step && !out.is_satisfied() {
                hook(ctx, seat, out);
            }
        }
        self.any_time_offers(ctx, seat, out);
    }

    /// OP-07: at any open decision in the own turn. After the end nobody has a turn but who lays an own tile (OP-96).
    fn any_time_offers(&self, ctx: Ctx, seat: Seat, out: &mut Moves) {
        let between_turns = ctx.used(Used::LAST_TURN) && !ctx.used(Used::OWN_TILE);
        if seat != ctx.state.turn.active || between_turns {
            return;
        }
        for hook in &self.links.any_time {
            if !out.is_satisfied() {
                hook(ctx, seat, out);
            }
        }
    }

    /// What nature can decide now, with weights; empty when nature is not asked.
    pub fn outcomes(&self, state: &State, out: &mut Vec<(Chance, u32)>) {
        out.clear();
        match (state.waiting, state.agenda.last()) {
            (Waiting::Chance(_), Some(Task::Ext(task))) => {
                task.outcomes(Ctx { rules: self, state }, out)
            }
            (Waiting::Chance(Nature::Draw), _) => {
                for (kind, n) in (0u16..).zip(&state.bag.left) {
                    let group = self.tiles[usize::from(kind)].group;
                    if *n > 0 && state.bag.open & (1 << group) != 0 {
                        out.push((Chance::Tile(TileKind(kind)), u32::from(*n)));
                    }
                }
            }
            _ => {}
        }
    }

    /// The sum of the weights of all tiles that nature can draw now; 0 when no draw is asked.
    pub fn draw_weight(&self, state: &State) -> u32 {
        match state.waiting {
            Waiting::Chance(Nature::Draw) => u32::from(state.bag.n_open()),
            _ => 0,
        }
    }

    /// The draw at a place below [`Rules::draw_weight`] in the list of all tiles that can be drawn, each as often as it
    /// is there: the same as walking through [`Rules::outcomes`], without making the list.
    pub fn draw_at(&self, state: &State, mut place: u32) -> Option<Chance> {
        if place >= self.draw_weight(state) {
            return None;
        }
        for (kind, (n, tile)) in (0u16..).zip(state.bag.left.iter().zip(&self.tiles)) {
            if state.bag.open & (1 << tile.group) == 0 {
                continue;
            }
            match place.checked_sub(u32::from(*n)) {
                Some(rest) => place = rest,
                None => return Some(Chance::Tile(TileKind(kind))),
            }
        }
        None
    }

    /// Applies an input, telling what happens. All or nothing.
    ///
    /// # Errors
    /// What is wrong with the input; the state is then as it was before.
    pub fn apply(
        &self,
        state: &mut State,
        input: Input,
        sink: &mut dyn Sink,
    ) -> Result<(), Illegal> {
        self.check_input(state, input)?;
        self.apply_listed(state, input, sink);
        Ok(())
    }

    /// Whether an input can be given.
    pub(crate) fn check_input(&self, state: &State, input: Input) -> Result<(), Illegal> {
        match input {
            Input::Choice(seat, choice) => {
                match state.waiting {
                    Waiting::Over => return Err(Illegal::Over),
                    Waiting::Seats(seats) if seats.has(seat) => {}
                    Waiting::Seats(_) | Waiting::Chance(_) => return Err(Illegal::NotAsked),
                }
                let mut moves = Moves::new();
                self.legal_for(state, seat, &mut moves);
                if !moves.contains(&choice) {
                    return Err(Illegal::NotLegal);
                }
            }
            Input::Chance(chance) => {
                match state.waiting {
                    Waiting::Over => return Err(Illegal::Over),
                    Waiting::Seats(_) => return Err(Illegal::NotAsked),
                    Waiting::Chance(_) => {}
                }
                let possible = match chance {
                    Chance::Tile(kind) => self.can_draw(state, kind),
                    Chance::Number(_) | Chance::Hidden => {
                        let mut outcomes = Vec::new();
                        self.outcomes(state, &mut outcomes);
                        outcomes.iter().any(|(outcome, _)| *outcome == chance)
                    }
                };
                if !possible {
                    return Err(Illegal::NotPossible);
                }
            }
            Input::Leave(seat) => {
                if state.waiting == Waiting::Over {
                    return Err(Illegal::Over);
                }
                if seat.0 >= state.n_seats || state.seats[seat.index()].gone {
                    return Err(Illegal::NotAsked);
                }
            }
        }
        Ok(())
    }

    /// Whether a kind of tile can be drawn now.
    fn can_draw(&self, state: &State, kind: TileKind) -> bool {
        state.waiting == Waiting::Chance(Nature::Draw)
            && state.bag.count(kind) > 0
            && self
                .tiles
                .get(kind.index())
                .is_some_and(|tile| state.bag.open & (1 << tile.group) != 0)
    }

    /// Applies an input that came from [`Rules::legal`] or [`Rules::outcomes`] for this very state, without checking it
    /// again: for search and simulation. With any other input the result is unspecified (but never unsound).
    pub fn apply_listed(&self, state: &mut State, input: Input, sink: &mut dyn Sink) {
        Work {
            rules: self,
            state,
            sink,
        }
        .carry_out(input, NO_STOP);
    }

    /// The clauses that forbid a choice, for people; empty exactly when it is legal.
    pub fn why_not(&self, state: &State, seat: Seat, choice: Choice) -> Vec<Clause> {
        crate::explain::why_not(self, state, seat, choice)
    }

    /// The state as a seat may see it (none: as a spectator may). What it may not know is blanked.
    pub fn view(&self, state: &State, seat: Option<Seat>) -> State {
        let mut view = state.clone();
        for (other, choice) in &mut view.sealed {
            if Some(*other) != seat {
                *choice = Choice::PASS;
            }
        }
        view
    }

    /// An input as a seat may see it.
    pub fn redact(&self, state: &State, input: Input, seat: Option<Seat>) -> Input {
        match (input, state.waiting) {
            (Input::Choice(other, _), Waiting::Seats(asked))
                if asked.len() > 1 && Some(other) != seat =>
            {
                Input::Choice(other, Choice::PASS)
            }
            _ => input,
        }
    }
}

/// The kinds of tiles as they are linked.
struct Table<'s> {
    setup: &'s Setup,
    groups: Vec<String>,
    tiles: Vec<LinkedTile>,
}

impl Table<'_> {
    fn kind(&mut self, id: &str) -> Option<TileKind> {
        if let Some(i) = self.tiles.iter().position(|tile| tile.def.id == id) {
            return Some(TileKind(i as u16));
        }
        let def = self
            .setup
            .tiles
            .iter()
            .find(|tile| tile.id == id)
            .or_else(|| printed_tile(id))?
            .clone();
        let group = match self.groups.iter().position(|group| *group == def.group) {
            Some(i) => i,
            None => {
                self.groups.push(def.group.to_string());
                self.groups.len() - 1
            }
        };
        self.tiles.push(LinkedTile::new(def, group as u8));
        Some(TileKind(self.tiles.len() as u16 - 1))
    }
}

fn link_options(setup: &Setup, faults: &mut Vec<Fault>) -> Options {
    let mut on = alloc::vec![false; Ext::ALL.len()];
    on[Ext::Base as usize] = true;
    for slug in &setup.expansions {
        match Ext::from_slug(slug) {
            Some(ext) if on[ext as usize] && ext != Ext::Base => {
                faults.push(Fault::Twice(slug.clone()))
            }
            Some(ext) => on[ext as usize] = true,
            None => faults.push(Fault::UnknownExpansion(slug.clone())),
        }
    }
    let edition = setup.edition as usize;
    let mut values: Vec<Vec<u8>> = Ext::ALL
        .iter()
        .map(|ext| {
            let options = ext.expansion().options.iter();
            let defaults = options.map(|option| match option.values {
                Values::Listed(_, defaults) | Values::Number(_, defaults) => defaults[edition],
            });
            if on[*ext as usize] {
                defaults.collect()
            } else {
                alloc::vec![0; ext.expansion().options.len()]
            }
        })
        .collect();
    for (key, value) in &setup.options {
        let mut known = None;
        let mut set = false;
        for ext in Ext::ALL {
            let Some(index) = ext
                .expansion()
                .options
                .iter()
                .position(|option| option.key == key)
            else {
                continue;
            };
            known = Some(ext.expansion().slug);
            if !on[*ext as usize] && !ext.expansion().printed.options.contains(&key.as_str()) {
                continue;
            }
            set = true;
            let (parsed, listed) = match ext.expansion().options[index].values {
                Values::Listed(listed, _) => (
                    listed.iter().position(|v| v == value).map(|i| i as u8),
                    listed.join(", "),
                ),
                Values::Number(max, _) => (
                    value.parse().ok().filter(|n| *n <= max),
                    alloc::format!("the whole numbers 0 to {max}"),
                ),
            };
            match parsed {
                Some(parsed) => values[*ext as usize][index] = parsed,
                None => faults.push(Fault::UnknownValue(key.clone(), value.clone(), listed)),
            }
        }
        match (known, set) {
            (None, _) => faults.push(Fault::UnknownOption(key.clone())),
            (Some(slug), false) => faults.push(Fault::NeedsExpansion(key.clone(), slug)),
            (Some(_), true) => {}
        }
    }
    Options {
        edition: setup.edition,
        on,
        values,
    }
}

/// The counts by kind of what is drawn from.
fn link_bag(
    setup: &Setup,
    options: &Options,
    on: &[Ext],
    table: &mut Table,
    faults: &mut Vec<Fault>,
) -> Vec<u8> {
    for (i, tile) in setup.tiles.iter().enumerate() {
        let before = setup.tiles.iter().take(i).any(|other| other.id == tile.id);
        if before || printed_tile(&tile.id).is_some() {
            faults.push(Fault::SameTile(tile.id.to_string()));
        }
        if let Err(why) = tile.check() {
            faults.push(Fault::BadTile(tile.id.to_string(), why));
        }
    }
    let mut wanted: Vec<(String, u32)> = Vec::new();
    match &setup.bag {
        Some(bag) => wanted.extend(bag.iter().map(|(id, n)| (id.clone(), u32::from(*n)))),
        None => {
            let mut sets: Vec<(String, u8)> = Vec::new();
            for ext in on {
                let by_edition = ext.expansion().sets[usize::from(options.edition != Edition::C1)];
                sets.extend(by_edition.iter().map(|id| (id.to_string(), 1)));
            }
            for (id, copies) in &setup.sets {
                sets.retain(|(other, _)| other != id);
                if printed_set(id).is_none() {
                    faults.push(Fault::UnknownSet(id.clone()));
                }
                sets.push((id.clone(), *copies));
            }
            let sets = sets.iter().filter(|(_, copies)| *copies > 0);
            let sets: Vec<_> = sets
                .filter_map(|(id, copies)| Some((printed_set(id)?, *copies)))
                .collect();
            for (set, copies) in &sets {
                for (tile, n) in set.tiles {
                    wanted.push((tile.to_string(), u32::from(*n) * u32::from(*copies)));
                }
            }
            wanted.retain(|(id, _)| {
                !sets
                    .iter()
                    .any(|(set, _)| set.without.contains(&id.as_str()))
            });
            for ext in on {
                if let Some(adjust) = ext.expansion().adjust_bag {
                    adjust(options, &mut wanted);
                }
            }
            take_out_start(setup, options, on, &mut wanted);
        }
    }
    let mut counts: Vec<u8> = Vec::new();
    let mut tiles = 0usize;
    for (id, n) in wanted {
        let Some(kind) = table.kind(&id) else {
            faults.push(Fault::UnknownTile(id));
            continue;
        };
        counts.resize(table.tiles.len().max(counts.len()), 0);
        tiles += n as usize;
        let limit = u32::from(table.tiles[kind.index()].def.limit);
        match u8::try_from((u32::from(counts[kind.index()]) + n).min(limit)) {
            Ok(sum) if tiles < MAX_TILES - 100 => counts[kind.index()] = sum,
            _ => faults.push(Fault::TooManyTiles(id)),
        }
    }
    counts
}

/// The start tiles are not drawn; a base start tile that another start replaces stays in the bag or not (BA-04).
fn take_out_start(setup: &Setup, options: &Options, on: &[Ext], wanted: &mut [(String, u32)]) {
    let mut take = |id: &str| {
        if let Some((_, n)) = wanted.iter_mut().find(|(other, n)| other == id && *n > 0) {
            *n -= 1;
        }
    };
    let (source, usual) = usual_start(on);
    match &setup.start {
        Some(start) => start.iter().for_each(|tile| take(&tile.id)),
        None => usual.iter().for_each(|(id, ..)| take(id)),
    }
    if setup.start.is_none()
        && source != Ext::Base
        && crate::expansions::base::drops_unused_start(options)
    {
        Ext::Base
            .expansion()
            .start
            .iter()
            .for_each(|(id, ..)| take(id));
    }
}

/// The opening layout of the last expansion that brings one.
fn usual_start(on: &[Ext]) -> (Ext, &'static [(&'static str, i8, i8, u8)]) {
    on.iter()
        .rev()
        .map(|ext| (*ext, ext.expansion().start))
        .find(|(_, start)| !start.is_empty())
        .unwrap_or((Ext::Base, &[]))
}

fn link_start(
    setup: &Setup,
    on: &[Ext],
    table: &mut Table,
    faults: &mut Vec<Fault>,
) -> Vec<(TileKind, Pos, Rotation)> {
    let usual: Vec<StartTile> = usual_start(on)
        .1
        .iter()
        .map(|(id, x, y, quarters)| StartTile {
            id: id.to_string(),
            pos: Pos::new(*x, *y),
            rotation: Rotation::from_quarters(*quarters),
        })
        .collect();
    let mut start = Vec::new();
    for tile in setup.start.as_ref().unwrap_or(&usual) {
        match table.kind(&tile.id) {
            Some(kind) => start.push((kind, tile.pos, tile.rotation)),
            None => faults.push(Fault::UnknownTile(tile.id.clone())),
        }
    }
    start
}

/// The tiles in players' supplies are known, but none of them is in the bag.
fn link_own_tiles(on: &[Ext], table: &mut Table, faults: &mut Vec<Fault>) -> Vec<(Ext, TileKind)> {
    let mut own = Vec::new();
    for ext in on {
        for id in ext.expansion().own_tiles {
            match table.kind(id) {
                Some(kind) => own.push((*ext, kind)),
                None => faults.push(Fault::UnknownTile(id.to_string())),
            }
        }
    }
    own
}

/// The clause by which nothing else can be chosen in a step.
pub(crate) const ONLY_WHAT_IS_OFFERED: Clause = clause::OP_107;
