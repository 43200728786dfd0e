// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// wick stat: what a program needs, in figures with their meaning.

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/messages.h"
#include "cli/stat_options.h"
#include "cli/stat_show.h"

namespace wick {

Run add_stat_command(CLI::App& app) {
  auto arguments = std::make_shared<StatArguments>();
  declare_stat_options(app, *arguments);
  app.prefix_command();
  return [&app, arguments] {
    if (Status taken = take_command(app, arguments->record); !taken.ok()) { return fail(taken.error(), 2); }
    return show_stat(*arguments);
  };
}

}  // namespace wick
