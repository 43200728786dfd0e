// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! panics LEVELS SECONDS: two families of functions take turns on one stack and never call each other. `red` ends in a panic, which
//! drops a value at each level and is caught in `take_turns`; `blue` ends in `burn`. Most of the time is spent unwinding.

use std::time::{Duration, Instant};

fn opaque<T: Copy>(value: T) -> T {
    unsafe { std::ptr::read_volatile(&value) }
}

#[inline(never)]
fn burn(rounds: u64) -> u64 {
    let mut a = 1u64;
    for i in 0..rounds {
        a = opaque(a.wrapping_mul(6364136223846793005).wrapping_add(i));
    }
    a
}

struct Owned(u64);
impl Drop for Owned {
    #[inline(never)]
    fn drop(&mut self) {
        self.0 = opaque(self.0 + 1);
    }
}

#[inline(never)]
fn red(left: u64) -> u64 {
    let owned = Owned(left);
    if left == 0 {
        std::panic::resume_unwind(Box::new(1u32));
    }
    red(opaque(left - 1)) + opaque(owned.0)
}

#[inline(never)]
fn blue(left: u64) -> u64 {
    let owned = Owned(left);
    if left == 0 {
        return burn(20_000);
    }
    blue(opaque(left - 1)) + opaque(owned.0)
}

#[inline(never)]
fn take_turns(levels: u64, end: Instant) -> u64 {
    let mut sum = 0u64;
    while Instant::now() < end {
        for _ in 0..4 {
            sum = sum.wrapping_add(std::panic::catch_unwind(|| red(levels)).unwrap_or(1));
            sum = sum.wrapping_add(blue(levels));
        }
    }
    sum
}

fn main() {
    let number = |i: usize, otherwise: f64| std::env::args().nth(i).and_then(|a| a.parse().ok()).unwrap_or(otherwise);
    let sum = take_turns(number(1, 40.0) as u64, Instant::now() + Duration::from_secs_f64(number(2, 1.0)));
    std::process::exit(i32::from(opaque(sum) == 0));
}
