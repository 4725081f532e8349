//! What a person sees in the terminal: the board in colours, and the players.

mod players;

use std::collections::BTreeMap;
use std::fmt::Write as _;

pub(crate) use players::players;

use trencavel_art::Plan;
use trencavel_art::board::turn;
use trencavel_art::geometry::{Point, pt};
use trencavel_rules::{
    Choice, FeatureKind, Kind, Marks, Neutral, Pos, Rotation, Rules, Shown, Spot, State, Symbols,
    Target, TileDef, TileKind, TileSlot,
};

/// Characters across a tile.
const WIDTH: usize = 10;
/// Lines of a tile.
const HEIGHT: usize = 5;

/// Colours of the 256-colour table.
const FIELD: u8 = 107;
const ROAD: u8 = 223;
const CITY: u8 = 173;
const WALL: u8 = 95;
const RIVER: u8 = 74;
const STONE: u8 = 250;
const SEATS: [(u8, &str); 8] = [
    (160, "red"),
    (26, "blue"),
    (226, "yellow"),
    (28, "green"),
    (16, "black"),
    (212, "pink"),
    (231, "white"),
    (93, "violet"),
];

/// One character of the picture.
#[derive(Clone, Copy)]
struct Cell {
    char: char,
    fore: u8,
    back: Option<u8>,
    bold: bool,
}

const BLANK: Cell = Cell {
    char: ' ',
    fore: 0,
    back: None,
    bold: false,
};

