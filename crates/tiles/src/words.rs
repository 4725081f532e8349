//! The words of a tile file: reading and writing one segment, symbol or quadrant.

use crate::border::{Half, Point, Side};
use crate::fault::{Fault, What};
use crate::tile::{
    How, Kind, Mark, Passes, QuadrantSign, Segment, SegmentNo, Symbol, Tile, Touch, Watched,
};

/// The longest text of a segment or symbol, in bytes.
pub const MAX_TEXT: usize = 200;

/// The most pennants on a segment, and points of a watchtower.
const MAX_NUMBER: u8 = 9;

const KINDS: &[(&str, Kind)] = &[
    ("city", Kind::City),
    ("road", Kind::Road),
    ("field", Kind::Field),
    ("river", Kind::River),
    ("monastery", Kind::Monastery),
    ("garden", Kind::Garden),
    ("hut", Kind::Hut),
];

/// Marks without a number or place, and what they are printed on.
const MARKS: &[(&str, Mark, Kind)] = &[
    ("cathedral", Mark::Cathedral, Kind::City),
    ("wine", Mark::Wine, Kind::City),
    ("grain", Mark::Grain, Kind::City),
    ("cloth", Mark::Cloth, Kind::City),
    ("princess", Mark::Princess, Kind::City),
    ("no-castle", Mark::NoCastle, Kind::City),
    ("besieged", Mark::Besieged, Kind::City),
    ("darmstadtium", Mark::Darmstadtium, Kind::City),
    ("inn", Mark::Inn, Kind::Road),
    ("tunnel", Mark::Tunnel, Kind::Road),
    ("labyrinth", Mark::Labyrinth, Kind::Road),
    ("pig-herd", Mark::PigHerd, Kind::Field),
    ("shrine", Mark::Shrine, Kind::Monastery),
    ("special", Mark::Special, Kind::Monastery),
    ("church", Mark::Church, Kind::Monastery),
];

/// Symbols without a number or place.
const SYMBOLS: &[(&str, Symbol)] = &[
    ("volcano", Symbol::Volcano),
    ("dragon", Symbol::Dragon),
    ("portal", Symbol::Portal),
    ("tower", Symbol::Tower),
    ("festival", Symbol::Festival),
    ("solovei", Symbol::Solovei),
    ("vodyanoy", Symbol::Vodyanoy),
    ("bazaar", Symbol::Bazaar),
    ("hill", Symbol::Hill),
    ("vineyard", Symbol::Vineyard),
    ("mage", Symbol::Mage),
    ("goldmine", Symbol::Goldmine),
    ("ferry", Symbol::Ferry),
    ("circus", Symbol::Circus),
    ("acrobats", Symbol::Acrobats),
    ("quarters", Symbol::Quarters),
];

const WATCHED: &[(&str, Watched)] = &[
    ("city", Watched::City),
    ("road", Watched::Road),
    ("monastery", Watched::Monastery),
    ("pennant", Watched::Pennant),
    ("follower", Watched::Follower),
];

const QUADRANTS: &[(&str, QuadrantSign)] = &[
    ("city", QuadrantSign::City),
    ("road", QuadrantSign::Road),
    ("field", QuadrantSign::Field),
    ("monastery", QuadrantSign::Monastery),
];

fn look_up<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table
        .iter()
        .find(|(known, _)| *known == word)
        .map(|(_, meaning)| *meaning)
}

fn word_for<T: PartialEq>(table: &[(&'static str, T)], meaning: &T) -> &'static str {
    table
        .iter()
        .find(|(_, known)| known == meaning)
        .map_or("", |(word, _)| word)
}

/// All the words that segments, symbols and quadrants are made of, without places, letters and numbers.
pub fn known_words() -> Vec<&'static str> {
    let mut words = vec![
        "inner", "touches", "reaches", "across", "to", "over", "under", "link",
    ];
    words.extend(KINDS.iter().map(|(word, _)| *word));
    words.extend(["pennant", "pennants", "shares"]);
    words.extend(MARKS.iter().map(|(word, _, _)| *word));
    words.extend(SYMBOLS.iter().map(|(word, _)| *word));
    words.extend([
        "crop-circle",
        "flying-machine",
        "wind-rose",
        "full",
        "watchtower",
    ]);
    words.extend(WATCHED.iter().map(|(word, _)| *word));
    words.sort_unstable();
    words.dedup();
    words
}

impl Kind {
    /// The word that tile files use.
    pub fn word(self) -> &'static str {
        word_for(KINDS, &self)
    }
}

impl QuadrantSign {
    /// The word that tile files use.
    pub fn word(self) -> &'static str {
        word_for(QUADRANTS, &self)
    }

    /// The sign with this word.
    pub fn from_word(word: &str) -> Option<QuadrantSign> {
        look_up(QUADRANTS, word)
    }
}

