// SPDX-License-Identifier: BSL-1.0
//! An external process of freehold-lab: measures Rust's reference-counted owners, in the protocol that
//! lab/README.md specifies.

mod atomics;
mod barrier;
mod cells;
mod construction;
mod handle;
mod operations;
mod pointer;
mod processors;
mod ring;
mod team;
mod threads;
mod timing;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use cells::Cell;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The process `single` has no cells: a second thread changes nothing in Rust's owners.
fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--process", "threaded"] => thread::scope(|scope| {
            // The second thread waits, without running, until its channel is closed.
            let (end, ended) = mpsc::channel::<()>();
            scope.spawn(move || ended.recv());
            let served = serve(&cells::all());
            drop(end);
            served
        }),
        ["--process", "single"] => serve(&[]),
        _ => Err("call it with --process threaded or --process single".to_string()),
    }
}

fn serve(cells: &[Cell]) -> Result<(), String> {
    print_line(&description(cells))?;
    for request in io::stdin().lock().lines() {
        let request = request.map_err(|error| format!("cannot read standard input: {error}"))?;
        let (cell, iterations) = parse(&request, cells)
            .ok_or_else(|| format!("`{request}` is not the index of a cell and iterations"))?;
        print_line(&format!("{:e}", (cell.measure)(iterations)))?;
    }
    Ok(())
}

fn parse<'a>(request: &str, cells: &'a [Cell]) -> Option<(&'a Cell, u64)> {
    let (index, iterations) = request.split_once(' ')?;
    let cell = cells.get(index.parse::<usize>().ok()?)?;
    let iterations = iterations.parse().ok().filter(|&n| n > 0)?;
    Some((cell, iterations))
}

fn print_line(line: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")
        .and_then(|()| out.flush())
        .map_err(|error| format!("cannot write to standard output: {error}"))
}

/// Returns the description in JSON. No name in it needs escapes. The subjects are those of
/// subjects.json, with their versions.
fn description(cells: &[Cell]) -> String {
    let rust = env!("PROCESS_RUST_VERSION");
    let subjects = include_str!("../subjects.json")
        .replace(r#""origin":"Rust""#, &format!(r#""origin":"Rust","version":"{rust}""#))
        .replace('\n', "");
    let subjects = ["triomphe", "arc-swap"].iter().fold(subjects, |text, of| {
        let origin = format!(r#""origin":"{of}""#);
        text.replace(&origin, &format!(r#"{origin},"version":"{}""#, locked_version(of)))
    });
    let cells: Vec<String> = cells.iter().map(describe).collect();
    [
        r#"{"format":"freehold-process","version":2"#.to_string(),
        format!(r#""compiler":"rustc {rust}","flags":"-C opt-level=3""#),
        format!(r#""standard_library":"Rust {rust}""#),
        format!(r#""subjects":{subjects}"#),
        format!(r#""cells":[{}]}}"#, cells.join(",")),
    ]
    .join(",")
}

fn describe(cell: &Cell) -> String {
    let n = cell.n.map_or(String::new(), |n| format!(r#""n":{n},"#));
    format!(
        r#"{{"suite":"{}","subject":"{}","case":"{}",{n}"scale":{:e},"once":{}}}"#,
        cell.suite, cell.subject, cell.case, cell.scale, cell.once
    )
}

/// Returns the version of a crate in Cargo.lock.
fn locked_version(of: &str) -> &'static str {
    include_str!("../Cargo.lock")
        .split_once(&format!("name = \"{of}\"\nversion = \""))
        .and_then(|(_, after)| after.split_once('"'))
        .map_or("unknown", |(version, _)| version)
}
