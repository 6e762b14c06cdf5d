// SPDX-License-Identifier: BSL-1.0
//! Pointers that threads read and replace, as in lab/suites/atomics.

use std::mem::size_of;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::barrier::{barrier, escape};
use crate::pointer::{Object, Pointer};
use crate::team;
use crate::timing::heap_bytes;

/// Reads of each thread in each iteration.
pub const READS: u64 = 8192;
/// Stores and updates of each thread in each iteration.
pub const STORES: u64 = 512;
pub const READS_FOR_EACH_STORE: [u64; 3] = [10, 1000, 1_000_000];
const MANY: usize = 1024;

/// Pointers, side by side. A single pointer has a cache line for itself.
#[repr(align(64))]
struct Scene<P, const COUNT: usize>([P; COUNT]);

impl<P: Pointer, const COUNT: usize> Scene<P, COUNT> {
    fn new() -> Box<Self> {
        Box::new(Scene(std::array::from_fn(|_| P::default())))
    }
}

/// A thread that reads and replaces.
struct Actor<'a, P, const COUNT: usize> {
    scene: &'a Scene<P, COUNT>,
    at: usize,
    stored: u64,
}

impl<'a, P: Pointer, const COUNT: usize> Actor<'a, P, COUNT> {
    fn new(scene: &'a Scene<P, COUNT>) -> Self {
        Actor { scene, at: 0, stored: 0 }
    }

    /// Reads the pointer `times` times. If there are several pointers, it reads each in turn.
    fn read(&mut self, times: u64) {
        let mut torn = 0;
        let mut at = self.at;
        for _ in 0..times {
            // An odd stride visits every element of a power of two.
            at = at.wrapping_add(61);
            self.scene.0[at % COUNT].read(|seen| torn |= seen.value ^ seen.again);
            barrier();
        }
        self.at = at;
        assert!(torn == 0, "{}: a reader saw an object that was freed or not yet made", P::KEY);
    }

    fn store(&mut self) {
        self.stored += 1;
        self.scene.0[0].store(Object::new(self.stored));
        barrier();
    }

    fn update(&mut self) {
        let change = |seen: &Object| Object { value: seen.value + 1, again: seen.again + 1 };
        self.scene.0[0].update(change);
        barrier();
    }
}

fn read<P: Pointer, const COUNT: usize>(iterations: u64, threads: usize) -> f64 {
    let scene = Scene::<P, COUNT>::new();
    team::measure(iterations, threads, |_| {
        let mut reader = Actor::new(&scene);
        move || reader.read(READS)
    })
}

pub fn read_one_pointer<P: Pointer>(iterations: u64, threads: usize) -> f64 {
    read::<P, 1>(iterations, threads)
}

pub fn read_one_of_many<P: Pointer>(iterations: u64, threads: usize) -> f64 {
    read::<P, MANY>(iterations, threads)
}

/// Reads of each of the two threads in each iteration.
pub fn mixed_batch(reads: u64) -> u64 {
    READS.max(reads / 2)
}

/// Two threads read. Alternately, one of them stores whenever both together have made `reads`
/// reads.
pub fn read_mostly<P: Pointer>(iterations: u64, reads: u64) -> f64 {
    let scene = Scene::<P, 1>::new();
    team::measure(iterations, 2, |number| {
        let mut actor = Actor::new(&scene);
        let mut left = (2 * number as u64 + 1) * reads / 4;
        move || {
            let mut more = mixed_batch(reads);
            while more != 0 {
                let now = more.min(left);
                actor.read(now);
                more -= now;
                left -= now;
                if left == 0 {
                    actor.store();
                    left = reads;
                }
            }
        }
    })
}

pub fn store<P: Pointer>(iterations: u64) -> f64 {
    let scene = Scene::<P, 1>::new();
    team::measure(iterations, 1, |_| {
        let mut writer = Actor::new(&scene);
        move || (0..STORES).for_each(|_| writer.store())
    })
}

pub fn update<P: Pointer>(iterations: u64, threads: usize) -> f64 {
    let scene = Scene::<P, 1>::new();
    let updates = AtomicU64::new(0);
    let seconds = team::measure(iterations, threads, |_| {
        let mut writer = Actor::new(&scene);
        let updates = &updates;
        move || {
            (0..STORES).for_each(|_| writer.update());
            updates.fetch_add(STORES, Ordering::Relaxed);
        }
    });
    let mut last = 0;
    scene.0[0].read(|seen| last = seen.value);
    assert!(last == updates.load(Ordering::Relaxed), "{}: an update was lost", P::KEY);
    seconds
}