impl Mark {
    /// The kind of segment that it is printed on.
    pub fn on(self) -> Kind {
        match self {
            Mark::Pennants(_) | Mark::Shares(_) => Kind::City,
            plain => MARKS
                .iter()
                .find(|(_, mark, _)| *mark == plain)
                .map_or(Kind::City, |(_, _, kind)| *kind),
        }
    }

    /// The text that tile files use, such as `pennants 2`.
    pub fn text(self) -> String {
        match self {
            Mark::Pennants(1) => "pennant".to_owned(),
            Mark::Pennants(n) => format!("pennants {n}"),
            Mark::Shares(side) => format!("shares {side}"),
            plain => MARKS
                .iter()
                .find(|(_, mark, _)| *mark == plain)
                .map_or("", |(word, _, _)| word)
                .to_owned(),
        }
    }
}

impl Symbol {
    /// The text that tile files use, such as `flying-machine NW`.
    pub fn text(self) -> String {
        match self {
            Symbol::CropCircle(kind) => format!("crop-circle {}", kind.word()),
            Symbol::FlyingMachine(point) => format!("flying-machine {point}"),
            Symbol::WindRose(point) => format!("wind-rose {point}"),
            Symbol::FullWindRose => "wind-rose full".to_owned(),
            Symbol::Watchtower(points, watched) => {
                format!("watchtower {points} {}", word_for(WATCHED, &watched))
            }
            plain => word_for(SYMBOLS, &plain).to_owned(),
        }
    }

    /// Reads the text of a symbol.
    ///
    /// # Errors
    /// [`What::UnknownSymbol`] if no symbol is written so.
    pub fn from_text(text: &str) -> Result<Symbol, What> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let symbol = match words.as_slice() {
            [word] => look_up(SYMBOLS, word),
            ["crop-circle", word] => look_up(KINDS, word)
                .filter(|kind| matches!(kind, Kind::City | Kind::Road | Kind::Field))
                .map(Symbol::CropCircle),
            ["flying-machine", word] => Point::from_word(word).map(Symbol::FlyingMachine),
            ["wind-rose", "full"] => Some(Symbol::FullWindRose),
            ["wind-rose", word] => Point::from_word(word)
                .filter(|point| point.side().is_none())
                .map(Symbol::WindRose),
            ["watchtower", points, word] => number(points).and_then(|points| {
                look_up(WATCHED, word).map(|watched| Symbol::Watchtower(points, watched))
            }),
            _ => None,
        };
        symbol.ok_or_else(|| What::UnknownSymbol(clip(text)))
    }
}

/// A whole number from 1 to [`MAX_NUMBER`].
fn number(word: &str) -> Option<u8> {
    word.parse().ok().filter(|n| (1..=MAX_NUMBER).contains(n))
}

/// The text on one line, cut if it is too long to be shown.
pub(crate) fn clip(text: &str) -> String {
    let shown = text
        .chars()
        .take(MAX_TEXT)
        .map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let cut = text.chars().nth(MAX_TEXT).map(|_| '…');
    shown.chain(cut).collect()
}

/// A segment as it is written: its cities are still named by their sides.
struct Written {
    segment: Segment,
    touches: Vec<(How, Side)>,
}

