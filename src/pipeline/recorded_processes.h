// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "import/perf/perf_data_file.h"
#include "model/profile.h"
#include "pipeline/process_source.h"
#include "pipeline/recorded_files.h"
#include "pipeline/recorded_kernel.h"

namespace wick {

// Processes of a perf.data file, perhaps of another machine. Never looked up in /proc, where their PIDs may be others' now.
class RecordedProcesses final : public ProcessSource {
 public:
  // `info` grows while a pipe is read.
  RecordedProcesses(const PerfDataInfo& info, const DebugPlaces& places);

  bool runs_meanwhile() const override { return false; }
  std::vector<SideEvent> describe(uint32_t pid, uint64_t time_ns) override;
  const LoadedModule* find_module(ModuleStore& modules, const MmapEvent& mapping) override;
  std::shared_ptr<JitFiles> find_generated(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent) override;
  ModuleRequest mapped_file(const MmapEvent& mapping) const override;
  std::shared_ptr<const FileSymbols> load_kernel(const SymbolSources& sources) override;

  const RecordedFiles& files() const { return files_; }
  KernelIdentity kernel_identity() const;

 private:
  RecordedKernel recorded_kernel() const;

  const PerfDataInfo& info_;
  RecordedMachine machine_;
  RecordedFiles files_;
  size_t build_ids_ = 0;  // number already passed to files_
};

}  // namespace wick
