// SPDX-License-Identifier: BSL-1.0
//! Threads that repeatedly run the same batch at the same time: lab/suites/common/thread_group.hpp
//! in Rust.

use std::os::raw::c_long;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::processors;
use crate::timing::times_preempted;

/// Spins. After a long wait it yields the processor to other threads.
pub fn spin_until(reached: impl FnMut() -> bool) {
    spin_and_yield(4096, reached);
}

fn spin_and_yield(spins_per_yield: u32, mut reached: impl FnMut() -> bool) {
    let mut spins = 0;
    while !reached() {
        std::hint::spin_loop();
        spins += 1;
        if spins % spins_per_yield == 0 {
            thread::yield_now();
        }
    }
}

const GATHER: usize = 0;
const START: usize = 1;
const END: usize = 2;

/// `arrived` counts the other threads that have arrived since the last round began. The leading
/// thread changes the other members only while all others wait.
#[repr(align(64))]
struct Line {
    round: AtomicUsize,
    call: AtomicUsize,
    arrived: AtomicUsize,
    others: usize,
    spins_per_yield: u32,
}

impl Line {
    fn wait_for_others(&self) {
        // Acquire: this thread sees what the others did before they arrived.
        spin_and_yield(self.spins_per_yield, || {
            self.arrived.load(Ordering::Acquire) == self.others
        });
    }

    fn release(&self, call: usize) {
        // Relaxed: the others read these, and count themselves in, only after they see the new
        // round.
        self.call.store(call, Ordering::Relaxed);
        self.arrived.store(0, Ordering::Relaxed);
        self.round.fetch_add(1, Ordering::Release);
    }

    fn arrive(&self) -> usize {
        // Relaxed: the round does not change before this thread has arrived.
        let before = self.round.load(Ordering::Relaxed);
        self.arrived.fetch_add(1, Ordering::Release);
        spin_and_yield(self.spins_per_yield, || self.round.load(Ordering::Acquire) != before);
        self.call.load(Ordering::Relaxed)
    }
}

/// The times at which a thread began and ended its batch, in nanoseconds since the team was made.
#[derive(Default)]
#[repr(align(64))]
struct Lap {
    begin: AtomicU64,
    end: AtomicU64,
    preempted: AtomicU64,
}

struct Team {
    line: Line,
    laps: Vec<Lap>,
    made: Instant,
    processors: Vec<usize>,
}

/// Returns whether each of `threads` threads has its own processor. Otherwise they share the
/// processors evenly.
pub fn own_processors(threads: usize) -> bool {
    processors::usable().len() >= threads
}

/// Returns the seconds that `iterations` iterations take with `size` threads: the sum of the times
/// from the first thread's start to the last one's end. Each thread has its own processor if there
/// are enough. Each thread calls `make_batch` with its own number; the calling thread has the
/// number 0. The thread calls the result for every batch. The first batch warms up.
pub fn measure<Batch: FnMut()>(
    iterations: u64,
    size: usize,
    make_batch: impl Fn(usize) -> Batch + Sync,
) -> f64 {
    measure_by(iterations, size, make_batch, |whole| whole)
}

/// The same, but `seconds_of_batch` returns after each batch how long it took. It gets the time of
/// all threads. It is for batches in which only some threads have a fixed working time and the
/// others work until those have finished.
pub fn measure_by<Batch: FnMut()>(
    iterations: u64,
    size: usize,
    make_batch: impl Fn(usize) -> Batch + Sync,
    seconds_of_batch: impl Fn(f64) -> f64,
) -> f64 {
    let team = Team {
        line: Line {
            round: AtomicUsize::new(0),
            call: AtomicUsize::new(GATHER),
            arrived: AtomicUsize::new(0),
            others: size - 1,
            spins_per_yield: if own_processors(size) { 4096 } else { 16 },
        },
        laps: (0..size).map(|_| Lap::default()).collect(),
        made: Instant::now(),
        processors: processors::usable(),
    };
    thread::scope(|scope| {
        for number in 1..size {
            let (team, make_batch) = (&team, &make_batch);
            scope.spawn(move || {
                let _place = team.place(number);
                team.follow(number, make_batch(number))
            });
        }
        let _place = team.place(0);
        let mut batch = make_batch(0);
        team.lap(&mut batch);
        let seconds =
            (0..iterations).map(|_| team.undisturbed_lap(&mut batch, &seconds_of_batch)).sum();
        team.line.release(END);
        seconds
    })
}

impl Team {
    fn place(&self, number: usize) -> Option<processors::Kept> {
        let count = self.processors.len();
        (count != 0).then(|| processors::Kept::on(self.processors[number % count])).flatten()
    }

    fn all_run(&self) -> bool {
        self.processors.len() >= self.laps.len()
    }

    /// Repeats the lap if a thread was preempted. After a few attempts the shortest time counts.
    /// Threads that share processors are preempted all the time, so there the first attempt counts.
    fn undisturbed_lap(
        &self,
        batch: &mut impl FnMut(),
        seconds_of_batch: &impl Fn(f64) -> f64,
    ) -> f64 {
        let attempts = if self.all_run() { 8 } else { 1 };
        // A longer lap is usually preempted, and takes hardly longer for that reason.
        const LONG: f64 = 0.01;
        let mut shortest = f64::INFINITY;
        for _ in 0..attempts {
            self.lap(batch);
            let whole = self.seconds();
            let seconds = seconds_of_batch(whole);
            shortest = shortest.min(seconds);
            if whole > LONG {
                return seconds;
            }
            if self.laps.iter().all(|lap| lap.preempted.load(Ordering::Relaxed) == 0) {
                return seconds;
            }
        }
        shortest
    }

    fn seconds(&self) -> f64 {
        let first = self.laps.iter().map(|lap| lap.begin.load(Ordering::Relaxed)).min();
        let last = self.laps.iter().map(|lap| lap.end.load(Ordering::Relaxed)).max();
        (last.unwrap_or(0) - first.unwrap_or(0)) as f64 * 1e-9
    }

    fn lap(&self, batch: &mut impl FnMut()) {
        self.line.wait_for_others();
        let before = self.gather();
        self.line.release(START);
        self.timed(0, batch, before);
        self.line.wait_for_others();
    }

    /// Calls the others until they come back so soon that every thread must be running. With too
    /// few processors for that it gives up. Returns how often this thread was preempted so far.
    fn gather(&self) -> c_long {
        const SOON: Duration = Duration::from_micros(20);
        let attempts = if self.all_run() { 16 } else { 1 };
        let mut before = 0;
        for _ in 0..attempts {
            before = times_preempted();
            let called = Instant::now();
            self.line.release(GATHER);
            self.line.wait_for_others();
            if called.elapsed() < SOON {
                break;
            }
        }
        before
    }

    fn follow(&self, number: usize, mut batch: impl FnMut()) {
        let mut before = 0;
        loop {
            match self.line.arrive() {
                START => self.timed(number, &mut batch, before),
                END => return,
                _ => before = times_preempted(),
            }
        }
    }

    // Relaxed: the line orders these writes before the leading thread's reads.
    fn timed(&self, number: usize, batch: &mut impl FnMut(), preempted_before: c_long) {
        let lap = &self.laps[number];
        let begin = self.made.elapsed();
        batch();
        let end = self.made.elapsed();
        lap.begin.store(begin.as_nanos() as u64, Ordering::Relaxed);
        lap.end.store(end.as_nanos() as u64, Ordering::Relaxed);
        let preempted = times_preempted() != preempted_before;
        lap.preempted.store(preempted.into(), Ordering::Relaxed);
    }
}
