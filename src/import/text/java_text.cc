// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// A thread dump has all threads, and most of them wait. A profile is about running threads, so these are the first event; the
// others are separate events by state ("--event WAITING"). Java also calls threads runnable that wait in a system call: those in
// a function that only waits are separated, as readers of thread dumps do.
#include "import/text/java_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "import/text/stack_text.h"

namespace wick {
namespace {

constexpr std::string_view kRunnable = "RUNNABLE", kNativeWait = "NATIVE_WAIT";

bool is_waiting_function(std::string_view name) {
  constexpr std::array kWaiting = {
      std::string_view("epollWait"), std::string_view(".EPoll.wait"),        std::string_view("socketAccept"),
      std::string_view(".accept0"),  std::string_view("socketRead0"),        std::string_view("waitForReferencePendingList"),
      std::string_view(".poll0"),    std::string_view("waitForProcessExit"), std::string_view("KQueue.poll"),
  };
  return std::any_of(kWaiting.begin(), kWaiting.end(), [&](std::string_view part) { return name.find(part) != name.npos; });
}

std::string_view java_name(std::string_view text) {
  if (text.starts_with("at ")) { text.remove_prefix(3); }
  size_t open = text.rfind('(');
  return trim(open == text.npos ? text : text.substr(0, open));
}

// "worker-12" of a pool: "worker".
std::string_view without_number(std::string_view name) {
  size_t end = name.find_last_not_of("0123456789");
  bool has_number = end != name.npos && end > 0 && end + 1 < name.size() && name[end] == '-';
  return has_number ? name.substr(0, end) : name;
}

// "java.lang.Thread.run", "java/lang/Thread.run": packages shortened to first letters, or dropped.
std::string short_java_name(std::string_view name, const ImportOptions& options) {
  size_t slash = name.rfind('/'), method = name.rfind('.'), begin = 0;
  if (slash != name.npos && method != name.npos && slash < method && name.find("$$Lambda") == name.npos) {
    begin = slash + 1;
  } else if (method != name.npos && method > 0) {
    size_t type = name.rfind('.', method - 1);
    begin = type == name.npos ? 0 : type + 1;
  }
  std::string out;
  if (!options.without_packages) {
    bool in_word = false;
    for (char c : name.substr(0, begin)) {
      bool mark = c == '.' || c == '/';
      if (mark || !in_word) { out += c; }
      in_word = !mark;
    }
  }
  return out + std::string(name.substr(begin));
}

// A thread's stack while it is being read.
struct JavaThread {
  bool is_open = false;
  std::string name, state;
  uint32_t tid = 0;
  bool waits_in_native = false;
  uint64_t line = 0;
};

class JavaDump {
 public:
  explicit JavaDump(StackImport& import) : import_(import) { import_.event(kRunnable, "samples"); }

  void begin(std::string_view name, uint32_t tid, std::string_view state) {
    end();
    thread_ = {
        .is_open = true, .name = std::string(name), .state = std::string(state), .tid = tid, .line = import_.line_number()};
  }
  bool is_open() const { return thread_.is_open; }
  void set_state(std::string_view state) { thread_.state = state; }
  void add_to_name(std::string_view more) { thread_.name += more; }
  void push(std::string_view text) {
    if (import_.depth() == 0) { thread_.waits_in_native = is_waiting_function(java_name(text)); }
    push_java_frame(import_, text);
  }
  void end() {
    if (thread_.is_open && import_.depth() > 0 && !thread_.state.empty()) {
      bool runs = thread_.state == kRunnable && !thread_.waits_in_native;
      runs ? ++running_ : ++waiting_;
      std::string_view event = !runs && thread_.state == kRunnable ? kNativeWait : std::string_view(thread_.state);
      constexpr size_t kMostStates = 8;
      if (!runs && std::find(states_.begin(), states_.end(), event) == states_.end() && states_.size() < kMostStates) {
        states_.emplace_back(event);
      }
      bool named = import_.options().java_thread_names;
      ThreadId id = named ? import_.thread(0, thread_.tid, thread_.name) : import_.thread(0, 0, "");
      import_.add(id, import_.event(event, "samples"));
    } else if (thread_.is_open && import_.depth() > 0) {  // its state could not be read
      import_.skip(thread_.line);
    }
    import_.drop();
    thread_ = {};
  }
  Result<Profile> finish(const char* expected) {
    end();
    if (waiting_ > 0) {
      std::string names;
      for (const std::string& state : states_) { names += (names.empty() ? "" : ", ") + state; }
      import_.builder().add_warning(strf("%llu of %llu stacks belong to waiting threads and are not shown (events: %s)",
                                         static_cast<unsigned long long>(waiting_),
                                         static_cast<unsigned long long>(running_ + waiting_), names.c_str()));
    }
    return import_.finish(expected);
  }

