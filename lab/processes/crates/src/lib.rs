// SPDX-License-Identifier: BSL-1.0
#![no_std]

#[cfg(feature = "mimalloc_3")]
pub use libmimalloc_sys;
#[cfg(feature = "snmalloc")]
pub use snmalloc_sys;

/// A static library brings its own; nothing here panics.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
