// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/apply.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "tui/layout.h"
#include "tui/rows.h"

namespace wick::tui {
namespace {

constexpr size_t kMostUndos = 100, kMostOpened = 10'000;
constexpr int kWheelRows = 3;

// A key or a click acts on the state; all that it needs to know is here.
class Stepper {
 public:
  Stepper(State& state, Data& data, Size size, bool unicode) : s_(state), data_(data), size_(size), unicode_(unicode) {}

  void key(Key k) {
    s_.message.clear();
    if (s_.mode == Mode::kSearch) { return type(k); }
    std::optional<Action> action = find_action(k, data_.is_live());
    if (s_.mode == Mode::kHelp) { return help(action); }
    if (action) { act(*action); }
  }

  void mouse(const Mouse& m) {
    using What = Mouse::What;
    Layout at = lay_out(s_, data_, size_);
    if (m.what == What::kWheelUp || m.what == What::kWheelDown) {
      for (int i = 0; i < kWheelRows; ++i) { step(m.what == What::kWheelUp ? -1 : 1); }
      return;
    }
    if (s_.mode != Mode::kBrowse) {
      if (m.what == What::kPress && s_.mode == Mode::kHelp) { s_.mode = Mode::kBrowse; }
      return;
    }
    if (m.what == What::kPress && m.y == at.tabs) {
      std::array<Tab, kViews> tabs = lay_out_tabs(s_, size_.width);
      for (size_t i = 0; i < kViews; ++i) {
        if (m.x >= tabs[i].begin && m.x < tabs[i].end) { show(static_cast<ViewKind>(i)); }
      }
      return;
    }
    int row = m.y - at.body;
    bool inside = row >= 0 && row < at.body_rows;
    switch (s_.view) {
      case ViewKind::kThreads: return brush(m, row, inside);
      case ViewKind::kFlame:
        if (m.what == What::kPress && inside) { click_box(m.x, row); }
        return;
      case ViewKind::kAround:
        if (m.what != What::kPress || !inside) { return; }
        if (bool right = m.x >= size_.width / 2; right != s_.callees) {
          s_.callees = right;
          s_.sides[right].row = SIZE_MAX;  // the click selects
        }
        return click_row(row);
      default:
        if (m.what == What::kPress && inside) { click_row(row); }
    }
  }

  void settle() {
    s_.functions.row = find_function_row();
    if (s_.view == ViewKind::kTree || s_.view == ViewKind::kFlame) { settle_tree(); }
    int rows = std::max(lay_out(s_, data_, size_).body_rows, 1);
    if (s_.view == ViewKind::kAround) {
      for (bool side : {false, true}) { fit(s_.sides[side], side_rows(s_, data_, side).size(), rows); }
    }
    if (s_.view == ViewKind::kFlame && s_.mode == Mode::kBrowse) {
      fit(s_.flame, std::max<size_t>(tree().levels, s_.flame.row + 1), rows);
    } else {
      fit(place(), row_count(), rows);
    }
    s_.column = std::clamp(s_.column, 0, timeline_columns(size_.width) - 1);
    s_.mark = std::min(s_.mark, timeline_columns(size_.width) - 1);
  }

 private:
  static void fit(Place& place, size_t count, int rows) {
    auto n = static_cast<size_t>(rows);
    place.row = count == 0 ? 0 : std::min(place.row, count - 1);
    if (place.row < place.top) { place.top = place.row; }
    if (place.row >= place.top + n) { place.top = place.row - n + 1; }
    place.top = std::min(place.top, count > n ? count - n : 0);
  }

  const Tree& tree() { return data_.tree(s_.query, s_.inverted); }

  Place& place() {
    if (s_.mode == Mode::kHelp) { return s_.help; }
    switch (s_.view) {
      case ViewKind::kFlame: return s_.flame;
      case ViewKind::kThreads: return s_.threads;
      case ViewKind::kTree: return s_.tree;
      case ViewKind::kFunctions: return s_.functions;
      case ViewKind::kAround: return s_.sides[s_.callees];
      case ViewKind::kCode: return s_.lines;
      case ViewKind::kQuality: return s_.quality;
    }
    return s_.functions;
  }

