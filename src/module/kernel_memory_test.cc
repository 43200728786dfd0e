// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "module/kernel_memory.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <fstream>

#include "base/cpu.h"

namespace wick {
namespace {

constexpr uint64_t kText = 0xffffffff81000000;

class KernelMemoryTest : public testing::Test {
 protected:
  KernelMemoryTest() {
    char name[] = "/tmp/wick-kcore-XXXXXX";
    path_ = ::mkdtemp(name);
    path_ += "/kcore";
    header_.e_ident[EI_CLASS] = ELFCLASS64;
    header_.e_ident[EI_DATA] = ELFDATA2LSB;
    std::memcpy(header_.e_ident, ELFMAG, SELFMAG);
    header_.e_type = ET_CORE;
    header_.e_machine = host_arch() == Arch::kX86_64 ? EM_X86_64 : EM_AARCH64;
    header_.e_phoff = sizeof header_;
    header_.e_phentsize = sizeof(Elf64_Phdr);
  }
  ~KernelMemoryTest() override { static_cast<void>(std::system(("rm -r " + path_.substr(0, path_.rfind('/'))).c_str())); }

  void add(uint64_t address, uint64_t offset, uint64_t size, uint32_t type = PT_LOAD) {
    Elf64_Phdr segment{};
    segment.p_type = type;
    segment.p_vaddr = address;
    segment.p_offset = offset;
    segment.p_filesz = segment.p_memsz = size;
    segments_.append(reinterpret_cast<const char*>(&segment), sizeof segment);
    ++header_.e_phnum;
  }
  Result<KernelMemory> open(const std::string& contents, size_t at = 4096) {
    std::string file(reinterpret_cast<const char*>(&header_), sizeof header_);
    file += segments_;
    file.resize(at);
    file += contents;
    std::ofstream(path_) << file;
    return KernelMemory::open(path_);
  }

  std::string path_, segments_;
  Elf64_Ehdr header_{};
};

TEST_F(KernelMemoryTest, ReadsByAddress) {
  add(0, 0, 64, PT_NOTE);
  add(0xffff888000000000, 4096, 8);
  add(kText, 4104, 10);
  Result<KernelMemory> memory = open("01234567abcdefghij");
  ASSERT_TRUE(memory.ok()) << memory.error().message();
  EXPECT_EQ(memory->read(kText, 10), "abcdefghij");
  EXPECT_EQ(memory->read(kText + 3, 4), "defg");
  EXPECT_EQ(memory->read(0xffff888000000001, 3), "123");
}

TEST_F(KernelMemoryTest, ReadsAllOrNothing) {
  add(kText, 4096, 100);
  Result<KernelMemory> memory = open(std::string("abc") + std::string(20, '\0') + "xyz");
  ASSERT_TRUE(memory.ok()) << memory.error().message();
  EXPECT_EQ(memory->read(kText - 1, 2), "") << "begins before it";
  EXPECT_EQ(memory->read(kText + 99, 2), "") << "ends after it";
  EXPECT_EQ(memory->read(kText + 20, 10), "") << "the file is shorter";
  EXPECT_EQ(memory->read(kText + 3, 20), "") << "all zeros";
  EXPECT_EQ(memory->read(kText, 10).size(), 10u);
  EXPECT_EQ(memory->read(UINT64_MAX, 10), "");
}

TEST_F(KernelMemoryTest, RejectsOtherFiles) {
  EXPECT_FALSE(KernelMemory::open(path_ + ".missing").ok());
  EXPECT_FALSE(open("").ok()) << "without segments, which every kernel has";
  add(kText, 4096, 3);
  header_.e_type = ET_EXEC;
  EXPECT_FALSE(open("abc").ok()) << "a program";
  header_.e_type = ET_CORE;
  header_.e_phoff = UINT64_MAX - 8;
  EXPECT_FALSE(open("abc").ok());
  header_.e_phoff = 1 << 30;
  EXPECT_FALSE(open("abc").ok()) << "headers farther away than any";
  header_.e_phoff = sizeof header_;
  header_.e_machine = EM_RISCV;
  EXPECT_FALSE(open("abc").ok()) << "of another CPU";
}

TEST_F(KernelMemoryTest, IgnoresHostileSegments) {
  add(UINT64_MAX - 4, 4096, 100);
  add(kText, UINT64_MAX - 10, 100);
  add(kText, 4096, 3);
  Result<KernelMemory> memory = open("abc");
  ASSERT_TRUE(memory.ok()) << memory.error().message();
  EXPECT_EQ(memory->read(kText, 3), "abc");
  EXPECT_EQ(memory->read(UINT64_MAX - 4, 3), "");
}

}  // namespace
}  // namespace wick
