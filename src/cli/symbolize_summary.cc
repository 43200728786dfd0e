// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/symbolize_summary.h"

#include <cstdio>
#include <vector>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

constexpr size_t kMostLacking = 3;

const char* in_words(UnnamedFile::Why why) {
  switch (why) {
    case UnnamedFile::Why::kMissing: return "not found on this machine";
    case UnnamedFile::Why::kOtherBuild: return "not the build that ran";
    case UnnamedFile::Why::kNoSymbols: return "has no symbols";
    case UnnamedFile::Why::kKernelHidden: return "symbols are hidden from this user";
    case UnnamedFile::Why::kKernelGone: return "from another boot or machine: symbols are only available there";
    case UnnamedFile::Why::kGenerated: return "generated code whose symbols were not recorded";
  }
  return "";
}

// The command that would help most; empty if none would.
std::string best_command(const std::vector<UnnamedFile>& lacking, const std::string& file) {
  for (const UnnamedFile& module : lacking) {
    switch (module.why) {
      case UnnamedFile::Why::kMissing:
      case UnnamedFile::Why::kOtherBuild:
        return "wick symbolize --debug-dir DIR " + shell_quote(file) + "   (DIR holds the recorded build of " +
               printable(module.path.substr(module.path.rfind('/') + 1)) + " or its debug file)";
      case UnnamedFile::Why::kNoSymbols: return "wick doctor " + shell_quote(printable(module.path));
      case UnnamedFile::Why::kKernelHidden: return "sudo wick symbolize " + shell_quote(file);
      case UnnamedFile::Why::kKernelGone:
      case UnnamedFile::Why::kGenerated: break;
    }
  }
  return {};
}

}  // namespace

void print_symbolize_summary(const SymbolizedCapture& named, const capture::Capture& capture, const std::string& file,
                             const std::string& path, size_t size_bytes) {
  if (!capture.damage.empty()) {
    std::fprintf(stderr, "warning: the file is damaged: %s; keeping what precedes it\n", printable(capture.damage).c_str());
  } else if (!capture.complete) {
    std::fprintf(stderr, "warning: the recording is incomplete; symbolizing what was written\n");
  }
  std::string before = format_part(named.samples_named_before, named.samples);
  std::string now = format_part(named.samples_named, named.samples);
  std::string written = path == "-" ? "" : "; wrote " + printable(path) + " (" + human_bytes(size_bytes) + ")";
  std::fprintf(stderr, "symbolized %s of %s, %s of samples%s%s\n", group_thousands(named.frames_named).c_str(),
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
  std::string help = best_command(named.lacking, file);
  if (!help.empty()) { std::fprintf(stderr, "hint: %s\n", help.c_str()); }
}

}  // namespace wick
