// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where only functions are asked for, all addresses of a file that have the same functions are one frame. A recursive program has
// nearly as many stacks of addresses as samples, and a hundred times fewer of functions: tables stay small, and so in the CPU's
// cache. The price is that names are looked up while samples are read, each address once.

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/capture.h"
#include "symbolize/symbolizer.h"

namespace wick {

class AlikeFrames {
 public:
  using LoadKernel = std::function<std::shared_ptr<const FileSymbols>()>;
  // `kernel` is asked at the first address in it; null: addresses there are frames each.
  AlikeFrames(SymbolSources sources, LoadKernel kernel) : sources_(std::move(sources)), load_kernel_(std::move(kernel)) {}

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
  LoadKernel load_kernel_;
  std::unordered_map<const LoadedModule*, Module> modules_;
  std::vector<SymbolizedFrame> chain_;
  std::string names_;
};

}  // namespace wick
