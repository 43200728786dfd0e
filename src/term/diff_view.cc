// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The first column shows the compared quantity: costs, or percentage points ("pp") of shares if the profiles were normalized. The
// other one follows if there is room, so that readers see both the amount and the share.

#include "term/diff_view.h"

#include <algorithm>
#include <cmath>

#include "analyze/format.h"
#include "analyze/overview.h"
#include "base/text.h"
#include "base/utf8.h"
#include "term/table.h"
#include "term/titles.h"

namespace wick {
namespace {

std::string signed_cost(double weight, const CostUnit& unit) {
  int64_t rounded = std::abs(weight) < 9e18 ? std::llround(weight) : weight < 0 ? INT64_MIN + 1 : INT64_MAX;
  return (rounded > 0 ? "+" : "") + format_cost(rounded, unit);
}

std::string points(double share_change) {
  double pp = 100 * share_change, size = std::abs(pp);
  if (size < 0.005) { return "0.0 pp"; }
  return strf(size >= 0.0995 ? "%+.1f pp" : "%+.2f pp", pp);
}

std::string nouns(GroupBy by, size_t n, const std::string& adjective = "") {
  switch (by) {
    case GroupBy::kFunction: return count_of(n, adjective + "function");
    case GroupBy::kModule: return count_of(n, adjective + "module");
    case GroupBy::kFile: return count_of(n, adjective + "file");
    case GroupBy::kLine: return count_of(n, adjective + "line");
    case GroupBy::kThread: return count_of(n, adjective + "thread");
    case GroupBy::kProcess: return count_of(n, adjective + "process", adjective + "processes");
  }
  return count_of(n, adjective + "row");
}

std::string render_sides(const DiffSide& before, const DiffSide& after, const DiffTable& table, const CostUnit& unit,
                         const Style& style) {
  Table out({{""},
             {"PROFILE", Align::kLeft, Shrink::kMiddle},
             {"SAMPLES", Align::kRight},
             {"RECORDED", Align::kRight, Shrink::kNever, 2},
             {cost_title(unit), Align::kRight, Shrink::kNever, 1},
             {"COMMAND", Align::kLeft, Shrink::kMiddle, 3}});
  auto cost = [&](const DiffSide& side) {
    CostUnit own = unit_of(side.profile, side.selection.event);
    bool differs = side.selection.event.valid() && own.name != unit.name;
    return format_cost(side.selection.weight, own) + (differs && own.name != "ns" ? " " + printable(own.name) : "");
  };
  auto add = [&](const char* name, const DiffSide& side, const Cost& all) {
    Overview o = compute_overview(side.profile, side.selection.event);
    auto length = static_cast<int64_t>(std::min<uint64_t>(o.duration_ns, INT64_MAX));
    out.add({{name, Paint::kDim},
             {printable(side.file), Paint::kBold},
             {group_thousands(all.samples)},
             {length > 0 ? format_duration(length) : ""},
             {cost(side)},
             {o.title, Paint::kDim}});
  };
  add("before", before, table.before);
  add("after", after, table.after);
  return out.render(style);
}

// "+27.6% overall; comparing costs: both are complete runs (--normalize compares shares)"
std::string comparison_line(const DiffTable& table, std::string_view why) {
  std::string words = table.normalized ? "comparing shares" : "comparing costs";
  bool both = table.before.weight > 0 && table.after.weight > 0;
  if (both && !table.normalized) { words = strf("%+.1f%% overall; ", 100 * (table.scale - 1)) + words; }
  if (both && table.normalized && table.scale != 1) { words += strf(" (before scaled by %.4g)", table.scale); }
  words += ": " + std::string(why);
  // If the totals differ, mention the other comparison.
  constexpr double kSameTotal = 0.05;
  if (both && std::abs(table.scale - 1) > kSameTotal) {
    words += table.normalized ? " (--no-normalize compares costs)" : " (--normalize compares shares)";
  }
  return words + "\n";
}

size_t count_verdicts(const DiffTable& table) {
  return static_cast<size_t>(
      std::count_if(table.rows.begin(), table.rows.end(), [&](const DiffRow& row) { return table.changed(row); }));
}

// Everything grew by the same factor: no function caused that, and a slower machine has the same effect. That is no explanation
// if the profiles are hardly comparable.
bool is_uniform(const DiffTable& table) {
  if (!table.warnings.empty()) { return false; }
  bool any_share = std::any_of(table.rows.begin(), table.rows.end(), [](const DiffRow& row) {
    return row.self.share_noise < kNoiseLevel || row.total.share_noise < kNoiseLevel;
  });
  auto parts =
      std::count_if(table.rows.begin(), table.rows.end(), [](const DiffRow& row) { return row.self.before.samples > 0; });
  return !table.normalized && parts > 1 && !table.after.empty() && !any_share && count_verdicts(table) > 0;
}

// Whether one row has so much of the cost that its share can hardly change, whatever happens to it.
bool has_dominant_row(const DiffTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const DiffRow& row) { return row.self.before.weight > table.before.weight / 5 * 4; });
}

