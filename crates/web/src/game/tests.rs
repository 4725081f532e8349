//! Local, told and looked-at games.

use super::*;
use trencavel_rules::Edition;

fn game(setup: &Setup) -> Game {
    let players = vec![("A".into(), Player::Person), ("B".into(), Player::Person)];
    let mut game = Game::new(setup, players, 7).unwrap();
    game.settle();
    game
}

fn play(game: &mut Game) {
    let mut hands = 0;
    while game.state().waiting() != Waiting::Over {
        while let Some(choice) = game.legal().first().copied() {
            assert!(game.choose(choice));
        }
        assert!(game.is_ready());
        game.confirm();
        hands += 1;
        assert!(hands < 2000);
    }
}

#[test]
fn a_hand_can_be_taken_back_until_it_is_confirmed() {
    let mut game = game(&Setup::new(Edition::C2, 2));
    let before = game.state().hash();
    let lay = game.legal()[0];
    assert!(matches!(lay.target, Target::Square(..)));
    assert!(game.choose(lay));
    assert_eq!(game.state().hash(), before);
    assert!(!game.begun.is_empty());
    assert!(game.take_back());
    assert_eq!(game.shown.hash(), before);
    assert!(!game.take_back());
}

#[test]
fn a_confirmed_move_is_taken_back_and_the_same_tiles_come_again() {
    let move_on = |game: &mut Game| {
        while let Some(choice) = game.legal().last().copied() {
            game.choose(choice);
        }
        game.confirm();
    };
    let mut game = game(&Setup::new(Edition::C2, 2));
    assert!(!game.may_undo());
    let mut hashes = Vec::new();
    for _ in 0..6 {
        hashes.push(game.state().hash());
        move_on(&mut game);
    }
    let end = game.state().hash();
    while let Some(hash) = hashes.pop() {
        assert!(game.undo());
        assert_eq!(game.state().hash(), hash);
    }
    assert!(!game.undo());
    for _ in 0..6 {
        move_on(&mut game);
    }
    assert_eq!(game.state().hash(), end);
}

#[test]
fn without_the_aid_nothing_is_taken_back() {
    let mut game = game(&Setup::new(Edition::C2, 2));
    game.allow(Aids {
        undo: false,
        ..Aids::default()
    });
    let choice = game.legal()[0];
    game.choose(choice);
    while let Some(choice) = game.legal().first().copied() {
        game.choose(choice);
    }
    game.confirm();
    assert!(!game.may_undo() && !game.undo());
    let again = Game::read(game.text().as_bytes(), 1).unwrap();
    assert!(!again.aids().undo && again.aids().fields);
    assert!(!game.again(1).unwrap().aids().undo);
}

/// No expansion that there is asks several seats at once, so a sealed answer is put into a snapshot.
#[test]
fn a_sealed_answer_is_hidden_from_the_other_at_the_screen() {
    let game = game(&Setup::new(Edition::C2, 2));
    let bytes = game.state().save();
    // One answer instead of none: of seat 0, some verb without kind and target.
    let sealed = (0..bytes.len()).filter(|i| bytes[*i] == 0).find_map(|i| {
        let (before, after) = (bytes.get(..i)?, bytes.get(i + 1..)?);
        let with = [before, &[1, 0, 2, 0, 0], after].concat();
        let state = game.rules().load(&with).ok()?;
        (state.save() == with && state.board().tiles() == game.state().board().tiles())
            .then_some(state)
            .filter(|state| {
                let all = game.rules().view(state, None);
                all.hash() != state.hash()
            })
    });
    let state = sealed.expect("a snapshot can hold a sealed answer");
    assert!(views_differ(game.rules(), &state, Seat(0), Seat(1)));
    assert!(!views_differ(game.rules(), &state, Seat(1), Seat(1)));
}

/// No expansion in play hides anything: every view is the same, so no curtain is drawn.
#[test]
fn nothing_is_hidden_between_two_at_one_screen() {
    let mut game = game(&Setup::new(Edition::C2, 2));
    let choice = game.legal()[0];
    game.choose(choice);
    assert!(!game.differs_for(Seat(0), Seat(1)));
    assert!(!game.differs_for(Seat(0), Seat(0)));
}

