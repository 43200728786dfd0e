// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/folded_wide.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "import/common/testing.h"
#include "import/text/folded.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

// Copied, so that sanitizers see a step beyond the end.
Result<Profile> try_read(const std::string& text, double least_share, std::unique_ptr<Pieces> pieces = nullptr) {
  std::vector<uint8_t> exact(text.begin(), text.end());
  ImportOptions options;
  options.merge = true;
  options.least_share = least_share;
  Input input(pieces ? std::move(pieces) : make_memory_pieces(Bytes(exact.data(), exact.size())));
  return read_folded(input, options);
}
Profile read(const std::string& text, double least_share = 0, std::unique_ptr<Pieces> pieces = nullptr) {
  Result<Profile> p = try_read(text, least_share, std::move(pieces));
  EXPECT_TRUE(p.ok()) << text;
  return p.ok() ? *std::move(p) : Profile();
}

using testing_import::stacks_of;
using Stacks = std::map<std::string, int64_t>;

enum class Lines : uint8_t { kStay, kGo };

// As for a large text: also few stacks are cut.
Profile read_wide(const std::string& text, double least_share, Lines lines = Lines::kStay) {
  ProfileBuilder b;
  EventId event = b.event("samples", "samples");
  ThreadId thread = b.add_thread(b.add_process(0, ""), 0, "");
  std::vector<uint8_t> exact(text.begin(), text.end());
  Bytes bytes(exact.data(), exact.size());
  WideStacks wide(b, least_share, lines == Lines::kStay ? bytes : Bytes(), {}, 0);
  for (std::string_view line : split({reinterpret_cast<const char*>(exact.data()), exact.size()}, '\n')) {
    size_t blank = line.rfind(' ');
    if (blank == line.npos) { continue; }
    uint64_t count = *parse_u64(line.substr(blank + 1));
    std::string gone(line.substr(0, blank));
    EXPECT_TRUE(wide.add(lines == Lines::kStay ? line.substr(0, blank) : std::string_view(gone), count));
  }
  std::vector<uint64_t> own = std::move(wide).finish(WideStacks::Until::kNarrow);
  for (uint32_t i = 0; i < own.size(); ++i) {
    if (own[i] == 0) { continue; }
    b.add_sample(
        {.thread = thread, .stack = StackId{i}, .event = event, .weight = static_cast<int64_t>(own[i]), .count = own[i]});
  }
  return std::move(b).build();
}

TEST(WideFolded, KeepsWideStacksAndShortensNarrowOnes) {
  std::string text = "main;a;b 60\nmain;c;d;e 3\nmain;c;d;f 2\nmain 30\nmain;a;b 5";
  EXPECT_EQ(stacks_of(read_wide(text, 0.1)), (Stacks{{"main", 30}, {"main;a;b", 65}, {"main;c;e", 3}, {"main;c;f", 2}}));
  EXPECT_EQ(stacks_of(read(text)), (Stacks{{"main", 30}, {"main;a;b", 65}, {"main;c;d;e", 3}, {"main;c;d;f", 2}}));
}

TEST(WideFolded, UnusualTextIsReadAsWithoutAShare) {
  for (const char* text : {"", "\n# x\n", "main;a 3.5\n", "main;a 3 4\n", "main;a 1\nnonsense\n",
                           "main;b;c 2\nmain;a;b 0.5\nmain;b;c 1\n", "a -3\nb 1\n", "a 9999999999999999999\nb 1\n",
                           "frame 12 5\n", "a 1\nframe 12 5\n", "a;b 0\na;c 1\n", "a;b 1\na;c\t2\r\n;; 4\n"}) {
    Profile want = read(text), got = read(text, 0.5);
    EXPECT_EQ(stacks_of(got), stacks_of(want)) << text;
    EXPECT_EQ(got.warnings(), want.warnings()) << text;
    EXPECT_EQ(got.is_difference(), want.is_difference()) << text;
  }
  for (const char* text : {"main;a\n", "main;a x\n", "3\n"}) {
    EXPECT_EQ(try_read(text, 0.5).error().message(), try_read(text, 0).error().message());
  }
  EXPECT_EQ(stacks_of(read("a;b;c;d 4\nx;y;z 4000000000000000000\nx;y;z;a 4000000000000000000\n", 0.5)).count("a;b;c;d"), 1u);
}