/// Reads the segments of a tile, the text of each in its place.
///
/// # Errors
/// All the faults of the texts.
pub fn read_segments<'a>(
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<Segment>, Vec<Fault>> {
    let mut segments = Vec::new();
    let mut touches = Vec::new();
    let mut faults = Vec::new();
    for (no, text) in (0..=u8::MAX).map(SegmentNo).zip(texts) {
        match read_segment(text) {
            Ok(written) => {
                segments.push(written.segment);
                touches.push((no, text, written.touches));
            }
            Err(what) => faults.push(Fault::at(no, clip(text), what)),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut resolved = Vec::new();
    for (no, text, sides) in touches {
        let mut list: Vec<Touch> = Vec::new();
        for (how, side) in sides {
            let city = (0..=u8::MAX)
                .map(SegmentNo)
                .zip(&segments)
                .find(|(_, segment)| segment.kind == Kind::City && segment.sides.contains(side));
            match city {
                None => faults.push(Fault::at(no, clip(text), What::NoCity(side))),
                Some((city, _)) if list.iter().any(|touch| touch.city == city) => {
                    faults.push(Fault::at(no, clip(text), What::CityTwice(side)));
                }
                Some((city, _)) => list.push(Touch { city, how }),
            }
        }
        resolved.push(list);
    }
    for (segment, touches) in segments.iter_mut().zip(resolved) {
        segment.touches = touches;
    }
    if faults.is_empty() {
        Ok(segments)
    } else {
        Err(faults)
    }
}

/// Reads `kind places | mark, mark, …`.
fn read_segment(text: &str) -> Result<Written, What> {
    if text.len() > MAX_TEXT {
        return Err(What::TooLong {
            bytes: text.len(),
            limit: MAX_TEXT,
        });
    }
    let (head, marks) = match text.split_once('|') {
        Some((head, marks)) => (head, Some(marks)),
        None => (text, None),
    };
    let mut words = head.split_ascii_whitespace();
    let kind_word = words.next().unwrap_or("");
    let kind = look_up(KINDS, kind_word).ok_or_else(|| What::UnknownKind(clip(kind_word)))?;
    let mut written = Written {
        segment: Segment::new(kind),
        touches: Vec::new(),
    };
    read_places(&mut written.segment, words)?;
    for mark in marks.into_iter().flat_map(|marks| marks.split(',')) {
        read_mark(&mut written, mark)?;
    }
    Ok(written)
}

fn read_places<'a>(
    segment: &mut Segment,
    words: impl Iterator<Item = &'a str>,
) -> Result<(), What> {
    let words: Vec<&str> = words.collect();
    match segment.kind {
        Kind::City | Kind::Road | Kind::River => {
            if words.is_empty() {
                return Err(What::NoPlace(segment.kind));
            }
            for word in words {
                let side = Side::from_word(word)
                    .ok_or_else(|| What::NotASide(segment.kind, clip(word)))?;
                if !segment.sides.insert(side) {
                    return Err(What::PlaceTwice(side.word()));
                }
            }
        }
        Kind::Field => {
            if words.as_slice() == ["inner"] {
                return Ok(());
            }
            if words.is_empty() {
                return Err(What::NoPlace(segment.kind));
            }
            for word in words {
                let half = Half::from_word(word).ok_or_else(|| What::NotAHalf(clip(word)))?;
                if !segment.halves.insert(half) {
                    return Err(What::PlaceTwice(half.word()));
                }
            }
        }
        Kind::Monastery | Kind::Garden | Kind::Hut => {
            if let Some(word) = words.first() {
                return Err(What::NotOnTheBorder(segment.kind, clip(word)));
            }
        }
    }
    Ok(())
}

fn read_mark(written: &mut Written, text: &str) -> Result<(), What> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let Some((first, rest)) = words.split_first() else {
        return Err(What::EmptyMark);
    };
    let segment = &mut written.segment;
    let wants = |wanted: &'static str| What::BadArgument {
        mark: clip(text.trim()),
        wanted,
    };
    match *first {
        "touches" | "reaches" | "across" => {
            let how = match *first {
                "touches" => How::Beside,
                "reaches" => How::Inside,
                _ => How::Across,
            };
            if segment.kind != Kind::Field {
                return Err(What::NotOnThis(clip(first), segment.kind));
            }
            if rest.is_empty() {
                return Err(wants("sides of cities"));
            }
            for word in rest {
                let side = Side::from_word(word).ok_or_else(|| wants("sides of cities"))?;
                written.touches.push((how, side));
            }
        }
        "to" => {
            if segment.kind != Kind::City {
                return Err(What::NotOnThis(clip(first), segment.kind));
            }
            if rest.is_empty() {
                return Err(wants("points of the border"));
            }
            for word in rest {
                let point = Point::from_word(word).ok_or_else(|| wants("points of the border"))?;
                if !segment.to.insert(point) {
                    return Err(What::MarkTwice(clip(text.trim())));
                }
            }
        }
        "over" | "under" => {
            if !matches!(segment.kind, Kind::City | Kind::Road | Kind::River) {
                return Err(What::NotOnThis(clip(first), segment.kind));
            }
            if !rest.is_empty() {
                return Err(wants("nothing after it"));
            }
            if segment.passes.is_some() {
                return Err(What::MarkTwice(clip(first)));
            }
            segment.passes = Some(if *first == "over" {
                Passes::Over
            } else {
                Passes::Under
            });
        }
        "link" => {
            if rest.is_empty() {
                return Err(wants("small letters"));
            }
            for word in rest {
                let letter = one_letter(word).ok_or_else(|| wants("small letters"))?;
                if segment.links.contains(&letter) {
                    return Err(What::MarkTwice(clip(text.trim())));
                }
                segment.links.push(letter);
            }
        }
        _ => {
            let mark =
                plain_mark(first, rest).ok_or_else(|| What::UnknownMark(clip(text.trim())))?;
            if mark.on() != segment.kind {
                return Err(What::NotOnThis(mark.text(), segment.kind));
            }
            let is_same =
                |other: &Mark| std::mem::discriminant(other) == std::mem::discriminant(&mark);
            if segment.marks.iter().any(is_same) {
                return Err(What::MarkTwice(mark.text()));
            }
            segment.marks.push(mark);
        }
    }
    Ok(())
}

