//! What a finished game was worth, decision by decision.

use trencavel_rules::{Choice, Input, Rules, Seat, State, Waiting};

use crate::search::Search;
use crate::settings::SearchSettings;
use crate::{Budget, Candidate, Clock, Evaluator};

/// How good a decision was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Mark {
    /// The best, or as good as the best.
    Good,
    /// A little was lost.
    Inaccuracy,
    /// Something was lost.
    Mistake,
    /// Much was lost.
    Blunder,
}

/// A choice with what it is worth to the seat.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Weighed {
    /// The choice in the notation.
    pub choice: String,
    /// Expected lead over the best other seat at the end.
    pub value: f32,
    /// The chance of winning, 0 to 1.
    pub win: f32,
    /// Expected final points of every seat.
    pub scores: Vec<f32>,
    /// How often it was tried.
    pub visits: u32,
}

/// A decision of a game.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Judged {
    /// The number of the input, from 0.
    pub input: usize,
    /// The number of the turn, from 1.
    pub turn: u16,
    /// Who decided, from 0.
    pub seat: u8,
    /// What was chosen.
    pub played: Weighed,
    /// The best that could be chosen, at most three, best first.
    pub best: Vec<Weighed>,
    /// Points of lead lost.
    pub loss: f32,
    /// Chance of winning lost, 0 to 1.
    pub win_loss: f32,
    /// What that means.
    pub mark: Mark,
}

/// How things stood at a moment.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moment {
    /// The number of the turn; the last moment is after the last turn.
    pub turn: u16,
    /// Every seat's chance of winning.
    pub win: Vec<f32>,
    /// Expected final points of every seat.
    pub scores: Vec<f32>,
}

/// How well a seat played.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// Which, from 0.
    pub seat: u8,
    /// How often it had more than one choice.
    pub decisions: u32,
    /// Points of lead lost in all.
    pub loss: f32,
    /// How many decisions were marked as inaccuracies, mistakes and blunders.
    pub marks: [u32; 3],
}

/// A game's analysis.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Analysis {
    /// Every decision with more than one choice.
    pub decisions: Vec<Judged>,
    /// The beginning of every turn, and the end.
    pub moments: Vec<Moment>,
    /// Every seat.
    pub seats: Vec<Report>,
}

/// A decision that lost less of both points and winning chance is marked with the mark before.
const MARKS: [(Mark, f32, f32); 3] = [
    (Mark::Blunder, 4.0, 0.10),
    (Mark::Mistake, 2.0, 0.05),
    (Mark::Inaccuracy, 1.0, 0.025),
];

/// The mark of a decision that lost so many points and so much of the chance of winning: what counts is the worse of both.
pub fn mark(loss: f32, win_loss: f32) -> Mark {
    MARKS
        .iter()
        .find(|(_, points, win)| loss >= *points || win_loss >= *win)
        .map_or(Mark::Good, |(mark, ..)| *mark)
}

/// Analyses a game: its inputs from the start, each decision with this budget. `notate` writes a choice; `tell` hears the
/// number of inputs looked at.
pub fn analyse(
    rules: &Rules,
    inputs: &[Input],
    settings: SearchSettings,
    budget: Budget,
    clock: &dyn Clock,
    notate: &dyn Fn(&State, Choice) -> String,
    mut tell: impl FnMut(usize),
) -> Analysis {
    // What is lost is told in points of lead.
    let mut search = Search::new(SearchSettings {
        rivalry: 1.0,
        ..settings
    });
    let mut evaluator = Evaluator::new(settings.weights);
    let mut state = rules.start();
    let n = usize::from(state.n_seats());
    let mut analysis = Analysis {
        decisions: Vec::new(),
        moments: Vec::new(),
        seats: (0..n as u8)
            .map(|seat| Report {
                seat,
                decisions: 0,
                loss: 0.0,
                marks: [0; 3],
            })
            .collect(),
    };
    for (number, input) in inputs.iter().enumerate() {
        tell(number);
        if let Input::Choice(seat, choice) = *input {
            let view = rules.view(&state, Some(seat));
            let candidates = search.weigh(rules, &view, seat, choice, budget, clock);
            let turn = state.turn().number;
            if let Some(best) = candidates.first()
                && analysis
                    .moments
                    .last()
                    .is_none_or(|moment| moment.turn < turn)
            {
                let scores = best.scores;
                let win = evaluator.win_chances(&crate::Estimate { scores }, &state);
                analysis.moments.push(Moment {
                    turn,
                    win: win.iter().take(n).copied().collect(),
                    scores: scores.iter().take(n).copied().collect(),
                });
            }
            let judged = judge(number, &state, seat, choice, &candidates, notate);
            if let Some(judged) = judged {
                analysis.count(&judged);
                analysis.decisions.push(judged);
            }
        }
        rules.apply_listed(&mut state, *input, &mut ());
    }
    tell(inputs.len());
    let last = evaluator.estimate(rules, &state);
    let win = match state.waiting() {
        Waiting::Over => {
            let winners = state.winners();
            let share = 1.0 / winners.len().max(1) as f32;
            (0..n as u8)
                .map(|seat| if winners.has(Seat(seat)) { share } else { 0.0 })
                .collect()
        }
        Waiting::Seats(_) | Waiting::Chance(_) => {
            let win = evaluator.win_chances(&last, &state);
            win.iter().take(n).copied().collect()
        }
    };
    analysis.moments.push(Moment {
        turn: state.turn().number + 1,
        win,
        scores: last.scores.iter().take(n).copied().collect(),
    });
    analysis
}

