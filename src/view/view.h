// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Turns files, a selection and options into what is shown. Commands, a server and a terminal UI share this room, so it knows
// nothing of command-line options, standard output or exit codes: requests are plain structs, and messages are returned for the
// caller to print.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/selection.h"
#include "base/result.h"
#include "import/common/reader.h"
#include "model/profile.h"
#include "pipeline/load.h"

namespace wick {

// Which errors about the content of a file begin with its name.
enum class NamedInErrors : uint8_t {
  kNone,      // none: the user named no file
  kBadInput,  // those about bad content: there is only one file
  kAll,       // all: there are several files
};

struct ViewRequest {
  std::vector<std::string> files;  // at least one (kStandardInput: "-"); the samples of all are added up
  NamedInErrors named_in_errors = NamedInErrors::kBadInput;
  const Reader* reader = nullptr;  // for all files (parse_format); null: detect by content
  Filter filter{};
  bool keep_times = false;  // later selections may be by time
  Inlines inlines = Inlines::kShow;
  NameStyle names = NameStyle::kFull;
  SymbolSources sources{};
  ImportOptions import{};

  bool needs_times() const { return keep_times || !filter.all_times(); }
};

// A loaded profile and a selection of its samples. Copies share the profile.
struct View {
  std::shared_ptr<const Profile> profile;
  Filter filter;
  Selection selection;

  // About the files; the caller prints them.
  const std::vector<std::string>& warnings() const { return profile->warnings(); }
};

Result<View> load_view(const ViewRequest& request);

// The reader with this name; null for an empty name (detect by content). The error suggests the nearest name.
Result<const Reader*> parse_format(const std::string& name);

// Adds the file to an error: before the message, and to a hint that is a command for the default profile.
Error for_file(Error error, const ViewRequest& request);

// "showing cycles; also recorded: page-faults (6 samples)"; empty if the user chose the event.
std::string describe_event_choice(const View& view, std::span<const EventId> shown);

}  // namespace wick
