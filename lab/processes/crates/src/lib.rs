// SPDX-License-Identifier: BSL-1.0
#![no_std]

#[cfg(feature = "mimalloc_3")]
pub use libmimalloc_sys;
#[cfg(feature = "snmalloc")]
pub use snmalloc_sys;

/// A static library needs its own panic handler. No code here panics.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
