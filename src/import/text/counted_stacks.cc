// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// DTrace and SystemTap print a stack and, on a separate line, its count. A blank line does not end a stack: stack() and ustack()
// of one key are two blocks separated by a blank line, and together one stack. Other keys (execname, pid) precede the stack, less
// indented than its frames.
#include "import/text/counted_stacks.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "import/text/java_text.h"
#include "import/text/stack_text.h"
#include "model/function_name.h"

namespace wick {
namespace {

// "libc.so.1`read+0xa", "unix`0xfffffffffb800c91", "0xfffffd7ffefa1234", "read"
bool is_dtrace_frame(std::string_view line) {
  std::string_view text = trim(line);
  size_t tick = text.find('`');
  bool has_module = tick != text.npos && tick > 0 && tick + 1 < text.size() && text.find_first_of(" \t") > tick;
  return count_indent(line) > 0 && (has_module || parse_hex(text).has_value());
}

// "  0  64091                        :tick-60s " and earlier messages of dtrace
bool is_dtrace_heading(std::string_view line) {
  if (line.starts_with("dtrace:") || line.starts_with("CPU ")) { return true; }
  std::string_view rest = line, cpu = take_word(rest), id = take_word(rest), probe = take_word(rest);
  return is_digits(cpu) && is_digits(id) && probe.find(':') != probe.npos && trim(rest).empty();
}

// "0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]"
bool is_stap_frame(std::string_view line) {
  std::string_view rest = line, address = take_word(rest), colon = take_word(rest);
  return parse_hex(address).has_value() && colon == ":" && !trim(rest).empty();
}

void push_dtrace(StackImport& import, std::string_view line) {
  std::string_view text = trim(line), name = text;
  const ImportOptions& options = import.options();
  TextFrame frame;
  size_t tick = text.find('`');
  if (tick != text.npos) {
    frame.module = text.substr(0, tick);
    name = text.substr(tick + 1);
    frame.kernel = frame.module == "unix" || frame.module == "genunix" || frame.module == "kernel";
  }
  name = strip_offset(name, import);
  if (std::optional<uint64_t> address = parse_hex(name)) {
    frame.address = *address;
    name = {};
  }
  std::string made(name);
  if (size_t end = made.find(';'); made.starts_with('L') && end != made.npos) {  // a Java class in the JVM's notation
    made.replace(end, 1, "::");
    made.erase(0, 1);
  }
  frame.module_in_name = !options.without_modules;
  frame.name = made;
  import.push(frame);
}

// Both tools' rules for such a line: no offset, no parameters for C++, Java's "a->b" as two frames.
void push_dtrace_as_peers(StackImport& import, std::string_view line) {
  const ImportOptions& options = import.options();
  bool as_perl = options.rules == Rules::kPerl;
  std::string_view text = trim(line);
  auto without_offset = [](std::string_view name) { return name.substr(0, name.rfind('+')); };
  bool has_inlined = options.include_offset || as_perl || text.find("->") != text.npos;
  if (!options.include_offset) { text = without_offset(text); }
  if (size_t scope = text.find("::"); scope != text.npos) {
    size_t open = text.find_last_of("(<");
    if (open != text.npos && open >= scope + 2) { text = text.substr(0, open); }
  }
  std::string name(text.empty() ? "-" : text);
  if (size_t tick = name.find('`'); tick != name.npos && !as_perl) {
    size_t plus = options.include_offset ? name.rfind('+') : name.npos;
    std::string offset = plus == name.npos || plus < tick ? "" : name.substr(plus);
    std::string function = name.substr(tick + 1, name.size() - tick - 1 - offset.size());
    name = name.substr(0, tick + 1) + readable_rust_name(function) + offset;
  }
  std::vector<std::string> parts;
  for (size_t at = 0; at != name.npos;) {
    size_t next = has_inlined ? name.find("->", at) : name.npos;
    parts.push_back(name.substr(at, next == name.npos ? next : next - at));
    at = next == name.npos ? next : next + 2;
  }
  // Perl drops empty trailing fields: "operator->".
  while (as_perl && parts.size() > 1 && parts.back().empty()) { parts.pop_back(); }
  bool is_leaf = import.depth() == 0;
  for (size_t i = parts.size(); i-- > 0;) {
    std::string& part = parts[i];
    size_t marks = has_inlined ? std::min(part.find_first_not_of('L'), part.size()) : 0;  // of Java classes
    part.erase(0, as_perl ? std::min<size_t>(marks, 1) : marks);
    if (i > 0) { part += "_[i]"; }
    if (is_leaf && i + 1 == parts.size() && options.include_offset) { part = without_offset(part); }
    import.push(TextFrame{.name = part});
  }
}

void push_stap(StackImport& import, std::string_view line) {
  std::string_view rest = line;
  TextFrame frame;
  if (is_stap_frame(line)) {
    frame.address = parse_hex(take_word(rest)).value_or(0);
    take_word(rest);  // ":"
  }
  rest = trim(rest);
  for (std::string_view tail : {"(inexact)", "(exact)"}) {
    if (rest.ends_with(tail)) { rest = trim(rest.substr(0, rest.size() - tail.size())); }
  }
  if (size_t open = rest.rfind('['); rest.ends_with(']') && open != rest.npos) {
    frame.module = rest.substr(open + 1, rest.size() - open - 2);
    rest = trim(rest.substr(0, open));
    frame.kernel = frame.module.find('/') == frame.module.npos;  // programs and libraries have paths
  }
  // "name+0xb/0x10": the offset and the function's size
  size_t plus = rest.rfind('+'), slash = rest.rfind('/');
  if (plus != rest.npos && slash != rest.npos && slash > plus && parse_hex(rest.substr(slash + 1))) {
    rest = rest.substr(0, slash);
  }
  rest = strip_offset(rest, import);
  if (!parse_hex(rest)) { frame.name = rest; }
  import.push(frame);
}

void push_stap_as_perl(StackImport& import, std::string_view line) {
  std::string_view text = trim_left(line);
  text = text.substr(0, text.rfind('+'));
  constexpr std::string_view kBehindAddress = " : ";
  if (size_t at = text.rfind(kBehindAddress); at != text.npos) { text.remove_prefix(at + kBehindAddress.size()); }
  import.push(TextFrame{.name = text.empty() ? "-" : text});
}

// "  bash     1234": other keys of the count.
ThreadId thread_of_keys(StackImport& import, std::string_view keys) {
  std::string name;
  uint32_t pid = 0;
  while (!trim(keys).empty()) {
    std::string_view word = take_word(keys);
    std::optional<uint64_t> number = parse_count(word);
    if (number && *number <= INT32_MAX && pid == 0 && !name.empty() && trim(keys).empty()) {
      pid = static_cast<uint32_t>(*number);
    } else {
      name += (name.empty() ? "" : " ") + std::string(word);
    }
  }
  return import.thread(pid, pid, name);
}

// Blocks that end with a count, with frames recognized by `is_frame`; other lines in them are frames as well (a name without a
// module), except for a less indented first line, which is a key.
struct CountedFormat {
  std::string_view what;
  bool (*is_frame)(std::string_view);
  void (*push)(StackImport&, std::string_view);
  std::initializer_list<Rules> others;  // other supported rules, and how they read frames
  void (*push_as_others)(StackImport&, std::string_view);
  const char* expected;
};
Result<Profile> read_counted(Input& input, const ImportOptions& options, const CountedFormat& format) {
  StackImport import(format.what, options, input);
  const bool takes_keys = import.choose_rules(format.others) == Rules::kOwn;  // for other rules all lines are frames
  const auto push = takes_keys ? format.push : format.push_as_others;
  EventId event = import.event("samples", "samples");
  std::string keys;
  size_t keys_indent = 0;
  bool has_keys = false;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty()) { continue; }
    if (is_dtrace_heading(line)) {
      if (import.depth() > 0) { import.skip(import.line_number() - 1); }  // where its count should be
      import.drop();
      has_keys = false;
    } else if (is_number_line(line)) {
      std::optional<uint64_t> count = parse_count(trim(line));
      if (import.depth() == 0 || !count) {
        import.skip();
        import.drop();
      } else if (*count > 0) {
        ThreadId thread = has_keys ? thread_of_keys(import, keys) : import.thread(0, 0, "");
        import.add(thread, event, static_cast<int64_t>(*count), *count);
      }
      import.drop();
      has_keys = false;
    } else if (import.depth() == 0 && !format.is_frame(line) && !has_keys && takes_keys) {
      keys = line;
      keys_indent = count_indent(line);
      has_keys = true;
    } else {
      if (has_keys && import.depth() == 0 && count_indent(line) <= keys_indent) {  // the line was a frame
        push(import, keys);
        has_keys = false;
      }
      push(import, line);
    }
  }
  if (import.depth() > 0) { import.skip(); }
  return import.finish(format.expected);
}