 private:
  StackImport& import_;
  JavaThread thread_;
  uint64_t running_ = 0, waiting_ = 0;
  std::vector<std::string> states_;  // of waiting threads
};

uint32_t parse_tid(std::string_view text) {
  std::optional<uint64_t> id = text.starts_with("0x") ? parse_hex(text) : parse_u64(text);
  return id && *id <= UINT32_MAX ? static_cast<uint32_t>(*id) : 0;
}

// The text after `key`, up to the next space or comma.
std::string_view value_of(std::string_view line, std::string_view key) {
  size_t at = line.find(key);
  if (at == line.npos) { return {}; }
  std::string_view value = line.substr(at + key.size());
  return value.substr(0, value.find_first_of(" \t,"));
}

// '"name" #12 daemon prio=5 … tid=0x… nid=0x269e runnable': names may contain quotes.
struct ThreadLine {
  std::string_view name, rest;
};
std::optional<ThreadLine> parse_thread_line(std::string_view line) {
  if (!line.starts_with('"')) { return std::nullopt; }
  size_t mark = std::min({line.find("\" #"), line.find("\" daemon "), line.find("\" prio="), line.find("\" os_prio="),
                          line.find("\" J9VMThread:"), line.find("\" virtual"), line.find("\" tid=")});
  if (mark == line.npos || mark == 0) { return std::nullopt; }
  return ThreadLine{line.substr(1, mark - 1), line.substr(mark + 1)};
}

constexpr std::string_view kStateMark = "java.lang.Thread.State: ";

// Other lines of a thread: locks, and what a compiler is working on.
bool is_jstack_remark(std::string_view text) {
  constexpr std::string_view kRemarks[] = {"- ", "Locked ", "Carrying virtual thread", "Compiling:", "No compile task", "None"};
  return std::any_of(std::begin(kRemarks), std::end(kRemarks), [&](std::string_view r) { return text.starts_with(r); });
}

// "4XESTACKTRACE", "NULL": tags at the start of java core lines.
bool is_javacore_tag(std::string_view word) {
  bool is_tag = word.size() >= 4 && is_digits(word.substr(0, 1));
  return word == "NULL" || (is_tag && std::all_of(word.begin(), word.end(),
                                                  [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }));
}

bool is_at_line(std::string_view line) {
  std::string_view text = trim(line);
  return count_indent(line) > 0 && text.starts_with("at ") && text.ends_with(')') && text.find('(') != text.npos;
}

// "pkg.Class.method(", unlike "the end (see below)".
bool has_class(std::string_view frame) {
  std::string_view name = frame.substr(0, frame.find('('));
  return name.find('.') != name.npos && name.find(' ') == name.npos;
}

}  // namespace

void push_java_frame(StackImport& import, std::string_view text) {
  text = trim(text);
  if (text.starts_with("at ")) { text.remove_prefix(3); }
  TextFrame frame{.name = java_name(text)};
  size_t open = text.rfind('(');
  for (size_t nested = 0; open != text.npos && open > 0 && text.ends_with("))") && nested == 0; ++nested) {
    open = text.rfind('(', open - 1);  // "File.java:127(Compiled Code))"
    if (open != text.npos) { frame.name = trim(text.substr(0, open)); }
  }
  if (open == text.npos || !text.ends_with(')')) {
    import.push(frame);
    return;
  }
  std::string_view place = text.substr(open + 1, text.size() - open - 2);
  if (size_t compiled = place.find('('); compiled != place.npos) { place = place.substr(0, compiled); }
  if (size_t slash = place.rfind('/'); slash != place.npos) {  // "java.base@17.0.15/Thread.java:840"
    std::string_view module = place.substr(0, slash);
    frame.module = module.substr(0, module.find('@'));
    place.remove_prefix(slash + 1);
  }
  if (size_t slash = frame.name.find('/'); slash != frame.name.npos) {  // "java.base/java.lang.Thread.run", "app//x.y"
    std::string_view module = frame.name.substr(0, slash);
    if (module.find("$$Lambda") == module.npos && module.find('.') != module.npos &&
        frame.name.find('.', slash) != frame.name.npos) {
      frame.module = module.substr(0, module.find('@'));
      frame.name = frame.name.substr(slash + 1);
    }
  }
  std::string shortened;
  if (import.options().shorten_packages || import.options().without_packages) {
    shortened = short_java_name(frame.name, import.options());
    frame.name = shortened;
  }
  size_t colon = place.rfind(':');
  if (colon != place.npos && is_digits(place.substr(colon + 1))) {
    frame.file = place.substr(0, colon);
    frame.line = static_cast<uint32_t>(std::min<uint64_t>(parse_u64(place.substr(colon + 1)).value_or(0), UINT32_MAX));
  } else if (place.ends_with(".java") || place.ends_with(".kt") || place.ends_with(".scala")) {
    frame.file = place;
  }
  import.push(frame);
}

bool is_jstack(const Head& head) {
  bool has_thread = false, found = false;
  see_lines(head, [&](std::string_view line) {
    has_thread = has_thread || parse_thread_line(line).has_value();
    found = line.starts_with("Full thread dump ") || (has_thread && line.find(kStateMark) != line.npos);
    return !found;
  });
  return found;
}

Result<Profile> read_jstack(Input& input, const ImportOptions& options) {
  StackImport import(kJstackReader.what, options, input);
  JavaDump dump(import);
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view text = trim(line);
    if (std::optional<ThreadLine> thread = parse_thread_line(line)) {
      bool one_pool = !options.java_ids.value_or(true);
      dump.begin(one_pool ? without_number(thread->name) : thread->name, one_pool ? 0 : parse_tid(value_of(thread->rest, "nid=")),
                 "");
    } else if (line.starts_with('"')) {
      dump.end();
      import.skip();
    } else if (!dump.is_open()) {
      if (text.starts_with(kStateMark)) { import.skip(); }  // of a thread whose heading could not be read
    } else if (text.empty()) {
      dump.end();
    } else if (text.starts_with(kStateMark)) {
      std::string_view state = text.substr(kStateMark.size());
      dump.set_state(state.substr(0, state.find(' ')));
    } else if (text.starts_with("at ")) {
      dump.push(text);
    } else if (!is_jstack_remark(text)) {
      import.skip();
    }
  }
  return dump.finish("\"thread\" …, java.lang.Thread.State: …, then lines with at function(file:line)");
}

