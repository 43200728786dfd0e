// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "export/json_writer.h"

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "base/utf8.h"

namespace wick {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    CodePoint c = decode_utf8(text);
    // XML does not allow U+FFFE and U+FFFF, and JavaScript once took U+2028 for a line break.
    bool awkward = c.value < 0x20 || (c.value >= 0x7f && c.value < 0xa0) || c.value == 0x2028 || c.value == 0x2029 ||
                   c.value == 0xfffe || c.value == 0xffff;
    if (c.value == '"' || c.value == '\\') {
      out += '\\';
      out += static_cast<char>(c.value);
    } else if (c.value == '\n') {
      out += "\\n";
    } else if (c.value == '\t') {
      out += "\\t";
    } else if (awkward) {
      out += strf("\\u%04x", static_cast<unsigned>(c.value));
    } else {
      append_utf8(out, c.value);
    }
    text.remove_prefix(c.size);
  }
  out += '"';
}

void JsonWriter::before() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_values_.back()) { out_ += ','; }
  has_values_.back() = true;
  if (line_) { out_ += '\n'; }
  line_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  before();
  out_ += bracket;
  has_values_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  if (line_) { out_ += '\n'; }
  line_ = false;
  has_values_.pop_back();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before();
  append_json_string(out_, name);
  out_ += ':';
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(bool b) {
  before();
  out_ += b ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  before();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) { return null(); }
  before();
  char text[64];
  out_.append(text, std::to_chars(text, text + sizeof text, number).ptr);  // the shortest text that reads back the same
  return *this;
}

}  // namespace wick
