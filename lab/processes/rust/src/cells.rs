// SPDX-License-Identifier: BSL-1.0
//! The cells of this process. build.cmake names the same cells for a machine that cannot build this
//! program. Change both together.

use std::rc::Rc;
use std::sync::Arc;

use crate::atomics::Role;
use crate::handle::{Handle, Pointee};
use crate::pointer::{Guarded, Loaded, Locked, Pointer};
use crate::{atomics, construction, operations, team, threads};

pub struct Cell {
    pub suite: &'static str,
    pub subject: &'static str,
    pub case: &'static str,
    pub n: Option<usize>,
    /// Converts seconds for each iteration to the figure.
    pub scale: f64,
    /// True if one iteration is a whole measurement. Otherwise iterations fill the minimum time.
    pub once: bool,
    /// Returns the seconds that this number of iterations takes.
    pub measure: Box<dyn Fn(u64) -> f64>,
}

pub fn all() -> Vec<Cell> {
    let mut cells = Vec::new();
    add_alone::<Rc<Pointee>>(&mut cells);
    add_alone::<Arc<Pointee>>(&mut cells);
    add_alone::<triomphe::Arc<Pointee>>(&mut cells);
    add_shared::<Arc<Pointee>>(&mut cells);
    add_shared::<triomphe::Arc<Pointee>>(&mut cells);
    add_pointer::<Guarded>(&mut cells);
    add_pointer::<Loaded>(&mut cells);
    add_pointer::<Locked>(&mut cells);
    cells
}

/// Converts seconds for each iteration to nanoseconds for each of `operations` operations.
fn nanoseconds_of(operations: u64) -> f64 {
    1e9 / operations as f64
}

fn add_alone<H: Handle>(cells: &mut Vec<Cell>) {
    let mut add = |suite, test, operations, measure: fn(u64) -> f64| {
        cells.push(Cell {
            suite,
            subject: H::KEY,
            case: test,
            n: None,
            scale: nanoseconds_of(operations),
            once: false,
            measure: Box::new(measure),
        });
    };
    add("operations", "copy", operations::OPERATIONS, operations::copy::<H>);
    add("operations", "move", operations::OPERATIONS, operations::relocate::<H>);
    add("construction", "one", construction::OBJECTS, construction::one::<H>);
    add("construction", "1024_alive", construction::OBJECTS, construction::many::<H>);
}

fn add_shared<H: Handle + Send + Sync>(cells: &mut Vec<Cell>) {
    let mut add = |test, n, operations, measure| {
        let scale = nanoseconds_of(operations);
        let (suite, subject, once) = ("threads", H::KEY, false);
        cells.push(Cell { suite, subject, case: test, n, scale, once, measure });
    };
    for size in threads::with_more_than_processors() {
        let one = Box::new(move |iterations| threads::one_object::<H>(iterations, size));
        add("one_object", Some(size), threads::COPIES, one as Box<dyn Fn(u64) -> f64>);
    }
    for size in threads::team_sizes() {
        let each = Box::new(move |iterations| threads::an_object_each::<H>(iterations, size));
        add("an_object_each", Some(size), threads::COPIES, each);
    }
    add("hand_over", None, threads::HANDED_OVER as u64, Box::new(threads::hand_over::<H>));
    add("pass_copies", None, threads::HANDED_OVER as u64, Box::new(threads::pass_copies::<H>));
}

fn add_pointer<P: Pointer>(cells: &mut Vec<Cell>) {
    let mut add = |case, n, scale, once, measure| {
        cells.push(Cell { suite: "atomics", subject: P::KEY, case, n, scale, once, measure });
    };
    type Measure = Box<dyn Fn(u64) -> f64>;
    for size in threads::team_sizes() {
        let reads = nanoseconds_of(atomics::READS);
        let one: Measure = Box::new(move |i| atomics::read_one_pointer::<P>(i, size));
        add("read.one_pointer", Some(size), reads, false, one);
        let many: Measure = Box::new(move |i| atomics::read_one_of_many::<P>(i, size));
        add("read.one_of_many", Some(size), reads, false, many);
        let update: Measure = Box::new(move |i| atomics::update::<P>(i, size));
        add("update", Some(size), nanoseconds_of(atomics::STORES), false, update);
    }
    for reads in atomics::READS_FOR_EACH_STORE {
        let scale = nanoseconds_of(atomics::mixed_batch(reads));
        let mixed: Measure = Box::new(move |i| atomics::read_mostly::<P>(i, reads));
        add("read_mostly", Some(reads as usize), scale, false, mixed);
    }
    add("store", None, nanoseconds_of(atomics::STORES), false, Box::new(atomics::store::<P>));
    for readers in atomics::reader_counts() {
        for (case, timed) in [("storm.store", Role::Writer), ("storm.read", Role::Reader)] {
            if timed == Role::Reader && !team::own_processors(readers + 1) {
                continue;
            }
            let storm = move |_| atomics::in_a_storm::<P>(readers, timed);
            add(case, Some(readers), 1e9, true, Box::new(storm));
        }
    }
    add("storm.latency", None, 1e9, true, Box::new(|_| atomics::slow_read::<P>()));
    add("pointer", None, 1.0, true, Box::new(|_| atomics::pointer_bytes::<P>()));
    if atomics::bytes_beyond_the_object::<P>().is_some() {
        let bytes = |_| atomics::bytes_beyond_the_object::<P>().unwrap_or(0.0);
        add("beyond_the_object", None, 1.0, true, Box::new(bytes));
    }
}
