// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/name_advice.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "cli/doctor.h"
#include "elf/elf_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

class NameAdvice : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_advice_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "info");
    fs::create_directories(folder_ / "lists");
    facts_ = {folder_ / "info", folder_ / "os-release", folder_ / "lists", folder_ / "debuginfod-find"};
    ::unsetenv("DEBUGINFOD_URLS");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string advice(const std::string& path, const std::string& id = "", const std::string& trouble = "",
                     const std::string& process = "", Lack lack = Lack::kNames) {
    return advise({path, id, trouble, process, 1}, lack, facts_).text;
  }
  std::string put(const std::string& name, const elf::ElfBuilder& builder) {
    std::vector<uint8_t> bytes = builder.build();
    write(name, std::string(bytes.begin(), bytes.end()));
    return folder_ / name;
  }

  fs::path folder_;
  PackageFacts facts_;
};

TEST_F(NameAdvice, Packages) {
  write("info/libc6:amd64.list", "/.\n/lib\n/lib/x86_64-linux-gnu/libc.so.6\n/usr/share/doc/libc6\n");
  write("info/libfoo1.list", "/usr/lib/libfoo.so.1.2\n/usr/lib/libfoo.so");
  write("info/libfoo1.md5sums", "/usr/bin/x\n");
  EXPECT_EQ(find_package("/usr/lib/x86_64-linux-gnu/libc.so.6", facts_), "libc6") << "known by its other name";
  EXPECT_EQ(find_package("/lib/x86_64-linux-gnu/libc.so.6", facts_), "libc6");
  EXPECT_EQ(find_package("/usr/lib/libfoo.so.1.2", facts_), "libfoo1");
  EXPECT_EQ(find_package("/usr/lib/libfoo.so", facts_), "libfoo1") << "the last line";
  EXPECT_EQ(find_package("/usr/lib/libfoo.so.1", facts_), "") << "a part of a line";
  EXPECT_EQ(find_package("/usr/bin/x", facts_), "") << "not a list";
  EXPECT_EQ(find_package("libfoo.so", facts_), "");

  write("os-release", "NAME=x\nID=fedora\n");
  EXPECT_EQ(debug_file_command("/usr/bin/other", "aabb", facts_),
            "DEBUGINFOD_URLS=https://debuginfod.fedoraproject.org debuginfod-find debuginfo aabb");
  ::setenv("DEBUGINFOD_URLS", "http://example.invalid", 1);
  EXPECT_EQ(debug_file_command("/usr/bin/other", "aabb", facts_), "debuginfod-find debuginfo aabb");
  ::unsetenv("DEBUGINFOD_URLS");
  EXPECT_EQ(debug_file_command("/usr/bin/other", "", facts_), "");
  EXPECT_EQ(debug_file_command("/home/me/app", "aabb", facts_), "") << "not of the distribution";
  EXPECT_EQ(debug_file_command("/usr/local/bin/app", "aabb", facts_), "");
}

