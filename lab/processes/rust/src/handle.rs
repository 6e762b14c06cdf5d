// SPDX-License-Identifier: BSL-1.0
//! The subjects: reference-counted owners that make their object and its counts in one block.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

/// As large as the pointee of the C++ subjects. That one has room for an intrusive count, which is
/// not used here either.
pub struct Pointee {
    _unused: u64,
    pub value: u64,
}

impl Pointee {
    fn new(value: u64) -> Self {
        Pointee { _unused: 0, value }
    }
}

pub trait Handle: Clone + Deref<Target = Pointee> + 'static {
    const KEY: &'static str;
    fn make(value: u64) -> Self;
}

impl Handle for Rc<Pointee> {
    const KEY: &'static str = "rc";
    fn make(value: u64) -> Self {
        Rc::new(Pointee::new(value))
    }
}

impl Handle for Arc<Pointee> {
    const KEY: &'static str = "arc";
    fn make(value: u64) -> Self {
        Arc::new(Pointee::new(value))
    }
}

impl Handle for triomphe::Arc<Pointee> {
    const KEY: &'static str = "triomphe.arc";
    fn make(value: u64) -> Self {
        triomphe::Arc::new(Pointee::new(value))
    }
}
