// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/tree_view.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"

namespace wick {
namespace {

constexpr uint32_t kNone = CallNode::kNone;
constexpr int kShareWidth = 6;      // "100.0%"
constexpr size_t kMostGuides = 40;  // nested branches; readers cannot follow more lines

class TreeView {
 public:
  TreeView(const Profile& profile, const CallTree& tree, const TreeViewOptions& options, int64_t whole, const Style& style)
      : profile_(profile), tree_(tree), options_(options), style_(style), whole_(whole), root_(tree.nodes[0].total.weight) {}

  std::string render() {
    bool callers = !options_.callee.empty();
    add_line("TOTAL", Paint::kDim, "SELF", Paint::kDim, "", callers ? "FUNCTION AND ITS CALLERS" : "FUNCTION", Paint::kDim, "");
    if (callers) {
      add_node_line(root_, shown_name(options_.callee), options_.callee_self, "", "", is_inlined({0}) ? " (inlined)" : "");
    }
    push_children(choose(children_of({0}), self_of({0}), 0), {}, 0, {}, !callers);
    while (!todo_.empty()) {
      Item item = std::move(todo_.back());
      todo_.pop_back();
      show(std::move(item));
    }
    return std::move(out_);
  }

 private:
  // Nodes of one function shown as one: several for the levels of a recursion.
  using Nodes = std::vector<uint32_t>;
  struct Branch {
    Nodes nodes;
    int64_t weight = 0;
  };
  // Branches that are not shown.
  struct Hidden {
    size_t count = 0;
    int64_t weight = 0;

    void operator+=(const Hidden& o) { count += o.count, weight += o.weight; }
  };
  // A pending line. Without nodes it represents hidden branches or, if there are none, stacks that start here.
  struct Item {
    Branch branch;
    std::string guides, lead;  // continuation of the lines above; this line's own branch
    size_t level = 0;
    Hidden hidden;  // with nodes: branches folded along the chain above and not shown yet
  };
  struct Children {
    std::vector<Branch> shown, folded;
    Hidden hidden;       // folded branches, and stacks that start here if they are not worth a line
    int64_t begins = 0;  // in a tree of callers: cost of stacks without a caller here, if worth a line
  };

  bool is_large(int64_t weight) const { return share(weight, root_) >= options_.least_share; }
  bool is_large(const Hidden& hidden) const { return hidden.count > 0 && is_large(hidden.weight); }

  Nodes children_of(const Nodes& nodes) const {
    Nodes out;
    for (uint32_t node : nodes) {
      for (uint32_t c = tree_.nodes[node].first_child; c != kNone; c = tree_.nodes[c].next_sibling) { out.push_back(c); }
    }
    return out;
  }
  int64_t self_of(const Nodes& nodes) const {
    int64_t weight = 0;
    for (uint32_t node : nodes) { weight += tree_.nodes[node].self.weight; }
    return weight;
  }
  bool is_inlined(const Nodes& nodes) const {
    return std::all_of(nodes.begin(), nodes.end(), [&](uint32_t node) { return tree_.nodes[node].inlining.all(); });
  }
  FoldedFrames folded_of(const Nodes& nodes) const {
    FoldedFrames all;
    for (uint32_t node : nodes) { all.add(tree_.nodes[node].folded); }
    return all;
  }
  FunctionId function_of(const Branch& branch) const { return tree_.nodes[branch.nodes[0]].function; }

  // Merges nodes of the same function into one branch, heaviest first. (Nodes of different processes differ already.)
  std::vector<Branch> merge(const Nodes& nodes) const {
    std::vector<Branch> out;
    std::unordered_map<uint32_t, size_t> of_function;
    for (uint32_t node : nodes) {
      const CallNode& n = tree_.nodes[node];
      size_t at = n.function.valid() ? of_function.try_emplace(n.function.value, out.size()).first->second : out.size();
      if (at == out.size()) { out.push_back({}); }
      out[at].nodes.push_back(node);
      out[at].weight += n.total.weight;
    }
    std::stable_sort(out.begin(), out.end(), [](const Branch& a, const Branch& b) { return a.weight > b.weight; });
    return out;
  }

