// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Each thread has its own sum, and takes the lock once.

use std::sync::Mutex;

static TOTAL: Mutex<u64> = Mutex::new(0);

fn add_all(count: u64) {
    let sum: u64 = (0..count).map(|i| i & 7).sum();
    *TOTAL.lock().unwrap() += sum;
}

fn main() {
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| add_all(4_000_000));
        }
    });
    println!("{}", TOTAL.lock().unwrap());
}
