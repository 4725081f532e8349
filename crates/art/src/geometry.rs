//! Points, curves and closed shapes in a tile of 100 by 100 units.

use std::fmt::Write as _;

/// The width of a tile.
pub const SIZE: f32 = 100.0;

/// A point; x to the east, y to the south.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the east.
    pub x: f32,
    /// To the south.
    pub y: f32,
}

/// A point at these coordinates.
pub const fn pt(x: f32, y: f32) -> Point {
    Point { x, y }
}

impl Point {
    /// The point a share of the way to another.
    pub fn towards(self, other: Point, share: f32) -> Point {
        pt(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
        )
    }

    /// How far another point is.
    pub fn distance(self, other: Point) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// The middle of a side: 0 north, clockwise.
pub fn middle(side: usize) -> Point {
    [
        pt(50.0, 0.0),
        pt(100.0, 50.0),
        pt(50.0, 100.0),
        pt(0.0, 50.0),
    ][side & 3]
}

/// A corner: 0 north-west, clockwise.
pub fn corner(index: usize) -> Point {
    [
        pt(0.0, 0.0),
        pt(100.0, 0.0),
        pt(100.0, 100.0),
        pt(0.0, 100.0),
    ][index & 3]
}

/// The middle of a tile.
pub const CENTRE: Point = pt(50.0, 50.0);

/// A line of points, close enough together to look smooth.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line(pub Vec<Point>);

impl Line {
    /// A straight line.
    pub fn straight(a: Point, b: Point) -> Line {
        Line(vec![a, b])
    }

    /// A cubic curve.
    pub fn curve(a: Point, c1: Point, c2: Point, b: Point) -> Line {
        const STEPS: u8 = 14;
        let points = (0..=STEPS).map(|i| {
            let t = f32::from(i) / f32::from(STEPS);
            let u = 1.0 - t;
            let mix = |a: f32, b: f32, c: f32, d: f32| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            pt(mix(a.x, c1.x, c2.x, b.x), mix(a.y, c1.y, c2.y, b.y))
        });
        Line(points.collect())
    }

    /// The path of the line.
    pub fn path(&self) -> String {
        let mut out = String::new();
        for (i, p) in self.0.iter().enumerate() {
            let _ = write!(
                out,
                "{}{} {}",
                if i == 0 { "M" } else { "L" },
                short(p.x),
                short(p.y)
            );
        }
        out
    }

    /// The point at a share of the line's length.
    pub fn at(&self, share: f32) -> Point {
        let total: f32 = self.0.windows(2).map(|w| w[0].distance(w[1])).sum();
        let mut left = total * share;
        for w in self.0.windows(2) {
            let d = w[0].distance(w[1]);
            if left <= d {
                return w[0].towards(w[1], if d > 0.0 { left / d } else { 0.0 });
            }
            left -= d;
        }
        self.0.last().copied().unwrap_or(CENTRE)
    }

    /// How far a point is from the line.
    pub fn distance(&self, p: Point) -> f32 {
        let to = |w: &[Point]| {
            let (a, b) = (w[0], w[1]);
            let length = a.distance(b);
            if length == 0.0 {
                return a.distance(p);
            }
            let t = ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / (length * length);
            a.towards(b, t.clamp(0.0, 1.0)).distance(p)
        };
        self.0.windows(2).map(to).fold(f32::INFINITY, f32::min)
    }
}

/// A closed shape.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shape(pub Vec<Point>);

impl Shape {
    /// The path of the shape.
    pub fn path(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        Line(self.0.clone()).path() + "Z"
    }

    /// Whether a point is inside.
    pub fn contains(&self, p: Point) -> bool {
        let mut inside = false;
        let n = self.0.len();
        for i in 0..n {
            let (a, b) = (self.0[i], self.0[(i + 1) % n]);
            if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
                inside = !inside;
            }
        }
        inside
    }
}

/// A number with at most one digit after the point.
pub fn short(x: f32) -> String {
    let text = format!("{x:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_string(),
        Some(whole) => whole.to_string(),
        None => text,
    }
}
