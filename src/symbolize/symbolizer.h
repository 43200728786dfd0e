// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Address in a module -> the functions there (innermost first), as linkage names. Part of a name that people see (demangling)
// is in symbolize/demangle.h.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "elf/symbol_index.h"
#include "module/debug_file.h"
#include "module/debuginfod.h"
#include "module/module.h"

namespace wick {

// Its views live as long as the symbols they came from.
using SymbolizedFrame = elf::NamedFrame;

// Names for addresses of one file. Built once per file, then constant: any thread may ask.
class FileSymbols {
 public:
  virtual ~FileSymbols() = default;
  // Many addresses have the same place, and a place always has the same chain; where only the line is another, all of the chain
  // but the line of its innermost frame is the same. Where this is not known all of it is UINT32_MAX.
  struct Place {
    uint32_t node = UINT32_MAX, line = UINT32_MAX, symbol = UINT32_MAX;
    friend bool operator==(const Place&, const Place&) = default;
  };
  virtual Place place(uint64_t) const { return {}; }
  // File and line of the innermost frame; no file where the chain has it from elsewhere.
  virtual SymbolizedFrame line_of(const Place&) const { return {}; }
  // Innermost first; `chain` is replaced, and empty when nothing is known of the address.
  virtual void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const = 0;
  std::vector<SymbolizedFrame> find(uint64_t svma) const {
    std::vector<SymbolizedFrame> chain;
    find(svma, chain);
    return chain;
  }
  // For the quality line: does the file have any symbols / debug info?
  virtual bool has_symbols() const = 0;
};

// Where names come from besides the files themselves.
struct SymbolSources {
  std::string cache_dir;  // for indexes of debug information; empty for none
  DebugPlaces debug;
  FetchOptions fetch = {};  // for those who name whole recordings (pipeline/name_frames.h)
};

class JoinableWork;

// How to go about it.
struct SymbolLoad {
  bool background = false;                  // on one thread, and with little memory held afterwards
  JoinableWork* work = nullptr;             // where others may come to help
  std::function<void()> pause;              // called now and then by the thread in the background
  const std::atomic<bool>* stop = nullptr;  // once it is true, what is not done may be left out
  uint64_t most_info_bytes = 0;             // a larger .debug_info is read as it is asked for; 0: by the machine's memory
};

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module, const SymbolSources& sources = {},
                                               const SymbolLoad& how = {});
// The running kernel's, from /proc/kallsyms and its vmlinux where that is here; fails when addresses are hidden (kptr_restrict).
// The kernel takes 50 ms to print them, so those of the kernel itself, which stay as they are until the next boot, are kept in
// the cache; modules and BPF programs are asked for when an address is in none of them.
Result<std::unique_ptr<FileSymbols>> load_kernel_symbols(const SymbolSources& sources);

}  // namespace wick