/// Returns one reader, two, and as many as leave the writer a processor.
pub fn reader_counts() -> Vec<usize> {
    let most = std::thread::available_parallelism().map_or(2, |n| n.get()).max(2) - 1;
    let mut counts = vec![1, 2, most];
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Counts, for each round, the timed threads that have finished their work. The other threads run
/// until all of them have.
#[repr(align(64))]
struct Rounds {
    threads: usize,
    done: AtomicUsize,
}

impl Rounds {
    fn new(threads: usize) -> Self {
        Rounds { threads, done: AtomicUsize::new(0) }
    }
    fn done(&self) {
        self.done.fetch_add(1, Ordering::Release);
    }
    fn over(&self, round: usize) -> bool {
        self.done.load(Ordering::Acquire) >= round * self.threads
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Role {
    Writer,
    Reader,
}

/// The measurements of which the mean is taken. They are short, so that few are disturbed.
const ROUNDS: u64 = 4;

/// Returns the seconds for an operation of the `timed` threads. One thread replaces the object
/// without end, and the others read it.
pub fn in_a_storm<P: Pointer>(readers: usize, timed: Role) -> f64 {
    const STORES_AT_A_TIME: u64 = 16;
    const READS_AT_A_TIME: u64 = 256;
    const READS_BETWEEN: u64 = 64;
    let own = team::own_processors(readers + 1);
    let long_enough = Duration::from_micros(if own { 500 } else { 15_000 });
    let scene = Scene::<P, 1>::new();
    let all = Rounds::new(if timed == Role::Writer { 1 } else { readers });
    // In picoseconds.
    let times: Vec<AtomicU64> = (0..=readers).map(|_| AtomicU64::new(0)).collect();
    let make_batch = |number: usize| {
        let mut actor = Actor::new(&scene);
        let mut round = 0;
        let mine = if number == 0 { Role::Writer } else { Role::Reader };
        let (all, time) = (&all, &times[number]);
        move || {
            round += 1;
            if mine != timed {
                while !all.over(round) {
                    match mine {
                        Role::Writer => actor.store(),
                        Role::Reader => actor.read(READS_BETWEEN),
                    }
                }
                return;
            }
            let mut operations = 0;
            let begin = Instant::now();
            let mut taken = Duration::ZERO;
            while taken < long_enough {
                match mine {
                    Role::Writer => {
                        (0..STORES_AT_A_TIME).for_each(|_| actor.store());
                        operations += STORES_AT_A_TIME;
                    }
                    Role::Reader => {
                        actor.read(READS_AT_A_TIME);
                        operations += READS_AT_A_TIME;
                    }
                }
                taken = begin.elapsed();
            }
            all.done();
            time.store(taken.as_nanos() as u64 * 1000 / operations, Ordering::Relaxed);
        }
    };
    let timed_ones = if timed == Role::Writer { &times[..1] } else { &times[1..] };
    let mean = |_| {
        let sum: u64 = timed_ones.iter().map(|time| time.load(Ordering::Relaxed)).sum();
        sum as f64 * 1e-12 / timed_ones.len() as f64
    };
    let rounds = if own { ROUNDS } else { 1 };
    team::measure_by(rounds, readers + 1, make_batch, mean) / rounds as f64
}

/// Returns the seconds that 999 of 1000 reads do not exceed, including one reading of the clock. It
/// is the mean over several measurements.
pub fn slow_read<P: Pointer>() -> f64 {
    const TIMED_READS: usize = 8192;
    let scene = Scene::<P, 1>::new();
    let all = Rounds::new(1);
    let times: Vec<AtomicU64> = (0..TIMED_READS).map(|_| AtomicU64::new(0)).collect();
    let make_batch = |number: usize| {
        let mut actor = Actor::new(&scene);
        let mut round = 0;
        let (all, times) = (&all, &times);
        move || {
            round += 1;
            if number == 0 {
                while !all.over(round) {
                    actor.store();
                }
                return;
            }
            let mut before = Instant::now();
            for time in times {
                actor.read(1);
                let now = Instant::now();
                time.store((now - before).as_nanos() as u64, Ordering::Relaxed);
                before = now;
            }
            all.done();
        }
    };
    let slow = |_| {
        let mut sorted: Vec<u64> = times.iter().map(|time| time.load(Ordering::Relaxed)).collect();
        sorted.sort_unstable();
        sorted[TIMED_READS * 999 / 1000] as f64 * 1e-9
    };
    team::measure_by(ROUNDS, 2, make_batch, slow) / ROUNDS as f64
}

pub fn pointer_bytes<P: Pointer>() -> f64 {
    size_of::<P>() as f64
}

/// Returns the bytes of a pointer and its object, without the object's own size. Returns None if
/// the heap's bytes cannot be counted.
pub fn bytes_beyond_the_object<P: Pointer>() -> Option<f64> {
    const POINTERS: usize = 10_000;
    let mut all = Vec::<P>::with_capacity(POINTERS);
    let before = heap_bytes()?;
    all.resize_with(POINTERS, P::default);
    escape(all.as_ptr());
    let each = (heap_bytes()? - before) as f64 / POINTERS as f64;
    // Rounded to a tenth of a byte: the allocator may already have had a few free blocks.
    let on_the_heap = (each * 10.0).round() / 10.0;
    Some(on_the_heap + pointer_bytes::<P>() - size_of::<Object>() as f64)
}
