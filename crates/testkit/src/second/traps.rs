//! What the traps of the Russian promos must do, worked out a second time from the rule book over the drawn board.
//!
//! A position is a list of tiles and a list of figures, in plain numbers and words, and what happened is named by an index.
//! Every answer is found by walking the drawing again; nothing is remembered from one happening to the next.

use std::collections::{BTreeMap, VecDeque};

use trencavel_tiles::{Kind, Side, Symbol};

/// A road as it is drawn on an unturned tile.
#[derive(Clone, Debug)]
pub struct Road {
    /// The number of its segment on the tile.
    pub segment: usize,
    /// Whether it reaches the north, east, south and west side.
    pub sides: [bool; 4],
}

/// A tile on the table.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Squares to the east of the start tile.
    pub x: i32,
    /// Squares to the south of the start tile.
    pub y: i32,
    /// Quarter turns clockwise.
    pub turns: usize,
    /// Its roads.
    pub roads: Vec<Road>,
    /// The place in `roads` of the road that passes behind the tree.
    pub tree: Option<usize>,
    /// Whether the lake is on it.
    pub lake: bool,
}

impl Tile {
    /// A tile of a tile file, laid. The tree of RU/SR stands on its only road.
    pub fn drawn(tile: &trencavel_tiles::Tile, x: i32, y: i32, turns: usize) -> Tile {
        let sides = [Side::N, Side::E, Side::S, Side::W];
        let segments = tile.segments.iter().enumerate();
        let roads: Vec<Road> = segments
            .filter(|(_, segment)| segment.kind == Kind::Road)
            .map(|(number, segment)| Road {
                segment: number,
                sides: sides.map(|side| segment.sides.contains(side)),
            })
            .collect();
        let has_tree = tile.symbols.contains(&Symbol::Solovei) && !roads.is_empty();
        Tile {
            x,
            y,
            turns,
            roads,
            tree: has_tree.then_some(0),
            lake: tile.symbols.contains(&Symbol::Vodyanoy),
        }
    }
}

/// Where a figure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// On a segment of a tile.
    Segment {
        /// The tile.
        tile: usize,
        /// The number of the segment on the tile.
        segment: usize,
    },
    /// On top of the tower of a tile.
    Tower {
        /// The tile.
        tile: usize,
    },
    /// In the trap of a tile.
    Trap {
        /// The tile.
        tile: usize,
    },
    /// On no single tile, or not on the board.
    Elsewhere,
}

/// A figure of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Whose.
    pub owner: usize,
    /// What it is called.
    pub kind: String,
    /// Where it is.
    pub place: Where,
}

/// The options of the rule book that matter to traps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// `russian-trap-figures` = followers (RP-52, RP-86).
    pub followers_only: bool,
    /// `solovei-capture` = all (RP-56).
    pub whole_road: bool,
    /// `vodyanoy-penalty` = followers (RP-103).
    pub only_followers_cost: bool,
}

/// What happened, of the things that call for the procedure (RP-120).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Happening {
    /// This tile was laid.
    Laid(usize),
    /// This figure came to stand where it is.
    Came(usize),
}

/// The figures of the rule book by the traps that take them (RP-50, RP-81 to RP-83).
fn is_taken(kind: &str, by_tree: bool, options: Options) -> bool {
    match kind {
        "follower" | "large" | "phantom" | "wagon" => true,
        "abbot" | "mayor" => !by_tree,
        "builder" => !options.followers_only,
        "pig" => !by_tree && !options.followers_only,
        _ => false,
    }
}

/// Whether two squares touch by an edge or a corner (RP-04).
fn touch(a: &Tile, b: &Tile) -> bool {
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    dx <= 1 && dy <= 1 && dx + dy > 0
}

