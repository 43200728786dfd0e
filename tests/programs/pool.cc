// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// pool [SECONDS] [THREADS]: a thread pool takes small tasks from a queue; there are as many Sum as Hash tasks, and Sum takes
// twice as long, so 67 % of the time is under Sum::run and 33 % under Hash::run, each called by Pool::work of a std::thread.
// Prints the share of Sum::run in percent, as its threads' CPU clocks measured it.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "work.h"

struct Task { virtual ~Task() = default; virtual void run() = 0; };
static std::atomic<double> time_of_sum{0}, time_of_hash{0};
struct Stopwatch {
  std::atomic<double>& total;
  double begin = thread_seconds();
  ~Stopwatch() { total += thread_seconds() - begin; }
};
struct Sum final : Task { KEEP void run() override { Stopwatch watch{time_of_sum}; change_pace(); burn(200000); } };
struct Hash final : Task { KEEP void run() override { Stopwatch watch{time_of_hash}; change_pace(); burn(100000); } };

class Pool {
 public:
  explicit Pool(int threads) { for (int i = 0; i < threads; ++i) { threads_.emplace_back([this] { work(); sink = sink + 1; }); } }
  ~Pool() {
    { std::lock_guard lock(mutex_); closed_ = true; }
    changed_.notify_all();
    for (std::thread& t : threads_) { t.join(); }
  }
  void add(std::unique_ptr<Task> task) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return tasks_.size() < 64; });
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }

 private:
  KEEP void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) { return; }
      std::unique_ptr<Task> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      changed_.notify_all();
      task->run();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Task>> tasks_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

int main(int argc, char** argv) {
  double seconds = number(argc, argv, 1, 1);
  double end = seconds_of(CLOCK_MONOTONIC) + seconds;
  {
    Pool pool((int)number(argc, argv, 2, 4));
    while (seconds_of(CLOCK_MONOTONIC) < end) { pool.add(std::make_unique<Sum>()); pool.add(std::make_unique<Hash>()); }
  }
  printf("%.2f\n", 100 * time_of_sum / (time_of_sum + time_of_hash));
  return 0;
}
