//! Setting up a game: players, edition, expansions, options.

use leptos::prelude::*;
use trencavel_ai::{LEVELS, level};
use trencavel_art::seat_style;
use trencavel_proto::{Absence, Aids, Clock, Made, NewSeat, NewTable};
use trencavel_record::setup_text::setup_text;
use trencavel_rules::{Edition, Expansion, Ext, OptionDef, Rules, Setup, Values, printed_set};

use wasm_bindgen_futures::spawn_local;

use crate::files;
use crate::game::{Game, Player, USUAL};
use crate::http;
use crate::link;
use crate::store;
use crate::text::{say, tr};

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

const FOUR: &[&str] = &["phantom", "festival", "russian-promos", "hungarian-promo"];
const LARGE: &[&str] = &[
    "inns-and-cathedrals",
    "traders-and-builders",
    "princess-and-dragon",
    "tower",
    "abbey-and-mayor",
];

/// The sets that are played together often.
fn presets() -> Vec<(&'static str, Vec<&'static str>)> {
    let all = Ext::ALL.iter().skip(1).map(|ext| ext.expansion().slug);
    vec![
        ("preset-base", Vec::new()),
        ("preset-four", FOUR.to_vec()),
        ("preset-large", LARGE.to_vec()),
        ("preset-mega", all.collect()),
    ]
}

/// What is done with the setup.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// A game on this screen.
    Here(Callback<Game>),
    /// A table of the server; its id is told.
    Online(Callback<String>),
}

/// The kind of seat for whoever comes, at a table of the server.
const OPEN: &str = "open";

/// How much time players have: minutes and seconds for each decision; days; none.
const CLOCKS: [(&str, Clock); 6] = [
    ("clock-none", Clock::None),
    (
        "clock-blitz",
        Clock::Fischer {
            seconds: 300,
            increment: 10,
        },
    ),
    (
        "clock-quick",
        Clock::Fischer {
            seconds: 900,
            increment: 20,
        },
    ),
    (
        "clock-long",
        Clock::Fischer {
            seconds: 2400,
            increment: 30,
        },
    ),
    ("clock-day", Clock::Days { days: 1 }),
    ("clock-three-days", Clock::Days { days: 3 }),
];

const ABSENCES: [(&str, Absence); 4] = [
    ("absence-computer", Absence::Computer),
    ("absence-wait", Absence::Wait),
    ("absence-pass", Absence::Pass),
    ("absence-end", Absence::End),
];

