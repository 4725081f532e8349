//! The rule book inside the page: a clause is shown where it stands.

use leptos::html;
use leptos::prelude::*;
use trencavel_rules::Ext;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::desk::Desk;
use crate::files;
use crate::text::{Language, language, tr};
use crate::words;

async fn load(file: String) -> Option<String> {
    let window = web_sys::window()?;
    let answer = JsFuture::from(window.fetch_with_str(&file)).await.ok()?;
    let answer: web_sys::Response = answer.dyn_into().ok()?;
    if !answer.ok() {
        return None;
    }
    JsFuture::from(answer.text().ok()?).await.ok()?.as_string()
}

/// What the page with a prefix is about, in the reader's language: an expansion.
fn name_of(prefix: &str) -> Option<String> {
    let mut all = Ext::ALL.iter().map(|ext| ext.expansion());
    let about = all.find(|about| about.book == prefix)?;
    Some(words::expansion(about.slug))
}

/// A page of the rule book by itself.
#[component]
pub(crate) fn BookPage(
    /// The prefix of its clauses.
    prefix: String,
) -> impl IntoView {
    let html = RwSignal::new(String::new());
    let page = files::page(&prefix);
    let title = name_of(&prefix).or_else(|| page.as_ref().map(|(name, _)| name.clone()));
    let mut all = Ext::ALL.iter().map(|ext| ext.expansion());
    let about = all.find(|about| about.book == prefix);
    let about = about.map(|about| tr(&format!("about-{}", about.slug)));
    spawn_local(async move {
        let text = match page {
            Some((_, file)) => load(file).await,
            None => None,
        };
        let text = text.unwrap_or_else(|| format!("<p>{}</p>", tr("rule-missing")));
        let _ = html.try_set(text);
    });
    view! {
        <main class="page-of-text rules-page">
            <h2>{title.unwrap_or(prefix)}</h2>
            {about.map(|about| view! { <p>{about}</p> })}
            {(language() != Language::English).then(|| view! { <p class="quiet only">{tr("rules-in-english")}</p> })}
            <div class="page" lang="en" inner_html=move || html.get()></div>
        </main>
    }
}

/// The page of the clause that is being read.
#[component]
pub(crate) fn Book(desk: Desk) -> impl IntoView {
    let html = RwSignal::new(String::new());
    let title = RwSignal::new(String::new());
    let page: NodeRef<html::Div> = NodeRef::new();
    Effect::new(move |_| {
        let Some(clause) = desk.reading.get() else {
            return;
        };
        let prefix = clause.split('-').next().unwrap_or("");
        let Some((name, file)) = files::page(prefix) else {
            title.set(clause);
            html.set(String::new());
            return;
        };
        title.set(name_of(prefix).unwrap_or(name));
        spawn_local(async move {
            let text = load(file).await;
            html.set(text.unwrap_or_else(|| format!("<p>{}</p>", tr("rule-missing"))));
            // The page is in the document after this task.
            gloo_timers::future::TimeoutFuture::new(0).await;
            let found = page.get_untracked().and_then(|page| {
                page.query_selector(&format!("[id=\"{clause}\"]"))
                    .ok()
                    .flatten()
            });
            if let Some(found) = found {
                let line = found.closest("li, tr, p").ok().flatten().unwrap_or(found);
                line.set_class_name("read");
                line.scroll_into_view();
            }
        });
    });
    view! {
        <Show when=move || desk.reading.get().is_some()>
            <div class="book" role="dialog" aria-label=tr("rule-book")>
                <div class="row head">
                    <h2>{move || title.get()}</h2>
                    <button on:click=move |_| desk.reading.set(None)>{tr("close")}</button>
                </div>
                // The rule book is in English, and elsewhere says so.
                {(language() != Language::English).then(|| view! { <p class="quiet only">{tr("rules-in-english")}</p> })}
                <div class="page" lang="en" node_ref=page tabindex="0" inner_html=move || html.get()></div>
            </div>
        </Show>
    }
}
