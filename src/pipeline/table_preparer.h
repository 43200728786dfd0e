// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "module/module.h"

namespace wick {

// Compiles unwind tables in the background for sampled modules. Until a table is ready, unwinding reads the file's entries one by
// one, so that no sample waits for a large file.
class TablePreparer {
 public:
  TablePreparer() = default;
  TablePreparer(const TablePreparer&) = delete;
  TablePreparer& operator=(const TablePreparer&) = delete;
  ~TablePreparer();

  void add(const LoadedModule* module);

 private:
  void run();

  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<const LoadedModule*> queue_;
  bool stopping_ = false;
};

}  // namespace wick
