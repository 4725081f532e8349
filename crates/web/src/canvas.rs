//! The board on the screen: tiles, figures, what can be chosen, what was scored; panned, pinched and pressed.

use leptos::prelude::*;
use leptos::svg;
use trencavel_art::geometry::{Point, pt};
use trencavel_art::{Plan, figure, seat_style, tile};
use trencavel_rules::{Choice, Event, FeatureKind, Pos, Target};

use crate::board::{self, Drawings, centre, corner, upright};
use crate::bubbles;
use crate::desk::Desk;
use crate::game::Game;
use crate::side::sign;
use crate::text::{say, tr};

/// A press that moved farther than this was a drag.
const STILL: f64 = 6.0;

/// A square this wide on the screen has room for the button that turns the tile.
const TURNER_FROM: f32 = 90.0;

#[derive(Clone, Copy)]
struct Finger {
    id: i32,
    x: f64,
    y: f64,
}

/// The board.
#[component]
pub(crate) fn Canvas(desk: Desk) -> impl IntoView {
    let svg: NodeRef<svg::Svg> = NodeRef::new();
    let measure = move || {
        if let Some(svg) = svg.get_untracked() {
            let rect = svg.get_bounding_client_rect();
            let aspect = rect.width() / rect.height().max(1.0);
            desk.aspect.set((aspect as f32).clamp(0.2, 8.0));
            desk.pixels.set(rect.width().min(rect.height()) as f32);
            let hand = document().query_selector(".hand").ok().flatten();
            let top = hand.map(|hand| hand.get_bounding_client_rect());
            let top = top.filter(|hand| hand.left() < rect.right() - 1.0);
            let top = top.map_or(f64::MAX, |hand| hand.top());
            // On a narrow screen the hand lies over the board where the screen is too low for both.
            let covered = (rect.bottom() - top).clamp(0.0, rect.height() / 2.0);
            desk.covered.set(covered as f32);
        }
    };
    Effect::new(move |_| {
        if svg.get().is_some() {
            measure();
            desk.look_again();
        }
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        measure();
        desk.look_again();
    });
    on_cleanup(move || resized.remove());
    Effect::new(move |before: Option<u32>| {
        let version = desk.version();
        if before.is_some() {
            // When what is asked now has its place on the page.
            request_animation_frame(move || {
                if !desk.is_there() {
                    return;
                }
                let was = desk.covered.get_untracked();
                measure();
                if (desk.covered.get_untracked() - was).abs() > 4.0 {
                    desk.uncover();
                }
            });
        }
        version
    });

    let fingers: StoredValue<Vec<Finger>> = StoredValue::new(Vec::new());
    let dragged: StoredValue<f64> = StoredValue::new(0.0);
    let point_at = move |x: f64, y: f64| -> Point {
        let Some(svg) = svg.get_untracked() else {
            return pt(0.0, 0.0);
        };
        let rect = svg.get_bounding_client_rect();
        let share = |at: f64, from: f64, size: f64| ((at - from) / size.max(1.0)) as f32;
        desk.view.get_untracked().point(
            desk.aspect.get_untracked(),
            share(x, rect.left(), rect.width()),
            share(y, rect.top(), rect.height()),
        )
    };
    let moved = move |event: &web_sys::PointerEvent| {
        let (id, x, y) = (
            event.pointer_id(),
            f64::from(event.client_x()),
            f64::from(event.client_y()),
        );
        let down = fingers.get_value();
        let Some(old) = down.iter().find(|finger| finger.id == id).copied() else {
            return;
        };
        if event.buttons() & 1 == 0 {
            fingers.update_value(|all| all.retain(|finger| finger.id != id));
            return;
        }
        fingers.update_value(|all| {
            if let Some(finger) = all.iter_mut().find(|finger| finger.id == id) {
                *finger = Finger { id, x, y };
            }
        });
        dragged.update_value(|way| *way += (x - old.x).hypot(y - old.y));
        if dragged.get_value() < STILL {
            return;
        }
        let (from, to) = (point_at(old.x, old.y), point_at(x, y));
        match down.iter().find(|finger| finger.id != id) {
            None => desk.view.update(|view| {
                view.middle = pt(view.middle.x + from.x - to.x, view.middle.y + from.y - to.y);
            }),
            Some(other) => {
                let before = (old.x - other.x).hypot(old.y - other.y).max(1.0);
                let after = (x - other.x).hypot(y - other.y).max(1.0);
                // The view cannot be read while it is changed.
                let keep = point_at(other.x, other.y);
                desk.view
                    .update(|view| view.zoom((before / after) as f32, keep));
            }
        }
    };
    let zoom = move |factor: f32| {
        desk.view.update(|view| {
            let middle = view.middle;
            view.zoom(factor, middle);
        });
    };

    // What is pressed or read has its size on the screen, however far away the board is.
    let coarse = window().match_media("(pointer: coarse)").ok().flatten();
    let touch = coarse.is_some_and(|query| query.matches());
    let larger = Memo::new(move |_| {
        let unit = desk.pixels.get() / desk.view.with(|view| view.across).max(1.0);
        let wanted = if touch { 22.0 } else { 12.5 };
        (wanted / (17.0 * unit)).clamp(1.0, 2.6)
    });
    // Figures are seen on a board that is far away.
    let grow = Memo::new(move |_| {
        let unit = desk.pixels.get() / desk.view.with(|view| view.across).max(1.0);
        board::grown(unit)
    });
    let turned = Memo::new(move |_| desk.view.with(|view| view.turned));
    view! {
        <div
            class="board"
            class:coordinates=move || desk.settings.get().coordinates
            style=move || format!("--covered:{}px", desk.covered.get())
            tabindex="0"
            role="group"
            aria-label=tr("board")
            aria-describedby="keys"
        >
            // The tiles are a layer of their own, so that a press does not paint them anew.
            <svg class="ground" aria-hidden="true" viewBox=move || desk.view.get().view_box(desk.aspect.get())>
                <g transform=move || format!("rotate({})", u16::from(turned.get()) * 90)>
                    <g class="tiles">
                        <For
                            each=move || desk.draw(|_, drawings| {
                                let turned = drawings.turned;
                                drawings.tiles.iter().cloned().enumerate().map(|(slot, drawn)| (slot, turned, drawn)).collect::<Vec<_>>()
                            })
                            key=|(slot, turned, drawn)| (*slot, *turned, drawn.placed.kind, drawn.placed.pos, drawn.placed.rotation)
                            children=|(_, _, drawn)| view! { <g inner_html=drawn.picture.to_string()></g> }
                        />
                    </g>
                </g>
            </svg>
            <svg
                node_ref=svg
                class="over"
                aria-hidden="true"
                viewBox=move || desk.view.get().view_box(desk.aspect.get())
                on:wheel=move |event| {
                    event.prevent_default();
                    if desk.staged.get_untracked().is_some() || desk.over.get_untracked().is_some() {
                        desk.turn_tile();
                    } else {
                        let keep = point_at(f64::from(event.client_x()), f64::from(event.client_y()));
                        let factor = if event.delta_y() > 0.0 { 1.12 } else { 0.89 };
                        desk.view.update(|view| view.zoom(factor, keep));
                    }
                }
                on:pointerdown=move |event| {
                    let finger = Finger {
                        id: event.pointer_id(),
                        x: f64::from(event.client_x()),
                        y: f64::from(event.client_y()),
                    };
                    if event.is_primary() {
                        fingers.set_value(Vec::new());
                        dragged.set_value(0.0);
                    }
                    fingers.update_value(|all| all.push(finger));
                }
                on:pointermove=move |event| moved(&event)
                on:pointerup=move |event| fingers.update_value(|all| all.retain(|f| f.id != event.pointer_id()))
                on:pointercancel=move |_| fingers.set_value(Vec::new())
                on:click=move |event| if dragged.get_value() < STILL {
                    desk.press_at(point_at(f64::from(event.client_x()), f64::from(event.client_y())));
                }
            >
                <defs inner_html=PATTERNS></defs>
                <g transform=move || format!("rotate({})", u16::from(turned.get()) * 90)>
                <g class="fields" inner_html=move || {
                    if desk.settings.get().fields && desk.aids().fields {
                        desk.draw(|game, drawings| drawings.fields(game.seen()))
                    } else {
                        String::new()
                    }
                }></g>
                <g class="marks" inner_html=move || desk.read(last_move)></g>
                <g class="dead" inner_html=move || {
                    if desk.settings.get().dead && desk.aids().dead_spaces { desk.read(dead) } else { String::new() }
                }></g>
                <g class="marks">{move || desk.pointed.get().map(|pos| {
                    let p = corner(pos);
                    view! { <rect class="pointed" x=p.x - 2.0 y=p.y - 2.0 width="104" height="104" rx="7"></rect> }
                })}</g>
                <g class="scored" inner_html=move || scored(desk)></g>
                <g class="names" inner_html=move || {
                    if desk.settings.get().coordinates { desk.draw(coordinates) } else { String::new() }
                }></g>
                <g class="squares">
                    {move || desk.squares().into_iter().map(|pos| view! { <Square desk=desk pos=pos dragged=dragged/> }).collect_view()}
                </g>
                <g class="areas">
                    {move || desk.targets().into_iter().enumerate().filter_map(|(i, (choice, _))| area(desk, i, choice, dragged)).collect_view()}
                </g>
                <g class="figures" style=move || format!("--grow:{}", grow.get()) inner_html=move || {
                    desk.draw(|game, drawings| drawings.figures(game.rules(), game.seen()))
                }></g>
                <g class="targets">
                    {move || desk.targets().into_iter().enumerate().filter_map(|(i, (choice, at))| {
                        Some(spot(desk, i, choice, at?, dragged, larger))
                    }).collect_view()}
                </g>
                <g class="bubbles">{move || bubbles::draw(desk, touch)}</g>
                <g class="weighed" inner_html=move || weighed(desk)></g>
                </g>
            </svg>
            {beyond(desk)}
            <div class="zoom">
                <button aria-label=tr("zoom-in") title=tr("zoom-in") on:click=move |_| zoom(0.8)>{sign("M10 3V17M3 10H17")}</button>
                <button aria-label=tr("zoom-out") title=tr("zoom-out") on:click=move |_| zoom(1.25)>{sign("M3 10H17")}</button>
                <button aria-label=tr("fit") title=tr("fit") on:click=move |_| desk.fit_all()>{sign("M3 8V3H8M12 3H17V8M17 12V17H12M8 17H3V12")}</button>
                <button aria-label=tr("turn-board") title=tr("turn-board") on:click=move |_| desk.turn_board()>{sign("M15 6A7 7 0 1 0 17 11M16 2V7H11")}</button>
                <button
                    aria-label=tr("fields")
                    title=tr("fields")
                    aria-pressed=move || desk.settings.get().fields.to_string()
                    on:click=move |_| desk.settings.update(|s| s.fields = !s.fields)
                >{sign("M3 4H17V16H3ZM3 12L17 7M9 4V10M12 9V16")}</button>
            </div>
        </div>
    }
}

