// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/access.h"

#include "base/result.h"

// What gets an answer has the token, the host and the form of a request.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  wick::Access access{
      .address = "127.0.0.1:4711", .token = "0123456789abcdef0123456789abcdef", .visit_token = "fedcba9876543210"};
  size_t end = wick::find_request_end(text);
  WICK_ASSERT(end <= size && (end == 0 || text.substr(0, end).ends_with("\r\n\r\n")), "the head is a part of the text");
  wick::Verdict whole = wick::judge_request(text, access), head = wick::judge_request(text.substr(0, end), access);
  WICK_ASSERT(whole.status == 400 || end == size, "text behind the head is refused");
  WICK_ASSERT(head.status == 200 || (head.status >= 400 && head.status < 500), "a known status");
  if (head.status == 200) {
    bool has_token = text.find(access.token) < end || text.find(access.visit_token) < end;
    WICK_ASSERT(has_token && text.find(access.address) < end, "nothing without the token");
    WICK_ASSERT(head.resource != wick::Resource::kNone && end <= wick::kMostRequestBytes, "there is something to answer");
  }
  return 0;
}
