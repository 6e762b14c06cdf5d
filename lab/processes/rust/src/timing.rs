// SPDX-License-Identifier: BSL-1.0
//! lab/suites/common/timing.hpp in Rust.

use std::os::raw::{c_int, c_long};
use std::time::Instant;

extern "C" {
    fn getrusage(who: c_int, usage: *mut [c_long; 18]) -> c_int;
    #[cfg(target_env = "gnu")]
    fn malloc_trim(pad: usize) -> c_int;
    #[cfg(target_env = "gnu")]
    fn mallinfo2() -> HeapInfo;
}

/// `struct mallinfo2`.
#[cfg(target_env = "gnu")]
#[repr(C)]
struct HeapInfo([usize; 10]);

/// Returns how often the system has preempted this thread.
pub fn times_preempted() -> c_long {
    const RUSAGE_THREAD: c_int = 1;
    const INVOLUNTARY_SWITCHES: usize = 17; // the last of two `timeval`s and fourteen `long`s
    let mut usage = [0; 18];
    // SAFETY: on Linux `struct rusage` is 18 words, and `usage` is as large.
    unsafe { getrusage(RUSAGE_THREAD, &mut usage) };
    usage[INVOLUNTARY_SWITCHES]
}

/// Returns the seconds that `run` takes. If the thread was preempted, it calls `run` again. After a
/// few attempts it gives up.
pub fn undisturbed_seconds(mut run: impl FnMut()) -> f64 {
    const ATTEMPTS: u32 = 5;
    let mut attempt = 1;
    loop {
        let before = times_preempted();
        let begin = Instant::now();
        run();
        let seconds = begin.elapsed().as_secs_f64();
        if times_preempted() == before || attempt == ATTEMPTS {
            return seconds;
        }
        attempt += 1;
    }
}

/// Brings the heap into the same state, whatever was measured before. glibc coalesces its free
/// blocks, so that the next blocks come in the order of their addresses.
pub fn settle_heap() {
    // SAFETY: any thread may call it at any time.
    #[cfg(target_env = "gnu")]
    unsafe {
        malloc_trim(0);
    }
}

/// Returns the bytes that malloc has handed out and not got back, as in
/// lab/suites/common/heap_bytes.hpp. Returns None if malloc does not report them.
pub fn heap_bytes() -> Option<usize> {
    #[cfg(target_env = "gnu")]
    {
        const MAPPED: usize = 4;
        const IN_USE: usize = 7;
        // SAFETY: any thread may call it at any time.
        let HeapInfo(info) = unsafe { mallinfo2() };
        Some(info[IN_USE] + info[MAPPED])
    }
    #[cfg(not(target_env = "gnu"))]
    None
}
