//! The end of a game: points by category, the graph over the turns, the file, the link.

use leptos::prelude::*;
use trencavel_art::seat_style;
use trencavel_rules::{Event, Ext, FeatureKind, Seat};
use wasm_bindgen::JsCast as _;

use crate::desk::Desk;
use crate::game::Game;
use crate::items;
use crate::online::Copy;
use crate::replay;
use crate::text::tr;
use crate::words;

/// Shown when the game is over.
#[component]
pub(crate) fn Ending(desk: Desk, rematch: Callback<()>) -> impl IntoView {
    let address = Signal::derive(move || replay::address(desk, None));
    let looked = desk.peek(Game::is_looked_at);
    view! {
        {move || desk.read(Game::is_over).then(|| view! {
            <section class="ending">
                <h2>{tr("by-category")}</h2>
                {desk.read(table)}
                // Who looks at a finished game has graph, link and file above.
                {(!looked).then(|| view! { <h2>{tr("graph")}</h2> {desk.read(graph)} })}
                <div class="row" class:visually-hidden=looked>
                    {(!looked).then(|| view! {
                        <button class="primary" on:click=move |_| rematch.run(())>{tr("rematch")}</button>
                        <a class="button" href=move || replay::address(desk, Some(0))>{tr("replay")}</a>
                    })}
                    {(!looked).then(|| view! {
                        <label class="link">{tr("link-to-game")}<input type="text" readonly class="address" prop:value=address/></label>
                        <Copy text=address/>
                        {replay::save_links(desk)}
                    })}
                </div>
            </section>
        })}
    }
}

/// The points of every seat by what they were given for.
fn categories(game: &Game) -> Vec<(String, Vec<i32>)> {
    let n = usize::from(game.state().n_seats());
    // The features in their usual order, then everything else as it came.
    let kinds = FeatureKind::ALL.iter().map(|kind| words::feature(*kind));
    let mut rows: Vec<(String, Vec<i32>)> = kinds.map(|name| (name, Vec::new())).collect();
    let board = game.state().board();
    for entry in &game.log {
        let Event::Awarded {
            seat,
            points,
            clause,
            feature,
            valued,
            ..
        } = &entry.event
        else {
            continue;
        };
        // Those of the fairy are no points of the road that she stands at.
        let category = match feature {
            Some(seg) if *valued => words::feature(board.at(*seg).kind),
            _ => items::cause(*clause).unwrap_or_else(|| book_of(clause.id())),
        };
        let row = match rows.iter().position(|(name, _)| *name == category) {
            Some(row) => row,
            None => {
                rows.push((category, Vec::new()));
                rows.len() - 1
            }
        };
        if let Some((_, sums)) = rows.get_mut(row) {
            sums.resize(n, 0);
            if let Some(sum) = sums.get_mut(seat.index()) {
                *sum += points;
            }
        }
    }
    rows.retain(|(_, sums)| !sums.is_empty());
    rows
}

/// The name of the expansion whose clause it is.
fn book_of(clause: &str) -> String {
    Ext::ALL
        .iter()
        .map(|ext| ext.expansion())
        .find(|about| clause.split('-').next() == Some(about.book))
        .map_or_else(|| tr("other-points"), |about| words::expansion(about.slug))
}

fn table(game: &Game) -> impl IntoView + use<> {
    let seats: Vec<Seat> = game.state().seat_list().collect();
    let head = seats
        .iter()
        .map(|seat| {
            let style = seat_style(seat.0);
            view! {
                <th scope="col" style=format!("--seat:{};--on:{}", style.colour, style.on)>
                    <span class="badge">{style.letter.to_string()}</span>" "{words::name(game, *seat)}
                </th>
            }
        })
        .collect_view();
    let rows = categories(game)
        .into_iter()
        .map(|(name, sums)| {
            view! {
                <tr><th scope="row">{name}</th>{sums.into_iter().map(|n| view! { <td>{n}</td> }).collect_view()}</tr>
            }
        })
        .collect_view();
    let total = seats
        .iter()
        .map(|seat| view! { <td>{game.state().seat(*seat).score}</td> })
        .collect_view();
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=tr("by-category")>
            <table>
                <thead><tr><td></td>{head}</tr></thead>
                <tbody>{rows}</tbody>
                <tfoot><tr><th scope="row">{tr("total")}</th>{total}</tr></tfoot>
            </table>
        </div>
    }
}

/// Where the turns of a graph begin, in its units, and how wide they are together.
pub(crate) const LEFT: f32 = 8.0;
pub(crate) const WIDTH: f32 = 270.0;

/// Where along the turns of a graph a press on the element round it was, from 0 to 1.
pub(crate) fn along(event: &web_sys::MouseEvent) -> Option<f64> {
    let pressed = event
        .current_target()?
        .dyn_into::<web_sys::Element>()
        .ok()?;
    let rect = pressed
        .query_selector("svg")
        .ok()??
        .get_bounding_client_rect();
    // A graph is 312 units wide and begins 14 before its zero.
    let share = (f64::from(event.client_x()) - rect.left()) / rect.width().max(1.0);
    let units = share * 312.0 - 14.0 - f64::from(LEFT);
    Some((units / f64::from(WIDTH)).clamp(0.0, 1.0))
}

/// The points over the turns, a line for each seat with its letter at the end.
pub(crate) fn graph(game: &Game) -> impl IntoView + use<> {
    let steps = game.history.len().max(2) - 1;
    let most = game.history.iter().flatten().copied().max().unwrap_or(0);
    let most = most.max(10);
    let x = |i: usize| LEFT + WIDTH * i as f32 / steps as f32;
    let y = |points: i32| 112.0 - 104.0 * points.max(0) as f32 / most as f32;
    let mut out = String::new();
    let every = if most > 100 { 50 } else { 10 };
    for line in (0..=most).step_by(every) {
        out.push_str(&format!(
            "<path class=\"grid\" d=\"M8 {0:.1}H278\"/><text class=\"grid\" x=\"6\" y=\"{0:.1}\">{line}</text>",
            y(line)
        ));
    }
    for seat in game.state().seat_list() {
        let style = seat_style(seat.0);
        let points: Vec<String> = game
            .history
            .iter()
            .enumerate()
            .filter_map(|(i, scores)| {
                Some(format!("{:.1} {:.1}", x(i), y(*scores.get(seat.index())?)))
            })
            .collect();
        let end = y(game.state().seat(seat).score);
        out.push_str(&format!(
            "<polyline points=\"{}\" stroke=\"{}\" stroke-dasharray=\"{}\"/>\
             <g transform=\"translate(288 {end:.1})\"><circle r=\"7\" fill=\"{}\" stroke=\"var(--ink)\"/><text class=\"letter\" y=\"3.4\" fill=\"{}\">{}</text></g>",
            points.join(","),
            style.colour,
            ["", "6 2", "2 2", "8 3 2 3"].get(seat.index() % 4).unwrap_or(&""),
            style.colour,
            style.on,
            style.letter
        ));
    }
    view! { <svg class="graph" viewBox="-14 0 312 120" role="img" aria-label=tr("graph") inner_html=out></svg> }
}
