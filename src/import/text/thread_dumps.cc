// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/text/thread_dumps.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "base/text.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

uint32_t parse_id(std::string_view text) {
  std::optional<uint64_t> id = parse_u64(text);
  return id && *id <= UINT32_MAX ? static_cast<uint32_t>(*id) : 0;
}

// "file.c:12" and "file.c:12:34"
void set_place(TextFrame& frame, std::string_view place) {
  uint32_t numbers[2] = {};
  size_t count = 0;
  while (count < 2) {
    size_t colon = place.rfind(':');
    if (colon == place.npos || !is_digits(place.substr(colon + 1))) { break; }
    numbers[count++] = parse_id(place.substr(colon + 1));
    place = place.substr(0, colon);
  }
  frame.file = place;
  frame.line = count == 2 ? numbers[1] : numbers[0];
  frame.column = count == 2 ? numbers[0] : 0;
}

// "#12 …": the number and the rest.
struct NumberedLine {
  uint64_t number = 0;
  std::string_view rest;
};
std::optional<NumberedLine> parse_numbered(std::string_view line) {
  if (!line.starts_with('#')) { return std::nullopt; }
  std::string_view rest = line.substr(1), digits = rest.substr(0, rest.find_first_of(" \t"));
  std::optional<uint64_t> number = parse_count(digits);
  rest = trim(rest.substr(digits.size()));
  if (!number || rest.empty()) { return std::nullopt; }
  return NumberedLine{*number, rest};
}

// Finds the arguments in "std::function<void (int)>::operator()(int) const (this=…, n=3)": at the first " (" outside of brackets.
// "<" and ">" in operator names do not count.
size_t find_arguments(std::string_view text) {
  constexpr std::string_view kOperator = "operator", kAnonymous = " (anonymous namespace)";
  int angles = 0, parens = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string_view rest = text.substr(i);
    if (rest.starts_with(kOperator)) {
      rest.remove_prefix(kOperator.size());
      size_t sign = rest.starts_with("()") ? 2 : std::min(rest.find_first_not_of("<>=-!"), rest.size());
      i += kOperator.size() + sign - 1;
    } else if (angles == 0 && parens == 0 && rest.starts_with(" (")) {
      if (!rest.starts_with(kAnonymous)) { return i; }
      i += kAnonymous.size() - 1;
    } else if (rest.front() == '<') {
      ++angles;
    } else if (rest.front() == '>' && (i == 0 || text[i - 1] != '-')) {
      angles = std::max(0, angles - 1);
    } else if (rest.front() == '(') {
      ++parens;
    } else if (rest.front() == ')') {
      parens = std::max(0, parens - 1);
    }
  }
  return text.npos;
}

struct GdbFrame {
  TextFrame frame;
  bool has_address = false;
};
// "0x00005629 in app::run (this=0x7f…, n=3) at t.cc:10", "main () from /lib/x.so"
GdbFrame parse_gdb_frame(std::string_view text) {
  GdbFrame out;
  std::string_view rest = text, address = take_word(rest);
  if (std::optional<uint64_t> value = parse_hex(address)) {
    std::string_view after = rest;
    out.has_address = true;
    out.frame.address = *value;
    text = take_word(after) == "in" ? trim(after) : trim(rest);
  }
  if (size_t from = text.rfind(") from "); from != text.npos) {
    out.frame.module = trim(text.substr(from + 7));
    text = text.substr(0, from + 1);
  } else if (size_t at = text.rfind(") at "); at != text.npos) {
    set_place(out.frame, trim(text.substr(at + 5)));
    text = text.substr(0, at + 1);
  }
  std::string_view name = trim(text.substr(0, find_arguments(text)));
  if (name != "??") { out.frame.name = name; }
  return out;
}

// 'Thread 2 (Thread 0x7f29 (LWP 9649) "worker one"):', "Thread 1 (process 12):"
ThreadId parse_gdb_thread(StackImport& import, std::string_view line) {
  uint32_t tid = 0;
  for (std::string_view key : {"(LWP ", "(process ", " LWP "}) {
    size_t at = line.find(key);
    if (at == line.npos || tid != 0) { continue; }
    std::string_view id = line.substr(at + key.size());
    tid = parse_id(id.substr(0, id.find_first_not_of("0123456789")));
  }
  size_t open = line.find('"'), close = line.rfind('"');
  if (open != line.npos && close > open) { return import.thread(0, tid, line.substr(open + 1, close - open - 1)); }
  return import.thread(0, tid, tid != 0 ? strf("LWP %u", tid) : std::string(line.substr(0, line.find(" ("))));
}

