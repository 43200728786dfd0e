// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all views have in common: which file, which samples of it, where to write.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/selection.h"
#include "base/result.h"
#include "cli/piped_input.h"
#include "cli/symbol_options.h"
#include "import/reader.h"
#include "model/profile.h"
#include "symbolize/demangle.h"

namespace CLI {
class App;
}

namespace wick {

struct ProfileOptions {
  std::string file;                     // empty: the one that `record` writes, or standard input
  bool one_of_several = false;          // there are other files, too: errors say which one they are about
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

// A hint that names a command for the default profile, for this one; the file's name before the message where it is not clear.
Error for_file(Error error, const ProfileOptions& options);

// The loaded profile and what was selected of it; not copied or moved afterwards.
struct View {
  Profile profile;
  Filter filter;
  Selection selection;
};
// `command`: its name, for hints.
Result<View> load_view(const ProfileOptions& options, std::string_view command, const ImportOptions& import = {});

// To standard error, for views that cannot tell them in what they print.
void print_warnings(const Profile& profile);
// Likewise: which event is shown, where it was wick that chose it.
void print_event_choice(const View& view, std::span<const EventId> shown);

constexpr size_t kRowsOnATerminal = 20;  // of a table, unless --limit tells

// 2 for what the user got wrong on the command line, else 1.
int exit_code(const Error& error);

// To standard output when `path` is empty or "-", else to a file that is there whole or not at all.
Status write_output(const std::string& path, std::string_view text);
// The exit code after writing; the error is printed. A reader that has seen enough (`| head`) is no error.
int finish_output(const Status& status);

}  // namespace wick
