//! What the scoring of a turn part brings, worked out a second time from the rule files: random games in which the points,
//! the goods and the figures that stay must be just that.
//!
//! Looked at where nothing is left to settle between the last figure step and the scoring: where it was passed, or a figure
//! was placed and there is no trap in the game.

use std::collections::BTreeSet;

use trencavel_record::notation::{input_text, piece_text};
use trencavel_rules::{
    Choice, Ext, FeatureId, FeatureKind, Input, Kind, Marks, Moves, Neutral, Piece, Rules, SegId,
    Setup, Shown, Spot, State, Step, Target, TileSlot, Token, Verb,
};

use crate::choices::{barns, fields_round, is_follower, on_feature};
use crate::play::Trouble;
use crate::random::Random;
use crate::referee::any_input;

/// The three goods and their marks.
const GOODS: [(Token, Marks); 3] = [
    (Token::Wine, Marks::WINE),
    (Token::Grain, Marks::GRAIN),
    (Token::Cloth, Marks::CLOTH),
];

/// Plays a random game and looks at the scorings of its turn parts. Says how many brought something.
///
/// # Errors
/// The first difference.
pub fn scored(setup: &Setup, seed: u64) -> Result<usize, Box<Trouble>> {
    let trouble = |record, fault| Trouble::new(setup, seed, record, fault);
    let rules = Rules::new(setup).map_err(|error| trouble(Vec::new(), error.to_string()))?;
    let mut random = Random::new(seed);
    let mut state = rules.start();
    let mut part = Part::default();
    let mut record = Vec::new();
    let mut looked_at = 0;
    loop {
        let Some(input) = barn_or_any(&rules, &state, &mut random) else {
            return Ok(looked_at);
        };
        record.push(input_text(&rules, &state, input));
        if let Input::Choice(_, choice) = input
            && matches!(choice.verb, Verb::Lay | Verb::Abbey)
        {
            part.goods = goods_in_cities(&rules, &state);
            part.barn = None;
        }
        if let Input::Choice(seat, choice) = input
            && let (Some(kind), Target::Corner(corner)) = (choice.kind, choice.target)
        {
            let spot = Spot::corner(corner);
            part.barn = Some(Piece { spot, seat, kind });
        }
        if let Some((before, after)) = around_the_scoring(&rules, &state, input) {
            match part.agrees(&rules, &before, &after) {
                Ok(brought) => looked_at += usize::from(brought),
                Err(fault) => return Err(trouble(record, fault)),
            }
        }
        if let Err(error) = rules.apply(&mut state, input, &mut ()) {
            return Err(trouble(record, error.to_string()));
        }
    }
}

/// Any input, but a barn if there can be one: it comes seldom otherwise, and its fields are worth looking at.
fn barn_or_any(rules: &Rules, state: &State, random: &mut Random) -> Option<Input> {
    let input = any_input(rules, state, random)?;
    let Input::Choice(seat, _) = input else {
        return Some(input);
    };
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    let barns = moves
        .iter()
        .filter(|choice| choice.kind == Some(Kind::Barn));
    let barns: Vec<Choice> = barns.copied().collect();
    let barn = random.of(&barns).map(|choice| Input::Choice(seat, *choice));
    Some(barn.unwrap_or(input))
}

/// The positions before the features are scored and after the figures went home, if an input leads there at once.
fn around_the_scoring(rules: &Rules, state: &State, input: Input) -> Option<(State, State)> {
    let Input::Choice(_, choice) = input else {
        return None;
    };
    let step = rules.step(state)?;
    let settled = match choice.verb {
        Verb::Pass | Verb::Fairy => true,
        Verb::Deploy | Verb::Portal | Verb::Diagonal | Verb::Barn | Verb::TowerTop => {
            !rules.has(Ext::RussianPromos)
        }
        _ => false,
    };
    if !settled || !matches!(step, Step::MoveWood | Step::Second) {
        return None;
    }
    let until = |step: Step| {
        let mut then = state.clone();
        rules.apply_before(&mut then, input, step, &mut ()).ok()?;
        rules.stands_still(&then).then_some(then)
    };
    Some((until(Step::Score)?, until(Step::Wagons)?))
}

