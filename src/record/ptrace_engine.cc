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
#include <bit>
#include <cerrno>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "os/proc_tasks.h"
#include "record/machine.h"
#include "record/perf_open.h"
#include "record/ptrace_call.h"

namespace wick {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kHandOverNs = 10'000'000;
constexpr uint64_t kNameIntervalNs = kSecond;
constexpr int kMostStops = 64;             // handled before anything else
constexpr uint64_t kOrphanNs = 5'000'000;  // a parent's stop follows its child's at once, unless the parent was killed

bool is_new_task(int event) { return event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE; }

// Why our own child cannot be traced, most common cause first.
Error explain_ptrace_refusal(int error, const std::string& command, pid_t pid) {
  std::string status = read_file(strf("/proc/%d/status", pid)).value_or("");
  uint64_t tracer = parse_status_number(status, "TracerPid").value_or(0);
  if (tracer != 0) {
    return Error("cannot sample %s with ptrace: pid %llu is already tracing it", command.c_str(),
                 static_cast<unsigned long long>(tracer))
        .with_code(Errc::kPermission);
  }
  Machine machine = load_machine();
  if (machine.ptrace_scope.value_or(0) >= 2 && !machine.has(Capability::kSysPtrace)) {
    return Error("cannot sample %s: perf_event_open and ptrace are not permitted (kernel.yama.ptrace_scope is %lld, needs 1)",
                 command.c_str(), static_cast<long long>(*machine.ptrace_scope))
        .with_code(Errc::kPermission)
        .with_hint("sudo sysctl kernel.yama.ptrace_scope=1");
  }
  if (machine.seccomp_mode != 0) {
    return Error("cannot sample %s: a seccomp filter blocks perf_event_open and ptrace (a container?)", command.c_str())
        .with_code(Errc::kPermission)
        .with_hint("docker run --cap-add SYS_PTRACE --cap-add PERFMON …");
  }
  return Error::from_errno(error, "cannot sample %s with ptrace", command.c_str());
}

}  // namespace

Result<std::unique_ptr<Engine>> make_ptrace_engine(const RecordOptions& options) {
  if (options.command.empty() || !options.pids.empty() || !options.tids.empty() || options.system_wide ||
      !options.cgroup.empty() || !options.cpus.empty()) {
    return Error("ptrace sampling works only for a launched command, not for running processes, CPUs or cgroups")
        .with_code(Errc::kUsage)
        .with_hint("sudo sysctl kernel.perf_event_paranoid=2");
  }
  if (options.rate_hz == 0 || options.rate_hz > kSecond) {
    return Error("cannot sample at %llu Hz", static_cast<unsigned long long>(options.rate_hz)).with_code(Errc::kUsage);
  }
  return std::unique_ptr<Engine>(std::make_unique<PtraceEngine>(options));
}

EngineInfo describe_ptrace_engine(const RecordOptions&, const Machine&) {
  EngineInfo info;
  info.name = info.needs = "ptrace";
  info.attaches = false;
  info.shares_clock = true;  // its ticks
  info.max_chain = kMostPtraceChain;
  info.chain_limit = strf("%u frames", kMostPtraceChain);
  info.misses = "threads ended, slept or lost their CPU before they could be stopped";
  return info;
}

PtraceEngine::PtraceEngine(RecordOptions options) : options_(std::move(options)), sampler_(options_.rate_hz) {}

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
  if (!fd) { return Error::from_errno(errno, "cannot create a signalfd"); }
  ::pthread_sigmask(SIG_BLOCK, &set, &before);
  unblock_sigchld_ = ::sigismember(&before, SIGCHLD) == 0;
  sigchld_fd_ = std::move(fd);
  return ok_status();
}

