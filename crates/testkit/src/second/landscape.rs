//! Tiles on squares, and the areas that their parts form, found by flood fill.

use trencavel_tiles::{Edge, Half, Kind, Side, Tile};

/// A tile that lies somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Lying {
    /// What is printed on it.
    pub tile: &'static Tile,
    /// Squares to the east.
    pub x: i32,
    /// Squares to the south.
    pub y: i32,
    /// Clockwise quarter turns.
    pub quarters: usize,
    /// The edges as it lies: north, east, south, west.
    shown: [Edge; 4],
    /// The number of its first segment, if the segments of all tiles are counted through.
    first: usize,
}

impl Lying {
    /// The segment that reaches a side as the tile lies.
    fn at_side(&self, side: usize) -> Option<usize> {
        let printed = Side::ALL[(side + 4 - self.quarters) % 4];
        let segments = &self.tile.segments;
        segments.iter().position(|s| s.sides.contains(printed))
    }

    /// The segment that reaches a half of a side as the tile lies.
    fn at_half(&self, half: usize) -> Option<usize> {
        let printed = Half::ALL[(half + 8 - 2 * self.quarters) % 8];
        let segments = &self.tile.segments;
        segments.iter().position(|s| s.halves.contains(printed))
    }
}

/// A segment of a tile: the number of the tile in the order of laying, and that of the segment in the tile's file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Part {
    /// The tile.
    pub tile: usize,
    /// The segment.
    pub segment: usize,
}

/// Parts that hang together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Area {
    /// What it is.
    pub kind: Kind,
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// Ends that lead to an empty square; of a building inside a tile, empty squares round it.
    pub open: usize,
    /// How many tiles it lies on.
    pub tiles: usize,
    /// Pennants.
    pub pennants: u32,
}

impl Area {
    /// Whether a part belongs to it.
    pub fn has(&self, part: Part) -> bool {
        self.parts.binary_search(&part).is_ok()
    }

    /// Whether nothing can be added to it. Fields and rivers never are complete.
    pub fn is_complete(&self) -> bool {
        self.open == 0 && !matches!(self.kind, Kind::Field | Kind::River)
    }

    /// Whether it lies inside one tile and wants eight neighbours.
    pub fn is_building(&self) -> bool {
        is_building(self.kind)
    }
}

fn is_building(kind: Kind) -> bool {
    matches!(kind, Kind::Monastery | Kind::Garden | Kind::Hut)
}

/// The way out of a square over each side: north, east, south, west.
const OUT: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Which tile lies on which square: a rectangle of squares that grows.
#[derive(Clone, Debug, Default)]
struct Squares {
    left: i32,
    top: i32,
    width: i32,
    tiles: Vec<Option<u16>>,
}

impl Squares {
    /// Squares kept free on all sides when the rectangle grows.
    const MARGIN: i32 = 6;

    fn height(&self) -> i32 {
        match self.width {
            0 => 0,
            width => self.tiles.len() as i32 / width,
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (x, y) = (x - self.left, y - self.top);
        let inside = (0..self.width).contains(&x) && (0..self.height()).contains(&y);
        inside.then_some((y * self.width + x) as usize)
    }

    fn get(&self, x: i32, y: i32) -> Option<usize> {
        self.tiles[self.index(x, y)?].map(usize::from)
    }

    fn set(&mut self, x: i32, y: i32, tile: usize) {
        if self.index(x, y).is_none() {
            self.grow(x, y);
        }
        if let Some(index) = self.index(x, y) {
            self.tiles[index] = Some(tile as u16);
        }
    }

    fn grow(&mut self, x: i32, y: i32) {
        let (right, bottom) = (self.left + self.width, self.top + self.height());
        let left = self.left.min(x - Self::MARGIN);
        let top = self.top.min(y - Self::MARGIN);
        let width = right.max(x + 1 + Self::MARGIN) - left;
        let height = bottom.max(y + 1 + Self::MARGIN) - top;
        let mut larger = Squares {
            left,
            top,
            width,
            tiles: vec![None; (width * height) as usize],
        };
        for (at, tile) in self.tiles.iter().enumerate() {
            let (x, y) = (at as i32 % self.width, at as i32 / self.width);
            if let Some(index) = larger.index(self.left + x, self.top + y) {
                larger.tiles[index] = *tile;
            }
        }
        *self = larger;
    }
}

/// Parts that were come across.
struct Seen(Vec<bool>);

impl Seen {
    /// Whether a part with this number comes for the first time.
    fn first_time(&mut self, number: usize) -> bool {
        !std::mem::replace(&mut self.0[number], true)
    }
}

/// Everything that lies on the table.
#[derive(Clone, Debug, Default)]
pub struct Landscape {
    lying: Vec<Lying>,
    squares: Squares,
}

impl Landscape {
    /// Nothing lies there.
    pub fn new() -> Landscape {
        Landscape::default()
    }

