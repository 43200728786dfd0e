// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "export/piece_writer.h"

namespace wick {

// What `write` writes, packed by gzip on its way to `sink`. The same bytes give the same file: no time, no name in it.
void write_gzip(const Sink& sink, const std::function<void(const Sink&)>& write);

}  // namespace wick