  size_t row_count() {
    if (s_.mode == Mode::kHelp) { return help_rows(data_.is_live()); }
    switch (s_.view) {
      case ViewKind::kFlame: return tree().levels;
      case ViewKind::kThreads: return timeline().tracks.size();
      case ViewKind::kTree: return tree_rows(s_, data_).size();
      case ViewKind::kFunctions: return data_.function_rows(s_).size();
      case ViewKind::kAround: return side_rows(s_, data_, s_.callees).size();
      case ViewKind::kCode: return data_.code(s_.query, s_.function, s_.code, unicode_).lines.size();
      case ViewKind::kQuality: return quality_lines(data_, s_).size();
    }
    return 0;
  }

  const Timeline& timeline() { return data_.timeline(s_.query.event, timeline_columns(size_.width)); }

  // ---- selections

  size_t find_function_row() {
    const std::vector<uint32_t>& rows = data_.function_rows(s_);
    const Reading& r = data_.reading(s_.query);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (r.functions[rows[i]].function == s_.function) { return i; }
    }
    size_t nearest = rows.empty() ? 0 : std::min(s_.functions.row, rows.size() - 1);
    // Other views may have a function that the search hides here.
    bool is_gone =
        std::none_of(r.functions.begin(), r.functions.end(), [&](const FunctionRow& f) { return f.function == s_.function; });
    // A live view keeps the function whose code or callers it shows, even while it has no samples.
    bool is_kept = data_.is_live() && s_.function.valid() && (s_.view == ViewKind::kCode || s_.view == ViewKind::kAround);
    if ((s_.view == ViewKind::kFunctions || is_gone) && !rows.empty() && !is_kept) {
      s_.function = r.functions[rows[nearest]].function;
    }
    return nearest;
  }

  void settle_tree() {
    const Tree& t = tree();
    if (t.nodes.empty()) { return; }
    if (t.find(s_.zoom) == Tree::kNone) { s_.zoom = kRootPath; }
    uint32_t node = t.find(s_.node);
    if (node == Tree::kNone || (node == 0 && s_.view == ViewKind::kTree)) {
      node = s_.has_chosen ? heaviest_of(t, s_.function) : t.nodes.size() > 1 ? 1 : 0;
      s_.node = t.path[node];
    }
    if (s_.view == ViewKind::kFlame) {
      s_.flame.row = t.nodes[node].depth;
      return;
    }
    // A selected row is visible.
    for (uint32_t at = t.nodes[node].parent; at != Tree::kNone && at != 0; at = t.nodes[at].parent) {
      if (!is_open(t, s_.opened, at)) { s_.opened[t.path[at]] = true; }
    }
    std::vector<TreeRow> rows = tree_rows(s_, data_);
    bool on_rest = s_.tree.row < rows.size() && rows[s_.tree.row].is_rest && rows[s_.tree.row].node == node;
    for (size_t i = 0; i < rows.size() && !on_rest; ++i) {
      if (rows[i].node == node && !rows[i].is_rest) {
        s_.tree.row = i;
        break;
      }
    }
  }

  static uint32_t heaviest_of(const Tree& t, FunctionId function) {
    uint32_t best = t.nodes.size() > 1 ? 1 : 0;
    int64_t most = -1;
    for (uint32_t i = 1; i < t.nodes.size(); ++i) {
      if (t.nodes[i].function == function && t.nodes[i].total.weight > most) {
        most = t.nodes[i].total.weight;
        best = i;
      }
    }
    return best;
  }

  void select_node(uint32_t node) {
    const Tree& t = tree();
    s_.has_chosen = true;
    s_.node = t.path[node];
    if (t.nodes[node].function.valid()) { s_.function = t.nodes[node].function; }
  }

