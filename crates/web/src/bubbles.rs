//! The points just given, in bubbles on the board: they cover neither each other nor figures, and stay in the window.

use leptos::prelude::*;
use trencavel_art::geometry::{Point, pt};
use trencavel_art::seat_style;
use trencavel_rules::Event;

use crate::board::{grown, spun, upright};
use crate::desk::Desk;
use crate::told::{self, Said, Tone};

/// Half the width and half the height of a bubble.
const HALF: (f32, f32) = (27.0, 13.0);

/// How near bubbles come to each other and to the sides of the window.
const APART: f32 = 3.0;

/// Points just given.
struct Bubble {
    /// Where they were given.
    at: Point,
    seat: u8,
    points: i32,
    /// The line of the log, with the items.
    said: Said,
}

/// An upright rectangle, as the board is seen.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rect {
    middle: Point,
    half: (f32, f32),
}

impl Rect {
    /// How far two rectangles overlap; less than nothing where they are apart.
    fn overlap(self, other: Rect) -> f32 {
        let x = self.half.0 + other.half.0 - (self.middle.x - other.middle.x).abs();
        let y = self.half.1 + other.half.1 - (self.middle.y - other.middle.y).abs();
        x.min(y)
    }
}

/// Points just given, where they were given.
fn given(desk: Desk) -> Vec<Bubble> {
    desk.draw(|game, drawings| {
        if game.looks_at().is_some() {
            return Vec::new();
        }
        let news = || {
            let news = game.log.iter().skip(game.news).map(|entry| &entry.event);
            news.chain(&game.begun)
        };
        let said = told::lines(game, game.seen(), None, news().map(|event| (0, event)));
        let said = said.into_iter().map(|(_, said)| said);
        let scores = said.filter(|said| said.tone == Tone::Score);
        let awards = news().filter_map(|event| match event {
            Event::Awarded {
                seat,
                points,
                feature,
                ..
            } => Some((*seat, *points, *feature)),
            _ => None,
        });
        let bubbles = awards
            .zip(scores)
            .filter_map(|((seat, points, feature), said)| {
                Some(Bubble {
                    at: drawings.stand(game.seen(), feature?),
                    seat: seat.0,
                    points,
                    said,
                })
            });
        bubbles.collect()
    })
}

/// Where bubbles go: above the places of their points or else as near as can be, in the window, clear of each other and of what
/// is taken; where there is no such room, clear of each other.
fn lay_out(window: Rect, taken: &[Rect], anchors: &[Point], half: (f32, f32)) -> Vec<Point> {
    const ROUND: u8 = 16;
    const RINGS: u8 = 6;
    const GRID: u16 = 24;
    let inside = |at: f32, middle: f32, room: f32| {
        if room > 0.0 {
            at.clamp(middle - room, middle + room)
        } else {
            middle
        }
    };
    let reach = (
        window.half.0 - half.0 - APART,
        window.half.1 - half.1 - APART,
    );
    let mut laid: Vec<Rect> = Vec::new();
    for anchor in anchors {
        let near = (0..RINGS).flat_map(|ring| {
            (0..ROUND).map(move |k| {
                let angle = std::f32::consts::TAU * f32::from(k) / f32::from(ROUND);
                let away = half.1 + 20.0 + f32::from(ring) * half.1;
                // Farther to the sides, as bubbles are wider than high.
                let x = anchor.x + angle.sin() * (away + half.0 - half.1);
                pt(x, anchor.y - angle.cos() * away)
            })
        });
        // Where there is no room, anywhere in the window.
        let anywhere = || {
            let mut points: Vec<Point> = (0..GRID * GRID)
                .map(|i| {
                    let share = |k: u16| f32::from(k) / f32::from(GRID - 1) * 2.0 - 1.0;
                    let (x, y) = (share(i % GRID), share(i / GRID));
                    pt(
                        window.middle.x + x * reach.0.max(0.0),
                        window.middle.y + y * reach.1.max(0.0),
                    )
                })
                .collect();
            points.sort_by(|p, q| p.distance(*anchor).total_cmp(&q.distance(*anchor)));
            points
        };
        let mut best: Option<(f32, Rect)> = None;
        for p in near.chain(std::iter::once_with(anywhere).flatten()) {
            let rect = Rect {
                middle: pt(
                    inside(p.x, window.middle.x, reach.0),
                    inside(p.y, window.middle.y, reach.1),
                ),
                half: (half.0 + APART / 2.0, half.1 + APART / 2.0),
            };
            let over = |others: &[Rect]| {
                let all = others.iter().map(|other| rect.overlap(*other).max(0.0));
                all.sum::<f32>()
            };
            // Another bubble is worse to cover than a figure.
            let cost = 1000.0 * over(&laid) + over(taken);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, rect));
            }
            if cost == 0.0 {
                break;
            }
        }
        laid.extend(best.map(|(_, rect)| rect));
    }
    laid.iter().map(|rect| rect.middle).collect()
}

