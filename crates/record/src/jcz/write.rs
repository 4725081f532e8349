//! Writing a game of ours as `.jcz`, as far as that format can say it.

use super::convert::draws;
use super::file::Pointer;
use super::follow::phase;
use super::numbers::Numbers;
use super::setup::{ELEMENTS, Element, PROFILE, RULES, SETS};
use super::words::{
    corner_pointer, figure_text, kind_word, on_tile, rotation_word, segment_pointer, spot_pointer,
};
use crate::game::Game;
use crate::json::quoted;
use crate::notation::choice_text;
use trencavel_rules::{
    Chance, Choice, Edition, Ext, Input, Kind, Piece, Rules, Seat, Spot, State, Step, Target,
    Values, Verb, Waiting,
};

/// The version of the format that is written.
const VERSION: &str = "6.2.0";

/// A game as `.jcz`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The file.
    pub text: String,
    /// What of the game the format cannot say, a sentence each.
    pub unsaid: Vec<String>,
}

/// Writes a game.
pub fn write(game: &Game) -> Written {
    let rules = game.history.rules();
    let mut writer = Writer {
        rules,
        unsaid: Vec::new(),
        messages: Vec::new(),
        numbers: Numbers::default(),
        open: false,
    };
    let setup = writer.setup();
    writer.replay(game.history.inputs());
    let mut out = String::from("{\n");
    out.push_str(&format!("  \"appVersion\": {},\n", quoted(VERSION)));
    out.push_str("  \"gameId\": \"1\",\n  \"name\": \"\",\n  \"initialRandom\": 0.5,\n");
    out.push_str("  \"created\": \"\",\n  \"clock\": 0,\n");
    out.push_str(&setup);
    let players: Vec<String> = (0..usize::from(rules.setup().seats))
        .map(|i| {
            let name = game.names.get(i).filter(|name| !name.is_empty()).cloned();
            let name = name.unwrap_or_else(|| format!("Player {}", i + 1));
            format!("    {{\"name\": {}, \"slot\": {i}}}", quoted(&name))
        })
        .collect();
    out.push_str(&format!(
        "  \"players\": [\n{}\n  ],\n",
        players.join(",\n")
    ));
    out.push_str(&format!(
        "  \"replay\": [\n{}\n  ],\n",
        writer.messages.join(",\n")
    ));
    let order: Vec<String> = draws(rules, game.history.inputs())
        .iter()
        .map(|id| quoted(id))
        .collect();
    // A bag given tile by tile is said by where its draws end, if each turn drew one tile and all were drawn.
    let state = game.history.state();
    let ends = rules.setup().bag.is_some() && state.waiting() == Waiting::Over;
    let ends = ends && usize::from(state.turn().number) == order.len() && state.bag().is_empty();
    let end = if ends {
        format!(",\n    \"endTurn\": {}", order.len())
    } else {
        String::new()
    };
    if rules.setup().bag.is_some() && !ends {
        writer.cannot("the bag tile by tile (the order of draws says which were drawn)".to_owned());
    }
    out.push_str(&format!(
        "  \"gameAnnotations\": {{\n    \"drawOrder\": [{}]{end}\n  }}\n}}\n",
        order.join(", ")
    ));
    Written {
        text: out,
        unsaid: writer.unsaid,
    }
}

struct Writer<'g> {
    rules: &'g Rules,
    unsaid: Vec<String>,
    messages: Vec<String>,
    numbers: Numbers,
    open: bool,
}

