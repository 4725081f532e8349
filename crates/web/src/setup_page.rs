//! Setting up a game: players, edition, expansions, options.

use leptos::prelude::*;
use trencavel_ai::LEVELS;
use trencavel_art::figures::neutral;
use trencavel_art::{Plan, figure, seat_style, tile, tower};
use trencavel_proto::{Aids, Made};
use trencavel_rules::{
    Edition, Expansion, Ext, Kind, Neutral, OptionDef, TILES, Values, printed_set,
};
use trencavel_tiles::{TileFile, TileSet};
use wasm_bindgen_futures::spawn_local;

use crate::draft::{ABSENCES, Added, CLOCKS, Draft, OPEN, presets};
use crate::files;
use crate::game::{Game, USUAL};
use crate::http;
use crate::link;
use crate::store;
use crate::text::{say, tr};
use crate::words;

/// What is printed on the box: years of the editions, standing.
const BOXES: [(&str, &str, &str); 12] = [
    ("base", "2000 · 2014 · 2021", "official"),
    ("abbot", "2014 · 2021", "official"),
    ("river", "2001 · 2014 · 2021", "official"),
    ("inns-and-cathedrals", "2002 · 2015 · 2021", "official"),
    ("traders-and-builders", "2003 · 2015 · 2021", "official"),
    ("phantom", "2011", "official"),
    ("princess-and-dragon", "2005 · 2016 · 2021", "official"),
    ("tower", "2006 · 2016", "official"),
    ("abbey-and-mayor", "2007 · 2016", "official"),
    ("festival", "2011 · 2016 · 2022", "official"),
    ("russian-promos", "2013 · 2016", "semi-official"),
    ("hungarian-promo", "2023", "fan"),
];

/// What is done with the setup.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// A game on this screen.
    Here(Callback<Game>),
    /// A table of the server; its id is told.
    Online(Callback<String>),
}

/// What stands for an expansion on its card: one of its figures or tiles.
fn emblem(slug: &str) -> (&'static str, String) {
    let standing = |of: Kind| {
        let drawn = figure(of, 0, false);
        (
            "0 0 34 34",
            format!("<g transform=\"translate(17 30)\">{drawn}</g>"),
        )
    };
    let id = match slug {
        "abbot" => return standing(Kind::Abbot),
        "phantom" => return standing(Kind::Phantom),
        "abbey-and-mayor" => return standing(Kind::Mayor),
        "princess-and-dragon" => {
            let dragon = neutral(Neutral::Dragon).to_string();
            return ("-19 -25 40 34", dragon);
        }
        "tower" => {
            return ("-22 -27 44 38", tower(3));
        }
        "river" => "RI.1/CIRI",
        "inns-and-cathedrals" => "IC/CCCC",
        "traders-and-builders" => "TB/Cc.w",
        "festival" => "FE/CR",
        "russian-promos" => "RU/V",
        _ => "HP/RRrr",
    };
    let def = TILES.iter().find(|def| def.id == id);
    let drawn = def.map(|def| tile(def, &Plan::new(def), 0, 1));
    ("0 0 100 100", drawn.unwrap_or_default())
}

/// How many tiles an expansion adds.
fn n_tiles(about: &Expansion, edition: Edition) -> u32 {
    let sets = about.sets.get(usize::from(edition != Edition::C1));
    let sets = sets.into_iter().flat_map(|ids| ids.iter());
    sets.filter_map(|id| printed_set(id))
        .flat_map(|set| set.tiles.iter())
        .map(|(_, n)| u32::from(*n))
        .sum()
}

