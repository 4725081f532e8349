//! The setup that a scenario says, with a bag of exactly the tiles that it names.

use std::borrow::Cow;

use trencavel_record::notation::{parse_rotation, parse_square};
use trencavel_rules::{
    Edition, Ext, FeatureKind, Marks, SegmentDef, Setup, StartTile, Symbols, TILES, TileDef,
    printed_set, printed_tile,
};

use super::Wrong;
use super::script::{Line, Part};

/// The id of the tile that only fills the bag: a field on all sides.
pub(super) const FILLER: &str = "filler";
/// How many of it are in the bag of a scenario that does not go to the end of the game.
const FILLERS: u8 = 30;

/// The setup of a run.
pub(super) fn setup_of(lines: &[&Line], pair: Option<&(String, String)>) -> Result<Setup, Wrong> {
    let mut setup = Setup::new(Edition::C2, 2);
    for line in lines.iter().filter(|line| line.keyword() == "setup") {
        for (n, part) in line.parts.iter().enumerate() {
            let part = if n == 0 { part.rest() } else { part.clone() };
            say(&part, &mut setup)?;
        }
    }
    if let Some((key, value)) = pair {
        setup = setup.option(key, value);
    }
    let resolve =
        |part: &Part, name: &str| resolve(&setup, name).map_err(|what| part.is_wrong(what));
    let mut start = Vec::new();
    for line in lines.iter().filter(|line| line.keyword() == "start") {
        for part in &line.parts {
            let words = part.words();
            let words = words.strip_prefix(&["start"]).unwrap_or(&words);
            let [name, pos, rotation] = words else {
                return Err(part.is_wrong("should be `start TILE x,y r0`"));
            };
            start.push(StartTile {
                id: resolve(part, name)?,
                pos: parse_square(pos).map_err(|error| part.is_wrong(error.to_string()))?,
                rotation: parse_rotation(rotation)
                    .map_err(|error| part.is_wrong(error.to_string()))?,
            });
        }
    }
    let bag = bag_of(lines, &resolve)?;
    setup.bag = bag;
    if !start.is_empty() {
        setup.start = Some(start);
    }
    setup.tiles.push(filler());
    Ok(setup)
}

/// One part of a `setup` line.
fn say(part: &Part, setup: &mut Setup) -> Result<(), Wrong> {
    let words = part.words();
    let number = |text: &str| {
        let n = text.parse::<u8>();
        n.map_err(|_| part.is_wrong(format!("`{text}` is no number")))
    };
    match words.as_slice() {
        [] => {}
        ["seats", n] => setup.seats = number(n)?,
        ["first", n] => setup.first = number(n)?.saturating_sub(1),
        ["with", slugs @ ..] => setup
            .expansions
            .extend(slugs.iter().map(|slug| slug.to_string())),
        ["option", pairs @ ..] => {
            for pair in pairs {
                let Some((key, value)) = pair.split_once('=') else {
                    return Err(part.is_wrong(format!("`{pair}` should be key=value")));
                };
                setup.options.retain(|(other, _)| other != key);
                setup.options.push((key.to_string(), value.to_string()));
            }
        }
        ["sets", pairs @ ..] => {
            for pair in pairs {
                let Some((id, n)) = pair.split_once('=') else {
                    return Err(part.is_wrong(format!("`{pair}` should be set=copies")));
                };
                setup.sets.push((id.to_string(), number(n)?));
            }
        }
        words => {
            for word in words {
                match (Edition::from_name(word), Ext::from_slug(word)) {
                    (Some(edition), _) => setup.edition = edition,
                    (None, Some(Ext::Base)) => {}
                    (None, Some(_)) => setup.expansions.push(word.to_string()),
                    (None, None) => {
                        let what = format!(
                            "`{word}` is no edition, no expansion, and none of seats, first, with, option, sets"
                        );
                        return Err(part.is_wrong(what));
                    }
                }
            }
        }
    }
    Ok(())
}

