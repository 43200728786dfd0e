// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "analyze/diff_table.h"
#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "export/diff_folded.h"
#include "export/diff_json.h"
#include "export/flamegraph.h"
#include "import/import.h"
#include "pipeline/load.h"
#include "pipeline/load_folded.h"
#include "term/diff_view.h"

namespace wick {
namespace {

constexpr size_t kRegressionsNamed = 5;
constexpr char kOlderProfile[] = "profile.wick.old";  // what `record` keeps of the profile before

enum class Colours : uint8_t { kRedBlue, kBlueOrange };

struct DiffArguments {
  ProfileOptions profile;
  std::string before, after, output;
  bool folded = false, json = false, strip_hex = false, normalize = false, no_normalize = false, quiet = false, verbose = false;
  std::optional<GroupBy> by;
  std::optional<SortBy> sort;
  std::optional<size_t> limit;  // absent: what fits
  std::optional<ColorWhen> color;
  std::optional<Colours> colours;
  std::optional<double> fail_above;

  bool picture() const { return !folded && !json && output.ends_with(".svg"); }
  bool says_how() const { return normalize || no_normalize; }
};

// Both sides as they were loaded, and how they are compared.
struct Pair {
  DiffSide before, after;
  const Filter& filter;
  Comparison comparison;
};

// Two profiles, or one file that holds both.
struct Loaded {
  View before, after;
  bool in_one = false;  // `before` is both
  Selection after_in_one;

