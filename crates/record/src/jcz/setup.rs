//! What the players of a `.jcz` game chose, in our words. `docs/jcz.md` shows the tables to people.

use super::error::{JczError, JczProblem};
use super::file::{Action, JczFile, JczSetup};
use crate::clip;
use trencavel_rules::{Edition, Ext, Rules, Setup, StartTile, printed_set, printed_tile};

/// What is done with keys and sets that mean nothing to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// They are errors.
    Strict,
    /// They are left out, with a warning.
    Lenient,
}

/// A setup in our words, and what was left out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translated {
    /// The setup.
    pub setup: Setup,
    /// What was left out; nothing when strict.
    pub warnings: Vec<JczError>,
}

/// What an element of the format is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// So many pieces: the option of the same name of this expansion.
    Count(&'static str),
    /// Something that acts or not: the option of the same name of this expansion.
    Switch(&'static str),
    /// A part of this expansion that we only have as a whole, with these other elements.
    PartOf(&'static str, &'static [&'static str]),
    /// It acts whenever tiles with it are in the game.
    WithTiles,
    /// Something that acts or not: the option of the same name of this expansion, whichever expansion the tiles are of.
    /// Without its tiles the expansion does nothing else.
    Shared(&'static str),
    /// Of an expansion that the engine does not have.
    Elsewhere(&'static str),
}

/// Every element of the format.
pub const ELEMENTS: &[(&str, Element)] = &[
    ("small-follower", Element::Count("base")),
    ("farmers", Element::Switch("base")),
    ("garden", Element::Switch("abbot")),
    ("abbot", Element::Count("abbot")),
    ("river", Element::WithTiles),
    ("big-follower", Element::Count("inns-and-cathedrals")),
    ("inn", Element::Switch("inns-and-cathedrals")),
    ("cathedral", Element::Switch("inns-and-cathedrals")),
    ("traders", Element::Switch("traders-and-builders")),
    ("builder", Element::Count("traders-and-builders")),
    ("pig", Element::Count("traders-and-builders")),
    ("pig-herd", Element::Shared("river")),
    ("dragon", Element::Switch("princess-and-dragon")),
    ("fairy", Element::Switch("princess-and-dragon")),
    ("princess", Element::Switch("princess-and-dragon")),
    ("portal", Element::Switch("princess-and-dragon")),
    ("tower", Element::Switch("tower")),
    ("black-tower", Element::Elsewhere("black-tower")),
    ("abbey", Element::Count("abbey-and-mayor")),
    ("mayor", Element::Count("abbey-and-mayor")),
    ("wagon", Element::Count("abbey-and-mayor")),
    ("barn", Element::Count("abbey-and-mayor")),
    ("phantom", Element::Count("phantom")),
    ("festival", Element::Count("festival")),
    ("yaga", Element::PartOf("russian-promos", &["russian-trap"])),
    ("russian-trap", Element::PartOf("russian-promos", &["yaga"])),
    ("count", Element::Elsewhere("count-of-carcassonne")),
    ("king", Element::Elsewhere("king-and-robber")),
    ("robber", Element::Elsewhere("king-and-robber")),
    ("shrine", Element::Elsewhere("cult")),
    ("siege", Element::Elsewhere("siege")),
    ("escape", Element::Elsewhere("siege")),
    ("bridge", Element::Elsewhere("bridges-castles-bazaars")),
    ("castle", Element::Elsewhere("bridges-castles-bazaars")),
    ("bazaar", Element::Elsewhere("bridges-castles-bazaars")),
    ("hill", Element::Elsewhere("hills-and-sheep")),
    ("vineyard", Element::Elsewhere("hills-and-sheep")),
    ("shepherd", Element::Elsewhere("hills-and-sheep")),
    ("big-top", Element::Elsewhere("under-the-big-top")),
    ("acrobats", Element::Elsewhere("under-the-big-top")),
    ("ringmaster", Element::Elsewhere("under-the-big-top")),
    ("flier", Element::Elsewhere("flying-machines")),
    ("ferry", Element::Elsewhere("ferries")),
    ("gold", Element::Elsewhere("goldmines")),
    ("mage", Element::Elsewhere("mage-and-witch")),
    ("witch", Element::Elsewhere("mage-and-witch")),
    ("corn-circle", Element::Elsewhere("crop-circles")),
    ("little-buildings", Element::Elsewhere("little-buildings")),
    ("wind-rose", Element::Elsewhere("wind-roses")),
    ("tunnel", Element::Elsewhere("tunnel")),
    ("labyrinth", Element::Elsewhere("labyrinth")),
    ("monastery", Element::Elsewhere("monasteries")),
    ("church", Element::Elsewhere("darmstadt")),
    ("watchtower", Element::Elsewhere("watchtowers")),
    ("robbers-son", Element::Elsewhere("robbers-son")),
    ("meteorite", Element::Elsewhere("meteorite")),
];

/// A rule of the format: the option of the same name, of this expansion; the values, the one that is meant when the file
/// says nothing first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleKey {
    /// The key.
    pub key: &'static str,
    /// The expansion.
    pub slug: &'static str,
    /// The values.
    pub values: &'static [&'static str],
}

const fn rule(key: &'static str, slug: &'static str, values: &'static [&'static str]) -> RuleKey {
    RuleKey { key, slug, values }
}

/// Every rule of the format.
pub const RULES: &[RuleKey] = &[
    rule("tiny-city-scoring", "base", &["4", "2"]),
    rule(
        "inn-and-cathedral-final-scoring",
        "inns-and-cathedrals",
        &["zero", "ignore"],
    ),
    rule("princess-action", "princess-and-dragon", &["may", "must"]),
    rule(
        "fairy-placement",
        "princess-and-dragon",
        &["next-follower", "on-tile"],
    ),
    rule(
        "dragon-move",
        "princess-and-dragon",
        &["before-scoring", "after-scoring"],
    ),
    rule(
        "barn-placement",
        "abbey-and-mayor",
        &["not-occupied", "occupied"],
    ),
    rule("wagon-move", "abbey-and-mayor", &["C2", "C1"]),
    rule("festival-return", "festival", &["meeple", "follower"]),
    rule(
        "bazaar-no-auction",
        "bridges-castles-bazaars",
        &["false", "true"],
    ),
    rule(
        "hill-tiebreaker",
        "hills-and-sheep",
        &["at-least-one-follower", "number-of-followers"],
    ),
    rule(
        "vineyards-for-garden",
        "hills-and-sheep",
        &["false", "true"],
    ),
    rule("espace-variant", "siege", &["any-tile", "siege-tile"]),
    rule("tunnelize-other-expansions", "tunnel", &["true", "false"]),
    rule("more-tunnel-tokens", "tunnel", &["3/2", "2/1", "1/1"]),
    rule("keep-monasteries", "monasteries", &["replace", "keep"]),
    rule("labyrinth-variant", "labyrinth", &["advanced", "basic"]),
    rule(
        "coc-final-scoring",
        "count-of-carcassonne",
        &["market-only", "any-district"],
    ),
    rule(
        "count-move",
        "count-of-carcassonne",
        &["by-player", "clockwise", "follow-meeple"],
    ),
    rule(
        "little-buildings-scoring",
        "little-buildings",
        &["3/2/1", "1/1/1"],
    ),
    rule(
        "king-and-robber-scoring",
        "king-and-robber",
        &["default", "10/20", "15/40", "continuously"],
    ),
    rule("robbers-son-action", "robbers-son", &["may", "must"]),
    rule("meteorite-impact", "meteorite", &["standard"]),
];

/// Every tile set of the format, without its edition, and the expansion whose rules say what is on its tiles.
pub const SETS: &[(&str, &str)] = &[
    ("basic", "base"),
    ("winter", "winter-edition"),
    ("inns-and-cathedrals", "inns-and-cathedrals"),
    ("traders-and-builders", "traders-and-builders"),
    ("princess-and-dragon", "princess-and-dragon"),
    ("tower", "tower"),
    ("abbey-and-mayor", "abbey-and-mayor"),
    ("bridges-castles-and-bazaars", "bridges-castles-bazaars"),
    ("hills-and-sheep", "hills-and-sheep"),
    ("under-the-big-top", "under-the-big-top"),
    ("under-the-big-top-c1", "under-the-big-top"),
    ("king-and-robber", "king-and-robber"),
    ("river/1", "river"),
    ("river/2", "river"),
    ("siege/cathars", "siege"),
    ("siege/besiegers", "siege"),
    ("count", "count-of-carcassonne"),
    ("gq11", "gq11"),
    ("gq11/river", "gq11"),
    ("cult/5", "cult"),
    ("cult/6", "cult"),
    ("tunnel", "tunnel"),
    ("corn-circles/1", "crop-circles"),
    ("corn-circles/2", "crop-circles"),
    ("festival", "festival"),
    ("wind-roses", "wind-roses"),
    ("monasteries", "monasteries"),
    ("flier", "flying-machines"),
    ("ferries", "ferries"),
    ("goldmines", "goldmines"),
    ("mage-and-witch", "mage-and-witch"),
    ("watchtowers", "watchtowers"),
    ("russian-promos/2013", "russian-promos"),
    ("russian-promos/2016", "russian-promos"),
    ("labyrinth", "labyrinth"),
    ("darmstadt", "darmstadt"),
    ("spiel-doch", "spiel-promos"),
];

impl JczSetup {
    /// Version 5 knew one edition and did not name it: its sets are those of the first.
    pub(crate) fn name_editions(&mut self) {
        for entry in &mut self.sets {
            let known = SETS.iter().any(|(set, _)| *set == entry.key);
            let first = format!("{}:1", entry.key);
            if known && printed_set(&entry.key).is_none() && printed_set(&first).is_some() {
                entry.key = first;
            }
        }
    }
}

/// The profile `jcz`: values of our options that are that engine's readings where its files say nothing.
pub const PROFILE: &[(&str, &str, &str)] = &[
    ("base", "field-scoring", "3"),
    ("base", "unplaceable-tile", "discard"),
    ("base", "unused-start-tile", "bag"),
    ("base", "score-floor", "none"),
    ("river", "river-placement", "strict"),
    ("river", "river-volcano-turn", "normal"),
    ("traders-and-builders", "builder-double-turn", "must"),
    ("abbey-and-mayor", "abbey-end-game", "allowed"),
    ("russian-promos", "yaga-hut-scoring", "2015"),
    ("russian-promos", "russian-trap-figures", "followers"),
    ("russian-promos", "solovei-capture", "all"),
    ("russian-promos", "vodyanoy-penalty", "followers"),
    ("russian-promos", "vodyanoy-tile-field", "closed"),
];

/// Sets the profile `jcz` in a setup: the readings of that engine for every expansion that is in it.
pub fn with_profile(mut setup: Setup) -> Setup {
    for (slug, key, value) in PROFILE {
        if *slug == "base" || setup.expansions.iter().any(|other| other == slug) {
            setup = setup.option(key, value);
        }
    }
    setup
}

/// The setup of a file in our words, with the profile `jcz`.
///
/// # Errors
/// The first key, set or value that means nothing to us, if strict.
pub fn translate(file: &JczFile, strictness: Strictness) -> Result<Translated, JczError> {
    let n = file.players.len();
    if n == 0 || n > trencavel_rules::MAX_SEATS {
        return Err(JczError {
            line: 0,
            problem: JczProblem::Setup(format!("{n} players: a game has 1 to 8")),
        });
    }
    if let (Strictness::Strict, Some(fault)) = (strictness, file.unknown.first()) {
        return Err(fault.clone());
    }
    let mut translated = translate_setup(&file.setup, n as u8, strictness)?;
    translated.warnings.extend(file.unknown.iter().cloned());
    if let (Some(order), Some(end)) = (&file.draw_order, file.end_turn) {
        // The game ends after so many turns: its bag is what is drawn until then.
        let mut bag = Vec::new();
        for id in order.iter().take(end) {
            add(&mut bag, id, 1);
        }
        translated.setup.bag = Some(bag);
    }
    Ok(translated)
}

/// The same setup with just the tiles that a file draws, lays or names: for files whose order of draws is not one that the
/// stacks of our setup allow (base tiles while river tiles are left).
pub fn with_bag_of(file: &JczFile, mut setup: Setup) -> Setup {
    let mut laid = Vec::new();
    for message in &file.messages {
        if let Action::PlaceTile { tile, .. } = &message.action {
            add(&mut laid, tile, 1);
        }
    }
    let mut bag = Vec::new();
    for id in file.draw_order.iter().flatten() {
        add(&mut bag, id, 1);
    }
    for (id, n) in laid {
        let is_own = Ext::ALL
            .iter()
            .any(|ext| ext.expansion().own_tiles.contains(&id.as_str()));
        let there = bag
            .iter()
            .find(|(other, _)| *other == id)
            .map_or(0, |(_, n)| *n);
        if !is_own && n > there {
            add(&mut bag, &id, n - there);
        }
    }
    if let Some(next) = next_tile(file) {
        add(&mut bag, &next, 1);
    }
    setup.bag = Some(bag);
    setup
}

/// The tile that is drawn after the last message, as far as a sentence of the file names it.
pub fn next_tile(file: &JczFile) -> Option<String> {
    file.assertions.iter().find_map(|(_, sentence)| {
        let rest = sentence.strip_prefix("Available action TilePlacement for ")?;
        Some(rest.trim_end_matches('.').to_owned())
    })
}

fn add(bag: &mut Vec<(String, u8)>, id: &str, n: u8) {
    match bag.iter_mut().find(|(other, _)| other == id) {
        Some((_, there)) => *there = there.saturating_add(n),
        None => bag.push((id.to_owned(), n)),
    }
}

/// As [`translate`], of the part of a file that says what the players chose.
///
/// # Errors
/// The first key, set or value that means nothing to us, if strict.
pub fn translate_setup(
    chosen: &JczSetup,
    seats: u8,
    strictness: Strictness,
) -> Result<Translated, JczError> {
    let mut faults: Vec<JczError> = chosen.unknown.clone();
    let mut on: Vec<&'static str> = Vec::new();
    let mut options: Vec<(&'static str, &'static str, String)> = Vec::new();
    let value = |key: &str| {
        let entry = chosen.elements.iter().find(|entry| entry.key == key);
        entry.map_or(0, |entry| entry.value)
    };
    for entry in &chosen.elements {
        if !ELEMENTS.iter().any(|(key, _)| *key == entry.key) {
            let problem = JczProblem::UnknownElement(clip(&entry.key));
            faults.push(at(entry.line, problem));
        }
    }
    for (key, element) in ELEMENTS {
        let n = value(key);
        let line = chosen
            .elements
            .iter()
            .find(|e| e.key == *key)
            .map_or(0, |e| e.line);
        match element {
            Element::Count(slug) => {
                turn_on(&mut on, slug, n);
                options.push((slug, key, n.to_string()));
            }
            Element::Switch(slug) | Element::Shared(slug) => {
                turn_on(&mut on, slug, n);
                options.push((slug, key, (n > 0).to_string()));
            }
            Element::PartOf(slug, others) => {
                turn_on(&mut on, slug, n);
                if let Some(other) = others.iter().find(|other| n > 0 && value(other) == 0) {
                    let what = format!("\"{key}\" without \"{other}\" cannot be said");
                    faults.push(at(line, JczProblem::Setup(what)));
                }
            }
            Element::Elsewhere(slug) if n > 0 => {
                let what = format!("the element \"{key}\"");
                faults.push(at(line, JczProblem::NeedsExpansion(what, slug)));
            }
            Element::Elsewhere(_) | Element::WithTiles => {}
        }
    }
    let mut sets: Vec<(String, u8)> = Vec::new();
    for entry in chosen.sets.iter().filter(|entry| entry.value > 0) {
        let name = entry
            .key
            .split_once(':')
            .map_or(entry.key.as_str(), |(name, _)| name);
        match SETS.iter().find(|(set, _)| *set == name) {
            None => faults.push(at(entry.line, JczProblem::UnknownSet(clip(&entry.key)))),
            Some((_, slug))
                if printed_set(&entry.key).is_none() && Ext::from_slug(slug).is_some() =>
            {
                faults.push(at(entry.line, JczProblem::UnknownSet(clip(&entry.key))));
            }
            Some((_, slug)) if printed_set(&entry.key).is_none() => {
                let what = format!("the tile set \"{}\"", clip(&entry.key));
                faults.push(at(entry.line, JczProblem::NeedsExpansion(what, slug)));
            }
            Some((_, slug)) => {
                if *slug == "river" {
                    turn_on(&mut on, slug, 1);
                }
                sets.push((entry.key.clone(), entry.value));
            }
        }
    }
    let has = |id: &str| sets.iter().any(|(set, _)| set == id);
    let edition = if has("basic:1") || !has("basic:2") {
        Edition::C1
    } else {
        Edition::C2
    };
    let mut setup = Setup::new(edition, seats);
    for slug in on.iter().filter(|slug| **slug != "base") {
        setup = setup.with(slug);
    }
    // Only the sets that are named are in the game, whatever the expansions bring by themselves.
    let in_play = std::iter::once("base").chain(on.iter().copied());
    for ext in in_play.filter_map(Ext::from_slug) {
        let usual = ext.expansion().sets[usize::from(edition != Edition::C1)];
        for id in usual {
            if !sets.iter().any(|(set, _)| set == id) {
                sets.push(((*id).to_owned(), 0));
            }
        }
    }
    setup.sets = sets;
    let is_on = |slug: &str| slug == "base" || on.contains(&slug);
    for (slug, key, value) in options {
        if is_on(slug) || (value == "false" && means_printed(&setup, slug, key)) {
            setup = setup.option(key, &value);
        }
    }
    for entry in &chosen.rules {
        match RULES.iter().find(|rule| rule.key == entry.key) {
            None => faults.push(at(entry.line, JczProblem::UnknownRule(clip(&entry.key)))),
            Some(rule) if !rule.values.contains(&entry.value.as_str()) => {
                let problem = JczProblem::UnknownValue(clip(&entry.key), clip(&entry.value));
                faults.push(at(entry.line, problem));
            }
            Some(_) => {}
        }
    }
    for rule in RULES.iter().filter(|rule| is_on(rule.slug)) {
        let said = chosen.rules.iter().find(|entry| entry.key == rule.key);
        let said = said.map(|entry| entry.value.as_str());
        let value = said
            .filter(|value| rule.values.contains(value))
            .or(rule.values.first().copied());
        if let Some(value) = value {
            setup = setup.option(rule.key, value);
        }
    }
    if !chosen.start.is_empty() {
        let start = chosen.start.iter().map(|tile| StartTile {
            id: tile.tile.clone(),
            pos: tile.pos,
            rotation: tile.rotation,
        });
        setup.start = Some(start.collect());
    }
    faults.sort_by_key(|fault| fault.line);
    if strictness == Strictness::Strict && !faults.is_empty() {
        return Err(faults.remove(0));
    }
    Ok(Translated {
        setup: with_profile(setup),
        warnings: faults,
    })
}

/// Links a setup that was translated.
///
/// # Errors
/// Everything that is wrong with it.
pub fn link(setup: &Setup) -> Result<Rules, JczError> {
    Rules::new(setup).map_err(|error| at(0, JczProblem::Setup(error.to_string())))
}

fn at(line: u32, problem: JczProblem) -> JczError {
    JczError { line, problem }
}

/// Whether an option says what a mark means that is on some tile of the sets, whether or not the expansion is in play.
fn means_printed(setup: &Setup, slug: &str, key: &str) -> bool {
    let Some(ext) = Ext::from_slug(slug) else {
        return false;
    };
    let printed = ext.expansion().printed;
    let mut tiles = (setup.sets.iter().filter(|(_, copies)| *copies > 0))
        .filter_map(|(id, _)| printed_set(id))
        .flat_map(|set| set.tiles.iter())
        .filter_map(|(id, _)| printed_tile(id));
    printed.options.contains(&key)
        && tiles
            .any(|tile| (tile.segments.iter()).any(|segment| segment.marks.has_any(printed.marks)))
}

fn turn_on(on: &mut Vec<&'static str>, slug: &'static str, n: u8) {
    if n > 0 && slug != "base" && !on.contains(&slug) {
        on.push(slug);
    }
}
