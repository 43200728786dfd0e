// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! rusty [SECONDS]: kinds of calls in Rust, in two threads. Of the CPU time
//!   50 %  Square::area          through a trait object
//!   30 %  a closure in folded   through &dyn Fn
//!   20 %  panicking             a panic that is caught, then work in a generic function, weigh::<u64>
//! all of it under work, called by main and by a thread.


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

/// Hides a value from the optimizer (std::hint::black_box is too new for Debian 12's rustc).
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

trait Shape {
    fn area(&self, n: u64) -> u64;
}
struct Square(u64);
impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        burn(5 * n) ^ self.0
    }
}

#[inline(never)]
fn by_trait(shape: &dyn Shape) -> u64 {
    shape.area(40_000).wrapping_add(1)
}

#[inline(never)]
fn folded(f: &dyn Fn(u64) -> u64) -> u64 {
    (0..3).fold(0, |a, i| a ^ f(i)).wrapping_add(1)
}

#[inline(never)]
fn weigh<T: Into<u64>>(value: T) -> u64 {
    burn(80_000) ^ value.into()
}

#[inline(never)]
fn panicking(x: u64) -> u64 {
    let caught = std::panic::catch_unwind(move || {
        if cfg!(panic = "unwind") && x % 64 == 3 {
            panic!("expected")
        }
        weigh(x)
    });
    caught.unwrap_or_else(|_| weigh(x)).wrapping_add(1)
}

#[inline(never)]
fn work(seconds: f64) -> u64 {
    let end = thread_seconds() + seconds;
    let square = Square(7);
    let (mut sum, mut round) = (0u64, 0u64);
    while thread_seconds() < end {
        round += 1;
        sum ^= by_trait(&square) ^ folded(&|i| burn(40_000) ^ i ^ round) ^ panicking(round);
    }
    opaque(sum)
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let other = std::thread::Builder::new().name("worker".into()).spawn(move || work(seconds)).unwrap();
    let sum = work(seconds);
    std::process::exit(if sum ^ other.join().unwrap() == 12345 { 1 } else { 0 });
}
