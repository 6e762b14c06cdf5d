// SPDX-License-Identifier: BSL-1.0
// Two branches that end alike. rustc merges their ends, and gives the line 0 to them.
use std::sync::Arc;

struct Circle {
    radius: u32,
}

#[inline(never)]
fn by_value(circle: Arc<Circle>) -> u32 {
    circle.radius
}

#[inline(never)]
fn either(circle: &Arc<Circle>, first: bool) -> u32 {
    let mut sum = 0;
    if first {
        sum += 1;
        let copy = circle.clone();
        sum += by_value(copy);
    } else {
        sum += 2;
        let copy = circle.clone();
        sum += by_value(copy);
    }
    sum
}

fn main() {
    let circle = Arc::new(Circle { radius: 3 });
    let mut sum = 0;
    for i in 0..100 {
        sum += either(&circle, i % 2 == 0);
    }
    println!("{}", sum);
}
