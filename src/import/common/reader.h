// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A foreign format is one reader: it recognizes the first bytes and builds a Profile. A reader does not fail because of single
// bad lines or rows: it skips and counts them, and adds a warning. It fails if nothing in the file is valid. Messages state the
// place (line, byte offset, table row) and what was expected; the caller adds the file name.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "import/common/input.h"
#include "model/profile.h"
#include "model/rules.h"

namespace wick {

struct ImportOptions {
  // Times and CPUs are not needed: samples may be merged while reading (ProfileBuilder::merge_samples).
  bool merge = false;
  // Addresses and source lines are not needed either: frames may be functions only.
  bool functions_only = false;
  // Times are needed only for the heading: samples may be merged if there are too many.
  bool merge_many = false;
  // Branches with less than this share of all samples are not needed: their stacks may be reduced to the first frame and the
  // leaf.
  double least_share = 0;
  unsigned threads = 0;  // at most; 0: one per CPU
  // Demangles a linkage name; empty: names stay unchanged.
  std::function<std::string(std::string_view)> demangle{};
  bool short_names = false;  // demangle also shortens: pass all names through it
  // Options of single formats; other readers ignore them.
  std::string ghc_cost{};          // GHC .prof: "time", "bytes" or "ticks"; empty: time
  bool include_offset = false;     // DTrace: keep "+0x1f" after names
  bool without_modules = false;    // macOS sample, VTune: names without "module`"
  bool java_thread_names = true;   // jstack, java cores: false: drop thread names
  std::optional<bool> java_ids{};  // jstack: false: drop the number at the end of thread names; java cores: true: add thread IDs
  bool shorten_packages = false;   // Java: "j.l.Thread.run"
  bool without_packages = false;   // Java: "Thread.run"
  bool vtune_size = false;         // VTune's memory consumption: bytes first, not allocations
  bool xdebug_calls = false;       // xdebug: count calls, not time
  Rules rules = Rules::kOwn;       // for names, roots and costs, in readers that support them
};

// The beginning of a file, for detection.
struct Head {
  std::string_view text;  // up to kHeadBytes
  bool is_all = false;    // there is no more
};
constexpr size_t kHeadBytes = size_t{64} << 10;

struct Reader {
  std::string_view name;  // one word, as given to --from
  std::string_view what;  // "folded stacks": for users
  bool (*detect)(const Head& head);
  // Null for perf.data, which needs unwinding and symbols (pipeline/load_perf_data.h).
  Result<Profile> (*read)(Input& input, const ImportOptions& options);
};

}  // namespace wick
