// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/output_file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "export/formats.h"

namespace wick {
namespace {

struct ExportArguments {
  ProfileOptions profile;
  std::string format, output;
  bool quiet = false;
};

std::string format_names() {
  std::string names;
  for (const ExportFormat& format : export_formats()) { names += (names.empty() ? "" : ", ") + std::string(format.name); }
  return names;
}

Result<const ExportFormat*> choose_format(const ExportArguments& options) {
  if (options.format.empty()) {
    const ExportFormat* told = format_of_file_name(options.output);
    if (told != nullptr) { return told; }
    std::string why =
        options.output.empty() ? std::string() : ", and the name " + printable(options.output) + " does not tell one";
    return Error("no format is given%s (%s)", why.c_str(), format_names().c_str())
        .with_code(Errc::kUsage)
        .with_hint("wick export --format pprof");
  }
  const ExportFormat* format = find_export_format(options.format);
  if (format != nullptr) { return format; }
  std::vector<std::string> names;
  for (const ExportFormat& f : export_formats()) { names.emplace_back(f.name); }
  std::vector<std::string> near = nearest_words(options.format, names);
  return Error("--format: no format \"%s\" (%s)", printable(options.format).c_str(), format_names().c_str())
      .with_code(Errc::kUsage)
      .with_hint("wick export --format " + (near.empty() ? names[0] : near[0]));
}

// The events that are wanted: the chosen one, or all where the format has room for them.
Result<std::vector<Selection>> select_events(const View& view, const ExportFormat& format) {
  if (format.two_counts && view.profile.is_difference && view.profile.events.size() == 2 && view.filter.event.empty()) {
    WICK_LET(Selection before, select_samples(view.profile, view.filter, EventId{0}));
    WICK_LET(Selection after, select_samples(view.profile, view.filter, EventId{1}));
    return std::vector<Selection>{std::move(before), std::move(after)};
  }
  std::vector<Selection> out = {view.selection};
  if (!view.filter.event.empty() || !format.has_place_for(kCarriesEvents)) { return out; }
  for (uint32_t i = 0; i < view.profile.events.size(); ++i) {
    if (EventId{i} == view.selection.event) { continue; }
    WICK_LET(Selection other, select_samples(view.profile, view.filter, EventId{i}));
    if (!other.samples.empty()) { out.push_back(std::move(other)); }
  }
  return out;
}

Status write_export(const ExportFormat& format, const ExportView& view, const std::string& path, uint64_t& size) {
  Status status = ok_status();
  auto write_with = [&](const std::function<Status(Bytes)>& write) {
    format.write(view, [&](std::string_view piece) {
      status = write(as_bytes(piece));
      size += piece.size();
      return status.ok();
    });
  };
  if (path.empty() || path == "-") {
    write_with([](Bytes piece) { return write_all(STDOUT_FILENO, piece, "standard output"); });
    return status;
  }
  WICK_LET(OutputFile file, OutputFile::create(path));
  write_with([&](Bytes piece) { return file.write(piece); });
  return status.ok() ? file.commit() : status;
}

int run_export(const ExportArguments& options) {
  Result<const ExportFormat*> chosen = choose_format(options);
  if (!chosen.ok()) { return fail(chosen.error(), exit_code(chosen.error())); }
  const ExportFormat& format = **chosen;
  bool merge = options.profile.range.empty() && format.adds_up;
  Result<View> view = load_view(options.profile, "export", {.merge = merge});
  if (!view.ok()) { return fail(view.error(), exit_code(view.error())); }
  if (!options.quiet) { print_warnings(view->profile); }
  Result<std::vector<Selection>> selections = select_events(*view, format);
  if (!selections.ok()) { return fail(for_file(selections.error(), options.profile), exit_code(selections.error())); }
  ExportView exported{view->profile, view->filter, *std::move(selections)};
  Status fits = check_export_size(format, exported);
  if (!fits.ok()) { return fail(for_file(fits.error(), options.profile), exit_code(fits.error())); }
  std::string path = options.output;
  if (path.empty() && ::isatty(STDOUT_FILENO)) { path = "profile" + std::string(format.extension); }
  uint64_t size = 0;
  Status written = write_export(format, exported, path, size);
  if (!written.ok()) { return finish_output(written); }
  if (!options.quiet) {
    for (const std::string& remark : export_remarks(format, exported)) { std::fprintf(stderr, "wick: %s\n", remark.c_str()); }
  }
  if (exported.count() == 0) { std::fprintf(stderr, "wick: no samples are selected: the profile is empty\n"); }
  if (!path.empty() && path != "-" && options.output.empty()) {
    std::fprintf(stderr, "wrote %s (%s)\n", path.c_str(), human_bytes(size).c_str());
  }
  return 0;
}

}  // namespace

Run add_export_command(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  app.add_option("--format", options->format, "what to write (default: as the name of the output tells)")->type_name("FORMAT");
  app.add_option("-o,--output", options->output,
                 "write here (default: standard output, or profile.EXTENSION when that is a terminal)")
      ->type_name("FILE");
  app.add_flag("-q,--quiet", options->quiet, "print no warnings, and not what the format has no place for");
  add_profile_options(app, options->profile);
  std::string footer = "Formats:\n";
  for (const ExportFormat& f : export_formats()) {
    std::string name(f.name), end(f.extension);
    footer +=
        "  " + name + std::string(14 - name.size(), ' ') + end + std::string(18 - end.size(), ' ') + std::string(f.what) + "\n";
  }
  app.footer(footer +
             "\nExamples:\n"
             "  wick export -o profile.pb.gz && go tool pprof -top profile.pb.gz\n"
             "  wick export --format firefox -o app.json.gz    open it at profiler.firefox.com\n"
             "  wick export perf.data -o perf.speedscope.json\n"
             "  wick export --thread worker --format callgrind -o callgrind.out.1 && kcachegrind callgrind.out.1");
  return [options] { return run_export(*options); };
}

}  // namespace wick
