// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

//! machine [SECONDS] [DEPTH]: async code without a runtime: nested futures, DEPTH levels, polled repeatedly by a small
//! executor. The state of the complete chain is one value of over 100 kB in the frame of `run_inline`, as in async Rust
//! programs.   main > run_inline > poll … > nested (several levels of closures) > leaf_poll > burn

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, RawWaker, RawWakerVTable, Waker};

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

/// Pending three times, with work at each poll.
struct Leaf(u32);
impl Leaf {
    #[inline(never)]
    fn leaf_poll(&mut self) -> Poll<u64> {
        let worked = burn(100_000);
        self.0 += 1;
        if self.0 > 3 { Poll::Ready(worked) } else { Poll::Pending }
    }
}
impl Future for Leaf {
    type Output = u64;
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<u64> {
        self.leaf_poll()
    }
}

// Boxed levels: a chain of real calls of the given depth.
fn nested(depth: u32) -> Pin<Box<dyn Future<Output = u64>>> {
    Box::pin(async move {
        let mut kept = [depth as u64; 16];
        kept[3] ^= if depth > 0 { nested(depth - 1).await } else { Leaf(0).await };
        kept.iter().fold(0, |a, b| a ^ b)
    })
}

// A state machine of over 100 kB: the array lives across an await.
async fn large(depth: u32) -> u64 {
    let mut state = [1u8; 110_000];
    state[opaque(7)] = depth as u8;
    let got = nested(depth).await;
    got ^ state.iter().step_by(4096).map(|x| *x as u64).sum::<u64>()
}

fn waker() -> Waker {
    fn clone(_: *const ()) -> RawWaker { RawWaker::new(std::ptr::null(), &TABLE) }
    fn nothing(_: *const ()) {}
    static TABLE: RawWakerVTable = RawWakerVTable::new(clone, nothing, nothing, nothing);
    unsafe { Waker::from_raw(clone(std::ptr::null())) }
}

#[inline(never)]
fn run_inline(depth: u32) -> u64 {
    let mut future = large(depth);
    let mut pinned = unsafe { Pin::new_unchecked(&mut future) };
    let waker = waker();
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(value) = pinned.as_mut().poll(&mut context) {
            return opaque(value);
        }
    }
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1.0);
    let depth = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(30);
    let end = thread_seconds() + seconds;
    let mut sum = 0;
    while thread_seconds() < end {
        sum ^= run_inline(depth);
    }
    std::process::exit(if sum == 12345 { 1 } else { 0 });
}