/// Buttons at the sides of the window beyond which more squares are lit.
fn beyond(desk: Desk) -> impl IntoView {
    const SIDES: [(&str, &str); 4] = [
        ("up", "M4 13L10 7 16 13"),
        ("right", "M7 4L13 10 7 16"),
        ("down", "M4 7L10 13 16 7"),
        ("left", "M13 4L7 10 13 16"),
    ];
    let squares = Memo::new(move |_| desk.beyond());
    let buttons = SIDES.into_iter().enumerate().map(move |(i, (side, path))| {
        let there = Memo::new(move |_| squares.get()[i]);
        let label = move || say("beyond", &[("n", there.get().0.into())]);
        let go = move |_| {
            if let Some(pos) = there.get_untracked().1 {
                desk.view.update(|view| view.middle = centre(pos));
            }
        };
        move || {
            (there.get().0 > 0).then(|| {
                view! { <button class=side aria-label=label title=label on:click=go>{sign(path)}<span aria-hidden="true">{move || there.get().0}</span></button> }
            })
        }
    });
    view! { <div class="beyond">{buttons.collect_view()}</div> }
}

/// A square where the tile can be laid.
#[component]
fn Square(desk: Desk, pos: Pos, dragged: StoredValue<f64>) -> impl IntoView {
    let at = corner(pos);
    // On a small square the turner would be pressed instead of the square; the tile in the hand turns as well.
    let is_small = move || {
        let across = desk.view.with(|view| view.across);
        100.0 * desk.pixels.get() / across < TURNER_FROM
    };
    let picture = move || {
        let shown = desk
            .staged
            .get()
            .map_or(desk.over.get() == Some(pos), |staged| staged == pos);
        if !shown {
            return String::new();
        }
        let Some((choice, rotation)) = desk.lay_at(pos) else {
            return String::new();
        };
        desk.read(|game| {
            let Some(kind) = game.tile_of(choice.verb) else {
                return String::new();
            };
            let def = game.rules().tile(kind);
            format!(
                "<g transform=\"rotate({} 50 50)\">{}</g>",
                rotation.degrees(),
                tile(
                    def,
                    &Plan::new(def),
                    (rotation.quarters() + desk.view.with(|view| view.turned)) & 3,
                    1
                )
            )
        })
    };
    view! {
        <g
            class="square"
            class:staged=move || desk.staged.get() == Some(pos)
            transform=format!("translate({} {})", at.x, at.y)
            on:pointerenter=move |event| if event.pointer_type() == "mouse" {
                if desk.staged.get_untracked().is_none() { desk.turned.set(0) }
                desk.over.set(Some(pos));
            }
            on:pointerleave=move |_| desk.over.set(None)
            on:click=move |event| {
                event.stop_propagation();
                if dragged.get_value() < STILL { desk.press_square(pos) }
            }
        >
            <rect class="lit" x="3" y="3" width="94" height="94" rx="8"></rect>
            <g inner_html=picture></g>
            <rect class="frame" x="2" y="2" width="96" height="96" rx="6"></rect>
            <g
                class="turner"
                class:hidden=move || desk.staged.get() != Some(pos) || desk.n_rotations(pos) < 2 || is_small()
                transform="translate(84 16)"
                on:click=move |event| {
                    event.stop_propagation();
                    desk.turn_tile();
                }
            >
                <circle r="17"></circle>
                <path d="M-7 2a7.5 7.5 0 1 0 3-8M-8-10l4 4-5 3"></path>
            </g>
        </g>
    }
}

