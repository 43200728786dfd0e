// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/request.h"

#include <algorithm>

namespace wick {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeadEnd = "\r\n\r\n", kVersion = "HTTP/1.1";

bool is_visible(char c) { return c > ' ' && c < 0x7f; }
bool is_name_character(char c) {
  bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_letter || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}
bool is_value_character(char c) { return is_visible(c) || c == ' ' || c == '\t' || static_cast<unsigned char>(c) >= 0x80; }

bool same_name(std::string_view name, std::string_view lower) {
  return std::equal(name.begin(), name.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

std::string_view trim_blanks(std::string_view text) {
  size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// "GET /path HTTP/1.1"
bool parse_first_line(std::string_view line, Request& out) {
  size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || line.substr(last + 1) != kVersion) { return false; }
  out.method = line.substr(0, first);
  out.target = line.substr(first + 1, last - first - 1);
  bool is_method = !out.method.empty() && std::all_of(out.method.begin(), out.method.end(), is_name_character);
  return is_method && out.target.starts_with('/') && std::all_of(out.target.begin(), out.target.end(), is_visible);
}

struct Field {
  std::string_view name, value;
};
// A continuation line begins with a blank, which is no character of a name.
std::optional<Field> parse_field(std::string_view line) {
  size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) { return std::nullopt; }
  Field field{line.substr(0, colon), trim_blanks(line.substr(colon + 1))};
  bool good = std::all_of(field.name.begin(), field.name.end(), is_name_character) &&
              std::all_of(field.value.begin(), field.value.end(), is_value_character);
  return good ? std::optional(field) : std::nullopt;
}

}  // namespace

size_t find_request_end(std::string_view text) {
  size_t at = text.find(kHeadEnd);
  return at == std::string_view::npos ? 0 : at + kHeadEnd.size();
}

std::optional<Request> parse_request(std::string_view head) {
  bool is_whole = !head.empty() && find_request_end(head) == head.size();
  if (!is_whole || head.size() > kMostRequestBytes) { return std::nullopt; }
  Request out;
  bool has_host = false, is_first = true;
  while (head != kLineEnd) {
    size_t end = head.find(kLineEnd);
    std::string_view line = head.substr(0, end);
    head.remove_prefix(end + kLineEnd.size());
    if (is_first) {
      if (!parse_first_line(line, out)) { return std::nullopt; }
      is_first = false;
      continue;
    }
    std::optional<Field> field = parse_field(line);
    if (!field) { return std::nullopt; }
    if (same_name(field->name, "host")) {
      if (has_host) { return std::nullopt; }
      has_host = true;
      out.host = field->value;
    } else if (same_name(field->name, "origin")) {
      if (out.origin) { return std::nullopt; }
      out.origin = field->value;
    } else if (same_name(field->name, "content-length")) {
      out.has_body = out.has_body || field->value != "0";
    } else if (same_name(field->name, "transfer-encoding")) {
      out.has_body = true;
    }
  }
  return has_host ? std::optional(out) : std::nullopt;
}

}  // namespace wick