  // The place has moved: what it shows is selected.
  void follow() {
    s_.has_chosen = true;
    Place& p = place();
    if (s_.mode == Mode::kHelp) { return; }
    if (s_.view == ViewKind::kFunctions) {
      const std::vector<uint32_t>& rows = data_.function_rows(s_);
      if (p.row < rows.size()) { s_.function = data_.reading(s_.query).functions[rows[p.row]].function; }
    } else if (s_.view == ViewKind::kTree) {
      std::vector<TreeRow> rows = tree_rows(s_, data_);
      if (p.row < rows.size()) { select_node(rows[p.row].node); }
    } else if (s_.view == ViewKind::kAround) {
      if (std::optional<uint32_t> node = side_node()) {
        if (FunctionId f = side().nodes[*node].function; f.valid()) { s_.function = f; }
      }
    }
  }

  // ---- moving

  void go_to(size_t row) {
    size_t count = row_count();
    Place& p = place();
    p.row = count == 0 ? 0 : std::min(row, count - 1);
    follow();
  }
  void step(int rows) {
    bool browses = s_.mode == Mode::kBrowse;
    if (browses && s_.view == ViewKind::kFlame) { return step_level(rows); }
    bool scrolls = !browses || s_.view == ViewKind::kCode || s_.view == ViewKind::kQuality;
    Place& p = place();
    auto from = static_cast<int64_t>(p.row);
    // Text without a cursor scrolls at once.
    if (scrolls) { from = static_cast<int64_t>(rows < 0 ? p.top : p.top + static_cast<size_t>(body_rows()) - 1); }
    go_to(static_cast<size_t>(std::max<int64_t>(from + rows, 0)));
  }
  int body_rows() const { return std::max(lay_out(s_, data_, size_).body_rows, 1); }

  void step_level(int rows) {
    const Tree& t = tree();
    uint32_t node = t.find(s_.node);
    if (node == Tree::kNone) { return; }
    for (; rows < 0 && t.nodes[node].parent != Tree::kNone; ++rows) { node = t.nodes[node].parent; }
    for (; rows > 0; --rows) {
      uint32_t child = widest_child(t, node);
      if (child == Tree::kNone) { break; }
      node = child;
    }
    select_node(node);
  }
  static uint32_t widest_child(const Tree& t, uint32_t node) {
    uint32_t best = t.first_child(node);
    for (uint32_t c = best; c != Tree::kNone; c = t.next_sibling(c)) {
      if (t.nodes[c].width > t.nodes[best].width) { best = c; }
    }
    return best;
  }

  // The next box on the same level.
  void step_box(int direction) {
    const Tree& t = tree();
    uint32_t node = t.find(s_.node), zoom = t.find(s_.zoom);
    if (node == Tree::kNone || zoom == Tree::kNone) { return; }
    uint32_t to = Tree::kNone;
    for (const Box& box : lay_out_boxes(t, zoom, size_.width)) {
      if (box.node == Tree::kNone || t.nodes[box.node].depth != t.nodes[node].depth) { continue; }
      if (direction < 0 ? box.node < node : box.node > node) {
        to = box.node;
        if (direction > 0) { break; }
      }
    }
    if (to != Tree::kNone) { select_node(to); }
  }

  void sideways(int direction) {
    switch (s_.view) {
      case ViewKind::kFlame: return step_box(direction);
      case ViewKind::kThreads: s_.column += direction; return;
      case ViewKind::kTree: return fold(direction);
      case ViewKind::kAround: return fold_side(direction);
      case ViewKind::kCode:
        s_.code_column = static_cast<size_t>(std::max<int64_t>(static_cast<int64_t>(s_.code_column) + 8 * direction, 0));
        return;
      default: return;
    }
  }

  // Right opens, then goes to the first child; left closes, then goes to the parent.
  void fold(int direction) {
    const Tree& t = tree();
    uint32_t node = t.find(s_.node);
    if (node == Tree::kNone || node == 0) { return; }
    bool open = is_open(t, s_.opened, node) && t.first_child(node) != Tree::kNone;
    if (direction > 0) {
      if (open) { return select_node(t.first_child(node)); }
      s_.opened[t.path[node]] = true;
    } else if (open) {
      s_.opened[t.path[node]] = false;
    } else if (t.nodes[node].parent != 0) {
      select_node(t.nodes[node].parent);
    }
  }