/// Setting up a game.
#[component]
pub(crate) fn SetUp(goal: Goal) -> impl IntoView {
    let online = matches!(goal, Goal::Online(_));
    let own = store::kept(store::NAME).filter(|_| online);
    let draft = RwSignal::new(Draft::new(online, own.unwrap_or_default()));
    let fault = RwSignal::new(String::new());
    let go = move |_| {
        let draft = draft.get_untracked();
        match goal {
            Goal::Here(start) => match draft.game(crate::app::seed()) {
                Ok(game) => start.run(game),
                Err(why) => fault.set(say("bad-setup", &[("why", why.into())])),
            },
            Goal::Online(made) => {
                if let Some((name, _)) = draft.seats.iter().find(|(_, of)| of.is_empty()) {
                    if name.trim().is_empty() {
                        fault.set(tr("name-first"));
                        return;
                    }
                    store::keep(store::NAME, name.trim());
                }
                let wanted = match draft.new_table() {
                    Ok(wanted) => wanted,
                    Err(why) => {
                        fault.set(say("bad-setup", &[("why", why.into())]));
                        return;
                    }
                };
                spawn_local(async move {
                    match http::post::<Made>("/api/tables", &wanted).await {
                        Ok(table) => {
                            if let Some(seated) = table.seat {
                                link::remember(&table.table, &seated.secret);
                            }
                            made.run(table.table);
                        }
                        Err(refusal) => {
                            let _ = fault.try_set(words::refusal(&refusal));
                        }
                    }
                });
            }
        }
    };
    let length = move || match draft.with(Draft::n_tiles) {
        Some(tiles) => say(
            "length",
            &[
                ("tiles", tiles.into()),
                ("minutes", ((tiles / 2 + 2) / 5 * 5).max(5).into()),
            ],
        ),
        None => String::new(),
    };
    let chosen = Memo::new(move |_| draft.with(|draft| draft.chosen.clone()));
    let with = move || {
        let names: Vec<String> = Ext::ALL
            .iter()
            .map(|ext| ext.expansion().slug)
            .filter(|slug| chosen.with(|chosen| chosen.contains(slug)))
            .map(words::expansion)
            .collect();
        match names.len() {
            0 => tr("with-nothing"),
            _ => say("with-expansions", &[("names", names.join(", ").into())]),
        }
    };
    let n_seats = Memo::new(move |_| draft.with(|draft| draft.seats.len()));
    view! {
        <main class="setup">
            <section class="who">
                <h2>{tr("seats")}</h2>
                {move || (0..n_seats.get()).map(|i| seat_row(draft, i, online)).collect_view()}
                <div class="row">
                    <button
                        disabled=move || { n_seats.get() >= 8 }
                        on:click=move |_| draft.update(|d| d.seats.push((String::new(), if online { OPEN } else { USUAL })))
                    >"+ "{tr("add-seat")}</button>
                    <button
                        disabled=move || { n_seats.get() <= 1 }
                        on:click=move |_| draft.update(|d| { d.seats.pop(); })
                    >"− "{tr("remove-seat")}</button>
                </div>
                <h2>{tr("edition")}</h2>
                <div class="row">
                    {Edition::ALL.iter().copied().map(|e| view! {
                        <button
                            aria-pressed=move || draft.with(|d| d.edition == e).to_string()
                            on:click=move |_| draft.update(|d| d.edition = e)
                        >{words::edition(e)}</button>
                    }).collect_view()}
                </div>
                <p class="quiet small">{tr("edition-about")}</p>
                {online.then(|| table_options(draft))}
                {aids(draft)}
                <div class="go">
                    <p class="length">{length}<span class="quiet small">{with}</span></p>
                    <p role="alert" class="fault">{move || fault.get()}</p>
                    <button class="primary big" on:click=go>{tr(if online { "make-table" } else { "start-game" })}</button>
                </div>
            </section>
            <section>
                <h2>{tr("presets")}</h2>
                <div class="row">
                    {presets().into_iter().map(|(id, slugs)| {
                        let same = slugs.clone();
                        view! {
                            <button
                                aria-pressed=move || draft.with(|d| d.is(id, &same)).to_string()
                                on:click=move |_| draft.update(|d| d.take(id, &slugs))
                            >{tr(id)}</button>
                        }
                    }).collect_view()}
                </div>
                <h2>{tr("expansions")}</h2>
                <div class="cards">
                    {Ext::ALL.iter().skip(1).map(|ext| card(draft, ext.expansion())).collect_view()}
                </div>
                {own_tiles(draft, fault)}
                <h2>{tr("options")}</h2>
                {move || {
                    let chosen = chosen.get();
                    Ext::ALL.iter().map(|ext| ext.expansion())
                        .filter(|about| about.slug == "base" || chosen.contains(&about.slug))
                        .filter(|about| !about.options.is_empty())
                        .map(|about| view! {
                            <details class="options">
                                <summary>{words::expansion(about.slug)}</summary>
                                {about.options.iter().map(|option| option_row(draft, option)).collect_view()}
                            </details>
                        }).collect_view()
                }}
            </section>
        </main>
    }
}

