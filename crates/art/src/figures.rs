//! Figures, drawn about 24 units high round their foot's middle, in the colour of a seat. A colour never stands alone:
//! every seat also has a letter and a shape on the figure's chest.

use trencavel_rules::{Kind, Neutral};

/// The colour, letter and shape of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatStyle {
    /// Its name in English.
    pub name: &'static str,
    /// The figure's colour.
    pub colour: &'static str,
    /// The colour of what is drawn on it.
    pub on: &'static str,
    /// The seat's letter.
    pub letter: char,
    /// The shape on the chest, as a path within 6 units.
    pub shape: &'static str,
}

const STYLES: [SeatStyle; 8] = [
    SeatStyle {
        name: "red",
        colour: "#c8322b",
        on: "#ffffff",
        letter: 'R',
        shape: "M0-3 3 3H-3Z",
    },
    SeatStyle {
        name: "blue",
        colour: "#2456a6",
        on: "#ffffff",
        letter: 'B',
        shape: "M-2.6-2.6H2.6V2.6H-2.6Z",
    },
    SeatStyle {
        name: "yellow",
        colour: "#f0c419",
        on: "#2d2618",
        letter: 'Y',
        shape: "M0-3.2 3.2 0 0 3.2-3.2 0Z",
    },
    SeatStyle {
        name: "green",
        colour: "#2d7d46",
        on: "#ffffff",
        letter: 'G',
        shape: "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z",
    },
    SeatStyle {
        name: "black",
        colour: "#2b2b2b",
        on: "#ffffff",
        letter: 'K',
        shape: "M-1-3H1V-1H3V1H1V3H-1V1H-3V-1H-1Z",
    },
    SeatStyle {
        name: "pink",
        colour: "#e48fb4",
        on: "#2d2618",
        letter: 'P',
        shape: "M0 3C-4 0-3-3-1.4-3 0-3 0-1.6 0-1.6S0-3 1.4-3C3-3 4 0 0 3Z",
    },
    SeatStyle {
        name: "white",
        colour: "#f2f0ea",
        on: "#2d2618",
        letter: 'W',
        shape: "M0-3.4 1 -1 3.4-1 1.4.6 2.2 3 0 1.5-2.2 3-1.4.6-3.4-1-1-1Z",
    },
    SeatStyle {
        name: "violet",
        colour: "#7a4fb3",
        on: "#ffffff",
        letter: 'V',
        shape: "M-3-2.4H3L0 3Z",
    },
];

/// The style of a seat.
pub const fn seat_style(seat: u8) -> &'static SeatStyle {
    &STYLES[(seat & 7) as usize]
}

const MEEPLE: &str = "M0-24a5.4 5.4 0 0 1 4.6 8.2C9-14.6 13-11.6 13-9.6 13-7.4 9.4-7.4 6.4-8L10.6-1.4Q11 0 9.6 0H3.6L0-4.6-3.6 0H-9.6Q-11 0-10.6-1.4L-6.4-8C-9.4-7.4-13-7.4-13-9.6-13-11.6-9-14.6-4.6-15.8A5.4 5.4 0 0 1 0-24Z";
const ABBOT: &str = "M0-25a4.8 4.8 0 0 1 3.6 8L10-3.4 12 0H-12L-10-3.4-3.6-17A4.8 4.8 0 0 1 0-25Z";
const WAGON: &str = "M-13-16Q0-22 13-16V-6H10a4 4 0 1 1-8 0H-2a4 4 0 1 1-8 0H-13Z";
const MAYOR: &str =
    "M0-26a5 5 0 0 1 4 8C11-17 12-11 11-7L8-7 9 0H-9L-8-7-11-7C-12-11-11-17-4-18A5 5 0 0 1 0-26Z";
const BUILDER: &str = "M0-24a5 5 0 0 1 4.2 7.6L12-18 13-14.4 6-11 8 0H3L0-5-3 0H-8L-6-11-13-9-12.4-12.6-4.2-16.4A5 5 0 0 1 0-24Z";
const PIG: &str = "M-13-6C-13-13-6-14 0-13L5-15 6-12C11-11 12-8 12-6L14-6V-3L10-2 9 0H5V-3H-5V0H-9V-3C-12-3-13-4-13-6Z";
const BARN: &str = "M-13 0V-11L0-21 13-11V0H4V-8H-4V0Z";

