// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0

// wick record: plan, start, run, finish, summarize. All messages go to standard error; standard output belongs to the target.

#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "annotate/source_files.h"
#include "base/fd.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/messages.h"
#include "cli/record_options.h"
#include "cli/record_run.h"
#include "cli/record_summary.h"
#include "cli/view_server.h"
#include "pipeline/load.h"

namespace wick {
namespace {

// Adds how many samples the file has anyway. Reading a pipe would wait for a writer: this process.
Error describe_failed_finish(Error error, const std::string& path) {
  if (!open_regular(path).ok()) { return error; }
  Result<LoadedCapture> loaded = load_capture(path);
  size_t kept = loaded.ok() ? loaded->capture.samples.size() : 0;
  if (kept == 0) { return error; }
  return std::move(error).with_hint("wick report " + shell_quote(path) + "   (" + group_thousands(kept) +
                                    " samples were written before the error)");
}

// Source code may be confidential, so it is stored only if asked for. A file that is not known to be older than the program may
// be another version.
EmbedOptions embed_options(const RecordRequest& request) {
  EmbedOptions out{.most_code_bytes = request.embed_code ? kMostCodeBytes : 0, .read_source = nullptr};
  if (!request.embed_source) { return out; }
  auto files = std::make_shared<SourceFiles>(SourcePlaces{.root = request.sources.debug.symfs});
  out.read_source = [files](const std::string& name, const std::string& program) -> std::string {
    const SourceFile& source = files->find(name);
    struct stat info{};
    bool is_older =
        ::stat(program.c_str(), &info) == 0 && source.modified_ns <= info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
    std::string text;
    if (!is_older) { return text; }
    for (const std::string& line : source.lines) { text += line + "\n"; }
    return text;
  };
  return out;
}

}  // namespace

int record(const RecordArguments& arguments, const AfterRecording& afterwards) {
  Machine machine = load_machine();
  Result<RecordRequest> request = understand(arguments, machine);
  if (!request) { return fail_to_record(request.error()); }
  Result<EnginePlan> plan = plan_engine(request->options, request->engine, machine);
  if (!plan) { return fail_to_record(plan.error()); }
  plan->notes.insert(plan->notes.end(), request->notes.begin(), request->notes.end());
  // Before any thread starts: a thread that does not block a signal would be ended by it.
  Result<StopSignals> signals = StopSignals::open();
  if (!signals) { return fail_to_record(signals.error()); }
  Recording recording(unwind_options(*request, *plan, machine));
  if (Status opened = recording.open(request->output); !opened.ok()) { return fail_to_record(opened.error()); }
  int code = 0;
  for (uint32_t i = 0; i < request->iterations; ++i) {
    Result<RunResult> ran = run_once(*plan, machine, *request, recording, *signals, i == 0);
    if (!ran) {
      code = fail_to_record(ran.error());
      if (i == 0) { return code; }
      break;  // keeps the samples of earlier runs
    }
    if (code == 0) { code = ran->code; }
    if (!ran->go_on) { break; }
  }
  // All samples are in the file. From here on Ctrl-C only ends waiting for debug files.
  while (signals->next()) {}
  bool stopped = false;
  request->sources.fetch.is_stopped = [&] { return stopped |= signals->next().has_value(); };
  Result<RecordingOutcome> outcome = recording.finish(request->naming, request->sources, embed_options(*request));
  if (!outcome) {
    signals->unblock();
    return fail_to_record(describe_failed_finish(std::move(outcome).error(), request->output));
  }
  print_record_summary(*outcome, *request);
  signals->unblock();
  if (Status done = afterwards ? afterwards(request->output) : ok_status(); !done.ok()) { return fail_to_record(done.error()); }
  return request->view ? view_recording(request->output, code, kWickFailed) : code;
}

Run add_record_command(CLI::App& app) {
  auto arguments = std::make_shared<RecordArguments>();
  declare_record_options(app, *arguments);
  app.prefix_command();  // the first word that is not an option begins the command
  return [&app, arguments] {
    if (Status taken = take_command(app, *arguments); !taken.ok()) { return fail(taken.error(), 2); }
    return record(*arguments);
  };
}

}  // namespace wick