/// The lit area of a segment, or a lit tile.
fn area(desk: Desk, index: usize, choice: Choice, dragged: StoredValue<f64>) -> Option<AnyView> {
    let press = move |event: web_sys::MouseEvent| {
        event.stop_propagation();
        if dragged.get_value() < STILL {
            desk.choose(choice);
        }
    };
    let over = move || desk.hovered.get() == Some(choice) || desk.cursor.get() == Some(index);
    match choice.target {
        Target::Segment(seg) => {
            let (path, transform) = desk.draw(|game, drawings| drawings.area(game.seen(), seg));
            Some(
                view! { <path class="area" class:over=over d=path transform=transform on:click=press></path> }
                    .into_any(),
            )
        }
        Target::Tile(slot) => {
            let p = desk.draw(|game, _| corner(game.seen().board().tile(slot).pos));
            Some(view! {
                <rect class="area" class:over=over x=p.x + 4.0 y=p.y + 4.0 width="92" height="92" rx="8" on:click=press></rect>
            }.into_any())
        }
        _ => None,
    }
}

/// A place that can be chosen, with a figure to be put there as a shadow.
fn spot(
    desk: Desk,
    index: usize,
    choice: Choice,
    at: Point,
    dragged: StoredValue<f64>,
    larger: Memo<f32>,
) -> impl IntoView {
    let ghost = desk.read(|game| match (choice.kind, game.asked()) {
        (Some(kind), Some(seat)) => {
            let lying = matches!(choice.target, Target::Segment(seg)
                if game.seen().board().at(seg).kind == FeatureKind::Field);
            let drop = if lying { 0 } else { 9 };
            format!(
                "<g transform=\"translate(0 {drop})\">{}</g>",
                figure(kind, seat.0, lying)
            )
        }
        _ => String::new(),
    });
    let ring = ghost.is_empty();
    let turned = desk.view.with_untracked(|view| view.turned);
    view! {
        <g
            class="target"
            class:cursor=move || desk.cursor.get() == Some(index)
            class:ring=ring
            on:pointerenter=move |_| desk.hovered.set(Some(choice))
            on:pointerleave=move |_| desk.hovered.set(None)
            transform=move || format!("{} scale({:.2})", upright(at, turned), larger.get())
            on:click=move |event| {
                event.stop_propagation();
                if dragged.get_value() < STILL { desk.choose(choice) }
            }
        >
            <circle r="17"></circle>
            <g class="ghost" inner_html=ghost></g>
        </g>
    }
}