impl Writer<'_> {
    fn cannot(&mut self, what: String) {
        if !self.unsaid.contains(&what) {
            self.unsaid.push(what);
        }
    }

    /// The chosen value of an option, if an expansion has it that is in play or whose marks are on tiles of the game.
    fn value(&self, slug: &str, key: &str) -> Option<String> {
        let ext = Ext::from_slug(slug).filter(|ext| self.rules.has_marks_of(*ext))?;
        let options = ext.expansion().options;
        let index = options.iter().position(|option| option.key == key)?;
        let value = self.rules.options.get(ext, index);
        match options.get(index)?.values {
            Values::Listed(listed, _) => listed.get(usize::from(value)).map(|v| (*v).to_owned()),
            Values::Number(..) => Some(value.to_string()),
        }
    }

    fn setup(&mut self) -> String {
        let setup = self.rules.setup();
        let mut sets: Vec<(String, u8)> = Vec::new();
        let mut known: Vec<(&str, &str)> = Vec::new();
        for ext in Ext::ALL.iter().filter(|ext| self.rules.has(**ext)) {
            for id in ext.expansion().sets[usize::from(setup.edition != Edition::C1)] {
                sets.push(((*id).to_owned(), 1));
            }
            known.extend(
                ext.expansion()
                    .options
                    .iter()
                    .map(|o| (ext.expansion().slug, o.key)),
            );
        }
        for (id, copies) in &setup.sets {
            sets.retain(|(other, _)| other != id);
            sets.push((id.clone(), *copies));
        }
        sets.retain(|(_, copies)| *copies > 0);
        let is_known = |id: &str| {
            let name = id.split_once(':').map_or(id, |(name, _)| name);
            SETS.iter().any(|(set, _)| *set == name)
        };
        for (id, _) in sets.clone() {
            if !is_known(&id) {
                self.cannot(format!("the tile set {id}"));
            }
        }
        sets.retain(|(id, _)| is_known(id));
        for ext in Ext::ALL.iter().filter(|ext| self.rules.has(**ext)) {
            let slug = ext.expansion().slug;
            let of_it = |element: &Element| match element {
                Element::Count(s) | Element::Switch(s) | Element::PartOf(s, _) => *s == slug,
                Element::Shared(_) | Element::WithTiles | Element::Elsewhere(_) => false,
            };
            let named = slug == "river" || ELEMENTS.iter().any(|(_, element)| of_it(element));
            if !named {
                self.cannot(format!("the expansion {slug}"));
            }
        }
        let sets: Vec<String> = sets
            .iter()
            .map(|(id, n)| format!("      {}: {n}", quoted(id)))
            .collect();
        let (elements, said) = self.elements();
        let (rules, said_rules) = self.rule_list();
        for (slug, key) in known {
            if said.contains(&key) || said_rules.contains(&key) {
                continue;
            }
            let ours = self.value(slug, key);
            let theirs = PROFILE.iter().find(|(s, k, _)| *s == slug && *k == key);
            let theirs = theirs.map(|(_, _, value)| *value);
            let usual = theirs.is_none() && !setup.options.iter().any(|(other, _)| other == key);
            if ours.as_deref() != theirs && !usual {
                self.cannot(format!("the option {key}={}", ours.unwrap_or_default()));
            }
        }
        if !setup.tiles.is_empty() {
            self.cannot("tiles that a user made".to_owned());
        }
        if setup.first != 0 {
            self.cannot("that another seat than the first begins".to_owned());
        }
        let start = self.rules.start();
        let start: Vec<String> = start
            .board()
            .tiles()
            .iter()
            .map(|tile| {
                format!(
                    "      {{\"tile\": {}, \"x\": {}, \"y\": {}, \"rotation\": {}}}",
                    quoted(&self.rules.tile(tile.kind).id),
                    tile.pos.x,
                    tile.pos.y,
                    tile.rotation.degrees()
                )
            })
            .collect();
        format!(
            "  \"setup\": {{\n    \"sets\": {{\n{}\n    }},\n    \"elements\": {{\n{}\n    }},\n    \"rules\": {{{}}},\n    \
             \"timer\": null,\n    \"start\": [\n{}\n    ]\n  }},\n",
            sets.join(",\n"),
            elements.join(",\n"),
            rules.join(", "),
            start.join(",\n")
        )
    }

    /// The elements, and the options that they say.
    fn elements(&self) -> (Vec<String>, Vec<&'static str>) {
        let mut lines = Vec::new();
        let mut said = Vec::new();
        for (key, element) in ELEMENTS {
            let value = match element {
                Element::Count(slug) => self.value(slug, key).filter(|n| n != "0"),
                Element::Switch(slug) | Element::Shared(slug) => {
                    // Of pieces that are one for all, that program counts them.
                    let counted = matches!(*key, "dragon" | "fairy" | "tower");
                    let on = self.value(slug, key).filter(|on| on == "true");
                    on.map(|on| if counted { "1".to_owned() } else { on })
                }
                Element::PartOf(slug, _) => {
                    let on = Ext::from_slug(slug).is_some_and(|ext| self.rules.has(ext));
                    on.then(|| "true".to_owned())
                }
                Element::WithTiles | Element::Elsewhere(_) => None,
            };
            said.push(*key);
            if let Some(value) = value {
                lines.push(format!("      {}: {value}", quoted(key)));
            }
        }
        (lines, said)
    }

    /// The rules that differ from what is meant when nothing is said, and the options that rules say.
    fn rule_list(&self) -> (Vec<String>, Vec<&'static str>) {
        let mut lines = Vec::new();
        for rule in RULES {
            if let Some(value) = self.value(rule.slug, rule.key)
                && rule.values.first() != Some(&value.as_str())
            {
                let plain = value == "true" || value == "false";
                let value = if plain { value } else { quoted(&value) };
                lines.push(format!("{}: {value}", quoted(rule.key)));
            }
        }
        (lines, RULES.iter().map(|rule| rule.key).collect())
    }

    // ---- messages --------------------------------------------------------------------------------------------------

    fn push(&mut self, name: &str, payload: &str, seat: Seat) {
        self.messages.push(format!(
            "    {{\"type\": \"{name}\", \"payload\": {payload}, \"player\": {}, \"clock\": 0}}",
            seat.0
        ));
    }

    /// A confirmation. Its random number draws nothing, since the order of draws is fixed, but it should not repeat.
    fn commit(&mut self, seat: Seat) {
        let n = (self.messages.len() as u64 + 1).wrapping_mul(6_180_339_887) % 10_000_000_000;
        self.push("COMMIT", &format!("{{\"random\": 0.{n:010}}}"), seat);
    }

    fn replay(&mut self, inputs: &[Input]) {
        let mut state = self.rules.start();
        let mut events = Vec::new();
        for input in inputs {
            let step = self.rules.step(&state);
            let before = state.clone();
            events.clear();
            if self.rules.apply(&mut state, *input, &mut events).is_err() {
                self.cannot("inputs that are not legal".to_owned());
                return;
            }
            match *input {
                Input::Chance(Chance::Tile(_)) => {}
                Input::Chance(Chance::Number(_) | Chance::Hidden) => {
                    self.cannot("decisions of chance other than draws".to_owned());
                }
                Input::Leave(seat) => self.cannot(format!("that seat {} leaves", seat.0 + 1)),
                Input::Choice(seat, choice) => {
                    let passes_both = choice == Choice::PASS
                        && matches!(step, Some(Step::MoveWood | Step::Princess))
                        && self.goes_on(&state, seat);
                    if !passes_both {
                        self.choice(&before, seat, choice, step);
                    }
                    self.numbers.follow(&events, None);
                    self.confirm(&state, seat, choice, step);
                    continue;
                }
            }
            self.numbers.follow(&events, None);
        }
    }

    /// Whether the same seat is asked for another figure of this part: there one answer stands for both.
    fn goes_on(&self, state: &State, seat: Seat) -> bool {
        matches!(self.rules.step(state), Some(Step::MoveWood | Step::Second))
            && matches!(state.waiting(), Waiting::Seats(seats) if seats.has(seat))
    }

    /// Confirms where that program waits for it.
    fn confirm(&mut self, state: &State, seat: Seat, choice: Choice, step: Option<Step>) {
        self.open |= matches!(choice.verb, Verb::Lay | Verb::Abbey);
        let wagon = choice.verb == Verb::Wagon;
        let abbey_passed = choice == Choice::PASS && step == Some(Step::OwnTile);
        if self.open && phase(self.rules, state, true) == "CommitActionPhase" {
            self.open = false;
            self.commit(seat);
        } else if wagon || abbey_passed {
            self.commit(seat);
        }
    }

    fn id(&self, piece: Piece) -> String {
        let number = self.numbers.of(piece).unwrap_or(1);
        quoted(&format!("{}.{number}", figure_text(piece)))
    }

    fn choice(&mut self, state: &State, seat: Seat, choice: Choice, step: Option<Step>) {
        let rules = self.rules;
        let new_id = |writer: &Self, kind: Kind| {
            let number = writer.numbers.free(seat, kind);
            quoted(&format!("{}.{}.{number}", seat.0, kind_word(kind)))
        };
        let deploy = |id: String, at: &Pointer| {
            format!("{{\"pointer\": {}, \"meepleId\": {id}}}", pointer_json(at))
        };
        match (choice.verb, choice.kind, choice.target) {
            (Verb::Pass, _, _) if step == Some(Step::AskSecondPart) => {
                self.cannot("that the second part of a turn is declined".to_owned());
            }
            (Verb::Pass, ..) => self.push("PASS", "{}", seat),
            (Verb::Continue, ..) => {}
            (Verb::Lay | Verb::Abbey, _, Target::Square(pos, rotation)) => {
                let id = if choice.verb == Verb::Abbey {
                    "AM/A".to_owned()
                } else {
                    state
                        .turn()
                        .drawn
                        .map(|kind| rules.tile(kind).id.to_string())
                        .unwrap_or_default()
                };
                let payload = format!(
                    "{{\"tileId\": {}, \"rotation\": \"{}\", \"position\": [{}, {}]}}",
                    quoted(&id),
                    rotation_word(rotation),
                    pos.x,
                    pos.y
                );
                self.push("PLACE_TILE", &payload, seat);
            }
            (Verb::Deploy | Verb::Portal | Verb::Diagonal, Some(kind), Target::Segment(seg)) => {
                if choice.verb == Verb::Diagonal {
                    self.cannot("a figure placed through a quadrant".to_owned());
                }
                let at = segment_pointer(rules, state, seg);
                self.push("DEPLOY_MEEPLE", &deploy(new_id(self, kind), &at), seat);
            }
            (Verb::TowerTop, Some(kind), Target::Tile(slot)) => {
                let at = on_tile(state, slot, "Tower");
                self.push("DEPLOY_MEEPLE", &deploy(new_id(self, kind), &at), seat);
            }
            (Verb::Barn, _, Target::Corner(corner)) => match corner_pointer(rules, state, corner) {
                Some(at) => {
                    let id = new_id(self, Kind::Barn);
                    self.push("DEPLOY_MEEPLE", &deploy(id, &at), seat);
                }
                None => {
                    self.cannot("a barn on a corner without a tile to the south-east".to_owned())
                }
            },
            (Verb::Wagon, _, Target::Segment(seg)) => {
                let at = segment_pointer(rules, state, seg);
                let id = new_id(self, Kind::Wagon);
                self.push("DEPLOY_MEEPLE", &deploy(id, &at), seat);
            }
            (Verb::TowerPiece, _, Target::Tile(slot)) => {
                let at = pointer_json(&on_tile(state, slot, "Tower"));
                let payload = format!("{{\"token\": \"TOWER_PIECE\", \"pointer\": {at}}}");
                self.push("PLACE_TOKEN", &payload, seat);
            }
            (Verb::Exchange, _, Target::Piece(piece)) => {
                let payload = format!("{{\"meepleId\": {}}}", self.id(piece));
                self.push("EXCHANGE_FOLLOWER", &payload, seat);
            }
            (Verb::Ransom, _, Target::Piece(piece)) => {
                let payload = format!("{{\"meepleId\": {}}}", self.id(piece));
                self.push("PAY_RANSOM", &payload, seat);
            }
            (Verb::Dragon | Verb::Fairy, _, Target::Tile(slot)) => {
                let name = if choice.verb == Verb::Dragon {
                    "dragon.1"
                } else {
                    "fairy.1"
                };
                let pos = state.board().tile(slot).pos;
                let payload = format!(
                    "{{\"figureId\": \"{name}\", \"to\": [{}, {}]}}",
                    pos.x, pos.y
                );
                self.push("MOVE_NEUTRAL_FIGURE", &payload, seat);
            }
            (verb, _, Target::Piece(piece)) => self.with_figure(state, seat, verb, piece),
            (_, _, _) => {
                let text = choice_text(rules, state, choice);
                self.cannot(format!("the choice \"{text}\""));
            }
        }
    }

    /// Messages about a figure on the board.
    fn with_figure(&mut self, state: &State, seat: Seat, verb: Verb, piece: Piece) {
        let spot: Spot = piece.spot;
        let Some(at) = spot_pointer(self.rules, state, spot) else {
            self.cannot(format!("{} of a prisoner", verb.name()));
            return;
        };
        let figure = format!(
            "{{\"featurePointer\": {}, \"meepleId\": {}}}",
            pointer_json(&at),
            self.id(piece)
        );
        let source = match verb {
            Verb::Capture => {
                self.push(
                    "CAPTURE_FOLLOWER",
                    &format!("{{\"pointer\": {figure}}}"),
                    seat,
                );
                return;
            }
            Verb::Fairy => {
                let payload = format!("{{\"figureId\": \"fairy.1\", \"to\": {figure}}}");
                self.push("MOVE_NEUTRAL_FIGURE", &payload, seat);
                return;
            }
            Verb::Recall => "ABBOT_RETURN",
            Verb::Festival => "FESTIVAL",
            Verb::Release => "TRAP",
            Verb::Seduce => "PRINCESS",
            other => {
                self.cannot(format!("the choice \"{}\"", other.name()));
                return;
            }
        };
        let payload = format!("{{\"pointer\": {figure}, \"source\": \"{source}\"}}");
        self.push("RETURN_MEEPLE", &payload, seat);
    }
}

fn pointer_json(at: &Pointer) -> String {
    format!(
        "{{\"position\": [{}, {}], \"location\": {}, \"feature\": {}}}",
        at.pos.x,
        at.pos.y,
        quoted(&at.location),
        quoted(&at.feature)
    )
}
