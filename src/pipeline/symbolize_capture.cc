// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/symbolize_capture.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/clock.h"

namespace wick {
namespace {

using capture::FrameSymbols;
using capture::ModuleKind;
using Why = UnnamedFile::Why;

bool has_name(const FrameSymbols* symbols) { return symbols != nullptr && capture::is_named(*symbols); }

bool is_better(const FrameSymbols& now, const FrameSymbols* before) {
  if (!has_name(before)) { return has_name(&now) || (!now.chain.empty() && (before == nullptr || before->chain.empty())); }
  return has_name(&now) && (has_line(now) || !has_line(*before));
}

Why why_unnamed(const capture::Module& module, const std::vector<std::string>& mismatched, bool kernel_runs, bool some_named) {
  switch (module.kind) {
    case ModuleKind::kKernel: return kernel_runs ? Why::kKernelHidden : Why::kKernelGone;
    case ModuleKind::kVdso: return Why::kKernelGone;
    case ModuleKind::kAnonymous:
    case ModuleKind::kUnknown: return Why::kGenerated;
    case ModuleKind::kFile: break;
  }
  if (some_named) { return Why::kNoSymbols; }
  if (std::find(mismatched.begin(), mismatched.end(), module.path) != mismatched.end()) { return Why::kOtherBuild; }
  return ::access(module.path.c_str(), R_OK) == 0 ? Why::kNoSymbols : Why::kMissing;
}

}  // namespace

bool has_line(const FrameSymbols& symbols) {
  return std::any_of(symbols.chain.begin(), symbols.chain.end(), [](const capture::SymbolFrame& f) { return f.line != 0; });
}

bool is_of_running_kernel(const capture::Info& info) {
  utsname here{};
  if (::uname(&here) != 0 || info.kernel != here.release || info.host != here.nodename) { return false; }
  timespec up{};  // including suspended time
  if (::clock_gettime(CLOCK_BOOTTIME, &up) != 0) { return false; }
  uint64_t up_ns = static_cast<uint64_t>(up.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(up.tv_nsec);
  return info.start_wall_ns >= wall_ns() - up_ns;
}

std::vector<FrameSymbols> name_rows(const std::vector<capture::Module>& modules, const std::vector<capture::Frame>& frames,
                                    std::span<const uint32_t> rows, const std::vector<const LoadedModule*>& opened,
                                    std::vector<std::string>& mismatched, const SymbolSources& sources,
                                    std::span<const uint64_t> samples, std::span<const KernelCode> own_code) {
  std::vector<capture::Frame> wanted;
  wanted.reserve(rows.size());
  std::vector<uint64_t> samples_of;
  for (uint32_t row : rows) {
    wanted.push_back(frames[row]);
    if (row < samples.size()) { samples_of.push_back(samples[row]); }
  }
  std::vector<FrameSymbols> named =
      name_frames(modules, wanted, opened, mismatched, sources, {samples_of, nullptr, nullptr, own_code});
  for (FrameSymbols& symbols : named) { symbols.frame = capture::FrameId{rows[symbols.frame.value]}; }
  return named;
}

SymbolizedCapture symbolize_capture(const capture::Capture& capture, const SymbolSources& sources) {
  std::vector<const FrameSymbols*> before(capture.frames.size());
  for (const FrameSymbols& symbols : capture.symbols) { before[symbols.frame.value] = &symbols; }
  auto kind_of = [&](uint32_t row) {
    capture::ModuleId module = capture.frames[row].module;
    return module.valid() ? capture.modules[module.value].kind : ModuleKind::kUnknown;
  };
  bool kernel_runs = is_of_running_kernel(capture.info);
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < capture.frames.size(); ++row) {
    bool keep = kind_of(row) == ModuleKind::kKernel && has_name(before[row]);
    if (!keep && has_names_now(kind_of(row), kernel_runs)) { rows.push_back(row); }
  }
  SymbolizedCapture out;
  std::vector<uint64_t> leaf_samples(capture.frames.size());
  for (const capture::Sample& sample : capture.samples) {
    if (!sample.stack.valid()) { continue; }
    uint32_t leaf = capture.stacks[sample.stack.value].frame.value;
    ++leaf_samples[leaf];
    ++out.samples;
    out.samples_named_before += has_name(before[leaf]);
  }
  std::vector<std::string> mismatched;
  std::vector<FrameSymbols> now = name_rows(capture.modules, capture.frames, rows, {}, mismatched, sources, leaf_samples);
  // A failed lookup is recorded only if the file was found.
  std::vector<bool> found(capture.modules.size());
  for (const FrameSymbols& symbols : now) {
    if (capture::is_named(symbols)) { found[capture.frames[symbols.frame.value].module.value] = true; }
  }
  out.frames = capture.frames.size();
  std::map<uint32_t, uint64_t> unnamed;  // samples by module
  auto next = now.begin();
  for (uint32_t row = 0; row < capture.frames.size(); ++row) {
    FrameSymbols* fresh = next != now.end() && next->frame.value == row ? &*next++ : nullptr;
    bool better = fresh != nullptr && is_better(*fresh, before[row]);
    uint32_t module = capture.frames[row].module.value;
    if (better) {
      out.frames_changed += before[row] == nullptr || before[row]->chain != fresh->chain;
      out.symbols.push_back(std::move(*fresh));
    } else if (before[row] != nullptr) {
      out.symbols.push_back(*before[row]);
    } else if (fresh != nullptr && found[module]) {
      out.symbols.push_back({capture::FrameId{row}, {}});
    }
    bool named = has_name(better ? &out.symbols.back() : before[row]);
    out.frames_named += named;
    out.samples_named += named ? leaf_samples[row] : 0;
    if (!named && leaf_samples[row] > 0) { unnamed[module] += leaf_samples[row]; }
  }
  for (const auto& [module, samples] : unnamed) {
    capture::Module of =
        module < capture.modules.size() ? capture.modules[module] : capture::Module{ModuleKind::kUnknown, "", ""};
    bool some_named = module < found.size() && found[module];
    out.lacking.push_back({of.path, why_unnamed(of, mismatched, kernel_runs, some_named), samples});
  }
  std::stable_sort(out.lacking.begin(), out.lacking.end(),
                   [](const UnnamedFile& a, const UnnamedFile& b) { return a.samples > b.samples; });
  return out;
}

}  // namespace wick
