// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/name_generated.h"

#include <map>
#include <utility>

#include "symbolize/generated_symbols.h"

namespace wick {

void name_generated_frames(const StackTable& stacks, std::vector<capture::FrameSymbols>& symbols) {
  struct Wanted {
    std::vector<CodeAddress> addresses;
    std::vector<uint32_t> rows;
  };
  // By process: the same files describe all its mappings.
  std::map<const JitFiles*, Wanted> by_process;
  for (uint32_t row = 0; row < symbols.size(); ++row) {
    const capture::Frame& frame = stacks.frames()[row];
    const JitFiles* files = stacks.generated()[frame.module.value].get();
    if (files == nullptr || !symbols[row].chain.empty()) { continue; }
    Wanted& wanted = by_process[files];
    wanted.addresses.push_back({frame.address, stacks.last_seen_ns({row})});
    wanted.rows.push_back(row);
  }
  for (auto& [files, wanted] : by_process) {
    std::vector<GeneratedName> names = name_generated_code(*files, std::move(wanted.addresses));
    for (size_t i = 0; i < names.size(); ++i) {
      GeneratedName& name = names[i];
      if (name.function.empty()) { continue; }
      symbols[wanted.rows[i]].chain = {{std::move(name.function), std::move(name.file), name.line, name.column}};
    }
  }
}

}  // namespace wick
