// SPDX-License-Identifier: BSL-1.0
//! A bounded queue of bursts from one thread to one other: lab/suites/common/burst_ring.hpp in
//! Rust.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::team::spin_until;

pub const BURST: usize = 32;
const BURSTS: usize = 8;

/// Positions count bursts and never decrease. The bursts from `taken` up to `put` hold elements,
/// and `put - taken <= BURSTS`. Only the giving thread writes `put`, and only the taking thread
/// writes `taken`. Both must be equal when the ring is dropped.
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

/// The data of one end, which only its thread reads and writes: its position, and the other end's
/// position at the last reading.
#[derive(Default)]
#[repr(align(64))]
struct End(UnsafeCell<(usize, usize)>);

// SAFETY: elements go from one thread to another. The rules above say which thread may access a
// place.
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

    /// Waits for room. It then calls `make` for each element of a burst, and puts the results.
    ///
    /// # Safety
    /// Only one thread may call it.
    pub unsafe fn put(&self, mut make: impl FnMut() -> T) {
        let (position, seen) = &mut *self.giving.0.get();
        if *position - *seen == BURSTS {
            // Acquire: the taking thread has left the elements' places before this thread reuses
            // them.
            spin_until(|| {
                *seen = self.taken.0.load(Ordering::Acquire);
                *position - *seen < BURSTS
            });
        }
        for place in self.burst(*position) {
            (*place.get()).write(make());
        }
        *position += 1;
        // Release: a thread that sees the position also sees the elements.
        self.put.0.store(*position, Ordering::Release);
    }

    /// Waits for a burst. It then moves each element out and passes it to `receive`.
    ///
    /// # Safety
    /// Only one thread may call it.
    pub unsafe fn take(&self, mut receive: impl FnMut(T)) {
        let (position, seen) = &mut *self.taking.0.get();
        if *position == *seen {
            // Acquire: this thread sees the elements of the bursts before the position.
            spin_until(|| {
                *seen = self.put.0.load(Ordering::Acquire);
                *position != *seen
            });
        }
        for place in self.burst(*position) {
            receive((*place.get()).assume_init_read());
        }
        *position += 1;
        // Release: this thread no longer uses the places when the giving thread sees the position.
        self.taken.0.store(*position, Ordering::Release);
    }

    fn burst(&self, position: usize) -> &[UnsafeCell<MaybeUninit<T>>] {
        let first = position % BURSTS * BURST;
        &self.places[first..first + BURST]
    }
}
