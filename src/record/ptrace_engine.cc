// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "record/ptrace_engine.h"

#include <poll.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "record/machine.h"
#include "record/perf_open.h"
#include "record/proc_tasks.h"
#include "record/ptrace_call.h"

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kShortestTickNs = 50'000;  // a stop costs some 20 us: more often would be mostly stopping
constexpr uint64_t kHandOverNs = 10'000'000;  // soon, while the rest of a deep stack is still there to be read
constexpr size_t kHandOverSamples = 512, kHandOverBytes = size_t{4} << 20;
constexpr uint64_t kOrphanNs = 5'000'000;  // a parent's stop follows its child's at once, unless the parent was killed

bool is_new_task(int event) { return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE; }

std::string number_in_status(const char* path, const char* name) {
  std::string text = read_file(path).value_or("");
  std::optional<uint64_t> value = parse_status_number(text, name);
  return value ? std::to_string(*value) : "";
}

// Why our own child cannot be traced, in the order of what is seen most.
Error explain_ptrace_refusal(int error, const std::string& command, pid_t pid) {
  std::string tracer = number_in_status(strf("/proc/%d/status", pid).c_str(), "TracerPid");
  if (!tracer.empty() && tracer != "0") {
    return Error("cannot sample %s by ptrace: a process that is being debugged cannot be sampled so (pid %s traces it)",
                 command.c_str(), tracer.c_str())
        .with_code(Errc::kPermission);
  }
  Machine machine = load_machine();
  if (machine.ptrace_scope.value_or(0) >= 2 && !machine.has(Capability::kSysPtrace)) {
    return Error("cannot sample %s: perf_event_open and ptrace are both refused (kernel.yama.ptrace_scope is %lld, needs 1)",
                 command.c_str(), static_cast<long long>(*machine.ptrace_scope))
        .with_code(Errc::kPermission)
        .with_hint("sudo sysctl kernel.yama.ptrace_scope=1");
  }
  if (machine.seccomp_mode != 0) {
    return Error("cannot sample %s: perf_event_open and ptrace are both refused (by a seccomp filter, as in containers)",
                 command.c_str())
        .with_code(Errc::kPermission)
        .with_hint("docker run --cap-add SYS_PTRACE --cap-add PERFMON …");
  }
  return Error::from_errno(error, "cannot sample %s by ptrace", command.c_str());
}

}  // namespace

Result<std::unique_ptr<Engine>> make_ptrace_engine(const RecordOptions& options) {
  if (options.command.empty() || !options.pids.empty() || !options.tids.empty() || options.system_wide ||
      !options.cgroup.empty() || !options.cpus.empty()) {
    return Error("sampling by ptrace works for a launched command only, not for running processes, CPUs or cgroups")
        .with_code(Errc::kUsage)
        .with_hint("sudo sysctl kernel.perf_event_paranoid=2");
  }
  if (options.rate_hz == 0 || options.rate_hz > kSecond) {
    return Error("cannot sample at %llu Hz", static_cast<unsigned long long>(options.rate_hz)).with_code(Errc::kUsage);
  }
  return std::unique_ptr<Engine>(std::make_unique<PtraceEngine>(options));
}

PtraceEngine::PtraceEngine(RecordOptions options) : options_(std::move(options)) {
  period_ns_ = kSecond / options_.rate_hz;
  tick_ns_ = std::max(period_ns_, kShortestTickNs);
  random_ = now_ns() | 1;
}

PtraceEngine::~PtraceEngine() {
  if (!threads_.empty() || !orphans_.empty()) { detach_all(); }
  if (!sigchld_fd_) { return; }
  if (unblock_sigchld_) {
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGCHLD);
    ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
}

Status PtraceEngine::take_sigchld() {
  sigset_t set, before;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  Fd fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) { return Error::from_errno(errno, "cannot make a signalfd"); }
  ::pthread_sigmask(SIG_BLOCK, &set, &before);
  unblock_sigchld_ = ::sigismember(&before, SIGCHLD) == 0;
  sigchld_fd_ = std::move(fd);
  return ok_status();
}

Status PtraceEngine::start(const sigset_t& child_signal_mask) {
  WICK_OK(take_sigchld());
  WICK_LET(Launch launch, Launch::prepare(options_.command, child_signal_mask));
  // After the fork: the command keeps what wick was given.
  sigchld_.emplace();
  file_limit_.emplace();
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  most_kept_open_ = files.rlim_cur > 256 ? (static_cast<size_t>(files.rlim_cur) - 256) / 4 : 0;
  // Where all CPUs are busy we share them with the threads we watch, and ticks come late. (Short time slices were tried: ticks
  // are more punctual with a dozen busy threads, but seldom come at all with hundreds.)
  scheduling_.emplace(false);

  launched_pid_ = launch.pid();
  // Only exec at first: an exit stop of a command that cannot be run would have to be answered while Launch waits for its end.
  if (ptrace_call(PTRACE_SEIZE, launched_pid_, 0, PTRACE_O_TRACEEXEC) != 0) {
    return explain_ptrace_refusal(errno, options_.command[0], launched_pid_);
  }
  return wait_for_exec(launch);
}

