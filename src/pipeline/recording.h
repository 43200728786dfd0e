// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One recording from its first byte to the finished file: drives an engine (or several in turn, for --iterations), has its
// samples unwound, writes a block each second, and finally adds symbols.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capture/wick_writer.h"
#include "os/stop_signals.h"
#include "pipeline/file_appender.h"
#include "pipeline/process_source.h"
#include "pipeline/unwind_stage.h"
#include "record/engine.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct Limits {
  uint64_t delay_ns = 0;
  uint64_t duration_ns = 0;     // 0: until the target ends
  uint64_t max_size_bytes = 0;  // 0: none
};

enum class StopReason { kTargetEnded, kSignal, kDuration, kMaxSize, kDiskFull };

// Shown in the status line: values of this run, except the file size.
struct Progress {
  uint64_t elapsed_ns = 0, samples = 0, lost = 0, file_bytes = 0;
  bool waiting = false; /* for --delay */
};

struct HotFunction {
  std::string name, module;
  uint64_t weight = 0;  // for the first event
};
// A file with samples whose innermost frame has no symbol, or no line.
struct LackingModule {
  std::string path, build_id, trouble;  // trouble: why it could not be read
  uint64_t samples = 0;
};

// Samples by (linkage name, module) -> the five hottest functions as shown to users: several linkage names may be one function
// (f.part.0, f.constprop.0).
std::vector<HotFunction> compute_hottest(const std::map<std::pair<std::string, std::string>, uint64_t>& by_linkage_name);

// The innermost function of a chain (innermost first) that is not inlined standard library code.
const capture::SymbolFrame& find_own_function(const std::vector<capture::SymbolFrame>& chain);

// kLater: only what cannot be symbolized later (symbolize_capture.h).
enum class Naming : uint8_t { kAtOnce, kLater };

struct RecordingOutcome {
  UnwindTotals totals;
  std::vector<capture::Counter> counters;
  StopReason stopped_by = StopReason::kTargetEnded;  // of the last run
  uint64_t elapsed_ns = 0, file_bytes = 0, lost = 0;
  uint64_t unseen_ns = 0;  // CPU time in the kernel if that is not sampled
  uint64_t cpu_ns = 0;     // all CPU time of the target, if known
  TimeTotals times;        // for the first event
  std::vector<capture::Event> events;
  std::vector<HotFunction> hottest;     // for the first event, at most five; empty if symbols are added later
  bool glue_folded = false;             // `hottest` attributes inlined library code to the containing function
  std::vector<LackingModule> unnamed;   // most samples first
  std::vector<LackingModule> lineless;  // frames with a symbol but no line; not in the kernel
  std::vector<std::string> notes;       // from the engines
  EngineInfo engine;
};

class Recording {
 public:
  explicit Recording(UnwindOptions options) : stage_(std::move(options), processes_, writer_) {}

  // Checks that the file can be written, before anything starts.
  Status open(const std::string& path);
  // After the engine has started: gives the file its name and first block.
  Status begin(const capture::Info& info);
  // Runs until the target ends or something stops it. The target may still run afterwards (see Engine::exit_status).
  Result<StopReason> run(Engine& engine, StopSignals& signals, const Limits& limits,
                         const std::function<void(const Progress&)>& on_progress);
  // Adds symbols, which may take long if debug files are fetched, and writes the rest.
  Result<RecordingOutcome> finish(Naming naming, const SymbolSources& sources);

 private:
  std::vector<capture::FrameSymbols> name_all(Naming naming, const SymbolSources& sources,
                                              std::span<const uint64_t> leaf_samples);
  void flush();
  void collect(Engine& engine);
  struct Asked {
    int count = 0;
    uint64_t last_ns = 0;
  };  // stop requests by signals
  bool handle_signals(Engine& engine, StopSignals& signals, Asked& asked);

  capture::WickWriter writer_;
  FileAppender file_;
  LiveProcesses processes_;
  UnwindStage stage_;
  capture::Info info_;
  EngineInfo engine_;  // of the last run
  StopReason stopped_by_ = StopReason::kTargetEnded;
  uint64_t begin_ns_ = 0, end_ns_ = 0, last_flush_ns_ = 0;
  std::vector<capture::Counter> counters_;
  std::vector<std::string> notes_;
  std::vector<KernelCode> own_code_;
};

}  // namespace wick