/// What has to be remembered of a turn part.
#[derive(Default)]
struct Part {
    /// Goods in complete cities before its tile was laid.
    goods: [usize; 3],
    /// Where a barn was placed.
    barn: Option<Piece>,
}

impl Part {
    /// Whether the scoring did what it must; says whether there was anything to score.
    fn agrees(&self, rules: &Rules, before: &State, after: &State) -> Result<bool, String> {
        let mut points = vec![0; usize::from(before.n_seats())];
        let mut home = BTreeSet::new();
        let mut brought = false;
        for (id, feature) in before.board().features() {
            let followers = on_feature(before, id).any(|piece| is_follower(piece.kind));
            let barn = barns(before, rules).any(|field| field == id);
            let field = feature.kind == FeatureKind::Field;
            if !followers || !(field && barn || feature.is_complete()) {
                continue;
            }
            brought = true;
            for seat in owners(before, id) {
                points[seat] += match field {
                    true => self.field(rules, before, id, seat),
                    false => value(rules, before, id),
                };
            }
            fairy(rules, before, id, &mut points);
            home.extend(on_feature(before, id));
        }
        for seat in before.seat_list() {
            let wanted = before.seat(seat).score + points[seat.index()];
            let found = after.seat(seat).score;
            if wanted != found {
                return Err(format!(
                    "seat {} should have {wanted} points after the scoring, not {found}",
                    seat.0 + 1
                ));
            }
        }
        let words = |piece: Piece| piece_text(rules, before, piece);
        let stay = before.pieces().iter().filter(|piece| !home.contains(piece));
        let (stay, found): (Vec<Piece>, Vec<Piece>) =
            (stay.collect(), after.pieces().iter().collect());
        if stay != found {
            let text =
                |pieces: Vec<Piece>| -> Vec<String> { pieces.into_iter().map(words).collect() };
            return Err(format!(
                "{:?} should stay, not {:?}",
                text(stay),
                text(found)
            ));
        }
        self.goods_agree(rules, before, after)?;
        Ok(brought)
    }

    /// TB-10, TB-11: one token for each symbol of the cities completed in this part, to whoever's part it is.
    fn goods_agree(&self, rules: &Rules, before: &State, after: &State) -> Result<(), String> {
        let on = !rules
            .setup()
            .options
            .iter()
            .any(|(key, value)| key == "traders" && value == "false");
        let now = goods_in_cities(rules, before);
        for (i, (token, _)) in GOODS.into_iter().enumerate() {
            let new = if on {
                now[i] - self.goods[i].min(now[i])
            } else {
                0
            };
            let had = held(rules, before, token);
            let wanted = had + new;
            let found = held(rules, after, token);
            if wanted != found {
                return Err(format!(
                    "the active player should have {wanted} of {token:?}, not {found}"
                ));
            }
        }
        Ok(())
    }

    /// AM-67, AM-70, AM-85: 3 points a city where the barn was placed, 1 where fields were joined; pig and herd add 1.
    fn field(&self, rules: &Rules, state: &State, id: FeatureId, seat: usize) -> i32 {
        let placed = self.barn.is_some_and(|barn| {
            let corner = barn.spot.as_corner();
            let fields = corner.and_then(|corner| fields_round(state, rules, corner));
            fields.is_some_and(|fields| state.board().feature_of(fields[0]) == id)
        });
        let pig = on_feature(state, id)
            .any(|piece| piece.seat.index() == seat && piece.kind == Kind::Pig);
        let herd = state.board().feature(id).marks.has(Marks::PIG_HERD)
            && rules.has(Ext::River)
            && !is(rules, "pig-herd", "false");
        let each = if placed { 3 } else { 1 } + i32::from(pig) + i32::from(herd);
        each * rules.cities_of_field(state, id).len() as i32
    }
}