// Messages of gdb between frames.
bool is_gdb_message(std::string_view line) {
  constexpr std::string_view kBegins[] = {"[", "(", "Backtrace stopped", "warning", "No ", "quit", "A debugging session"};
  return std::any_of(std::begin(kBegins), std::end(kBegins), [&](std::string_view begin) { return line.starts_with(begin); });
}

bool is_gdb_thread(std::string_view line) {
  std::string_view rest = line;
  return take_word(rest) == "Thread" && is_digits(take_word(rest)) && trim_left(rest).starts_with('(') && line.ends_with(':');
}

}  // namespace

bool is_gdb(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    if (std::optional<NumberedLine> frame = parse_numbered(line); frame && frame->number == 0) {
      GdbFrame parsed = parse_gdb_frame(frame->rest);
      found = (parsed.has_address && frame->rest.find(" in ") != frame->rest.npos) || find_arguments(frame->rest) != line.npos;
      return false;  // the first stack decides
    }
    found = is_gdb_thread(line);
    return !found;
  });
  return found && !is_eu_stack(head);
}

Result<Profile> read_gdb(Input& input, const ImportOptions& options) {
  StackImport import(kGdbReader.what, options, input);
  EventId event = import.event("samples", "samples");
  ThreadId thread = import.thread(0, 0, "");
  std::vector<FrameId> stack;
  std::string open;  // the last frame: the next line may continue it
  bool has_open = false, is_waiting = false;
  uint64_t next_number = 0;
  // If other stacks have headings, one without has lost it.
  bool has_heading = false, any_heading = false;
  uint64_t first_without = 0;
  std::string waiting_text;  // a frame is inlined if its caller has no address: known with the next one
  auto push_waiting = [&](bool inlined) {
    if (!is_waiting) { return; }
    GdbFrame frame = parse_gdb_frame(waiting_text);
    frame.frame.inlined = inlined;
    import.push(frame.frame);
    is_waiting = false;
  };
  auto close_frame = [&] {
    if (!has_open) { return; }
    bool has_address = parse_gdb_frame(open).has_address;
    push_waiting(!has_address && open != "<signal handler called>");
    waiting_text.swap(open);
    is_waiting = true;
    has_open = false;
  };
  auto end = [&] {
    close_frame();
    push_waiting(false);
    if (import.depth() > 0) { import.add(thread, event); }
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view text = trim(line);
    if (std::optional<NumberedLine> frame = parse_numbered(line)) {
      if (frame->number == 0) {
        end();
        if (!std::exchange(has_heading, false)) {
          thread = import.thread(0, 0, "");
          if (any_heading) { import.skip(); }
          if (first_without == 0) { first_without = import.line_number(); }
        }
      } else {
        close_frame();
        if (!is_waiting || frame->number != next_number) { import.skip(); }  // frames before it are missing
      }
      next_number = frame->number + 1;
      open = frame->rest;
      has_open = true;
    } else if (is_gdb_thread(line)) {
      end();
      thread = parse_gdb_thread(import, line);
      if (!std::exchange(any_heading, true) && first_without != 0) { import.skip(first_without); }
      has_heading = true;
    } else if (has_open && count_indent(line) > 0 &&
               (text.starts_with("at ") || text.starts_with("from ") || !open.ends_with(')'))) {
      bool ended = open.rfind(") at ") != open.npos || open.rfind(") from ") != open.npos;
      constexpr size_t kLongest = 1 << 16;
      if (!ended && open.size() + text.size() < kLongest) { open += " " + std::string(text); }
    } else if (text.empty()) {
      end();
    } else {
      bool is_inside = has_open || is_waiting || import.depth() > 0;
      close_frame();  // local variables, messages
      if (line.starts_with('#') || (is_inside && count_indent(line) == 0 && !is_gdb_message(line))) { import.skip(); }
    }
  }
  end();
  return import.finish("Thread N (…):, then lines with #N  0x… in function (…) at file:line");
}

