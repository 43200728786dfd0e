// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/stop_sampler.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>

#include "base/byte_reader.h"
#include "base/clock.h"
#include "os/proc_tasks.h"
#include "record/ptrace_call.h"
#include "record/ptrace_registers.h"

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kShortestTickNs = 50'000;  // a stop costs some 20 us: a shorter interval would be spent mostly on stops
// The most periods that one sample may represent, unless the sampler chose to leave the thread alone for longer. Further time
// counts as unsampled.
constexpr uint64_t kMostPeriodsOfALook = 8;
constexpr unsigned kTicksUntilSlow = 128, kSlowdown = 4;  // a target that sleeps completely is queried less often
constexpr uint64_t kAnswerNs = 60'000;                    // usual time from a thread's stop to our response
constexpr uint64_t kLateTickNs = 400'000;
constexpr uint64_t kAnswerSoonNs = 100'000'000;  // a thread that has not stopped by then may have ended
// Read together with the registers: most stacks end within it.
constexpr size_t kFirstBytes = 4096;
// A look at a stack of a megabyte takes 150 us. Looks longer than this are limited to a sixteenth of the time. One that also has
// to load unwind tables says nothing about the next.
constexpr uint64_t kLongLookNs = 50'000, kLookShare = 16, kLongestRestNs = 50'000'000;

// The bytes of a register set of a stopped thread; empty if it was killed.
Bytes read_register_set(pid_t tid, unsigned long kind, std::span<uint8_t> room) {
  iovec part{room.data(), room.size()};
  if (ptrace_call(PTRACE_GETREGSET, tid, kind, reinterpret_cast<unsigned long>(&part)) != 0) { return {}; }
  return {room.data(), part.iov_len};
}

bool is_in_system_call(pid_t tid, const StoppedRegisters& registers) {
  if (registers.in_system_call) { return *registers.in_system_call; }
  constexpr unsigned long kArmSystemCall = 0x404;  // NT_ARM_SYSTEM_CALL, missing in old headers
  std::array<uint8_t, 8> room{};
  return parse_arm_system_call(read_register_set(tid, kArmSystemCall, room)).value_or(false);
}

}  // namespace

std::optional<StoppedRegisters> read_stopped_registers(pid_t tid) {
  std::array<uint8_t, 512> room{};
  return parse_prstatus(host_arch(), read_register_set(tid, NT_PRSTATUS, room));
}

uint64_t rest_after(uint64_t look_ns) { return look_ns > kLongLookNs ? std::min(look_ns * (kLookShare - 1), kLongestRestNs) : 0; }

StopSampler::StopSampler(uint64_t rate_hz) : stack_(kFirstBytes) {
  period_ns_ = kSecond / rate_hz;
  tick_ns_ = std::max(period_ns_, kShortestTickNs);
  random_.seed(static_cast<unsigned>(now_ns()));
}

void StopSampler::enable(uint64_t now_ns) {
  enabled_ = true;
  schedule_tick(now_ns);
}

void StopSampler::disable() {
  enabled_ = false;
  next_tick_ns_ = UINT64_MAX;
}

// A jitter of a sixteenth in both directions: a target in step with the ticks must not be sampled at one place only.
void StopSampler::schedule_tick(uint64_t now_ns) {
  uint64_t length = tick_ns_ - tick_ns_ / 16 + random_() % (tick_ns_ / 8 + 1);
  if (idle_ticks_ >= kTicksUntilSlow) { length *= kSlowdown; }
  bool is_late = next_tick_ns_ == UINT64_MAX || now_ns > next_tick_ns_ + length;
  next_tick_ns_ = (is_late ? now_ns : next_tick_ns_) + length;
  tick_length_ns_ = length;
}

const std::vector<StoppableThread*>& StopSampler::tick(uint64_t now_ns, uint64_t woke_ns) {
  tick_woke_ns_ = woke_ns;
  tick_is_late_ = now_ns - next_tick_ns_ > kLateTickNs;
  on_time_ns_ += tick_is_late_ ? 0 : tick_length_ns_;
  ++idle_ticks_;
  vanished_.clear();
  watch_.pick(asked_);
  for (StoppableThread* thread : asked_) {
    ask(*thread, now_ns);
    watch_.settle(*thread);
  }
  schedule_tick(now_ns);
  return vanished_;
}

