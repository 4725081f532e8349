//! Beside the board: the players, and what is to be done.

use leptos::prelude::*;
use trencavel_art::{Plan, figure, seat_style, tile, token};
use trencavel_rules::{Kind, Place, Rotation, Seat, Shown, Target, Verb, Waiting};

use crate::desk::Desk;
use crate::game::{Game, Player};
use crate::items::Item;
use crate::online::presence;
use crate::text::{say, tr};
use crate::words;

/// A small picture with a label for those who do not see it.
fn picture(label: String, view_box: &'static str, inner: String) -> impl IntoView {
    let title = label.clone();
    view! {
        <svg class="icon" viewBox=view_box role="img" aria-label=label>
            <title>{title}</title>
            <g inner_html=inner></g>
        </svg>
    }
}

/// A sign on a button, drawn so that no font has to have it.
pub(crate) fn sign(path: &'static str) -> impl IntoView {
    view! { <svg class="sign" viewBox="0 0 20 20" aria-hidden="true"><path d=path></path></svg> }
}

fn small_figure(kind: Kind, seat: Seat) -> String {
    format!(
        "<g transform=\"translate(17 32)\">{}</g>",
        figure(kind, seat.0, false)
    )
}

/// The players with their points and what they have.
#[component]
pub(crate) fn Players(desk: Desk) -> impl IntoView {
    let tick = RwSignal::new(0u32);
    if desk.link.is_some() {
        let every = std::time::Duration::from_millis(500);
        let timer =
            set_interval_with_handle(move || tick.update(|n| *n = n.wrapping_add(1)), every);
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
        });
    }
    view! {
        <section class="players" aria-label=tr("seats")>
            {move || desk.read(|game| {
                let state = game.seen();
                let projected = game.rules().projected(state);
                let over = state.waiting() == Waiting::Over || game.is_closed();
                let shown = game.rules().shown(state);
                state.seat_list().map(|seat| {
                    let has = state.seat(seat);
                    let style = seat_style(seat.0);
                    let figures = Kind::ALL.iter().filter(|kind| game.rules().supplied(**kind) > 0).map(|kind| {
                        let n = has.has(*kind);
                        let label = format!("{} × {n}", words::figure(*kind));
                        view! {
                            <span class="held" class:none=n == 0>
                                {picture(label, "0 0 34 34", small_figure(*kind, seat))}
                                <span aria-hidden="true">{n}</span>
                            </span>
                        }
                    }).collect_view();
                    let tokens = shown.iter().filter_map(|thing| match thing {
                        Shown::Held { seat: of, token: kind, n } if *of == seat => {
                            let label = format!("{} × {n}", tr(&format!("token-{}", kind.name())));
                            Some(view! {
                                <span class="held">
                                    {picture(label, "-12 -14 24 24", token(*kind).to_string())}
                                    <span aria-hidden="true">{*n}</span>
                                </span>
                            })
                        }
                        _ => None,
                    }).collect_view();
                    let prisoners: Vec<_> = state.pieces().iter()
                        .filter(|piece| piece.spot.place == Place::Prison && piece.spot.at == u16::from(seat.0))
                        .collect();
                    let prison = (!prisoners.is_empty()).then(|| view! {
                        <span class="prison">
                            <span class="quiet">{tr("prisoners")}</span>
                            {prisoners.into_iter().map(|piece| {
                                picture(words::piece(game, state, piece), "0 0 34 34", small_figure(piece.kind, piece.seat))
                            }).collect_view()}
                        </span>
                    });
                    // A finished turn is still its player's until it is confirmed.
                    let of = if game.looks_at().is_none() { game.state() } else { state };
                    let active = !over && of.active() == seat;
                    let asked = !over && game.hand() == Some(seat);
                    let sort = match game.players.get(seat.index()) {
                        Some(Player::Computer(_)) => Some(tr("computer-player")),
                        Some(Player::Person) if desk.link.is_some() => Some(tr("you")),
                        _ => None,
                    };
                    let sort = sort.filter(|sort| *sort != words::name(game, seat));
                    let presence = desk.link.map(|link| presence(link, seat.index(), asked, tick.into()));
                    view! {
                        <div class="player" class:active=active aria-current=active.then_some("true")
                            style=format!("--seat:{};--on:{}", style.colour, style.on)>
                            <span class="badge" title=words::colour(style)>{style.letter.to_string()}</span>
                            <span class="name">{words::name(game, seat)}{sort.map(|sort| view! { " "<span class="sort">{sort}</span> })}" "{presence}</span>
                            <span class="score">
                                <span class="visually-hidden">{tr("points")}": "</span>
                                {has.score}
                                {(!over && desk.aids().projected_points).then(|| view! {
                                    <small title=tr("projected")>
                                        <span class="visually-hidden">{tr("projected")}": "</span>
                                        {format!("→ {}", projected.get(seat.index()).copied().unwrap_or(0))}
                                    </small>
                                })}
                            </span>
                            <span class="supply">{figures}{tokens}{prison}</span>
                        </div>
                    }
                }).collect_view()
            })}
        </section>
    }
}