namespace {

// "#1  0x000056295f761427 - 1 void app::drive<int>(int, int) - /tmp/t"
std::optional<TextFrame> parse_eu_frame(std::string_view rest) {
  TextFrame frame;
  std::optional<uint64_t> address = parse_hex(take_word(rest));
  if (!address) { return std::nullopt; }
  frame.address = *address;
  rest = trim(rest);
  if (rest.starts_with("- 1 ")) { rest = trim(rest.substr(4)); }  // the address is that of the call, not after it
  if (rest == "- 1") { rest = {}; }
  if (size_t dash = rest.rfind(" - "); dash != rest.npos && rest.find('/', dash) != rest.npos) {
    frame.module = trim(rest.substr(dash + 3));
    rest = trim(rest.substr(0, dash));
  } else if (rest.starts_with("- /")) {
    frame.module = trim(rest.substr(2));
    rest = {};
  }
  frame.name = rest;
  return frame;
}

bool is_tid_line(std::string_view line) {
  return line.starts_with("TID ") && line.ends_with(':') && is_digits(line.substr(4, line.size() - 5));
}

}  // namespace

bool is_eu_stack(const Head& head) {
  bool found = false, was_tid = false;
  see_lines(head, [&](std::string_view line) {
    std::optional<NumberedLine> frame = parse_numbered(line);
    found = was_tid && frame && parse_eu_frame(frame->rest);
    was_tid = is_tid_line(line);
    return !found;
  });
  return found;
}

// A frame's source may be on the next line. With -i, inlined frames have the address of the frame that contains them.
Result<Profile> read_eu_stack(Input& input, const ImportOptions& options) {
  StackImport import(kEuStackReader.what, options, input);
  EventId event = import.event("samples", "samples");
  ThreadId thread = import.thread(0, 0, "");
  uint32_t pid = 0;
  std::string open, place;
  bool has_open = false;
  uint64_t next_number = 0;
  auto close_frame = [&](const TextFrame& next) {
    if (!has_open) { return; }
    if (std::optional<TextFrame> frame = parse_eu_frame(open)) {
      if (!place.empty()) { set_place(*frame, place); }
      frame->inlined = frame->address == next.address && next.address != 0 && frame->name != next.name;  // else recursion
      import.push(*frame);
    }
    has_open = false;
    place.clear();
  };
  auto end = [&] {
    close_frame({});
    if (import.depth() > 0) { import.add(thread, event); }
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view text = trim(line);
    if (std::optional<NumberedLine> numbered = parse_numbered(line)) {
      std::optional<TextFrame> frame = parse_eu_frame(numbered->rest);
      if (!frame) {
        import.skip();
        continue;
      }
      if (numbered->number == 0) {
        end();
      } else if (numbered->number != next_number) {  // frames before it are missing
        import.skip();
      }
      next_number = numbered->number + 1;
      close_frame(*frame);
      open = numbered->rest;
      has_open = true;
    } else if (is_tid_line(line)) {
      end();
      uint32_t tid = parse_id(line.substr(4, line.size() - 5));
      // Its name is unknown; all threads of a process are merged.
      thread = import.thread(pid, tid, pid != 0 ? strf("pid %u", pid) : strf("tid %u", tid));
    } else if (line.starts_with("PID ")) {
      end();
      std::string_view rest = line.substr(4);
      pid = parse_id(take_word(rest));
    } else if (has_open && count_indent(line) > 0 && !text.empty()) {
      place = text;
    } else if (!text.empty() && !line.starts_with("eu-stack:")) {
      import.skip();
    }
  }
  end();
  return import.finish("TID N:, then lines with #N  0x… function");
}

namespace {

// "0xd0116c54  __fd_select(??, ??, ??) + 0x94"
std::optional<TextFrame> parse_procstack_frame(std::string_view line) {
  std::string_view rest = line;
  std::optional<uint64_t> address = parse_hex(take_word(rest));
  rest = trim(rest);
  size_t plus = rest.rfind(" + 0x");
  if (!address || plus == rest.npos || !parse_hex(rest.substr(plus + 3))) { return std::nullopt; }
  rest = trim(rest.substr(0, plus));
  TextFrame frame{.name = rest, .address = *address};
  // The values of arguments are unknown: only question marks.
  if (size_t open = rest.rfind('('); open != rest.npos && open > 0 && rest.ends_with(')')) {
    std::string_view arguments = rest.substr(open + 1, rest.size() - open - 2);
    if (arguments.find_first_not_of("?, ") == arguments.npos) { frame.name = trim(rest.substr(0, open)); }
  }
  return frame;
}

struct ProcessLine {
  uint32_t pid = 0;
  std::string_view command;
};
// "6881588: /usr/bin/foo -x"
std::optional<ProcessLine> parse_process_line(std::string_view line) {
  size_t colon = line.find(':');
  if (colon == line.npos || !is_digits(line.substr(0, colon))) { return std::nullopt; }
  std::string_view command = trim(line.substr(colon + 1));
  command = command.substr(0, command.find(' '));
  if (command.empty()) { return std::nullopt; }
  return ProcessLine{parse_id(line.substr(0, colon)), command.substr(command.rfind('/') + 1)};
}

}  // namespace

