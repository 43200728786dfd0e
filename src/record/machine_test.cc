// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/machine.h"

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "base/text.h"

namespace wick {
namespace {

using Cpus = std::vector<uint32_t>;

TEST(CpuList, ParsesKernelFormat) {
  EXPECT_EQ(*parse_cpu_list("0"), (Cpus{0}));
  EXPECT_EQ(*parse_cpu_list("0-3,7"), (Cpus{0, 1, 2, 3, 7}));
  EXPECT_EQ(*parse_cpu_list("7,0-1, 1"), (Cpus{0, 1, 7}));
  EXPECT_EQ(format_cpu_list(*parse_cpu_list("7,0-3,9-10")), "0-3,7,9-10");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(CpuList, RejectsMalformedLists) {
  for (const char* text :
       {"", ",", "a", "1-", "-1", "3-1", "0-99999999999", "70000", "1,,2", "1-2-3", "0x1", "99999999999999999999"}) {
    EXPECT_FALSE(parse_cpu_list(text).ok()) << text;
  }
  std::string endless = "0-65535";
  for (int i = 0; i < 1000; ++i) { endless += ",0-65535"; }
  EXPECT_FALSE(parse_cpu_list(endless).ok());
}

class MachineFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / strf("wick_machine_%d", ::getpid());
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  Machine load() { return load_machine(root_.string()); }
  std::filesystem::path root_;
};

TEST_F(MachineFiles, MissingFilesGiveNoValues) {
  Machine m = load();
  EXPECT_FALSE(m.perf_event_paranoid.has_value());
  EXPECT_FALSE(m.ptrace_scope.has_value());
  EXPECT_FALSE(m.has_btf);
  EXPECT_FALSE(m.online_cpus.empty());
  EXPECT_TRUE(m.pmu_devices.empty());
  EXPECT_FALSE(m.allows_kernel());  // nothing known: assume the strict default
}

TEST_F(MachineFiles, ReadsSettingsAndPermissions) {
  put("proc/sys/kernel/perf_event_paranoid", "-1\n");
  put("proc/sys/kernel/kptr_restrict", "not a number\n");
  put("proc/sys/kernel/yama/ptrace_scope", "1\n");
  put("proc/self/status", "Name:\twick\nCapEff:\t000000c000080000\nSeccomp:\t2\nSeccomp_filters:\t1\n");
  put("proc/self/uid_map", "         0          0 4294967295\n");
  put("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
  put("sys/devices/system/cpu/online", "0-3,8\n");
  put("sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n");
  put("sys/bus/event_source/devices/software/type", "1\n");
  Machine m = load();
  EXPECT_EQ(m.perf_event_paranoid, -1);
  EXPECT_FALSE(m.kptr_restrict.has_value());
  EXPECT_EQ(m.ptrace_scope, 1);
  EXPECT_TRUE(m.has(Capability::kPerfmon) && m.has(Capability::kBpf) && m.has(Capability::kSysPtrace));
  EXPECT_FALSE(m.has(Capability::kSysAdmin));
  EXPECT_EQ(m.seccomp_mode, 2);
  EXPECT_EQ(m.cpu_model, "Neoverse-N1");
  EXPECT_EQ(m.online_cpus, (Cpus{0, 1, 2, 3, 8}));
  EXPECT_EQ(m.pmu_devices, (std::vector<std::string>{"armv8_pmuv3_0"}));
  EXPECT_TRUE(m.is_perfmon_capable());
  EXPECT_EQ(m.ring_budget_bytes(), UINT64_MAX);  // level -1 has no limit
}

TEST_F(MachineFiles, IgnoresCapabilitiesInUserNamespaceForPerf) {
  put("proc/sys/kernel/perf_event_paranoid", "2\n");
  put("proc/self/status", "CapEff:\t000001ffffffffff\n");
  put("proc/self/uid_map", "         0     100000      65536\n");
  Machine m = load();
  EXPECT_TRUE(m.has(Capability::kSysAdmin));
  EXPECT_FALSE(m.initial_user_namespace);
  EXPECT_FALSE(m.is_perfmon_capable());
  EXPECT_FALSE(m.allows_system_wide());
}

TEST_F(MachineFiles, RingBudgetCountsEveryCpu) {
  put("proc/sys/kernel/perf_event_paranoid", "2\n");
  put("proc/sys/kernel/perf_event_mlock_kb", "516\n");
  put("sys/devices/system/cpu/online", "0-3\n");
  Machine m = load();
  m.memlock_limit_bytes = 1000;
  EXPECT_EQ(m.ring_budget_bytes(), 4u * 516 * 1024 + 1000);
}

TEST(Machine, ReadsThisMachine) {
  Machine m = load_machine();
  EXPECT_FALSE(m.kernel_release.empty());
  EXPECT_FALSE(m.host.empty());
  EXPECT_FALSE(m.cpu_model.empty());
  EXPECT_GE(m.open_files_hard, m.open_files_soft);
  EXPECT_EQ(m.user, ::geteuid());
  EXPECT_LE(m.online_cpus.size(), static_cast<size_t>(::sysconf(_SC_NPROCESSORS_CONF)));
}

// Runs in a child whose seccomp filter denies perf_event_open, like a container's.
int call_seen_under_filter(int errnum) {
  pid_t child = ::fork();
  if (child == 0) {
    sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(errnum)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{static_cast<unsigned short>(std::size(code)), code};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
      ::_exit(100);
    }
    ::_exit(static_cast<int>(probe_perf_call()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(PerfProbe, DistinguishesSeccompFilterFromKernel) {
  if (::access("/proc/sys/kernel/perf_event_paranoid", F_OK) != 0) { GTEST_SKIP() << "this kernel has no perf events"; }
  EXPECT_EQ(call_seen_under_filter(EPERM), static_cast<int>(PerfCall::kFiltered));
  EXPECT_EQ(call_seen_under_filter(ENOSYS), static_cast<int>(PerfCall::kFiltered));
}

TEST(PerfProbe, SoftwareClockFollowsParanoidLevel) {
  Machine m = load_machine();
  if (probe_perf_call() != PerfCall::kReaches) {
    EXPECT_FALSE(probe_software_clock().opened);
    GTEST_SKIP() << "perf_event_open does not reach the kernel here";
  }
  EventProbe user = probe_software_clock();
  if (m.perf_event_paranoid.value_or(3) <= 2) { EXPECT_TRUE(user.opened) << "errno " << user.errnum; }
  if (m.allows_kernel()) { EXPECT_TRUE(probe_software_clock(true).opened); }
  EventProbe nonsense = probe_event(0xfffffff0u, 0);
  EXPECT_FALSE(nonsense.opened);
  EXPECT_NE(nonsense.errnum, 0);
}

}  // namespace
}  // namespace wick
