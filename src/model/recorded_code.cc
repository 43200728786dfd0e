// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "model/recorded_code.h"

#include <algorithm>
#include <utility>

namespace wick {

const RecordedCode::Body* RecordedCode::find(std::string_view module, uint64_t address) const {
  using Key = std::pair<std::string_view, uint64_t>;
  auto next = std::upper_bound(bodies.begin(), bodies.end(), Key(module, address),
                               [](const Key& key, const Body& body) { return key < Key(body.module, body.address); });
  if (next == bodies.begin()) { return nullptr; }
  const Body& body = *(next - 1);
  return body.module == module && body.covers(address) ? &body : nullptr;
}

}  // namespace wick