// Any order, names that sort between a frame and its callees, empty names.
TEST(WideFolded, SumsAreThoseOfTheText) {
  std::mt19937 random(3);
  const char* names[] = {"a", "a b", "a!", "ab", "b", "", "main", "zz~"};
  for (int round = 0; round < 50; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
      text += "x";
      for (unsigned depth = random() % 6; depth > 0; --depth) { text += std::string(";") + names[random() % 8]; }
      text += strf(" %u\n", 1 + static_cast<unsigned>(random() % 20));
    }
    Stacks whole = stacks_of(read(text));
    ASSERT_EQ(stacks_of(read_wide(text, 1e-9)), whole) << text;
    int64_t sum = 0, cut_sum = 0;
    for (const auto& [stack, weight] : whole) { sum += weight; }
    for (const auto& [stack, weight] : stacks_of(read_wide(text, 0.2))) { cut_sum += weight; }
    ASSERT_EQ(cut_sum, sum);
  }
}

std::string make_varied_text(size_t lines, unsigned depth) {
  std::mt19937 random(7);
  std::string text;
  for (size_t i = 0; i < lines; ++i) {
    text += "main";
    for (unsigned d = 0; d < depth; ++d) { text += strf(";f%u", static_cast<unsigned>(random() % (d < 3 ? 4 : 50))); }
    text += strf(" %u\n", 1 + static_cast<unsigned>(random() % 20));
  }
  return text;
}

// Costs of all stacks that begin so.
std::map<std::string, int64_t> totals_of(const Stacks& stacks, int64_t least) {
  std::map<std::string, int64_t> totals;
  for (const auto& [stack, weight] : stacks) {
    for (size_t end = stack.find(';'); end != stack.npos; end = stack.find(';', end + 1)) {
      totals[stack.substr(0, end)] += weight;
    }
    totals[stack] += weight;
  }
  std::erase_if(totals, [&](const auto& row) { return row.second < least; });
  return totals;
}

TEST(WideFolded, HasAllNodesThatAreWide) {
  std::string text = make_varied_text(5000, 12);
  Stacks all = stacks_of(read(text)), wide = stacks_of(read_wide(text, 0.01));
  int64_t sum = 0;
  for (const auto& [stack, weight] : all) { sum += weight; }
  auto least = static_cast<int64_t>(0.01 * static_cast<double>(sum)) + 1;
  EXPECT_EQ(totals_of(wide, least), totals_of(all, least));
  EXPECT_LT(read_wide(text, 0.01).stacks().size(), read(text).stacks().size() / 3);
  std::string costly_last = text + "main;f1;x;y;z 1000000\n";
  EXPECT_EQ(stacks_of(read_wide(costly_last, 0.01))["main;f1;x;y;z"], 1000000);
}

// Two lines that are wide only together, of many frames: no pass takes them more than some frames further.
TEST(WideFolded, DeepStacksTakeFewPasses) {
  std::string deep = "main";
  for (int i = 0; i < 20000; ++i) { deep += ";r"; }
  std::string text = deep + ";a 6\n" + deep + ";b 6\nmain;c 88\n";
  EXPECT_EQ(stacks_of(read_wide(text, 0.1)), (Stacks{{deep + ";a", 6}, {deep + ";b", 6}, {"main;c", 88}}));
}

class ReleasedPieces : public Pieces {
 public:
  ReleasedPieces(const std::string& text, size_t& released) : text_(text), released_(released) {}
  Result<Bytes> next() override { return std::exchange(is_given_, true) ? Bytes() : all(); }
  bool is_memory() const override { return true; }
  void release(Bytes bytes) override {
    if (bytes.data() == all().data()) { at_ = bytes.data(); }
    EXPECT_EQ(bytes.data(), at_);
    at_ = bytes.data() + bytes.size();
    EXPECT_LE(at_, all().data() + text_.size());
    released_ += bytes.size();
  }

