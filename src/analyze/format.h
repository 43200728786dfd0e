// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Formats costs for the terminal and for flame graphs.

#include <cstdint>
#include <string>
#include <string_view>

#include "model/profile.h"

namespace wick {

// The unit of an event's weights (Event::unit and divisor).
struct CostUnit {
  std::string_view name{};
  uint64_t divisor = 1;
};
CostUnit unit_of(const Profile& profile, EventId event);  // nothing for no event

double share(int64_t part, int64_t whole);                      // 0..1; 0 if the whole is 0
std::string format_percent(double share);                       // "42.1%", "0.03%" for small ones, "<0.01%"
std::string format_part(uint64_t part, uint64_t whole);         // the same for counts; 0.0% if the whole is 0
std::string format_duration(int64_t ns);                        // "12.04 s", "3.2 ms", "2 min 05 s"
std::string format_cost(int64_t weight, const CostUnit& unit);  // "1.24 s" for ns; "3.10 G" etc. for counts
std::string count_of(uint64_t n, std::string_view one, std::string_view many = {});  // "1 sample", "1,204 samples"

// A path of Rust's standard library, wherever it was built, as "<std>/core/src/…"; other paths unchanged.
std::string short_source(std::string_view path);

// A name as one printable line; a placeholder if it is empty.
std::string shown_name(std::string_view name);

}  // namespace wick
