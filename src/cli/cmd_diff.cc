// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "cli/command.h"
#include "cli/diff_options.h"
#include "cli/diff_output.h"
#include "cli/fail_above.h"
#include "cli/output.h"
#include "view/diff.h"

namespace wick {
namespace {

// Returns the exit code.
Result<int> compare(const DiffArguments& options, const Diff& diff) {
  if (!options.table()) { WICK_OK(write_folded_or_picture(options, diff)); }
  if (!options.table() && !options.fail_above) { return 0; }
  WICK_LET(ComparedRows rows, compare_rows(diff, options.by.value_or(GroupBy::kFunction), options.sort.value_or(SortBy::kSelf)));
  if (options.table()) { WICK_OK(write_diff_table(options, diff, rows)); }
  return options.fail_above ? judge_regressions(rows, *options.fail_above) : 0;
}

Result<int> load_and_compare(const DiffArguments& options) {
  WICK_OK(check_diff_options(options));
  WICK_OK(check_output(options.output, input_files(options)));
  WICK_LET(bool is_joined, write_joined_files(options));
  if (is_joined) { return 0; }
  WICK_LET(DiffRequest request, understand(options));
  WICK_LET(Diff diff, load_diff(request));
  if (options.annotate) {
    WICK_OK(write_line_diff(options, request, diff));
    return 0;
  }
  Result<int> code = compare(options, diff);
  bool units_differ = !code.ok() && code.error().code() == Errc::kBadInput && !diff.has_one_unit();
  if (!units_differ) { return code; }
  return std::move(code).error().with_hint("wick diff --normalize " + shell_quote(diff.before_file) + " " +
                                           shell_quote(diff.after_file));
}

}  // namespace

Run add_diff_command(CLI::App& app) {
  auto options = std::make_shared<DiffArguments>();
  add_diff_options(app, *options);
  app.footer(
      "Without arguments, compares the two latest recordings: `wick record` keeps the previous one as profile.wick.old.\n"
      "Marked rows changed by more than 5% of their cost, and by more than sampling noise explains. Other rows are gray.\n"
      "Two profiles do not show how much the program itself varies between runs: see `wick record --iterations`.\n"
      "Compares costs as recorded for complete runs, and shares if the recordings have different lengths.\n\n"
      "Examples:\n"
      "  wick diff                                 show what changed since the previous recording\n"
      "  wick diff old.wick new.wick -o diff.svg   draw a flame graph: red grew, blue shrank\n"
      "  wick diff --annotate parse                compare the source lines of a function\n"
      "  wick diff perf.data.old perf.data --by module\n"
      "  wick diff main.wick --fail-above 2        fail if a function's share grew by more than 2 points");
  return [options] {
    Result<int> code = load_and_compare(*options);
    return code.ok() ? *code : give_up(code.error());
  };
}

}  // namespace wick
