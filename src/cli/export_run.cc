// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/export_run.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/compared_files.h"
#include "cli/export_format.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "view/exported.h"
#include "view/viewer.h"
#include "view/viewer_code.h"

namespace wick {
namespace {

// Where to write. Without -o, on a terminal, a file.
struct Destination {
  std::string path;
  bool is_chosen = false;  // by wick
};
Destination choose_path(const ExportArguments& options, const ExportFormat& format) {
  if (!options.output.empty() || !::isatty(STDOUT_FILENO)) { return {options.output}; }
  return {"profile" + std::string(format.extension), true};
}

Status write_export(const Destination& to, const ExportFormat& format, const ExportView& exported) {
  WICK_LET(uint64_t size_bytes, write_pieces(to.path, [&](const Sink& sink) { format.write(exported, sink); }));
  if (exported.count() == 0) { std::fprintf(stderr, "wick: no samples selected; the output is empty\n"); }
  if (to.is_chosen) { std::fprintf(stderr, "wrote %s (%s)\n", printable(to.path).c_str(), human_bytes(size_bytes).c_str()); }
  return ok_status();
}

Status export_comparison(const ExportArguments& options) {
  WICK_LET(const ExportFormat* format, choose_format(options.format, options.output));
  if (format->name != "html") {
    return Error("%s cannot store a comparison of two profiles, only html can", std::string(format->name).c_str())
        .with_code(Errc::kUsage)
        .with_hint("wick export --format html " + shell_quote(options.profile.file) + " " + shell_quote(options.after));
  }
  WICK_LET(SourcePlaces source, find_source_places(options.source_dirs));
  WICK_LET(DiffRequest request, understand_comparison(options.profile, options.after));
  Destination to = choose_path(options, *format);
  WICK_OK(check_output(to.path, std::vector{request.before, request.after}));
  WICK_LET(ViewerComparison comparison, load_comparison(request, source));
  if (!options.quiet) { print_warnings(comparison.view); }
  WICK_LET(ExportView exported, choose_exported(comparison.view, *format));
  exported.files = comparison.notes.files;
  exported.sides = comparison.notes.sides;
  exported.notes = comparison.notes.notes;
  exported.own_names = comparison.notes.own_names;
  if (!options.no_source) {
    exported.code = [&](FunctionId function) { return comparison.code->json(function.value); };
  }
  return write_export(to, *format, exported);
}

Status export_profile(const ExportArguments& options) {
  WICK_LET(ViewRequest request, understand(options.profile, "export"));
  Result<const ExportFormat*> chosen = choose_format(options.format, options.output);
  if (!chosen.ok()) { return for_file(std::move(chosen).error(), request); }
  const ExportFormat* format = *chosen;
  WICK_LET(SourcePlaces source, find_source_places(options.source_dirs));
  Destination to = choose_path(options, *format);
  WICK_OK(check_output(to.path, request.files));
  WICK_LET(View view, load_exported(request, *format));
  if (!options.quiet) { print_warnings(view); }
  Result<ExportView> exported = choose_exported(view, *format);
  if (!exported.ok()) { return for_file(std::move(exported).error(), request); }
  exported->files = request.files;
  std::optional<CodeReader> code;
  if (format->name == "html" && !options.no_source && !view.profile->is_difference()) {
    CodeOptions how = code_options(request, std::move(source));
    how.has_linked_addresses = has_linked_addresses(*view.profile);
    code.emplace(*view.profile, std::move(how));
    exported->code = [&](FunctionId function) { return code_json(read_page_code(*code, function)); };
  }
  WICK_OK(write_export(to, *format, *exported));
  if (!options.quiet) {
    for (const std::string& remark : export_remarks(*format, *exported)) { print_once("wick: " + remark); }
    if (!format->has_place_for(kCarriesEvents)) { print_event_choice(view, std::vector{exported->first().event}); }
  }
  return ok_status();
}

}  // namespace

Status run_export(const ExportArguments& options) {
  return options.after.empty() ? export_profile(options) : export_comparison(options);
}

}  // namespace wick
