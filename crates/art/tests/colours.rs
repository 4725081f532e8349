//! The colours of the seats, as people see them who lack one kind of cone or all colour.

use trencavel_art::seat_style;

type Linear = [f32; 3];
type Matrix = [[f32; 3]; 3];

/// What somebody sees of a colour (Machado, Oliveira and Fernandes 2009, the full deficiency).
const VISIONS: [(&str, Matrix); 4] = [
    ("usual", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "no red cones",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "no green cones",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "no blue cones",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

fn linear(colour: &str) -> Linear {
    let part = |i: usize| {
        let share = f32::from(u8::from_str_radix(&colour[i..i + 2], 16).unwrap()) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    };
    [part(1), part(3), part(5)]
}

fn seen(colour: &str, by: &Matrix) -> Linear {
    let light = linear(colour);
    by.map(|row| {
        let sum: f32 = row.iter().zip(light).map(|(a, b)| a * b).sum();
        sum.clamp(0.0, 1.0)
    })
}

fn brightness(light: Linear) -> f32 {
    0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
}

/// How far two colours are apart for the eye (CIE 1976; 2 is just seen).
fn apart(a: Linear, b: Linear) -> f32 {
    let lab = |l: Linear| {
        let f = |t: f32| {
            if t > 0.008856 {
                t.cbrt()
            } else {
                7.787 * t + 16.0 / 116.0
            }
        };
        let x = f((0.4124 * l[0] + 0.3576 * l[1] + 0.1805 * l[2]) / 0.95047);
        let y = f(brightness(l));
        let z = f((0.0193 * l[0] + 0.1192 * l[1] + 0.9505 * l[2]) / 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    };
    let squares = lab(a).into_iter().zip(lab(b)).map(|(p, q)| (p - q).powi(2));
    squares.sum::<f32>().sqrt()
}

fn pairs() -> impl Iterator<Item = (u8, u8)> {
    (0..8u8).flat_map(|a| (a + 1..8).map(move |b| (a, b)))
}

/// Six seats are told apart by colour by everybody who sees any; the seventh and eighth at least by a shade.
#[test]
fn seats_are_told_apart_with_two_kinds_of_cones() {
    for (vision, matrix) in VISIONS {
        for (a, b) in pairs() {
            let of = |seat| seen(seat_style(seat).colour, &matrix);
            let least = if b < 6 { 10.0 } else { 4.0 };
            let distance = apart(of(a), of(b));
            assert!(
                distance > least,
                "{vision}: seats {a} and {b} are {distance} apart"
            );
        }
    }
}

/// Colour never stands alone: every seat has a letter and a shape of its own, which do without any colour.
#[test]
fn seats_are_told_apart_without_colour() {
    for (a, b) in pairs() {
        let (a, b) = (seat_style(a), seat_style(b));
        assert_ne!(a.letter, b.letter);
        assert_ne!(a.shape, b.shape);
    }
}

/// Letter and shape stand out from the colour below them: 4.5 to 1.
#[test]
fn letters_and_shapes_can_be_read() {
    for seat in 0..8 {
        let style = seat_style(seat);
        let (a, b) = (
            brightness(linear(style.colour)),
            brightness(linear(style.on)),
        );
        let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
        assert!(contrast >= 4.5, "{}: {contrast}", style.name);
    }
}