Status PtraceEngine::start(const sigset_t& child_signal_mask) {
  WICK_OK(take_sigchld());
  WICK_LET(Launch launch, Launch::prepare(options_.command, child_signal_mask, options_.directory));
  // After the fork: the command keeps wick's original settings.
  sigchld_.emplace();
  file_limit_.emplace();
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  most_kept_open_ = files.rlim_cur > 256 ? (static_cast<size_t>(files.rlim_cur) - 256) / 4 : 0;
  // wick often shares a CPU with a watched thread. Without a short time slice, the kernel would let a thread that works in short
  // bursts finish each of them first, and ticks would find it asleep.
  scheduling_.emplace();

  launched_pid_ = launch.pid();
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
      exit_status_ = status;  // killed before exec
      return ok_status();
    }
    int event = status >> 16, signal_number = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXEC) { break; }
    bool group_stop = event == PTRACE_EVENT_STOP && signal_number != SIGTRAP;
    ptrace_call(group_stop ? PTRACE_LISTEN : PTRACE_CONT, launched_pid_, 0,
                event == 0 ? static_cast<unsigned long>(signal_number) : 0);
  }
  WICK_OK(launch.finish_release());
  // No stops at exits: an ended thread can be queried for its time and name until it is waited for, and each stop costs.
  // (Exception: the time since the last tick is lost if a first thread ends by the exec of another.)
  unsigned long options = PTRACE_O_TRACEEXEC;
  if (options_.inherit) { options |= PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK; }
  ptrace_call(PTRACE_SETOPTIONS, launched_pid_, 0, options);
  std::optional<TaskTimes> times = load_task_times(launched_pid_, launched_pid_);
  has_schedstat_ = times && times->run_ns != 0;  // by now it has run and left its CPU
  TracedThread& thread = add_thread(launched_pid_, add_process(launched_pid_));
  thread.given_up_seen.reset();
  if (options_.start_enabled) { enable(); }  // everything before this was wick
  on_exec(thread);
  resume(thread, 0);
  return ok_status();
}

void PtraceEngine::enable() {
  if (sampler_.is_enabled() || stopped_ || exit_status_) { return; }
  for (auto& [tid, thread] : threads_) {
    std::optional<RunTime> time = thread->probe.run_time();
    if (time) { thread->credit.begin(time->run_ns); }
  }
  sampler_.enable(now_ns());
}

TracedProcess& PtraceEngine::add_process(pid_t pid) {
  std::unique_ptr<TracedProcess>& slot = processes_[pid];
  if (slot == nullptr) { slot = std::make_unique<TracedProcess>(pid); }
  return *slot;
}

TracedThread& PtraceEngine::add_thread(pid_t tid, TracedProcess& process) {
  TaskProbe probe(process.pid, tid, has_schedstat_, threads_.size() < most_kept_open_);
  auto thread = std::make_unique<TracedThread>(tid, process, std::move(probe), sampler_.period_ns());
  TracedThread& added = *thread;
  threads_[tid] = std::move(thread);
  ++process.threads;
  sampler_.watch(added);
  return added;
}

void PtraceEngine::erase_thread(pid_t tid) {
  auto found = threads_.find(tid);
  if (found == threads_.end()) { return; }
  TracedThread& thread = *found->second;
  if (!thread.exit_reported) {
    side_.emplace_back(ExitEvent{stamp(), static_cast<uint32_t>(thread.process->pid), static_cast<uint32_t>(tid)});
  }
  sampler_.forget(thread);
  if (--thread.process->threads == 0) { processes_.erase(thread.process->pid); }
  threads_.erase(found);
}

// Stops first, then exits: an ended task is queried for its time once more before it is reaped. Returns true if there may be
// more.
bool PtraceEngine::answer_stops() {
  siginfo_t info{};
  int stops = 0, deaths = 0;
  for (; stops < kMostStops; ++stops) {  // a storm of threads need not end by itself
    info.si_pid = 0;
    if (::waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | __WALL | __WNOTHREAD) != 0 || info.si_pid == 0) { break; }
    answer(info.si_pid, info.si_status << 8 | 0x7f);
  }
  for (; deaths < kMostStops; ++deaths) {
    info.si_pid = 0;
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL | __WNOTHREAD) != 0 || info.si_pid == 0) { break; }
    bool has_ended = info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED;  // a tracer's waitid() returns stops, too
    if (auto found = threads_.find(info.si_pid); has_ended && found != threads_.end()) {
      sampler_.count(*found->second);
      read_name(*found->second);  // threads of a name share their samples, so those without any need theirs too
    }
    int status = 0;
    if (::waitpid(info.si_pid, &status, __WALL | __WNOTHREAD | WNOHANG) != info.si_pid) { break; }
    answer(info.si_pid, status);
  }
  return stops == kMostStops || deaths == kMostStops;
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

