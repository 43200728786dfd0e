// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
// A chain of iterators with closures, all inlined, and an index that may be out of bounds.
#![no_std]

#[inline(never)]
fn score(words: &[u32], table: &[u64]) -> u64 {
    words
        .iter()
        .map(|word| word.rotate_left(7) as usize)
        .filter(|place| place % 3 != 0)
        .map(|place| table[place & 0xff])
        .fold(1, |sum, value| (sum ^ value).wrapping_mul(31))
}

#[no_mangle]
pub extern "C" fn start(words: &[u32; 1024], table: &[u64; 64]) -> u64 {
    score(words, table) + 1
}
