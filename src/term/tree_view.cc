// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "term/tree_view.h"

#include <algorithm>
#include <vector>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"

namespace wick {
namespace {

constexpr uint32_t kNone = CallNode::kNone;
constexpr int kShareWidth = 7;      // "100.0 %"
constexpr size_t kMostGuides = 40;  // branches within branches; beyond, nobody can follow the lines

class TreeView {
 public:
  TreeView(const Profile& profile, const CallTree& tree, const TreeViewOptions& options, int64_t whole, const Style& style)
      : profile_(profile), tree_(tree), options_(options), style_(style), whole_(whole), root_(tree.nodes[0].total.weight) {}

  std::string render() {
    bool callers = !options_.callee.empty();
    add_line("TOTAL", Paint::kDim, "SELF", Paint::kDim, "", callers ? "FUNCTION AND ITS CALLERS" : "FUNCTION", Paint::kDim, "");
    if (callers) { add_node_line(0, shown_name(options_.callee), options_.callee_self, "", ""); }
    push_children(choose(0, 0), {}, 0, !callers);
    while (!todo_.empty()) {
      Item item = std::move(todo_.back());
      todo_.pop_back();
      show(std::move(item));
    }
    return std::move(out_);
  }

 private:
  // A line to come. Without a node it stands for `hidden` branches that are not shown, or, if there are none, for stacks that
  // begin here.
  struct Item {
    uint32_t node = kNone;
    std::string guides, lead;  // what the lines above leave to the left; this line's own branch
    size_t level = 0;
    size_t hidden = 0;
    int64_t hidden_weight = 0;
  };
  struct Children {
    std::vector<uint32_t> shown;
    size_t hidden = 0;
    int64_t hidden_weight = 0;
    int64_t begins = 0;  // in a tree of callers: of stacks that have no caller here, if that is worth a line
  };

  bool is_large(int64_t weight) const { return share(weight, root_) >= options_.least_share; }

  Children choose(uint32_t node, size_t level) const {
    Children out;
    for (uint32_t c = tree_.nodes[node].first_child; c != kNone; c = tree_.nodes[c].next_sibling) {
      int64_t weight = tree_.nodes[c].total.weight;
      bool large = is_large(weight) && level < kMostGuides;
      if (large && (options_.limit == 0 || out.shown.size() < options_.limit)) {
        out.shown.push_back(c);
      } else {
        ++out.hidden;
        out.hidden_weight += weight;
      }
    }
    bool callers = !options_.callee.empty(), has_callers = out.hidden > 0 || !out.shown.empty();
    if (callers && has_callers && is_large(tree_.nodes[node].self.weight)) { out.begins = tree_.nodes[node].self.weight; }
    return out;
  }

  // A chain goes straight on, unless what is folded beside it is itself worth a line.
  bool is_chain(const Children& c) const {
    return c.shown.size() == 1 && c.begins == 0 && (c.hidden == 0 || !is_large(c.hidden_weight));
  }

  void push_children(const Children& c, const std::string& guides, size_t level, bool top) {
    if (is_chain(c)) {
      todo_.push_back({c.shown[0], guides, "", level, 0, 0});
      return;
    }
    const char* first = !style_.unicode ? "|- " : top ? "┌─ " : "├─ ";
    const char* branch = style_.unicode ? "├─ " : "|- ";
    const char* last = style_.unicode ? "└─ " : "`- ";
    // Leaves with nothing but dust below them stay leaves.
    bool tell_hidden = c.hidden > 0 && (!c.shown.empty() || is_large(c.hidden_weight));
    if (c.begins > 0) { todo_.push_back({kNone, guides, last, level + 1, 0, c.begins}); }
    if (tell_hidden) { todo_.push_back({kNone, guides, c.begins > 0 ? branch : last, level + 1, c.hidden, c.hidden_weight}); }
    for (size_t i = c.shown.size(); i-- > 0;) {
      bool is_last = i + 1 == c.shown.size() && !tell_hidden && c.begins == 0;
      todo_.push_back({c.shown[i], guides, is_last ? last : i == 0 ? first : branch, level + 1, 0, 0});
    }
  }

  void show(Item item) {
    if (item.node == kNone) {
      std::string text = std::string(ellipsis(style_)) + " " + group_thousands(item.hidden) + " more";
      if (item.hidden == 0) { text = "no caller"; }
      add_line(format_percent(share(item.hidden_weight, whole_)), Paint::kDim, "", Paint::kDim, item.guides + item.lead, text,
               Paint::kDim, "");
      return;
    }
    // Direct recursion: as long as the only child worth showing is the same function again.
    uint32_t node = item.node, end = node;
    size_t levels = 1;
    int64_t self = tree_.nodes[node].self.weight;
    Children children = choose(node, item.level);
    while (is_chain(children) && tree_.nodes[node].function.valid() &&
           tree_.nodes[children.shown[0]].function == tree_.nodes[node].function) {
      end = children.shown[0];
      ++levels;
      self += tree_.nodes[end].self.weight;
      children = choose(end, item.level);
    }
    if (!options_.callee.empty()) { self = 0; }  // in a tree of callers it would say where stacks begin: of no use here
    const CallNode& n = tree_.nodes[node];
    std::string name = shown_name(node_name(profile_, tree_, n));
    std::string_view module = node_module(profile_, n);
    if (module == node_module(profile_, tree_.nodes[n.parent])) { module = {}; }  // told where it changes
    if (!n.function.valid()) { module = "process"; }
    std::string times = levels > 1 ? " " + std::string(style_.unicode ? "×" : "x") + group_thousands(levels) : "";
    add_node_line(node, name, self, item.guides + item.lead, module, times);
    bool branched = !item.lead.empty(), last = item.lead.starts_with(style_.unicode ? "└" : "`");
    std::string guides = item.guides + (!branched ? "" : last ? "   " : style_.unicode ? "│  " : "|  ");
    push_children(children, guides, item.level, false);
  }

  void add_node_line(uint32_t node, const std::string& name, int64_t self, const std::string& guides, std::string_view module,
                     const std::string& times = {}) {
    double total_share = share(tree_.nodes[node].total.weight, whole_), self_share = share(self, whole_);
    add_line(format_percent(total_share), paint_of_share(total_share), self == 0 ? "" : format_percent(self_share),
             paint_of_share(self_share), guides, name, Paint::kPlain, printable(module), times);
  }

  void add_line(const std::string& total, Paint total_paint, const std::string& self, Paint self_paint, const std::string& guides,
                std::string name, Paint name_paint, std::string module, const std::string& times = {}) {
    if (style_.width > 0) {
      int room = style_.width - 2 * kShareWidth - 4 - display_width(guides) - display_width(times);
      int module_room = module.empty() ? 0 : display_width(module) + 2;
      if (module_room > room / 3) { module.clear(), module_room = 0; }  // the function matters more
      name = fit_name(style_, name, std::max(10, room - module_room));
    }
    auto add_share = [&](const std::string& text, Paint how) {
      out_ +=
          std::string(static_cast<size_t>(std::max(0, kShareWidth - display_width(text))), ' ') + paint(style_, how, text) + "  ";
    };
    add_share(total, total_paint);
    add_share(self, self_paint);
    out_ += paint(style_, Paint::kDim, guides) + paint(style_, name_paint, name) + times;
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
