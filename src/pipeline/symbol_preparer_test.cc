// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/symbol_preparer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "elf/dwarf_builder.h"
#include "pipeline/idle_pace.h"
#include "pipeline/name_frames.h"
#include "symbolize/joinable_work.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Named : public FileSymbols {
 public:
  explicit Named(std::string name) : name_(std::move(name)) {}
  void find(uint64_t, std::vector<SymbolizedFrame>& chain) const override { chain.assign(1, {name_, {}, 0, 0}); }
  bool has_symbols() const override { return true; }

 private:
  std::string name_;
};

class SymbolPreparerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_prepare_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  const LoadedModule* module(const std::string& name) {
    elf::ElfBuilder builder;
    builder.add_text(0x1000, 0x1000);
    builder.add_symbols({{name + "_itself", 0x1000, 0x1000}});
    return store_->load({0, put(name, builder.build()), 0, 0});
  }
  std::string put(const std::string& name, const std::vector<uint8_t>& bytes) {
    std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
  }
  static std::string name_of(const LoadedModule* module, SymbolPreparer* prepared) {
    std::vector<std::string> mismatched;
    auto all =
        name_frames({{capture::ModuleKind::kFile, module->path, ""}}, {{{0}, 0x1010}}, {module}, mismatched, {}, {{}, prepared});
    return all.at(0).chain.at(0).function;
  }

  fs::path folder_;
  std::shared_ptr<ModuleStore> store_ = std::make_shared<ModuleStore>();
};

TEST_F(SymbolPreparerTest, UsesPreparedSymbols) {
  std::atomic<int> loads{0};
  std::atomic<int> priority{-1};
  SymbolPreparer preparer(store_, SymbolPreparer::Load([&](const LoadedModule& m, const SymbolLoad& how) {
                            ++loads;
                            priority = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
                            EXPECT_TRUE(how.background);
                            return std::make_shared<Named>("prepared " + fs::path(m.path).filename().string());
                          }),
                          false);
  const LoadedModule *a = module("a"), *b = module("b");
  for (int i = 0; i < 5; ++i) { preparer.add(a); }
  preparer.add(nullptr);
  preparer.add(store_->anonymous("//anon"));
  while (loads == 0) { std::this_thread::sleep_for(1ms); }
  EXPECT_EQ(name_of(a, &preparer), "prepared a");
  EXPECT_EQ(name_of(a, &preparer), "prepared a");
  EXPECT_EQ(loads, 1);
  constexpr int kLast = 19;  // the last entry
  EXPECT_GE(priority, std::min(::getpriority(PRIO_PROCESS, 0) + 1, kLast)) << "others go first";
  EXPECT_EQ(name_of(b, &preparer), "b_itself") << "never added: loaded as ever";
  preparer.add(b);
  EXPECT_EQ(name_of(b, &preparer), "b_itself") << "nothing is begun once names were asked for";
  EXPECT_EQ(loads, 1);
}

TEST_F(SymbolPreparerTest, TakingHelpsToFinish) {
  std::atomic<bool> begun{false};
  std::atomic<int> next{0}, by_others{0};
  SymbolPreparer preparer(store_, SymbolPreparer::Load([&](const LoadedModule&, const SymbolLoad& how) {
                            std::thread::id own = std::this_thread::get_id();
                            how.work->run([&] {
                              begun = true;
                              while (by_others <= 20 && next.fetch_add(1) < 20'000) {
                                by_others += std::this_thread::get_id() != own;
                                std::this_thread::sleep_for(1ms);
                              }
                            });
                            return std::make_shared<Named>("together");
                          }),
                          false);
  const LoadedModule* a = module("a");
  preparer.add(a);
  while (!begun) { std::this_thread::sleep_for(1ms); }
  EXPECT_EQ(name_of(a, &preparer), "together");
  EXPECT_GT(by_others, 20);
}

