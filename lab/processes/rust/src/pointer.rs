// SPDX-License-Identifier: BSL-1.0
//! The subjects of the suite `atomics`: pointers that threads read and replace.

use std::sync::{Arc, RwLock};

use arc_swap::ArcSwap;

/// The pointee. Both numbers are equal.
#[derive(Default)]
pub struct Object {
    pub value: u64,
    pub again: u64,
}

impl Object {
    pub fn new(value: u64) -> Self {
        Object { value, again: value }
    }
}

/// By default, it points to an `Object` of zeros.
pub trait Pointer: Default + Send + Sync + 'static {
    const KEY: &'static str;
    /// Keeps the object alive while `look` runs.
    fn read(&self, look: impl FnOnce(&Object));
    fn store(&self, value: Object);
    /// Replaces the object by a changed copy. No other replacement can happen between the read and
    /// the store.
    fn update(&self, change: impl Fn(&Object) -> Object);
}

/// Readers use a guard that does not count.
#[derive(Default)]
pub struct Guarded(ArcSwap<Object>);

impl Pointer for Guarded {
    const KEY: &'static str = "arcswap.load";
    fn read(&self, look: impl FnOnce(&Object)) {
        look(&self.0.load());
    }
    fn store(&self, value: Object) {
        self.0.store(Arc::new(value));
    }
    fn update(&self, change: impl Fn(&Object) -> Object) {
        self.0.rcu(|seen| change(seen));
    }
}

/// Readers become owners.
#[derive(Default)]
pub struct Loaded(ArcSwap<Object>);

impl Pointer for Loaded {
    const KEY: &'static str = "arcswap.load_full";
    fn read(&self, look: impl FnOnce(&Object)) {
        look(&self.0.load_full());
    }
    fn store(&self, value: Object) {
        self.0.store(Arc::new(value));
    }
    fn update(&self, change: impl Fn(&Object) -> Object) {
        self.0.rcu(|seen| change(seen));
    }
}

/// Readers clone an owner under the lock. The replaced object is freed after the lock has been
/// released.
#[derive(Default)]
pub struct Locked(RwLock<Arc<Object>>);

impl Locked {
    fn copy(&self) -> Arc<Object> {
        self.0.read().expect("no writer panics").clone()
    }

    fn replace(&self, make: impl FnOnce(&Object) -> Arc<Object>) {
        let replaced = {
            let mut owner = self.0.write().expect("no writer panics");
            let made = make(&owner);
            std::mem::replace(&mut *owner, made)
        };
        drop(replaced);
    }
}

impl Pointer for Locked {
    const KEY: &'static str = "rwlock_of_arc";
    fn read(&self, look: impl FnOnce(&Object)) {
        look(&self.copy());
    }
    fn store(&self, value: Object) {
        let made = Arc::new(value);
        self.replace(|_| made);
    }
    fn update(&self, change: impl Fn(&Object) -> Object) {
        self.replace(|seen| Arc::new(change(seen)));
    }
}
