// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/code_mappings.h"

#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace wick {
namespace {

TEST(CodeMappings, KeepsExecutableMappingsOfFiles) {
  auto maps = parse_code_mappings(
      "55d0a0000000-55d0a0001000 r--p 00000000 fe:01 1234       /usr/bin/app\n"
      "55d0a0001000-55d0a0009000 r-xp 00001000 fe:01 1234       /usr/bin/app\n"
      "55d0a1000000-55d0a1021000 rw-p 00000000 00:00 0          [heap]\n",
      7, 99);
  ASSERT_EQ(maps.size(), 1u);
  EXPECT_EQ(maps[0].time_ns, 99u);
  EXPECT_EQ(maps[0].pid, 7u);
  EXPECT_EQ(maps[0].start, 0x55d0a0001000u);
  EXPECT_EQ(maps[0].length, 0x8000u);
  EXPECT_EQ(maps[0].file_offset, 0x1000u);
  EXPECT_EQ(maps[0].device, makedev(0xfe, 1));
  EXPECT_EQ(maps[0].inode, 1234u);
  EXPECT_EQ(maps[0].path, "/usr/bin/app");
}

TEST(CodeMappings, ParsesPathsWithBlanksNewlinesAndDeleted) {
  auto maps = parse_code_mappings(
      "1000-2000 r-xp 00000000 08:01 5    /a dir/my  app (deleted)\n"
      "3000-4000 r-xp 00000000 08:01 6    /new\\012line \n"
      "5000-6000 r-xp 00000000 00:01 7    /memfd:jit code (deleted)\n"
      "7000-8000 r-xp 00000000 00:01 8    [odd (deleted)\n",
      1, 0);
  ASSERT_EQ(maps.size(), 4u);
  EXPECT_EQ(maps[0].path, "/a dir/my  app");
  EXPECT_EQ(maps[1].path, "/new\nline ");
  EXPECT_EQ(maps[2].path, "/memfd:jit code");
  EXPECT_EQ(maps[3].path, "[odd (deleted)");
}

TEST(CodeMappings, NamesMemoryWithoutFile) {
  auto maps = parse_code_mappings(
      "1000-2000 rwxp 00000000 00:00 0 \n"
      "2000-3000 rwxp 00000000 00:00 0\n"
      "3000-4000 r-xp 00000000 00:00 0    [vdso]\n"
      "4000-5000 r-xp 00000000 00:00 0    [anon:jit]\n"
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]\n",
      1, 0);
  ASSERT_EQ(maps.size(), 4u);
  EXPECT_EQ(maps[0].path, "//anon");
  EXPECT_EQ(maps[1].path, "//anon");
  EXPECT_EQ(maps[2].path, "[vdso]");
  EXPECT_EQ(maps[3].path, "[anon:jit]");
}

TEST(CodeMappings, SkipsMalformedLines) {
  for (const char* line :
       {"", "\n\n", "garbage", "1000-2000", "1000-2000 r-xp", "1000-2000 r-xp 0 08:01", "2000-1000 r-xp 0 08:01 5 /a",
        "1000-1000 r-xp 0 08:01 5 /a", "1000-2000 r-xp zz 08:01 5 /a", "1000-2000 r-xp 0 0801 5 /a", "10002000 r-xp 0 08:01 5 /a",
        "-2000 r-xp 0 08:01 5 /a", "1000-2000 x 0 08:01 5 /a", "11111111111111111-22222222222222222 r-xp 0 08:01 5 /a"}) {
    EXPECT_TRUE(parse_code_mappings(line, 1, 0).empty()) << line;
  }
  EXPECT_EQ(parse_code_mappings("garbage\n1000-2000 r-xp 0 08:01 5 /a", 1, 0).size(), 1u);
}

TEST(CodeMappings, FindsOwnCode) {
  Result<std::vector<MmapEvent>> maps = load_code_mappings(::getpid(), ::getpid(), 0);
  ASSERT_TRUE(maps.ok());
  auto here = reinterpret_cast<uintptr_t>(&load_code_mappings);
  auto vdso = static_cast<uintptr_t>(::getauxval(AT_SYSINFO_EHDR));
  bool found = false, found_vdso = vdso == 0;
  for (const MmapEvent& map : *maps) {
    if (here >= map.start && here - map.start < map.length) {
      found = true;
      struct stat info{};
      ASSERT_EQ(::stat(map.path.c_str(), &info), 0) << map.path;
      EXPECT_NE(map.inode, 0u);
      struct statfs system{};
      ASSERT_EQ(::statfs(map.path.c_str(), &system), 0);
      // On others (overlayfs, btrfs), stat() and maps show different numbers.
      bool has_one_device = system.f_type == EXT4_SUPER_MAGIC || system.f_type == XFS_SUPER_MAGIC || system.f_type == TMPFS_MAGIC;
      if (has_one_device) {
        EXPECT_EQ(map.inode, info.st_ino);
        EXPECT_EQ(map.device, info.st_dev);
      }
    }
    found_vdso = found_vdso || (map.start == vdso && map.path == "[vdso]");
  }
  EXPECT_TRUE(found);
  EXPECT_TRUE(found_vdso);
}

TEST(CodeMappings, EndedProcessHasNoMappings) {
  Result<std::vector<MmapEvent>> maps = load_code_mappings(0x7ffffffe, 0x7ffffffe, 0);
  ASSERT_TRUE(maps.ok());
  EXPECT_TRUE(maps->empty());
}

}  // namespace
}  // namespace wick
