// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// cxx MODE [SECONDS]: each rule of docs/insights.md about C++ has a mode that shows its symptom and one that looks like it, named
// after the rule and `not-` the rule. In all modes the work is below shop::serve.

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "../work.h"

namespace shop {

// Names that look like symptoms and are not.
struct Arena {
  std::vector<char> bytes = std::vector<char>(1 << 20);
  size_t used = 0;
  KEEP void* malloc(size_t size) {
    burn(300);
    used = used + size > bytes.size() ? 0 : used;
    used += size;
    return bytes.data() + used - size;
  }
  KEEP void free(void*) { burn(100); }
};
KEEP void my_malloc_stats() { burn(3000); }
KEEP void rehash_password() { burn(3000); }
KEEP void sort_order_lookup() { burn(3000); }
KEEP void throw_dice() { burn(3000); }
struct formatter {
  KEEP void format() { burn(3000); }
};
namespace regex {
KEEP void compile() { burn(3000); }
}  // namespace regex
namespace std_like {
KEEP void memcpy() { burn(3000); }
}  // namespace std_like

KEEP void fall(int depth) {
  std::string keep(40, 'x');
  if (depth == 0) { throw std::runtime_error("x"); }
  fall(depth - 1);
  sink = sink + keep.size();
}
KEEP void throws() {
  try {
    fall(10);
  } catch (const std::exception& e) { sink = sink + static_cast<uint64_t>(e.what()[0]); }
}
// Exceptions are rare.
KEEP void throws_once() {
  burn(2'000'000);
  throws();
}

KEEP void allocates() {
  for (int i = 0; i < 200; ++i) {
    auto p = std::make_unique<char[]>(static_cast<size_t>(16 + i * 8));
    p[0] = 1;
    sink = sink + static_cast<uint64_t>(p[0]);
  }
}
KEEP void allocates_from_an_arena() {
  static Arena arena;
  for (int i = 0; i < 20; ++i) { arena.free(arena.malloc(64)); }
  my_malloc_stats();
}

KEEP void copies() {
  static const std::string from(100'000, 'x');
  static std::string to;
  to = from;
  sink = sink + to.size();
}
KEEP void copies_once() {
  static std::string to;
  if (to.empty()) { to = std::string(50'000'000, 'x'); }
  burn(100'000);
  std_like::memcpy();
}

KEEP void grows() {
  std::vector<std::string> all;
  for (int i = 0; i < 100; ++i) { all.push_back("short"); }
  sink = sink + all.size();
}
struct Heavy {
  KEEP explicit Heavy(int) { burn(2000); }
  Heavy(Heavy&&) noexcept = default;
  std::unique_ptr<int> value;
};
// All the time is in a constructor that the growing vector calls.
KEEP void grows_with_heavy_elements() {
  std::vector<Heavy> one;
  one.emplace_back(1);
  sink = sink + one.size();
}

KEEP void hashes() {
  static std::unordered_map<std::string, int> counts;
  static std::vector<std::string> words;
  if (words.empty()) {
    for (int i = 0; i < 500; ++i) { words.push_back("a rather long key number " + std::to_string(i)); }
  }
  for (const std::string& word : words) { ++counts[word]; }
}
KEEP void looks_up_a_sorted_vector() {
  static std::vector<int> keys;
  if (keys.empty()) {
    for (int i = 0; i < 10000; ++i) { keys.push_back(i * 3); }
  }
  for (int i = 0; i < 100; ++i) { sink = sink + static_cast<uint64_t>(*std::lower_bound(keys.begin(), keys.end(), i * 299)); }
  rehash_password();
}

KEEP void formats() {
  std::ostringstream out;
  for (int i = 0; i < 20; ++i) { out << "value " << i * 0.37 << ' ' << i << '\n'; }
  sink = sink + out.str().size();
}
KEEP void formats_seldom() {
  formatter{}.format();
  burn(2'000'000);
  formats();
}

KEEP void parses() {
  static const std::string text = "1.25 17 99.125 4 0.333333 12345 8.5 77";
  std::istringstream in(text);
  double value = 0;
  while (in >> value) { sink = sink + static_cast<uint64_t>(value); }
  sink = sink + static_cast<uint64_t>(std::stod("3.14159"));
}
KEEP void parses_by_hand() {
  static const std::string text(10000, '7');
  uint64_t value = 0;
  for (char c : text) { value = value * 10 + static_cast<uint64_t>(c - '0'); }
  sink = value;
}

KEEP void compiles_a_regex() {
  std::regex pattern("[a-z]+[0-9]+(foo|bar)*");
  sink = sink + (std::regex_match("abc123foo", pattern) ? 1 : 0);
}
KEEP void compiles_a_regex_once() {
  static const std::regex pattern("[a-z]+[0-9]+(foo|bar)*");
  for (int i = 0; i < 20; ++i) { sink = sink + (std::regex_match("abc123foofoobarfoo", pattern) ? 1 : 0); }
  regex::compile();
}

KEEP void sorts() {
  std::vector<int> values;
  for (int i = 0; i < 5000; ++i) { values.push_back((i * 7919) % 10007); }
  std::sort(values.begin(), values.end());
  sink = sink + static_cast<uint64_t>(values[17]);
}
KEEP void sorts_seldom() {
  sort_order_lookup();
  burn(5'000'000);
  sorts();
}

KEEP uint64_t add(uint64_t a, uint64_t b) { return a + b; }
KEEP void calls_through_functions() {
  static const std::function<uint64_t(uint64_t, uint64_t)> f = add, g = [](uint64_t a, uint64_t b) { return a ^ b; };
  for (int i = 0; i < 1000; ++i) { sink = g(f(sink, 1), 3); }
}
KEEP void calls_heavy_functions() {
  static const std::function<void(long)> f = burn;
  f(20'000);
}

// Tiny library functions: inlined if optimized.
KEEP void walks_containers() {
  std::vector<uint64_t> values(1000, 3);
  uint64_t sum = 0;
  for (size_t i = 0; i < values.size(); ++i) { sum += values[i]; }
  for (uint64_t v : values) { sum += v; }
  sink = sum;
}

KEEP void descends(int depth) {
  burn(30);
  if (depth > 0) { descends(depth - 1); }
  sink = sink + 1;
}
KEEP void recurses() { descends(2000); }
KEEP void recurses_cheaply() {
  descends(300);
  burn(5'000'000);
}
KEEP void recurses_a_little() { descends(20); }

KEEP void one_line() {
  uint64_t a = sink;
  for (int i = 0; i < 100'000; ++i) {
    a = (a ^ (a >> 7)) * 6364136223846793005ull + (a % 1000003) + (a % 10007);
  }
  sink = a;
}
KEEP void several_lines() {
  uint64_t a = sink;
  for (int i = 0; i < 100'000; ++i) {
    a = (a ^ (a >> 7)) * 6364136223846793005ull;
    a += a % 1000003;
    a ^= a % 10007;
    a += a % 999983;
    a ^= a % 65537;
  }
  sink = a;
}

std::mutex guard;
KEEP void locks() {
  for (int i = 0; i < 500; ++i) {
    std::lock_guard<std::mutex> lock(guard);
    sink = sink + 1;
  }
}
KEEP void locks_seldom() {
  std::lock_guard<std::mutex> lock(guard);
  burn(100'000);
}

struct Mode {
  const char* name;
  void (*round)();
};
const Mode kModes[] = {
    {"exceptions", throws},
    {"not-exceptions", throws_once},
    {"allocation", allocates},
    {"not-allocation", allocates_from_an_arena},
    {"copying", copies},
    {"not-copying", copies_once},
    {"growth", grows},
    {"not-growth", grows_with_heavy_elements},
    {"hashing", hashes},
    {"not-hashing", looks_up_a_sorted_vector},
    {"formatting", formats},
    {"not-formatting", formats_seldom},
    {"parsing", parses},
    {"not-parsing", parses_by_hand},
    {"regex-compile", compiles_a_regex},
    {"not-regex-compile", compiles_a_regex_once},
    {"sorting", sorts},
    {"not-sorting", sorts_seldom},
    {"call-glue", calls_through_functions},
    {"not-call-glue", calls_heavy_functions},
    {"debug-build", walks_containers},
    {"deep-recursion", recurses},
    {"not-deep-recursion", recurses_cheaply},
    {"not-deep-recursion-shallow", recurses_a_little},
    {"hot-line", one_line},
    {"not-hot-line", several_lines},
    {"locking", locks},
    {"not-locking", locks_seldom},
};

// Until the process has used so much CPU time; looks at the clock, a system call, every few milliseconds.
KEEP void serve(void (*round)(), double seconds) {
  double now = seconds_of(CLOCK_PROCESS_CPUTIME_ID), end = now + seconds;
  for (long rounds = 1; now < end;) {
    for (long i = 0; i < rounds; ++i) { round(); }
    double before = now;
    now = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    if (now - before < 0.004) { rounds *= 2; }
  }
  sink = sink + 1;
}

// Two threads take turns: each waits for the other one, and wakes it.
KEEP void serve_in_turns(double seconds) {
  std::mutex m;
  std::condition_variable ready;
  int turn = 0;
  double end = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds;
  auto take_turns = [&](int me) {
    for (bool done = false; !done;) {
      for (int i = 0; i < 100; ++i) {
        std::unique_lock<std::mutex> lock(m);
        ready.wait(lock, [&] { return turn == me || turn == 2; });
        turn = turn == 2 ? 2 : 1 - me;
        ready.notify_all();
      }
      done = seconds_of(CLOCK_PROCESS_CPUTIME_ID) > end;
    }
    std::lock_guard<std::mutex> lock(m);
    turn = 2;
    ready.notify_all();
  };
  std::thread other(take_turns, 1);
  take_turns(0);
  other.join();
}

// Workers wait for one busy thread.
KEEP void serve_alone(double seconds, int waiting) {
  std::mutex m;
  std::condition_variable ready;
  bool done = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < waiting; ++i) {
    threads.emplace_back([&] {
      std::unique_lock<std::mutex> lock(m);
      ready.wait(lock, [&] { return done; });
    });
  }
  serve([] { burn(100'000); }, seconds);
  {
    std::lock_guard<std::mutex> lock(m);
    done = true;
  }
  ready.notify_all();
  for (std::thread& t : threads) { t.join(); }
}

KEEP void serve_together(double seconds) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) { threads.emplace_back([=] { serve([] { burn(100'000); }, seconds); }); }
  for (std::thread& t : threads) { t.join(); }
}

}  // namespace shop

int main(int argc, char** argv) {
  std::string mode = argc > 1 ? argv[1] : "";
  double seconds = number(argc, argv, 2, 0.4);
  if (mode == "lock-contention") { return shop::serve_in_turns(seconds), 0; }
  if (mode == "one-busy-thread") { return shop::serve_alone(seconds, 4), 0; }
  if (mode == "not-one-busy-thread") { return shop::serve_together(seconds), 0; }
  if (mode == "not-one-busy-thread-alone") { return shop::serve_alone(seconds, 0), 0; }
  for (const shop::Mode& m : shop::kModes) {
    if (mode == m.name) { return shop::serve(m.round, seconds), 0; }
  }
  std::fprintf(stderr, "cxx: unknown mode %s\n", mode.c_str());
  return 2;
}
