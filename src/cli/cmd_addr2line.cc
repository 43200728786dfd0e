// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The options and the output of binutils' addr2line, so that a script changes only the program's name.

#include <elf.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <thread>

#include "base/fd.h"
#include "base/text.h"
#include "cli/address_answers.h"
#include "cli/command.h"
#include "cli/conversation.h"
#include "cli/profile_options.h"
#include "cli/symbol_options.h"
#include "symbolize/symbolizer.h"

namespace wick {
namespace {

struct Options : AnswerOptions {
  std::string executable = "a.out", section, target, style;
  bool limit = false;
  std::vector<std::string> given;
  SymbolSourceOptions symbols;
};

int run_addr2line(Options& options) {
  Result<SymbolSources> sources = find_symbol_sources(options.symbols, Fetching::kNever);
  if (!sources.ok()) { return fail(sources.error(), exit_code(sources.error())); }
  ModuleStore store;
  // As it is called on the machine that --symfs stands for, else here.
  char* absolute =
      sources->debug.symfs.empty() ? nullptr : ::realpath((sources->debug.symfs + "/" + options.executable).c_str(), nullptr);
  if (absolute == nullptr) { absolute = ::realpath(options.executable.c_str(), nullptr); }
  if (absolute == nullptr) { return fail(Error::from_errno(errno, "cannot open %s", options.executable.c_str())); }
  const LoadedModule* module = store.load({0, absolute, 0, 0});
  std::free(absolute);
  if (!module->image) {
    const char* trouble = module->trouble.empty() ? "it is not a regular file" : module->trouble.c_str();
    return fail(Error("cannot read %s: %s", options.executable.c_str(), trouble).with_hint("wick addr2line -e PROGRAM ADDRESS…"));
  }
  uint64_t base = 0;
  if (!options.section.empty()) {
    const elf::Section* section = module->image->find_section(options.section);
    if (section == nullptr) {
      return fail(Error("%s has no section \"%s\"", options.executable.c_str(), options.section.c_str()));
    }
    base = section->vaddr;
  }
  if (module->image->type() == ET_REL) {
    return fail(
        Error("cannot read %s: it is an object file or kernel module, which has no addresses before it is linked or loaded",
              options.executable.c_str())
            .with_hint("addr2line -e " + shell_quote(options.executable) + " ADDRESS…   (of binutils)"));
  }
  options.image = &*module->image;
  std::unique_ptr<FileSymbols> symbols = load_file_symbols(*module, *sources);
  std::vector<AnswerWriter> writers;
  writers.emplace_back(options, *symbols, base);
  if (!options.given.empty()) {
    Answer answer;
    for (const std::string& address : options.given) { writers[0].append(address, answer); }
    return finish_output(write_answers(STDOUT_FILENO, std::move(answer)));
  }
  while (writers.size() < std::min(std::thread::hardware_concurrency(), 8u)) { writers.emplace_back(options, *symbols, base); }
  return finish_output(converse(writers, STDIN_FILENO, STDOUT_FILENO));
}

}  // namespace

Run add_addr2line_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  // As with binutils', the last of several counts: scripts put theirs behind a default.
  app.add_option("-e,--exe", options->executable, "the program or library (default a.out)")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_flag("-f,--functions", options->functions, "show names of functions");
  app.add_flag("-i,--inlines", options->inlines, "show also what a function was inlined into");
  app.add_flag("-C,--demangle{auto}", options->style,
               "names as people write them; a style, as in --demangle=gnu-v3, is found by itself");
  app.add_flag("-a,--addresses", options->addresses, "show the address");
  app.add_flag("-p,--pretty-print", options->pretty, "one line for each function");
  app.add_flag("-s,--basenames", options->basenames, "files without their folders");
  app.add_option("-j,--section", options->section, "addresses count from the beginning of this section")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.add_option("-b,--target", options->target, "accepted and ignored: the file says what it is")->type_name("FORMAT");
  app.add_flag("-r,--recurse-limit,-R,--no-recurse-limit", options->limit, "accepted and ignored: names never take long");
  app.set_version_flag("-v,-V,--version", "wick addr2line " WICK_VERSION);
  app.add_flag("--json", options->json, "one JSON object for each address");
  add_symbol_options(app, options->symbols);
  app.add_option("address", options->given,
                 "hexadecimal, as linked, or a symbol (main, main+0x1f); without any they are read from standard input")
      ->type_name("ADDRESS");
  app.footer(
      "Takes the place of binutils' addr2line: the same options, the same lines; the answers are those of LLVM's symbolizer.\n\n"
      "Examples:\n"
      "  wick addr2line -e ./app -f -i -C 0x4011d6\n"
      "  wick addr2line -e ./app -fip < addresses");
  return [options] {
    options->demangle = !options->style.empty() && options->style != "none";
    return run_addr2line(*options);
  };
}

}  // namespace wick
