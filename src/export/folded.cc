// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A tree of texts: frames with the same text are one node, however they differ otherwise. Each frame becomes text once; a stack's
// node follows from its caller's, so each row of the stack table is visited once per command. No recursion.

#include "export/folded.h"

#include <algorithm>
#include <array>

#include "analyze/round_counts.h"
#include "base/text.h"
#include "export/folded_lines.h"

namespace wick {
namespace {

constexpr size_t kPieceBytes = 1 << 16;
constexpr uint64_t kMostTextBytes = uint64_t{64} << 30;

}  // namespace

FoldedStacks::FoldedStacks(FoldedOptions options) : options_(std::move(options)) { nodes_.push_back({kNone, kNone}); }

uint32_t FoldedStacks::label(std::string_view text) {
  auto [it, fresh] = label_ids_.try_emplace(std::string(text), static_cast<uint32_t>(labels_.size()));
  if (fresh) { labels_.emplace_back(text); }
  return it->second;
}

uint32_t FoldedStacks::child(uint32_t parent, uint32_t label) {
  if (options_.recursive && nodes_[parent].label == label) { return parent; }
  if (nodes_[parent].child_count <= kFewChildren) {
    for (uint32_t c = nodes_[parent].first_child; c != kNone; c = nodes_[c].next_sibling) {
      if (nodes_[c].label == label) { return c; }
    }
  } else if (auto it = node_ids_.find(NodeKey{parent, label}); it != node_ids_.end()) {
    return *it;
  }
  uint32_t added = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({label, parent, kNone, nodes_[parent].first_child});
  nodes_[parent].first_child = added;
  uint32_t count = ++nodes_[parent].child_count;
  if (count == kFewChildren + 1) {
    for (uint32_t c = added; c != kNone; c = nodes_[c].next_sibling) { node_ids_.insert(c); }
  } else if (count > kFewChildren) {
    node_ids_.insert(added);
  }
  return added;
}

FoldedStacks::NodeCosts& FoldedStacks::costs_of(uint32_t node) {
  uint32_t& row = nodes_[node].costs;
  if (row == kNone) {
    row = static_cast<uint32_t>(costs_.size());
    costs_.emplace_back();
  }
  return costs_[row];
}

bool FoldedStacks::has_costs(const Node& node) const {
  return node.costs != kNone && !(costs_[node.costs].cost.empty() && costs_[node.costs].after.empty());
}

// Adds one profile to the tree.
class FoldedStacks::Adder {
 public:
  Adder(FoldedStacks& folded, const Profile& profile) : folded_(folded), profile_(profile), frames_(folded.options_.frames) {
    frames_.has_sources =
        std::any_of(profile.frames().begin(), profile.frames().end(), [](const Frame& f) { return f.file.valid(); });
    for (auto& texts : texts_) { texts.resize(profile.frames().size()); }
    node_of_.assign(profile.stacks().size(), kNone);
    bool pids_known =
        std::any_of(profile.processes().begin(), profile.processes().end(), [](const Process& p) { return p.pid != 0; });
    const FoldedOptions& options = folded.options_;
    for (const Thread& t : profile.threads()) {
      bool is_identified = t.name.valid() || profile[t.process].pid != 0 || t.tid != 0;  // other tools may lack these
      commands_.push_back(
          is_identified ? folded.label(command_text(profile, t, options.pid, options.tid, pids_known, options.frames.compat))
                        : kNone);
    }
  }

  Status add(const Selection& selection, Cost NodeCosts::* column) {
    struct Leaf {
      uint32_t command, row;
      StackId stack;
    };
    std::vector<Leaf> leaves;
    leaves.reserve(selection.samples.size());
    for (uint32_t row : selection.samples) {
      const Sample& s = profile_.samples()[row];
      leaves.push_back({commands_[s.thread.value], row, s.stack});
    }
    std::sort(leaves.begin(), leaves.end(), [](const Leaf& a, const Leaf& b) {
      return a.command != b.command ? a.command < b.command : a.stack != b.stack ? a.stack < b.stack : a.row < b.row;
    });
    bool is_begun = false;
    for (const Leaf& leaf : leaves) {
      if (!is_begun || leaf.command != command_) { begin_command(leaf.command); }
      is_begun = true;
      uint32_t node = node_of(leaf.stack);
      // As the tools do with perf's text: inferno drops a sample without frames, FlameGraph writes the command alone.
      bool is_left_out = frames_.compat == Rules::kInferno && frames_.raw_names ? node == base_ : node == 0;
      if (is_left_out && frames_.compat != Rules::kOwn) { continue; }
      const Sample& s = profile_.samples()[leaf.row];
      Cost& sum = folded_.costs_of(node).*column;
      int64_t weight = 0;
      if (__builtin_mul_overflow(s.weight, folded_.factor_, &weight) || __builtin_add_overflow(sum.weight, weight, &sum.weight)) {
        return Error("the costs of the samples add up to more than 2^63").with_code(Errc::kBadInput);
      }
      sum.samples += s.count;
    }
    return ok_status();
  }