/// The tiles that the lines draw and those of `bag` lines; no bag at all for `bag full`.
fn bag_of(
    lines: &[&Line],
    resolve: &dyn Fn(&Part, &str) -> Result<String, Wrong>,
) -> Result<Option<Vec<(String, u8)>>, Wrong> {
    let mut bag: Vec<(String, u8)> = Vec::new();
    let mut add = |id: String, n: u8| match bag.iter_mut().find(|(other, _)| *other == id) {
        Some((_, count)) => *count = count.saturating_add(n),
        None => bag.push((id, n)),
    };
    let mut ends = None;
    let mut full = None;
    for line in lines {
        if line.keyword() == "end" {
            ends = Some(line.first());
        }
        for part in &line.parts {
            let words = part.words();
            let words = match words.as_slice() {
                [seat, rest @ ..] if seat.ends_with(':') => rest,
                words => words,
            };
            match words {
                ["bag", ..] if line.keyword() != "bag" => {}
                ["bag", "full"] => full = Some(part),
                ["bag", names @ ..] => {
                    for name in names {
                        let (name, n) = match name.split_once('*') {
                            Some((name, n)) => (name, n.parse::<u8>().ok()),
                            None => (*name, Some(1)),
                        };
                        let n = n.ok_or_else(|| part.is_wrong("should be `bag TILE TILE*3`"))?;
                        add(resolve(part, name)?, n);
                    }
                }
                ["lay", name, _, _] | ["draw", name] => add(resolve(part, name)?, 1),
                // The game must know the tile although it is not in the bag.
                ["place", name, _, _] | ["expect", "draw-impossible", name] => {
                    add(resolve(part, name)?, 0);
                }
                [name, _, _] if line.keyword() == "place" => add(resolve(part, name)?, 0),
                _ => {}
            }
        }
    }
    match (full, ends) {
        (Some(part), Some(_)) => {
            Err(part.is_wrong("`bag full` and `end` do not go together: the end would be far away"))
        }
        (Some(_), None) => Ok(None),
        (None, Some(_)) => Ok(Some(bag)),
        (None, None) => {
            add(FILLER.to_string(), FILLERS);
            Ok(Some(bag))
        }
    }
}

/// The id of a tile by its id or another name; of several with this name, one that is in the game's sets.
fn resolve(setup: &Setup, name: &str) -> Result<String, String> {
    if name == FILLER || printed_tile(name).is_some() {
        return Ok(name.to_string());
    }
    let named: Vec<&TileDef> = TILES
        .iter()
        .filter(|tile| tile.names.iter().any(|other| other == name))
        .collect();
    let in_game = |tile: &&&TileDef| {
        let edition = usize::from(setup.edition != Edition::C1);
        let used = Ext::ALL.iter().filter(|ext| {
            let slug = ext.expansion().slug;
            **ext == Ext::Base || setup.expansions.iter().any(|other| other == slug)
        });
        let mut sets = used.flat_map(|ext| ext.expansion().sets[edition]);
        sets.any(|id| {
            printed_set(id).is_some_and(|set| set.tiles.iter().any(|(other, _)| *other == tile.id))
        })
    };
    let mut best: Vec<&str> = named.iter().filter(in_game).map(|tile| &*tile.id).collect();
    if best.is_empty() {
        best = named.iter().map(|tile| &*tile.id).collect();
    }
    match best.as_slice() {
        [] => Err(format!("there is no tile `{name}`")),
        [id] => Ok(id.to_string()),
        several => Err(format!("`{name}` may be any of {}", several.join(", "))),
    }
}

fn filler() -> TileDef {
    let field = SegmentDef {
        kind: FeatureKind::Field,
        sides: 0,
        halves: 0xff,
        touches: 0,
        marks: Marks::NONE,
        pennants: 0,
        links: 0,
    };
    TileDef {
        id: Cow::Borrowed(FILLER),
        names: Cow::Borrowed(&[]),
        group: Cow::Borrowed(""),
        limit: u8::MAX,
        segments: Cow::Owned(vec![field]),
        symbols: Symbols::NONE,
        quadrants: None,
    }
}
