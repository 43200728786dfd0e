// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A foreign format is one reader: how to tell it by its first bytes, and how to make a Profile of it. A reader never fails for
// one bad line or row in the middle: it counts what it left out and adds a warning; it fails where nothing of the file makes
// sense. Messages say the place (line, byte offset, table row) and what was expected; whoever called knows the file's name.

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
  // Nobody will look at times and CPUs: samples may be added up while reading (ProfileBuilder::merge_samples).
  bool merge = false;
  // Nobody will look at addresses and source lines either: frames may be their functions alone.
  bool functions_only = false;
  // Times serve for little but the heading: samples may be added up once there are too many to be kept one by one.
  bool merge_many = false;
  // Nobody will look at branches with less than this share of all samples: of their stacks, what is beyond their first frame and
  // the leaf may be left out.
  double least_share = 0;
  unsigned threads = 0;  // at most so many work on it; 0: as many as there are CPUs
  // What a linker's name means to people; nothing: names stay as they are.
  std::function<std::string(std::string_view)> demangle{};
  bool short_names = false;  // it shortens too: also what needs no demangling is to go through it
  // What single formats leave open; other readers do not look at them.
  std::string ghc_cost{};          // GHC .prof: "time", "bytes" or "ticks"; empty: time
  bool include_offset = false;     // DTrace: keep "+0x1f" behind names
  bool without_modules = false;    // macOS sample, VTune: names without "module`" before them
  bool java_thread_names = true;   // jstack, java cores: false: nobody's threads
  std::optional<bool> java_ids{};  // jstack: false: thread names without the number at their end; java cores: true: with their id
  bool shorten_packages = false;   // Java: "j.l.Thread.run"
  bool without_packages = false;   // Java: "Thread.run"
  bool vtune_size = false;         // VTune's memory consumption: how much was allocated first, in place of how often
  bool xdebug_calls = false;       // xdebug: how often functions were called, in place of how long they took
  Rules rules = Rules::kOwn;       // of names, roots and costs, in readers that know those of others
};

// The beginning of a file, by which readers recognise their own.
struct Head {
  std::string_view text;  // up to kHeadBytes
  bool is_all = false;    // there is no more
};
constexpr size_t kHeadBytes = size_t{64} << 10;

struct Reader {
  std::string_view name;  // one word, as people write it after --from
  std::string_view what;  // "folded stacks": for people
  bool (*detect)(const Head& head);
  // Null: of perf.data, which needs unwinding and names (pipeline/load_perf_data.h).
  Result<Profile> (*read)(Input& input, const ImportOptions& options);
};

}  // namespace wick
