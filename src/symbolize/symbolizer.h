// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Maps an address in a module to the functions there, innermost first, as linkage names. symbolize/demangle.h turns these into
// names for users.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "elf/code_ranges.h"
#include "elf/symbol_index.h"
#include "module/debug_file.h"
#include "module/debuginfod.h"
#include "module/module.h"

namespace wick {

// Its views are valid as long as the symbols they came from.
using SymbolizedFrame = elf::NamedFrame;

// Symbols of one file. Built once per file, then constant: any thread may use it.
class FileSymbols {
 public:
  virtual ~FileSymbols() = default;
  // Many addresses share a place, and a place always has the same chain. If only `line` differs, the chains differ only in the
  // line of the innermost frame. All fields are UINT32_MAX if unknown.
  struct Place {
    uint32_t node = UINT32_MAX, line = UINT32_MAX, symbol = UINT32_MAX;
    friend bool operator==(const Place&, const Place&) = default;
  };
  virtual Place place(uint64_t) const { return {}; }
  // Whether prepare() makes lookups faster.
  virtual bool is_lazy() const { return false; }
  // Announces addresses that will be looked up, so that those of a large file are read together and on all cores.
  virtual void prepare(std::span<const uint64_t>) const {}
  // File and line of the innermost frame; no file if the chain has it from elsewhere.
  virtual SymbolizedFrame line_of(const Place&) const { return {}; }
  // Replaces `chain` with the frames, innermost first; empty if the address is unknown.
  virtual void find(uint64_t svma, std::vector<SymbolizedFrame>& chain) const = 0;
  std::vector<SymbolizedFrame> find(uint64_t svma) const {
    std::vector<SymbolizedFrame> chain;
    find(svma, chain);
    return chain;
  }
  // The code of the function that covers the address, by its symbol.
  virtual std::optional<elf::AddressRange> function_range(uint64_t) const { return std::nullopt; }
  // Whether the file has any symbols or debug info.
  virtual bool has_symbols() const = 0;
};

// Sources of symbols besides the files themselves.
struct SymbolSources {
  std::string cache_dir;  // for indexes of debug info; empty for none
  DebugPlaces debug;
  FetchOptions fetch = {};  // for symbolizing complete recordings (pipeline/name_frames.h)
};

class JoinableWork;

// How to load symbols.
struct SymbolLoad {
  bool background = false;                  // on one thread, and with little memory held afterwards
  JoinableWork* work = nullptr;             // lets other threads join
  std::function<void()> pause;              // called from time to time by the background thread
  const std::atomic<bool>* stop = nullptr;  // once true, remaining work may be skipped
  uint64_t most_info_bytes = 0;             // a larger .debug_info is only read lazily; 0: depends on the machine's memory
  uint64_t least_lazy_bytes = 0;            // a smaller .debug_info is read at once; 0: the default
};

std::unique_ptr<FileSymbols> load_file_symbols(const LoadedModule& module, const SymbolSources& sources = {},
                                               const SymbolLoad& how = {});
// The running kernel's, from /proc/kallsyms and its vmlinux if available; fails if addresses are hidden (kptr_restrict). Printing
// kallsyms takes the kernel 50 ms, so the kernel's own functions, which stay the same until reboot, are cached; modules and BPF
// programs are read when an address is outside of these.
Result<std::unique_ptr<FileSymbols>> load_kernel_symbols(const SymbolSources& sources);

}  // namespace wick
