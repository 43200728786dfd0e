// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/recorded_processes.h"

#include <sys/utsname.h>

#include <utility>

namespace wick {
namespace {

RecordedMachine recorded_machine(const PerfDataInfo& info) {
  utsname here{};
  bool known = ::uname(&here) == 0;
  RecordedMachine machine;
  machine.is_here = known && info.host == here.nodename;
  machine.is_this_kernel = machine.is_here && info.kernel == here.release;
  machine.build_id_cache = find_build_id_cache();
  return machine;
}

}  // namespace

RecordedProcesses::RecordedProcesses(const PerfDataInfo& info, const DebugPlaces& places)
    : info_(info), machine_(recorded_machine(info)), files_(machine_, places) {}

std::vector<SideEvent> RecordedProcesses::describe(uint32_t, uint64_t) { return {}; }

const LoadedModule* RecordedProcesses::find_module(ModuleStore& modules, const MmapEvent& mapping) {
  // A pipe may contain more as it is read.
  for (; build_ids_ < info_.build_ids.size(); ++build_ids_) {
    const PerfDataBuildId& entry = info_.build_ids[build_ids_];
    if (!entry.kernel) { files_.add_build_id(entry.path, entry.id); }
  }
  return files_.open(modules, mapping);
}

std::shared_ptr<JitFiles> RecordedProcesses::find_generated(uint32_t pid, uint64_t start_ns,
                                                            std::shared_ptr<const JitFiles> parent) {
  JitFiles::Life life = machine_.is_here ? JitFiles::Life::kOver : JitFiles::Life::kElsewhere;
  return std::make_shared<JitFiles>(pid, start_ns, std::move(parent), life);
}

ModuleRequest RecordedProcesses::mapped_file(const MmapEvent& mapping) const {
  return {0, mapping.path, mapping.device, mapping.inode};
}

RecordedKernel RecordedProcesses::recorded_kernel() const {
  RecordedKernel kernel{{}, info_.kernel, machine_.is_this_kernel, machine_.build_id_cache};
  // A pipe has its build ID only at the end.
  for (const PerfDataBuildId& entry : info_.build_ids) {
    if (entry.kernel && entry.path.starts_with("[kernel")) { kernel.build_id = entry.id; }
  }
  return kernel;
}

std::shared_ptr<const FileSymbols> RecordedProcesses::load_kernel(const SymbolSources& sources) {
  return load_recorded_kernel(info_, recorded_kernel(), sources);
}

KernelIdentity RecordedProcesses::kernel_identity() const {
  RecordedKernel kernel = recorded_kernel();
  return {.release = kernel.release,
          .build_id = kernel.build_id,
          .boot_id = {},
          .symbol = info_.kernel_symbol,
          .address = info_.kernel_address,
          .is_this_machine = kernel.is_here};
}

}  // namespace wick
