//! The first game, explained on a real board: each turn has a tile that shows something new. It can be left at any step.

use leptos::prelude::*;
use trencavel_rules::{Edition, Setup, Waiting};

use crate::desk::Desk;
use crate::game::Game;
use crate::settings::Settings;
use crate::table::Table;
use crate::text::{say, tr};

/// The tiles of the lesson, in the order in which they come: a road, a monastery at the end of a road, a crossing, the end of a city,
/// a city of two parts, and three to play freely with.
const TILES: [&str; 8] = [
    "BA/RFr", "BA/LR", "BA/CRRR", "BA/C", "BA/CC.2", "BA/Rr", "BA/L", "BA/C",
];

/// The game of the lesson.
fn game() -> Option<Game> {
    let mut setup = Setup::new(Edition::C2, 1);
    let mut bag: Vec<(String, u8)> = Vec::new();
    for id in TILES {
        match bag.iter_mut().find(|(other, _)| other == id) {
            Some((_, n)) => *n += 1,
            None => bag.push((id.to_string(), 1)),
        }
    }
    setup.bag = Some(bag);
    Game::lesson(&setup, tr("you"), &TILES).ok()
}

/// The text for where the game is.
fn text_id(game: &Game) -> String {
    if game.state().waiting() == Waiting::Over {
        return "learn-end".to_string();
    }
    let turn = usize::from(game.state().turn().number).clamp(1, TILES.len());
    let lays = game.shown.turn().drawn.is_some();
    if game.is_ready() {
        return "learn-confirm".to_string();
    }
    format!("learn-{}-{turn}", if lays { "lay" } else { "figure" })
}

/// The lesson.
#[component]
pub(crate) fn Learn(settings: RwSignal<Settings>) -> impl IntoView {
    let again = RwSignal::new(0u32);
    view! {
        {move || {
            again.get();
            let Some(game) = game() else {
                return view! { <main class="page-of-text"><p class="fault">{tr("learn-missing")}</p></main> }.into_any();
            };
            let desk = Desk::new(game, settings, false, None);
            let lesson = view! {
                <div class="lesson" role="region" aria-label=tr("learn") aria-live="polite">
                    <p>{move || desk.read(|game| tr(&text_id(game)))}</p>
                    <p class="row">
                        <span class="quiet">{move || desk.read(|game| {
                            let turn = game.state().turn().number.clamp(1, TILES.len() as u16);
                            say("learn-step", &[("n", turn.into()), ("of", TILES.len().into())])
                        })}</span>
                        <a class="button" href="#play">{tr("learn-leave")}</a>
                    </p>
                </div>
            };
            let rematch = Callback::new(move |()| again.update(|n| *n += 1));
            view! { <Table desk=desk rematch=rematch lesson=lesson.into_any()/> }.into_any()
        }}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_its_tile_and_its_text() {
        let mut game = game().unwrap();
        game.settle();
        let mut seen = Vec::new();
        while game.state().waiting() != Waiting::Over {
            if let Some(kind) = game.shown.turn().drawn {
                let turn = usize::from(game.state().turn().number);
                assert_eq!(game.rules().tile(kind).id, TILES[turn - 1]);
            }
            while let Some(choice) = game.legal().first().copied() {
                seen.push(text_id(&game));
                assert!(game.choose(choice));
            }
            seen.push(text_id(&game));
            game.confirm();
        }
        seen.push(text_id(&game));
        for id in [
            "learn-lay-1",
            "learn-figure-1",
            "learn-lay-8",
            "learn-confirm",
            "learn-end",
        ] {
            assert!(seen.iter().any(|other| other == id), "{id}");
        }
        for id in seen {
            assert_ne!(tr(&id), id);
        }
    }
}
