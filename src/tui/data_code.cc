// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The source and assembly of a function, as lines. They are those that `wick annotate` and `wick diff --annotate` print.

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyze/format.h"
#include "analyze/line_costs.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/event_name.h"
#include "term/code_view.h"
#include "term/line_diff_view.h"
#include "tui/data.h"
#include "tui/grid.h"
#include "view/annotated.h"
#include "view/annotated_diff.h"

namespace wick::tui {
namespace {

constexpr size_t kAllLines = 1'000'000;
constexpr int kMostCostColumns = 80;

Style code_style(bool unicode) { return {.terminal = false, .color = true, .unicode = unicode, .width = 0}; }

std::vector<FunctionId> same_functions(const Profile& profile, FunctionId function) {
  std::vector<FunctionId> same = compute_same_functions(profile), out;
  for (uint32_t i = 0; i < same.size(); ++i) {
    if (same[i] == same[function.value]) { out.push_back({i}); }
  }
  return out;
}

// The first line is the heading.
void set_lines(CodeLines& out, const std::string& text) {
  for (std::string_view line : split(text, '\n')) { out.lines.emplace_back(line); }
  if (!out.lines.empty() && out.lines.back().empty()) { out.lines.pop_back(); }
  out.heading = out.lines.empty() ? "" : out.lines.front();
  if (!out.lines.empty()) { out.lines.erase(out.lines.begin()); }
}

// The highest share is where a reader looks first.
size_t find_hottest(const std::vector<std::string>& lines) {
  size_t hottest = 0;
  double best = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    size_t digit = line.find_first_not_of(' ');
    if (line.starts_with("\x1b[")) { digit = line.find_first_not_of(' ', line.find('m') + 1); }
    size_t percent = line.find('%');
    if (digit == line.npos || percent == line.npos || percent > 24) { continue; }
    std::optional<double> value = parse_double(line.substr(digit, percent - digit));
    if (value && *value > best) {
      best = *value;
      hottest = i;
    }
  }
  return hottest;
}

// The line whose cost changed most; if none changed, the hottest.
size_t find_most_changed(const LineDiff& diff) {
  size_t most = 0;
  std::pair<double, double> best{0, 0};
  for (size_t i = 0; i < diff.rows.size(); ++i) {
    if (diff.rows[i].kind != LineDiffRow::Kind::kLine || diff.rows[i].cost == LineDiffRow::kNone) { continue; }
    const DiffCost& self = diff.table.rows[diff.rows[i].cost].self;
    std::pair<double, double> key{std::abs(diff.table.change(self)), static_cast<double>(self.after.weight)};
    if (key > best) {
      best = key;
      most = i;
    }
  }
  return most;
}

}  // namespace

// Instructions have the costs of one side: those of two builds are different code.
std::string Data::describe_code_side(bool is_before) const {
  if (is_before) { return "costs before: there are no samples of this function after"; }
  return source_.find_lines ? "only costs after; s shows the source with both" : "only costs after";
}

void Data::compare_code(const Reading& r, bool unicode, CodeLines& out) const {
  FunctionId function = out.function;
  std::vector<FunctionId> counted = same_functions(r.profile, function);
  auto side = [&](bool is_before) {
    const Selection& selected = is_before ? r.before : r.now;
    FunctionId main = find_main_build(r.profile, selected, counted);
    LineCosts costs = compute_line_costs(r.profile, selected, {counted, r.profile[main].module, {}});
    return LineDiffSide{r.profile, std::move(costs),
                        [&, is_before](const std::string& file) { return source_.find_lines(function, is_before, file); }};
  };
  LineDiffOptions options{.builds = source_.compare_builds ? source_.compare_builds(function) : Builds::kUnknown,
                          .has_counts = profile().has_counts(),
                          .context = kAllLines,
                          .normalized = r.query.normalize,
                          .before = r.compared.before,
                          .after = r.compared.after};
  ComparedLines compared = compare_function_lines(side(true), side(false), options, {"the file before", "the file after"});
  const Function& f = r.profile[function];
  std::string_view module = f.module.valid() ? r.profile.text(r.profile[f.module].name) : std::string_view();
  CostUnit unit = unit_of(r.profile, r.now.event);
  Style style = code_style(unicode);
  set_lines(out, render_function_change(r.profile.text(f.name), module, compared.whole, compared.self, compared.notes, unit, {},
                                        style));
  size_t above = out.lines.size() + 1;  // notes, titles
  std::string text = render_line_diff(compared.lines, unit, {}, style);
  for (std::string_view line : split(text, '\n')) { out.lines.emplace_back(line); }
  if (!out.lines.empty() && out.lines.back().empty()) { out.lines.pop_back(); }
  if (compared.lines.rows.empty()) {
    out.lines.emplace_back("no source lines are known");
    return;
  }
  out.first_hot = above + find_most_changed(compared.lines);
  // Costs and line numbers stay.
  Grid titles(kMostCostColumns, 1, unicode);
  titles.put_painted(0, 0, out.lines[above - 1]);
  out.costs = static_cast<int>(std::min<size_t>(titles.text().find("LINE") + 4, kMostCostColumns));
}

void Data::read_code(const Reading& r, CodeMode mode, bool unicode, CodeLines& out) const {
  FunctionId function = out.function;
  std::vector<FunctionId> counted = same_functions(r.profile, function);
  bool is_before = source_.is_only_before && source_.is_only_before(function);
  const Selection& selected = is_before ? r.before : r.now;
  FunctionId shown = find_main_build(r.profile, selected, counted);
  FunctionCode code = source_.read_code(shown);
  if (compares()) { code.notes.insert(code.notes.begin(), describe_code_side(is_before)); }
  CodeCosts costs = compute_shown_costs(r.profile, selected, counted, shown, code);
  Style style = code_style(unicode);
  Cost all{selected.weight, selected.count};
  std::vector<CodeRow> rows = compute_code_rows(code);
  const Event& event = compares() ? r.profile[r.now.event] : profile()[r.query.event];
  CodeViewOptions options{.source = mode != CodeMode::kAssembly,
                          .instructions = mode != CodeMode::kSource,
                          .context = kAllLines,
                          .skid = describe_skid(profile().text(event.name))};
  set_lines(out, render_function_line(code, costs, all, style) +
                     render_code(code, rows, compute_row_costs(r.profile, code, rows, costs), all, options, style));
  if (rows.empty()) { out.lines.emplace_back("no source lines or instructions are known"); }
  out.first_hot = find_hottest(out.lines);
}

const CodeLines& Data::code(const Query& query, FunctionId function, CodeMode wanted, bool unicode) {
  Reading& r = *read(query);
  if (r.code && r.code->function == function && r.code_mode == wanted) { return *r.code; }
  auto made = std::make_unique<CodeLines>();
  made->function = function;
  bool is_original = function.valid() && function.value < profile().functions().size();
  if (is_original && compares() && source_.find_lines && wanted != CodeMode::kAssembly) {
    compare_code(r, unicode, *made);
  } else if (is_original && source_.read_code) {
    read_code(r, wanted, unicode, *made);
  } else {
    made->lines.emplace_back(!function.valid()    ? "no function is selected"
                             : !source_.read_code ? "no source and assembly for this profile"
                                                  : "a collapsed library has no code");
  }
  r.code = std::move(made);
  r.code_mode = wanted;
  return *r.code;
}

}  // namespace wick::tui
