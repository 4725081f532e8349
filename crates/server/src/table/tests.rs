//! Choices that several seats make at the same time are sealed. No expansion that is there asks several seats at once, so the
//! position is made so by hand: the means of hiding are those that such an expansion will use.

use std::net::IpAddr;

use serde_json::json;
use trencavel_record::notation::{choice_text, parse_choice};
use trencavel_rules::SeatSet;

use super::*;
use crate::blueprint::Blueprint;
use crate::draft::{Ended, ended, texts};

const ANN: Seat = Seat(0);
const BOB: Seat = Seat(1);

/// The position with both seats asked what one was asked.
fn both_asked(rules: &Rules, state: &State) -> State {
    let saved = state.save();
    for i in 1..saved.len() {
        // What is waited for is saved as its kind and a bit for each seat.
        if saved[i - 1..=i] == [0, 1] {
            let mut other = saved.clone();
            other[i] = 3;
            if let Ok(other) = rules.load(&other)
                && other.waiting() == Waiting::Seats(SeatSet::one(ANN).with(BOB))
            {
                return other;
            }
        }
    }
    panic!("the waiting is not where it was");
}

/// A table of two with a game that has begun, and whom it is made of.
async fn begun(file: &std::path::Path) -> (TableTask, mpsc::Sender<Command>, [String; 2]) {
    let limits = Arc::new(Limits::default());
    let data = file.display().to_string();
    let around = Surroundings {
        store: Store::open(&data, &limits, Arc::default()).await.unwrap(),
        thinkers: Thinkers::new(1, Arc::default()),
        limits: limits.clone(),
        metrics: Arc::default(),
        setups: Setups::default(),
        began: now_ms(),
    };
    let ann = Who::at(IpAddr::from([127, 0, 0, 1]));
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }]);
    let wanted = json!({ "setup": "C2; seats 2", "seats": seats });
    let wanted = serde_json::from_value(wanted).unwrap();
    let (blueprint, made) = Blueprint::new(&wanted, &ann, &limits, &around.setups).unwrap();
    around.store.make_table(blueprint.stored("")).await.unwrap();
    let (own, _commands) = mpsc::channel(8);
    let table = TableTask::load(&made.table, around, own.downgrade()).await;
    let mut table = table.unwrap().unwrap();
    let join = Join {
        name: "Bob".into(),
        seat: None,
        invite: None,
    };
    let bob = table.join(&join, &ann).await.unwrap();
    table.events([Event::Begun]).await.unwrap();
    table.advance().await;
    let secrets = [made.seat.unwrap().secret, bob.secret];
    (table, own, secrets)
}

/// Listens, and has heard what is past.
async fn ear(table: &mut TableTask, secret: Option<&str>) -> mpsc::Receiver<Arc<News>> {
    let mut who = Who::at(IpAddr::from([127, 0, 0, 1]));
    who.hashes.extend(secret.map(crate::secret::hash));
    let (news, ear) = mpsc::channel(64);
    table.listen(&who, 0, 0, news).await.unwrap();
    ear
}

/// What came to an ear, as it is sent.
fn heard(ear: &mut mpsc::Receiver<Arc<News>>) -> String {
    let mut text = String::new();
    while let Ok(news) = ear.try_recv() {
        text += &serde_json::to_string(&*news).unwrap();
        text.push('\n');
    }
    text
}

#[tokio::test]
async fn a_sealed_choice_is_told_to_nobody_but_its_seat() {
    let file = format!("trencavel-sealed-{}.sqlite", std::process::id());
    let file = std::env::temp_dir().join(file);
    let (mut table, _own, [ann, bob]) = begun(&file).await;
    let rules = table.rules.clone();
    let state = both_asked(&rules, table.history.state());
    table.history.go_on(&[], state.clone());
    let mut anns = ear(&mut table, Some(&ann)).await;
    let mut others = [
        ear(&mut table, Some(&bob)).await,
        ear(&mut table, None).await,
    ];
    heard(&mut anns);
    for other in &mut others {
        heard(other);
    }
    let mut moves = Moves::new();
    rules.legal_for(&state, ANN, &mut moves);
    let text = choice_text(&rules, &state, moves[0]);
    let number = table.number() + 1;
    table.choose(&[ANN], number, &text).await.unwrap();
    let own = heard(&mut anns);
    assert!(own.contains(&format!("1: {text}\"")), "{own}");
    for other in &mut others {
        let told = heard(other);
        assert!(told.contains("1: pass\""), "{told}");
        assert!(!told.contains(&text), "{told}");
    }
    // It is nowhere else where it may be asked for, either.
    let described = serde_json::to_string(&table.describe()).unwrap();
    assert!(!described.contains(&text), "{described}");
    // The others, but not she, are still asked.
    assert_eq!(table.waiting(), Waiting::Seats(SeatSet::one(BOB)));
    let again = table.choose(&[ANN], number + 1, &text).await;
    assert_eq!(again.unwrap_err().code, "not-asked");
    // The log has it, else it would be lost.
    let stored = table.around.store.entries(&table.id, 0).await.unwrap();
    assert!(stored.last().unwrap().lines.contains(&text), "{stored:?}");
    table.around.store.close().await;
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", file.display()));
    }
}

#[test]
fn the_hash_that_others_are_told_says_nothing_about_a_sealed_choice() {
    let rules = Setups::default().rules("C2; seats 2", &[]).unwrap();
    let mut state = rules.start();
    let mut dealer = Dealer::after([7; 32], &History::new(rules.clone()));
    let drawn = dealer.decide(&rules, &state).unwrap();
    rules.apply_listed(&mut state, Input::Chance(drawn), &mut ());
    let state = both_asked(&rules, &state);
    let mut moves = Moves::new();
    rules.legal_for(&state, ANN, &mut moves);
    let hashes = |viewer: Option<Seat>| -> Vec<u64> {
        let after = moves.iter().map(|choice| {
            let mut after = state.clone();
            rules.apply_listed(&mut after, Input::Choice(ANN, *choice), &mut ());
            rules.view(&after, viewer).hash()
        });
        after.collect()
    };
    let different = |hashes: &[u64]| hashes.iter().any(|hash| *hash != hashes[0]);
    assert!(moves.iter().count() > 1 && different(&hashes(Some(ANN))));
    for viewer in [Some(BOB), None] {
        assert!(!different(&hashes(viewer)), "{viewer:?}");
    }
    // The server knows such a position, and gives each their own hash.
    assert!(matches!(ended(&state), Ended::Views(_)));
    // Where a line of the log is told to latecomers, it is sealed in the same way.
    let choice = parse_choice(&rules, &state, &choice_text(&rules, &state, moves[0])).unwrap();
    let (open, sealed) = texts(&rules, &state, Input::Choice(ANN, choice));
    assert_ne!(open, "1: pass");
    assert_eq!(sealed, Some((ANN, "1: pass".to_string())));
}
