// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/line_diff.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "analyze/format.h"
#include "annotate/line_match.h"
#include "base/text.h"

namespace wick {
namespace {

using Kind = LineDiffRow::Kind;
using Lines = std::vector<std::string>;

// How many directories and names the paths have in common at their ends.
size_t common_tail(std::string_view a, std::string_view b) {
  size_t parts = 0, i = 0;
  for (; i < a.size() && i < b.size() && a[a.size() - 1 - i] == b[b.size() - 1 - i]; ++i) {
    parts += a[a.size() - 1 - i] == '/' ? 1 : 0;
  }
  bool ends = (i == a.size() || a[a.size() - 1 - i] == '/') && (i == b.size() || b[b.size() - 1 - i] == '/');
  return parts + (ends ? 1 : 0);
}

// The file of the other version under another path: the only one with the longest common end, at least the name.
std::string find_counterpart(const std::string& file, const std::set<std::string>& others) {
  std::string best;
  size_t most = 0, count = 0;
  for (const std::string& other : others) {
    size_t common = base_name(file) == base_name(other) ? common_tail(file, other) : 0;
    if (common > most) { best = other; }
    count = common > most ? 1 : count + (common == most ? 1 : 0);
    most = std::max(most, common);
  }
  return count == 1 && most > 0 ? best : "";
}

// For each file of `before` the one of `after`; empty: none. If one is left of each, they are a file that was renamed.
std::map<std::string, std::string> match_files(const std::set<std::string>& before, std::set<std::string> after) {
  std::map<std::string, std::string> out;
  std::vector<std::string> left;
  for (const std::string& file : before) {
    if (after.erase(file) > 0) { out[file] = file; }
  }
  for (const std::string& file : before) {
    if (out.contains(file)) { continue; }
    std::string other = find_counterpart(file, after);
    out[file] = other;
    other.empty() ? left.push_back(file) : void(after.erase(other));
  }
  if (left.size() == 1 && after.size() == 1) { out[left.front()] = *after.begin(); }
  return out;
}

// A file in both versions.
struct FilePair {
  std::string before, after;  // names; empty: that side has no samples in it
  const Lines *before_lines = nullptr, *after_lines = nullptr;
  bool by_text = false;             // else lines with the same number are the same line
  bool comparable = true;           // the match is certain
  std::vector<uint32_t> after_of;   // by_text: for each line before, from 0; kNoLine
  std::vector<uint32_t> before_of;  // the inverse
  std::string problem;              // why lines are matched by number

  const std::string& name() const { return after.empty() ? before : after; }
};

// Order in the merged file: matched and new lines by number after, each followed by the lines that are gone there.
struct Position {
  bool other_file = false;
  std::string_view file;
  uint32_t after = 0, gone = 0;
  auto operator<=>(const Position&) const = default;
};

struct Node {
  uint32_t before = 0, after = 0;
  const FilePair* file = nullptr;
  bool comparable = true;
  DiffCost self{}, total{};
  std::map<std::string, std::map<Position, Node>, std::less<>> inlined;

  bool has_cost() const { return !(self.before.empty() && self.after.empty() && total.before.empty() && total.after.empty()); }
};

class LineDiffer {
 public:
  LineDiffer(const LineDiffSide& before, const LineDiffSide& after, const LineDiffOptions& options)
      : before_(before), after_(after), options_(options) {}

  LineDiff run() {
    pair_files();
    if (!options_.has_counts) {
      all_comparable_ = false;
      out_.notes.push_back("lines are not judged: the number of samples is unknown");
    }
    check_unknown("BEFORE", before_);
    check_unknown("AFTER", after_);
    add_side(before_, &DiffCost::before, true);
    add_side(after_, &DiffCost::after, false);
    add_context();
    out_.table.by = GroupBy::kLine;
    out_.table.before = options_.before;
    out_.table.after = options_.after;
    out_.table.normalized = options_.normalized;
    if (options_.before.weight > 0 && options_.after.weight > 0) {
      out_.table.scale = static_cast<double>(options_.after.weight) / static_cast<double>(options_.before.weight);
    }
    emit(roots_, 0);
    judge_rows(out_.table);
    return std::move(out_);
  }

