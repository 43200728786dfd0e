// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "import/json/json.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {
namespace {

constexpr size_t kMostDepth = 1000;
// Longer containers have their end in the table; shorter ones are faster to skip than to look up.
constexpr size_t kLong = 512;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
bool is_number_part(char c) { return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'; }

std::optional<uint32_t> parse_hex4(std::string_view digits) {
  uint32_t value = 0;
  if (digits.size() < 4) { return std::nullopt; }
  auto [end, error] = std::from_chars(digits.data(), digits.data() + 4, value, 16);
  if (error != std::errc() || end != digits.data() + 4) { return std::nullopt; }
  return value;
}

// One pass over the text, with a bit for each open container.
class Checker {
 public:
  explicit Checker(std::string_view text) : text_(text) {}

  size_t at = 0;
  bool ended = false;      // the text ended too early
  size_t whole_until = 0;  // end of the last complete item of an array in the two outermost levels
  const char* wanted = nullptr;

  bool value() {  // a scalar, or the bracket that opens a container
    space();
    if (at >= text_.size()) { return end_of_text("a value"); }
    char c = text_[at];
    if (c == '"') { return string(); }
    if (c == '-' || is_digit(c)) { return number(); }
    if (c == 't') { return word("true"); }
    if (c == 'f') { return word("false"); }
    if (c == 'n') { return word("null"); }
    return fail("a value");
  }
  void space() {
    while (at < text_.size() && is_space(text_[at])) { ++at; }
  }
  bool string() {
    space();
    if (at >= text_.size()) { return end_of_text("a string"); }
    if (text_[at] != '"') { return fail("a string"); }
    for (++at; at < text_.size(); ++at) {
      char c = text_[at];
      if (c == '"') {
        ++at;
        return true;
      }
      if (c != '\\') { continue; }
      if (++at >= text_.size()) { break; }
      if (text_[at] == 'u') {
        if (text_.size() - at < 5) { break; }
        if (!parse_hex4(text_.substr(at + 1))) { return fail("four hexadecimal digits"); }
        at += 4;
      } else if (std::string_view("\"\\/bfnrt").find(text_[at]) == std::string_view::npos) {
        return fail("an escape");
      }
    }
    at = text_.size();
    return end_of_text("the end of a string");
  }
  bool punctuation(char c, const char* what) {
    space();
    if (at >= text_.size()) { return end_of_text(what); }
    if (text_[at] != c) { return fail(what); }
    ++at;
    return true;
  }
  bool fail(const char* what) {
    wanted = what;
    return false;
  }
  bool end_of_text(const char* what) {
    ended = true;
    return fail(what);
  }

 private:
  bool number() {
    size_t begin = at;
    auto digits = [&] {
      size_t first = at;
      while (at < text_.size() && is_digit(text_[at])) { ++at; }
      return at > first;
    };
    auto none = [&] { return at >= text_.size() ? end_of_text("a digit") : fail("a digit"); };
    at += text_[begin] == '-';
    if (!digits()) { return none(); }
    if (at < text_.size() && text_[at] == '.') {
      ++at;
      if (!digits()) { return none(); }
    }
    if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
      ++at;
      if (at < text_.size() && (text_[at] == '+' || text_[at] == '-')) { ++at; }
      if (!digits()) { return none(); }
    }
    return true;
  }
  bool word(std::string_view expected) {
    std::string_view there = text_.substr(at, expected.size());
    if (there == expected) {
      at += expected.size();
      return true;
    }
    return expected.starts_with(there) ? end_of_text("a value") : fail("a value");
  }

  std::string_view text_;
};

}  // namespace

