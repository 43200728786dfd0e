// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyze/call_tree.h"
#include "analyze/find_function.h"
#include "analyze/function_table.h"
#include "base/text.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/name_advice.h"
#include "cli/profile_options.h"
#include "export/report_json.h"
#include "term/report_view.h"
#include "term/tree_view.h"

namespace wick {
namespace {

struct ReportArguments {
  ProfileOptions profile;
  bool tree = false, json = false;
  std::string callers;
  std::optional<GroupBy> by;
  std::optional<SortBy> sort;
  std::optional<size_t> limit;  // absent: what fits
  std::optional<ColorWhen> color;
};

CostTable compute_rows(const View& view, const ReportArguments& options) {
  return compute_table(view.profile, view.selection, options.by.value_or(GroupBy::kFunction),
                       options.sort.value_or(SortBy::kSelf));
}

std::string render_body(const View& view, const ReportArguments& options, const Style& style, const FoundFunction& callee) {
  const auto& [profile, filter, selection] = view;
  CostUnit unit = unit_of(profile, selection.event);
  if (options.tree || !options.callers.empty()) {
    TreeViewOptions shape;
    shape.callee = callee.name;
    shape.callee_self = callee.self.weight;
    shape.limit = options.limit.value_or(0);
    if (options.limit == 0u) { shape.least_share = 0; }
    CallTree tree = options.tree ? compute_call_tree(profile, selection, group_by_process_name(profile, selection))
                                 : compute_callers(profile, selection, callee.functions);
    return render_tree(profile, tree, shape, selection.weight, style);
  }
  CostTable table = compute_rows(view, options);
  return render_table(profile, table, unit, options.limit.value_or(style.terminal ? kRowsOnATerminal : 0), style);
}

std::string render_json(const View& view, const ReportArguments& options, const FoundFunction& callee) {
  const auto& [profile, filter, selection] = view;
  size_t limit = options.limit.value_or(0);
  if (!options.callers.empty()) {
    return callers_json(profile, selection, compute_callers(profile, selection, callee.functions), callee, limit);
  }
  if (options.tree) {
    return tree_json(profile, selection, compute_call_tree(profile, selection, group_by_process_name(profile, selection)), limit);
  }
  return table_json(profile, selection, compute_rows(view, options), limit);
}

// What cannot be had together; the library's own way to say so clutters the help text.
Status check_report_options(const ReportArguments& options) {
  bool tree = options.tree, callers = !options.callers.empty();
  if (tree && callers) { return Error("--tree and --callers are two views: choose one").with_code(Errc::kUsage); }
  const char* view = tree ? "--tree" : "--callers";
  if ((tree || callers) && options.by) { return Error("--by is for tables, not for %s", view).with_code(Errc::kUsage); }
  if ((tree || callers) && options.sort) { return Error("--sort is for tables, not for %s", view).with_code(Errc::kUsage); }
  return ok_status();
}

int run_report(const ReportArguments& options) {
  if (Status status = check_report_options(options); !status.ok()) { return fail(status.error(), 2); }
  bool by_source = options.by == GroupBy::kFile || options.by == GroupBy::kLine;
  Result<View> loaded =
      load_view(options.profile, "report", {.functions_only = !by_source, .merge_many = options.profile.range.empty()});
  if (!loaded.ok()) { return fail(loaded.error(), exit_code(loaded.error())); }
  const View& view = *loaded;
  FoundFunction callee{options.callers, {}, {}};
  bool empty = view.selection.samples.empty();
  if (!options.callers.empty() && !empty) {
    Result<FoundFunction> found = find_function(view.profile, view.selection, options.callers);
    if (!found.ok()) { return fail(for_file(found.error(), options.profile), 1); }
    callee = *std::move(found);
  }
  std::string text;
  if (options.json) {
    text = render_json(view, options, callee);
  } else {
    Style style = detect_style(STDOUT_FILENO, options.color.value_or(ColorWhen::kAuto));
    text = render_heading(view.profile, view.selection, view.filter, style);
    for (const std::string& line :
         describe_lack(Lack::kNames, compute_nameless(view.profile, view.selection), view.selection.count)) {
      text += paint(style, Paint::kWarning, line) + "\n";
    }
    text += empty
                ? (view.profile.samples.empty() ? "there are no samples in this profile\n" : "none of the samples is selected\n")
                : "\n" + render_body(view, options, style, callee);
  }
  return finish_output(write_output("", text));
}

}  // namespace

Run add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportArguments>();
  const Words<GroupBy> groups = {{"function", GroupBy::kFunction}, {"module", GroupBy::kModule}, {"file", GroupBy::kFile},
                                 {"line", GroupBy::kLine},         {"thread", GroupBy::kThread}, {"process", GroupBy::kProcess}};
  const Words<SortBy> orders = {{"self", SortBy::kSelf}, {"total", SortBy::kTotal}, {"name", SortBy::kName}};
  const Words<ColorWhen> colors = {{"auto", ColorWhen::kAuto}, {"always", ColorWhen::kAlways}, {"never", ColorWhen::kNever}};

  app.add_flag("--tree", options->tree, "who calls what, from the outermost functions inwards");
  app.add_option("--callers", options->callers, "who calls this function (its name, or a part that only one has)")
      ->type_name("FUNC");
  add_choice(app, "--by", options->by, groups, "what the rows are (default: function)");
  add_choice(app, "--sort", options->sort, orders, "the order of the rows (default: self)");
  app.add_option("--limit", options->limit,
                 "so many rows, or children of each node of a tree; 0: all (default: 20 rows on a terminal, else all)")
      ->check(
          [](const std::string& given) { return parse_u64(given) ? std::string() : "\"" + given + "\" is no number of rows"; })
      ->type_name("N");
  app.add_flag("--json", options->json, "print JSON (docs/report-json.md)");
  add_choice(app, "--color", options->color, colors, "whether to use colours (default: auto)");
  add_profile_options(app, options->profile);
  app.footer(
      "Examples:\n"
      "  wick report                       the hottest functions of profile.wick\n"
      "  wick report --tree                where the time goes, from main inwards\n"
      "  wick report --callers malloc      who allocates\n"
      "  wick report --by line             the hottest lines of the source\n"
      "  wick report --by thread           what each thread used\n"
      "  wick report --json | jq '.functions[:5]'");
  return [options] { return run_report(*options); };
}

}  // namespace wick