// Interrupts the thread if it is running.
void StopSampler::ask(StoppableThread& thread, uint64_t now_ns) {
  if (thread.interrupted && now_ns > thread.interrupted_ns + kAnswerSoonNs) { notice_end(thread, now_ns); }
  if (thread.interrupted || now_ns < thread.not_before_ns) {
    thread.quiet_checks = 0;
    idle_ticks_ = 0;
    return;
  }
  ++thread.quiet_checks;
  using State = StoppableThread::State;
  if (thread.state == State::kListening || thread.state == State::kEnded) { return; }
  std::optional<RunTime> time = thread.probe.run_time();
  if (!time) {
    // Killed before its first stop, or gone by the exec of another thread: nothing reports it.
    if (thread.tid != thread.pid && !thread.probe.exists()) { vanished_.push_back(&thread); }
    return;
  }
  // A thread that ran at a query was stopped, so one that runs now must have got its CPU since.
  bool has_not_run = time->slices && thread.asked.slices == time->slices;
  thread.asked = *time;
  add_time(thread, *time);
  if (thread.state == State::kNew || has_not_run) { return; }
  thread.quiet_checks = 0;
  idle_ticks_ = 0;
  if (!thread.probe.is_running()) { return; }
  if (ptrace_call(PTRACE_INTERRUPT, thread.tid, 0, 0) == 0) {
    thread.interrupted = true;
    thread.interrupted_ns = now_ns;
  }
}

// The end of a process's first thread is not reported before all others have ended, and it cannot stop any more.
void StopSampler::notice_end(StoppableThread& thread, uint64_t now_ns) {
  thread.interrupted_ns = now_ns;
  if (!has_ended(thread.pid, thread.tid)) { return; }
  thread.interrupted = false;
  thread.state = StoppableThread::State::kEnded;
}

void StopSampler::add_time(StoppableThread& thread, const RunTime& time) {
  if (enabled_) {
    cpu_ns_ += thread.credit.add(time.run_ns);
  } else {
    thread.credit.begin(time.run_ns);
  }
}

void StopSampler::count(StoppableThread& thread) { count_standing(thread); }

// A thread had a CPU when interrupted if it has got no new time slice since. It also had one if wick took it by waking up for the
// tick; then it has waited from that moment until it could stop just now.
StopSampler::Standing StopSampler::count_standing(StoppableThread& thread) {
  Standing standing;
  std::optional<RunTime> time = thread.probe.run_time();
  if (!time) { return standing; }
  uint64_t waited_ns = time->wait_ns - std::min(time->wait_ns, thread.asked.wait_ns);
  uint64_t since_tick_ns = now_ns() - tick_woke_ns_;
  standing.kept_cpu = !time->slices || time->slices == thread.asked.slices;
  standing.put_off_by_us = waited_ns <= since_tick_ns + kAnswerNs && since_tick_ns <= waited_ns + kAnswerNs;
  thread.asked = *time;
  add_time(thread, *time);
  return standing;
}

bool StopSampler::has_slept(StoppableThread& thread) {
  std::optional<uint64_t> given_up = thread.probe.times_given_up();
  bool known = given_up && thread.given_up_seen;
  bool slept = !known || *given_up - *thread.given_up_seen > thread.stops - thread.stops_seen;
  thread.given_up_seen = given_up;
  thread.stops_seen = thread.stops;
  return slept;
}

