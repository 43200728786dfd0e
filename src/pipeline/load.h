// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The load stage: file -> Profile. A wick recording goes through the capture, and missing symbols are looked up if the files
// still exist. import/ reads files of other tools.

#include <cstdint>
#include <functional>
#include <optional>
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

// Used as a path.
constexpr char kStandardInput[] = "-";

// A recording and the file it was read from.
struct LoadedCapture {
  MappedFile file;
  std::optional<FileId> id = {};  // of a regular file
  WholeInput contents;
  capture::Capture capture;
};
// Reads the intact part of the file (see Capture::damage). Errors name `path` and what it contains instead of a wick profile.
Result<LoadedCapture> load_capture(const std::string& path);

// Whether inlined functions get frames.
enum class Inlines : uint8_t { kShow, kHide };
// Samples of a thread that a capture lacks. Balancing a thread's time (time_balance.h) takes all of them.
struct OtherSamples {
  uint64_t weight = 0, samples = 0;
};
struct LoadOptions {
  Inlines inlines = Inlines::kShow;
  NameStyle names = NameStyle::kFull;
  SymbolSources sources = {};      // for frames without symbols
  const Reader* reader = nullptr;  // null: detect
  ImportOptions import = {};
  bool look_up = true;                         // search for symbols that the capture lacks
  std::vector<OtherSamples> others = {};       // by thread; empty: none
  uint64_t begin_ns = 0, end_ns = UINT64_MAX;  // a part of a recording: time without samples counts if its thread ended in it
};
// Profile::warnings says what a damaged or unfinished recording lacks. If the user names places of debug files, frames without
// symbols or lines are looked up there, else only those never looked up before. `finish` runs last, before the profile is built.
Profile build_profile(const capture::Capture& capture, const LoadOptions& options = {},
                      const std::function<void(ProfileBuilder&)>& finish = {});
// Both steps; all views begin here.
Result<Profile> load_profile(const std::string& path, const LoadOptions& options = {});

}  // namespace wick
