// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Test helpers: the test program's own address space, and its registers and stack at a chosen place.

#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/text.h"
#include "elf/symbols.h"
#include "module/address_space.h"
#include "unwind/walker.h"

namespace wick::test {

// All executable mappings of this process.
inline std::shared_ptr<const AddressSpace> load_own_space(ModuleStore& store) {
  std::vector<Mapping> mappings;
  std::string maps = read_file("/proc/self/maps").value_or("");
  for (std::string_view line : split(maps, '\n')) {
    std::string text(line);
    unsigned long start = 0, end = 0, offset = 0;
    char perms[8] = {}, path[4096] = {};
    if (std::sscanf(text.c_str(), "%lx-%lx %7s %lx %*s %*s %4095[^\n]", &start, &end, perms, &offset, path) < 4 ||
        perms[2] != 'x') {
      continue;
    }
    if (std::strcmp(path, "[vsyscall]") == 0) { continue; }
    ModuleRequest request;
    request.path = path;
    mappings.push_back({start, end, offset, store.load(request)});
  }
  return AddressSpace().with(mappings);
}

inline Registers registers_of(const ucontext_t& context) {
  Registers regs;
#if defined(__x86_64__)
  const greg_t* g = context.uc_mcontext.gregs;
  constexpr int kOrder[17] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                              REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (unsigned i = 0; i < 17; ++i) { regs.set(i, static_cast<uint64_t>(g[kOrder[i]])); }
#else
  for (unsigned i = 0; i < 31; ++i) { regs.set(i, context.uc_mcontext.regs[i]); }
  regs.set(arm::kSp, context.uc_mcontext.sp);
  regs.set(arm::kPc, context.uc_mcontext.pc);
#endif
  return regs;
}

// The contents of a sample: registers, and up to `limit` bytes of stack from the stack pointer upwards.
struct Snapshot {
  Registers regs;
  uint64_t sp = 0;
  std::vector<uint8_t> stack;
};

// process_vm_readv copies up to the end of the mapping without a fault.
inline Snapshot take_snapshot(const ucontext_t& context, size_t limit) {
  Snapshot shot;
  shot.regs = registers_of(context);
  shot.sp = shot.regs.value[register_numbers(host_arch()).sp];
  shot.stack.resize(limit);
  iovec local{shot.stack.data(), limit}, remote{reinterpret_cast<void*>(shot.sp), limit};
  ssize_t n = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
  shot.stack.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return shot;
}

// Function names from the symbol tables of the mapped files.
class Names {
 public:
  explicit Names(const AddressSpace& space) : space_(space) {}
  // Returns "?" if there is no symbol.
  std::string at(uint64_t avma) {
    Place place = space_.place(avma);
    if (place.module == nullptr || !place.module->image) { return "?"; }
    std::unique_ptr<elf::SymbolTable>& table = tables_[place.module];
    if (!table) { table = std::make_unique<elf::SymbolTable>(*place.module->image); }
    std::optional<elf::SymbolRange> found = table->find(place.svma);
    return found ? std::string(found->name) : "?";
  }
  std::vector<std::string> of(const std::vector<WalkedFrame>& frames) {
    std::vector<std::string> out;
    for (const WalkedFrame& frame : frames) { out.push_back(at(frame.address)); }
    return out;
  }

 private:
  const AddressSpace& space_;
  std::map<const LoadedModule*, std::unique_ptr<elf::SymbolTable>> tables_;
};

}  // namespace wick::test
