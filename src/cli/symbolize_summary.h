// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "capture/capture.h"
#include "pipeline/symbolize_capture.h"

namespace wick {

// Prints to standard error how many samples have symbols now, which files lack them, and the command that would help most.
// `file`: the input; `path`: the output.
void print_symbolize_summary(const SymbolizedCapture& named, const capture::Capture& capture, const std::string& file,
                             const std::string& path, size_t size_bytes);

}  // namespace wick
