// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// The kernel relocates itself at boot: /proc/kallsyms has the current addresses, vmlinux the linked ones, and the difference is
// that of _stext. Function names come from kallsyms, so they are the same with and without vmlinux.

#include "symbolize/vmlinux.h"

#include <sys/utsname.h>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "elf/symbols.h"
#include "symbolize/debug_index.h"

namespace wick {
namespace {

class KernelWithLines : public FileSymbols {
 public:
  KernelWithLines(std::unique_ptr<KernelSymbols> symbols, std::unique_ptr<DebugFile> file, std::unique_ptr<DebugIndex> index,
                  uint64_t moved)
      : symbols_(std::move(symbols)), file_(std::move(file)), index_(std::move(index)), moved_(moved) {}

  using FileSymbols::find;
  void find(uint64_t address, std::vector<SymbolizedFrame>& chain) const override {
    symbols_->find(address, chain);
    if (!symbols_->is_core(address) || chain.empty()) { return; }
    std::string_view name = chain[0].function;
    std::vector<SymbolizedFrame> with_lines;
    index_->find(address - moved_, with_lines);
    if (with_lines.empty()) { return; }
    chain = std::move(with_lines);
    chain.back().function = name;
  }
  bool has_symbols() const override { return true; }
  std::optional<elf::AddressRange> function_range(uint64_t address) const override { return symbols_->function_range(address); }

 private:
  std::unique_ptr<KernelSymbols> symbols_;
  std::unique_ptr<DebugFile> file_;
  std::unique_ptr<DebugIndex> index_;  // of the file
  uint64_t moved_;                     // mod 2^64
};

}  // namespace

std::string load_kernel_build_id(const KernelPlaces& kernel) {
  Result<std::string> notes = read_file(kernel.notes, 1 << 20);
  return notes.ok() ? elf::find_build_id(as_bytes(*notes)) : std::string();
}

std::string load_boot_id(const KernelPlaces& kernel) {
  Result<std::string> boot = read_file(kernel.boot_id, 64);
  return boot.ok() ? std::string(trim(*boot)) : std::string();
}

std::vector<std::string> vmlinux_candidates(const KernelPlaces& kernel, const std::string& build_id, const DebugPlaces& places) {
  std::string release = kernel.release;
  utsname here{};
  if (release.empty() && ::uname(&here) == 0) { release = here.release; }
  std::vector<std::string> out = build_id_candidates(build_id, places);
  if (release.empty() || release.find('/') != std::string::npos) { return out; }
  for (const std::string& dir : places.debug_dirs) {
    for (const std::string& path : {"/vmlinux-" + release, std::string("/vmlinux"), "/boot/vmlinux-" + release,
                                    "/lib/modules/" + release + "/vmlinux", "/usr/lib/modules/" + release + "/vmlinux"}) {
      out.push_back(dir + path);
    }
  }
  for (const std::string& path : {"/usr/lib/debug/boot/vmlinux-" + release, "/usr/lib/debug/lib/modules/" + release + "/vmlinux",
                                  "/usr/lib/debug/usr/lib/modules/" + release + "/vmlinux",
                                  "/lib/modules/" + release + "/build/vmlinux", "/boot/vmlinux-" + release}) {
    out.push_back(kernel.root + path);
  }
  return out;
}

std::unique_ptr<FileSymbols> add_vmlinux(std::unique_ptr<KernelSymbols> symbols, const SymbolSources& sources,
                                         const KernelPlaces& kernel) {
  std::string build_id = load_kernel_build_id(kernel);
  if (build_id.empty() || symbols->core_begin() == 0) { return symbols; }
  for (const std::string& path : vmlinux_candidates(kernel, build_id, sources.debug)) {
    Result<MappedFile> file = MappedFile::open(path);
    if (!file.ok()) { continue; }
    Result<elf::Image> image = elf::Image::parse(file->bytes());
    if (!image.ok() || image->build_id() != build_id || !has_debug_info(*image)) { continue; }
    std::optional<uint64_t> begin = elf::find_symbol(*image, "_stext");
    if (!begin) { continue; }
    auto vmlinux = std::make_unique<DebugFile>(DebugFile{path, *std::move(file), *std::move(image)});
    std::unique_ptr<DebugIndex> index = DebugIndex::load(vmlinux->image, vmlinux->image, path, sources, {});
    if (index == nullptr) { continue; }
    uint64_t moved = symbols->core_begin() - *begin;
    return std::make_unique<KernelWithLines>(std::move(symbols), std::move(vmlinux), std::move(index), moved);
  }
  return symbols;
}

}  // namespace wick
