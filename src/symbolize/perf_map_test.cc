// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/perf_map.h"

#include <gtest/gtest.h>

namespace wick {
namespace {

// The names of the addresses, with the text fed in pieces of the given size.
std::vector<std::string> read(std::string_view text, std::vector<uint64_t> addresses, size_t piece = 1 << 20) {
  std::vector<CodeAddress> wanted;
  for (uint64_t address : addresses) { wanted.push_back({address, 1}); }
  CodeNames names(wanted);
  PerfMapReader reader(names);
  for (size_t at = 0; at < text.size(); at += piece) { reader.feed(as_bytes(text.substr(at, piece))); }
  reader.finish();
  std::vector<std::string> out;
  for (const CodeNames::Name& name : names.names()) { out.emplace_back(name.function); }
  return out;
}

using Names = std::vector<std::string>;

TEST(PerfMap, KeepsNamesUnchanged) {
  std::string text =
      "7f769dfc5b80 188 JS:*fib /tmp/a b/fib.js:1:13\n"
      "7f769dfc5d40 138 LazyCompile:~outer  x\n"
      "0x7f0000000000 0x10 Lcom/example/A;::run\n";
  Names wanted = {"JS:*fib /tmp/a b/fib.js:1:13", "LazyCompile:~outer  x", "Lcom/example/A;::run", ""};
  for (size_t piece : {1, 2, 7, 1 << 20}) {
    EXPECT_EQ(read(text, {0x7f769dfc5b80, 0x7f769dfc5e77, 0x7f000000000f, 0x7f769dfc5e78}, piece), wanted);
  }
}

TEST(PerfMap, LaterLinesReplaceEarlier) {
  EXPECT_EQ(read("1000 100 a\n1000 100 b\n1080 10 c\n", {0x1000, 0x1080, 0x1090}), (Names{"b", "c", "b"}));
}

TEST(PerfMap, SkipsMalformedLines) {
  EXPECT_EQ(read("\n\nhello world\n1000\n1000 10\n1000 10 \n1000 zz x\n-1 10 x\n11112222333344445 1 x\n1000 10 good", {0x1000}),
            Names{"good"});
  EXPECT_EQ(read("", {0x1000}), Names{""});
}

TEST(PerfMap, TruncatesEndlessLines) {
  std::string text = "1000 10 " + std::string(1'000'000, 'x') + "\n1010 10 next\n";
  Names found = read(text, {0x1000, 0x1010}, 4096);
  EXPECT_EQ(found[0].size(), CodeNames::kMaxNameBytes);
  EXPECT_EQ(found[1], "next");
}

}  // namespace
}  // namespace wick
