//! The table: board, hand, players, log.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use leptos::html;
use leptos::prelude::*;
use leptos::svg;
use trencavel_ai::NoClock;
use trencavel_art::geometry::{Point, pt};
use trencavel_art::{Plan, figure, seat_style, tile};
use trencavel_rules::{
    Choice, Event, FeatureKind, Kind, Place, Pos, SegId, Target, TileKind, Verb, Waiting,
};

use crate::board::{Drawings, View, centre, size_of};
use crate::game::Game;
use crate::text::{say, tr};

/// What can be chosen with one kind of figure, or without one.
type Group = (Verb, Option<Kind>);

#[derive(Clone)]
struct Shared {
    game: Rc<RefCell<Game>>,
    drawings: Rc<RefCell<Drawings>>,
}

/// The table at which a game is played.
#[component]
pub fn Table(game: Game) -> impl IntoView {
    let shared = StoredValue::new_local(Shared {
        game: Rc::new(RefCell::new(game)),
        drawings: Rc::default(),
    });
    // Everything that shows the position reads this number.
    let version = RwSignal::new(0u32);
    let turned = RwSignal::new(0usize);
    let over: RwSignal<Option<Pos>> = RwSignal::new(None);
    let staged: RwSignal<Option<Pos>> = RwSignal::new(None);
    let group: RwSignal<Option<Group>> = RwSignal::new(None);
    let reason = RwSignal::new(String::new());
    let view = RwSignal::new(View {
        middle: pt(50.0, 50.0),
        across: 700.0,
    });
    let aspect = RwSignal::new(1.5f32);
    let svg: NodeRef<svg::Svg> = NodeRef::new();

    let with = move |f: &mut dyn FnMut(&mut Game, &mut Drawings)| {
        let Shared { game, drawings } = shared.get_value();
        f(&mut game.borrow_mut(), &mut drawings.borrow_mut());
    };
    let fit = move || {
        if let Some(svg) = svg.get_untracked() {
            let (w, h) = size_of(&svg);
            aspect.set((w / h.max(1.0)).max(0.2));
        }
        with(&mut |game, _| view.set(View::fitting(&game.shown, aspect.get_untracked())));
    };
    let refresh = move || {
        turned.set(0);
        staged.set(None);
        group.set(None);
        reason.set(String::new());
        with(&mut |game, drawings| drawings.catch_up(&game.rules, &game.shown));
        version.update(|n| *n += 1);
    };
    let run_computers = Rc::new(RefCell::new(None::<Timeout>));
    let next = {
        let run_computers = run_computers.clone();
        StoredValue::new_local(Rc::new(move || {
            let mut thinks = None;
            with(&mut |game, _| thinks = game.computer());
            let Some((seat, level)) = thinks else { return };
            *run_computers.borrow_mut() = Some(Timeout::new(350, move || {
                with(&mut |game, _| {
                    let mut player = level.player(game.inputs.len() as u64);
                    let budget = trencavel_ai::Budget::Iterations(60);
                    if let Some(decision) =
                        player.choose(&game.rules, &game.state, seat, budget, &NoClock)
                    {
                        game.computer_chose(decision.choice);
                    }
                });
                refresh();
                fit();
                NEXT.with_borrow(|next| {
                    if let Some(next) = next {
                        next()
                    }
                });
            }));
        }))
    };
    NEXT.set(Some(next.get_value()));
    let confirm = move || {
        let mut ready = false;
        with(&mut |game, drawings| {
            ready = game.is_ready();
            if ready {
                game.confirm();
                drawings.forget_from(game.shown.board().tiles().len());
            }
        });
        if ready {
            refresh();
            fit();
            (next.get_value())();
        }
    };
    let choose = move |choice: Choice| {
        with(&mut |game, _| {
            game.choose(choice);
        });
        refresh();
    };
    let take_back = move || {
        with(&mut |game, drawings| {
            game.take_back();
            drawings.forget_from(game.shown.board().tiles().len());
        });
        refresh();
    };
    // The first position: nature draws, the board is fitted.
    with(&mut |game, _| game.settle());
    refresh();
    Effect::new(move |_| {
        svg.track();
        fit();
        (next.get_value())();
    });

    let rotations = move |pos: Pos| {
        let mut found = Vec::new();
        with(&mut |game, _| {
            found = game
                .legal()
                .iter()
                .filter_map(|choice| match (choice.verb, choice.target) {
                    (Verb::Lay | Verb::Abbey, Target::Square(p, rotation)) if p == pos => {
                        Some((choice.verb, rotation))
                    }
                    _ => None,
                })
                .collect();
        });
        found
    };
    let squares = Memo::new(move |_| {
        version.get();
        let mut squares: Vec<Pos> = Vec::new();
        with(&mut |game, _| {
            for choice in game.legal() {
                if let Target::Square(pos, _) = choice.target
                    && !squares.contains(&pos)
                {
                    squares.push(pos);
                }
            }
        });
        squares
    });
    let press_square = move |pos: Pos| {
        let rotations = rotations(pos);
        if staged.get() == Some(pos) {
            if let Some((verb, rotation)) = rotations.get(turned.get() % rotations.len().max(1)) {
                choose(Choice::new(*verb, Target::Square(pos, *rotation)));
            }
        } else {
            if staged.get().is_some() || over.get() != Some(pos) {
                turned.set(0);
            }
            staged.set(Some(pos));
        }
    };
    let turn_tile = move || turned.update(|n| *n += 1);
    let groups = Memo::new(move |_| {
        version.get();
        let mut groups: Vec<Group> = Vec::new();
        with(&mut |game, _| {
            for choice in game.legal() {
                let group = (choice.verb, choice.kind);
                let by_square = matches!(choice.target, Target::Square(..));
                if !by_square && choice.verb != Verb::Pass && !groups.contains(&group) {
                    groups.push(group);
                }
            }
        });
        groups
    });
    let active_group = move || group.get().or_else(|| groups.get().first().copied());
    let targets = move || {
        version.get();
        let mut targets = Vec::new();
        if let Some((verb, kind)) = active_group() {
            with(&mut |game, drawings| {
                for choice in game.legal() {
                    if choice.verb == verb
                        && choice.kind == kind
                        && let Some(at) = place(game, drawings, choice)
                    {
                        targets.push((choice, at));
                    }
                }
            });
        }
        targets
    };

    let on_key = move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "r" | "R" => turn_tile(),
        "Escape" | "Backspace" => {
            if staged.get().is_some() {
                staged.set(None);
            } else {
                take_back();
            }
        }
        "Enter" => {
            let mut pass = false;
            with(&mut |game, _| pass = game.may_pass());
            if pass {
                choose(Choice::PASS);
            }
            confirm();
        }
        _ => {}
    };
    let keys = window_event_listener(leptos::ev::keydown, on_key);
    on_cleanup(move || keys.remove());

    let drag: StoredValue<Option<(f64, f64, Point)>> = StoredValue::new(None);
    let scale = move || {
        svg.get_untracked().map_or(1.0, |svg| {
            let (w, h) = size_of(&svg);
            view.get_untracked().across / w.min(h).max(1.0)
        })
    };

    view! {
        <main class="table">
            <div class="board">
                <svg
                    node_ref=svg
                    role="img"
                    aria-label="board"
                    viewBox=move || view.get().view_box(aspect.get())
                    on:wheel=move |event| {
                        event.prevent_default();
                        if over.get().is_some() {
                            turn_tile();
                        } else {
                            let factor = if event.delta_y() > 0.0 { 1.12 } else { 0.89 };
                            view.update(|v| v.across = (v.across * factor).clamp(250.0, 6000.0));
                        }
                    }
                    on:pointerdown=move |event| {
                        let v = view.get();
                        drag.set_value(Some((f64::from(event.client_x()), f64::from(event.client_y()), v.middle)));
                    }
                    on:pointermove=move |event| if let Some((x, y, from)) = drag.get_value() && event.buttons() & 1 != 0 {
                        let s = scale();
                        let dx = (f64::from(event.client_x()) - x) as f32 * s;
                        let dy = (f64::from(event.client_y()) - y) as f32 * s;
                        if dx.abs() + dy.abs() > 4.0 {
                            view.update(|v| v.middle = pt(from.x - dx, from.y - dy));
                        }
                    }
                    on:pointerup=move |_| drag.set_value(None)
                >
                    <g class="tiles" inner_html=move || {
                        version.get();
                        let mut out = String::new();
                        with(&mut |_, drawings| out = drawings.tiles());
                        out
                    }></g>
                    <g class="squares">
                        {move || squares.get().into_iter().map(|pos| view! {
                            <g
                                class="square"
                                class:staged=move || staged.get() == Some(pos)
                                transform=format!("translate({} {})", i32::from(pos.x) * 100, i32::from(pos.y) * 100)
                                on:pointerenter=move |_| {
                                    if over.get() != Some(pos) && staged.get().is_none() { turned.set(0) }
                                    over.set(Some(pos));
                                }
                                on:pointerleave=move |_| over.set(None)
                                on:click=move |_| press_square(pos)
                            >
                                <rect x="3" y="3" width="94" height="94" rx="8"></rect>
                                <g inner_html=move || {
                                    let shown = staged.get().map_or(over.get() == Some(pos), |s| s == pos);
                                    if !shown { return String::new() }
                                    let rotations = rotations(pos);
                                    let Some((_, rotation)) = rotations.get(turned.get() % rotations.len().max(1)) else {
                                        return String::new()
                                    };
                                    let mut out = String::new();
                                    with(&mut |game, _| if let Some(kind) = game.drawn() {
                                        let def = game.rules.tile(kind);
                                        out = format!(
                                            "<g transform=\"rotate({} 50 50)\">{}</g>",
                                            rotation.degrees(),
                                            tile(def, &Plan::new(def), rotation.quarters(), 1)
                                        );
                                    });
                                    out
                                }></g>
                            </g>
                        }).collect_view()}
                    </g>
                    <g class="areas">
                        {move || targets().into_iter().filter_map(|(choice, _)| match choice.target {
                            Target::Segment(seg) => {
                                let mut area = (String::new(), String::new());
                                with(&mut |game, drawings| area = drawings.area(&game.shown, seg));
                                Some(view! { <path class="area" d=area.0 transform=area.1 on:click=move |_| choose(choice)></path> })
                            }
                            _ => None,
                        }).collect_view()}
                    </g>
                    <g class="figures" inner_html=move || {
                        version.get();
                        let mut out = String::new();
                        with(&mut |game, drawings| out = drawings.figures(&game.shown));
                        out
                    }></g>
                    <g class="targets">
                        {move || targets().into_iter().map(|(choice, at)| {
                            let mut ghost = String::new();
                            with(&mut |game, _| if let (Some(kind), Some(seat)) = (choice.kind, game.asked()) {
                                let lying = is_field(game, choice);
                                ghost = figure(kind, seat.0, lying);
                            });
                            view! {
                                <g
                                    class="target"
                                    transform=format!("translate({:.1} {:.1})", at.x, at.y)
                                    on:click=move |_| choose(choice)
                                >
                                    <circle r="15"></circle>
                                    <g class="ghost" transform="translate(0 9)" inner_html=ghost></g>
                                </g>
                            }
                        }).collect_view()}
                    </g>
                </svg>
            </div>
            <aside class="side">
                <Players shared=shared version=version/>
                <section class="hand" aria-live="polite">
                    {move || {
                        version.get();
                        let mut text = String::new();
                        let mut picture = String::new();
                        with(&mut |game, _| {
                            text = what_now(game);
                            if let (Some(kind), true) = (game.drawn(), game.asks_person()) {
                                picture = hand_picture(game, kind);
                            }
                        });
                        view! {
                            <p class="now">{text}</p>
                            <svg class="drawn" viewBox="0 0 100 100" inner_html=picture on:click=move |_| turn_tile()></svg>
                        }
                    }}
                    <div class="row">
                        {move || groups.get().into_iter().map(|(verb, kind)| {
                            let mut label = String::new();
                            let mut picture = String::new();
                            with(&mut |game, _| {
                                label = kind.map_or(verb.name().to_string(), |kind| kind.name().to_string());
                                if let (Some(kind), Some(seat)) = (kind, game.asked()) {
                                    picture = format!("<g transform=\"translate(16 30)\">{}</g>", figure(kind, seat.0, false));
                                }
                            });
                            view! {
                                <button
                                    class="figure"
                                    title=label.clone()
                                    aria-label=label
                                    class:on=move || active_group() == Some((verb, kind))
                                    on:click=move |_| group.set(Some((verb, kind)))
                                ><svg viewBox="0 0 32 34" inner_html=picture.clone()></svg>
                                {if picture.is_empty() { verb.name() } else { "" }}</button>
                            }
                        }).collect_view()}
                    </div>
                    <div class="row">
                        {move || {
                            version.get();
                            let (mut pass, mut ready, mut back) = (false, false, false);
                            with(&mut |game, _| {
                                pass = game.may_pass();
                                ready = game.is_ready();
                                back = !game.pending.is_empty();
                            });
                            view! {
                                <button disabled=!pass on:click=move |_| choose(Choice::PASS)>{tr("pass")}</button>
                                <button disabled=!back on:click=move |_| take_back()>{tr("take-back")}</button>
                                <button class="primary" disabled=!ready on:click=move |_| confirm()>{tr("confirm")}</button>
                                <button on:click=move |_| fit()>{tr("fit")}</button>
                            }
                        }}
                    </div>
                    <p class="why" role="status">{move || reason.get()}</p>
                </section>
                <Log shared=shared version=version/>
                <details class="moves">
                    <summary>{tr("legal-moves")}</summary>
                    <ul>
                        {move || {
                            version.get();
                            let mut list = Vec::new();
                            with(&mut |game, _| list = game.legal().into_iter().map(|c| (c, describe(game, c))).collect());
                            list.into_iter().map(|(choice, text)| view! {
                                <li><button on:click=move |_| choose(choice)>{text}</button></li>
                            }).collect_view()
                        }}
                    </ul>
                </details>
            </aside>
        </main>
    }
}

