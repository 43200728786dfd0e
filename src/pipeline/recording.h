// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One recording from its first byte to the finished file: drives an engine (several in turn for --iterations), lets its
// samples be unwound, writes a block each second, and at the end names what was hit.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capture/wick_writer.h"
#include "pipeline/file_appender.h"
#include "pipeline/process_source.h"
#include "pipeline/unwind_stage.h"
#include "record/engine.h"
#include "os/stop_signals.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct Limits {
  uint64_t delay_ns = 0;
  uint64_t duration_ns = 0;     // 0: until the target ends
  uint64_t max_size_bytes = 0;  // 0: none
};

enum class StopReason { kTargetEnded, kSignal, kDuration, kMaxSize, kDiskFull };

// What a status line shows: of this run, but for the file.
struct Progress {
  uint64_t elapsed_ns = 0, samples = 0, lost = 0, file_bytes = 0;
  bool waiting = false; /* for --delay */
};

struct HotFunction {
  std::string name, module;
  uint64_t weight = 0;  // of the first event
};
// A file with samples whose innermost frame has no name, or no line.
struct LackingModule {
  std::string path, build_id, trouble;  // trouble: why it could not be read
  uint64_t samples = 0;
};

// Samples by (linkage name, module) to the at most five hottest functions, as people name them: several linkage names may be
// one function (f.part.0, f.constprop.0).
std::vector<HotFunction> compute_hottest(const std::map<std::pair<std::string, std::string>, uint64_t>& by_linkage_name);

// The innermost function of a chain (most inlined first) that is not inlined code of the standard library.
const capture::SymbolFrame& find_own_function(const std::vector<capture::SymbolFrame>& chain);

// kLater: only what cannot be named afterwards (symbolize_capture.h).
enum class Naming : uint8_t { kAtOnce, kLater };

struct RecordingOutcome {
  UnwindTotals totals;
  std::vector<capture::Counter> counters;
  StopReason stopped_by = StopReason::kTargetEnded;  // the last run
  uint64_t elapsed_ns = 0, file_bytes = 0, lost = 0;
  uint64_t unseen_ns = 0;  // CPU time that went to the kernel where that is hidden
  uint64_t cpu_ns = 0;     // all CPU time of the target, as far as known
  TimeTotals times;        // of the first event
  std::vector<capture::Event> events;
  std::vector<HotFunction> hottest;     // by the first event, at most five; none where names come later
  bool glue_folded = false;             // `hottest` counts inlined library code to the functions that contain it
  std::vector<LackingModule> unnamed;   // the most samples first
  std::vector<LackingModule> lineless;  // samples that have a name, but no line; not of the kernel
  std::vector<std::string> notes;       // told by the engines
  EngineInfo engine;
};

class Recording {
 public:
  explicit Recording(UnwindOptions options) : stage_(std::move(options), processes_, writer_) {}

  // Makes sure that the file can be written, before anything is started.
  Status open(const std::string& path);
  // The engine has started: the file gets its name and its first block.
  Status begin(const capture::Info& info);
  // Until the target ends or something stops it. The target may still run afterwards (see Engine::exit_status).
  Result<StopReason> run(Engine& engine, StopSignals& signals, const Limits& limits,
                         const std::function<void(const Progress&)>& on_progress);
  // Names what was hit, which may take its time where debug files are fetched, and writes the rest.
  Result<RecordingOutcome> finish(Naming naming, const SymbolSources& sources);

 private:
  std::vector<capture::FrameSymbols> name_all(Naming naming, const SymbolSources& sources,
                                              std::span<const uint64_t> leaf_samples);
  void flush();
  void collect(Engine& engine);
  struct Asked {
    int count = 0;
    uint64_t last_ns = 0;
  };  // to stop, by signals
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
