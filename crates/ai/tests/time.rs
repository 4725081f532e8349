//! A search keeps to its time even where there is very much to choose from. The clock is one of the test: it goes on by a
//! millisecond whenever it is asked, so that nothing depends on the machine.

use std::cell::Cell;

use trencavel_ai::{
    Budget, Candidate, Clock, Deal, NoClock, Player as _, Rng, Search, SearchSettings, Steady,
    play, seated,
};
use trencavel_rules::{Edition, Ext, Input, Moves, Rules, Seat, Setup, State, Waiting};

/// Goes on by a millisecond whenever it is asked.
#[derive(Default)]
struct Asked(Cell<u32>);

impl Clock for Asked {
    fn now_ms(&self) -> f64 {
        self.0.set(self.0.get() + 1);
        f64::from(self.0.get())
    }
}

/// Stands still until it was asked so often, and then all time is over.
struct Late(Cell<u32>);

impl Clock for Late {
    fn now_ms(&self) -> f64 {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        if left > 0 { 0.0 } else { 1e9 }
    }
}

/// Those of the first positions of a game played by chance in which a seat has the most to choose from.
fn crowded(rules: &Rules, n: usize) -> Vec<(State, Seat)> {
    let mut rng = Rng::new(5);
    let mut deal = Deal::new(rules, &rules.start(), 5);
    let mut moves = Moves::new();
    let mut seen = Vec::new();
    let mut state = rules.start();
    while state.turn().number < 40 {
        let input = match state.waiting() {
            Waiting::Over => break,
            Waiting::Chance(_) => Input::Chance(deal.decide(rules, &state).unwrap()),
            Waiting::Seats(seats) => {
                let seat = seats.iter().next().unwrap();
                rules.legal_for(&state, seat, &mut moves);
                seen.push((moves.len(), state.clone(), seat));
                Input::Choice(seat, moves[rng.below(moves.len() as u32) as usize])
            }
        };
        rules.apply(&mut state, input, &mut ()).unwrap();
    }
    seen.sort_by_key(|(choices, ..)| core::cmp::Reverse(*choices));
    (seen.into_iter().take(n))
        .map(|(_, state, seat)| (state, seat))
        .collect()
}

#[test]
fn a_search_ends_in_time_before_it_has_looked_at_every_plan() {
    let mut setup = Setup::new(Edition::C1, 2);
    for ext in Ext::ALL.iter().filter(|ext| **ext != Ext::Base) {
        setup = setup.with(ext.expansion().slug);
    }
    let rules = Rules::new(&setup).unwrap();
    let crowded = crowded(&rules, 6);
    assert_eq!(crowded.len(), 6);
    for (state, seat) in crowded {
        let view = rules.view(&state, Some(seat));
        let weigh = |budget: Budget, clock: &dyn Clock| {
            let mut search = Search::new(SearchSettings::default());
            let decision = search.choose(&rules, &view, seat, budget, clock).unwrap();
            (search.leaves(), decision)
        };
        let (all, _) = weigh(Budget::Iterations(1), &NoClock);
        assert!(all > 1000, "{all} positions are not many");
        for milliseconds in [0u32, 4, 12] {
            let clock = Asked::default();
            let budget = Budget::Milliseconds(f64::from(milliseconds));
            let (looked, decision) = weigh(budget, &clock);
            let mut moves = Moves::new();
            rules.legal_for(&view, seat, &mut moves);
            assert!(moves.contains(&decision.choice));
            assert!(
                clock.0.get() <= milliseconds + 10,
                "the clock was asked {} times with {milliseconds} ms",
                clock.0.get()
            );
            assert!(looked < all / 2, "{looked} of {all} positions");
        }
    }
}

#[test]
fn a_plan_that_was_tried_is_not_compared_with_one_that_was_not() {
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    let mut players = [SearchSettings::default(); 2].map(Steady::new);
    let mut chairs = seated(&mut players, Budget::Iterations(1));
    let mut cut = 0;
    play(&rules, &mut chairs, 4, &NoClock, |state, seat, _| {
        if state.turn().drawn.is_none() || !state.turn().number.is_multiple_of(16) {
            return;
        }
        let view = rules.view(state, Some(seat));
        let choose = |budget: Budget, clock: &dyn Clock| {
            let mut search = Search::new(SearchSettings::default());
            search.choose(&rules, &view, seat, budget, clock).unwrap()
        };
        let untried = choose(Budget::Iterations(0), &NoClock);
        for asked in 1..60 {
            let clock = Late(Cell::new(asked));
            let decision = choose(Budget::Milliseconds(1000.0), &clock);
            let tried = |c: &&Candidate| c.visits > 0;
            let n = decision.candidates.iter().filter(tried).count();
            let listed = decision.candidates.len() == untried.candidates.len();
            if listed && n > 0 && n < decision.candidates.len() {
                cut += 1;
                assert_eq!(decision.choice, untried.choice, "asked {asked} times");
            }
        }
    });
    assert!(cut > 10, "only {cut} rounds were cut short");
}