/// The corners of the tile that was laid last, marked.
fn last_move(game: &Game) -> String {
    let Some(placed) = game.seen().board().tiles().last() else {
        return String::new();
    };
    let p = corner(placed.pos);
    let corners = "M2 17V2H17M83 2H98V17M98 83V98H83M17 98H2V83";
    format!(
        "<g transform=\"translate({} {})\"><path class=\"lastmove rim\" d=\"{corners}\"/><path class=\"lastmove\" d=\"{corners}\"/></g>",
        p.x, p.y
    )
}

/// A cross on every square into which no tile fits any more, neither from the bag nor the drawn one.
fn dead(game: &Game) -> String {
    let (rules, state) = (game.rules(), game.seen());
    let drawn = state.turn().drawn;
    let fits = |pos: Pos| {
        rules.n_fitting_tiles(state, pos) > 0
            || drawn.is_some_and(|kind| rules.n_fitting_rotations(state, kind, pos) > 0)
    };
    let gaps = state.board().gaps().filter(|pos| !fits(*pos));
    gaps.map(|pos| {
        let p = corner(pos);
        format!(
            "<path transform=\"translate({} {})\" d=\"M30 30L70 70M70 30L30 70\"/>",
            p.x, p.y
        )
    })
    .collect()
}

/// The name of every square with a tile, and of those beside one.
fn coordinates(game: &Game, drawings: &Drawings) -> String {
    let board = game.seen().board();
    let mut out = String::new();
    let tiles = board.tiles().iter().map(|placed| placed.pos);
    for pos in tiles.chain(board.gaps()) {
        let p = corner(pos);
        out.push_str(&format!(
            "<text transform=\"{}\" x=\"-44\" y=\"-36\">{pos}</text>",
            upright(pt(p.x + 50.0, p.y + 50.0), drawings.turned)
        ));
    }
    out
}

