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

    /// Makes the line leave the tile square to its border, so that it fits its neighbour.
    pub fn leave_straight(&mut self) {
        for _ in 0..2 {
            let square = self.0.first().map(|p| match (p.x, p.y) {
                (x, _) if x <= 0.0 => pt(1.5, p.y),
                (x, _) if x >= SIZE => pt(SIZE - 1.5, p.y),
                (_, y) if y <= 0.0 => pt(p.x, 1.5),
                (_, y) if y >= SIZE => pt(p.x, SIZE - 1.5),
                _ => *p,
            });
            if let Some(next) = square.filter(|next| self.0.first() != Some(next)) {
                self.0.insert(1, next);
            }
            self.0.reverse();
        }
    }

    /// How long it is.
    pub fn length(&self) -> f32 {
        self.0.windows(2).map(|w| w[0].distance(w[1])).sum()
    }

    /// The line between two shares of its length.
    pub fn between(&self, from: f32, to: f32) -> Line {
        let total = self.length();
        let mut out = vec![self.at(from)];
        let mut way = 0.0;
        for w in self.0.windows(2) {
            way += w[0].distance(w[1]);
            if way > total * from && way < total * to {
                out.push(w[1]);
            }
        }
        out.push(self.at(to));
        Line(out)
    }

    /// The area within a distance of the line and inside of the tile; where the line ends at the border, so does the area.
    pub fn band(&self, half: f32) -> Shape {
        let mut points = self.0.clone();
        let longer = |end: Point, before: Point| {
            let on_border = [end.x, end.y].iter().any(|c| *c <= 0.0 || *c >= SIZE);
            let d = before.distance(end).max(0.001);
            if on_border {
                before.towards(end, 1.0 + 3.0 * half / d)
            } else {
                end
            }
        };
        if let [first, second, .., before, last] = points.as_mut_slice() {
            *first = longer(*first, *second);
            *last = longer(*last, *before);
        } else if let [first, last] = points.as_mut_slice() {
            (*first, *last) = (longer(*first, *last), longer(*last, *first));
        }
        let n = points.len();
        let normal = |i: usize| {
            let a = points[i.saturating_sub(1)];
            let b = points[(i + 1).min(n - 1)];
            let d = a.distance(b).max(0.001);
            pt((b.y - a.y) / d, (a.x - b.x) / d)
        };
        let side = |i: usize, sign: f32| {
            let (p, v) = (points[i], normal(i));
            pt(p.x + v.x * half * sign, p.y + v.y * half * sign)
        };
        let there = (0..n).map(|i| side(i, 1.0));
        let back = (0..n).rev().map(|i| side(i, -1.0));
        Shape(there.chain(back).collect()).on_tile()
    }

    /// The point at a share of the line's length.
    pub fn at(&self, share: f32) -> Point {
        let total = self.length();
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

    /// The pieces of the line that are outside of all these shapes.
    pub fn outside(&self, shapes: &[Shape]) -> Vec<Line> {
        let inside = |p: Point| shapes.iter().any(|shape| shape.contains(p));
        let mut pieces = Vec::new();
        let mut piece: Vec<Point> = Vec::new();
        for w in self.0.windows(2) {
            let steps = (w[0].distance(w[1]).ceil() as usize).max(1);
            for k in 0..=steps {
                let p = w[0].towards(w[1], k as f32 / steps as f32);
                // What lies on the border of the tile is not inside of anything.
                let on_border = [p.x, p.y].into_iter().any(|c| c <= 0.0 || c >= SIZE);
                if !inside(p) || on_border {
                    if piece.last() != Some(&p) && (k == 0 || k == steps || piece.is_empty()) {
                        piece.push(p);
                    }
                } else if !piece.is_empty() {
                    let last = w[0].towards(w[1], k.saturating_sub(1) as f32 / steps as f32);
                    if piece.last() != Some(&last) {
                        piece.push(last);
                    }
                    pieces.push(Line(std::mem::take(&mut piece)));
                }
            }
        }
        pieces.push(Line(piece));
        pieces.retain(|piece| piece.0.len() > 1);
        pieces
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

    /// The part of the shape that is on the tile.
    pub fn on_tile(&self) -> Shape {
        let mut points = self.0.clone();
        // One side of the tile after the other: what is beyond it is cut off.
        let depth: [fn(Point) -> f32; 4] = [|p| p.x, |p| SIZE - p.x, |p| p.y, |p| SIZE - p.y];
        for inside in depth {
            let mut kept = Vec::with_capacity(points.len() + 2);
            for i in 0..points.len() {
                let (a, b) = (points[i], points[(i + 1) % points.len()]);
                let (da, db) = (inside(a), inside(b));
                if da >= 0.0 {
                    kept.push(a);
                }
                if (da >= 0.0) != (db >= 0.0) {
                    kept.push(a.towards(b, da / (da - db)));
                }
            }
            points = kept;
        }
        Shape(points)
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