// Only packages that apt has are recommended.
TEST_F(NameAdvice, DebugPackages) {
  const std::string foo = "/usr/lib/libfoo.so.1.2", libc = "/usr/lib/x86_64-linux-gnu/libc.so.6";
  const std::string fetch = "DEBUGINFOD_URLS=https://debuginfod.debian.net debuginfod-find debuginfo aabb";
  write("info/libfoo1.list", foo + "\n");
  write("info/libc6:amd64.list", libc + "\n");
  write("os-release", "ID=debian\nVERSION_CODENAME=bookworm\n");
  const std::string add =
      "echo 'deb http://deb.debian.org/debian-debug bookworm-debug main' | sudo tee /etc/apt/sources.list.d/debug.list && "
      "sudo apt update && ";
  EXPECT_EQ(debug_file_command(foo, "aabb", facts_), add + "sudo apt install libfoo1-dbgsym") << "no list of packages at all";
  EXPECT_EQ(debug_file_command(libc, "aabb", facts_), fetch);
  EXPECT_EQ(debug_file_command(libc, "", facts_), "");

  write("lists/deb.debian.org_debian_dists_bookworm_main_binary-amd64_Packages", "Package: libc6-dbg\n\nPackage: libfoo1\n");
  EXPECT_EQ(debug_file_command(libc, "aabb", facts_), "sudo apt install libc6-dbg");
  EXPECT_EQ(debug_file_command(foo, "aabb", facts_), add + "sudo apt install libfoo1-dbgsym") << "the archive is missing";

  write("lists/deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages", "Package: libbar-dbgsym\n");
  EXPECT_EQ(debug_file_command(foo, "", facts_), add + "sudo apt install libfoo1-dbgsym") << "the package is missing";
  write("lists/deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages", "Package: libfoo1-dbgsym\n");
  EXPECT_EQ(debug_file_command(foo, "aabb", facts_), "sudo apt install libfoo1-dbgsym");
  fs::remove(folder_ / "lists/deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages");
  write("lists/deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages.lz4", "");
  EXPECT_EQ(debug_file_command(foo, "aabb", facts_), "sudo apt install libfoo1-dbgsym") << "compressed: taken for there";
  fs::remove(folder_ / "lists/deb.debian.org_debian-debug_dists_bookworm-debug_main_binary-amd64_Packages.lz4");

  write("debuginfod-find", "");
  fs::permissions(folder_ / "debuginfod-find", fs::perms::owner_all);
  EXPECT_EQ(debug_file_command(foo, "aabb", facts_), fetch);
  fs::remove(folder_ / "debuginfod-find");
  write("os-release", "ID=ubuntu\nVERSION_CODENAME=\"noble\"\n");
  EXPECT_EQ(debug_file_command(foo, "aabb", facts_),
            "sudo apt install ubuntu-dbgsym-keyring && echo 'deb http://ddebs.ubuntu.com noble main universe' | sudo tee "
            "/etc/apt/sources.list.d/debug.list && sudo apt update && sudo apt install libfoo1-dbgsym");
}

// The command is long, so there is one for all files.
TEST_F(NameAdvice, OneCommandForAllDebugFiles) {
  write("info/libfoo1.list", "/usr/lib/libfoo.so.1\n/usr/lib/libfoo_more.so.1\n");
  write("info/libbar.list", "/usr/lib/libbar.so\n");
  write("info/libc6:amd64.list", "/usr/lib/libc.so.6\n");
  write("os-release", "ID=debian\nVERSION_CODENAME=bookworm\n");
  write("lists/deb.debian.org_debian_dists_bookworm_main_binary-amd64_Packages", "Package: libc6-dbg\n");
  std::vector<DebugFileSource> sources;
  for (const char* path : {"/usr/lib/libfoo.so.1", "/usr/lib/libfoo_more.so.1", "/usr/lib/libc.so.6", "/usr/lib/libbar.so"}) {
    sources.push_back(find_debug_file_source(path, "aabb", facts_));
  }
  EXPECT_EQ(debug_files_command(sources, facts_),
            "echo 'deb http://deb.debian.org/debian-debug bookworm-debug main' | sudo tee /etc/apt/sources.list.d/debug.list && "
            "sudo apt update && sudo apt install libbar-dbgsym libc6-dbg libfoo1-dbgsym");
  EXPECT_EQ(debug_files_command({}, facts_), "");
}

// Of a program that is installed here and has no debug info.
TEST_F(NameAdvice, ShortLineForADebugPackage) {
  const std::string program = "/usr/bin/gzip";
  Result<FileDiagnosis> found = fs::exists(program) ? diagnose_file(program) : Error("none");
  if (!found.ok() || found->name_flags.empty()) { GTEST_SKIP() << "needs a stripped " << program; }
  write("info/gzip.list", program + "\n/bin/gzip\n");
  write("os-release", "ID=debian\nVERSION_CODENAME=bookworm\n");
  LackText text = describe_lack(Lack::kNames, {{program, found->facts.build_id, "", "", 100}}, 1000, facts_);
  ASSERT_EQ(text.lines.size(), 2u);
  EXPECT_EQ(text.lines[1], "    10.0%  /usr/bin/gzip: needs gzip-dbgsym");
  ASSERT_EQ(text.debug_files.size(), 1u);
  EXPECT_EQ(text.debug_files[0].package, "gzip-dbgsym");
  EXPECT_EQ(text.debug_file_paths, std::vector<std::string>{program});
}

