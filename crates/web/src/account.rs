//! An account, for those who want one: its seats are there on every device. Nobody needs it.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use trencavel_proto::{Credentials, MyTable, Refusal, Session};
use wasm_bindgen_futures::spawn_local;

use crate::http;
use crate::lobby::row;
use crate::store;
use crate::text::{say, tr};
use crate::words;

/// Logging in and out, and the tables of the account.
#[component]
pub(crate) fn Account() -> impl IntoView {
    let who: RwSignal<Option<String>> = RwSignal::new(None);
    let tables: RwSignal<Vec<MyTable>> = RwSignal::new(Vec::new());
    let fault = RwSignal::new(String::new());
    let name = RwSignal::new(String::new());
    let passphrase = RwSignal::new(String::new());
    let entered = move |found: Option<String>| {
        store::keep(store::ACCOUNT, found.as_deref().unwrap_or_default());
        passphrase.set(String::new());
        who.set(found);
    };
    let look = move || {
        spawn_local(async move {
            match http::get::<Vec<MyTable>>("/api/account/tables").await {
                Ok(found) => {
                    let _ = tables.try_set(found);
                }
                // The session has ended, perhaps at another device.
                Err(Refusal { code, .. }) if code == "login" => entered(None),
                Err(refusal) => {
                    let _ = fault.try_set(words::refusal(&refusal));
                }
            }
        });
    };
    // The server is only asked where somebody has logged in before.
    if let Some(kept) = store::kept(store::ACCOUNT).filter(|kept| !kept.is_empty()) {
        who.set(Some(kept));
        look();
    }
    let enter = move |path: &'static str| {
        fault.set(String::new());
        let credentials = Credentials {
            name: name.get_untracked().trim().to_string(),
            passphrase: passphrase.get_untracked(),
        };
        spawn_local(async move {
            match http::post::<Session>(path, &credentials).await {
                Ok(session) => {
                    entered(Some(session.name));
                    look();
                }
                Err(refusal) => {
                    let _ = fault.try_set(words::refusal(&refusal));
                }
            }
        });
    };
    let leave = move |_| {
        spawn_local(async move {
            match http::delete("/api/session").await {
                Ok(()) => {
                    tables.set(Vec::new());
                    entered(None);
                }
                Err(refusal) => fault.set(words::refusal(&refusal)),
            }
        });
    };
    view! {
        <details class="account" open=who.get_untracked().is_some()>
            <summary>{tr("account")}</summary>
            <p class="fault" role="alert">{move || fault.get()}</p>
            {move || match who.get() {
                Some(name) => view! {
                    <p class="row">
                        <span>{say("logged-in", &[("name", name.into())])}</span>
                        <button on:click=leave>{tr("log-out")}</button>
                    </p>
                    {move || if tables.with(Vec::is_empty) {
                        view! { <p class="quiet">{tr("no-own-tables")}</p> }.into_any()
                    } else {
                        view! { <ul class="tables">{tables.get().into_iter().map(|own| row(own.table, "return")).collect_view()}</ul> }.into_any()
                    }}
                }.into_any(),
                None => view! {
                    <p class="quiet">{tr("account-about")}</p>
                    <form class="row" on:submit=move |event: SubmitEvent| { event.prevent_default(); enter("/api/session") }>
                        <label>{tr("account-name")}
                            <input type="text" maxlength="30" autocomplete="username" prop:value=name on:input=move |e| name.set(event_target_value(&e))/>
                        </label>
                        <label>{tr("passphrase")}
                            <input type="password" maxlength="200" autocomplete="current-password" prop:value=passphrase
                                on:input=move |e| passphrase.set(event_target_value(&e))/>
                        </label>
                        <button class="primary" type="submit">{tr("log-in")}</button>
                        <button type="button" on:click=move |_| enter("/api/accounts")>{tr("make-account")}</button>
                    </form>
                }.into_any(),
            }}
        </details>
    }
}
