// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_script_line.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.h"

namespace wick {
namespace {

// These functions process every line of hundreds of megabytes, and the library's find_first_not_of calls a function for every
// character; hence the loops.

constexpr std::array<bool, 256> make_hex_table() {
  std::array<bool, 256> table{};
  for (unsigned char c : std::string_view("0123456789abcdefABCDEF")) { table[c] = true; }
  return table;
}
constexpr std::array<bool, 256> kIsHex = make_hex_table();

bool is_hex(char c) { return kIsHex[static_cast<unsigned char>(c)]; }
bool is_space(char c) { return c == ' ' || c == '\t'; }
bool all_digits(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_digit); }

std::string_view skip_spaces(std::string_view text) {
  size_t i = 0;
  while (i < text.size() && is_space(text[i])) { ++i; }
  return text.substr(i);
}
std::string_view drop_spaces_behind(std::string_view text) {
  while (!text.empty() && (is_space(text.back()) || text.back() == '\r')) { text.remove_suffix(1); }
  return text;
}

std::optional<uint64_t> parse_digits(std::string_view text) {
  uint64_t value = 0;
  for (char c : text) {
    if (!is_digit(c) || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, static_cast<uint64_t>(c - '0'), &value)) {
      return std::nullopt;
    }
  }
  return value;
}
std::optional<uint32_t> parse_id(std::string_view text) {
  std::optional<uint64_t> value = text.empty() ? std::nullopt : parse_digits(text);
  return value && *value <= UINT32_MAX ? std::optional(static_cast<uint32_t>(*value)) : std::nullopt;
}

std::string_view trim_spaces(std::string_view text) { return drop_spaces_behind(skip_spaces(text)); }

// The last word and what is before it.
struct Split {
  std::string_view before, word;
};
Split split_last_word(std::string_view text) {
  text = drop_spaces_behind(text);
  size_t begin = text.size();
  while (begin > 0 && !is_space(text[begin - 1])) { --begin; }
  return {text.substr(0, begin), text.substr(begin)};
}

// perf writes "-1" for an unknown process or thread, which has already ended.
bool parse_ids(std::string_view word, PerfScriptHeader& header) {
  constexpr std::string_view kGone = "-1";
  size_t slash = word.find('/');
  std::string_view tid = word.substr(slash == word.npos ? 0 : slash + 1);
  header.tid = parse_id(tid);
  if (slash == word.npos) { return header.tid.has_value() || tid == kGone; }
  std::string_view pid = word.substr(0, slash);
  header.pid = parse_id(pid);
  return (header.tid.has_value() || tid == kGone) && (header.pid.has_value() || pid == kGone);
}

// "comm pid/tid [cpu] flags": everything before the time.
bool parse_who(std::string_view text, PerfScriptHeader& header) {
  Split last = split_last_word(text);
  constexpr std::string_view kMisc = "KUHGgMESp";
  if (!last.word.empty() && last.word.find_first_not_of(kMisc) == last.word.npos) {
    Split before = split_last_word(last.before);
    PerfScriptHeader ignored;
    bool is_flags = parse_ids(before.word, ignored) || before.word.ends_with(']');
    if (is_flags) { last = before; }
  }
  if (last.word.size() > 2 && last.word.front() == '[' && last.word.back() == ']') {
    std::optional<uint32_t> cpu = parse_id(last.word.substr(1, last.word.size() - 2));
    if (!cpu) { return false; }
    header.cpu = *cpu;
    last = split_last_word(last.before);
  }
  if (!parse_ids(last.word, header)) { return false; }
  header.has_ids = true;
  header.comm = trim_spaces(last.before);
  return true;
}

// The first word of the form "123.456789:".
struct Time {
  size_t begin = 0, end = 0;  // `end` is after the colon
  uint64_t ns = 0;
};
std::optional<Time> find_time(std::string_view line) {
  constexpr uint64_t kMostSeconds = 18'000'000'000;
  for (size_t colon = line.find(':'); colon != line.npos; colon = line.find(':', colon + 1)) {
    size_t at = colon;
    while (at > 0 && is_digit(line[at - 1])) { --at; }
    size_t decimals = colon - at;
    bool is_fraction = (decimals == 6 || decimals == 9) && at > 1 && line[at - 1] == '.' && is_digit(line[at - 2]);
    if (!is_fraction) { continue; }
    size_t begin = at - 1;
    while (begin > 0 && is_digit(line[begin - 1])) { --begin; }
    if (begin > 0 && !is_space(line[begin - 1])) { continue; }
    std::optional<uint64_t> seconds = parse_digits(line.substr(begin, at - 1 - begin));
    uint64_t part = *parse_digits(line.substr(at, decimals));
    if (!seconds || *seconds > kMostSeconds) { return std::nullopt; }
    return Time{begin, colon + 1, *seconds * 1'000'000'000 + part * (decimals == 6 ? 1000 : 1)};
  }
  return std::nullopt;
}

size_t hex_length(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && is_hex(text[n])) { ++n; }
  return n;
}

