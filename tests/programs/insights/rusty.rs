// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// rusty MODE [SECONDS]: as cxx.cc, for Rust.

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::{Condvar, Mutex};

extern "C" {
    fn clock() -> std::ffi::c_long; // CPU time of the process in microseconds
}
fn cpu_seconds() -> f64 {
    unsafe { clock() as f64 / 1e6 }
}

#[inline(never)]
fn burn(rounds: u64) {
    let mut a = 1u64;
    for i in 0..rounds {
        a = black_box(a.wrapping_mul(6364136223846793005).wrapping_add(i));
    }
    black_box(a);
}

#[inline(never)]
fn panics() {
    let _ = black_box(std::panic::catch_unwind(|| std::panic::resume_unwind(Box::new(1))));
}
#[inline(never)]
fn catches_nothing() {
    let _ = black_box(std::panic::catch_unwind(|| burn(1000)));
}

#[inline(never)]
fn allocates() {
    let boxes: Vec<Box<[u8; 64]>> = (0..100u8).map(|i| Box::new([i; 64])).collect();
    black_box(boxes);
}

struct Guard(u64);
impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        burn(self.0);
    }
}
// A destructor of the program is no cost of the allocator.
#[inline(never)]
fn drops() {
    black_box(vec![Guard(5000), Guard(5000)]);
}

#[inline(never)]
fn copies() {
    let text = vec![1u8; 200_000];
    for _ in 0..20 {
        black_box(black_box(&text).clone());
    }
}

#[inline(never)]
fn grows() {
    let mut all: Vec<u64> = Vec::new();
    for i in 0..200u64 {
        all.push(black_box(i));
        if all.len() % 5 == 0 {
            all.shrink_to_fit();
        }
    }
    black_box(all);
}
#[inline(never)]
fn reserves() {
    let mut all: Vec<u64> = Vec::with_capacity(20_000);
    for i in 0..20_000u64 {
        all.push(black_box(i));
    }
    black_box(all);
}

#[inline(never)]
fn hashes() {
    let words: Vec<String> = (0..500).map(|i| format!("a rather long key, as many programs have them, number {i}")).collect();
    let mut counts: HashMap<&str, u64> = HashMap::new();
    for _ in 0..20 {
        for word in &words {
            *counts.entry(word.as_str()).or_default() += 1;
        }
    }
    black_box(counts);
}
#[inline(never)]
fn rehash_password() {
    burn(100_000);
}

#[inline(never)]
fn formats() {
    black_box(format!("{} {:.3} {:?}", black_box(17), black_box(0.37), black_box("a word")));
}
struct Slow;
impl std::fmt::Display for Slow {
    #[inline(never)]
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        burn(20_000);
        f.write_str("x")
    }
}
// The time is in the program's own code, which formatting calls.
#[inline(never)]
fn formats_slow_types() {
    black_box(format!("{Slow}"));
}

#[inline(never)]
fn parses() {
    for text in ["3.14159", "17", "99999.125", "1e10"] {
        let _ = black_box(black_box(text).parse::<f64>());
    }
}

#[inline(never)]
fn checks_utf8() {
    let text = "naïve café — déjà vu ".repeat(1000);
    for _ in 0..50 {
        let _ = black_box(std::str::from_utf8(black_box(text.as_bytes())));
    }
}

#[inline(never)]
fn sorts() {
    let mut values: Vec<u64> = (0..5000).map(|i| (i * 7919) % 10007).collect();
    values.sort();
    black_box(values);
}
#[inline(never)]
fn sort_order_lookup() {
    burn(100_000);
}

#[inline(never)]
fn descends(depth: u32) -> u64 {
    burn(20);
    if depth == 0 { 1 } else { black_box(descends(depth - 1)) + 1 }
}
#[inline(never)]
fn recurses() {
    black_box(descends(1000));
}

// Tiny library functions: inlined if optimized.
#[inline(never)]
fn walks_containers() {
    let values = vec![3u64; 1000];
    let mut sum = 0u64;
    for i in 0..values.len() {
        sum = sum.wrapping_add(values[i]);
    }
    for v in values.iter() {
        sum = sum.wrapping_add(*v);
    }
    black_box(sum);
}

static TURN: Mutex<u64> = Mutex::new(0);
static READY: Condvar = Condvar::new();
// Two threads take turns: each waits for the other one, and wakes it.
#[inline(never)]
fn takes_turns(me: u64, rounds: u64) {
    for _ in 0..rounds {
        let mut turn = READY.wait_while(TURN.lock().unwrap(), |turn| *turn != me).unwrap();
        *turn = 1 - me;
        READY.notify_all();
    }
}

#[inline(never)]
fn serve(round: fn(), seconds: f64) {
    // Looks at the clock, a system call, every few milliseconds.
    let mut now = cpu_seconds();
    let end = now + seconds;
    let mut rounds = 1;
    while now < end {
        for _ in 0..rounds {
            round();
        }
        let before = now;
        now = cpu_seconds();
        if now - before < 0.004 {
            rounds *= 2;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let mode = arguments.get(1).map_or("", |s| s.as_str());
    let seconds = arguments.get(2).and_then(|s| s.parse().ok()).unwrap_or(0.4);
    if mode == "lock-contention" {
        let other = std::thread::spawn(|| takes_turns(1, 40_000));
        takes_turns(0, 40_000);
        other.join().unwrap();
        return;
    }
    let round: fn() = match mode {
        "exceptions" => panics,
        "not-exceptions" => catches_nothing,
        "allocation" => allocates,
        "not-allocation" => drops,
        "copying" => copies,
        "growth" => grows,
        "not-growth" => reserves,
        "hashing" => hashes,
        "not-hashing" => rehash_password,
        "formatting" => formats,
        "not-formatting" => formats_slow_types,
        "parsing" => parses,
        "utf8" => checks_utf8,
        "sorting" => sorts,
        "not-sorting" => sort_order_lookup,
        "deep-recursion" => recurses,
        "debug-build" => walks_containers,
        _ => std::process::exit(2),
    };
    serve(round, seconds);
}