  DiffSide before_side(const std::string& name) const { return {name, before.profile, before.selection}; }
  DiffSide after_side(const std::string& name) const {
    return in_one ? DiffSide{name, before.profile, after_in_one} : DiffSide{name, after.profile, after.selection};
  }
};

Status check_diff_options(const DiffArguments& o) {
  auto usage = [](const char* text) { return Error("%s", text).with_code(Errc::kUsage); };
  if (o.folded && o.json) { return usage("--folded and --json are two outputs: choose one"); }
  if (o.normalize && o.no_normalize) { return usage("--normalize and --no-normalize exclude each other"); }
  if (o.before == kStandardInput && o.after == kStandardInput) { return usage("only one of the two can be standard input"); }
  const char* output = o.folded ? "--folded" : "a picture";
  if ((o.folded || o.picture()) && ((o.by && !o.fail_above) || o.sort || o.limit)) {
    return Error("--by, --sort and --limit are for tables, not for %s", output).with_code(Errc::kUsage);
  }
  return ok_status();
}

Result<Loaded> load_both(DiffArguments& o) {
  // Without names: the two latest recordings. One name: that one and the latest.
  bool one = !o.before.empty() && o.after.empty();
  if (o.before.empty()) {
    o.before = kOlderProfile;
    if (::access(kOlderProfile, F_OK) != 0) {
      return Error("there is no %s to compare with: `wick record` keeps the profile before as that", kOlderProfile)
          .with_code(Errc::kNotFound)
          .with_hint("wick diff BEFORE AFTER");
    }
  }
  if (o.after.empty()) { o.after = kDefaultProfile; }
  // Times are needed to select by them, and to see whether the recordings were of different lengths.
  ImportOptions import{.merge = o.profile.range.empty() && o.says_how()};
  auto load = [&](const std::string& file) {
    ProfileOptions options = o.profile;
    options.file = file;
    options.one_of_several = true;
    return load_view(options, "diff", import);
  };
  Loaded loaded;
  WICK_LET(loaded.before, load(o.before));
  if (one && loaded.before.profile.is_difference) {
    loaded.in_one = true;
    o.after = o.before;
    Filter filter = loaded.before.filter;
    filter.event = "before";
    WICK_LET(loaded.before.selection, select_samples(loaded.before.profile, filter));
    filter.event = "after";
    WICK_LET(loaded.after_in_one, select_samples(loaded.before.profile, filter));
    return loaded;
  }
  WICK_LET(loaded.after, load(o.after));
  return loaded;
}

Comparison choose(const DiffArguments& o, const DiffSide& before, const DiffSide& after) {
  if (o.normalize) { return {true, "--normalize was given"}; }
  if (o.no_normalize) { return {false, "--no-normalize was given"}; }
  return choose_comparison(before, after);
}

std::string unit_name(const DiffSide& side) { return std::string(unit_of(side.profile, side.selection.event).name); }

Result<Profile> combine(const Pair& pair, const CombineOptions& options) {
  return combine_profiles(pair.before.profile, pair.before.selection, pair.after.profile, pair.after.selection, options);
}

Result<std::string> folded_text(const DiffArguments& o, const Pair& pair) {
  WICK_LET(Profile combined, combine(pair, {.normalize = pair.comparison.normalized, .strip_hex = o.strip_hex, .flat = true}));
  WICK_LET(Sides sides, select_sides(combined));
  // Recordings of ours count samples, as `wick collapse` does; where the two would not count alike, costs.
  auto event = [](const DiffSide& side) { return side.selection.event.valid() ? side.profile[side.selection.event] : Event{}; };
  bool ours = pair.before.profile.imported_from.empty() && pair.after.profile.imported_from.empty();
  DiffFoldedOptions options;
  options.samples = ours && event(pair.before).rate_hz == event(pair.after).rate_hz;
  if (pair.comparison.normalized) { options.decimals = 2; }
  bool scaled = pair.comparison.normalized && sides.before.count > 0 && sides.after.count > 0;
  if (scaled) { options.scale_before = static_cast<double>(sides.after.count) / static_cast<double>(sides.before.count); }
  std::string text;
  write_diff_folded(combined, sides, options, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

Result<std::string> picture(const DiffArguments& o, const Pair& pair) {
  std::vector<std::string> notes;
  CombineOptions how{.normalize = pair.comparison.normalized, .strip_hex = o.strip_hex, .notes = &notes};
  WICK_LET(Profile combined, combine(pair, how));
  WICK_LET(Sides sides, select_sides(combined));
  FlamegraphOptions options;
  options.changes = pair.comparison.normalized ? BoxChanges::kShares : BoxChanges::kCosts;
  for (const std::string& note : notes) { options.notes += (options.notes.empty() ? "" : "; ") + note; }
  options.title = pair.before.file + " -> " + pair.after.file;
  if (!pair.filter.everything()) { options.title += " (" + describe_filter(pair.filter) + ")"; }
  if (o.colours == Colours::kBlueOrange) { options.hues = DifferenceHues::kBlueOrange; }
  return flamegraph_svg(combined, sides.both, {}, options);  // what the filter left is all there is
}

// What --fail-above finds goes to standard error, so that the output stays what it is.
int report_regressions(const Profile& combined, const DiffTable& table, double allowed_percent) {
  std::vector<Regression> found = find_regressions(table, allowed_percent / 100);
  if (found.empty()) { return 0; }
  for (const std::string& warning : table.warnings) { std::fprintf(stderr, "warning: %s\n", warning.c_str()); }
  for (size_t i = 0; i < std::min(found.size(), kRegressionsNamed); ++i) {
    std::fprintf(stderr, "wick: %s\n", describe_regression(combined, table, found[i]).c_str());
  }
  if (found.size() > kRegressionsNamed) { std::fprintf(stderr, "wick: and %zu more\n", found.size() - kRegressionsNamed); }
  std::fprintf(stderr, "wick: grew by more than --fail-above %g allows\n", allowed_percent);
  return 1;
}

std::string render(const DiffArguments& o, const Pair& pair, const Profile& combined, const DiffTable& table) {
  bool to_stdout = o.output.empty() || o.output == "-";
  Style style = to_stdout ? detect_style(STDOUT_FILENO, o.color.value_or(ColorWhen::kAuto)) : Style{.unicode = true};
  DiffColours colours;
  if (o.colours == Colours::kBlueOrange) { colours.grew = Paint::kWarm; }
  std::string text = render_diff_heading(pair.before, pair.after, pair.filter, combined, table, pair.comparison.why, style);
  std::string rows = render_diff_table(combined, table, o.limit.value_or(style.terminal ? kRowsOnATerminal : 0), colours, style);
  return rows.empty() ? text : text + "\n" + rows;
}

// A reader that has seen enough (`| head`) does not keep --fail-above from being answered.
Status write_text(const DiffArguments& o, std::string_view text) {
  Status written = write_output(o.output, text);
  return !written.ok() && written.error().errnum() == EPIPE ? ok_status() : written;
}

// Text for other programs, or a picture: both need no table.
Status write_other(const DiffArguments& o, const Pair& pair) {
  WICK_LET(std::string text, o.folded ? folded_text(o, pair) : picture(o, pair));
  if (o.quiet) { return write_text(o, text); }
  for (const auto& [name, side] : {std::pair("before", &pair.before), std::pair("after", &pair.after)}) {
    for (const std::string& warning : side->profile.warnings) {
      std::fprintf(stderr, "warning: %s: %s\n", name, printable(warning).c_str());
    }
  }
  return write_text(o, text);
}

// Two files of folded stacks need not be taken apart to be joined. False: this is not all that is asked for, or they are not.
Result<bool> join_folded(const DiffArguments& o) {
  const ProfileOptions& p = o.profile;
  bool selects = !p.event.empty() || !p.thread.empty() || !p.range.empty() || !p.focus.empty() || !p.ignore.empty();
  bool renames = p.names.value_or(NameStyle::kFull) == NameStyle::kShort;
  if (!o.folded || o.normalize || o.fail_above || selects || renames || o.after.empty()) { return false; }
  const Reader* reader = p.from.empty() ? nullptr : find_reader(p.from);
  if (!p.from.empty() && reader == nullptr) { return false; }
  std::optional<LoadedFolded> before = find_folded_text(o.before, reader);
  std::optional<LoadedFolded> after = before ? find_folded_text(o.after, reader) : std::nullopt;
  if (!after || before->text.divisor != after->text.divisor) { return false; }
  if (!before->text.warnings.empty() || !after->text.warnings.empty()) { return false; }
  std::string text;
  Status written = ok_status();
  bool to_stdout = o.output.empty() || o.output == "-";
  auto sink = [&](std::string_view piece) {
    if (to_stdout) {
      written = write_output(o.output, piece);
    } else {
      text += piece;
    }
    return written.ok();
  };
  if (!write_diff_folded(before->text.rows, after->text.rows, before->text.divisor, o.strip_hex, sink)) { return false; }
  if (!to_stdout) { written = write_output(o.output, text); }
  if (!written.ok() && written.error().errnum() != EPIPE) { return std::move(written).error(); }
  return true;
}

Result<int> compare(const DiffArguments& o, const Pair& pair) {
  bool other = o.folded || o.picture();
  if (other) { WICK_OK(write_other(o, pair)); }
  if (other && !o.fail_above) { return 0; }
  // Where the units differ only shares can be compared, and `before` has to be scaled for its costs to mean anything.
  bool scaled = pair.comparison.normalized && unit_name(pair.before) != unit_name(pair.after);
  std::vector<std::string> notes;
  WICK_LET(Profile combined, combine(pair, {.normalize = scaled, .strip_hex = o.strip_hex, .notes = &notes}));
  WICK_LET(Sides sides, select_sides(combined));
  DiffTable table = compute_diff(combined, sides, pair.comparison.normalized, o.by.value_or(GroupBy::kFunction),
                                 o.sort.value_or(SortBy::kSelf));
  table.notes = std::move(notes);
  if (!other) {
    WICK_OK(write_text(o, o.json ? diff_json(pair.before, pair.after, combined, table, pair.comparison.why, o.limit.value_or(0))
                                 : render(o, pair, combined, table)));
  }
  return o.fail_above ? report_regressions(combined, table, *o.fail_above) : 0;
}

int run_diff(DiffArguments o) {
  if (Status status = check_diff_options(o); !status.ok()) { return fail(status.error(), 2); }
  if (Result<bool> joined = join_folded(o); !joined.ok() || *joined) { return joined.ok() ? 0 : fail(joined.error()); }
  Result<Loaded> loaded = load_both(o);
  if (!loaded.ok()) { return fail(loaded.error(), exit_code(loaded.error())); }
  DiffSide before = loaded->before_side(o.before), after = loaded->after_side(o.after);
  Pair pair{before, after, loaded->before.filter, choose(o, before, after)};
  Result<int> code = compare(o, pair);
  if (code.ok()) { return *code; }
  Error error = std::move(code).error();
  bool units = error.code() == Errc::kBadInput && unit_name(before) != unit_name(after);
  if (units) {
    error = std::move(error).with_hint("wick diff --normalize " + shell_quote(o.before) + " " + shell_quote(o.after));
  }
  return fail(error, exit_code(error));
}

}  // namespace

Run add_diff_command(CLI::App& app) {
  auto options = std::make_shared<DiffArguments>();
  const Words<GroupBy> groups = {{"function", GroupBy::kFunction}, {"module", GroupBy::kModule}, {"file", GroupBy::kFile},
                                 {"line", GroupBy::kLine},         {"thread", GroupBy::kThread}, {"process", GroupBy::kProcess}};
  const Words<SortBy> orders = {{"self", SortBy::kSelf}, {"total", SortBy::kTotal}, {"name", SortBy::kName}};
  const Words<ColorWhen> colors = {{"auto", ColorWhen::kAuto}, {"always", ColorWhen::kAlways}, {"never", ColorWhen::kNever}};
  const Words<Colours> palettes = {{"red-blue", Colours::kRedBlue}, {"blue-orange", Colours::kBlueOrange}};

  app.add_option("-o,--output", options->output,
                 "write here; what ends in .svg is the flame graph of the difference (default: standard output)")
      ->type_name("FILE");
  app.add_flag("--folded", options->folded, "print folded stacks with two counts: stack BEFORE AFTER");
  app.add_flag("--json", options->json, "print JSON (docs/diff-json.md)");
  app.add_flag("-n,--normalize", options->normalize, "compare shares: scale BEFORE to the total of AFTER");
  app.add_flag("--no-normalize", options->no_normalize, "compare costs as they were recorded");
  app.add_flag("-s,--strip-hex", options->strip_hex, "replace hexadecimal numbers in names by 0x...");
  app.add_option("--fail-above", options->fail_above,
                 "exit with 1 when the share of a row grew by more than so many percentage points, beyond noise")
      ->check([](const std::string& given) {
        std::optional<double> percent = parse_double(given);
        bool good = percent && std::isfinite(*percent) && *percent >= 0 && *percent <= 100;
        return good ? std::string() : "\"" + given + "\" is not between 0 and 100";
      })
      ->type_name("PCT");
  add_choice(app, "--by", options->by, groups, "what the rows are (default: function)");
  add_choice(app, "--sort", options->sort, orders, "by the size of which change, or by name (default: self)");
  app.add_option("--limit", options->limit, "so many rows; 0: all (default: 20 on a terminal, else all)")
      ->check(
          [](const std::string& given) { return parse_u64(given) ? std::string() : "\"" + given + "\" is no number of rows"; })
      ->type_name("N");
  add_choice(app, "--colors", options->colours, palettes,
             "grew and shrank; the second is for colour-blind readers (default: red-blue)");
  add_choice(app, "--color", options->color, colors, "whether to use colours in the terminal (default: auto)");
  app.add_flag("-q,--quiet", options->quiet, "print no warnings with --folded and pictures");
  app.add_flag("-v,--verbose", options->verbose, "nothing more is told")->group("");
  add_profile_options(app, options->profile);
  app.remove_option(app.get_option("FILE"));  // there are two
  app.get_option("--from")->description("the format of both (default: by their content)");
  app.add_option("BEFORE", options->before, "the profile to compare with, of wick or another tool (default: profile.wick.old)")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
  app.add_option("AFTER", options->after, "the profile that is looked at (default: profile.wick)")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
  app.footer(
      "Without names the two latest recordings are compared: `wick record` keeps the one before as profile.wick.old.\n"
      "A row is marked when noise would make such a change in fewer than 1 of 100 comparisons of equal programs, however\n"
      "many rows there are, and when it is more than 5 % of the row's cost: two runs differ by that much. Others are grey.\n"
      "Costs are compared as recorded where both are whole runs, and shares where the recordings have different lengths.\n\n"
      "Examples:\n"
      "  wick diff                                 what changed since the recording before\n"
      "  wick diff old.wick new.wick -o diff.svg   a picture: red grew, blue shrank\n"
      "  wick diff perf.data.old perf.data --by module\n"
      "  wick diff main.wick --fail-above 2        fails when a function's share is over 2 points higher");
  return [options] { return run_diff(*options); };
}

}  // namespace wick