  const Tree& side() {
    const Around& around = data_.around(s_.query, around_function(s_, data_));
    return s_.callees ? around.callees : around.callers;
  }
  std::optional<uint32_t> side_node() {
    std::vector<TreeRow> rows = side_rows(s_, data_, s_.callees);
    size_t row = s_.sides[s_.callees].row;
    return row < rows.size() && !rows[row].is_rest ? std::optional(rows[row].node) : std::nullopt;
  }
  void fold_side(int direction) {
    std::optional<uint32_t> node = side_node();
    if (!node) { return; }
    const Tree& t = side();
    std::map<PathHash, bool>& opened = s_.around_opened[s_.callees];
    bool open = is_open(t, opened, *node, false);
    if (direction > 0 || open) {
      opened[t.path[*node]] = direction > 0;
      return;
    }
    std::vector<TreeRow> rows = side_rows(s_, data_, s_.callees);
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].node == t.nodes[*node].parent && !rows[i].is_rest) { return go_to(i); }
    }
  }

  // ---- the mouse

  void click_row(int row) {
    size_t to = place().top + static_cast<size_t>(row);
    if (to >= row_count()) { return; }
    bool again = place().row == to;
    go_to(to);
    if (again) { enter(); }
  }

  void click_box(int x, int row) {
    const Tree& t = tree();
    uint32_t zoom = t.find(s_.zoom);
    if (zoom == Tree::kNone) { return; }
    int level = row + static_cast<int>(s_.flame.top);
    for (const Box& box : lay_out_boxes(t, zoom, size_.width)) {
      if (box.level != level || x < box.begin || x >= box.end || box.node == Tree::kNone) { continue; }
      bool again = t.find(s_.node) == box.node;
      select_node(box.node);
      if (again) { enter(); }
      return;
    }
  }

  void brush(const Mouse& m, int row, bool inside) {
    int column = m.x - label_width(size_.width);
    if (m.what == Mouse::What::kPress) {
      if (!inside) { return; }
      size_t to = s_.threads.top + static_cast<size_t>(row);
      if (to >= row_count()) { return; }
      s_.threads.row = to;
      if (column < 0) { return choose_thread(); }
      s_.column = s_.mark = column;
      return;
    }
    if (s_.mark < 0) { return; }
    s_.column = std::clamp(column, 0, timeline_columns(size_.width) - 1);
    if (m.what != Mouse::What::kRelease) { return; }
    if (s_.mark == s_.column) {  // a click
      s_.mark = -1;
      return;
    }
    choose_range();
  }

  // ---- what is shown

  void show(ViewKind view) {
    if (view == ViewKind::kAround || view == ViewKind::kCode) { s_.has_chosen = true; }
    if (view == ViewKind::kAround) {
      s_.around = s_.function;
      s_.sides[0] = s_.sides[1] = {};
    }
    if (view == ViewKind::kCode) {
      if (s_.view != ViewKind::kCode) { s_.code_from = s_.view; }
      s_.lines = {};
      s_.code_column = 0;
      const CodeLines& code = data_.code(s_.query, s_.function, s_.code, unicode_);
      auto half = static_cast<size_t>(body_rows() / 3);
      s_.lines.row = code.first_hot;
      s_.lines.top = code.first_hot > half ? code.first_hot - half : 0;
    }
    bool is_tree = view == ViewKind::kTree || view == ViewKind::kFlame;
    bool was_tree = s_.view == ViewKind::kTree || s_.view == ViewKind::kFlame;
    if (is_tree && !was_tree) {
      const Tree& t = tree();
      uint32_t node = t.find(s_.node);
      bool is_other = node == Tree::kNone || t.nodes[node].function != s_.function;
      if (is_other && s_.has_chosen) {
        node = heaviest_of(t, s_.function);
        s_.node = t.path[node];
        s_.view = view;
        reveal(t, node);
      }
    }
    s_.view = view;
  }

  void change(Query query) {
    if (query == s_.query) { return; }
    s_.past.push_back(std::exchange(s_.query, std::move(query)));
    if (s_.past.size() > kMostUndos) { s_.past.erase(s_.past.begin()); }
    s_.future.clear();
  }

  void go_back(std::vector<Query>& from, std::vector<Query>& to, const char* none) {
    if (from.empty()) {
      s_.message = none;
      return;
    }
    to.push_back(std::exchange(s_.query, std::move(from.back())));
    from.pop_back();
  }

  void transform(Transform::Op op) {
    using Op = Transform::Op;
    if (!s_.function.valid()) { return; }
    Transform t{.op = op, .function = s_.function};
    if (op == Op::kFocusSubtree || op == Op::kMergeNode) {
      if (s_.view != ViewKind::kTree && s_.view != ViewKind::kFlame) {
        s_.message = "this acts on a node of the flame graph (1) or the call tree (3)";
        return;
      }
      const Tree& nodes = tree();
      uint32_t node = nodes.find(s_.node);
      if (node == Tree::kNone || !nodes.nodes[node].function.valid()) { return; }
      t.path = nodes.functions_to(node);
      t.inverted = s_.inverted;
      t.function = {};
    }
    bool has_module = data_.reading(s_.query).profile[s_.function].module.valid();
    if (op == Op::kCollapseModule && !has_module) {
      s_.message = "the function's library is unknown";
      return;
    }
    Query next = s_.query;
    next.transforms.push_back(std::move(t));
    change(std::move(next));
    s_.zoom = kRootPath;
  }

  void keep_matching() {
    if (s_.search.empty()) {
      s_.message = "search first: /";
      return;
    }
    const Found& found = data_.found(s_.query, s_.search);
    if (!found.status.ok()) { return; }
    Query next = s_.query;
    next.transforms.push_back({.op = Transform::Op::kKeepMatching, .pattern = s_.search});
    change(std::move(next));
  }

  void enter() {
    switch (s_.view) {
      case ViewKind::kFlame: s_.zoom = s_.node; return;
      case ViewKind::kThreads: s_.mark >= 0 ? choose_range() : choose_thread(); return;
      case ViewKind::kTree: {
        if (data_.is_live()) { return show(ViewKind::kCode); }
        const Tree& t = tree();
        uint32_t node = t.find(s_.node);
        if (node != Tree::kNone) { s_.opened[s_.node] = !is_open(t, s_.opened, node); }
        return;
      }
      case ViewKind::kFunctions: return show(data_.is_live() ? ViewKind::kCode : ViewKind::kAround);
      case ViewKind::kAround:
        if (std::optional<uint32_t> node = side_node(); node && side().nodes[*node].function.valid()) {
          s_.around_past.push_back(around_function(s_, data_));
          s_.function = side().nodes[*node].function;
          show(ViewKind::kAround);
        }
        return;
      default: return;
    }
  }

  void escape() {
    if (s_.view == ViewKind::kThreads && s_.mark >= 0) {
      s_.mark = -1;
    } else if (s_.view == ViewKind::kFlame && s_.zoom != kRootPath) {
      const Tree& t = tree();
      uint32_t zoom = t.find(s_.zoom);
      s_.zoom = zoom == Tree::kNone || zoom == 0 ? kRootPath : t.path[t.nodes[zoom].parent];
    } else if (s_.view == ViewKind::kCode && data_.is_live()) {
      show(s_.code_from);
    } else if (s_.view == ViewKind::kAround && !s_.around_past.empty()) {
      s_.function = s_.around_past.back();
      s_.around_past.pop_back();
      show(ViewKind::kAround);
    } else if (!s_.search.empty()) {
      s_.search.clear();
    } else {
      clear_selection();
    }
  }

  void clear_selection() {
    Query next = s_.query;
    next.threads.clear();
    next.begin_ns = 0;
    next.end_ns = UINT64_MAX;
    change(std::move(next));
  }

  void choose_range() {
    int from = std::min(s_.mark, s_.column), to = std::max(s_.mark, s_.column) + 1;
    s_.mark = -1;
    if (!data_.profile().has_times()) {
      s_.message = "this profile has no sample times";
      return;
    }
    const Timeline& t = timeline();
    Query next = s_.query;
    next.begin_ns = t.time_ns(from);
    next.end_ns = to >= t.columns ? UINT64_MAX : t.time_ns(to);
    change(std::move(next));
    s_.paused = data_.is_live();  // the next profile has other times
  }
  void choose_thread() {
    const Timeline& t = timeline();
    if (s_.threads.row >= t.tracks.size()) { return; }
    std::vector<uint32_t> only = data_.compared_threads(t.tracks[s_.threads.row].thread);
    Query next = s_.query;
    next.threads = next.threads == only ? std::vector<uint32_t>{} : only;
    change(std::move(next));
  }
  void toggle_thread() {
    const Timeline& t = timeline();
    if (s_.view != ViewKind::kThreads || s_.threads.row >= t.tracks.size()) {
      s_.message = "choose threads in the view of threads (2)";
      return;
    }
    std::vector<uint32_t> toggled = data_.compared_threads(t.tracks[s_.threads.row].thread);
    Query next = s_.query;
    if (std::binary_search(next.threads.begin(), next.threads.end(), toggled.front())) {
      std::erase_if(next.threads, [&](uint32_t thread) { return std::binary_search(toggled.begin(), toggled.end(), thread); });
    } else {
      next.threads.insert(next.threads.end(), toggled.begin(), toggled.end());
      std::sort(next.threads.begin(), next.threads.end());
    }
    change(std::move(next));
  }

  void next_event() {
    std::vector<EventId> events = data_.events_with_samples();
    if (data_.compares() || events.size() < 2) {
      s_.message = data_.compares() ? "a comparison has one event" : "this profile has one event";
      return;
    }
    auto it = std::find(events.begin(), events.end(), s_.query.event);
    EventId to = it == events.end() || it + 1 == events.end() ? events.front() : *(it + 1);
    if (Status status = data_.check_event(to); !status.ok()) {
      s_.message = status.error().message();
      return;
    }
    Query next = s_.query;
    next.event = to;
    change(std::move(next));
  }

  void switch_order() {
    if (s_.view == ViewKind::kCode) {
      // A comparison of lines has no instructions.
      s_.code = s_.code == CodeMode::kBoth && !data_.compares() ? CodeMode::kSource
                : s_.code != CodeMode::kAssembly                ? CodeMode::kAssembly
                                                                : CodeMode::kBoth;
      show(ViewKind::kCode);
      return;
    }
    Sort last = data_.compares() ? Sort::kChange : Sort::kName;
    s_.sort = s_.sort == last ? Sort::kSelf : static_cast<Sort>(static_cast<int>(s_.sort) + 1);
    s_.functions = {};
    follow_first();
  }
  void follow_first() {
    const std::vector<uint32_t>& rows = data_.function_rows(s_);
    if (!rows.empty()) { s_.function = data_.reading(s_.query).functions[rows[0]].function; }
  }

  void open_all() {
    if (s_.view != ViewKind::kTree) { return; }
    const Tree& t = tree();
    uint32_t node = t.find(s_.node);
    if (node == Tree::kNone) { return; }
    size_t opened = 0;
    for (uint32_t i = node; i < t.end[node] && opened < kMostOpened; ++i) {
      if (t.first_child(i) == Tree::kNone) { continue; }
      s_.opened[t.path[i]] = true;
      ++opened;
    }
    if (opened == kMostOpened) { s_.message = "opened the first " + group_thousands(kMostOpened) + " rows"; }
  }

  // ---- search

  void type(Key k) {
    if (k == key::kEscape || k == key::ctrl('c')) {
      s_.search = s_.before;
      s_.mode = Mode::kBrowse;
      return;
    }
    if (k == key::kEnter || k == '\n') {
      s_.mode = Mode::kBrowse;
      if (Status status = check_pattern(s_.typed); !status.ok()) {
        s_.message = status.error().message();
        s_.search = s_.before;
        return;
      }
      s_.search = s_.typed;
      s_.has_chosen = s_.has_chosen || !s_.search.empty();
      if (!s_.search.empty() && s_.view != ViewKind::kFunctions) { find_match(1, true); }
      return;
    }
    if (k == key::kBackspace || k == key::ctrl('h')) {
      while (!s_.typed.empty() && (static_cast<unsigned char>(s_.typed.back()) & 0xc0) == 0x80) { s_.typed.pop_back(); }
      if (!s_.typed.empty()) { s_.typed.pop_back(); }
    } else if (k == key::ctrl('u')) {
      s_.typed.clear();
    } else if (k >= 0x20 && k < 0x110000) {
      append_utf8(s_.typed, k);
    }
    if (check_pattern(s_.typed).ok()) { s_.search = s_.typed; }
  }

  void find_match(int direction, bool here) {
    if (s_.search.empty()) {
      s_.message = "search first: /";
      return;
    }
    const Found& found = data_.found(s_.query, s_.search);
    if (!found.status.ok() || found.count == 0) { return; }
    if (s_.view == ViewKind::kFunctions) { return step(direction); }
    if (s_.view != ViewKind::kTree && s_.view != ViewKind::kFlame) { return; }
    const Tree& t = tree();
    auto n = static_cast<uint32_t>(t.nodes.size());
    uint32_t at = t.find(s_.node);
    at = at == Tree::kNone ? 0 : at;
    for (uint32_t i = here ? 0 : 1; i <= n; ++i) {
      uint32_t node = (direction > 0 ? at + i : at + n - i % n) % n;
      FunctionId f = t.nodes[node].function;
      if (!f.valid() || !found.functions[f.value]) { continue; }
      select_node(node);
      return reveal(t, node);
    }
  }
  // In the flame graph: zooms so that the box can be seen.
  void reveal(const Tree& t, uint32_t node) {
    uint32_t zoom = t.find(s_.zoom);
    auto is_seen = [&](uint32_t within) {
      if (within == Tree::kNone) { return false; }
      std::vector<Box> boxes = lay_out_boxes(t, within, size_.width);
      return std::any_of(boxes.begin(), boxes.end(), [&](const Box& b) { return b.node == node; });
    };
    if (s_.view != ViewKind::kFlame || is_seen(zoom)) { return; }
    if (is_seen(0)) {
      s_.zoom = kRootPath;
      return;
    }
    uint32_t to = t.nodes[node].parent;
    s_.zoom = t.path[to == Tree::kNone || !is_seen(to) ? node : to];
  }

  void help(std::optional<Action> action) {
    if (!action) { return; }
    switch (*action) {
      case Action::kHelp:
      case Action::kEscape: s_.mode = Mode::kBrowse; return;
      case Action::kQuit: s_.mode = Mode::kBrowse; return;
      case Action::kUp: return step(-1);
      case Action::kDown: return step(1);
      case Action::kPageUp: return step(-body_rows());
      case Action::kPageDown:
      case Action::kSpace: return step(body_rows());
      case Action::kHome: return go_to(0);
      case Action::kEnd: return go_to(SIZE_MAX - 1);
      default: return;
    }
  }

  void act(Action action) {
    using Op = Transform::Op;
    switch (action) {
      case Action::kQuit: s_.ends = true; return;
      case Action::kHelp:
        s_.mode = Mode::kHelp;
        s_.help = {};
        return;
      case Action::kRedraw: return;
      case Action::kFlame: return show(ViewKind::kFlame);
      case Action::kThreads: return show(ViewKind::kThreads);
      case Action::kTree: return show(ViewKind::kTree);
      case Action::kFunctions: return show(ViewKind::kFunctions);
      case Action::kAround: return show(ViewKind::kAround);
      case Action::kCode: return show(ViewKind::kCode);
      case Action::kQuality: return show(ViewKind::kQuality);
      case Action::kNextView: return show(static_cast<ViewKind>((static_cast<size_t>(s_.view) + 1) % kViews));
      case Action::kPreviousView: return show(static_cast<ViewKind>((static_cast<size_t>(s_.view) + kViews - 1) % kViews));
      case Action::kUp: return step(-1);
      case Action::kDown: return step(1);
      case Action::kPageUp: return step(-body_rows());
      case Action::kPageDown: return step(body_rows());
      case Action::kHome:
        if (s_.view == ViewKind::kFlame) { return select_node(0); }
        return go_to(0);
      case Action::kEnd:
        if (s_.view == ViewKind::kFlame) { return step_level(INT32_MAX); }
        return go_to(SIZE_MAX - 1);
      case Action::kLeft: return sideways(-1);
      case Action::kRight: return sideways(1);
      case Action::kEnter: return enter();
      case Action::kSpace:
        if (s_.view == ViewKind::kThreads) {
          s_.mark = s_.mark < 0 ? s_.column : -1;
        } else {
          step(body_rows());
        }
        return;
      case Action::kEscape: return escape();
      case Action::kSearch:
        s_.mode = Mode::kSearch;
        s_.before = s_.search;
        s_.typed.clear();
        return;
      case Action::kNextMatch: return find_match(1, false);
      case Action::kPreviousMatch: return find_match(-1, false);
      case Action::kKeepMatching: return keep_matching();
      case Action::kFocusFunction: return transform(Op::kFocusFunction);
      case Action::kFocusSubtree: return transform(Op::kFocusSubtree);
      case Action::kFocusSelf: return transform(Op::kFocusSelf);
      case Action::kMergeFunction: return transform(Op::kMergeFunction);
      case Action::kMergeNode: return transform(Op::kMergeNode);
      case Action::kDropFunction: return transform(Op::kDropFunction);
      case Action::kCollapseSubtree: return transform(Op::kCollapseSubtree);
      case Action::kCollapseRecursion: return transform(Op::kCollapseRecursion);
      case Action::kCollapseDirectRecursion: return transform(Op::kCollapseDirectRecursion);
      case Action::kCollapseModule: return transform(Op::kCollapseModule);
      case Action::kUndo: return go_back(s_.past, s_.future, "nothing to undo");
      case Action::kRedo: return go_back(s_.future, s_.past, "nothing to redo");
      case Action::kInvert:
        s_.inverted = !s_.inverted;
        s_.zoom = kRootPath;
        s_.node = UINT64_MAX;  // not in the other tree
        return;
      case Action::kSwitch: return switch_order();
      case Action::kResetZoom: s_.zoom = kRootPath; return;
      case Action::kOpenAll: return open_all();
      case Action::kOtherSide:
        if (s_.view == ViewKind::kAround) {
          s_.callees = !s_.callees;
          follow();
        }
        return;
      case Action::kEvent: return next_event();
      case Action::kToggleThread: return toggle_thread();
      case Action::kClearSelection: return clear_selection();
      case Action::kPause: s_.paused = !s_.paused; return;
      case Action::kSave: s_.saves = true; return;
      case Action::kCompareShares: {
        if (!data_.compares()) {
          s_.message = "one file: nothing to compare";
          return;
        }
        Query next = s_.query;
        next.normalize = !next.normalize;
        return change(std::move(next));
      }
    }
  }

  State & s_;
  Data & data_;
  const Size size_;
  const bool unicode_;
};

}  // namespace

State first_state(Data& data) {
  State state;
  state.query = data.first_query();
  state.sort = data.compares() ? Sort::kChange : Sort::kSelf;
  const std::vector<uint32_t>& rows = data.function_rows(state);
  if (!rows.empty()) { state.function = data.reading(state.query).functions[rows[0]].function; }
  return state;
}

State apply(State state, const Input& input, Data& data, Size size, bool unicode) {
  Stepper stepper(state, data, size, unicode);
  if (input.kind == Input::Kind::kKey) { stepper.key(input.key); }
  if (input.kind == Input::Kind::kMouse) { stepper.mouse(input.mouse); }
  return settle(std::move(state), data, size, unicode);
}

State settle(State state, Data& data, Size size, bool unicode) {
  Stepper(state, data, size, unicode).settle();
  return state;
}

}  // namespace wick::tui
