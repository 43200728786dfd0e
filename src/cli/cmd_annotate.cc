// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/choice.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/pager.h"
#include "cli/profile_options.h"
#include "cli/table_words.h"
#include "term/code_view.h"
#include "term/report_view.h"
#include "view/annotated.h"
#include "view/viewer_code.h"

namespace wick {
namespace {

enum class CodeGroup { kLine, kInlined };

struct AnnotateArguments {
  ProfileOptions profile;
  std::string function;
  std::vector<std::string> source_dirs;
  bool source = false, assembly = false, json = false, no_pager = false;
  size_t context = 3;
  std::optional<ColorWhen> color;
  std::optional<CodeGroup> by;
};

std::string render_annotated(const Annotated& shown, const AnnotateArguments& options, const Style& style) {
  const Profile& profile = *shown.view.profile;
  const Cost all{shown.view.selection.weight, shown.view.selection.count};
  std::string out = render_heading(profile, shown.view.selection, shown.view.filter, style);
  out += "\n" + render_function_line(shown.code, shown.costs, all, style);
  if (options.by == CodeGroup::kInlined) { return out + render_parts(shown.parts, all, style); }
  std::vector<CodeRow> rows = compute_code_rows(shown.code);
  CodeViewOptions view{!options.assembly, !options.source, options.context, shown.skid};
  return out + render_code(shown.code, rows, compute_row_costs(profile, shown.code, rows, shown.costs), all, view, style);
}

// The only argument may be the file.
void understand_arguments(AnnotateArguments& options) {
  struct stat info{};
  bool is_file = options.profile.file.empty() && !options.function.empty() && ::stat(options.function.c_str(), &info) == 0;
  if (is_file) { options.profile.file = std::exchange(options.function, ""); }
}

Status print_annotated(AnnotateArguments options) {
  understand_arguments(options);
  if (options.source && options.assembly) { return Error("--source and --asm cannot be combined").with_code(Errc::kUsage); }
  if (options.by == CodeGroup::kInlined && options.assembly) {
    return Error("--by inlined shows source lines, not instructions: it cannot be combined with --asm").with_code(Errc::kUsage);
  }
  WICK_LET(ViewRequest request, understand(options.profile, "annotate"));
  WICK_LET(SourcePlaces source, find_source_places(options.source_dirs));
  AnnotateQuery query{.function = options.function, .code = code_options(request, std::move(source))};
  WICK_LET(query.code.fetch, find_source_fetching(options.profile.symbols));
  WICK_LET(Annotated shown, load_annotated(std::move(request), std::move(query)));
  if (options.json) { return write_output("", annotated_json(shown)); }
  Style style = detect_style(STDOUT_FILENO, options.color.value_or(ColorWhen::kAuto));
  return write_paged(render_annotated(shown, options, style), options.no_pager ? Paging::kNever : Paging::kAuto);
}

}  // namespace

Run add_annotate_command(CLI::App& app) {
  auto options = std::make_shared<AnnotateArguments>();
  app.add_option("FUNCTION", options->function, "Function to show: its name, or a unique part of it [the hottest]")
      ->type_name("");
  app.add_flag("--source", options->source, "Show source lines only");
  app.add_flag("--asm", options->assembly, "Show instructions by address, with jumps");
  const Words<CodeGroup> groups = {{"line", CodeGroup::kLine}, {"inlined", CodeGroup::kInlined}};
  add_choice(app, "--by", options->by, groups,
             "Order by line, or divide the cost among the function and what is inlined into it [line]");
  app.add_option("--context", options->context, "Lines to show before and after those with cost [3]")
      ->check(check_number(0))
      ->type_name("N");
  add_source_dirs(app, options->source_dirs, "Look for source files here first (repeatable)");
  app.add_flag("--json", options->json, "Print JSON (docs/annotate-json.md)");
  add_choice(app, "--color", options->color, color_words(), "Use colors [auto]");
  app.add_flag("--no-pager", options->no_pager, "Do not show long output in a pager ($PAGER, else less)");
  add_profile_options(app, options->profile);
  add_fetch_options(app, options->profile.symbols);
  app.footer(
      "Examples:\n"
      "  wick annotate                     show the code of the hottest function of profile.wick\n"
      "  wick annotate parse_line          show the lines and instructions of a function\n"
      "  wick annotate --asm parse_line    show its instructions in the order of their addresses");
  return [options] { return finish_output(print_annotated(*options)); };
}

}  // namespace wick
