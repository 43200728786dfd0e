// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! Reserves the capacity first.

fn make_row(seed: u64, columns: usize) -> Vec<u64> {
    let mut row = Vec::with_capacity(columns);
    for i in 0..columns {
        row.push(seed ^ i as u64);
    }
    row
}

fn make_table(rows: u64, columns: usize) -> Vec<Vec<u64>> {
    (0..rows).map(|seed| make_row(seed, columns)).collect()
}

fn main() {
    let mut sum = 0;
    for _ in 0..60_000 {
        let table = make_table(20, 100);
        sum += table[table.len() / 2].iter().sum::<u64>();
    }
    println!("{sum}");
}
