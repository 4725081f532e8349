//! Every tile of every expansion.

use leptos::prelude::*;
use trencavel_art::{Plan, tile};
use trencavel_rules::{Ext, Rotation, TILES, TileDef};

use crate::text::{known, say, tr};
use crate::words;

/// The set of a tile: what its name begins with.
fn set_of(def: &TileDef) -> &str {
    def.id.split('/').next().unwrap_or("")
}

fn title(set: &str) -> String {
    let book = set.split('.').next().unwrap_or(set);
    let expansion = Ext::ALL
        .iter()
        .map(|ext| ext.expansion())
        .find(|about| about.book == book);
    // Some sets are named otherwise than the book, and of some only the tiles are known yet.
    let name = expansion
        .map(|about| words::expansion(about.slug))
        .or_else(|| known(&format!("set-{book}")));
    name.map_or_else(|| set.to_string(), |name| format!("{name} ({set})"))
}

/// Every tile, by set.
#[component]
pub(crate) fn Gallery() -> impl IntoView {
    let wanted = RwSignal::new(String::new());
    let mut sets: Vec<&'static str> = Vec::new();
    for def in TILES {
        let set = set_of(def);
        if !sets.contains(&set) {
            sets.push(set);
        }
    }
    view! {
        <main class="page-of-text gallery">
            <h2>{tr("tiles")}</h2>
            <p class="row">
                <label>{tr("find-tile")}" "
                    <input type="search" on:input=move |e| wanted.set(event_target_value(&e).to_lowercase())/>
                </label>
                <span class="quiet">{say("n-tiles", &[("n", TILES.len().into())])}</span>
            </p>
            {sets.into_iter().map(|set| view! {
                <section>
                    <h3>{title(set)}</h3>
                    <ul>
                        {TILES.iter().enumerate().filter(|(_, def)| set_of(def) == set).map(|(i, def)| {
                            let names = def.names.join(", ");
                            let printed = words::printed(def, Rotation::default());
                            let text = format!("{} {names} {printed}", def.id).to_lowercase();
                            view! {
                                <li class:hidden=move || wanted.with(|wanted| !text.contains(wanted.as_str()))>
                                    <svg viewBox="0 0 100 100" aria-hidden="true" inner_html=tile(def, &Plan::new(def), 0, i as u32)></svg>
                                    <strong>{def.id.to_string()}</strong>
                                    <span class="quiet">{printed}</span>
                                </li>
                            }
                        }).collect_view()}
                    </ul>
                </section>
            }).collect_view()}
        </main>
    }
}
