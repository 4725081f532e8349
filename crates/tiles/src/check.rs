//! The checks of a tile: what is on the border, what lies beside what, and whether the marks agree with that.

use crate::border::{Half, Halves, Point, Side, Sides};
use crate::fault::{Fault, What};
use crate::file::{MAX_SEGMENTS, MAX_SYMBOLS};
use crate::plan::{Owner, Plan};
use crate::tile::{How, Kind, Mark, Segment, SegmentNo, Symbol, Tile};

impl Tile {
    /// Checks that the tile could be printed so: its border is covered exactly once, nothing crosses that does not pass over
    /// or under, and the fields touch the cities that they say.
    ///
    /// # Errors
    /// All the faults that were found; those of later checks only if the border is right.
    pub fn check(&self) -> Result<(), Vec<Fault>> {
        let mut checker = Checker {
            tile: self,
            faults: Vec::new(),
        };
        checker.sizes();
        if checker.faults.is_empty() {
            checker.border();
            checker.marks();
        }
        if checker.faults.is_empty() {
            let plan = Plan::new(self);
            checker.points(&plan);
            if checker.faults.is_empty() {
                checker.crossings(&plan);
            }
            if checker.faults.is_empty() {
                checker.touches(&plan);
                checker.enclosed(&plan);
                checker.links(&plan);
                checker.passing(&plan);
            }
        }
        if checker.faults.is_empty() {
            Ok(())
        } else {
            Err(checker.faults)
        }
    }
}

struct Checker<'a> {
    tile: &'a Tile,
    faults: Vec<Fault>,
}