/// What is being set up.
#[derive(Clone, PartialEq)]
struct Draft {
    edition: Edition,
    chosen: Vec<&'static str>,
    options: Vec<(&'static str, String)>,
    /// Name and level; no level for a person, and [`OPEN`] for whoever comes.
    seats: Vec<(String, &'static str)>,
    table: String,
    private: bool,
    clock: usize,
    absence: usize,
    aids: bool,
}

impl Draft {
    fn setup(&self) -> Setup {
        let mut setup = Setup::new(self.edition, self.seats.len() as u8);
        for slug in &self.chosen {
            setup = setup.with(slug);
        }
        for (key, value) in &self.options {
            setup = setup.option(key, value);
        }
        setup
    }

    fn players(&self) -> Vec<(String, Player)> {
        let seats = self.seats.iter().enumerate();
        seats
            .map(|(i, (name, of))| {
                let name = if name.trim().is_empty() {
                    default_name(i, of)
                } else {
                    name.trim().to_string()
                };
                (name, level(of).map_or(Player::Person, Player::Computer))
            })
            .collect()
    }

    /// The table to ask the server for.
    fn new_table(&self) -> NewTable {
        let seats = self
            .seats
            .iter()
            .enumerate()
            .map(|(i, (name, of))| match *of {
                OPEN => NewSeat::Open,
                "" => NewSeat::Me {
                    name: match name.trim() {
                        "" => default_name(i, ""),
                        name => name.to_string(),
                    },
                },
                level => NewSeat::Computer {
                    level: level.to_string(),
                },
            });
        NewTable {
            name: self.table.trim().to_string(),
            setup: setup_text(&self.setup()),
            tiles: Vec::new(),
            seats: seats.collect(),
            private: self.private,
            spectators: true,
            clock: CLOCKS
                .get(self.clock)
                .map_or(Clock::None, |(_, clock)| *clock),
            absence: ABSENCES
                .get(self.absence)
                .map_or(Absence::Computer, |(_, absence)| *absence),
            aids: if self.aids {
                Aids::default()
            } else {
                Aids {
                    remaining_tiles: false,
                    dead_spaces: false,
                    fields: false,
                    projected_points: false,
                    undo: false,
                }
            },
        }
    }
}

fn default_name(seat: usize, level: &str) -> String {
    if level.is_empty() || level == OPEN {
        say("player-n", &[("n", (seat + 1).into())])
    } else {
        format!("Trencavel {}", seat + 1)
    }
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
    let draft = RwSignal::new(Draft {
        edition: Edition::C2,
        chosen: Vec::new(),
        options: Vec::new(),
        seats: vec![
            (own.unwrap_or_default(), ""),
            (String::new(), if online { OPEN } else { USUAL }),
        ],
        table: String::new(),
        private: true,
        clock: 0,
        absence: 0,
        aids: true,
    });
    let fault = RwSignal::new(String::new());
    let go = move |_| {
        let draft = draft.get_untracked();
        match goal {
            Goal::Here(start) => {
                match Game::new(&draft.setup(), draft.players(), crate::app::seed()) {
                    Ok(game) => start.run(game),
                    Err(error) => fault.set(error.to_string()),
                }
            }
            Goal::Online(made) => {
                if let Some((name, _)) = draft.seats.iter().find(|(_, of)| of.is_empty()) {
                    store::keep(store::NAME, name.trim());
                }
                spawn_local(async move {
                    match http::post::<Made>("/api/tables", &draft.new_table()).await {
                        Ok(table) => {
                            if let Some(seated) = table.seat {
                                link::remember(&table.table, seated.secret);
                            }
                            made.run(table.table);
                        }
                        Err(refusal) => {
                            let _ = fault.try_set(refusal.why);
                        }
                    }
                });
            }
        }
    };
    let length = move || {
        let rules = draft.with(|draft| Rules::new(&draft.setup()));
        let tiles = rules.map_or(0, |rules| {
            let state = rules.start();
            usize::from(state.bag().len()) + state.board().tiles().len()
        });
        say(
            "length",
            &[("tiles", tiles.into()), ("minutes", (tiles / 2).into())],
        )
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
                        >{e.name()}</button>
                    }).collect_view()}
                </div>
                {online.then(|| table_options(draft))}
                <p class="length">{length}</p>
                <p role="alert" class="fault">{move || fault.get()}</p>
                <button class="primary big" on:click=go>{tr(if online { "make-table" } else { "start-game" })}</button>
            </section>
            <section>
                <h2>{tr("presets")}</h2>
                <div class="row">
                    {presets().into_iter().map(|(id, slugs)| {
                        let same = slugs.clone();
                        view! {
                            <button
                                aria-pressed=move || draft.with(|d| d.chosen.len() == same.len() && same.iter().all(|s| d.chosen.contains(s))).to_string()
                                on:click=move |_| draft.update(|d| { d.chosen = slugs.clone(); d.options.clear(); })
                            >{tr(id)}</button>
                        }
                    }).collect_view()}
                </div>
                <h2>{tr("expansions")}</h2>
                <div class="cards">
                    {Ext::ALL.iter().skip(1).map(|ext| card(draft, ext.expansion())).collect_view()}
                </div>
                <h2>{tr("options")}</h2>
                {move || {
                    let chosen = draft.with(|d| d.chosen.clone());
                    Ext::ALL.iter().map(|ext| ext.expansion())
                        .filter(|about| about.slug == "base" || chosen.contains(&about.slug))
                        .filter(|about| !about.options.is_empty())
                        .map(|about| view! {
                            <details class="options">
                                <summary>{about.name}</summary>
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
                {CLOCKS.iter().enumerate().map(|(i, (id, _))| view! { <option value=i.to_string()>{tr(id)}</option> }).collect_view()}
            </select>
        </label>
        <label class="option"><span>{tr("absence")}</span>
            <select on:change=move |e| draft.update(|d| d.absence = event_target_value(&e).parse().unwrap_or(0))>
                {ABSENCES.iter().enumerate().map(|(i, (id, _))| view! { <option value=i.to_string()>{tr(id)}</option> }).collect_view()}
            </select>
        </label>
        <label class="check"><input type="checkbox" prop:checked=move || draft.with(|d| d.private)
            on:change=move |e| draft.update(|d| d.private = event_target_checked(&e))/>{tr("private")}</label>
        <label class="check"><input type="checkbox" prop:checked=move || draft.with(|d| !d.aids)
            on:change=move |e| draft.update(|d| d.aids = !event_target_checked(&e))/>{tr("no-aids")}</label>
    }
}

fn seat_row(draft: RwSignal<Draft>, i: usize, online: bool) -> impl IntoView {
    let style = seat_style(i as u8);
    let of = move || draft.with(|d| d.seats.get(i).map_or("", |(_, of)| *of));
    view! {
        <div class="seat" style=format!("--seat:{};--on:{}", style.colour, style.on)>
            <span class="badge" title=style.name>{style.letter.to_string()}</span>
            <input
                type="text"
                maxlength="24"
                aria-label=say("name-of-seat", &[("n", (i + 1).into())])
                placeholder=move || default_name(i, of())
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
                {LEVELS.iter().map(|l| view! {
                    <option value=l.name selected=move || of() == l.name>{say("computer", &[("level", l.name.into())])}</option>
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
                <span class="symbol" aria-hidden="true">{about.book}</span>
                <strong>{about.name}</strong>
                <span class="facts">
                    {years}
                    {(!standing.is_empty()).then(|| format!(" · {}", tr(&format!("standing-{standing}"))))}
                    " · "{tiles}
                </span>
                <span class="about">{tr(&format!("about-{}", about.slug))}</span>
            </button>
            {page.map(|(_, file)| view! {
                <a class="rules" href=file target="_blank" aria-label=format!("{}: {}", tr("rule-book"), about.name)>"§"</a>
            })}
        </div>
    }
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
            <span>{option.key}" "<span class="quiet">{option.clause.id()}</span></span>
            <select on:change=move |event| set(event_target_value(&event))>
                <option value="" selected=move || now().is_none()>{move || format!("{} ({})", tr("follows-edition"), default())}</option>
                {values.into_iter().map(|value| {
                    let (this, shown) = (value.clone(), value.clone());
                    view! { <option value=value selected=move || now().as_ref() == Some(&this)>{shown}</option> }
                }).collect_view()}
            </select>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expansion_has_its_box() {
        for ext in Ext::ALL {
            let slug = ext.expansion().slug;
            assert!(BOXES.iter().any(|(other, ..)| *other == slug), "{slug}");
        }
    }

    #[test]
    fn presets_can_be_played() {
        for (id, slugs) in presets() {
            let setup = slugs
                .iter()
                .fold(Setup::new(Edition::C2, 2), |setup, slug| setup.with(slug));
            assert!(Rules::new(&setup).is_ok(), "{id}");
        }
    }
}
