// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "export/piece_writer.h"

namespace wick {

// Compresses the output of `write` on its way to `sink`. Reproducible: no time or name in the file.
void write_gzip(const Sink& sink, const std::function<void(const Sink&)>& write);

}  // namespace wick
