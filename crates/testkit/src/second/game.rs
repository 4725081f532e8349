//! The base game, played by the rule book.

use std::collections::{BTreeMap, BTreeSet};

use trencavel_tiles::{Kind, Tile};

use super::landscape::{Area, Landscape, Part};

/// How fields are scored at the end (BA-44, BA-46, BA-47).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldRule {
    /// Every field by itself: 3 for each complete city.
    Third,
    /// The same, but each player once for each city.
    Second,
    /// City by city: 4 for the most farmers round it.
    First,
}

/// What players choose before a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knobs {
    /// Players.
    pub seats: usize,
    /// Followers of each.
    pub followers: usize,
    /// BA-28.
    pub farmers: bool,
    /// BA-33: whether a city on two tiles counts half.
    pub small_cities_count_half: bool,
    /// BA-44, BA-46, BA-47.
    pub fields: FieldRule,
    /// BA-09: whether a tile that fits nowhere goes back once another is drawn that fits.
    pub reshuffle: bool,
}

impl Knobs {
    /// The usual ones.
    pub fn new(seats: usize) -> Knobs {
        Knobs {
            seats,
            followers: 7,
            farmers: true,
            small_cities_count_half: false,
            fields: FieldRule::Third,
            reshuffle: false,
        }
    }
}

/// What must come next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Now {
    /// A tile is drawn.
    Draw,
    /// The tile with this id is laid.
    Lay(String),
    /// A follower may be placed.
    Figure,
    /// The game is over.
    Over,
}

/// A follower on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Follower {
    seat: usize,
    on: Part,
}

/// A game of the base game.
#[derive(Clone, Debug)]
pub struct BaseGame {
    knobs: Knobs,
    tiles: BTreeMap<String, &'static Tile>,
    landscape: Landscape,
    followers: Vec<Follower>,
    /// Tiles not yet drawn.
    bag: BTreeMap<String, usize>,
    /// Tiles that go back into the bag.
    aside: Vec<String>,
    scores: Vec<i64>,
    active: usize,
    now: Now,
}

impl BaseGame {
    /// A game with these tiles in the bag and this one at 0,0; seat 0 begins.
    ///
    /// # Errors
    /// The id of a tile that no file has.
    pub fn new(knobs: Knobs, start: &str, bag: &[(String, usize)]) -> Result<BaseGame, String> {
        let mut tiles = BTreeMap::new();
        for id in bag.iter().map(|(id, _)| id.as_str()).chain([start]) {
            let tile = super::shelf()?.tile(id);
            let tile = tile.ok_or_else(|| format!("no tile {id}"))?;
            tiles.insert(id.to_string(), tile);
        }
        let mut landscape = Landscape::new();
        landscape.lay(tiles[start], 0, 0, 0);
        let mut game = BaseGame {
            knobs,
            tiles,
            landscape,
            followers: Vec::new(),
            bag: bag.iter().filter(|(_, n)| *n > 0).cloned().collect(),
            aside: Vec::new(),
            scores: vec![0; knobs.seats],
            active: 0,
            now: Now::Draw,
        };
        if game.bag.is_empty() {
            game.score_the_rest();
        }
        Ok(game)
    }

    /// What must come next.
    pub fn now(&self) -> &Now {
        &self.now
    }

    /// Whose turn it is.
    pub fn active(&self) -> usize {
        self.active
    }

    /// The points.
    pub fn scores(&self) -> &[i64] {
        &self.scores
    }

    /// The tiles on the table.
    pub fn landscape(&self) -> &Landscape {
        &self.landscape
    }

    /// Where followers are and whose, in order.
    pub fn figures(&self) -> Vec<(Part, usize)> {
        let mut figures: Vec<_> = self.followers.iter().map(|f| (f.on, f.seat)).collect();
        figures.sort_unstable();
        figures
    }

    /// Followers that a seat has left.
    pub fn supply(&self, seat: usize) -> usize {
        self.knobs.followers - self.followers.iter().filter(|f| f.seat == seat).count()
    }

    /// The tiles that can be drawn, and how many of each.
    pub fn draws(&self) -> Vec<(&str, usize)> {
        match self.now {
            Now::Draw => self.bag.iter().map(|(id, n)| (id.as_str(), *n)).collect(),
            Now::Lay(_) | Now::Figure | Now::Over => Vec::new(),
        }
    }

    /// The squares and rotations at which the drawn tile can be laid, in order.
    pub fn lays(&self) -> Vec<(i32, i32, usize)> {
        match &self.now {
            Now::Lay(id) => self.landscape.places(self.tiles[id]),
            Now::Draw | Now::Figure | Now::Over => Vec::new(),
        }
    }

    /// The segments of the tile just laid on which a follower can be placed (BA-21, BA-22, BA-25, BA-28).
    pub fn targets(&self) -> Vec<usize> {
        if self.now != Now::Figure {
            return Vec::new();
        }
        self.free_segments()
    }

    fn free_segments(&self) -> Vec<usize> {
        if self.supply(self.active) == 0 {
            return Vec::new();
        }
        let last = self.landscape.lying().len() - 1;
        let segments = self.landscape.lying()[last].tile.segments.len();
        let is_free = |segment: &usize| {
            let part = Part {
                tile: last,
                segment: *segment,
            };
            let area = self.landscape.area(part);
            let claimable = match area.kind {
                Kind::City | Kind::Road | Kind::Monastery => true,
                Kind::Field => self.knobs.farmers,
                Kind::River | Kind::Garden | Kind::Hut => false,
            };
            claimable && !self.followers.iter().any(|f| area.has(f.on))
        };
        (0..segments).filter(is_free).collect()
    }

