//! Colours and line widths, as a style sheet.

/// A set of colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Fields in summer light.
    Day,
    /// For the evening.
    Dark,
    /// Flat and strong.
    Contrast,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 3] = [Theme::Day, Theme::Dark, Theme::Contrast];

    /// The theme's name, also its value of `data-theme`.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Day => "day",
            Theme::Dark => "dark",
            Theme::Contrast => "contrast",
        }
    }

    /// The theme with this name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    const fn colours(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Theme::Day => &[
                ("table", "#e9e2d0"),
                ("field", "#a9c26a"),
                ("field-dark", "#94b056"),
                ("field-light", "#bcd182"),
                ("road", "#f3ead2"),
                ("road-edge", "#8d7d5c"),
                ("city", "#c9955f"),
                ("city-light", "#d9ae7d"),
                ("wall", "#7b5a3c"),
                ("wall-light", "#e8d6b4"),
                ("roof", "#b4512f"),
                ("roof-dark", "#8e3c22"),
                ("house", "#efdfc0"),
                ("bank", "#d8cf9c"),
                ("river", "#5f9fc4"),
                ("river-light", "#8cc3de"),
                ("stone", "#d8d2c4"),
                ("stone-dark", "#8b8577"),
                ("wood", "#8a6238"),
                ("leaf", "#5f8a3c"),
                ("leaf-dark", "#46702b"),
                ("pennant", "#2f5fa8"),
                ("pennant-light", "#f5f1e4"),
                ("fire", "#d8431f"),
                ("gold", "#e0b13a"),
                ("violet", "#6b4a9c"),
                ("ink", "#2d2618"),
                ("paper", "#fbf7ec"),
            ],
            Theme::Dark => &[
                ("table", "#1b1a18"),
                ("field", "#51683a"),
                ("field-dark", "#44582f"),
                ("field-light", "#5f7847"),
                ("road", "#c9bd9f"),
                ("road-edge", "#4d4432"),
                ("city", "#8a6140"),
                ("city-light", "#9b7350"),
                ("wall", "#2b2117"),
                ("wall-light", "#a8977a"),
                ("roof", "#a34a2d"),
                ("roof-dark", "#6d2d1a"),
                ("house", "#cdbb98"),
                ("bank", "#6f6f45"),
                ("river", "#2f6688"),
                ("river-light", "#4d88ab"),
                ("stone", "#aaa496"),
                ("stone-dark", "#57534a"),
                ("wood", "#6d4c2c"),
                ("leaf", "#3c5e29"),
                ("leaf-dark", "#2b471c"),
                ("pennant", "#5a8bdc"),
                ("pennant-light", "#efe9da"),
                ("fire", "#e2552f"),
                ("gold", "#d9ad3f"),
                ("violet", "#9a7bd0"),
                ("ink", "#f4efe2"),
                ("paper", "#26241f"),
            ],
            Theme::Contrast => &[
                ("table", "#ffffff"),
                ("field", "#b8e07a"),
                ("field-dark", "#b8e07a"),
                ("field-light", "#b8e07a"),
                ("road", "#ffffff"),
                ("road-edge", "#000000"),
                ("city", "#d98a3d"),
                ("city-light", "#d98a3d"),
                ("wall", "#000000"),
                ("wall-light", "#ffffff"),
                ("roof", "#a02c00"),
                ("roof-dark", "#5a1800"),
                ("house", "#ffffff"),
                ("bank", "#000000"),
                ("river", "#1f78d1"),
                ("river-light", "#1f78d1"),
                ("stone", "#ffffff"),
                ("stone-dark", "#000000"),
                ("wood", "#5a3a10"),
                ("leaf", "#1f6b1f"),
                ("leaf-dark", "#0d3f0d"),
                ("pennant", "#0033aa"),
                ("pennant-light", "#ffffff"),
                ("fire", "#d00000"),
                ("gold", "#ffd000"),
                ("violet", "#5b00b0"),
                ("ink", "#000000"),
                ("paper", "#ffffff"),
            ],
        }
    }
}

/// The style sheet of one theme, for everything below an element that `selector` names.
pub fn sheet(theme: Theme, selector: &str) -> String {
    let mut out = format!("{selector}{{");
    for (name, colour) in theme.colours() {
        out.push_str(&format!("--{name}:{colour};"));
    }
    out.push_str("}\n");
    out
}

/// The style sheet of every theme: the day's for everything, the others where `data-theme` names them.
pub fn sheets() -> String {
    let mut out = sheet(Theme::Day, ":root");
    for theme in Theme::ALL {
        out.push_str(&sheet(theme, &format!("[data-theme={}]", theme.name())));
    }
    out + RULES
}

/// What is the same in every theme.
pub const RULES: &str = "\
.t-field{fill:var(--field)}.t-tuft{stroke:var(--field-dark);fill:none;stroke-width:1.1;stroke-linecap:round}\
.t-mead{fill:var(--field-light);opacity:.55}.t-mead-d{fill:var(--field-dark);opacity:.35}\
.t-tree{fill:var(--leaf);stroke:var(--leaf-dark);stroke-width:.7}.t-tree-d{fill:var(--leaf-dark)}.t-fir{fill:var(--leaf-dark)}\
.t-shade{fill:#000;opacity:.16}\
.t-road-e{stroke:var(--road-edge);stroke-width:10;fill:none}.t-road{stroke:var(--road);stroke-width:7.4;fill:none}\
.t-bridge{stroke:var(--wall);stroke-width:12.6;fill:none}\
.t-bank{stroke:var(--bank);stroke-width:17.4;fill:none}.t-river-e{stroke:var(--river);stroke-width:14.6;fill:none}\
.t-river{stroke:var(--river-light);stroke-width:1.6;fill:none;stroke-dasharray:7 9;stroke-linecap:round;opacity:.8}\
.t-city{fill:var(--city)}.t-wall-b{fill:var(--wall)}.t-wall{fill:var(--wall-light)}\
.t-joint{stroke:var(--wall);stroke-width:3.4;fill:none;stroke-dasharray:.7 3.1;opacity:.55}.t-turret{fill:var(--wall-light);stroke:var(--wall);stroke-width:1.1}\
.t-house{fill:var(--house);stroke:var(--wall);stroke-width:.5}.t-roof{fill:var(--roof);stroke:var(--roof-dark);stroke-width:.5}\
.t-roof-d{fill:var(--roof-dark)}.t-door{fill:var(--wall)}\
.t-stone{fill:var(--stone);stroke:var(--stone-dark);stroke-width:.8}.t-wood{fill:var(--wood)}\
.t-ink{fill:var(--ink)}.t-line{fill:none;stroke:var(--ink);stroke-width:1.2;stroke-linecap:round;stroke-linejoin:round}\
.t-pen{fill:var(--pennant);stroke:var(--pennant-light);stroke-width:1.2}.t-penl{fill:var(--pennant-light)}\
.t-fire{fill:var(--fire)}.t-gold{fill:var(--gold);stroke:var(--ink);stroke-width:.7}.t-violet{fill:var(--violet)}\
.t-water{fill:var(--river)}.t-lake{fill:var(--river);stroke:var(--bank);stroke-width:1.4}.t-waterl{fill:none;stroke:var(--river-light);stroke-width:1.2;stroke-linecap:round}\
.t-paper{fill:var(--paper);stroke:var(--ink);stroke-width:.8}.t-edge{fill:none;stroke:var(--ink);stroke-opacity:.35;stroke-width:.8}\
.t-number{font:700 8px system-ui,sans-serif;text-anchor:middle;fill:var(--ink)}.t-hit{fill:transparent}\
";
