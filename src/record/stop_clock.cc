// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/stop_clock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "os/proc_tasks.h"
#include "record/perf_open.h"
#include "record/ptrace_call.h"

namespace wick {
namespace {

constexpr size_t kRingPages = 4, kLeastRingPages = 1;
constexpr uint32_t kCopiedBytes = 1024;  // of stacks that are not read from the stopped thread
constexpr uint64_t kSecond = 1'000'000'000;
constexpr unsigned kRoundsInStep = 16;

// Delivered to a thread of another process, unlike O_ASYNC alone, with the file in its siginfo.
bool send_signal_to(int fd, pid_t tid, int signal_number) {
  f_owner_ex owner{F_OWNER_TID, tid};
  return ::fcntl(fd, F_SETOWN_EX, &owner) == 0 && ::fcntl(fd, F_SETSIG, signal_number) == 0 &&
         ::fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK) == 0;
}

}  // namespace

std::optional<int> choose_stop_signal(uint64_t blocked, uint64_t caught) {
  for (int number : {SIGURG, SIGWINCH}) {
    if (((blocked | caught) >> (number - 1) & 1) == 0) { return number; }
  }
  return std::nullopt;
}

bool is_same_moment(const RawSample& sample, const Registers& stopped) {
  RegisterNumbers numbers = register_numbers(host_arch());
  constexpr uint64_t kSystemCallBytes = host_arch() == Arch::kX86_64 ? 2 : 4;
  auto is_equal = [&](unsigned reg) {
    return sample.user.has(reg) && stopped.has(reg) && sample.user.value[reg] == stopped.value[reg];
  };
  if (!sample.user.has(numbers.pc) || !stopped.has(numbers.pc)) { return false; }
  if (!is_equal(numbers.sp) || !is_equal(numbers.fp)) { return false; }
  if (sample.in_kernel) {
    uint64_t back = sample.user.value[numbers.pc] - stopped.value[numbers.pc];
    return back == 0 || back == kSystemCallBytes;
  }
  for (unsigned reg = 0; reg < Registers::kCount; ++reg) {
    if (sample.user.has(reg) && stopped.has(reg) && !is_equal(reg)) { return false; }
  }
  return is_equal(numbers.pc);
}

std::unique_ptr<StopClock> StopClock::start(perf_event_attr attr, pid_t pid, pid_t tid, uint64_t period_ns) {
  std::optional<SignalSets> signals = load_signal_sets(pid, tid);
  std::optional<int> number = signals ? choose_stop_signal(signals->blocked, signals->caught) : std::nullopt;
  if (!number) { return nullptr; }
  std::minstd_rand random(static_cast<unsigned>(now_ns()));
  if (period_ns != 0) {  // the first sample comes at a random time within the first period
    attr.freq = 0;
    attr.sample_period = std::max<uint64_t>(random() % period_ns, 10'000);
  }
  attr.inherit = attr.enable_on_exec = attr.watermark = 0;
  attr.disabled = 1;
  attr.wakeup_events = 1;
  attr.read_format = 0;
  attr.sample_stack_user = kCopiedBytes;
  Result<Fd> fd = open_perf_event(attr, tid, -1);
  if (!fd) { return nullptr; }
  Result<PerfRing> ring = PerfRing::map(fd->get(), kRingPages, kLeastRingPages);
  if (!ring || !send_signal_to(fd->get(), tid, *number)) { return nullptr; }
  std::unique_ptr<StopClock> clock(
      new StopClock(*std::move(fd), *std::move(ring), layout_of(attr), pid, tid, *number, period_ns, random));
  clock->rounds_ = kRoundsInStep - 1;  // the first period is not the usual one
  clock->rate_hz_ = period_ns != 0 ? 0 : attr.sample_freq;
  clock->since_ns_ = now_ns();
  if (::ioctl(clock->fd_.get(), PERF_EVENT_IOC_ENABLE, 0) != 0) { return nullptr; }
  return clock;
}

StopClock::StopClock(Fd fd, PerfRing ring, const PerfLayout& layout, pid_t pid, pid_t tid, int signal_number, uint64_t period_ns,
                     std::minstd_rand random)
    : fd_(std::move(fd)),
      ring_(std::move(ring)),
      layout_(layout),
      pid_(pid),
      tid_(tid),
      signal_number_(signal_number),
      period_ns_(period_ns),
      weight_ns_(period_ns),
      random_(random) {}

void StopClock::stop() {
  ::ioctl(fd_.get(), PERF_EVENT_IOC_DISABLE, 0);
  is_on_ = false;
}

bool StopClock::is_blocked() const {
  std::optional<SignalSets> signals = load_signal_sets(pid_, tid_);
  return signals && (signals->blocked >> (signal_number_ - 1) & 1) != 0;
}

bool StopClock::has_stopped(int signal_number) const {
  if (signal_number != signal_number_) { return false; }
  siginfo_t info{};
  if (ptrace_call(PTRACE_GETSIGINFO, tid_, 0, reinterpret_cast<unsigned long>(&info)) != 0) { return false; }
  return info.si_code != SI_USER && info.si_code != SI_TKILL && info.si_code != SI_QUEUE && info.si_fd == fd_.get();
}

std::span<RawSample> StopClock::take() {
  samples_.clear();
  ring_.release();
  ring_.take();
  for (std::span<const uint8_t> record = ring_.next(); !record.empty(); record = ring_.next()) {
    perf_event_header header;
    std::memcpy(&header, record.data(), sizeof header);
    if (header.type != PERF_RECORD_SAMPLE) { continue; }
    std::optional<PerfSample> sample = parse_perf_sample(record, layout_);
    if (!sample) { continue; }
    sample->raw.weight = period_ns_ != 0 ? weight_ns_ : sample->period;
    samples_.push_back(sample->raw);
  }
  return samples_;
}

// Setting the period discards the part of it that has passed. So it is set only now and then, to another length by a sixteenth at
// most: a target in step with the clock must not be sampled at one place only. A rest is varied too, since its length depends on
// what the thread did.
void StopClock::rearm(uint64_t rest_ns) {
  bool is_changed = rest_ns != std::exchange(rest_ns_, rest_ns);
  bool is_due = period_ns_ != 0 && ++rounds_ % kRoundsInStep == 0;
  if (!is_on_ || (!is_changed && !is_due)) { return; }
  uint64_t varied_rest_ns = rest_ns / 2 + random_() % (rest_ns + 1);
  weight_ns_ = period_ns_ - period_ns_ / 16 + random_() % (period_ns_ / 8 + 1) + varied_rest_ns;
  uint64_t next = weight_ns_;
  if (period_ns_ == 0) { next = std::max<uint64_t>(kSecond / (kSecond / rate_hz_ + rest_ns), 1); }
  ::ioctl(fd_.get(), PERF_EVENT_IOC_PERIOD, &next);
}

}  // namespace wick
