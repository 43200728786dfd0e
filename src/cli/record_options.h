// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick record`.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/symbol_options.h"
#include "pipeline/recording.h"
#include "record/machine.h"
#include "record/make_engine.h"

namespace CLI {
class App;
}

namespace wick {

// As typed.
struct RecordArguments {
  std::vector<std::string> command;  // after `--`
  std::vector<std::string> pids, tids;
  bool system_wide = false, no_inherit = false, quiet = false, no_symbols = false, stacks = false;
  std::string cpus, cgroup, duration, delay, max_size, unwind, call_graph, stack_size, engine = "auto", output = "profile.wick";
  std::optional<std::string> events, rate;  // not set: best for this machine
  std::optional<uint64_t> period;
  uint32_t iterations = 1, max_depth = 32768;
  SymbolSourceOptions symbols;
};

// The options, checked and resolved.
struct RecordRequest {
  RecordOptions options;
  std::string engine;  // empty: the best that is permitted
  Limits limits;
  uint32_t iterations = 1, max_depth = 32768;
  std::string output;
  bool quiet = false;
  SymbolSources sources;
  Naming naming = Naming::kAtOnce;
  std::vector<std::string> notes;  // one line each
};

void declare_record_options(CLI::App& app, RecordArguments& arguments);
Result<RecordRequest> understand(const RecordArguments& arguments, const Machine& machine);

// "30", "1.5s", "200ms", "2m", "1h" in nanoseconds; "100M", "1.5GB" in bytes.
Result<uint64_t> parse_duration(const std::string& text, const char* option);
Result<uint64_t> parse_size(const std::string& text, const char* option);

}  // namespace wick
