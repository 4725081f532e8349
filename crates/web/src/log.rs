//! What happened, with a way back to every position.

use leptos::html;
use leptos::prelude::*;
use trencavel_art::seat_style;
use trencavel_rules::Event;

use crate::desk::Desk;
use crate::side::{chip, sign};
use crate::text::tr;
use crate::told::{self, Said, Tone};

/// How many lines are shown: the last ones.
const LINES: usize = 400;

/// The log.
#[component]
pub(crate) fn Log(desk: Desk) -> impl IntoView {
    let list: NodeRef<html::Ol> = NodeRef::new();
    Effect::new(move |_| {
        let back = desk.read(|game| game.looks_at().is_some());
        if let Some(list) = list.get()
            && !back
        {
            list.set_scroll_top(list.scroll_height());
        }
    });
    let step = move |by: isize| {
        let number = desk.peek(|game| game.looks_at().unwrap_or(game.len()));
        let number = number.saturating_add_signed(by);
        desk.look(Some(number));
    };
    view! {
        <section class="log">
            <div class="row steps">
                <h2>{tr("log")}</h2>
                <button aria-label=tr("first") title=tr("first") on:click=move |_| desk.look(Some(0))>{sign("M4 4V16M16 4L7 10L16 16Z")}</button>
                <button aria-label=tr("previous") title=tr("previous") on:click=move |_| step(-1)>{sign("M14 4L5 10L14 16Z")}</button>
                <button aria-label=tr("following") title=tr("following") on:click=move |_| step(1)>{sign("M6 4L15 10L6 16Z")}</button>
                <button aria-label=tr("last") title=tr("last") on:click=move |_| desk.look(None)>{sign("M16 4V16M4 4L13 10L4 16Z")}</button>
            </div>
            <ol node_ref=list tabindex="0" aria-label=tr("log")>
                {move || {
                    let (lines, begun, here) = desk.read(|game| {
                        let events = game.log.iter().map(|entry| (entry.number, &entry.event));
                        let mut lines = told::lines(game, game.state(), None, events);
                        lines.drain(..lines.len().saturating_sub(LINES));
                        // The next turn begins when this one is confirmed.
                        let begun = game.begun.iter().take_while(|event| !matches!(event, Event::Began { .. }));
                        let begun = begun.map(|event| (game.len(), event));
                        let begun = told::lines(game, &game.shown, Some(game.state().active()), begun);
                        (lines, begun, game.looks_at())
                    });
                    let lines = lines.into_iter().map(|(number, said)| line(desk, number, said, false, here)).collect_view();
                    let begun = begun.into_iter().map(|(number, said)| line(desk, number, said, true, here)).collect_view();
                    view! { {lines} {begun} }
                }}
            </ol>
        </section>
    }
}

fn line(desk: Desk, number: usize, said: Said, begun: bool, here: Option<usize>) -> impl IntoView {
    let colour = said
        .seat
        .map(|seat| format!("--seat:{}", seat_style(seat.0).colour));
    let place = said.place;
    let square = place.map(|place| {
        let hidden = move || !desk.settings.get().coordinates;
        view! { <span class="quiet where" class:visually-hidden=hidden>" "{place.to_string()}</span> }
    });
    view! {
        <li
            class:placed=place.is_some()
            class:turn=said.tone == Tone::Turn
            class:points=said.tone == Tone::Score
            class:aside=said.tone == Tone::Quiet
            class:begun=begun
            class:here=here == Some(number)
            style=colour
            on:pointerenter=move |_| desk.pointed.set(place)
            on:pointerleave=move |_| desk.pointed.set(None)
            on:click=move |_| if let Some(place) = place {
                desk.pointed.set(Some(place));
                crate::canvas::show(desk, place);
            }
        >
            {if said.tone == Tone::Turn {
                view! { <button class="plain" on:click=move |_| desk.look(Some(number))>{said.text}</button> }.into_any()
            } else {
                view! { <span>{said.text}</span> {square} }.into_any()
            }}
            {said.items.into_iter().map(|item| chip(desk, item)).collect_view()}
        </li>
    }
}
