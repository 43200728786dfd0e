// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A view in another tool's format.

#include "export/formats.h"
#include "view/view.h"

namespace wick {

// Reads only what the format needs.
Result<View> load_exported(ViewRequest request, const ExportFormat& format);

// Selects what to write: the chosen event, or all events if the format can hold them. The result refers to `view`. Fails if the
// output would be absurdly large.
Result<ExportView> choose_exported(const View& view, const ExportFormat& format);

}  // namespace wick