/// What is to be done, and everything to do it with.
#[component]
pub(crate) fn Hand(desk: Desk, lesson: Option<AnyView>) -> impl IntoView {
    let coarse = window().match_media("(pointer: coarse)").ok().flatten();
    let touch = coarse.is_some_and(|query| query.matches());
    view! {
        <section class="hand" class:waits=move || desk.read(Game::waits_for_others)>
            {lesson}
            <p class="now" role="status">{move || desk.read(words::what_now)}</p>
            <div class="doing">
                {move || drawn(desk)}
                {move || drawn_here(desk)}
                <div class="figures">{move || figures(desk)}</div>
            </div>
            {move || others(desk)}
            {move || desk.explained.get().map(|said| view! {
                <div class="explained" role="status" style=said.seat.map(|seat| format!("--seat:{}", seat_style(seat.0).colour))>
                    <span>{said.text}</span>
                    {said.items.into_iter().map(|item| chip(desk, item)).collect_view()}
                    <button class="plain" aria-label=tr("close") on:click=move |_| desk.explained.set(None)>"×"</button>
                </div>
            })}
            <p class="why" role="alert">
                {move || {
                    let (text, clauses) = desk.reason.get();
                    if text.is_empty() {
                        return None;
                    }
                    Some(view! { <span>{text}</span> {clauses.into_iter().map(|clause| chip(desk, Item { text: String::new(), clause })).collect_view()} })
                }}
                {move || desk.reason.with(|(text, _)| text.is_empty()).then(|| {
                    let staged = desk.staged.get().is_some();
                    view! { <span class="hint">{desk.read(|game| words::hint(game, staged, touch))}</span> }
                })}
            </p>
            <div class="row do" class:visually-hidden=move || !desk.plays() || desk.read(Game::is_over)>
                <button disabled=move || !desk.legal.with(|l| l.iter().any(|c| c.verb == Verb::Pass)) on:click=move |_| desk.pass()>
                    {tr("pass")}
                </button>
                <button
                    disabled=move || desk.read(|game| game.pending.is_empty()) && desk.staged.get().is_none()
                    on:click=move |_| desk.take_back()
                >{tr("take-back")}</button>
                <button class="primary" disabled=move || !desk.read(Game::is_ready) && desk.staged.get().is_none() on:click=move |_| desk.enter()>
                    {tr("confirm")}
                </button>
            </div>
        </section>
    }
}

/// The tile that somebody else has drawn and not laid yet, or that was drawn in the position that is looked at.
pub(crate) fn drawn_here(desk: Desk) -> Option<impl IntoView> {
    let (svg, name) = desk.read(|game| {
        let kind = game.seen().turn().drawn.filter(|_| !game.asks_person())?;
        let def = game.rules().tile(kind);
        Some((
            tile(def, &Plan::new(def), 0, 1),
            words::printed(def, Rotation::default()),
        ))
    })?;
    Some(view! { <span class="drawn of-others">{picture(name, "0 0 100 100", svg)}</span> })
}