thread_local! {
    static NEXT: RefCell<Option<Rc<dyn Fn()>>> = const { RefCell::new(None) };
}

/// Where a choice is shown on the board.
fn place(game: &Game, drawings: &Drawings, choice: Choice) -> Option<Point> {
    match choice.target {
        Target::Segment(seg) => Some(drawings.stand(&game.shown, seg)),
        Target::Tile(slot) => Some(centre(game.shown.board().tile(slot).pos)),
        Target::Corner(pos) => Some(pt(f32::from(pos.x) * 100.0, f32::from(pos.y) * 100.0)),
        Target::Piece(piece) => drawings.spot(&game.shown, piece),
        Target::Square(..) | Target::None | Target::Seat(_) | Target::Number(_) => None,
    }
}

fn is_field(game: &Game, choice: Choice) -> bool {
    match choice.target {
        Target::Segment(seg) => game.shown.board().at(seg).kind == FeatureKind::Field,
        _ => false,
    }
}

fn hand_picture(game: &Game, kind: TileKind) -> String {
    let def = game.rules.tile(kind);
    tile(def, &Plan::new(def), 0, 1)
}

fn name(game: &Game, seat: trencavel_rules::Seat) -> String {
    game.players
        .get(seat.index())
        .map_or(String::new(), |(name, _)| name.clone())
}

