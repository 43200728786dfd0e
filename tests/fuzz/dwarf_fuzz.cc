// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Debug information of a whole ELF file, made into a symbol index; the index is then asked everywhere, and written and read back.
// As a split file and as a package, too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "elf/dwarf_package.h"
#include "elf/symbol_index_build.h"

namespace {

using namespace wick::elf;

void ask(const SymbolIndex& index, uint64_t step) {
  std::vector<SymbolIndex::Frame> chain;
  for (uint64_t distance = 0; distance < 0x3000; distance += step) {
    index.find(index.base() + distance, chain);
    if (chain.size() > 512) { __builtin_trap(); }
  }
  index.find(0, chain);
  index.find(UINT64_MAX, chain);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wick::Result<Image> image = Image::parse({data, size});
  if (!image.ok()) { return 0; }
  DwarfFile dwarf{DwarfSections(*image)};
  DwarfFile split{DwarfSections(*image, {.dwo = true})};
  DwarfPackage package(*image);
  package.find(0);
  dwarf.attach_supplement(&split);
  CodeRanges code(*image);
  UnitSymbolsReader reader;
  std::vector<UnitSymbols> units;
  for (const DwarfUnit& unit : dwarf.units()) {
    if (units.size() >= 64) { break; }
    units.push_back(reader.read(unit, nullptr, code));
    if (DwarfFile::attach_split(unit, split)) { units.push_back(reader.read(unit, &split.units()[0], code)); }
  }
  std::vector<uint64_t> svmas;
  std::vector<NamedFrame> chain;
  for (const UnitSymbols& unit : units) {
    for (size_t i = 0; i < unit.segments.size() && svmas.size() < 64; i += 3) { svmas.push_back(unit.segments[i].begin); }
  }
  std::sort(svmas.begin(), svmas.end());
  WantedAddresses wanted(svmas);
  for (size_t i = 0; i < dwarf.units().size() && i < 64; ++i) {
    UnitSymbols part = reader.read(dwarf.units()[i], nullptr, code, &wanted);
    for (uint64_t svma : svmas) { part.find(svma, chain); }
  }
  SymbolIndexTables tables = merge_symbols(units);
  SymbolIndex index(tables);
  // Asking at every address took longer than all else; the index that is read back has the same tables.
  ask(index, 37);
  std::string header, bytes;
  for (wick::Bytes part : index.parts(header)) { bytes.append(reinterpret_cast<const char*>(part.data()), part.size()); }
  std::vector<uint64_t> aligned(bytes.size() / 8 + 1);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(aligned.data()));
  wick::Result<SymbolIndex> again = SymbolIndex::parse({reinterpret_cast<const uint8_t*>(aligned.data()), bytes.size()});
  if (!again.ok() || again->node_count() != index.node_count()) { __builtin_trap(); }
  ask(*again, 509);
  return 0;
}
