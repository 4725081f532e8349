//! The page: setting up a game, and the table at which it is played.

use leptos::html;
use leptos::prelude::*;
use trencavel_ai::level;
use trencavel_art::{Theme, style};
use trencavel_rules::{Edition, Setup};
use wasm_bindgen::JsCast as _;

use crate::book::BookPage;
use crate::desk::Desk;
use crate::gallery::Gallery;
use crate::game::{Game, Player, USUAL};
use crate::learn::Learn;
use crate::lobby::Lobby;
use crate::online::Online;
use crate::replay::{self, OpenFile};
use crate::route::Route;
use crate::settings::{Confirming, Pace, Settings};
use crate::setup_page::{Goal, SetUp};
use crate::side::sign;
use crate::store;
use crate::table::Table;
use crate::text::{Language, say, set_language, tr};

/// The whole page.
#[component]
pub(crate) fn App() -> impl IntoView {
    let settings = RwSignal::new(Settings::kept());
    set_language(settings.get_untracked().language);
    let route = RwSignal::new(Route::now());
    let notice = RwSignal::new(String::new());
    // A game that was opened to be looked at.
    let looked: StoredValue<Option<Game>, LocalStorage> = StoredValue::new_local(None);
    // The page is made anew when this changes, also where the address stays the same.
    let round = RwSignal::new(0u32);
    let moved = window_event_listener_untyped("hashchange", move |_| {
        notice.set(String::new());
        let now = Route::now();
        if now != Route::Replay {
            looked.set_value(None);
        }
        route.set(now);
    });
    on_cleanup(move || moved.remove());
    let start = Callback::new(move |new: Game| {
        store::keep(store::GAME, &new.text());
        notice.set(String::new());
        crate::route::go("#play");
        route.set(Route::Table);
        round.update(|n| *n += 1);
    });
    let rematch = Callback::new(move |()| {
        if let Some(again) = kept_game().and_then(|game| game.again(seed())) {
            start.run(again);
        }
    });
    let opened = Callback::new(move |(game, remarks): (Game, Vec<String>)| {
        looked.set_value(Some(game));
        crate::route::go("#replay");
        // After the address has changed, which empties the notice.
        gloo_timers::callback::Timeout::new(50, move || {
            route.set(Route::Replay);
            notice.set(remarks.join(" · "));
            round.update(|n| *n += 1);
        })
        .forget();
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
                    <nav aria-label=tr("pages")>
                        {door("#play", "play", Route::Table, route)}
                        {door("#new", "new-game", Route::New, route)}
                        {door("#online", "online", Route::Lobby, route)}
                        {door("#learn", "learn", Route::Learn, route)}
                        {door("#tiles", "tiles", Route::Tiles, route)}
                        <OpenFile opened=opened fault=notice/>
                    </nav>
                    <Menu settings=settings/>
                </header>
                <p class="notice" role="status">{move || notice.get()}</p>
                {move || {
                    round.get();
                    match route.get() {
                        Route::Table => match (kept_game(), first_game()) {
                            (Some(game), _) => {
                                let desk = Desk::new(game, settings, true, None);
                                view! { <Table desk=desk rematch=rematch/> }.into_any()
                            }
                            (None, Some(game)) => {
                                let desk = Desk::new(game, settings, true, None);
                                view! { <Table desk=desk rematch=rematch lesson=welcome(desk)/> }.into_any()
                            }
                            (None, None) => view! { <SetUp goal=Goal::Here(start)/> }.into_any(),
                        },
                        Route::New => view! { <SetUp goal=Goal::Here(start)/> }.into_any(),
                        Route::Lobby => view! { <Lobby/> }.into_any(),
                        Route::Online(id, secret) => view! { <Online id=id secret=secret settings=settings/> }.into_any(),
                        Route::Packed(packed, at) => match unpacked(&packed) {
                            Ok(mut game) => {
                                game.look(at);
                                view! { <Table desk=Desk::new(game, settings, false, None) rematch=rematch/> }.into_any()
                            }
                            Err(why) => view! {
                                <main class="page-of-text">
                                    <p class="fault" role="alert">{say("bad-link", &[("why", why.into())])}</p>
                                    <p><a class="button" href="#play">{tr("play")}</a></p>
                                </main>
                            }.into_any(),
                        },
                        Route::Replay => match looked.get_value() {
                            Some(mut game) => {
                                game.look(Some(0));
                                view! { <Table desk=Desk::new(game, settings, false, None) rematch=rematch/> }.into_any()
                            }
                            None => view! {
                                <main class="page-of-text">
                                    <h2>{tr("open-file")}</h2>
                                    <p>{tr("open-file-about")}</p>
                                    <OpenFile opened=opened fault=notice/>
                                </main>
                            }.into_any(),
                        },
                        Route::Learn => view! { <Learn settings=settings/> }.into_any(),
                        Route::Tiles => view! { <Gallery/> }.into_any(),
                        Route::Rules(prefix) => view! { <BookPage prefix=prefix/> }.into_any(),
                    }
                }}
            }
        }}
    }
}

