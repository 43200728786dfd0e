// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Serves the viewer to a browser until it is closed or Ctrl-C is pressed: `wick view` and `wick record --view`.

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "base/result.h"
#include "view/viewer.h"

namespace wick {

struct ViewServerOptions {
  uint16_t port = 0;  // 0: any free one
  bool no_open = false;
  std::FILE* url_to = stdout;
};

// Loads after the port is known to be free.
Status serve_viewer(const ViewServerOptions& options, const std::function<Result<ViewerLoad>()>& load);

// For `wick record --view`. Prints errors; returns the exit code: `code` of the recorded command, unless wick fails.
int view_recording(const std::string& path, int code, int code_if_wick_fails);

}  // namespace wick