bool has_counted(const Head& head, bool (*is_frame)(std::string_view)) {
  bool found = false, was_frame = false;
  see_lines(head, [&](std::string_view line) {
    if (trim(line).empty()) { return true; }
    if (is_number_line(line) && was_frame) { found = true; }
    // A frame without a module may be the last before the count, but not the first.
    was_frame = is_frame(line) || (was_frame && !is_number_line(line) && count_indent(line) > 0);
    return !found;
  });
  return found;
}

struct MapLine {
  std::string_view map, rest;
};
// "@name[…": the beginning of a map entry
std::optional<MapLine> parse_map_start(std::string_view line) {
  if (!line.starts_with('@')) { return std::nullopt; }
  size_t open = line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", 1);
  if (open == line.npos || line[open] != '[') { return std::nullopt; }
  return MapLine{line.substr(0, open), line.substr(open + 1)};
}

// "name+12" and, as kstack(perf) and ustack(perf) print, "ffffffff81… name+12" with or without "(module)"
void push_bpftrace(StackImport& import, std::string_view line) {
  std::string_view text = trim(line);
  TextFrame frame;
  constexpr size_t kFewestDigits = 6;
  std::string_view rest = text, address_text = take_word(rest);
  std::optional<uint64_t> place = address_text.size() >= kFewestDigits ? parse_u64(address_text, 16) : std::nullopt;
  if (place && !trim(rest).empty()) {
    frame.address = *place;
    text = trim(rest);
    if (size_t open = text.rfind(" ("); text.ends_with(')') && open != text.npos) {
      frame.module = text.substr(open + 2, text.size() - open - 3);
      frame.kernel = frame.module.starts_with('[');
      text = trim(text.substr(0, open));
    }
  }
  text = strip_offset(text, import);
  if (std::optional<uint64_t> address = parse_hex(text)) {
    frame.address = *address;
    text = {};
  }
  if (text == "[unknown]") { text = {}; }
  frame.name = text;
  import.push(frame);
}

