// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Four threads take the same lock for each number.

use std::sync::Mutex;

static TOTAL: Mutex<u64> = Mutex::new(0);

fn add_all(count: u64) {
    for i in 0..count {
        *TOTAL.lock().unwrap() += i & 7;
    }
}

fn main() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| add_all(4_000_000));
        }
    });
    println!("{}", TOTAL.lock().unwrap());
}
