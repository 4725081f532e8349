//! Two positions that look alike, made with their tiles in other orders, from which the same game must go alike: what lies on
//! the table counts, not when it came there.

use trencavel_record::notation::{choice_text, input_text, parse_input, parse_piece, piece_text};
use trencavel_rules::{
    Chance, Moves, Piece, Pos, Position, Rules, Seat, Setup, Shown, State, Symbols, TileSlot,
    Token, Waiting,
};

use crate::play::{Trouble, with_few_tiles};
use crate::random::Random;
use crate::referee::{any_input, setup_text};

/// How many tiles are in the bag: few, so that games end soon.
const TILES: usize = 36;
/// The least number of inputs before the position is taken.
const FIRST: usize = 30;
/// So many more are possible.
const MORE: usize = 90;

/// Plays a random game for a while, makes its position twice, the second time with the tiles in another order, and looks
/// whether the same can be chosen and the same is scored until the end. Says how many inputs were compared: none if the game
/// was over too soon.
///
/// # Errors
/// The first difference.
pub fn relaid(setup: &Setup, seed: u64) -> Result<usize, Box<Trouble>> {
    let mut random = Random::new(seed);
    let setup =
        with_few_tiles(setup, TILES, &mut random).map_err(|fault| trouble(setup, seed, fault))?;
    let rules = Rules::new(&setup).map_err(|error| trouble(&setup, seed, error.to_string()))?;
    let Some(state) = position(&rules, &mut random) else {
        return Ok(0);
    };
    let as_laid: Vec<TileSlot> = (0..state.board().tiles().len() as u16)
        .map(TileSlot)
        .collect();
    let other = another_order(&rules, &state, &mut random);
    let make = |order: &[TileSlot]| made_again(&rules, &state, order);
    let both = make(&as_laid).and_then(|a| Ok((a, make(&other)?)));
    let (mut a, mut b) = both.map_err(|fault| trouble(&setup, seed, fault))?;
    let mut record = vec![described(&rules, &state, &other)];
    loop {
        let fault = match alike(&rules, &a, &b) {
            Err(fault) => fault,
            Ok(()) => {
                let Some(input) = any_input(&rules, &a, &mut random) else {
                    return Ok(record.len() - 1);
                };
                let text = input_text(&rules, &a, input);
                record.push(text.clone());
                let applied = parse_input(&rules, &b, &text)
                    .map_err(|error| error.to_string())
                    .and_then(|same| {
                        rules
                            .apply(&mut a, input, &mut ())
                            .map_err(|error| error.to_string())?;
                        rules
                            .apply(&mut b, same, &mut ())
                            .map_err(|error| error.to_string())
                    });
                match applied {
                    Ok(()) => continue,
                    Err(fault) => fault,
                }
            }
        };
        return Err(Box::new(Trouble {
            record,
            ..*trouble(&setup, seed, fault)
        }));
    }
}

fn trouble(setup: &Setup, seed: u64, fault: String) -> Box<Trouble> {
    Box::new(Trouble {
        setup: setup_text(setup),
        seed,
        record: Vec::new(),
        fault,
    })
}

/// A position between two turns, if the game gets to one.
fn position(rules: &Rules, random: &mut Random) -> Option<State> {
    let mut state = rules.start();
    let least = FIRST + random.below(MORE);
    for n in 0.. {
        let between = state.turn().part == 1
            && state.turn().drawn.is_none()
            && state.laid().is_none()
            && matches!(state.waiting(), Waiting::Chance(_));
        if n >= least && between {
            break;
        }
        let input = any_input(rules, &state, random)?;
        rules.apply(&mut state, input, &mut ()).ok()?;
    }
    Some(state)
}

/// The tiles of a position in another order in which they could have been laid: each beside one before it, an abbey not
/// before the hole was there. A river comes first and as it was laid: the way of its water counts.
fn another_order(rules: &Rules, state: &State, random: &mut Random) -> Vec<TileSlot> {
    let board = state.board();
    let n_start = Position::new(rules).state().board().tiles().len() as u16;
    let first = |slot: &TileSlot| {
        let group = &rules.tile(board.tile(*slot).kind).group;
        slot.0 < n_start || group.starts_with("river")
    };
    let tiles = (0..board.tiles().len() as u16).map(TileSlot);
    let (mut order, mut left): (Vec<TileSlot>, Vec<TileSlot>) = tiles.partition(first);
    while !left.is_empty() {
        let can_lie = |slot: &TileSlot| {
            let tile = board.tile(*slot);
            let beside = trencavel_rules::Side::ALL.iter().filter(|side| {
                let at = board.tile_at(tile.pos.beside(**side));
                at.is_some_and(|at| order.contains(&at))
            });
            let abbey = rules.tile(tile.kind).symbols.has(Symbols::ABBEY);
            beside.count() >= if abbey { 4 } else { 1 }
        };
        let free: Vec<usize> = (0..left.len()).filter(|i| can_lie(&left[*i])).collect();
        match random.of(&free) {
            Some(i) => order.push(left.remove(*i)),
            None => order.append(&mut left),
        }
    }
    order
}

