//! The numbers of figures: the format tells alike figures of a player apart, we do not.

use trencavel_rules::{Event, Kind, Piece, Seat};

/// The figures that are not in a supply, with their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Numbers {
    list: Vec<(Piece, u8)>,
}

impl Numbers {
    /// Follows what happened. `named` is the number that the message gave: of the figure that comes, or of the one among
    /// alike figures that goes.
    pub(crate) fn follow(&mut self, events: &[Event], named: Option<u8>) {
        for event in events {
            match event {
                Event::Arrived { piece, .. } => {
                    let free = |n: &u8| !self.is_used(piece.seat, piece.kind, *n);
                    let number = named.filter(free).or_else(|| (1..=u8::MAX).find(free));
                    self.list.push((*piece, number.unwrap_or(u8::MAX)));
                }
                Event::Moved { from, to, .. } => {
                    if let Some(i) = self.find(*from, named)
                        && let Some((piece, _)) = self.list.get_mut(i)
                    {
                        *piece = *to;
                    }
                }
                Event::WentHome { piece, .. } => {
                    if let Some(i) = self.find(*piece, named) {
                        self.list.remove(i);
                    }
                }
                _ => {}
            }
        }
    }

    fn find(&self, piece: Piece, named: Option<u8>) -> Option<usize> {
        let of_that_name = |(other, n): &(Piece, u8)| *other == piece && Some(*n) == named;
        let named = self.list.iter().position(of_that_name);
        named.or_else(|| self.list.iter().position(|(other, _)| *other == piece))
    }

    fn is_used(&self, seat: Seat, kind: Kind, number: u8) -> bool {
        let mut list = self.list.iter();
        list.any(|(piece, n)| piece.seat == seat && piece.kind == kind && *n == number)
    }

    /// The smallest number that no figure of this kind has outside its supply.
    pub(crate) fn free(&self, seat: Seat, kind: Kind) -> u8 {
        let mut numbers = 1..=u8::MAX;
        numbers
            .find(|n| !self.is_used(seat, kind, *n))
            .unwrap_or(u8::MAX)
    }

    /// The number of a figure.
    pub(crate) fn of(&self, piece: Piece) -> Option<u8> {
        self.list
            .iter()
            .find(|(other, _)| *other == piece)
            .map(|(_, n)| *n)
    }

    /// Whether a figure, or one of several alike, has this number.
    pub(crate) fn is(&self, piece: Piece, number: u8) -> bool {
        self.list.contains(&(piece, number))
    }
}
