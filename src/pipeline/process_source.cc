// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/process_source.h"

#include <utility>

#include "record/perf_targets.h"

namespace wick {

std::vector<SideEvent> LiveProcesses::describe(uint32_t pid, uint64_t time_ns) {
  return describe_processes({static_cast<pid_t>(pid)}, time_ns);
}

const LoadedModule* LiveProcesses::find_module(ModuleStore& modules, const MmapEvent& e) {
  LastMapped& last = last_mapped_;
  bool is_same =
      last.module != nullptr && e.pid == last.pid && e.inode == last.inode && e.device == last.device && e.path == last.path;
  if (is_same) { return last.module; }
  const LoadedModule* module = modules.load(mapped_file(e));
  bool is_settled = module->kind == LoadedModule::Kind::kAnonymous || (module->image && e.inode != 0);
  last = {is_settled ? module : nullptr, e.pid, e.device, e.inode, e.path};
  return module;
}

std::shared_ptr<JitFiles> LiveProcesses::find_generated(uint32_t pid, uint64_t start_ns, std::shared_ptr<const JitFiles> parent) {
  return std::make_shared<JitFiles>(pid, start_ns, std::move(parent), JitFiles::Life::kMaybeAlive);
}

ModuleRequest LiveProcesses::mapped_file(const MmapEvent& mapping) const {
  return {mapping.pid, mapping.path, mapping.device, mapping.inode};
}

std::shared_ptr<const FileSymbols> LiveProcesses::load_kernel(const SymbolSources& sources) {
  Result<std::unique_ptr<FileSymbols>> running = load_kernel_symbols(sources);
  return running.ok() ? *std::move(running) : nullptr;
}

}  // namespace wick
