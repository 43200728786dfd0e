// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cargo/toml.h"

#include <algorithm>
#include <cctype>

namespace wick::cargo {
namespace {

constexpr int kDeepest = 32;  // nested arrays and inline tables

using Path = std::vector<std::string>;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<TomlValue> read() {
    while (at_ < text_.size()) {
      skip_blank_lines();
      if (peek() == '[') {
        read_header();
      } else if (at_ < text_.size()) {
        Path path = table_;
        if (!read_key(path) || !take('=') || !read_value(path, 0)) { /* skipped below */
        }
      }
      skip_line();
    }
    return std::move(values_);
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (peek() == ' ' || peek() == '\t') { ++at_; }
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1; }
  // Line breaks and comments too.
  void skip_blank_lines() {
    for (;;) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) { ++at_; }
      if (peek() != '#') { return; }
      skip_line();
    }
  }
  bool take(char c) {
    skip_space();
    if (peek() != c) { return false; }
    ++at_;
    skip_space();
    return true;
  }

  void read_header() {
    at_ += text_.substr(at_).starts_with("[[") ? 2 : 1;
    table_.clear();
    if (!read_key(table_)) { table_ = {"?"}; }
  }

  // Appends the parts of "a.'b.c'.d".
  bool read_key(Path& path) {
    do {
      skip_space();
      std::string part;
      if (peek() == '"' || peek() == '\'') {
        if (!read_string(part)) { return false; }
      } else {
        while (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '_' || peek() == '-') { part += text_[at_++]; }
        if (part.empty()) { return false; }
      }
      path.push_back(std::move(part));
    } while (take('.'));
    return true;
  }

  bool read_string(std::string& out) {
    char quote = peek();
    std::string three(3, quote);
    bool is_long = text_.substr(at_).starts_with(three);
    at_ += is_long ? 3 : 1;
    while (at_ < text_.size()) {
      if (is_long ? text_.substr(at_).starts_with(three) : text_[at_] == quote) {
        at_ += is_long ? 3 : 1;
        return true;
      }
      if (!is_long && text_[at_] == '\n') { return false; }
      if (text_[at_] == '\\' && quote == '"' && at_ + 1 < text_.size()) {
        char c = text_[++at_];
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c;  // wick needs no others
        ++at_;
      } else {
        out += text_[at_++];
      }
    }
    return false;
  }

  bool read_value(const Path& path, int depth) {
    skip_space();
    std::string text;
    bool understood = depth <= kDeepest && (peek() == '{' ? read_table(path, depth) : read_scalar(text, depth));
    if (understood && !is_table_) { values_.push_back({path, std::move(text)}); }
    is_table_ = false;
    return understood;
  }

  bool read_scalar(std::string& text, int depth) {
    if (peek() == '"' || peek() == '\'') { return read_string(text); }
    if (peek() == '[') { return read_array(text, depth); }
    constexpr std::string_view kEnds = ",]}#\n\r \t";
    while (at_ < text_.size() && kEnds.find(text_[at_]) == kEnds.npos) { text += text_[at_++]; }
    return !text.empty();
  }

  bool read_array(std::string& text, int depth) {
    if (depth > kDeepest) { return false; }
    ++at_;
    for (;;) {
      skip_blank_lines();
      if (peek() == ']') {
        ++at_;
        return true;
      }
      if (peek() == '{') {  // of tables: not needed
        size_t kept = values_.size();
        if (!read_table({"?"}, depth + 1)) { return false; }
        values_.resize(kept);
        is_table_ = false;
      } else {
        std::string item;
        if (!read_scalar(item, depth + 1)) { return false; }
        text += (text.empty() ? "" : "\n") + item;
      }
      skip_blank_lines();
      if (peek() == ',') { ++at_; }
    }
  }

  bool read_table(const Path& path, int depth) {
    ++at_;
    for (;;) {
      skip_blank_lines();
      if (peek() == '}') {
        ++at_;
        is_table_ = true;
        return true;
      }
      Path key = path;
      if (!read_key(key) || !take('=') || !read_value(key, depth + 1)) { return false; }
      skip_blank_lines();
      if (peek() == ',') { ++at_; }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  Path table_;
  bool is_table_ = false;  // the last value was an inline table, whose values have been added
  std::vector<TomlValue> values_;
};

}  // namespace

bool TomlValue::is(std::initializer_list<std::string_view> wanted) const { return std::ranges::equal(path, wanted); }

std::vector<TomlValue> read_toml(std::string_view text) { return Reader(text).read(); }

const TomlValue* find_toml(const std::vector<TomlValue>& values, std::initializer_list<std::string_view> path) {
  const TomlValue* found = nullptr;
  for (const TomlValue& value : values) {
    if (value.is(path)) { found = &value; }
  }
  return found;
}

}  // namespace wick::cargo