 private:
  struct Text {
    uint32_t first = kNone, count = 0;  // in parts_; kNone: not built yet
    bool is_last = false;
  };

  void begin_command(uint32_t command) {
    for (StackId s : known_) { node_of_[s.value] = kNone; }
    known_.clear();
    command_ = command;
    base_ = command == kNone ? 0 : folded_.child(0, command);
    is_java_ = command != kNone && is_java(folded_.labels_[command]);
  }

  const Text& text_of(FrameId frame) {
    Text& text = texts_[is_java_ ? 1 : 0][frame.value];
    if (text.first == kNone) {
      std::string_view command = command_ == kNone ? std::string_view() : std::string_view(folded_.labels_[command_]);
      FrameText made = frame_text(profile_, profile_[frame], command, frames_);
      text = {static_cast<uint32_t>(parts_.size()), static_cast<uint32_t>(made.labels.size()), made.is_last};
      for (const std::string& label : made.labels) { parts_.push_back(folded_.label(label)); }
    }
    return text;
  }

  uint32_t node_of(StackId stack) {
    StackId at = stack;
    bool is_cut = false;
    path_.clear();
    while (!is_cut && at.valid() && node_of_[at.value] == kNone) {
      path_.push_back(at);
      is_cut = text_of(profile_[at].frame).is_last;
      at = profile_[at].caller;
    }
    uint32_t node = is_cut ? 0 : at.valid() ? node_of_[at.value] : base_;
    for (; !path_.empty(); path_.pop_back()) {
      const Text& text = text_of(profile_[path_.back()].frame);
      for (uint32_t i = 0; i < text.count; ++i) { node = folded_.child(node, parts_[text.first + i]); }
      node_of_[path_.back().value] = node;
      known_.push_back(path_.back());
    }
    return node;
  }