Status PtraceEngine::wait_for_exec(Launch& launch) {
  WICK_OK(launch.begin_release());
  for (;;) {
    int status = 0;
    pid_t got = ::waitpid(launched_pid_, &status, __WALL);
    if (got < 0 && errno == EINTR) { continue; }
    bool ended = got < 0 || WIFEXITED(status) || WIFSIGNALED(status);
    if (ended) {
      WICK_OK(launch.finish_release());
      exit_status_ = status;  // killed before it became the command
      return ok_status();
    }
    int event = status >> 16, signal_number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXEC) { break; }
    bool group_stop = event == PTRACE_EVENT_STOP && signal_number != SIGTRAP;
    ptrace_call(group_stop ? PTRACE_LISTEN : PTRACE_CONT, launched_pid_, 0,
                event == 0 ? static_cast<unsigned long>(signal_number) : 0);
  }
  WICK_OK(launch.finish_release());
  unsigned long options = PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
  if (options_.inherit) { options |= PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK; }
  ptrace_call(PTRACE_SETOPTIONS, launched_pid_, 0, options);
  std::optional<TaskTimes> times = load_task_times(launched_pid_, launched_pid_);
  has_schedstat_ = times && times->run_ns != 0;  // it has been run by now, and put off its CPU
  TracedThread& thread = add_thread(launched_pid_, add_process(launched_pid_));
  thread.given_up_seen.reset();
  if (options_.start_enabled) { enable(); }  // from here on: what ran before was wick
  on_exec(thread);
  resume(thread, 0);
  return ok_status();
}

void PtraceEngine::enable() {
  if (enabled_ || stopped_ || exit_status_) { return; }
  enabled_ = true;
  for (auto& [tid, thread] : threads_) {
    std::optional<RunTime> time = thread->probe.run_time();
    if (time) { thread->credit.begin(time->run_ns); }
  }
  schedule_tick(now_ns());
}

TracedProcess& PtraceEngine::add_process(pid_t pid) {
  std::unique_ptr<TracedProcess>& slot = processes_[pid];
  if (slot == nullptr) { slot = std::make_unique<TracedProcess>(pid); }
  return *slot;
}

TracedThread& PtraceEngine::add_thread(pid_t tid, TracedProcess& process) {
  TaskProbe probe(process.pid, tid, has_schedstat_, threads_.size() < most_kept_open_);
  auto thread = std::make_unique<TracedThread>(tid, process, std::move(probe), period_ns_, last_stamp_ns_);
  TracedThread& added = *thread;
  threads_[tid] = std::move(thread);
  ++process.threads;
  watch_.add(added);
  return added;
}

void PtraceEngine::erase_thread(pid_t tid) {
  auto found = threads_.find(tid);
  if (found == threads_.end()) { return; }
  TracedThread& thread = *found->second;
  if (!thread.exit_told) {
    batch_.side().emplace_back(ExitEvent{stamp(), static_cast<uint32_t>(thread.process->pid), static_cast<uint32_t>(tid)});
  }
  watch_.remove(thread);
  late_ += thread.credit.take_at_exit();
  if (--thread.process->threads == 0) { processes_.erase(thread.process->pid); }
  threads_.erase(found);
}

void PtraceEngine::answer_stops() {
  int status = 0;
  for (pid_t tid; (tid = ::waitpid(-1, &status, __WALL | __WNOTHREAD | WNOHANG)) > 0;) { answer(tid, status); }
}

void PtraceEngine::answer(pid_t tid, int status) {
  if (WIFEXITED(status) || WIFSIGNALED(status)) {
    on_death(tid, status);
    return;
  }
  if (!WIFSTOPPED(status)) { return; }
  auto found = threads_.find(tid);
  if (found == threads_.end()) {
    orphans_[tid] = {status, now_ns()};
    return;
  }
  answer_stop(*found->second, status);
}

