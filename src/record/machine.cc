// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include "base/fd.h"
#include "base/text.h"

namespace wick {
namespace {

constexpr uint32_t kMaxCpu = 65535;  // far above any kernel's NR_CPUS; limits the memory for a list

std::optional<std::string> read_small(const std::string& path, size_t size = 4096) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) { return std::nullopt; }
  Fd owner(fd);
  // A single read: /proc/cpuinfo is slow to generate for hundreds of CPUs, and its first page suffices.
  std::string text(size, '\0');
  ssize_t n = ::read(fd, text.data(), text.size());
  if (n < 0) { return std::nullopt; }
  text.resize(static_cast<size_t>(n));
  return text;
}

std::optional<int64_t> read_number(const std::string& path) {
  std::optional<std::string> text = read_small(path);
  if (!text) { return std::nullopt; }
  std::string_view digits = trim(*text);
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) { return std::nullopt; }
  return value;
}

// Finds "Name:   value" in /proc/self/status or "name : value" in /proc/cpuinfo.
std::string_view find_field(std::string_view text, std::string_view name) {
  for (std::string_view line : split(text, '\n')) {
    size_t colon = line.find(':');
    if (colon != std::string_view::npos && trim(line.substr(0, colon)) == name) { return trim(line.substr(colon + 1)); }
  }
  return {};
}

// aarch64's cpuinfo has numbers instead of a name. These are common in servers and boards; others are shown as numbers.
std::string arm_core_name(std::string_view implementer, std::string_view part) {
  static const struct {
    const char *implementer, *part, *name;
  } kCores[] = {
      {"0x41", "0xd03", "Cortex-A53"},  {"0x41", "0xd04", "Cortex-A35"},  {"0x41", "0xd05", "Cortex-A55"},
      {"0x41", "0xd07", "Cortex-A57"},  {"0x41", "0xd08", "Cortex-A72"},  {"0x41", "0xd09", "Cortex-A73"},
      {"0x41", "0xd0a", "Cortex-A75"},  {"0x41", "0xd0b", "Cortex-A76"},  {"0x41", "0xd0c", "Neoverse-N1"},
      {"0x41", "0xd0d", "Cortex-A77"},  {"0x41", "0xd40", "Neoverse-V1"}, {"0x41", "0xd41", "Cortex-A78"},
      {"0x41", "0xd44", "Cortex-X1"},   {"0x41", "0xd46", "Cortex-A510"}, {"0x41", "0xd47", "Cortex-A710"},
      {"0x41", "0xd48", "Cortex-X2"},   {"0x41", "0xd49", "Neoverse-N2"}, {"0x41", "0xd4a", "Neoverse-E1"},
      {"0x41", "0xd4b", "Cortex-A78C"}, {"0x41", "0xd4f", "Neoverse-V2"}, {"0x41", "0xd84", "Neoverse-V3"},
      {"0x41", "0xd8e", "Neoverse-N3"}, {"0xc0", "0xac3", "Ampere-1"},    {"0xc0", "0xac4", "Ampere-1A"},
      {"0x48", "0xd01", "Kunpeng-920"}, {"0x43", "0x0af", "ThunderX2"},   {"0x46", "0x001", "A64FX"},
  };
  for (const auto& core : kCores) {
    if (implementer == core.implementer && part == core.part) { return core.name; }
  }
  return strf("CPU implementer %.*s part %.*s", static_cast<int>(implementer.size()), implementer.data(),
              static_cast<int>(part.size()), part.data());
}

std::string cpu_model_of(std::string_view cpuinfo) {
  std::string_view name = find_field(cpuinfo, "model name");
  if (!name.empty()) { return std::string(name); }
  std::string_view implementer = find_field(cpuinfo, "CPU implementer");
  return implementer.empty() ? std::string() : arm_core_name(implementer, find_field(cpuinfo, "CPU part"));
}

std::vector<std::string> core_pmus(const std::string& folder) {
  std::vector<std::string> found;
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) { return found; }
  while (const dirent* entry = ::readdir(dir)) {
    std::string name = entry->d_name;
    // arm has armv8_…, armv9_… and apple_…_pmu; x86 has "cpu", hybrids "cpu_core" and "cpu_atom".
    bool core = name == "cpu" || name == "cpu_core" || name == "cpu_atom" || name.rfind("armv8_", 0) == 0 ||
                name.rfind("armv9_", 0) == 0 || (name.rfind("apple_", 0) == 0 && name.find("_pmu") != std::string::npos);
    if (core) { found.push_back(name); }
  }
  ::closedir(dir);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<uint32_t> own_cpus() {
  std::vector<uint32_t> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) { cpus.push_back(cpu); }
    }
  }
  if (cpus.empty()) { cpus.push_back(0); }
  return cpus;
}

bool is_initial_user_namespace(const std::string& uid_map) {
  std::vector<uint64_t> numbers;
  for (std::string_view word : split(trim(uid_map), ' ')) {
    if (std::optional<uint64_t> n = parse_u64(word)) { numbers.push_back(*n); }
  }
  return numbers == std::vector<uint64_t>{0, 0, UINT32_MAX};
}

}  // namespace

uint64_t Machine::ring_budget_bytes() const {
  bool unlimited = perf_event_paranoid.value_or(2) < 0 || (initial_user_namespace && has(Capability::kIpcLock));
  if (unlimited || memlock_limit_bytes == UINT64_MAX) { return UINT64_MAX; }
  // The kernel first charges perf's allowance over all processes of the user, then RLIMIT_MEMLOCK of this one.
  return static_cast<uint64_t>(std::max<int64_t>(0, mlock_kb.value_or(516))) * 1024 * online_cpus.size() + memlock_limit_bytes;
}