 private:
  bool is_same_build() const { return options_.builds == Builds::kSame; }

  static std::string file_of(const LineDiffSide& side, const LineNode& node) {
    return node.file.valid() ? std::string(side.profile.text(node.file)) : std::string();
  }

  // Where much of a side's cost has no line, a line without cost on that side may have had some.
  void check_unknown(const char* name, const LineDiffSide& side) {
    int64_t unknown = 0, all = 0;
    for (const LineNode& n : side.costs.nodes) {
      all += n.own.weight;
      unknown += n.line == 0 ? n.own.weight : 0;
    }
    if (all <= 0 || share(unknown, all) <= kRunToRun) { return; }
    all_comparable_ = false;
    out_.notes.push_back("lines are not judged: " + std::string(name) + " does not know the line of " +
                         format_percent(share(unknown, all)) + " of the function's code");
  }

  void pair_files() {
    std::map<std::string, uint32_t> last_before, last_after;  // the largest line number of each
    std::set<std::string> names_before, names_after;          // without the unknown file
    std::map<std::string, int64_t> weights;
    for (const LineNode& n : before_.costs.nodes) {
      std::string file = file_of(before_, n);
      uint32_t& last = last_before[file];
      last = std::max(last, n.line);
      if (!file.empty()) { names_before.insert(file); }
    }
    for (const LineNode& n : after_.costs.nodes) {
      std::string file = file_of(after_, n);
      uint32_t& last = last_after[file];
      last = std::max(last, n.line);
      if (!file.empty()) { names_after.insert(file); }
    }
    std::map<std::string, std::string> after_of = match_files(names_before, names_after);
    for (const auto& [name, last] : last_before) {
      const std::string& other = after_of[name];
      files_before_[name] = &add_pair(name, other, last, other.empty() ? 0 : last_after[other]);
      if (!other.empty() || name.empty()) { files_after_[other] = files_before_[name]; }
    }
    for (const auto& [name, last] : last_after) {
      if (!files_after_.contains(name)) { files_after_[name] = &add_pair("", name, 0, last); }
    }
    for (const auto& [side, files] : {std::pair(&before_, &files_before_), std::pair(&after_, &files_after_)}) {
      for (const LineNode& n : side->costs.nodes) {
        if (n.depth == 0) { weights[files->at(file_of(*side, n))->name()] += std::max(n.total.weight, n.self.weight); }
      }
    }
    int64_t most = -1;
    for (const auto& [name, weight] : weights) {
      if (!name.empty() && weight > most) { std::tie(own_, most) = std::pair(name, weight); }
    }
    note_matches();
  }

  FilePair& add_pair(const std::string& before, const std::string& after, uint32_t last_before, uint32_t last_after) {
    FilePair& pair = pairs_[{before, after}];
    pair.before = before;
    pair.after = after;
    VersionedLines old_lines = before.empty() ? VersionedLines{} : before_.source(before);
    VersionedLines new_lines = after.empty() ? VersionedLines{} : after_.source(after);
    pair.before_lines = old_lines.lines;
    pair.after_lines = new_lines.lines;
    if (is_same_build() || before.empty() || after.empty()) { return pair; }  // nothing to match
    auto problem = [](const VersionedLines& source, uint32_t last, const char* side) -> std::string {
      if (source.lines == nullptr) { return std::string("source of ") + side + " not found"; }
      if (!source.is_recorded) { return std::string("source may have changed since ") + side + " was recorded"; }
      return last > source.lines->size() ? std::string("source of ") + side + " has fewer lines" : "";
    };
    pair.problem = problem(old_lines, last_before, "BEFORE");
    if (pair.problem.empty()) { pair.problem = problem(new_lines, last_after, "AFTER"); }
    pair.by_text = pair.problem.empty();
    pair.comparable = pair.by_text;
    if (!pair.by_text) { return pair; }
    pair.after_of = match_lines(*pair.before_lines, *pair.after_lines);
    pair.before_of.assign(pair.after_lines->size(), kNoLine);
    for (uint32_t i = 0; i < pair.after_of.size(); ++i) {
      if (pair.after_of[i] != kNoLine) { pair.before_of[pair.after_of[i]] = i; }
    }
    return pair;
  }