/// The bubbles on the board.
pub(crate) fn draw(desk: Desk, touch: bool) -> impl IntoView {
    let bubbles = given(desk);
    let anchors: Vec<Point> = bubbles.iter().map(|bubble| bubble.at).collect();
    let figures = desk.draw(|game, drawings| drawings.stood_on(game.rules(), game.seen()));
    let unit = move || desk.pixels.get() / desk.view.with(|view| view.across).max(1.0);
    let scale = Memo::new(move |_| {
        let text = if touch { 15.0 } else { 13.0 };
        (text / (15.0 * unit())).clamp(1.0, 3.2)
    });
    let places = Memo::new(move |_| {
        if anchors.is_empty() {
            return Vec::new();
        }
        let (view, scale) = (desk.view.get(), scale.get());
        let (nw, w, h) = view.window(desk.aspect.get());
        let window = Rect {
            middle: pt(nw.x + w / 2.0, nw.y + h / 2.0),
            half: (w / 2.0, h / 2.0),
        };
        let grown = grown(unit());
        let mut taken: Vec<Rect> = figures
            .iter()
            .map(|p| Rect {
                middle: spun(*p, view.turned),
                half: (13.0 * grown, 14.0 * grown),
            })
            .collect();
        // The row of buttons in the corner.
        let pixel = 1.0 / unit().max(0.001);
        taken.push(Rect {
            middle: pt(nw.x + 130.0 * pixel, nw.y + h - 30.0 * pixel),
            half: (130.0 * pixel, 30.0 * pixel),
        });
        let anchors: Vec<Point> = anchors.iter().map(|p| spun(*p, view.turned)).collect();
        lay_out(window, &taken, &anchors, (HALF.0 * scale, HALF.1 * scale))
    });
    let each = bubbles.into_iter().enumerate();
    each.map(|(i, bubble)| one(desk, bubble, i, places, scale))
        .collect_view()
}

fn one(
    desk: Desk,
    bubble: Bubble,
    index: usize,
    places: Memo<Vec<Point>>,
    scale: Memo<f32>,
) -> impl IntoView {
    let Bubble {
        at,
        seat,
        points,
        said,
    } = bubble;
    let style = seat_style(seat);
    let turned = desk.view.with_untracked(|view| view.turned);
    let anchor = spun(at, turned);
    let place = move || {
        places
            .with(|places| places.get(index).copied())
            .unwrap_or(anchor)
    };
    // The stem goes from the bubble to where the points come from.
    let stem = move || {
        let (p, scale) = (place(), scale.get());
        let (x, y) = ((anchor.x - p.x) / scale, (anchor.y - p.y) / scale);
        let d = x.hypot(y).max(1.0);
        let (a, b) = (-y / d * 4.0, x / d * 4.0);
        format!("M{a:.1} {b:.1}L{x:.1} {y:.1} {:.1} {:.1}Z", -a, -b)
    };
    view! {
        <g
            class="bubble"
            transform=move || format!("{} scale({:.2})", upright(spun(place(), (4 - turned) & 3), turned), scale.get())
            on:click=move |event| {
                event.stop_propagation();
                desk.explained.set(Some(said.clone()));
            }
        >
            <path class="stem" d=stem fill=style.colour></path>
            <rect x=-HALF.0 y=-HALF.1 width=2.0 * HALF.0 height=2.0 * HALF.1 rx=HALF.1 fill=style.colour></rect>
            <text y="5.4" fill=style.on>{format!("{} {points:+}", style.letter)}</text>
        </g>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Rect = Rect {
        middle: pt(200.0, 150.0),
        half: (200.0, 150.0),
    };

    fn rects(places: &[Point]) -> Vec<Rect> {
        let rect = |middle: &Point| Rect {
            middle: *middle,
            half: HALF,
        };
        places.iter().map(rect).collect()
    }

    #[test]
    fn bubbles_cover_neither_each_other_nor_figures() {
        // Five players on one city, one in the corner, one far outside.
        let mut anchors = vec![pt(180.0, 140.0); 5];
        anchors.extend([pt(2.0, 1.0), pt(900.0, -300.0)]);
        let figures = anchors.iter().map(|at| Rect {
            middle: *at,
            half: (13.0, 14.0),
        });
        let figures: Vec<Rect> = figures.collect();
        let laid = rects(&lay_out(WINDOW, &figures, &anchors, HALF));
        assert_eq!(laid.len(), anchors.len());
        for (i, rect) in laid.iter().enumerate() {
            let others = laid.iter().take(i).chain(&figures);
            for other in others {
                assert!(rect.overlap(*other) <= 0.0, "{rect:?} {other:?}");
            }
            let (x, y) = (rect.middle.x, rect.middle.y);
            assert!((HALF.0..=400.0 - HALF.0).contains(&x), "{x}");
            assert!((HALF.1..=300.0 - HALF.1).contains(&y), "{y}");
        }
    }

    #[test]
    fn bubbles_of_what_is_out_of_sight_do_not_pile_up_in_a_corner() {
        let laid = rects(&lay_out(WINDOW, &[], &[pt(2000.0, -900.0); 20], HALF));
        for (i, rect) in laid.iter().enumerate() {
            for other in laid.iter().take(i) {
                assert!(rect.overlap(*other) <= 0.0, "{rect:?} {other:?}");
            }
        }
    }

    #[test]
    fn many_bubbles_in_a_small_window_are_apart() {
        let anchors: Vec<Point> = (0..30u8).map(|i| pt(f32::from(i) * 13.0, 150.0)).collect();
        let figures = anchors.iter().map(|at| Rect {
            middle: *at,
            half: (13.0, 14.0),
        });
        let figures: Vec<Rect> = figures.collect();
        let laid = rects(&lay_out(WINDOW, &figures, &anchors, HALF));
        for (i, rect) in laid.iter().enumerate() {
            for other in laid.iter().take(i) {
                assert!(rect.overlap(*other) <= 0.0, "{rect:?} {other:?}");
            }
        }
    }
}
