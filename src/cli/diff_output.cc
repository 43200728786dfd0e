// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "analyze/format.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "cli/symbol_options.h"
#include "export/diff_json.h"
#include "import/import.h"
#include "term/diff_view.h"
#include "term/line_diff_view.h"
#include "view/annotated_diff.h"

namespace wick {
namespace {

// A reader that stops early (`| head`) must not suppress the verdict of --fail-above.
Status ignore_closed_pipe(Status written) { return !written.ok() && written.error().errnum() == EPIPE ? ok_status() : written; }

void print_warnings_of(const char* side, const View& view) {
  for (const std::string& warning : view.warnings()) {
    std::fprintf(stderr, "warning: %s: %s\n", side, printable(warning).c_str());
  }
}

Style style_of(const DiffArguments& o) {
  return is_stdout(o.output) ? detect_style(STDOUT_FILENO, o.color.value_or(ColorWhen::kAuto)) : Style{.unicode = true};
}

DiffColors colors_of(const DiffArguments& o) {
  DiffColors colors;
  if (o.hues == DifferenceHues::kBlueOrange) { colors.grew = Paint::kWarm; }
  return colors;
}

std::string render_lines(const DiffArguments& o, const Diff& diff, const AnnotatedDiff& shown) {
  Style style = style_of(o);
  DiffColors colors = colors_of(o);
  CostUnit unit = unit_of(shown.combined, EventId{1});
  DiffTable profiles = shown.whole;
  profiles.notes = shown.combine_notes;
  std::string text = render_diff_profiles(diff.before_side(), diff.after_side(), diff.before.filter, shown.combined, profiles,
                                          diff.comparison.why, style);
  text += "\n" + render_function_change(shown.function, shown.module, shown.whole, shown.self, shown.notes, unit, colors, style);
  return text + render_line_diff(shown.lines, unit, colors, style);
}

std::string render_diff(const DiffArguments& o, const Diff& diff, const ComparedRows& rows) {
  const auto& [combined, table] = rows;
  Style style = style_of(o);
  DiffColors colors = colors_of(o);
  size_t limit = o.limit.value_or(style.terminal ? kRowsOnATerminal : 0);
  std::string text =
      render_diff_heading(diff.before_side(), diff.after_side(), diff.before.filter, combined, table, diff.comparison.why, style);
  std::string lines = render_diff_table(combined, table, limit, colors, style);
  return lines.empty() ? text : text + "\n" + lines;
}

}  // namespace

Result<bool> write_joined_files(const DiffArguments& o) {
  const ProfileOptions& p = o.profile;
  bool selects = !p.event.empty() || !p.thread.empty() || !p.range.empty() || !p.focus.empty() || !p.ignore.empty();
  bool renames = p.names.value_or(NameStyle::kFull) == NameStyle::kShort;
  if (!o.folded || o.normalize || o.fail_above || selects || renames || o.after.empty()) { return false; }
  const Reader* reader = p.from.empty() ? nullptr : find_reader(p.from);
  if (!p.from.empty() && reader == nullptr) { return false; }
  std::string text;
  Status written = ok_status();
  auto sink = [&](std::string_view piece) {
    if (is_stdout(o.output)) {
      written = write_output(o.output, piece);
    } else {
      text += piece;
    }
    return written.ok();
  };
  if (!join_folded_files(o.before, o.after, reader, o.strip_hex, sink)) { return false; }
  if (!is_stdout(o.output)) { written = write_output(o.output, text); }
  WICK_OK(ignore_closed_pipe(std::move(written)));
  return true;
}

Status write_folded_or_picture(const DiffArguments& o, const Diff& diff) {
  WICK_LET(std::string text, o.folded ? fold_diff(diff) : draw_diff(diff, o.hues.value_or(DifferenceHues::kRedBlue)));
  if (!o.quiet) {
    print_warnings_of("before", diff.before);
    print_warnings_of("after", diff.after);
  }
  return ignore_closed_pipe(write_output(o.output, text));
}

Status write_line_diff(const DiffArguments& o, const DiffRequest& request, const Diff& diff) {
  WICK_LET(SourcePlaces source, find_source_places(o.source_dirs));
  WICK_LET(SourcePlaces before, find_source_places(o.before_source_dirs, "--source-dir-before"));
  source.root = request.view.sources.debug.symfs;
  AnnotatedDiffQuery query{.function = *o.annotate,
                           .context = o.context.value_or(AnnotatedDiffQuery{}.context),
                           .symbols = request.view.sources,
                           .source = std::move(source),
                           .before_dirs = std::move(before.directories)};
  WICK_LET(AnnotatedDiff shown, compare_lines(diff, query));
  return ignore_closed_pipe(write_output(o.output, o.json ? annotated_diff_json(diff, shown) : render_lines(o, diff, shown)));
}

Status write_diff_table(const DiffArguments& o, const Diff& diff, const ComparedRows& rows) {
  std::string text = o.json ? diff_json(diff.before_side(), diff.after_side(), rows.combined, rows.table, diff.comparison.why,
                                        o.limit.value_or(0))
                            : render_diff(o, diff, rows);
  return ignore_closed_pipe(write_output(o.output, text));
}

}  // namespace wick
