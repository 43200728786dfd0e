// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/table_preparer.h"

#include <system_error>

namespace wick {

TablePreparer::~TablePreparer() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) { thread_.join(); }
}

void TablePreparer::add(const LoadedModule* module) {
  if (module == nullptr || module->unwind == nullptr || module->unwind->table() != nullptr) { return; }
  std::lock_guard lock(mutex_);
  queue_.push_back(module);
  try {
    if (!thread_.joinable()) {
      thread_ = std::thread([this] { run(); });
    }
  } catch (const std::system_error&) {
    // No more threads (process limit): unwinding works without tables.
  }
  changed_.notify_one();
}

void TablePreparer::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (stopping_) { return; }
    const LoadedModule* module = queue_.front();
    queue_.pop_front();
    lock.unlock();
    module->unwind->prepare();
    lock.lock();
  }
}

}  // namespace wick