bool is_javacore(const Head& head) {
  bool found = false;
  see_lines(head, [&](std::string_view line) {
    found = line.starts_with("3XMTHREADINFO ") || line.starts_with("4XESTACKTRACE ") || line.starts_with("1TISIGINFO");
    return !found;
  });
  return found;
}

Result<Profile> read_javacore(Input& input, const ImportOptions& options) {
  StackImport import(kJavacoreReader.what, options, input);
  JavaDump dump(import);
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view rest = line, tag = take_word(rest);
    rest = trim(rest);
    if (tag == "3XMTHREADINFO") {
      dump.end();
      std::optional<ThreadLine> thread = parse_thread_line(rest);
      if (!thread) {  // "Anonymous native thread"
        if (rest.starts_with('"')) { import.skip(); }
        continue;
      }
      std::string_view state = value_of(thread->rest, "state:");
      struct Name {
        std::string_view letters, name;
      };
      constexpr Name kStates[] = {{"R", kRunnable}, {"CW", "WAITING"}, {"B", "BLOCKED"}, {"P", "PARKED"}, {"S", "SUSPENDED"}};
      auto* it = std::find_if(std::begin(kStates), std::end(kStates), [&](const Name& n) { return n.letters == state; });
      dump.begin(thread->name, 0, it != std::end(kStates) ? it->name : state);
    } else if (tag == "3XMTHREADINFO1" && dump.is_open() && options.java_ids.value_or(false)) {
      std::string_view id = value_of(rest, "native thread ID:");
      if (!id.empty()) { dump.add_to_name("-" + std::string(id)); }
    } else if (tag == "4XESTACKTRACE" && dump.is_open()) {
      dump.push(rest);
    } else if (tag == "4XESTACKTRACE" || (!tag.empty() && !is_javacore_tag(tag))) {
      import.skip();
    }
  }
  return dump.finish("3XMTHREADINFO \"thread\" … state:R …, then 4XESTACKTRACE at function(file:line)");
}

