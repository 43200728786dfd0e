// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/name_generated.h"

#include <algorithm>
#include <map>
#include <utility>

#include "symbolize/generated_symbols.h"

namespace wick {
namespace {

// A function may be in several mappings of a process.
void add_bodies(const GeneratedFrames& code, const std::vector<uint32_t>& rows, const GeneratedBody& body,
                std::vector<HotCode>& out) {
  std::map<uint32_t, std::vector<capture::FrameId>> by_module;
  for (uint32_t i : body.rows) { by_module[code.frames[rows[i]].module.value].push_back({rows[i]}); }
  for (auto& [module, frames] : by_module) {
    if (code.modules[module].kind != capture::ModuleKind::kAnonymous) { continue; }
    std::sort(frames.begin(), frames.end());
    out.push_back({{{module}, body.address, body.bytes, std::move(frames)}, body.weight});
  }
}

}  // namespace

std::vector<HotCode> name_generated_frames(const GeneratedFrames& code, std::vector<capture::FrameSymbols>& symbols,
                                           std::span<const uint64_t> weights) {
  struct Wanted {
    std::vector<CodeAddress> addresses;
    std::vector<uint32_t> rows;
    GeneratedCodeWish wish;
  };
  uint64_t least = least_hot_weight(weights);
  // By process: the same files describe all its mappings.
  std::map<const JitFiles*, Wanted> by_process;
  for (uint32_t row = 0; row < symbols.size(); ++row) {
    const capture::Frame& frame = code.frames[row];
    const JitFiles* files = frame.module.valid() ? code.files[frame.module.value].get() : nullptr;
    if (files == nullptr || !symbols[row].chain.empty()) { continue; }
    Wanted& wanted = by_process[files];
    wanted.addresses.push_back({frame.address, code.last_seen_ns(row)});
    wanted.rows.push_back(row);
    if (!weights.empty()) { wanted.wish.weights.push_back(row < weights.size() ? weights[row] : 0); }
  }
  std::vector<HotCode> hot;
  for (auto& [files, wanted] : by_process) {
    wanted.wish.least_weight = least;
    wanted.wish.most_bytes = kMostBodyBytes;
    std::vector<GeneratedBody> bodies;
    std::vector<GeneratedName> names = name_generated_code(*files, std::move(wanted.addresses), wanted.wish, bodies);
    for (size_t i = 0; i < names.size(); ++i) {
      GeneratedName& name = names[i];
      if (name.function.empty()) { continue; }
      symbols[wanted.rows[i]].chain = {{std::move(name.function), std::move(name.file), name.line, name.column}};
    }
    for (const GeneratedBody& body : bodies) { add_bodies(code, wanted.rows, body, hot); }
  }
  return hot;
}

std::vector<HotCode> name_generated_frames(const StackTable& stacks, std::vector<capture::FrameSymbols>& symbols,
                                           std::span<const uint64_t> weights) {
  auto last_seen = [&](uint32_t row) { return stacks.last_seen_ns({row}); };
  return name_generated_frames({stacks.modules(), stacks.generated(), stacks.frames(), last_seen}, symbols, weights);
}

}  // namespace wick
