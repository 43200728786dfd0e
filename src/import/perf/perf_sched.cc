// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// sched:sched_switch has the stack of the thread that leaves the CPU. The thread is off the CPU until it is switched in again
// (recordings of all CPUs), or for as long as a sched:sched_stat_* event says (recordings of one process, where the switch back
// happens in another context). Whichever comes first ends it, so that nothing counts twice. Preempted threads ("R") are a
// separate event.
#include "import/perf/perf_sched.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

struct Switch {
  uint32_t from = 0, to = 0;
  std::string_view comm;
  bool preempted = false;
};

std::string_view value_of(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  if (at == text.npos) { return {}; }
  return text.substr(at + key.size());
}

uint32_t parse_id(std::string_view text) {
  std::optional<uint64_t> id = parse_u64(text.substr(0, text.find_first_not_of("0123456789")));
  return id && *id <= INT32_MAX ? static_cast<uint32_t>(*id) : 0;
}

// "prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120", or "a:1 [120] S ==> b:2 [120]"
std::optional<Switch> parse_switch(std::string_view text) {
  size_t arrow = text.find(" ==> ");
  if (arrow == text.npos) { return std::nullopt; }
  std::string_view prev = trim(text.substr(0, arrow)), next = trim(text.substr(arrow + 5));
  Switch out;
  if (std::string_view comm = value_of(prev, "prev_comm="); !comm.empty()) {
    out.comm = comm.substr(0, comm.find(" prev_pid="));
    out.from = parse_id(value_of(prev, " prev_pid="));
    out.to = parse_id(value_of(next, " next_pid="));
    out.preempted = value_of(prev, " prev_state=").starts_with('R');
    return out;
  }
  auto split_comm = [](std::string_view part, std::string_view& comm, uint32_t& pid) {
    size_t open = part.find(" ["), colon = part.rfind(':', open);
    if (open == part.npos || colon == part.npos) { return false; }
    comm = part.substr(0, colon);
    pid = parse_id(part.substr(colon + 1));
    return true;
  };
  std::string_view other;
  if (!split_comm(prev, out.comm, out.from) || !split_comm(next, other, out.to)) { return std::nullopt; }
  size_t close = prev.find("] ");
  out.preempted = close != prev.npos && prev.substr(close + 2).starts_with('R');
  return out;
}

struct Heading {
  uint64_t time_ns = 0;
  uint32_t pid = 0;  // if it is given besides the thread's
  std::string_view event, text;
};
// "swapper     0/0 [006] 708189.626415: sched:sched_stat_sleep: comm=x pid=27235 delay=100078421 [ns]"
std::optional<Heading> parse_heading(std::string_view line) {
  if (count_indent(line) > 8) { return std::nullopt; }
  Heading out;
  size_t end = line.find(": ");
  if (end == line.npos) { return std::nullopt; }
  size_t begin = line.find_last_of(" \t", end);
  begin = begin == line.npos ? 0 : begin + 1;
  std::optional<uint64_t> time = parse_decimal(line.substr(begin, end - begin), 1'000'000'000);
  if (!time || begin == 0) { return std::nullopt; }
  out.time_ns = *time;
  std::string_view before = trim(line.substr(0, begin));
  if (before.ends_with(']')) { before = trim(before.substr(0, before.rfind('['))); }
  std::string_view id = before.substr(std::min(before.size(), before.find_last_of(" \t") + 1));
  if (size_t slash = id.find('/'); slash != id.npos) { out.pid = parse_id(id.substr(0, slash)); }
  std::string_view rest = trim(line.substr(end + 2));
  if (std::string_view after = rest; is_digits(take_word(after))) { rest = trim(after); }  // a period
  size_t colon = rest.find(": ");
  if (colon == rest.npos) { return std::nullopt; }
  out.event = rest.substr(0, colon);
  if (out.event.starts_with("sched:")) { out.event.remove_prefix(6); }
  out.text = trim(rest.substr(colon + 2));
  return out;
}

// "ffffffff821d049d __schedule+0x5cd ([kernel.kallsyms])"
bool push_frame(StackImport& import, std::string_view line) {
  std::string_view rest = line;
  std::optional<uint64_t> address = parse_u64(take_word(rest), 16);
  rest = trim(rest);
  if (!address) { return false; }
  TextFrame frame{.address = *address};
  if (size_t open = rest.rfind(" ("); open != rest.npos && rest.ends_with(')')) {
    frame.module = rest.substr(open + 2, rest.size() - open - 3);
    rest = trim(rest.substr(0, open));
  }
  frame.inlined = frame.module == "inlined";
  if (frame.inlined) { frame.module = {}; }
  frame.kernel = frame.module.starts_with("[kernel") || frame.module.starts_with("[guest") || frame.module.ends_with(".ko") ||
                 (frame.module.starts_with('[') && frame.module != "[unknown]" && frame.module != "[vdso]");
  if (frame.module == "[unknown]") { frame.module = {}; }
  rest = strip_offset(rest, import);
  if (rest != "[unknown]") { frame.name = rest; }
  import.push(frame);
  return true;
}

struct OffCpu {
  uint64_t since_ns = 0;
  StackId stack{};
  ThreadId thread{};
  bool preempted = false;
};

}  // namespace