/// What is to be done now, in words.
fn what_now(game: &Game) -> String {
    if game.state.waiting() == Waiting::Over {
        let winners: Vec<String> = game
            .state
            .winners()
            .iter()
            .map(|seat| name(game, seat))
            .collect();
        return format!(
            "{}. {}",
            tr("game-over"),
            say("wins", &[("names", winners.join(", ").into())])
        );
    }
    if game.is_ready() {
        return format!("{} ({})", tr("confirm"), tr("confirm-hint"));
    }
    let Some(seat) = game.asked() else {
        return String::new();
    };
    if !game.asks_person() {
        return say("thinking", &[("name", name(game, seat).into())]);
    }
    let what = if game.drawn().is_some() {
        tr("place-tile")
    } else {
        tr("place-figure")
    };
    format!(
        "{}: {what}",
        say("your-turn", &[("name", name(game, seat).into())])
    )
}

/// A segment in words.
fn segment_words(game: &Game, seg: SegId) -> String {
    let board = game.shown.board();
    format!("{} ({})", board.at(seg).kind.name(), board.pos_of(seg))
}

/// A choice in words.
fn describe(game: &Game, choice: Choice) -> String {
    let what = choice.kind.map_or(choice.verb.name(), |kind| kind.name());
    match choice.target {
        Target::Square(pos, rotation) => say(
            "lay-at",
            &[
                ("place", pos.to_string().into()),
                ("degrees", rotation.degrees().to_string().into()),
            ],
        ),
        Target::Segment(seg) => say(
            "deploy-at",
            &[
                ("figure", what.into()),
                ("place", segment_words(game, seg).into()),
            ],
        ),
        Target::Tile(slot) => format!("{} {}", choice.verb, game.shown.board().tile(slot).pos),
        Target::Piece(piece) => match piece.spot.place {
            Place::Segment => format!(
                "{} {} {}",
                choice.verb,
                piece.kind,
                segment_words(game, SegId(piece.spot.at))
            ),
            _ => format!("{} {piece}", choice.verb),
        },
        Target::Corner(pos) => format!("{} {pos}", choice.verb),
        Target::Seat(seat) => format!("{} {}", choice.verb, name(game, seat)),
        Target::Number(n) => format!("{} {n}", choice.verb),
        Target::None => tr(choice.verb.name()),
    }
}

