// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Four threads take the same lock for each number.

#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static unsigned long total;

static void add_all(unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    std::lock_guard<std::mutex> lock(mutex);
    total += i & 7;
  }
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) { threads.emplace_back(add_all, 4'000'000ul); }
  for (std::thread& thread : threads) { thread.join(); }
  std::printf("%lu\n", total);
}