Machine load_machine(const std::string& root) {
  Machine m;
  std::string kernel = root + "/proc/sys/kernel/";
  m.perf_event_paranoid = read_number(kernel + "perf_event_paranoid");
  m.kptr_restrict = read_number(kernel + "kptr_restrict");
  m.max_sample_rate_hz = read_number(kernel + "perf_event_max_sample_rate");
  m.mlock_kb = read_number(kernel + "perf_event_mlock_kb");
  m.max_stack = read_number(kernel + "perf_event_max_stack");
  m.unprivileged_bpf_disabled = read_number(kernel + "unprivileged_bpf_disabled");
  m.ptrace_scope = read_number(kernel + "yama/ptrace_scope");

  m.user = ::geteuid();
  std::string status = read_small(root + "/proc/self/status").value_or("");
  m.capabilities = parse_u64(find_field(status, "CapEff"), 16).value_or(0);
  m.seccomp_mode = static_cast<int>(parse_u64(find_field(status, "Seccomp")).value_or(0));
  if (std::optional<std::string> map = read_small(root + "/proc/self/uid_map")) {
    m.initial_user_namespace = is_initial_user_namespace(*map);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0) {
    m.memlock_limit_bytes = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
  }
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    m.open_files_soft = limit.rlim_cur;
    m.open_files_hard = limit.rlim_max;
  }

  Result<std::vector<uint32_t>> online = parse_cpu_list(trim(read_small(root + "/sys/devices/system/cpu/online").value_or("")));
  m.online_cpus = online.ok() ? *std::move(online) : own_cpus();
  utsname names{};
  if (::uname(&names) == 0) {
    m.kernel_release = names.release;
    m.host = names.nodename;
  }
  m.cpu_model = cpu_model_of(read_small(root + "/proc/cpuinfo", 16384).value_or(""));
  m.pmu_devices = core_pmus(root + "/sys/bus/event_source/devices");
  m.has_btf = ::access((root + "/sys/kernel/btf/vmlinux").c_str(), R_OK) == 0;
  return m;
}

Result<std::vector<uint32_t>> parse_cpu_list(std::string_view text) {
  auto bad = [&](const char* why) {
    return Error("invalid CPU list \"%.*s\": %s", static_cast<int>(text.size()), text.data(), why)
        .with_code(Errc::kUsage)
        .with_hint("for example: 0-3,7");
  };
  std::vector<uint32_t> cpus;
  for (std::string_view part : split(text, ',')) {
    part = trim(part);
    size_t dash = part.find('-');
    std::optional<uint64_t> first = parse_u64(part.substr(0, dash));
    std::optional<uint64_t> last = dash == std::string_view::npos ? first : parse_u64(part.substr(dash + 1));
    if (!first || !last) { return bad("missing number"); }
    if (*first > *last) { return bad("a range ends before it begins"); }
    if (*last > kMaxCpu) { return bad("CPU number too large"); }
    for (uint64_t cpu = *first; cpu <= *last; ++cpu) { cpus.push_back(static_cast<uint32_t>(cpu)); }
    if (cpus.size() > 4 * size_t{kMaxCpu}) { return bad("too many CPUs"); }
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string format_cpu_list(const std::vector<uint32_t>& cpus) {
  std::string out;
  for (size_t i = 0; i < cpus.size();) {
    size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) { ++last; }
    out += strf(last == i ? "%s%u" : "%s%u-%u", out.empty() ? "" : ",", cpus[i], cpus[last]);
    i = last + 1;
  }
  return out;
}

PerfCall probe_perf_call() {
  // Unknown flags: the kernel's perf code rejects them with EINVAL before any permission check, on every kernel and even at the
  // distributions' stricter levels. Any other error does not come from that code.
  long result = ::syscall(SYS_perf_event_open, nullptr, 0, -1, -1, ~0ul);
  int errnum = errno;
  if (result >= 0) {
    ::close(static_cast<int>(result));
    return PerfCall::kReaches;
  }
  if (errnum == EINVAL) { return PerfCall::kReaches; }
  bool built = ::access("/proc/sys/kernel/perf_event_paranoid", F_OK) == 0;
  return errnum == ENOSYS && !built ? PerfCall::kNotBuilt : PerfCall::kFiltered;
}

EventProbe probe_event(uint32_t type, uint64_t config, bool with_kernel, bool whole_cpu, uint64_t config1, uint64_t config2) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = type;
  attr.config = config;
  attr.config1 = config1;
  attr.config2 = config2;
  attr.disabled = 1;
  attr.sample_period = 1'000'000;
  attr.sample_type = PERF_SAMPLE_IP;
  attr.exclude_kernel = !with_kernel;
  attr.exclude_hv = 1;
  long fd = ::syscall(SYS_perf_event_open, &attr, whole_cpu ? -1 : 0, whole_cpu ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0) { return {false, errno}; }
  ::close(static_cast<int>(fd));
  return {true, 0};
}

EventProbe probe_software_clock(bool with_kernel) {
  return probe_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, with_kernel);
}

EventProbe probe_hardware_cycles(bool with_kernel) {
  return probe_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, with_kernel);
}

}  // namespace wick