bool is_procstack(const Head& head) {
  bool found = false, was_process = false;
  see_lines(head, [&](std::string_view line) {
    found = was_process && parse_procstack_frame(line);
    if (!line.starts_with("---------- tid#")) { was_process = parse_process_line(line).has_value(); }
    return !found;
  });
  return found;
}

Result<Profile> read_procstack(Input& input, const ImportOptions& options) {
  StackImport import(kProcstackReader.what, options, input);
  EventId event = import.event("samples", "samples");
  uint32_t pid = 0, tid = 0;
  std::string name;
  auto end = [&] {
    if (import.depth() > 0) { import.add(import.thread(pid, tid, name), event); }
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (std::optional<TextFrame> frame = parse_procstack_frame(line)) {
      import.push(*frame);
    } else if (std::optional<ProcessLine> process = parse_process_line(line)) {
      end();
      pid = tid = process->pid;
      name = process->command;
    } else if (line.starts_with("---------- tid#")) {
      end();
      std::string_view rest = line.substr(15);
      tid = parse_id(take_word(rest));
    } else {
      end();
      if (!trim(line).empty()) { import.skip(); }
    }
  }
  end();
  return import.finish("PID: command, then lines with 0x…  function(…) + 0x…");
}

namespace {

constexpr std::string_view kRecentFirst = " (most recent call first):";

// '  File "/tmp/x.py", line 4 in work'
std::optional<TextFrame> parse_python_frame(std::string_view line) {
  std::string_view text = trim(line);
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = " in ";
  size_t at = text.rfind(kLine);
  if (!text.starts_with(kFile) || at == text.npos || at < kFile.size()) { return std::nullopt; }
  std::string_view rest = text.substr(at + kLine.size());
  size_t in = rest.find(kIn);
  if (in == rest.npos) { return std::nullopt; }
  std::string_view number = rest.substr(0, in);
  if (!is_digits(number) && number != "???") { return std::nullopt; }
  return TextFrame{
      .name = trim(rest.substr(in + kIn.size())), .file = text.substr(kFile.size(), at - kFile.size()), .line = parse_id(number)};
}

}  // namespace

bool is_faulthandler(const Head& head) {
  bool found = false, was_heading = false;
  see_lines(head, [&](std::string_view line) {
    found = was_heading && parse_python_frame(line);
    was_heading = line.ends_with(kRecentFirst);
    return !found;
  });
  return found;
}

Result<Profile> read_faulthandler(Input& input, const ImportOptions& options) {
  StackImport import(kFaulthandlerReader.what, options, input);
  EventId event = import.event("samples", "samples");
  ThreadId thread = import.thread(0, 0, "");
  bool has_heading = false;
  auto end = [&] {
    if (import.depth() > 0) { import.add(thread, event); }
    has_heading = false;
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (std::optional<TextFrame> frame = parse_python_frame(line)) {
      has_heading ? import.push(*frame) : import.skip();  // its thread could not be read
    } else if (has_heading && count_indent(line) > 0 && !trim(line).empty()) {
      if (trim(line) != "...") { import.skip(); }  // Python writes "..." after 100 frames
    } else if (line.ends_with(kRecentFirst)) {
      end();
      has_heading = true;
      std::string_view name = trim(line.substr(0, line.size() - kRecentFirst.size()));
      if (name.starts_with("Current thread")) { name = trim(name.substr(8)); }  // the same thread in the next dump
      std::string shown(name);
      if (name.starts_with("thread")) { shown[0] = 'T'; }
      size_t open = shown.find('['), close = shown.rfind(']');
      if (open != shown.npos && close != shown.npos && close > open) { shown = shown.substr(open + 1, close - open - 1); }
      thread = name == "Stack" ? import.thread(0, 0, "") : import.thread(0, 0, shown);
    } else {
      end();
    }
  }
  end();
  return import.finish("Thread 0x… (most recent call first):, then lines with File \"…\", line N in function");
}

}  // namespace wick
