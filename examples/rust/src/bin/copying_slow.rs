// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Copies the text so far for each part that is added.

fn join(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        text = text.clone() + &i.to_string() + ", ";
    }
    text
}

fn main() {
    println!("{}", join(40_000).len());
}
