// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Provides facts about processes that samples and side events lack: from the processes themselves while they run (LiveProcesses),
// or from a file and this machine's disk (RecordedProcesses).

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/raw.h"
#include "module/jit_files.h"
#include "module/module.h"
#include "symbolize/symbolizer.h"

namespace wick {

class ProcessSource {
 public:
  virtual ~ProcessSource() = default;

  // Whether the processes run while their samples are unwound, so that unwinding must keep up.
  virtual bool runs_meanwhile() const = 0;
  // Mappings and names of a process whose start was not reported; empty if they are unknown.
  virtual std::vector<SideEvent> describe(uint32_t pid, uint64_t time_ns) = 0;
  // The module behind a mapping; never null.
  virtual const LoadedModule* find_module(ModuleStore& modules, const MmapEvent& mapping) = 0;
  // Where to find symbols of code that the process generates; `parent`: those of the process it was forked from, or null.
  virtual std::shared_ptr<JitFiles> find_generated(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent) = 0;
  // How to open a file that the process maps.
  virtual ModuleRequest mapped_file(const MmapEvent& mapping) const = 0;
  // Symbols of the kernel they ran on; null if there are none.
  virtual std::shared_ptr<const FileSymbols> load_kernel(const SymbolSources& sources) = 0;
};

// Processes of this machine that may be running: read from /proc, with files opened as they see them.
class LiveProcesses final : public ProcessSource {
 public:
  bool runs_meanwhile() const override { return true; }
  std::vector<SideEvent> describe(uint32_t pid, uint64_t time_ns) override;
  const LoadedModule* find_module(ModuleStore& modules, const MmapEvent& mapping) override;
  std::shared_ptr<JitFiles> find_generated(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent) override;
  ModuleRequest mapped_file(const MmapEvent& mapping) const override;
  std::shared_ptr<const FileSymbols> load_kernel(const SymbolSources& sources) override;

 private:
  // Consecutive mappings are often of one file.
  struct LastMapped {
    const LoadedModule* module = nullptr;
    uint32_t pid = 0;
    uint64_t device = 0, inode = 0;
    std::string path;
  } last_mapped_;
};

}  // namespace wick
