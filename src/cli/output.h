// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How commands end: what they write, and the exit code. An empty path and "-" are standard output; a file is there whole or not
// at all.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/piece_writer.h"

namespace wick {

inline bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

Status write_output(const std::string& path, std::string_view text);

// What `write` hands to its sink; returns how many bytes that were.
Result<uint64_t> write_pieces(const std::string& path, const std::function<void(const Sink&)>& write);

// 2 for what the user got wrong on the command line, else 1.
int exit_code(const Error& error);
// Prints the error; returns its exit code.
int give_up(const Error& error);
// The same, or 0. A reader that has seen enough (`| head`) is no error.
int finish_output(const Status& status);

}  // namespace wick
