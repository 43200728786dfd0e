// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The profile as the viewer's page reads it: a JSON header and columns of numbers (docs/view-protocol.md). The page computes
// every view from the columns, so they hold all that it shows, and nothing has to be parsed there.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/diff_profile.h"
#include "export/export_view.h"
#include "export/piece_writer.h"
#include "export/viewer_columns.h"

namespace wick {

// What the samples do not tell.
struct ViewerNotes {
  std::vector<std::string> files{};  // as named by the user
  std::vector<std::string> sides{};  // of a difference: names of the two files
  OwnNames own_names{};              // of a difference
  std::vector<std::string> notes{};  // sentences for the summary
  bool has_source = false;           // source and assembly can be had
};

class ViewerProfile {
 public:
  // Needs the view only during the call.
  explicit ViewerProfile(const ExportView& view, const ViewerNotes& notes = {});

  // Rows of Profile::functions, by the page's number of the function.
  const std::vector<uint32_t>& functions() const { return functions_; }

  // The bytes, in order, in parts that live as long as this object: a server sends them without making copies.
  std::vector<std::string_view> pieces() const;
  uint64_t size_bytes() const;
  void write(const Sink& sink) const;

 private:
  std::string header_;
  std::vector<ViewerColumn> columns_;
  std::vector<uint32_t> functions_;
};

}  // namespace wick
