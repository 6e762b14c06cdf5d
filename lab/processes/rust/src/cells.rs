// SPDX-License-Identifier: BSL-1.0
//! What this process measures. Change build.cmake with it, which names the same
//! where this program cannot be built.

use std::rc::Rc;
use std::sync::Arc;

use crate::handle::{Handle, Pointee};
use crate::{construction, operations, threads};

pub struct Cell {
    pub suite: &'static str,
    pub subject: &'static str,
    pub case: &'static str,
    pub n: Option<usize>,
    /// Operations in each iteration.
    pub operations: u64,
    /// The seconds that so many iterations take.
    pub measure: Box<dyn Fn(u64) -> f64>,
}

pub fn all() -> Vec<Cell> {
    let mut cells = Vec::new();
    add_alone::<Rc<Pointee>>(&mut cells);
    add_alone::<Arc<Pointee>>(&mut cells);
    add_alone::<triomphe::Arc<Pointee>>(&mut cells);
    add_shared::<Arc<Pointee>>(&mut cells);
    add_shared::<triomphe::Arc<Pointee>>(&mut cells);
    cells
}

fn add_alone<H: Handle>(cells: &mut Vec<Cell>) {
    let mut add = |suite, test, operations, measure: fn(u64) -> f64| {
        cells.push(Cell {
            suite,
            subject: H::KEY,
            case: test,
            n: None,
            operations,
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
        cells.push(Cell { suite: "threads", subject: H::KEY, case: test, n, operations, measure });
    };
    for size in threads::team_sizes() {
        let one = Box::new(move |iterations| threads::one_object::<H>(iterations, size));
        add("one_object", Some(size), threads::COPIES, one as Box<dyn Fn(u64) -> f64>);
        let each = Box::new(move |iterations| threads::an_object_each::<H>(iterations, size));
        add("an_object_each", Some(size), threads::COPIES, each);
    }
    add("hand_over", None, threads::HANDED_OVER as u64, Box::new(threads::hand_over::<H>));
}
