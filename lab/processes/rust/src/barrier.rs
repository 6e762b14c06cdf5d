// SPDX-License-Identifier: BSL-1.0
//! What keeps the compiler from measuring less than is written: the same empty assembly as in
//! lab/suites/barrier.hpp, because `std::hint::black_box` moves its argument through memory and
//! says nothing of any other object.

use std::arch::asm;

/// After it, all memory whose address is known elsewhere is as the program has it, and nothing is
/// known of it: no count is kept in a register, and no increment cancelled against a decrement.
#[inline(always)]
pub fn barrier() {
    // SAFETY: there is no instruction in it.
    unsafe { asm!("", options(nostack, preserves_flags)) }
}

/// Makes an object's address known elsewhere, and is a barrier.
#[inline(always)]
pub fn escape<T>(object: *const T) {
    // SAFETY: there is no instruction in it.
    unsafe { asm!("/* {} */", in(reg) object.cast::<u8>(), options(nostack, preserves_flags)) }
}
