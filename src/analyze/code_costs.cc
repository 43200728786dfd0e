// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/code_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analyze/outermost_walk.h"

namespace wick {
namespace {

constexpr uint32_t kNoKey = OutermostWalk::kNoKey;

// Keys of the function's frames, by row of Profile::frames.
struct FrameKeys {
  std::vector<uint32_t> functions, lines, instructions;
};

class CodeCounter {
 public:
  CodeCounter(const Profile& profile, const CodeQuery& query) : profile_(profile), query_(query) {
    std::vector<bool> is_ours(profile.functions().size());
    for (FunctionId f : query.functions) { is_ours[f.value] = true; }
    size_t count = profile.frames().size();
    keys_ = {std::vector(count, kNoKey), std::vector(count, kNoKey), std::vector(count, kNoKey)};
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> lines;
    std::map<uint64_t, uint32_t> instructions;
    for (uint32_t row = 0; row < count; ++row) {
      const Frame& f = profile.frames()[row];
      if (!is_ours[f.function.value]) { continue; }
      keys_.functions[row] = 0;
      if (!is_same_build(profile, profile[f.function].module, query.module)) { continue; }
      if (f.line != 0) {
        keys_.lines[row] = number(lines, {f.file.value, f.line});
      } else if (find_instruction(f.address) == nullptr) {
        keys_.lines[row] = number(lines, {StringId{}.value, 0});
      }
      if (f.address == 0) { continue; }
      const AddressSpan* instruction = find_instruction(f.address);
      keys_.instructions[row] = number(instructions, instruction != nullptr ? instruction->begin : f.address);
    }
    costs_.lines.resize(lines.size());
    for (const auto& [key, i] : lines) { std::tie(costs_.lines[i].file.value, costs_.lines[i].line) = key; }
    costs_.instructions.resize(instructions.size());
    for (const auto& [address, i] : instructions) { costs_.instructions[i].address = address; }
  }

  CodeCosts count(const Selection& selection) {
    std::vector<Cost> costs = compute_stack_self(profile_, selection);
    for (uint32_t row = 0; row < costs.size(); ++row) {
      if (!costs[row].empty()) { add_self(row, costs[row]); }
    }
    add_up_callers(profile_, costs);
    OutermostWalk walk(profile_, costs);
    walk.run(keys_.functions, 1, [&](uint32_t, uint32_t row) { costs_.total += costs[row]; });
    walk.run(keys_.lines, costs_.lines.size(), [&](uint32_t i, uint32_t row) { costs_.lines[i].total += costs[row]; });
    walk.run(keys_.instructions, costs_.instructions.size(),
             [&](uint32_t i, uint32_t row) { costs_.instructions[i].total += costs[row]; });
    drop_empty(costs_.lines, [](const LineCost& l) { return std::pair(l.file.value, l.line); });
    drop_empty(costs_.instructions, [](const InstructionCost& i) { return i.address; });
    return std::move(costs_);
  }

 private:
  template <typename Key>
  static uint32_t number(std::map<Key, uint32_t>& numbers, const Key& key) {
    return numbers.try_emplace(key, static_cast<uint32_t>(numbers.size())).first->second;
  }

  // The one that the address is inside of.
  const AddressSpan* find_instruction(uint64_t address) const {
    auto next = std::upper_bound(query_.instructions.begin(), query_.instructions.end(), address,
                                 [](uint64_t a, const AddressSpan& span) { return a < span.begin; });
    bool inside = next != query_.instructions.begin() && address < (next - 1)->end;
    return inside ? &*(next - 1) : nullptr;
  }

  // Frames that are inlined into the function's frame have the same address.
  void add_self(uint32_t row, const Cost& cost) {
    const Stack* stack = &profile_.stacks()[row];
    if (keys_.functions[stack->frame.value] != kNoKey) {
      costs_.self += cost;
      if (uint32_t i = keys_.lines[stack->frame.value]; i != kNoKey) { costs_.lines[i].self += cost; }
    }
    while (keys_.functions[stack->frame.value] == kNoKey) {
      if (!profile_[stack->frame].inlined || !stack->caller.valid()) { return; }
      stack = &profile_[stack->caller];
    }
    costs_.code += cost;
    const Frame& frame = profile_[stack->frame];
    if (!is_same_build(profile_, profile_[frame.function].module, query_.module)) {
      costs_.other_builds += cost;
    } else if (!find_instruction(frame.address)) {
      costs_.outside += cost;
    }
    if (uint32_t i = keys_.instructions[stack->frame.value]; i != kNoKey) { costs_.instructions[i].self += cost; }
  }

  // Frames of samples that are not selected.
  template <typename Row, typename Key>
  static void drop_empty(std::vector<Row>& rows, const Key& key) {
    std::erase_if(rows, [](const Row& row) { return row.total.empty(); });
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
  }

  const Profile& profile_;
  const CodeQuery& query_;
  FrameKeys keys_;
  CodeCosts costs_;
};

}  // namespace

CodeCosts compute_code_costs(const Profile& profile, const Selection& selection, const CodeQuery& query) {
  return CodeCounter(profile, query).count(selection);
}

bool is_same_build(const Profile& profile, ModuleId a, ModuleId b) {
  if (a == b || !a.valid() || !b.valid()) { return a == b; }
  StringId id = profile[a].build_id;
  return !profile.text(id).empty() && id == profile[b].build_id;
}

}  // namespace wick