TEST_F(NameAdvice, CodeWithoutAFile) {
  EXPECT_EQ(advice("//anon", "", "", "node"), "generated code: run node with --perf-basic-prof");
  EXPECT_EQ(advice("[heap]", "", "", "python3.12"), "generated code: run python with -X perf");
  EXPECT_EQ(advice("/memfd:jit", "", "", "thing"), "generated code without symbols: man wick-record, GENERATED CODE");
  EXPECT_NE(advice("[kernel]").find("sudo sysctl kernel.kptr_restrict=0"), std::string::npos);
}

// They may have been recorded elsewhere, or with more rights.
TEST_F(NameAdvice, ImportedProfiles) {
  LackingFile kernel;
  kernel.path = "[kernel]";
  kernel.imported_from = "perf.data";
  std::string advised = advise(kernel, Lack::kNames, facts_).text;
  bool is_explained =
      advised.starts_with("hidden from this user: run wick as root") || advised.starts_with("not the running kernel");
  EXPECT_TRUE(is_explained) << advised;
  EXPECT_EQ(advised.find("record"), std::string::npos) << advised;
  kernel.imported_from = "Firefox Profiler profile";
  EXPECT_EQ(advise(kernel, Lack::kNames, facts_).text, "the profile has no kernel symbols");
  elf::ElfBuilder plain;
  plain.add_load(plain.add_text(0x1000, 0x100));
  plain.add_build_id({1, 2});
  plain.add_symbols({{"main", 0x1000, 16}});
  LackingFile file;
  file.path = put("plain", plain);
  file.imported_from = "pprof profile";
  EXPECT_EQ(advise(file, Lack::kNames, facts_).text, "the profile has no build ID for it");
}

// Some formats have names of files without directories, which must not pass for code without a file.
TEST_F(NameAdvice, ImportedFilesWithoutADirectory) {
  LackingFile file{"gzip", "", "", "gzip", 1, "Chrome trace"};
  EXPECT_EQ(advise(file, Lack::kNames, facts_).text, "the profile has no path for it");
  file.path = "[anon]";
  EXPECT_TRUE(advise(file, Lack::kNames, facts_).text.starts_with("generated code"));
}

TEST_F(NameAdvice, Files) {
  EXPECT_EQ(advice(folder_ / "gone"), "not on this machine: use --symfs DIR or --debug-dir DIR");
  EXPECT_EQ(advice("/x", "", "replaced since it was mapped"), "replaced while recording: record again");
  EXPECT_EQ(advice("/x", "", "permission denied"), "cannot be read: permission denied");
  elf::ElfBuilder stripped, plain;
  stripped.add_load(stripped.add_text(0x1000, 0x100));
  stripped.add_build_id({1, 2});
  std::string app = put("app", stripped);
  EXPECT_EQ(advice(app, "0102"), "stripped: build with -g, no -s");
  EXPECT_EQ(advice(app, "0304"),
            "changed since the recording (build ID 0304): use --symfs DIR or --debug-dir DIR with the old one");
  plain.add_load(plain.add_text(0x1000, 0x100));
  plain.add_build_id({1, 2});
  plain.add_symbols({{"main", 0x1000, 16}});
  EXPECT_EQ(advice(put("plain", plain), "0102", "", "", Lack::kLines), "build with -g");
}

TEST_F(NameAdvice, OnlyTheWorstFiles) {
  std::vector<LackingFile> files;
  for (uint64_t i = 0; i < 6; ++i) { files.push_back({strf("/gone/%d", static_cast<int>(i)), "", "", "", i * 10}); }
  std::vector<std::string> lines = describe_lack(Lack::kNames, files, 1000, facts_).lines;
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], "symbols: missing for 15.0% of samples:");
  EXPECT_EQ(lines[1], "     5.0%  /gone/5: not on this machine: use --symfs DIR or --debug-dir DIR");
  EXPECT_EQ(lines[3].substr(0, 18), "     3.0%  /gone/3");
  EXPECT_TRUE(describe_lack(Lack::kNames, {{"/gone/x", "", "", "", 4}}, 1000, facts_).lines.empty());
  EXPECT_TRUE(describe_lack(Lack::kLines, files, 1000, facts_).lines.empty()) << "no file with a tenth of the samples";
  EXPECT_TRUE(describe_lack(Lack::kNames, {}, 0, facts_).lines.empty());
}

}  // namespace
}  // namespace wick