/// The tile in the hand; pressing it turns it.
fn drawn(desk: Desk) -> Option<impl IntoView> {
    let squares = !desk.squares().is_empty();
    let verb = desk.legal.with(|legal| {
        let lays = |c: &&trencavel_rules::Choice| matches!(c.target, Target::Square(..));
        legal.iter().find(lays).map(|choice| choice.verb)
    });
    let (svg, name) = desk.read(|game| {
        let kind = game.tile_of(verb?)?;
        let def = game.rules().tile(kind);
        let name = words::printed(def, Rotation::default());
        Some((tile(def, &Plan::new(def), 0, 1), name))
    })?;
    if !squares {
        return None;
    }
    Some({
        let turn = move || {
            let staged = desk.staged.get().or(desk.over.get());
            let lay = staged.and_then(|pos| desk.lay_at(pos));
            let board = u16::from(desk.view.with(|view| view.turned)) * 90;
            (lay.map_or(0, |(_, rotation)| rotation.degrees()) + board) % 360
        };
        view! {
            <button class="drawn" aria-label=format!("{}: {name}", tr("turn-tile")) on:click=move |_| desk.turn_tile()>
                <svg viewBox="0 0 100 100" aria-hidden="true">
                    <g transform=move || format!("rotate({} 50 50)", turn()) inner_html=svg></g>
                </svg>
            </button>
        }
    })
}

/// What can be placed or done, numbered for the keyboard; what is in the supply and cannot be placed is grey.
fn figures(desk: Desk) -> impl IntoView {
    let groups = desk.groups();
    let asked = desk.read(|game| game.asked().filter(|_| game.asks_person()));
    let laid = desk.read(|game| game.seen().laid().is_some() && game.seen().turn().drawn.is_none());
    let elsewhere = |verb: Verb| {
        let of_others = [
            Verb::Dragon,
            Verb::Capture,
            Verb::Exchange,
            Verb::Wagon,
            Verb::Continue,
        ];
        of_others.contains(&verb)
    };
    let laid = laid && !groups.iter().any(|(verb, _)| elsewhere(*verb));
    let grey: Vec<Kind> = match asked {
        Some(seat) if laid && desk.squares().is_empty() => desk.read(|game| {
            let none = |kind: &Kind| !groups.iter().any(|(_, k)| *k == Some(*kind));
            let supply = game.seen().seat(seat);
            Kind::ALL
                .iter()
                .copied()
                .filter(|kind| supply.has(*kind) > 0 && none(kind))
                .collect()
        }),
        _ => Vec::new(),
    };
    let seat = asked.unwrap_or_default();
    let lit = groups.into_iter().enumerate().map(move |(i, group)| {
        let (verb, kind) = group;
        let label = match kind {
            Some(kind) => format!("{}: {}", words::verb(verb), words::figure(kind)),
            None => words::verb(verb),
        };
        let shown = label.clone();
        view! {
            <button
                class="figure"
                class:words=kind.is_none()
                aria-label=label.clone()
                title=label.clone()
                aria-pressed=move || (desk.active_group() == Some(group)).to_string()
                on:click=move |_| desk.press_group(group)
            >
                {match kind {
                    Some(kind) => view! {
                        <svg viewBox="0 0 34 34" aria-hidden="true"><g inner_html=small_figure(kind, seat)></g></svg>
                        {(verb != Verb::Deploy).then(|| view! { <span class="by">{words::verb(verb)}</span> })}
                    }.into_any(),
                    None => view! { <span>{shown}</span> }.into_any(),
                }}
                <kbd aria-hidden="true">{i + 1}</kbd>
            </button>
        }
    }).collect_view();
    let grey = grey.into_iter().map(move |kind| {
        let label = format!("{}: {}", words::figure(kind), tr("no-place"));
        view! {
            <button class="figure grey" aria-label=label.clone() title=label on:click=move |_| desk.why_no_figure(kind)>
                <svg viewBox="0 0 34 34" aria-hidden="true"><g inner_html=small_figure(kind, seat)></g></svg>
            </button>
        }
    }).collect_view();
    view! { {lit} {grey} }
}

