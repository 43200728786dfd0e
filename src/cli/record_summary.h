// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/record_options.h"
#include "pipeline/recording.h"

namespace wick {

// One line that is written over, on a terminal only.
class StatusLine {
 public:
  explicit StatusLine(bool wanted);
  ~StatusLine() { clear(); }
  bool on() const { return on_; }
  void show(const Progress& progress);
  void clear();

 private:
  bool on_ = false, shown_ = false;
};

void print_record_summary(const RecordingOutcome& outcome, const RecordRequest& request);

}  // namespace wick
