// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/status_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "os/proc_tasks.h"
#include "term/style.h"

namespace wick {
namespace {

// By then many commands have ended or printed something.
constexpr uint64_t kFirstShownNs = 500'000'000;

}  // namespace

StatusLine::StatusLine(bool wanted, pid_t sharing) : sharing_(sharing), on_(wanted && ::isatty(STDERR_FILENO)) {}

void StatusLine::show(const Progress& p) {
  if (!on_) { return; }
  if (sharing_ > 0 && load_written_bytes(sharing_).value_or(1) > 0) {
    clear();
    on_ = false;
    return;
  }
  if (sharing_ > 0 && p.elapsed_ns < kFirstShownNs) { return; }
  shown_ = true;
  double elapsed = static_cast<double>(p.elapsed_ns) / 1e9;
  std::string line = p.waiting
                         ? strf("waiting %.1f s", elapsed)
                         : strf("recording %.1f s   %s samples (%.0f/s)   %s lost   %s", elapsed,
                                group_thousands(p.samples).c_str(), elapsed > 0 ? static_cast<double>(p.samples) / elapsed : 0,
                                group_thousands(p.lost).c_str(), human_bytes(p.file_bytes).c_str());
  size_t width = static_cast<size_t>(std::max(detect_style(STDERR_FILENO, ColorWhen::kNever).width, 2));
  line.resize(std::min(line.size(), width - 1));
  std::fprintf(stderr, sharing_ > 0 ? "\n\r\033[K%s\033[A\r" : "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

void StatusLine::clear() {
  if (shown_) { std::fprintf(stderr, sharing_ > 0 ? "\033[J" : "\r\033[K"); }
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace wick
