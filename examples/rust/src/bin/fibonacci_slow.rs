// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Computes the same numbers again and again.

fn fibonacci(n: u32) -> u64 {
    if n < 2 { n.into() } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

fn main() {
    println!("{}", fibonacci(38));
}
