//! What can be wrong with a tile.

use crate::border::{Half, Point, Side};
use crate::tile::{Kind, SegmentNo};
use std::fmt;

/// Something wrong with a tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The segment that is wrong, if it is one, and its text.
    pub segment: Option<(SegmentNo, String)>,
    /// What is wrong.
    pub what: What,
}

/// What is wrong with a tile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The text of the segment is too long.
    TooLong {
        /// Its length.
        bytes: usize,
        /// The greatest length.
        limit: usize,
    },
    /// The segment does not begin with a kind.
    UnknownKind(String),
    /// No side or half is named.
    NoPlace(Kind),
    /// A city, road or river has something else than sides.
    NotASide(Kind, String),
    /// A field has something else than halves.
    NotAHalf(String),
    /// A monastery, garden or hut has a place.
    NotOnTheBorder(Kind, String),
    /// A side or half is named twice in a segment.
    PlaceTwice(&'static str),
    /// Nothing stands between two commas, or after the bar.
    EmptyMark,
    /// The mark is not known.
    UnknownMark(String),
    /// The mark does not go with this kind of segment.
    NotOnThis(String, Kind),
    /// The mark is named twice.
    MarkTwice(String),
    /// What follows the word of the mark is wrong.
    BadArgument {
        /// The mark.
        mark: String,
        /// What should follow its word.
        wanted: &'static str,
    },
    /// A field names a city that is not there.
    NoCity(Side),
    /// A field names the same city twice.
    CityTwice(Side),
    /// The symbol is not known.
    UnknownSymbol(String),
    /// The symbol is named twice.
    SymbolTwice(String),
    /// There are too many segments or symbols.
    TooMany {
        /// Of what.
        of: &'static str,
        /// The greatest number.
        limit: usize,
    },
    /// A tile that fits anything has something on its border.
    FitsAnythingWithBorder,
    /// A segment has sides or halves that do not belong to its kind.
    WrongPlaces(Kind),
    /// Two segments are on one side.
    SideTwice(Side),
    /// A side shows a city, and a half of it also a field or wall.
    HalfOfCitySide(Half),
    /// Two fields, or a field and a wall, are on one half.
    HalfTwice(Half),
    /// Nothing is on a half.
    HalfFree(Half),
    /// A wall point lies where something else is.
    PointTaken(Point),
    /// Two different fields lie side by side at a point, and nothing parts them.
    FieldsMeet(Point),
    /// The wall of a city comes to a point where it parts nothing.
    PartsNothing(Point),
    /// Two segments cross, and neither passes over or under.
    Crosses(String),
    /// The segment passes over or under, but crosses nothing.
    CrossesNothing,
    /// The field lies beside a city and does not say that it touches it.
    Untold(String),
    /// The field says that it touches a city, but does not lie beside it.
    NotBeside(String),
    /// The field says that it reaches a city that it lies beside.
    ReachesBeside(String),
    /// The field says that it reaches a city that it is cut off from.
    CutOff(String),
    /// The way inside the tile from the field to a city crosses another way.
    WaysCross(String),
    /// The field touches a city across, which does not pass over or under anything.
    AcrossNothing(String),
    /// The touched segment is not a city of the tile.
    NotACity(SegmentNo),
    /// The cities that an enclosed field touches do not enclose a place.
    NotEnclosed,
    /// Only one segment has this link.
    LonelyLink(char),
    /// The link joins segments that are cut off from each other.
    LinkCutOff(char),
    /// A field, river or garden has a link.
    NoLinks(Kind),
    /// A mark does not agree with the sides of the segment.
    MarkAgainstSides(String),
}

fn a(kind: Kind) -> &'static str {
    match kind {
        Kind::City => "a city",
        Kind::Road => "a road",
        Kind::Field => "a field",
        Kind::River => "a river",
        Kind::Monastery => "a monastery",
        Kind::Garden => "a garden",
        Kind::Hut => "a hut",
    }
}

impl Fault {
    /// A fault of the tile as a whole.
    pub(crate) fn of_tile(what: What) -> Fault {
        Fault {
            segment: None,
            what,
        }
    }