Table rows_table(const Profile& combined, const DiffTable& table, const std::vector<const DiffRow*>& rows,
                 const DiffColors& colors, const Style& style) {
  CostUnit unit = unit_of(combined, EventId{1});
  bool code = is_code(table.by);
  bool modules = code && table.by != GroupBy::kModule && std::any_of(rows.begin(), rows.end(), [&](const DiffRow* row) {
                   return !row_module(combined, table.by, row->named()).empty();
                 });
  bool sources = table.by == GroupBy::kFile || table.by == GroupBy::kLine;
  std::string other = table.normalized ? cost_title(unit) : "SHARE";
  std::vector<Column> columns = {{""},
                                 {code ? "SELF" : "CHANGE", Align::kRight},
                                 {"BEFORE", Align::kRight, Shrink::kNever, 4},
                                 {"AFTER", Align::kRight, Shrink::kNever, 3},
                                 {other, Align::kRight, Shrink::kNever, 5}};
  if (code) {
    columns.push_back({"TOTAL", Align::kRight, Shrink::kNever, 1});
    columns.push_back({other, Align::kRight, Shrink::kNever, 6});
  }
  columns.push_back({group_title(table.by), Align::kLeft, table.by == GroupBy::kFunction ? Shrink::kName : Shrink::kMiddle});
  if (modules) { columns.push_back({"MODULE", Align::kLeft, Shrink::kMiddle, 2}); }
  if (table.by == GroupBy::kThread) { columns.push_back({"PROCESS", Align::kLeft, Shrink::kMiddle, 1}); }
  Table out(std::move(columns));
  auto paint_of = [&](Change change) { return change_paint(change, colors); };
  for (const DiffRow* row : rows) {
    Change self = table.verdict(row->self), total = table.verdict(row->total);
    Change either = self != Change::kNoise ? self : total;
    auto change = [&](const DiffCost& cost, bool as_share) { return format_change(table, cost, as_share, unit); };
    auto level = [&](const Cost& cost, const Cost& all) {
      return table.normalized ? format_percent(share(cost.weight, all.weight)) : format_cost(cost.weight, unit);
    };
    // A mark precedes the change it refers to; it precedes both if they agree.
    std::vector<Cell> cells = {{change_mark(self, style), paint_of(self)}};
    if (row->self.before.empty() && row->self.after.empty()) {  // it only calls other functions
      cells.resize(5);
    } else {
      cells.push_back({change(row->self, table.normalized), paint_of(self)});
      cells.push_back({level(row->self.before, table.before), Paint::kDim});
      cells.push_back({level(row->self.after, table.after), Paint::kDim});
      cells.push_back({change(row->self, !table.normalized), paint_of(self)});
    }
    if (code) {
      std::string marked = total == Change::kNoise || total == self ? "" : change_mark(total, style) + " ";
      cells.push_back({marked + change(row->total, table.normalized), paint_of(total)});
      cells.push_back({change(row->total, !table.normalized), paint_of(total)});
    }
    CostRow named = row->named();
    std::string name = row_name(combined, table.by, named);
    const char* tail = row->total.before.empty() ? " (new)" : row->total.after.empty() ? " (gone)" : "";
    cells.push_back(
        {shown_name(sources ? short_source(name) : name), either == Change::kNoise ? Paint::kDim : Paint::kPlain, tail});
    if (modules) { cells.push_back({printable(row_module(combined, table.by, named)), Paint::kDim}); }
    if (table.by == GroupBy::kThread) {
      cells.push_back({shown_name(combined.text(combined[combined.threads()[row->id].process].name)), Paint::kDim});
    }
    out.add(std::move(cells));
  }
  return out;
}

}  // namespace

std::string change_mark(Change change, const Style& style) {
  switch (change) {
    case Change::kGrew: return style.unicode ? "▲" : "+";
    case Change::kShrank: return style.unicode ? "▼" : "-";
    case Change::kNoise: return "";
  }
  return "";
}

Paint change_paint(Change change, const DiffColors& colors) {
  return change == Change::kGrew ? colors.grew : change == Change::kShrank ? colors.shrank : Paint::kDim;
}

std::string format_change(const DiffTable& table, const DiffCost& cost, bool as_share, const CostUnit& unit) {
  return as_share ? points(table.share_change(cost)) : signed_cost(table.change(cost), unit);
}