Status JsonDocument::check(std::string_view text, bool open_end) {
  if (text.starts_with("\xef\xbb\xbf")) { text.remove_prefix(3); }
  text_ = text;
  long_spans_.clear();
  was_cut_ = false;
  Checker c(text);
  c.space();
  root_ = c.at;
  struct Open {
    bool object;
    size_t span;
  };
  std::vector<Open> open;
  // Each round enters a container or skips a scalar, then handles what follows.
  bool good = true;
  for (;;) {
    c.space();
    bool opens = c.at < text.size() && (text[c.at] == '{' || text[c.at] == '[');
    bool empty = false;
    if (opens) {
      if (open.size() == kMostDepth) {
        good = c.fail("no more than 1000 levels");
        break;
      }
      open.push_back({text[c.at] == '{', long_spans_.size()});
      long_spans_.push_back({c.at, 0});
      char close = text[c.at++] == '{' ? '}' : ']';
      c.space();
      empty = c.at < text.size() && text[c.at] == close;
      if (!empty) {
        if (!open.back().object) { continue; }
        good = c.string() && c.punctuation(':', "\":\"");
        if (!good) { break; }
        continue;
      }
    } else if (!c.value()) {
      good = false;
      break;
    }
    // A value has ended (or an empty container is about to): close containers, continue after the comma.
    bool more = false;
    while (!open.empty()) {
      if (!empty) {
        if (!open.back().object && open.size() <= 2) { c.whole_until = c.at; }
        c.space();
        if (c.at < text.size() && text[c.at] == ',') {
          ++c.at;
          more = true;
          break;
        }
      }
      empty = false;
      bool object = open.back().object;
      good = c.punctuation(object ? '}' : ']', object ? "\",\" or \"}\"" : "\",\" or \"]\"");
      if (!good) { break; }
      size_t span = open.back().span;
      long_spans_[span].end = c.at;
      // Its contents are shorter and were already dropped.
      if (c.at - long_spans_[span].begin < kLong && span + 1 == long_spans_.size()) { long_spans_.pop_back(); }
      open.pop_back();
    }
    if (!good) { break; }
    if (!more) { break; }
    if (open.back().object) {
      good = c.string() && c.punctuation(':', "\":\"");
      if (!good) { break; }
    }
  }
  if (good) {
    c.space();
    if (c.at == text.size()) { return ok_status(); }
    return Error("byte %zu: expected the end of the file after the JSON value", c.at).with_code(Errc::kBadInput);
  }
  // A killed writer leaves at most a comma before the missing bracket.
  if (open_end && c.whole_until > 0 && c.ended) {
    text_ = text.substr(0, c.whole_until);
    for (Span& span : long_spans_) { span.end = span.end == 0 ? c.whole_until : std::min(span.end, c.whole_until); }
    was_cut_ = true;
    return ok_status();
  }
  if (c.ended) {
    return Error("byte %zu: expected %s, but the JSON text ends", std::min(c.at, text.size()), c.wanted)
        .with_code(Errc::kBadInput);
  }
  return Error("byte %zu: invalid JSON: expected %s", c.at, c.wanted).with_code(Errc::kBadInput);
}

size_t JsonDocument::skip_space(size_t at) const {
  while (at < text_.size() && is_space(text_[at])) { ++at; }
  return at;
}

size_t JsonDocument::skip_string(size_t at) const {
  for (++at; at < text_.size(); ++at) {
    auto* quote = static_cast<const char*>(std::memchr(text_.data() + at, '"', text_.size() - at));
    if (quote == nullptr) { return text_.size(); }
    size_t end = static_cast<size_t>(quote - text_.data()), slashes = 0;
    while (slashes < end - at && text_[end - 1 - slashes] == '\\') { ++slashes; }
    at = end;
    if (slashes % 2 == 0) { return end + 1; }
  }
  return text_.size();
}

size_t JsonDocument::skip_value(size_t at) const {
  if (at >= text_.size()) { return text_.size(); }
  char c = text_[at];
  if (c == '"') { return skip_string(at); }
  if (c != '{' && c != '[') {
    while (at < text_.size() && (is_number_part(text_[at]) || (text_[at] >= 'a' && text_[at] <= 'z'))) { ++at; }
    return at;
  }
  size_t begin = at, depth = 0, limit = std::min(text_.size(), begin + kLong);
  while (at < limit) {
    char now = text_[at];
    if (now == '"') {
      at = skip_string(at);
      continue;
    }
    depth += now == '{' || now == '[';
    depth -= now == '}' || now == ']';
    ++at;
    if (depth == 0) { return at; }
  }
  auto it = std::lower_bound(long_spans_.begin(), long_spans_.end(), begin,
                             [](const Span& span, size_t wanted) { return span.begin < wanted; });
  return it != long_spans_.end() && it->begin == begin ? it->end : text_.size();
}

char JsonValue::first() const { return document_ != nullptr && at_ < document_->text_.size() ? document_->text_[at_] : '\0'; }

bool JsonValue::Walk::next(JsonValue& item) {
  if (document_ == nullptr) { return false; }
  std::string_view text = document_->text_;
  at_ = document_->skip_space(at_);
  if (at_ < text.size() && text[at_] == ',') { at_ = document_->skip_space(at_ + 1); }
  if (at_ >= text.size() || text[at_] == ']') {
    document_ = nullptr;
    return false;
  }
  item = {document_, at_};
  at_ = document_->skip_value(at_);
  return true;
}

bool JsonValue::Walk::next(Member& member) {
  if (document_ == nullptr) { return false; }
  std::string_view text = document_->text_;
  at_ = document_->skip_space(at_);
  if (at_ < text.size() && text[at_] == ',') { at_ = document_->skip_space(at_ + 1); }
  if (at_ >= text.size() || text[at_] != '"') {
    document_ = nullptr;
    return false;
  }
  JsonValue key(document_, at_);
  member.key = key.raw_text();
  at_ = document_->skip_space(document_->skip_string(at_));
  at_ = document_->skip_space(at_ + 1);  // the colon
  member.value = {document_, at_};
  at_ = document_->skip_value(at_);
  return true;
}

