// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Appends JSON to a string, without a tree in memory. Adds commas; text is always valid UTF-8 (invalid bytes become U+FFFD),
// control characters are escaped.
//
//   JsonWriter json(out);
//   json.begin_object().key("name").value("main").key("self").value(3).end_object();

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(bool b);
  JsonWriter& value(double number);  // not finite: null
  JsonWriter& null();
  JsonWriter& value(std::integral auto number) {
    before();
    out_ += std::to_string(number);
    return *this;
  }
  // A line break before the next value or closing bracket, for readability.
  JsonWriter& line() {
    line_ = true;
    return *this;
  }

 private:
  void before();
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);

  std::string& out_;
  std::vector<bool> has_values_{false};  // per open bracket, and one for the top level
  bool after_key_ = false, line_ = false;
};

// Including the quotes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace wick