    /// Lays a tile, whether or not it fits.
    pub fn lay(&mut self, tile: &'static Tile, x: i32, y: i32, quarters: usize) {
        self.squares.set(x, y, self.lying.len());
        self.lying.push(Lying {
            tile,
            x,
            y,
            quarters,
            shown: edges(tile, quarters),
            first: self.n_parts(),
        });
    }

    fn n_parts(&self) -> usize {
        let last = self.lying.last();
        last.map_or(0, |last| last.first + last.tile.segments.len())
    }

    fn number(&self, part: Part) -> usize {
        self.lying[part.tile].first + part.segment
    }

    /// The tiles in the order of laying.
    pub fn lying(&self) -> &[Lying] {
        &self.lying
    }

    /// The number of the tile on a square.
    pub fn at(&self, x: i32, y: i32) -> Option<usize> {
        self.squares.get(x, y)
    }

    /// Every square and rotation at which a tile's edges match all neighbours, of which there is one at least; in order.
    pub fn places(&self, tile: &Tile) -> Vec<(i32, i32, usize)> {
        let mut squares = Vec::with_capacity(2 * self.lying.len());
        for lying in &self.lying {
            let beside = OUT.map(|(dx, dy)| (lying.x + dx, lying.y + dy));
            squares.extend(beside.iter().filter(|(x, y)| self.at(*x, *y).is_none()));
        }
        squares.sort_unstable();
        squares.dedup();
        let turned = [0, 1, 2, 3].map(|quarters| edges(tile, quarters));
        let mut places = Vec::new();
        for (x, y) in squares {
            let round = self.edges_round(x, y);
            let matches = |quarters: &usize| match_all(&turned[*quarters], &round);
            places.extend((0..4).filter(matches).map(|quarters| (x, y, quarters)));
        }
        places
    }

    /// The edges that the neighbours of a square show to it.
    fn edges_round(&self, x: i32, y: i32) -> [Option<Edge>; 4] {
        [0, 1, 2, 3].map(|side| {
            let other = self.at(x + OUT[side].0, y + OUT[side].1)?;
            Some(self.lying[other].shown[(side + 2) % 4])
        })
    }

    /// How many of the eight squares round a tile hold one.
    pub fn neighbours(&self, tile: usize) -> usize {
        let Lying { x, y, .. } = self.lying[tile];
        let round = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        round
            .filter(|(dx, dy)| (*dx, *dy) != (0, 0) && self.at(x + dx, y + dy).is_some())
            .count()
    }

    /// All areas, each found by walking from its first part; in the order of these.
    pub fn areas(&self) -> Vec<Area> {
        let mut seen = self.nothing_seen();
        let mut areas = Vec::new();
        for (tile, lying) in self.lying.iter().enumerate() {
            for segment in 0..lying.tile.segments.len() {
                let part = Part { tile, segment };
                if seen.first_time(self.number(part)) {
                    areas.push(self.walk(part, &mut seen));
                }
            }
        }
        areas
    }

