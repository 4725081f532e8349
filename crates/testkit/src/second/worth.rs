//! Majorities and values of areas with the expansions that change them, by the rule book.

use trencavel_tiles::{Kind, Mark};

use super::landscape::{Area, Landscape, Part};

/// A figure on a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Its kind, by the name it has in the notation.
    pub kind: String,
    /// Whose it is.
    pub seat: usize,
    /// Where it stands.
    pub on: Part,
}

/// What changes values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values {
    /// IC-35: whether inns count.
    pub inns: bool,
    /// IC-35: whether cathedrals count.
    pub cathedrals: bool,
    /// IC-33: whether inns and cathedrals are ignored in the final scoring.
    pub ignored_at_the_end: bool,
    /// TB-92: whether pig herds count.
    pub herds: bool,
    /// BA-33: whether a city on two tiles counts half.
    pub small_cities_count_half: bool,
}

/// SM-01 to SM-05: the strength of every seat on an area.
pub fn strengths(area: &Area, figures: &[Standing], seats: usize) -> Vec<u32> {
    let mut strengths = vec![0; seats];
    for figure in figures.iter().filter(|figure| area.has(figure.on)) {
        strengths[figure.seat] += match figure.kind.as_str() {
            "follower" | "phantom" | "abbot" | "wagon" => 1,
            "large" => 2,
            "mayor" => area.pennants,
            _ => 0,
        };
    }
    strengths
}

/// SM-08, SM-09: the seats with the most, if it is more than nothing.
pub fn owners(strengths: &[u32]) -> Vec<usize> {
    let most = strengths.iter().copied().max().unwrap_or(0);
    (0..strengths.len())
        .filter(|seat| most > 0 && strengths[*seat] == most)
        .collect()
}

/// SM-23 to SM-25, SM-34, SM-36, SM-58: what an area is worth to a seat, complete or in the final scoring. None for what has
/// a rule of its own.
pub fn value(
    landscape: &Landscape,
    area: &Area,
    seat: Option<usize>,
    figures: &[Standing],
    values: &Values,
) -> Option<i64> {
    let shows = |mark: Mark| {
        area.parts
            .iter()
            .any(|part| landscape.segment(*part).has(mark))
    };
    let (tiles, pennants) = (area.tiles as i64, i64::from(area.pennants));
    let complete = area.is_complete();
    let empty = |special: bool| special && !complete && !values.ignored_at_the_end;
    Some(match area.kind {
        Kind::Road => {
            let inn = values.inns && shows(Mark::Inn);
            match inn {
                _ if empty(inn) => 0,
                true if complete => 2 * tiles,
                _ => tiles,
            }
        }
        Kind::City => {
            let cathedral = values.cathedrals && shows(Mark::Cathedral);
            let each = match complete {
                _ if empty(cathedral) => 0,
                false => 1,
                true if tiles == 2 && values.small_cities_count_half => 1 + i64::from(cathedral),
                true => 2 + i64::from(cathedral),
            };
            each * (tiles + pennants)
        }
        Kind::Monastery | Kind::Garden => {
            let tile = area.parts.first().map_or(0, |part| part.tile);
            1 + landscape.neighbours(tile) as i64
        }
        Kind::Field => {
            let pig = figures.iter().any(|figure| {
                Some(figure.seat) == seat && figure.kind == "pig" && area.has(figure.on)
            });
            let herd = values.herds && shows(Mark::PigHerd);
            let each = 3 + i64::from(pig) + i64::from(herd);
            each * landscape.complete_cities(area).len() as i64
        }
        Kind::River => 0,
        Kind::Hut => return None,
    })
}
