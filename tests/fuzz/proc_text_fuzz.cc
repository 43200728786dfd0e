// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Text from /proc (the target chooses its paths and names) and register sets, in every parser.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "os/proc_tasks.h"
#include "record/code_mappings.h"
#include "record/ptrace_maps.h"
#include "record/ptrace_registers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wick;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<MmapEvent> maps = parse_code_mappings(text, 1, 2);
  for (const MmapEvent& map : maps) {
    if (map.length == 0 || map.start + map.length < map.start || map.path.empty()) { __builtin_trap(); }
  }
  parse_task_stat(text, 100);
  parse_schedstat(text);
  parse_status_number(text, "Tgid");
  for (Arch arch : {Arch::kX86_64, Arch::kAarch64}) { parse_prstatus(arch, {data, size}); }
  parse_arm_system_call({data, size});
  return 0;
}
