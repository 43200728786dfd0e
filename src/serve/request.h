// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The head of an HTTP/1.1 request, read strictly: browsers send nothing unusual, so anything unusual is refused.

#include <cstddef>
#include <optional>
#include <string_view>

namespace wick {

constexpr size_t kMostRequestBytes = size_t{8} << 10;

// Refers to the text.
struct Request {
  std::string_view method, target;
  std::string_view host;
  std::optional<std::string_view> origin;
  bool has_body = false;
};

// The size of the head at the start of `text`, with the empty line that ends it; 0: not complete yet.
size_t find_request_end(std::string_view text);

// `head` ends with an empty line. Nothing: malformed, or without a Host.
std::optional<Request> parse_request(std::string_view head);

}  // namespace wick
