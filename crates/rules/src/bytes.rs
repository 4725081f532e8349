//! The canonical encoding of states: fixed widths, little-endian, the same on every platform. Snapshots and state hashes
//! are made of it.

use alloc::vec::Vec;

use crate::clause::Clause;
use crate::figures::{Crowd, Piece, Pieces, Spot};
use crate::geometry::{Pos, Rotation};
use crate::moves::{
    Choice, FeatureId, MAX_SEATS, Seat, SeatSet, SegId, Target, TileKind, TileSlot,
};
use crate::vocabulary::{FeatureKind, Kind, Marks, Nature, Place, Verb, Way, Why};

/// Something with a canonical encoding.
pub(crate) trait Bytes: Sized {
    /// Appends the encoding.
    fn write(&self, out: &mut Vec<u8>);
    /// Takes the encoding off the front; `None` if it is not one.
    fn read(from: &mut &[u8]) -> Option<Self>;
}

macro_rules! int_bytes {
    ($($int:ty)*) => { $(
        impl Bytes for $int {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                let (head, rest) = from.split_first_chunk()?;
                *from = rest;
                Some(<$int>::from_le_bytes(*head))
            }
        }
    )* };
}
int_bytes!(u8 u16 u32 u64 i8 i16 i32);

/// Encodes a struct field by field.
macro_rules! struct_bytes {
    ($name:ident { $($field:tt),* $(,)? }) => {
        impl $crate::bytes::Bytes for $name {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $($crate::bytes::Bytes::write(&self.$field, out);)*
                let _ = out;
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                let _ = &from;
                Some($name { $($field: $crate::bytes::Bytes::read(from)?,)* })
            }
        }
    };
}
pub(crate) use struct_bytes;

/// Encodes an enum: a byte for the variant, then its fields.
macro_rules! enum_bytes {
    ($name:ident { $($tag:literal = $variant:ident $(($($field:ident),+))?),* $(,)? }) => {
        impl $crate::bytes::Bytes for $name {
            #[allow(unused_variables)]
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                match self {
                    $($name::$variant $(($($field),+))? => {
                        out.push($tag);
                        $($($crate::bytes::Bytes::write($field, out);)+)?
                    })*
                }
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                match <u8 as $crate::bytes::Bytes>::read(from)? {
                    $($tag => Some($name::$variant $(($({ let $field = $crate::bytes::Bytes::read(from)?; $field }),+))?),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use enum_bytes;

/// Encodes a word by its place in the vocabulary.
macro_rules! word_bytes {
    ($($name:ident)*) => { $(
        impl Bytes for $name {
            fn write(&self, out: &mut Vec<u8>) {
                out.push(self.index() as u8);
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                $name::from_index(usize::from(u8::read(from)?))
            }
        }
    )* };
}
word_bytes!(FeatureKind Kind Place Way Why Verb Nature);

struct_bytes!(Pos { x, y });
struct_bytes!(Seat { 0 });
struct_bytes!(SeatSet { 0 });
struct_bytes!(SegId { 0 });
struct_bytes!(FeatureId { 0 });
struct_bytes!(TileSlot { 0 });
struct_bytes!(TileKind { 0 });
struct_bytes!(Spot { place, at });
struct_bytes!(Piece { spot, seat, kind });
struct_bytes!(Crowd { followers, figures });
struct_bytes!(Marks { 0 });
struct_bytes!(Clause { 0 });

enum_bytes!(Target {
    0 = None,
    1 = Square(pos, rotation),
    2 = Segment(seg),
    3 = Tile(slot),
    4 = Corner(pos),
    5 = Piece(piece),
    6 = Seat(seat),
    7 = Number(n),
});
struct_bytes!(Choice { verb, kind, target });

impl Bytes for () {
    fn write(&self, _: &mut Vec<u8>) {}
    fn read(_: &mut &[u8]) -> Option<Self> {
        Some(())
    }
}

impl Bytes for bool {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Bytes for Rotation {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.quarters());
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        let quarters = u8::read(from)?;
        (quarters < 4).then(|| Rotation::from_quarters(quarters))
    }
}

impl<T: Bytes> Bytes for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            None => out.push(0),
            Some(value) => {
                out.push(1);
                value.write(out);
            }
        }
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        match u8::read(from)? {
            0 => Some(None),
            1 => Some(Some(T::read(from)?)),
            _ => None,
        }
    }
}

impl<A: Bytes, B: Bytes> Bytes for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        Some((A::read(from)?, B::read(from)?))
    }
}

impl<T: Bytes> Bytes for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        for item in self {
            item.write(out);
        }
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        let n = u32::read(from)?;
        let mut items = Vec::new();
        for _ in 0..n {
            items.push(T::read(from)?);
        }
        Some(items)
    }
}

impl<T: Bytes + Copy + Default, const N: usize> Bytes for [T; N] {
    fn write(&self, out: &mut Vec<u8>) {
        for item in self {
            item.write(out);
        }
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(from)?;
        }
        Some(items)
    }
}

impl Bytes for Pieces {
    fn write(&self, out: &mut Vec<u8>) {
        (self.len() as u32).write(out);
        for piece in self.iter() {
            piece.write(out);
        }
    }
    fn read(from: &mut &[u8]) -> Option<Self> {
        let mut pieces = Pieces::default();
        for piece in Vec::<Piece>::read(from)? {
            if piece.seat.index() >= MAX_SEATS {
                return None;
            }
            pieces.insert(piece);
        }
        Some(pieces)
    }
}

/// FNV-1a over 64 bits: small, and the same everywhere. It guards against mistakes, not against attackers.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
