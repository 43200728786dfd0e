// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One recording from its first byte to the finished file: drives an engine (or several in turn, for --iterations), has its
// samples unwound, writes a block each second, and finally adds symbols.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "capture/wick_writer.h"
#include "os/stop_signals.h"
#include "pipeline/collect_code.h"
#include "pipeline/file_appender.h"
#include "pipeline/live_window.h"
#include "pipeline/process_source.h"
#include "pipeline/unwind_stage.h"
#include "record/engine.h"
#include "symbolize/symbolizer.h"

namespace wick {

struct Limits {
  uint64_t delay_ns = 0;
  uint64_t duration_ns = 0;                 // 0: until the target ends
  uint64_t max_size_bytes = 0;              // 0: none
  const std::atomic<bool>* stop = nullptr;  // once true, the recording ends with kAsked at its next progress
};

enum class StopReason { kTargetEnded, kSignal, kDuration, kMaxSize, kDiskFull, kAsked };

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

inline constexpr uint64_t kMostCodeBytes = 128 << 10;

// Code and source to keep in the recording.
struct EmbedOptions {
  uint64_t most_code_bytes = 0;  // of the hottest functions; 0, or kMostCodeBytes
  // The text of a source file, by its name in the debug info, that belongs to this program; empty: not to be kept. Null: none
  // are.
  std::function<std::string(const std::string& name, const std::string& program)> read_source;
};

struct RecordingOutcome {
  UnwindTotals totals;
  std::vector<capture::Counter> counters;
  StopReason stopped_by = StopReason::kTargetEnded;  // of the last run
  uint64_t elapsed_ns = 0, file_bytes = 0, lost = 0;
  uint64_t unseen_ns = 0;  // CPU time in the kernel if that is not sampled
  uint64_t cpu_ns = 0;     // all CPU time of the target, if known
  uint64_t stolen_ns = 0;  // while the target had a virtual CPU that the host did not run; not part of `cpu_ns`
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
  // A live recording: live() has the last seconds. At the size limit, only its file ends. It is never finished but copied.
  Recording(UnwindOptions options, uint64_t window_ns)
      : live_(std::make_unique<LiveWindow>(writer_, window_ns)), stage_(std::move(options), processes_, *live_) {}

  // Checks that the file can be written, before anything starts.
  Status open(const std::string& path);
  // After the engine has started: gives the file its name and first block.
  Status begin(const capture::Info& info);
  // Runs until the target ends or something stops it. The target may still run afterwards (see Engine::exit_status).
  Result<StopReason> run(Engine& engine, StopSignals& signals, const Limits& limits,
                         const std::function<void(const Progress&)>& on_progress);
  // Adds symbols, which may take long if debug files are fetched, and writes the rest.
  Result<RecordingOutcome> finish(Naming naming, const SymbolSources& sources, const EmbedOptions& embed);

  // ---- live recordings

  LiveWindow& live() { return *live_; }
  // What finish() would have found some seconds ago, in on_progress; what it would find, after run().
  const RecordingOutcome& so_far() const { return so_far_; }
  // Without a name: the file disappears with this object.
  Status begin_live(const capture::Info& info);
  // What the file needs to be complete as it is now, and what is known until now. Between rounds of run(): in its on_progress.
  // `engine`: null after run().
  struct Copy {
    uint64_t file_bytes = 0;
    std::vector<uint8_t> end;
    LiveFrames code;
    std::vector<uint64_t> weights;  // by frame: of samples in it
    RecordingOutcome outcome;
    bool is_cut = false;  // the file has reached the size limit, or the disk is full
  };
  Copy prepare_copy(Engine* engine);
  // From any thread. An existing file becomes PATH.old.
  Status write_copy(const Copy& copy, std::span<const capture::FrameSymbols> symbols, std::span<const capture::CodeBody> bodies,
                    const std::string& path);

 private:
  // The steps of finish().
  RecordingOutcome describe_runs() const;
  void count_stacks(const RecordingOutcome& out);
  std::vector<uint64_t> account_for_time(RecordingOutcome& out);
  uint64_t explained_ns(const RecordingOutcome& out) const;
  // `weights`: to collect generated code; empty: none.
  std::vector<capture::FrameSymbols> name_all(Naming naming, const SymbolSources& sources, std::span<const uint64_t> leaf_samples,
                                              std::span<const uint64_t> weights, std::vector<HotCode>& generated);
  void find_hottest(std::span<const capture::FrameSymbols> symbols, std::span<const uint64_t> leaf_weights,
                    RecordingOutcome& out) const;
  void find_lacking(std::span<const capture::FrameSymbols> symbols, RecordingOutcome& out) const;
  void add_code(std::span<const uint64_t> leaf_weights, const SymbolSources& sources, const EmbedOptions& embed,
                std::vector<HotCode> generated);
  void add_source(std::span<const capture::FrameSymbols> symbols, std::span<const uint64_t> leaf_weights,
                  const EmbedOptions& embed);
  Status write_rest(std::vector<capture::FrameSymbols> symbols);

  void flush();
  void collect(Engine& engine);
  void publish(Engine& engine, uint64_t until_ns);
  RecordingOutcome describe_so_far(Engine* engine, std::vector<uint64_t>* leaf_weights = nullptr);
  struct Asked {
    int count = 0;
    uint64_t last_ns = 0;
  };  // stop requests by signals
  bool handle_signals(Engine& engine, StopSignals& signals, Asked& asked);

  capture::WickWriter writer_;
  FileAppender file_;
  LiveProcesses processes_;
  std::unique_ptr<LiveWindow> live_;  // null: not a live recording
  UnwindStage stage_;
  capture::Info info_;
  EngineInfo engine_;  // of the last run
  StopReason stopped_by_ = StopReason::kTargetEnded;
  uint64_t begin_ns_ = 0, end_ns_ = 0, last_flush_ns_ = 0;
  std::vector<capture::Counter> counters_;
  std::vector<std::string> notes_;
  std::vector<KernelCode> own_code_;
  bool file_ended_ = false;  // of a live recording
  bool is_running_ = false;  // the target, while its time is accounted for
  RecordingOutcome so_far_;  // likewise
  uint64_t last_measure_ns_ = 0, last_publish_ns_ = 0;
};

}  // namespace wick
