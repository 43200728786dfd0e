// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "pipeline/process_source.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/rows.h"
#include "pipeline/process_table.h"
#include "pipeline/recorded_processes.h"

namespace wick {
namespace {

const uint32_t kOwnPid = static_cast<uint32_t>(::getpid());

PerfDataInfo info_of_here() {
  utsname here{};
  EXPECT_EQ(::uname(&here), 0);
  PerfDataInfo info;
  info.host = here.nodename;
  info.kernel = here.release;
  return info;
}

TEST(ProcessSource, ReadsOnlyRunningProcesses) {
  LiveProcesses live;
  PerfDataInfo info = info_of_here();
  RecordedProcesses recorded(info, {});
  EXPECT_TRUE(live.runs_meanwhile());
  EXPECT_FALSE(recorded.runs_meanwhile());
  EXPECT_FALSE(live.describe(kOwnPid, 1).empty());
  EXPECT_TRUE(recorded.describe(kOwnPid, 1).empty()) << "the number may be another's now";
  MmapEvent mapping{1, kOwnPid, kOwnPid, 0x1000, 0x1000, 0, 8, 9, "/tmp/jit-1.dump"};
  EXPECT_EQ(live.mapped_file(mapping).pid, kOwnPid);
  EXPECT_EQ(recorded.mapped_file(mapping).pid, 0u);
  EXPECT_EQ(recorded.mapped_file(mapping).inode, 9u);
}

TEST(ProcessSource, DescribesARunningProcessWithoutEvents) {
  auto mappings_of_us = [](ProcessSource& source) {
    capture::MemoryRows rows;
    ModuleStore modules;
    ProcessTable table(source, modules, rows);
    uint64_t here = reinterpret_cast<uintptr_t>(&::getpid);
    return table.sampled_thread(kOwnPid, kOwnPid, 1).process->space->find(here) != nullptr;
  };
  LiveProcesses live;
  PerfDataInfo info = info_of_here();
  RecordedProcesses recorded(info, {});
  EXPECT_TRUE(mappings_of_us(live));
  EXPECT_FALSE(mappings_of_us(recorded));
}

// A pipe contains build IDs between mappings.
TEST(ProcessSource, UsesBuildIdsAsSoonAsTheyAreKnown) {
  PerfDataInfo info;
  info.host = "elsewhere";
  RecordedProcesses recorded(info, {});
  ModuleStore modules;
  MmapEvent mapping{1, 5, 5, 0x1000, 0x1000, 0, 0, 0, "/proc/self/exe"};
  EXPECT_FALSE(recorded.find_module(modules, mapping)->image);
  EXPECT_EQ(recorded.files().unproven().size(), 1u);
  info.build_ids.push_back({.path = "/proc/self/exe", .id = "0123456789"});
  EXPECT_FALSE(recorded.find_module(modules, mapping)->image);
  EXPECT_EQ(recorded.files().changed().size(), 1u) << "known by its build-id to be another";
}

}  // namespace
}  // namespace wick
