// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// Walks the recorded stacks of tests/data/unwind for both CPUs on any machine.

#include <gtest/gtest.h>

#include <map>

#include "base/byte_writer.h"
#include "elf/symbols.h"
#include "unwind/replay_testing.h"
#include "unwind/walker.h"

namespace wick {
namespace {

using namespace replay;
using capture::StackQuality;

// The recorded runs of bytes, with the first truncated to `first_limit` bytes like a short copy.
class RecordedMemory final : public StackMemory {
 public:
  RecordedMemory(const Case& c, size_t first_limit, bool others) : case_(c), limit_(first_limit), others_(others) {}

 private:
  bool read_outside(uint64_t address, uint64_t& value) override {
    for (size_t i = 0; i < (others_ ? case_.stacks.size() : 1); ++i) {
      const ByteRun& run = case_.stacks[i];
      size_t size = i == 0 ? std::min(limit_, run.bytes.size()) : run.bytes.size();
      if (address >= run.address && address - run.address + 8 <= size) {
        std::memcpy(&value, run.bytes.data() + (address - run.address), 8);
        return true;
      }
    }
    return false;
  }
  const Case& case_;
  size_t limit_;
  bool others_;
};

// Wraps instructions that came from no file in an ELF file with one segment (qemu's replacement for the vDSO page).
std::string wrap_in_elf(Arch arch, const std::vector<uint8_t>& code) {
  ByteWriter w;
  const uint8_t ident[16] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  w.bytes(ident);
  w.u16(3), w.u16(arch == Arch::kX86_64 ? 62 : 183), w.u32(1), w.u64(0), w.u64(64), w.u64(0), w.u32(0);
  w.u16(64), w.u16(56), w.u16(1), w.u16(0), w.u16(0), w.u16(0);
  w.u32(1), w.u32(5), w.u64(0), w.u64(0), w.u64(0), w.u64(4096 + code.size()), w.u64(4096 + code.size()), w.u64(4096);
  while (w.size() < 4096) { w.u8(0); }
  w.bytes(code);
  return {reinterpret_cast<const char*>(w.data().data()), w.size()};
}

class Replay : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    folder_ = std::string(WICK_SOURCE_DIR) + "/tests/data/unwind/" + arch_name(GetParam()) + "/";
    std::vector<uint8_t> text = load_xz(folder_ + "stacks.txt.xz");
    cases_ = parse_cases({reinterpret_cast<const char*>(text.data()), text.size()});
    ASSERT_GT(cases_.size(), 30u);
  }

  const LoadedModule* attach(const std::string& name, std::string bytes) {
    auto module = std::make_unique<LoadedModule>();
    module->path = name;
    module->memory = std::move(bytes);
    Result<elf::Image> image = elf::Image::parse(as_bytes(module->memory));
    if (image.ok()) {
      module->image.emplace(*std::move(image));
      module->unwind = std::make_unique<UnwindInfo>(*module->image, "", "");
    }
    modules_[name] = std::move(module);
    return modules_[name].get();
  }
  const LoadedModule* find_module(const std::string& name) {
    if (auto found = modules_.find(name); found != modules_.end()) { return found->second.get(); }
    std::vector<uint8_t> bytes = load_xz(folder_ + name + ".xz");
    return attach(name, {bytes.begin(), bytes.end()});
  }

  std::shared_ptr<const AddressSpace> load_space(const Case& c) {
    std::vector<Mapping> mappings;
    for (const MapLine& line : c.maps) {
      Mapping mapping{line.start, line.end, line.offset, nullptr};
      for (const ByteRun& run : c.code) {
        // The recording starts 16 bytes early; these lie in the previous page if the instructions start a page.
        uint64_t begin = run.address + 16;
        if (line.name == "//anon" && begin >= line.start && begin < line.end) {
          std::vector<uint8_t> page(static_cast<size_t>(begin - line.start));
          page.insert(page.end(), run.bytes.begin() + 16, run.bytes.end());
          mapping.module = attach("[signal return]", wrap_in_elf(GetParam(), page));
          mapping.file_offset = 4096;
        }
      }
      if (mapping.module == nullptr) { mapping.module = find_module(line.name); }
      mappings.push_back(mapping);
    }
    return AddressSpace().with(mappings);
  }

