// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/process_table.h"

#include <gtest/gtest.h>

#include "capture/wick_reader.h"
#include "capture/wick_writer.h"
#include "pipeline/stack_table.h"

namespace wick {
namespace {

// PIDs above any real one, so that /proc knows nothing about them.
constexpr uint32_t kPid = 2'000'000'000, kChild = 2'000'000'100;

struct Fixture : testing::Test {
  capture::WickWriter writer;
  ModuleStore modules;
  LiveProcesses processes;
  ProcessTable table{processes, modules, writer};
  StackTable stacks{writer};
  std::vector<uint8_t> file = writer.begin({});

  capture::Capture written() {
    for (std::vector<uint8_t> part : {writer.encode_pending(), writer.finish()}) {
      file.insert(file.end(), part.begin(), part.end());
    }
    Result<capture::Capture> read = capture::read_wick(file);
    EXPECT_TRUE(read.ok());
    return read.ok() ? *std::move(read) : capture::Capture{};
  }
};

using ProcessTableTest = Fixture;

TEST_F(ProcessTableTest, ExecDropsMappingsAndBeginsANewProgram) {
  table.apply(CommEvent{1, kPid, kPid, true, "sh"});
  table.apply(MmapEvent{2, kPid, kPid, 0x1000, 0x1000, 0, 0, 0, "//anon"});
  ThreadLife& before = table.sampled_thread(kPid, kPid, 3);
  EXPECT_NE(before.process->space->find(0x1500), nullptr);
  capture::ThreadId old_row = before.row;
  table.apply(CommEvent{4, kPid, kPid, true, "app"});
  ThreadLife& after = table.sampled_thread(kPid, kPid, 5);
  EXPECT_EQ(after.process->space->find(0x1500), nullptr);
  EXPECT_NE(after.row, old_row);
  EXPECT_EQ(after.name, "app");
  EXPECT_EQ(before.name, "sh") << "a thread that ended is kept until drop_ended()";
  capture::Capture c = written();
  ASSERT_EQ(c.threads.size(), 2u);
  EXPECT_EQ(c.threads[0].name, "sh");
  EXPECT_EQ(c.threads[0].end_ns, 4u);
  EXPECT_EQ(c.threads[1].process.value, 1u);
}

TEST_F(ProcessTableTest, ForkedChildStartsWithItsParentsMappings) {
  table.apply(CommEvent{1, kPid, kPid, true, "parent"});
  table.apply(MmapEvent{2, kPid, kPid, 0x1000, 0x1000, 0, 0, 0, "//anon"});
  table.apply(ForkEvent{3, kChild, kPid, kChild, kPid});
  table.apply(MmapEvent{4, kChild, kChild, 0x5000, 0x1000, 0, 0, 0, "//anon"});
  ThreadLife& child = table.sampled_thread(kChild, kChild, 5);
  EXPECT_EQ(child.name, "parent");
  EXPECT_NE(child.process->space->find(0x1500), nullptr);
  EXPECT_NE(child.process->space->find(0x5500), nullptr);
  EXPECT_EQ(table.sampled_thread(kPid, kPid, 5).process->space->find(0x5500), nullptr);
}

// Generated code may be replaced: symbols are those at the time a frame was last seen, even below the same callers.
TEST_F(ProcessTableTest, FramesAreSeenAgainBelowTheSameCallers) {
  table.apply(CommEvent{1, kPid, kPid, true, "app"});
  table.apply(MmapEvent{2, kPid, kPid, 0x1000, 0x1000, 0, 0, 0, "//anon"});
  ThreadLife& thread = table.sampled_thread(kPid, kPid, 3);
  std::vector<uint64_t> first{0x1100, 0x1200, 0x1300}, second{0x1100, 0x1200, 0x1400};
  capture::StackId before = stacks.add(thread, *thread.process->space, first, 3, 10);
  stacks.add(thread, *thread.process->space, second, 3, 20);
  EXPECT_EQ(stacks.last_seen_ns({0}), 20u);
  EXPECT_EQ(stacks.last_seen_ns({1}), 20u);
  EXPECT_EQ(stacks.last_seen_ns(stacks.innermost(before)), 10u);
}

TEST_F(ProcessTableTest, ThreadsShareTheirProcess) {
  table.apply(CommEvent{1, kPid, kPid, true, "app"});
  table.apply(ForkEvent{2, kPid, kPid, kPid + 1, kPid});
  table.apply(CommEvent{3, kPid, kPid + 1, false, "worker"});
  ThreadLife& worker = table.sampled_thread(kPid, kPid + 1, 4);
  EXPECT_EQ(worker.name, "worker");
  table.apply(MmapEvent{5, kPid, kPid, 0x1000, 0x1000, 0, 0, 0, "//anon"});
  EXPECT_NE(worker.process->space->find(0x1000), nullptr);
  EXPECT_EQ(table.sampled_processes(), 1u);
  EXPECT_EQ(table.sampled_threads(), 1u);
  capture::Capture c = written();
  ASSERT_EQ(c.threads.size(), 2u) << "the process's first thread has a row, sampled or not";
  EXPECT_EQ(c.threads[0].name, "app");
  EXPECT_EQ(c.threads[1].process.value, 0u);
}

TEST_F(ProcessTableTest, ReusedPidIsAnotherProcess) {
  table.apply(CommEvent{1, kPid, kPid, true, "first"});
  capture::ThreadId first = table.sampled_thread(kPid, kPid, 2).row;
  table.apply(ExitEvent{3, kPid, kPid});
  table.drop_ended(UINT64_MAX);
  table.apply(ForkEvent{4, kPid, kChild, kPid, kChild});
  EXPECT_NE(table.sampled_thread(kPid, kPid, 5).row, first);
}

TEST_F(ProcessTableTest, StacksAreSharedAndKernelFramesAreInnermost) {
  table.apply(CommEvent{1, kPid, kPid, true, "app"});
  table.apply(MmapEvent{2, kPid, kPid, 0x1000, 0x1000, 0, 0, 0, "//anon"});
  ThreadLife& t = table.sampled_thread(kPid, kPid, 3);
  const AddressSpace& space = *t.process->space;
  std::vector<uint64_t> whole = {0x1100, 0x1200, 0x1300, 0xffffffff81000000}, shorter = {0x1100, 0x1250};
  capture::StackId a = stacks.add(t, space, whole, 3, 1);
  EXPECT_EQ(stacks.add(t, space, whole, 3, 1), a);
  capture::StackId b = stacks.add(t, space, shorter, 2, 2);
  EXPECT_EQ(stacks.add(t, space, whole, 3, 1), a) << "also after another stack in between";
  EXPECT_EQ(stacks.frames().size(), 5u);
  capture::Capture c = written();
  EXPECT_EQ(c.stacks.size(), 5u);
  EXPECT_EQ(c.modules[c.frames[c.stacks[a.value].frame.value].module.value].kind, capture::ModuleKind::kKernel);
  EXPECT_EQ(c.frames[c.stacks[b.value].frame.value].address, 0x1250u);
  EXPECT_FALSE(stacks.add(t, space, {}, 0, 3).valid());
}

TEST_F(ProcessTableTest, GeneratedCodeBelongsToItsProcess) {
  table.apply(CommEvent{1, kPid, kPid, true, "parent"});
  EXPECT_EQ(table.sampled_thread(kPid, kPid, 1).process->jit, nullptr);
  table.apply(MmapEvent{2, kPid, kPid, 0x1000, 0x1000, 0, 0, 0, "//anon"});
  table.apply(ForkEvent{3, kChild, kPid, kChild, kPid});
  ThreadLife& parent = table.sampled_thread(kPid, kPid, 4);
  ThreadLife& child = table.sampled_thread(kChild, kChild, 4);
  std::vector<uint64_t> user = {0x1300}, other = {0x1400};
  capture::FrameId a = stacks.innermost(stacks.add(parent, *parent.process->space, user, 1, 10));
  capture::FrameId b = stacks.innermost(stacks.add(child, *child.process->space, user, 1, 20));
  EXPECT_NE(a, b) << "the same address, but not the same code";
  capture::ModuleId of_a = stacks.frames()[a.value].module, of_b = stacks.frames()[b.value].module;
  EXPECT_EQ(stacks.modules()[of_a.value], stacks.modules()[of_b.value]);
  ASSERT_NE(stacks.generated()[of_a.value], nullptr);
  EXPECT_EQ(stacks.generated()[of_b.value]->parent(), stacks.generated()[of_a.value].get());
  EXPECT_EQ(stacks.last_seen_ns(a), 10u);
  stacks.add(parent, *parent.process->space, other, 1, 30);
  stacks.add(parent, *parent.process->space, user, 1, 40);
  EXPECT_EQ(stacks.last_seen_ns(a), 40u);
  EXPECT_EQ(stacks.last_seen_ns(b), 20u);
}

}  // namespace
}  // namespace wick
