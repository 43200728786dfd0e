// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "base/text.h"
#include "cli/choice.h"
#include "cli/piped_input.h"
#include "cli/table_words.h"

namespace wick {
namespace {

constexpr char kOlderProfile[] = "profile.wick.old";  // `record` keeps the previous profile under this name

// Leaves the number of "5%" or "5"; returns the problem with it.
std::string strip_percent(std::string& given) {
  std::string_view number = given.ends_with('%') ? trim(std::string_view(given).substr(0, given.size() - 1)) : given;
  std::optional<double> percent = parse_double(number);
  bool good = percent && std::isfinite(*percent) && *percent >= 0 && *percent <= 100;
  if (!good) { return "must be between 0 and 100, not \"" + given + "\""; }
  given = std::string(number);
  return {};
}

}  // namespace

void add_diff_options(CLI::App& app, DiffArguments& o) {
  const Words<DifferenceHues> hues = {{"red-blue", DifferenceHues::kRedBlue}, {"blue-orange", DifferenceHues::kBlueOrange}};
  app.add_option("-o,--output", o.output,
                 "Write here; a name ending in .svg gets a flame graph of the difference [standard output]")
      ->type_name("FILE");
  app.add_flag("--folded", o.folded, "Print folded stacks with two counts: stack BEFORE AFTER");
  app.add_flag("--json", o.json, "Print JSON (docs/diff-json.md)");
  app.add_flag("-n,--normalize", o.normalize, "Compare shares: scale BEFORE to the total of AFTER");
  app.add_flag("--no-normalize", o.no_normalize, "Compare costs as recorded");
  app.add_flag("-s,--strip-hex", o.strip_hex, "Replace hexadecimal numbers in names with 0x...");
  app.add_option("--fail-above", o.fail_above,
                 "Exit with 1 if a share grew by more than PCT points, beyond noise; with 3 for too few samples")
      ->transform(CLI::Validator(strip_percent, ""))
      ->type_name("PCT");
  add_choice(app, "--by", o.by, group_words(), "Group rows by [function]");
  add_choice(app, "--sort", o.sort, sort_words(), "Sort rows by the change in, or by name [self]");
  app.add_option("--limit", o.limit, "Show at most N rows; 0 shows all [terminal: 20, else all]")
      ->check(check_number(0))
      ->type_name("N");
  app.add_option("--annotate", o.annotate, "Compare the source lines of this function: its name, or a unique part of it")
      ->type_name("FUNCTION");
  app.add_option("--context", o.context, "With --annotate: lines to show before and after those with cost [3]")
      ->check(check_number(0))
      ->type_name("N");
  add_source_dirs(app, o.source_dirs, "With --annotate: look for source files here first (repeatable)");
  app.add_option("--source-dir-before", o.before_source_dirs,
                 "With --annotate: look here for the source that BEFORE was built from (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false);
  add_choice(app, "--colors", o.hues, hues, "Colors for grew and shrank; blue-orange suits color-blind readers [red-blue]");
  add_choice(app, "--color", o.color, color_words(), "Use colors in the terminal [auto]");
  app.add_flag("-q,--quiet", o.quiet, "Print no warnings");
  app.add_flag("-v,--verbose", o.verbose, "Ignored")->group("");
  add_profile_options(app, o.profile);
  app.remove_option(app.get_option("FILE"));  // replaced by BEFORE and AFTER
  app.get_option("--from")->description("Format of both [detected]");
  app.add_option("BEFORE", o.before, "Profile to compare with, of wick or another tool [profile.wick.old]")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
  app.add_option("AFTER", o.after, "Profile to examine [profile.wick]")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
}

Status check_diff_options(const DiffArguments& o) {
  auto usage = [](const char* text) { return Error("%s", text).with_code(Errc::kUsage); };
  if (o.folded && o.json) { return usage("--folded and --json cannot be combined"); }
  if (o.normalize && o.no_normalize) { return usage("--normalize and --no-normalize cannot be combined"); }
  if (o.before == kStandardInput && o.after == kStandardInput) {
    return usage("only one profile can be read from standard input");
  }
  bool needs_annotate = o.context || !o.source_dirs.empty() || !o.before_source_dirs.empty();
  if (needs_annotate && !o.annotate) { return usage("--context, --source-dir and --source-dir-before need --annotate"); }
  if (o.annotate && (o.folded || o.picture())) { return usage("--annotate prints text or JSON"); }
  if (o.annotate && (o.by || o.sort || o.limit || o.fail_above)) {
    return usage("--annotate cannot be combined with --by, --sort, --limit and --fail-above");
  }
  const char* output = o.folded ? "--folded" : "a flame graph";
  if ((o.folded || o.picture()) && ((o.by && !o.fail_above) || o.sort || o.limit)) {
    return Error("--by, --sort and --limit are for tables, not for %s", output).with_code(Errc::kUsage);
  }
  return ok_status();
}

std::array<std::string, 2> input_files(const DiffArguments& o) {
  return {o.before.empty() ? kOlderProfile : o.before, o.after.empty() ? kDefaultProfile : o.after};
}

Result<DiffRequest> understand(const DiffArguments& o) {
  if (o.before.empty() && ::access(kOlderProfile, F_OK) != 0) {
    return Error("no previous recording to compare with (%s)", kOlderProfile)
        .with_code(Errc::kNotFound)
        .with_hint("wick diff BEFORE AFTER");
  }
  DiffRequest request;
  auto [before, after] = input_files(o);
  request.before = std::move(before);
  request.after = std::move(after);
  request.only_before_named = !o.before.empty() && o.after.empty();
  if (o.normalize) { request.comparison = {true, "--normalize was given"}; }
  if (o.no_normalize) { request.comparison = {false, "--no-normalize was given"}; }
  request.strip_hex = o.strip_hex;
  WICK_LET(request.view, understand(o.profile));
  return request;
}

}  // namespace wick