// Every stop is followed by exactly one restart. ESRCH from any call means that the thread was killed in between; its exit is
// reported later.
void PtraceEngine::answer_stop(TracedThread& thread, int status) {
  ++stops_;
  ++thread.stops;
  int event = status >> 16, signal_number = WSTOPSIG(status);
  if (event == PTRACE_EVENT_EXEC) {
    on_exec(thread);
    resume(thread, 0);
    begin_program(*thread.process);
    return;
  }
  bool group_stop = event == PTRACE_EVENT_STOP && signal_number != SIGTRAP;
  if (is_new_task(event)) {
    unsigned long tid = 0;
    if (ptrace_call(PTRACE_GETEVENTMSG, thread.tid, 0, reinterpret_cast<unsigned long>(&tid)) == 0) {
      on_new_task(thread, static_cast<pid_t>(tid));
    }
  }
  auto go_on = [this, &thread, group_stop, event, signal_number] {
    if (group_stop) {
      ptrace_call(PTRACE_LISTEN, thread.tid, 0, 0);
      thread.state = TracedThread::State::kListening;
    } else {
      resume(thread, event == 0 ? signal_number : 0);
    }
  };
  if (thread.interrupted) {  // any stop also answers the interrupt
    sample(thread, go_on);
  } else {
    sampler_.count(thread);  // so that it is left alone until it has run on
    go_on();
  }
}

void PtraceEngine::resume(TracedThread& thread, int signal_number) {
  // A signal keeps its siginfo if its number and thread stay the same.
  ptrace_call(PTRACE_CONT, thread.tid, 0, static_cast<unsigned long>(signal_number));
  thread.state = TracedThread::State::kRunning;
}

void PtraceEngine::on_new_task(TracedThread& parent, pid_t tid) {
  if (let_go_.erase(tid) > 0 || threads_.contains(tid)) { return; }
  pid_t parent_pid = parent.process->pid;
  // clone() creates both: a thread is listed with its process.
  bool is_thread = ::access(strf("/proc/%d/task/%d", parent_pid, tid).c_str(), F_OK) == 0;
  TracedProcess& process = is_thread ? *parent.process : add_process(tid);
  if (!is_thread) { process.maps.inherit(parent.process->maps); }
  ForkEvent fork;
  fork.time_ns = stamp();
  fork.pid = static_cast<uint32_t>(process.pid);
  fork.parent_pid = static_cast<uint32_t>(parent_pid);
  fork.tid = static_cast<uint32_t>(tid);
  fork.parent_tid = static_cast<uint32_t>(parent.tid);
  side_.emplace_back(fork);
  TracedThread& thread = add_thread(tid, process);
  thread.name = parent.name;
  auto orphan = orphans_.find(tid);
  if (orphan != orphans_.end()) {
    int status = orphan->second.status;
    orphans_.erase(orphan);
    answer_stop(thread, status);
  }
}

// A child whose parent was killed before the stop that reports it. /proc shows its parent.
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
    side_.emplace_back(ForkEvent{stamp(), static_cast<uint32_t>(pid), parent_pid, static_cast<uint32_t>(tid), parent_pid});
    if (!is_known) { process.maps.begin_program(stamp(), side_); }
    answer_stop(add_thread(tid, process), status);
  }
}

