// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/folded.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/format.h"
#include "base/text.h"

namespace wick {
namespace {

constexpr uint32_t kNone = CallNode::kNone;
constexpr size_t kPieceBytes = 1 << 16;

ThreadGroups group_by_label(const Profile& profile, const FoldedOptions& options) {
  ThreadGroups groups;
  tsl::robin_map<std::string, uint32_t> rows;
  for (const Thread& t : profile.threads) {
    bool is_told = t.name.valid() || profile[t.process].pid != 0 || t.tid != 0;
    if (!is_told) {  // files of other tools need not know
      groups.of_thread.push_back(CallNode::kNone);
      continue;
    }
    std::string label = folded_name(profile.text(t.name));
    if (options.pid || options.tid) { label += strf("-%u", profile[t.process].pid); }
    if (options.tid) { label += strf("/%u", t.tid); }
    auto [it, fresh] = rows.try_emplace(label, static_cast<uint32_t>(groups.names.size()));
    if (fresh) { groups.names.push_back(label); }
    groups.of_thread.push_back(it->second);
  }
  return groups;
}

// The text of every node, each distinct function's made once.
class NodeTexts {
 public:
  NodeTexts(const Profile& profile, const CallTree& tree) : tree_(tree), texts_(profile.functions.size()) {
    for (const CallNode& n : tree.nodes) {
      if (n.function.valid() && texts_[n.function.value].empty()) {
        texts_[n.function.value] = folded_name(profile.text(profile[n.function].name));
      }
    }
  }
  const std::string& operator[](uint32_t node) const {
    const CallNode& n = tree_.nodes[node];
    return n.function.valid() ? texts_[n.function.value] : tree_.groups[n.group];
  }

 private:
  const CallTree& tree_;
  std::vector<std::string> texts_;
};

}  // namespace

std::string folded_name(std::string_view name) {
  std::string out = shown_name(name);
  std::replace(out.begin(), out.end(), ';', ':');
  return out;
}

void write_folded(const Profile& profile, const Selection& selection, const FoldedOptions& options,
                  const std::function<bool(std::string_view)>& sink) {
  CallTree tree = compute_call_tree(profile, selection, group_by_label(profile, options), Sameness::kName);
  NodeTexts texts(profile, tree);
  std::string path, piece;
  std::vector<uint32_t> todo, children;
  std::vector<size_t> path_ends;  // of the open nodes, outermost first
  auto push_children = [&](uint32_t node) {
    children.clear();
    for (uint32_t c = tree.nodes[node].first_child; c != kNone; c = tree.nodes[c].next_sibling) { children.push_back(c); }
    std::sort(children.begin(), children.end(),
              [&](uint32_t a, uint32_t b) { return texts[a] > texts[b]; });  // the last goes first
    todo.insert(todo.end(), children.begin(), children.end());
  };
  push_children(0);
  while (!todo.empty()) {
    uint32_t node = todo.back();
    todo.pop_back();
    const CallNode& n = tree.nodes[node];
    path_ends.resize(n.depth - 1);
    path.resize(path_ends.empty() ? 0 : path_ends.back());
    if (!path.empty()) { path += ';'; }
    path += texts[node];
    path_ends.push_back(path.size());
    if (!n.self.empty()) {
      piece += path;
      piece += ' ';
      piece += std::to_string(n.self.samples);
      piece += '\n';
      if (piece.size() >= kPieceBytes) {
        if (!sink(piece)) { return; }
        piece.clear();
      }
    }
    push_children(node);
  }
  if (!piece.empty()) { sink(piece); }
}

}  // namespace wick
