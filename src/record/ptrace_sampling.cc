// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
//
// Ticks and samples of the ptrace engine.
#include <elf.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "base/byte_reader.h"
#include "base/clock.h"
#include "base/text.h"
#include "record/proc_tasks.h"
#include "record/ptrace_call.h"
#include "record/ptrace_engine.h"
#include "record/ptrace_registers.h"

namespace wick {
namespace {

constexpr size_t kDefaultStackSize = 8192;
constexpr size_t kMostSamplesOfALook = 50;
constexpr unsigned kTicksUntilSlow = 128, kSlowdown = 4;  // a target that sleeps altogether is asked less often
constexpr uint64_t kAnswerNs = 60'000;                    // from a thread's stop to our answer, as a rule
constexpr uint64_t kLateTickNs = 400'000;
constexpr uint64_t kOwedLong = 4;  // periods without a look
constexpr uint64_t kNameIntervalNs = 1'000'000'000;

// The bytes of a register set of a thread that stands; empty when it was killed.
Bytes read_register_set(pid_t tid, unsigned long kind, std::span<uint8_t> room) {
  iovec part{room.data(), room.size()};
  if (ptrace_call(PTRACE_GETREGSET, tid, kind, reinterpret_cast<unsigned long>(&part)) != 0) { return {}; }
  return {room.data(), part.iov_len};
}

bool is_in_system_call(pid_t tid, const StoppedRegisters& registers) {
  if (registers.in_system_call) { return *registers.in_system_call; }
  constexpr unsigned long kArmSystemCall = 0x404;  // NT_ARM_SYSTEM_CALL, which old headers lack
  std::array<uint8_t, 8> room{};
  return parse_arm_system_call(read_register_set(tid, kArmSystemCall, room)).value_or(false);
}

// As much as is mapped there, from `address` on.
size_t read_memory(pid_t tid, uint64_t address, std::span<uint8_t> out) {
  iovec local{out.data(), out.size()};
  iovec remote{reinterpret_cast<void*>(address), out.size()};
  ssize_t n = ::process_vm_readv(tid, &local, 1, &remote, 1, 0);
  bool call_refused = n < 0 && (errno == EPERM || errno == ENOSYS);
  if (call_refused) {  // by a seccomp filter that allows ptrace all the same
    Fd memory(::open(strf("/proc/%d/mem", tid).c_str(), O_RDONLY | O_CLOEXEC));
    n = memory ? ::pread(memory.get(), out.data(), out.size(), static_cast<off_t>(address)) : -1;
  }
  return n > 0 ? static_cast<size_t>(n) : 0;
}

}  // namespace

// Strictly ascending, so that what comes first in truth comes first in the recording too.
uint64_t PtraceEngine::stamp() {
  last_stamp_ns_ = std::max(now_ns(), last_stamp_ns_ + 1);
  return last_stamp_ns_;
}

// A sixteenth of jitter either way: a target that works in step with the ticks must not be seen at one place only.
void PtraceEngine::schedule_tick(uint64_t now) {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  uint64_t length = tick_ns_ - tick_ns_ / 16 + random_ % (tick_ns_ / 8 + 1);
  if (idle_ticks_ >= kTicksUntilSlow) { length *= kSlowdown; }
  bool is_late = next_tick_ns_ == UINT64_MAX || now > next_tick_ns_ + length;
  next_tick_ns_ = (is_late ? now : next_tick_ns_) + length;
}

void PtraceEngine::tick(uint64_t now) {
  tick_woke_ns_ = woke_ns_;
  tick_is_late_ = now - next_tick_ns_ > kLateTickNs;
  ++idle_ticks_;
  watch_.pick(asked_);
  for (TracedThread* thread : asked_) {
    ask(*thread);
    watch_.settle(*thread);
  }
  for (pid_t tid : vanished_) { erase_thread(tid); }
  vanished_.clear();
  schedule_tick(now);
}

// Is it running? Then it shall stop, to be looked at.
void PtraceEngine::ask(TracedThread& thread) {
  if (thread.interrupted) {
    thread.quiet_checks = 0;
    return;
  }
  ++thread.quiet_checks;
  if (thread.state == TracedThread::State::kListening || thread.state == TracedThread::State::kExiting) { return; }
  std::optional<RunTime> time = thread.probe.run_time();
  if (!time) {
    // Killed before its first stop, or gone by an exec of another thread: nothing will report it.
    if (!thread.is_leader() && !thread.probe.exists()) { vanished_.push_back(thread.tid); }
    return;
  }
  // Whoever runs when asked is stopped, so that one who runs now must have been put on its CPU since.
  bool has_not_run = time->slices && thread.asked.slices == time->slices;
  thread.asked = *time;
  count(thread, *time);
  if (thread.state == TracedThread::State::kNew || has_not_run) { return; }
  thread.quiet_checks = 0;
  idle_ticks_ = 0;
  if (!thread.probe.is_running()) { return; }
  if (ptrace_call(PTRACE_INTERRUPT, thread.tid, 0, 0) == 0) { thread.interrupted = true; }
}

void PtraceEngine::count(TracedThread& thread, const RunTime& time) {
  if (enabled_) {
    cpu_ns_ += thread.credit.add(time.run_ns);
  } else {
    thread.credit.begin(time.run_ns);
  }
}

// Counts what the thread, which stands, has used. It had a CPU when it was asked to stop if it has not been put on one since.
// It also had if we took it away by waking up for the tick; then it has waited from that moment on until it could stop just
// now.
PtraceEngine::Standing PtraceEngine::count_standing(TracedThread& thread) {
  Standing standing;
  std::optional<RunTime> time = thread.probe.run_time();
  if (!time) { return standing; }
  uint64_t waited_ns = time->wait_ns - std::min(time->wait_ns, thread.asked.wait_ns);
  uint64_t since_tick_ns = now_ns() - tick_woke_ns_;
  standing.kept_cpu = !time->slices || time->slices == thread.asked.slices;
  standing.put_off_by_us = waited_ns <= since_tick_ns + kAnswerNs && since_tick_ns <= waited_ns + kAnswerNs;
  thread.asked = *time;
  count(thread, *time);
  return standing;
}

// Whether it gave up its CPU by itself, other than to stop for us, since this was last asked.
bool PtraceEngine::has_slept(TracedThread& thread) {
  std::optional<uint64_t> given_up = thread.probe.times_given_up();
  bool known = given_up && thread.given_up_seen;
  bool slept = !known || *given_up - *thread.given_up_seen > thread.stops - thread.stops_seen;
  thread.given_up_seen = given_up;
  thread.stops_seen = thread.stops;
  return slept;
}

// The thread stands, as we asked. One that kept its CPU until then is taken as it is. One that we put off ourselves is as good,
// unless we woke up late: then the kernel let others finish their slices first, and those do not end just anywhere. Any other
// stands where the scheduler left it, and is taken only when it has gone without a look for several periods. In no case is the
// system call taken in which a thread sleeps or has just woken up (the timers of others often go off together with ours): its
// time went elsewhere.
void PtraceEngine::sample(TracedThread& thread) {
  thread.interrupted = false;
  if (!enabled_) { return; }
  std::array<uint8_t, 512> room{};
  std::optional<StoppedRegisters> registers = parse_prstatus(host_arch(), read_register_set(thread.tid, NT_PRSTATUS, room));
  if (!registers) { return; }                  // killed while it stood
  Standing standing = count_standing(thread);  // after a call that waits until the thread is off its CPU and its time counted
  if (!standing.kept_cpu) {
    bool is_wanted = (standing.put_off_by_us && !tick_is_late_) || thread.credit.owed_periods() >= kOwedLong;
    bool take = is_wanted && !(is_in_system_call(thread.tid, *registers) && has_slept(thread));
    if (!take) { return; }
  }
  uint64_t samples = thread.credit.take();
  if (samples > kMostSamplesOfALook) {
    late_ += samples - kMostSamplesOfALook;
    samples = kMostSamplesOfALook;
  }
  if (samples > 0) { emit(thread, registers->user, static_cast<size_t>(samples)); }
}

void PtraceEngine::emit(TracedThread& thread, const Registers& registers, size_t count) {
  RegisterNumbers numbers = register_numbers(host_arch());
  TracedProcess& process = *thread.process;
  RawSample sample;
  sample.pid = static_cast<uint32_t>(process.pid);
  sample.tid = static_cast<uint32_t>(thread.tid);
  sample.weight = period_ns_;
  sample.ip = registers.value[numbers.pc];
  sample.is_32bit = !registers.has(numbers.sp);

  size_t stack_size = 0;
  chain_.clear();
  if (options_.unwind == UnwindMode::kDwarf) {
    if (!sample.is_32bit) {
      sample.user = registers;
      stack_size = copy_stack(thread, registers.value[numbers.sp]);
    }
  } else if (options_.unwind == UnwindMode::kFramePointers) {
    follow_frame_pointers(thread.tid, registers);
  }
  uint64_t side_time = stamp();
  if (process.maps.check(sample.ip, thread.tid, side_time, batch_.side())) { process.mapped_ns = side_time; }

  ++thread.samples;
  bool name_due = std::has_single_bit(thread.samples) || side_time - thread.name_read_ns >= kNameIntervalNs;
  if (name_due) { read_name(thread); }
  uint64_t time_ns = stamp();
  uint64_t earliest = std::max({thread.last_sample_ns, process.mapped_ns, handed_over_ns_}) + 1;
  spread_back(time_ns, earliest, period_ns_, count, times_);
  batch_.add(sample, stack_size, chain_, times_);
  thread.last_sample_ns = time_ns;
  samples_ += count;
}

size_t PtraceEngine::copy_stack(const TracedThread& thread, uint64_t sp) {
  size_t wanted = options_.stack_size != 0 ? options_.stack_size : kDefaultStackSize;
  return read_memory(thread.tid, sp, batch_.stack_room(wanted));
}

// Both CPUs keep the caller's frame pointer and the return address side by side where the frame pointer points.
void PtraceEngine::follow_frame_pointers(pid_t tid, const Registers& registers) {
  RegisterNumbers numbers = register_numbers(host_arch());
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
      window_size = read_memory(tid, frame, window);
      if (window_size < 16) { return; }
    }
    ByteReader reader(Bytes(window.data(), window_size), static_cast<size_t>(frame - window_start));
    uint64_t caller_frame = reader.u64();
    uint64_t return_address = strip_pointer(host_arch(), reader.u64());
    if (return_address == 0) { return; }
    chain_.push_back(return_address);
    if (caller_frame <= frame) { return; }  // stacks grow down: anything else is no chain
    frame = caller_frame;
  }
}

void PtraceEngine::read_name(TracedThread& thread) {
  thread.name_read_ns = last_stamp_ns_;
  std::string name = load_task_name(thread.process->pid, thread.tid);
  if (name.empty() || name == thread.name) { return; }
  thread.name = name;
  batch_.side().emplace_back(
      CommEvent{stamp(), static_cast<uint32_t>(thread.process->pid), static_cast<uint32_t>(thread.tid), false, std::move(name)});
}

}  // namespace wick