fn one_letter(word: &str) -> Option<char> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_lowercase() => Some(letter),
        _ => None,
    }
}

fn plain_mark(first: &str, rest: &[&str]) -> Option<Mark> {
    match (first, rest) {
        ("pennant", []) => Some(Mark::Pennants(1)),
        ("pennants", [n]) => number(n).filter(|n| *n > 1).map(Mark::Pennants),
        ("shares", [side]) => Side::from_word(side).map(Mark::Shares),
        (word, []) => MARKS
            .iter()
            .find(|(known, _, _)| *known == word)
            .map(|(_, mark, _)| *mark),
        _ => None,
    }
}

impl Tile {
    /// The segment as a tile file states it. Reading the texts of all segments gives the same segments again.
    pub fn text(&self, no: SegmentNo) -> String {
        let Some(segment) = self.segment(no) else {
            return String::new();
        };
        let mut text = segment.kind.word().to_owned();
        for side in segment.sides.iter() {
            text = text + " " + side.word();
        }
        for half in segment.halves.iter() {
            text = text + " " + half.word();
        }
        if segment.kind == Kind::Field && segment.is_inner() {
            text += " inner";
        }
        let mut marks: Vec<String> = Vec::new();
        for (how, word) in [
            (How::Beside, "touches"),
            (How::Inside, "reaches"),
            (How::Across, "across"),
        ] {
            let cities = segment.touches.iter().filter(|touch| touch.how == how);
            let sides: Vec<&str> = cities
                .filter_map(|touch| self.side_of(touch.city))
                .map(Side::word)
                .collect();
            if !sides.is_empty() {
                marks.push(format!("{word} {}", sides.join(" ")));
            }
        }
        if !segment.to.is_empty() {
            marks.push(format!("to {}", segment.to));
        }
        marks.extend(segment.passes.map(|passes| match passes {
            Passes::Over => "over".to_owned(),
            Passes::Under => "under".to_owned(),
        }));
        marks.extend(segment.marks.iter().map(|mark| mark.text()));
        if !segment.links.is_empty() {
            let letters: Vec<String> = segment.links.iter().map(char::to_string).collect();
            marks.push(format!("link {}", letters.join(" ")));
        }
        if !marks.is_empty() {
            text = text + " | " + &marks.join(", ");
        }
        text
    }

    /// The first side of a city, by which fields name it.
    fn side_of(&self, city: SegmentNo) -> Option<Side> {
        self.segment(city).and_then(|city| city.sides.iter().next())
    }
}