/// What a table of the server has besides the setup.
fn table_options(draft: RwSignal<Draft>) -> impl IntoView {
    view! {
        <h2>{tr("table")}</h2>
        <label class="option"><span>{tr("table-name")}</span>
            <input type="text" maxlength="60" on:input=move |e| draft.update(|d| d.table = event_target_value(&e))/>
        </label>
        <label class="option"><span>{tr("clock")}</span>
            <select on:change=move |e| draft.update(|d| d.clock = event_target_value(&e).parse().unwrap_or(0))>
                {CLOCKS.iter().enumerate().map(|(i, (id, _))| view! {
                    <option value=i.to_string() selected=move || draft.with(|d| d.clock == i)>{tr(id)}</option>
                }).collect_view()}
            </select>
        </label>
        <label class="option"><span>{tr("absence")}</span>
            <select on:change=move |e| draft.update(|d| d.absence = event_target_value(&e).parse().unwrap_or(0))>
                {ABSENCES.iter().enumerate().map(|(i, (id, _))| view! {
                    <option value=i.to_string() selected=move || draft.with(|d| d.absence == i)>{tr(id)}</option>
                }).collect_view()}
            </select>
        </label>
        <label class="check"><input type="checkbox" prop:checked=move || draft.with(|d| d.private)
            on:change=move |e| draft.update(|d| d.private = event_target_checked(&e))/>{tr("private")}</label>
    }
}

/// The aids that players may use.
fn aids(draft: RwSignal<Draft>) -> impl IntoView {
    let all = Aids::default().named();
    view! {
        <details class="aids">
            <summary>{tr("aids")}" "<span class="quiet">{move || draft.with(|d| {
                let n = d.aids.named().into_iter().filter(|(_, on)| *on).count();
                say("aids-of", &[("n", n.into()), ("of", all.len().into())])
            })}</span></summary>
            <label class="check"><input type="checkbox" prop:checked=move || draft.with(|d| d.aids == Aids::NONE)
                on:change=move |e| draft.update(|d| d.aids = if event_target_checked(&e) { Aids::NONE } else { Aids::default() })/>
                {tr("no-aids")}</label>
            {all.map(|(name, _)| view! {
                <label class="check"><input
                    type="checkbox"
                    prop:checked=move || draft.with(|d| d.aids.named().contains(&(name, true)))
                    on:change=move |e| draft.update(|d| { d.aids.set(name, event_target_checked(&e)); })
                />{tr(&format!("aid-{name}"))}</label>
            })}
        </details>
    }
}

