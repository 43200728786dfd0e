// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/status_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/fd.h"
#include "base/text.h"
#include "os/proc_tasks.h"
#include "term/style.h"

namespace wick {
namespace {

// By then many commands have ended or printed something.
constexpr uint64_t kFirstShownNs = 500'000'000;
constexpr size_t kMostLooked = 64, kMostThreads = 16;

}  // namespace

std::optional<uint64_t> count_written(pid_t pid) {
  uint64_t sum = 0;
  std::vector<pid_t> pids{pid};
  for (size_t i = 0; i < pids.size() && i < kMostLooked; ++i) {
    Result<std::string> text = read_file(strf("/proc/%d/io", pids[i]), 4096);
    std::optional<uint64_t> written = text.ok() ? parse_status_number(*text, "wchar") : std::nullopt;
    bool has_ended = i > 0 || (!text.ok() && text.error().code() == Errc::kNotFound);
    if (!written && !has_ended) { return std::nullopt; }
    sum += written.value_or(0);
    std::vector<pid_t> tids = load_task_ids(pids[i]);
    tids.resize(std::min(tids.size(), kMostThreads));
    for (pid_t tid : tids) {
      for (pid_t child : load_child_ids(pids[i], tid)) { pids.push_back(child); }
    }
  }
  return sum;
}

StatusLine::StatusLine(bool wanted, pid_t sharing) : sharing_(sharing), on_(wanted && ::isatty(STDERR_FILENO)) {}

void StatusLine::show(const Progress& p) {
  if (!on_) { return; }
  if (sharing_ > 0 && count_written(sharing_).value_or(1) > 0) {
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
