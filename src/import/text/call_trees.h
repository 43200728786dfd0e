// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Call trees as text: rows with costs, whose indentation shows the caller (or callee).

#include "import/common/reader.h"

namespace wick {

// FreeBSD: pmcstat -G. Children are callers.
bool is_pmcstat(const Head& head);
Result<Profile> read_pmcstat(Input& input, const ImportOptions& options);
constexpr Reader kPmcstatReader = {"pmc", "a pmcstat call graph", is_pmcstat, read_pmcstat};

bool is_macos_sample(const Head& head);
Result<Profile> read_macos_sample(Input& input, const ImportOptions& options);
constexpr Reader kMacosSampleReader = {"sample", "macOS sample output", is_macos_sample, read_macos_sample};

// Instruments: Edit > Deep Copy of the call tree.
bool is_instruments(const Head& head);
Result<Profile> read_instruments(Input& input, const ImportOptions& options);
constexpr Reader kInstrumentsReader = {"instruments", "an Instruments call tree", is_instruments, read_instruments};

}  // namespace wick
