//! One line for each expansion: everything else about it is in its own module, its tiles file and its rules file.

use crate::bytes::Bytes;
use crate::expansions;
use crate::hooks::{Ctx, Expansion};
use crate::moves::{Chance, Choice, Moves, Seat};
use crate::turn::{Flow, Work};

/// Declares the expansions: the enum of them, their slots in the state, their tasks, and the dispatch.
macro_rules! registry {
    ($($ext:ident = $module:ident;)*) => {
        /// An expansion that the engine has.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Ext { $(
            #[allow(missing_docs)]
            $ext,
        )* }

        impl Ext {
            /// All of them, in the order in which they are linked.
            pub const ALL: &'static [Ext] = &[$(Ext::$ext,)*];

            /// What the expansion adds.
            pub const fn expansion(self) -> &'static Expansion {
                match self { $(Ext::$ext => &expansions::$module::EXPANSION,)* }
            }

            /// The expansion with this slug.
            pub fn from_slug(slug: &str) -> Option<Ext> {
                Ext::ALL.iter().copied().find(|ext| ext.expansion().slug == slug)
            }
        }

        /// The expansions' own parts of the state.
        #[derive(PartialEq, Eq, Debug, Default)]
        pub(crate) struct ExtState { $(pub(crate) $module: expansions::$module::State,)* }

        impl Clone for ExtState {
            fn clone(&self) -> ExtState {
                ExtState { $($module: self.$module.clone(),)* }
            }

            fn clone_from(&mut self, other: &ExtState) {
                $(self.$module.clone_from(&other.$module);)*
            }
        }

        impl Bytes for ExtState {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                $(self.$module.write(out);)*
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                Some(ExtState { $($module: Bytes::read(from)?,)* })
            }
        }

        /// Unfinished work of an expansion.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum ExtTask { $(
            #[allow(missing_docs)]
            $ext(expansions::$module::Task),
        )* }

        impl Bytes for ExtTask {
            fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                match self { $(ExtTask::$ext(task) => {
                    out.push(Ext::$ext as u8);
                    task.write(out);
                })* }
            }
            fn read(from: &mut &[u8]) -> Option<Self> {
                let tag = u8::read(from)?;
                $(if tag == Ext::$ext as u8 {
                    return Some(ExtTask::$ext(Bytes::read(from)?));
                })*
                None
            }
        }

        impl ExtTask {
            /// Does the work, or asks.
            pub(crate) fn enter(self, w: &mut Work) -> Flow {
                match self { $(ExtTask::$ext(task) => task.enter(w),)* }
            }
            /// What the asked seat can choose.
            pub(crate) fn offers(self, c: Ctx, seat: Seat, m: &mut Moves) {
                match self { $(ExtTask::$ext(task) => task.offers(c, seat, m),)* }
            }
            /// Takes an answer whose verb has no act of its own.
            pub(crate) fn act(self, w: &mut Work, seat: Seat, choice: Choice) {
                match self { $(ExtTask::$ext(task) => task.act(w, seat, choice),)* }
            }
            /// Takes a decision of nature.
            pub(crate) fn chance(self, w: &mut Work, chance: Chance) {
                match self { $(ExtTask::$ext(task) => task.chance(w, chance),)* }
            }
            /// What nature can decide, with weights.
            pub(crate) fn outcomes(self, c: Ctx, out: &mut alloc::vec::Vec<(Chance, u32)>) {
                match self { $(ExtTask::$ext(task) => task.outcomes(c, out),)* }
            }
        }
    };
}

/// For expansions that never stop to ask in the middle of something.
macro_rules! no_tasks {
    () => {
        /// This expansion has no unfinished work.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Task {}

        impl $crate::bytes::Bytes for Task {
            fn write(&self, _: &mut alloc::vec::Vec<u8>) {
                match *self {}
            }
            fn read(_: &mut &[u8]) -> Option<Self> {
                None
            }
        }

        impl Task {
            pub(crate) fn enter(self, _: &mut $crate::turn::Work) -> $crate::turn::Flow {
                match self {}
            }
            pub(crate) fn offers(
                self,
                _: $crate::hooks::Ctx,
                _: $crate::moves::Seat,
                _: &mut $crate::moves::Moves,
            ) {
                match self {}
            }
            pub(crate) fn act(
                self,
                _: &mut $crate::turn::Work,
                _: $crate::moves::Seat,
                _: $crate::moves::Choice,
            ) {
                match self {}
            }
            pub(crate) fn chance(self, _: &mut $crate::turn::Work, _: $crate::moves::Chance) {
                match self {}
            }
            pub(crate) fn outcomes(
                self,
                _: $crate::hooks::Ctx,
                _: &mut alloc::vec::Vec<($crate::moves::Chance, u32)>,
            ) {
                match self {}
            }
        }
    };
}
pub(crate) use no_tasks;

registry! {
    Base = base;
    Abbot = abbot;
    River = river;
    InnsAndCathedrals = inns_and_cathedrals;
    TradersAndBuilders = traders_and_builders;
    Phantom = phantom;
    PrincessAndDragon = princess_and_dragon;
    Tower = tower;
    AbbeyAndMayor = abbey_and_mayor;
    Festival = festival;
    RussianPromos = russian_promos;
    HungarianPromo = hungarian_promo;
}
