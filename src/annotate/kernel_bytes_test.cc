// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Recorded kernels against a running one made of files: a recording of another kernel, or of another boot, gets no code of it.

#include "annotate/kernel_bytes.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "annotate/function_code.h"
#include "base/byte_writer.h"
#include "base/text.h"
#include "elf/elf_builder.h"
#include "model/profile_builder.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLinked = 0xffffffff81000000, kMovedBy = 0x1c600000, kHere = kLinked + kMovedBy;
constexpr uint64_t kModule = 0xffffffffc0000000;
constexpr char kBuildId[] = "0102030405060708", kBoot[] = "6d6b0e0c-2a2f-4a57-9f1c-0d6f6a2b7c11";

class KernelBytesTest : public testing::Test {
 protected:
  KernelBytesTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "boot");
    ByteWriter notes;
    notes.u32(4);
    notes.u32(8);
    notes.u32(3);
    notes.bytes(as_bytes(std::string_view("GNU\0", 4)));
    for (uint8_t i = 1; i <= 8; ++i) { notes.u8(i); }
    put("notes", notes.take());
    put("boot_id", std::string(kBoot) + "\n");
    put_symbols(kHere, "of_module\t[mod]");
    elf::ElfBuilder memory = builder(ET_CORE);
    memory.add_load(add_code(memory, kHere, 0xcc));
    memory.add_load(add_code(memory, kModule, 0xdd));
    put("kcore", memory.build());
    places_ = {.notes = folder_ / "notes",
               .release = "",
               .root = folder_,
               .kallsyms = folder_ / "kallsyms",
               .memory = folder_ / "kcore",
               .boot_id = folder_ / "boot_id"};
  }
  ~KernelBytesTest() override { fs::remove_all(folder_); }

  static elf::ElfBuilder builder(uint16_t type) {
    elf::ElfBuilder out;
    out.type = type;
    out.machine = host_arch() == Arch::kX86_64 ? EM_X86_64 : EM_AARCH64;
    return out;
  }
  static uint32_t add_code(elf::ElfBuilder& to, uint64_t address, uint8_t byte) {
    return to.add({".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, address, std::vector<uint8_t>(0x100, byte), 0, 0, 0, 0});
  }
  void put(const std::string& name, const std::vector<uint8_t>& bytes) { put(name, std::string(bytes.begin(), bytes.end())); }
  void put(const std::string& name, const std::string& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }
  void put_symbols(uint64_t begin, const std::string& in_module) {
    auto line = [](uint64_t address, const std::string& name) {
      return strf("%016llx t %s\n", static_cast<unsigned long long>(address), name.c_str());
    };
    put("kallsyms", line(begin, "_stext") + line(begin + 0x10, "work") + line(begin + 0x20, "next") +
                        line(begin + 0x100, "_etext") + line(kModule + 0x10, in_module) + line(kModule + 0x20, "end\t[mod]"));
  }
  void put_vmlinux(uint8_t last_of_build_id = 8) {
    elf::ElfBuilder file = builder(ET_EXEC);
    file.add_load(add_code(file, kLinked, 0x90));
    file.add_symbols({{"_stext", kLinked, 0}, {"work", kLinked + 0x10, 0x10}, {"next", kLinked + 0x20, 0x10}});
    file.add_build_id({1, 2, 3, 4, 5, 6, 7, last_of_build_id});
    put("boot/vmlinux-6.1", file.build());
  }

  // A sample in `work`, and one in `of_module`.
  FunctionCode read(const char* function, const KernelIdentity& kernel, std::shared_ptr<RecordedCode> recorded = nullptr) {
    ProfileBuilder b;
    ModuleId module = b.module({.name = b.string("[kernel]"), .path = b.string("[kernel]"), .build_id = {}, .kernel = true});
    bool in_module = std::string_view(function).ends_with(']');
    FunctionId id = b.function(function, function, module);
    b.frame({.function = id, .address = (in_module ? kModule : kernel.address) + 0x14});
    b.about().kernel = kernel;
    b.about().recorded_code = std::move(recorded);
    Profile profile = std::move(b).build();
    CodeReader reader(profile, {.kernel = places_});
    return reader.read(id);
  }
  // The first byte of all its 16 bytes, or the reason.
  std::string code_of(const char* function, const KernelIdentity& kernel) {
    FunctionCode code = read(function, kernel);
    std::string bytes;
    for (const CodeInstruction& i : code.instructions) { bytes += (bytes.empty() ? "" : " ") + i.bytes; }
    if (bytes.empty()) { return code.notes.front(); }
    uint64_t begin = (std::string_view(function).ends_with(']') ? kModule : kernel.address) + 0x10;
    EXPECT_EQ(code.instructions.front().machine.address, begin);
    EXPECT_EQ(bytes.size(), 16 * 3 - 1u) << bytes;
    return bytes.substr(0, 2) + ": " + code.notes.front();
  }

  const fs::path folder_ = fs::temp_directory_path() / strf("wick_kernel_bytes_%d", ::getpid());
  KernelPlaces places_;
  const KernelIdentity recorded_{.release = "6.1", .build_id = kBuildId, .boot_id = kBoot, .symbol = "_stext", .address = kHere};
  const std::string from_memory_ = "instructions are those in the kernel's memory now (" + (folder_ / "kcore").native() + ")";
  const std::string from_file_ =
      "instructions are from " + (folder_ / "boot/vmlinux-6.1").native() + ": the kernel changes some of them when it starts";
  const std::string gone_ = "no instructions: kernel 6.1 is not running since the recording, and its vmlinux was not found";
};

TEST_F(KernelBytesTest, MemoryOfTheSameBoot) {
  EXPECT_EQ(code_of("work", recorded_), "cc: " + from_memory_);
  EXPECT_EQ(code_of("of_module [mod]", recorded_), "dd: " + from_memory_);
  put_vmlinux();
  EXPECT_EQ(code_of("work", recorded_), "cc: " + from_memory_) << "what runs, not what was built";
}

TEST_F(KernelBytesTest, NotOfAnotherBoot) {
  put("boot_id", "00000000-0000-0000-0000-000000000000\n");
  EXPECT_EQ(code_of("work", recorded_), gone_) << "the same address, without KASLR";
  EXPECT_EQ(code_of("of_module [mod]", recorded_), gone_);
  put_symbols(kLinked + 0x2000000, "of_module\t[mod]");
  EXPECT_EQ(code_of("work", recorded_), gone_);
  put_vmlinux();
  EXPECT_EQ(code_of("work", recorded_), "90: " + from_file_);
}

TEST_F(KernelBytesTest, NotOfAnotherKernel) {
  KernelIdentity other = recorded_;
  other.build_id = "0102030405060709";
  EXPECT_EQ(code_of("work", other), gone_);
  put_vmlinux();
  EXPECT_EQ(code_of("work", other), gone_) << "a vmlinux of another build";
  put_vmlinux(9);
  EXPECT_EQ(code_of("work", other), "90: " + from_file_);
  other.build_id.clear();
  EXPECT_EQ(code_of("work", other), "no instructions: the recording does not contain the code of the kernel, nor its build ID");
}

// vmlinux has other addresses than the kernel that was loaded somewhere else.
TEST_F(KernelBytesTest, VmlinuxNeedsTheAddress) {
  put("boot_id", "00000000-0000-0000-0000-000000000000\n");
  put_vmlinux();
  KernelIdentity unknown = recorded_;
  unknown.symbol.clear();
  EXPECT_EQ(code_of("work", unknown), gone_);
  KernelIdentity linked = recorded_;
  linked.address = kLinked;
  EXPECT_EQ(code_of("work", linked), "90: " + from_file_);
  EXPECT_NE(code_of("of_module [mod]", linked).find("does not say where the function begins"), std::string::npos)
      << "kernel modules are other files: " << code_of("of_module [mod]", linked);
}

// perf.data has no boot ID. The kernel itself is the same at the same address, but its modules may be others.
TEST_F(KernelBytesTest, WithoutABootId) {
  KernelIdentity perf = recorded_;
  perf.boot_id.clear();
  EXPECT_EQ(code_of("work", perf), gone_) << "of another machine";
  perf.is_this_machine = true;
  EXPECT_EQ(code_of("work", perf), "cc: " + from_memory_);
  FunctionCode code = read("of_module [mod]", perf);
  EXPECT_TRUE(code.instructions.empty());
  put_symbols(kHere + 0x200000, "of_module\t[mod]");
  EXPECT_EQ(code_of("work", perf), gone_) << "KASLR";
}

TEST_F(KernelBytesTest, KernelModulesThatWereReplaced) {
  put_symbols(kHere, "another\t[else]");
  FunctionCode code = read("of_module [mod]", recorded_);
  EXPECT_TRUE(code.instructions.empty());
  EXPECT_EQ(code.notes.front(), "no instructions: the function is no longer where it was in the kernel");
}

TEST_F(KernelBytesTest, MemoryThatCannotBeRead) {
  fs::remove(folder_ / "kcore");
  std::string why = code_of("work", recorded_);
  EXPECT_TRUE(why.starts_with("no instructions: ")) << why;
  EXPECT_NE(why.find("kcore"), std::string::npos) << why;
  EXPECT_TRUE(why.ends_with(", and the kernel's vmlinux was not found")) << why;
  if (::geteuid() != 0) {
    put("kcore", std::string("x"));
    fs::permissions(folder_ / "kcore", fs::perms::none);
    EXPECT_EQ(code_of("work", recorded_), "no instructions: only root can read the kernel's code (" +
                                              (folder_ / "kcore").native() + "), and the kernel's vmlinux was not found");
  }
  put_vmlinux();
  EXPECT_EQ(code_of("work", recorded_), "90: " + from_file_);
}

TEST_F(KernelBytesTest, RecordedCodeComesFirst) {
  auto recorded = std::make_shared<RecordedCode>();
  recorded->arch = host_arch();
  recorded->bodies = {{"[kernel]", kHere + 0x10, std::string(16, '\xee')}};
  FunctionCode code = read("work", recorded_, recorded);
  ASSERT_FALSE(code.instructions.empty());
  EXPECT_EQ(code.instructions.front().bytes.substr(0, 2), "ee");
  EXPECT_EQ(code.notes.front(), "instructions are those in the kernel's memory at the end of the recording");
  recorded->bodies[0].address += 0x100;
  EXPECT_EQ(read("work", recorded_, recorded).instructions.front().bytes.substr(0, 2), "cc") << "another function's";
}

}  // namespace
}  // namespace wick
