// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The unwinding stage: raw samples -> unwound samples -> rows of a capture. A recording passes through it while the target runs,
// a perf.data file when it is loaded; they differ in their ProcessSource. Batches come from one thread; large ones are unwound by
// several workers. Only unwinding runs in parallel; the calling thread fills the tables.

#include <tsl/robin_map.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "capture/raw.h"
#include "capture/rows.h"
#include "module/module.h"
#include "pipeline/process_source.h"
#include "pipeline/process_table.h"
#include "pipeline/stack_table.h"
#include "pipeline/symbol_preparer.h"
#include "pipeline/table_preparer.h"
#include "pipeline/worker_pool.h"
#include "record/options.h"
#include "unwind/stack_unwinder.h"

namespace wick {

struct UnwindOptions {
  std::optional<UnwindMode> mode = UnwindMode::kDwarf;  // mode of the recording; none: decided per sample
  uint32_t max_depth = 32768;
  uint32_t max_chain = kMostPerfChain;  // longest frame pointer chain, with its kernel part: a longer one was truncated
  unsigned workers = 1;                 // besides the calling thread
  std::string cache_dir;                // for unwind tables; empty: none
  std::optional<SymbolSources> names;   // to load symbols while recording; none: only at the end
  Arch arch = host_arch();
  AlikeFrames* alike = nullptr;  // set if only functions matter
};

struct UnwindTotals {
  uint64_t samples = 0, weight = 0, in_kernel = 0, in_32bit = 0;
  size_t threads = 0, processes = 0;
  std::array<uint64_t, 32> quality{};   // by capture::StackQuality
  std::vector<uint64_t> event_samples;  // by event
  std::vector<uint64_t> leaf_samples;   // by frame row: samples with this innermost frame
};

// The weight of a thread's samples of the first event with an innermost frame.
struct LeafWeight {
  uint32_t thread = 0, frame = 0;  // rows
  uint64_t weight = 0;
};

class UnwindStage final : public RawSink {
 public:
  UnwindStage(UnwindOptions options, ProcessSource& source, capture::RowSink& writer);
  ~UnwindStage() override;

  void consume(RawBatch& batch) override;

  UnwindTotals totals() const;
  std::vector<LeafWeight> leaf_weights() const;
  uint64_t samples() const { return totals_.samples; }
  const std::vector<ThreadTime>& times() const { return processes_.times(); }
  const StackTable& stacks() const { return stacks_; }
  SymbolPreparer* prepared_names() { return names_ ? &*names_ : nullptr; }

 private:
  struct Job {
    RawSample* sample = nullptr;
    ThreadLife* thread = nullptr;
    std::shared_ptr<const AddressSpace> space;
    bool process_ran = false;
    capture::StackQuality quality = capture::StackQuality::kNotWalked;
    std::vector<WalkedFrame> frames;       // if unwound here, innermost first
    std::span<const uint64_t> user_chain;  // if the kernel unwound it
  };

  bool is_by_tables(const RawSample& sample) const;
  void unwind(Job& job, StackUnwinder& unwinder);
  bool goes_through_known_code(Job& job, uint64_t unmapped);
  size_t lay_out(const Job& job);
  void store(Job& job);
  capture::WaitId add_wait(const RawSample& sample);
  void prepare_names(capture::StackId stack);

  UnwindOptions options_;
  capture::RowSink& writer_;
  std::shared_ptr<ModuleStore> modules_;
  ProcessTable processes_;
  StackTable stacks_;
  TablePreparer preparer_;
  std::optional<SymbolPreparer> names_;
  struct Waiting {
    size_t module = 0;
    uint64_t samples = 0;  // samples when it was first seen
  };
  std::deque<Waiting> waiting_;           // for symbols
  std::vector<uint32_t> module_samples_;  // by module row: samples with their innermost frame in it
  WorkerPool pool_;
  std::vector<std::unique_ptr<StackUnwinder>> unwinders_;  // one per worker
  std::vector<Job> jobs_;                                  // reused to avoid allocation
  std::vector<uint64_t> addresses_;                        // likewise
  std::map<std::pair<capture::WaitKind, std::string>, capture::CauseId> causes_;
  UnwindTotals totals_;
  tsl::robin_map<uint64_t, uint64_t, NumberHash> leaf_weights_;  // by thread and frame row
};

}  // namespace wick