// If a thread other than the first calls exec, it takes over the first one's TID; all others are dead by now.
void PtraceEngine::on_exec(TracedThread& thread) {
  unsigned long former = 0;
  ptrace_call(PTRACE_GETEVENTMSG, thread.tid, 0, reinterpret_cast<unsigned long>(&former));
  TracedProcess& process = *thread.process;
  auto caller = threads_.find(static_cast<pid_t>(former));
  bool took_over = caller != threads_.end() && caller->second.get() != &thread && caller->second->process == &process;
  if (took_over) {
    report_time(thread);  // of the old first thread, which has ended
    report_time(*caller->second);
    thread.credit = std::exchange(caller->second->credit, SampleCredit(sampler_.period_ns()));
    erase_thread(static_cast<pid_t>(former));
    thread.given_up_seen.reset();
  }
  thread.probe = TaskProbe(process.pid, thread.tid, has_schedstat_, threads_.size() < most_kept_open_);
  thread.asked = {};
  thread.interrupted = false;
  thread.exit_reported = false;
  thread.state = TracedThread::State::kRunning;
  sampler_.count(thread);
  report_time(thread);

  CommEvent comm;
  comm.time_ns = stamp();
  comm.pid = static_cast<uint32_t>(process.pid);
  comm.tid = static_cast<uint32_t>(thread.tid);
  comm.exec = true;
  comm.name = thread.name = load_task_name(process.pid, thread.tid);
  thread.name_read_ns = comm.time_ns;
  side_.emplace_back(comm);
}

// Does not keep the thread waiting: before it can be sampled, this is done, and samples check the mappings on their stacks anyway.
void PtraceEngine::begin_program(TracedProcess& process) {
  process.maps.begin_program(stamp(), side_);
  struct stat program{};
  bool has_rights = ::stat(strf("/proc/%d/exe", process.pid).c_str(), &program) == 0 && (program.st_mode & S_ISUID) != 0;
  if (has_rights && ::geteuid() != 0 && program.st_uid != ::geteuid()) {
    std::string note = load_task_name(process.pid, process.pid) + " runs without its set-uid privileges: the kernel drops them for a traced process";
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) { notes_.push_back(note); }
  }
}

void PtraceEngine::on_death(pid_t tid, int status) {
  orphans_.erase(tid);
  if (auto found = threads_.find(tid); found != threads_.end()) { report_time(*found->second); }
  erase_thread(tid);
  if (tid == launched_pid_) { exit_status_ = status; }
}

// Waits for a stop, the timeout or `wake_fd`; true if `wake_fd` is ready.
bool PtraceEngine::wait_for_events(int wake_fd, uint64_t timeout_ns) {
  pollfd fds[2] = {{sigchld_fd_.get(), POLLIN, 0}, {wake_fd, POLLIN, 0}};
  timespec timeout{static_cast<time_t>(timeout_ns / kSecond), static_cast<long>(timeout_ns % kSecond)};
  int ready = ::ppoll(fds, 2, &timeout, nullptr);
  woke_ns_ = now_ns();
  if (ready <= 0) { return false; }
  if (fds[0].revents != 0) {
    signalfd_siginfo info[4];  // before collecting stops, or a stop in between would go unnoticed
    ssize_t ignored = ::read(sigchld_fd_.get(), info, sizeof info);
    static_cast<void>(ignored);
  }
  return fds[1].revents != 0;
}

void PtraceEngine::hand_over() {
  oldest_side_ns_ = 0;
  if (side_.empty()) { return; }
  RawBatch batch;
  batch.side.swap(side_);
  sink_->consume(batch);
}

