//! A position as plain text: a small picture of the board for terminals, errors and scenarios.

use trencavel_rules::{FeatureKind, Place, Pos, Rules, SegId, Side, State};

/// Characters across a tile, with the border between tiles.
const WIDTH: usize = 8;
/// Lines of a tile, with the border.
const HEIGHT: usize = 4;

/// The board as text: roads `=`, cities `#`, rivers `~`, monasteries `M`, gardens `G`, huts `B`; figures as the first letter of
/// their kind and the number of their seat. Coordinates stand above and at the left.
pub fn board_text(rules: &Rules, state: &State) -> String {
    let Some((nw, se)) = state.board().extent() else {
        return String::new();
    };
    let columns = (i16::from(se.x) - i16::from(nw.x) + 1) as usize;
    let rows = (i16::from(se.y) - i16::from(nw.y) + 1) as usize;
    let mut grid = vec![vec![' '; columns * WIDTH]; rows * HEIGHT];
    for placed in state.board().tiles() {
        let (x, y) = (
            (i16::from(placed.pos.x) - i16::from(nw.x)) as usize,
            (i16::from(placed.pos.y) - i16::from(nw.y)) as usize,
        );
        let picture = tile_text(rules, state, placed.pos);
        for (line, text) in picture.iter().enumerate() {
            for (column, c) in text.chars().enumerate() {
                grid[y * HEIGHT + line][x * WIDTH + column] = c;
            }
        }
    }
    let mut out = String::from("     ");
    for x in 0..columns {
        out.push_str(&format!("{:<WIDTH$}", i16::from(nw.x) + x as i16));
    }
    out.push('\n');
    for (line, text) in grid.iter().enumerate() {
        let label = if line % HEIGHT == 1 {
            format!("{:>4}", i16::from(nw.y) + (line / HEIGHT) as i16)
        } else {
            "    ".into()
        };
        let text: String = text.iter().collect();
        out.push_str(format!("{label} {}", text.trim_end()).trim_end());
        out.push('\n');
    }
    out
}

fn letter(kind: FeatureKind) -> char {
    match kind {
        FeatureKind::Road => '=',
        FeatureKind::City => '#',
        FeatureKind::Field => '.',
        FeatureKind::River => '~',
        FeatureKind::Monastery => 'M',
        FeatureKind::Garden => 'G',
        FeatureKind::Hut => 'B',
    }
}

/// Three lines of seven characters.
fn tile_text(rules: &Rules, state: &State, pos: Pos) -> [String; 3] {
    let mut cells = [['.'; 7]; 3];
    let Some(slot) = state.board().tile_at(pos) else {
        return cells.map(|line| line.iter().collect());
    };
    let placed = state.board().tile(slot);
    let def = rules.tile(placed.kind);
    let at_side = |side: Side| {
        let bit = 1 << side.turned_back(placed.rotation).index();
        def.segments.iter().find(|s| s.sides & bit != 0)
    };
    let spots: [(Side, &[(usize, usize)]); 4] = [
        (Side::North, &[(0, 2), (0, 3), (0, 4)]),
        (Side::East, &[(1, 5), (1, 6)]),
        (Side::South, &[(2, 2), (2, 3), (2, 4)]),
        (Side::West, &[(1, 0), (1, 1)]),
    ];
    for (side, cells_of) in spots {
        let Some(segment) = at_side(side) else {
            continue;
        };
        let narrow = segment.kind != FeatureKind::City;
        for (i, (line, column)) in cells_of.iter().enumerate() {
            if !narrow || cells_of.len() == 2 || i == 1 {
                cells[*line][*column] = letter(segment.kind);
            }
        }
    }
    for segment in def.segments.iter() {
        let c = letter(segment.kind);
        match segment.kind {
            FeatureKind::Road | FeatureKind::City | FeatureKind::River
                if segment.sides.count_ones() > 1 =>
            {
                cells[1][2] = if segment.kind == FeatureKind::City {
                    c
                } else {
                    cells[1][2]
                };
                cells[1][4] = if segment.kind == FeatureKind::City {
                    c
                } else {
                    cells[1][4]
                };
                cells[1][3] = c;
            }
            FeatureKind::Monastery | FeatureKind::Garden | FeatureKind::Hut => cells[1][3] = c,
            _ => {}
        }
    }
    let mut column = 0;
    for piece in state.pieces().iter() {
        let here = match piece.spot.place {
            Place::Segment => state.board().tile_of(SegId(piece.spot.at)) == slot,
            Place::TowerTop | Place::Trap => piece.spot.at == slot.0,
            Place::Corner | Place::Prison => false,
        };
        if here && column < 6 {
            let kind = piece
                .kind
                .name()
                .chars()
                .next()
                .unwrap_or('?')
                .to_ascii_uppercase();
            cells[2][column] = kind;
            cells[2][column + 1] = char::from_digit(u32::from(piece.seat.0) + 1, 10).unwrap_or('?');
            column += 3;
        }
    }
    cells.map(|line| line.iter().collect())
}
