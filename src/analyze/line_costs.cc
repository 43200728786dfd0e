// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "analyze/line_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace wick {
namespace {

class LineCounter {
 public:
  LineCounter(const Profile& profile, const CodeQuery& query)
      : profile_(profile), query_(query), is_ours_(profile.functions().size()) {
    for (FunctionId f : query.functions) { is_ours_[f.value] = true; }
  }

  void add(uint32_t row, const Cost& cost) {
    path_.clear();
    const Stack* stack = &profile_.stacks()[row];
    for (;;) {
      const Frame& frame = profile_[stack->frame];
      path_.push_back(&frame);
      if (is_ours_[frame.function.value]) { break; }
      if (!frame.inlined || !stack->caller.valid()) { return; }
      stack = &profile_[stack->caller];
    }
    if (!is_same_build(profile_, profile_[path_.back()->function].module, query_.module)) { return; }
    uint32_t at = LineNode::kNone;
    for (size_t i = path_.size(); i-- > 0;) {
      at = node(at, *path_[i]);
      nodes_[at].self += cost;
    }
    nodes_[at].own += cost;
  }

  // A line without own samples, whose callees have some.
  void add_total(const LineCost& line) {
    Key key{LineNode::kNone, root_name().value, line.file.value, line.line};
    nodes_[find(key)].total = line.total;
  }

  std::vector<LineNode> take() { return std::move(nodes_); }

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;  // parent, name, file, line

  // All functions of the query have one name.
  StringId root_name() const { return profile_[query_.functions.front()].name; }

  uint32_t node(uint32_t parent, const Frame& frame) {
    StringId name = parent == LineNode::kNone ? root_name() : profile_[frame.function].name;
    bool is_known = frame.line != 0;
    return find({parent, name.value, is_known ? frame.file.value : StringId{}.value, frame.line});
  }

  uint32_t find(const Key& key) {
    auto [it, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(nodes_.size()));
    if (is_new) {
      LineNode& fresh = nodes_.emplace_back();
      std::tie(fresh.parent, fresh.function.value, fresh.file.value, fresh.line) = key;
      fresh.depth = fresh.parent == LineNode::kNone ? 0 : nodes_[fresh.parent].depth + 1;
    }
    return it->second;
  }

  const Profile& profile_;
  const CodeQuery& query_;
  std::vector<bool> is_ours_;
  std::vector<const Frame*> path_;
  std::vector<LineNode> nodes_;
  std::map<Key, uint32_t> numbers_;
};

}  // namespace

LineCosts compute_line_costs(const Profile& profile, const Selection& selection, const CodeQuery& query) {
  if (query.functions.empty()) { return {}; }
  CodeCosts costs = compute_code_costs(profile, selection, {query.functions, query.module, {}});
  LineCosts out{costs.self, costs.code, costs.total, costs.other_builds, {}};
  LineCounter counter(profile, query);
  std::vector<Cost> self = compute_stack_self(profile, selection);
  for (uint32_t row = 0; row < self.size(); ++row) {
    if (!self[row].empty()) { counter.add(row, self[row]); }
  }
  for (const LineCost& line : costs.lines) {
    if (line.line != 0) { counter.add_total(line); }
  }
  out.nodes = counter.take();
  return out;
}

std::vector<CodePart> divide_code(const Profile& profile, const LineCosts& costs) {
  using PartKey = std::pair<bool, uint32_t>;  // inlined, name
  std::map<PartKey, std::map<std::pair<uint32_t, uint32_t>, Cost>> parts;
  for (const LineNode& n : costs.nodes) {
    if (!n.own.empty()) { parts[{n.depth > 0, n.function.value}][{n.file.value, n.line}] += n.own; }
  }
  std::vector<CodePart> out;
  for (const auto& [key, lines] : parts) {
    CodePart part{.function = {key.second}, .inlined = key.first, .lines = {}};
    std::map<uint32_t, int64_t> weights;  // by file
    for (const auto& [at, cost] : lines) {
      part.self += cost;
      part.lines.push_back({{at.first}, at.second, cost});
      weights[at.first] += cost.weight;
    }
    auto file_text = [&](StringId file) { return file.valid() ? profile.text(file) : std::string_view(); };
    std::sort(part.lines.begin(), part.lines.end(), [&](const CodePart::Line& a, const CodePart::Line& b) {
      int64_t left = weights[a.file.value], right = weights[b.file.value];
      if (a.file != b.file) { return left != right ? left > right : file_text(a.file) < file_text(b.file); }
      return a.line < b.line;
    });
    out.push_back(std::move(part));
  }
  std::sort(out.begin(), out.end(), [&](const CodePart& a, const CodePart& b) {
    if (a.self.weight != b.self.weight) { return a.self.weight > b.self.weight; }
    return a.inlined != b.inlined ? !a.inlined : profile.text(a.function) < profile.text(b.function);
  });
  return out;
}

}  // namespace wick
