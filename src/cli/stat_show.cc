// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/stat_show.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "cli/messages.h"
#include "cli/output.h"
#include "cli/record_run.h"
#include "cli/stat_run.h"
#include "export/stat_json.h"
#include "term/stat_view.h"

namespace wick {
namespace {

constexpr const char* kName = "wick stat";

// Standard output belongs to the command.
Status write_stat(const StatRequest& request, const std::string& text) {
  bool to_stderr = request.output.empty() && !request.target.command.empty();
  if (to_stderr) { return write_all(STDERR_FILENO, as_bytes(text), "standard error"); }
  return write_output(request.output, text);
}

Style style_of(const StatRequest& request) {
  bool to_stderr = request.output.empty() && !request.target.command.empty();
  return detect_style(to_stderr ? STDERR_FILENO : STDOUT_FILENO,
                      is_stdout(request.output) ? ColorWhen::kAuto : ColorWhen::kNever);
}

int finish(const StatRequest& request, const std::string& text, int code) {
  Status written = write_stat(request, text);
  if (!written.ok() && written.error().errnum() != EPIPE) { return fail(written.error(), kWickFailed); }
  return code;
}

// Before a command runs that takes hours.
Status check_folder(const StatRequest& request) {
  if (is_stdout(request.output)) { return ok_status(); }
  size_t slash = request.output.rfind('/');
  std::string folder = slash == std::string::npos ? "." : request.output.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK) != 0) { return Error::from_errno(errno, "cannot write %s", request.output.c_str()); }
  return ok_status();
}

}  // namespace

int show_stat(const StatArguments& arguments) {
  Machine machine = load_machine();
  Result<StatRequest> request = understand_stat(arguments, machine);
  if (!request) { return fail_to_record(request.error(), kName); }
  if (Status writable = check_folder(*request); !writable.ok()) { return fail_to_record(writable.error(), kName); }
  Result<StopSignals> signals = StopSignals::open();
  if (!signals) { return fail_to_record(signals.error(), kName); }
  Style style = style_of(*request);
  if (!request->compared.empty()) {
    Result<Compared> both = measure_both(*request, machine, *signals);
    if (!both) { return fail_to_record(both.error(), kName); }
    return finish(*request,
                  request->json  ? comparison_json(both->report)
                  : request->csv ? comparison_csv(both->report)
                                 : render_comparison(both->report, style),
                  both->exit_code);
  }
  bool is_first = true;
  OnInterval on_interval;
  if (!request->json && !request->csv && is_stdout(request->output)) {
    on_interval = [&](const stat::Interval& interval) {
      static_cast<void>(write_stat(*request, render_interval(interval, std::exchange(is_first, false))));
    };
  }
  Result<stat::Report> report =
      request->exact ? simulate(*request, *signals) : measure(*request, machine, *signals, on_interval);
  if (!report) { return fail_to_record(report.error(), kName); }
  std::string text = request->json ? stat_json(*report) : request->csv ? stat_csv(*report) : render_stat(*report, style);
  return finish(*request, text, report->exit_code);
}

}  // namespace wick