/// Tiles that a player made.
fn own_tiles(draft: RwSignal<Draft>, fault: RwSignal<String>) -> impl IntoView {
    let add = move |event: web_sys::Event| {
        files::chosen(&event, move |file| {
            let added = file.and_then(|(name, bytes)| {
                let file = TileFile::read(&name, &bytes)
                    .map_err(|why| say("bad-tiles", &[("why", why.to_string().into())]))?;
                Ok(Added {
                    name,
                    file,
                    copies: 1,
                })
            });
            let checked = added.and_then(|added| {
                let mut next = draft.get_untracked();
                next.added.retain(|other| other.name != added.name);
                next.added.push(added);
                let sound = next.setup().map(|_| ());
                sound.map_err(|why| say("bad-tiles", &[("why", why.into())]))?;
                Ok(next)
            });
            match checked {
                Ok(next) => {
                    fault.set(String::new());
                    draft.set(next);
                }
                Err(why) => fault.set(why),
            }
        });
    };
    let names = Memo::new(move |_| {
        draft.with(|d| {
            let total = |added: &Added| added.file.sets.iter().map(TileSet::total).sum::<u32>();
            let added = d.added.iter();
            added
                .map(|added| (added.name.clone(), total(added)))
                .collect::<Vec<_>>()
        })
    });
    view! {
        <details class="own-tiles">
            <summary>{tr("own-tiles")}</summary>
            <p class="quiet">{tr("own-tiles-about")}</p>
            <label class="button file">{tr("add-tiles")}<input type="file" accept=".toml" on:change=add/></label>
            <ul>
                {move || names.get().into_iter().enumerate().map(|(i, (name, total))| view! {
                    <li class="row">
                        <strong>{name.clone()}</strong>
                        <span class="quiet">{say("n-tiles", &[("n", total.into())])}</span>
                        <label>"× "
                            <select aria-label=format!("{}: {name}", tr("copies")) on:change=move |e| draft.update(|d| {
                                if let (Some(added), Ok(n)) = (d.added.get_mut(i), event_target_value(&e).parse()) { added.copies = n }
                            })>
                                {(1..=9u8).map(|n| view! {
                                    <option value=n.to_string() selected=move || draft.with(|d| d.added.get(i).is_some_and(|a| a.copies == n))>{n}</option>
                                }).collect_view()}
                            </select>
                        </label>
                        <button on:click=move |_| draft.update(|d| { if i < d.added.len() { d.added.remove(i); } })>{tr("remove")}</button>
                    </li>
                }).collect_view()}
            </ul>
        </details>
    }
}

fn seat_row(draft: RwSignal<Draft>, i: usize, online: bool) -> impl IntoView {
    let style = seat_style(i as u8);
    let of = move || draft.with(|d| d.seats.get(i).map_or("", |(_, of)| *of));
    view! {
        <div class="seat" style=format!("--seat:{};--on:{}", style.colour, style.on)>
            <span class="badge" title=words::colour(style)>
                {style.letter.to_string()}
                <svg class="shape" viewBox="-4 -4 8 8" aria-hidden="true"><path d=style.shape></path></svg>
            </span>
            <input
                type="text"
                maxlength="24"
                aria-label=say("name-of-seat", &[("n", (i + 1).into())])
                placeholder=move || match of() {
                    OPEN => tr("seat-open"),
                    "" if online => tr("your-name-short"),
                    of => draft.with(|draft| draft.default_name(i, of)),
                }
                disabled=move || of() == OPEN
                prop:value=draft.with_untracked(|d| d.seats.get(i).map(|(name, _)| name.clone()))
                on:input=move |event| draft.update(|d| if let Some(seat) = d.seats.get_mut(i) {
                    seat.0 = event_target_value(&event);
                })
            />
            <select
                aria-label=say("kind-of-seat", &[("n", (i + 1).into())])
                on:change=move |event| {
                    let value = event_target_value(&event);
                    let levels = LEVELS.iter().map(|l| l.name);
                    let of = levels.chain([OPEN]).find(|n| *n == value).unwrap_or("");
                    draft.update(|d| if let Some(seat) = d.seats.get_mut(i) { seat.1 = of });
                }
            >
                <option value="" selected=move || of().is_empty()>{tr(if online { "you" } else { "person" })}</option>
                {online.then(|| view! { <option value=OPEN selected=move || of() == OPEN>{tr("seat-open")}</option> })}
                {LEVELS.iter().enumerate().map(|(n, l)| {
                    let about = tr(&format!("level-about-{}", l.name));
                    let name = say("computer", &[("level", words::level(l.name).into())]);
                    let name = format!("{name} ({}/{})", n + 1, LEVELS.len());
                    view! { <option value=l.name title=about.clone() selected=move || of() == l.name>{name}</option> }
                }).collect_view()}
            </select>
        </div>
    }
}

