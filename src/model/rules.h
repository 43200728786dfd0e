// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace wick {

// Whose rules apply when reading other tools' text and writing folded stacks and flame graphs: wick's, or exactly those of
// FlameGraph (Perl) or inferno. docs/formats.md and docs/flamegraph.md compare them.
enum class Rules : uint8_t { kOwn, kPerl, kInferno };

}  // namespace wick
