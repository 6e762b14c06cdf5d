// SPDX-License-Identifier: BSL-1.0
//! One operation of a handle and its inverse, repeated, as in lab/suites/operations/in_a_row.hpp.

use std::mem::MaybeUninit;
use std::ptr;

use crate::barrier::{barrier, escape};
use crate::handle::Handle;
use crate::timing::undisturbed_seconds;

const ROWS: u64 = 2048;

/// Operations in each iteration.
pub const OPERATIONS: u64 = 8 * ROWS;

macro_rules! eight_times {
    ($operation:expr) => {
        $operation;
        $operation;
        $operation;
        $operation;
        $operation;
        $operation;
        $operation;
        $operation;
    };
}

/// Two places for handles in memory.
struct Places<H>([MaybeUninit<H>; 2]);

impl<H: Handle> Places<H> {
    fn new() -> Self {
        Places([MaybeUninit::uninit(), MaybeUninit::uninit()])
    }

    fn both(&mut self) -> (*mut H, *mut H) {
        let places = self.0.as_mut_ptr().cast::<H>();
        escape(places);
        (places, places.wrapping_add(1))
    }
}

pub fn copy<H: Handle>(iterations: u64) -> f64 {
    let mut places = Places::<H>::new();
    let (original, copy) = places.both();
    // SAFETY: `original` holds a handle from here to the end, `copy` from each write to its drop.
    unsafe {
        ptr::write(original, H::make(1));
        let seconds = measured(iterations, || {
            for _ in 0..ROWS {
                eight_times!({
                    ptr::write(copy, (*original).clone());
                    barrier();
                    ptr::drop_in_place(copy);
                    barrier();
                });
            }
        });
        ptr::drop_in_place(original);
        seconds
    }
}

/// Moves a handle to the other place and back: two moves. The source of a move needs no release in
/// Rust.
pub fn relocate<H: Handle>(iterations: u64) -> f64 {
    let mut places = Places::<H>::new();
    let (here, there) = places.both();
    // SAFETY: `here` holds the handle before each pair of moves, `there` between the two.
    unsafe {
        ptr::write(here, H::make(1));
        let seconds = measured(iterations, || {
            for _ in 0..ROWS / 2 {
                eight_times!({
                    ptr::write(there, ptr::read(here));
                    barrier();
                    ptr::write(here, ptr::read(there));
                    barrier();
                });
            }
        });
        ptr::drop_in_place(here);
        seconds
    }
}

fn measured(iterations: u64, mut run: impl FnMut()) -> f64 {
    (0..iterations).map(|_| undisturbed_seconds(&mut run)).sum()
}