JsonValue JsonValue::operator[](std::string_view key) const {
  Walk walk = members();
  Member member;
  while (walk.next(member)) {
    if (member.key == key) { return member.value; }
  }
  return {};
}

size_t JsonValue::count() const {
  size_t n = 0;
  JsonValue item;
  Member member;
  for (Walk walk = items(); walk.next(item);) { ++n; }
  for (Walk walk = members(); walk.next(member);) { ++n; }
  return n;
}

std::optional<double> JsonValue::number() const {
  if (!is_number()) { return std::nullopt; }
  std::string_view text = document_->text_.substr(at_, document_->skip_value(at_) - at_);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) { return std::nullopt; }
  return value;
}

std::optional<int64_t> scale_decimal(std::string_view number, int digits) {
  bool negative = number.starts_with('-');
  size_t at = negative ? 1 : 0;
  uint64_t value = 0;
  int exponent = digits, rounding = -1;  // the first digit that is dropped
  bool fraction = false;
  for (; at < number.size() && (is_digit(number[at]) || number[at] == '.'); ++at) {
    if (number[at] == '.') {
      fraction = true;
      continue;
    }
    if (value > (UINT64_MAX - 9) / 10) {  // too many to matter: only count them
      if (rounding < 0) { rounding = number[at] - '0'; }
      exponent += fraction ? 0 : 1;
      continue;
    }
    value = value * 10 + static_cast<uint64_t>(number[at] - '0');
    exponent -= fraction ? 1 : 0;
  }
  if (at < number.size() && (number[at] == 'e' || number[at] == 'E')) {
    size_t from = at + 1 + (at + 1 < number.size() && number[at + 1] == '+');
    int given = 0;
    auto [end, error] = std::from_chars(number.data() + from, number.data() + number.size(), given);
    if (error == std::errc::invalid_argument) { return std::nullopt; }
    if (error == std::errc::result_out_of_range) { given = number[from] == '-' ? -100000 : 100000; }
    exponent += std::clamp(given, -100000, 100000);
  }
  for (; exponent > 0 && value != 0; --exponent) {
    if (__builtin_mul_overflow(value, uint64_t{10}, &value)) { return std::nullopt; }
  }
  for (; exponent < 0 && (value != 0 || rounding > 0); ++exponent) {
    rounding = static_cast<int>(value % 10);
    value /= 10;
  }
  if (rounding >= 5) { ++value; }
  if (value > static_cast<uint64_t>(INT64_MAX)) { return std::nullopt; }
  return negative ? -static_cast<int64_t>(value) : static_cast<int64_t>(value);
}

std::optional<int64_t> JsonValue::scaled(int digits) const {
  if (!is_number()) { return std::nullopt; }
  return scale_decimal(document_->text_.substr(at_, document_->skip_value(at_) - at_), digits);
}

std::string_view JsonValue::raw_text() const {
  if (!is_string()) { return {}; }
  size_t end = document_->skip_string(at_);
  return document_->text_.substr(at_ + 1, end - at_ - 2);
}

std::string_view JsonValue::text(std::string& buffer) const {
  std::string_view raw = raw_text();
  if (raw.find('\\') == std::string_view::npos) { return raw; }
  buffer.clear();
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      buffer += raw[i];
      continue;
    }
    char c = raw[++i];
    if (c != 'u') {
      constexpr std::string_view kLetters = "bfnrt", kMeaning = "\b\f\n\r\t";
      size_t letter = kLetters.find(c);
      buffer += letter != kLetters.npos ? kMeaning[letter] : c;
      continue;
    }
    uint32_t unit = parse_hex4(raw.substr(i + 1)).value_or(0xfffd);
    i += 4;
    if (unit >= 0xd800 && unit < 0xdc00 && raw.substr(std::min(raw.size(), i + 1), 2) == "\\u") {
      uint32_t low = parse_hex4(raw.substr(i + 3)).value_or(0);
      if (low >= 0xdc00 && low < 0xe000) {
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        i += 6;
      }
    }
    append_utf8(buffer, unit >= 0xd800 && unit < 0xe000 ? U'\xfffd' : static_cast<char32_t>(unit));
  }
  return buffer;
}

std::string JsonValue::text() const {
  std::string buffer;
  return std::string(text(buffer));
}

std::vector<int64_t> json_integers(JsonValue array, int64_t absent) {
  std::vector<int64_t> out;
  JsonValue item;
  for (JsonValue::Walk walk = array.items(); walk.next(item);) { out.push_back(item.integer().value_or(absent)); }
  return out;
}

}  // namespace wick
