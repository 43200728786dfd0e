// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/compared_files.h"
#include "cli/export_format.h"
#include "cli/export_run.h"
#include "cli/output.h"

namespace wick {

Run add_export_command(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  app.add_option("--format", options->format, "Output format [by the extension of the output]")->type_name("FORMAT");
  app.add_option("-o,--output", options->output, "Write here [standard output; on a terminal profile.EXTENSION]")
      ->type_name("FILE");
  app.add_flag("--no-source", options->no_source, "html: leave out source and assembly of the hottest functions");
  add_source_dirs(app, options->source_dirs, "html: look for source files here first (repeatable)");
  app.add_flag("-q,--quiet", options->quiet, "Print no warnings");
  add_profile_options(app, options->profile);
  add_second_file(app, options->after, "html: profile to compare with: FILE is before, FILE2 after");
  app.footer(describe_formats() +
             "\nExamples:\n"
             "  wick export -o profile.pb.gz && go tool pprof -top profile.pb.gz\n"
             "  wick export -o profile.html                    a page to send to others\n"
             "  wick export old.wick new.wick -o diff.html     the same, with a comparison\n"
             "  wick export --format firefox -o app.json.gz    open it at profiler.firefox.com\n"
             "  wick export perf.data -o perf.speedscope.json\n"
             "  wick export --thread worker --format callgrind -o callgrind.out.1 && kcachegrind callgrind.out.1");
  return [options] { return finish_output(run_export(*options)); };
}

}  // namespace wick