/// A picture made of coloured characters.
struct Canvas {
    width: usize,
    cells: Vec<Cell>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            width,
            cells: vec![BLANK; width * height],
        }
    }

    fn at(&mut self, x: usize, y: usize) -> Option<&mut Cell> {
        let width = self.width;
        self.cells.get_mut(y * width + x).filter(|_| x < width)
    }

    fn write(&mut self, x: usize, y: usize, text: &str, fore: u8, bold: bool) {
        for (i, c) in text.chars().enumerate() {
            if let Some(cell) = self.at(x + i, y) {
                *cell = Cell {
                    char: c,
                    fore,
                    bold,
                    back: cell.back,
                };
            }
        }
    }

    /// Writes a number in brackets, on a line above or below if another stands in its way.
    fn label(&mut self, x: usize, y: usize, text: &str) {
        let is_free = |canvas: &mut Canvas, y: usize| {
            (0..text.len()).all(|i| {
                let cell = canvas.at(x + i, y);
                cell.is_some_and(|cell| !(cell.bold && cell.fore == 0))
            })
        };
        let lines = [Some(y), Some(y + 1), y.checked_sub(1)];
        let free = lines.into_iter().flatten().find(|y| is_free(self, *y));
        self.write(x, free.unwrap_or(y), text, 0, true);
    }

    /// The picture with colours, or without.
    fn text(&self, colours: bool) -> String {
        let mut out = String::new();
        for row in self.cells.chunks(self.width) {
            let mut line = String::new();
            for cell in row {
                if !colours {
                    line.push(cell.char);
                    continue;
                }
                match cell.back {
                    Some(back) => {
                        let bold = if cell.bold { "1;" } else { "" };
                        let _ = write!(
                            line,
                            "\x1b[{bold}38;5;{};48;5;{back}m{}",
                            cell.fore, cell.char
                        );
                    }
                    None if cell.char == ' ' => line.push_str("\x1b[0m "),
                    None => {
                        let _ = write!(line, "\x1b[0;1m{}", cell.char);
                    }
                }
            }
            if colours {
                line.push_str("\x1b[0m");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

/// The plans of tiles, made once for each kind.
#[derive(Default)]
pub(crate) struct Plans(BTreeMap<TileKind, Plan>);

impl Plans {
    fn get(&mut self, rules: &Rules, kind: TileKind) -> &Plan {
        self.0
            .entry(kind)
            .or_insert_with(|| Plan::new(rules.tile(kind)))
    }
}

fn turned_back(p: Point, rotation: Rotation) -> Point {
    turn(p, (4 - rotation.quarters()) & 3)
}

/// What the ground shows at a point of a turned tile.
fn ground(def: &TileDef, plan: &Plan, rotation: Rotation, p: Point) -> (char, u8, u8) {
    let p = turned_back(p, rotation);
    let shapes = || def.segments.iter().zip(&plan.segments);
    for (segment, shape) in shapes() {
        if segment.kind.is_surrounded() && shape.stand.distance(p) < 14.0 {
            let c = match segment.kind {
                FeatureKind::Garden => 'G',
                FeatureKind::Hut => 'B',
                _ => 'M',
            };
            return (c, 52, STONE);
        }
    }
    let covers = |kind: FeatureKind| {
        shapes().any(|(segment, shape)| {
            segment.kind == kind && shape.area.iter().any(|area| area.contains(p))
        })
    };
    let on_strip = |kind: FeatureKind, half: f32| {
        shapes().any(|(segment, shape)| {
            segment.kind == kind && shape.lines.iter().any(|line| line.distance(p) < half)
        })
    };
    if !plan.over.is_empty() && on_strip(FeatureKind::Road, 7.0) {
        return ('=', 94, ROAD);
    }
    if covers(FeatureKind::City) {
        let wall = shapes().any(|(s, shape)| {
            s.kind == FeatureKind::City && shape.lines.iter().any(|l| l.distance(p) < 5.0)
        });
        return (
            if wall { '#' } else { ' ' },
            52,
            if wall { WALL } else { CITY },
        );
    }
    if on_strip(FeatureKind::Road, 8.5) {
        return ('=', 94, ROAD);
    }
    if on_strip(FeatureKind::River, 9.0) {
        return ('~', 18, RIVER);
    }
    (' ', 22, FIELD)
}

/// Letters for what is printed on a tile.
fn signs(def: &TileDef) -> String {
    let mut signs = String::new();
    for (symbol, letter) in [
        (Symbols::VOLCANO, 'V'),
        (Symbols::DRAGON, 'D'),
        (Symbols::PORTAL, 'P'),
        (Symbols::TOWER, 'T'),
        (Symbols::FESTIVAL, 'F'),
        (Symbols::LAKE, 'L'),
        (Symbols::TREE, 'S'),
    ] {
        if def.symbols.has(symbol) {
            signs.push(letter);
        }
    }
    for segment in def.segments.iter() {
        for (mark, letter) in [
            (Marks::INN, 'i'),
            (Marks::CATHEDRAL, 'c'),
            (Marks::PRINCESS, 'p'),
            (Marks::WINE, 'w'),
            (Marks::GRAIN, 'g'),
            (Marks::CLOTH, 'k'),
            (Marks::PIG_HERD, 'h'),
        ] {
            if segment.marks.has(mark) {
                signs.push(letter);
            }
        }
        signs.extend(std::iter::repeat_n('+', usize::from(segment.pennants)));
    }
    signs
}

fn draw_tile(
    canvas: &mut Canvas,
    def: &TileDef,
    plan: &Plan,
    rotation: Rotation,
    x: usize,
    y: usize,
) {
    for line in 0..HEIGHT {
        for column in 0..WIDTH {
            let p = pt(
                (column as f32 + 0.5) * 100.0 / WIDTH as f32,
                (line as f32 + 0.5) * 100.0 / HEIGHT as f32,
            );
            let (char, fore, back) = ground(def, plan, rotation, p);
            if let Some(cell) = canvas.at(x + column, y + line) {
                *cell = Cell {
                    char,
                    fore,
                    back: Some(back),
                    bold: false,
                };
            }
        }
    }
    canvas.write(x + 1, y, &signs(def), 16, true);
    let (east, south) = (x + WIDTH - 2, y + HEIGHT - 1);
    let corners = [(x + 1, y), (east, y), (east, south), (x + 1, south)];
    // The signs turn with the tile (HP-07).
    for (sign, corner) in def
        .quadrants
        .iter()
        .flat_map(|quadrants| quadrants.0)
        .zip(0usize..)
    {
        let (x, y) = corners[(corner + usize::from(rotation.quarters())) & 3];
        canvas.write(x, y, quadrant_letter(sign), 16, true);
    }
}

const fn quadrant_letter(sign: FeatureKind) -> &'static str {
    match sign {
        FeatureKind::City => "C",
        FeatureKind::Road => "R",
        FeatureKind::Field => "F",
        _ => "M",
    }
}

/// A number to write on the board, and where.
pub(crate) struct Label {
    pub(crate) number: usize,
    pub(crate) at: Mark,
}

/// Where on the board a choice leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Square(Pos),
    Spot(Spot),
    Tile(TileSlot),
}

impl Mark {
    /// Where a choice leads; none if that is no place on the board.
    pub(crate) fn of(choice: &Choice) -> Option<Mark> {
        match choice.target {
            Target::Square(pos, _) => Some(Mark::Square(pos)),
            Target::Segment(seg) => Some(Mark::Spot(Spot::segment(seg))),
            Target::Corner(pos) => Some(Mark::Spot(Spot::corner(pos))),
            Target::Piece(piece) => Some(Mark::Spot(piece.spot)),
            Target::Tile(slot) => Some(Mark::Tile(slot)),
            Target::None | Target::Seat(_) | Target::Number(_) => None,
        }
    }
}

/// The board with figures and numbers.
pub(crate) fn board(
    rules: &Rules,
    state: &State,
    plans: &mut Plans,
    labels: &[Label],
    colours: bool,
) -> String {
    let board = state.board();
    let mut all: Vec<Pos> = board.tiles().iter().map(|tile| tile.pos).collect();
    all.extend(labels.iter().filter_map(|label| match label.at {
        Mark::Square(pos) => Some(pos),
        Mark::Spot(_) | Mark::Tile(_) => None,
    }));
    let (Some(west), Some(east)) = (all.iter().map(|p| p.x).min(), all.iter().map(|p| p.x).max())
    else {
        return String::new();
    };
    let (Some(north), Some(south)) = (all.iter().map(|p| p.y).min(), all.iter().map(|p| p.y).max())
    else {
        return String::new();
    };
    let span = |a: i8, b: i8| (i16::from(b) - i16::from(a) + 1) as usize;
    let (columns, rows) = (span(west, east), span(north, south));
    let mut canvas = Canvas::new(columns * WIDTH + 5, rows * HEIGHT + 1);
    let place = |pos: Pos| (span(west, pos.x) - 1, span(north, pos.y) - 1);
    for column in 0..columns {
        canvas.write(
            5 + column * WIDTH + 4,
            0,
            &(i16::from(west) + column as i16).to_string(),
            0,
            false,
        );
    }
    for row in 0..rows {
        canvas.write(
            0,
            1 + row * HEIGHT + 2,
            &format!("{:>4}", i16::from(north) + row as i16),
            0,
            false,
        );
    }
    for placed in board.tiles() {
        let (x, y) = place(placed.pos);
        let plan = plans.get(rules, placed.kind);
        draw_tile(
            &mut canvas,
            rules.tile(placed.kind),
            plan,
            placed.rotation,
            5 + x * WIDTH,
            1 + y * HEIGHT,
        );
    }
    // The character at which something on a spot stands.
    let stand = |plans: &mut Plans, spot: Spot| {
        let (pos, p) = standing(rules, state, plans, spot)?;
        let (x, y) = place(pos);
        let column = ((p.x / 100.0 * WIDTH as f32) as usize).clamp(1, WIDTH - 2);
        let line = ((p.y / 100.0 * HEIGHT as f32) as usize).min(HEIGHT - 1);
        Some((5 + x * WIDTH + column, 1 + y * HEIGHT + line))
    };
    for piece in state.pieces().iter() {
        let Some((column, line)) = stand(plans, piece.spot) else {
            continue;
        };
        let (colour, _) = SEATS[piece.seat.index() & 7];
        let fore = if matches!(colour, 226 | 231 | 212) {
            16
        } else {
            231
        };
        let letter = figure_letter(piece.kind);
        for (i, c) in [
            letter,
            char::from_digit(u32::from(piece.seat.0) + 1, 10).unwrap_or('?'),
        ]
        .into_iter()
        .enumerate()
        {
            if let Some(cell) = canvas.at(column - 1 + i, line) {
                *cell = Cell {
                    char: c,
                    fore,
                    back: Some(colour),
                    bold: true,
                };
            }
        }
    }
    for shown in rules.shown(state) {
        let (slot, text) = match shown {
            Shown::Neutral { neutral, slot, .. } => (slot, neutral_sign(neutral).to_string()),
            Shown::OnTile { slot, n, .. } => (slot, n.to_string()),
            _ => continue,
        };
        let (x, y) = place(board.tile(slot).pos);
        canvas.write(
            5 + x * WIDTH + WIDTH - 1 - text.chars().count(),
            1 + y * HEIGHT + HEIGHT - 1,
            &text,
            196,
            true,
        );
    }
    for label in labels {
        let text = format!("[{}]", label.number);
        let middle = |pos: Pos| {
            let (x, y) = place(pos);
            (5 + x * WIDTH + 4, 1 + y * HEIGHT + 2)
        };
        let at = match label.at {
            Mark::Square(pos) => Some(middle(pos)),
            Mark::Tile(slot) => Some(middle(board.tile(slot).pos)),
            Mark::Spot(spot) => stand(plans, spot),
        };
        if let Some((column, line)) = at {
            canvas.label(column - 1, line, &text);
        }
    }
    canvas.text(colours)
}

/// The square of a spot, and where on the tile something there stands.
fn standing(rules: &Rules, state: &State, plans: &mut Plans, spot: Spot) -> Option<(Pos, Point)> {
    let board = state.board();
    let pos = board.pos_of_spot(spot)?;
    let Some(seg) = spot.as_segment() else {
        return Some((pos, pt(50.0, 50.0)));
    };
    let placed = board.tile(board.tile_of(seg));
    let plan = plans.get(rules, placed.kind);
    let shape = plan.segments.get(usize::from(board.index_on_tile(seg)));
    let stand = shape.map_or(pt(50.0, 50.0), |shape| shape.stand);
    Some((pos, turn(stand, placed.rotation.quarters())))
}

/// A kind of tile, turned.
pub(crate) fn tile(
    rules: &Rules,
    kind: TileKind,
    rotations: &[Rotation],
    plans: &mut Plans,
    colours: bool,
) -> String {
    let mut canvas = Canvas::new(rotations.len() * (WIDTH + 4), HEIGHT);
    for (i, rotation) in rotations.iter().enumerate() {
        let plan = plans.get(rules, kind);
        draw_tile(
            &mut canvas,
            rules.tile(kind),
            plan,
            *rotation,
            i * (WIDTH + 4) + 2,
            0,
        );
    }
    canvas.text(colours)
}

const fn neutral_sign(neutral: Neutral) -> &'static str {
    match neutral {
        Neutral::Dragon => "<D",
        Neutral::Fairy => "*F",
    }
}

