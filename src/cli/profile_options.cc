// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/profile_options.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/utf8.h"
#include "cli/choice.h"
#include "cli/messages.h"
#include "cli/piped_input.h"

namespace wick {

std::string check_file_name(const std::string& given) { return given.empty() ? "must not be empty" : ""; }

void add_profile_options(CLI::App& app, ProfileOptions& options, Files files) {
  app.add_flag("--no-inlines", options.no_inlines, "Attribute inlined code to the containing function");
  const Words<NameStyle> styles = {{"full", NameStyle::kFull}, {"short", NameStyle::kShort}, {"raw", NameStyle::kRaw}};
  add_choice(app, "--names", options.names, styles, "Demangle fully, without arguments and parameters, or not at all [full]");
  const char* group = "Selection";
  app.add_option("FILE", options.file, "Profile of wick or another tool, - for standard input [piped input, else profile.wick]")
      ->check(CLI::Validator(check_file_name, ""))
      ->type_name("");
  if (files == Files::kSeveral) {
    app.add_option("MORE", options.more_files, "Profiles to add")->check(CLI::Validator(check_file_name, ""))->type_name("");
  }
  app.add_option("--from", options.from, "Format of FILE [detected]")->type_name("FORMAT");
  app.add_option("--thread", options.thread, "Show one thread, by name or ID")->type_name("NAME|TID")->group(group);
  app.add_option("--range", options.range, "Show these seconds of the recording: 1.5-3, 10-, -2")->type_name("A-B")->group(group);
  app.add_option("--focus", options.focus, "Show only samples with a matching function on the stack")
      ->type_name("REGEX")
      ->group(group);
  app.add_option("--ignore", options.ignore, "Leave out samples with a matching function on the stack")
      ->type_name("REGEX")
      ->group(group);
  app.add_option("--event", options.event,
                 "Event to show [the first; for perf data a clock or cycles, else the one with the most samples]")
      ->type_name("NAME")
      ->group(group);
  add_symbol_options(app, options.symbols);
}

namespace {

Status with_option(Status status, const char* option) {
  return status.ok() ? ok_status() : Status(std::move(status).error().context(option));
}

}  // namespace

Result<ViewRequest> understand(const ProfileOptions& options) {
  ViewRequest request;
  Filter& filter = request.filter;
  if (!options.range.empty()) { WICK_OK(with_option(parse_range(options.range, filter), "--range")); }
  WICK_OK(with_option(check_pattern(options.focus), "--focus"));
  WICK_OK(with_option(check_pattern(options.ignore), "--ignore"));
  request.keep_times = !options.range.empty();
  filter.event = options.event;
  filter.thread = options.thread;
  filter.focus = options.focus;
  filter.ignore = options.ignore;
  request.inlines = options.no_inlines ? Inlines::kHide : Inlines::kShow;
  request.names = options.names.value_or(NameStyle::kFull);
  WICK_LET(request.sources, find_symbol_sources(options.symbols, Fetching::kNever));
  Result<const Reader*> reader = parse_format(options.from);
  if (!reader.ok()) { return std::move(reader).error().context("--from"); }
  request.reader = *reader;
  return request;
}

Result<ViewRequest> understand(const ProfileOptions& options, std::string_view command) {
  WICK_LET(ViewRequest request, understand(options));
  std::string file = options.file;
  if (file.empty()) {
    request.named_in_errors = NamedInErrors::kNone;
    WICK_LET(file, choose_input(command));
  }
  request.files = {file};
  request.files.insert(request.files.end(), options.more_files.begin(), options.more_files.end());
  return request;
}

void print_warnings(const View& view) {
  for (const std::string& warning : view.warnings()) { std::fprintf(stderr, "warning: %s\n", printable(warning).c_str()); }
}

void print_event_choice(const View& view, std::span<const EventId> shown) {
  std::string choice = describe_event_choice(view, shown);
  if (!choice.empty()) { print_once("wick: " + choice + " (select with --event)"); }
}

}  // namespace wick
