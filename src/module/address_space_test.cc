// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/address_space.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace wick {
namespace {

using Space = std::shared_ptr<const AddressSpace>;

Space empty() { return std::make_shared<AddressSpace>(); }

TEST(AddressSpace, FindsWhatIsMappedAndNothingElse) {
  LoadedModule a, b;
  Space space = empty()->with({0x2000, 0x3000, 0, &b})->with({0x1000, 0x2000, 0x500, &a});
  EXPECT_EQ(space->find(0xfff), nullptr);
  EXPECT_EQ(space->find(0x1000)->module, &a);
  EXPECT_EQ(space->find(0x1fff)->module, &a);
  EXPECT_EQ(space->find(0x2000)->module, &b);
  EXPECT_EQ(space->find(0x3000), nullptr);
  EXPECT_EQ(space->find(UINT64_MAX), nullptr);
}

TEST(AddressSpace, ANewMappingCutsAHole) {
  LoadedModule a, b;
  Space before = empty()->with({0x1000, 0x9000, 0x100000, &a});
  Space after = before->with({0x3000, 0x4000, 0, &b});
  ASSERT_EQ(after->mappings().size(), 3u);
  EXPECT_EQ(after->find(0x2fff)->module, &a);
  EXPECT_EQ(after->find(0x3000)->module, &b);
  EXPECT_EQ(after->find(0x4000)->module, &a);
  EXPECT_EQ(after->find(0x4000)->file_offset, 0x103000u);
  EXPECT_EQ(before->mappings().size(), 1u) << "a shared one never changes";
}

TEST(AddressSpace, UnmappingLeavesTheRest) {
  LoadedModule a, b;
  Space space = empty()->with({0x1000, 0x3000, 0, &a})->with({0x3000, 0x5000, 0x2000, &b})->without(0x2000, 0x4000);
  ASSERT_EQ(space->mappings().size(), 2u);
  EXPECT_EQ(space->find(0x1fff)->module, &a);
  EXPECT_EQ(space->find(0x2000), nullptr);
  EXPECT_EQ(space->find(0x3fff), nullptr);
  EXPECT_EQ(space->find(0x4000)->file_offset, 0x3000u);
  EXPECT_TRUE(space->without(0, UINT64_MAX)->mappings().empty());
  EXPECT_EQ(space->without(0x2000, 0x2000)->mappings().size(), 2u);
}

TEST(AddressSpace, EmptyAndBackwardMappingsAreNone) {
  LoadedModule a;
  EXPECT_TRUE(empty()->with({0x1000, 0x1000, 0, &a})->mappings().empty());
  EXPECT_TRUE(empty()->with({0x2000, 0x1000, 0, &a})->mappings().empty());
}

TEST(AddressSpace, SerialsDiffer) {
  LoadedModule a;
  std::set<uint64_t> seen{empty()->serial()};
  EXPECT_EQ(*seen.begin(), 0u);
  Space space = empty();
  for (int i = 0; i < 10; ++i) {
    space = space->with({0x1000, 0x2000, 0, &a});
    EXPECT_TRUE(seen.insert(space->serial()).second);
    EXPECT_TRUE(seen.insert(space->without(0, 1)->serial()).second);
  }
}

TEST(AddressSpace, PlaceWithoutAnImageIsAsMapped) {
  LoadedModule a;
  Space space = empty()->with({0x1000, 0x2000, 0x500, &a})->with({0x4000, 0x5000, 0, nullptr});
  EXPECT_EQ(space->place(0x1234).module, &a);
  EXPECT_EQ(space->place(0x1234).svma, 0x1234u);
  EXPECT_EQ(space->place(0x3000).module, nullptr);
  EXPECT_EQ(space->place(0x4000).module, nullptr);
}

// Against a page table that is a plain map.
TEST(AddressSpace, BehavesLikeAPageTable) {
  std::vector<LoadedModule> modules(8);
  std::map<uint64_t, std::pair<const LoadedModule*, uint64_t>> pages;
  std::mt19937 random(7);
  Space space = empty();
  for (int round = 0; round < 3000; ++round) {
    uint64_t start = random() % 64, end = start + 1 + random() % 16;
    if (random() % 3 == 0) {
      space = space->without(start << 12, end << 12);
      for (uint64_t p = start; p < end; ++p) { pages.erase(p); }
    } else {
      const LoadedModule* module = &modules[random() % modules.size()];
      uint64_t offset = (random() % 100) << 12;
      space = space->with({start << 12, end << 12, offset, module});
      for (uint64_t p = start; p < end; ++p) { pages[p] = {module, offset + ((p - start) << 12)}; }
    }
    uint64_t last = 0;
    for (const Mapping& m : space->mappings()) {
      ASSERT_LE(last, m.start);
      ASSERT_LT(m.start, m.end);
      last = m.end;
    }
    for (uint64_t p = 0; p < 90; ++p) {
      const Mapping* m = space->find((p << 12) + 5);
      auto want = pages.find(p);
      ASSERT_EQ(m != nullptr, want != pages.end());
      if (m == nullptr) { continue; }
      ASSERT_EQ(m->module, want->second.first);
      ASSERT_EQ((p << 12) - m->start + m->file_offset, want->second.second);
    }
  }
}

TEST(AddressSpace, ManyAtOnceIsTheSameAsOneByOne) {
  LoadedModule a, b;
  std::vector<Mapping> many;
  for (uint64_t i = 0; i < 50; ++i) {
    many.push_back({(i * 37 % 41) << 12, ((i * 37 % 41) + 1 + i % 3) << 12, i << 12, i % 2 ? &a : &b});
  }
  Space at_once = empty()->with(many), one_by_one = empty();
  for (const Mapping& m : many) { one_by_one = one_by_one->with(m); }
  ASSERT_EQ(at_once->mappings().size(), one_by_one->mappings().size());
  for (size_t i = 0; i < at_once->mappings().size(); ++i) {
    EXPECT_EQ(at_once->mappings()[i].start, one_by_one->mappings()[i].start);
    EXPECT_EQ(at_once->mappings()[i].module, one_by_one->mappings()[i].module);
    EXPECT_EQ(at_once->mappings()[i].file_offset, one_by_one->mappings()[i].file_offset);
  }
}

}  // namespace
}  // namespace wick
