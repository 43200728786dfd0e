// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How commands end: their output and exit code. An empty path and "-" mean standard output. A file is written completely or not
// at all.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/piece_writer.h"

namespace wick {

inline bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

// Refuses to replace an input by the output, under whichever name. Call it before anything is written.
Status check_output(const std::string& path, std::span<const std::string> inputs);

Status write_output(const std::string& path, std::string_view text);

// Writes what `write` passes to its sink; returns the number of bytes.
Result<uint64_t> write_pieces(const std::string& path, const std::function<void(const Sink&)>& write);

// 2 for wrong usage, else 1.
int exit_code(const Error& error);
// Prints the error; returns its exit code.
int give_up(const Error& error);
// Like give_up, or 0. A reader that stops early (`| head`) is not an error.
int finish_output(const Status& status);

}  // namespace wick
