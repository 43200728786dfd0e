// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// wick symbolize: names for a recording that has none, or not the best: made with --no-symbols, by a recorder that was killed, or
// where debug files were missing. The file is written beside and renamed.

#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "capture/replace_symbols.h"
#include "cli/command.h"
#include "cli/profile_options.h"
#include "cli/symbol_options.h"
#include "pipeline/load.h"
#include "pipeline/symbolize_capture.h"

namespace wick {
namespace {

constexpr size_t kMostLacking = 3;

struct SymbolizeArguments {
  std::string file = "profile.wick", output;
  SymbolSourceOptions symbols;
  bool quiet = false;
};

const char* in_words(UnnamedFile::Why why) {
  switch (why) {
    case UnnamedFile::Why::kMissing: return "is not here";
    case UnnamedFile::Why::kOtherBuild: return "is another build than the one that ran";
    case UnnamedFile::Why::kNoSymbols: return "does not tell the names";
    case UnnamedFile::Why::kKernelHidden: return "hides its names from this user";
    case UnnamedFile::Why::kKernelGone: return "is of another start or machine: its names can be had only there";
    case UnnamedFile::Why::kGenerated: return "code made at run time, whose names were not recorded";
  }
  return "";
}

// The command that would help most; empty when none would.
std::string advice(const std::vector<UnnamedFile>& lacking, const std::string& file) {
  for (const UnnamedFile& module : lacking) {
    switch (module.why) {
      case UnnamedFile::Why::kMissing:
      case UnnamedFile::Why::kOtherBuild:
        return "wick symbolize --debug-dir DIR " + shell_quote(file) + "   (DIR: where " +
               printable(module.path.substr(module.path.rfind('/') + 1)) + " or its debug file lies, as it was when recorded)";
      case UnnamedFile::Why::kNoSymbols: return "wick doctor " + shell_quote(printable(module.path));
      case UnnamedFile::Why::kKernelHidden: return "sudo wick symbolize " + shell_quote(file);
      case UnnamedFile::Why::kKernelGone:
      case UnnamedFile::Why::kGenerated: break;
    }
  }
  return {};
}

void tell(const SymbolizedCapture& named, const capture::Capture& capture, const std::string& file, const std::string& path,
          size_t size_bytes) {
  if (!capture.damage.empty()) {
    std::fprintf(stderr, "warning: the file is damaged: %s; what stood before it is kept\n", printable(capture.damage).c_str());
  } else if (!capture.complete) {
    std::fprintf(stderr, "warning: the recording was not finished: what was written until then is named\n");
  }
  std::string before = format_part(named.samples_named_before, named.samples);
  std::string now = format_part(named.samples_named, named.samples);
  std::string written = path == "-" ? "" : "; wrote " + printable(path) + " (" + human_bytes(size_bytes) + ")";
  std::fprintf(stderr, "named %s of %s, %s of the samples%s%s\n", group_thousands(named.frames_named).c_str(),
               count_of(named.frames, "address", "addresses").c_str(), now.c_str(),
               now == before ? "" : (" (before: " + before + ")").c_str(), written.c_str());
  size_t shown = 0;
  for (const UnnamedFile& module : named.lacking) {
    if (shown++ == kMostLacking) {
      std::fprintf(stderr, "           and %zu more\n", named.lacking.size() - kMostLacking);
      break;
    }
    std::string name = module.path.empty() ? "[unknown]" : printable(module.path);
    std::fprintf(stderr, "  %7s  %s: %s\n", format_part(module.samples, named.samples).c_str(), name.c_str(),
                 in_words(module.why));
  }
  std::string help = advice(named.lacking, file);
  if (!help.empty()) { std::fprintf(stderr, "hint: %s\n", help.c_str()); }
}

// In place it stays its owner's, and as private as it was.
Status write_profile(const std::string& path, const std::vector<uint8_t>& bytes) {
  struct stat old{};
  bool replaces = ::stat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode);
  Bytes all = bytes;
  WICK_OK(write_parts_atomically(path, {&all, 1}, replaces ? old.st_mode & 0777 : 0666));
  if (replaces && (old.st_uid != ::geteuid() || old.st_gid != ::getegid())) {
    if (::chown(path.c_str(), old.st_uid, old.st_gid) != 0) { return ok_status(); }  // only root may give files away
  }
  return ok_status();
}

int run_symbolize(const SymbolizeArguments& options) {
  Result<LoadedCapture> loaded = load_capture(options.file);
  if (!loaded.ok()) { return fail(loaded.error()); }
  const capture::Capture& capture = loaded->capture;
  Result<SymbolSources> sources = find_symbol_sources(options.symbols, Fetching::kMay, options.quiet);
  if (!sources.ok()) { return fail(sources.error(), exit_code(sources.error())); }
  SymbolizedCapture named = symbolize_capture(capture, *sources);
  Result<std::vector<uint8_t>> bytes = capture::replace_symbols(loaded->contents.bytes, capture, named.symbols);
  if (!bytes.ok()) { return fail(std::move(bytes).error().context("cannot read " + options.file)); }
  const std::string& path = options.output.empty() ? options.file : options.output;
  Status written = path == "-" ? write_all(STDOUT_FILENO, *bytes, "standard output") : write_profile(path, *bytes);
  if (!written.ok()) { return finish_output(written); }
  if (!options.quiet) { tell(named, capture, options.file, path, bytes->size()); }
  return 0;
}

}  // namespace

Run add_symbolize_command(CLI::App& app) {
  auto options = std::make_shared<SymbolizeArguments>();
  app.add_option("FILE", options->file, "the recording (default: profile.wick)")->type_name("");
  app.add_option("-o,--output", options->output, "write here instead of in place")->type_name("FILE");
  app.add_flag("-q,--quiet", options->quiet, "say nothing but errors");
  add_symbol_options(app, options->symbols, Fetching::kMay);
  app.footer(
      "Names every function anew where the file that ran is found, by its build-id; other names stay as they are.\n\n"
      "Examples:\n"
      "  wick record --no-symbols -- ./app && wick symbolize\n"
      "  wick symbolize --debug-dir ./debug server.wick -o named.wick");
  return [options] { return run_symbolize(*options); };
}

}  // namespace wick
