// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! panics LEVELS SECONDS: two families of functions take turns on one stack and never call each other. `red` ends in a panic, which
//! drops a value at each level and is caught in `take_turns`; `blue` ends in `burn`. Most of the time is spent unwinding.


/// CPU time, so that a busy machine does not shorten the work.
fn thread_seconds() -> f64 {
    const CLOCK_THREAD_CPUTIME_ID: i32 = 3;
    extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    }
    let mut time = [0i64; 2];
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time[0] as f64 + time[1] as f64 / 1e9
}

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
fn take_turns(levels: u64, end: f64) -> u64 {
    let mut sum = 0u64;
    while thread_seconds() < end {
        for _ in 0..4 {
            sum = sum.wrapping_add(std::panic::catch_unwind(|| red(levels)).unwrap_or(1));
            sum = sum.wrapping_add(blue(levels));
        }
    }
    sum
}

fn main() {
    let number = |i: usize, otherwise: f64| std::env::args().nth(i).and_then(|a| a.parse().ok()).unwrap_or(otherwise);
    let sum = take_turns(number(1, 40.0) as u64, thread_seconds() + number(2, 1.0));
    std::process::exit(i32::from(opaque(sum) == 0));
}
