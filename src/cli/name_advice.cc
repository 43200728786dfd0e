// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/name_advice.h"

#include <algorithm>

#include "analyze/format.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/doctor.h"
#include "import/perf/perf_data.h"
#include "module/module.h"
#include "symbolize/kernel_symbols.h"

namespace wick {
namespace {

constexpr size_t kMostFiles = 3;
constexpr uint64_t kWorthOneIn = 200;      // report symbols missing for half a percent
constexpr uint64_t kLinesWorthOneIn = 10;  // lines matter to fewer people

bool is_in_no_file(const std::string& path) {
  return path.empty() || path[0] != '/' || path.starts_with("//") || path.starts_with("/memfd:") || path.starts_with("/dev/zero");
}

// Runtimes that generate code, and how to make them write symbols.
std::string advise_jit(const std::string& process) {
  struct Runtime {
    const char *name, *how;
  };
  static const Runtime kRuntimes[] = {
      {"node", "run node with --perf-basic-prof"},
      {"MainThread", "run node with --perf-basic-prof"},
      {"java", "run java with -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit"},
      {"python", "run python with -X perf"},
      {"dotnet", "set DOTNET_PerfMapEnabled=1"},
      {"beam.smp", "run erl with +JPperf true"}};
  for (const Runtime& runtime : kRuntimes) {
    if (process.starts_with(runtime.name)) { return std::string("generated code: ") + runtime.how; }
  }
  return "generated code without symbols: man wick-record, GENERATED CODE";
}

std::string advise_build(const FileDiagnosis& file, Lack lack) {
  std::string flags;
  for (const std::string& flag : file.name_flags) { flags += (flags.empty() ? "" : ", ") + flag; }
  bool stripped = !file.facts.has_symtab && lack == Lack::kNames;
  return std::string(stripped ? "stripped: " : "") + "build with " + flags;
}

}  // namespace

Advice advise(const LackingFile& file, Lack lack, const PackageFacts& facts) {
  bool is_other = !file.imported_from.empty() && file.imported_from != kPerfDataReader.what;
  if (file.path == "[kernel]") {
    if (is_other) { return {"the profile has no kernel symbols"}; }
    if (!file.imported_from.empty() && lack == Lack::kNames) {  // recorded elsewhere, or with more rights
      return {KernelSymbols::read().ok() ? "not the running kernel: use --debug-dir DIR with its vmlinux"
                                         : "hidden from this user: run wick as root, or sudo sysctl "
                                           "kernel.kptr_restrict=0 kernel.perf_event_paranoid=1"};
    }
    return {lack == Lack::kNames ? "hidden by the kernel: sudo sysctl kernel.kptr_restrict=0, and record as root"
                                 : "install the debug package of this kernel (linux-image-…-dbg)"};
  }
  if (file.path == "[unknown]") { return {"no file is mapped there"}; }
  bool is_name = !file.path.empty() && file.path.find_first_of("/[") == std::string::npos;
  if (is_other && is_name) { return {"the profile has no path for it"}; }
  if (is_in_no_file(file.path)) { return {advise_jit(file.process)}; }
  if (file.trouble.starts_with("replaced")) { return {"replaced while recording: record again"}; }
  if (!file.trouble.empty()) { return {"cannot be read: " + file.trouble}; }
  Result<FileDiagnosis> found = diagnose_file(file.path);
  if (!found.ok()) { return {"not on this machine: use --symfs DIR or --debug-dir DIR"}; }
  // Files of other tools may lack build IDs.
  bool is_same = !is_build_id(file.build_id) || found->facts.build_id == file.build_id;
  if (!is_same) {
    std::string id = !is_build_id(file.build_id) ? "" : " (build ID " + file.build_id.substr(0, 12) + ")";
    return {"changed since the recording" + id + ": use --symfs DIR or --debug-dir DIR with the old one"};
  }
  if (is_other && !is_build_id(file.build_id)) { return {"the profile has no build ID for it"}; }
  if (found->name_flags.empty()) {
    return {lack == Lack::kNames ? "no symbol covers these addresses" : "its debug info has no lines for this code"};
  }
  // Distributions move debug info to a package: a file that still has some has no package.
  bool has_debug_info = found->facts.dwarf.detail != elf::DwarfSummary::Detail::kNone;
  DebugFileSource source = has_debug_info ? DebugFileSource() : find_debug_file_source(file.path, file.build_id, facts);
  if (source.empty()) { return {advise_build(*found, lack)}; }
  return {"needs " + (source.package.empty() ? "its debug file" : source.package), source};
}

LackText describe_lack(Lack lack, std::vector<LackingFile> files, uint64_t all_samples, const PackageFacts& facts) {
  uint64_t one_in = lack == Lack::kNames ? kWorthOneIn : kLinesWorthOneIn;
  auto too_few = [&](const LackingFile& file) { return file.samples * one_in < all_samples; };
  uint64_t lacking = 0;
  for (const LackingFile& file : files) { lacking += file.samples; }
  std::erase_if(files, too_few);
  std::stable_sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.samples > b.samples; });
  LackText out;
  if (lacking == 0 || lacking * one_in < all_samples || (files.empty() && lack == Lack::kLines)) { return out; }
  const char* what = lack == Lack::kNames ? "symbols:" : "lines:  ";
  out.lines.push_back(
      strf("%s missing for %s of samples%s", what, format_part(lacking, all_samples).c_str(), files.empty() ? "" : ":"));
  for (size_t i = 0; i < files.size() && i < kMostFiles; ++i) {
    bool is_anonymous = files[i].path.empty() || files[i].path.starts_with("//anon");
    std::string shown = is_anonymous ? "[anon]" : printable(files[i].path);
    Advice advice = advise(files[i], lack, facts);
    out.lines.push_back(
        strf("  %7s  %s: %s", format_part(files[i].samples, all_samples).c_str(), shown.c_str(), printable(advice.text).c_str()));
    if (advice.debug_file.empty()) { continue; }
    out.debug_files.push_back(std::move(advice.debug_file));
    out.debug_file_paths.push_back(files[i].path);
  }
  return out;
}

}  // namespace wick
