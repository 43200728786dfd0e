// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Same options and output as binutils' addr2line, so that scripts only change the program name.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

#include "cli/address_answers.h"
#include "cli/command.h"
#include "cli/conversation.h"
#include "cli/output.h"
#include "cli/program_symbols.h"
#include "cli/symbol_options.h"

namespace wick {
namespace {

struct Addr2lineArguments : AnswerOptions {
  std::string executable = "a.out", section, target, style;
  bool limit = false;
  std::vector<std::string> given;
  SymbolSourceOptions symbols;
};

Status answer_addresses(Addr2lineArguments& options) {
  WICK_LET(SymbolSources sources, find_symbol_sources(options.symbols, Fetching::kNever));
  WICK_LET(ProgramSymbols program, load_program_symbols(options.executable, options.section, sources));
  options.image = &*program.module->image;
  std::vector<AnswerWriter> writers;
  writers.emplace_back(options, *program.symbols, program.base);
  if (!options.given.empty()) {
    Answer answer;
    std::string lines;
    for (const std::string& address : options.given) { lines.append(address).push_back('\n'); }
    writers[0].prepare(lines);
    for (const std::string& address : options.given) { writers[0].append(address, answer); }
    return write_answers(STDOUT_FILENO, std::move(answer));
  }
  while (writers.size() < std::min(std::thread::hardware_concurrency(), 8u)) {
    writers.emplace_back(options, *program.symbols, program.base);
  }
  return converse(writers, STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace

Run add_addr2line_command(CLI::App& app) {
  auto options = std::make_shared<Addr2lineArguments>();
  // As in binutils, the last value wins: scripts append theirs to a default.
  app.add_option("-e,--exe", options->executable, "Program or library [a.out]")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("-f,--functions", options->functions, "Print function names");
  app.add_flag("-i,--inlines", options->inlines, "Print the callers of inlined functions");
  app.add_flag("-C,--demangle{auto}", options->style, "Demangle; the scheme is detected (--demangle=STYLE is accepted)");
  app.add_flag("-a,--addresses", options->addresses, "Print the address");
  app.add_flag("-p,--pretty-print", options->pretty, "Print one line per function");
  app.add_flag("-s,--basenames", options->basenames, "Print file names without directories");
  app.add_option("-j,--section", options->section, "Read addresses as offsets into this section")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("-b,--target", options->target, "Ignored, for compatibility")->type_name("FORMAT");
  app.add_flag("-r,--recurse-limit,-R,--no-recurse-limit", options->limit, "Ignored, for compatibility");
  app.set_version_flag("-v,-V,--version", "wick addr2line " WICK_VERSION, "Print the version");
  app.add_flag("--json", options->json, "Print one JSON object per address");
  add_symbol_options(app, options->symbols);
  app.add_option("ADDRESS", options->given, "Hexadecimal address as linked, or a symbol (main, main+0x1f) [from standard input]")
      ->type_name("ADDRESS");
  app.footer(
      "Replaces binutils' addr2line, with the same options and output format.\n\n"
      "Examples:\n"
      "  wick addr2line -e ./app -f -i -C 0x4011d6\n"
      "  wick addr2line -e ./app -fip < addresses");
  return [options] {
    options->demangle = !options->style.empty() && options->style != "none";
    return finish_output(answer_addresses(*options));
  };
}

}  // namespace wick
