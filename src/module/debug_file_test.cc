// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/debug_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "elf/decompress.h"
#include "elf/elf_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

class DebugFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_debug_file_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / ".debug");
    ::setenv("DEBUGINFOD_CACHE_PATH", (folder_ / "fetched").c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("DEBUGINFOD_CACHE_PATH");
    fs::remove_all(folder_);
  }

  void put(const std::string& name, const std::vector<uint8_t>& bytes) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  static std::vector<uint8_t> debug_file(std::vector<uint8_t> id) {
    elf::ElfBuilder builder;
    if (!id.empty()) { builder.add_build_id(std::move(id)); }
    builder.add_symbols({{"found", 0x1000, 16}});
    return builder.build();
  }
  static std::vector<uint8_t> program(std::vector<uint8_t> id, const std::string& link, uint32_t crc) {
    elf::ElfBuilder builder;
    builder.add_text(0x1000, 0x100);
    if (!id.empty()) { builder.add_build_id(std::move(id)); }
    ByteWriter out;
    out.bytes(as_bytes(link));
    do { out.u8(0); } while (out.size() % 4 != 0);
    out.u32(crc);
    builder.add({".gnu_debuglink", SHT_PROGBITS, 0, 0, out.take(), 0, 0, 0, 0});
    return builder.build();
  }
  std::string found(const std::vector<uint8_t>& bytes, const DebugPlaces& places = {}) {
    Result<elf::Image> image = elf::Image::parse(bytes);
    EXPECT_TRUE(image.ok());
    std::optional<DebugFile> file = find_debug_file(*image, folder_ / "app", places);
    return file ? fs::path(file->path).lexically_relative(folder_).string() : "";
  }

  fs::path folder_;
};

TEST_F(DebugFiles, FindsFileNextToProgramOfSameBuild) {
  std::vector<uint8_t> app = program({1, 2, 3, 4}, "app.debug", 0);
  EXPECT_EQ(found(app), "");
  put("app.debug", debug_file({9, 9, 9, 9}));
  EXPECT_EQ(found(app), "") << "another build";
  put(".debug/app.debug", debug_file({1, 2, 3, 4}));
  EXPECT_EQ(found(app), ".debug/app.debug");
  put("app.debug", debug_file({1, 2, 3, 4}));
  EXPECT_EQ(found(app), "app.debug");
  put("app.debug", {'n', 'o', ' ', 'E', 'L', 'F'});
  EXPECT_EQ(found(app), ".debug/app.debug");
}

TEST_F(DebugFiles, MatchesChecksumWithoutBuildId) {
  std::vector<uint8_t> debug = debug_file({});
  put("app.debug", debug);
  EXPECT_EQ(found(program({}, "app.debug", elf::debuglink_crc(debug))), "app.debug");
  EXPECT_EQ(found(program({}, "app.debug", 12345)), "");
}

TEST_F(DebugFiles, FindsFileInDebuginfodCache) {
  put("fetched/01020304/debuginfo", debug_file({1, 2, 3, 4}));
  EXPECT_EQ(found(program({1, 2, 3, 4}, "gone.debug", 0)), "fetched/01020304/debuginfo");
}

TEST_F(DebugFiles, FindsFileInDebugDir) {
  std::vector<uint8_t> app = program({1, 2, 3, 4}, "linked.debug", 0);
  DebugPlaces places;
  places.debug_dirs = {folder_ / "none", folder_ / "dir"};
  index_debug_dirs(places);
  EXPECT_EQ(found(app, places), "");
  std::string below = "dir" + (folder_ / "app").string();
  for (const std::string& name : {std::string("dir/.build-id/01/020304.debug"), std::string("dir/linked.debug"),
                                  std::string("dir/app.debug"), std::string("dir/app"), below + ".debug", below}) {
    put(name, debug_file({9, 9, 9, 9}));
    EXPECT_EQ(found(app, places), "") << name << " of another build";
    put(name, debug_file({1, 2, 3, 4}));
    EXPECT_EQ(found(app, places), name);
    fs::remove_all(folder_ / "dir");
  }
}

TEST_F(DebugFiles, FindsFileWithAnyNameInDebugDir) {
  std::vector<uint8_t> app = program({1, 2, 3, 4}, "linked.debug", 0);
  put("dir/a", debug_file({1, 2, 3, 4}));
  elf::ElfBuilder with_info, stripped;
  with_info.add_build_id({1, 2, 3, 4});
  with_info.add({".debug_info", SHT_PROGBITS, 0, 0, {1, 2, 3}, 0, 0, 0, 0});
  put("dir/b", with_info.build());
  stripped.add_build_id({5, 6, 7, 8});
  put("dir/c", stripped.build());
  put("dir/deeper/d", debug_file({5, 6, 7, 8}));
  put("dir/text", {'t', 'e', 'x', 't'});
  DebugPlaces places;
  places.debug_dirs = {folder_ / "dir"};
  index_debug_dirs(places);
  EXPECT_EQ(places.by_build_id.size(), 1u) << "ignores stripped files and subdirectories";
  EXPECT_EQ(found(app, places), "dir/b") << "prefers the one with lines";
  EXPECT_EQ(found(program({5, 6, 7, 8}, "x", 0), places), "");
}

TEST_F(DebugFiles, FindsFileBelowSymfs) {
  std::vector<uint8_t> app = program({1, 2, 3, 4}, "linked.debug", 0);
  DebugPlaces places;
  places.symfs = folder_ / "root";
  std::string root = "root", folder = root + folder_.string();
  put(folder + "/app", app);
  EXPECT_EQ(found(app, places), "") << "the same file without symbols";
  for (const std::string& name : {root + "/usr/lib/debug/.build-id/01/020304.debug", folder + "/linked.debug",
                                  folder + "/.debug/linked.debug", folder + "/app"}) {
    put(name, debug_file({1, 2, 3, 4}));
    EXPECT_EQ(found(app, places), name);
    fs::remove(folder_ / name);
  }
}

TEST_F(DebugFiles, ListsCandidatesInOrder) {
  std::vector<uint8_t> bytes = program({0xab, 0xcd, 0xef}, "x.debug", 0);
  Result<elf::Image> image = elf::Image::parse(bytes);
  std::vector<std::string> all = debug_file_candidates(*image, "/usr/lib/x.so");
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0], "/usr/lib/debug/.build-id/ab/cdef.debug");
  EXPECT_NE(std::find(all.begin(), all.end(), "/usr/lib/debug/usr/lib/x.debug"), all.end());
  EXPECT_NE(std::find(all.begin(), all.end(), "/usr/lib/debug/lib/x.debug"), all.end());
}

TEST_F(DebugFiles, RejectsDebuglinkWithPath) {
  for (const char* name : {"../../etc/passwd", "/etc/passwd", ""}) {
    std::vector<uint8_t> bytes = program({}, name, 0);
    Result<elf::Image> image = elf::Image::parse(bytes);
    EXPECT_FALSE(read_debug_link(*image).has_value()) << name;
  }
}

}  // namespace
}  // namespace wick