bool is_perf_sched(const Head& /*head*/) { return false; }

Result<Profile> read_perf_sched(Input& input, const ImportOptions& options) {
  StackImport import(kPerfSchedReader.what, options, input, true);
  EventId blocked = import.event("off-cpu", "ns"), preempted = import.event("preempted", "ns");
  tsl::robin_map<uint32_t, OffCpu> off;
  std::optional<Switch> open;  // the switch whose stack is being read
  std::string open_comm;
  uint64_t open_time = 0, first_time = UINT64_MAX, switches = 0;
  uint32_t open_pid = 0;
  auto end = [&] {
    if (open && open->from != 0) {
      uint32_t pid = open_pid != 0 ? open_pid : open->from;
      off.insert_or_assign(open->from,
                           OffCpu{open_time, import.take(), import.thread(pid, open->from, open_comm), open->preempted});
    }
    import.drop();
    open.reset();
  };
  auto back = [&](uint32_t tid, uint64_t duration_ns) {
    auto it = off.find(tid);
    if (it == off.end()) { return; }
    const OffCpu& o = it->second;
    if (duration_ns > 0 && duration_ns < INT64_MAX) {
      import.add({.time_ns = o.since_ns,
                  .thread = o.thread,
                  .stack = o.stack,
                  .event = o.preempted ? preempted : blocked,
                  .weight = static_cast<int64_t>(duration_ns),
                  .count = 1});
    }
    off.erase(it);
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty()) {
      end();
      continue;
    }
    if (line.starts_with('#')) { continue; }
    std::optional<Heading> heading = parse_heading(line);
    if (!heading) {
      if (open && count_indent(line) > 0 && !push_frame(import, line)) { import.skip(); }
      if (count_indent(line) == 0) { import.skip(); }
      continue;
    }
    end();
    first_time = std::min(first_time, heading->time_ns);
    if (heading->event == "sched_switch") {
      std::optional<Switch> change = parse_switch(heading->text);
      if (!change) {
        import.skip();
        continue;
      }
      ++switches;
      if (auto it = off.find(change->to); it != off.end() && heading->time_ns > it->second.since_ns) {
        back(change->to, heading->time_ns - it->second.since_ns);
      }
      open = change;
      open_comm = change->comm;
      open_time = heading->time_ns;
      open_pid = heading->pid;
    } else if (heading->event == "sched_stat_sleep" || heading->event == "sched_stat_blocked" ||
               heading->event == "sched_stat_iowait") {
      std::string_view delay = value_of(heading->text, "delay=");
      std::optional<uint64_t> ns = parse_count(delay.substr(0, delay.find_first_not_of("0123456789")));
      uint32_t tid = parse_id(value_of(heading->text, " pid="));
      ns ? back(tid, *ns) : import.skip();
    }
  }
  end();
  import.builder().set_start(first_time == UINT64_MAX ? 0 : first_time, 0);
  if (!off.empty() && import.samples() > 0) {
    import.builder().add_warning(strf("%zu %s still off the CPU when the recording ended; that time is not counted", off.size(),
                                      off.size() == 1 ? "thread was" : "threads were"));
  }
  if (switches == 0) {
    return Error("no sched:sched_switch events in %llu lines; expected the output of perf script",
                 static_cast<unsigned long long>(import.line_number()))
        .with_code(Errc::kBadInput)
        .with_hint("perf record -g -e sched:sched_switch -a -- sleep 10; perf script | wick collapse --from perf-sched");
  }
  return import.finish("sched:sched_switch events with stacks, and the switches back");
}

}  // namespace wick