  // `begins`: cost of stacks without a caller here.
  Children choose(const Nodes& nodes, int64_t begins, size_t level) const {
    Children out;
    for (Branch& branch : merge(nodes)) {
      bool large = is_large(branch.weight) && level < kMostGuides;
      if (large && (options_.limit == 0 || out.shown.size() < options_.limit)) {
        out.shown.push_back(std::move(branch));
      } else {
        out.hidden += {1, branch.weight};
        out.folded.push_back(std::move(branch));
      }
    }
    bool callers = !options_.callee.empty();
    if (callers && begins != 0 && !nodes.empty()) {
      if (is_large(begins)) {
        out.begins = begins;
      } else {
        out.hidden += {1, begins};
      }
    }
    return out;
  }

  // A chain continues in the same column unless the branches folded next to it are worth a line.
  bool is_chain(const Children& c) const { return c.shown.size() == 1 && c.begins == 0 && !is_large(c.hidden); }

  // `passed`: see Item::hidden.
  void push_children(Children c, const std::string& guides, size_t level, Hidden passed, bool top) {
    const char* branch = style_.unicode ? "├─ " : "|- ";
    if (is_chain(c)) {
      passed += c.hidden;
      bool tell = is_large(passed);
      todo_.push_back({std::move(c.shown[0]), guides, "", level, tell ? Hidden{} : passed});
      if (tell) { todo_.push_back({{}, guides, branch, level, passed}); }
      return;
    }
    const char* first = !style_.unicode ? "|- " : top ? "┌─ " : "├─ ";
    const char* last = style_.unicode ? "└─ " : "`- ";
    // Leaves with only negligible branches below stay leaves.
    bool tell_hidden = c.hidden.count > 0 && (!c.shown.empty() || is_large(c.hidden));
    if (c.begins > 0) { todo_.push_back({{}, guides, last, level + 1, {0, c.begins}}); }
    if (tell_hidden) { todo_.push_back({{}, guides, c.begins > 0 ? branch : last, level + 1, c.hidden}); }
    for (size_t i = c.shown.size(); i-- > 0;) {
      bool is_last = i + 1 == c.shown.size() && !tell_hidden && c.begins == 0;
      todo_.push_back({std::move(c.shown[i]), guides, is_last ? last : i == 0 ? first : branch, level + 1, {}});
    }
  }

  // The next level of a direct recursion: the same function is the only child worth showing or, at the end of the recursion, is
  // among the folded rest.
  Branch* find_recursion(Children& c, FunctionId function, size_t levels) const {
    if (!function.valid() || c.begins > 0) { return nullptr; }
    if (c.shown.size() == 1) { return function_of(c.shown[0]) == function ? &c.shown[0] : nullptr; }
    if (!c.shown.empty() || levels == 1) { return nullptr; }
    auto same = std::find_if(c.folded.begin(), c.folded.end(), [&](const Branch& b) { return function_of(b) == function; });
    return same == c.folded.end() ? nullptr : &*same;
  }

