// SPDX-License-Identifier: BSL-1.0
//! Assigns a processor to each of several threads: lab/suites/common/thread_processors.hpp in Rust.

use std::fs;
use std::mem::size_of;
use std::os::raw::c_int;

type Set = [u64; 16];

extern "C" {
    fn sched_getaffinity(thread: c_int, size: usize, set: *mut Set) -> c_int;
    fn sched_setaffinity(thread: c_int, size: usize, set: *const Set) -> c_int;
}

/// Returns the processors of this thread, or none if they do not fit into a `Set`.
fn allowed() -> Option<Set> {
    let mut set = [0; 16];
    // SAFETY: `set` has the given size.
    let status = unsafe { sched_getaffinity(0, size_of::<Set>(), &mut set) };
    (status == 0).then_some(set)
}

fn allow(set: &Set) -> bool {
    // SAFETY: as above.
    unsafe { sched_setaffinity(0, size_of::<Set>(), set) == 0 }
}

/// Returns the processors that this thread may run on: first one of each core, then the others.
pub fn usable() -> Vec<usize> {
    let set = allowed().unwrap_or_default();
    let all = (0..set.len() * 64).filter(|p| set[p / 64] >> (p % 64) & 1 == 1);
    let (mut usable, others): (Vec<_>, Vec<_>) = all.partition(|&p| first_of_core(p) == p);
    usable.extend(others);
    usable
}

/// The list of a core's processors, such as "0,4" or "0-1", begins with the first of them.
fn first_of_core(processor: usize) -> usize {
    let file = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
    let list = fs::read_to_string(file).unwrap_or_default();
    let end = list.find(|c: char| !c.is_ascii_digit()).unwrap_or(list.len());
    list[..end].parse().unwrap_or(processor)
}

/// Keeps the calling thread on one processor during its life.
pub struct Kept {
    before: Set,
}

impl Kept {
    /// Returns none if the system does not allow it.
    pub fn on(processor: usize) -> Option<Self> {
        let before = allowed()?;
        let mut only = [0; 16];
        only[processor / 64] = 1 << (processor % 64);
        allow(&only).then_some(Kept { before })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        allow(&self.before);
    }
}
