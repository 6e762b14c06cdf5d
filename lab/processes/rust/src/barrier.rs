// SPDX-License-Identifier: BSL-1.0
//! Prevents the compiler from removing what is measured. It is the same empty assembly as in
//! lab/suites/common/barrier.hpp. `std::hint::black_box` would move its argument through memory,
//! and it does not affect other objects.

use std::arch::asm;

/// The compiler must assume that this reads and writes all memory whose address has escaped. So it
/// keeps no count in a register, and cancels no increment against a decrement.
#[inline(always)]
pub fn barrier() {
    // SAFETY: it contains no instruction.
    unsafe { asm!("", options(nostack, preserves_flags)) }
}

/// Lets an object's address escape, and is a barrier.
#[inline(always)]
pub fn escape<T>(object: *const T) {
    // SAFETY: it contains no instruction.
    unsafe { asm!("/* {} */", in(reg) object.cast::<u8>(), options(nostack, preserves_flags)) }
}
