// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Hands out the viewer's page and a profile to browsers on this machine (docs/view-protocol.md).

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "serve/access.h"

namespace wick {

// Bytes that outlive the server: each request is answered from them, without copies.
struct Served {
  std::vector<std::string_view> page, profile;
  std::function<std::optional<std::string>(uint32_t function)> code{};  // JSON; none: no source and assembly
};

// When to end by itself.
struct Patience {
  uint64_t first_page_ns = uint64_t{8} * 3600 * 1'000'000'000;  // someone may open the printed URL after lunch
  uint64_t last_page_ns = uint64_t{12} * 1'000'000'000;         // after the last page is gone: it may be reloaded
};

enum class ServeEnd : uint8_t { kStopped, kAsked, kPagesGone, kNeverOpened };

class Server {
 public:
  // On 127.0.0.1; port 0: any free one.
  static Result<Server> listen(uint16_t port);

  const Access& access() const { return access_; }

  // Serves until `stop_fd` is readable, a page asks to stop, or no page is open any more.
  ServeEnd run(const Served& served, int stop_fd, const Patience& patience = {});

 private:
  Server() = default;
  Fd listener_;
  Access access_;
};

}  // namespace wick