/// The best choices of an analysis, numbered.
fn weighed(desk: Desk) -> String {
    let weighed = desk.weighed.get();
    desk.draw(|game, drawings| {
        let mut out = String::new();
        let mut at: Vec<Point> = Vec::new();
        for (rank, weighed) in weighed.iter().enumerate() {
            let place = match weighed.choice.target {
                Target::Square(pos, _) => Some(centre(pos)),
                target => drawings.target(game.seen(), target),
            };
            let Some(mut p) = place else { continue };
            while at.iter().any(|q| q.distance(p) < 20.0) {
                p.x += 24.0;
            }
            at.push(p);
            if let (Target::Square(pos, rotation), Some(kind), 0) = (
                weighed.choice.target,
                game.tile_of(weighed.choice.verb),
                rank,
            ) {
                let (def, p) = (game.rules().tile(kind), corner(pos));
                out.push_str(&format!(
                    "<g opacity=\".75\" transform=\"translate({} {}) rotate({} 50 50)\">{}</g>",
                    p.x,
                    p.y,
                    rotation.degrees(),
                    tile(
                        def,
                        &Plan::new(def),
                        (rotation.quarters() + drawings.turned) & 3,
                        1
                    )
                ));
            }
            out.push_str(&format!(
                "<g transform=\"{}\"><circle r=\"12\"/><text y=\"5\">{}</text></g>",
                upright(p, drawings.turned),
                rank + 1
            ));
        }
        out
    })
}

/// What was just scored, lit.
fn scored(desk: Desk) -> String {
    desk.draw(|game, drawings| {
        if game.looks_at().is_some() {
            return String::new();
        }
        let news = game.log.iter().skip(game.news).map(|entry| &entry.event);
        let mut seen: Vec<_> = Vec::new();
        let mut out = String::new();
        for event in news.chain(&game.begun) {
            if let Event::Awarded {
                seat,
                feature: Some(seg),
                ..
            } = event
            {
                let id = game.seen().board().feature_of(*seg);
                if !seen.contains(&id) {
                    seen.push(id);
                    out.push_str(&format!(
                        "<g style=\"--seat:{}\">{}</g>",
                        seat_style(seat.0).colour,
                        drawings.feature(game.seen(), *seg)
                    ));
                }
            }
        }
        out
    })
}

/// Patterns for the fields: what differs in colour also differs in form.
const PATTERNS: &str = "\
<pattern id=\"p0\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M0 12L12 0\"/></pattern>\
<pattern id=\"p1\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M0 0L12 12\"/></pattern>\
<pattern id=\"p2\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M0 6H12\"/></pattern>\
<pattern id=\"p3\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M6 0V12\"/></pattern>\
<pattern id=\"p4\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><circle class=\"dot\" cx=\"6\" cy=\"6\" r=\"2\"/></pattern>\
<pattern id=\"p5\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M0 6H12M6 0V12\"/></pattern>\
<pattern id=\"p6\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M0 9L6 3 12 9\"/></pattern>\
<pattern id=\"p7\" width=\"12\" height=\"12\" patternUnits=\"userSpaceOnUse\"><path class=\"pat\" d=\"M0 0L12 12M0 12L12 0\"/></pattern>";

/// Keeps a square in sight.
pub(crate) fn show(desk: Desk, pos: Pos) {
    let p = centre(pos);
    let aspect = desk.aspect.get_untracked();
    let view: board::View = desk.view.get_untracked();
    let (nw, se) = (
        view.point(aspect, 0.08, 0.08),
        view.point(aspect, 0.92, 0.92),
    );
    if p.x < nw.x || p.y < nw.y || p.x > se.x || p.y > se.y {
        desk.view.update(|view| view.middle = p);
    }
}