    /// The area of one part.
    pub fn area(&self, start: Part) -> Area {
        let mut seen = self.nothing_seen();
        seen.first_time(self.number(start));
        self.walk(start, &mut seen)
    }

    fn nothing_seen(&self) -> Seen {
        Seen(vec![false; self.n_parts()])
    }

    /// Walks from a part to all that hang together with it.
    fn walk(&self, start: Part, seen: &mut Seen) -> Area {
        let kind = self.kind(start);
        let mut parts = vec![start];
        let mut open = 0;
        let mut visited = 0;
        while let Some(part) = parts.get(visited).copied() {
            visited += 1;
            self.exits(part, |at, next| match (at, next) {
                (_, Some(next)) if seen.first_time(self.number(next)) => parts.push(next),
                (None, None) if kind != Kind::Field => open += 1,
                _ => {}
            });
        }
        if is_building(kind) {
            open = 8 - self.neighbours(start.tile);
        }
        parts.sort_unstable();
        let pennants = parts
            .iter()
            .map(|part| u32::from(self.segment(*part).pennants()));
        Area {
            kind,
            pennants: pennants.sum(),
            open,
            tiles: parts.chunk_by(|a, b| a.tile == b.tile).count(),
            parts,
        }
    }

    /// Every side (or half of a side) that a part reaches: the tile beyond, and the part of it that continues this one. A tile
    /// that fits anything joins nothing.
    fn exits(&self, part: Part, mut see: impl FnMut(Option<usize>, Option<Part>)) {
        let lying = &self.lying[part.tile];
        let segment = &lying.tile.segments[part.segment];
        let mut look = |side: usize, find: &dyn Fn(&Lying) -> Option<usize>| {
            let at = self.at(lying.x + OUT[side].0, lying.y + OUT[side].1);
            let next = at.and_then(|tile| {
                let other = &self.lying[tile];
                if other.tile.fits_anything || lying.tile.fits_anything {
                    return None;
                }
                let segment = find(other)?;
                Some(Part { tile, segment })
            });
            see(at, next);
        };
        for side in segment.sides.iter() {
            let side = (side as usize + lying.quarters) % 4;
            look(side, &|other| other.at_side((side + 2) % 4));
        }
        for half in segment.halves.iter() {
            let half = (half as usize + 2 * lying.quarters) % 8;
            // The left half of a side lies against the right half of the side that faces it.
            let facing = ((half + 4) % 8) ^ 1;
            look(half / 2, &|other| other.at_half(facing));
        }
    }

    /// What is printed at a part.
    pub fn segment(&self, part: Part) -> &trencavel_tiles::Segment {
        &self.lying[part.tile].tile.segments[part.segment]
    }

    /// The kind of a part.
    pub fn kind(&self, part: Part) -> Kind {
        self.segment(part).kind
    }

    /// The complete cities that a field touches, each once, as their first parts; in order.
    pub fn complete_cities(&self, field: &Area) -> Vec<Part> {
        let mut seen = self.nothing_seen();
        let mut cities = Vec::new();
        for part in &field.parts {
            for touch in &self.segment(*part).touches {
                let city = Part {
                    tile: part.tile,
                    segment: usize::from(touch.city.0),
                };
                if seen.first_time(self.number(city)) {
                    let area = self.walk(city, &mut seen);
                    if area.is_complete() {
                        cities.extend(area.parts.first());
                    }
                }
            }
        }
        cities.sort_unstable();
        cities
    }
}

/// The edges that a turned tile shows.
fn edges(tile: &Tile, quarters: usize) -> [Edge; 4] {
    [0, 1, 2, 3].map(|side| tile.edge(Side::ALL[(side + 4 - quarters) % 4]))
}

/// Whether edges match those that meet them.
fn match_all(mine: &[Edge; 4], theirs: &[Option<Edge>; 4]) -> bool {
    mine.iter().zip(theirs).all(|(mine, theirs)| {
        theirs.is_none_or(|theirs| *mine == theirs || *mine == Edge::Any || theirs == Edge::Any)
    })
}