bool is_java_exceptions(const Head& head) {
  uint64_t frames = 0;
  see_lines(head, [&](std::string_view line) {
    frames += is_at_line(line) && has_class(trim(line).substr(3));
    return frames < 2;
  });
  return frames > 0 && !is_jstack(head);
}

// "Caused by:" begins another stack; "... 12 more" are the last frames of the previous one.
Result<Profile> read_java_exceptions(Input& input, const ImportOptions& options) {
  StackImport import(kJavaExceptionsReader.what, options, input);
  EventId event = import.event("exceptions", "exceptions");
  ThreadId thread = import.thread(0, 0, "");
  ProfileBuilder& b = import.builder();
  std::vector<FrameId> frames;     // of the open exception, innermost first
  std::vector<StackId> enclosing;  // of the previous one, outermost first, by number of frames
  auto end = [&](uint64_t more) {
    if (frames.empty()) { return; }
    if (more > enclosing.size()) {
      import.skip();
      more = 0;
    }
    enclosing.resize(more);
    StackId stack = enclosing.empty() ? StackId{} : enclosing.back();
    for (auto it = frames.rbegin(); it != frames.rend(); ++it) {
      stack = b.stack(*it, stack);
      enclosing.push_back(stack);
    }
    import.add({.thread = thread, .stack = stack, .event = event, .weight = 1, .count = 1});
    frames.clear();
  };
  size_t odd_indent = 0;  // of the previous line: it is a damaged frame if a frame with the same indentation follows
  std::string_view line;
  for (;;) {
    WICK_LET(bool more, import.next(line));
    if (!more) { break; }
    std::string_view text = trim(line);
    size_t odd = std::exchange(odd_indent, 0);
    bool is_mark = text.starts_with("Caused by:") || text.starts_with("Suppressed:");
    if (is_at_line(line)) {
      if (odd == count_indent(line)) { import.skip(import.line_number() - 1); }
      push_java_frame(import, text);
      frames.push_back(import.take_last());
    } else if (text.starts_with("... ") && text.ends_with(" more")) {
      std::optional<uint64_t> shared = parse_count(text.substr(4, text.size() - 9));
      if (!shared) { import.skip(); }
      end(shared.value_or(0));
    } else if (!frames.empty() && count_indent(line) > 0 && !text.empty() && !is_mark) {
      import.skip();
    } else {
      if (!text.empty() && !is_mark) { odd_indent = count_indent(line); }
      end(0);
      if (!text.starts_with("Caused by:") && !text.starts_with("Suppressed:")) { enclosing.clear(); }
    }
  }
  end(0);
  return import.finish("an exception, then lines with at function(file:line)");
}

}  // namespace wick
