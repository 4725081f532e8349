//! What that engine does when an action is confirmed we do at once. Following keeps the position in between, and can open
//! the figure step there once more, as that engine does after a ransom.

mod random;

use random::{linked, random_game};
use trencavel_record::jcz::file::{Action, JczFile, Meeple, Message};
use trencavel_record::jcz::follow::Follow;
use trencavel_record::jcz::setup::with_profile;
use trencavel_record::jcz::words::{figure_list, kind_word};
use trencavel_record::jcz::write::write;
use trencavel_rules::{Edition, Place, Rules, Seat, Setup, State, Step};

fn message(action: Action) -> Message {
    Message {
        line: 1,
        player: None,
        action,
    }
}

fn points(state: &State) -> Vec<i32> {
    let seats = state.seat_list();
    seats.map(|seat| state.seat(seat).score).collect()
}

/// A prisoner of this seat that it could pay for.
fn prisoner(state: &State, seat: Seat) -> Option<Meeple> {
    let mut prisoners = state.pieces().in_place(Place::Prison);
    let piece = prisoners.find(|piece| piece.seat == seat)?;
    (state.seat(seat).score >= 3).then(|| Meeple {
        seat: seat.0,
        kind: kind_word(piece.kind).to_owned(),
        number: 1,
    })
}

#[test]
fn the_position_before_a_confirmation_is_kept_and_can_be_gone_on_from() {
    let setup = with_profile(Setup::new(Edition::C1, 2).with("tower"));
    let rules = linked(&setup);
    let (mut unscored, mut paid) = (0, 0);
    for seed in 1..40 {
        let written = write(&random_game(&rules, seed)).text;
        let file = JczFile::read(written.as_bytes()).unwrap();
        let follow = || Follow::new(&rules, file.draw_order.clone()).holding();
        let mut main = follow();
        for (i, said) in file.messages.iter().enumerate() {
            if said.action == Action::Commit
                && let Some(held) = main.held()
            {
                assert!(rules.stands_still(held));
                // What is completed is not scored yet, and its figures stand where they stood.
                let now = main.state();
                let scored = points(held) != points(now);
                unscored += usize::from(scored);
                if scored {
                    assert!(figure_list(&rules, held).len() >= figure_list(&rules, now).len());
                }
                let seat = held.active();
                if let Some(meeple) = prisoner(held, seat) {
                    paid += usize::from(pay(&rules, follow(), &file.messages[..i], seat, meeple));
                }
            }
            main.take(i + 1, said).unwrap();
        }
    }
    assert!(unscored > 50 && paid > 20, "{unscored} {paid}");
}

/// Follows the messages, pays a ransom where only a confirmation is due, and passes: the board is as without it.
fn pay(
    rules: &Rules,
    mut follow: Follow,
    messages: &[Message],
    seat: Seat,
    meeple: Meeple,
) -> bool {
    for (i, said) in messages.iter().enumerate() {
        follow.take(i + 1, said).unwrap();
    }
    let ransom = message(Action::Ransom(meeple));
    let before = follow.held().unwrap().clone();
    if follow.take(1, &ransom).is_ok() {
        // With us a decision was still open.
        return false;
    }
    if !follow.open_again() {
        return false;
    }
    assert_eq!(rules.step(follow.state()), Some(Step::MoveWood));
    assert_eq!(points(follow.state()), points(&before));
    assert_eq!(
        figure_list(rules, follow.state()),
        figure_list(rules, &before)
    );
    // One ransom a turn: if it was used up before, it is not open again (TO-33).
    if follow.take(1, &ransom).is_err() {
        return false;
    }
    let after = points(follow.state());
    assert_eq!(after[seat.index()], points(&before)[seat.index()] - 3);
    assert_eq!(
        after.iter().sum::<i32>(),
        points(&before).iter().sum::<i32>()
    );
    if follow.state().waiting() != before.waiting() {
        let _ = follow.take(2, &message(Action::Pass));
    }
    follow.take(3, &message(Action::Commit)).unwrap();
    assert_eq!(rules.broken(follow.state()), None);
    true
}

/// Nothing can be opened again where nothing waits for a confirmation.
#[test]
fn only_a_confirmation_can_be_opened_again() {
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    let mut follow = Follow::new(&rules, Some(vec!["BA/L".to_owned()])).holding();
    assert!(follow.held().is_none());
    assert!(!follow.open_again());
    let mut state = rules.start();
    assert!(
        rules
            .ask_again(&mut state, Step::MoveWood, &mut ())
            .is_err()
    );
}