#[test]
fn a_whole_game_can_be_played_by_first_choices() {
    let mut game = game(&Setup::new(Edition::C2, 2));
    play(&mut game);
    assert_eq!(game.history.last().map(Vec::len), Some(2));
}

#[test]
fn a_game_with_everything_is_saved_and_read_again() {
    let setup = Ext::ALL
        .iter()
        .skip(1)
        .fold(Setup::new(Edition::C2, 2), |setup, ext| {
            setup.with(ext.expansion().slug)
        });
    let mut game = game(&setup);
    play(&mut game);
    let again = Game::read(game.text().as_bytes(), 1).unwrap();
    assert_eq!(again.text(), game.text());
    assert_eq!(again.log, game.log);
    assert_eq!(again.history, game.history);
}

#[test]
fn looking_back_changes_nothing() {
    let mut game = game(&Setup::new(Edition::C2, 2));
    play(&mut game);
    let end = game.seen().hash();
    game.look(Some(1));
    assert_eq!(game.seen().board().tiles().len(), 1);
    assert!(game.legal().is_empty());
    game.look(None);
    assert_eq!(game.seen().hash(), end);
}

/// A server's game: one page plays, another one watches; both are told the same.
#[test]
fn what_a_server_tells_is_played() {
    let setup = Setup::new(Edition::C2, 2);
    let names = || vec!["A".to_string(), "B".to_string()];
    let mut server = game(&setup);
    let mut player = Game::online(&setup, names(), &[Seat(0)]).unwrap();
    let mut watcher = Game::online(&setup, names(), &[]).unwrap();
    let mut told = 0;
    let mut tell = |server: &Game, pages: [&mut Game; 2]| {
        for page in pages {
            let mut state = server.record.history.at(told);
            for (i, input) in server.record.history.inputs().iter().enumerate().skip(told) {
                let text = trencavel_record::notation::input_text(server.rules(), &state, *input);
                page.told(i as u64 + 1, &text).unwrap();
                server.rules().apply_listed(&mut state, *input, &mut ());
            }
        }
        told = server.len();
    };
    tell(&server, [&mut player, &mut watcher]);
    for _ in 0..30 {
        let seat = server.hand().unwrap();
        if seat == Seat(0) {
            while let Some(choice) = player.legal().first().copied() {
                assert!(player.choose(choice));
            }
            assert!(player.is_ready());
            for (number, text) in player.send() {
                assert_eq!(number, server.len() as u64 + 1);
                server.computer_chose(&text);
            }
            assert!(player.is_sent() && player.legal().is_empty() && !player.take_back());
        } else {
            assert!(player.legal().is_empty() && watcher.legal().is_empty());
            let choice = server.legal()[0];
            server.choose(choice);
            server.confirm();
        }
        tell(&server, [&mut player, &mut watcher]);
        assert!(!player.is_sent());
        assert_eq!(player.view_hash(None), server.view_hash(None));
        assert_eq!(watcher.log, server.log);
    }
    assert!(player.told(told as u64, "pass").is_err(), "a doubled input");
    assert!(player.told(told as u64 + 1, "dance").is_err());
    player.taken_back_to(10);
    assert_eq!(player.len(), 10);
    assert_eq!(player.state().hash(), server.record.history.at(10).hash());
}

#[test]
fn a_looked_at_game_can_be_played_on() {
    let mut game = game(&Setup::new(Edition::C2, 2));
    play(&mut game);
    let mut looked = Game::to_look_at(game.record.clone());
    assert!(looked.legal().is_empty() && looked.computer().is_none());
    looked.look(Some(40));
    let shown = looked.seen().hash();
    assert_eq!(
        looked.legal_here().is_empty(),
        first_asked(looked.seen()).is_none()
    );
    let on = looked.from_here(Player::Computer(level("greedy").unwrap()), 1);
    assert_eq!(on.len(), 40);
    assert_eq!(on.state().hash(), shown);
}

#[test]
fn the_usual_level_exists() {
    assert!(level(USUAL).is_some());
}

#[test]
fn what_a_computer_says_wrongly_is_not_played() {
    let players = vec![("A".into(), Player::Computer(level("greedy").unwrap()))];
    let mut game = Game::new(&Setup::new(Edition::C2, 1), players, 3).unwrap();
    game.settle();
    let n = game.len();
    game.computer_chose("lay nowhere");
    assert!(game.len() > n);
}