fn figure_letter(kind: Kind) -> char {
    match kind {
        Kind::Normal => 'f',
        Kind::Large => 'L',
        Kind::Phantom => 'p',
        Kind::Abbot => 'A',
        Kind::Wagon => 'W',
        Kind::Mayor => 'Y',
        Kind::Builder => 'b',
        Kind::Pig => 'g',
        Kind::Barn => 'N',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trencavel_rules::{Edition, Setup};

    /// Covers HP-07.
    #[test]
    fn the_signs_of_the_quadrants_turn_with_the_tile() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2).with("hungarian-promo")).unwrap();
        let kind = rules.kind_of("HP/RRrr").unwrap();
        let all = [0, 1, 2, 3].map(Rotation::from_quarters);
        let drawn = tile(&rules, kind, &all, &mut Plans::default(), false);
        let lines: Vec<Vec<char>> = drawn.lines().map(|line| line.chars().collect()).collect();
        for (i, signs) in ["CRFM", "MCRF", "FMCR", "RFMC"].into_iter().enumerate() {
            let (west, east) = (i * (WIDTH + 4) + 3, i * (WIDTH + 4) + WIDTH);
            let (north, south) = (&lines[0], &lines[HEIGHT - 1]);
            let seen: String = [north[west], north[east], south[east], south[west]]
                .iter()
                .collect();
            assert_eq!(seen, signs, "{drawn}");
        }
    }
}