/// The outline of a kind of figure.
pub const fn outline(kind: Kind) -> (&'static str, f32) {
    match kind {
        Kind::Normal => (MEEPLE, 1.0),
        Kind::Large => (MEEPLE, 1.32),
        Kind::Phantom => (MEEPLE, 1.0),
        Kind::Abbot => (ABBOT, 1.0),
        Kind::Wagon => (WAGON, 1.0),
        Kind::Mayor => (MAYOR, 1.05),
        Kind::Builder => (BUILDER, 1.0),
        Kind::Pig => (PIG, 1.0),
        Kind::Barn => (BARN, 1.15),
    }
}

/// A figure of a seat, standing or (a farmer) lying, as a fragment round (0, 0). Phantoms are translucent.
pub fn figure(kind: Kind, seat: u8, lying: bool) -> String {
    let style = seat_style(seat);
    let (path, scale) = outline(kind);
    let turn = if lying {
        " rotate(-80) translate(0 11)"
    } else {
        ""
    };
    let phantom = kind == Kind::Phantom;
    let chest = match kind {
        Kind::Wagon | Kind::Barn => -12.5,
        Kind::Pig => -7.5,
        Kind::Normal | Kind::Large | Kind::Phantom | Kind::Abbot | Kind::Mayor | Kind::Builder => {
            -10.5
        }
    };
    let rim = if style.on == "#ffffff" {
        "#1d1a14"
    } else {
        "#4a3f2a"
    };
    if phantom {
        // Pale as a ghost, with the rim in the seat's colour: not to be taken for a follower on any ground.
        return format!(
            "<g class=\"t-fig\" transform=\"scale({scale}){turn}\"><path d=\"{path}\" fill=\"#ffffff\" fill-opacity=\".82\" stroke=\"{rim}\" \
             stroke-width=\"2.6\" stroke-linejoin=\"round\"/><path d=\"{path}\" fill=\"{0}\" fill-opacity=\".3\" stroke=\"{0}\" stroke-width=\"1.5\" \
             stroke-linejoin=\"round\" stroke-dasharray=\"3.4 1.2\"/><path transform=\"translate(0 {chest})\" d=\"{1}\" fill=\"{0}\"/></g>",
            style.colour, style.shape
        );
    }
    format!(
        "<g class=\"t-fig\" transform=\"scale({scale}){turn}\"><path d=\"{path}\" fill=\"{}\" stroke=\"{rim}\" stroke-width=\"1.3\" \
         stroke-linejoin=\"round\"/><path transform=\"translate(0 {chest})\" d=\"{}\" fill=\"{}\"/></g>",
        style.colour, style.shape, style.on
    )
}

/// A figure that belongs to nobody.
pub const fn neutral(neutral: Neutral) -> &'static str {
    match neutral {
        Neutral::Dragon => {
            "<g class=\"t-fig\"><path d=\"M-13-2C-14-12-5-14 0-11L-3-20 3-16C9-22 15-18 14-13L9-12C13-7 10-3 6-2 12-1 14-4 12-7 18-3 12 3 2 2-6 1-11 2-13-2Z\" fill=\"#c62d1f\" stroke=\"#3a0d06\" stroke-width=\"1.3\" stroke-linejoin=\"round\"/><circle cx=\"9\" cy=\"-15\" r=\"1.2\" fill=\"#ffe9a0\"/></g>"
        }
        Neutral::Fairy => {
            "<g class=\"t-fig\"><path d=\"M-2-12C-12-20-14-10-6-9-12-4-6 0-2-6ZM2-12C12-20 14-10 6-9 12-4 6 0 2-6Z\" fill=\"#f7f3ff\" fill-opacity=\".8\" stroke=\"#6b4a9c\" stroke-width=\".9\"/><path d=\"M0-24a3.6 3.6 0 0 1 2.6 6.2L6 0H-6L-2.6-17.8A3.6 3.6 0 0 1 0-24Z\" fill=\"#d9c7f2\" stroke=\"#4b2f7a\" stroke-width=\"1.2\"/></g>"
        }
    }
}
