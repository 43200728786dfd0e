// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adds symbols to a recording read from a file.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "pipeline/name_frames.h"
#include "record/engine.h"

namespace wick {

// Each boot loads the kernel at another address: its addresses can be symbolized only while it runs.
bool is_of_running_kernel(const capture::Info& info);

// A symbol with a line is better than one from a symbol table.
bool has_line(const capture::FrameSymbols& symbols);

// Files can be symbolized at any time; the kernel, its vDSO and generated code only where and while they run.
constexpr bool can_be_named_later(capture::ModuleKind kind) { return kind == capture::ModuleKind::kFile; }
// Whether looking up symbols is worthwhile when a recording is read.
constexpr bool has_names_now(capture::ModuleKind kind, bool kernel_runs) {
  return kind == capture::ModuleKind::kFile || kind == capture::ModuleKind::kVdso ||
         (kind == capture::ModuleKind::kKernel && kernel_runs);
}

// Like name_frames, but only for these rows of `frames`, in their order.
std::vector<capture::FrameSymbols> name_rows(const std::vector<capture::Module>& modules,
                                             const std::vector<capture::Frame>& frames, std::span<const uint32_t> rows,
                                             const std::vector<const LoadedModule*>& opened, std::vector<std::string>& mismatched,
                                             const SymbolSources& sources, std::span<const uint64_t> samples = {},
                                             std::span<const KernelCode> own_code = {});

// A file with frames that lack symbols.
struct UnnamedFile {
  enum class Why : uint8_t { kMissing, kOtherBuild, kNoSymbols, kKernelHidden, kKernelGone, kGenerated };
  std::string path;
  Why why = Why::kMissing;
  uint64_t samples = 0;  // whose innermost frame is in it and has no symbol
};

struct SymbolizedCapture {
  std::vector<capture::FrameSymbols> symbols;  // of all frames looked up, then or now, by frame
  uint64_t frames = 0, frames_named = 0, frames_changed = 0;
  uint64_t samples = 0, samples_named = 0, samples_named_before = 0;  // by innermost frame
  std::vector<UnnamedFile> lacking;                                   // most samples first
};

// Symbolizes every frame again if the file that ran is found. Keeps recorded symbols otherwise, or if they are better (there was
// debug info). Kernel symbols stay: kernel modules may have been loaded or unloaded since.
SymbolizedCapture symbolize_capture(const capture::Capture& capture, const SymbolSources& sources);

}  // namespace wick