fn judge(
    input: usize,
    state: &State,
    seat: Seat,
    choice: Choice,
    candidates: &[Candidate],
    notate: &dyn Fn(&State, Choice) -> String,
) -> Option<Judged> {
    let n = usize::from(state.n_seats());
    let weighed = |candidate: &Candidate| Weighed {
        choice: notate(state, candidate.choice),
        value: candidate.value,
        win: candidate.win,
        scores: candidate.scores.iter().take(n).copied().collect(),
        visits: candidate.visits,
    };
    let best = candidates.first()?;
    let played = candidates
        .iter()
        .find(|candidate| candidate.choice == choice)?;
    if candidates.len() == 1 {
        return None;
    }
    let loss = (best.value - played.value).max(0.0);
    let win_loss = (best.win - played.win).max(0.0);
    Some(Judged {
        input,
        turn: state.turn().number,
        seat: seat.0,
        played: weighed(played),
        best: candidates.iter().take(3).map(weighed).collect(),
        loss,
        win_loss,
        mark: mark(loss, win_loss),
    })
}

impl Moment {
    /// From where to where a seat's band goes in a graph of chances that fill the height together: shares from the top.
    pub fn band(&self, seat: usize) -> (f32, f32) {
        let below = |count: usize| self.win.iter().take(count).sum();
        (below(seat), below(seat + 1))
    }
}

impl Analysis {
    fn count(&mut self, judged: &Judged) {
        let Some(report) = self.seats.get_mut(usize::from(judged.seat)) else {
            return;
        };
        report.decisions += 1;
        report.loss += judged.loss;
        match judged.mark {
            Mark::Good => {}
            Mark::Inaccuracy => report.marks[0] += 1,
            Mark::Mistake => report.marks[1] += 1,
            Mark::Blunder => report.marks[2] += 1,
        }
    }

    /// The mistakes and blunders, each with where in a graph of chances it is shown: in the middle of the band of its seat, a
    /// share of the height from the top.
    pub fn slips(&self) -> impl Iterator<Item = (&Judged, f32)> {
        let slips = self.decisions.iter();
        let slips = slips.filter(|judged| matches!(judged.mark, Mark::Mistake | Mark::Blunder));
        slips.filter_map(|judged| {
            let moment = self.moments.iter().find(|m| m.turn == judged.turn)?;
            let (from, to) = moment.band(usize::from(judged.seat));
            Some((judged, (from + to) / 2.0))
        })
    }

