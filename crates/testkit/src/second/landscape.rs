//! Tiles on squares, and the areas that their parts form, found by flood fill.

use std::collections::{BTreeMap, BTreeSet};

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
    pub parts: BTreeSet<Part>,
    /// Ends that lead to an empty square; of a building inside a tile, empty squares round it.
    pub open: usize,
    /// How many tiles it lies on.
    pub tiles: usize,
    /// Pennants.
    pub pennants: u32,
}

impl Area {
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

/// Everything that lies on the table.
#[derive(Clone, Debug, Default)]
pub struct Landscape {
    lying: Vec<Lying>,
    by_square: BTreeMap<(i32, i32), usize>,
}

impl Landscape {
    /// Nothing lies there.
    pub fn new() -> Landscape {
        Landscape::default()
    }

    /// Lays a tile, whether or not it fits.
    pub fn lay(&mut self, tile: &'static Tile, x: i32, y: i32, quarters: usize) {
        self.by_square.insert((x, y), self.lying.len());
        self.lying.push(Lying {
            tile,
            x,
            y,
            quarters,
        });
    }

    /// The tiles in the order of laying.
    pub fn lying(&self) -> &[Lying] {
        &self.lying
    }

    /// The number of the tile on a square.
    pub fn at(&self, x: i32, y: i32) -> Option<usize> {
        self.by_square.get(&(x, y)).copied()
    }

    /// Every square and rotation at which a tile's edges match all neighbours, of which there is one at least.
    pub fn places(&self, tile: &Tile) -> BTreeSet<(i32, i32, usize)> {
        let mut places = BTreeSet::new();
        for lying in &self.lying {
            for (dx, dy) in OUT {
                let (x, y) = (lying.x + dx, lying.y + dy);
                if self.at(x, y).is_some() {
                    continue;
                }
                for quarters in 0..4 {
                    if self.matches(tile, x, y, quarters) {
                        places.insert((x, y, quarters));
                    }
                }
            }
        }
        places
    }

    fn matches(&self, tile: &Tile, x: i32, y: i32, quarters: usize) -> bool {
        (0..4).all(|side| {
            let (dx, dy) = OUT[side];
            match self.at(x + dx, y + dy) {
                None => true,
                Some(other) => {
                    let other = &self.lying[other];
                    let mine = edge(tile, quarters, side);
                    let theirs = edge(other.tile, other.quarters, (side + 2) % 4);
                    mine == theirs || mine == Edge::Any || theirs == Edge::Any
                }
            }
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

    /// All areas, each found by walking from its first part.
    pub fn areas(&self) -> Vec<Area> {
        let mut seen = BTreeSet::new();
        let mut areas = Vec::new();
        for (tile, lying) in self.lying.iter().enumerate() {
            for segment in 0..lying.tile.segments.len() {
                let part = Part { tile, segment };
                if !seen.contains(&part) {
                    let area = self.area(part);
                    seen.extend(area.parts.iter().copied());
                    areas.push(area);
                }
            }
        }
        areas
    }

    /// The area of one part.
    pub fn area(&self, start: Part) -> Area {
        let kind = self.kind(start);
        let mut parts = BTreeSet::from([start]);
        let mut to_visit = vec![start];
        let mut open = 0;
        while let Some(part) = to_visit.pop() {
            for (out, next) in self.exits(part) {
                match next {
                    Some(next) if parts.insert(next) => to_visit.push(next),
                    Some(_) => {}
                    None if self.at(out.0, out.1).is_none() && kind != Kind::Field => open += 1,
                    None => {}
                }
            }
        }
        if is_building(kind) {
            open = 8 - self.neighbours(start.tile);
        }
        let on: BTreeSet<usize> = parts.iter().map(|part| part.tile).collect();
        let pennants = parts
            .iter()
            .map(|part| u32::from(self.segment(*part).pennants()));
        Area {
            kind,
            pennants: pennants.sum(),
            open,
            tiles: on.len(),
            parts,
        }
    }

    /// Every side (or half of a side) that a part reaches: the square beyond, and the part there that continues it.
    fn exits(&self, part: Part) -> Vec<((i32, i32), Option<Part>)> {
        let lying = &self.lying[part.tile];
        let segment = &lying.tile.segments[part.segment];
        let mut exits = Vec::new();
        for side in segment.sides.iter() {
            let side = (side as usize + lying.quarters) % 4;
            let square = (lying.x + OUT[side].0, lying.y + OUT[side].1);
            let next = self.meets(part, square, |other| {
                let back = (side + 2 + 4 - other.quarters) % 4;
                let reaches = |sides: trencavel_tiles::Sides| sides.contains(Side::ALL[back]);
                other.tile.segments.iter().position(|s| reaches(s.sides))
            });
            exits.push((square, next));
        }
        for half in segment.halves.iter() {
            let half = (half as usize + 2 * lying.quarters) % 8;
            let side = half / 2;
            let square = (lying.x + OUT[side].0, lying.y + OUT[side].1);
            let next = self.meets(part, square, |other| {
                // The left half of a side lies against the right half of the side that faces it.
                let facing = (half + 4) % 8;
                let facing = if facing % 2 == 0 {
                    facing + 1
                } else {
                    facing - 1
                };
                let back = (facing + 8 - 2 * other.quarters) % 8;
                let reaches = |halves: trencavel_tiles::Halves| halves.contains(Half::ALL[back]);
                other.tile.segments.iter().position(|s| reaches(s.halves))
            });
            exits.push((square, next));
        }
        exits
    }

    /// The part of the tile on a square that a way of looking finds there; none if either tile joins nothing.
    fn meets(
        &self,
        part: Part,
        (x, y): (i32, i32),
        look: impl Fn(&Lying) -> Option<usize>,
    ) -> Option<Part> {
        let tile = self.at(x, y)?;
        let other = &self.lying[tile];
        if other.tile.fits_anything || self.lying[part.tile].tile.fits_anything {
            return None;
        }
        Some(Part {
            tile,
            segment: look(other)?,
        })
    }

    /// What is printed at a part.
    pub fn segment(&self, part: Part) -> &trencavel_tiles::Segment {
        &self.lying[part.tile].tile.segments[part.segment]
    }

    /// The kind of a part.
    pub fn kind(&self, part: Part) -> Kind {
        self.segment(part).kind
    }

    /// The complete cities that a field touches, each once, as their first parts.
    pub fn complete_cities(&self, field: &Area) -> BTreeSet<Part> {
        let mut cities = BTreeSet::new();
        for part in &field.parts {
            for touch in &self.segment(*part).touches {
                let city = self.area(Part {
                    tile: part.tile,
                    segment: usize::from(touch.city.0),
                });
                if city.is_complete() {
                    cities.extend(city.parts.first());
                }
            }
        }
        cities
    }
}

/// The edge that a turned tile shows on a side.
fn edge(tile: &Tile, quarters: usize, side: usize) -> Edge {
    tile.edge(Side::ALL[(side + 4 - quarters) % 4])
}
