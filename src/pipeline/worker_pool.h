// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace wick {

// Runs one function on all workers at once; the calling thread is worker 0. Threads start with the first run that needs them.
class WorkerPool {
 public:
  // `prompt`: the work must not be late (see PromptScheduling).
  explicit WorkerPool(unsigned helpers, bool prompt = true) : helpers_(helpers), prompt_(prompt) {}
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned size() const { return helpers_ + 1; }
  void run(const std::function<void(unsigned worker)>& work);

 private:
  void start();
  void loop(unsigned worker);

  unsigned helpers_;
  bool prompt_;
  bool started_ = false;
  std::vector<std::thread> threads_;  // the system may refuse some
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(unsigned)>* work_ = nullptr;
  uint64_t round_ = 0;
  unsigned busy_ = 0;
  bool stopping_ = false;
};

}  // namespace wick
