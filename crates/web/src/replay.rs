//! A game that is looked at: every position, the points over the turns, what could be chosen, what a computer player thinks of it,
//! and playing on from there.

use leptos::prelude::*;
use trencavel_ai::level;
use trencavel_record::any;
use trencavel_record::jcz::convert::Reading;
use trencavel_record::jcz::setup::Strictness;
use trencavel_record::jcz::write;

use crate::desk::Desk;
use crate::ending::{along, graph};
use crate::files;
use crate::game::{Game, Player, USUAL};
use crate::online::Copy;
use crate::route;
use crate::side::drawn_here;
use crate::store;
use crate::survey::Survey;
use crate::text::{say, tr};
use crate::words;

/// How long a position is analysed, in milliseconds.
const ANALYSIS_MS: f64 = 1500.0;

/// Reads a game of any format, to be looked at; with what has to be said about it.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn read(bytes: &[u8]) -> Result<(Game, Vec<String>), String> {
    let reading = Reading {
        strictness: Strictness::Lenient,
        finished: false,
    };
    let opened = any::open(bytes, reading).map_err(|error| error.to_string())?;
    Ok((Game::to_look_at(opened.game), opened.remarks))
}

/// The address of the game, at a position or at its end.
pub(crate) fn address(desk: Desk, at: Option<usize>) -> String {
    let here = window().location().href().unwrap_or_default();
    let here = here.split('#').next().unwrap_or("").to_string();
    let packed = desk.read(|game| store::pack(&game.text()));
    match at {
        Some(at) => format!("{here}#game={packed}@{at}"),
        None => format!("{here}#game={packed}"),
    }
}

fn download(name: &'static str, kind: &str, text: &str, label: String) -> impl IntoView + use<> {
    let href = format!(
        "data:{kind};charset=utf-8,{}",
        js_sys::encode_uri_component(text)
    );
    view! { <a class="button" download=name href=href>{label}</a> }
}

/// Links that save the game: our own format, and `.jcz` where that can tell it.
pub(crate) fn save_links(desk: Desk) -> impl IntoView {
    desk.read(|game| {
        let own = download(
            "game.trencavel",
            "text/plain",
            &game.text(),
            tr("save-file"),
        );
        let written = write::write(&game.record);
        let jcz = written.unsaid.is_empty().then(|| {
            download(
                "game.jcz",
                "application/json",
                &written.text,
                tr("save-jcz"),
            )
        });
        (own, jcz)
    })
}

/// The hand of somebody who looks at a game.
#[component]
pub(crate) fn Study(desk: Desk) -> impl IntoView {
    let thinking = RwSignal::new(false);
    let here = move || desk.read(|game| game.looks_at().unwrap_or(game.len()));
    let last = desk.peek(Game::len);
    let position = Signal::derive(move || address(desk, Some(here())));
    let play_on = move |others: Player| {
        let game = desk.peek(|game| game.from_here(others, crate::app::seed()));
        store::keep(store::GAME, &game.text());
        route::go("#play");
    };
    let slide = move |event: web_sys::Event| {
        if let Ok(number) = event_target_value(&event).parse::<usize>() {
            desk.look(Some(number));
        }
    };
    let computer = level(USUAL).map_or(Player::Person, Player::Computer);
    view! {
        <section class="hand study">
            <p class="now" role="status">{move || say("position-of", &[("n", here().into()), ("of", last.into())])}</p>
            <input
                type="range" class="slider" min="0" max=last.to_string() aria-label=tr("position")
                prop:value=move || here().to_string()
                on:input=slide
            />
            {move || desk.read(|game| view! {
                <div class="jump" on:click=move |event: web_sys::MouseEvent| jump(desk, &event)>{graph(game)}</div>
            })}
            {move || drawn_here(desk)}
            <div class="row">
                <button class="primary" disabled=move || thinking.get() || desk.legal.with(Vec::is_empty) on:click=move |_| {
                    thinking.set(true);
                    desk.analyse(ANALYSIS_MS, move || { let _ = thinking.try_set(false); });
                }>{move || tr(if thinking.get() { "analysing" } else { "analyse" })}</button>
                <button on:click=move |_| play_on(computer)>{tr("play-from-here")}</button>
                <button on:click=move |_| play_on(Player::Person)>{tr("play-both-from-here")}</button>
                <Copy text=position/>
                {save_links(desk)}
            </div>
            <ol class="best">
                {move || desk.weighed.get().into_iter().map(|weighed| view! {
                    <li>
                        <span>{desk.read(|game| words::choice(game, weighed.choice))}</span>" "
                        <span class="quiet">{say("worth", &[
                            ("lead", format!("{:+.1}", weighed.lead).into()),
                            ("win", format!("{:.0}", weighed.win * 100.0).into()),
                        ])}</span>
                    </li>
                }).collect_view()}
            </ol>
            <Survey desk=desk/>
        </section>
    }
}

/// A press on the graph goes to that turn.
fn jump(desk: Desk, event: &web_sys::MouseEvent) {
    let Some(share) = along(event) else {
        return;
    };
    let number = desk.peek(|game| {
        let turns = game.history.len().saturating_sub(1);
        let turn = (share * turns as f64).round() as usize;
        let began = game.log.iter().filter(|entry| {
            matches!(
                entry.event,
                trencavel_rules::Event::Began { .. } | trencavel_rules::Event::Over { .. }
            )
        });
        began.map(|entry| entry.number).nth(turn)
    });
    if number.is_some() {
        desk.look(number);
    }
}

/// A button that opens a file of a game.
#[component]
pub(crate) fn OpenFile(
    opened: Callback<(Game, Vec<String>)>,
    fault: RwSignal<String>,
) -> impl IntoView {
    let read_file = move |event: web_sys::Event| {
        files::chosen(&event, move |file| {
            let read = file.and_then(|(_, bytes)| {
                read(&bytes).map_err(|why| say("bad-file", &[("why", why.into())]))
            });
            match read {
                Ok(game) => {
                    fault.set(String::new());
                    opened.run(game);
                }
                Err(why) => fault.set(why),
            }
        });
    };
    view! {
        <label class="button file">{tr("open-file")}
            <input type="file" accept=".jcz,.trencavel,.game,.txt" on:change=read_file/>
        </label>
    }
}