std::string render_diff_profiles(const DiffSide& before, const DiffSide& after, const Filter& filter, const Profile& combined,
                                 const DiffTable& table, std::string_view why, const Style& style) {
  std::string out = render_sides(before, after, table, unit_of(combined, EventId{1}), style);
  out += comparison_line(table, why);
  for (const auto& [name, side] : {std::pair("before: ", &before), std::pair("after: ", &after)}) {
    Overview o = compute_overview(side->profile, side->selection.event);
    for (const std::string& line : loss_lines(o)) { out += paint(style, Paint::kWarning, name + line) + "\n"; }
    for (const std::string& warning : side->profile.warnings()) {
      out += paint(style, Paint::kWarning, std::string("warning: ") + name + printable(warning)) + "\n";
    }
  }
  for (const std::string& note : table.notes) { out += note + "\n"; }
  for (const std::string& warning : table.warnings) { out += paint(style, Paint::kWarning, "warning: " + warning) + "\n"; }
  if (!filter.everything()) { out += "showing " + describe_filter(filter) + "\n"; }
  if (table.before.empty() || table.after.empty()) {
    const char* which = !table.before.empty() ? "after has" : !table.after.empty() ? "before has" : "both have";
    out += paint(style, Paint::kWarning, std::string(which) + " no samples to compare") + "\n";
  } else if (std::min(table.before.samples, table.after.samples) < kFewSamples) {
    out += paint(style, Paint::kWarning,
                 strf("fewer than %d samples: only large changes stand out from noise", static_cast<int>(kFewSamples))) +
           "\n";
  }
  return out;
}

std::string render_diff_heading(const DiffSide& before, const DiffSide& after, const Filter& filter, const Profile& combined,
                                const DiffTable& table, std::string_view why, const Style& style) {
  std::string out = render_diff_profiles(before, after, filter, combined, table, why, style);
  size_t changed = count_verdicts(table);
  std::string all = nouns(table.by, table.rows.size());
  if (changed > 0) {
    auto carriers = static_cast<size_t>(
        std::count_if(table.rows.begin(), table.rows.end(), [&](const DiffRow& row) { return table.carries(row); }));
    out += group_thousands(changed) + " of " + all + " changed beyond noise (" + change_mark(Change::kGrew, style) + " " +
           change_mark(Change::kShrank, style) + ")";
    if (carriers > 0) {
      out +=
          carriers == 1 ? ", 1 of them only in its callees" : ", " + group_thousands(carriers) + " of them only in their callees";
    }
    out += "\n";
  } else if (!table.rows.empty()) {
    out += "none of " + all + " changed beyond noise\n";
  }
  std::string uniform = filter.everything() ? describe_uniform_change(table) : "";
  return uniform.empty() ? out : out + uniform + "\n";
}

std::string describe_uniform_change(const DiffTable& table) {
  if (!is_uniform(table)) { return {}; }
  bool grew = table.scale > 1;
  if (has_dominant_row(table)) {
    return strf(
               "no share changed beyond noise, but the total %s by %.0f%%: with one function that dominates, shares cannot tell ",
               grew ? "grew" : "shrank", 100 * std::abs(table.scale - 1)) +
           (grew ? "a slower program from a slower machine" : "a faster program from a faster machine");
  }
  return std::string("no share changed beyond noise: everything ") +
         (grew ? "grew by the same factor (a slower machine?)" : "shrank by the same factor (a faster machine?)");
}

std::string render_diff_table(const Profile& combined, const DiffTable& table, size_t limit, const DiffColors& colors,
                              const Style& style) {
  std::vector<const DiffRow*> rows;
  for (const DiffRow& row : table.rows) {
    if (table.differs(row)) { rows.push_back(&row); }
  }
  size_t all = rows.size(), same = table.rows.size() - all;
  if (all == 0) { return table.rows.empty() ? "" : "no differences\n"; }
  if (limit > 0 && limit < all) { rows.resize(limit); }
  std::string text = rows_table(combined, table, rows, colors, style).render(style);
  std::string rest;
  if (rows.size() < all) { rest = nouns(table.by, all - rows.size(), "more ") + " (--limit 0 shows all)"; }
  if (same > 0) { rest += (rest.empty() ? "" : ", ") + nouns(table.by, same) + " unchanged"; }
  if (!rest.empty()) { text += paint(style, Paint::kDim, std::string(ellipsis(style)) + " " + rest) + "\n"; }
  return text;
}

std::string describe_regression(const Profile& combined, const DiffTable& table, const Regression& regression) {
  const DiffRow& row = table.rows[regression.row];
  const DiffCost& cost = regression.self ? row.self : row.total;
  return shown_name(row_name(combined, table.by, row.named())) + ": " +
         format_percent(share(cost.before.weight, table.before.weight)) + " -> " +
         format_percent(share(cost.after.weight, table.after.weight)) + " of the total" +
         (regression.self || !is_code(table.by) ? "" : ", including callees") + " (" + points(regression.share_change) + ")";
}

}  // namespace wick
