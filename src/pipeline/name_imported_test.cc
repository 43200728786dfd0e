// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/name_imported.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"
#include "elf/elf_builder.h"
#include "elf/image.h"
#include "model/profile_builder.h"
#include "model/testing.h"

namespace wick {
namespace {

namespace fs = std::filesystem;
using Space = FramePlace::Space;

// A program linked at 0x400000, with functions of 16 bytes each.
class NameImported : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / strf("wick_imported_%d", ::getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    elf::ElfBuilder builder;
    builder.add_load(builder.add_text(0x400000, 0x100));
    builder.add_build_id({1, 2, 3});
    builder.add_symbols({{"first", 0x400000, 16}, {"_Z6secondv", 0x400010, 16}, {"third", 0x400020, 16}});
    bytes_ = builder.build();
    path_ = folder_ / "app";
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
  }
  void TearDown() override { fs::remove_all(folder_); }

  struct Place {
    Space space;
    uint64_t value;
    bool behind = false;
  };
  // One stack of frames without symbols, outermost first, below a frame with one.
  Profile profile(const std::vector<Place>& places, const std::string& build_id, bool kernel = false) const {
    ProfileBuilder b;
    b.set_imported("Firefox Profiler profile", true);
    b.set_start(5, 6);
    b.add_warning("something else");
    ModuleId module = b.module(path_, build_id, kernel);
    StackId stack = b.stack(b.frame({.function = b.function("main", {}, module)}), {});
    for (const Place& place : places) {
      FunctionId nameless = b.function(strf("[app+0x%llx]", static_cast<unsigned long long>(place.value)), {}, module, false);
      FrameId frame = b.frame({.function = nameless, .address = place.value});
      b.add_place({.frame = frame, .space = place.space, .value = place.value, .callers_are_behind = place.behind});
      stack = b.stack(frame, stack);
    }
    ThreadId thread = b.add_thread(b.add_process(7, "app"), 8, "worker");
    b.add_sample({.time_ns = 9, .thread = thread, .stack = stack, .event = b.event("cpu", "ns", 1000), .weight = 3, .count = 2});
    b.add_loss("lost.x", 4, true);
    return std::move(b).build();
  }
  static std::string stack_of(const Profile& p) {
    std::string text;
    for (StackId s = p.samples()[0].stack; s.valid(); s = p[s].caller) {
      text = std::string(p.text(p[p[p[s].frame].function].name)) + (text.empty() ? "" : ";" + text);
    }
    return text;
  }
  static std::string named(Profile p, const LoadOptions& options = {}) { return stack_of(name_imported(std::move(p), options)); }

  fs::path folder_;
  std::string path_;
  std::vector<uint8_t> bytes_;
};

TEST_F(NameImported, EachKindOfPlace) {
  EXPECT_EQ(named(profile({{Space::kLinked, 0x400004}}, "010203")), "main;first");
  EXPECT_EQ(named(profile({{Space::kRelative, 0x14}, {Space::kRelative, 0x24}}, "010203")), "main;second();third");
  Result<elf::Image> image = elf::Image::parse(bytes_);
  ASSERT_TRUE(image.ok());
  uint64_t offset = image->segments()[0].offset;
  EXPECT_EQ(named(profile({{Space::kFileOffset, offset + 0x21}}, "010203")), "main;third");
  EXPECT_EQ(named(profile({{Space::kLinked, 0x500000}}, "010203")), "main;[app+0x500000]") << "nothing is there";
  EXPECT_EQ(named(profile({{Space::kRelative, UINT64_MAX}}, "010203")), "main;[app+0xffffffffffffffff]");
}

TEST_F(NameImported, ReturnAddressesBelongToTheCall) {
  std::vector<Place> places = {{Space::kRelative, 0x10, true}, {Space::kRelative, 0x20, true}};
  EXPECT_EQ(named(profile(places, "010203")), "main;first;third") << "the innermost is exact";
}

TEST_F(NameImported, UsesOnlyTheBuildThatRan) {
  std::string nameless = "main;[app+0x400004]";
  EXPECT_EQ(named(profile({{Space::kLinked, 0x400004}}, "")), nameless);
  EXPECT_EQ(named(profile({{Space::kLinked, 0x400004}}, "010203", true)), nameless) << "the kernel lies elsewhere";
  Profile other = name_imported(profile({{Space::kLinked, 0x400004}}, "040506"), {});
  EXPECT_EQ(stack_of(other), nameless);
  ASSERT_EQ(other.warnings().size(), 2u);
  EXPECT_EQ(other.warnings()[1], path_ + " has changed since it was recorded: its functions have no symbols");
}

TEST_F(NameImported, BelowAnotherRoot) {
  fs::create_directories(folder_ / "root" / folder_.relative_path());
  fs::rename(path_, folder_ / "root" / fs::path(path_).relative_path());
  EXPECT_EQ(named(profile({{Space::kLinked, 0x400004}}, "010203")), "main;[app+0x400004]");
  LoadOptions options;
  options.sources.debug.symfs = folder_ / "root";
  EXPECT_EQ(named(profile({{Space::kLinked, 0x400004}}, "010203"), options), "main;first");
}

TEST_F(NameImported, KeepsEverythingElse) {
  Profile before = testing_profile::edited(profile({{Space::kLinked, 0x400014}}, "010203"), [](ProfileBuilder& b) {
    b.about().has_counts = b.about().events_ranked = b.about().losses_known = false;
  });
  Profile p = name_imported(std::move(before), {});
  check_profile(p);
  EXPECT_FALSE(p.has_counts());
  EXPECT_FALSE(p.events_ranked());
  EXPECT_FALSE(p.losses_known());
  EXPECT_EQ(p.imported_from(), "Firefox Profiler profile");
  EXPECT_TRUE(p.has_times());
  EXPECT_EQ(p.start_ns(), 5u);
  EXPECT_EQ(p.start_wall_ns(), 6u);
  EXPECT_EQ(p.warnings(), std::vector<std::string>{"something else"});
  ASSERT_EQ(p.losses().size(), 1u);
  EXPECT_EQ(p.losses()[0].count, 4u);
  ASSERT_EQ(p.samples().size(), 1u);
  const Sample& s = p.samples()[0];
  EXPECT_EQ(s.time_ns, 9u);
  EXPECT_EQ(s.weight, 3);
  EXPECT_EQ(s.count, 2u);
  EXPECT_EQ(p[s.thread].tid, 8u);
  EXPECT_EQ(p[p[s.thread].process].pid, 7u);
  EXPECT_EQ(p[s.event].rate_hz, 1000u);
  const Function& function = p[p[p[s.stack].frame].function];
  EXPECT_EQ(p.text(function.raw_name), "_Z6secondv");
  EXPECT_TRUE(function.known);
  EXPECT_EQ(p.text(p[function.module].build_id), "010203");
  EXPECT_EQ(p[p[s.stack].frame].address, 0x400014u);
}

}  // namespace
}  // namespace wick
