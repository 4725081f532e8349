//! The table: board, hand, players, log, and the keys.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::book::Book;
use crate::canvas::Canvas;
use crate::desk::Desk;
use crate::ending::Ending;
use crate::game::Game;
use crate::log::Log;
use crate::online::{Agreements, Chat, Copy, Heard, aids_text};
use crate::replay::{self, Study};
use crate::settings::Settings;
use crate::side::{Hand, InWords, LegalMoves, Players, Remaining};
use crate::text::{say, tr};
use crate::words;

/// The table at which a game is played.
#[component]
pub(crate) fn Table(
    desk: Desk,
    rematch: Callback<()>,
    /// What stands above the hand: a lesson.
    #[prop(optional)]
    lesson: Option<AnyView>,
) -> impl IntoView {
    desk.begin();
    let looked = desk.peek(Game::is_looked_at);
    Effect::new(move |_| desk.let_computers_play());
    let keys = window_event_listener(leptos::ev::keydown, move |event| on_key(desk, &event));
    on_cleanup(move || keys.remove());
    view! {
        <main class="table" data-version=move || desk.version().to_string()>
            <Canvas desk=desk/>
            <Players desk=desk/>
            {if looked { view! { <Study desk=desk/> }.into_any() } else { view! { <Hand desk=desk lesson=lesson/> }.into_any() }}
            <div class="more">
                {desk.link.map(|link| view! { <Agreements link=link/> })}
                {desk.link.is_none().then(|| aids_text(desk.aids()).map(|text| view! { <p class="quiet">{text}</p> }))}
                <Ending desk=desk rematch=rematch/>
                <Log desk=desk/>
                {desk.link.map(|link| view! { <Chat link=link/> })}
                <LegalMoves desk=desk/>
                {move || desk.aids().remaining_tiles.then(|| view! { <Remaining desk=desk/> })}
                <InWords desk=desk/>
                {(!looked).then(|| view! { <SaveGame desk=desk/> })}
                <details class="keys"><summary>{tr("keyboard")}</summary><p id="keys" class="quiet">{tr("keys")}</p></details>
            </div>
            <p class="visually-hidden" aria-live="polite">{move || desk.told.get()}</p>
            {desk.link.map(|link| view! { <Heard link=link/> })}
            <Book desk=desk/>
            <Curtain desk=desk/>
        </main>
    }
}

/// What hides the table while the screen goes to somebody who may not see the same as those before.
#[component]
fn Curtain(desk: Desk) -> impl IntoView {
    let button: NodeRef<html::Button> = NodeRef::new();
    Effect::new(move |_| {
        if let Some(button) = button.get() {
            let _ = button.focus();
        }
    });
    view! {
        {move || desk.curtain.get().map(|seat| {
            let name = desk.peek(|game| words::name(game, seat));
            view! {
                <div class="curtain" role="dialog" aria-modal="true" aria-label=tr("curtain-for")>
                    <p>{say("curtain", &[("name", name.clone().into())])}</p>
                    <button node_ref=button class="primary big" on:click=move |_| desk.open_curtain()>
                        {say("curtain-open", &[("name", name.into())])}
                    </button>
                </div>
            }
        })}
    }
}

/// The game as a file or a link, at any time.
#[component]
fn SaveGame(desk: Desk) -> impl IntoView {
    let open = RwSignal::new(false);
    let details: NodeRef<html::Details> = NodeRef::new();
    let address = Signal::derive(move || replay::address(desk, None));
    view! {
        <details class="save" node_ref=details on:toggle=move |_| {
            open.set(details.get_untracked().is_some_and(|details| details.open()));
        }>
            <summary>{tr("this-game")}</summary>
            {move || open.get().then(|| view! {
                <div class="row">
                    <button disabled=move || !desk.read(Game::may_undo) on:click=move |_| desk.undo()>{tr("undo")}</button>
                    {replay::save_links(desk)}<Copy text=address/>
                </div>
            })}
        </details>
    }
}

/// Whether the element does something of its own with this key.
fn is_taken(event: &web_sys::KeyboardEvent) -> bool {
    let Some(element) = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
    else {
        return false;
    };
    let within = |selector: &str| element.closest(selector).ok().flatten().is_some();
    match event.key().as_str() {
        "Enter" | " " => within("button, a, input, select, summary, textarea"),
        "Escape" => false,
        "ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight" => {
            within("input, select, textarea, .page, .log ol")
        }
        _ => within("input, select, textarea"),
    }
}

fn on_key(desk: Desk, event: &web_sys::KeyboardEvent) {
    let covered = desk.curtain.get_untracked().is_some();
    if covered || event.ctrl_key() || event.alt_key() || event.meta_key() || is_taken(event) {
        return;
    }
    let toggle = |change: fn(&mut Settings)| desk.settings.update(change);
    match event.key().as_str() {
        "ArrowUp" => desk.move_cursor(0.0, -1.0),
        "ArrowDown" => desk.move_cursor(0.0, 1.0),
        "ArrowLeft" => desk.move_cursor(-1.0, 0.0),
        "ArrowRight" => desk.move_cursor(1.0, 0.0),
        "r" | "R" => desk.turn_tile(),
        "Escape" | "Backspace" => desk.take_back(),
        // A key that is held down too long must not pass.
        "Enter" if event.repeat() => {}
        "Enter" => desk.enter(),
        "f" | "F" => toggle(|settings| settings.fields = !settings.fields),
        "d" | "D" => toggle(|settings| settings.dead = !settings.dead),
        "c" | "C" => toggle(|settings| settings.coordinates = !settings.coordinates),
        key => {
            let number = key.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
            let group = number.and_then(|i| untrack(|| desk.groups()).get(i).copied());
            match group {
                Some(group) => desk.press_group(group),
                None => return,
            }
        }
    }
    event.prevent_default();
    if let Some(pos) = desk.staged.get_untracked() {
        crate::canvas::show(desk, pos);
    }
}
