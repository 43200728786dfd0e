// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Naming afterwards: the frames of a recording that was read from a file.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "pipeline/name_frames.h"
#include "record/engine.h"

namespace wick {

// The kernel lies elsewhere after each start: its addresses can be named only where and while it runs.
bool is_of_running_kernel(const capture::Info& info);

// A name from a symbol table tells less than one with its line.
bool has_line(const capture::FrameSymbols& symbols);

// What can be named from files at any time, and what only where it ran: the kernel, its vDSO, code that was made at run time.
constexpr bool can_be_named_later(capture::ModuleKind kind) { return kind == capture::ModuleKind::kFile; }
// Whether it is worth looking for names when a recording is read.
constexpr bool has_names_now(capture::ModuleKind kind, bool kernel_runs) {
  return kind == capture::ModuleKind::kFile || kind == capture::ModuleKind::kVdso ||
         (kind == capture::ModuleKind::kKernel && kernel_runs);
}

// As name_frames, for these rows of `frames` only, in their order.
std::vector<capture::FrameSymbols> name_rows(const std::vector<capture::Module>& modules,
                                             const std::vector<capture::Frame>& frames, std::span<const uint32_t> rows,
                                             const std::vector<const LoadedModule*>& opened, std::vector<std::string>& mismatched,
                                             const SymbolSources& sources, std::span<const uint64_t> samples = {}, std::span<const KernelCode> own_code = {});

// A file whose functions have no names, or not all.
struct UnnamedFile {
  enum class Why : uint8_t { kMissing, kOtherBuild, kNoSymbols, kKernelHidden, kKernelGone, kGenerated };
  std::string path;
  Why why = Why::kMissing;
  uint64_t samples = 0;  // whose innermost frame is there and has no name
};

struct SymbolizedCapture {
  std::vector<capture::FrameSymbols> symbols;  // of all that was looked at, then or now, by frame
  uint64_t frames = 0, frames_named = 0, frames_changed = 0;
  uint64_t samples = 0, samples_named = 0, samples_named_before = 0;  // by their innermost frame
  std::vector<UnnamedFile> lacking;                                   // most samples first
};

// Names every frame anew where the file that ran is found, and keeps what the recording says otherwise, or where that tells more
// (it was named where there was debug information). The kernel's names stay: modules may have come and gone since.
SymbolizedCapture symbolize_capture(const capture::Capture& capture, const SymbolSources& sources);

}  // namespace wick