/// The distance from the tree of every road segment of the tree road, as (tile, place in `roads`), with one tile left out
/// of the drawing if wanted (RP-03, RP-05, RP-06).
fn distances(
    tiles: &[Tile],
    tree: usize,
    without: Option<usize>,
) -> BTreeMap<(usize, usize), usize> {
    const STEPS: [(i32, i32); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    let mut found = BTreeMap::new();
    let mut queue = VecDeque::new();
    if let Some(road) = tiles[tree].tree
        && without != Some(tree)
    {
        found.insert((tree, road), 0);
        queue.push_back((tree, road));
    }
    while let Some((tile, road)) = queue.pop_front() {
        let here = &tiles[tile];
        let distance = found[&(tile, road)];
        for (side, (dx, dy)) in STEPS.into_iter().enumerate() {
            if !here.roads[road].sides[(side + 4 - here.turns) % 4] {
                continue;
            }
            let beyond = (0..tiles.len()).find(|i| {
                Some(*i) != without && (tiles[*i].x, tiles[*i].y) == (here.x + dx, here.y + dy)
            });
            let Some(beyond) = beyond else { continue };
            let facing = (side + 2 + 4 - tiles[beyond].turns) % 4;
            let met =
                (0..tiles[beyond].roads.len()).find(|i| tiles[beyond].roads[*i].sides[facing]);
            if let Some(met) = met
                && !found.contains_key(&(beyond, met))
            {
                found.insert((beyond, met), distance + 1);
                queue.push_back((beyond, met));
            }
        }
    }
    found
}

/// The figures that stand on some of these road segments and that the tree takes, with their distances.
fn on_road(
    tiles: &[Tile],
    figures: &[Figure],
    road: &BTreeMap<(usize, usize), usize>,
    options: Options,
) -> Vec<(usize, usize)> {
    let mut there = Vec::new();
    for (i, figure) in figures.iter().enumerate() {
        if let Where::Segment { tile, segment } = figure.place
            && is_taken(&figure.kind, true, options)
            && let Some(place) = tiles[tile]
                .roads
                .iter()
                .position(|road| road.segment == segment)
            && let Some(distance) = road.get(&(tile, place))
        {
            there.push((i, *distance));
        }
    }
    there
}

/// Whether a lake takes a figure where it stands (RP-80 to RP-85).
fn lake_takes(tiles: &[Tile], lake: usize, figure: &Figure, options: Options) -> bool {
    let tile = match figure.place {
        Where::Segment { tile, .. } | Where::Tower { tile } => tile,
        Where::Trap { .. } | Where::Elsewhere => return false,
    };
    is_taken(&figure.kind, false, options) && touch(&tiles[lake], &tiles[tile])
}

/// The figures in the wrong place: beside a lake that should have taken them (RP-92).
pub fn left_beside_a_lake(tiles: &[Tile], figures: &[Figure], options: Options) -> Vec<usize> {
    let lakes: Vec<usize> = (0..tiles.len()).filter(|i| tiles[*i].lake).collect();
    let taken = |figure: &Figure| {
        lakes
            .iter()
            .any(|lake| lake_takes(tiles, *lake, figure, options))
    };
    (0..figures.len()).filter(|i| taken(&figures[*i])).collect()
}

/// Where every figure is after the traps have acted on what happened (RP-120 to RP-123).
pub fn after(
    tiles: &[Tile],
    figures: &[Figure],
    happening: Happening,
    options: Options,
) -> Vec<Figure> {
    let mut after = figures.to_vec();
    let lakes: Vec<usize> = (0..tiles.len()).filter(|i| tiles[*i].lake).collect();
    let trees: Vec<usize> = (0..tiles.len())
        .filter(|i| tiles[*i].tree.is_some())
        .collect();
    // RP-121: first the lake, when it is laid or when a figure comes. A tile laid beside it catches nothing.
    for lake in &lakes {
        if matches!(happening, Happening::Laid(tile) if tile != *lake) {
            continue;
        }
        for figure in &mut after {
            if lake_takes(tiles, *lake, figure, options) {
                figure.place = Where::Trap { tile: *lake };
            }
        }
    }
    // RP-122: then the tree, if this was a trigger and what caused it still stands on the road.
    for tree in &trees {
        let road = distances(tiles, *tree, None);
        let there = on_road(tiles, &after, &road, options);
        let triggered = match happening {
            Happening::Laid(tile) if tile == *tree => true,
            Happening::Laid(tile) => {
                let before = distances(tiles, *tree, Some(tile));
                let before = on_road(tiles, &after, &before, options);
                there
                    .iter()
                    .any(|(figure, _)| !before.iter().any(|(other, _)| other == figure))
            }
            Happening::Came(figure) => there.iter().any(|(other, _)| *other == figure),
        };
        let nearest = there.iter().map(|(_, distance)| *distance).min();
        for (figure, distance) in there {
            if triggered && (options.whole_road || Some(distance) == nearest) {
                after[figure].place = Where::Trap { tile: *tree };
            }
        }
    }
    // RP-123: a tree beside a lake keeps nobody.
    for lake in &lakes {
        for figure in &mut after {
            if let Where::Trap { tile } = figure.place
                && tiles[tile].tree.is_some()
                && touch(&tiles[*lake], &tiles[tile])
                && is_taken(&figure.kind, false, options)
            {
                figure.place = Where::Trap { tile: *lake };
            }
        }
    }
    after
}

/// The figures that a player may release: for each sort in a trap, one, if more are there than were caught in this turn part
/// (RP-110 to RP-114).
pub fn releasable(figures: &[Figure], caught_now: &[Figure], owner: usize) -> Vec<Figure> {
    let mut found: Vec<Figure> = Vec::new();
    for figure in figures {
        let alike = |list: &[Figure]| list.iter().filter(|other| *other == figure).count();
        if figure.owner == owner
            && matches!(figure.place, Where::Trap { .. })
            && alike(figures) > alike(caught_now)
            && !found.contains(figure)
        {
            found.push(figure.clone());
        }
    }
    found
}

/// What the lakes cost a player at the end (RP-102, RP-103).
pub fn penalty(tiles: &[Tile], figures: &[Figure], owner: usize, options: Options) -> i32 {
    let costs = |figure: &&Figure| {
        let free = options.only_followers_cost && matches!(figure.kind.as_str(), "builder" | "pig");
        matches!(figure.place, Where::Trap { tile } if tiles[tile].lake)
            && figure.owner == owner
            && !free
    };
    -2 * figures.iter().filter(costs).count() as i32
}
