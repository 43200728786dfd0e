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

TEST(AddressSpace, FindsOnlyMappedAddresses) {
  LoadedModule a, b;
  Space space = empty()->with({0x2000, 0x3000, 0, &b})->with({0x1000, 0x2000, 0x500, &a});
  EXPECT_EQ(space->find(0xfff), nullptr);
  EXPECT_EQ(space->find(0x1000)->module, &a);
  EXPECT_EQ(space->find(0x1fff)->module, &a);
  EXPECT_EQ(space->find(0x2000)->module, &b);
  EXPECT_EQ(space->find(0x3000), nullptr);
  EXPECT_EQ(space->find(UINT64_MAX), nullptr);
}

TEST(AddressSpace, NewMappingSplitsOldOne) {
  LoadedModule a, b;
  Space before = empty()->with({0x1000, 0x9000, 0x100000, &a});
  Space after = before->with({0x3000, 0x4000, 0, &b});
  ASSERT_EQ(after->mappings().size(), 3u);
  EXPECT_EQ(after->find(0x2fff)->module, &a);
  EXPECT_EQ(after->find(0x3000)->module, &b);
  EXPECT_EQ(after->find(0x4000)->module, &a);
  EXPECT_EQ(after->find(0x4000)->file_offset, 0x103000u);
  EXPECT_EQ(before->mappings().size(), 1u) << "a shared space never changes";
}

TEST(AddressSpace, UnmapKeepsUncoveredParts) {
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

TEST(AddressSpace, IgnoresEmptyAndBackwardMappings) {
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

TEST(AddressSpace, PlaceWithoutImageIsMappedAddress) {
  LoadedModule a;
  Space space = empty()->with({0x1000, 0x2000, 0x500, &a})->with({0x4000, 0x5000, 0, nullptr});
  EXPECT_EQ(space->place(0x1234).module, &a);
  EXPECT_EQ(space->place(0x1234).svma, 0x1234u);
  EXPECT_EQ(space->place(0x3000).module, nullptr);
  EXPECT_EQ(space->place(0x4000).module, nullptr);
}

// Compares with a page table in a plain map.
void compare_with_page_table(uint64_t page_count, uint64_t longest, int rounds, int check_each) {
  std::vector<LoadedModule> modules(8);
  std::map<uint64_t, std::pair<const LoadedModule*, uint64_t>> pages;
  std::mt19937 random(7);
  Space space = empty();
  for (int round = 1; round <= rounds; ++round) {
    uint64_t start = random() % page_count, end = start + 1 + random() % (random() % 64 == 0 ? page_count / 2 : longest);
    Space before = space;
    std::vector<Mapping> mappings_before = before->mappings();
    if (random() % 3 == 0) {
      space = space->without(start << 12, end << 12);
      for (uint64_t p = start; p < end; ++p) { pages.erase(p); }
    } else {
      const LoadedModule* module = &modules[random() % modules.size()];
      uint64_t offset = (random() % 100) << 12;
      space = space->with({start << 12, end << 12, offset, module});
      for (uint64_t p = start; p < end; ++p) { pages[p] = {module, offset + ((p - start) << 12)}; }
    }
    if (round % check_each != 0) { continue; }
    ASSERT_EQ(before->mappings().size(), mappings_before.size()) << "a shared space never changes";
    uint64_t last = 0;
    for (const Mapping& m : space->mappings()) {
      ASSERT_LE(last, m.start);
      ASSERT_LT(m.start, m.end);
      last = m.end;
    }
    EXPECT_EQ(space->end(), last);
    for (uint64_t p = 0; p < 2 * page_count; ++p) {
      const Mapping* m = space->find((p << 12) + 5);
      auto want = pages.find(p);
      ASSERT_EQ(m != nullptr, want != pages.end());
      if (m == nullptr) { continue; }
      ASSERT_EQ(m->module, want->second.first);
      ASSERT_EQ((p << 12) - m->start + m->file_offset, want->second.second);
    }
  }
}

TEST(AddressSpace, BehavesLikeAPageTable) {
  compare_with_page_table(64, 16, 3000, 1);
  compare_with_page_table(4000, 3, 12000, 400);  // thousands of mappings
}

// Sixty thousand mappings, added one at a time with each copy kept: without sharing, this would take 115 GB.
TEST(AddressSpace, CopiesShareUnchangedChunks) {
  LoadedModule a;
  std::vector<Space> kept;
  Space space = empty();
  constexpr uint64_t kCount = 60'000;
  for (uint64_t i = kCount; i > 0; --i) {
    space = space->with({i << 12, (i + 1) << 12, 0, &a});
    if (i % 20 == 0) { kept.push_back(space); }
  }
  EXPECT_EQ(space->mappings().size(), kCount);
  EXPECT_EQ(kept.back()->find(uint64_t{1} << 12), nullptr);
  EXPECT_NE(space->find(uint64_t{1} << 12), nullptr);
}

TEST(AddressSpace, CopiesOnlyWhileShared) {
  LoadedModule a;
  auto space = std::make_shared<AddressSpace>();
  const AddressSpace* first = space.get();
  AddressSpace::own(space).map({0x1000, 0x2000, 0, &a});
  EXPECT_EQ(space.get(), first);
  Space held = space;
  uint64_t serial = held->serial();
  AddressSpace::own(space).map({0x3000, 0x4000, 0, &a});
  EXPECT_NE(space.get(), first);
  EXPECT_EQ(held->find(0x3000), nullptr);
  EXPECT_EQ(held->serial(), serial);
  EXPECT_NE(space->find(0x3000), nullptr);
  const AddressSpace* second = space.get();
  AddressSpace::own(space).unmap(0x1000, 0x2000);
  EXPECT_EQ(space.get(), second);
  EXPECT_EQ(space->find(0x1000), nullptr);
  EXPECT_NE(held->find(0x1000), nullptr);
}

}  // namespace
}  // namespace wick
