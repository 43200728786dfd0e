// SPDX-FileCopyrightText: 2026 The wick authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/doctor.h"
#include "cli/doctor_json.h"
#include "cli/messages.h"
#include "cli/output.h"

namespace wick {
namespace {

struct DoctorArguments {
  std::vector<std::string> files;
  bool json = false;
};

int examine_machine(bool json) {
  Machine machine = load_machine();
  Diagnosis diagnosis = diagnose_machine(machine);
  std::string text = json ? machine_json(machine, diagnosis) : render_diagnosis(diagnosis, detect_style(STDOUT_FILENO));
  return finish_output(write_output("", text));
}

// Reports files that cannot be read and continues with the others.
int examine_files(const std::vector<std::string>& names, bool json) {
  int code = 0;
  std::vector<FileDiagnosis> files;
  for (const std::string& name : names) {
    Result<FileDiagnosis> file = diagnose_file(name);
    if (file.ok()) {
      files.push_back(*std::move(file));
    } else {
      code = fail(file.error());
    }
  }
  std::string text = json ? files_json(files) : render_files(files, detect_style(STDOUT_FILENO));
  int written = finish_output(text.empty() ? ok_status() : write_output("", text));
  return written != 0 ? written : code;
}

}  // namespace

Run add_doctor_command(CLI::App& app) {
  auto options = std::make_shared<DoctorArguments>();
  app.add_option("PROGRAM", options->files, "Programs or libraries to check: paths, or names found in PATH")
      ->type_name("PROGRAM");
  app.add_flag("--json", options->json, "Print JSON (docs/doctor-json.md)");
  app.footer(
      "Without PROGRAM: tries what this user can record on this machine; explains what is not allowed and how to enable it.\n"
      "With PROGRAM: shows what a profile of it will contain (symbols, source lines, complete stacks) and which build flags add\n"
      "more. Changes nothing.\n\n"
      "Examples:\n"
      "  wick doctor\n"
      "  wick doctor ./target/release/app\n"
      "  wick doctor ./app /usr/lib/x86_64-linux-gnu/libc.so.6\n"
      "  wick doctor --json | jq '.checks[] | select(.verdict == \"no\")'");
  return [options] {
    return options->files.empty() ? examine_machine(options->json) : examine_files(options->files, options->json);
  };
}

}  // namespace wick
