// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace wick {

// By whose rules texts of other tools are read, and folded stacks and flame graphs are written: wick's own, or exactly those of
// the tools whose place it takes, FlameGraph (Perl) and inferno. docs/formats.md and docs/flamegraph.md have them side by side.
enum class Rules : uint8_t { kOwn, kPerl, kInferno };

}  // namespace wick
