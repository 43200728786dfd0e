// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/generated_symbols.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/byte_writer.h"
#include "base/clock.h"
#include "base/text.h"

namespace wick {
namespace {

class GeneratedCodeTest : public testing::Test {
 protected:
  GeneratedCodeTest() {
    for (uint32_t value : {0x4a695444u, 1u, 40u, 62u, 0u, 1u}) { dump_.u32(value); }
    dump_.u64(0);
    dump_.u64(0);
  }
  ~GeneratedCodeTest() override { std::filesystem::remove(path_); }

  void load(uint64_t time, uint64_t address, const std::string& name, const std::string& code) {
    dump_.u32(0);
    dump_.u32(static_cast<uint32_t>(16 + 40 + name.size() + 1 + code.size()));
    dump_.u64(time);
    for (uint64_t value : {uint64_t{0}, address, address, uint64_t{code.size()}, uint64_t{0}}) { dump_.u64(value); }
    dump_.bytes(as_bytes(name));
    dump_.u8(0);
    dump_.bytes(as_bytes(code));
  }
  std::vector<GeneratedBody> read(std::vector<CodeAddress> wanted, GeneratedCodeWish wish) {
    std::string text(reinterpret_cast<const char*>(dump_.data().data()), dump_.size());
    std::ofstream(path_) << text;
    JitFiles files(static_cast<uint32_t>(::getpid()), now_ns());
    struct stat info{};
    EXPECT_EQ(::stat(path_.c_str(), &info), 0);
    files.add_dump({static_cast<uint32_t>(::getpid()), path_, info.st_dev, info.st_ino});
    std::vector<GeneratedBody> bodies;
    names_ = name_generated_code(files, std::move(wanted), wish, bodies);
    return bodies;
  }

  ByteWriter dump_;
  const std::string path_ = strf("/tmp/jit-%d.dump", ::getpid());
  std::vector<GeneratedName> names_;
};

TEST_F(GeneratedCodeTest, CodeIsThatOfTheSample) {
  load(100, 0x1000, "old", "OLDOLD");
  load(200, 0x1000, "new", "NEW");
  load(300, 0x1004, "inside", "II");
  // Two places of "old", one of them where "inside" was later; one of "new".
  std::vector<GeneratedBody> bodies =
      read({{0x1001, 150}, {0x1001, 250}, {0x1004, 150}}, {.weights = {10, 20, 30}, .least_weight = 1, .most_bytes = 100});
  ASSERT_EQ(names_.size(), 3u);
  EXPECT_EQ(names_[2].function, "old");
  ASSERT_EQ(bodies.size(), 2u);
  const GeneratedBody& first = bodies[0].bytes == "NEW" ? bodies[1] : bodies[0];
  const GeneratedBody& second = bodies[0].bytes == "NEW" ? bodies[0] : bodies[1];
  EXPECT_EQ(first.bytes, "OLDOLD");
  EXPECT_EQ(first.rows, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(first.weight, 40u);
  EXPECT_EQ(first.address, 0x1000u);
  EXPECT_EQ(second.bytes, "NEW");
  EXPECT_EQ(second.rows, (std::vector<uint32_t>{1}));
  EXPECT_EQ(second.weight, 20u);
}

TEST_F(GeneratedCodeTest, OnlyHotAndSmallFunctions) {
  load(100, 0x1000, "cold", "cccc");
  load(100, 0x2000, "hot", "hhhh");
  load(100, 0x3000, "large", std::string(101, 'l'));
  load(100, 0x4000, "only calls", "oooo");
  std::vector<GeneratedBody> bodies = read({{0x1000, 150}, {0x2000, 150}, {0x3000, 150}, {0x4000, 150}},
                                           {.weights = {9, 10, 500, 0}, .least_weight = 10, .most_bytes = 100});
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].bytes, "hhhh");
  EXPECT_TRUE(read({{0x2000, 150}}, {}).empty()) << "not asked for";
  EXPECT_EQ(names_[0].function, "hot");
}

}  // namespace
}  // namespace wick