#[component]
fn Players(shared: StoredValue<Shared, LocalStorage>, version: RwSignal<u32>) -> impl IntoView {
    view! {
        <section class="players">
            {move || {
                version.get();
                let game = shared.get_value().game;
                let game = game.borrow();
                let left = game.shown.bag().len();
                let rows = game.shown.seat_list().map(|seat| {
                    let state = game.shown.seat(seat);
                    let style = seat_style(seat.0);
                    let figures: String = Kind::ALL
                        .iter()
                        .flat_map(|kind| std::iter::repeat_n(*kind, usize::from(state.has(*kind))))
                        .enumerate()
                        .map(|(i, kind)| format!("<g transform=\"translate({} 30)\">{}</g>", 14 + i * 19, figure(kind, seat.0, false)))
                        .collect();
                    view! {
                        <div class="player" class:active=game.shown.active() == seat style=format!("--seat:{}", style.colour)>
                            <span class="badge">{style.letter.to_string()}</span>
                            <span class="name">{name(&game, seat)}</span>
                            <span class="score">{state.score}</span>
                            <svg class="supply" viewBox="0 0 240 34" preserveAspectRatio="xMinYMid meet" inner_html=figures></svg>
                        </div>
                    }
                }).collect_view();
                view! { {rows} <p class="quiet">{say("tiles-left", &[("n", left.into())])}</p> }
            }}
        </section>
    }
}

