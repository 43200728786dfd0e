// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Each thread has its own sum, and takes the lock once.

#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static unsigned long total;

static void add_all(unsigned long count) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < count; ++i) { sum += i & 7; }
  std::lock_guard<std::mutex> lock(mutex);
  total += sum;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) { threads.emplace_back(add_all, 4'000'000ul); }
  for (std::thread& thread : threads) { thread.join(); }
  std::printf("%lu\n", total);
}
