//! The page: setting up a game, and the table at which it is played.

use leptos::prelude::*;
use trencavel_ai::level;
use trencavel_art::{Theme, style};
use trencavel_rules::{Edition, Setup};

use crate::desk::Desk;
use crate::game::{Game, Player};
use crate::settings::{Confirming, Settings};
use crate::setup_page::SetUp;
use crate::store;
use crate::table::Table;
use crate::text::{Language, say, set_language, tr};

/// What is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Page {
    Setup,
    Table,
}

/// The whole page.
#[component]
pub(crate) fn App() -> impl IntoView {
    let settings = RwSignal::new(Settings::kept());
    set_language(settings.get_untracked().language);
    let linked = linked_game();
    let notice = RwSignal::new(match &linked {
        Some(Err(why)) => say("bad-link", &[("why", why.clone().into())]),
        Some(Ok(_)) => tr("shared-game"),
        None => String::new(),
    });
    let from_link = matches!(&linked, Some(Ok(_)));
    let first = linked
        .and_then(Result::ok)
        .or_else(kept_game)
        .or_else(first_game);
    let page = RwSignal::new(if first.is_some() {
        Page::Table
    } else {
        Page::Setup
    });
    let game = StoredValue::new_local(first);
    let keeps = StoredValue::new(!from_link);
    let round = RwSignal::new(0u32);
    let start = Callback::new(move |new: Game| {
        store::keep(store::GAME, &new.text());
        game.set_value(Some(new));
        keeps.set_value(true);
        notice.set(String::new());
        round.update(|n| *n += 1);
        page.set(Page::Table);
    });
    let rematch = Callback::new(move |()| {
        let again = game.with_value(|game| game.as_ref().and_then(same_again));
        if let Some(again) = again {
            start.run(again);
        }
    });
    Effect::new(move |_| {
        let settings = settings.get();
        settings.keep();
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("lang", settings.language.code());
            let _ = root.set_attribute("data-theme", settings.theme.name());
        }
    });
    let language = Memo::new(move |_| settings.with(|settings| settings.language));
    view! {
        <style>{style::sheets()}</style>
        {move || {
            set_language(language.get());
            view! {
                <header class="top">
                    <h1>{tr("title")}</h1>
                    <nav aria-label=tr("menu")>
                        {move || match page.get() {
                            Page::Table => view! {
                                <button on:click=move |_| page.set(Page::Setup)>{tr("new-game")}</button>
                            }.into_any(),
                            Page::Setup => view! {
                                <button on:click=move |_| {
                                    game.set_value(kept_game().or_else(first_game));
                                    keeps.set_value(true);
                                    page.set(Page::Table);
                                }>{tr("back-to-game")}</button>
                            }.into_any(),
                        }}
                        <Menu settings=settings/>
                    </nav>
                </header>
                <p class="notice" role="status">{move || notice.get()}</p>
                {move || {
                    round.get();
                    match (page.get(), game.get_value()) {
                        (Page::Table, Some(game)) => {
                            let desk = Desk::new(game, settings, keeps.get_value());
                            view! { <Table desk=desk rematch=rematch/> }.into_any()
                        }
                        _ => view! { <SetUp start=start/> }.into_any(),
                    }
                }}
            }
        }}
    }
}

/// The settings.
#[component]
fn Menu(settings: RwSignal<Settings>) -> impl IntoView {
    let check = move |label: &'static str,
                      get: fn(&Settings) -> bool,
                      set: fn(&mut Settings, bool)| {
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=move || settings.with(get)
                    on:change=move |event| settings.update(|s| set(s, event_target_checked(&event)))
                />
                {tr(label)}
            </label>
        }
    };
    view! {
        <details class="menu">
            <summary>{tr("menu")}</summary>
            <div class="panel">
                <label>
                    {tr("theme")}
                    <select on:change=move |e| if let Some(t) = Theme::from_name(&event_target_value(&e)) { settings.update(|s| s.theme = t) }>
                        {Theme::ALL.map(|t| view! {
                            <option value=t.name() selected=move || settings.with(|s| s.theme == t)>{tr(&format!("theme-{}", t.name()))}</option>
                        })}
                    </select>
                </label>
                <label>
                    {tr("language")}
                    <select on:change=move |e| if let Some(l) = Language::from_code(&event_target_value(&e)) { settings.update(|s| s.language = l) }>
                        {Language::ALL.map(|l| view! {
                            <option value=l.code() lang=l.code() selected=move || settings.with(|s| s.language == l)>{l.name()}</option>
                        })}
                    </select>
                </label>
                <label>
                    {tr("confirm-mode")}
                    <select on:change=move |e| {
                        let value = event_target_value(&e);
                        if let Some(c) = Confirming::ALL.into_iter().find(|c| c.name() == value) { settings.update(|s| s.confirming = c) }
                    }>
                        {Confirming::ALL.map(|c| view! {
                            <option value=c.name() selected=move || settings.with(|s| s.confirming == c)>{tr(&format!("confirm-{}", c.name()))}</option>
                        })}
                    </select>
                </label>
                {check("auto-fit", |s| s.auto_fit, |s, on| s.auto_fit = on)}
                {check("fields", |s| s.fields, |s, on| s.fields = on)}
                {check("coordinates", |s| s.coordinates, |s, on| s.coordinates = on)}
            </div>
        </details>
    }
}

/// A number that nobody can guess well.
pub(crate) fn seed() -> u64 {
    let now = js_sys::Date::now() as u64;
    let chance = (js_sys::Math::random() * f64::from(u32::MAX)) as u64;
    now ^ (chance << 20)
}

/// The game that was on the table when the page was left.
fn kept_game() -> Option<Game> {
    let text = store::kept(store::GAME)?;
    Game::read(text.as_bytes(), seed()).ok()
}

/// The game in the address of the page, if there is one.
fn linked_game() -> Option<Result<Game, String>> {
    let hash = window().location().hash().ok()?;
    let packed = hash.strip_prefix("#game=")?;
    let text = store::unpack(packed).ok_or_else(|| "?".to_string());
    Some(
        text.and_then(|text| {
            Game::read(text.as_bytes(), seed()).map_err(|error| error.to_string())
        }),
    )
}

/// The game that is on the table when the page opens for the first time: against a computer player.
fn first_game() -> Option<Game> {
    let computer = level("mason").map_or(Player::Person, Player::Computer);
    let players = vec![
        (tr("you"), Player::Person),
        ("Trencavel".to_string(), computer),
    ];
    Game::new(&Setup::new(Edition::C2, 2), players, seed()).ok()
}

/// A new game with the same setup and players.
fn same_again(game: &Game) -> Option<Game> {
    let names = game.record.names.iter().cloned();
    let players = names.zip(game.players.iter().copied()).collect();
    Game::new(game.rules().setup(), players, seed()).ok()
}