fn is(rules: &Rules, key: &str, value: &str) -> bool {
    let options = rules.setup().options.iter().rev();
    let mut values = options.filter(|(other, _)| other == key);
    values.next().is_some_and(|(_, other)| other == value)
}

/// SM-02, SM-03, SM-08, SM-09.
fn owners(state: &State, id: FeatureId) -> Vec<usize> {
    let mut strengths = vec![0u32; usize::from(state.n_seats())];
    for piece in on_feature(state, id) {
        strengths[piece.seat.index()] += match piece.kind {
            Kind::Large => 2,
            Kind::Mayor => u32::from(state.board().feature(id).pennants),
            Kind::Builder | Kind::Pig | Kind::Barn => 0,
            _ => 1,
        };
    }
    let most = strengths.iter().copied().max().unwrap_or(0);
    let seats = 0..strengths.len();
    seats
        .filter(|seat| most > 0 && strengths[*seat] == most)
        .collect()
}

/// BA-30, BA-32, BA-33, BA-35, AB-18, IC-25, IC-26, RP-26, RP-27.
fn value(rules: &Rules, state: &State, id: FeatureId) -> i32 {
    let feature = *state.board().feature(id);
    let tiles = i32::from(rules.n_tiles(state, id));
    let marked =
        |mark: Marks, key: &str| i32::from(feature.marks.has(mark) && !is(rules, key, "false"));
    match feature.kind {
        FeatureKind::Road => tiles * (1 + marked(Marks::INN, "inn")),
        FeatureKind::City => {
            let tiny = tiles == 2 && is(rules, "tiny-city-scoring", "2");
            let each = 2 + marked(Marks::CATHEDRAL, "cathedral") - i32::from(tiny);
            (tiles + i32::from(feature.pennants)) * each
        }
        FeatureKind::Monastery | FeatureKind::Garden => 9,
        FeatureKind::Hut => i32::from(!is(rules, "yaga-hut-scoring", "2013")),
        FeatureKind::Field | FeatureKind::River => 0,
    }
}

/// PD-42, PD-47.
fn fairy(rules: &Rules, state: &State, id: FeatureId, points: &mut [i32]) {
    let fairy = rules
        .shown(state)
        .into_iter()
        .find_map(|thing| match thing {
            Shown::Neutral {
                neutral: Neutral::Fairy,
                slot,
                with,
            } => Some((slot, with)),
            _ => None,
        });
    let Some((slot, with)) = fairy else { return };
    let there = |seg: SegId| state.board().feature_of(seg) == id;
    if is(rules, "fairy-placement", "on-tile") {
        let beside = on_feature(state, id).filter(|piece| {
            let tile: Option<TileSlot> = state.board().tile_of_spot(piece.spot);
            is_follower(piece.kind) && tile == Some(slot)
        });
        let seats: BTreeSet<usize> = beside.map(|piece| piece.seat.index()).collect();
        for seat in seats {
            points[seat] += 3;
        }
    } else if let Some(companion) = with
        && companion.spot.as_segment().is_some_and(there)
    {
        points[companion.seat.index()] += 3;
    }
}

/// How many of each of the goods are printed in complete cities.
fn goods_in_cities(rules: &Rules, state: &State) -> [usize; 3] {
    let board = state.board();
    let mut found = [0; 3];
    for slot in (0..board.tiles().len() as u16).map(TileSlot) {
        let def = rules.tile(board.tile(slot).kind);
        for (seg, shown) in board.segments_of(slot).zip(def.segments.iter()) {
            if shown.kind == FeatureKind::City && board.at(seg).is_complete() {
                for (n, (_, mark)) in found.iter_mut().zip(GOODS) {
                    *n += usize::from(shown.marks.has(mark));
                }
            }
        }
    }
    found
}

/// How many tokens of a kind the active player has.
fn held(rules: &Rules, state: &State, wanted: Token) -> usize {
    let active = state.active();
    let shown = rules.shown(state).into_iter().map(|thing| match thing {
        Shown::Held { seat, token, n } if seat == active && token == wanted => usize::from(n),
        _ => 0,
    });
    shown.sum()
}
