// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>

namespace wick {

// Work that any thread may join while it lasts: `work` takes one piece after another until none is left.
class JoinableWork {
 public:
  void run(const std::function<void()>& work) {
    std::unique_lock lock(mutex_);
    work_ = &work;
    lock.unlock();
    work();
    lock.lock();
    work_ = nullptr;
    left_.wait(lock, [this] { return helpers_ == 0; });
  }

  // Any thread. Returns when no piece is left to take or no work is in progress; other threads may still be working.
  void help() {
    std::unique_lock lock(mutex_);
    const std::function<void()>* work = work_;
    if (work == nullptr) { return; }
    ++helpers_;
    lock.unlock();
    (*work)();
    lock.lock();
    if (--helpers_ == 0) { left_.notify_all(); }
  }

  bool is_going_on() const {
    std::lock_guard lock(mutex_);
    return work_ != nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable left_;
  const std::function<void()>* work_ = nullptr;
  unsigned helpers_ = 0;
};

// Runs both functions, at the same time if possible.
inline void run_together(const std::function<void()>& a, const std::function<void()>& b) {
  std::thread other;
  try {
    other = std::thread(b);
  } catch (const std::system_error&) { b(); }
  a();
  if (other.joinable()) { other.join(); }
}

}  // namespace wick
