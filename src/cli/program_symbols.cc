// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/program_symbols.h"

#include <elf.h>

#include <cerrno>
#include <cstdlib>

#include "base/text.h"

namespace wick {
namespace {

using RealPath = std::unique_ptr<char, decltype(&std::free)>;
RealPath real_path(const std::string& path) { return {::realpath(path.c_str(), nullptr), &std::free}; }

}  // namespace

Result<ProgramSymbols> load_program_symbols(const std::string& executable, const std::string& section,
                                            const SymbolSources& sources) {
  // The path below --symfs if it exists there, else the path itself.
  const std::string& symfs = sources.debug.symfs;
  RealPath absolute = symfs.empty() ? RealPath(nullptr, &std::free) : real_path(symfs + "/" + executable);
  if (!absolute) { absolute = real_path(executable); }
  if (!absolute) { return Error::from_errno(errno, "cannot open %s", executable.c_str()); }
  ProgramSymbols program;
  program.store = std::make_unique<ModuleStore>();
  program.module = program.store->load({0, absolute.get(), 0, 0});
  if (!program.module->image) {
    const std::string& trouble = program.module->trouble;
    return Error("cannot read %s: %s", executable.c_str(), trouble.empty() ? "it is not a regular file" : trouble.c_str())
        .with_hint("wick addr2line -e PROGRAM ADDRESS…");
  }
  const elf::Image& image = *program.module->image;
  if (!section.empty()) {
    const elf::Section* found = image.find_section(section);
    if (found == nullptr) { return Error("%s has no section \"%s\"", executable.c_str(), section.c_str()); }
    program.base = found->vaddr;
  }
  if (image.type() == ET_REL) {
    return Error("cannot read %s: it is an object file or kernel module, which has no addresses before it is linked or loaded",
                 executable.c_str())
        .with_hint("addr2line -e " + shell_quote(executable) + " ADDRESS…   (from binutils)");
  }
  program.symbols = load_file_symbols(*program.module, sources);
  return program;
}

}  // namespace wick