/// The position on a new table, its tiles laid in this order; the turn of the same seat begins.
fn made_again(rules: &Rules, state: &State, order: &[TileSlot]) -> Result<State, String> {
    let error = |error: trencavel_rules::PositionError| error.to_string();
    let mut again = Position::new(rules);
    let n_start = again.state().board().tiles().len();
    for slot in &order[n_start..] {
        let tile = *state.board().tile(*slot);
        again
            .lay(tile.kind, tile.pos, tile.rotation)
            .map_err(error)?;
    }
    for seat in state.seat_list() {
        again.score(seat, state.seat(seat).score).map_err(error)?;
    }
    let same = |again: &Position, piece: Piece| {
        let text = piece_text(rules, state, piece);
        parse_piece(rules, again.state(), &text).map_err(|error| error.to_string())
    };
    for piece in state.pieces().iter() {
        let piece = same(&again, piece)?;
        again.put(piece).map_err(error)?;
    }
    let shown = rules.shown(state);
    for thing in &shown {
        let at = |slot: TileSlot| {
            let pos = state.board().tile(slot).pos;
            again.state().board().tile_at(pos).unwrap_or(slot)
        };
        let thing = match *thing {
            Shown::Neutral {
                neutral,
                slot,
                with,
            } => Shown::Neutral {
                neutral,
                slot: at(slot),
                with: with.map(|piece| same(&again, piece)).transpose()?,
            },
            Shown::OnTile { slot, token, n } => Shown::OnTile {
                slot: at(slot),
                token,
                n,
            },
            held @ Shown::Held { .. } => held,
        };
        again.show(&thing).map_err(error)?;
    }
    // What a seat has no more of is not shown, but a new table has it.
    for seat in state.seat_list() {
        for token in [Token::Abbey, Token::TowerPiece] {
            let has = |thing: &Shown| matches!(thing, Shown::Held { seat: s, token: t, .. } if *s == seat && *t == token);
            if !shown.iter().any(has) && rules.shown(again.state()).iter().any(has) {
                let none = Shown::Held { seat, token, n: 0 };
                again.show(&none).map_err(error)?;
            }
        }
    }
    again.begin(state.active(), &mut ()).map_err(error)
}

/// Whether two positions are the same, as far as players can see.
fn alike(rules: &Rules, a: &State, b: &State) -> Result<(), String> {
    if a.waiting() != b.waiting() {
        return Err(format!(
            "{:?} asked, against {:?}",
            a.waiting(),
            b.waiting()
        ));
    }
    for seat in a.seat_list() {
        if a.seat(seat) != b.seat(seat) {
            return Err(format!(
                "seat {} has {:?}, against {:?}",
                seat.0 + 1,
                a.seat(seat),
                b.seat(seat)
            ));
        }
        let (mine, theirs) = (choices(rules, a, seat), choices(rules, b, seat));
        if mine != theirs {
            return Err(format!(
                "seat {} can choose {mine:?}, against {theirs:?}",
                seat.0 + 1
            ));
        }
    }
    let pieces = |state: &State| {
        let mut pieces: Vec<String> = state
            .pieces()
            .iter()
            .map(|piece| piece_text(rules, state, piece))
            .collect();
        pieces.sort();
        pieces
    };
    if pieces(a) != pieces(b) {
        return Err(format!("figures: {:?}, against {:?}", pieces(a), pieces(b)));
    }
    let draws = |state: &State| -> Vec<(Chance, u32)> {
        let mut outcomes = Vec::new();
        rules.outcomes(state, &mut outcomes);
        outcomes
    };
    if draws(a) != draws(b) {
        return Err("other tiles can be drawn".to_string());
    }
    Ok(())
}

/// What a seat can choose, in words, sorted.
fn choices(rules: &Rules, state: &State, seat: Seat) -> Vec<String> {
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    let mut texts: Vec<String> = moves
        .iter()
        .map(|choice| choice_text(rules, state, *choice))
        .collect();
    texts.sort();
    texts
}

/// The position in words: tiles in both orders, figures, scores, and what else lies there.
fn described(rules: &Rules, state: &State, other: &[TileSlot]) -> String {
    let tile = |slot: TileSlot| {
        let tile = state.board().tile(slot);
        format!(
            "{} {} {}",
            rules.tile(tile.kind).id,
            tile.pos,
            tile.rotation
        )
    };
    let as_laid: Vec<String> = (0..other.len() as u16).map(|i| tile(TileSlot(i))).collect();
    let again: Vec<String> = other
        .iter()
        .map(|slot| position_text(state.board().tile(*slot).pos))
        .collect();
    let figures: Vec<String> = state
        .pieces()
        .iter()
        .map(|piece| piece_text(rules, state, piece))
        .collect();
    format!(
        "place {}\nagain {}\nfigure {}\n{:?}",
        as_laid.join(" · "),
        again.join(" "),
        figures.join(" · "),
        rules.shown(state)
    )
}

fn position_text(pos: Pos) -> String {
    pos.to_string()
}
