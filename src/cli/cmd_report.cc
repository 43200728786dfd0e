// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/profile_options.h"
#include "cli/report_text.h"
#include "cli/table_words.h"
#include "view/report.h"

namespace wick {
namespace {

struct ReportArguments {
  ProfileOptions profile;
  bool tree = false, json = false, full = false, fold_runtimes = false, insights = false, waits = false;
  std::string callers;
  std::optional<GroupBy> by;
  std::optional<SortBy> sort;
  std::optional<size_t> limit;  // not set: chosen by the output
  std::optional<ColorWhen> color;
};

// Not CLI11's `excludes`, which clutters the help text.
Status check_report_options(const ReportArguments& options) {
  bool tree = options.tree, callers = !options.callers.empty();
  if (options.waits && (tree || callers || options.by || options.sort)) {
    return Error("--waits cannot be combined with %s", tree         ? "--tree"
                                                       : callers    ? "--callers"
                                                       : options.by ? "--by"
                                                                    : "--sort")
        .with_code(Errc::kUsage);
  }
  if (tree && callers) { return Error("--tree and --callers cannot be combined").with_code(Errc::kUsage); }
  const char* view = tree ? "--tree" : "--callers";
  if ((tree || callers) && options.by) { return Error("--by does not apply to %s", view).with_code(Errc::kUsage); }
  if ((tree || callers) && options.sort) { return Error("--sort does not apply to %s", view).with_code(Errc::kUsage); }
  if (options.full && options.fold_runtimes) {
    return Error("--full and --fold-runtimes cannot be combined").with_code(Errc::kUsage);
  }
  return ok_status();
}

ReportQuery query_of(const ReportArguments& options) {
  ReportQuery query;
  query.kind = options.waits              ? ReportKind::kWaits
               : options.tree             ? ReportKind::kTree
               : !options.callers.empty() ? ReportKind::kCallers
                                          : ReportKind::kTable;
  query.callee = options.callers;
  query.by = options.by.value_or(GroupBy::kFunction);
  query.sort = options.sort.value_or(SortBy::kSelf);
  // JSON shows all frames unless --fold-runtimes is given.
  query.fold_runtimes = !options.full && (!options.json || options.fold_runtimes);
  query.fold_library_glue = !options.full && !options.json;
  query.find_lacks = !options.json;
  query.insights = options.insights;
  return query;
}

Status print_report(const ReportArguments& options) {
  WICK_OK(check_report_options(options));
  WICK_LET(ViewRequest request, understand(options.profile, "report"));
  WICK_LET(Report report, load_report(std::move(request), query_of(options)));
  if (options.json) { return write_output("", report_json(report, options.limit.value_or(0))); }
  Style style = detect_style(STDOUT_FILENO, options.color.value_or(ColorWhen::kAuto));
  return write_output("", render_report(report, options.limit, style));
}

}  // namespace

Run add_report_command(CLI::App& app) {
  auto options = std::make_shared<ReportArguments>();
  app.add_flag("--tree", options->tree, "Show a call tree, outermost functions first");
  app.add_option("--callers", options->callers, "Show the callers of a function (its name, or a unique part of it)")
      ->type_name("FUNC");
  app.add_flag("--waits", options->waits, "Show what threads waited for (recorded with wick record --wall)");
  add_choice(app, "--by", options->by, group_words(), "Group rows by [function]");
  add_choice(app, "--sort", options->sort, sort_words(), "Sort rows by [self]");
  app.add_option("--limit", options->limit,
                 "Show at most N rows (per node in a tree); 0 shows all [terminal: 20; else TOTAL above 0.0%]")
      ->check(check_number(0))
      ->type_name("N");
  app.add_flag("--full", options->full, "Show runtime frames in trees, and inlined library functions separately");
  app.add_flag("--fold-runtimes", options->fold_runtimes, "Fold runtime frames in JSON");
  app.add_flag("--insights", options->insights, "Name what the time is spent on, and in which functions (docs/insights.md)");
  app.add_flag("--json", options->json, "Print JSON (docs/report-json.md)");
  add_choice(app, "--color", options->color, color_words(), "Use colors [auto]");
  add_profile_options(app, options->profile);
  app.footer(
      "Examples:\n"
      "  wick report                       show the hottest functions of profile.wick\n"
      "  wick report --tree                show where the time goes, from main inwards\n"
      "  wick report --callers malloc      show who allocates\n"
      "  wick report --by line             show the hottest source lines\n"
      "  wick report --by thread           show the time of each thread\n"
      "  wick report --insights            name common causes, and what to do about them\n"
      "  wick report --json | jq '.functions[:5]'");
  return [options] { return finish_output(print_report(*options)); };
}

}  // namespace wick
