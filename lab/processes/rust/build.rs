// SPDX-License-Identifier: BSL-1.0
//! Passes the version of the compiler to the program.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var_os("RUSTC").expect("cargo names the compiler");
    let said = Command::new(rustc).arg("--version").output().ok();
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    // "rustc 1.63.0 (4b91a6ea7 2022-08-08)"
    let version = said.as_deref().and_then(|line| line.split(' ').nth(1)).unwrap_or("unknown");
    println!("cargo:rustc-env=PROCESS_RUST_VERSION={version}");
    println!("cargo:rerun-if-changed=build.rs");
}
