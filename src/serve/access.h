// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decides which requests are answered. Any user and any web page on this machine can reach the port, so a request needs the token
// in its path. A web page that knows the token (from a log, say) has another Origin, and one that resolves its host name to
// 127.0.0.1 (DNS rebinding) has another Host: both are refused.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "serve/request.h"

namespace wick {

enum class Resource : uint8_t { kNone, kPage, kProfile, kCode, kAlive, kQuit, kVisit };

struct Access {
  std::string address;  // "127.0.0.1:4711"
  std::string token;
  // A second token, valid once, which leads to the first. It is what a browser's command line shows to other users. Empty: used.
  std::string visit_token;

  std::string url() const { return "http://" + address + "/" + token + "/"; }
  std::string visit_url() const { return "http://" + address + "/" + visit_token + "/"; }
};

struct Verdict {
  int status = 0;  // 200, or why not: 4xx
  Resource resource = Resource::kNone;
  uint32_t function = 0;  // of kCode
};

// `head`: as for parse_request.
Verdict judge_request(std::string_view head, const Access& access);

// 32 random characters.
Result<std::string> make_token();

}  // namespace wick
