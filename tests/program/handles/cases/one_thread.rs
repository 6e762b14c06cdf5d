// SPDX-License-Identifier: BSL-1.0
// The comments say what the program counts on their lines.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

struct Circle {
    radius: usize,
}

#[derive(Clone)] // counts: copies=0
struct Holder {
    owner: Arc<Circle>, // counts: copies=0
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

#[inline(never)]
fn by_value(owner: Arc<Circle>) -> usize {
    CALLS.fetch_add(1, Ordering::SeqCst); // counts: copies=0 releases=0
    owner.radius
} // counts: releases=1000

#[inline(never)]
fn locked(weak: &Weak<Circle>) -> usize {
    match weak.upgrade() { // counts: locks=100
        Some(owner) => owner.radius,
        None => 0,
    }
}

fn main() {
    let first = Arc::new(Circle { radius: 1 });
    let mut sum = 0;
    for _ in 0..1000 {
        sum += by_value(first.clone()); // counts: copies=1000 releases=0
    }
    let weak = Arc::downgrade(&first); // counts: weak_copies=1
    for _ in 0..100 {
        sum += locked(&weak);
    }
    for i in 0..10 {
        let number = Arc::new(std::hint::black_box(i));
        sum += *number;
    } // counts: releases=10 last_releases=10
    let all: Vec<Arc<Circle>> = (0..50).map(|_| Arc::clone(&first)).collect(); // counts: copies=50
    let holder = Holder { owner: first };
    let holders = [holder.clone(), holder.clone()]; // counts: copies=2
    sum += holders[1].owner.radius;
    let text: Arc<str> = Arc::from("text");
    let other = text.clone(); // counts: copies=1
    println!("{} {}", sum, all.len() + other.len());
}
