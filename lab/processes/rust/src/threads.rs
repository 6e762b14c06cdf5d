// SPDX-License-Identifier: BSL-1.0
//! Owners that threads share, as in lab/suites/threads/handles.hpp.

use std::mem::MaybeUninit;
use std::ptr;
use std::thread;

use crate::barrier::{barrier, escape};
use crate::handle::Handle;
use crate::ring::{Ring, BURST};
use crate::team;

/// Copies and releases of each thread in each iteration.
pub const COPIES: u64 = 8192;
/// Objects that are handed over in each iteration.
pub const HANDED_OVER: usize = 4096;

/// # Safety
/// `original` points to a handle.
unsafe fn copy_and_release<H: Handle>(original: *const H) {
    let mut place = MaybeUninit::<H>::uninit();
    let copy = place.as_mut_ptr();
    escape(original);
    escape(copy);
    for _ in 0..COPIES {
        // `copy` holds a handle from the write to the drop.
        ptr::write(copy, (*original).clone());
        barrier();
        ptr::drop_in_place(copy);
        barrier();
    }
}

pub fn one_object<H: Handle + Send + Sync>(iterations: u64, threads: usize) -> f64 {
    let shared = H::make(1);
    team::measure(iterations, threads, |_| {
        let mine = Box::new(shared.clone());
        // SAFETY: the handle is alive in its box.
        move || unsafe { copy_and_release(&*mine) }
    })
}

pub fn an_object_each<H: Handle>(iterations: u64, threads: usize) -> f64 {
    team::measure(iterations, threads, |_| {
        let mine = Box::new(H::make(1));
        // SAFETY: the handle is alive in its box.
        move || unsafe { copy_and_release(&*mine) }
    })
}

pub fn hand_over<H: Handle + Send>(iterations: u64) -> f64 {
    pass_through_a_ring(iterations, || {
        let mut made = 0;
        move || {
            made += 1;
            H::make(made)
        }
    })
}

pub fn pass_copies<H: Handle + Send + Sync>(iterations: u64) -> f64 {
    let shared = &H::make(1);
    pass_through_a_ring(iterations, || || shared.clone())
}

/// Thread 0 puts what a function of `give` returns into a ring. Thread 1 releases it.
fn pass_through_a_ring<H: Handle + Send, Give: FnMut() -> H>(
    iterations: u64,
    give: impl Fn() -> Give + Sync,
) -> f64 {
    let ring = Ring::<H>::new();
    team::measure(iterations, 2, |number| {
        let ring = &ring;
        let mut next = give();
        move || {
            for _ in 0..HANDED_OVER / BURST {
                // SAFETY: only thread 0 puts, and only thread 1 takes. Both do so equally often.
                unsafe {
                    if number == 0 {
                        ring.put(&mut next);
                    } else {
                        ring.take(|last| escape(last.value as *const u8));
                    }
                }
            }
        }
    })
}

/// Returns the sizes of teams, and twice the largest.
pub fn with_more_than_processors() -> Vec<usize> {
    let mut sizes = team_sizes();
    sizes.extend(sizes.last().map(|most| 2 * most));
    sizes
}

/// Returns 1, 2, 4, ... and the number of threads that this machine runs at a time, which is at
/// least 2.
pub fn team_sizes() -> Vec<usize> {
    let most = thread::available_parallelism().map_or(2, |n| n.get()).max(2);
    let mut sizes: Vec<usize> =
        std::iter::successors(Some(1), |size| Some(size * 2)).take_while(|&s| s < most).collect();
    sizes.push(most);
    sizes
}
