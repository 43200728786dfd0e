// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where only functions are asked for, all addresses of a file that have the same functions are one frame. A recursive program has
// nearly as many stacks of addresses as samples, and a hundred times fewer of functions: tables stay small, and so in the CPU's
// cache. The price is that names are looked up while samples are read, each address once.

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
  // `processes` is asked for the kernel's symbols at the first address in it; without them addresses there are frames each.
  AlikeFrames(SymbolSources sources, ProcessSource& processes) : sources_(std::move(sources)), processes_(processes) {}

  // The frame of that module whose functions are those of `address`; it is `fresh` from now on where there is none yet, or
  // nothing is known of the address. `file`: null for the kernel.
  capture::FrameId find_or_add(const LoadedModule* file, uint64_t address, capture::FrameId fresh);

  // Those that were loaded for it; null when none were.
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
