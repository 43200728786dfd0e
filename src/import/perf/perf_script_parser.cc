// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/perf/perf_script_parser.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "model/kernel_module.h"

namespace wick {
namespace {

constexpr size_t kLongestLine = size_t{1} << 20;
// The caches only save time: above this size they are cleared, so that memory does not grow with the text.
constexpr size_t kMostKnown = size_t{1} << 18;

// The number after "lost " in "PERF_RECORD_LOST lost 12".
uint64_t parse_lost(std::string_view record) {
  size_t at = record.find("lost ");
  if (!record.starts_with("PERF_RECORD_LOST") || at == record.npos) { return 0; }
  uint64_t value = 0;
  for (char c : record.substr(at + 5)) {
    if (c < '0' || c > '9' || value > UINT32_MAX) { break; }
    value = value * 10 + static_cast<uint64_t>(c - '0');
  }
  return value;
}

// Nearly all frames begin with a tab and a space and end with a bracket: those are only examined if new.
bool is_frame_line(std::string_view line) {
  bool is_usual = line.size() > 1 && line[0] == '\t' && line[1] == ' ' && line.back() > ' ';
  return is_usual || looks_like_frame(line);
}

// The meaning of a line within a sample; find_chunk_end and read_frames must agree on it, or the profile would depend on where
// the text is split.
enum class Within : uint8_t { kFrame, kBlank, kHeader, kTooLong, kOther };

Within classify(std::string_view line) {
  if (line.empty()) { return Within::kBlank; }
  if (line.size() > kLongestLine) { return Within::kTooLong; }
  if (is_frame_line(line)) { return Within::kFrame; }
  if (is_blank_line(line)) { return Within::kBlank; }
  if (parse_timed_header(line)) { return Within::kHeader; }
  return is_flat_frame(line) ? Within::kFrame : Within::kOther;
}

}  // namespace

size_t find_chunk_end(std::string_view text, size_t from, size_t limit) {
  limit = std::min(limit, text.size());
  if (from >= limit) { return text.size(); }
  size_t begin = 0;
  if (from > 0) {
    begin = text.substr(0, limit).find('\n', from - 1);
    if (begin == text.npos) { return text.size(); }
    ++begin;
  }
  while (begin < limit) {
    size_t newline = text.find('\n', begin);
    if (newline == text.npos) { break; }
    Within kind = classify(text.substr(begin, newline - begin));
    if (kind == Within::kBlank) { return newline + 1; }
    if (begin > 0 && kind == Within::kHeader) { return begin; }
    begin = newline + 1;
  }
  return text.size();
}

size_t find_last_chunk_end(std::string_view text, size_t from) {
  size_t blank = text.substr(from).rfind("\n\n");
  if (blank != text.npos) { return from + blank + 2; }
  size_t last = text.substr(from).rfind('\n');
  for (size_t newline = last == text.npos ? 0 : from + last; newline > from;) {
    size_t before = text.substr(from, newline - from).rfind('\n');
    if (before == text.npos) { break; }
    size_t begin = from + before + 1;
    if (classify(text.substr(begin, newline - begin)) == Within::kHeader) { return begin; }
    newline = begin - 1;
  }
  return 0;
}

PerfScriptParser::Key PerfScriptParser::hash_of(const char* begin, const char* end) {
  XXH128_hash_t hash = XXH3_128bits(begin, static_cast<size_t>(end - begin));
  return {hash.low64, hash.high64};
}

// A hash of function and module, computed as fast as possible: unusual lines (not "address name+0xoffset (module)") include other
// parts, and are only found again less often.
PerfScriptParser::Key PerfScriptParser::hash_without_address(std::string_view line) {
  const char *at = line.data(), *end = at + line.size();
  auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  while (at < end && (*at == ' ' || *at == '\t')) { ++at; }
  while (at < end && is_hex(*at)) { ++at; }
  auto* open = static_cast<const char*>(::memrchr(at, '(', static_cast<size_t>(end - at)));
  const char* name_end = open != nullptr && open > at && open[-1] == ' ' ? open - 1 : end;
  const char* module = name_end;
  while (name_end > at && is_hex(name_end[-1])) { --name_end; }
  bool has_offset = name_end - at > 3 && std::memcmp(name_end - 3, "+0x", 3) == 0;
  name_end = has_offset ? name_end - 3 : module;
  Key key = hash_of(at, name_end);
  key.low = hash_pair(key.low, XXH3_64bits(module, static_cast<size_t>(end - module)));
  return key;
}

std::string_view PerfScriptParser::take_line() {
  const char* begin = at_;
  auto* newline = static_cast<const char*>(std::memchr(begin, '\n', static_cast<size_t>(end_ - begin)));
  const char* line_end = newline != nullptr ? newline : end_;
  at_ = newline != nullptr ? newline + 1 : end_;
  ++chunk_.lines;
  return {begin, static_cast<size_t>(line_end - begin)};
}

void PerfScriptParser::skip_line() {
  if (chunk_.skipped++ == 0) { chunk_.first_skipped = chunk_.lines; }
}

PerfScriptChunk PerfScriptParser::parse(std::string_view chunk, uint64_t offset) {
  chunk_ = {};
  at_ = chunk.data();
  end_ = chunk.data() + chunk.size();
  while (at_ < end_) {
    std::string_view line = take_line();
    if (line.empty() || line[0] == '#' || is_blank_line(line)) { continue; }
    uint64_t order = offset + static_cast<uint64_t>(line.data() - chunk.data());
    std::optional<PerfScriptHeader> header;
    bool is_frame = line[0] == '\t' ? looks_like_frame(line) : is_surely_flat_frame(line) && !parse_timed_header(line);
    if (is_frame) {  // -F ip,sym: no header
      header.emplace();
      at_ = line.data();
      --chunk_.lines;
    } else {
      header = parse_timed_header(line);
    }
    bool is_timed = header && header->time_ns;
    if (!header) { header = parse_untimed_header(line); }
    if (header->is_record) {
      chunk_.lost += parse_lost(header->rest);
      continue;
    }
    uint64_t header_line = chunk_.lines;
    frames_.clear();
    if (!header->frame.empty()) {
      const char* frame_end = header->frame.data() + header->frame.size();
      frames_.push_back({header->frame.data(), frame_end, frame_end});
      if (at_ < end_ && *at_ == ' ') {  // -F +srcline
        const char* before = at_;
        std::string_view source = take_line();
        bool is_source = source.starts_with("  ") && source.size() > 2 && source[2] != ' ' && !is_blank_line(source);
        if (is_source && !parse_timed_header(source)) {
          frames_.back().end = source.data() + source.size();
        } else {
          at_ = before;
          --chunk_.lines;
        }
      }
    } else {
      read_frames();
    }
    uint32_t bad = 0;
    StackId stack = build_stack(bad);
    if (bad > 0) { skip_frames(bad, header_line + is_frame, line); }
    if (!stack.valid() && !is_timed) {
      if (chunk_.skipped++ == 0 || chunk_.first_skipped > header_line) { chunk_.first_skipped = header_line; }
      continue;
    }
    if (as_inferno_ && header->is_padded) {  // inferno expects the period next to the event
      header->period = 1;
      header->period_overflows = false;
    }
    if (header->period_overflows) {
      ++chunk_.overflowing;
      continue;
    }
    (header->time_ns ? chunk_.has_times : chunk_.lacks_times) = true;
    add_row(*header, stack, order);
  }
  return chunk_;
}

// Reads the lines of the sample up to the blank line after it, or to the start of another.
void PerfScriptParser::read_frames() {
  for (;;) {
    if (at_ >= end_) { return; }
    const char* before = at_;
    std::string_view line = take_line();
    const char* line_end = line.data() + line.size();
    switch (classify(line)) {
      case Within::kBlank: return;
      case Within::kTooLong: skip_line(); continue;
      case Within::kFrame: frames_.push_back({line.data(), line_end, line_end}); continue;
      case Within::kHeader:
        at_ = before;
        --chunk_.lines;
        return;
      case Within::kOther: break;
    }
    bool is_below_frame =
        !frames_.empty() && frames_.back().frame_end == frames_.back().end && frames_.back().end + 1 == line.data();
    bool is_source = line.starts_with("  ") || (is_below_frame && *frames_.back().begin > ' ' && parse_perf_script_source(line));
    if (is_below_frame && is_source) {
      frames_.back().end = line_end;                                             // -F +srcline
    } else if ((line[0] != ' ' && line[0] != '\t') || is_damaged_frame(line)) {  // else branches, registers, instructions
      skip_line();
    }
  }
}

// Counts `count` unreadable frames of the open sample, which begins with the line `first`.
void PerfScriptParser::skip_frames(uint32_t count, uint64_t first_line, std::string_view first) {
  if (chunk_.skipped == 0) {
    auto damaged = std::find_if(frames_.begin(), frames_.end(), is_damaged);
    auto behind = damaged == frames_.end() ? 0 : std::count(first.data(), damaged->begin, '\n');
    chunk_.first_skipped = first_line + static_cast<uint64_t>(behind);
  }
  chunk_.skipped += count;
}

StackId PerfScriptParser::build_stack(uint32_t& bad) {
  if (frames_.empty()) { return {}; }
  Callers callers;
  if (frames_.size() > 1) {
    Key key = hash_of(frames_[1].begin, frames_.back().end);
    if (known_callers_.size() >= kMostKnown) { known_callers_.clear(); }
    auto [it, fresh] = known_callers_.try_emplace(key, Callers{});
    if (fresh) {
      for (size_t i = frames_.size(); i-- > 1;) {
        FrameId frame = frame_of(frames_[i], callers.module);
        if (frame.valid()) {
          callers.stack = tables.stack(frame, callers.stack);
        } else {
          callers.bad += is_damaged(frames_[i]);
        }
      }
      it.value() = callers;
    } else {
      callers = it->second;
    }
  }
  FrameId leaf = frame_of(frames_[0], callers.module);
  bad = callers.bad + (!leaf.valid() && is_damaged(frames_[0]));
  return leaf.valid() ? tables.stack(leaf, callers.stack) : callers.stack;
}

// `module`: of the function this may be inlined into; then of this one.
FrameId PerfScriptParser::frame_of(const FrameText& text, ModuleId& module) {
  constexpr std::string_view kInlined = "(inlined)";
  std::string_view line(text.begin, static_cast<size_t>(text.frame_end - text.begin));
  Key key = functions_only_ ? hash_without_address(line) : hash_of(text.begin, text.end);
  if (line.ends_with('\r')) { line.remove_suffix(1); }
  if (line.ends_with(kInlined)) { key.low = hash_pair(key.low, module.value); }
  auto it = known_frames_.find(key);
  if (it == known_frames_.end()) {
    if (known_frames_.size() >= kMostKnown) { known_frames_.clear(); }
    ModuleId own = module;
    FrameId frame = parse_frame(text, own);
    it = known_frames_.try_emplace(key, KnownFrame{frame, own}).first;
  }
  module = it->second.module;
  return it->second.frame;
}

FrameId PerfScriptParser::parse_frame(const FrameText& text, ModuleId& module) {
  std::string_view line(text.begin, static_cast<size_t>(text.frame_end - text.begin));
  std::optional<PerfScriptFrame> parsed = parse_perf_script_frame(line);
  if (!parsed) { return {}; }  // indented, but not a frame
  bool has_module = !parsed->module.empty() && parsed->module != "[unknown]";
  if (!parsed->inlined) {
    module = has_module ? tables.module(parsed->module, {}, is_kernel_module(parsed->module)) : ModuleId{};
  }
  FunctionId function;
  if (parsed->function.empty() || parsed->function == "[unknown]") {
    std::string name = has_module ? "[" + std::string(base_name(parsed->module)) + "]" : "[unknown]";
    if (name == "[]" || name.starts_with("[[")) { name = std::string(parsed->module); }
    function = tables.function(name, parsed->function.empty() ? " " : parsed->function, module, false);
  } else {
    function = tables.function(parsed->function, {}, module);
  }
  Frame frame{.function = function, .inlined = parsed->inlined};
  if (functions_only_) { return tables.frame(frame); }
  frame.address = parsed->address;
  if (text.end != text.frame_end) {
    std::string_view source(text.frame_end, static_cast<size_t>(text.end - text.frame_end));
    if (std::optional<PerfScriptSource> place = parse_perf_script_source(source.substr(1))) {
      frame.file = tables.string(place->file);
      frame.line = place->line;
    }
  }
  return tables.frame(frame);
}

uint32_t PerfScriptParser::thread_of(const PerfScriptHeader& header) {
  auto is_same = [&](const PerfScriptThread& t) { return t.comm == header.comm && t.pid == header.pid && t.tid == header.tid; };
  if (last_thread_ != UINT32_MAX && is_same(threads[last_thread_])) { return last_thread_; }
  auto number = [](const std::optional<uint32_t>& id) { return id ? *id : UINT64_MAX; };
  uint64_t hash = hash_pair(hash_text(header.comm), hash_pair(number(header.pid), number(header.tid)));
  uint32_t fresh = static_cast<uint32_t>(threads.size());
  for (;; ++hash) {  // next entry after a collision
    auto [it, inserted] = thread_ids_.try_emplace(hash, fresh);
    if (inserted) { threads.push_back({std::string(header.comm), header.pid, header.tid}); }
    if (inserted || is_same(threads[it->second])) { return last_thread_ = it->second; }
  }
}

uint32_t PerfScriptParser::event_of(const PerfScriptHeader& header) {
  bool has_period = header.period.has_value();
  auto is_same = [&](const PerfScriptEvent& e) { return e.name == header.event && e.has_period == has_period; };
  if (last_event_ != UINT32_MAX && is_same(events[last_event_])) { return last_event_; }
  uint64_t hash = hash_text(header.event) + has_period;
  uint32_t fresh = static_cast<uint32_t>(events.size());
  for (;; ++hash) {
    auto [it, inserted] = event_ids_.try_emplace(hash, fresh);
    if (inserted) { events.push_back({std::string(header.event), has_period}); }
    if (inserted || is_same(events[it->second])) { return last_event_ = it->second; }
  }
}

void PerfScriptParser::add_row(const PerfScriptHeader& header, StackId stack, uint64_t order) {
  PerfScriptRow row{.order = order,
                    .time_ns = header.time_ns.value_or(0),
                    .thread = thread_of(header),
                    .event = event_of(header),
                    .stack = stack.value,
                    .cpu = header.cpu,
                    .weight = static_cast<int64_t>(header.period.value_or(1)),
                    .count = 1};
  if (!merge_) {
    rows.push_back(row);
    return;
  }
  uint32_t pair =
      pair_ids_.try_emplace(uint64_t{row.thread} << 32 | row.event, static_cast<uint32_t>(pair_ids_.size())).first->second;
  auto [it, fresh] = merged_.try_emplace(uint64_t{row.stack} << 32 | pair, static_cast<uint32_t>(rows.size()));
  if (!fresh) {
    PerfScriptRow& known = rows[it->second];
    int64_t sum = 0;
    if (!__builtin_add_overflow(known.weight, row.weight, &sum)) {
      known.weight = sum;
      ++known.count;
      return;
    }
    it.value() = static_cast<uint32_t>(rows.size());
  }
  rows.push_back(row);
}

}  // namespace wick
