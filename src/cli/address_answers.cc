// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/address_answers.h"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/result.h"
#include "base/text.h"
#include "elf/symbols.h"
#include "export/json_writer.h"
#include "symbolize/demangle.h"

namespace wick {
namespace {

// Texts are kept up to kAlwaysKept, and up to kMostKept if reusing them saves most of the work.
constexpr size_t kMostKept = size_t{32} << 20, kAlwaysKept = size_t{2} << 20, kKeptBlock = size_t{2} << 20;
// Copying shorter text is faster than sharing it.
constexpr size_t kWorthSharing = 256;

void append_decimal(uint64_t value, std::string& out) {
  char digits[20];
  out.append(digits, static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits));
}

template <typename Take>
void each_line(std::string_view lines, Take take) {
  while (!lines.empty()) {
    size_t end = std::min(lines.find('\n'), lines.size());
    take(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace

void Answer::share(std::string_view text) {
  if (text.size() < kWorthSharing) {
    own_.append(text);
  } else {
    shared_.emplace_back(own_.size(), text);
  }
}

void AnswerWriter::prepare(std::string_view lines) const {
  if (!symbols_.is_lazy()) { return; }
  std::vector<uint64_t> svmas;
  each_line(lines, [&](std::string_view line) { svmas.push_back(parse(line) + base_); });
  symbols_.prepare(svmas);
}

void AnswerWriter::append_all(std::string_view lines, Answer& answer) {
  each_line(lines, [&](std::string_view line) { append(line, answer); });
}

uint64_t AnswerWriter::parse(std::string_view text) const {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) { text.remove_prefix(1); }
  if (text.starts_with("0x") || text.starts_with("0X")) { text.remove_prefix(2); }
  uint64_t address = 0;
  const char* end = std::from_chars(text.data(), text.data() + text.size(), address, 16).ptr;
  if (end != text.data() + text.size() && options_.image != nullptr) {
    if (std::optional<uint64_t> named = find_named(text)) { address = *named - base_; }
  }
  return address;
}

void AnswerWriter::append(std::string_view text, Answer& answer) {
  uint64_t address = parse(text);
  if (options_.json) { return append_json(address, answer.own()); }
  append_address(address, answer.own());
  FileSymbols::Place at = symbols_.place(address + base_);
  SymbolizedFrame line = symbols_.line_of(at);
  Key key{at.node, at.symbol, !line.file.empty()};
  bool is_known = at != FileSymbols::Place();
  auto found = is_known ? rows_.find(key) : rows_.end();
  Text made;
  bool is_kept = found != rows_.end();
  if (!is_kept) {
    made = make_text(address);
    is_kept = is_known && kept_bytes_ < (found_ > rows_.size() ? kMostKept : kAlwaysKept);
    if (is_kept) {
      made.before = keep(made.before);
      made.behind = keep(made.behind);
      rows_.emplace(key, static_cast<uint32_t>(texts_.size()));
      texts_.push_back(made);
    }
  } else {
    ++found_;
    made = texts_[found->second];
  }
  answer.own().append(made.before);
  append_place(key.has_line ? line : made.place, answer.own());
  if (is_kept) {
    answer.share(made.behind);
  } else {
    answer.own().append(made.behind);
  }
}

std::string_view AnswerWriter::keep(std::string_view text) {
  if (text.empty()) { return {}; }
  if (text.size() > room_bytes_) {
    size_t size = (text.size() + kKeptBlock - 1) / kKeptBlock * kKeptBlock;
    blocks_.emplace_back(static_cast<char*>(std::aligned_alloc(kKeptBlock, size)));
    WICK_ASSERT(blocks_.back() != nullptr, "memory for text is there or the kernel has ended us");
    ::madvise(blocks_.back().get(), size, MADV_HUGEPAGE);  // faults for small pages took as long as all other work
    room_ = blocks_.back().get();
    room_bytes_ = size;
  }
  std::string_view kept(room_, text.size());
  std::memcpy(room_, text.data(), text.size());
  room_ += text.size();
  room_bytes_ -= text.size();
  kept_bytes_ += text.size();
  return kept;
}

// "main" or "main+0x1f".
std::optional<uint64_t> AnswerWriter::find_named(std::string_view text) const {
  text = trim(text);
  std::optional<uint64_t> address = elf::find_symbol(*options_.image, text);
  if (address) { return address; }
  size_t plus = text.rfind('+');
  if (plus == text.npos) { return std::nullopt; }
  std::string_view offset = text.substr(plus + 1);
  bool is_hex = offset.starts_with("0x") || offset.starts_with("0X");
  std::optional<uint64_t> distance = parse_u64(is_hex ? offset.substr(2) : offset, is_hex ? 16 : 10);
  address = elf::find_symbol(*options_.image, text.substr(0, plus));
  return address && distance ? std::optional(*address + *distance) : std::nullopt;
}

std::string_view AnswerWriter::name_of(const SymbolizedFrame& frame) {
  if (frame.function.empty()) { return "??"; }
  if (!options_.demangle) { return frame.function; }
  auto [found, fresh] = demangled_.try_emplace(frame.function);
  if (fresh) { found->second = wick::demangle(frame.function, ReturnTypes::kKeep); }
  return found->second;
}

std::string_view AnswerWriter::file_of(const SymbolizedFrame& frame) const {
  if (frame.file.empty()) { return "??"; }
  return options_.basenames ? frame.file.substr(frame.file.rfind('/') + 1) : frame.file;
}

void AnswerWriter::append_address(uint64_t address, std::string& out) const {
  if (!options_.addresses) { return; }
  char digits[16];
  size_t count = static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, address, 16).ptr - digits);
  out.append("0x").append(16 - count, '0').append(digits, count).append(options_.pretty ? ": " : "\n");
}

void AnswerWriter::append_place(const SymbolizedFrame& frame, std::string& out) const {
  out.append(file_of(frame)).push_back(':');
  if (frame.line != 0) {
    append_decimal(frame.line, out);
  } else {
    out.push_back(frame.file.empty() ? '0' : '?');
  }
  out.push_back('\n');
}

// Views into `made_`.
AnswerWriter::Text AnswerWriter::make_text(uint64_t address) {
  symbols_.find(address + base_, chain_);
  if (chain_.empty()) { chain_.push_back({}); }
  made_.clear();
  auto append_name = [&](const SymbolizedFrame& frame) {
    if (!options_.functions) { return; }
    const char* then = !options_.pretty ? "\n" : frame.function.empty() ? " " : " at ";
    made_.append(name_of(frame)).append(then);
  };
  append_name(chain_[0]);
  size_t before = made_.size();
  for (size_t i = 1; options_.inlines && i < chain_.size(); ++i) {
    if (options_.pretty) { made_.append(" (inlined by) "); }
    append_name(chain_[i]);
    append_place(chain_[i], made_);
  }
  std::string_view all = made_;
  return {all.substr(0, before), all.substr(before), chain_[0]};
}

void AnswerWriter::append_json(uint64_t address, std::string& out) {
  symbols_.find(address + base_, chain_);
  JsonWriter json(out);
  json.begin_object().key("address").value(address).key("frames").begin_array();
  size_t count = options_.inlines ? chain_.size() : std::min<size_t>(chain_.size(), 1);
  for (size_t i = 0; i < count; ++i) {
    const SymbolizedFrame& frame = chain_[i];
    json.begin_object();
    if (!frame.function.empty()) { json.key("function").value(name_of(frame)); }
    if (!frame.file.empty()) { json.key("file").value(file_of(frame)); }
    if (frame.line != 0 || frame.column != 0) { json.key("line").value(frame.line).key("column").value(frame.column); }
    json.key("inlined").value(i + 1 < chain_.size()).end_object();
  }
  json.end_array().end_object();
  out.push_back('\n');
}

}  // namespace wick
