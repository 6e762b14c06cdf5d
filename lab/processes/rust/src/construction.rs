// SPDX-License-Identifier: BSL-1.0
//! Makes an object with its owner and drops it, as in lab/suites/construction/making.hpp.

use crate::barrier::{barrier, escape};
use crate::handle::Handle;
use crate::timing::{settle_heap, undisturbed_seconds};

/// The objects in each iteration, and the live objects in `many`.
pub const OBJECTS: u64 = 1024;

pub fn one<H: Handle>(iterations: u64) -> f64 {
    settle_heap();
    let run = || {
        for value in 0..OBJECTS {
            let handle = H::make(value);
            escape(&handle);
        }
    };
    (0..iterations).map(|_| undisturbed_seconds(run)).sum()
}

/// The handles may be empty, as those of the C++ subjects. That makes none of them larger.
pub fn many<H: Handle>(iterations: u64) -> f64 {
    settle_heap();
    let mut alive: Vec<Option<H>> = (0..OBJECTS).map(|_| None).collect();
    escape(alive.as_ptr());
    let mut run = || {
        for (value, place) in (0..OBJECTS).zip(alive.iter_mut()) {
            *place = Some(H::make(value));
            barrier();
        }
        for place in alive.iter_mut() {
            *place = None;
            barrier();
        }
    };
    (0..iterations).map(|_| undisturbed_seconds(&mut run)).sum()
}