// A thread that kept its CPU until it stopped is sampled as it is. One that wick itself preempted is as good, unless wick woke up
// late: then the kernel let others finish their slices first, and those do not end at random places. Any other thread is where
// the scheduler left it, and is sampled only if it has gone without a look for several periods. A system call in which a thread
// sleeps or has just woken up is never sampled (other timers often expire together with ours): its time went elsewhere.
std::optional<RawSample> StopSampler::look(StoppableThread& thread, UnwindMode unwind, std::function<void()> go_on,
                                           StoppedMemory::CheckCode check_code) {
  thread.interrupted = false;
  // Not the time that passed: on a busy machine, wick waits for a CPU in between.
  uint64_t begin_cpu_ns = thread_cpu_ns(), left_alone = thread.left_alone_ns / period_ns_;
  auto end = [&thread, begin_cpu_ns, go_on = std::move(go_on)] {
    go_on();
    // A long look is not repeated soon.
    thread.left_alone_ns = rest_after(thread_cpu_ns() - begin_cpu_ns);
    thread.not_before_ns = now_ns() + thread.left_alone_ns;
  };
  memory_.begin(thread.tid, std::move(end), std::move(check_code));
  if (!enabled_) { return std::nullopt; }
  std::optional<StoppedRegisters> registers = read_stopped_registers(thread.tid);
  if (!registers) { return std::nullopt; }     // killed while stopped
  Standing standing = count_standing(thread);  // after a call that waits until the thread is off its CPU and its time is counted
  if (!standing.kept_cpu) {
    bool is_wanted = (standing.put_off_by_us && !tick_is_late_) || thread.credit.owed_periods() >= kCoarsePeriods;
    bool was_missed = is_in_system_call(thread.tid, *registers) && has_slept(thread);
    if (was_missed) {
      // It ran when it was interrupted. Where, later looks do not show.
      late_ns_ += thread.credit.take() * period_ns_;
      thread.was_missed = true;
    }
    if (was_missed || !is_wanted) { return std::nullopt; }
  }
  RegisterNumbers numbers = register_numbers(host_arch());
  RawSample sample;
  sample.pid = static_cast<uint32_t>(thread.pid);
  sample.tid = static_cast<uint32_t>(thread.tid);
  uint64_t owed = thread.credit.take(), most = std::max(kMostPeriodsOfALook, 2 * left_alone);
  sample.weight = std::min(owed, most) * period_ns_;
  coarse_ += owed >= kCoarsePeriods ? 1 : 0;
  late_ns_ += (owed - std::min(owed, most)) * period_ns_;
  sample.ip = registers->user.value[numbers.pc];
  in_system_call_ = is_in_system_call(thread.tid, *registers);
  sample.is_32bit = !registers->user.has(numbers.sp);
  if (unwind == UnwindMode::kDwarf && !sample.is_32bit) {
    sample.user = registers->user;
    sample.stack = {stack_.data(), memory_.read(registers->user.value[numbers.sp], stack_)};
    sample.memory = &memory_;
  } else if (unwind == UnwindMode::kFramePointers) {
    follow_frame_pointers(registers->user);
    sample.user_chain = chain_;
  }
  return sample;
}

// On both CPUs the frame pointer points to the caller's frame pointer, followed by the return address.
void StopSampler::follow_frame_pointers(const Registers& registers) {
  RegisterNumbers numbers = register_numbers(host_arch());
  chain_.clear();
  chain_.push_back(registers.value[numbers.pc]);
  if (!registers.has(numbers.fp)) { return; }
  uint64_t frame = registers.value[numbers.fp];
  uint64_t window_start = 0;
  std::array<uint8_t, 4096> window;
  size_t window_size = 0;
  while (chain_.size() < kMostPtraceChain && frame != 0 && frame % 8 == 0) {
    bool inside = window_size >= 16 && frame >= window_start && frame - window_start <= window_size - 16;
    if (!inside) {
      window_start = frame;
      window_size = memory_.read(frame, window);
      if (window_size < 16) { return; }
    }
    ByteReader reader(Bytes(window.data(), window_size), static_cast<size_t>(frame - window_start));
    uint64_t caller_frame = reader.u64();
    uint64_t return_address = strip_pointer(host_arch(), reader.u64());
    if (return_address == 0) { return; }
    chain_.push_back(return_address);
    if (caller_frame <= frame) { return; }  // stacks grow down: anything else is not a chain
    frame = caller_frame;
  }
}

}  // namespace wick
