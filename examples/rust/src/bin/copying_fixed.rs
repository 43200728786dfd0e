// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Appends to the text.

use std::fmt::Write;

fn join(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        write!(text, "{i}, ").unwrap();
    }
    text
}

fn main() {
    println!("{}", join(40_000).len());
}