  void note_matches() {
    if (is_same_build()) { return; }
    bool any_text = false;
    std::vector<const FilePair*> by_number;
    for (const auto& [names, pair] : pairs_) {
      any_text |= pair.by_text;
      if (!pair.problem.empty()) { by_number.insert(pair.name() == own_ ? by_number.begin() : by_number.end(), &pair); }
    }
    std::string builds = options_.builds == Builds::kDifferent ? "the builds differ: " : "the builds may differ: ";
    if (any_text) { out_.notes.push_back(builds + "lines are matched by their text"); }
    if (by_number.empty()) { return; }
    std::string more = by_number.size() > 1 ? strf(" and %zu more", by_number.size() - 1) : "";
    out_.notes.push_back(builds + "lines are matched by number and not judged in " + short_source(by_number.front()->name()) +
                         more + " (" + by_number.front()->problem + ")");
  }

  // The line in both versions, and its place.
  std::pair<Position, Node> place(const FilePair& pair, uint32_t line, bool is_before) const {
    Node node;
    node.file = &pair;
    node.comparable = pair.comparable && all_comparable_;
    Position at{pair.name() != own_, pair.name(), line, 0};
    node.before = node.after = line;
    if (!pair.by_text || line == 0) { return {at, node}; }
    if (!is_before) {
      uint32_t old = pair.before_of[line - 1];
      node.before = old == kNoLine ? 0 : old + 1;
      return {at, node};
    }
    uint32_t i = line - 1;
    node.after = pair.after_of[i] == kNoLine ? 0 : pair.after_of[i] + 1;
    if (node.after != 0) { return {{at.other_file, at.file, node.after, 0}, node}; }
    while (i > 0 && pair.after_of[i] == kNoLine) { --i; }
    uint32_t previous = pair.after_of[i] == kNoLine ? 0 : pair.after_of[i] + 1;
    return {{at.other_file, at.file, previous, line}, node};
  }

  void add_side(const LineDiffSide& side, Cost DiffCost::* which, bool is_before) {
    const auto& files = is_before ? files_before_ : files_after_;
    std::vector<Node*> nodes;
    for (const LineNode& n : side.costs.nodes) {
      auto [at, fresh] = place(*files.at(file_of(side, n)), n.line, is_before);
      Node* parent = n.parent != LineNode::kNone ? nodes[n.parent] : nullptr;
      if (parent != nullptr) { fresh.comparable &= parent->comparable; }
      auto& siblings = parent != nullptr ? parent->inlined[std::string(side.profile.text(n.function))] : roots_;
      Node& node = siblings.try_emplace(at, fresh).first->second;
      node.self.*which += n.self;
      node.total.*which += n.depth == 0 && n.line != 0 ? n.total : n.self;
      nodes.push_back(&node);
    }
  }

  // The source lines around those with cost.
  void add_context() {
    std::map<const FilePair*, std::vector<Position>> wanted;
    for (const auto& [at, node] : roots_) {
      if (node.after != 0 || node.before != 0) { wanted[node.file].push_back(at); }
    }
    for (const auto& [pair, positions] : wanted) {
      std::vector<std::pair<Position, Node>> all = merged_lines(*pair);
      std::vector<bool> shown(all.size());
      for (const Position& at : positions) {
        auto found = std::lower_bound(all.begin(), all.end(), at, [](const auto& a, const Position& p) { return a.first < p; });
        auto i = static_cast<size_t>(found - all.begin());
        size_t end = options_.context < all.size() ? std::min(all.size(), i + options_.context + 1) : all.size();
        for (size_t k = i - std::min(i, options_.context); k < end; ++k) { shown[k] = true; }
      }
      for (size_t i = 0; i < all.size(); ++i) {
        if (shown[i]) { roots_.try_emplace(all[i].first, all[i].second); }
        if (!shown[i] && i > 0 && shown[i - 1]) { gaps_.insert(all[i].first); }
      }
    }
  }

