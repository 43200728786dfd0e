// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// tests/e2e/test_symbols.py compares with LLVM end to end; these tests cover cases that compilers rarely produce.

#include "elf/symbol_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/fd.h"
#include "elf/symbol_index_build.h"

namespace wick::elf {
namespace {

constexpr uint32_t kNothing = SymbolIndex::kNothing;

// "inner@file:line < outer@file:line"
std::string show(const SymbolIndex& index, uint64_t svma) {
  std::vector<SymbolIndex::Frame> chain;
  index.find(svma, chain);
  std::string out;
  for (const SymbolIndex::Frame& f : chain) {
    if (!out.empty()) { out += " < "; }
    out += std::string(f.function) + "@" + std::string(f.file) + ":" + std::to_string(f.line);
  }
  return out;
}

UnitSymbols unit_of(const char* name, uint64_t begin, uint64_t end) {
  UnitSymbols unit;
  unit.ranges = {{begin, end}};
  unit.functions = {name};
  unit.files = {std::string(name) + ".c"};
  unit.nodes = {{0, kNothing, kNothing, 0, 0}};
  unit.segments = {{begin, end, 0}};
  unit.lines = {{begin, 0, 1, 0}, {end, kNothing, 0, 0}};
  return unit;
}

SymbolIndexTables merged(std::vector<UnitSymbols> units) { return merge_symbols(units); }

TEST(SymbolIndex, FindsInlineChains) {
  UnitSymbols unit = unit_of("outer", 0x1000, 0x1100);
  unit.functions.push_back("middle");
  unit.functions.push_back("inner");
  unit.nodes.push_back({1, 0, 0, 10, 3});
  unit.nodes.push_back({2, 1, 0, 20, 4});
  unit.segments = {{0x1000, 0x1010, 0}, {0x1010, 0x1020, 2}, {0x1020, 0x1030, 1}, {0x1030, 0x1100, 0}};
  SymbolIndexTables tables = merged({unit});
  SymbolIndex index(tables);
  EXPECT_EQ(show(index, 0x100f), "outer@outer.c:1");
  EXPECT_EQ(show(index, 0x1010), "inner@outer.c:1 < middle@outer.c:20 < outer@outer.c:10");
  EXPECT_EQ(show(index, 0x1020), "middle@outer.c:1 < outer@outer.c:10");
  EXPECT_EQ(show(index, 0x10ff), "outer@outer.c:1");
  EXPECT_EQ(show(index, 0x1100), "");
  EXPECT_EQ(show(index, 0xfff), "");
}

TEST(SymbolIndex, LeavesGapsBetweenUnitsEmpty) {
  SymbolIndexTables tables = merged({unit_of("b", 0x9000, 0x9010), unit_of("a", 0x1000, 0x1010)});
  SymbolIndex index(tables);
  EXPECT_EQ(show(index, 0x1000), "a@a.c:1");
  EXPECT_EQ(show(index, 0x1010), "");
  EXPECT_EQ(show(index, 0x5000), "");
  EXPECT_EQ(show(index, 0x8fff), "");
  EXPECT_EQ(show(index, 0x9000), "b@b.c:1");
  EXPECT_EQ(show(index, 0x9010), "");
}

TEST(SymbolIndex, OwnerOfPrecedingCodeKeepsOverlap) {
  // b claims the end of a's code and more: it gets the rest.
  SymbolIndexTables tables = merged({unit_of("a", 0x1000, 0x1020), unit_of("b", 0x1010, 0x1030), unit_of("c", 0x1010, 0x1018)});
  SymbolIndex index(tables);
  EXPECT_EQ(show(index, 0x1018), "a@a.c:1");
  EXPECT_EQ(show(index, 0x1020), "b@b.c:1");
  // Of two with the same start, the first wins.
  tables = merged({unit_of("a", 0x1000, 0x1020), unit_of("b", 0x1000, 0x1020)});
  EXPECT_EQ(show(SymbolIndex(tables), 0x1000), "a@a.c:1");
}

TEST(SymbolIndex, FindsLineWithoutFunction) {
  UnitSymbols unit = unit_of("asm", 0x1000, 0x1010);
  unit.segments.clear();
  SymbolIndexTables tables = merged({unit});
  EXPECT_EQ(show(SymbolIndex(tables), 0x1008), "@asm.c:1");
}

std::vector<uint64_t> bytes_of(const SymbolIndex& index, size_t& size) {
  std::string header, bytes;
  for (Bytes part : index.parts(header)) { bytes.append(reinterpret_cast<const char*>(part.data()), part.size()); }
  size = bytes.size();
  std::vector<uint64_t> out(size / 8 + 1);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(out.data()));
  return out;
}

TEST(SymbolIndex, RoundTripsAndDetectsDamage) {
  SymbolIndexTables tables = merged({unit_of("a", 0x1000, 0x1020), unit_of("b", 0x4001'0000, 0x4002'0000)});
  SymbolIndex index(tables);
  size_t size = 0;
  std::vector<uint64_t> words = bytes_of(index, size);
  Bytes bytes(reinterpret_cast<const uint8_t*>(words.data()), size);
  Result<SymbolIndex> again = SymbolIndex::parse(bytes);
  ASSERT_TRUE(again.ok());
  for (uint64_t at : {0xfffu, 0x1000u, 0x101fu, 0x1020u, 0x4000'ffffu, 0x4001'0000u, 0x4001'ffffu, 0x4002'0000u}) {
    EXPECT_EQ(show(*again, at), show(index, at)) << at;
  }
  // Detects any damage and truncation.
  for (size_t i = 0; i < size; i += i < 256 ? 1 : std::max<size_t>(13, size / 300)) {
    auto* changed = reinterpret_cast<uint8_t*>(words.data());
    changed[i] ^= 0x10;
    EXPECT_FALSE(SymbolIndex::parse(bytes).ok()) << i;
    changed[i] ^= 0x10;
    EXPECT_FALSE(SymbolIndex::parse(bytes.first(i)).ok());
  }
}

TEST(SymbolIndex, HandlesEmptyIndex) {
  SymbolIndexTables tables = merged({});
  SymbolIndex index(tables);
  EXPECT_TRUE(index.empty());
  EXPECT_EQ(show(index, 0), "");
  EXPECT_EQ(show(SymbolIndex(), 0x1000), "");
}

}  // namespace
}  // namespace wick::elf
