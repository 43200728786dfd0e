// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "pipeline/recording.h"

namespace wick {

// What is going on, while it goes on: one line on the terminal.
class StatusLine {
 public:
  // `sharing`: a command that uses the same terminal, or -1. The line stands below the cursor then, and goes for good as soon as
  // the command has written anything: a prompt, and what is typed there, belong to it.
  StatusLine(bool wanted, pid_t sharing);
  ~StatusLine() { clear(); }
  bool on() const { return on_; }
  void show(const Progress& progress);
  void clear();

 private:
  pid_t sharing_ = -1;
  bool on_ = false, shown_ = false;
};

// Bytes that the process and its children have written to anything, as far as can be seen; nullopt when that is hidden.
std::optional<uint64_t> count_written(pid_t pid);

}  // namespace wick
