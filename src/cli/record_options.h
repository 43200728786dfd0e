// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options of `wick record`, most of which are those of `wick top`.

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
  std::string directory;             // where it starts; empty: the current one
  std::vector<std::string> pids, tids;
  bool system_wide = false, no_inherit = false, quiet = false, no_symbols = false, no_code = false, embed_source = false,
       stacks = false, view = false, wall = false;
  std::string cpus, cgroup, duration, delay, max_size, unwind, call_graph, stack_size, engine = "auto", output = "profile.wick";
  std::optional<std::string> events, rate;  // not set: best for this machine
  std::optional<uint64_t> period;
  uint32_t iterations = 1, max_depth = 32768;
  SymbolSourceOptions symbols;
  uint64_t default_rate_hz = 997;  // prime, so that sampling does not run in step with the program
};

// The options, checked and resolved.
struct RecordRequest {
  RecordOptions options;
  std::string engine;  // empty: the best that is permitted
  Limits limits;
  uint32_t iterations = 1, max_depth = 32768;
  std::string output;
  bool quiet = false, view = false;
  SymbolSources sources;
  Naming naming = Naming::kAtOnce;
  bool embed_code = true, embed_source = false;
  std::vector<std::string> notes;  // one line each
};

void declare_record_options(CLI::App& app, RecordArguments& arguments);
// All but the target.
void declare_recording_options(CLI::App& app, RecordArguments& arguments);
void declare_target_options(CLI::App& app, RecordArguments& arguments);
void declare_event_options(CLI::App& app, RecordArguments& arguments);
void declare_engine_option(CLI::App& app, RecordArguments& arguments);
void declare_stack_options(CLI::App& app, RecordArguments& arguments);
// The words after the options, and those after `--`, are the command. Fails if it begins with an unknown option.
Status take_command(CLI::App& app, RecordArguments& arguments);
Result<RecordRequest> understand(const RecordArguments& arguments, const Machine& machine);

// "30", "1.5s", "200ms", "2m", "1h" in nanoseconds; "100M", "1.5GB" in bytes.
Result<uint64_t> parse_duration(const std::string& text, const char* option);
Result<uint64_t> parse_size(const std::string& text, const char* option);

}  // namespace wick
