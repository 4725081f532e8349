//! The analysis of a whole game: the chance of winning over the turns, what was chosen badly, and what was best instead.

use leptos::prelude::*;
use trencavel_ai::{Analysis, Judged, Mark};
use trencavel_art::seat_style;
use trencavel_record::notation::parse_choice;
use trencavel_rules::Seat;

use crate::computer;
use crate::desk::{Desk, Weighed};
use crate::ending::{LEFT, WIDTH, along};
use crate::game::Game;
use crate::text::{say, tr};
use crate::words;

/// How long a decision is thought about, in milliseconds.
const DECISION_MS: f64 = 120.0;

/// The height of the bands, in the graph's units.
const HEIGHT: f32 = 104.0;

/// How an analysis is getting on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Nobody has asked for one.
    Idle,
    /// So many inputs have been looked at.
    Running(usize),
    /// It cannot be done in this browser.
    Impossible,
    /// It is there.
    Done,
}

/// The analysis of the game that is looked at.
#[component]
pub(crate) fn Survey(desk: Desk) -> impl IntoView {
    let stage = RwSignal::new(Stage::Idle);
    let analysis: RwSignal<Option<Analysis>> = RwSignal::new(None);
    let running: StoredValue<Option<computer::Survey>, LocalStorage> = StoredValue::new_local(None);
    let last = desk.peek(Game::len);
    let begin = move |_| {
        stage.set(Stage::Running(0));
        let told = move |n: usize| {
            let _ = stage.try_set(Stage::Running(n));
        };
        let done = move |text: String| {
            let found = serde_json::from_str::<Analysis>(&text).ok();
            let next = if found.is_some() {
                Stage::Done
            } else {
                Stage::Impossible
            };
            let _ = analysis.try_set(found);
            let _ = stage.try_set(next);
        };
        let text = desk.peek(Game::text);
        let survey = computer::Survey::start(&text, DECISION_MS, told, done);
        if survey.is_none() {
            stage.set(Stage::Impossible);
        }
        running.set_value(survey);
    };
    let stop = move |_| {
        running.set_value(None);
        stage.set(Stage::Idle);
    };
    on_cleanup(move || {
        let _ = running.try_set_value(None);
    });
    // What was best is drawn wherever somebody decided.
    Effect::new(move |_| {
        desk.version();
        let best = analysis.with(|analysis| {
            let here = desk.peek(|game| game.looks_at().unwrap_or(game.len()));
            let decisions = &analysis.as_ref()?.decisions;
            let judged = decisions.iter().find(|judged| judged.input == here)?;
            Some(desk.peek(|game| best_of(game, judged)))
        });
        if let Some(best) = best {
            desk.weighed.set(best);
        }
    });
    view! {
        <div class="survey">
            {move || match stage.get() {
                Stage::Idle => view! {
                    <div class="row"><button on:click=begin disabled=last == 0>{tr("survey")}</button></div>
                }.into_any(),
                Stage::Running(n) => view! {
                    <div class="row">
                        <progress max=last.to_string() value=n.to_string() aria-label=tr("survey-running")></progress>
                        <span role="status">{say("survey-at", &[("n", n.into()), ("of", last.into())])}</span>
                        <button on:click=stop>{tr("stop")}</button>
                    </div>
                }.into_any(),
                Stage::Impossible => view! { <p class="quiet" role="status">{tr("survey-impossible")}</p> }.into_any(),
                Stage::Done => ().into_any(),
            }}
            {move || analysis.with(|analysis| analysis.as_ref().map(|analysis| result(desk, analysis)))}
        </div>
    }
}

/// Graph, table and list of an analysis.
fn result(desk: Desk, analysis: &Analysis) -> impl IntoView + use<> {
    let turns: Vec<(u16, usize)> = analysis
        .decisions
        .iter()
        .map(|judged| (judged.turn, judged.input))
        .collect();
    let last_turn = analysis.moments.last().map_or(1, |moment| moment.turn);
    let jump = move |event: web_sys::MouseEvent| {
        let Some(share) = along(&event) else {
            return;
        };
        let turn = 1.0 + share * f64::from(last_turn.saturating_sub(1));
        let turn = turn.round() as u16;
        let found = turns.iter().find(|(of, _)| *of >= turn);
        desk.look(found.map(|(_, input)| *input));
    };
    let rows = analysis.seats.iter().map(|report| {
        let seat = Seat(report.seat);
        let style = seat_style(seat.0);
        let [inaccuracies, mistakes, blunders] = report.marks;
        view! {
            <tr>
                <th scope="row" style=format!("--seat:{};--on:{}", style.colour, style.on)>
                    <span class="badge">{style.letter.to_string()}</span>" "{desk.peek(|game| words::name(game, seat))}
                </th>
                <td>{blunders}</td><td>{mistakes}</td><td>{inaccuracies}</td><td>{format!("{:.1}", report.loss)}</td>
            </tr>
        }
    }).collect_view();
    let marked = analysis
        .decisions
        .iter()
        .filter(|judged| matches!(judged.mark, Mark::Blunder | Mark::Mistake))
        .map(|judged| marked(desk, judged))
        .collect_view();
    view! {
        <h2>{tr("chances")}</h2>
        <div class="jump" on:click=jump>
            <svg class="graph" viewBox="-14 0 312 120" role="img" aria-label=tr("chances") inner_html=graph(analysis)></svg>
        </div>
        <div class="scroll ending" tabindex="0" role="group" aria-label=tr("survey")>
            <table>
                <thead><tr>
                    <td></td>
                    <th scope="col">{tr("mark-blunder")}</th>
                    <th scope="col">{tr("mark-mistake")}</th>
                    <th scope="col">{tr("mark-inaccuracy")}</th>
                    <th scope="col">{tr("points-lost")}</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <ol class="marked">{marked}</ol>
    }
}