// After the event of a sample on one line: "ip symbol (dso)"; with -F +addr there is another address before it. A tracepoint's
// text rarely begins with a hexadecimal word; without a module, the word must look like an address.
std::string_view find_single_frame(std::string_view text) {
  text = drop_spaces_behind(skip_spaces(text));
  size_t n = hex_length(text);
  if (n == 0 || n > 16 || n == text.size() || text[n] != ' ') { return {}; }
  std::string_view rest = skip_spaces(text.substr(n));
  if (rest.empty()) { return {}; }
  size_t second = hex_length(rest);
  if (second >= 6 && second <= 16 && second < rest.size() && rest[second] == ' ' &&
      skip_spaces(rest.substr(second)).front() != '(') {
    return rest;
  }
  size_t open = text.rfind('(');
  bool has_module = text.back() == ')' && open != text.npos && text[open - 1] == ' ';
  bool has_digit = std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(n), is_digit);
  return has_module || (n >= 4 && has_digit) ? text : std::string_view();
}

// "    250000 cycles:u:  the rest".
void parse_event(std::string_view text, PerfScriptHeader& header) {
  std::string_view at = skip_spaces(text);
  size_t digits = 0;
  while (digits < at.size() && is_digit(at[digits])) { ++digits; }
  std::string_view number = at.substr(0, digits), behind = at.substr(digits);
  bool has_number = digits > 0 && (behind.empty() || is_space(behind.front()) || behind.front() == '\r');
  std::string_view event_at = has_number ? skip_spaces(behind) : at;
  size_t end = 0;
  while (end < event_at.size() && !is_space(event_at[end]) && event_at[end] != '\r') { ++end; }
  std::string_view word = event_at.substr(0, end);
  bool has_event = word.size() > 1 && word.back() == ':';
  std::string_view rest = has_event ? event_at.substr(end) : has_number && drop_spaces_behind(event_at).empty() ? event_at : at;
  if (has_event) { header.event = word.substr(0, word.size() - 1); }
  header.frame = find_single_frame(rest);
  if (has_number && (has_event || header.frame.empty())) {
    header.period = parse_digits(number);
    header.period_overflows = !header.period || *header.period > static_cast<uint64_t>(INT64_MAX);
    header.is_padded = has_event && behind.size() > event_at.size() + 1;
  }
}

// The position of the bracket before the module. Functions and paths may contain brackets, "operator() (/opt/app (1)/x
// (deleted))", but a module nearly always begins with a slash or a square bracket.
size_t find_module(std::string_view text) {
  auto begins_here = [&](size_t open) { return open == 0 || text[open - 1] == ' '; };
  size_t last = text.npos;
  for (size_t open = text.rfind('('); open != text.npos; open = open > 0 ? text.rfind('(', open - 1) : text.npos) {
    if (!begins_here(open)) { continue; }
    if (last == text.npos) { last = open; }
    if (text[open + 1] == '/' || text[open + 1] == '[') { return open; }
  }
  return last;
}

}  // namespace

bool is_blank_line(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return is_space(c) || c == '\r'; });
}

std::optional<PerfScriptHeader> parse_timed_header(std::string_view line) {
  std::optional<Time> time = find_time(line);
  if (!time) { return std::nullopt; }
  PerfScriptHeader header;
  header.time_ns = time->ns;
  std::string_view who = trim_spaces(line.substr(0, time->begin));
  if (!who.empty() && !parse_who(who, header)) {
    // -F comm,time: no IDs.
    if (who.find_first_of("(:") != who.npos) { return std::nullopt; }
    header.comm = who;
  }
  std::string_view rest = skip_spaces(line.substr(time->end));
  if (rest.starts_with("PERF_RECORD_")) {
    header.is_record = true;
    header.rest = drop_spaces_behind(rest);
    return header;
  }
  parse_event(rest, header);
  return header;
}

PerfScriptHeader parse_untimed_header(std::string_view line) {
  PerfScriptHeader header;
  line = trim_spaces(line);
  // The event is the last word before a frame that ends with a colon; the IDs are the nearest word of digits.
  size_t event_begin = line.npos;
  for (size_t at = 0; at < line.size();) {
    size_t end = std::min(line.find(' ', at), line.size());
    std::string_view word = line.substr(at, end - at);
    if (word.size() > 1 && word.back() == ':' && word[0] != '(') {
      event_begin = at;
      break;
    }
    at = end + 1;
  }
  std::string_view who = line;
  if (event_begin != line.npos) {
    Split before = split_last_word(line.substr(0, event_begin));
    Split earlier = split_last_word(before.before);
    PerfScriptHeader ids;
    bool has_period = all_digits(before.word) && (parse_ids(earlier.word, ids) || earlier.word.ends_with(']'));
    parse_event(line.substr(has_period ? static_cast<size_t>(before.word.data() - line.data()) : event_begin), header);
    who = has_period ? before.before : line.substr(0, event_begin);
  }
  PerfScriptHeader with_ids = header;
  if (parse_who(who, with_ids)) { return with_ids; }
  header.comm = trim_spaces(who);
  return header;
}