impl Checker<'_> {
    fn fail(&mut self, no: SegmentNo, what: What) {
        self.faults.push(Fault::at(no, self.tile.text(no), what));
    }

    fn sizes(&mut self) {
        if self.tile.segments.len() > MAX_SEGMENTS {
            self.faults.push(Fault::of_tile(What::TooMany {
                of: "segments",
                limit: MAX_SEGMENTS,
            }));
        }
        if self.tile.symbols.len() > MAX_SYMBOLS {
            self.faults.push(Fault::of_tile(What::TooMany {
                of: "symbols",
                limit: MAX_SYMBOLS,
            }));
        }
        let mut seen: Vec<Symbol> = Vec::new();
        for symbol in &self.tile.symbols {
            if seen.contains(symbol) {
                self.faults
                    .push(Fault::of_tile(What::SymbolTwice(symbol.text())));
            }
            seen.push(*symbol);
        }
    }

    /// BA-15: each side is a city, or has a field half on the left and one on the right, with or without a road or
    /// river between them.
    fn border(&mut self) {
        let tile = self.tile;
        if tile.fits_anything {
            let has_border = tile
                .segments
                .iter()
                .any(|segment| !segment.is_inner() || !segment.to.is_empty());
            if has_border || !tile.wall.is_empty() {
                self.faults
                    .push(Fault::of_tile(What::FitsAnythingWithBorder));
            }
            return;
        }
        let mut sides = Sides::EMPTY;
        let mut city_sides = Sides::EMPTY;
        let mut halves = tile.wall;
        for (no, segment) in tile.numbered() {
            let is_right = match segment.kind {
                Kind::City | Kind::Road | Kind::River => {
                    segment.halves.is_empty() && !segment.sides.is_empty()
                }
                Kind::Field => segment.sides.is_empty() && segment.to.is_empty(),
                Kind::Monastery | Kind::Garden | Kind::Hut => {
                    segment.is_inner() && segment.to.is_empty()
                }
            };
            if !is_right {
                self.fail(no, What::WrongPlaces(segment.kind));
            }
            for side in segment.sides.iter() {
                if !sides.insert(side) {
                    self.fail(no, What::SideTwice(side));
                }
                if segment.kind == Kind::City {
                    city_sides.insert(side);
                }
            }
            for half in segment.halves.iter() {
                if !halves.insert(half) {
                    self.fail(no, What::HalfTwice(half));
                }
            }
        }
        self.halves(city_sides, halves);
        for side in Side::ALL.iter().filter(|side| sides.contains(**side)) {
            let walled = side.halves().iter().all(|half| tile.wall.contains(*half));
            if let Some(no) = tile.on_side(*side).filter(|_| walled) {
                self.fail(no, What::SideTwice(*side));
            }
        }
    }

    fn halves(&mut self, city_sides: Sides, covered: Halves) {
        for half in Half::ALL.iter().copied() {
            let is_covered = covered.contains(half);
            let is_city = city_sides.contains(half.side());
            if is_city && is_covered {
                let what = What::HalfOfCitySide(half);
                match self.tile.on_half(half) {
                    Some(no) => self.fail(no, what),
                    None => self.faults.push(Fault::of_tile(what)),
                }
            }
            if !is_city && !is_covered {
                self.faults.push(Fault::of_tile(What::HalfFree(half)));
            }
        }
    }

    /// Marks are on the right kind of segment, and those about sides agree with them.
    fn marks(&mut self) {
        for (no, segment) in self.tile.numbered() {
            for mark in &segment.marks {
                let agrees = mark.on() == segment.kind
                    && match mark {
                        Mark::NoCastle => segment.sides.len() == 1,
                        Mark::Shares(side) => self.tile.on_side(*side).is_some_and(|other| {
                            other != no && self.kind(other) == Some(Kind::City)
                        }),
                        Mark::Pennants(n) => *n > 0,
                        Mark::Cathedral
                        | Mark::Wine
                        | Mark::Grain
                        | Mark::Cloth
                        | Mark::Princess
                        | Mark::Besieged
                        | Mark::Darmstadtium
                        | Mark::Inn
                        | Mark::Tunnel
                        | Mark::Labyrinth
                        | Mark::PigHerd
                        | Mark::Shrine
                        | Mark::Special
                        | Mark::Church => true,
                    };
                if !agrees {
                    self.fail(no, What::MarkAgainstSides(mark.text()));
                }
            }
        }
    }

    fn kind(&self, no: SegmentNo) -> Option<Kind> {
        self.tile.segment(no).map(|segment| segment.kind)
    }

    /// A city comes to a point of the border just where two fields would meet there.
    fn points(&mut self, plan: &Plan) {
        let mut taken = Vec::new();
        for (no, segment) in self.tile.numbered() {
            for point in segment.to.iter() {
                if taken.contains(&point)
                    || point
                        .side()
                        .is_some_and(|side| self.tile.on_side(side).is_some())
                {
                    self.fail(no, What::PointTaken(point));
                } else if !self.parts_fields(point) {
                    self.fail(no, What::PartsNothing(point));
                }
                taken.push(point);
            }
        }
        for (a, b, point) in plan.borders() {
            let (Owner::Segment(a, _), Owner::Segment(b, _)) = (a, b) else {
                continue;
            };
            if self.kind(a) == Some(Kind::Field) && self.kind(b) == Some(Kind::Field) {
                self.fail(b, What::FieldsMeet(point));
            }
        }
    }

    /// Whether two different segments meet at the point, one of them a field.
    fn parts_fields(&self, point: Point) -> bool {
        let [before, after] = match point {
            Point::N => [Half::NL, Half::NR],
            Point::NE => [Half::NR, Half::EL],
            Point::E => [Half::EL, Half::ER],
            Point::SE => [Half::ER, Half::SL],
            Point::S => [Half::SL, Half::SR],
            Point::SW => [Half::SR, Half::WL],
            Point::W => [Half::WL, Half::WR],
            Point::NW => [Half::WR, Half::NL],
        };
        let (before, after) = (self.tile.on_half(before), self.tile.on_half(after));
        before != after && (before.is_some() || after.is_some())
    }

    fn crossings(&mut self, plan: &Plan) {
        for (a, b) in plan.crossings(false) {
            self.fail(b, What::Crosses(self.tile.text(a)));
        }
    }

    /// BA-44: a field touches the cities that it lies beside, and those that the file says it reaches otherwise.
    fn touches(&mut self, plan: &Plan) {
        for (no, field) in self.tile.numbered() {
            let mut named = Vec::new();
            for touch in &field.touches {
                if field.kind != Kind::Field || self.kind(touch.city) != Some(Kind::City) {
                    self.fail(no, What::NotACity(touch.city));
                    continue;
                }
                if named.contains(&touch.city) {
                    let side = self
                        .tile
                        .segment(touch.city)
                        .and_then(|city| city.sides.iter().next());
                    self.fail(no, What::CityTwice(side.unwrap_or(Side::N)));
                }
                named.push(touch.city);
                if field.is_inner() {
                    continue;
                }
                let is_beside = plan.are_beside(no, touch.city);
                let city = self.tile.text(touch.city);
                match touch.how {
                    How::Beside if !is_beside => self.fail(no, What::NotBeside(city)),
                    How::Inside | How::Across if is_beside => {
                        self.fail(no, What::ReachesBeside(city))
                    }
                    How::Inside => match self.way(plan, no, touch.city) {
                        Way::Free => {}
                        Way::CutOff => self.fail(no, What::CutOff(city)),
                        Way::Crossed => self.fail(no, What::WaysCross(city)),
                    },
                    How::Across
                        if self
                            .tile
                            .segment(touch.city)
                            .is_some_and(|city| city.passes.is_none()) =>
                    {
                        self.fail(no, What::AcrossNothing(city));
                    }
                    How::Beside | How::Across => {}
                }
            }
            if field.kind == Kind::Field {
                for (city, segment) in self.tile.numbered() {
                    if segment.kind == Kind::City
                        && plan.are_beside(no, city)
                        && !named.contains(&city)
                    {
                        self.fail(no, What::Untold(self.tile.text(city)));
                    }
                }
            }
        }
    }

    /// Whether a field can reach a city through the middle of a place.
    fn way(&self, plan: &Plan, field: SegmentNo, city: SegmentNo) -> Way {
        let mut way = Way::CutOff;
        for ring in &plan.places {
            let place_of = |no: SegmentNo| ring.iter().position(|member| *member == no);
            let (Some(from), Some(to)) = (place_of(field), place_of(city)) else {
                continue;
            };
            let lies_between = |at: usize| from.min(to) < at && at < from.max(to);
            let is_crossed = |ends: &[usize]| {
                let free: Vec<bool> = ends
                    .iter()
                    .filter(|at| **at != from && **at != to)
                    .map(|at| lies_between(*at))
                    .collect();
                free.contains(&true) && free.contains(&false)
            };
            let crosses_touch = self.tile.numbered().any(|(other, segment)| {
                let reached = segment
                    .touches
                    .iter()
                    .filter(|touch| touch.how == How::Inside);
                let ends =
                    reached.filter_map(|touch| Some([place_of(other)?, place_of(touch.city)?]));
                ends.into_iter()
                    .any(|ends| !ends.contains(&from) && !ends.contains(&to) && is_crossed(&ends))
            });
            let crosses_link = ('a'..='z').any(|letter| {
                let linked = self
                    .tile
                    .numbered()
                    .filter(|(_, segment)| segment.links.contains(&letter));
                let ends: Vec<usize> = linked.filter_map(|(other, _)| place_of(other)).collect();
                !ends.contains(&to) && is_crossed(&ends)
            });
            if !crosses_touch && !crosses_link {
                return Way::Free;
            }
            way = Way::Crossed;
        }
        way
    }

    /// Each enclosed field fills a place of its own, surrounded by just the cities that it touches.
    fn enclosed(&mut self, plan: &Plan) {
        let mut places: Vec<Vec<SegmentNo>> = plan.places.clone();
        for place in &mut places {
            place.retain(|no| self.kind(*no) == Some(Kind::City));
            place.sort_unstable();
            place.dedup();
        }
        for (no, field) in self.tile.numbered() {
            if field.kind != Kind::Field || !field.is_inner() {
                continue;
            }
            let mut cities: Vec<SegmentNo> = field.touches.iter().map(|touch| touch.city).collect();
            cities.sort_unstable();
            let place = places.iter().position(|place| *place == cities);
            match place.filter(|_| !cities.is_empty()) {
                Some(place) => drop(places.swap_remove(place)),
                None => self.fail(no, What::NotEnclosed),
            }
        }
    }

    /// AM-44: segments that share a letter are connected, so they come together in one place, or in a building.
    fn links(&mut self, plan: &Plan) {
        let has_links =
            |kind| matches!(kind, Kind::City | Kind::Road | Kind::Monastery | Kind::Hut);
        for (no, segment) in self.tile.numbered() {
            if !segment.links.is_empty() && !has_links(segment.kind) {
                self.fail(no, What::NoLinks(segment.kind));
                continue;
            }
            for letter in segment.links.iter().copied() {
                let others: Vec<(SegmentNo, &Segment)> = self
                    .tile
                    .numbered()
                    .filter(|(other, s)| *other != no && s.links.contains(&letter))
                    .collect();
                if others.is_empty() {
                    self.fail(no, What::LonelyLink(letter));
                }
                let is_free = |s: &Segment| s.is_inner() || s.passes.is_some();
                let is_cut_off = others.iter().any(|(other, s)| {
                    let share = |ring: &Vec<SegmentNo>| ring.contains(&no) && ring.contains(other);
                    !is_free(s) && !is_free(segment) && !plan.places.iter().any(share)
                });
                if is_cut_off {
                    self.fail(no, What::LinkCutOff(letter));
                }
            }
        }
    }

    /// What passes over or under crosses something, or comes to a field or a linked segment across something.
    fn passing(&mut self, plan: &Plan) {
        let crossings = plan.crossings(true);
        for (no, segment) in self.tile.numbered() {
            if segment.passes.is_none() {
                continue;
            }
            let crosses =
                plan.n_arcs(no) > 1 && crossings.iter().any(|(a, b)| *a == no || *b == no);
            let comes_across = |field: &Segment| {
                field
                    .touches
                    .iter()
                    .any(|t| t.city == no && t.how == How::Across)
            };
            let is_linked_beyond = |(other, s): (SegmentNo, &Segment)| {
                let share = |ring: &Vec<SegmentNo>| ring.contains(&no) && ring.contains(&other);
                let is_linked = segment.links.iter().any(|letter| s.links.contains(letter));
                other != no && is_linked && !s.is_inner() && !plan.places.iter().any(share)
            };
            let is_bridge = crosses
                || self.tile.segments.iter().any(comes_across)
                || self.tile.numbered().any(is_linked_beyond);
            if !is_bridge {
                self.fail(no, What::CrossesNothing);
            }
        }
    }
}

enum Way {
    Free,
    CutOff,
    Crossed,
}