// Every stop is answered by exactly one restart. ESRCH from any call means that the thread was killed in between: its death is
// reported later.
void PtraceEngine::answer_stop(TracedThread& thread, int status) {
  ++stops_;
  ++thread.stops;
  int event = status >> 16, signal_number = WSTOPSIG(status);
  if (event == PTRACE_EVENT_EXIT) {
    on_exit_stop(thread);
    return;
  }
  if (event == PTRACE_EVENT_EXEC) {
    on_exec(thread);
    resume(thread, 0);
    return;
  }
  if (thread.interrupted) { sample(thread); }  // whatever stop it is: it also answers the one that was asked for
  if (is_new_task(event)) {
    unsigned long tid = 0;
    if (ptrace_call(PTRACE_GETEVENTMSG, thread.tid, 0, reinterpret_cast<unsigned long>(&tid)) == 0) {
      on_new_task(thread, static_cast<pid_t>(tid));
    }
  }
  bool group_stop = event == PTRACE_EVENT_STOP && signal_number != SIGTRAP;
  if (group_stop) {
    ptrace_call(PTRACE_LISTEN, thread.tid, 0, 0);
    thread.state = TracedThread::State::kListening;
    return;
  }
  resume(thread, event == 0 ? signal_number : 0);
}

void PtraceEngine::resume(TracedThread& thread, int signal_number) {
  // A signal goes on with the siginfo it came with, as the kernel keeps it when number and thread stay the same.
  ptrace_call(PTRACE_CONT, thread.tid, 0, static_cast<unsigned long>(signal_number));
  if (thread.state != TracedThread::State::kExiting) { thread.state = TracedThread::State::kRunning; }
}

void PtraceEngine::on_new_task(TracedThread& parent, pid_t tid) {
  if (let_go_.erase(tid) > 0 || threads_.contains(tid)) { return; }
  pid_t parent_pid = parent.process->pid;
  // clone() makes both: a thread is listed with its process.
  bool is_thread = ::access(strf("/proc/%d/task/%d", parent_pid, tid).c_str(), F_OK) == 0;
  TracedProcess& process = is_thread ? *parent.process : add_process(tid);
  if (!is_thread) { process.maps.inherit(parent.process->maps); }
  ForkEvent fork;
  fork.time_ns = stamp();
  fork.pid = static_cast<uint32_t>(process.pid);
  fork.parent_pid = static_cast<uint32_t>(parent_pid);
  fork.tid = static_cast<uint32_t>(tid);
  fork.parent_tid = static_cast<uint32_t>(parent.tid);
  batch_.side().emplace_back(fork);
  TracedThread& thread = add_thread(tid, process);
  thread.name = parent.name;
  auto orphan = orphans_.find(tid);
  if (orphan != orphans_.end()) {
    int status = orphan->second.status;
    orphans_.erase(orphan);
    answer_stop(thread, status);
  }
}

// A child whose parent was killed before its own stop could tell of it. /proc knows whose it is.
void PtraceEngine::adopt_orphans(uint64_t now) {
  std::vector<pid_t> due;
  for (const auto& [tid, orphan] : orphans_) {
    if (now - std::min(now, orphan.time_ns) >= kOrphanNs) { due.push_back(tid); }
  }
  for (pid_t tid : due) {
    int status = orphans_[tid].status;
    orphans_.erase(tid);
    pid_t pid = load_process_of_thread(tid).value_or(tid);
    bool is_known = processes_.contains(pid);
    TracedProcess& process = add_process(pid);
    uint32_t parent_pid = static_cast<uint32_t>(pid);
    if (!is_known) {
      std::optional<TaskStat> stat = load_task_stat(pid, tid);
      parent_pid = stat ? static_cast<uint32_t>(stat->parent_pid) : 0;
    }
    batch_.side().emplace_back(
        ForkEvent{stamp(), static_cast<uint32_t>(pid), parent_pid, static_cast<uint32_t>(tid), parent_pid});
    if (!is_known) { process.maps.begin_program(stamp(), batch_.side()); }
    answer_stop(add_thread(tid, process), status);
  }
}

