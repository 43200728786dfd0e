// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/command.h"
#include "cli/export_format.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/profile_options.h"
#include "view/exported.h"

namespace wick {
namespace {

struct ExportArguments {
  ProfileOptions profile;
  std::string format, output;
  bool quiet = false;
};

Status export_profile(const ExportArguments& options) {
  WICK_LET(const ExportFormat* format, choose_format(options.format, options.output));
  WICK_LET(ViewRequest request, understand(options.profile, "export"));
  bool names_file = options.output.empty() && ::isatty(STDOUT_FILENO);
  std::string path = names_file ? "profile" + std::string(format->extension) : options.output;
  WICK_OK(check_output(path, request.files));
  WICK_LET(View view, load_exported(request, *format));
  if (!options.quiet) { print_warnings(view); }
  Result<ExportView> exported = choose_exported(view, *format);
  if (!exported.ok()) { return for_file(std::move(exported).error(), request); }
  WICK_LET(uint64_t size_bytes, write_pieces(path, [&](const Sink& sink) { format->write(*exported, sink); }));
  if (!options.quiet) {
    for (const std::string& remark : export_remarks(*format, *exported)) { print_once("wick: " + remark); }
    if (!format->has_place_for(kCarriesEvents)) { print_event_choice(view, std::vector{exported->first().event}); }
  }
  if (exported->count() == 0) { std::fprintf(stderr, "wick: no samples selected; the output is empty\n"); }
  if (names_file) { std::fprintf(stderr, "wrote %s (%s)\n", path.c_str(), human_bytes(size_bytes).c_str()); }
  return ok_status();
}

}  // namespace

Run add_export_command(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  app.add_option("--format", options->format, "Output format [by the extension of the output]")->type_name("FORMAT");
  app.add_option("-o,--output", options->output, "Write here [standard output; on a terminal profile.EXTENSION]")
      ->type_name("FILE");
  app.add_flag("-q,--quiet", options->quiet, "Print no warnings");
  add_profile_options(app, options->profile);
  app.footer(describe_formats() +
             "\nExamples:\n"
             "  wick export -o profile.pb.gz && go tool pprof -top profile.pb.gz\n"
             "  wick export --format firefox -o app.json.gz    open it at profiler.firefox.com\n"
             "  wick export perf.data -o perf.speedscope.json\n"
             "  wick export --thread worker --format callgrind -o callgrind.out.1 && kcachegrind callgrind.out.1");
  return [options] { return finish_output(export_profile(*options)); };
}

}  // namespace wick