/// A line of a decision that lost something: a press goes there, where what was best is drawn.
fn marked(desk: Desk, judged: &Judged) -> impl IntoView + use<> {
    let input = judged.input;
    let (name, played) = desk.peek(|game| {
        let name = words::name(game, Seat(judged.seat));
        (name, in_words(game, judged, &judged.played.choice))
    });
    let best = judged.best.first();
    let best = best.map(|best| desk.peek(|game| in_words(game, judged, &best.choice)));
    let sign = match judged.mark {
        Mark::Blunder => "??",
        Mark::Mistake => "?",
        Mark::Inaccuracy | Mark::Good => "",
    };
    let kind = tr(match judged.mark {
        Mark::Blunder => "mark-blunder",
        Mark::Mistake => "mark-mistake",
        Mark::Inaccuracy | Mark::Good => "mark-inaccuracy",
    });
    let colour = format!("--seat:{}", seat_style(judged.seat).colour);
    view! {
        <li style=colour class:here=move || desk.read(|game| game.looks_at() == Some(input))>
            <button class="plain" on:click=move |_| desk.look(Some(input))>
                <strong title=kind>{sign}</strong>" "
                {say("lost-at", &[("turn", judged.turn.into()), ("name", name.into()), ("choice", played.into())])}
            </button>
            " "<span class="quiet">{say("lost", &[
                ("points", format!("{:.1}", judged.loss).into()),
                ("win", format!("{:.0}", judged.win_loss * 100.0).into()),
                ("best", best.unwrap_or_default().into()),
            ])}</span>
        </li>
    }
}

/// A choice of a decision in words.
fn in_words(game: &Game, judged: &Judged, text: &str) -> String {
    let state = game.record.history.at(judged.input);
    match parse_choice(game.rules(), &state, text) {
        Ok(choice) => words::choice_in(game, &state, choice),
        Err(_) => text.to_string(),
    }
}

/// The best choices of a decision, for the board.
fn best_of(game: &Game, judged: &Judged) -> Vec<Weighed> {
    let best = judged.best.iter().filter_map(|weighed| {
        let choice = parse_choice(game.rules(), game.seen(), &weighed.choice).ok()?;
        Some(Weighed {
            choice,
            lead: weighed.value,
            win: weighed.win,
        })
    });
    best.collect()
}

/// Every seat's chance of winning over the turns: bands that fill the height together, and a sign at every blunder and mistake.
fn graph(analysis: &Analysis) -> String {
    let n = analysis.seats.len();
    let last = analysis
        .moments
        .last()
        .map_or(2, |moment| moment.turn)
        .max(2);
    let x = |turn: u16| LEFT + WIDTH * f32::from(turn.max(1) - 1) / f32::from(last - 1);
    let y = |share: f32| 8.0 + HEIGHT * share.clamp(0.0, 1.0);
    let mut out = String::new();
    for seat in 0..n {
        let style = seat_style(seat as u8);
        let there = analysis.moments.iter();
        let there = there.map(|m| (x(m.turn), y(m.band(seat).0)));
        let back = analysis.moments.iter().rev();
        let back = back.map(|m| (x(m.turn), y(m.band(seat).1)));
        let points = there.chain(back).map(|(x, y)| format!("{x:.1} {y:.1}"));
        out.push_str(&format!(
            "<polygon class=\"band\" points=\"{}\" fill=\"{}\"/>",
            points.collect::<Vec<_>>().join(","),
            style.colour
        ));
        // The letter stands where the seat's band is widest.
        let bands = analysis.moments.iter().map(|m| (m.turn, m.band(seat)));
        let widest = bands.max_by(|(_, a), (_, b)| (a.1 - a.0).total_cmp(&(b.1 - b.0)));
        if let Some((turn, (from, to))) = widest {
            let middle = (from + to) / 2.0;
            let at = x(turn).clamp(LEFT + 10.0, LEFT + WIDTH - 10.0);
            out.push_str(&format!(
                "<text class=\"letter\" x=\"{at:.1}\" y=\"{:.1}\" style=\"fill:{}\">{}</text>",
                y(middle) + 3.0,
                style.on,
                style.letter
            ));
        }
    }
    for (share, label) in [(0.0, "100"), (0.5, "50"), (1.0, "0")] {
        out.push_str(&format!(
            "<path class=\"grid\" d=\"M8 {0:.1}H278\"/><text class=\"grid\" x=\"6\" y=\"{1:.1}\">{label}</text>",
            y(share),
            y(share) + 2.5
        ));
    }
    for (judged, middle) in analysis.slips() {
        let (sign, radius) = match judged.mark {
            Mark::Blunder => ("??", 6),
            _ => ("?", 4),
        };
        out.push_str(&format!(
            "<g class=\"slip\" transform=\"translate({:.1} {:.1})\"><circle r=\"{}\"/><text class=\"letter\" y=\"2.6\">{sign}</text></g>",
            x(judged.turn),
            y(middle),
            radius
        ));
    }
    out
}
