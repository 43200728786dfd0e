// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// If only functions matter, all addresses of a file with the same functions share one frame. A recursive program has nearly as
// many stacks of addresses as samples, but a hundred times fewer stacks of functions, so tables stay small and fit the CPU's
// cache. The price: symbols are looked up while samples are read, once per address.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/capture.h"
#include "pipeline/process_source.h"
#include "symbolize/symbolizer.h"

namespace wick {

class AlikeFrames {
 public:
  // `processes` provides the kernel's symbols at the first kernel address; without them each kernel address is a frame.
  AlikeFrames(SymbolSources sources, ProcessSource& processes) : sources_(std::move(sources)), processes_(processes) {}

  // The frame of the module with the same functions as `address`; `fresh` if there is none yet, or the address is unknown.
  // `file`: null for the kernel.
  capture::FrameId find_or_add(const LoadedModule* file, uint64_t address, capture::FrameId fresh);

  // The symbols loaded for a module; null if none were.
  std::shared_ptr<const FileSymbols> symbols(const LoadedModule* file) const;

 private:
  struct Module {
    std::shared_ptr<const FileSymbols> symbols;
    std::unordered_map<std::string, capture::FrameId> by_names;
  };

  SymbolSources sources_;
  ProcessSource& processes_;
  std::unordered_map<const LoadedModule*, Module> modules_;
  std::vector<SymbolizedFrame> chain_;
  std::string names_;
};

}  // namespace wick
