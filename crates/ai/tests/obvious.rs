//! What no strong level may waste.

use trencavel_ai::{Budget, Chair, Decision, LEVELS, Level, NoClock, level, play};
use trencavel_rules::{
    Chance, Choice, Edition, Input, Kind, Moves, Rules, Seat, Setup, State, Verb, Waiting,
};

/// The levels from which on nothing obvious is wasted.
fn strong() -> &'static [Level] {
    let first = LEVELS.iter().position(|level| level.name == "squire");
    &LEVELS[first.unwrap()..]
}

fn after(rules: &Rules, state: &State, seat: Seat, choice: Choice) -> State {
    let mut next = state.clone();
    rules
        .apply(&mut next, Input::Choice(seat, choice), &mut ())
        .unwrap();
    next
}

fn figures(state: &State, seat: Seat) -> Vec<u8> {
    Kind::ALL
        .iter()
        .map(|kind| state.seat(seat).has(*kind))
        .collect()
}

/// The choices that bring points at once and cost neither a figure nor anything that passing would keep: claiming what was
/// just completed.
fn free(rules: &Rules, state: &State, seat: Seat) -> Vec<Choice> {
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    let Some(pass) = moves.iter().find(|choice| choice.verb == Verb::Pass) else {
        return Vec::new();
    };
    let passed = after(rules, state, seat, *pass);
    let better = |choice: &&Choice| {
        let then = after(rules, state, seat, **choice);
        matches!(then.waiting(), Waiting::Chance(_) | Waiting::Over)
            && figures(&then, seat) == figures(&passed, seat)
            && then.seat(seat).score > passed.seat(seat).score
    };
    moves.iter().filter(better).copied().collect()
}

/// The figure step of a seat is never passed where a completed feature could be claimed for nothing.
#[test]
fn strong_levels_never_pass_a_free_completion() {
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    for strong in strong() {
        let mut offered = 0;
        for game in 0..4 {
            let mut one = strong.player(game);
            let mut two = level("greedy").unwrap().player(game);
            let budget = Budget::Iterations(12);
            let mut chairs = [
                Chair {
                    player: one.as_mut(),
                    budget,
                },
                Chair {
                    player: two.as_mut(),
                    budget,
                },
            ];
            play(
                &rules,
                &mut chairs,
                game,
                &NoClock,
                |state: &State, seat: Seat, decision: &Decision| {
                    if seat == Seat(0) {
                        let free = free(&rules, state, seat);
                        offered += u32::from(!free.is_empty());
                        assert!(
                            free.is_empty() || decision.choice.verb != Verb::Pass,
                            "{}, game {game}, turn {}: passes {free:?}",
                            strong.name,
                            state.turn().number
                        );
                    }
                },
            );
        }
        assert!(offered > 3, "{}: {offered}", strong.name);
    }
}

/// With the last tile the points are certain, and a strong level takes the most.
#[test]
fn strong_levels_end_the_game_as_well_as_can_be() {
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    let certain = LEVELS.iter().skip_while(|level| level.name != "seneschal");
    for strong in certain {
        for game in 0..6 {
            let mut one = level("steady").unwrap().player(game);
            let mut two = level("greedy").unwrap().player(game);
            let budget = Budget::Iterations(12);
            let mut chairs = [
                Chair {
                    player: one.as_mut(),
                    budget,
                },
                Chair {
                    player: two.as_mut(),
                    budget,
                },
            ];
            let played = play(&rules, &mut chairs, game, &NoClock, |_, _, _| {});
            let drawn = |input: &Input| matches!(input, Input::Chance(Chance::Tile(_)));
            let last = played.inputs.iter().rposition(drawn).unwrap();
            let mut state = rules.start();
            for input in &played.inputs[..=last] {
                rules.apply(&mut state, *input, &mut ()).unwrap();
            }
            let best = best_end(&rules, &state);
            let mut player = strong.player(game);
            while let Waiting::Seats(seats) = state.waiting() {
                let seat = seats.iter().next().unwrap();
                let view = rules.view(&state, Some(seat));
                let decision = player
                    .choose(&rules, &view, seat, budget, &NoClock)
                    .unwrap();
                state = after(&rules, &state, seat, decision.choice);
            }
            assert_eq!(
                lead(&state, state.active()),
                best,
                "{}, game {game}",
                strong.name
            );
        }
    }
}

fn lead(state: &State, seat: Seat) -> i32 {
    let other = Seat(1 - seat.0);
    state.seat(seat).score - state.seat(other).score
}

/// The largest lead that the active seat can end the game with.
fn best_end(rules: &Rules, state: &State) -> i32 {
    let Waiting::Seats(seats) = state.waiting() else {
        return lead(state, state.active());
    };
    let seat = seats.iter().next().unwrap();
    let mut moves = Moves::new();
    rules.legal_for(state, seat, &mut moves);
    let ends = moves
        .iter()
        .map(|choice| best_end(rules, &after(rules, state, seat, *choice)));
    ends.max().unwrap()
}