    /// A graph of the chances of winning over the turns, as SVG: one band for each seat in these colours, with a dot at
    /// every blunder. Names and colours that are missing are made up.
    pub fn graph(&self, names: &[String], colours: &[String]) -> String {
        const USUAL: [&str; 8] = [
            "#c0392b", "#2471a3", "#d4ac0d", "#229954", "#273746", "#ca6f9a", "#7d6608", "#839192",
        ];
        let n = self.seats.len();
        let (width, height, left, top, bottom) = (800.0f32, 240.0f32, 44.0f32, 12.0f32, 52.0f32);
        let last = self.moments.last().map_or(1, |moment| moment.turn).max(2);
        let x = |turn: u16| {
            left + (width - left - 12.0) * f32::from(turn.max(1) - 1) / f32::from(last - 1)
        };
        let y = |share: f32| top + height * share.clamp(0.0, 1.0);
        let colour = |seat: usize| {
            let given = colours.get(seat).map(String::as_str);
            escaped(given.unwrap_or(USUAL[seat % USUAL.len()]))
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n<title>Chance of winning over the turns</title>\n",
            top + height + bottom
        );
        for seat in 0..n {
            let there = self.moments.iter().map(|m| (x(m.turn), y(m.band(seat).0)));
            let back = self.moments.iter().rev();
            let back = back.map(|m| (x(m.turn), y(m.band(seat).1)));
            let points: Vec<String> = there
                .chain(back)
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            svg += &format!(
                "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.75\"/>\n",
                points.join(" "),
                colour(seat)
            );
        }
        for share in [0.0f32, 0.25, 0.5, 0.75, 1.0] {
            svg += &format!(
                "<line x1=\"{left}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#000\" stroke-opacity=\"0.25\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}%</text>\n",
                width - 12.0,
                left - 6.0,
                y(share) + 4.0,
                (100.0 * (1.0 - share)) as u32,
                y = y(share),
            );
        }
        let step = (last / 12).max(1);
        for turn in (1..=last).step_by(usize::from(step)) {
            svg += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{turn}</text>\n",
                x(turn),
                top + height + 16.0
            );
        }
        let blunders = self.slips().filter(|(j, _)| j.mark == Mark::Blunder);
        for (judged, middle) in blunders {
            svg += &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#fff\" stroke=\"#000\"><title>turn {}: {} loses {:.1} points</title></circle>\n",
                x(judged.turn),
                y(middle),
                judged.turn,
                escaped(&judged.played.choice),
                judged.loss
            );
        }
        for seat in 0..n {
            let at = left + (width - left) * seat as f32 / n as f32;
            let unnamed = format!("seat {}", seat + 1);
            let name = names.get(seat).unwrap_or(&unnamed);
            svg += &format!(
                "<rect x=\"{at:.1}\" y=\"{:.1}\" width=\"12\" height=\"12\" fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                top + height + 28.0,
                colour(seat),
                at + 18.0,
                top + height + 39.0,
                escaped(name)
            );
        }
        svg + "</svg>\n"
    }
}

/// Text as it may stand in XML.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, letter| {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            _ => out.push(letter),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Greedy, NoClock, play, seated};
    use trencavel_rules::{Edition, Setup};

    #[test]
    fn a_game_of_the_greedy_is_analysed() {
        let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
        let mut players = [1, 2].map(Greedy::new);
        let mut chairs = seated(&mut players, Budget::Iterations(1));
        let played = play(&rules, &mut chairs, 5, &NoClock, |_, _, _| {});
        let notate = |_: &State, choice: Choice| format!("<{}>", choice.verb);
        let analysis = analyse(
            &rules,
            &played.inputs,
            SearchSettings::default(),
            Budget::Iterations(20),
            &NoClock,
            &notate,
            |_| {},
        );
        assert!(analysis.decisions.len() > 70);
        // A greedy player can be improved upon.
        assert!(analysis.seats.iter().all(|seat| seat.loss > 5.0));
        for judged in &analysis.decisions {
            assert!(judged.loss >= 0.0 && judged.best.len() <= 3);
            assert!(judged.best[0].value >= judged.played.value);
        }
        for moment in &analysis.moments {
            assert!((moment.win.iter().sum::<f32>() - 1.0).abs() < 1e-3);
        }
        let svg = analysis.graph(&["A & B".to_string()], &[]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("A &amp; B") && !svg.contains("<lay>"));
    }

    #[test]
    fn marks_count_the_worse_of_points_and_chance() {
        assert_eq!(mark(0.3, 0.01), Mark::Good);
        assert_eq!(mark(1.5, 0.01), Mark::Inaccuracy);
        assert_eq!(mark(0.0, 0.06), Mark::Mistake);
        assert_eq!(mark(4.0, 0.0), Mark::Blunder);
    }
}
