// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "export/piece_writer.h"

namespace wick {

// Encodes the output of `write` on its way to `sink`, with padding and without line breaks.
void write_base64(const Sink& sink, const std::function<void(const Sink&)>& write);

}  // namespace wick
