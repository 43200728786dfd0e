// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/collect_code.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "elf/cfi.h"

namespace wick {
namespace {

constexpr uint64_t kLeastPart = 100;

struct Body {
  uint32_t module = 0;
  uint64_t begin = 0, end = 0, weight = 0;
};

}  // namespace

uint64_t least_hot_weight(std::span<const uint64_t> weights) {
  return std::accumulate(weights.begin(), weights.end(), uint64_t{0}) / kLeastPart;
}

std::vector<capture::CodeBody> collect_code(const std::vector<capture::Module>& modules,
                                            const std::vector<capture::Frame>& frames,
                                            const std::vector<const LoadedModule*>& opened, std::span<const uint64_t> weights,
                                            uint64_t most_bytes, std::vector<HotCode> others) {
  if (most_bytes == 0) { return {}; }
  std::map<std::pair<uint32_t, uint64_t>, Body> bodies;
  for (size_t row = 0; row < frames.size() && row < weights.size(); ++row) {
    capture::ModuleId id = frames[row].module;
    if (weights[row] == 0 || !id.valid() || id.value >= opened.size()) { continue; }
    const LoadedModule* file = opened[id.value];
    bool is_readable = modules[id.value].kind == capture::ModuleKind::kFile && !modules[id.value].build_id.empty() &&
                       file != nullptr && file->image && file->unwind != nullptr;
    Body body{.module = id.value};
    if (!is_readable || !file->unwind->cfi().find_function_before(frames[row].address, body.begin, body.end)) { continue; }
    if (frames[row].address >= body.end || body.end - body.begin > kMostBodyBytes) { continue; }
    bodies.try_emplace({body.module, body.begin}, body).first->second.weight += weights[row];
  }
  uint64_t least = least_hot_weight(weights);
  std::vector<HotCode> hottest = std::move(others);
  for (const auto& [key, body] : bodies) {
    if (body.weight >= least) { hottest.push_back({{{body.module}, body.begin, {}}, body.weight}); }
  }
  std::stable_sort(hottest.begin(), hottest.end(), [](const HotCode& a, const HotCode& b) { return a.weight > b.weight; });
  std::vector<capture::CodeBody> out;
  for (HotCode& hot : hottest) {
    capture::CodeBody& body = hot.body;
    if (body.bytes.empty()) {
      const Body& found = bodies.at({body.module.value, body.address});
      const elf::Image& image = *opened[body.module.value]->image;
      Bytes bytes = image.bytes_at_svma(found.begin);
      uint64_t size = found.end - found.begin;
      if (size > most_bytes || bytes.size() < size || !image.has_contents(found.begin)) { continue; }
      body.bytes.assign(reinterpret_cast<const char*>(bytes.data()), size);
    }
    if (body.bytes.size() > most_bytes) { continue; }
    most_bytes -= body.bytes.size();
    out.push_back(std::move(body));
  }
  return out;
}

std::vector<HotCode> collect_kernel_code(const std::vector<capture::Module>& modules, const std::vector<capture::Frame>& frames,
                                         std::span<const uint64_t> weights, const FileSymbols& symbols,
                                         const KernelMemory& memory, std::span<const KernelCode> own) {
  std::map<uint64_t, Body> bodies;
  for (size_t row = 0; row < frames.size() && row < weights.size(); ++row) {
    capture::ModuleId id = frames[row].module;
    uint64_t address = frames[row].address;
    if (weights[row] == 0 || !id.valid() || modules[id.value].kind != capture::ModuleKind::kKernel) { continue; }
    bool is_own = std::any_of(own.begin(), own.end(), [&](const KernelCode& c) { return address >= c.begin && address < c.end; });
    std::optional<elf::AddressRange> range = is_own ? std::nullopt : symbols.function_range(address);
    if (!range || range->end - range->begin > kMostBodyBytes) { continue; }
    bodies.try_emplace(range->begin, Body{id.value, range->begin, range->end}).first->second.weight += weights[row];
  }
  uint64_t least = least_hot_weight(weights);
  std::vector<HotCode> out;
  for (const auto& [begin, body] : bodies) {
    if (body.weight < least) { continue; }
    std::string bytes = memory.read(begin, static_cast<size_t>(body.end - begin));
    if (!bytes.empty()) { out.push_back({{{body.module}, begin, std::move(bytes)}, body.weight}); }
  }
  return out;
}

std::vector<HotCode> load_kernel_code(const std::vector<capture::Module>& modules, const std::vector<capture::Frame>& frames,
                                      std::span<const uint64_t> weights, const SymbolSources& sources,
                                      std::span<const KernelCode> own) {
  uint64_t in_kernel = 0;
  for (size_t row = 0; row < frames.size() && row < weights.size(); ++row) {
    capture::ModuleId id = frames[row].module;
    if (id.valid() && modules[id.value].kind == capture::ModuleKind::kKernel) { in_kernel += weights[row]; }
  }
  if (in_kernel == 0 || in_kernel < least_hot_weight(weights)) { return {}; }
  Result<KernelMemory> memory = KernelMemory::open();
  if (!memory.ok()) { return {}; }
  Result<std::unique_ptr<FileSymbols>> symbols = load_kernel_symbols(sources);
  return symbols.ok() ? collect_kernel_code(modules, frames, weights, **symbols, *memory, own) : std::vector<HotCode>();
}

}  // namespace wick
