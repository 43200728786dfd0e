// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// wick symbolize: adds symbols to a recording that lacks some: made with --no-symbols, by a killed recorder, or without debug
// files. Writes a new file and renames it.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "capture/replace_symbols.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/replace_recording.h"
#include "cli/symbol_options.h"
#include "cli/symbolize_summary.h"
#include "pipeline/load.h"
#include "pipeline/symbolize_capture.h"

namespace wick {
namespace {

struct SymbolizeArguments {
  std::string file = "profile.wick", output;
  SymbolSourceOptions symbols;
  bool quiet = false;
};

Status symbolize(const SymbolizeArguments& options) {
  WICK_LET(LoadedCapture loaded, load_capture(options.file));
  WICK_LET(SymbolSources sources, find_symbol_sources(options.symbols, Fetching::kMay, options.quiet));
  SymbolizedCapture named = symbolize_capture(loaded.capture, sources);
  Result<std::vector<uint8_t>> bytes = capture::replace_symbols(loaded.contents.bytes, loaded.capture, named.symbols);
  if (!bytes.ok()) { return std::move(bytes).error().context("cannot read " + options.file); }
  WICK_OK(replace_recording(options.file, loaded.id, options.output, *bytes));
  const std::string& path = options.output.empty() ? options.file : options.output;
  if (!options.quiet) { print_symbolize_summary(named, loaded.capture, options.file, path, bytes->size()); }
  return ok_status();
}

}  // namespace

Run add_symbolize_command(CLI::App& app) {
  auto options = std::make_shared<SymbolizeArguments>();
  app.add_option("FILE", options->file, "Recording [profile.wick]")->type_name("");
  app.add_option("-o,--output", options->output, "Write here instead of in place")->type_name("FILE");
  app.add_flag("-q,--quiet", options->quiet, "Print only errors");
  add_symbol_options(app, options->symbols, Fetching::kMay);
  app.footer(
      "Looks up the symbols of every file that is found with the recorded build ID, even if the recording has some. Keeps\n"
      "all other symbols.\n\n"
      "Examples:\n"
      "  wick record --no-symbols -- ./app && wick symbolize\n"
      "  wick symbolize --debug-dir ./debug server.wick -o named.wick");
  return [options] { return finish_output(symbolize(*options)); };
}

}  // namespace wick
