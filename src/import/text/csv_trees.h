// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Call trees as CSV: Intel VTune and Visual Studio.

#include "import/common/reader.h"

namespace wick {

bool is_vtune(const Head& head);
Result<Profile> read_vtune(Input& input, const ImportOptions& options);
constexpr Reader kVtuneReader = {"vtune", "a VTune CSV report", is_vtune, read_vtune};

bool is_visual_studio(const Head& head);
Result<Profile> read_visual_studio(Input& input, const ImportOptions& options);
constexpr Reader kVisualStudioReader = {"vsprof", "a Visual Studio CSV call tree", is_visual_studio, read_visual_studio};

}  // namespace wick
