// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "pipeline/recording.h"

namespace wick {

// Shows progress as one line on the terminal.
class StatusLine {
 public:
  // `sharing`: a command that uses the same terminal, or -1. Then the line is below the cursor and disappears for good once the
  // command writes anything: prompts and typed text must stay readable.
  StatusLine(bool wanted, pid_t sharing);
  ~StatusLine() { clear(); }
  bool on() const { return on_; }
  void show(const Progress& progress);
  void clear();

 private:
  pid_t sharing_ = -1;
  bool on_ = false, shown_ = false;
};

}  // namespace wick
