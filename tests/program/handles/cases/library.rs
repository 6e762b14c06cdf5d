// SPDX-License-Identifier: BSL-1.0
// Handles that the standard library has for itself.
use std::sync::Arc;
use std::thread;

struct Circle {
    radius: usize,
}

fn main() {
    let circle = Arc::new(Circle { radius: 1 });
    let mut sum = 0;
    for _ in 0..50 {
        let moved = Arc::clone(&circle);
        sum += thread::spawn(move || moved.radius).join().unwrap();
    }
    assert_eq!(sum, 50);
}
