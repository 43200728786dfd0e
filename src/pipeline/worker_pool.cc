// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/worker_pool.h"

#include <optional>
#include <system_error>

#include "os/process_state.h"

namespace wick {

WorkerPool::~WorkerPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) { thread.join(); }
}

void WorkerPool::run(const std::function<void(unsigned)>& work) {
  if (!started_) { start(); }
  {
    std::lock_guard lock(mutex_);
    work_ = &work;
    busy_ = static_cast<unsigned>(threads_.size());
    ++round_;
  }
  begin_.notify_all();
  work(0);
  for (auto missing = static_cast<unsigned>(threads_.size()) + 1; missing <= helpers_; ++missing) { work(missing); }
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerPool::start() {
  started_ = true;
  try {
    for (unsigned i = 1; i <= helpers_; ++i) {
      threads_.emplace_back([this, i] { loop(i); });
    }
  } catch (const std::system_error&) {
    // No more threads (process limit): the caller does their part.
  }
}

void WorkerPool::loop(unsigned worker) {
  // The rings are drained only after the last worker is done, so none may wait behind a busy target.
  std::optional<PromptScheduling> prompt;
  if (prompt_) { prompt.emplace(); }
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return stopping_ || round_ != seen; });
    if (stopping_) { return; }
    seen = round_;
    const std::function<void(unsigned)>* work = work_;
    lock.unlock();
    (*work)(worker);
    lock.lock();
    if (--busy_ == 0) { end_.notify_one(); }
  }
}

}  // namespace wick
