// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The load stage: a file -> Profile. A recording of ours goes through the capture; names what it does not carry a name for, where
// the files are still there. Files of other tools are read by the readers of import/.

#include <cstdint>
#include <functional>
#include <string>

#include "base/fd.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "capture/capture.h"
#include "import/common/input.h"
#include "import/common/reader.h"
#include "model/profile.h"
#include "model/profile_builder.h"
#include "symbolize/demangle.h"
#include "symbolize/symbolizer.h"

namespace wick {

// Instead of a path.
constexpr char kStandardInput[] = "-";

// A recording and the file that it was read from.
struct LoadedCapture {
  MappedFile file;
  WholeInput contents;
  capture::Capture capture;
};
// Opens what is whole of the file (see Capture::damage). Every error names `path` and what it is instead of a wick profile.
Result<LoadedCapture> load_capture(const std::string& path);

// Whether functions that were inlined have frames of their own.
enum class Inlines : uint8_t { kShow, kHide };
struct LoadOptions {
  Inlines inlines = Inlines::kShow;
  NameStyle names = NameStyle::kFull;
  SymbolSources sources = {};      // for frames that the recording does not name
  const Reader* reader = nullptr;  // nothing: by content
  ImportOptions import = {};
};
// What a damaged or unfinished recording lacks is in Profile::warnings. Where the user names places of debug files, what the
// recording has no names or no lines for is looked for there; else only what was never looked for.
// `finish` has the last word before the profile is built.
Profile build_profile(const capture::Capture& capture, const LoadOptions& options = {},
                      const std::function<void(ProfileBuilder&)>& finish = {});
// Both; the way all views begin.
Result<Profile> load_profile(const std::string& path, const LoadOptions& options = {});

}  // namespace wick