bool looks_like_frame(std::string_view line) {
  if (line.empty() || !is_space(line.front())) { return false; }
  std::string_view text = skip_spaces(line);
  size_t n = hex_length(text);
  return n > 0 && n <= 16 && (n == text.size() || text[n] == ' ' || text[n] == '\r');
}

bool is_damaged_frame(std::string_view line) {
  if (line.empty() || line.front() != '\t') { return false; }
  std::string_view text = drop_spaces_behind(skip_spaces(line));
  bool is_labelled = text.find(": ") != text.npos || text.ends_with(':') || text.find('\t') != text.npos;
  return !text.empty() && !is_labelled && !text.starts_with("...") && !parse_perf_script_frame(line);
}

bool is_flat_frame(std::string_view line) {
  if (line.empty() || is_space(line.front())) { return false; }
  line = drop_spaces_behind(line);
  size_t n = hex_length(line);
  bool has_digit = std::any_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(n), is_digit);
  return n > 0 && n <= 16 && has_digit && n < line.size() && line[n] == ' ' && line.back() == ')' &&
         line.find(" (", n) != line.npos;
}

bool is_surely_flat_frame(std::string_view line) {
  if (!is_flat_frame(line)) { return false; }
  std::optional<PerfScriptFrame> frame = parse_perf_script_frame(line);
  return frame && (frame->module.starts_with('/') || frame->module.starts_with('['));
}

bool is_surely_frame(std::string_view line) {
  if (!looks_like_frame(line)) { return false; }
  std::optional<PerfScriptFrame> frame = parse_perf_script_frame(line);
  if (!frame) { return false; }
  // Sentences and table rows also begin with numbers.
  constexpr size_t kAddressEnd = 1 + 16;  // "\t%16lx"
  std::string_view text = skip_spaces(line), address = text.substr(0, hex_length(text));
  bool as_perf = line.front() == '\t' && static_cast<size_t>(address.end() - line.begin()) == kAddressEnd;
  bool has_file = frame->module.starts_with('/') || frame->module.starts_with('[');
  bool has_digit = std::any_of(address.begin(), address.end(), is_digit);
  return has_digit && (has_file || (as_perf && !(frame->function.empty() && frame->module.empty())));
}

std::optional<PerfScriptFrame> parse_perf_script_frame(std::string_view line) {
  std::string_view text = drop_spaces_behind(skip_spaces(line));
  size_t n = hex_length(text);
  std::optional<uint64_t> address = n > 0 && n <= 16 ? parse_u64(text.substr(0, n), 16) : std::nullopt;
  if (!address) { return std::nullopt; }
  PerfScriptFrame frame{.address = *address};
  text = text.substr(std::min(text.size(), n + 1));  // the symbol may be empty: "7f1e  (/lib/libc.so)"
  if (!text.empty() && text.back() == ')') {
    size_t open = find_module(text);
    if (open != text.npos) {
      frame.module = text.substr(open + 1, text.size() - open - 2);
      text = text.substr(0, open);
    }
  }
  if (frame.module == "inlined") {
    frame.inlined = true;
    frame.module = {};
  }
  auto drop_offset = [](std::string_view from) {
    size_t plus = from.rfind("+0x");
    bool is_offset =
        plus != from.npos && plus > 0 && plus + 3 < from.size() && hex_length(from.substr(plus + 3)) == from.size() - plus - 3;
    return is_offset ? from.substr(0, plus) : from;
  };
  frame.module = drop_offset(frame.module);  // -F +dsoff
  frame.function = drop_offset(trim_spaces(text));
  return frame;
}

std::optional<PerfScriptSource> parse_perf_script_source(std::string_view line) {
  std::string_view text = drop_spaces_behind(skip_spaces(line));
  size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0) { return std::nullopt; }
  std::string_view number = text.substr(colon + 1);
  number = number.substr(0, number.find(' '));  // "(discriminator 2)"
  std::optional<uint32_t> value = parse_id(number);
  std::string_view file = text.substr(0, colon);
  if (!value || *value == 0 || file.empty() || file[0] == '?') { return std::nullopt; }
  return PerfScriptSource{file, *value};
}

}  // namespace wick
