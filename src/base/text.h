// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdarg>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wick {

// printf into a std::string, checked by the compiler.
std::string strf(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string vstrf(const char* format, va_list args);

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
// The part after the last slash; empty if the path ends with one.
constexpr std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
// The suffix that Linux adds to the path of a deleted file.
constexpr std::string_view kDeleted = " (deleted)";
constexpr std::string_view without_deleted(std::string_view path) {
  return path.ends_with(kDeleted) ? path.substr(0, path.size() - kDeleted.size()) : path;
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Parse the complete text: "12x" and "" are not numbers.
std::optional<uint64_t> parse_u64(std::string_view text, int base = 10);
std::optional<double> parse_double(std::string_view text);
std::optional<uint64_t> parse_bytes(std::string_view text);  // 500, 500k, 1.5 MB, 2G: powers of ten, as in human_bytes()

std::string to_hex(const uint8_t* data, size_t size);
std::string group_thousands(uint64_t n);        // 1,234,567
std::string human_bytes(uint64_t bytes);        // 1.2 MB
std::string shell_quote(std::string_view arg);  // quoted to be shown and pasted into a shell; plain words stay unchanged

// The candidates closest to a mistyped word, best first, at most `limit`; empty if none is close.
std::vector<std::string> nearest_words(std::string_view word, const std::vector<std::string>& candidates, size_t limit = 3);

}  // namespace wick