 private:
  Bytes all() const { return {reinterpret_cast<const uint8_t*>(text_.data()), text_.size()}; }

  const std::string& text_;
  size_t& released_;
  const uint8_t* at_ = nullptr;
  bool is_given_ = false;
};

TEST(WideFolded, ReleasesTheTextInItsOrder) {
  std::string text = make_varied_text(200000, 20);
  size_t released = 0;
  read(text, 0.01, std::make_unique<ReleasedPieces>(text, released));
  EXPECT_GT(released, text.size() / 2);
}

class SmallPieces : public Pieces {
 public:
  explicit SmallPieces(std::string text) : text_(std::move(text)) {}
  Result<Bytes> next() override {
    constexpr size_t kSize = 100;
    now_ = text_.substr(at_, kSize);
    at_ += now_.size();
    return Bytes(reinterpret_cast<const uint8_t*>(now_.data()), now_.size());
  }

 private:
  std::string text_, now_;
  size_t at_ = 0;
};

TEST(WideFolded, CopiesWaitingLinesOfTransientInput) {
  std::string text = make_varied_text(300, 5);
  Stacks wide = stacks_of(read_wide(text, 0.05, Lines::kGo)), all = stacks_of(read(text));
  int64_t sum = 0;
  for (const auto& [stack, weight] : all) { sum += weight; }
  int64_t least = sum / 20 + 1;
  EXPECT_EQ(totals_of(wide, least), totals_of(all, least));
  EXPECT_NE(wide, all);
  EXPECT_EQ(stacks_of(read_wide(text, 1e-9, Lines::kGo)), all);
}

// Enough of them that there are no longer few stacks; the last line has decimals.
TEST(WideFolded, ReadsPieces) {
  std::string text = make_varied_text(10000, 20);
  Stacks all = stacks_of(read(text)), wide = stacks_of(read(text, 0.01, std::make_unique<SmallPieces>(text)));
  int64_t sum = 0;
  for (const auto& [stack, weight] : all) { sum += weight; }
  EXPECT_EQ(totals_of(wide, sum / 100 + 1), totals_of(all, sum / 100 + 1));
  EXPECT_NE(wide, all);
  text += "main;x 0.5\n";
  EXPECT_EQ(stacks_of(read(text, 0.01, std::make_unique<SmallPieces>(text))), stacks_of(read(text)));
}

TEST(WideFolded, StopsWhereCopiesBecomeTooLarge) {
  ProfileBuilder b;
  WideStacks wide(b, 0.5, {}, {}, 0);
  std::string line = "a;b;" + std::string(size_t{1} << 20, 'c') + ";d";
  size_t lines = 0;
  while (lines < 1000 && wide.add(line + std::to_string(lines), 1)) { ++lines; }
  EXPECT_GT(lines, 200u);
  EXPECT_LT(lines, 300u);
  std::vector<uint64_t> own = std::move(wide).finish(WideStacks::Until::kLeaf);
  EXPECT_EQ(std::accumulate(own.begin(), own.end(), uint64_t{0}), lines);
  EXPECT_EQ(own.size(), 3 + lines);
}

TEST(WideFolded, TruncatedAndFlippedTextsDoNoHarm) {
  std::string text = "main;a;b 60\nmain;c;d;e 3\n# c\n\nmain;c;d;f 2\nmain 30\n";
  for (size_t n = 0; n < text.size(); ++n) { (void)try_read(text.substr(0, n), 0.1).ok(); }
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = text;
    for (int k = 0; k < 3; ++k) { bad[random() % bad.size()] ^= static_cast<char>(1u << random() % 8); }
    if (Result<Profile> p = try_read(bad, 0.1); p.ok()) { check_profile(*p); }
  }
}

}  // namespace
}  // namespace wick
