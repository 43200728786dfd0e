// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The options that all views have in common: which file, which samples of it, where symbols are.

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
  std::string file;                     // empty: the one that `record` writes, or standard input
  std::vector<std::string> more_files;  // to be added to it
  std::string from;                     // the format's name; empty: by content
  std::string event, thread, range, focus, ignore;
  bool no_inlines = false;
  std::optional<NameStyle> names;
  SymbolSourceOptions symbols;
};

// What is wrong with it: an empty name is not the default, but a script's variable that was never set.
std::string check_file_name(const std::string& given);

enum class Files : uint8_t { kOne, kSeveral };
void add_profile_options(CLI::App& app, ProfileOptions& options, Files files = Files::kOne);

// As meant, but for its files.
Result<ViewRequest> understand(const ProfileOptions& options);
// With them; `command`: its name, for hints.
Result<ViewRequest> understand(const ProfileOptions& options, std::string_view command);

// To standard error, for views that cannot tell them in what they print.
void print_warnings(const View& view);
// Likewise: which event is shown, where it was wick that chose it.
void print_event_choice(const View& view, std::span<const EventId> shown);

constexpr size_t kRowsOnATerminal = 20;  // of a table, unless --limit tells

}  // namespace wick