  void show(Item item) {
    if (item.branch.nodes.empty()) {
      std::string text = std::string(ellipsis(style_)) + " " + group_thousands(item.hidden.count) + " more";
      if (item.hidden.count == 0) { text = "no caller"; }
      add_line(format_percent(share(item.hidden.weight, whole_)), Paint::kDim, "", Paint::kDim, item.guides + item.lead, text,
               Paint::kDim, "");
      return;
    }
    const CallNode& n = tree_.nodes[item.branch.nodes[0]];
    // The callees of a recursion may be negligible at each level and yet everything in total, so all levels are merged.
    Nodes below = children_of(item.branch.nodes), beside;
    int64_t self = self_of(item.branch.nodes);
    size_t levels = 1;
    Children children = choose(below, self, item.level);
    while (Branch* again = find_recursion(children, n.function, levels)) {
      ++levels;
      Nodes next = std::move(again->nodes);
      std::erase_if(below, [&](uint32_t node) { return tree_.nodes[node].function == n.function; });
      beside.insert(beside.end(), below.begin(), below.end());
      int64_t self_there = self_of(next);
      self += self_there;
      below = children_of(next);
      children = choose(below, self_there, item.level);
    }
    if (levels > 1) {
      below.insert(below.end(), beside.begin(), beside.end());
      children = choose(below, self, item.level);
    }
    if (!options_.callee.empty()) { self = 0; }  // in a tree of callers it would be the cost of stacks that start here
    FoldedFrames folded = folded_of(item.branch.nodes);
    std::string name = folded.most == 0
                           ? shown_name(node_name(profile_, tree_, n))
                           : std::string(ellipsis(style_)) + " " + describe_folded(folded, node_name(profile_, tree_, n));
    std::string_view module = node_module(profile_, n);
    if (module == node_module(profile_, tree_.nodes[n.parent])) { module = {}; }  // shown only where it changes
    if (!n.function.valid()) { module = "process"; }
    std::string times = levels > 1 ? " " + std::string(style_.unicode ? "×" : "x") + group_thousands(levels) : "";
    if (is_inlined(item.branch.nodes)) { times += " (inlined)"; }
    add_node_line(item.branch.weight, name, self, item.guides + item.lead, module, times,
                  folded.most == 0 ? Paint::kPlain : Paint::kDim);
    bool branched = !item.lead.empty(), last = item.lead.starts_with(style_.unicode ? "└" : "`");
    std::string guides = item.guides + (!branched ? "" : last ? "   " : style_.unicode ? "│  " : "|  ");
    push_children(std::move(children), guides, item.level, item.hidden, false);
  }

  void add_node_line(int64_t total, const std::string& name, int64_t self, const std::string& guides, std::string_view module,
                     const std::string& times = {}, Paint how = Paint::kPlain) {
    double total_share = share(total, whole_), self_share = share(self, whole_);
    add_line(format_percent(total_share), paint_of_share(total_share), self == 0 ? "" : format_percent(self_share),
             paint_of_share(self_share), guides, name, how, printable(module), times);
  }

  void add_line(const std::string& total, Paint total_paint, const std::string& self, Paint self_paint, const std::string& guides,
                std::string name, Paint name_paint, std::string module, const std::string& times = {}) {
    if (style_.width > 0) {
      int room = style_.width - 2 * kShareWidth - 4 - display_width(guides) - display_width(times);
      int module_room = module.empty() ? 0 : display_width(module) + 2;
      if (module_room > room / 3) { module.clear(), module_room = 0; }  // the function is more important
      name = fit_name(style_, name, std::max(10, room - module_room));
    }
    auto add_share = [&](const std::string& text, Paint how) {
      out_ +=
          std::string(static_cast<size_t>(std::max(0, kShareWidth - display_width(text))), ' ') + paint(style_, how, text) + "  ";
    };
    add_share(total, total_paint);
    add_share(self, self_paint);
    out_ += paint(style_, Paint::kDim, guides) + paint(style_, name_paint, name) + paint(style_, Paint::kDim, times);
    if (!module.empty()) { out_ += "  " + paint(style_, Paint::kDim, module); }
    out_ += '\n';
  }

  const Profile& profile_;
  const CallTree& tree_;
  const TreeViewOptions& options_;
  const Style& style_;
  int64_t whole_, root_;
  std::vector<Item> todo_;
  std::string out_;
};

}  // namespace

std::string render_tree(const Profile& profile, const CallTree& tree, const TreeViewOptions& options, int64_t whole,
                        const Style& style) {
  return TreeView(profile, tree, options, whole, style).render();
}

}  // namespace wick
