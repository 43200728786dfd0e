// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A command that is started while wick uses the whole terminal writes into a pipe instead. The end of what it wrote is printed
// once the terminal is free.

#include <mutex>
#include <string>
#include <thread>

#include "base/fd.h"
#include "base/result.h"

namespace wick {

class CommandOutput {
 public:
  static constexpr size_t kMostBytes = 64 << 10;

  CommandOutput() = default;
  CommandOutput(const CommandOutput&) = delete;
  CommandOutput& operator=(const CommandOutput&) = delete;
  ~CommandOutput() { static_cast<void>(end()); }

  // Redirects standard input, output and error of this process, for a command that is started before restore().
  Status redirect();
  void restore();
  // Stops reading, and returns the last part of what the command has written.
  std::string end();

 private:
  void read();

  Fd reader_, stop_;  // stop_: becomes readable
  Fd saved_[3];
  std::thread thread_;
  std::mutex mutex_;
  std::string last_;
  bool is_cut_ = false;
};

}  // namespace wick
