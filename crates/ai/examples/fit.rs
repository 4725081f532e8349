//! `fit PLAYER GAMES ROUNDS NOISE [name…]`: fits weights to the final scores of games with noise. `RIVALRY` in the
//! environment is what the steady player plays for, `ALONE` how much the points of a seat count beside the lead.
use trencavel_ai::*;
use trencavel_rules::*;

struct Noisy {
    inner: Box<dyn Player>,
    rng: Rng,
    noise: f64,
}
impl Player for Noisy {
    fn choose(
        &mut self,
        rules: &Rules,
        view: &State,
        seat: Seat,
        budget: Budget,
        clock: &dyn Clock,
    ) -> Option<Decision> {
        let mut d = self.inner.choose(rules, view, seat, budget, clock)?;
        if self.rng.unit() < self.noise {
            let mut moves = Moves::new();
            rules.legal_for(view, seat, &mut moves);
            if d.candidates.len() > 1 && self.rng.unit() < 0.8 {
                let n = d.candidates.len().min(6) as u32;
                d.choice = d.candidates[self.rng.below(n) as usize].choice;
            } else {
                d.choice = moves[self.rng.below(moves.len() as u32) as usize];
            }
        }
        Some(d)
    }
}

/// A number from the environment, else 1.
fn given(name: &str) -> f32 {
    std::env::var(name).map_or(1.0, |text| text.parse().unwrap())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let games: u64 = args[1].parse().unwrap();
    let rounds: u32 = args[2].parse().unwrap();
    let noise: f64 = args[3].parse().unwrap();
    let rules = Rules::new(&Setup::new(Edition::C1, 2)).unwrap();
    let alone = f64::from(given("ALONE"));
    let mut w = Weights::default().to_vec();
    // name=value sets; a bare name is fitted; none: all
    let mut free: Vec<usize> = vec![];
    for a in &args[4..] {
        if let Some((n, v)) = a.split_once('=') {
            w[Weights::NAMES.iter().position(|x| *x == n).unwrap()] = v.parse().unwrap();
        } else {
            free.push(Weights::NAMES.iter().position(|x| x == a).unwrap());
        }
    }
    if free.is_empty() {
        free = (0..w.len())
            .filter(|i| {
                !Weights::NAMES[*i].starts_with("luck") && !Weights::NAMES[*i].starts_with("figure")
            })
            .collect();
    }
    let mut positions: Vec<(State, [f32; 2])> = vec![];
    let mut rng = Rng::new(99);
    let mut mean = 0.0;
    for game in 0..games {
        let mk = |s: u64| -> Noisy {
            Noisy {
                inner: if args[0] == "steady" {
                    Box::new(Steady::new(SearchSettings {
                        weights: Weights::from_slice(&w),
                        rivalry: given("RIVALRY"),
                        ..Default::default()
                    }))
                } else {
                    level(&args[0]).unwrap().player(s)
                },
                rng: Rng::new(s),
                noise,
            }
        };
        let mut players = [game * 2 + 5000, game * 2 + 5001].map(mk);
        let mut chairs = seated(&mut players, Budget::Iterations(1));
        let played = play(
            &rules,
            &mut chairs,
            game + 7_000_000,
            &NoClock,
            |_, _, _| {},
        );
        let fin = [
            played.last.seat(Seat(0)).score as f32,
            played.last.seat(Seat(1)).score as f32,
        ];
        mean += fin[0] + fin[1];
        let mut state = rules.start();
        for input in &played.inputs {
            if matches!(state.waiting(), Waiting::Chance(_)) && rng.unit() < 0.2 {
                positions.push((state.clone(), fin));
            }
            rules.apply_listed(&mut state, *input, &mut ());
        }
    }
    eprintln!(
        "{} positions, mean score {:.1}",
        positions.len(),
        mean / 2.0 / games as f32
    );
    let mut ev = Evaluator::new(Weights::from_slice(&w));
    let p = free.len();
    let mut lambda = 1e-2f64;
    let cost = |ev: &mut Evaluator, w: &[f32], positions: &[(State, [f32; 2])]| -> (f64, f64) {
        ev.weights = Weights::from_slice(w);
        let (mut c, mut lead) = (0.0, 0.0);
        for (s, fin) in positions {
            let e = ev.estimate(&rules, s);
            let r0 = f64::from(e.scores[0] - fin[0]);
            let r1 = f64::from(e.scores[1] - fin[1]);
            c += alone * (r0 * r0 + r1 * r1) + (r0 - r1) * (r0 - r1);
            lead += (r0 - r1) * (r0 - r1);
        }
        (c, (lead / positions.len() as f64).sqrt())
    };
    let (mut best, lead) = cost(&mut ev, &w, &positions);
    eprintln!("start {best:.0} lead rms {lead:.3}");
    for _ in 0..rounds {
        let mut jtj = vec![0.0f64; p * p];
        let mut jtr = vec![0.0f64; p];
        let base: Vec<[f32; 2]> = {
            ev.weights = Weights::from_slice(&w);
            positions
                .iter()
                .map(|(s, _)| {
                    let e = ev.estimate(&rules, s);
                    [e.scores[0], e.scores[1]]
                })
                .collect()
        };
        let mut cols: Vec<Vec<[f32; 2]>> = vec![];
        for &i in &free {
            let h = (w[i].abs() * 0.02).max(0.002);
            let mut x = w.clone();
            x[i] += h;
            ev.weights = Weights::from_slice(&x);
            cols.push(
                positions
                    .iter()
                    .zip(&base)
                    .map(|((s, _), b)| {
                        let e = ev.estimate(&rules, s);
                        [(e.scores[0] - b[0]) / h, (e.scores[1] - b[1]) / h]
                    })
                    .collect(),
            );
        }
        for (k, (_, fin)) in positions.iter().enumerate() {
            let r = [
                f64::from(base[k][0] - fin[0]),
                f64::from(base[k][1] - fin[1]),
            ];
            for a in 0..p {
                let ja = cols[a][k].map(f64::from);
                let jd = ja[0] - ja[1];
                jtr[a] += alone * (ja[0] * r[0] + ja[1] * r[1]) + jd * (r[0] - r[1]);
                for b in 0..=a {
                    let jb = cols[b][k].map(f64::from);
                    jtj[a * p + b] +=
                        alone * (ja[0] * jb[0] + ja[1] * jb[1]) + jd * (jb[0] - jb[1]);
                }
            }
        }
        for a in 0..p {
            for b in a + 1..p {
                jtj[a * p + b] = jtj[b * p + a];
            }
        }
        let mut improved = false;
        for _ in 0..6 {
            let mut m = jtj.clone();
            for a in 0..p {
                m[a * p + a] += lambda * (jtj[a * p + a] + 100.0);
            }
            let step = solve(m, jtr.clone(), p);
            let mut x = w.clone();
            for (k, &i) in free.iter().enumerate() {
                x[i] = (w[i] - step[k] as f32).max(0.0);
            }
            let (c, lead) = cost(&mut ev, &x, &positions);
            if c < best {
                let gain = (best - c) / best;
                best = c;
                w = x;
                lambda = (lambda * 0.3).max(1e-6);
                improved = true;
                eprintln!("{best:.0} lead rms {lead:.3} lambda {lambda:.1e}");
                if gain < 1e-5 {
                    improved = false;
                }
                break;
            }
            lambda *= 5.0;
        }
        if !improved {
            break;
        }
    }
    for &i in &free {
        println!("{}={:.4}", Weights::NAMES[i], w[i]);
    }
    ev.weights = Weights::from_slice(&w);
    for phase in 0..4u16 {
        let mut sums: std::collections::BTreeMap<String, (f64, f64, u32)> = Default::default();
        let mut var = (0.0, 0.0);
        for (s, fin) in positions
            .iter()
            .filter(|(s, _)| s.bag().len() / 18 == phase)
        {
            let e = ev.estimate(&rules, s);
            let r = f64::from((fin[0] - fin[1]) - (e.scores[0] - e.scores[1]));
            var = (var.0 + r * r, var.1 + 1.0);
            for (name, x) in ev.parts(&rules, s) {
                let d = f64::from(x[0] - x[1]);
                let t = sums.entry(name).or_default();
                *t = (t.0 + d * d, t.1 + d * r, t.2 + u32::from(d != 0.0));
            }
        }
        let sigma = (var.0 / var.1).sqrt();
        for (name, (dd, dr, n)) in sums {
            let t = dr / dd.sqrt() / sigma;
            if t.abs() > 2.5 {
                eprintln!("phase {phase} {name}: slope {:.3} t {t:.1} n {n}", dr / dd);
            }
        }
    }
    // bias by phase
    ev.weights = Weights::from_slice(&w);
    for phase in 0..7 {
        let (mut n, mut bias, mut rms, mut var) = (0.0, 0.0, 0.0, 0.0);
        for (s, fin) in &positions {
            if s.bag().len() / 10 == phase {
                let e = ev.estimate(&rules, s);
                n += 1.0;
                bias += e.scores[0] - fin[0] + e.scores[1] - fin[1];
                let r = e.scores[0] - fin[0] - e.scores[1] + fin[1];
                rms += r * r;
                var += (fin[0] - fin[1]).powi(2);
            }
        }
        eprintln!(
            "left {}0: n {n} bias {:.2} lead rms {:.2} of {:.2}",
            phase,
            bias / n / 2.0,
            (rms / n).sqrt(),
            (var / n).sqrt()
        );
    }
}

fn solve(mut m: Vec<f64>, mut b: Vec<f64>, n: usize) -> Vec<f64> {
    for i in 0..n {
        let mut piv = i;
        for r in i + 1..n {
            if m[r * n + i].abs() > m[piv * n + i].abs() {
                piv = r;
            }
        }
        for c in 0..n {
            m.swap(i * n + c, piv * n + c);
        }
        b.swap(i, piv);
        let d = m[i * n + i];
        if d.abs() < 1e-12 {
            continue;
        }
        for r in 0..n {
            if r == i {
                continue;
            }
            let f = m[r * n + i] / d;
            if f == 0.0 {
                continue;
            }
            for c in i..n {
                m[r * n + c] -= f * m[i * n + c];
            }
            b[r] -= f * b[i];
        }
    }
    (0..n)
        .map(|i| {
            if m[i * n + i].abs() < 1e-12 {
                0.0
            } else {
                b[i] / m[i * n + i]
            }
        })
        .collect()
}