    /// A fault of a segment.
    pub(crate) fn at(no: SegmentNo, text: String, what: What) -> Fault {
        Fault {
            segment: Some((no, text)),
            what,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, text)) = &self.segment {
            write!(f, "`{text}`: ")?;
        }
        self.what.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::TooLong { bytes, limit } => {
                write!(f, "{bytes} bytes long, at most {limit} are allowed")
            }
            What::UnknownKind(word) => write!(f, "`{word}` is no kind of segment"),
            What::NoPlace(Kind::Field) => f.write_str("a field needs a half of a side, or `inner`"),
            What::NoPlace(kind) => write!(f, "{} needs a side", a(*kind)),
            What::NotASide(kind, word) => {
                write!(f, "{} has sides (N E S W), not `{word}`", a(*kind))
            }
            What::NotAHalf(word) => {
                write!(
                    f,
                    "a field has halves of sides (NL NR EL ER SL SR WL WR) or is `inner`, not `{word}`"
                )
            }
            What::NotOnTheBorder(kind, word) => {
                write!(f, "{} is not on the border, so not on `{word}`", a(*kind))
            }
            What::PlaceTwice(word) => write!(f, "{word} is named twice"),
            What::EmptyMark => f.write_str("a mark is missing after `|` or `,`"),
            What::UnknownMark(text) => write!(f, "`{text}` is no mark"),
            What::NotOnThis(text, kind) => write!(f, "{} cannot have `{text}`", a(*kind)),
            What::MarkTwice(text) => write!(f, "`{text}` is named twice"),
            What::BadArgument { mark, wanted } => write!(f, "`{mark}`: the word wants {wanted}"),
            What::NoCity(side) => write!(f, "no city is on side {side}"),
            What::CityTwice(side) => write!(f, "the city on side {side} is named twice"),
            What::UnknownSymbol(text) => write!(f, "`{text}` is no symbol"),
            What::SymbolTwice(text) => write!(f, "the symbol `{text}` is named twice"),
            What::TooMany { of, limit } => write!(f, "more than {limit} {of}"),
            What::FitsAnythingWithBorder => {
                f.write_str("a tile that fits anything has nothing on its border")
            }
            What::WrongPlaces(kind) => write!(f, "the places do not belong to {}", a(*kind)),
            What::SideTwice(side) => write!(f, "another segment is on side {side} as well"),
            What::HalfOfCitySide(half) => {
                write!(f, "{half} belongs to the city on side {}", half.side())
            }
            What::HalfTwice(half) => write!(f, "another field, or a wall, is on {half} as well"),
            What::HalfFree(half) => write!(f, "nothing is on {half}"),
            What::PointTaken(point) => write!(f, "something else is at {point}"),
            What::FieldsMeet(point) => {
                write!(f, "two fields meet at {point}, and nothing parts them")
            }
            What::PartsNothing(point) => write!(f, "the city parts no fields at {point}"),
            What::Crosses(other) => {
                write!(f, "crosses `{other}`, so one must pass `over` or `under`")
            }
            What::CrossesNothing => f.write_str("passes over or under, but crosses nothing"),
            What::Untold(city) => write!(
                f,
                "lies beside `{city}`, but does not say that it touches it"
            ),
            What::NotBeside(city) => write!(f, "does not lie beside `{city}`"),
            What::ReachesBeside(city) => write!(f, "lies beside `{city}`, so it `touches` it"),
            What::CutOff(city) => write!(f, "is cut off from `{city}`"),
            What::WaysCross(city) => write!(f, "the way to `{city}` crosses another way or link"),
            What::AcrossNothing(city) => {
                write!(f, "`{city}` passes neither over nor under anything")
            }
            What::NotACity(no) => write!(f, "touches segment {no}, which is no city of the tile"),
            What::NotEnclosed => {
                f.write_str("no place is enclosed by just the cities that it touches")
            }
            What::LonelyLink(letter) => write!(f, "no other segment has the link {letter}"),
            What::LinkCutOff(letter) => write!(
                f,
                "the link {letter} leads to a segment that it is cut off from"
            ),
            What::NoLinks(kind) => write!(f, "{} has no links", a(*kind)),
            What::MarkAgainstSides(text) => write!(f, "`{text}` does not agree with its sides"),
        }
    }
}