/// With so many tiles on the board a new visitor is still welcomed.
const WELCOMED: usize = 3;

/// A link to a page, marked when it is the one that is shown.
fn door(hash: &'static str, id: &str, to: Route, route: RwSignal<Route>) -> impl IntoView {
    let here = move || route.with(|route| *route == to).then_some("page");
    view! { <a class="button" class:first=matches!(hash, "#play" | "#new") href=hash aria-current=here>{tr(id)}</a> }
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
    let open = RwSignal::new(false);
    let menu: NodeRef<html::Details> = NodeRef::new();
    let pressed = window_event_listener(leptos::ev::pointerdown, move |event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        let outside = menu
            .get_untracked()
            .is_some_and(|menu| !menu.contains(target.as_ref()));
        if outside && open.get_untracked() {
            open.set(false);
        }
    });
    on_cleanup(move || pressed.remove());
    view! {
        <details
            class="menu"
            node_ref=menu
            prop:open=move || open.get()
            on:toggle=move |_| if let Some(menu) = menu.get_untracked() { open.set(menu.open()) }
            on:keydown=move |event| if event.key() == "Escape" && open.get_untracked() {
                event.stop_propagation();
                open.set(false);
            }
        >
            <summary>{sign("M3 5H17M3 10H17M3 15H17")}<span class="wide">{tr("menu")}</span><span class="narrow">{tr("menu-narrow")}</span></summary>
            <div class="panel">
                <nav class="doors" aria-label=tr("pages") on:click=move |_| open.set(false)>
                    {[("#online", "online"), ("#learn", "learn"), ("#tiles", "tiles"), ("#replay", "open-file")]
                        .map(|(hash, id)| view! { <a class="button" href=hash>{tr(id)}</a> })}
                </nav>
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
                <label>
                    {tr("pace")}
                    <select on:change=move |e| {
                        let value = event_target_value(&e);
                        if let Some(p) = Pace::ALL.into_iter().find(|p| p.name() == value) { settings.update(|s| s.pace = p) }
                    }>
                        {Pace::ALL.map(|p| view! {
                            <option value=p.name() selected=move || settings.with(|s| s.pace == p)>{tr(&format!("pace-{}", p.name()))}</option>
                        })}
                    </select>
                </label>
                {check("sound", |s| s.sound, |s, on| s.sound = on)}
                {check("auto-fit", |s| s.auto_fit, |s, on| s.auto_fit = on)}
                {check("fields", |s| s.fields, |s, on| s.fields = on)}
                {check("dead-spaces", |s| s.dead, |s, on| s.dead = on)}
                {check("coordinates", |s| s.coordinates, |s, on| s.coordinates = on)}
            </div>
        </details>
    }
}

/// What a new visitor reads beside the first board, until a few tiles lie there.
fn welcome(desk: Desk) -> AnyView {
    let hidden = RwSignal::new(false);
    let is_new =
        move || !hidden.get() && desk.read(|game| game.state().board().tiles().len() <= WELCOMED);
    view! {
        {move || is_new().then(|| view! {
            <div class="lesson welcome" role="region" aria-label=tr("title")>
                <button class="plain close" aria-label=tr("close") on:click=move |_| hidden.set(true)>"×"</button>
                <p>{tr("welcome")}</p>
                <p class="row">
                    <a class="button" href="#learn">{tr("welcome-learn")}</a>
                    <a class="button" href="#new">{tr("welcome-new")}</a>
                    <a class="button" href="#online">{tr("welcome-online")}</a>
                </p>
            </div>
        })}
    }
    .into_any()
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

/// The game that is packed in an address.
fn unpacked(packed: &str) -> Result<Game, String> {
    let text = store::unpack(packed).ok_or_else(|| tr("mangled"))?;
    replay::read(text.as_bytes()).map(|(game, _)| game)
}

/// The game that is on the table when the page opens for the first time: against a computer player.
fn first_game() -> Option<Game> {
    let computer = level(USUAL).map_or(Player::Person, Player::Computer);
    let players = vec![
        (tr("you"), Player::Person),
        ("Trencavel".to_string(), computer),
    ];
    Game::new(&Setup::new(Edition::C2, 2), players, seed()).ok()
}