  FoldedStacks& folded_;
  const Profile& profile_;
  FrameTextOptions frames_;
  std::array<std::vector<Text>, 2> texts_;  // by frame, for Java commands and others
  std::vector<uint32_t> parts_;             // labels
  std::vector<uint32_t> commands_;          // label by thread; kNone: anonymous
  std::vector<uint32_t> node_of_;           // by stack, below the current command
  std::vector<StackId> known_, path_;
  uint32_t command_ = kNone, base_ = 0;
  bool is_java_ = false;
};

Status FoldedStacks::set_unit(const Profile& profile, EventId event) {
  if (!event.valid()) { return ok_status(); }
  std::string unit(profile.text(profile[event].unit));
  int64_t divisor = static_cast<int64_t>(std::clamp<uint64_t>(profile[event].divisor, 1, INT64_MAX));
  factor_ = 1;
  if (divisor_ == 0) {
    unit_ = unit;
    divisor_ = divisor;
    return ok_status();
  }
  if (!options_.weights) { return ok_status(); }
  if (unit_ != unit) {
    return Error("costs in \"%s\" cannot be added to costs in \"%s\"", unit.c_str(), unit_.c_str())
        .with_code(Errc::kUsage)
        .with_hint("wick collapse --count samples");
  }
  if (divisor_ % divisor == 0) {
    factor_ = divisor_ / divisor;
    return ok_status();
  }
  if (divisor % divisor_ != 0) { return Error("the files have counts of different precision").with_code(Errc::kBadInput); }
  int64_t factor = divisor / divisor_;
  divisor_ = divisor;
  for (NodeCosts& c : costs_) {
    if (__builtin_mul_overflow(c.cost.weight, factor, &c.cost.weight) ||
        __builtin_mul_overflow(c.after.weight, factor, &c.after.weight)) {
      return Error("the costs of the samples add up to more than 2^63").with_code(Errc::kBadInput);
    }
  }
  return ok_status();
}

Status FoldedStacks::add(const Profile& profile, const Selection& selection, const Selection* after) {
  Adder adder(*this, profile);
  WICK_OK(set_unit(profile, selection.event));
  WICK_OK(adder.add(selection, &NodeCosts::cost));
  if (after != nullptr) {
    is_difference_ = true;
    WICK_OK(adder.add(*after, &NodeCosts::after));
  }
  return ok_status();
}

std::vector<uint64_t> FoldedStacks::rounded_counts(Cost NodeCosts::* which) const {
  std::vector<Cost> costs;
  for (const NodeCosts& c : costs_) { costs.push_back(c.*which); }
  return round_counts(costs, options_.period);
}

void FoldedStacks::write_count(std::string& out, const Cost& cost) const {
  if (!options_.weights) {
    out += std::to_string(cost.samples);
    return;
  }
  append_cost(out, cost.weight, std::max<int64_t>(divisor_, 1));
}

Status FoldedStacks::check_size() const {
  std::vector<uint64_t> path_bytes(nodes_.size());  // callers come first
  uint64_t all = 0;
  uint32_t longest = 0;
  for (size_t i = 1; i < nodes_.size(); ++i) {
    const Node& n = nodes_[i];
    path_bytes[i] = path_bytes[n.parent] + labels_[n.label].size() + 1;
    if (!has_costs(n)) { continue; }
    all += std::min(path_bytes[i], kMostTextBytes);
    if (path_bytes[i] > path_bytes[longest]) { longest = static_cast<uint32_t>(i); }
  }
  if (all <= kMostTextBytes) { return ok_status(); }
  uint32_t frames = 0;
  for (uint32_t node = longest; node != 0; node = nodes_[node].parent) { ++frames; }
  return Error("folded stacks would take %s of text: they have up to %s frames each", human_bytes(all).c_str(),
               group_thousands(frames).c_str())
      .with_code(Errc::kBadInput)
      .with_hint("wick collapse --recursive");
}

// Frame by frame; with `compat` as those tools sort, by the bytes of whole stacks: then "a2" may come between "a" and "a;…". So
// there a node is visited twice, for its own line and for those below it, each sorted as written.
void FoldedStacks::write(const std::function<bool(std::string_view)>& sink) const {
  const bool by_bytes = options_.frames.compat != Rules::kOwn;
  struct Step {
    uint32_t node, rank, depth;
    bool line, below;
  };
  // Ranks of labels: at 2 i as they are, at 2 i + 1 followed by ";".
  std::vector<uint32_t> rank(2 * labels_.size()), order;
  for (uint32_t i = 0; i < rank.size(); i += by_bytes ? 1 : 2) { order.push_back(i); }
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const std::string &left = labels_[a / 2], &right = labels_[b / 2];
    size_t common = std::min(left.size(), right.size());
    if (int sign = left.compare(0, common, right, 0, common); sign != 0) { return sign < 0; }
    auto next = [&](const std::string& label, uint32_t which) {
      return common < label.size() ? static_cast<unsigned char>(label[common]) : which % 2 != 0 ? int{';'} : -1;
    };
    return next(left, a) < next(right, b);
  });
  for (uint32_t i = 0; i < order.size(); ++i) { rank[order[i]] = i; }

  std::string path, piece;
  std::vector<uint64_t> counts, counts_after;
  if (has_rounded_counts()) {
    counts = rounded_counts(&NodeCosts::cost);
    if (is_difference_) { counts_after = rounded_counts(&NodeCosts::after); }
  }
  // False: it is 0.
  auto write = [&](const Cost& cost, const std::vector<uint64_t>& rounded, uint32_t row) {
    piece += ' ';
    if (rounded.empty()) {
      write_count(piece, cost);
      return true;
    }
    piece += std::to_string(rounded[row]);
    return rounded[row] != 0;
  };
  std::vector<Step> todo;
  std::vector<size_t> path_ends;  // lengths of the open nodes, outermost first
  auto push_children = [&](uint32_t node, uint32_t depth) {
    size_t first = todo.size();
    for (uint32_t c = nodes_[node].first_child; c != kNone; c = nodes_[c].next_sibling) {
      uint32_t label = nodes_[c].label;
      todo.push_back({c, rank[2 * label], depth, true, !by_bytes});
      if (by_bytes && nodes_[c].first_child != kNone) { todo.push_back({c, rank[2 * label + 1], depth, false, true}); }
    }
    std::sort(todo.begin() + static_cast<std::ptrdiff_t>(first), todo.end(),
              [&](const Step& a, const Step& b) { return a.rank > b.rank; });  // the last is visited first
  };
  push_children(0, 1);
  while (!todo.empty()) {
    Step step = todo.back();
    todo.pop_back();
    const Node& n = nodes_[step.node];
    path_ends.resize(step.depth - 1);
    path.resize(path_ends.empty() ? 0 : path_ends.back());
    if (step.depth > 1) { path += ';'; }
    path += labels_[n.label];
    path_ends.push_back(path.size());
    if (step.line && has_costs(n)) {
      size_t begin = piece.size();
      piece += path;
      bool is_shown = write(costs_[n.costs].cost, counts, n.costs);
      if (is_difference_) { is_shown = write(costs_[n.costs].after, counts_after, n.costs) || is_shown; }
      piece += '\n';
      if (!is_shown) { piece.resize(begin); }
      if (piece.size() >= kPieceBytes) {
        if (!sink(piece)) { return; }
        piece.clear();
      }
    }
    if (step.below) { push_children(step.node, step.depth + 1); }
  }
  if (!piece.empty()) { sink(piece); }
}

uint64_t folded_period(const Profile& profile, EventId event) {
  if (!profile.cpu_time() || !event.valid()) { return 0; }
  std::string_view name = profile.text(profile[event].name);
  bool is_counted = event == EventId{0} || name == kReadyEvent || name == kBlockedEvent;
  bool is_timed = is_counted && profile.text(profile[event].unit) == "ns";
  uint64_t rate_hz = is_timed ? profile[event].rate_hz : 0;
  return rate_hz == 0 ? 0 : 1'000'000'000 / rate_hz;
}

void write_folded(const Profile& profile, const Selection& selection, const FoldedOptions& options,
                  const std::function<bool(std::string_view)>& sink) {
  FoldedStacks folded(options);
  Status added = folded.add(profile, selection);
  WICK_ASSERT(added.ok(), "a selection's costs can be added up");
  folded.write(sink);
}

}  // namespace wick
