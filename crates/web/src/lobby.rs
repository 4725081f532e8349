//! The tables of the server, and making one.

use leptos::prelude::*;
use trencavel_proto::{Stage, Table};
use wasm_bindgen_futures::spawn_local;

use crate::account::Account;
use crate::http;
use crate::link::{forget, own_tables};
use crate::online::describe;
use crate::route;
use crate::setup_page::{Goal, SetUp};
use crate::text::{say, tr};
use crate::words;

/// How often the list is asked for, in milliseconds.
const EVERY_MS: u64 = 5000;

/// The tables of the server.
#[component]
pub(crate) fn Lobby() -> impl IntoView {
    let tables: RwSignal<Option<Result<Vec<Table>, String>>> = RwSignal::new(None);
    let making = RwSignal::new(false);
    let look = move || {
        spawn_local(async move {
            let found = http::get::<Vec<Table>>("/api/tables").await;
            let _ = tables.try_set(Some(found.map_err(|refusal| words::refusal(&refusal))));
        });
    };
    look();
    // Whoever has lost the link of a table finds it here again, as long as it is not over.
    let own: RwSignal<Vec<Table>> = RwSignal::new(Vec::new());
    spawn_local(async move {
        for id in own_tables() {
            match http::get::<Table>(&format!("/api/tables/{id}")).await {
                Ok(table) if matches!(table.stage, Stage::Gathering | Stage::Playing) => {
                    let _ = own.try_update(|own| own.push(table));
                }
                Ok(_) => forget(&id),
                Err(refusal) if refusal.code == "no-table" => forget(&id),
                Err(_) => {}
            }
        }
    });
    let again = set_interval_with_handle(look, std::time::Duration::from_millis(EVERY_MS));
    on_cleanup(move || {
        if let Ok(again) = again {
            again.clear();
        }
    });
    let made = Callback::new(move |id: String| route::go(&format!("#table={id}")));
    view! {
        {move || if making.get() {
            view! { <SetUp goal=Goal::Online(made)/> }.into_any()
        } else {
            view! {
                <main class="page-of-text lobby">
                    <h2>{tr("online")}</h2>
                    <p>{tr("online-about")}</p>
                    <button class="primary big" on:click=move |_| making.set(true)>{tr("make-table")}</button>
                    <Account/>
                    {move || own.with(|own| !own.is_empty()).then(|| view! {
                        <h2>{tr("own-tables")}</h2>
                        <ul class="tables">{own.get().into_iter().map(|table| row(table, "return")).collect_view()}</ul>
                    })}
                    <h2>{tr("open-tables")}</h2>
                    {move || match tables.get() {
                        None => view! { <p role="status">{tr("connecting")}</p> }.into_any(),
                        Some(Err(why)) => view! { <p class="fault" role="alert">{why}</p> }.into_any(),
                        Some(Ok(tables)) if tables.is_empty() => view! { <p class="quiet">{tr("no-tables")}</p> }.into_any(),
                        Some(Ok(tables)) => view! {
                            <ul class="tables">{tables.into_iter().map(|table| {
                                let enter = if table.stage == Stage::Gathering { "join" } else { "watch" };
                                row(table, enter)
                            }).collect_view()}</ul>
                        }.into_any(),
                    }}
                </main>
            }.into_any()
        }}
    }
}

/// A table in a list, with the way to it.
pub(crate) fn row(table: Table, enter: &'static str) -> impl IntoView {
    let taken = table
        .seats
        .iter()
        .filter(|seat| seat.name.is_some())
        .count();
    let names: Vec<String> = table
        .seats
        .iter()
        .filter_map(|seat| seat.name.clone())
        .collect();
    view! {
        <li>
            <span>
                <strong>{if table.name.is_empty() { tr("table") } else { table.name.clone() }}</strong>" "
                <span class="quiet">{say("seats-taken", &[("n", taken.into()), ("of", table.seats.len().into())])}" · "{names.join(", ")}</span>
                <br/><span class="quiet">{describe(&table)}</span>
            </span>
            <a class="button" href=format!("#table={}", table.id)>{tr(enter)}</a>
        </li>
    }
}