// When another thread than the first called exec, that one takes over the first one's id; all others are dead by now.
void PtraceEngine::on_exec(TracedThread& thread) {
  unsigned long former = 0;
  ptrace_call(PTRACE_GETEVENTMSG, thread.tid, 0, reinterpret_cast<unsigned long>(&former));
  TracedProcess& process = *thread.process;
  auto caller = threads_.find(static_cast<pid_t>(former));
  bool took_over = caller != threads_.end() && caller->second.get() != &thread && caller->second->process == &process;
  if (took_over) {
    late_ += thread.credit.take_at_exit();  // of the old first thread
    thread.credit = std::exchange(caller->second->credit, SampleCredit(period_ns_));
    erase_thread(static_cast<pid_t>(former));
    thread.given_up_seen.reset();
  }
  thread.probe = TaskProbe(process.pid, thread.tid, has_schedstat_, threads_.size() < most_kept_open_);
  thread.asked = {};
  thread.interrupted = false;
  thread.exit_told = false;
  thread.state = TracedThread::State::kRunning;
  count_standing(thread);

  CommEvent comm;
  comm.time_ns = stamp();
  comm.pid = static_cast<uint32_t>(process.pid);
  comm.tid = static_cast<uint32_t>(thread.tid);
  comm.exec = true;
  comm.name = thread.name = load_task_name(process.pid, thread.tid);
  thread.name_read_ns = comm.time_ns;
  batch_.side().emplace_back(comm);
  process.mapped_ns = stamp();
  process.maps.begin_program(process.mapped_ns, batch_.side());
  thread.last_sample_ns = stamp();

  struct stat program{};
  bool has_rights = ::stat(strf("/proc/%d/exe", process.pid).c_str(), &program) == 0 && (program.st_mode & S_ISUID) != 0;
  if (has_rights && ::geteuid() != 0 && program.st_uid != ::geteuid()) {
    std::string note =
        comm.name + " runs without its set-uid rights, which the kernel withholds from a process that is sampled by ptrace";
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) { notes_.push_back(note); }
  }
}

void PtraceEngine::on_exit_stop(TracedThread& thread) {
  if (thread.interrupted) {
    sample(thread);
  } else {
    count_standing(thread);
  }
  thread.state = TracedThread::State::kExiting;
  if (thread.samples > 0) { read_name(thread); }
  if (!thread.is_leader()) {  // the first thread may yet come back by an exec of another, and its end is that of the process
    batch_.side().emplace_back(ExitEvent{stamp(), static_cast<uint32_t>(thread.process->pid), static_cast<uint32_t>(thread.tid)});
    thread.exit_told = true;
  }
  resume(thread, 0);
}

void PtraceEngine::on_death(pid_t tid, int status) {
  orphans_.erase(tid);
  erase_thread(tid);
  if (tid == launched_pid_) { exit_status_ = status; }
}

// Waits for a stop, for the time, or for `wake_fd`; true when it is the latter that is ready.
bool PtraceEngine::wait_for_events(int wake_fd, uint64_t timeout_ns) {
  pollfd fds[2] = {{sigchld_fd_.get(), POLLIN, 0}, {wake_fd, POLLIN, 0}};
  timespec timeout{static_cast<time_t>(timeout_ns / kSecond), static_cast<long>(timeout_ns % kSecond)};
  int ready = ::ppoll(fds, 2, &timeout, nullptr);
  woke_ns_ = now_ns();
  if (ready <= 0) { return false; }
  if (fds[0].revents != 0) {
    signalfd_siginfo info[4];  // before the stops are collected, or one that comes in between would go unnoticed
    ssize_t ignored = ::read(sigchld_fd_.get(), info, sizeof info);
    static_cast<void>(ignored);
  }
  return fds[1].revents != 0;
}

void PtraceEngine::hand_over(RawSink& sink) {
  handed_over_ns_ = stamp();
  batch_.hand_over(sink);
}

Result<TargetState> PtraceEngine::pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) {
  for (;;) {
    answer_stops();
    uint64_t now = now_ns();
    if (now >= next_tick_ns_) {
      tick(now);
      answer_stops();  // those on other CPUs have often stopped already
      now = now_ns();
    }
    adopt_orphans(now);
    if (!batch_.empty()) { batch_.note_time(now); }
    uint64_t due = batch_.empty() ? UINT64_MAX : batch_.oldest_ns() + kHandOverNs;
    bool is_full = batch_.samples() >= kHandOverSamples || batch_.stack_bytes() >= kHandOverBytes;
    if (exit_status_ || now >= deadline_ns || now >= due || is_full) {
      hand_over(sink);
      return exit_status_ ? TargetState::kEnded : TargetState::kRunning;
    }
    uint64_t until = std::min({deadline_ns, next_tick_ns_, due, now + 100'000'000});
    if (!orphans_.empty()) { until = std::min(until, now + kOrphanNs); }
    if (wait_for_events(wake_fd, until > now ? until - now : 0)) {  // a tick that took long has made the next one due already
      answer_stops();
      hand_over(sink);
      return exit_status_ ? TargetState::kEnded : TargetState::kRunning;
    }
  }
}

void PtraceEngine::stop(RawSink& sink) {
  if (stopped_) { return; }
  stopped_ = true;
  detach_all();
  scheduling_.reset();
  hand_over(sink);
}

std::vector<EngineCounter> PtraceEngine::counters() const {
  return {{"samples.made", samples_}, {"lost.ptrace_late", late_}, {"cpu.total_ns", cpu_ns_}, {"ptrace.stops", stops_}};
}

}  // namespace wick