  // Symbols of the program itself, to compare with the expected ones.
  std::vector<std::string> own_names(const AddressSpace& space, const std::vector<WalkedFrame>& frames) {
    std::vector<std::string> out;
    for (const WalkedFrame& frame : frames) {
      Place place = space.place(frame.address);
      if (place.module == nullptr) {
        out.push_back("nowhere");
        continue;
      }
      if (place.module->path == "//anon") {
        out.push_back("?");
        continue;
      }
      if (place.module->path != "dump_stack") { continue; }
      if (!symbols_) { symbols_ = std::make_unique<elf::SymbolTable>(*place.module->image); }
      std::optional<elf::SymbolRange> found = symbols_->find(place.svma);
      if (!found && out.empty()) { continue; }  // the first PLT entry has no symbol
      std::string name = found ? std::string(found->name) : "unnamed";
      if (name.find("@plt") == std::string::npos) { out.push_back(name); }
    }
    return out;
  }
  void prepare_all() {
    for (auto& [name, module] : modules_) {
      if (module->unwind) { module->unwind->prepare(); }
    }
  }

  std::string folder_;
  std::vector<Case> cases_;
  std::map<std::string, std::unique_ptr<LoadedModule>> modules_;
  std::unique_ptr<elf::SymbolTable> symbols_;
};

// The frame pointers of generated code are unproven.
StackQuality complete(const Case& c) { return c.name == "generated_code" ? StackQuality::kCrossed : StackQuality::kWhole; }

TEST_P(Replay, FindsExpectedFunctions) {
  // First with the CFI entries, then with compiled tables.
  for (bool compiled : {false, true}) {
    Walker walker({GetParam()});
    for (const Case& c : cases_) {
      std::shared_ptr<const AddressSpace> space = load_space(c);
      if (compiled) { prepare_all(); }
      RecordedMemory memory(c, SIZE_MAX, true);
      std::vector<WalkedFrame> frames;
      StackQuality quality = walker.walk(c.regs, *space, memory, frames);
      EXPECT_EQ(quality, complete(c)) << c.name;
      EXPECT_EQ(own_names(*space, frames), c.expect) << c.name << (compiled ? ", compiled" : ", by entries");
    }
  }
}

TEST_P(Replay, TruncatedStackIsInnerPartOfCompleteStack) {
  Walker walker({GetParam()});
  for (const Case& c : cases_) {
    std::shared_ptr<const AddressSpace> space = load_space(c);
    RecordedMemory all(c, SIZE_MAX, true);
    std::vector<WalkedFrame> whole, frames;
    ASSERT_EQ(walker.walk(c.regs, *space, all, whole), complete(c)) << c.name;
    for (size_t limit : {size_t{0}, size_t{8}, size_t{24}, size_t{64}, size_t{200}, size_t{1000}, SIZE_MAX}) {
      RecordedMemory cut(c, limit, false);
      StackQuality quality = walker.walk(c.regs, *space, cut, frames);
      if (quality == complete(c)) {
        EXPECT_EQ(frames, whole) << c.name;
        continue;
      }
      ASSERT_EQ(quality, StackQuality::kCut) << c.name << " after " << limit;
      ASSERT_LE(frames.size(), whole.size());
      for (size_t i = 0; i + 1 < frames.size(); ++i) { EXPECT_EQ(frames[i], whole[i]) << c.name; }
    }
  }
}

TEST_P(Replay, StopsAtMaximumDepth) {
  for (uint32_t depth : {1u, 2u, 5u}) {
    Walker walker({GetParam(), depth});
    for (const Case& c : cases_) {
      std::shared_ptr<const AddressSpace> space = load_space(c);
      RecordedMemory memory(c, SIZE_MAX, true);
      std::vector<WalkedFrame> frames;
      StackQuality quality = walker.walk(c.regs, *space, memory, frames);
      EXPECT_LE(frames.size(), depth);
      EXPECT_EQ(quality == StackQuality::kTooDeep, frames.size() == depth) << c.name;
    }
  }
}

TEST_P(Replay, TerminatesOnGarbageStacks) {
  Walker walker({GetParam(), 1000});
  uint64_t seed = 1;
  for (int round = 0; round < 40; ++round) {
    for (const Case& original : cases_) {
      Case c = original;
      for (ByteRun& run : c.stacks) {
        for (size_t at = 0; at + 8 <= run.bytes.size(); at += 8) {
          seed = seed * 6364136223846793005u + 1442695040888963407u;
          if (seed >> 60 != 0) { continue; }
          // Plausible words: an address on the stack or in code.
          uint64_t value = seed & (1u << 20) ? run.address + (seed >> 32) % run.bytes.size()
                                             : c.maps[(seed >> 32) % c.maps.size()].start + (seed >> 40) % 5000;
          std::memcpy(run.bytes.data() + at, &value, 8);
        }
      }
      std::shared_ptr<const AddressSpace> space = load_space(c);
      RecordedMemory memory(c, SIZE_MAX, true);
      std::vector<WalkedFrame> frames;
      walker.walk(c.regs, *space, memory, frames);
      EXPECT_LE(frames.size(), 1000u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothCpus, Replay, ::testing::Values(Arch::kX86_64, Arch::kAarch64),
                         [](const auto& test) { return std::string(arch_name(test.param)); });

}  // namespace
}  // namespace wick