// Returns whether one of them is empty.
bool add_keys(std::string& keys, std::string_view text) {
  bool any_empty = false;
  for (std::string_view part : split(text, ',')) {
    part = trim(part);
    any_empty |= part.empty();
    if (!part.empty()) { keys += (keys.empty() ? "" : ", ") + std::string(part); }
  }
  return any_empty;
}

}  // namespace

bool is_dtrace(const Head& head) { return has_counted(head, is_dtrace_frame) && !is_stap(head); }

Result<Profile> read_dtrace(Input& input, const ImportOptions& options) {
  return read_counted(input, options,
                      {kDtraceReader.what,
                       is_dtrace_frame,
                       push_dtrace,
                       {Rules::kPerl, Rules::kInferno},
                       push_dtrace_as_peers,
                       "lines with frames (module`function+0x…), then a line with a count"});
}

bool is_stap(const Head& head) { return has_counted(head, is_stap_frame); }

Result<Profile> read_stap(Input& input, const ImportOptions& options) {
  return read_counted(input, options,
                      {kStapReader.what,
                       is_stap_frame,
                       push_stap,
                       {Rules::kPerl},
                       push_stap_as_perl,
                       "lines with frames (0x… : function+0x…/0x… [module]), then a line with a count"});
}

bool is_bpftrace(const Head& head) {
  bool found = false, is_open = false;
  see_lines(head, [&](std::string_view line) {
    if (std::optional<MapLine> start = parse_map_start(line)) { is_open = true; }
    if (size_t end = line.rfind("]: "); is_open && end != line.npos && is_number_line(line.substr(end + 3))) { found = true; }
    return !found;
  });
  return found;
}

// A map entry is "@map[", keys separated by commas, "]: value". A stack among the keys has an indented line per frame; nothing
// else is indented. A stack without frames is an empty key ("@[, bash]: 7"), such as kstack in user space.
Result<Profile> read_bpftrace(Input& input, const ImportOptions& options) {
  StackImport import(kBpftraceReader.what, options, input);
  std::string map, keys;
  bool is_open = false, has_empty = false;
  uint64_t without_stack = 0;
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view rest = line;
    if (std::optional<MapLine> start = parse_map_start(line)) {
      if (is_open) { import.skip(); }
      import.drop();
      keys.clear();
      has_empty = false;
      map = start->map;
      rest = start->rest;
      is_open = true;
    } else if (!is_open) {  // output of the script, histograms, maps without keys
      bool is_end = (line.starts_with(']') || line.starts_with(',')) && line.find("]: ") != line.npos;
      if (is_end) { import.skip(); }  // end of an entry whose beginning was skipped
      continue;
    } else if (count_indent(line) > 0) {
      if (!trim(line).empty()) { push_bpftrace(import, line); }
      continue;
    }
    size_t end = rest.rfind("]: ");
    if (end == rest.npos && rest.ends_with("]:")) { end = rest.size() - 2; }  // a histogram follows
    has_empty |= add_keys(keys, rest.substr(0, end));
    if (end == rest.npos) { continue; }
    is_open = false;
    std::string_view value = trim(rest.substr(std::min(rest.size(), end + 3)));
    std::optional<uint64_t> count = parse_count(value);
    if (import.depth() == 0 && !has_empty) {
      ++without_stack;
    } else if (!count) {
      import.skip();
    } else if (*count > 0) {
      EventId event = import.event(map == "@" ? "samples" : std::string_view(map), "samples");
      import.add(import.thread(0, 0, keys), event, static_cast<int64_t>(*count), *count);
    }
    import.drop();
  }
  if (is_open) { import.skip(); }
  if (without_stack > 0) {
    import.builder().add_warning(strf("skipped %llu map %s without a stack in the key",
                                      static_cast<unsigned long long>(without_stack), without_stack == 1 ? "entry" : "entries"));
  }
  return import.finish("@map[, lines with frames, ]: and a count");
}

