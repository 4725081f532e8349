//! The page: setting up a game, and the table at which it is played.

use leptos::prelude::*;
use trencavel_ai::{LEVELS, level};
use trencavel_art::{Theme, style};
use trencavel_rules::{Edition, Ext, Setup};

use crate::game::{Game, Player};
use crate::table::Table;
use crate::text::{Language, set_language, tr};

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Page {
    Setup,
    Table,
}

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    let page = RwSignal::new(Page::Table);
    let theme = RwSignal::new(Theme::Day);
    let language = RwSignal::new(preferred_language());
    let game = StoredValue::new_local(first_game());
    let round = RwSignal::new(0u32);
    let start = move |new: Game| {
        game.set_value(Some(new));
        round.update(|n| *n += 1);
        page.set(Page::Table);
    };
    Effect::new(move |_| {
        set_language(language.get());
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("lang", language.get().code());
            let _ = root.set_attribute("data-theme", theme.get().name());
        }
    });
    view! {
        <style>{style::sheets()}</style>
        <header class="top">
            <h1><a href="#" on:click=move |_| page.set(Page::Setup)>{move || { language.get(); tr("title") }}</a></h1>
            <nav>
                <button on:click=move |_| page.set(Page::Setup)>{move || { language.get(); tr("new-game") }}</button>
                <label>
                    <span class="quiet">{move || { language.get(); tr("theme") }}</span>
                    <select on:change=move |e| if let Some(t) = Theme::from_name(&event_target_value(&e)) { theme.set(t) }>
                        {Theme::ALL.map(|t| view! {
                            <option value=t.name()>{move || { language.get(); tr(&format!("theme-{}", t.name())) }}</option>
                        })}
                    </select>
                </label>
                <label>
                    <span class="quiet">{move || { language.get(); tr("language") }}</span>
                    <select
                        prop:value=move || language.get().code()
                        on:change=move |e| if let Some(l) = Language::from_code(&event_target_value(&e)) { language.set(l) }
                    >
                        {Language::ALL.map(|l| view! { <option value=l.code()>{l.name()}</option> })}
                    </select>
                </label>
            </nav>
        </header>
        {move || {
            language.get();
            round.get();
            match page.get() {
                Page::Setup => view! { <SetUp start=start/> }.into_any(),
                Page::Table => match game.get_value() {
                    Some(game) => view! { <Table game=game/> }.into_any(),
                    None => view! { <SetUp start=start/> }.into_any(),
                },
            }
        }}
    }
}

fn preferred_language() -> Language {
    let language = window().navigator().language();
    let language = language
        .and_then(|code| Language::from_code(&code))
        .unwrap_or(Language::English);
    set_language(language);
    language
}

fn seed() -> u64 {
    let now = js_sys::Date::now() as u64;
    let chance = (js_sys::Math::random() * f64::from(u32::MAX)) as u64;
    now ^ (chance << 20)
}

/// The game that is on the table when the page opens: against a computer player.
fn first_game() -> Option<Game> {
    let computer = level("steady").map_or(Player::Person, Player::Computer);
    let players = vec![
        (tr("person"), Player::Person),
        ("Trencavel".to_string(), computer),
    ];
    Game::new(&Setup::new(Edition::C2, 2), players, seed()).ok()
}

/// Setting up a game.
#[component]
fn SetUp(start: impl Fn(Game) + Copy + 'static) -> impl IntoView {
    let edition = RwSignal::new(Edition::C2);
    let chosen: RwSignal<Vec<&'static str>> = RwSignal::new(Vec::new());
    let seats: RwSignal<Vec<&'static str>> = RwSignal::new(vec!["", "steady"]);
    let fault = RwSignal::new(String::new());
    let go = move |_| {
        let mut setup = Setup::new(edition.get(), seats.get().len() as u8);
        for slug in chosen.get() {
            setup = setup.with(slug);
        }
        let names = seats.get();
        let players = names.iter().enumerate().map(|(i, name)| match level(name) {
            Some(level) => (format!("{} {}", level.name, i + 1), Player::Computer(level)),
            None => (format!("{} {}", tr("person"), i + 1), Player::Person),
        });
        match Game::new(&setup, players.collect(), seed()) {
            Ok(game) => start(game),
            Err(error) => fault.set(error.to_string()),
        }
    };
    view! {
        <main class="setup">
            <section>
                <h2>{tr("seats")}</h2>
                {move || seats.get().iter().copied().enumerate().map(|(i, now)| view! {
                    <label class="seat">
                        <span class="badge" style=format!("background:{}", trencavel_art::seat_style(i as u8).colour)></span>
                        <select on:change=move |e| {
                            let value = event_target_value(&e);
                            let name = LEVELS.iter().map(|l| l.name).find(|n| *n == value).unwrap_or("");
                            seats.update(|s| if let Some(seat) = s.get_mut(i) { *seat = name });
                        }>
                            <option value="" selected=now.is_empty()>{tr("person")}</option>
                            {LEVELS.iter().map(|l| view! {
                                <option value=l.name selected=now == l.name>
                                    {crate::text::say("computer", &[("level", l.name.into())])}
                                </option>
                            }).collect_view()}
                        </select>
                    </label>
                }).collect_view()}
                <div class="row">
                    <button on:click=move |_| seats.update(|s| if s.len() < 8 { s.push("steady") }) aria-label="+">"+"</button>
                    <button on:click=move |_| seats.update(|s| if s.len() > 1 { s.pop(); }) aria-label="−">"−"</button>
                </div>
                <h2>{tr("edition")}</h2>
                <div class="row">
                    {Edition::ALL.iter().copied().map(|e| view! {
                        <button class:on=move || edition.get() == e on:click=move |_| edition.set(e)>{e.name()}</button>
                    }).collect_view()}
                </div>
            </section>
            <section>
                <h2>{tr("expansions")}</h2>
                <div class="cards">
                    {Ext::ALL.iter().filter(|e| **e != Ext::Base).map(|ext| {
                        let about = ext.expansion();
                        view! {
                            <button
                                class="card"
                                class:on=move || chosen.get().contains(&about.slug)
                                aria-pressed=move || chosen.get().contains(&about.slug).to_string()
                                on:click=move |_| chosen.update(|c| {
                                    if c.contains(&about.slug) { c.retain(|s| *s != about.slug) } else { c.push(about.slug) }
                                })
                            >{about.name}</button>
                        }
                    }).collect_view()}
                </div>
                <p role="alert">{move || fault.get()}</p>
                <button class="primary" on:click=go>{tr("start-game")}</button>
            </section>
        </main>
    }
}