/// Choices of the active group that have no place on the board.
fn others(desk: Desk) -> impl IntoView {
    let beside: Vec<_> = desk
        .targets()
        .into_iter()
        .enumerate()
        .filter(|(_, (_, at))| at.is_none())
        .collect();
    view! {
        <div class="row others">
            {beside.into_iter().map(|(i, (choice, _))| view! {
                <button class:cursor=move || desk.cursor.get() == Some(i) on:click=move |_| desk.choose(choice)>
                    {desk.read(|game| words::choice(game, choice))}
                </button>
            }).collect_view()}
        </div>
    }
}

/// A clause to press: opens the rule book there.
pub(crate) fn chip(desk: Desk, item: Item) -> impl IntoView {
    let clause = item.clause.id();
    view! {
        <button class="chip" title=tr("rule-book") on:click=move |_| desk.reading.set(Some(clause.to_string()))>
            {item.text}" "<small>{clause}</small>
        </button>
    }
}

/// All legal moves in words: for those who do not see the board, and for anybody.
#[component]
pub(crate) fn LegalMoves(desk: Desk) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details class="moves" on:toggle=move |event| {
            use wasm_bindgen::JsCast as _;
            let details = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlDetailsElement>().ok());
            open.set(details.is_some_and(|details| details.open()));
        }>
            <summary>{tr("legal-moves")}" "<span class="quiet">{move || desk.legal.with(Vec::len)}</span></summary>
            {move || open.get().then(|| {
                let legal = desk.legal.get();
                if legal.is_empty() {
                    return view! { <p class="quiet">{tr("legal-none")}</p> }.into_any();
                }
                view! {
                    <ul>
                        {legal.into_iter().map(|choice| view! {
                            <li><button on:click=move |_| desk.choose(choice)>{desk.read(|game| words::choice(game, choice))}</button></li>
                        }).collect_view()}
                    </ul>
                }.into_any()
            })}
        </details>
    }
}

/// Every tile on the board in words: for those who do not see it.
#[component]
pub(crate) fn InWords(desk: Desk) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details class="in-words" on:toggle=move |event| {
            use wasm_bindgen::JsCast as _;
            let details = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlDetailsElement>().ok());
            open.set(details.is_some_and(|details| details.open()));
        }>
            <summary>{tr("board-in-words")}</summary>
            {move || open.get().then(|| desk.read(|game| view! {
                <ol tabindex="0" aria-label=tr("board-in-words")>
                    {words::squares(game).into_iter().map(|text| view! { <li>{text}</li> }).collect_view()}
                </ol>
            }))}
        </details>
    }
}

/// The tiles that are still to come.
#[component]
pub(crate) fn Remaining(desk: Desk) -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details class="remaining" on:toggle=move |event| {
            use wasm_bindgen::JsCast as _;
            let details = event.target().and_then(|t| t.dyn_into::<web_sys::HtmlDetailsElement>().ok());
            open.set(details.is_some_and(|details| details.open()));
        }>
            <summary>
                {tr("remaining")}" "
                <span class="quiet">{move || desk.read(|game| say("tiles-left", &[("n", game.seen().bag().len().into())]))}</span>
            </summary>
            {move || open.get().then(|| desk.read(|game| {
                let rules = game.rules();
                let counts = game.seen().bag().counts().iter().enumerate().filter(|(_, n)| **n > 0);
                view! {
                    <ul class="bag">
                        {counts.map(|(i, n)| {
                            let def = rules.tile(trencavel_rules::TileKind(i as u16));
                            let label = format!("{} ({}) × {n}", words::printed(def, Rotation::default()), def.id);
                            view! {
                                <li>{picture(label, "0 0 100 100", tile(def, &Plan::new(def), 0, i as u32))}<span aria-hidden="true">"×"{*n}</span></li>
                            }
                        }).collect_view()}
                    </ul>
                }
            }))}
        </details>
    }
}
