// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/worker_pool.h"

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
  if (threads_.empty()) {
    for (unsigned i = 1; i <= helpers_; ++i) {
      threads_.emplace_back([this, i] { loop(i); });
    }
  }
  {
    std::lock_guard lock(mutex_);
    work_ = &work;
    busy_ = helpers_;
    ++round_;
  }
  begin_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void WorkerPool::loop(unsigned worker) {
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