    /// A tile is drawn (BA-08). One that fits nowhere goes out (BA-09); with none left the game ends (BA-10).
    pub fn draw(&mut self, id: &str) {
        match self.bag.get_mut(id) {
            Some(1) => {
                self.bag.remove(id);
            }
            Some(n) => *n -= 1,
            None => return,
        }
        if self.landscape.places(self.tiles[id]).is_empty() {
            if self.bag.is_empty() {
                self.score_the_rest();
            } else if self.knobs.reshuffle {
                self.aside.push(id.to_string());
            }
            return;
        }
        for other in self.aside.drain(..) {
            *self.bag.entry(other).or_default() += 1;
        }
        self.now = Now::Lay(id.to_string());
    }

    /// The drawn tile is laid (BA-12 to BA-16).
    pub fn lay(&mut self, x: i32, y: i32, quarters: usize) {
        let Now::Lay(id) = &self.now else { return };
        self.landscape.lay(self.tiles[id], x, y, quarters);
        self.now = Now::Figure;
        if self.free_segments().is_empty() {
            self.place(None);
        }
    }

    /// A follower is placed on a segment of the tile just laid, or none; then the turn ends (BA-07).
    pub fn place(&mut self, segment: Option<usize>) {
        let last = self.landscape.lying().len() - 1;
        if let Some(segment) = segment {
            self.followers.push(Follower {
                seat: self.active,
                on: Part {
                    tile: last,
                    segment,
                },
            });
        }
        self.score_completed();
        if self.bag.is_empty() {
            self.score_the_rest();
            return;
        }
        self.active = (self.active + 1) % self.knobs.seats;
        self.now = Now::Draw;
    }

    // ---- points --------------------------------------------------------------------------------------------------

    /// Complete areas with followers are scored and left (BA-36 to BA-39). One that stays complete has no followers any
    /// more, so it does not matter when it was completed.
    fn score_completed(&mut self) {
        let mut unseen: Vec<Part> = self.followers.iter().map(|f| f.on).collect();
        while let Some(part) = unseen.pop() {
            let area = self.landscape.area(part);
            unseen.retain(|other| !area.has(*other));
            if area.is_complete() {
                self.pay(&area);
                self.followers.retain(|f| !area.has(f.on));
            }
        }
    }

    /// BA-37: the seats with the most followers get all points.
    fn pay(&mut self, area: &Area) {
        let points = self.value(area);
        for seat in self.masters(&[area]) {
            self.scores[seat] += points;
        }
    }

    /// The seats with the most followers on these areas together, if there are any.
    fn masters(&self, areas: &[&Area]) -> Vec<usize> {
        let mut counts = vec![0; self.knobs.seats];
        for follower in &self.followers {
            if areas.iter().any(|area| area.has(follower.on)) {
                counts[follower.seat] += 1;
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        let masters = (0..counts.len()).filter(|seat| most > 0 && counts[*seat] == most);
        masters.collect()
    }

    /// BA-30, BA-32, BA-33, BA-35, BA-43.
    fn value(&self, area: &Area) -> i64 {
        let (tiles, pennants) = (area.tiles as i64, i64::from(area.pennants));
        match area.kind {
            Kind::Road => tiles,
            Kind::City if !area.is_complete() => tiles + pennants,
            Kind::City if tiles == 2 && self.knobs.small_cities_count_half => tiles + pennants,
            Kind::City => 2 * tiles + 2 * pennants,
            Kind::Monastery => {
                let tile = area.parts.first().map_or(0, |part| part.tile);
                1 + self.landscape.neighbours(tile) as i64
            }
            Kind::Field | Kind::River | Kind::Garden | Kind::Hut => 0,
        }
    }

    /// The final scoring: what is incomplete (BA-43), then fields (BA-44, BA-46, BA-47).
    fn score_the_rest(&mut self) {
        self.now = Now::Over;
        let areas = self.landscape.areas();
        let occupied = |area: &&Area| self.followers.iter().any(|f| area.has(f.on));
        let occupied: Vec<&Area> = areas.iter().filter(occupied).collect();
        let mut gains = vec![0; self.knobs.seats];
        for area in &occupied {
            if area.kind != Kind::Field && !area.is_complete() {
                for seat in self.masters(&[area]) {
                    gains[seat] += self.value(area);
                }
            }
        }
        let fields: Vec<(&Area, Vec<Part>)> = occupied
            .iter()
            .filter(|area| area.kind == Kind::Field)
            .map(|area| (*area, self.landscape.complete_cities(area)))
            .collect();
        match self.knobs.fields {
            FieldRule::Third => {
                for (field, cities) in &fields {
                    for seat in self.masters(&[field]) {
                        gains[seat] += 3 * cities.len() as i64;
                    }
                }
            }
            FieldRule::Second => {
                let mut had = BTreeSet::new();
                for (field, cities) in &fields {
                    for seat in self.masters(&[field]) {
                        let new = cities.iter().filter(|city| had.insert((seat, **city)));
                        gains[seat] += 3 * new.count() as i64;
                    }
                }
            }
            FieldRule::First => {
                let cities: BTreeSet<Part> = fields
                    .iter()
                    .flat_map(|(_, cities)| cities.iter().copied())
                    .collect();
                for city in cities {
                    let round: Vec<&Area> = fields
                        .iter()
                        .filter(|(_, cities)| cities.contains(&city))
                        .map(|(field, _)| *field)
                        .collect();
                    for seat in self.masters(&round) {
                        gains[seat] += 4;
                    }
                }
            }
        }
        for (score, gain) in self.scores.iter_mut().zip(gains) {
            *score += gain;
        }
    }
}