TEST_F(SymbolPreparerTest, AbandonsAStuckThread) {
  std::atomic<bool> begun{false}, stopped{false};
  SymbolPreparer preparer(store_, SymbolPreparer::Load([&](const LoadedModule&, const SymbolLoad& how) {
                            begun = true;
                            while (!*how.stop) { std::this_thread::sleep_for(1ms); }  // uses no CPU time
                            stopped = true;
                            return std::make_shared<Named>("too late");
                          }),
                          false);
  const LoadedModule* a = module("a");
  preparer.add(a);
  while (!begun) { std::this_thread::sleep_for(1ms); }
  EXPECT_EQ(name_of(a, &preparer), "a_itself");
  while (!stopped) { std::this_thread::sleep_for(1ms); }
  EXPECT_EQ(name_of(a, &preparer), "a_itself");
}

TEST_F(SymbolPreparerTest, StopsUnfinishedWorkWithTheRecording) {
  auto begun = std::make_shared<std::atomic<bool>>(false), stopped = std::make_shared<std::atomic<bool>>(false);
  {
    SymbolPreparer preparer(store_, SymbolPreparer::Load([begun, stopped](const LoadedModule&, const SymbolLoad& how) {
                              *begun = true;
                              while (!*how.stop) { std::this_thread::sleep_for(1ms); }
                              *stopped = true;
                              return std::make_shared<Named>("nobody wants it");
                            }),
                            false);
    preparer.add(module("a"));
    while (!*begun) { std::this_thread::sleep_for(1ms); }
  }
  for (int waits = 0; !*stopped && waits < 10'000; ++waits) { std::this_thread::sleep_for(1ms); }
  EXPECT_TRUE(*stopped);
}

TEST(IdlePace, WaitsWhileOthersNeedTheCpus) {
  std::atomic<bool> end{false}, rested{false};
  std::vector<std::thread> others;
  for (unsigned i = 0; i < std::thread::hardware_concurrency() + 2; ++i) {
    others.emplace_back([&] {
      while (!end) {}
    });
  }
  IdlePace pace;
  std::thread working([&] {
    pace.rest();
    rested = true;
  });
  std::this_thread::sleep_for(50ms);
  bool too_early = rested;
  pace.hurry();
  working.join();
  end = true;
  for (std::thread& other : others) { other.join(); }
  pace.rest();  // no longer waits
  if (!fs::exists("/proc/loadavg")) { GTEST_SKIP() << "no /proc/loadavg"; }
  EXPECT_FALSE(too_early);
}

TEST_F(SymbolPreparerTest, ReadsDebugInfoFromTheCache) {
  using namespace elf::dw;
  constexpr uint64_t kCode = 0x1000;
  elf::DwarfBuilder b;
  b.usual_root();
  b.abbreviation(2, kTagSubprogram, false, {{kAtName, kFormString}, {kAtLowPc, kFormAddr}, {kAtHighPc, kFormData4}});
  b.abbrev.u8(0);
  ByteWriter entries;
  elf::DwarfBuilder::root_entry(entries, kCode, 0x100);
  entries.u8(2);
  for (char c : std::string_view("of_the_unit")) { entries.u8(static_cast<uint8_t>(c)); }
  entries.u8(0);
  entries.u64(kCode);
  entries.u32(0x100);
  entries.bytes(std::vector<uint8_t>(300 << 10));  // large enough to be cached: a null entry takes one byte
  b.unit(entries.data());
  std::string path = put("debugged", b.build({}, {1, 2, 3}));
  const LoadedModule* module = store_->load({0, path, 0, 0});
  SymbolSources sources{folder_, {}};
  uint64_t at = kCode + 0x43;
  std::unique_ptr<FileSymbols> plain = load_file_symbols(*module);
  SymbolPreparer preparer(store_, sources, false);
  preparer.add(module);
  bool cached = false;
  for (int tries = 0; !cached && tries < 120'000; ++tries) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ / "symbols", none)) { cached |= entry.path().extension() != ".tmp"; }
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_TRUE(cached);
  std::vector<std::string> mismatched;
  auto all = name_frames({{capture::ModuleKind::kFile, path, module->build_id}}, {{{0}, at}}, {module}, mismatched, sources,
                         {{}, &preparer});
  std::vector<SymbolizedFrame> expected = plain->find(at);
  ASSERT_EQ(expected.size(), 1u);
  EXPECT_EQ(expected[0].function, "of_the_unit");
  ASSERT_EQ(all.at(0).chain.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(all[0].chain[i].function, expected[i].function);
    EXPECT_EQ(all[0].chain[i].line, expected[i].line);
  }
}

}  // namespace
}  // namespace wick