fn card(draft: RwSignal<Draft>, about: &'static Expansion) -> impl IntoView {
    let (years, standing) = BOXES
        .iter()
        .find(|(slug, ..)| *slug == about.slug)
        .map_or(("", ""), |(_, years, standing)| (*years, *standing));
    let tiles = move || match n_tiles(about, draft.with(|d| d.edition)) {
        0 => tr("no-tiles"),
        n => say("n-tiles", &[("n", n.into())]),
    };
    let page = files::page(about.book);
    view! {
        <div class="card">
            <button
                class="pick"
                aria-pressed=move || draft.with(|d| d.chosen.contains(&about.slug)).to_string()
                on:click=move |_| draft.update(|d| {
                    if d.chosen.contains(&about.slug) {
                        d.chosen.retain(|slug| *slug != about.slug);
                        d.options.retain(|(key, _)| !about.options.iter().any(|option| option.key == *key));
                    } else {
                        d.chosen.push(about.slug);
                    }
                })
            >
                {
                    let (view_box, picture) = emblem(about.slug);
                    view! { <svg class="symbol" viewBox=view_box aria-hidden="true" inner_html=picture></svg> }
                }
                <strong>{words::expansion(about.slug)}</strong>
                <span class="facts">
                    {years}
                    {(!standing.is_empty()).then(|| format!(" · {}", tr(&format!("standing-{standing}"))))}
                    " · "{tiles}
                </span>
                <span class="about">{tr(&format!("about-{}", about.slug))}</span>
            </button>
            {page.map(|_| view! {
                <a class="rules" href=format!("#rules={}", about.book) target="_blank" aria-label=format!("{}: {}", tr("rule-book"), words::expansion(about.slug))>{tr("rules-short")}</a>
            })}
        </div>
    }
}

/// The clause that an option changes, with the way to it.
fn clause_link(clause: &'static str) -> impl IntoView {
    let page = files::page(clause.split('-').next().unwrap_or(""));
    page.map(|(_, file)| {
        view! {
            <a class="clause" href=format!("{file}#{clause}") target="_blank">{clause}</a>
        }
    })
}

fn option_row(draft: RwSignal<Draft>, option: &'static OptionDef) -> impl IntoView {
    let set = move |value: String| {
        draft.update(|d| {
            d.options.retain(|(key, _)| *key != option.key);
            if !value.is_empty() {
                d.options.push((option.key, value));
            }
        });
    };
    let values: Vec<String> = match option.values {
        Values::Listed(values, _) => values.iter().map(|value| value.to_string()).collect(),
        Values::Number(most, _) => (0..=most.min(20)).map(|n| n.to_string()).collect(),
    };
    let key = option.key;
    let default = move || {
        let edition = draft.with(|d| d.edition).index();
        match option.values {
            Values::Listed(values, defaults) => defaults
                .get(edition)
                .and_then(|i| values.get(usize::from(*i)))
                .map_or(String::new(), |value| value.to_string()),
            Values::Number(_, defaults) => defaults
                .get(edition)
                .map_or(String::new(), |n| n.to_string()),
        }
    };
    let now = move || {
        draft.with(|d| {
            d.options
                .iter()
                .find(|(key, _)| *key == option.key)
                .map(|(_, value)| value.clone())
        })
    };
    view! {
        <label class="option">
            <span>{words::option(key)}" "{clause_link(option.clause.id())}</span>
            <select on:change=move |event| set(event_target_value(&event))>
                <option value="" selected=move || now().is_none()>{move || format!("{} ({})", tr("follows-edition"), words::value(key, &default()))}</option>
                {values.into_iter().map(|value| {
                    let (this, shown) = (value.clone(), words::value(key, &value));
                    view! { <option value=value selected=move || now().as_ref() == Some(&this)>{shown}</option> }
                }).collect_view()}
            </select>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Language, set_language};

    #[test]
    fn every_expansion_has_its_box() {
        for ext in Ext::ALL {
            let slug = ext.expansion().slug;
            assert!(BOXES.iter().any(|(other, ..)| *other == slug), "{slug}");
        }
    }

    #[test]
    fn names_are_those_of_the_rules() {
        set_language(Language::English);
        for ext in Ext::ALL {
            let about = ext.expansion();
            assert_eq!(words::expansion(about.slug), about.name);
        }
    }
}
