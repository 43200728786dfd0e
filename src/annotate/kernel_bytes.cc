// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "annotate/kernel_bytes.h"

#include <utility>

#include "base/text.h"
#include "elf/symbols.h"
#include "symbolize/kernel_symbols.h"

namespace wick {
namespace {

// Why the memory cannot be read; empty: nothing was read because another kernel runs.
std::string open_memory(const KernelIdentity& kernel, const SymbolSources& sources, const KernelPlaces& places,
                        KernelBytes& out) {
  if (kernel.build_id != load_kernel_build_id(places)) { return {}; }
  // Without KASLR every boot has the kernel at the same address, but not its modules.
  std::string boot_id = load_boot_id(places);
  bool is_same_boot = !kernel.boot_id.empty() && kernel.boot_id == boot_id;
  if (!is_same_boot && (!kernel.boot_id.empty() || !kernel.is_this_machine)) { return {}; }
  Result<std::string> text = read_file(places.kallsyms, size_t{512} << 20);
  if (!text.ok()) { return text.error().message(); }
  std::optional<uint64_t> here = find_kernel_symbol(*text, kernel.symbol);
  if (here && *here != kernel.address) { return {}; }
  Result<KernelMemory> memory = KernelMemory::open(places.memory);
  if (!memory.ok()) {
    return memory.error().code() == Errc::kPermission ? "only root can read the kernel's code (" + places.memory + ")"
                                                      : memory.error().message();
  }
  Result<std::unique_ptr<KernelSymbols>> symbols = KernelSymbols::parse(*text);
  if (!symbols.ok()) { return symbols.error().message(); }
  out.core = (*symbols)->core();
  out.is_same_boot = is_same_boot;
  out.symbols = add_vmlinux(*std::move(symbols), sources, places);
  out.memory = *std::move(memory);
  out.note = "instructions are those in the kernel's memory now (" + places.memory + ")";
  return {};
}

void open_vmlinux(const KernelIdentity& kernel, const SymbolSources& sources, ModuleStore& store, const KernelPlaces& places,
                  KernelBytes& out) {
  if (kernel.symbol.empty()) { return; }
  KernelPlaces there = places;
  there.release = kernel.release.empty() ? "-" : kernel.release;
  for (const std::string& path : vmlinux_candidates(there, kernel.build_id, sources.debug)) {
    const LoadedModule* file = store.load({0, path, 0, 0});
    if (!file->image || file->build_id != kernel.build_id) { continue; }
    std::optional<uint64_t> linked = elf::find_symbol(*file->image, kernel.symbol);
    if (!linked || !file->image->has_contents(*linked)) { continue; }
    out.vmlinux = file;
    out.symbols = load_file_symbols(*file, sources);
    out.moved = kernel.address - *linked;
    out.note = "instructions are from " + path + ": the kernel changes some of them when it starts";
    return;
  }
}

}  // namespace

KernelBytes open_kernel_bytes(const KernelIdentity& kernel, const SymbolSources& sources, ModuleStore& store,
                              const KernelPlaces& places) {
  KernelBytes out;
  if (kernel.build_id.empty()) {
    out.note = "no instructions: the recording does not contain the code of the kernel, nor its build ID";
    return out;
  }
  std::string why = open_memory(kernel, sources, places, out);
  if (!out.memory) { open_vmlinux(kernel, sources, store, places, out); }
  if (out.memory || out.vmlinux != nullptr) { return out; }
  std::string release = kernel.release.empty() ? std::string("the recorded kernel") : "kernel " + kernel.release;
  out.note = why.empty() ? "no instructions: " + release + " is not running since the recording, and its vmlinux was not found"
                         : "no instructions: " + why + ", and the kernel's vmlinux was not found";
  return out;
}

}  // namespace wick
