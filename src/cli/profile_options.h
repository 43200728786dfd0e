// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options of all views: the files, the samples to select, where to find symbols.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/symbol_options.h"
#include "symbolize/demangle.h"
#include "view/view.h"

namespace CLI {
class App;
}

namespace wick {

// As typed.
struct ProfileOptions {
  std::string file;                     // empty: profile.wick or standard input
  std::vector<std::string> more_files;  // added to `file`
  std::string from;                     // format name; empty: detect
  std::string event, thread, range, focus, ignore;
  bool no_inlines = false;
  std::optional<NameStyle> names;
  SymbolSourceOptions symbols;
};

// Returns the problem with a name. Empty is one: it is a script's unset variable, not the default.
std::string check_file_name(const std::string& given);

enum class Files : uint8_t { kOne, kSeveral };
void add_profile_options(CLI::App& app, ProfileOptions& options, Files files = Files::kOne);

// Everything but the files.
Result<ViewRequest> understand(const ProfileOptions& options);
// Including the files; `command`: for hints.
Result<ViewRequest> understand(const ProfileOptions& options, std::string_view command);

// Prints to standard error, for views whose output has no place for warnings.
void print_warnings(const View& view);
// Likewise: names the event shown if wick chose it.
void print_event_choice(const View& view, std::span<const EventId> shown);

constexpr size_t kRowsOnATerminal = 20;  // of a table without --limit

}  // namespace wick