namespace {

struct LjpStart {
  uint64_t count = 0, depth = 0;
  std::string_view frame;
};
std::optional<LjpStart> parse_ljp_start(std::string_view line) {
  std::string_view rest = line;
  std::optional<uint64_t> count = parse_count(take_word(rest)), depth = parse_count(take_word(rest));
  rest = trim(rest);
  if (!count || !depth || *depth == 0 || rest.empty() || is_digits(rest)) { return std::nullopt; }
  return LjpStart{*count, *depth, rest};
}

}  // namespace

bool is_ljp(const Head& head) {
  uint64_t wanted = 0, good = 0;
  bool bad = false;
  see_lines(head, [&](std::string_view line) {
    if (trim(line).empty() || line.starts_with("Total")) { return true; }
    if (std::optional<LjpStart> start = parse_ljp_start(line); start && wanted == 0) {
      wanted = start->depth;
    } else if (wanted == 0 || count_indent(line) == 0) {
      bad = true;
      return false;
    }
    if (!line.ends_with(')')) { bad = true; }
    good += --wanted == 0;
    return !bad;
  });
  return good > 0 && !bad;
}

Result<Profile> read_ljp(Input& input, const ImportOptions& options) {
  StackImport import(kLjpReader.what, options, input);
  EventId event = import.event("samples", "samples");
  ThreadId thread = import.thread(0, 0, "");
  uint64_t count = 0, depth = 0, first_line = 0;
  auto end = [&] {
    if (import.depth() > 0 && import.depth() != depth) { import.skip(first_line); }
    if (import.depth() > 0 && count > 0) { import.add(thread, event, static_cast<int64_t>(count), count); }
    import.drop();
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (trim(line).empty() || line.starts_with("Total")) { continue; }
    if (std::optional<LjpStart> start = parse_ljp_start(line)) {
      end();
      count = start->count;
      depth = start->depth;
      first_line = import.line_number();
      push_java_frame(import, start->frame);
    } else if (count > 0) {
      push_java_frame(import, trim(line));
    } else {
      import.skip();
    }
  }
  end();
  return import.finish("COUNT DEPTH  function(file:line), then lines with the other functions");
}

namespace {

// "99.791% ===================================== (17194 samples)"
std::optional<uint64_t> parse_wcp_heading(std::string_view line) {
  std::string_view rest = line, share = take_word(rest), bar = take_word(rest);
  rest = trim(rest);
  if (!share.ends_with('%') || !bar.starts_with("==") || !rest.starts_with('(') || !rest.ends_with(" samples)")) {
    return std::nullopt;
  }
  return parse_count(rest.substr(1, rest.size() - 10));
}

}  // namespace

bool is_wcp(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    found = parse_wcp_heading(line).has_value();
    return !found;
  });
  return found;
}

Result<Profile> read_wcp(Input& input, const ImportOptions& options) {
  StackImport import(kWcpReader.what, options, input);
  EventId event = import.event("samples", "samples");
  ThreadId thread = import.thread(0, 0, "");
  uint64_t count = 0;
  auto end = [&] {
    if (import.depth() > 0 && count > 0) { import.add(thread, event, static_cast<int64_t>(count), count); }
    import.drop();
    count = 0;
  };
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    if (std::optional<uint64_t> samples = parse_wcp_heading(line)) {
      end();
      count = *samples;
      continue;
    }
    if (trim(line).empty()) {
      if (import.depth() > 0) { end(); }
      continue;
    }
    std::string_view rest = line, number = take_word(rest);
    rest = trim(rest);
    bool is_frame = number.ends_with(':') && is_digits(number.substr(0, number.size() - 1));
    if (count == 0 || !is_frame) {
      if (count > 0 || is_frame) { import.skip(); }  // else a title
      continue;
    }
    TextFrame frame{.name = rest};
    if (size_t at = rest.rfind("(at "); at != rest.npos && rest.ends_with(')')) {
      std::string_view place = rest.substr(at + 4, rest.size() - at - 5);
      size_t colon = place.rfind(':');
      frame.name = trim(rest.substr(0, at));
      frame.file = place.substr(0, colon);
      if (colon != place.npos) { frame.line = static_cast<uint32_t>(parse_u64(place.substr(colon + 1)).value_or(0)); }
    }
    import.push(frame);
  }
  end();
  return import.finish("PERCENT% ==== (N samples), then lines with N: function   (at file:line)");
}

}  // namespace wick
