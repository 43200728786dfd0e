// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The viewer's page, bundled from web/ by the build and embedded in the binary.

#include <string_view>

#include "export/export_view.h"
#include "export/piece_writer.h"

namespace wick {

// Both parts in a row are the page that the server hands out; with a profile between them it needs no server.
struct ViewerPage {
  std::string_view begin, end;
};
ViewerPage viewer_page();

// The page with the profile in it (docs/view-protocol.md).
void write_html(const ExportView& view, const Sink& sink);

}  // namespace wick
