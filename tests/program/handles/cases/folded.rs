// SPDX-License-Identifier: BSL-1.0
// Functions that differ in their types alone. LLVM makes one of two, and keeps the name of one.
use std::sync::Arc;

struct Circle {
    value: u64,
}

struct Square {
    value: u64,
}

struct Lone {
    value: u64,
}

#[inline(never)]
fn hold<T>(to: &mut Vec<Arc<T>>, one: &Arc<T>) {
    for _ in 0..50 {
        to.push(one.clone());
    }
}

#[inline(never)]
fn use_circle(owner: Arc<Circle>) -> u64 {
    owner.value
}

#[inline(never)]
fn use_square(owner: Arc<Square>) -> u64 {
    owner.value
}

#[inline(never)]
fn use_lone(owner: Arc<Lone>) -> u64 {
    owner.value + 1
}

fn main() {
    let circle = Arc::new(Circle { value: 1 });
    let square = Arc::new(Square { value: 1 });
    let lone = Arc::new(Lone { value: 1 });
    let mut circles = Vec::new();
    let mut squares = Vec::new();
    hold(&mut circles, &circle);
    hold(&mut squares, &square);
    let mut sum = 0;
    for _ in 0..100 {
        sum += use_circle(circle.clone());
    }
    for _ in 0..20 {
        sum += use_square(square.clone());
    }
    for _ in 0..10 {
        sum += use_lone(lone.clone());
    }
    std::process::exit(if sum == 140 { 0 } else { 1 });
}
