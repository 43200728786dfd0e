// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "tui/draw.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/fit.h"
#include "tui/keys.h"
#include "tui/rows.h"

namespace wick::tui {
namespace {

constexpr Look kBar{.paint = Paint::kPlain, .fill = {}, .reverse = true};

void draw_tabs(Canvas& c) {
  int y = c.layout.tabs;
  if (y < 0) { return; }
  std::array<Tab, kViews> tabs = lay_out_tabs(c.state, c.grid.width());
  for (size_t i = 0; i < kViews; ++i) {
    bool is_shown = static_cast<size_t>(c.state.view) == i && c.state.mode != Mode::kHelp;
    c.grid.put(tabs[i].begin, y, tabs[i].text, is_shown ? Look{.reverse = true, .bold = true} : Look{});
  }
}

// "last 10 s  ", "paused, 12 s old  ".
std::string describe_live(const State& state) {
  if (!state.live) { return ""; }
  const LiveStatus& live = *state.live;
  auto seconds = [](uint64_t ns) { return strf("%.0f s", static_cast<double>(ns) / 1e9); };
  if (!live.ended.empty()) { return live.ended + ", last " + seconds(live.window_ns) + "  "; }
  if (state.paused) { return "paused, " + seconds(live.age_ns) + " old  "; }
  return "last " + seconds(live.window_ns) + "  ";
}

// What is shown, and whether something is lost.
void draw_about(Canvas& c) {
  if (c.layout.about < 0) { return; }
  const Profile& p = c.data.profile();
  const Reading& r = c.data.reading(c.state.query);
  CostUnit unit = unit_of(p, c.state.query.event);
  std::string text;
  if (c.data.compares()) {
    const DiffTable& t = r.compared;
    const std::vector<std::string>& files = c.data.source().files;
    bool same = files.size() == 2 && base_name(files[0]) == base_name(files[1]);
    auto name = [&](const std::string& file) { return printable(same ? std::string_view(file) : base_name(file)); };
    std::string names = files.size() == 2 ? name(files[0]) + " -> " + name(files[1]) + "  " : "";
    text = names + format_cost(t.before.weight, unit) + " -> " + format_cost(t.after.weight, unit);
    if (t.before.weight > 0 && t.after.weight > 0) { text += strf(" (%+.1f%%)", 100 * (t.scale - 1)); }
    text += c.state.query.normalize ? ", comparing shares (%)" : ", comparing costs (%)";
  } else {
    const Overview& o = c.data.overview(c.state.query.event);
    text = describe_live(c.state) + (o.title.empty() ? "" : o.title + "  ") +
           describe_amount(p, c.state.query.event, r.now.count, r.now.weight) + ", " + format_cost(r.now.weight, unit);
    if (o.weight != r.now.weight) { text += " = " + format_percent(share(r.now.weight, o.weight)); }
    uint64_t rate_hz = c.state.live ? p[c.state.query.event].rate_hz : 0;
    if (rate_hz != 0) { text += strf(" at %s Hz", group_thousands(rate_hz).c_str()); }
  }
  std::string own = !c.state.live            ? ""
                    : !c.state.live->own_cpu ? "  wick ...% CPU"
                                             : strf("  wick %.1f%% CPU", 100 * *c.state.live->own_cpu);
  std::string losses;
  for (uint32_t e : c.data.compares() ? std::vector<uint32_t>{0, 1} : std::vector<uint32_t>{c.state.query.event.value}) {
    const Overview& o = c.data.overview({e});
    std::string side = !c.data.compares() ? "" : e == 0 ? "before " : "after ";
    if (o.lost > 0) { losses += "  " + side + group_thousands(o.lost) + " lost"; }
    if (o.truncated > 0 && o.samples > 0) { losses += "  " + side + format_part(o.truncated, o.samples) + " truncated"; }
  }
  if (!p.warnings().empty()) { losses += "  " + count_of(p.warnings().size(), "warning"); }
  int room = c.grid.width() - display_width(losses) - display_width(own);
  int x = c.grid.put(0, c.layout.about, fit_middle(c.style(), printable(text), std::max(room, 0)), {.bold = true});
  x = c.grid.put(x, c.layout.about, losses, {.paint = Paint::kWarning});
  c.grid.put(std::max(x, c.grid.width() - display_width(own)), c.layout.about, own, {.paint = Paint::kDim});
}

std::string hint_of(const State& s, Data& data) {
  switch (s.view) {
    case ViewKind::kFlame: return "arrows move  Enter zoom  Esc out  i invert  / search  f focus";
    case ViewKind::kThreads: return "Space begin range  Enter choose  t add thread  x all";
    case ViewKind::kTree:
      return std::string("right open  left close  ") + (s.live ? "Enter source" : "* all") + "  i invert  / search  f focus";
    case ViewKind::kFunctions:
      return std::string(s.live ? "Enter source  5 callers  o sort: " : "Enter callers  6 source  s sort: ") +
             (s.sort == Sort::kSelf    ? "self"
              : s.sort == Sort::kTotal ? "total"
              : s.sort == Sort::kName  ? "name"
                                       : "change") +
             "  / search";
    case ViewKind::kAround: return "Tab other side  Enter go there  right open";
    case ViewKind::kCode:
      return s.live            ? "Esc back  o source, assembly, both  arrows scroll"
             : data.compares() ? "s source, assembly  % compare shares or costs  arrows scroll"
                               : "s source, assembly, both  arrows scroll";
    case ViewKind::kQuality: return data.compares() ? "% compare shares or costs" : "e next event";
  }
  return "";
}

std::string live_hint(const State& s) {
  std::string reading = s.live->symbols_missing > 0 ? "reading symbols...  " : "";
  return reading + (s.live->ended.empty() ? s.paused ? "p resume  s save  " : "p pause  s save  " : "s save  ");
}

std::string describe_found(const State& s, Data& data) {
  const Found& found = data.found(s.query, s.search);
  const Reading& r = data.reading(s.query);
  if (!found.status.ok()) { return found.status.error().message(); }
  return "/" + s.search + "/: " + count_of(found.count, "function") + ", " +
         (data.compares() ? format_percent(share(found.before.weight, r.before.weight)) + " -> " : "") +
         format_percent(share(found.cost.weight, r.now.weight)) + " of the total";
}

void draw_status(Canvas& c) {
  int y = c.layout.status;
  if (y < 0) { return; }
  c.grid.fill(0, y, c.grid.width(), kBar);
  if (c.state.mode == Mode::kSearch) {
    std::string text = "/" + printable(c.state.typed);
    bool wrong = c.state.typed != c.state.search;
    int x = c.grid.put(0, y, fit_middle(c.style(), text, std::max(c.grid.width() - 1, 0)), kBar);
    c.grid.put(x, y, "_", {.reverse = true, .bold = true});
    std::string found = wrong ? "not a regular expression yet" : c.state.search.empty() ? "" : describe_found(c.state, c.data);
    c.grid.put(x + 2, y, printable(found), kBar);
    return;
  }
  std::string left = c.state.mode == Mode::kHelp ? "Esc back"
                     : !c.state.message.empty()  ? c.state.message
                     : !c.state.search.empty()   ? describe_found(c.state, c.data) + "  n N next, previous  g keep  Esc clear"
                                                 : (c.state.live ? live_hint(c.state) : "") + hint_of(c.state, c.data);
  constexpr std::string_view kKeys = "  ? help  q quit";
  int room = c.grid.width(), keys = static_cast<int>(kKeys.size());
  if (c.state.mode == Mode::kBrowse && room >= 3 * keys) {
    room -= keys;
    c.grid.put(room, y, kKeys, kBar);
  }
  c.grid.put(0, y, fit_start(c.style(), printable(left), room), kBar);
}

void draw_help(Canvas& c) {
  std::vector<std::pair<std::string, std::string>> lines;  // keys, text; no text: a title
  const char* section = nullptr;
  for (const Binding& b : key_map()) {
    if (b.section == nullptr || !b.is_for(c.data.is_live())) { continue; }
    if (b.section != section) {
      if (section != nullptr) { lines.push_back({}); }
      lines.push_back({b.section, ""});
    }
    section = b.section;
    lines.push_back({b.shown, b.text});
  }
  for (size_t i = c.state.help.top; i < lines.size(); ++i) {
    int y = c.layout.body + static_cast<int>(i - c.state.help.top);
    if (y >= c.bottom()) { return; }
    const auto& [keys, text] = lines[i];
    if (text.empty()) {
      c.grid.put(0, y, keys, {.bold = true});
      continue;
    }
    c.grid.put(2, y, keys, {.paint = Paint::kGood});
    c.grid.put(15, y, text);
  }
}

void draw_quality(Canvas& c) {
  std::vector<std::string> lines = quality_lines(c.data, c.state);
  for (size_t i = c.state.quality.top; i < lines.size(); ++i) {
    int y = c.layout.body + static_cast<int>(i - c.state.quality.top);
    if (y >= c.bottom()) { return; }
    bool warns = lines[i].starts_with("warning:");
    c.grid.put(0, y, fit_start(c.style(), lines[i], c.grid.width()), {.paint = warns ? Paint::kWarning : Paint::kPlain});
  }
}

}  // namespace

Paint paint_of_change(Change change) {
  return change == Change::kGrew ? Paint::kGrew : change == Change::kShrank ? Paint::kShrank : Paint::kDim;
}

std::string describe_change(const DiffTable& table, const DiffCost& cost, const CostUnit& unit) {
  if (table.normalized) { return strf("%+.1f pp", 100 * table.share_change(cost)); }
  double change = table.change(cost);
  if (change == 0) { return "0"; }
  return (change > 0 ? "+" : "") + format_cost(static_cast<int64_t>(std::llround(change)), unit);
}

void put_name(Canvas& c, int x, int y, FunctionId function, std::string_view name, int room, Look look) {
  if (room <= 0) { return; }
  if (!c.state.search.empty() && function.valid()) {
    const Found& found = c.data.found(c.state.query, c.state.search);
    if (found.status.ok() && found.functions[function.value]) { look.underline = look.bold = true; }
  }
  c.grid.put(x, y, fit_name(c.style(), shown_name(name), room), look, room);
}

Grid draw(const State& state, Data& data, Size size, bool unicode, bool colors) {
  Grid grid(size.width, size.height, unicode);
  Canvas c{grid, state, data, lay_out(state, data, size), colors};
  draw_tabs(c);
  draw_about(c);
  if (c.layout.query >= 0) {
    std::string text = printable(describe_query(state, data));
    grid.put(0, c.layout.query, fit_middle(c.style(), text, size.width), {.paint = Paint::kWarm});
  }
  if (state.mode == Mode::kHelp) {
    draw_help(c);
  } else {
    switch (state.view) {
      case ViewKind::kFlame: draw_flame(c); break;
      case ViewKind::kThreads: draw_threads(c); break;
      case ViewKind::kTree: draw_tree(c); break;
      case ViewKind::kFunctions: draw_functions(c); break;
      case ViewKind::kAround: draw_around(c); break;
      case ViewKind::kCode: draw_code(c); break;
      case ViewKind::kQuality: draw_quality(c); break;
    }
  }
  draw_status(c);
  return grid;
}

}  // namespace wick::tui
