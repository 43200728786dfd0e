// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "symbolize/vmlinux.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/byte_writer.h"
#include "base/text.h"
#include "elf/elf_builder.h"
#include "elf/symbols.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLinked = 0xffffffff81000000, kMovedBy = 0x1c600000;

// A short program, linked at a kernel address, stands in for vmlinux.
class Vmlinux : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("gcc --version > /dev/null 2>&1") != 0) { GTEST_SKIP() << "gcc is not installed"; }
    folder_ = fs::temp_directory_path() / strf("wick_vmlinux_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "boot");
    std::ofstream(folder_ / "kernel.c")
        << "static inline __attribute__((always_inline)) int inner(volatile int *p) {\n"
           "  return *p + *p * 3;\n"
           "}\n"
           "int first(int x) { return x ^ 1; } __attribute__((noinline)) int outer(volatile int *p) {\n"
           "  return inner(p) + 1;\n"
           "}\n"
           "int _start(void) { int x = 0; return outer(&x); }\n";
    std::string command = strf(
        "cd %s && gcc -O2 -g -fno-toplevel-reorder -ffreestanding -nostdlib -static -fno-pie -no-pie %s -Wl,-Ttext=%#lx "
        "-Wl,--defsym=_stext=%#lx "
        "-Wl,--build-id=0x0102030405060708 kernel.c -o vmlinux 2> log",
        folder_.c_str(), host_arch() == Arch::kX86_64 ? "-mcmodel=kernel" : "", static_cast<unsigned long>(kLinked),
        static_cast<unsigned long>(kLinked));
    ASSERT_EQ(std::system(command.c_str()), 0) << *read_file(folder_ / "log");
    ByteWriter notes;
    notes.u32(4);
    notes.u32(8);
    notes.u32(3);
    notes.bytes(as_bytes(std::string_view("GNU\0", 4)));
    for (uint8_t i = 1; i <= 8; ++i) { notes.u8(i); }
    put("notes", notes.take());
    kernel_ = {folder_ / "notes", "9.9.9-test", folder_};
    Result<std::string> bytes = read_file(folder_ / "vmlinux");
    Result<elf::Image> image = elf::Image::parse(as_bytes(*bytes));
    ASSERT_TRUE(image.ok());
    outer_ = elf::find_symbol(*image, "outer").value_or(0);
    ASSERT_GE(outer_, kLinked);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void put(const std::string& name, const std::vector<uint8_t>& bytes) {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  // kallsyms after the kernel relocated itself.
  std::unique_ptr<FileSymbols> load(const DebugPlaces& places = {}) {
    auto line = [](uint64_t address, const char* name) {
      return strf("%016llx T %s\n", static_cast<unsigned long long>(address + kMovedBy), name);
    };
    Result<std::unique_ptr<KernelSymbols>> symbols =
        KernelSymbols::parse(line(kLinked, "_stext") + line(outer_, "outer") + line(kLinked + 0x1000, "_etext") +
                             "ffffffffc0000000 t of_module\t[mod]\n");
    EXPECT_TRUE(symbols.ok());
    return add_vmlinux(*std::move(symbols), {"", places}, kernel_);
  }
  // "inner:2 outer:5": the longest chain anywhere in the function.
  std::string chain(const FileSymbols& symbols) {
    std::string best;
    for (uint64_t at = outer_; at < outer_ + 32; ++at) {
      std::string text;
      for (const SymbolizedFrame& f : symbols.find(at + kMovedBy)) {
        text += strf("%s%s:%u", text.empty() ? "" : " ", std::string(f.function).c_str(), f.line);
      }
      if (text.size() > best.size()) { best = text; }
    }
    return best;
  }

  fs::path folder_;
  KernelPlaces kernel_;
  uint64_t outer_ = 0;
};

TEST_F(Vmlinux, FindsLinesAndInlinedFunctionsOfRelocatedKernel) {
  EXPECT_EQ(chain(*load()), "outer:0") << "no vmlinux yet";
  fs::copy_file(folder_ / "vmlinux", folder_ / "boot/vmlinux-9.9.9-test");
  auto symbols = load();
  EXPECT_EQ(chain(*symbols), "inner:2 outer:5");
  std::vector<SymbolizedFrame> of_module = symbols->find(0xffffffffc0000004);
  ASSERT_EQ(of_module.size(), 1u);
  EXPECT_EQ(of_module[0].function, "of_module [mod]");
  EXPECT_TRUE(symbols->find(kLinked + kMovedBy + 0x2000).empty()) << "past the end of the code";
}

TEST_F(Vmlinux, FindsVmlinuxInDebugDir) {
  for (const char* place : {"flat/any-name", "like/boot/vmlinux-9.9.9-test", "id/.build-id/01/02030405060708.debug"}) {
    fs::create_directories((folder_ / place).parent_path());
    fs::copy_file(folder_ / "vmlinux", folder_ / place);
    DebugPlaces places;
    places.debug_dirs = {folder_ / std::string(place).substr(0, std::string(place).find('/'))};
    index_debug_dirs(places);
    EXPECT_EQ(chain(*load(places)), "inner:2 outer:5") << place;
  }
}

TEST_F(Vmlinux, RejectsOtherBuild) {
  fs::copy_file(folder_ / "vmlinux", folder_ / "boot/vmlinux-9.9.9-test");
  std::vector<uint8_t> notes(28, 7);
  put("notes", notes);
  EXPECT_EQ(chain(*load()), "outer:0") << "notes without a build-id";
  fs::remove(folder_ / "notes");
  EXPECT_EQ(chain(*load()), "outer:0");
  elf::ElfBuilder stripped;
  stripped.add_text(kLinked, 0x1000);
  stripped.add_build_id({1, 2, 3, 4, 5, 6, 7, 8});
  SetUp();
  put("boot/vmlinux-9.9.9-test", stripped.build());
  EXPECT_EQ(chain(*load()), "outer:0") << "vmlinux without debug info";
}

TEST_F(Vmlinux, ListsCandidates) {
  std::vector<std::string> all = vmlinux_candidates({"", "1.2.3", ""}, "abcdef", {});
  for (const char* path :
       {"/usr/lib/debug/.build-id/ab/cdef.debug", "/usr/lib/debug/boot/vmlinux-1.2.3", "/usr/lib/debug/lib/modules/1.2.3/vmlinux",
        "/lib/modules/1.2.3/build/vmlinux", "/boot/vmlinux-1.2.3"}) {
    EXPECT_NE(std::find(all.begin(), all.end(), path), all.end()) << path;
  }
}

}  // namespace
}  // namespace wick