#[component]
fn Log(shared: StoredValue<Shared, LocalStorage>, version: RwSignal<u32>) -> impl IntoView {
    let list: NodeRef<html::Ol> = NodeRef::new();
    Effect::new(move |_| {
        version.get();
        if let Some(list) = list.get() {
            list.set_scroll_top(list.scroll_height());
        }
    });
    view! {
        <section class="log">
            <h2>{tr("log")}</h2>
            <ol node_ref=list>
                {move || {
                    version.get();
                    let game = shared.get_value().game;
                    let game = game.borrow();
                    let from = game.log.len().saturating_sub(120);
                    game.log[from..].iter().filter_map(|entry| line(&game, &entry.event)).map(|text| view! { <li>{text}</li> }).collect_view()
                }}
            </ol>
        </section>
    }
}

/// A line of the log.
fn line(game: &Game, event: &Event) -> Option<String> {
    let tile_name = |kind: &TileKind| game.rules.tile(*kind).id.to_string();
    Some(match event {
        Event::Laid {
            seat, kind, pos, ..
        } => say(
            "laid",
            &[
                ("name", name(game, *seat).into()),
                ("tile", tile_name(kind).into()),
                ("place", pos.to_string().into()),
            ],
        ),
        Event::Discarded { kind, .. } => say("discarded", &[("tile", tile_name(kind).into())]),
        Event::Arrived { piece, .. } => {
            let at = piece
                .spot
                .as_segment()
                .map_or(piece.spot.place.to_string(), |seg| segment_words(game, seg));
            let figure = piece.kind.name();
            say(
                "arrived",
                &[
                    ("name", name(game, piece.seat).into()),
                    ("figure", figure.into()),
                    ("place", at.into()),
                ],
            )
        }
        Event::Awarded {
            seat,
            points,
            clause,
            ..
        } => {
            let text = say(
                "awarded",
                &[
                    ("name", name(game, *seat).into()),
                    ("points", (*points).into()),
                ],
            );
            format!("{text} [{clause}]")
        }
        Event::WentHome { piece, clause, .. } => {
            let text = say(
                "went-home",
                &[
                    ("name", name(game, piece.seat).into()),
                    ("figure", piece.kind.name().into()),
                ],
            );
            format!("{text} [{clause}]")
        }
        _ => return None,
    })
}
