// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The load stage: a file on disk -> Profile. Names what the recording does not carry a name for, where the files are still there.

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "capture/capture.h"
#include "model/profile.h"
#include "symbolize/demangle.h"
#include "symbolize/symbolizer.h"

namespace wick {

// A recording and the file that it was read from.
struct LoadedCapture {
  MappedFile file;
  capture::Capture capture;
};
// Opens what is whole of the file (see Capture::damage). Every error names `path` and what it is instead of a wick profile.
Result<LoadedCapture> load_capture(const std::string& path);

// Whether functions that were inlined have frames of their own.
enum class Inlines : uint8_t { kShow, kHide };
struct LoadOptions {
  Inlines inlines = Inlines::kShow;
  NameStyle names = NameStyle::kFull;
  SymbolSources sources = {};  // for frames that the recording does not name
};
// What a damaged or unfinished recording lacks is in Profile::warnings. Where the user names places of debug files, what the
// recording has no names or no lines for is looked for there; else only what was never looked for.
Profile build_profile(const capture::Capture& capture, const LoadOptions& options = {});
// Both; the way all views begin.
Result<Profile> load_profile(const std::string& path, const LoadOptions& options = {});

}  // namespace wick
