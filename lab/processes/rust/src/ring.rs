// SPDX-License-Identifier: BSL-1.0
//! A bounded queue from one thread to one other, in bursts: lab/suites/threads_ring.hpp in Rust.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::team::spin_until;

pub const BURST: usize = 32;
const BURSTS: usize = 8;

/// Positions count bursts and never turn back. The bursts from `taken` up to `put` hold elements,
/// `put - taken <= BURSTS`; `put` is written by the giving thread alone, `taken` by the taking one.
/// Both must be equal again when the ring ends.
pub struct Ring<T> {
    giving: End,
    taking: End,
    put: Position,
    taken: Position,
    places: Box<[UnsafeCell<MaybeUninit<T>>]>,
}

#[derive(Default)]
#[repr(align(64))]
struct Position(AtomicUsize);

/// What one end alone reads and writes: its position, and the other's as last asked for.
#[derive(Default)]
#[repr(align(64))]
struct End(UnsafeCell<(usize, usize)>);

// SAFETY: elements go from one thread to another; who may touch which place is said above.
unsafe impl<T: Send> Sync for Ring<T> {}

impl<T> Ring<T> {
    pub fn new() -> Self {
        let empty = || UnsafeCell::new(MaybeUninit::uninit());
        Ring {
            giving: End::default(),
            taking: End::default(),
            put: Position::default(),
            taken: Position::default(),
            places: (0..BURST * BURSTS).map(|_| empty()).collect(),
        }
    }

    /// Waits for room, then puts what `make` returns, for each of a burst.
    ///
    /// # Safety
    /// Called by one thread alone.
    pub unsafe fn put(&self, mut make: impl FnMut() -> T) {
        let (position, seen) = &mut *self.giving.0.get();
        if *position - *seen == BURSTS {
            // Acquire: the elements' places have been given up before they are used again.
            spin_until(|| {
                *seen = self.taken.0.load(Ordering::Acquire);
                *position - *seen < BURSTS
            });
        }
        for place in self.burst(*position) {
            (*place.get()).write(make());
        }
        *position += 1;
        // Release: whoever sees the position sees the elements.
        self.put.0.store(*position, Ordering::Release);
    }

    /// Waits for a burst, then moves each element out and hands it to `receive`.
    ///
    /// # Safety
    /// Called by one thread alone.
    pub unsafe fn take(&self, mut receive: impl FnMut(T)) {
        let (position, seen) = &mut *self.taking.0.get();
        if *position == *seen {
            // Acquire: the elements are there.
            spin_until(|| {
                *seen = self.put.0.load(Ordering::Acquire);
                *position != *seen
            });
        }
        for place in self.burst(*position) {
            receive((*place.get()).assume_init_read());
        }
        *position += 1;
        // Release: the places are no longer used when they are given back.
        self.taken.0.store(*position, Ordering::Release);
    }

    fn burst(&self, position: usize) -> &[UnsafeCell<MaybeUninit<T>>] {
        let first = position % BURSTS * BURST;
        &self.places[first..first + BURST]
    }
}