// The thread stays stopped until its stack was walked.
void PtraceEngine::sample(TracedThread& thread, const std::function<void()>& go_on) {
  ProcessMaps& maps = thread.process->maps;
  auto check_code = [this, &maps, &thread](std::span<const uint64_t> code, bool is_complete, std::vector<SideEvent>& news) {
    return !maps.check(code, thread.tid, last_stamp_ns_, news, is_complete);
  };
  std::optional<RawSample> sample = sampler_.look(thread, options_.unwind, go_on, check_code);
  if (sample && sample->weight > 0) {
    uint64_t side_time = stamp();
    bool is_walked = sample->memory != nullptr;  // then its callers are checked too
    if (!is_walked) { maps.check(sample->user_chain, thread.tid, side_time, side_); }
    maps.check({&sample->ip, 1}, thread.tid, side_time, side_);
    ++thread.samples;
    bool name_due = std::has_single_bit(thread.samples) || side_time - thread.name_read_ns >= kNameIntervalNs;
    if (name_due) { read_name(thread); }
    sample->time_ns = stamp();
    RawBatch batch;
    batch.side.swap(side_);
    batch.samples.push_back(*sample);
    sink_->consume(batch);
    oldest_side_ns_ = 0;
    ++samples_;
  }
  sampler_.finish();
}

void PtraceEngine::report_time(TracedThread& thread) {
  side_.emplace_back(CountEvent{stamp(), static_cast<uint32_t>(thread.pid), static_cast<uint32_t>(thread.tid),
                                static_cast<int64_t>(thread.credit.take_counted()), 0});
}

void PtraceEngine::read_name(TracedThread& thread) {
  thread.name_read_ns = last_stamp_ns_;
  std::string name = load_task_name(thread.process->pid, thread.tid);
  if (name.empty() || name == thread.name) { return; }
  thread.name = name;
  side_.emplace_back(
      CommEvent{stamp(), static_cast<uint32_t>(thread.process->pid), static_cast<uint32_t>(thread.tid), false, std::move(name)});
}

// Strictly ascending, so that the order of events is preserved in the recording.
uint64_t PtraceEngine::stamp() {
  last_stamp_ns_ = std::max(now_ns(), last_stamp_ns_ + 1);
  return last_stamp_ns_;
}

Result<TargetState> PtraceEngine::pump(RawSink& sink, int wake_fd, uint64_t deadline_ns) {
  sink_ = &sink;
  for (;;) {
    bool is_more = answer_stops();
    uint64_t now = now_ns();
    if (now >= sampler_.next_tick_ns()) {
      std::vector<pid_t> vanished;
      for (const StoppableThread* thread : sampler_.tick(now, woke_ns_)) { vanished.push_back(thread->tid); }
      for (pid_t tid : vanished) { erase_thread(tid); }
      is_more = answer_stops() || is_more;  // threads on other CPUs have often stopped already
      now = now_ns();
    }
    adopt_orphans(now);
    if (!side_.empty() && oldest_side_ns_ == 0) { oldest_side_ns_ = now; }
    uint64_t due = side_.empty() ? UINT64_MAX : oldest_side_ns_ + kHandOverNs;
    if (exit_status_ || now >= deadline_ns || now >= due) {
      hand_over();
      return exit_status_ ? TargetState::kEnded : TargetState::kRunning;
    }
    if (is_more) { continue; }  // their signal was already consumed
    uint64_t until = std::min({deadline_ns, sampler_.next_tick_ns(), due, now + 100'000'000});
    if (!orphans_.empty()) { until = std::min(until, now + kOrphanNs); }
    if (wait_for_events(wake_fd, until > now ? until - now : 0)) {  // after a long tick, the next one is due already
      answer_stops();
      hand_over();
      return exit_status_ ? TargetState::kEnded : TargetState::kRunning;
    }
  }
}

void PtraceEngine::stop(RawSink& sink) {
  if (stopped_) { return; }
  stopped_ = true;
  sink_ = &sink;
  detach_all();
  scheduling_.reset();
  hand_over();
}

std::vector<EngineCounter> PtraceEngine::counters() const {
  return {{"samples.made", samples_},
          {"samples.coarse", sampler_.coarse()},
          {"cpu.total_ns", sampler_.cpu_ns()},
          {"cpu.late_ns", sampler_.late_ns()},
          {"ptrace.stops", stops_},
          {"ptrace.on_time_ns", sampler_.on_time_ns()}};
}

}  // namespace wick
