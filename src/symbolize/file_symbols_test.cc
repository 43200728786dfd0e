// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "base/text.h"
#include "elf/elf_builder.h"
#include "elf/go_table_builder.h"
#include "elf/symbols.h"
#include "symbolize/symbolizer.h"

namespace wick {
namespace {

namespace fs = std::filesystem;

std::string name_at(const FileSymbols& symbols, uint64_t svma) {
  std::vector<SymbolizedFrame> chain = symbols.find(svma);
  return chain.empty() ? "" : std::string(chain.back().function);
}

class FileSymbolsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_symbols_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string put(const std::string& name, const std::vector<uint8_t>& bytes) {
    std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  const LoadedModule& open(const std::string& path) { return *store_.load({0, path, 0, 0}); }

  fs::path folder_;
  ModuleStore store_;
};

TEST_F(FileSymbolsTest, StrippedLibraryHasOnlyExportedSymbols) {
  elf::ElfBuilder builder;
  builder.add_text(0x1000, 0x1000);
  builder.add_symbols({{"exported", 0x1100, 0x20}}, SHT_DYNSYM);
  auto symbols = load_file_symbols(open(put("lib.so", builder.build())));
  EXPECT_TRUE(symbols->has_symbols());
  EXPECT_EQ(name_at(*symbols, 0x1110), "exported");
  EXPECT_EQ(name_at(*symbols, 0x1120), "");
}

TEST_F(FileSymbolsTest, SeparateDebugFileAddsSymbols) {
  elf::ElfBuilder stripped, debug;
  stripped.add_text(0x1000, 0x1000);
  stripped.add_build_id({7, 7, 7});
  stripped.add_symbols({{"exported", 0x1100, 0x20}}, SHT_DYNSYM);
  ByteWriter link;
  link.bytes(as_bytes(std::string_view("x.debug\0", 8)));
  link.u32(0);
  stripped.add({".gnu_debuglink", SHT_PROGBITS, 0, 0, link.take(), 0, 0, 0, 0});
  debug.add({".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, {}, 0, 0, 0, 0x1000});
  debug.add_build_id({7, 7, 7});
  debug.add_symbols({{"exported", 0x1100, 0x20}, {"hidden", 0x1200, 0x20, STT_FUNC, STB_LOCAL}});
  put("x.debug", debug.build());
  auto symbols = load_file_symbols(open(put("x", stripped.build())));
  EXPECT_EQ(name_at(*symbols, 0x1110), "exported");
  EXPECT_EQ(name_at(*symbols, 0x1210), "hidden");
}

TEST_F(FileSymbolsTest, StrippedGoProgramUsesGoTable) {
  auto symbols = load_file_symbols(open(put("go", elf::GoProgram().build())));
  EXPECT_TRUE(symbols->has_symbols());
  constexpr uint64_t kInlined = elf::GoProgram::kText + 0x120;
  std::vector<SymbolizedFrame> chain = symbols->find(kInlined);
  ASSERT_EQ(chain.size(), 2u);
  EXPECT_EQ(chain[0].function, "main.step");
  EXPECT_EQ(chain[0].line, 20u);
  EXPECT_EQ(chain[1].function, "main.work");
  // Nothing tells whether two addresses share a chain.
  EXPECT_EQ(symbols->place(kInlined), FileSymbols::Place());
  EXPECT_TRUE(symbols->find(elf::GoProgram::kText + 0x190).empty());
}

TEST_F(FileSymbolsTest, ModuleWithoutFileHasNoSymbols) {
  auto none = load_file_symbols(open(folder_ / "nothing"));
  EXPECT_FALSE(none->has_symbols());
  EXPECT_TRUE(none->find(0x1000).empty());
  EXPECT_TRUE(load_file_symbols(*store_.anonymous("//anon"))->find(0x1000).empty());
}

TEST_F(FileSymbolsTest, SymbolizesVdso) {
  const LoadedModule* vdso = store_.vdso();
  if (!vdso->image) { GTEST_SKIP() << "no vDSO"; }
  auto symbols = load_file_symbols(*vdso);
  elf::SymbolTable table(*vdso->image);
  size_t clocks = 0;
  for (size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(name_at(*symbols, table.at(i).start), table.at(i).name);
    clocks += table.at(i).name.find("clock_gettime") != std::string_view::npos;
  }
  EXPECT_EQ(clocks, 1u);
}

// Compares with llvm-symbolizer on this program.
TEST_F(FileSymbolsTest, AgreesWithLlvm) {
  const char* tool = std::system("llvm-symbolizer-19 --version > /dev/null 2>&1") == 0 ? "llvm-symbolizer-19"
                     : std::system("llvm-symbolizer --version > /dev/null 2>&1") == 0  ? "llvm-symbolizer"
                                                                                       : nullptr;
  if (tool == nullptr) { GTEST_SKIP() << "llvm-symbolizer is not installed"; }
  std::string self = fs::read_symlink("/proc/self/exe");
  const LoadedModule& module = open(self);
  auto symbols = load_file_symbols(module);
  const elf::Section* text = module.image->find_section(".text");
  ASSERT_NE(text, nullptr);
  std::mt19937_64 random(9);
  std::vector<uint64_t> addresses;
  std::ofstream questions(folder_ / "questions");
  for (int i = 0; i < 1000; ++i) {
    addresses.push_back(text->vaddr + random() % text->size);
    questions << strf("0x%llx\n", static_cast<unsigned long long>(addresses.back()));
  }
  questions.close();
  // Without debug info, it answers from the symbol table like wick.
  ASSERT_EQ(std::system(
                strf("cp %s %s/plain && objcopy --strip-debug %s/plain && %s --obj=%s/plain --no-demangle --functions=linkage < "
                     "%s/questions > %s/answers 2> /dev/null",
                     shell_quote(self).c_str(), folder_.c_str(), folder_.c_str(), tool, folder_.c_str(), folder_.c_str(),
                     folder_.c_str())
                    .c_str()),
            0);
  // Any of several names of one function is right: those that nm lists at its address.
  ASSERT_EQ(std::system(strf("nm %s/plain > %s/names", folder_.c_str(), folder_.c_str()).c_str()), 0);
  std::ifstream names(folder_ / "names");
  std::string line;
  std::map<std::string, std::set<std::string>> addresses_of;
  while (std::getline(names, line)) {
    if (line.size() > 19) { addresses_of[line.substr(19)].insert(line.substr(0, 16)); }
  }
  auto one_address = [&](const std::string& a, const std::string& b) {
    const std::set<std::string>&x = addresses_of[a], &y = addresses_of[b];
    return std::any_of(x.begin(), x.end(), [&](const std::string& address) { return y.count(address) > 0; });
  };
  std::ifstream answers(folder_ / "answers");
  for (uint64_t address : addresses) {
    ASSERT_TRUE(std::getline(answers, line));
    std::string wanted = line == "??" ? "" : line, got = name_at(*symbols, address);
    while (std::getline(answers, line) && !line.empty()) {}
    EXPECT_TRUE(wanted == got || one_address(wanted, got))
        << strf("at 0x%llx: ", static_cast<unsigned long long>(address)) << got << " not " << wanted;
  }
}

}  // namespace
}  // namespace wick
