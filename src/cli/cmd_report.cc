// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <optional>

#include "analyze/call_tree.h"
#include "analyze/find_function.h"
#include "analyze/function_table.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "export/report_json.h"
#include "term/report_view.h"
#include "term/tree_view.h"

namespace wick {
namespace {

constexpr size_t kRowsOnATerminal = 20;

struct Options {
  ProfileOptions profile;
  bool tree = false, json = false;
  std::string callers;
  GroupBy by = GroupBy::kFunction;
  SortBy sort = SortBy::kSelf;
  std::optional<size_t> limit;  // absent: what fits
  ColorWhen color = ColorWhen::kAuto;
};

std::string render_body(const View& view, const Options& options, const Style& style, const FoundFunction& callee) {
  const auto& [profile, filter, selection] = view;
  std::string_view unit = selection.event.valid() ? profile.text(profile[selection.event].unit) : std::string_view();
  if (options.tree || !options.callers.empty()) {
    TreeViewOptions shape;
    shape.root = callee.name;
    shape.limit = options.limit.value_or(0);
    if (options.limit == 0u) { shape.least_share = 0; }
    CallTree tree = options.tree ? compute_call_tree(profile, selection, group_by_process_name(profile, selection))
                                 : compute_callers(profile, selection, callee.functions);
    return render_tree(profile, tree, shape, selection.weight, style);
  }
  CostTable table = compute_table(profile, selection, options.by, options.sort);
  return render_table(profile, table, unit, options.limit.value_or(style.terminal ? kRowsOnATerminal : 0), style);
}

std::string render_json(const View& view, const Options& options, const FoundFunction& callee) {
  const auto& [profile, filter, selection] = view;
  size_t limit = options.limit.value_or(0);
  if (!options.callers.empty()) {
    return tree_json(profile, selection, compute_callers(profile, selection, callee.functions), callee.name, limit);
  }
  if (options.tree) {
    return tree_json(profile, selection, compute_call_tree(profile, selection, group_by_process_name(profile, selection)), "", limit);
  }
  return table_json(profile, selection, compute_table(profile, selection, options.by, options.sort), limit);
}

int run_report(const Options& options) {
  Result<View> loaded = load_view(options.profile);
  if (!loaded.ok()) { return fail(loaded.error(), exit_code(loaded.error())); }
  const View& view = *loaded;
  FoundFunction callee;
  bool empty = view.selection.samples.empty();
  if (!options.callers.empty() && !empty) {
    Result<FoundFunction> found = find_function(view.profile, view.selection, options.callers);
    if (!found.ok()) { return fail(found.error(), 1); }
    callee = *std::move(found);
  }
  std::string text;
  if (options.json) {
    text = render_json(view, options, callee);
  } else {
    Style style = detect_style(STDOUT_FILENO, options.color);
    text = render_heading(view.profile, view.selection, view.filter, style);
    text += empty ? (view.profile.samples.empty() ? "there are no samples in this profile\n" : "none of the samples is selected\n")
                  : "\n" + render_body(view, options, style, callee);
  }
  return finish_output(write_output("", text));
}

}  // namespace

Run add_report_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  const std::map<std::string, GroupBy> groups = {{"function", GroupBy::kFunction}, {"module", GroupBy::kModule}, {"thread", GroupBy::kThread},
                                                 {"process", GroupBy::kProcess}};
  const std::map<std::string, SortBy> orders = {{"self", SortBy::kSelf}, {"total", SortBy::kTotal}, {"name", SortBy::kName}};
  const std::map<std::string, ColorWhen> colors = {{"auto", ColorWhen::kAuto}, {"always", ColorWhen::kAlways}, {"never", ColorWhen::kNever}};
  auto one_of = [](const auto& words) { return CLI::CheckedTransformer(words).description(""); };

  CLI::Option* tree = app.add_flag("--tree", options->tree, "who calls what, from the outermost functions inwards");
  CLI::Option* callers = app.add_option("--callers", options->callers, "who calls this function (its name, or a part that only one has)");
  callers->type_name("FUNC")->excludes(tree);
  CLI::Option* by = app.add_option("--by", options->by, "one row for each function, module, thread or process");
  by->transform(one_of(groups))->type_name("function|module|thread|process")->excludes(tree)->excludes(callers);
  CLI::Option* sort = app.add_option("--sort", options->sort, "order by self cost (default), total cost or name");
  sort->transform(one_of(orders))->type_name("self|total|name")->excludes(tree)->excludes(callers);
  app.add_option("--limit", options->limit, "so many rows, or callees at each branch of a tree; 0: all (default: 20 rows on a terminal, else all)")
      ->type_name("N");
  app.add_flag("--json", options->json, "print JSON (docs/report-json.md)");
  app.add_option("--color", options->color, "colours: auto (default), always or never")->transform(one_of(colors))->type_name("auto|always|never");
  add_profile_options(app, options->profile);
  app.footer("Examples:\n"
             "  wick report                       the hottest functions of profile.wick\n"
             "  wick report --tree                where the time goes, from main inwards\n"
             "  wick report --callers malloc      who allocates\n"
             "  wick report --by thread           what each thread used\n"
             "  wick report --json | jq '.functions[:5]'");
  return [options] { return run_report(*options); };
}

}  // namespace wick