  std::vector<std::pair<Position, Node>> merged_lines(const FilePair& pair) const {
    std::vector<std::pair<Position, Node>> all;
    const Lines* shown = pair.after_lines != nullptr ? pair.after_lines : pair.before_lines;
    if (shown == nullptr) { return all; }
    for (uint32_t line = 1; line <= shown->size(); ++line) { all.push_back(place(pair, line, false)); }
    for (uint32_t i = 0; i < pair.after_of.size(); ++i) {
      if (pair.after_of[i] == kNoLine) { all.push_back(place(pair, i + 1, true)); }
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return all;
  }

  static const std::string* text_of(const Node& node) {
    auto at = [](const Lines* lines, uint32_t line) {
      return lines != nullptr && line > 0 && line <= lines->size() ? &(*lines)[line - 1] : nullptr;
    };
    const std::string* text = at(node.file->after_lines, node.after);
    bool same_numbers = !node.file->by_text;
    return text == nullptr && (node.after == 0 || same_numbers) ? at(node.file->before_lines, node.before) : text;
  }

  uint32_t add_cost(const DiffCost& self, const DiffCost& total, bool comparable) {
    auto row = static_cast<uint32_t>(out_.table.rows.size());
    out_.table.rows.push_back(
        {.id = static_cast<uint32_t>(out_.rows.size()), .self = self, .total = total, .comparable = comparable});
    return row;
  }

  void emit(const std::map<Position, Node>& lines, uint32_t depth) {
    const FilePair* file = nullptr;
    auto gap = gaps_.begin();
    for (const auto& [at, node] : lines) {
      if (depth == 0) {
        bool is_hidden = false;
        for (; gap != gaps_.end() && *gap < at; ++gap) { is_hidden |= file == node.file && gap->file == at.file; }
        if (is_hidden) { out_.rows.push_back({.kind = Kind::kGap}); }
      }
      if (file != node.file && (depth == 0 || file != nullptr)) {
        out_.rows.push_back({.kind = Kind::kFile, .depth = depth, .file = node.file->name()});
      }
      file = node.file;
      LineDiffRow row{.depth = depth, .before = node.before, .after = node.after, .file = node.file->name()};
      if (const std::string* text = text_of(node)) {
        row.text = *text;
        row.has_text = true;
      }
      if (node.has_cost()) { row.cost = add_cost(node.self, node.total, node.comparable); }
      out_.rows.push_back(std::move(row));
      for (const auto& [name, inside] : node.inlined) { emit_inlined(name, inside, node.comparable, depth + 1); }
    }
  }

  void emit_inlined(const std::string& name, const std::map<Position, Node>& lines, bool comparable, uint32_t depth) {
    DiffCost sum;
    for (const auto& [at, node] : lines) {
      sum.before += node.self.before;
      sum.after += node.self.after;
    }
    LineDiffRow row{.kind = Kind::kInlined, .depth = depth, .file = lines.begin()->second.file->name(), .text = name};
    row.cost = add_cost(sum, sum, comparable);
    out_.rows.push_back(std::move(row));
    emit(lines, depth);
  }

  const LineDiffSide& before_;
  const LineDiffSide& after_;
  const LineDiffOptions& options_;
  std::map<std::pair<std::string, std::string>, FilePair> pairs_;
  std::map<std::string, FilePair*> files_before_, files_after_;
  bool all_comparable_ = true;
  std::string own_;
  std::map<Position, Node> roots_;
  std::set<Position> gaps_;  // the first line of each part that is left out after a shown one
  LineDiff out_;
};

}  // namespace

LineDiff compute_line_diff(const LineDiffSide& before, const LineDiffSide& after, const LineDiffOptions& options) {
  return LineDiffer(before, after, options).run();
}

}  // namespace wick
