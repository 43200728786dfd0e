// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The load stage: a file on disk -> Profile. Names what the recording does not carry a name for, where the files are still there.

#include <string>

#include "base/result.h"
#include "capture/capture.h"
#include "model/profile.h"

namespace wick {

Result<capture::Capture> load_capture(const std::string& path);
Profile build_profile(const capture::Capture& capture);
// Both, with `path` in every error; the way all views begin.
Result<Profile> load_profile(const std::string& path);

}  // namespace wick
